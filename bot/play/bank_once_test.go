package play_test

import (
	"context"
	"sync"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// together delivers requests at one moment, each twice, and lets the clock keep its deadlines meanwhile.
func together(h *bottest.Hall, requests ...chat.Request) {
	h.T.Helper()
	broken := h.Bot.Words().Lang("en").Say("broken")
	var all sync.WaitGroup
	for i := range 2 * len(requests) {
		all.Go(func() {
			if r := bottest.Seen(h.T.Context(), h.Bot, requests[i/2]); r.Toast == broken {
				h.T.Errorf("%q breaks", requests[i/2].Data)
			}
		})
	}
	all.Go(func() {
		for h.Bot.Ring(h.T.Context(), func(context.Context, chat.Response) {}) == 0 {
		}
	})
	all.Wait()
}

// sideTimeOver is a bank of 200 against three punters, the first of whom has staked; the others have had their time to bet
// along.
func sideTimeOver(h *bottest.Hall, stake string) *table.Table {
	h.T.Helper()
	t := h.Sit(1, "200 side limit=none", 1, 2, 3, 4)
	h.Move(1, h.Turn(1), stake)
	h.Running += table.SideTime
	return t
}

// TestAtOnce: whatever comes at one moment where chips are at stake, it comes one after the other: no chip is staked
// twice, bet above what the bank can pay, or lost.
func TestAtOnce(t *testing.T) {
	for _, test := range []struct {
		name string
		// play sits down P1 to P4, who have 3,000 each, and returns what comes at once.
		play func(*bottest.Hall) []chat.Request
		// check looks at what has become of it.
		check func(*bottest.Hall)
	}{
		{
			name: "everybody bets all that the bank has left, and the banker opens",
			play: func(h *bottest.Hall) []chat.Request {
				t := sideTimeOver(h, "stake 150")
				return []chat.Request{
					h.Request(1, t.Chairs[2].User, chat.Press, h.Button(1, "side 50")),
					h.Request(1, t.Chairs[3].User, chat.Press, h.Button(1, "side 50")),
					h.Request(1, t.Chairs[0].User, chat.Press, h.Button(1, "open")),
				}
			},
			check: func(h *bottest.Hall) {
				if chips := h.Table(1).Chips; chips.Bank > 400 || chips.Bank < 0 {
					h.T.Errorf("more than the bank was at stake: %+v", chips)
				}
			},
		},
		{
			name: "one purse is staked at two tables, and given away",
			play: func(h *bottest.Hall) []chat.Request {
				user := sitTwice(h, 900)
				give := h.Must(1, user, chat.Command, "/give P99 700").Posts[0].Buttons[0][0].Token
				return []chat.Request{
					h.Request(1, user, chat.Press, h.Button(1, "stake 800")), h.Request(2, user, chat.Press, h.Button(2, "stake 750")),
					h.Request(1, user, chat.Press, give),
				}
			},
			check: func(h *bottest.Hall) {
				laid := h.Table(1).Chips.Stakes[1] + h.Table(2).Chips.Stakes[1]
				if laid != 0 && laid != 800 && laid != 750 {
					h.T.Errorf("of 900 are staked %d", laid)
				}
			},
		},
		{
			name: "one purse lays out two banks",
			play: func(h *bottest.Hall) []chat.Request {
				for channel := range int64(2) {
					h.Must(channel+1, 1, chat.Command, "/banchok 2000 bank=2000 limit=none")
					h.Must(channel+1, 2, chat.Press, table.Token{Table: h.Table(channel + 1).ID, Do: "!join"}.String())
				}
				return []chat.Request{
					h.Request(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String()),
					h.Request(2, 1, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String()),
				}
			},
			check: func(h *bottest.Hall) {
				if h.Table(1).Phase != table.Lobby && h.Table(2).Phase != table.Lobby && h.Table(1).Chairs[0].User == h.Table(2).Chairs[0].User {
					h.T.Error("3,000 have laid out two banks of 2,000")
				}
			},
		},
		{
			name: "the host stops, the banker opens, a bet comes",
			play: func(h *bottest.Hall) []chat.Request {
				t := sideTimeOver(h, "stake 60")
				return []chat.Request{
					h.Request(1, 1, chat.Press, h.Answer(1, 1, chat.Command, "/stop")),
					h.Request(1, t.Chairs[0].User, chat.Press, h.Button(1, "open")),
					h.Request(1, t.Chairs[3].User, chat.Press, h.Button(1, "side 50")),
				}
			},
		},
		{
			name: "the host stops when the table itself opens",
			play: func(h *bottest.Hall) []chat.Request {
				h.Sit(1, "200 side dealer=bot limit=none", 1, 2, 3, 4)
				h.Move(1, h.Turn(1), "stake 200")
				h.Running += 2 * table.SideTime
				return []chat.Request{h.Request(1, 1, chat.Press, h.Answer(1, 1, chat.Command, "/stop"))}
			},
		},
		{
			name: "somebody is removed who stakes, and somebody who bets",
			play: func(h *bottest.Hall) []chat.Request {
				t := h.Sit(1, "200 side limit=none", 1, 2, 3, 4)
				return []chat.Request{
					h.Request(1, 99, chat.Press, h.Answer(1, 99, chat.Command, "/remove 2")),
					h.Request(1, 99, chat.Press, h.Answer(1, 99, chat.Command, "/remove 3")),
					h.Request(1, t.Chairs[1].User, chat.Press, h.Button(1, "stake 60")),
					h.Request(1, t.Chairs[2].User, chat.Command, "/bet 50"),
					h.Request(1, t.Chairs[0].User, chat.Press, h.Button(1, "open")),
				}
			},
		},
		{
			name: "the group gets another ID",
			play: func(h *bottest.Hall) []chat.Request {
				t := h.Sit(1, "200 side limit=none", 1, 2, 3, 4)
				moved := h.Request(1, 0, chat.Migrated, chat.Community{Platform: chat.Telegram, ID: -1001}.String())
				return []chat.Request{
					moved, h.Request(1, t.Chairs[1].User, chat.Press, h.Button(1, "stake 60")),
					h.Request(1, t.Chairs[0].User, chat.Press, h.Button(1, "open")), h.Request(1, 2, chat.Command, "/daily"),
				}
			},
			check: func(h *bottest.Hall) { h.At = chat.Community{Platform: chat.Telegram, ID: -1001} },
		},
		{
			name: "all leave at once",
			play: func(h *bottest.Hall) (all []chat.Request) {
				t := h.Sit(1, "200 side limit=none banks=3", 1, 2, 3, 4)
				h.Move(1, h.Turn(1), "stake 60")
				for user := range int64(4) {
					all = append(all, h.Request(1, user+1, chat.Command, "/leave"))
				}
				return append(all, h.Request(1, t.Chairs[0].User, chat.Press, h.Button(1, "open")))
			},
		},
		{
			name: "the chips of the day are asked for five times",
			play: func(h *bottest.Hall) (all []chat.Request) {
				h.Sit(1, "200 limit=none", 1, 2)
				for range 5 {
					all = append(all, h.Request(1, 1, chat.Command, "/daily"))
				}
				return all
			},
			check: func(h *bottest.Hall) {
				if has := h.Purse(1) + h.Lies(h.Table(1))[h.Seat(1)]; has != 3300 {
					h.T.Errorf("P1 has %d", has)
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 8 {
				h := bottest.NewHall(t)
				for _, user := range []int64{1, 2, 3, 4, 99} {
					h.Must(1, user, chat.Command, "/balance")
				}
				together(h, test.play(h)...)
				if test.check != nil {
					test.check(h)
				}
				h.Audit()
				h.Restart()
				h.StopAll()
			}
		})
	}
}

// sitTwice sits P1, P2 and P3 down at two tables, at both of which one of them, who is returned and has so much left, is to
// stake.
func sitTwice(h *bottest.Hall, has int64) int64 {
	h.T.Helper()
	for {
		h.Sit(1, "1000 bank=1000 limit=none", 1, 2, 3)
		h.Sit(2, "1000 bank=1000 limit=none", 1, 2, 3)
		if user := h.Turn(1); user == h.Turn(2) {
			h.LeaveWith(user, has)
			return user
		}
		h.StopAll()
	}
}
