package bot

import (
	"context"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/engine"
)

// seen is the answer to a request as people see it.
func (b *Bot) seen(ctx context.Context, r chat.Request) chat.Response {
	return chattest.Drawn(b.Handle(ctx, r))
}

// gallery keeps the newest pictures as they were drawn at once, to draw them again when their tables have changed.
type gallery struct {
	posts []chat.Post
	drawn []chat.Message
}

// hang keeps the pictures of a response, and has the older ones drawn again.
func (g *gallery) hang(t testing.TB, r chat.Response) {
	t.Helper()
	for i, p := range g.posts {
		if late, ok := p.Drawn(); !ok || !reflect.DeepEqual(late.Message, g.drawn[i]) {
			t.Errorf("drawn later, table %s at level %d is\n%+v\nand was\n%+v", p.Table, p.Level, late.Message, g.drawn[i])
		}
	}
	for _, p := range r.Posts {
		if p.Draw != nil {
			now, _ := p.Drawn()
			g.posts, g.drawn = append(g.posts, p), append(g.drawn, now.Message)
		}
	}
	const kept = 4
	if n := len(g.posts) - kept; n > 0 {
		g.posts, g.drawn = g.posts[n:], g.drawn[n:]
	}
}

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
	h := newHall(t)
	var log strings.Builder
	h.bot.tables.Log = slog.New(slog.NewTextHandler(&log, nil))
	h.bot.games["zevaka"] = garbled{h.bot.games["zevaka"]}
	h.must(1, 1, chat.Command, "/zevaka")
	id := h.table(1).ID
	h.must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	lobby := h.table(1)
	cutter := hallUser(lobby.Chairs[lobby.Cutter].User)
	asked := chat.Request{ID: "cut", Kind: chat.Command, Who: cutter, Data: "/cut 7", In: h.place(1)}
	r := h.bot.Handle(t.Context(), asked)
	if log.Len() > 0 || h.table(1).Phase != table.Playing {
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
