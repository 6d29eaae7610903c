//go:build browser && unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/bot/live"
)

// watcher looks at a table through a door, as somebody without a seat, whatever goes wrong between.
type watcher struct {
	t *testing.T
	// door is where the door is now, as http://127.0.0.1:1/tg.
	door func() string

	mu    sync.Mutex
	seal  string
	scene live.Scene
}

// newWatcher has somebody look at the table that the hello leads to, or else at the only one.
func newWatcher(t *testing.T, door func() string, hello door.Hello) *watcher {
	t.Helper()
	w := &watcher{t: t, door: door}
	ctx, cancel := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	t.Cleanup(func() { cancel(); looking.Wait() })
	looking.Go(func() {
		for ctx.Err() == nil {
			w.look(ctx, hello)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	})
	return w
}

// look looks until the connection ends.
func (w *watcher) look(ctx context.Context, hello door.Hello) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(w.door(), "http")+"/live", nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	w.mu.Lock()
	first := map[string]string{"login": hello.Login, "start": hello.Start, "instance": hello.Instance, "seal": w.seal, "lang": "en"}
	w.mu.Unlock()
	say := func(what any) {
		b, _ := json.Marshal(what) // It is made of strings and numbers.
		_ = conn.Write(ctx, websocket.MessageText, b)
	}
	for say(first); ; {
		_, b, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var e struct {
			Kind, Seal, Table string
			Scene             *live.Scene
			Tables            []struct{ Table string }
		}
		if json.Unmarshal(b, &e) != nil {
			return
		}
		w.mu.Lock()
		switch {
		case e.Kind == "visit":
			w.seal = e.Seal
			say(map[string]any{"channel": 1, "look": e.Table})
		case e.Kind == "tables" && len(e.Tables) == 1:
			say(map[string]any{"look": e.Tables[0].Table})
		case e.Scene != nil:
			w.scene = *e.Scene
		}
		w.mu.Unlock()
	}
}

// sees is the table as it is seen now.
func (w *watcher) sees() live.Scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scene
}

// until waits until something is so at the table.
func (w *watcher) until(what func() string, ok func(live.Scene) bool) live.Scene {
	w.t.Helper()
	for end := time.Now().Add(longest); ; time.Sleep(5 * time.Millisecond) {
		s := w.sees()
		if ok(s) {
			return s
		}
		if time.Now().After(end) {
			w.t.Fatalf("it never came: %s\n%+v", what(), s)
		}
	}
}

// best is what fits in a game of Зевака, as its attentive player plays it.
func best(s live.Scene) string {
	ranks := "6789TJQKA"
	top := func(role string, seat int) string {
		for _, p := range s.Piles {
			if p.Role == role && (p.Seat == seat || seat < 0) {
				if cards := strings.Fields(p.Cards); len(cards) > 0 {
					return cards[len(cards)-1]
				}
			}
		}
		return ""
	}
	turned := top("turned", -1)
	card := turned
	if card == "" {
		card = top("waste", s.Turn)
	}
	centre := slices.ContainsFunc(s.Piles, func(p live.Pile) bool {
		return p.Role == "foundation" && slices.Contains(strings.Fields(p.Next), card)
	})
	if card != "" && centre {
		return "centre"
	}
	for seat := range s.Seats {
		under := top("waste", seat)
		if card == "" || under == "" || seat == s.Turn || s.Seats[seat].Out {
			continue
		}
		if (strings.IndexByte(ranks, under[0])+1)%len(ranks) == strings.IndexByte(ranks, card[0]) {
			return fmt.Sprint("put ", seat)
		}
	}
	if turned == "" {
		return "flip"
	}
	return "keep"
}
