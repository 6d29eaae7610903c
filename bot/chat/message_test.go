package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/chat"
)

// labels are the labels of rows of buttons, as "a b | c".
func labels(rows [][]chat.Button) string {
	var all []string
	for _, row := range rows {
		var line []string
		for _, b := range row {
			line = append(line, b.Label)
		}
		all = append(all, strings.Join(line, " "))
	}
	return strings.Join(all, " | ")
}

func items(labels ...string) []chat.Button {
	var all []chat.Button
	for i, l := range labels {
		all = append(all, chat.Button{Label: l, Token: fmt.Sprint(i)})
	}
	return all
}

// TestRows turns lists into rows of buttons.
func TestRows(t *testing.T) {
	long := strings.Repeat("ж", 20)
	for _, test := range []struct {
		name    string
		message chat.Message
		perRow  int
		want    string
	}{
		{"nothing", chat.Message{}, 5, ""},
		{"only buttons", chat.Message{Buttons: [][]chat.Button{items("a", "b"), items("c")}}, 1, "a b | c"},
		{"a list", chat.Message{Choices: chat.Menus("?", items("a", "b", "c", "d"))}, 3, "a b c | d"},
		{"long labels", chat.Message{Choices: chat.Menus("?", items("a", long, "b", long, long))}, 5, "a " + long + " b | " + long + " | " + long},
		{
			"both", chat.Message{Choices: []chat.Menu{{Items: items("a", "b")}, {Items: items("c")}}, Buttons: [][]chat.Button{items("d")}}, 5,
			"a b | c | d",
		},
	} {
		if got := labels(test.message.Rows(test.perRow)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestMenus makes as many lists as there must be.
func TestMenus(t *testing.T) {
	for n, want := range map[int][]int{0: nil, 1: {1}, 25: {25}, 26: {25, 1}, 100: {25, 25, 25, 25}} {
		var got []int
		for _, m := range chat.Menus("?", items(make([]string, n)...)) {
			got = append(got, len(m.Items))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d things make lists of %v, want %v", n, got, want)
		}
	}
}
