package bot_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// BenchmarkFlood measures how long presses take at a hundred tables of as many communities, a hundred a second together,
// while ten users of another community press fifty times a second each.
func BenchmarkFlood(b *testing.B) {
	for _, test := range []struct {
		name         string
		flood, gated bool
	}{{"quiet", false, true}, {"flooded", true, true}, {"flooded, without a gate", true, false}} {
		b.Run(test.name, func(b *testing.B) {
			store := stores.Open(b, filepath.Join(b.TempDir(), "z.db"), bolt.Options{})
			dealer, err := bot.New(b.Context(), bot.Options{Store: store, Games: games.All()})
			if err != nil {
				b.Fatal(err)
			}
			var door chat.Handler = dealer
			if test.gated {
				door = pace.NewGate(dealer, pace.Rates{User: 5, Community: 60}, dealer.Words(), nil)
			}
			var neighbours, flooders []*toggler
			for i := range int64(100) {
				neighbours = append(neighbours, newToggler(b, dealer, door, chat.User{ID: 1000 + i, Name: "Ann"}, 1000+i))
			}
			for i := range int64(10) {
				flooders = append(flooders, newToggler(b, dealer, door, chat.User{ID: i + 1, Name: "Bob"}, 7))
			}
			ctx, stop := context.WithCancel(b.Context())
			var all sync.WaitGroup
			for _, f := range flooders {
				if test.flood {
					all.Go(func() { f.flood(ctx) })
				}
			}
			var took []time.Duration
			pace := time.NewTicker(10 * time.Millisecond)
			defer pace.Stop()
			for i := 0; b.Loop(); i++ {
				<-pace.C
				began := time.Now()
				if response := neighbours[i%len(neighbours)].press(ctx); response.Alert {
					b.Fatalf("a neighbour is told: %s", response.Toast)
				}
				took = append(took, time.Since(began))
			}
			stop()
			all.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// toggler is somebody who switches a rule of their own table on and off.
type toggler struct {
	door  chat.Handler
	who   chat.User
	place chat.Place
	token string
	n     int
}

// newToggler opens a table, which the gate doesn't count.
func newToggler(b *testing.B, dealer *bot.Bot, door chat.Handler, who chat.User, community int64) *toggler {
	b.Helper()
	t := &toggler{door: door, who: who, place: chat.Place{
		Community: chat.Community{Platform: chat.Discord, ID: community}, Channel: who.ID,
	}}
	r := chat.Request{ID: fmt.Sprint("open", who.ID), Who: who, In: t.place, Kind: chat.Command, Data: "/zevaka"}
	opened := dealer.Handle(b.Context(), r)
	if len(opened.Posts) == 0 {
		b.Fatal(opened.Toast)
	}
	t.token = "1." + strings.Replace(opened.Posts[0].Table, "/", ".", 1) + ".0.!fast"
	return t
}

func (t *toggler) press(ctx context.Context) chat.Response {
	t.n++
	return t.door.Handle(ctx, chat.Request{
		ID: fmt.Sprint(t.who.ID, "/", t.n), Who: t.who, In: t.place, Kind: chat.Press, Data: t.token, On: "message",
	})
}

// flood presses fifty times a second.
func (t *toggler) flood(ctx context.Context) {
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for ctx.Err() == nil {
		<-pace.C
		t.press(ctx)
	}
}
