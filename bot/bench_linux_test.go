package bot_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest"
)

// bench is a bot with tables at which two players sit, over bbolt if store isn't nil.
type bench struct {
	tb      testing.TB
	store   *bolt.Store
	bot     *bot.Bot
	seeds   atomic.Uint64
	sitting sync.Mutex
	// copied is the table that others are copies of.
	copied  *player
	request atomic.Uint64
}

func newBench(tb testing.TB, path string, states int) *bench {
	tb.Helper()
	store, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { store.Close() })
	b := benchOver(tb, store, states)
	b.store = store
	return b
}

// benchOver is a bench over a store of any kind.
func benchOver(tb testing.TB, store storage.Store, states int) *bench {
	tb.Helper()
	b := &bench{tb: tb}
	var err error
	b.bot, err = bot.New(context.Background(), bot.Options{
		Store: store, Games: games.All(), Seed: b.seed, States: states,
		// A second goes by with each request, so that no press is taken for a double tap.
		Running: func() time.Duration { return time.Duration(b.request.Load()) * time.Second },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// seed is the n-th for the n-th call, so that a benchmark knows the cards.
func (b *bench) seed() (seed engine.Seed) {
	binary.BigEndian.PutUint64(seed[:], b.seeds.Add(1))
	return seed
}

func (b *bench) handle(r chat.Request) chat.Response {
	return b.bot.Handle(context.Background(), b.numbered(r))
}

// numbered gives the request the next number for its ID.
func (b *bench) numbered(r chat.Request) chat.Request {
	r.ID = fmt.Sprintf("bench %d", b.request.Add(1))
	return r
}

// player is a table with its own copy of the deal, and presses that follow it.
type player struct {
	b     *bench
	place chat.Place
	rules engine.Rules
	state engine.State
	rand  *rand.Rand
	moves []engine.Move
	name  string
	ref   chat.Ref
	// shift is the user who sits on seat 0.
	shift int
	// still says that the deal shall go on for long; moved counts its moves since a card went to the centre.
	still bool
	moved int
}

// sit opens a table in a channel of its own and deals, with the options given to the command.
func (b *bench) sit(channel int, options string) *player {
	b.tb.Helper()
	b.sitting.Lock()
	defer b.sitting.Unlock()
	p := &player{b: b, rules: games.All()[0], rand: rand.New(rand.NewPCG(1, uint64(channel)))}
	p.place = chat.Place{Community: chat.Community{Platform: chat.Web, ID: int64(channel)}, Channel: 1}
	opened := b.handle(chat.Request{Kind: chat.Command, Who: p.user(0), In: p.place, Data: "/zevaka " + options})
	name := opened.Posts[0].Table
	p.name = strings.Replace(name, "/", ".", 1)
	p.ref = chat.Ref("message " + name)
	b.handle(chat.Request{Kind: chat.Shown, In: p.place, Data: opened.Posts[0].Receipt, On: p.ref})
	p.press(1, 0, "!join")
	p.press(0, 0, "!deal")
	seed := b.seeds.Load()
	// With two at the table the one who cuts is the one who moves first.
	var drawn engine.Seed
	binary.BigEndian.PutUint64(drawn[:], seed-1)
	p.shift = table.DrawDealer(drawn, 2).First(false)
	p.press(p.shift, 1, "!cut 7")
	p.follow(seed, options)
	return p
}

// follow deals the same cards as the table did.
func (p *player) follow(seed uint64, options string) {
	var s engine.Seed
	binary.BigEndian.PutUint64(s[:], seed)
	chosen := map[string]string{}
	for _, option := range strings.Fields(options) {
		if name, value, ok := strings.Cut(option, "="); ok && name != "limit" {
			chosen[name] = value
		}
	}
	state, err := p.rules.Deal(engine.Setup{Seats: 2, Options: chosen}, engine.NewShuffler(s, "7"))
	if err != nil {
		p.b.tb.Fatal(err)
	}
	p.state = state
}

func (p *player) user(n int) chat.User {
	return chat.User{ID: int64(n + 1), Name: "Player", Lang: "en"}
}

func (p *player) press(user, epoch int, do string) chat.Response {
	return p.b.handle(p.request(user, epoch, do))
}

// request is a press of a button.
func (p *player) request(user, epoch int, do string) chat.Request {
	data := "1." + p.name + "." + base36(epoch) + "." + do
	return chat.Request{Kind: chat.Press, Who: p.user(user), In: p.place, Data: data, On: p.ref}
}

func base36(n int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	if n < 36 {
		return digits[n : n+1]
	}
	return base36(n/36) + digits[n%36:n%36+1]
}

// move presses a random legal move; either user may be the one who sits there. It reports false when the deal is over.
func (p *player) move() bool {
	step, ok := p.choose()
	if !ok {
		return false
	}
	if r := p.b.handle(p.pressOf(step)); r.Alert {
		p.b.tb.Errorf("%s refused: %s", p.rules.Text(step.Move), r.Toast)
		return false
	}
	return p.make(step)
}

// pressOf is the press of the button that makes a move.
func (p *player) pressOf(step engine.Step) chat.Request {
	return p.request((int(step.Seat)+p.shift)%2, 2+p.state.Epoch(), p.rules.Text(step.Move))
}

// choose chooses a random legal move; false when the deal is over.
func (p *player) choose() (engine.Step, bool) {
	turn := p.state.Turn()
	if len(turn) == 0 {
		return engine.Step{}, false
	}
	p.moves = p.state.Moves(turn[0], p.moves[:0])
	step := engine.Step{Seat: turn[0], Move: p.moves[p.rand.IntN(len(p.moves))]}
	if p.still {
		step.Move = p.stillMove()
	}
	return step, true
}

// make makes a move in the player's own copy of the deal.
func (p *player) make(step engine.Step) bool {
	_, err := p.state.Apply(step)
	if err != nil {
		p.b.tb.Error(err)
	}
	return err == nil
}

// think does all that a player does for a move but hand the press to the bot, at a deal without end.
func (p *player) think() {
	step, ok := p.choose()
	if !ok {
		p.follow(1, "")
		return
	}
	p.b.numbered(p.pressOf(step))
	p.make(step)
}

// BenchmarkPress measures presses at 64 tables at once, each durable before it is answered, beside a bare group
// commit and a bare fdatasync, all in one run. The bare commit writes the tables as the presses have left them, each
// under its key, to a copy of the file: fresh tables are half as long, and would make it look cheaper than that of the
// presses. It reports, for each, how many there were a second and the processor time of one; above-µs/press is what a
// press costs above the bare commit. Those who press choose, write and follow their moves in both.
func BenchmarkPress(b *testing.B) {
	const tables = 64
	for range b.N {
		dir := b.TempDir()
		bench := newBench(b, filepath.Join(dir, "press.db"), 0)
		players := make([]*player, tables)
		for i := range players {
			players[i] = bench.sit(i+1, "limit=60s")
		}
		sync64 := measure(func() int { return fdatasyncs(b, filepath.Join(dir, "sync")) })
		var took spans
		presses := measure(func() int {
			return took.parallel(tables, func(i int) {
				if !players[i].move() {
					players[i] = bench.sit(tables+int(bench.request.Add(1)), "limit=60s")
				}
			})
		})
		bare := bareCommits(b, filepath.Join(dir, "bare.db"), bench.store, players)
		b.ReportMetric(presses.rate, "presses/s")
		took.report(b)
		b.ReportMetric(bare.rate, "bare/s")
		b.ReportMetric(presses.rate/bare.rate, "press/bare")
		b.ReportMetric(sync64.rate, "fdatasync/s")
		b.ReportMetric(presses.cpu, "cpu-µs/press")
		b.ReportMetric(bare.cpu, "cpu-µs/bare")
		b.ReportMetric(presses.cpu-bare.cpu, "above-µs/press")
	}
}

// bareCommits writes the players' tables as they are in the store, one a commit, from as many goroutines, to a copy of
// the store's file.
func bareCommits(b *testing.B, path string, store *bolt.Store, players []*player) figures {
	tables := make([]storage.Write, len(players))
	for i, p := range players {
		items, err := store.Get(context.Background(), "o/"+strings.Replace(p.name, ".", "/", 1))
		if err != nil || items[0].Rev == 0 {
			b.Fatal(items, err)
		}
		tables[i] = storage.Write{Key: items[0].Key, Value: items[0].Value}
	}
	file, err := os.Create(path)
	if err == nil {
		_, err = store.WriteTo(file)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		b.Fatal(err)
	}
	bare, err := storagetest.NewBare(path, &bbolt.Options{
		FreelistType: bbolt.FreelistMapType, NoFreelistSync: true, NoStatistics: true, InitialMmapSize: 16 << 30,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	return measure(func() int {
		return parallel(len(tables), func(i int) {
			players[i].think()
			if err := bare.Commit(tables[i : i+1]); err != nil {
				b.Error(err)
			}
		})
	})
}

// figures are how often something was done in a second, and how much processor time it took each time, in µs.
type figures struct{ rate, cpu float64 }

// measure runs fn, which returns how often it did something.
func measure(fn func() int) figures {
	before, start := storagetest.Spent(), time.Now()
	n := float64(fn())
	return figures{n / time.Since(start).Seconds(), float64((storagetest.Spent() - before).Microseconds()) / n}
}

// measured is how long each part of a benchmark runs.
const measured = 2 * time.Second

// parallel lets n goroutines do something again and again for the time measured, and counts.
func parallel(n int, do func(i int)) int {
	var took spans
	return took.parallel(n, do)
}

// spans are how long things took.
type spans []time.Duration

// parallel lets n goroutines do something again and again for the time measured, and counts. It adds how long each took.
func (s *spans) parallel(n int, do func(i int)) int {
	done := make([]spans, n)
	var workers sync.WaitGroup
	end := time.Now().Add(measured)
	for i := range n {
		workers.Go(func() {
			for now := time.Now(); now.Before(end); {
				do(i)
				next := time.Now()
				done[i], now = append(done[i], next.Sub(now)), next
			}
		})
	}
	workers.Wait()
	all := slices.Concat(done...)
	*s = append(*s, all...)
	return len(all)
}

// report reports how long half of them took at most, 95 of 100, and 99.
func (s *spans) report(b *testing.B) {
	slices.Sort(*s)
	for _, percent := range []int{50, 95, 99} {
		b.ReportMetric(float64((*s)[len(*s)*percent/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", percent))
	}
}

func fdatasyncs(b *testing.B, path string) int {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	n := 0
	for end := time.Now().Add(measured / 2); time.Now().Before(end); n++ {
		if _, err := f.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := syscall.Fdatasync(int(f.Fd())); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

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
