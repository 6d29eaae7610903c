package discord

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/zevaka"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// storms are what goes wrong while games are played.
func storms(seed uint64) discordtest.Faults {
	return discordtest.Faults{
		Route: 0.02, Global: 0.01, HTML: 0.01, Broken: 0.02, Reset: 0.02, Swallow: 0.02, Slow: 0.05, Duplicate: 0.05,
		Delay: 5 * time.Millisecond, Retry: 5 * time.Millisecond, Seed: seed,
	}
}

// TestWholeGames plays every set to its end with all faults on, in some of them with the bot killed, or the gateway
// lost, in the middle; and one without faults, in which a press is one call. The same presses in a room must end in the
// same picture, and leave the same record.
func TestWholeGames(t *testing.T) {
	for n, game := range []struct {
		set, trouble string
		disk, calm   bool
	}{
		{set: "21a", trouble: "kill", disk: true},
		{set: "21b"},
		{set: "21b", calm: true},
		{set: "21c", trouble: "op 7"},
		{set: "21b strict", trouble: "op 9"},
		{set: "21a penalty", trouble: "cut"},
	} {
		t.Run(fmt.Sprintf("%s calm=%v", game.set, game.calm), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var store storage.Store = mem.New()
				if game.disk {
					store = disk(t)
				}
				h := enter(t, store, discordtest.Options{})
				h.table(map[string]any{"set": game.set, "limit": "none", "fast": "on"})
				g := &match{house: h, rand: rand.New(rand.NewPCG(uint64(n), 7)), people: []discordtest.User{ann, bob}}
				h.server.Forget()
				if !game.calm {
					h.server.SetFaults(storms(uint64(n)))
				}
				for range 60 {
					g.turn()
				}
				g.trouble(game.trouble)
				for presses := 0; g.turn(); presses++ {
					if presses > 3000 {
						t.Fatalf("no end: %s", g.look().Content)
					}
				}
				h.server.SetFaults(discordtest.Faults{})
				r := h.quietly()
				delete(r.Calls, "original") // Refusals that were read are taken away.
				if game.calm && (r.Calls["callback"] != r.Interactions || len(r.Calls) != 1) {
					t.Errorf("a whole game of %d presses took %v", r.Interactions, r.Calls)
				}
				if len(r.Notified) > 0 {
					t.Errorf("notified are %v", r.Notified)
				}
				last := g.look()
				if !strings.Contains(last.Content, "🏆") {
					t.Errorf("the end: %s", last.Content)
				}
				text, want := replay(t, h.dealer.asked.All())
				if !strings.Contains(unmarked(last.Content), unmarked(text)) {
					t.Errorf("in the room the game ended so:\n%s\nand here so:\n%s", text, last.Content)
				}
				h.server.Until("the bot knows that the end is seen", func() bool { return h.open() == 0 })
				if got := recordOf(t, store); got != want {
					t.Errorf("the room's record is\n%s\nand here it is\n%s", want, got)
				}
			})
		})
	}
}

// match is a game in progress, played by what its message shows.
type match struct {
	*house
	rand   *rand.Rand
	people []discordtest.User
}

// look is the message that shows the table.
func (g *match) look() discordtest.Message { return g.board(discordtest.Channel) }

// turn has whoever is to move press what fits, and now and then somebody press anything at the same moment. It reports
// whether the game goes on.
func (g *match) turn() bool {
	m := g.look()
	if _, over := m.Button("Ещё раз"); over {
		return false
	}
	var crowd sync.WaitGroup
	if g.rand.IntN(6) == 0 {
		who := append(g.people, vika)[g.rand.IntN(3)]
		buttons := m.Buttons()
		b := buttons[g.rand.IntN(len(buttons))]
		crowd.Go(func() { g.server.Press(who, m.ID, b.CustomID).Answer() })
	}
	defer crowd.Wait()
	who := g.mover(m)
	for _, verb := range []string{"take", "centre", "put", "flip", "keep"} {
		for _, b := range m.Buttons() {
			if parts := strings.SplitN(b.CustomID, ".", 5); len(parts) != 5 || !strings.HasPrefix(parts[4], verb) {
				continue
			}
			if i := g.server.Press(who, m.ID, b.CustomID); i.Answer() == answerUpdate || g.look().Content != m.Content {
				return true
			}
		}
	}
	return true
}

