package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// bench is the whole bot over a durable store, and Telegram at the other end of a connection on this machine.
type bench struct {
	tb      testing.TB
	server  *telegramtest.Server
	seeds   atomic.Uint64
	dealing sync.Mutex
	groups  atomic.Int64
	dealer  *bot.Bot
	// opened tells the table that was opened in a group.
	opened sync.Map
	// alerts tells whether the last press in a group was refused.
	alerts sync.Map
	// refused counts the presses that were: at each deal one or two are, to find out who sits where.
	refused, deals, requests atomic.Int64
	// hasty says that a table's last picture counts as shown at once: here more tables end than Telegram lets a bot show.
	hasty bool
}

// Handle passes a request on, and tells which table it opened.
func (b *bench) Handle(ctx context.Context, r chat.Request) chat.Response {
	b.requests.Add(1)
	response := b.dealer.Handle(ctx, r)
	if r.Kind == chat.Press && response.Alert {
		b.refused.Add(1)
	}
	if b.hasty {
		b.hurry(ctx, r, response)
	}
	if r.Kind == chat.Press {
		b.alerts.Store(r.In.Channel, response.Alert)
	}
	if r.Kind == chat.Command {
		b.deals.Add(1)
		if opened, ok := b.opened.Load(r.In.Channel); ok {
			opened.(chan string) <- response.Posts[0].Table
		}
	}
	return response
}

// hurry tells the bot that the last pictures among the posts were shown.
func (b *bench) hurry(ctx context.Context, r chat.Request, response chat.Response) {
	for _, p := range response.Posts {
		if p.Final {
			b.dealer.Handle(ctx, chat.Request{ID: "shown " + r.ID, In: p.In, Kind: chat.Shown, Data: p.Receipt, On: p.Edit})
		}
	}
}

