package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/zevaka"
)

// watching notes what came of each request.
type watching struct {
	bot.Observer
	seen []string
}

func (w *watching) Request(ctx context.Context, r bot.Request) (context.Context, func(bot.Outcome)) {
	return ctx, func(o bot.Outcome) {
		w.seen = append(w.seen, fmt.Sprintf("%s %d %d", bot.RequestOf(ctx), r.Kind, o))
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
func observed(t *testing.T) (*chat, *watching, *bool) {
	c, w, broken := newChat(t), &watching{Observer: bot.Observe(nil)}, new(bool)
	var err error
	c.bot, err = bot.New(t.Context(), bot.Options{
		Store: c.store, Games: []engine.Rules{brittle{zevaka.Rules{}, broken}}, Observer: w,
		Running: func() time.Duration { return c.running },
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
		pictures := c.messages[c.board()]
		return text(pictures[len(pictures)-1].Text)
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
		if last := w.seen[len(w.seen)-1]; !strings.HasSuffix(last, fmt.Sprint(bot.Press, " ", bot.Panicked)) {
			t.Errorf("it was noted as %s", last)
		}
		*broken = false
		if after := board(); after != before {
			t.Errorf("the table changed:\n%s\n%s", before, after)
		}
	}
	c.start()
	if after := board(); after != before {
		t.Errorf("the table changed after a start:\n%s\n%s", before, after)
	}
	c.seen.Reset()
	c.do(mover + ": [Flip]")
	if !strings.Contains(c.seen.String(), mover+" flips ") {
		t.Errorf("the game doesn't go on:\n%s", c.seen.String())
	}
}

// TestOutcomes: the observer is told once of each request, by its ID, with what came of it; the posts bear the ID.
func TestOutcomes(t *testing.T) {
	c, w, _ := observed(t)
	for _, test := range []struct {
		do   string
		kind bot.Kind
		want bot.Outcome
	}{
		{"Ann: /zevaka", bot.Command, bot.Done},
		{"Ann: /whist", bot.Command, bot.Refused},
		{"Bob: [Join]", bot.Press, bot.Done},
		{"Stranger: [Deal]", bot.Press, bot.Refused},
		{`Bob: "1w1.nowhere.0.flip"`, bot.Press, bot.Refused},
	} {
		w.seen = nil
		r := c.request(test.do)
		response := c.bot.Handle(t.Context(), r)
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
	c.bot.Handle(t.Context(), bot.Request{ID: "x", Who: bot.User{ID: 1}, In: place})
	if want := fmt.Sprint("x 0 ", bot.Broken); !slices.Equal(w.seen, []string{want}) {
		t.Errorf("what makes no sense is noted as %q, want %q", w.seen, want)
	}
}
