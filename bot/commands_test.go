package bot_test

import (
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestSettings types every setting that menus offer, in every language: the table that opens shows what was chosen.
func TestSettings(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All(), Running: func() time.Duration { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range words.Tags() {
		for _, command := range b.Commands(tag) {
			if command.Game == nil {
				continue
			}
			for _, setting := range command.Game.Settings {
				if setting.Label == "" || setting.Help == "" || len([]rune(setting.Help)) > 100 {
					t.Errorf("%s: %+v", tag, setting)
				}
				for _, value := range setting.Values {
					line := command.Line + " " + setting.Value + "=" + value.Value
					if setting.Value == "temper" {
						line += " computers=1"
					}
					if seen := opened(t, b, tag, line); !shows(seen, setting.Value, value) {
						t.Errorf("%s opens %s", line, seen)
					}
				}
			}
		}
	}
}

// TestArguments types every word that menus offer behind a command, in every language: none is refused, each is called
// something, and a command that needs a word is refused without one. Between the two stands a space of any kind.
func TestArguments(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All(), Running: func() time.Duration { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(tag, line string) chat.Response {
		return b.Handle(t.Context(), chat.Request{
			ID: tag + line, Kind: chat.Command, Data: line, Who: chat.User{ID: 1, Name: "Ann", Lang: tag, Admin: true},
			In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: int64(crc32.ChecksumIEEE([]byte(tag + line)))},
		})
	}
	offer, space := 0, map[string]string{"en": "  ", "pl": "\u00a0", "ru": "\u202f "}
	for _, tag := range words.Tags() {
		for _, command := range b.Commands(tag) {
			if r := answer(tag, command.Line); command.Needed && !r.Alert {
				t.Errorf("%s needs nothing: %+v", command.Line, r)
			}
			seen := map[string]bool{}
			for _, word := range command.Arguments {
				line := command.Line + space[tag] + word.Value
				if r := answer(tag, line); r.Alert || len(r.Posts) == 0 {
					t.Errorf("%s is answered %q", line, r.Toast)
				}
				if word.Label == "" || seen[word.Label] {
					t.Errorf("%s: %s is called %q", tag, line, word.Label)
				}
				seen[word.Label] = true
			}
			offer += min(1, len(seen))
		}
	}
	if want := 8 * len(words.Tags()); offer != want { // Eight commands do.
		t.Errorf("%d commands offer words, not %d", offer, want)
	}
}

// shows reports whether a lobby shows what a setting was set to.
func shows(seen, setting string, value bot.Choice) bool {
	switch setting {
	case "limit":
		return strings.Contains(seen, "⏱ "+value.Label+"\n")
	case "fast":
		return strings.Contains(seen, "⚡") == (value.Value == "on")
	case "computers":
		n, _ := strconv.Atoi(value.Value)
		return strings.Contains(seen, strconv.Itoa(n+1)+". 🤖 ") && !strings.Contains(seen, strconv.Itoa(n+2)+". 🤖 ")
	case "practice":
		return strings.Contains(seen, "🎓 ") == (value.Value == "on") && strings.Contains(seen, "3. 🤖 ") == (value.Value == "on")
	case "temper":
		sign := table.Temper(value.Value).Sign()
		return strings.Contains(seen, "2. 🤖 ") && strings.Contains(seen, sign) && (sign != "" || value.Value == table.MixWord)
	case "now":
		return strings.Contains(seen, "(2–6)") == (value.Value == "off")
	case "level":
		return regexp.MustCompile(`(no\.|№|nr) \d`).MatchString(seen)
	case "banks":
		return regexp.MustCompile("🏦 .* "+value.Value+" ").MatchString(seen) == (value.Value != "1")
	}
	return false
}

// opened is the picture of the table that a line opens, in a channel of its own.
func opened(t *testing.T, b *bot.Bot, tag, line string) string {
	t.Helper()
	channel := int64(crc32.ChecksumIEEE([]byte(tag + line)))
	r := chattest.Drawn(b.Handle(t.Context(), chat.Request{
		ID: tag + line, Kind: chat.Command, Data: line, Who: chat.User{ID: 1, Name: "Ann", Lang: tag},
		In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: channel},
	}))
	if len(r.Posts) != 1 {
		t.Fatalf("%s is answered %q", line, r.Toast)
	}
	return words.Flat(r.Posts[0].Text)
}
