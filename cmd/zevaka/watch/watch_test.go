package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// get is the status and the text that a handler answers a path with.
func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// wantLines wants each of the lines in what /metrics says.
func wantLines(t *testing.T, w *Watch, lines ...string) {
	t.Helper()
	status, text := get(t, w.Handler(), "/metrics")
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			name, _, _ := strings.Cut(line, "{")
			t.Errorf("no line %s; there are\n%s", line, linesWith(text, name))
		}
	}
}

func linesWith(text, part string) string {
	var found strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) && !strings.HasPrefix(line, "#") {
			found.WriteString(line)
		}
	}
	return found.String()
}

// TestMetrics lets a bot deal that is watched, with a gate before it, and reads its metrics.
func TestMetrics(t *testing.T) {
	w := New(Options{Version: "v1.2.3", Revision: "c0ffee", Go: "go1.26.0"})
	inner := mem.New()
	if _, err := bot.New(t.Context(), bot.Options{Store: inner, Games: games.All()}); err != nil {
		t.Fatal(err) // The first start writes things of its own.
	}
	store := w.Store(inner)
	dealer, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All(), Observer: w})
	if err != nil {
		t.Fatal(err)
	}
	gate := pace.NewGate(dealer, pace.Rates{User: 1}, dealer.Words(), w)
	place := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 7}, Channel: 1}
	ask := func(id string, kind chat.Kind, data string) {
		gate.Handle(t.Context(), chat.Request{ID: id, Who: chat.User{ID: 1, Name: "Ann"}, In: place, Kind: kind, Data: data})
	}
	ask("1", chat.Command, "/zevaka")
	ask("2", chat.Command, "/whist")
	ask("3", chat.Press, "forged")
	ask("4", chat.Command, "/balance")
	ask("5", chat.Command, "/balance")
	ask("6", chat.Shown, "no receipt")
	for status, n := range map[int]int{200: 3, 429: 2, 0: 1, 1000: 1} {
		for range n {
			_, done := w.Call(t.Context(), chat.Call{Platform: chat.Telegram, Method: "sendMessage"})
			done(status)
		}
	}
	_, done := w.Call(t.Context(), chat.Call{Platform: chat.Telegram, Method: "getUpdates", Waits: true})
	done(200)
	w.Answered(chat.Discord, 40*time.Millisecond)
	w.Caught(chat.Telegram)
	w.Adapter(chat.Discord, func() chat.Pulse { return chat.Pulse{Links: 8, Up: 7, Waiting: 3, Unshown: 2} })
	wantLines(t, w,
		`zevaka_requests_total{kind="command",outcome="done",platform="discord"} 2`,
		`zevaka_requests_total{kind="command",outcome="refused",platform="discord"} 1`,
		`zevaka_requests_total{kind="press",outcome="refused",platform="discord"} 1`,
		`zevaka_requests_total{kind="shown",outcome="broken",platform="discord"} 1`,
		`zevaka_request_seconds_count{kind="command",platform="discord"} 3`,
		`zevaka_turned_away_total{limit="user",platform="discord"} 1`,
		`zevaka_api_calls_total{method="sendMessage",platform="telegram",status="200"} 3`,
		`zevaka_api_calls_total{method="sendMessage",platform="telegram",status="429"} 2`,
		`zevaka_api_calls_total{method="sendMessage",platform="telegram",status="none"} 2`,
		`zevaka_api_calls_total{method="getUpdates",platform="telegram",status="200"} 1`,
		`zevaka_api_call_seconds_count{platform="telegram"} 7`,
		`zevaka_answer_seconds_bucket{platform="discord",le="0.025"} 0`,
		`zevaka_answer_seconds_bucket{platform="discord",le="0.05"} 1`,
		`zevaka_panics_total{platform="telegram",where="adapter"} 1`,
		`zevaka_links{platform="discord"} 8`,
		`zevaka_links_up{platform="discord"} 7`,
		`zevaka_waiting{platform="discord"} 3`,
		`zevaka_unshown{platform="discord"} 2`,
		`zevaka_commit_seconds_count{outcome="conflict"} 2`, // The store in memory refuses every first commit.
		`zevaka_commit_seconds_count{outcome="done"} 2`,
		`zevaka_commits_pending 0`,
		`zevaka_build_info{goversion="go1.26.0",revision="c0ffee",version="v1.2.3"} 1`,
		`zevaka_counted_timestamp_seconds 0`,
	)
}

// TestCountsBeginWithZero: what an alert waits for is there before it happens.
func TestCountsBeginWithZero(t *testing.T) {
	w := New(Options{})
	w.Adapter(chat.Telegram, func() chat.Pulse { return chat.Pulse{} })
	wantLines(t, w,
		`zevaka_requests_total{kind="press",outcome="broken",platform="telegram"} 0`,
		`zevaka_requests_total{kind="moved",outcome="done",platform="telegram"} 0`,
		`zevaka_requests_total{kind="arrived",outcome="broken",platform="telegram"} 0`,
		`zevaka_turned_away_total{limit="community",platform="telegram"} 0`,
		`zevaka_panics_total{platform="telegram",where="adapter"} 0`,
		`zevaka_panics_total{platform="telegram",where="request"} 0`,
		`zevaka_commit_seconds_count{outcome="unknown"} 0`,
	)
}

