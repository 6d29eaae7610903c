package web

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
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
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

var (
	cutMoves = flag.Int("cut-moves", 25, "how many moves TestCuts makes at each of its tables, through connections that are cut")
	cutSeed  = flag.Uint64("cut-seed", 1, "what TestCuts draws its moves and cuts from")
)

// cutTables is at how many tables TestCuts plays at once.
const cutTables = 16

// errCut is an answer that didn't arrive.
var errCut = errors.New("cut")

// flaky loses one in twenty requests before they arrive, and as many answers after what they ask was done.
type flaky struct {
	http.RoundTripper
	cuts   *atomic.Int64
	random *rand.Rand
}

// RoundTrip sends a request, or doesn't.
func (f flaky) RoundTrip(req *http.Request) (*http.Response, error) {
	chance := f.random.IntN(20)
	if chance == 0 {
		f.cuts.Add(1)
		return nil, errCut
	}
	if chance == 1 {
		ctx, cancel := context.WithCancel(req.Context())
		go cancel() // At any moment.
		req = req.Clone(ctx)
	}
	resp, err := f.RoundTripper.RoundTrip(req)
	if err == nil && chance <= 2 {
		f.cuts.Add(1)
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return nil, errCut
	}
	return resp, err
}

// cutter is somebody who plays alone at a table through connections that are cut.
type cutter struct {
	t      *testing.T
	srv    *site
	client *http.Client
	group  int
	user   int
	seal   string
	table  string
	conn   *websocket.Conn
	cuts   *atomic.Int64
	random *rand.Rand
	// last is the table as it was seen last, nil on a new connection.
	last *live.Scene
}

// TestCuts plays patiences through live connections and requests that are cut at any moment: what was answered was done, once.
func TestCuts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// A second goes by with each request, so that no press is taken for a double tap.
		var requests atomic.Int64
		store := mem.New()
		dealer, err := bot.New(t.Context(), bot.Options{
			Store: store, Games: games.All(), Running: func() time.Duration { return time.Duration(requests.Load()) * time.Second },
		})
		if err != nil {
			t.Fatal(err)
		}
		m := &many{bot: dealer, tables: make([]string, cutTables), asked: &requests}
		srv := inside(t, New(dealer, Options{Log: quiet(), Tables: tablesOf(dealer), Doors: []door.Door{m}}))
		var cuts atomic.Int64
		var playing sync.WaitGroup
		for g := range cutTables {
			playing.Go(func() {
				c := &cutter{t: t, srv: srv, group: g, user: g + 1, cuts: &cuts, random: rand.New(rand.NewPCG(*cutSeed, uint64(g)))}
				c.client = &http.Client{Transport: flaky{srv.net.client("127.0.0.1").Transport, &cuts, c.random}}
				for n, left := 0, *cutMoves; left > 0 && !t.Failed(); n++ {
					done := c.play(m, n, left)
					left -= done
					c.check(store, done)
				}
			})
		}
		playing.Wait()
		t.Logf("%d moves at each table, %d cuts", *cutMoves, cuts.Load())
		if t.Failed() || cuts.Load() == 0 {
			t.Errorf("to see it again: -run TestCuts -cut-seed %d -cut-moves %d", *cutSeed, *cutMoves)
		}
	})
}

// play lays one patience until no more moves are wanted, or it is long, and returns how many moves were answered.
func (c *cutter) play(m *many, n, left int) (done int) {
	r := chat.Request{ID: fmt.Sprint("lay ", c.group, " ", n), Kind: chat.Command, In: manyPlace(c.group), Data: "/patience polusharia"}
	r.Who = chat.User{ID: int64(c.user), Name: "P", Lang: "en"}
	c.table = m.bot.Handle(c.t.Context(), r).Opened
	c.connect()
	for i := 0; done < min(left, 300) && !c.t.Failed(); i++ {
		s := c.see(done)
		var acts []live.Act
		for _, a := range s.Acts {
			if a.Kind == "move" && !strings.Contains(a.Token, "!pile") || a.Kind == "deal" {
				acts = append(acts, a)
			}
		}
		if len(acts) == 0 {
			break
		}
		if c.press(acts[c.random.IntN(len(acts))].Token, fmt.Sprint("n", n, "i", i)) {
			done++
		}
		if c.random.IntN(20) == 0 {
			c.cuts.Add(1)
			_ = c.conn.CloseNow()
			c.connect()
		}
	}
	c.giveUp(m, n)
	return done
}

