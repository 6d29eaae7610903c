package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
)

// TestFiles: what is kept about somebody comes as a file that only they see, beside the words; where the bot may attach no
// files that is said.
func TestFiles(t *testing.T) {
	h := enter(t, disk(t), discordtest.Options{})
	h.start()
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
}
