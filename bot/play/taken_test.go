package play_test

import (
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestNextDealTakesNoTablesName: a session ends where another table has the name of its next deal's, and what lies there stays: pages of the room
// name their requests, and two that go together so are found in a minute.
func TestNextDealTakesNoTablesName(t *testing.T) {
	for _, ended := range []bool{false, true} {
		h := bottest.NewHall(t)
		bank := h.Sit(1, "100 min=5", 1, 2)
		opens := h.Request(2, 5, chat.Command, "/banchok 500")
		opens.ID = "next " + bank.ID.Name
		h.Bot.Handle(t.Context(), opens)
		h.Must(2, 6, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!join"}.String())
		h.Must(2, 5, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String())
		h.Cut(2)
		h.SettleHand(2, 20)
		other := h.Table(2)
		if other.ID != bank.NextDeal() {
			t.Fatalf("the other table is %s, want %s", other.ID, bank.NextDeal())
		}
		if ended {
			other = h.Finish(2)
		}
		if was := h.Finish(1); was.Result == nil || was.Next != "" {
			t.Errorf("the session goes on at %q", was.Next)
		}
		if now := h.Look(other.ID); now.Level != other.Level || now.Chairs[0].User != other.Chairs[0].User {
			t.Errorf("the other table has %+v", now.Chairs)
		}
		h.Audit()
	}
}
