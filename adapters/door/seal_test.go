package door_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	key, now := door.KeyOf("secret", "visits"), time.Unix(1_700_000_000, 0)
	v := door.Visit{
		Who: chat.User{ID: 7, Name: "Ола", Lang: "ru"},
		In:  chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -100}, Channel: -100}, Table: "t-2s/abc",
	}
	text, err := door.Seal(key, v, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	altered := "A" + text[1:]
	if altered == text {
		altered = "B" + text[1:]
	}
	for _, c := range []struct {
		what string
		key  [32]byte
		text string
		at   time.Time
		want error
	}{
		{"as written", key, text, now, nil},
		{"at its last second", key, text, now.Add(time.Hour), nil},
		{"after its time", key, text, now.Add(time.Hour + time.Second), door.ErrOld},
		{"of another use", door.KeyOf("secret", "tables"), text, now, door.ErrLogin},
		{"of another bot", door.KeyOf("other", "visits"), text, now, door.ErrLogin},
		{"altered", key, altered, now, door.ErrLogin},
		{"without a seal", key, text[:strings.IndexByte(text, '.')], now, door.ErrLogin},
		{"cut short", key, text[:len(text)-1], now, door.ErrLogin},
		{"empty", key, "", now, door.ErrLogin},
		{"too long", key, strings.Repeat("A", door.MaxSeal+1), now, door.ErrLogin},
	} {
		got, err := door.Unseal(c.key, c.text, c.at)
		if !errors.Is(err, c.want) || err == nil && got != v {
			t.Errorf("%s: %+v, %v; want %v", c.what, got, err, c.want)
		}
	}
}
