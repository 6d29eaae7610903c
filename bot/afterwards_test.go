package bot_test

import (
	"context"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// awayStore can't be reached while it is away.
type awayStore struct {
	storage.Store
	away bool
}

// Commit implements storage.Store.
func (s *awayStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if s.away {
		return 0, storage.ErrUnavailable
	}
	return s.Store.Commit(ctx, t)
}

// TestNothingHasChanged: where the store can't be reached, who presses is told that nothing has changed, but not of a press that
// counted when it was delivered before.
func TestNothingHasChanged(t *testing.T) {
	away := &awayStore{Store: mem.New()}
	h := &bottest.Hall{T: t, Store: away, Remembers: true}
	h.Restart()
	h.Opens(1, 1, "/zevaka")
	press := func(id string, user int64) string {
		join := table.Token{Table: h.Table(1).ID, Do: "!join"}.String()
		return h.Bot.Handle(t.Context(), chat.Request{ID: id, Kind: chat.Press, Who: bottest.User(user), In: h.Place(1), Data: join}).Toast
	}
	press("counted", 2)
	away.away = true
	lang := h.Bot.Words().Lang("en")
	for _, test := range []struct {
		id   string
		user int64
		want string
	}{
		{"counted", 2, "broken"},
		{"in vain", 3, "broken-storage"},
	} {
		if told := press(test.id, test.user); told != lang.Say(test.want) {
			t.Errorf("%s: user %d is told %q", test.id, test.user, told)
		}
	}
	away.away = false
	press("in vain", 3)
	if n := len(h.Table(1).Chairs); n != 3 {
		t.Errorf("%d people sit at the table", n)
	}
}
