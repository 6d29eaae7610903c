package webapp

import (
	"errors"
	"math"
	"strings"
	"testing"

	"zevaka/adapters/door"
)

func TestStart(t *testing.T) {
	t.Parallel()
	key := door.KeyOf("4242:token", "tables")
	for _, s := range []Start{
		{Chat: -1001234567890, Thread: 77, Table: "t-2s/1a2b3c4d5e"}, {Chat: 7, Table: "t7/a"}, {}, {Chat: math.MinInt64, Thread: math.MaxInt64, Table: "\x00я"},
	} {
		text := s.Sign(key)
		if len(text) > 80 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("%+v is %q", s, text)
		}
		if got, err := ReadStart(key, text); err != nil || got != s {
			t.Errorf("%+v is read as %+v, %v", s, got, err)
		}
	}
	if text := (Start{Table: strings.Repeat("a", MaxStart)}).Sign(key); text != "" {
		t.Errorf("a long one is %q", text)
	}
}

// TestForgedStart: a link that this bot didn't write, or that somebody has changed, leads nowhere.
func TestForgedStart(t *testing.T) {
	t.Parallel()
	key := door.KeyOf("4242:token", "tables")
	good := Start{Chat: -5, Thread: 3, Table: "t-5/abc"}.Sign(key)
	for what, text := range map[string]string{
		"of another bot": Start{Chat: -5, Thread: 3, Table: "t-5/abc"}.Sign(door.KeyOf("4243:token", "tables")),
		"of another use": Start{Chat: -5, Thread: 3, Table: "t-5/abc"}.Sign(door.KeyOf("4242:token", "visits")),
		"empty":          "", "a payload": "p-MS50LTUuYS4wLmZsaXA", "half": good[:len(good)/2], "with a tail": good + "AA", "padded": good + "=",
		"cut": good[:len(good)-1], "too long": strings.Repeat("A", MaxStart+1), "only a signature": good[:22],
		"nothing signed": strings.Repeat("A", 40),
	} {
		if s, err := ReadStart(key, text); !errors.Is(err, door.ErrStart) || s != (Start{}) {
			t.Errorf("%s: %+v, %v", what, s, err)
		}
	}
	for i := range good {
		for _, letter := range "Az0-_" {
			altered := good[:i] + string(letter) + good[i+1:]
			if s, err := ReadStart(key, altered); altered != good && !errors.Is(err, door.ErrStart) {
				t.Errorf("%q is read as %+v, %v", altered, s, err)
			}
		}
	}
}

// FuzzStart reads anything: only what the key has signed leads anywhere.
func FuzzStart(f *testing.F) {
	key := door.KeyOf("4242:token", "tables")
	good := Start{Chat: -5, Thread: 3, Table: "t-5/abc"}.Sign(key)
	f.Add(good)
	f.Add("")
	f.Add(good[:30])
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ReadStart(key, text); err == nil && text != good {
			t.Errorf("%q is read as %+v", text, s)
		}
	})
}