func newBench(tb testing.TB, states int, o telegramtest.Options) *bench {
	tb.Helper()
	server := telegramtest.New(o)
	b := &bench{tb: tb, server: server}
	web := httptest.NewServer(server)
	store := stores.Open(tb, filepath.Join(tb.TempDir(), "bench.db"), bolt.Options{})
	var err error
	b.dealer, err = bot.New(context.Background(), bot.Options{
		Store: store, Games: games.All(), States: states, Seed: func() engine.Seed { return numbered(b.seeds.Add(1)) },
		// A second goes by with each request, so that no press is taken for a double tap.
		Running: func() time.Duration { return time.Duration(b.requests.Load()) * time.Second },
	})
	if err != nil {
		tb.Fatal(err)
	}
	a := New(b, Options{Token: telegramtest.Token, API: web.URL, Words: b.dealer.Words(), Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	tb.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			tb.Error(err)
		}
		web.Close()
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	return b
}

// party is a group with a table, and its players, who know the cards.
type party struct {
	*bench
	chat  *telegramtest.Chat
	users []*telegramtest.User
	rules engine.Rules
	state engine.State
	table string
	shift int
	rand  *rand.Rand
}

func (b *bench) party() *party {
	b.tb.Helper()
	n := b.groups.Add(1)
	p := &party{bench: b, chat: b.server.NewGroup("Group"), rules: games.All()[0], rand: rand.New(rand.NewPCG(1, uint64(n)))}
	for i := range 2 {
		p.users = append(p.users, b.server.NewUser(fmt.Sprint("Player ", i), "en"))
	}
	if n%2 == 0 {
		p.users[0].Start("")
	}
	p.deal()
	return p
}

// deal opens a table and deals.
func (p *party) deal() {
	p.tb.Helper()
	p.dealing.Lock()
	defer p.dealing.Unlock()
	opened, _ := p.opened.LoadOrStore(p.chat.ID, make(chan string, 1))
	p.chat.Say(p.users[0], "/zevaka limit=none")
	p.table = strings.Replace(<-opened.(chan string), "/", ".", 1)
	p.press(1, 0, "!join")
	p.press(0, 0, "!deal")
	seed := numbered(p.seeds.Load())
	p.press(table.DrawDealer(numbered(p.seeds.Load()-1), 2).First(false), 1, "!cut 7") // Of two, who moves first cuts.
	options, err := p.rules.Info().Complete(nil)
	if err == nil {
		p.state, err = p.rules.Deal(engine.Setup{Seats: 2, Options: options}, engine.NewShuffler(seed, "7"))
	}
	if err != nil {
		p.tb.Fatal(err)
	}
	p.shift = -1
}

// press presses, waits for the answer, and returns how long it took.
func (p *party) press(user, epoch int, do string) time.Duration {
	board := telegramtest.Message{Chat: p.chat.ID, ID: 1}
	token := strings.Join([]string{"1", p.table, strconv.FormatInt(int64(epoch), 36), do}, ".")
	start := time.Now()
	id := p.users[user].Press(board, token)
	<-p.server.Answered(id)
	return time.Since(start)
}

// move presses for the one who is to move; false when the deal is over.
func (p *party) move() (time.Duration, bool) {
	turn := p.state.Turn()
	if len(turn) == 0 {
		return 0, false
	}
	move := p.state.Auto(turn[0], 0.7, p.rand)
	do, epoch := p.rules.Text(move), 2+p.state.Epoch()
	if p.shift < 0 {
		// Which of the two sits there the draw has told; one of them is refused.
		p.shift = int(turn[0])
		p.press(0, epoch, do)
		if refused, _ := p.alerts.Load(p.chat.ID); refused == true {
			p.shift = 1 - p.shift
			p.press(1, epoch, do)
		}
	}
	took := p.press((int(turn[0])+p.shift)%2, epoch, do)
	if _, err := p.state.Apply(engine.Step{Seat: turn[0], Move: move}); err != nil {
		p.tb.Error(err)
		return 0, false
	}
	return took, true
}

// load has n groups play, one press in flight in each, until enough presses were made or the time is over. It returns
// how long each press took to be answered; nothing with keep false.
func (b *bench) load(parties []*party, presses int64, keep bool) []time.Duration {
	var all []time.Duration
	var mu sync.Mutex
	var count atomic.Int64
	var players sync.WaitGroup
	for _, p := range parties {
		players.Go(func() {
			var mine []time.Duration
			for count.Add(1) <= presses {
				took, ok := p.move()
				if !ok {
					p.deal()
					continue
				}
				if keep {
					mine = append(mine, took)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	players.Wait()
	if refused, deals := b.refused.Load(), b.deals.Load(); refused > 3*deals {
		b.tb.Errorf("%d presses were refused in %d deals", refused, deals)
	}
	slices.Sort(all)
	return all
}

// BenchmarkPress measures from a press to its answer, over the network of this machine and with every move durable.
func BenchmarkPress(b *testing.B) {
	for _, groups := range []int{60, 240} {
		b.Run(fmt.Sprint(groups, "groups"), func(b *testing.B) {
			x := newBench(b, 0, telegramtest.Options{Unchecked: true})
			var parties []*party
			for range groups {
				parties = append(parties, x.party())
			}
			x.load(parties, int64(5*groups), false)
			for b.Loop() {
				start := time.Now()
				took := x.load(parties, 20_000, true)
				b.ReportMetric(float64(len(took))/time.Since(start).Seconds(), "moves/s")
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
				b.ReportMetric(float64(anonymous(b))/1e6, "anon-MB")
			}
		})
	}
}

// BenchmarkGrowth makes b.N presses, and reports by how much the memory in use grew in the second half of them. What is
// kept of tables that ended, by the bot and for each group, is bounded; there are few groups and a small cache, so that
// these bounds are reached early.
// A million: go test -bench Growth -benchtime 1000000x.
func BenchmarkGrowth(b *testing.B) {
	x := newBench(b, 128, telegramtest.Options{Unchecked: true})
	x.hasty = true
	var parties []*party
	for range 16 {
		parties = append(parties, x.party())
	}
	b.ResetTimer()
	x.load(parties, int64(b.N/2), false)
	before := inUse()
	x.load(parties, int64(b.N-b.N/2), false)
	after := inUse()
	b.ReportMetric(float64(after-before)/float64(b.N-b.N/2), "grown-B/press")
	b.ReportMetric(float64(after)/1e6, "heap-MB")
	b.ReportMetric(float64(anonymous(b))/1e6, "anon-MB")
}

// inUse is how much memory holds something.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// anonymous is the memory of this process that lies in no file: the bot's, and Telegram's beside it.
func anonymous(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "RssAnon:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb << 10
}
