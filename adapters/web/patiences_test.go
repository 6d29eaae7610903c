package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// laid is a patience in the room that the computer player plays by Ann's hand, over the wire alone.
type laid struct {
	*tab
	room  *Room
	bot   *bot.Bot
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
	p := &laid{tab: sit(t, srv, "Аня"), room: r, bot: b, game: game, state: game.Deal(t, number)}
	p.lang = "en"
	p.say(fmt.Sprint("/patience ", game, " number=", number))
	return p
}

// playOut lets the computer player play to the end, at first by pressing, then by typing a line of
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
	if !p.board().final {
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

// board is the message in which the game stands.
func (p *laid) board() *message {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	for _, b := range p.room.boards {
		return p.room.messages[b.Ref]
	}
	return nil
}

// sees is what the page shows.
func (p *laid) sees() live.Scene {
	id, _ := table.ParseID(p.board().table)
	return glance(p.t, p.bot, chat.Request{Who: chat.User{ID: p.id(), Name: p.name, Lang: p.lang}, In: place(1)}, id)
}

// glance is a table as somebody sees it now.
func glance(t testing.TB, b *bot.Bot, r chat.Request, id table.ID) live.Scene {
	t.Helper()
	look, err := b.Live().Look(t.Context(), r, id, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	s, err := look.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ended is what the room says of the game, which is over.
func (p *laid) ended() string {
	p.t.Helper()
	if s := p.sees(); s.Phase != "ended" || !p.board().final || slices.ContainsFunc(s.Acts, func(a live.Act) bool { return a.Kind == "move" }) {
		p.t.Errorf("after %d moves the game is %s, and offers %v", p.made, s.Phase, s.Acts)
	}
	return words.Flat(p.board().body.text)
}

// wish presses what does something on what the page shows.
func (p *laid) wish(do string) {
	p.t.Helper()
	for _, act := range p.sees().Acts {
		if does(act.Token) != do {
			continue
		}
		if a := p.press(act.Token, p.board().ref); a.Alert {
			p.t.Fatalf("%s: %s", do, a.Toast)
		}
		return
	}
	p.t.Fatalf("%s can't be made", do)
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
				if text := p.ended(); !strings.Contains(text, fmt.Sprintf("\n%d move", p.made)) {
					t.Errorf("after %d moves stands %q", p.made, text)
				}
			})
		})
	}
}

// TestSolved plays a patience that comes out: the words say so.
func TestSolved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		frog := enginetest.Variant{Rules: patience.Zaba}
		p := layOut(t, frog, frog.Easy(t))
		p.playOut(0)
		if text := p.ended(); !strings.Contains(text, "it has come out!") {
			t.Errorf("at the end stands %q", text)
		}
	})
}
