//go:build faults

package faults

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
)

// fault is something that goes wrong while people play.
type fault struct {
	name string
	// times is how often it happens in a round.
	times int
	// happens has it happen, and be over. Afterwards a process serves.
	happens func(h *house, f *findings)
}

// faults are all that zevaka is put through. In each of them everything is delivered twice, the second time after what
// came next.
func faults() []fault {
	return []fault{
		{"killed (SIGKILL)", 4, killed},
		{"frozen for seconds (SIGSTOP)", 1, frozen},
		{"stopped and started (SIGTERM)", 1, restarted},
		{"everything delivered twice, late", 1, doubled},
		{"disk: each sync takes 20-320 ms", 1, onDisk(isSlow, 5*time.Second)},
		{"disk: a sync takes 5 s", 1, onDisk(stalls, 7*time.Second)},
		{"disk: writes fail (EIO)", 1, onDisk(failsToWrite, 2*time.Second)},
		{"disk: syncs fail (EIO), so that it ends", 1, unsynced},
		{"disk: full (ENOSPC)", 1, onDisk(isFull, 2*time.Second)},
		{"answers of the platforms lost", 1, lostAnswers},
		{"429, 500 and resets", 1, refusedCalls},
		{"gateway: reconnect, invalid, cut", 1, gateway},
		{"Telegram away", 1, telegramAway},
		{"a second process on the file", 1, second},
	}
}

// TestFaults has everything go wrong that can be made to, all at once, each to a zevaka of its own, and prints what came of it: most of
// the time everybody waits for something.
func TestFaults(t *testing.T) {
	t.Parallel()
	all := faults()
	found := make([]findings, len(all))
	var running sync.WaitGroup
	for i, one := range all {
		running.Go(func() { t.Run(one.name, func(t *testing.T) { one.test(t, &found[i]) }) })
	}
	running.Wait()
	var table strings.Builder
	for i, f := range found {
		if f.rounds > 0 {
			fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d |", all[i].name, f.rounds, f.answered, f.lost, f.doubled, f.drift)
		}
	}
	t.Logf("\n| Fault | Times | Moves answered | Lost | Doubled | Drift |\n|---|--:|--:|--:|--:|--:|%s", &table)
}

// test has people play while the fault happens again and again, and compares what is stored with what they know after
// each time.
func (f fault) test(t *testing.T, found *findings) {
	h := open(t)
	h.play()
	h.everybody(2)
	for range f.times * *rounds {
		f.happens(h, found)
		found.rounds++
		h.check(h.copyAlive(), found)
		if t.Failed() {
			t.FailNow()
		}
	}
	h.finish(found)
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

// onDisk has something wrong with the disk for a while. It goes on by itself when that is over.
func onDisk(what func(*dice) diskFault, long time.Duration) func(*house, *findings) {
	return func(h *house, _ *findings) {
		h.process.disk.meets(what(h.chance))
		time.Sleep(long)
		h.process.disk.meets(nil)
		h.everybody(1)
	}
}

// unsynced has a disk of which nobody knows what it has kept: zevaka ends, and is started again.
func unsynced(h *house, f *findings) {
	h.while(0, time.Second)
	h.process.disk.meets(failsToSync(h.chance))
	h.while(time.Second, 2*time.Second)
	h.ends()
	h.check(h.copyDead(), f)
	h.start()
	h.again()
	h.everybody(1)
}

func lostAnswers(h *house, _ *findings) {
	h.discord.SetFaults(discordtest.Faults{Swallow: 0.3, Duplicate: 1, Seed: h.chance.Uint64()})
	h.telegram.SetFault(h.sometimes(30, func() telegramtest.Fault { return telegramtest.Fault{Lost: true} }))
	h.everybody(2)
	h.heal()
}

func refusedCalls(h *house, _ *findings) {
	h.discord.SetFaults(discordtest.Faults{
		Route: 0.1, Global: 0.03, HTML: 0.02, Broken: 0.1, Reset: 0.1, Retry: 300 * time.Millisecond, Duplicate: 1, Seed: h.chance.Uint64(),
	})
	h.telegram.SetFault(h.sometimes(30, func() telegramtest.Fault {
		return []telegramtest.Fault{
			{Status: http.StatusTooManyRequests, RetryAfter: 1}, {Status: http.StatusInternalServerError}, {Reset: true},
		}[h.chance.IntN(3)]
	}))
	h.everybody(2)
	h.heal()
}

// sometimes is a fault of Telegram's at so many of a hundred calls.
func (h *house) sometimes(percent int, fault func() telegramtest.Fault) func(string, map[string]string) telegramtest.Fault {
	return func(string, map[string]string) telegramtest.Fault {
		if h.chance.IntN(100) < percent {
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
