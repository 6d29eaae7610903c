package play_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine/patience"
	"zevaka/engine/patience/deals"
)

// TestLevels: who asks for a deal that comes out, in whatever words, is dealt one of the bank, of that level, by its number.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		line, game string
		level      deals.Level // Zero is any.
	}{
		{"/patience żaba deal=easy", "zaba", deals.Easy},
		{"/patience żaba deal=hard", "zaba", deals.Hard},
		{"/patience żaba deal=any", "zaba", 0},
		{"/zaba level=medium", "zaba", deals.Medium},
		{"/zaba Hard", "zaba", deals.Hard},
		{"/zaba number=5 deal=easy", "zaba", deals.Easy},
		{"/пасьянс лягушка deal=трудный", "zaba", deals.Hard},
		{"/пасьянс лягушка Лёгкий", "zaba", deals.Easy},
		{"/пасьянс лягушка легкий", "zaba", deals.Easy},
		{"/пасьянс лягушка сложность=сложный", "zaba", deals.Hard},
		{"/лягушка расклад=любой", "zaba", 0},
		{"/żaba łatwy", "zaba", deals.Easy},
		{"/żaba trudność=trudny", "zaba", deals.Hard},
		{"/żaba numer=srednie", "zaba", deals.Medium},
		{"/pauk deal=easy", "pauk", deals.Easy},
		{"/pauk deal=whole hard", "pauk", deals.Hard},
		{"/gwiazda any easy", "gwiazda", deals.Easy}, // The first is an option.
	} {
		t.Run(test.line[1:], func(t *testing.T) {
			t.Parallel()
			s := bottest.NewSitting(t)
			tb, _ := s.Look(s.Open(test.line))
			known := func(d deals.Deal) bool {
				return tb.Numbered != nil && d.Number == *tb.Numbered && (test.level == 0 || d.Level == test.level)
			}
			if tb.Game != test.game || !slices.ContainsFunc(deals.Bank(test.game), known) {
				t.Errorf("lays %s, deal %v", tb.Game, tb.Numbered)
			}
		})
	}
}

// TestLevelsRefused: what is no level, and rules for which no deals are known, are refused in words, and no table is opened.
func TestLevelsRefused(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"/zaba deal=harder", "is no number of a deal"},
		{"/zaba deal=", "is no number of a deal"},
		{"/zaba level=harder", "Try without it: /zaba"},
		{"/zaba deal=-1", "is no number of a deal"},
		{"/zaba deal=9223372036854775808", "is no number of a deal"},
		{"/pauk deal=harder", "Try without it: /pauk"},
		{"/zaba any", "Try without it: /zaba"},
		{"/zaba rows=2 deal=easy", "by the usual rules only"},
		{"/paganini light deal=any", "by the usual rules only"},
		{"/zevaka deal=easy", "I don't know the rule"},
	} {
		t.Run(test.line[1:], func(t *testing.T) {
			t.Parallel()
			if r := bottest.NewSitting(t).Say(1, test.line); len(r.Posts) > 0 || !r.Alert || !strings.Contains(r.Toast, test.says) {
				t.Errorf("is answered %q, with %d posts", r.Toast, len(r.Posts))
			}
		})
	}
}

// TestLevelTwice: a request that is delivered again deals the same deal, and the next request others.
func TestLevelTwice(t *testing.T) {
	s := bottest.NewSitting(t)
	for _, rules := range patience.All() {
		met := map[int64]bool{}
		for range 6 {
			s.Running += time.Hour
			r := chat.Request{
				ID: "one " + s.Running.String(), Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/" + rules.Info().Name + " deal=any",
				In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 9}, Channel: int64(s.Running)},
			}
			number := func() int64 {
				answer := bottest.Seen(t.Context(), s.Bot, r)
				if len(answer.Posts) == 0 {
					t.Fatalf("is answered %q", answer.Toast)
				}
				id, _ := table.ParseID(answer.Posts[0].Table)
				tb, _ := s.Look(id)
				return *tb.Numbered
			}
			first := number()
			if again := number(); again != first {
				t.Errorf("deal %d, and delivered again %d", first, again)
			}
			met[first] = true
		}
		if len(met) < 2 {
			t.Errorf("%s: always deal %v", rules.Info().Name, met)
		}
	}
}
