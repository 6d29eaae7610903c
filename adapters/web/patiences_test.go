package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// laid is a patience in the room that the computer player plays by Ann's hand, over the wire alone.
type laid struct {
	*tab
	room  *Room
	game  enginetest.Variant
	state engine.State
	// made are the moves made so far, without giving up.
	made int
}

// layOut opens a numbered deal in a room of its own.
func layOut(t *testing.T, game enginetest.Variant, number int64) *laid {
	t.Helper()
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: allGames(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	r, srv := serve(t, b)
	p := &laid{tab: sit(t, srv, "Аня"), room: r, game: game, state: game.Deal(t, number)}
	p.lang = "en"
	p.say(fmt.Sprint("/patience ", game, " number=", number))
	return p
}

// playOut lets the computer player play to the end, at first on the picture and by buttons, then by typing a line of
// moves at a time. It gives up when nothing can be moved any more.
func (p *laid) playOut(skill float64) {
	p.t.Helper()
	const pressed, atOnce = 12, 25
	chance := rand.New(rand.NewPCG(1, 1))
	var line []string
	for {
		_, over := p.state.Result()
		if over || len(line) == atOnce {
			if len(line) > 0 {
				p.say("/m " + strings.Join(line, ", "))
			}
			line = nil
		}
		if over {
			break
		}
		move := p.state.Auto(0, skill, chance)
		text := p.game.Rules.Text(move)
		if text == "quit" {
			if len(line) > 0 {
				p.say("/m " + strings.Join(line, ", "))
			}
			break
		}
		if p.made < pressed {
			p.wish(text)
		} else {
			line = append(line, text)
		}
		if _, err := p.state.Apply(engine.Step{Move: move}); err != nil {
			p.t.Fatalf("%s: %v", text, err)
		}
		p.made++
	}
	if m, _ := pictured(p.room); !m.final {
		p.giveUp()
	}
}

// giveUp gives the game up, and says so again if the player is asked: the question then says what became of it.
func (p *laid) giveUp() {
	p.t.Helper()
	p.wish("!giveup")
	m, answer := question(p.room)
	if m == nil {
		return
	}
	if a := p.press(answer, m.ref); a.Alert {
		p.t.Fatal(a.Toast)
	}
	if now, _ := question(p.room); now != nil {
		p.t.Errorf("the question still stands: %v", now.body.text)
	}
}

// question is a question in the room that waits for an answer, and its first answer; nil if there is none.
func question(r *Room) (*message, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		for _, b := range slices.Concat(m.body.buttons...) {
			if m.to != 0 && strings.Contains(b.Token, ".!answer ") {
				return m, b.Token
			}
		}
	}
	return nil, ""
}

// wish makes a move as the picture offers it, or presses a button that does something, or one as if it did.
func (p *laid) wish(do string) {
	p.t.Helper()
	m, view := pictured(p.room)
	token := ""
	for _, move := range view.Moves {
		if does(move.Token) == do {
			token = move.Token
		}
	}
	for _, b := range slices.Concat(m.body.buttons...) {
		if does(b.Token) == do {
			token = b.Token
		}
	}
	if token == "" {
		p.t.Fatalf("%s can't be made", do)
	}
	if a := p.press(token, m.ref); a.Alert {
		p.t.Fatalf("%s: %s", do, a.Toast)
	}
}

// TestPatiences plays every form of every patience in the room from the deal to the end, by a computer player who
// thinks little.
func TestPatiences(t *testing.T) {
	for _, game := range enginetest.Variants(patience.All()) {
		t.Run(game.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := layOut(t, game, 1)
				p.playOut(0.1)
				if m, view := p.hangs(); !m.Final || len(view.Moves) > 0 || !strings.Contains(m.read(), fmt.Sprintf("\n%d move", p.made)) {
					t.Errorf("after %d moves stands %q with %d moves", p.made, m.read(), len(view.Moves))
				}
			})
		})
	}
}

// TestSolved plays a patience that comes out: the last picture shows all the kings, and the words say so.
func TestSolved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		frog := enginetest.Variant{Rules: patience.Zaba}
		p := layOut(t, frog, frog.Easy(t))
		p.playOut(0)
		if m, view := p.hangs(); !m.Final || !strings.Contains(m.read(), "it has come out!") || !strings.Contains(view.Alt, "f8 K") {
			t.Errorf("at the end stands %q, %q", m.read(), view.Alt)
		}
	})
}
