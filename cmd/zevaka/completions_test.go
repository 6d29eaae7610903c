package main

import (
	"slices"
	"strings"
	"testing"

	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/engine/games"
)

func TestCompletions(t *testing.T) {
	menu, err := bot.NewMenu(games.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"ru", "pl", "en"} {
		all := completions(menu)(lang)
		at := func(line string) int {
			return slices.IndexFunc(all, func(c web.Completion) bool { return c.Line == line })
		}
		last := -1
		for _, line := range []string{"/zevaka", "/banchok", "/table", "/patience", "/settings", "/tecza", "/pauk"} {
			i := at(line)
			if i <= last || all[i].Hint == "" {
				t.Errorf("%s: %s is number %d, after %d", lang, line, i, last)
			}
			last = i
		}
		for _, line := range []string{
			"/zevaka limit=60s", "/patience zaba", "/patience tecza bases=8", "/patience zaba number=", "/zaba rows=2",
			"/zaba number=", "/settings me", "/rules zaba",
		} {
			if at(line) <= last {
				t.Errorf("%s: %s is number %d", lang, line, at(line))
			}
		}
		if names, options := at("/patience pauk"), at("/patience tecza bases=1"); names < 0 || options < names {
			t.Errorf("%s: the patiences end at %d, and what they can be begins at %d", lang, names, options)
		}
		if at("/notify") >= 0 {
			t.Errorf("%s: who looks at the room is offered to be called", lang)
		}
		var starts []string
		for i, c := range all {
			if c.Whole != strings.Contains(c.Line, " learn") {
				t.Errorf("%s: %s is whole: %v", lang, c.Line, c.Whole)
			}
			if c.Start {
				starts = append(starts, c.Line)
			}
			if at(c.Line) != i {
				t.Errorf("%s: %s is offered twice", lang, c.Line)
			}
		}
		if want := []string{"/zevaka", "/banchok", "/patience"}; !slices.Equal(starts, want) {
			t.Errorf("%s: an empty room offers %v", lang, starts)
		}
	}
}
