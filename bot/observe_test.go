package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/zevaka"
)

// watching notes what came of each request.
type watching struct {
	chat.Observer
	seen []string
}

func (w *watching) Request(ctx context.Context, r chat.Request) (context.Context, func(chat.Outcome)) {
	return ctx, func(o chat.Outcome) {
		w.seen = append(w.seen, fmt.Sprintf("%s %d %d", chat.RequestOf(ctx), r.Kind, o))
	}
}

// brittle is a game whose moves panic while it is broken, after they have changed the deal.
type brittle struct {
	engine.Rules
	broken *bool
}

func (b brittle) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	state, err := b.Rules.Deal(setup, shuffler)
	return brittleState{state, b.broken}, err
}

type brittleState struct {
	engine.State
	broken *bool
}

func (b brittleState) Apply(step engine.Step) (engine.Outcome, error) {
	out, err := b.State.Apply(step)
	if *b.broken {
		panic("a bug in the game")
	}
	return out, err
}

// observed is a chat with a bot that is watched, and whether its game is broken.
func observed(t *testing.T) (*conversation, *watching, *bool) {
	c, w, broken := newChat(t), &watching{Observer: chat.Observe(nil)}, new(bool)
	var err error
	c.Bot, err = bot.New(t.Context(), bot.Options{
		Store: c.Store, Games: []engine.Rules{brittle{zevaka.Rules{}, broken}}, Observer: w,
		Running: c.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, w, broken
}

// TestPanicInAGame: a press on which the game panics is answered in words, the table stays as it was, for everybody and
// also after the next start, and the game goes on.
func TestPanicInAGame(t *testing.T) {
	c, w, broken := observed(t)
	for _, line := range []string{"Ann: /zevaka limit=none", "Bob: [Join]", "Ann: [Deal]"} {
		c.do(line)
	}
	cutter := "Ann"
	if strings.Contains(c.seen.String(), "Bob, cut the pack") {
		cutter = "Bob"
	}
	c.do(cutter + ": /cut 7")
	board := func() string {
		c.do("Ann: /table")
		return words.Flat(c.Board().Text)
	}
	before := board()
	mover := "Ann"
	if strings.Contains(before, "▶ Bob") {
		mover = "Bob"
	}
	for range 2 {
		*broken = true
		c.seen.Reset()
		c.do(mover + ": [Flip]")
		if want := "  " + mover + " only: !Something broke. Your cards are safe; please try again.\n"; c.seen.String() != want {
			t.Errorf("everybody sees:\n%s", c.seen.String())
		}
		if last := w.seen[len(w.seen)-1]; !strings.HasSuffix(last, fmt.Sprint(chat.Press, " ", chat.Panicked)) {
			t.Errorf("it was noted as %s", last)
		}
		*broken = false
		if after := board(); after != before {
			t.Errorf("the table changed:\n%s\n%s", before, after)
		}
	}
	c.Stage.Begin()
	if after := board(); after != before {
		t.Errorf("the table changed after a start:\n%s\n%s", before, after)
	}
	c.seen.Reset()
	c.do(mover + ": [Flip]")
	if !strings.Contains(c.seen.String(), mover+" flips ") {
		t.Errorf("the game doesn't go on:\n%s", c.seen.String())
	}
}

// TestPanicWhileShown: what breaks while it is shown that the clock has done ends neither the process nor the game.
func TestPanicWhileShown(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka limit=30s")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.Cut(1)
	var shown atomic.Int64
	for range 6 {
		h.Running += time.Minute
		h.Bot.Ring(t.Context(), func(context.Context, chat.Response) {
			shown.Add(1)
			panic("oh")
		})
	}
	if shown.Load() < 2 {
		t.Errorf("the clock went on %d times", shown.Load())
	}
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!show"}.String())
}

// TestOutcomes: the observer is told once of each request, by its ID, with what came of it; the posts bear the ID.
func TestOutcomes(t *testing.T) {
	c, w, _ := observed(t)
	for _, test := range []struct {
		do   string
		kind chat.Kind
		want chat.Outcome
	}{
		{"Ann: /zevaka", chat.Command, chat.Done},
		{"Ann: /whist", chat.Command, chat.Refused},
		{"Bob: [Join]", chat.Press, chat.Done},
		{"Stranger: [Deal]", chat.Press, chat.Refused},
		{`Bob: "1w1.nowhere.0.flip"`, chat.Press, chat.Refused},
	} {
		w.seen = nil
		r := c.request(c.Act(test.do))
		response := c.Handle(t.Context(), r)
		want := fmt.Sprintf("%s %d %d", r.ID, test.kind, test.want)
		if !slices.Equal(w.seen, []string{want}) {
			t.Errorf("%s: noted as %q, want %q", test.do, w.seen, want)
		}
		for _, p := range response.Posts {
			if p.Request != r.ID {
				t.Errorf("%s: a post bears the ID %q", test.do, p.Request)
			}
		}
		c.show(r.Who, response)
	}
	w.seen = nil
	c.Bot.Handle(t.Context(), chat.Request{ID: "x", Who: chat.User{ID: 1}, In: place})
	if want := fmt.Sprint("x 0 ", chat.Broken); !slices.Equal(w.seen, []string{want}) {
		t.Errorf("what makes no sense is noted as %q, want %q", w.seen, want)
	}
}
