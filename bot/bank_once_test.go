package bot

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
)

// request is what ask would deliver.
func (h *hall) request(channel, user int64, kind chat.Kind, data string) chat.Request {
	h.asked++
	return chat.Request{ID: fmt.Sprint("ask ", h.asked), Kind: kind, Who: hallUser(user), Data: data, In: h.place(channel)}
}

// together delivers requests at one moment, each twice, and lets the clock keep its deadlines meanwhile.
func (h *hall) together(requests ...chat.Request) {
	h.t.Helper()
	broken := h.bot.words.Lang("en").Say("broken")
	var all sync.WaitGroup
	for i := range 2 * len(requests) {
		all.Go(func() {
			if r := h.bot.seen(h.t.Context(), requests[i/2]); r.Toast == broken {
				h.t.Errorf("%q breaks", requests[i/2].Data)
			}
		})
	}
	all.Go(func() {
		for h.bot.Ring(h.t.Context(), func(context.Context, chat.Response) {}) == 0 {
		}
	})
	all.Wait()
}

// sideTimeOver is a bank of 200 against three punters, the first of whom has staked; the others have had their time to bet
// along.
func (h *hall) sideTimeOver(stake string) *table.Table {
	h.t.Helper()
	t := h.sit(1, "200 side limit=none", 1, 2, 3, 4)
	h.move(1, h.turn(1), stake)
	h.running += play.SideTime
	return t
}

