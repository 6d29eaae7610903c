package play_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
)

// garbled is a game whose positions can't be drawn.
type garbled struct{ engine.Rules }

func (g garbled) Deal(s engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	state, err := g.Rules.Deal(s, shuffler)
	return garbledState{state}, err
}

type garbledState struct{ engine.State }

func (st garbledState) View(s engine.Seat) engine.View {
	view := st.State.View(s)
	view.Offers = []engine.Move{{Verb: 99}}
	return view
}

// TestUndrawn loses a picture that can't be drawn, and nothing else.
func TestUndrawn(t *testing.T) {
	h := bottest.NewHall(t)
	h.Order = slices.Clone(games.All())
	at := slices.IndexFunc(h.Order, func(r engine.Rules) bool { return r.Info().Name == "zevaka" })
	h.Order[at] = garbled{h.Order[at]}
	var log strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&log, nil))
	h.Restart()
	h.Must(1, 1, chat.Command, "/zevaka")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	lobby := h.Table(1)
	cutter := bottest.User(lobby.Chairs[lobby.Cutter].User)
	asked := chat.Request{ID: "cut", Kind: chat.Command, Who: cutter, Data: "/cut 7", In: h.Place(1)}
	r := h.Bot.Handle(t.Context(), asked)
	if log.Len() > 0 || h.Table(1).Phase != table.Playing {
		t.Fatalf("before it is drawn: %+v, %q", r, log.String())
	}
	shown := 0
	for _, p := range r.Posts {
		if _, ok := p.Drawn(); ok != (p.Table == "") {
			t.Errorf("drawn is %v: %+v", ok, p)
		}
		shown++
	}
	if shown == 0 || !strings.Contains(log.String(), "a picture can't be drawn") {
		t.Errorf("%d posts, and the log says %q", shown, log.String())
	}
}
