package telegram

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// newest is the text of a chat's last message.
func newest(c *telegramtest.Chat) string {
	all := c.Messages()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Text
}

// TestPlainWords: in the private chat with the bot words are moves at the patience that is laid there, and what is no move
// is told why; where nothing is laid they get the short help. In a group they are nobody's business.
func TestPlainWords(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		ann.Start("")
		alone := ann.Private()
		says := func(line string) string {
			rest(10 * time.Second)
			alone.Say(ann, line)
			rest(10 * time.Second)
			return newest(alone)
		}
		if got := says("привет"); !strings.HasPrefix(got, "Здесь играют в одиночку") {
			t.Errorf("a greeting is answered with %q", got)
		}
		says("/polusharia deal=2")
		for _, step := range []struct{ line, want string }{
			{"hello", "Такого хода нет. Ходят так: 7п 8п"},
			{"дп t1", "Эту карту закрывают другие"},
		} {
			if got := says(step.line); !strings.Contains(got, step.want) {
				t.Errorf("%s is answered with %q", step.line, got)
			}
		}
		for _, step := range []struct{ line, want string }{{"тч 2ч", "Т♥ → столбец 2."}, {"открыть", "Открыта"}} {
			says(step.line)
			if board, _ := alone.Board(); !strings.Contains(board.Text, step.want) {
				t.Errorf("after %s the board says %q", step.line, board.Text)
			}
		}
		group := x.server.NewGroup("Cards")
		group.Say(ann, "/polusharia deal=2")
		rest(time.Minute)
		before, stands := c.everything(), len(group.Messages())
		for _, line := range []string{"тч 2ч", "привет", "открыть"} {
			group.Say(ann, line)
			rest(10 * time.Second)
		}
		if n := len(group.Messages()) - stands; n > 3 {
			t.Errorf("in the group it says %d lines more", n-3)
		}
		c.untouched("talk in a group", before)
	})
}

// TestNamesToTap: what Telegram shows names commands so that they can be tapped.
func TestNamesToTap(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, _ *casino) {
		for _, lang := range []string{"ru", "pl", "en"} {
			u := x.server.NewUser("U"+lang, lang)
			u.Start("")
			for _, line := range []string{"/patience", "/help", "/zevaka 99", "/remove", "/rules xyz", "/patience xyz", "/lang x", "/xyz"} {
				rest(10 * time.Second)
				u.Private().Say(u, line)
			}
			rest(10 * time.Second)
			for _, m := range u.Private().Messages() {
				if m.Text == "" || m.Text[0] == '/' && !strings.Contains(m.Text, "\n") {
					continue // It is what was typed.
				}
				for _, word := range strings.Fields(m.Text) {
					if rest, named := strings.CutPrefix(word, "/"); named && strings.ContainsFunc(strings.TrimRight(rest, ".,;:)?"), func(r rune) bool {
						return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
					}) {
						t.Errorf("%s: %s can't be tapped in %q", lang, word, m.Text)
					}
				}
			}
		}
	})
}