// TestPanicIsCounted: a request that panics is broken, and counted beside.
func TestPanicIsCounted(t *testing.T) {
	w := New(Options{})
	_, done := w.Request(t.Context(), chat.Request{Kind: chat.Timeout, In: chat.Place{Community: chat.Community{Platform: chat.Web}}})
	done(chat.Panicked)
	wantLines(t, w, `zevaka_panics_total{platform="web",where="request"} 1`,
		`zevaka_requests_total{kind="timeout",outcome="broken",platform="web"} 1`)
}

// failing is a store whose commits end as the test says.
type failing struct {
	storage.Store
	err error
}

func (f failing) Commit(context.Context, storage.Txn) (uint64, error) { return 0, f.err }

// TestCommits counts commits by what became of them.
func TestCommits(t *testing.T) {
	writes := storage.Txn{Writes: []storage.Write{{Key: "k", Value: []byte("v")}}}
	for _, test := range []struct {
		err  error
		txn  storage.Txn
		want string
	}{
		{nil, writes, `zevaka_commit_seconds_count{outcome="done"} 1`},
		{fmt.Errorf("x: %w", storage.ErrConflict), writes, `zevaka_commit_seconds_count{outcome="conflict"} 1`},
		{fmt.Errorf("x: %w", storage.ErrUnavailable), writes, `zevaka_commit_seconds_count{outcome="unavailable"} 1`},
		{fmt.Errorf("x: %w: %w", storage.ErrUnknown, storage.ErrUnavailable), writes, `zevaka_commit_seconds_count{outcome="unknown"} 1`},
		{storage.ErrTooLarge, writes, `zevaka_commit_seconds_count{outcome="too_large"} 1`},
		{nil, storage.Txn{Reads: []storage.Item{{Key: "k"}}}, ""},
	} {
		w := New(Options{})
		if _, err := w.Store(failing{mem.New(), test.err}).Commit(t.Context(), test.txn); !errors.Is(err, test.err) {
			t.Errorf("the error is %v, not %v", err, test.err)
		}
		if test.want != "" {
			wantLines(t, w, test.want)
		} else {
			wantLines(t, w, `zevaka_commit_seconds_count{outcome="done"} 0`) // A check of reads isn't timed.
		}
	}
}

// TestCount: figures are those of the last count that went well, with its time; a ledger that is off is logged.
func TestCount(t *testing.T) {
	var log strings.Builder
	w := New(Options{Log: NewLog(&log, Logging{})})
	w.count(t.Context(), func(context.Context) (upkeep.Counts, error) {
		return upkeep.Counts{Open: 12, Live: 5, Games: map[string]int{"zaba": 12}, Chats: 4, People: 8, Chips: purse.Sums{Purses: 3, Chips: 9300, Off: 25, Uneven: 1, Unreadable: 2}}, nil
	})
	want := []string{
		"zevaka_open_tables 12", `zevaka_open_games{game="zaba"} 12`, "zevaka_live_tables 5", "zevaka_chats 4", "zevaka_people 8", "zevaka_purses 3", "zevaka_purse_chips 9300", "zevaka_ledger_sum 25",
		"zevaka_ledger_uneven_communities 1", "zevaka_ledger_unreadable_accounts 2",
	}
	wantLines(t, w, want...)
	if _, text := get(t, w.Handler(), "/metrics"); strings.Contains(text, "\nzevaka_counted_timestamp_seconds 0\n") {
		t.Error("the count has no time")
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "off=25") {
		t.Errorf("the log says\n%s", &log)
	}
	log.Reset()
	w.count(t.Context(), func(context.Context) (upkeep.Counts, error) { return upkeep.Counts{}, storage.ErrUnavailable })
	wantLines(t, w, want...)
	if !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("the log says\n%s", &log)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	w.Count(ctx, func(context.Context) (upkeep.Counts, error) { n++; cancel(); return upkeep.Counts{}, nil })
	if n != 1 {
		t.Errorf("counted %d times", n)
	}
}

