package discord

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/pace"
	"zevaka/storage/mem"
)

// panels are the messages with switches of a lobby that somebody sees alone.
func (h *house) panels(channel string, u discordtest.User) []discordtest.Message {
	return slices.DeleteFunc(h.server.Messages(channel, u.ID), func(m discordtest.Message) bool {
		return m.Private != u.ID || len(m.Rows) == 0
	})
}

// choose has somebody choose something for the server's chat by a panel of its settings, as "pictures text".
func (h *house) choose(u discordtest.User, choice string) {
	h.t.Helper()
	h.server.Command(u, discordtest.Channel, "settings", nil).Answer()
	all := h.panels(discordtest.Channel, u)
	name, _, _ := strings.Cut(choice, " ")
	for _, row := range all[len(all)-1].Rows {
		for _, b := range row {
			if begin, _, ok := strings.Cut(b.CustomID, "!set "+name+" "); ok {
				h.server.Press(u, all[len(all)-1].ID, begin+"!set "+choice).Answer()
				return
			}
		}
	}
	h.t.Fatalf("there is no %s in %+v", choice, all)
}

// pressOn presses the button so labelled on a message, and waits for the answer.
func (h *house) pressOn(u discordtest.User, m discordtest.Message, label string) *discordtest.Interaction {
	h.t.Helper()
	b, ok := m.Button(label)
	if !ok {
		h.t.Fatalf("%+v has no button %s", m, label)
	}
	i := h.server.Press(u, m.ID, b.CustomID)
	i.Answer()
	return i
}

// TestPanel: the host alone sees the switches of a lobby, in one message that goes along with what they press; what they choose
// stands in the board at once. So it is in a server and in the chat with the bot.
func TestPanel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, channel := range []string{discordtest.Channel, "703"} {
			h := arrive(t)
			h.server.Place("703", "", 1)
			h.server.Command(ann, channel, "zevaka", nil).Answer()
			h.shown(1)
			lobby := h.board(channel)
			for _, offer := range h.panels(channel, ann) { // Alone with the bot the lesson is offered.
				h.pressOn(ann, offer, "Нет, спасибо")
			}
			one := func(what string, so func(m discordtest.Message) bool) (panel discordtest.Message) {
				h.t.Helper()
				h.server.Until(channel+": "+what, func() bool {
					all := h.panels(channel, ann)
					if len(all) == 1 {
						panel = all[0]
					}
					return len(all) == 1 && so(panel)
				})
				return panel
			}
			h.pressOn(ann, lobby, lobbyPanel)
			panel := one("the host has the switches", func(m discordtest.Message) bool { _, ok := m.Button("Со штрафом"); return ok })
			for _, step := range []struct{ press, panel, board string }{
				{"Со штрафом", "✓ Со штрафом", "Со штрафом"},
				{"⏱ 60 с", "⏱ 2 мин", "⏱ 2 мин"},
				{"Подробнее ▸", "Карт: 36", "Со штрафом"},
				{"Карт: 36", "Карт: 52", "52 карты"},
				{"◂ Готовые правила", "⏱ 2 мин", "52 карты"},
			} {
				h.pressOn(ann, panel, step.press)
				before := panel.ID
				panel = one("pressed "+step.press, func(m discordtest.Message) bool { _, ok := m.Button(step.panel); return ok })
				h.server.Until(channel+": the board says "+step.board, func() bool {
					return strings.Contains(h.board(channel).Content, step.board)
				})
				if now := h.board(channel); panel.ID != before || now.ID != lobby.ID || !slices.Equal(labelsOf(now), labelsOf(lobby)) {
					t.Errorf("%s: pressed %s, the panel is %+v, and the board %+v", channel, step.press, panel, now)
				}
			}
			h.pressOn(ann, panel, "Готово")
			h.server.Until("the panel is closed", func() bool {
				m, _ := h.server.Message(panel.ID)
				return len(m.Rows) == 0 && strings.Contains(m.Content, "закрыты")
			})
			h.quietly()
		}
	})
}

