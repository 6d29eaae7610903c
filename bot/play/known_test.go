package play_test

import (
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
)

// TestGoesOnFromABackup: a game of several that had been dealt when a backup was made is closed by the bot that goes on from it, and what was staked
// goes back: who had played on knows the cards. Games for one go on, and so does what is dealt later, and lobbies, with another draw.
func TestGoesOnFromABackup(t *testing.T) {
	h := bottest.NewHall(t)
	bank := h.Sit(1, "100 min=5", 1, 2)
	h.SettleHand(1, 10)
	banker, punter := bank.Chairs[0].User, bank.Chairs[1].User
	settled := []int64{h.Purse(banker) + h.Lies(h.Table(1))[0], h.Purse(punter)}
	h.Move(1, h.Turn(1), "stake 20")
	h.Must(2, 3, chat.Command, "/banchok 100")
	h.Must(2, 4, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!join"}.String())
	h.Must(3, 5, chat.Command, "/patience zaba")
	h.Copied = h.TimeOfDay().Add(time.Hour) // By a clock that was ahead.
	h.Restart()
	h.Pass(bottest.DoubleTap)
	if now := h.Look(bank.ID); now.Phase != table.Ended || now.Why != "stop-known" {
		t.Errorf("the bank is in phase %v, for %q", now.Phase, now.Why)
	}
	if has := []int64{h.Purse(banker), h.Purse(punter)}; !slices.Equal(has, settled) || slices.Equal(has, []int64{3000, 3000}) {
		t.Errorf("their purses hold %v, want %v", has, settled)
	}
	h.Audit()
	h.Copied = h.TimeOfDay()
	h.Pass(bottest.DoubleTap)
	drawn := []engine.Seed{h.Table(2).Draw}
	for range 2 {
		if h.Table(2).Phase != table.Lobby {
			t.Error("a draw that may be known counts")
		}
		h.Must(2, 3, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String())
		drawn = append(drawn, h.Table(2).Draw)
	}
	if drawn[1] == drawn[0] || drawn[2] != drawn[1] {
		t.Error("the draw of a lobby isn't made anew once")
	}
	h.Cut(2)
	h.SettleHand(2, 10)
	h.Restart()
	h.Pass(bottest.DoubleTap)
	for _, channel := range []int64{2, 3} {
		if now := h.Table(channel); now.Phase != table.Playing {
			t.Errorf("what goes on in channel %d is in phase %v, for %q", channel, now.Phase, now.Why)
		}
	}
}

// TestCutsNoKnownPack: a pack that was to be cut when a backup was made is cut no more by the bot that goes on from it, at a first game or the next
// bank of a session: who had played on knows the seed, and could choose the order. A lobby of then is dealt, and goes on.
func TestCutsNoKnownPack(t *testing.T) {
	h := bottest.NewHall(t)
	bank := h.Sit(1, "100 min=5", 1, 2)
	h.Finish(1)
	next := h.Table(1)
	for channel := range int64(2) {
		h.Must(2+channel, 3, chat.Command, "/zevaka limit=none")
		h.Must(2+channel, 4, chat.Press, table.Token{Table: h.Table(2 + channel).ID, Do: "!join"}.String())
	}
	h.Must(2, 3, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String())
	cut, lobby := h.Table(2), h.Table(3)
	if next.ID == bank.ID || next.Phase != table.Cutting || cut.Phase != table.Cutting || lobby.Phase != table.Lobby {
		t.Fatalf("the tables are in phases %v, %v and %v", next.Phase, cut.Phase, lobby.Phase)
	}
	h.Copied = h.TimeOfDay()
	h.Restart()
	h.Pass(bottest.DoubleTap)
	for range 2 {
		h.Must(3, 3, chat.Press, table.Token{Table: lobby.ID, Do: "!deal"}.String())
	}
	h.Restart()
	h.Pass(bottest.DoubleTap)
	h.Cut(3)
	for _, one := range []*table.Table{next, cut} {
		h.Ask(one.Place.Channel, one.Chairs[one.Cutter].User, chat.Press, table.Token{Table: one.ID, Epoch: 1, Do: "!cut 7"}.String())
		if now := h.Look(one.ID); now.Phase != table.Ended || now.Why != "stop-known" {
			t.Errorf("the pack of %s is in phase %v, for %q", one.ID, now.Phase, now.Why)
		}
	}
	if now := h.Look(lobby.ID); now.Phase == table.Ended {
		t.Errorf("the lobby of then was closed for %q", now.Why)
	}
	if has := h.Purse(1) + h.Purse(2); has != 6000 {
		t.Errorf("the two have %d chips", has)
	}
	h.Audit()
}

// TestDrawsAnew: at a table where several waited for the deal when the backup was made the number of the draw is another one as soon as the clock
// draws it or somebody goes, who goes all the same; and where one waited, and a second one's picture is new, before it counts.
func TestDrawsAnew(t *testing.T) {
	for name, next := range map[string]func(*bottest.Hall){
		"drawn": func(h *bottest.Hall) { h.Pass(time.Minute) },
		"left":  func(h *bottest.Hall) { h.Bot.Handle(t.Context(), h.Request(1, 2, chat.Left, "")) },
	} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/zevaka limit=none")
		h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
		before := h.Table(1)
		h.Copied = h.TimeOfDay()
		h.Wall += time.Minute
		h.Restart()
		next(h)
		if now := h.Table(1); now.Draw == before.Draw || now.IsForeseen(h.Copied) || (len(now.Chairs) == 1) != (name == "left") {
			t.Errorf("%s: %d sit there, the draw is another: %t", name, len(now.Chairs), now.Draw != before.Draw)
		}
	}
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka limit=none")
	h.Copied = h.TimeOfDay()
	h.Wall += time.Minute
	h.Restart()
	h.Pass(time.Minute)
	joined := h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
	before, receipt := h.Table(1), h.Request(1, 0, chat.Shown, joined.Posts[0].Receipt)
	receipt.On = "new/message"
	answer := h.Bot.Handle(t.Context(), receipt)
	if now := h.Table(1); now.Draw == before.Draw || len(answer.Posts) != 1 {
		t.Errorf("a new message is the first to be heard of: the draw is another: %t, and %d pictures show it", now.Draw != before.Draw, len(answer.Posts))
	}
	kept := table.Table{Phase: table.Lobby, Chairs: []table.Chair{{User: 1}}, Kept: []table.Chair{{User: 2}}}
	kept.Opened = 5
	if !kept.IsForeseen(time.Unix(5, 0)) || kept.IsForeseen(time.Unix(4, 0)) || kept.IsForeseen(time.Time{}) {
		t.Error("a table that keeps a seat for the second one draws by the number of before")
	}
}
