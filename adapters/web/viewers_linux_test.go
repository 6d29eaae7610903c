package web

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

var (
	liveTables = flag.Int("live-tables", 2000, "how many tables BenchmarkViewers plays at, with two sockets each")
	liveTime   = flag.Duration("live-time", 20*time.Second, "how long it plays")
	liveRest   = flag.Duration("live-rest", 4*time.Second, "how long a table rests between two moves")
	liveAt     = flag.String("live-at", "", "the server that BenchmarkViewers has TestSwarm play at")
)

// many is a door through which the players of many tables come, each table in a group of its own: a login is "GROUP.USER".
type many struct {
	bot    *bot.Bot
	tables []string
	// asked counts the requests, if it isn't nil.
	asked *atomic.Int64
}

func (*many) Path() string      { return "/many" }
func (*many) Frames() []string  { return nil }
func (*many) Origins() []string { return nil }
func (*many) Config() any       { return nil }
func (*many) Key() [32]byte     { return door.KeyOf("many", "visits") }

func manyPlace(group int) chat.Place {
	id := int64(-1 - group)
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: id}, Channel: id}
}

// Enter lets in whoever says who they are.
func (m *many) Enter(_ context.Context, h door.Hello) (door.Visit, error) {
	group, user, _ := strings.Cut(h.Login, ".")
	g, err := strconv.Atoi(group)
	u, failed := strconv.ParseInt(user, 10, 64)
	if err != nil || failed != nil || g < 0 || g >= len(m.tables) {
		return door.Visit{}, door.ErrLogin
	}
	return door.Visit{Who: chat.User{ID: u, Name: "P" + user, Lang: "en"}, In: manyPlace(g), Table: m.tables[g]}, nil
}

// Stay lets everybody stay.
func (*many) Stay(context.Context, door.Visit) error { return nil }

// Ask puts a press to the bot.
func (m *many) Ask(ctx context.Context, v door.Visit, r chat.Request) chat.Response {
	if m.asked != nil {
		m.asked.Add(1)
	}
	r.ID, r.Who, r.In = fmt.Sprint("many/", v.Who.ID, "/", r.ID), v.Who, v.In
	resp := m.bot.Handle(ctx, r)
	resp.Posts = nil
	return resp
}

// deal opens the tables, two players at each.
func (m *many) deal(tb testing.TB, n int) {
	tb.Helper()
	for g := range n {
		ask := func(user int, kind chat.Kind, data string) chat.Response {
			r := chat.Request{ID: fmt.Sprint("deal ", g, user, data), Kind: kind, In: manyPlace(g), Data: data}
			r.Who = chat.User{ID: int64(user), Name: fmt.Sprint("P", user), Lang: "en"}
			return m.bot.Handle(tb.Context(), r)
		}
		table := ask(2*g+1, chat.Command, "/zevaka 21a limit=none").Opened
		m.tables = append(m.tables, table)
		token := func(epoch int, do string) string {
			return "1." + strings.Replace(table, "/", ".", 1) + "." + strconv.FormatInt(int64(epoch), 36) + "." + do
		}
		ask(2*g+2, chat.Press, token(0, "!join"))
		ask(2*g+1, chat.Press, token(0, "!deal"))
		for _, user := range []int{2*g + 1, 2*g + 2} {
			ask(user, chat.Press, token(1, "!no-cut"))
		}
	}
}

// hall is a room with so many tables open.
func hall(tb testing.TB, store storage.Store, tables int) *Room {
	tb.Helper()
	dealer, err := bot.New(tb.Context(), bot.Options{Store: store, Games: games.All(), States: 2 * tables})
	if err != nil {
		tb.Fatal(err)
	}
	m := &many{bot: dealer}
	m.deal(tb, tables)
	return New(dealer, Options{Log: quiet(), Tables: tablesOf(dealer), Doors: []door.Door{m}})
}

