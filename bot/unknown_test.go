package bot

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// doubtfulStore is a store whose disk has failed to sync: it takes nothing any more, and what it took last may be there.
type doubtfulStore struct {
	storage.Store
	failed atomic.Bool
	asked  atomic.Int64
}

func (s *doubtfulStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	switch {
	case !s.failed.Load():
		return s.Store.Commit(ctx, t)
	case s.asked.Add(1) == 1:
		return 0, fmt.Errorf("%w: the disk failed", storage.ErrUnknown)
	}
	return 0, fmt.Errorf("%w: the disk failed", storage.ErrUnavailable)
}

// TestDoubtIsNoRefusal: of a press that may have counted nobody is told that nothing has changed.
func TestDoubtIsNoRefusal(t *testing.T) {
	t.Parallel() // It waits most of the time.
	store := &doubtfulStore{Store: mem.New()}
	b, err := New(t.Context(), Options{Store: store, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(id string, who int64, kind chat.Kind, data string) chat.Response {
		in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
		return b.seen(t.Context(), chat.Request{ID: id, Kind: kind, Who: chat.User{ID: who, Name: "Ann"}, Data: data, In: in})
	}
	opened := ask("a", 1, chat.Command, "/zevaka")
	join := opened.Posts[0].Buttons[0][0].Token
	store.failed.Store(true)
	for i, key := range []string{"broken", "broken-storage"} { // Nothing of the second press was even begun.
		want := b.words.Lang("en").Say(key)
		if r := ask(fmt.Sprint("b", i), int64(2+i), chat.Press, join); r.Toast != want || !r.Alert || len(r.Posts) != 0 {
			t.Errorf("press %d is answered %+v, want %q", i+1, r, want)
		}
	}
}
