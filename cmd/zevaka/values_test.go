package main

import (
	"errors"
	"strings"
	"testing"
)

func TestKeep(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"90d", "90d"}, {"2d", "2d"}, {"never", "never"}, {"36525d", "36525d"},
		{"0", ""}, {"0d", ""}, {"1d", ""}, {"90", ""}, {"-90d", ""}, {"36526d", ""}, {"", ""}, {"d", ""}, {"3 months", ""}, {"2160h", ""}, {"99999999999999999999d", ""},
	} {
		var k keep
		err := k.UnmarshalText([]byte(test.text))
		if (err == nil) != (test.want != "") {
			t.Errorf("%q: %v", test.text, err)
		}
		if text, failed := k.MarshalText(); err == nil && (failed != nil || string(text) != test.want) {
			t.Errorf("%q is %q, %v; want %q", test.text, text, failed, test.want)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"config", `keep = "90d" # by default`},
		{"config --keep=never", `keep = "never" # from the command line`},
		{"config --keep=30d --archive=/a", `keep = "30d" # from the command line`},
	} {
		if got := settingIn(good(t, "", strings.Fields(test.args)...), "keep"); got != test.want {
			t.Errorf("%s says %q, want %q", test.args, got, test.want)
		}
	}
	end := zevaka(t, "", "config", "--config", fileOf(t, "listen = \"off\"\nkeep = \"90 days\""))
	if end.code != 2 || !strings.Contains(end.err, "line 2: keep: give a number of days") {
		t.Errorf("exit %d, %s", end.code, end.err)
	}
}

// TestPublicURL takes https addresses with nothing behind the host, and no others.
func TestPublicURL(t *testing.T) {
	for given, want := range map[string]string{
		"":                               "",
		"https://cards.example.org":      "https://cards.example.org",
		"https://cards.example.org/":     "https://cards.example.org",
		"HTTPS://cards.example.org":      "https://cards.example.org",
		"https://cards.example.org:8443": "https://cards.example.org:8443",
		"https://[2001:db8::1]:8443":     "https://[2001:db8::1]:8443",
	} {
		var p publicURL
		if err := p.UnmarshalText([]byte(given)); err != nil || string(p) != want {
			t.Errorf("%q is %q, %v; want %q", given, p, err, want)
		}
	}
	for _, given := range []string{
		"http://cards.example.org", "cards.example.org", "https://", "https:///tg", "https://:443", "https://cards.example.org/tg",
		"https://cards.example.org?", "https://cards.example.org/?a=b", "https://cards.example.org#top", "https://ann:pw@cards.example.org",
		"wss://cards.example.org", "https:cards.example.org", " https://cards.example.org", "https://a b", "off",
	} {
		var p publicURL
		if err := p.UnmarshalText([]byte(given)); !errors.Is(err, errPublicURL) {
			t.Errorf("%q is taken as %q, %v", given, p, err)
		}
	}
}

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

// TestCellsAreGone: whoever still names a cell or a directory is told what to do, and nothing begins.
func TestCellsAreGone(t *testing.T) {
	parse := func(args ...string) error {
		parser, err := newParser()
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse(args)
		return err
	}
	for _, flag := range []string{"--cell=one", "--directory=etcd://db1/directory"} {
		if err := parse("serve", flag); !errors.Is(err, errCells) {
			t.Errorf("%s: %v", flag, err)
		}
	}
	for _, variable := range []string{"ZEVAKA_CELL", "ZEVAKA_DIRECTORY"} {
		t.Setenv(variable, "")
		if err := parse("serve"); err != nil {
			t.Errorf("%s is empty: %v", variable, err)
		}
		t.Setenv(variable, "one")
		if err := parse("serve"); err == nil || !strings.Contains(err.Error(), errCells.Error()) {
			t.Errorf("%s: %v", variable, err)
		}
		t.Setenv(variable, "")
	}
}