// standing is a server for a room, until the test ends: the address at which players come in.
func standing(tb testing.TB, r *Room) string {
	tb.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	srv := &http.Server{Handler: r.Handler(), ReadHeaderTimeout: headerTime}
	go func() { _ = srv.Serve(ln) }()
	tb.Cleanup(func() {
		r.close()
		_ = srv.Close()
		r.tasks.Close(0)
	})
	return "http://" + ln.Addr().String() + "/many"
}

// BenchmarkViewers plays at many tables, each looked at by its two players, who are in a process of their own: how long it takes
// from a press until both screens know, and what a viewer costs: in memory that the process has from the system, collected and
// not, and (kept) in what it uses of that.
func BenchmarkViewers(b *testing.B) {
	debug.SetGCPercent(100) // As the program has it: other tests here collect little.
	store := stores.Open(b, filepath.Join(b.TempDir(), "viewers.db"), bolt.Options{})
	at := standing(b, hall(b, store, *liveTables))
	for range b.N {
		debug.FreeOSMemory()
		before, held := anonymous(b), kept()
		cmd := exec.CommandContext(b.Context(), os.Args[0], "-test.run", "^TestSwarm$", "-test.v", fmt.Sprint("-live-tables=", *liveTables),
			fmt.Sprint("-live-time=", *liveTime), fmt.Sprint("-live-rest=", *liveRest), "-live-at="+at)
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		standing := make(chan int64, 1)
		time.AfterFunc(*liveTime*3/4, func() { standing <- kept() - held })
		said, _ := io.ReadAll(out)
		grown := anonymous(b) - before
		if err := cmd.Wait(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
		for _, line := range strings.Split(string(said), "\n") {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "seen" {
				n, _ := strconv.ParseFloat(fields[1], 64)
				b.ReportMetric(n, fields[2])
			}
		}
		b.ReportMetric(float64(grown)/float64(2**liveTables)/1000, "kB/viewer")
		b.ReportMetric(float64(<-standing)/float64(2**liveTables)/1000, "kept-kB/viewer")
	}
}

// kept is how many bytes of memory the process uses, and not only waits to use again.
func kept() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// anonymous is how many bytes of memory the process has that no file stands for.
func anonymous(tb testing.TB) int64 {
	tb.Helper()
	text, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Anonymous:" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

// glimpse is what a viewer of the swarm reads of a scene.
type glimpse struct {
	Seal  string
	Scene *struct {
		Version uint64
		Yours   bool
		Acts    []struct {
			Token, Do string
			Later     bool
		}
	}
}

// viewer is one of the swarm.
type viewer struct {
	seal string
	mu   sync.Mutex
	now  glimpse
	news chan uint64
}

// TestSwarm plays at some tables for a moment, and wants each move to be seen by both who sit there. It is the other side of
// BenchmarkViewers, too, which says where the tables are.
func TestSwarm(t *testing.T) {
	if *liveAt != "" {
		client := &http.Client{Transport: &http.Transport{MaxIdleConns: 200, MaxIdleConnsPerHost: 200}}
		took := (&swarm{t: t, client: client, at: *liveAt}).plays(*liveTables, *liveTime, *liveRest)
		ms := func(part float64) float64 { return float64(took[int(part*float64(len(took)-1))].Microseconds()) / 1000 }
		fmt.Println("seen", float64(len(took))/liveTime.Seconds(), "moves/s")
		fmt.Println("seen", ms(0.5), "p50-ms")
		fmt.Println("seen", ms(0.95), "p95-ms")
		fmt.Println("seen", ms(0.99), "p99-ms")
		return
	}
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := inside(t, hall(t, mem.New(), 8))
		if took := (&swarm{t: t, client: srv.Client, at: srv.URL + "/many"}).plays(8, 2*time.Second, 200*time.Millisecond); took[len(took)-1] > 0 {
			t.Errorf("a move was seen after %v", took[len(took)-1])
		}
	})
}

// swarm is players at many tables, all looking on.
type swarm struct {
	t      *testing.T
	client *http.Client
	at     string
}

