package discord

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
)

// BenchmarkPress measures from press to answer over loopback, a durable store below: 60 groups with one press in flight
// each, and with four.
func BenchmarkPress(b *testing.B) {
	for _, flights := range []int{1, 4} {
		b.Run(fmt.Sprint("60x", flights), func(b *testing.B) {
			h := enter(b, disk(b), discordtest.Options{Unchecked: true, Forget: true})
			var groups []*group
			for n := range 60 {
				groups = append(groups, newGroup(h, n))
			}
			var left atomic.Int64
			left.Store(int64(b.N))
			took := make([][]time.Duration, len(groups)*flights)
			var all sync.WaitGroup
			moves := len(h.dealer.asked.Of(chat.Press))
			b.ResetTimer()
			for n := range took {
				all.Go(func() {
					for left.Add(-1) >= 0 {
						took[n] = append(took[n], groups[n/flights].press())
					}
				})
			}
			all.Wait()
			b.StopTimer()
			times := slices.Sorted(slices.Values(slices.Concat(took...)))
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(len(h.dealer.asked.Of(chat.Press))-moves)/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(anonymous(b), "anon-MB")
		})
	}
}

// group is a channel of its own with a deal in progress.
type group struct {
	match
	channel string
}

func newGroup(h *house, n int) *group {
	g := &group{match{house: h, people: []discordtest.User{ann, bob}}, fmt.Sprint(710000000000000000 + n)}
	h.server.Place(g.channel, discordtest.Guild, 0)
	h.server.Command(ann, g.channel, "zevaka", map[string]any{"limit": "none"}).Answer()
	h.shown(n + 1)
	for _, one := range []struct {
		who   discordtest.User
		label string
	}{{bob, "Сесть"}, {ann, "Сдавать"}, {ann, "13"}, {bob, "13"}} {
		m := h.board(g.channel)
		if button, ok := m.Button(one.label); ok {
			h.server.Press(one.who, m.ID, button.CustomID).Answer()
		}
	}
	return g
}

// press makes the plainest move there is: a card is turned, and the next press keeps it.
func (g *group) press() time.Duration {
	m := g.board(g.channel)
	who := g.mover(m)
	label := "Вскрыть"
	if _, line, _ := strings.Cut(m.Content, "▶ "); strings.Contains(strings.SplitN(line, "\n", 2)[0], "вскрыта") {
		label = who.Nick + who.Global
	}
	button, ok := m.Button(label)
	if !ok {
		g.t.Fatalf("no button %q on %s", label, m.Content)
	}
	began := time.Now()
	g.server.Press(who, m.ID, button.CustomID).Answer()
	return time.Since(began)
}

// anonymous is the memory of the whole process, fake and all, that no file backs, in MB.
func anonymous(b *testing.B) float64 {
	runtime.GC()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	var kB float64
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "RssAnon: %f kB", &kB); err == nil {
			return kB / 1024
		}
	}
	return 0
}

// BenchmarkGrowth makes many presses, each of an interaction of its own, and reports what each leaves in memory once
// what is bounded is full. A million presses: -bench Growth -benchtime 1000000x.
func BenchmarkGrowth(b *testing.B) {
	h := build(b, nil, fake(b, discordtest.Options{Unchecked: true, Forget: true}))
	h.serve(shrug{}, func(string) []bot.CommandInfo { return []bot.CommandInfo{{Name: "help", Local: "help", Help: "help"}} })
	h.connected()
	i := h.server.Command(ann, discordtest.Channel, "help", nil)
	i.Answer()
	m := h.board(discordtest.Channel)
	press := func(times int) {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for range times / 16 {
					h.server.Press(ann, m.ID, "x").Answer()
				}
			})
		}
		all.Wait()
	}
	press(10_000) // What is bounded is full.
	before := heap()
	b.ResetTimer()
	press(max(b.N, 16))
	b.StopTimer()
	b.ReportMetric((heap()-before)/float64(b.N), "left-B/press")
	b.ReportMetric(heap()/(1<<20), "heap-MB")
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// shrug is a bot that always shows the same board.
type shrug struct{}

// Handle shows the board in another place each time, as one that is played at.
func (shrug) Handle(_ context.Context, r chat.Request) chat.Response {
	p := chat.Post{
		In: r.In, Edit: r.On, Table: "d1/x", Level: uint64(time.Now().UnixNano()),
		Message: chat.Message{Text: []chat.Span{{Text: "x"}}, Buttons: [][]chat.Button{{{Label: "x", Token: "x"}}}},
	}
	return chat.Response{Posts: []chat.Post{p}}
}
