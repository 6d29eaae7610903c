package discord

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/storage/mem"
)

func TestOneCallPerPress(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"set": "21b", "limit": "none"})
	h.server.Until("the deal is noted", func() bool { return h.server.Record().Calls["post"] == 1 })
	h.server.Forget()
	for range 10 {
		for _, u := range []discordtest.User{ann, bob, vika} {
			for _, b := range h.board(discordtest.Channel).Buttons() {
				i := h.press(u, b.Label)
				if i.Calls() != 1 {
					t.Errorf("%d calls for %q by %s", i.Calls(), b.Label, u.Name)
				}
			}
		}
	}
	r := h.quietly()
	if r.Calls["callback"] != r.Interactions || len(r.Calls) != 1 {
		t.Errorf("%d presses took %v", r.Interactions, r.Calls)
	}
	if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "▶") {
		t.Errorf("the board: %s", m.Content)
	}
}

func TestStrangersAndForgers(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"limit": "none"})
	m := h.board(discordtest.Channel)
	flip, _ := m.Button("Вскрыть")
	for _, id := range []string{flip.CustomID, "x", "1.d1.x.0.flip", strings.Repeat("я", 100), "?", "??", "!", "1.w1.x.2.flip"} {
		i := h.server.Press(vika, m.ID, id)
		i.Answer()
		said, ok := i.Message()
		if !ok || said.Private != vika.ID || said.Content == "" {
			t.Errorf("%q is answered with %+v", id, said)
		}
	}
	if now := h.board(discordtest.Channel); now.Content != m.Content {
		t.Errorf("a stranger moved: %s", now.Content)
	}
	robot := discordtest.User{ID: ann.ID, Name: "ann", Bot: true}
	before := len(h.dealer.of(bot.Press))
	h.server.Press(robot, m.ID, flip.CustomID)
	for _, event := range []string{
		`{}`, `{"id":"1","type":3,"token":"t","channel_id":"700000000000000001","data":{"custom_id":"x","component_type":99}}`,
		`{"id":"2","type":3,"token":"t","member":null,"data":{}}`, `{"id":"3","type":77,"token":"t","data":5}`, `"nonsense"`,
		`{"id":"4","type":3,"token":"t","channel_id":"700000000000000001","member":{"user":{"id":"101"}},"message":{"id":"5",` +
			`"components":[{"type":99}]},"data":{"custom_id":"x","component_type":2}}`,
	} {
		h.server.Emit("INTERACTION_CREATE", event)
	}
	h.server.Emit("SOMETHING_NEW", `{"id":5}`)
	h.press(vika, "Вскрыть") // Events come in order: when this is answered, the others were read.
	if n := len(h.dealer.of(bot.Press)) - before; n != 1 {
		t.Errorf("%d presses came through", n)
	}
	h.quietly()
}

// TestNameless has somebody sit down of whom Discord says no name.
func TestNameless(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
	h.press(discordtest.User{ID: "105"}, "Сесть")
	name := h.words.Lang("ru").Say("nameless")
	if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "2\\. "+name) {
		t.Errorf("without a name one is called %s", m.Content)
	}
	h.quietly()
}

func TestStalePress(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"set": "21b", "limit": "none"})
	old := h.board(discordtest.Channel)
	for old.Buttons()[0].CustomID == h.board(discordtest.Channel).Buttons()[0].CustomID {
		for _, u := range []discordtest.User{ann, bob} {
			for _, b := range h.board(discordtest.Channel).Buttons() {
				h.server.Press(u, old.ID, b.CustomID).Answer()
			}
		}
	}
	h.server.Until("the deal is noted", func() bool { return h.server.Record().Calls["post"] == 1 })
	h.server.Forget()
	i := h.server.Press(ann, old.ID, old.Buttons()[0].CustomID)
	i.Answer()
	if said, _ := i.Message(); said.Private != ann.ID || i.Calls() != 1 {
		t.Errorf("a stale press is answered with %+v in %d calls", said, i.Calls())
	}
	if calls := h.quietly().Calls; len(calls) != 1 {
		t.Errorf("a stale press took %v", calls)
	}
}