// TestPanelOfGuests: where the bot is a guest the switches stand in the board, since nothing else can change what the others see.
func TestPanelOfGuests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place("704", "", 2)
		h.server.Command(ann, "704", "zevaka", nil).Answer()
		h.shown(1)
		h.pressOn(ann, h.board("704"), lobbyPanel)
		h.server.Until("the board has the switches", func() bool { _, ok := h.board("704").Button("Со штрафом"); return ok })
		h.pressOn(ann, h.board("704"), "⏱ 60 с")
		h.server.Until("the board says so", func() bool { return strings.Contains(h.board("704").Content, "⏱ 2 мин") })
		if all := h.panels("704", ann); len(all) > 0 {
			t.Errorf("the host has switches of their own: %+v", all)
		}
		h.quietly()
	})
}

// TestPanelTooFast: whoever presses the switches too fast is told so beside them, once.
func TestPanelTooFast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.dealer.bot = h.lone()
		h.serve(pace.NewGate(h.dealer, pace.Rates{User: 1, Community: 60}, h.words, nil), h.dealer.bot.Commands)
		h.connected()
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		h.press(ann, lobbyPanel)
		h.server.Until("the host has the switches", func() bool { return len(h.panels(discordtest.Channel, ann)) == 1 })
		refusals := func() (n int) {
			for _, m := range h.server.Messages(discordtest.Channel, ann.ID) {
				if strings.Contains(m.Content, "Не так быстро") {
					n++
				}
			}
			return n
		}
		for n := 0; refusals() == 0; n++ {
			panels := h.panels(discordtest.Channel, ann)
			if n > 200 || len(panels) != 1 {
				t.Fatalf("after %d presses there are the panels %+v", n, panels)
			}
			h.server.Press(ann, panels[0].ID, panels[0].Buttons()[0].CustomID).Answer()
		}
		h.server.Until("it is told once", func() bool { return refusals() == 1 })
		if n := len(h.panels(discordtest.Channel, ann)); n != 1 {
			t.Errorf("then there are %d panels", n)
		}
		h.quietly()
	})
}

// lobbyPanel is the button that shows the switches.
const lobbyPanel = "⚙ Настройки"

// TestOnePanel: who asks for the switches again has them once; a refusal stands beside them.
func TestOnePanel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		for range 3 {
			h.press(ann, lobbyPanel)
			h.server.Until("there is one panel", func() bool { return len(h.panels(discordtest.Channel, ann)) == 1 })
		}
		h.press(ann, "Сдавать")
		h.server.Until("the host is refused to deal", func() bool {
			return slices.ContainsFunc(h.server.Messages(discordtest.Channel, ann.ID), func(m discordtest.Message) bool {
				return m.Private == ann.ID && len(m.Rows) == 0
			})
		})
		if n := len(h.panels(discordtest.Channel, ann)); n != 1 {
			t.Errorf("then there are %d panels", n)
		}
		h.quietly()
	})
}

// TestPanelOfAnother: who isn't the host is told who is, whatever they forge, as is an admin; nothing changes.
func TestPanelOfAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		h.press(bob, "Сесть")
		h.press(ann, lobbyPanel)
		var panel discordtest.Message
		h.server.Until("the host has the switches", func() bool {
			all := h.panels(discordtest.Channel, ann)
			if len(all) == 1 {
				panel = all[0]
			}
			return len(all) == 1
		})
		before := h.board(discordtest.Channel)
		boss := vika
		boss.Rights = 1 << 3
		for _, u := range []discordtest.User{bob, boss} {
			i := h.press(u, lobbyPanel)
			if said, _ := i.Message(); said.Private != u.ID || !strings.Contains(said.Content, "Аня") || len(said.Rows) > 0 {
				t.Errorf("%s is answered %+v", u.Name, said)
			}
			for _, b := range panel.Buttons() {
				for _, on := range []string{before.ID, panel.ID} {
					h.server.Press(u, on, b.CustomID).Answer()
				}
			}
		}
		if now := h.board(discordtest.Channel); now.Content != before.Content || now.Edits != before.Edits {
			t.Errorf("the board is %+v, and was %+v", now, before)
		}
		h.quietly()
	})
}