// TestReady: the bot is ready while its store takes writes and all connections stand. A platform that isn't reached is told, and nobody is sent
// elsewhere for it; a room that doesn't listen is.
func TestReady(t *testing.T) {
	closed := mem.New()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	pulse := func(p chat.Pulse) func() chat.Pulse { return func() chat.Pulse { return p } }
	one, pair := chat.Pulse{Links: 1, Up: 1}, chat.Pulse{Links: 2, Up: 2}
	for _, test := range []struct {
		name     string
		store    storage.Store
		discord  chat.Pulse
		telegram chat.Pulse
		web      chat.Pulse
		status   int
		want     []string
	}{
		{"all is well", mem.New(), pair, one, one, http.StatusOK, []string{"ready"}},
		{"no store yet", nil, pair, one, one, http.StatusServiceUnavailable, []string{"nothing can be saved: the database isn't open yet"}},
		{"a store that is closed", closed, pair, one, one, http.StatusServiceUnavailable, []string{"nothing can be saved: "}},
		{"a full disk", failing{mem.New(), storage.ErrUnavailable}, pair, one, one, http.StatusServiceUnavailable, []string{"nothing can be saved: storage: unavailable"}},
		{"a shard is lost", mem.New(), chat.Pulse{Links: 2, Up: 1}, one, one, http.StatusOK, []string{"discord: 1 of 2 connections stand"}},
		{"the room doesn't listen", mem.New(), pair, one, chat.Pulse{Links: 1}, http.StatusServiceUnavailable, []string{"web: 0 of 1 connections stand"}},
		{"nothing stands", mem.New(), chat.Pulse{}, chat.Pulse{Links: 1}, chat.Pulse{Links: 1}, http.StatusServiceUnavailable,
			[]string{"web: 0 of 1 connections stand", "discord: 0 of 0 connections stand", "telegram: 0 of 1 connections stand"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := New(Options{})
			if test.store != nil {
				w.Store(test.store)
			}
			w.Adapter(chat.Discord, pulse(test.discord))
			w.Adapter(chat.Telegram, pulse(test.telegram))
			w.Adapter(chat.Web, pulse(test.web))
			status, text := get(t, w.Handler(), "/readyz")
			said := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if status != test.status || len(said) != len(test.want) {
				t.Fatalf("status %d: %s", status, text)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(said[i], want) {
					t.Errorf("said %q, want %q", said[i], want)
				}
			}
			if status, text := get(t, w.Handler(), "/healthz"); status != http.StatusOK || text != "ok\n" {
				t.Errorf("healthz: status %d: %s", status, text)
			}
		})
	}
}

// TestEndingIsNotReady: who has been told to stop is sent nobody any more.
func TestEndingIsNotReady(t *testing.T) {
	w := New(Options{})
	w.Store(mem.New())
	if missing := w.Missing(t.Context()); missing != nil {
		t.Fatal(missing)
	}
	w.End()
	if status, text := get(t, w.Handler(), "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "told to stop") {
		t.Errorf("status %d: %s", status, text)
	}
	if status, _ := get(t, w.Handler(), "/healthz"); status != http.StatusOK {
		t.Errorf("healthz: status %d", status)
	}
}

// TestProbeLeavesNothing: looking whether the store takes writes leaves nothing in it, and however many ask at a time, it
// is asked once.
func TestProbeLeavesNothing(t *testing.T) {
	store := &counted{Store: mem.New()}
	w := New(Options{})
	w.Store(store)
	for range 100 {
		if missing := w.Missing(t.Context()); missing != nil {
			t.Fatal(missing)
		}
	}
	if store.commits > 2 { // The store in memory refuses every first commit.
		t.Errorf("%d commits", store.commits)
	}
	if items, err := store.Scan(t.Context(), "", "", 10); err != nil || len(items) > 0 {
		t.Errorf("the store holds %v, %v", items, err)
	}
}

// counted counts commits.
type counted struct {
	storage.Store
	commits int
}

func (c *counted) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	c.commits++
	return c.Store.Commit(ctx, t)
}

// TestServe: the address answers while ctx lasts, and the end is quick.
func TestServe(t *testing.T) {
	log := make(chan string, 16)
	w := New(Options{Log: slog.New(slog.NewTextHandler(lines(log), nil))})
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- w.Serve(ctx, "127.0.0.1:0") }()
	_, address, _ := strings.Cut(<-log, "address=")
	resp, err := http.Get("http://" + strings.TrimSpace(address) + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(body), "zevaka_build_info") {
		t.Errorf("%v, %s", err, body)
	}
	if err := w.Serve(ctx, strings.TrimSpace(address)); err == nil || !strings.Contains(err.Error(), "--metrics") {
		t.Errorf("a second one at the same address: %v", err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// lines is a writer that hands on what is written.
type lines chan<- string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

// BenchmarkWatch measures what watching adds to a request and to a call.
func BenchmarkWatch(b *testing.B) {
	place := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 123456789}}
	r := chat.Request{ID: "discord/1234567890123456789", Kind: chat.Press, In: place}
	b.Run("request", func(b *testing.B) {
		w := New(Options{})
		for b.Loop() {
			_, done := w.Request(b.Context(), r)
			done(chat.Done)
		}
	})
	b.Run("call", func(b *testing.B) {
		w := New(Options{})
		for b.Loop() {
			_, done := w.Call(b.Context(), chat.Call{Platform: chat.Discord, Method: "answer"})
			done(200)
		}
	})
	b.Run("request and two calls, logged", func(b *testing.B) {
		w := New(Options{Log: NewLog(io.Discard, Logging{Level: slog.LevelDebug, Secrets: []string{"a secret token"}})})
		for b.Loop() {
			ctx, done := w.Request(chat.WithRequest(b.Context(), r.ID), r)
			for range 2 {
				_, called := w.Call(ctx, chat.Call{Platform: chat.Discord, Method: "answer"})
				called(200)
			}
			done(chat.Done)
		}
	})
}
