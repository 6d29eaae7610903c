//go:build faults

package faults

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/engine/enginetest"
)

// fault is something that goes wrong while people play.
type fault struct {
	name string
	// rounds is how often it happens in a long test; in a short one it is a fifth of that, and at least once.
	rounds int
	// long says that it happens in a long test alone.
	long bool
	// happens has it happen, and be over. Afterwards a process serves.
	happens func(h *house, f *findings)
}

// kill is the fault that -kills counts.
const kill = "killed (SIGKILL)"

// faults are all that zevaka is put through. In each of them everything is delivered twice, the second time after what
// came next.
func faults() []fault {
	return []fault{
		{kill, 10, false, killed},
		{"frozen for seconds (SIGSTOP)", 2, true, frozen},
		{"stopped and started (SIGTERM)", 4, false, restarted},
		{"everything delivered twice, late", 1, true, doubled},
		{"disk: each sync takes 20-320 ms", 1, true, onDisk(isSlow, 5*time.Second)},
		{"disk: a sync takes 5 s", 1, true, onDisk(nil, 7*time.Second)},
		{"disk: writes fail (EIO)", 1, false, onDisk(failsToWrite, 2*time.Second)},
		{"disk: syncs fail (EIO), then SIGKILL", 2, false, unsynced},
		{"disk: full (ENOSPC)", 1, true, onDisk(isFull, 2*time.Second)},
		{"answers of the platforms lost", 1, true, lostAnswers},
		{"429, 500 and resets", 1, true, refusedCalls},
		{"gateway: reconnect, invalid, cut", 2, false, gateway},
		{"Telegram away", 1, true, telegramAway},
		{"a second process on the file", 1, true, second},
	}
}

// atOnce is how many faults happen at a time in a long test, each to a zevaka of its own; in a short one all do, since
// people think longer there, and most of the time everybody waits for something.
const atOnce = 4

// TestFaults has everything go wrong that can be made to, and prints what came of it.
func TestFaults(t *testing.T) {
	t.Parallel()
	all := faults()
	found := make([]findings, len(all))
	var running errgroup.Group
	running.SetLimit(enginetest.Bound(len(all), atOnce))
	for i, one := range all {
		running.Go(func() error {
			t.Run(one.name, func(t *testing.T) { one.test(t, &found[i]) })
			return nil
		})
	}
	_ = running.Wait() // The subtests say what failed.
	var table strings.Builder
	for i, f := range found {
		if f.rounds > 0 {
			fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d |", all[i].name, f.rounds, f.answered, f.lost, f.doubled, f.drift)
		}
	}
	t.Logf("\n| Fault | Rounds | Moves answered | Lost | Doubled | Drift |\n|---|--:|--:|--:|--:|--:|%s", &table)
}

// test has people play while the fault happens again and again, and compares what is stored with what they know after
// each round.
func (f fault) test(t *testing.T, found *findings) {
	if f.long {
		enginetest.Long(t)
	}
	if untouchable != nil && strings.HasPrefix(f.name, "disk: ") {
		t.Skip("this machine lets nobody stand before a disk: ", untouchable)
	}
	h := open(t)
	h.play()
	h.everybody(2)
	for range f.times() {
		f.happens(h, found)
		found.rounds++
		h.check(h.copyAlive(), found)
		if t.Failed() {
			t.FailNow()
		}
	}
	h.finish(found)
}

// times is how often the fault happens.
func (f fault) times() int {
	switch {
	case f.name == kill && *kills > 0:
		return *kills
	case *rounds > 0:
		return *rounds
	}
	return enginetest.Bound((f.rounds+4)/5, f.rounds)
}

// finish wants that all tables go on when nothing goes wrong any more, that what is shown is what is stored, and that
// the process stops in time and leaves all in order.
func (h *house) finish(f *findings) {
	h.Helper()
	h.everybody(2)
	h.hold()
	for began := time.Now(); ; time.Sleep(time.Second) {
		wrong := h.boards()
		if wrong == nil {
			break
		}
		if time.Since(began) > limit {
			h.Fatalf("%v\n%s", wrong, h.story())
		}
	}
	h.stop()
	h.check(h.copyDead(), f)
	h.inOrder()
	h.quiet()
}

// while lets some time go by.
func (h *house) while(least, most time.Duration) {
	time.Sleep(least + time.Duration(h.chance.Int64N(int64(most-least))))
}