// giveUp ends the patience, so that there is room for the next one.
func (c *cutter) giveUp(m *many, n int) {
	for i, data := range []string{"/giveup", "/m giveup"} {
		r := chat.Request{ID: fmt.Sprint("end ", c.group, n, i), Kind: chat.Command, In: manyPlace(c.group), Data: data}
		r.Who = chat.User{ID: int64(c.user), Name: "P", Lang: "en"}
		for _, p := range m.bot.Handle(c.t.Context(), r).Posts {
			for _, row := range p.Buttons {
				if p.To != nil {
					r.ID, r.Kind, r.Data = r.ID+"b", chat.Press, row[0].Token
					m.bot.Handle(c.t.Context(), r)
				}
			}
		}
	}
	_ = c.conn.CloseNow()
}

// check counts the moves that stand in the table's log.
func (c *cutter) check(store storage.Store, done int) {
	id, _ := table.ParseID(c.table)
	items, err := store.Get(c.t.Context(), table.KeyOpen(id), table.KeyEnded(id))
	if err != nil {
		c.t.Error(err)
		return
	}
	for _, item := range items {
		if item.Rev == 0 {
			continue
		}
		t, err := table.Decode(id, item.Value)
		if err != nil {
			c.t.Error(err)
		} else if t.Line != done {
			c.t.Errorf("%s has %d moves, and %d were answered", c.table, t.Line, done)
		}
		return
	}
	if done > 0 {
		c.t.Errorf("%s is gone with its %d moves", c.table, done)
	}
}

// connect opens the live connection, by a login the first time and by the seal later.
func (c *cutter) connect() {
	conn, _, err := websocket.Dial(c.t.Context(), c.srv.live("/many"), &websocket.DialOptions{HTTPClient: c.srv.Client})
	if err != nil {
		c.t.Error(err)
		return
	}
	conn.SetReadLimit(1 << 20)
	hello := fmt.Sprintf(`{"login":"%d.%d"}`, c.group, c.user)
	if c.seal != "" {
		hello = fmt.Sprintf(`{"seal":%q}`, c.seal)
	}
	_ = conn.Write(c.t.Context(), websocket.MessageText, []byte(hello))
	var first visitEvent
	_, b, err := conn.Read(c.t.Context())
	if err == nil {
		err = json.Unmarshal(b, &first)
	}
	if err != nil || first.Seal == "" {
		c.t.Errorf("%s: %v", b, err)
		return
	}
	c.seal, c.conn, c.last = first.Seal, conn, nil
}

// see is the table with all the moves that were answered: as it is shown without asking, once the connection looks at it.
func (c *cutter) see(done int) *live.Scene {
	if c.last == nil {
		_ = c.conn.Write(c.t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"look":%q}`, c.table))
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	for c.last == nil || c.last.Solitaire.Moves < done {
		_, b, err := c.conn.Read(ctx)
		if err != nil {
			c.t.Errorf("%s: move %d is not seen: %v", c.table, done, err)
			return &live.Scene{}
		}
		var event struct {
			Kind  string
			Scene *live.Scene
		}
		if json.Unmarshal(b, &event) == nil && event.Kind == "scene" && event.Scene != nil {
			c.last = event.Scene
		}
	}
	if c.last.Solitaire.Moves > done {
		c.t.Errorf("%s: %d moves are seen, and %d were answered", c.table, c.last.Solitaire.Moves, done)
	}
	return c.last
}

// press presses until there is an answer, and reports whether the move was made.
func (c *cutter) press(token, id string) bool {
	b, _ := json.Marshal(note{ID: id, Token: token})
	for !c.t.Failed() {
		req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.srv.URL+"/many/press", strings.NewReader(string(b)))
		if err != nil {
			c.t.Error(err)
			return false
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(visitHeader, c.seal)
		resp, err := c.client.Do(req)
		if err != nil {
			continue
		}
		var a said
		err = json.NewDecoder(resp.Body).Decode(&a)
		_ = resp.Body.Close()
		switch {
		case err != nil:
		case resp.StatusCode == http.StatusOK:
			return !a.Alert
		case resp.StatusCode != http.StatusTooManyRequests:
			c.t.Errorf("a press is answered %d", resp.StatusCode)
		}
	}
	return false
}
