package bot_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine/games"
)

// TestTwoBots has two bots serve one store by turns, so that the tables that one keeps in memory are out of date: each
// press counts once, whichever gets it, and also when both get it.
func TestTwoBots(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "two.db"), 0)
	running := func() time.Duration { return time.Duration(b.request.Load()) * time.Second }
	other, err := bot.New(t.Context(), bot.Options{Store: b.store, Games: games.All(), Running: running})
	if err != nil {
		t.Fatal(err)
	}
	both := [2]*bot.Bot{b.bot, other}
	p := b.sit(1, "pack=52 open=off limit=60s")
	by := rand.New(rand.NewPCG(3, 3))
	level := uint64(0)
	for n := range 200 {
		b.bot = both[by.IntN(2)]
		turn := p.state.Turn()[0]
		if !p.wander() {
			t.Fatalf("the deal has ended after %d moves", n)
		}
		b.request.Add(^uint64(0)) // The next request is the same again.
		b.bot = both[by.IntN(2)]
		again := p.press((int(turn)+p.shift)%2, 0, "flip")
		if len(again.Posts) == 0 || again.Alert || level != 0 && again.Posts[0].Level != level+1 {
			t.Fatalf("move %d, which made level %d, is answered %+v when it comes again", n, level+1, again)
		}
		level = again.Posts[0].Level
	}
}