// killed dies at any moment: with answers that take their time to Telegram, often between a move and its answer.
func killed(h *house, f *findings) {
	h.telegram.SetFault(func(method string, _ map[string]string) (slow telegramtest.Fault) {
		if method == "answerCallbackQuery" {
			slow.Delay = 300 * time.Millisecond
		}
		return slow
	})
	h.while(50*time.Millisecond, 1500*time.Millisecond)
	h.kill()
	h.check(h.copyDead(), f)
	h.start()
	h.again()
	h.heal()
}

func frozen(h *house, _ *findings) {
	h.while(0, time.Second)
	h.process.signal(syscall.SIGSTOP)
	h.while(2*time.Second, 5*time.Second)
	h.process.signal(syscall.SIGCONT)
	h.everybody(1)
}

func restarted(h *house, f *findings) {
	h.while(50*time.Millisecond, 1500*time.Millisecond)
	h.stop()
	h.check(h.copyDead(), f)
	h.start()
	h.again()
}

func doubled(h *house, _ *findings) {
	h.everybody(5)
	h.again()
}

// onDisk has something wrong with the disk for a while; nil is one long sync. It goes on by itself when that is over.
func onDisk(what diskFault, long time.Duration) func(*house, *findings) {
	return func(h *house, _ *findings) {
		fault := what
		if fault == nil {
			fault = stalls(5 * time.Second)
		}
		h.process.disk.meets(fault)
		time.Sleep(long)
		h.process.disk.meets(nil)
		h.everybody(1)
	}
}

// unsynced has a disk of which nobody knows what it has kept: zevaka stops serving, and is started again.
func unsynced(h *house, f *findings) {
	h.while(0, time.Second)
	h.process.disk.meets(failsToSync)
	h.while(time.Second, 2*time.Second)
	h.kill()
	h.check(h.copyDead(), f)
	h.start()
	h.again()
	h.everybody(1)
}

func lostAnswers(h *house, _ *findings) {
	h.discord.SetFaults(discordtest.Faults{Swallow: 0.3, Duplicate: 1, Seed: h.chance.Uint64()})
	h.telegram.SetFault(sometimes(0.3, func() telegramtest.Fault { return telegramtest.Fault{Lost: true} }))
	h.everybody(enginetest.Bound(2, 4))
	h.heal()
}

func refusedCalls(h *house, _ *findings) {
	h.discord.SetFaults(discordtest.Faults{
		Route: 0.1, Global: 0.03, HTML: 0.02, Broken: 0.1, Reset: 0.1, Retry: 300 * time.Millisecond, Duplicate: 1, Seed: h.chance.Uint64(),
	})
	h.telegram.SetFault(sometimes(0.3, func() telegramtest.Fault {
		return []telegramtest.Fault{
			{Status: http.StatusTooManyRequests, RetryAfter: 1}, {Status: http.StatusInternalServerError}, {Reset: true},
		}[rand.IntN(3)]
	}))
	h.everybody(enginetest.Bound(2, 4))
	h.heal()
}

// sometimes is a fault of Telegram's with that likelihood at each call.
func sometimes(likelihood float64, fault func() telegramtest.Fault) func(string, map[string]string) telegramtest.Fault {
	return func(string, map[string]string) telegramtest.Fault {
		if rand.Float64() < likelihood {
			return fault()
		}
		return telegramtest.Fault{}
	}
}

func (h *house) heal() {
	h.discord.SetFaults(twice)
	h.telegram.SetFault(nil)
}

func gateway(h *house, _ *findings) {
	for _, do := range []func(){h.discord.Reconnect, h.discord.Invalidate, h.discord.Cut} {
		h.while(0, 500*time.Millisecond)
		do()
		h.until("the bot is connected again", func() bool { return h.discord.Connected() > 0 })
	}
	h.everybody(1)
}

func telegramAway(h *house, _ *findings) {
	h.telegram.SetFault(func(string, map[string]string) telegramtest.Fault {
		return telegramtest.Fault{Status: http.StatusBadGateway}
	})
	time.Sleep(*outage)
	h.heal()
	h.everybody(1)
}

func second(h *house, _ *findings) {
	cmd := []string{"serve", "--db", h.db, "--listen", "127.0.0.1:0"}
	if said, code := run(h.T, cmd...); code != 1 || !strings.Contains(said, "another zevaka is using it") {
		h.Errorf("a second process: exit %d, %s", code, said)
	}
	h.everybody(1)
}