// TestAtOnce: whatever comes at one moment where chips are at stake, it comes one after the other: no chip is staked
// twice, bet above what the bank can pay, or lost.
func TestAtOnce(t *testing.T) {
	for _, test := range []struct {
		name string
		// play sits down P1 to P4, who have 3,000 each, and returns what comes at once.
		play func(*hall) []chat.Request
		// check looks at what has become of it.
		check func(*hall)
	}{
		{
			name: "everybody bets all that the bank has left, and the banker opens",
			play: func(h *hall) []chat.Request {
				t := h.sideTimeOver("stake 150")
				return []chat.Request{
					h.request(1, t.Chairs[2].User, chat.Press, h.button(1, "side 50")),
					h.request(1, t.Chairs[3].User, chat.Press, h.button(1, "side 50")),
					h.request(1, t.Chairs[0].User, chat.Press, h.button(1, "open")),
				}
			},
			check: func(h *hall) {
				if chips := h.table(1).Chips; chips.Bank > 400 || chips.Bank < 0 {
					h.t.Errorf("more than the bank was at stake: %+v", chips)
				}
			},
		},
		{
			name: "one purse is staked at two tables, and given away",
			play: func(h *hall) []chat.Request {
				user := h.sitTwice(900)
				give := h.must(1, user, chat.Command, "/give P99 700").Posts[0].Buttons[0][0].Token
				return []chat.Request{
					h.request(1, user, chat.Press, h.button(1, "stake 800")), h.request(2, user, chat.Press, h.button(2, "stake 750")),
					h.request(1, user, chat.Press, give),
				}
			},
			check: func(h *hall) {
				laid := h.table(1).Chips.Stakes[1] + h.table(2).Chips.Stakes[1]
				if laid != 0 && laid != 800 && laid != 750 {
					h.t.Errorf("of 900 are staked %d", laid)
				}
			},
		},
		{
			name: "one purse lays out two banks",
			play: func(h *hall) []chat.Request {
				for channel := range int64(2) {
					h.must(channel+1, 1, chat.Command, "/banchok 2000 bank=2000 limit=none")
					h.must(channel+1, 2, chat.Press, table.Token{Table: h.table(channel + 1).ID, Do: "!join"}.String())
				}
				return []chat.Request{
					h.request(1, 1, chat.Press, table.Token{Table: h.table(1).ID, Do: "!deal"}.String()),
					h.request(2, 1, chat.Press, table.Token{Table: h.table(2).ID, Do: "!deal"}.String()),
				}
			},
			check: func(h *hall) {
				if h.table(1).Phase != table.Lobby && h.table(2).Phase != table.Lobby && h.table(1).Chairs[0].User == h.table(2).Chairs[0].User {
					h.t.Error("3,000 have laid out two banks of 2,000")
				}
			},
		},
		{
			name: "the host stops, the banker opens, a bet comes",
			play: func(h *hall) []chat.Request {
				t := h.sideTimeOver("stake 60")
				return []chat.Request{
					h.request(1, 1, chat.Press, h.answer(1, 1, chat.Command, "/stop")),
					h.request(1, t.Chairs[0].User, chat.Press, h.button(1, "open")),
					h.request(1, t.Chairs[3].User, chat.Press, h.button(1, "side 50")),
				}
			},
		},
		{
			name: "the host stops when the table itself opens",
			play: func(h *hall) []chat.Request {
				h.sit(1, "200 side dealer=bot limit=none", 1, 2, 3, 4)
				h.move(1, h.turn(1), "stake 200")
				h.running += 2 * play.SideTime
				return []chat.Request{h.request(1, 1, chat.Press, h.answer(1, 1, chat.Command, "/stop"))}
			},
		},
		{
			name: "somebody is removed who stakes, and somebody who bets",
			play: func(h *hall) []chat.Request {
				t := h.sit(1, "200 side limit=none", 1, 2, 3, 4)
				return []chat.Request{
					h.request(1, 99, chat.Press, h.answer(1, 99, chat.Command, "/remove 2")),
					h.request(1, 99, chat.Press, h.answer(1, 99, chat.Command, "/remove 3")),
					h.request(1, t.Chairs[1].User, chat.Press, h.button(1, "stake 60")),
					h.request(1, t.Chairs[2].User, chat.Command, "/bet 50"),
					h.request(1, t.Chairs[0].User, chat.Press, h.button(1, "open")),
				}
			},
		},
		{
			name: "the group gets another ID",
			play: func(h *hall) []chat.Request {
				t := h.sit(1, "200 side limit=none", 1, 2, 3, 4)
				moved := h.request(1, 0, chat.Migrated, chat.Community{Platform: chat.Telegram, ID: -1001}.String())
				return []chat.Request{
					moved, h.request(1, t.Chairs[1].User, chat.Press, h.button(1, "stake 60")),
					h.request(1, t.Chairs[0].User, chat.Press, h.button(1, "open")), h.request(1, 2, chat.Command, "/daily"),
				}
			},
			check: func(h *hall) { h.at = chat.Community{Platform: chat.Telegram, ID: -1001} },
		},
		{
			name: "all leave at once",
			play: func(h *hall) (all []chat.Request) {
				t := h.sit(1, "200 side limit=none banks=3", 1, 2, 3, 4)
				h.move(1, h.turn(1), "stake 60")
				for user := range int64(4) {
					all = append(all, h.request(1, user+1, chat.Command, "/leave"))
				}
				return append(all, h.request(1, t.Chairs[0].User, chat.Press, h.button(1, "open")))
			},
		},
		{
			name: "the chips of the day are asked for five times",
			play: func(h *hall) (all []chat.Request) {
				h.sit(1, "200 limit=none", 1, 2)
				for range 5 {
					all = append(all, h.request(1, 1, chat.Command, "/daily"))
				}
				return all
			},
			check: func(h *hall) {
				if has := h.purse(1) + h.lies(h.table(1))[h.seat(1)]; has != 3300 {
					h.t.Errorf("P1 has %d", has)
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 8 {
				h := newHall(t)
				for _, user := range []int64{1, 2, 3, 4, 99} {
					h.must(1, user, chat.Command, "/balance")
				}
				h.together(test.play(h)...)
				if test.check != nil {
					test.check(h)
				}
				h.audit()
				h.restart()
				h.stopAll()
			}
		})
	}
}

// sitTwice sits P1, P2 and P3 down at two tables, at both of which one of them, who is returned and has so much left, is to
// stake.
func (h *hall) sitTwice(has int64) int64 {
	h.t.Helper()
	for {
		h.sit(1, "1000 bank=1000 limit=none", 1, 2, 3)
		h.sit(2, "1000 bank=1000 limit=none", 1, 2, 3)
		if user := h.turn(1); user == h.turn(2) {
			h.leaveWith(user, has)
			return user
		}
		h.stopAll()
	}
}

// seat is where the user sits at the table in channel 1.
func (h *hall) seat(user int64) int {
	seat, _ := h.table(1).SeatOf(user)
	return int(seat)
}

// stopAll stops all tables in channels 1 and 2: when hands are settled no chip may lie there any more.
func (h *hall) stopAll() {
	h.t.Helper()
	for channel := range int64(2) {
		tables, err := h.bot.tables.Look(h.t.Context(), h.place(channel+1))
		if err != nil {
			h.t.Fatal(err)
		}
		for _, t := range tables {
			h.sure(channel+1, warden, chat.Press, table.Token{Table: t.ID, Do: "!stop"}.String())
		}
	}
	h.pass(65 * time.Second)
	h.running += oneDay // An early card waits as long for its stake where turns have no limit.
	h.pass(time.Second)
	if all := h.audit(); all.Laid != 0 {
		h.t.Errorf("%d lie at tables that have ended", all.Laid)
	}
}
