package account_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"zevaka/bot/account"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestForgetEverywhere: an operator forgets somebody in all communities of a platform at once, and only them; while they
// play only if the games are closed for it. No chip moves but those that go back.
func TestForgetEverywhere(t *testing.T) {
	h := lived(t)
	elsewhere := chat.Place{Community: chat.Community{Platform: h.Place(1).Community.Platform, ID: -500}, Channel: 1}
	there := func(who int64, line string) {
		t.Helper()
		h.Asked++
		r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("there ", h.Asked), Kind: chat.Command, Who: bottest.User(who), Data: line, In: elsewhere})
		if r.Alert {
			t.Fatalf("%s: %s", line, r.Toast)
		}
	}
	there(somebody, "/daily")
	there(somebody, "/tecza")
	there(1, "/daily")
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: somebody}, Channel: somebody, Private: true}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "lang", Kind: chat.Command, Who: bottest.User(somebody), Data: "/lang pl", In: private})
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "hour", Kind: chat.Command, Who: bottest.User(somebody), Data: "/day post 9", In: private})
	before := h.Audit()

	var told []account.Forgotten
	tell := func(f account.Forgotten) { told = append(told, f) }
	if err := h.Bot.ForgetEverywhere(t.Context(), elsewhere.Community.Platform, somebody, false, tell); !errors.Is(err, account.ErrStillPlays) {
		t.Errorf("while a patience goes on: %v", err)
	}
	if len(told) != 0 || len(traces(h)) < 8 {
		t.Errorf("a refusal changed something: %+v, %v", told, traces(h))
	}
	for range 2 { // The second time there is nothing left.
		if err := h.Bot.ForgetEverywhere(t.Context(), elsewhere.Community.Platform, somebody, true, tell); err != nil {
			t.Fatal(err)
		}
	}
	left := traces(h)
	for _, item := range stores.Items(t, h.Store, keyspace.DayPosts) {
		left = append(left, item.Key)
	}
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if after := h.Audit(); after.Chips != before.Chips || after.House != before.House || after.Purses != before.Purses {
		t.Errorf("%+v, before that %+v", after, before)
	}
	at := slices.IndexFunc(told, func(f account.Forgotten) bool { return f.Community == elsewhere.Community.String() })
	if len(told) < 2 || at < 0 || told[at].Stopped != 1 || told[at].Tables != 1 || !told[at].Purse {
		t.Errorf("told %+v", told)
	}
	if !slices.Contains(told, account.Forgotten{Community: private.Community.String(), Settings: true}) {
		t.Errorf("the settings of the private chat stay: %+v", told)
	}
	if p := purseIn(h, elsewhere.Community.String(), 1); p.Name != bottest.User(1).Name {
		t.Errorf("somebody else is forgotten, too: %+v", p)
	}
}

// purseIn is a purse as it is stored.
func purseIn(h *bottest.Hall, origin string, user int64) purse.Purse {
	h.T.Helper()
	named, err := storage.Read(h.T.Context(), h.Store, func(from storage.Reader) ([]purse.Purse, error) {
		return purse.Purses(from, origin, user)
	})
	if err != nil || len(named) != 1 {
		h.T.Fatalf("%+v, %v", named, err)
	}
	return named[0]
}
