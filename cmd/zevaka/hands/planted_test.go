//go:build faults

package hands

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// alone is a door to one bot over one store, with nothing between.
type alone struct {
	handler chat.Handler
	lang    *words.Lang
}

func (a *alone) deliver(ctx context.Context, r request) (answer, error) {
	return asked(ctx, a.handler, a.lang, r), nil
}

// broken is a handler in front of a bot that does something wrong.
type broken struct {
	chat.Handler
	t     *testing.T
	store storage.Store
	wrong func(*broken, context.Context, chat.Request) chat.Response

	mu    sync.Mutex
	moves int
	first map[string]chat.Response
}

// Handle implements chat.Handler.
func (b *broken) Handle(ctx context.Context, r chat.Request) chat.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, do := parse(r.Data)
	if r.Kind == chat.Press && do[0] != '!' {
		b.moves++
		if b.wrong != nil && b.moves > 20 {
			return b.wrong(b, ctx, r)
		}
	}
	return b.Handler.Handle(ctx, r)
}

// table is what the bot says of a table.
func (b *broken) table(ctx context.Context, r chat.Request) chat.Response {
	r.Kind, r.Data, r.ID = chat.Command, "/table", r.ID+" look"
	return b.Handler.Handle(ctx, r)
}

// TestPlanted: the checker is silent where nothing is wrong, and isn't where somebody between people and the bot drops a move
// and says that it counts, makes one that nobody pressed, shows a table as it was, or posts chips twice.
func TestPlanted(t *testing.T) {
	for _, one := range []struct {
		name, found string
		wrong       func(*broken, context.Context, chat.Request) chat.Response
	}{
		{"nothing", "", nil},
		{"a move that counts is dropped", "counted, and is not in the log", dropped},
		// Where he presses the same later, that is taken for his press, and what was pressed between is missed.
		{"a move is made that nobody pressed", "nobody pressed it|counted, and is not in the log before", invented},
		{"a table is shown as it was", "steps could be put in order", stale},
		{"chips are posted twice", "belongs to no press", paidTwice},
	} {
		t.Run(one.name, func(t *testing.T) {
			found := played(t, one.wrong)
			said := strings.Join(found.problems, "\n")
			if one.found == "" && said != "" || !regexp.MustCompile(one.found).MatchString(said) {
				t.Errorf("the checker found %q, want %q", said, one.found)
			}
			if found.moves < 40 || found.tables == 0 || found.purses == 0 {
				t.Errorf("hardly anything was checked: %+v", found)
			}
		})
	}
}

// played plays some hands with something wrong, and checks them.
func played(t *testing.T, wrong func(*broken, context.Context, chat.Request) chat.Response) findings {
	t.Helper()
	store := mem.New()
	p := &play{history: &history{zero: time.Now()}}
	dealer, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	p.door = &alone{&broken{Handler: dealer, t: t, store: store, wrong: wrong, first: map[string]chat.Response{}}, dealer.Words().Lang("en")}
	p.wanted.Store(100)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var people sync.WaitGroup
	for _, one := range p.chats(2) {
		people.Go(func() { one.run(ctx, t.Context()) })
	}
	people.Wait()
	if ctx.Err() != nil {
		t.Errorf("only %d hands were played", p.hands.Load())
	}
	return newChecker(t, p.history, store).check(t)
}

// dropped says that a move counts, and doesn't make it: that of every tenth stake.
func dropped(b *broken, ctx context.Context, r chat.Request) chat.Response {
	if b.moves%10 != 0 || !strings.Contains(r.Data, ".stake ") {
		return b.Handler.Handle(ctx, r)
	}
	response := b.table(ctx, r)
	response.Toast = "You stake it."
	return response
}

// invented has somebody make the next move, too, who hasn't pressed anything.
func invented(b *broken, ctx context.Context, r chat.Request) chat.Response {
	response := b.Handler.Handle(ctx, r)
	for _, p := range response.Posts {
		m, ok := p.Drawn()
		if response.Alert || b.moves%10 != 0 || p.Turn == 0 || !ok || len(m.Buttons) == 0 {
			continue
		}
		next := r
		next.ID, next.Data, next.Who = r.ID+" next", m.Buttons[0][0].Token, person(p.Turn)
		b.Handler.Handle(ctx, next)
	}
	return response
}

// stale shows a table as it was when it was first pressed, after every tenth move.
func stale(b *broken, ctx context.Context, r chat.Request) chat.Response {
	response := b.Handler.Handle(ctx, r)
	if response.Alert || len(response.Posts) == 0 {
		return response
	}
	name := response.Posts[0].Table
	if old, ok := b.first[name]; ok && b.moves%10 == 0 {
		return old
	}
	if _, ok := b.first[name]; !ok {
		b.first[name] = response
	}
	return response
}

// paidTwice posts what a move has changed once more.
func paidTwice(b *broken, ctx context.Context, r chat.Request) chat.Response {
	response := b.Handler.Handle(ctx, r)
	if response.Alert {
		return response
	}
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		ledger := purse.Ledger{Tx: tx, Community: r.In.Community.String(), Now: time.Now().Unix()}
		_, err := ledger.Post(r.ID+" again", purse.Cause{Kind: purse.KindWin},
			purse.Leg{Account: purse.User(r.Who.ID), Amount: 5}, purse.Leg{Account: purse.House, Amount: -5})
		return err
	})
	if err != nil {
		b.t.Error(fmt.Errorf("post: %w", err))
	}
	return response
}
