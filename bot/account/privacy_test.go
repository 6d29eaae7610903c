package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestPrivacy: what is said follows what the operator has set, in every language, to the one who asks alone.
func TestPrivacy(t *testing.T) {
	saves := func(context.Context, []upkeep.Saved) error { return nil }
	for _, test := range []struct {
		name, lang string
		options    bot.Options
		want, not  []string
	}{
		{"for ever, by nobody", "en", bot.Options{}, []string{"for ever", "whoever added the bot", "/mydata", "/forgetme", "logs", "Backups"}, []string{"days", "archive"}},
		{"ninety days", "en", bot.Options{Keep: 90 * 24 * time.Hour, Contact: "Ann, ann@example.org"},
			[]string{"90 days", "Questions: Ann, ann@example.org"}, []string{"for ever", "archive", "whoever added"}},
		{"with an archive", "en", bot.Options{Keep: 2 * 24 * time.Hour, SaveRecords: saves}, []string{"2 days", "archive, without names"}, nil},
		{"an archive that nothing goes to", "en", bot.Options{SaveRecords: saves}, []string{"for ever"}, []string{"archive"}},
		{"ru", "ru", bot.Options{Keep: 21 * 24 * time.Hour, Contact: "Аня"}, []string{"через 21 день", "С вопросами: Аня"}, []string{"бессрочно"}},
		{"pl", "pl", bot.Options{Keep: 22 * 24 * time.Hour}, []string{"po 22 dniach", "dodała bota"}, []string{"bezterminowo"}},
	} {
		test.options.Store, test.options.Games = mem.New(), games.All()
		b, err := bot.New(t.Context(), test.options)
		if err != nil {
			t.Fatal(err)
		}
		who := bottest.User(1)
		who.Lang = test.lang
		r := bottest.Seen(t.Context(), b, chat.Request{ID: "ask", Kind: chat.Command, Who: who, Data: "/privacy", In: bottest.PlaceOf(1)})
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != who.ID {
			t.Fatalf("%s: answered %+v", test.name, r)
		}
		text := words.Flat(r.Posts[0].Text)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: it doesn't say %q:\n%s", test.name, want, text)
			}
		}
		for _, not := range test.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: it says %q:\n%s", test.name, not, text)
			}
		}
		if strings.ContainsAny(text, "{}") || len(text) > 2000 {
			t.Errorf("%s: it says, in %d bytes:\n%s", test.name, len(text), text)
		}
	}
}

// TestPrivacyInARoom: nobody adds the bot to a room, so that isn't who is to be asked there.
func TestPrivacyInARoom(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"en": "whoever opened this room", "ru": "кто открыл эту комнату", "pl": "która otworzyła ten pokój"} {
		who := bottest.User(1)
		who.Lang = lang
		r := bottest.Seen(t.Context(), b, chat.Request{ID: lang, Kind: chat.Command, Who: who, Data: "/privacy", In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}})
		if len(r.Posts) != 1 || !strings.Contains(words.Flat(r.Posts[0].Text), want) {
			t.Errorf("%s: answered %+v", lang, r)
		}
	}
}
