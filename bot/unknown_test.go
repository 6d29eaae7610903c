package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
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
	synctest.Test(t, func(t *testing.T) {
		store := &doubtfulStore{Store: mem.New()}
		b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id string, who int64, kind chat.Kind, data string) chat.Response {
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			return bottest.Seen(t.Context(), b, chat.Request{ID: id, Kind: kind, Who: chat.User{ID: who, Name: "Ann"}, Data: data, In: in})
		}
		opened := ask("a", 1, chat.Command, "/zevaka")
		join := opened.Posts[0].Buttons[0][0].Token
		store.failed.Store(true)
		for i, key := range []string{"broken", "broken-storage"} { // Nothing of the second press was even begun.
			want := b.Words().Lang("en").Say(key)
			if r := ask(fmt.Sprint("b", i), int64(2+i), chat.Press, join); r.Toast != want || !r.Alert || len(r.Posts) != 0 {
				t.Errorf("press %d is answered %+v, want %q", i+1, r, want)
			}
		}
	})
}

// lostStore is a store that is cut off in the middle of a commit of a table, which it makes: its answer is lost, and nothing can be
// stored any more.
type lostStore struct {
	storage.Store
	cut, lost atomic.Bool
}

func (s *lostStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	ofTable := slices.ContainsFunc(t.Writes, func(w storage.Write) bool { return strings.HasPrefix(w.Key, keyspace.OpenTables) })
	switch {
	case s.lost.Load() && s.cut.Load():
		return 0, fmt.Errorf("%w: cut off", storage.ErrUnavailable)
	case !ofTable || !s.cut.Load():
		return s.Store.Commit(ctx, t)
	}
	if _, err := s.Store.Commit(ctx, t); err != nil {
		return 0, err
	}
	s.lost.Store(true)
	return 0, fmt.Errorf("%w: cut off", storage.ErrUnknown)
}

// TestDoubtIsShown: what a press has done of which nobody knew whether it did is shown soon, though nobody presses anything more.
func TestDoubtIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &lostStore{Store: mem.New()}
		b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id string, who int64, kind chat.Kind, data string) chat.Response {
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			return bottest.Seen(t.Context(), b, chat.Request{ID: id, Kind: kind, Who: chat.User{ID: who, Name: []string{"Ann", "Bob"}[who-1]}, Data: data, In: in})
		}
		join := ask("a", 1, chat.Command, "/zevaka limit=20").Posts[0].Buttons[0][0].Token
		store.cut.Store(true)
		if r := ask("b", 2, chat.Press, join); !r.Alert {
			t.Errorf("the press is answered %+v", r)
		}
		store.cut.Store(false)
		ctx, stop := context.WithCancel(t.Context())
		var shown []string
		var running sync.WaitGroup
		running.Go(func() {
			_ = b.Run(ctx, func(_ context.Context, r chat.Response) {
				for _, p := range r.Posts {
					if p, ok := p.Drawn(); ok {
						shown = append(shown, words.Flat(p.Text))
					}
				}
			})
		})
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if len(shown) == 0 || !strings.Contains(shown[len(shown)-1], "Bob") {
			t.Errorf("after six seconds %q were shown", shown)
		}
		stop()
		running.Wait()
	})
}

// slowStore is a store that fails after a while, as a cluster does of which too few members are there.
type slowStore struct {
	storage.Store
	away atomic.Bool
}

func (s *slowStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if !s.away.Load() {
		return s.Store.Commit(ctx, t)
	}
	time.Sleep(2500 * time.Millisecond)
	return 0, fmt.Errorf("%w: no leader", storage.ErrUnavailable)
}

// TestAllAreRefusedInTime: while nothing can be saved, and that is known only after a while, many who press at one table are all told
// within three seconds: nobody waits until it has failed for those before.
func TestAllAreRefusedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{Store: mem.New()}
		b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id string, who int64, kind chat.Kind, data string) chat.Response {
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			return bottest.Seen(t.Context(), b, chat.Request{ID: id, Kind: kind, Who: chat.User{ID: who, Name: "Ann"}, Data: data, In: in})
		}
		join := ask("a", 1, chat.Command, "/zevaka").Posts[0].Buttons[0][0].Token
		store.away.Store(true)
		want := b.Words().Lang("en").Say("broken-storage")
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				begun := time.Now()
				r := ask(fmt.Sprint("b", i), int64(2+i), chat.Press, join)
				if took := time.Since(begun); took > 3*time.Second || r.Toast != want || !r.Alert {
					t.Errorf("press %d is answered %q after %v", i, r.Toast, took)
				}
			})
			time.Sleep(100 * time.Millisecond)
		}
		all.Wait()
	})
}

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