// TestComputersOfGuests: where the bot is a guest computer players sit down from the board, by name and with the temper that is chosen
// there, and play on; what they did is seen at the next press.
func TestComputersOfGuests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place("704", "", 2)
		h.server.Command(ann, "704", "zevaka", nil).Answer()
		h.shown(1)
		press := func(label, says string) string {
			t.Helper()
			h.pressOn(ann, h.board("704"), label)
			h.server.Until(label+": the board says "+says, func() bool { return strings.Contains(h.board("704").Content, says) })
			return h.board("704").Content
		}
		button := func(label string) {
			t.Helper()
			h.server.Until("there is "+label, func() bool { _, ok := h.board("704").Button(label); return ok })
		}
		names := map[string]bool{}
		sits := func(content string) {
			for _, line := range strings.Split(content, " · ") {
				if _, name, ok := strings.Cut(line, "🤖 "); ok {
					names[strings.Fields(name)[0]] = true
				}
			}
		}
		sits(press("+ 🤖", "2. 🤖"))
		button("− 🤖")
		h.pressOn(ann, h.board("704"), lobbyPanel)
		button("Компьютеры: вперемешку")
		h.pressOn(ann, h.board("704"), "Компьютеры: вперемешку")
		button("+ 🤖 🐇")
		sits(press("+ 🤖 🐇", "3. 🤖"))
		if content := h.board("704").Content; len(names) != 2 || !strings.Contains(content, "🐇") {
			t.Errorf("with %v the board is %s", names, content)
		}
		if all := h.panels("704", ann); len(all) > 0 {
			t.Errorf("the host has switches of their own: %+v", all)
		}
		press("Сдавать", "▶")
		h.quietly()
	})
}

// TestSettingsByButtons: every button of the settings, an admin's for the server and everybody's own, changes what it says, in the
// same message, until it has gone round; nothing else is sent.
func TestSettingsByButtons(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		admin := discordtest.User{ID: "109", Name: "adm", Rights: 8, Locale: "en-US"}
		for _, test := range []struct {
			who   discordtest.User
			line  map[string]any
			signs []string
		}{
			{admin, nil, []string{"🗣", "🖼", "⏱", "🔑", "🎁", "🪙", "👁", "📅", "♦", "▦"}},
			{vika, map[string]any{"what": "me"}, []string{"🗣", "🔊", "♦"}},
		} {
			h.server.Command(test.who, discordtest.Channel, "settings", test.line).Answer()
			all := h.panels(discordtest.Channel, test.who)
			panel := all[len(all)-1].ID
			label := func(sign string) (m discordtest.Message, found string) {
				m, _ = h.server.Message(panel)
				for _, row := range m.Rows {
					for _, b := range row {
						if strings.HasPrefix(b.Label, sign+" ") {
							found = b.Label
						}
					}
				}
				return m, found
			}
			for _, sign := range test.signs {
				m, first := label(sign)
				if first == "" {
					t.Fatalf("%s has no button %s: %+v", test.who.Name, sign, m.Rows)
				}
				seen := map[string]bool{first: true}
				for now := first; len(seen) < 30; {
					h.pressOn(test.who, m, now)
					before := now
					h.server.Until(before+" changes", func() bool { m, now = label(sign); return now != before })
					if seen[now] {
						break
					}
					seen[now] = true
				}
				if len(seen) < 2 || len(seen) > 12 {
					t.Errorf("%s: %s goes round in %v", test.who.Name, sign, seen)
				}
			}
		}
		h.quietly()
	})
}
