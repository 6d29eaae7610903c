package discord

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
)

// TestFiles: what is kept about somebody comes as a file that only they see, beside the words; where the bot may attach no
// files that is said.
func TestFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, disk(t), discordtest.Options{})
		h.server.Command(ann, discordtest.Channel, "daily", nil)
		h.quietly()
		h.server.Command(ann, discordtest.Channel, "mydata", nil)
		own := func(fits func(discordtest.Message) bool) (m discordtest.Message, n int) {
			for _, one := range h.server.Messages(discordtest.Channel, ann.ID) {
				if fits(one) {
					m = one
					n++
				}
			}
			return m, n
		}
		button := ""
		h.server.Until("the words are there", func() bool {
			m, _ := own(func(m discordtest.Message) bool { return strings.Contains(m.Content, "Кошелёк") })
			for _, row := range m.Rows {
				for _, b := range row {
					if strings.HasSuffix(b.CustomID, "!file") {
						button = b.CustomID
					}
				}
			}
			return button != ""
		})
		words, _ := own(func(m discordtest.Message) bool { return strings.Contains(m.Content, "Кошелёк") })
		h.server.Press(ann, words.ID, button)
		withFile := func(m discordtest.Message) bool { return m.Picture != nil }
		h.server.Until("the file is there", func() bool { _, n := own(withFile); return n == 1 })
		m, _ := own(withFile)
		var f struct{ Format, Person string }
		if err := json.Unmarshal(m.Picture, &f); err != nil || f.Person != ann.ID || !strings.HasPrefix(f.Format, "zevaka-mydata/") || m.Private != ann.ID {
			t.Errorf("%v, %+v in %+v", err, f, m)
		}
		if still, ok := h.server.Message(words.ID); !ok || still.Content != words.Content {
			t.Errorf("the words have become %+v", still)
		}
		for _, m := range h.server.Messages(discordtest.Channel, bob.ID) {
			if m.Picture != nil {
				t.Errorf("Bob sees %+v", m)
			}
		}
		h.server.Allow(discordtest.Channel, discordtest.AllRights&^(1<<15))
		h.server.Press(ann, words.ID, button)
		h.server.Until("it is said why there is no file", func() bool {
			_, n := own(func(m discordtest.Message) bool { return strings.Contains(m.Content, "в другом канале") })
			return n == 1
		})
		h.quietly()
	})
}

// TestFilmAndRecord: whoever watches a game again can have its animated picture and its record, and only they see them.
func TestFilmAndRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := build(t, disk(t), fake(t, discordtest.Options{}))
		h.pictures = true
		h.start()
		label := func(sign string) (m discordtest.Message, button string) {
			for _, one := range h.server.Messages(discordtest.Channel, ann.ID) {
				for _, b := range one.Buttons() {
					if strings.HasPrefix(b.Label, sign) {
						m, button = one, b.CustomID
					}
				}
			}
			return m, button
		}
		press := func(sign string) {
			t.Helper()
			h.server.Until(sign+" can be pressed", func() bool { _, button := label(sign); return button != "" })
			m, button := label(sign)
			h.server.Press(ann, m.ID, button).Answer()
		}
		h.server.Command(ann, discordtest.Channel, "patience", map[string]any{"what": "tecza", "number": 7}).Answer()
		h.server.Command(ann, discordtest.Channel, "m", map[string]any{"what": "draw"}).Answer()
		h.server.Command(ann, discordtest.Channel, "giveup", nil).Answer()
		press("Сдаться")
		press("▶ Повтор")
		for _, one := range [][2]string{{"🎞", "GIF89a"}, {"⬇", `{"`}} {
			sign, begins := one[0], one[1]
			press(sign)
			mine := func(m discordtest.Message) bool {
				return m.Private == ann.ID && strings.HasPrefix(string(m.Picture), begins)
			}
			h.server.Until(sign+" has come", func() bool { return slices.ContainsFunc(h.server.Messages(discordtest.Channel, ann.ID), mine) })
			if slices.ContainsFunc(h.server.Messages(discordtest.Channel, bob.ID), func(m discordtest.Message) bool { return strings.HasPrefix(string(m.Picture), begins) }) {
				t.Errorf("Bob sees what %s gives", sign)
			}
		}
		h.quietly()
	})
}

// TestNoFilesForOne: where the bot may attach no files, who asks for a picture or a file of their own is told in words what it shows, or why
// there is none, and nothing is refused however often they ask; where Discord doesn't say so with their press it is refused once.
func TestNoFilesForOne(t *testing.T) {
	for _, told := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			h := build(t, disk(t), fake(t, discordtest.Options{}))
			h.pictures = true
			h.start()
			ask := func(command string, options map[string]any) (m discordtest.Message) {
				i := h.server.Command(ann, discordtest.Channel, command, options)
				i.Answer()
				h.settle()
				m, _ = i.Message()
				return m
			}
			press := func(m discordtest.Message, sign string) discordtest.Message {
				for _, b := range m.Buttons() {
					if strings.HasPrefix(b.Label, sign) {
						i := h.server.Press(ann, m.ID, b.CustomID)
						i.Answer()
						h.settle()
						m, _ = i.Message()
						return m
					}
				}
				t.Fatalf("%s isn't among %+v", sign, m.Buttons())
				return m
			}
			ask("patience", map[string]any{"what": "tecza", "number": 7})
			ask("m", map[string]any{"what": "draw"})
			press(ask("giveup", nil), "Сдаться")
			if told {
				h.server.Allow(discordtest.Channel, discordtest.AllRights&^discordgo.PermissionAttachFiles)
			} else {
				h.server.SetFaults(discordtest.Faults{Only: "callback", Refused: 1, Status: http.StatusForbidden, Code: codeNoPermission, Most: 1})
			}
			card := ask("me", nil)
			h.server.SetFaults(discordtest.Faults{})
			watched := ask("replay", nil)
			for range 5 {
				if !strings.Contains(card.Content, "0 из 1") || card.Picture != nil {
					t.Fatalf("told %v, the card is %+v", told, card)
				}
				if m := press(watched, "⬇"); !strings.Contains(m.Content, "в другом канале") || m.Picture != nil {
					t.Fatalf("told %v, for the record there is %+v", told, m)
				}
				card = ask("me", nil)
			}
			if n := h.server.Record().Calls["forbidden"]; n > 0 {
				t.Errorf("told %v, %d calls are refused", told, n)
			}
		})
	}
}
