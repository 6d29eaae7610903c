package play_test

import (
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestGoesOnFromABackup: a game of several that had been dealt when a backup was made is closed by the bot that goes on from it, and what was staked
// goes back: who had played on knows the cards. Lobbies, games for one, and what is dealt later go on.
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
	h.Must(2, 3, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String())
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