// answerUpdate is the first answer that is a new board.
const answerUpdate = 7

// mover is whose line has the mark, or who is called in the first one.
func (g *match) mover(m discordtest.Message) discordtest.User {
	_, line, ok := strings.Cut(m.Content, "▶ ")
	if !ok { // The mark is on the picture.
		_, line, _ = strings.Cut(m.Content, "👉 ")
	}
	line, _, _ = strings.Cut(line, "\n")
	for _, u := range g.people {
		for _, name := range []string{u.Nick, u.Global} {
			if name != "" && strings.Contains(line, name) {
				return u
			}
		}
	}
	return g.people[0]
}

// trouble does something to the bot, and waits until it is there again.
func (g *match) trouble(what string) {
	before, _ := g.server.Identifies()
	resumes := g.server.Record().Calls["resume"]
	switch what {
	case "kill":
		g.kill()
		g.start()
	case "op 7":
		g.server.Reconnect()
	case "op 9":
		g.server.Invalidate()
	case "cut":
		g.server.Cut()
	default:
		return
	}
	g.server.Until("the bot is back after "+what, func() bool {
		now, _ := g.server.Identifies()
		return (now > before || g.server.Record().Calls["resume"] > resumes) && g.server.Connected() > 0
	})
}

// recordOf is the one record that a store holds, as a line. It has been played to its end, by the rules.
func recordOf(t *testing.T, store storage.Store) string {
	t.Helper()
	var lines []string
	err := upkeep.NewArchive(store, games.All()).Export(t.Context(), func(r engine.Record) error {
		rules := zevaka.Rules{}
		line, err := r.Marshal(rules.Info())
		if err == nil {
			err = engine.Replay(rules, r, nil)
		}
		if r.Outcome == nil || len(r.Moves) < 50 {
			t.Errorf("no game played to its end: %s", line)
		}
		lines = append(lines, string(line))
		return err
	})
	if err != nil || len(lines) != 1 {
		t.Fatalf("%d records: %v", len(lines), err)
	}
	return lines[0]
}

// replay has the presses that came in made in a room, and returns the last picture's text and the record.
func replay(t *testing.T, asked []chat.Request) (text, record string) {
	t.Helper()
	lone := build(t, mem.New(), nil)
	b := lone.lone()
	place := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1, Lang: "ru"}
	head := ""
	for n, r := range asked {
		if r.Kind != chat.Press && r.Kind != chat.Command {
			continue
		}
		r.In, r.ID = place, fmt.Sprint("replay ", n)
		lone.dealer.running.Add(int64(time.Second))
		if parts := strings.SplitN(r.Data, ".", 5); r.Kind == chat.Press && len(parts) == 5 {
			r.Data = head + strings.Join(parts[3:], ".")
		}
		resp := b.Handle(context.Background(), r)
		for _, p := range chattest.Drawn(resp).Posts {
			if p.Table == "" {
				continue
			}
			text = words.Flat(p.Text)
			if head == "" {
				parts := strings.SplitN(p.Buttons[0][0].Token, ".", 5)
				head = strings.Join(parts[:3], ".") + "."
			}
			if p.Edit == "" {
				b.Handle(context.Background(), chat.Request{ID: fmt.Sprint("shown ", n), In: place, Kind: chat.Shown, Data: p.Receipt, On: "1/1"})
			}
		}
	}
	return text, recordOf(t, lone.store)
}

// unmarked is a text without the signs of Discord's.
func unmarked(text string) string {
	text = strings.NewReplacer("\\", "", "*", "", "`", "", "-# ", "").Replace(text)
	text = regexp.MustCompile(`</([a-z]+):\d+>`).ReplaceAllString(text, "/$1")
	return regexp.MustCompile(`\(<@(\d+)>\)`).ReplaceAllString(text, "($1)")
}
