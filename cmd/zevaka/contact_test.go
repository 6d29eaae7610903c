package main

import (
	"strings"
	"testing"
)

func TestContact(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""}, {" Ann, ann@example.org ", "Ann, ann@example.org"}, {"Аня", "Аня"}, {strings.Repeat("я", 200), strings.Repeat("я", 200)},
		{strings.Repeat("я", 201), "-"}, {"two\nlines", "-"}, {"back\u202ewards", "-"}, {"\xff", "-"}, {"a\x00b", "-"},
	} {
		var c contact
		err := c.UnmarshalText([]byte(test.text))
		if (err == nil) != (test.want != "-") || err == nil && string(c) != test.want {
			t.Errorf("%q is %q, %v; want %q", test.text, c, err, test.want)
		}
	}
	if got := settingIn(good(t, "", "config", "--contact", "Ann"), "contact"); got != `contact = "Ann" # from the command line` {
		t.Errorf("it is shown as %s", got)
	}
}
