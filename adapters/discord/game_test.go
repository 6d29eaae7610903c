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

// TestWholeGames plays games for two to their ends. Without faults each press is one call. With all faults on, the bot killed, and the
// gateway lost in the middle, the same presses in a room must end in the same picture, and leave the same record. Where nothing was
// chosen the message becomes a picture with the last press, where pictures were chosen it is one from the deal on, and where no files
// may be attached the words of the end are all there is.
func TestWholeGames(t *testing.T) {
	troubles := []string{"cut", "op 7", "op 9", "kill"}
	for _, game := range []wholeGame{
		{name: "calm", set: "21b strict penalty", ends: true, calm: true},
		{name: "text", set: "21a", chosen: "text", troubles: troubles},
		{name: "pictures", set: "21b", chosen: "pictures", begins: true, ends: true, troubles: troubles},
		{name: "barred", set: "21c", barred: true},
	} {
		for seed := range uint64(*rounds) {
			t.Run(fmt.Sprint(game.name, " ", seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { game.play(t, seed) })
			})
		}
	}
}

// wholeGame is how a game is played.
type wholeGame struct {
	name, set string
	// langOf is what was chosen to show games as, begins whether a picture shows it from the deal on, and ends whether one shows the end.
	chosen       string
	begins, ends bool
	// barred says that the bot may attach no files, calm that nothing goes wrong, and troubles are what happens to the bot meanwhile.
	barred, calm bool
	troubles     []string
}

func (w wholeGame) play(t *testing.T, seed uint64) {
	h := build(t, disk(t), fake(t, discordtest.Options{}))
	h.pictures = true
	h.start()
	if w.chosen != "" {
		boss := ann
		boss.Rights = 1 << 3
		h.choose(boss, "pictures "+w.chosen)
	}
	if w.barred {
		h.server.Allow(discordtest.Channel, discordtest.AllRights&^(1<<15))
	}
	h.table(map[string]any{"set": w.set, "limit": "none", "fast": "on"})
	g := &match{house: h, rand: rand.New(rand.NewPCG(seed, 7)), people: []discordtest.User{ann, bob}}
	h.server.Forget()
	dealt := g.look()
	if !w.calm {
		h.server.SetFaults(storms(seed))
	}
	for n := 0; g.turn(); n++ {
		if m := g.look(); n < 20 && (m.Picture != nil) != w.begins {
			t.Fatalf("a picture is %v: %s", m.Picture != nil, m.Content)
		}
		if n > 3000 {
			t.Fatalf("no end: %s", g.look().Content)
		}
		if n%30 == 20 && n/30 < len(w.troubles) {
			g.trouble(w.troubles[n/30])
		}
	}
	h.server.SetFaults(discordtest.Faults{})
	last := g.look()
	if w.calm && last.ID != dealt.ID || (last.Picture != nil) != w.ends {
		t.Errorf("message %s ends as %s, and a picture is %v", dealt.ID, last.ID, last.Picture != nil)
	}
	w.check(g, last)
}

// check compares what a game has come to with the same presses in a room.
func (w wholeGame) check(g *match, last discordtest.Message) {
	t := g.t
	r := g.quietly()
	delete(r.Calls, "original") // Refusals that were read are taken away.
	if w.calm && (r.Calls["callback"] != r.Interactions || len(r.Calls) != 1) {
		t.Errorf("a whole game of %d presses took %v", r.Interactions, r.Calls)
	}
	if len(r.Notified) > 0 {
		t.Errorf("notified are %v", r.Notified)
	}
	if first, _, _ := strings.Cut(last.Content, "\n"); !strings.Contains(first, "Зевака") || !strings.Contains(last.Content, "🏆") {
		t.Errorf("the end: %s", last.Content)
	}
	for _, m := range g.server.Messages(discordtest.Channel, ann.ID) {
		if strings.Contains(m.Content, "Прикреплять файлы") {
			t.Errorf("somebody is told why there is no picture: %s", m.Content)
		}
	}
	text, want := replay(t, g.dealer.asked.All())
	if !w.barred && !strings.Contains(unmarked(last.Content), unmarked(text)) {
		t.Errorf("in the room the game ended so:\n%s\nand here so:\n%s", text, last.Content)
	}
	g.server.Until("the bot knows that the end is seen", func() bool { return g.open() == 0 })
	if got := recordOf(t, g.store); got != want {
		t.Errorf("the room's record is\n%s\nand here it is\n%s", want, got)
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
func recordOf(t testing.TB, store storage.Store) string {
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
func replay(t testing.TB, asked []chat.Request) (text, record string) {
	t.Helper()
	lone := build(t, mem.New(), nil)
	lone.pictures = true
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
	text = strings.NewReplacer("\\", "", "*", "", "`", "", "-# ", "", "\ufe0e", "").Replace(text)
	text = regexp.MustCompile(`</([a-z]+):\d+>`).ReplaceAllString(text, "/$1")
	return regexp.MustCompile(`\(<@(\d+)>\)`).ReplaceAllString(text, "($1)")
}
