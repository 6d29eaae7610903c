package table_test

import (
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestMayPressFrom: a table is pressed at from its channel, whichever topic of it, and else only by its people in private.
func TestMayPressFrom(t *testing.T) {
	home := chat.Community{Platform: chat.Telegram, ID: -77}
	one := &table.Table{Chairs: []table.Chair{{User: 1}}}
	one.Place = chat.Place{Community: home, Channel: -77, Thread: 3}
	for _, test := range []struct {
		name string
		who  int64
		in   chat.Place
		may  bool
	}{
		{"its place", 2, one.Place, true},
		{"another topic", 2, chat.Place{Community: home, Channel: -77, Thread: 4}, true},
		{"topics turned off", 2, chat.Place{Community: home, Channel: -77}, true},
		{"another channel", 1, chat.Place{Community: home, Channel: -78, Thread: 3}, false},
		{"another community", 1, chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -78}, Channel: -77, Thread: 3}, false},
		{"in private, who sits there", 1, chat.Place{Community: home, Channel: 1, Private: true}, true},
		{"in private, who doesn't", 2, chat.Place{Community: home, Channel: 2, Private: true}, false},
	} {
		if err := table.MayPressFrom(one, chat.Request{Who: chat.User{ID: test.who}, In: test.in}); (err == nil) != test.may {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
