package live_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"slices"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
)

var watchers = flag.Int("watchers", 1000, "how many look at the table of BenchmarkCrowd")

// crowded is a club with a table that so many people look at who don't sit there, in three languages.
func crowded(t testing.TB, line string, n int) (*club, table.ID, []*live.Look) {
	c := newClub(t, 5)
	id := c.open(line)
	c.do(c.people[1], "join")
	var looks []*live.Look
	for i := range n {
		who := chat.User{ID: int64(100 + i), Name: "Eve", Lang: []string{"en", "ru", "pl"}[i%3]}
		k, err := c.bot.Live().Look(t.Context(), chat.Request{Who: who, In: c.place}, id, func() {})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(k.Close)
		looks = append(looks, k)
	}
	return c, id, looks
}

// TestCrowd: in a crowd everybody sees what they would see alone, and what is the same for many is drawn once.
func TestCrowd(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"/zevaka limit=60s", "/banchok limit=60s"} {
		c, id, watching := crowded(t, line, 12)
		watching[3].Speak(chat.User{ID: 103, Name: "Eve", Lang: "en", Admin: true})
		lone := live.New(c.bot.Live().Deps)
		plain := func(b []byte) string {
			var s live.Scene
			if err := json.Unmarshal(b, &s); err != nil {
				t.Fatal(err)
			}
			s.Steps = nil
			b, _ = json.Marshal(s)
			return string(b)
		}
		seen := func(k *live.Look) []byte {
			b, err := k.NextJSON(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		look := func() {
			t.Helper()
			var all [][]byte
			for i, k := range watching {
				all = append(all, seen(k))
				who := chat.User{ID: int64(100 + i), Lang: []string{"en", "ru", "pl"}[i%3], Admin: i == 3}
				alone, err := lone.Look(t.Context(), chat.Request{Who: who, In: c.place}, id, func() {})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := plain(all[i]), plain(seen(alone)); got != want {
					t.Errorf("%s: watcher %d sees\n%s\nand alone\n%s", line, i, got, want)
				}
				alone.Close()
			}
			if !bytes.Contains(all[0], []byte(`"purse"`)) && (&all[0][0] != &all[6][0] || &all[1][0] != &all[4][0]) {
				t.Errorf("%s: the same was drawn twice", line)
			}
			if &all[0][0] == &all[3][0] || &all[0][0] == &all[1][0] {
				t.Errorf("%s: what is different was drawn once", line)
			}
			for _, u := range c.people[:2] {
				if s := c.see(u); s.Seat < 0 || !s.Seats[s.Seat].You {
					t.Errorf("%s: %s doesn't see who they are", line, u.Name)
				}
			}
		}
		look()
		c.do(c.people[0], "deal")
		look()
		for _, u := range c.people[:2] {
			if s := c.see(u); s.Phase == "cutting" && s.Yours {
				c.do(u, "cut")
			}
		}
		for range 20 {
			look()
			c.random(3)
		}
		// Who was asleep meanwhile sees all the moves.
		c.see(c.people[3])
		c.random(4)
		if first := seen(watching[0]); !slices.Equal(first, seen(watching[6])) {
			t.Errorf("%s: two see the same table in different ways", line)
		}
	}
}

// BenchmarkCrowd measures what a move costs at a table that a crowd looks at, until all of them have their picture: the time
// for one of them.
func BenchmarkCrowd(b *testing.B) {
	c, _, looks := crowded(b, "/zevaka 21a limit=none", *watchers)
	c.do(c.people[0], "deal")
	for _, u := range c.people[:2] {
		if s := c.see(u); s.Phase == "cutting" && s.Yours {
			c.do(u, "no-cut")
		}
	}
	var spent time.Duration
	for range b.N {
		c.random(1)
		began := time.Now()
		for _, k := range looks {
			if _, err := k.NextJSON(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		spent += time.Since(began)
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N**watchers)/1000, "µs/picture")
}