func TestModal(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
	h.press(bob, "Сесть")
	h.press(ann, "Сдавать")
	for _, u := range []discordtest.User{ann, bob} {
		if strings.Contains(h.board(discordtest.Channel).Content, "▶") {
			break
		}
		asked := h.press(u, "✎ Своё")
		if asked.Answer() != 9 || !strings.Contains(string(asked.Modal()), "Число от 1 до 999") {
			t.Fatalf("the question: %d %s", asked.Answer(), asked.Modal())
		}
		h.server.Submit(asked, "семь `раз` отмерь").Answer()
	}
	h.server.Until("the deal is noted", func() bool { return h.server.Record().Calls["post"] == 1 })
	found := false
	for _, m := range h.server.Messages(discordtest.Channel, "") {
		found = found || strings.Contains(m.Content, "семь") && strings.Contains(m.Content, "отмерь")
	}
	if !found || !strings.Contains(h.board(discordtest.Channel).Content, "▶") {
		t.Errorf("the cut: %+v", h.server.Messages(discordtest.Channel, ""))
	}
	h.quietly()
}

func TestSlowStore(t *testing.T) {
	t.Parallel()
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	h.set = func(a *Adapter) { a.pace.deferral = 50 * time.Millisecond }
	h.start()
	h.table(map[string]any{"set": "21b", "limit": "none"})
	h.dealer.slow.Store(int64(300 * time.Millisecond))
	m := h.board(discordtest.Channel)
	for _, i := range []*discordtest.Interaction{h.press(ann, "Вскрыть"), h.press(bob, "Вскрыть"), h.press(vika, "Вскрыть")} {
		if i.Answer() != 6 {
			t.Errorf("a slow press is answered with %d", i.Answer())
		}
	}
	h.server.Until("the board and the refusal follow", func() bool {
		now, _ := h.server.Message(m.ID)
		return now.Content != m.Content && len(h.server.Messages(discordtest.Channel, vika.ID)) == 3
	})
	help := h.server.Command(ann, discordtest.Channel, "help", nil)
	table := h.server.Command(bob, discordtest.Channel, "zevaka", nil)
	if help.Answer() != 5 || table.Answer() != 5 {
		t.Errorf("slow commands are answered with %d and %d", help.Answer(), table.Answer())
	}
	h.server.Until("the help and the table follow", func() bool {
		said, ok := help.Message()
		return ok && said.Private == ann.ID && strings.Contains(said.Content, "/zevaka") &&
			len(h.server.Messages(discordtest.Channel, "")) == 3
	})
	h.quietly()
}

// TestLostAnswers loses half of what Discord says to answers: nothing is said twice, and nothing goes another way.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"limit": "none"})
	h.server.Until("the deal is noted", func() bool { return h.server.Record().Calls["post"] == 1 })
	h.server.Forget()
	h.server.SetFaults(discordtest.Faults{Only: "callback", Swallow: 0.5, Seed: 2})
	for _, u := range []discordtest.User{vika, ann, bob, vika, ann, bob, vika, vika} {
		h.press(u, "Вскрыть")
	}
	h.end()
	said := 0
	for _, m := range h.server.Messages(discordtest.Channel, vika.ID) {
		if m.Private == vika.ID {
			said++
		}
	}
	if r := h.quietly(); said != 4 || len(r.Calls) != 1 || r.Calls["callback"] < 10 {
		t.Errorf("a stranger is told %d times, calls: %v", said, r.Calls)
	}
}

// TestPanic has the bot break at one press: the others go on.
func TestPanic(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"limit": "none"})
	h.dealer.broken.Store(true)
	m := h.board(discordtest.Channel)
	b, _ := m.Button("Вскрыть")
	i := h.server.Press(vika, m.ID, b.CustomID)
	h.server.Until("it broke", func() bool { return !h.dealer.broken.Load() })
	if h.press(vika, "Вскрыть").Answer() != 4 || i.Answer() != 6 {
		t.Errorf("what broke is answered with %d", i.Answer())
	}
	h.quietly()
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"limit": "none"})
	i := h.press(ann, "Вскрыть")
	before := len(h.dealer.of(bot.Press))
	h.server.Again(i)
	h.press(vika, "Вскрыть")
	if n := len(h.dealer.of(bot.Press)) - before; n != 1 {
		t.Errorf("%d presses came through", n)
	}
	h.quietly()
}
