package bot_test

import (
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
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
					if seen := opened(t, b, tag, line); !shows(seen, setting.Value, value) {
						t.Errorf("%s opens %s", line, seen)
					}
				}
			}
		}
	}
}

// shows reports whether a lobby shows what a setting was set to.
func shows(seen, setting string, value bot.Choice) bool {
	switch setting {
	case "limit":
		return strings.Contains(seen, "⏱ "+value.Label+"\n")
	case "fast":
		return strings.Contains(seen, "⚡") == (value.Value == "on")
	case "banks":
		return strings.Contains(seen, "🏦 ×"+value.Value) == (value.Value != "1")
	}
	return false
}

// opened is the picture of the table that a line opens, in a channel of its own.
func opened(t *testing.T, b *bot.Bot, tag, line string) string {
	t.Helper()
	channel := int64(crc32.ChecksumIEEE([]byte(tag + line)))
	r := b.Handle(t.Context(), bot.Request{
		ID: tag + line, Kind: bot.Command, Data: line, Who: bot.User{ID: 1, Name: "Ann", Lang: tag},
		In: bot.Place{Community: bot.Community{Platform: bot.Web, ID: 1}, Channel: channel},
	})
	if len(r.Posts) != 1 {
		t.Fatalf("%s is answered %q", line, r.Toast)
	}
	return text(r.Posts[0].Text)
}