// plays plays for a time, and tells how long each move took to be seen by both at its table, sorted. There is at least one.
func (s *swarm) plays(tables int, playTime, rest time.Duration) (took []time.Duration) {
	s.t.Helper()
	viewers := make([]*viewer, 2*tables)
	atOnce(len(viewers), func(i int) { viewers[i-1] = s.comes(i - 1) })
	var mu sync.Mutex
	end := time.Now().Add(playTime)
	var playing sync.WaitGroup
	for g := range tables {
		playing.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 0))
			time.Sleep(time.Duration(r.Int64N(int64(rest))))
			for n := 0; time.Now().Before(end); n++ {
				if d, ok := s.moves(viewers[2*g:2*g+2], n); ok {
					mu.Lock()
					took = append(took, d)
					mu.Unlock()
				}
				time.Sleep(rest/2 + time.Duration(r.Int64N(int64(rest))))
			}
		})
	}
	playing.Wait()
	slices.Sort(took)
	if len(took) == 0 {
		s.t.Fatal("nobody has played")
	}
	return took
}

// comes opens the live connection of player n.
func (s *swarm) comes(n int) *viewer {
	t := s.t
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(s.at, "http")+"/live", &websocket.DialOptions{HTTPClient: s.client})
	if err != nil {
		panic(err)
	}
	conn.SetReadLimit(1 << 20)
	v := &viewer{news: make(chan uint64, 64)}
	_ = conn.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"login":"%d.%d"}`, n/2, n+1))
	_, first, err := conn.Read(t.Context())
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(first, &v.now); err != nil {
		panic(err)
	}
	v.seal = v.now.Seal
	var visit visitEvent
	_ = json.Unmarshal(first, &visit)
	_ = conn.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"look":%q}`, visit.Table))
	go v.read(t, conn)
	return v
}

// read reads what the viewer sees, until the connection ends.
func (v *viewer) read(t *testing.T, conn *websocket.Conn) {
	for {
		_, b, err := conn.Read(t.Context())
		if err != nil {
			return
		}
		if !bytes.Contains(b, []byte(`"kind":"scene"`)) {
			continue
		}
		var g glimpse
		if json.Unmarshal(b, &g) != nil || g.Scene == nil {
			continue
		}
		v.mu.Lock()
		v.now = g
		v.mu.Unlock()
		select {
		case v.news <- g.Scene.Version:
		default:
		}
	}
}

// moves makes one move at a table, and tells how long it took until both have seen it; false if none was made.
func (s *swarm) moves(players []*viewer, n int) (time.Duration, bool) {
	for _, v := range players {
		v.mu.Lock()
		now := v.now.Scene
		v.mu.Unlock()
		if now == nil || !now.Yours {
			continue
		}
		for _, do := range []string{"keep", "flip"} {
			for _, act := range now.Acts {
				if act.Do != do || act.Later {
					continue
				}
				began := time.Now()
				if !s.press(v, act.Token, fmt.Sprint(n, do)) {
					continue
				}
				for _, other := range players {
					for seen := uint64(0); seen <= now.Version; {
						select {
						case seen = <-other.news:
						case <-time.After(10 * time.Second):
							s.t.Error("a move was not seen for 10 s")
							return 0, false
						}
					}
				}
				return time.Since(began), true
			}
		}
	}
	return 0, false
}

// press presses a button, and reports whether that was taken.
func (s *swarm) press(v *viewer, token, id string) bool {
	t := s.t
	b, _ := json.Marshal(note{ID: strings.ReplaceAll(id, " ", "-"), Token: token})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.at+"/press", bytes.NewReader(b))
	if err != nil {
		t.Error(err)
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(visitHeader, v.seal)
	resp, err := s.client.Do(req)
	if err != nil {
		t.Error(err)
		return false
	}
	defer resp.Body.Close()
	var a said
	return json.NewDecoder(resp.Body).Decode(&a) == nil && !a.Alert && resp.StatusCode == http.StatusOK
}
