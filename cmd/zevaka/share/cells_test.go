package share

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/cmd/zevaka/cells"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// clubs are two cells, of clusters of one member each, and the directory, half of which is in the cluster of either: of community 1
// it says in the first where that lives, of community 2 in the second.
type clubs struct {
	*testing.T
	*cells.Directory
	all map[string]*club
}

func newClubs(t *testing.T) *clubs {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	x := &clubs{T: t, all: map[string]*club{}}
	for _, name := range []string{"one", "two"} {
		hosts := etcdtest.New(t, etcdtest.Options{Members: 1}).Hosts()
		if x.Directory == nil {
			x.Directory = x.directory(etcd.Address{Hosts: hosts, Prefix: "directory"}, true)
		}
		x.all[name] = &club{T: t, at: etcd.Address{Hosts: hosts, Prefix: "cell"}, words: all, cell: name, directory: x.Directory}
		if err := x.Enter(t.Context(), x.all[name].store(true), name, x.all[name].at.String()); err != nil {
			t.Fatal(err)
		}
	}
	half := etcd.Address{Hosts: x.all["two"].at.Hosts, Prefix: "directory"}
	if err := (cells.Spreader{Directory: x.Directory}).Add(t.Context(), half.String()); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *clubs) directory(at etcd.Address, fresh bool) *cells.Directory {
	x.Helper()
	store, err := etcd.Open(x.Context(), at, etcd.Options{New: fresh})
	if err != nil {
		x.Fatal(err)
	}
	d, err := cells.New(x.Context(), store, func(ctx context.Context, address string, fresh bool) (*etcd.Store, error) {
		at, err := etcd.ParseAddress(address)
		if err != nil {
			return nil, err
		}
		return etcd.Open(ctx, at, etcd.Options{New: fresh, Seldom: true})
	})
	if err != nil {
		x.Fatal(err)
	}
	x.Cleanup(func() { _ = d.Close() })
	return d
}

// mover moves between the cells.
func (x *clubs) mover(step func(string) error) cells.Mover {
	return cells.Mover{
		Directory: x.Directory, Step: step, Wait: 200 * time.Millisecond,
		Open: func(ctx context.Context, cell cells.Cell) (*etcd.Store, error) {
			at, err := etcd.ParseAddress(cell.Store)
			if err != nil {
				return nil, err
			}
			return etcd.Open(ctx, at, etcd.Options{Layout: keyspace.Community})
		},
	}
}

// lives is where a community lives.
func (x *clubs) lives(id int64) string {
	x.Helper()
	home, err := x.Find(x.Context(), community(id).String())
	if err != nil {
		x.Fatal(err)
	}
	return home.Cell
}

func community(id int64) chat.Community { return chat.Community{Platform: chat.Telegram, ID: -id} }

// tables are how many tables are open in a community, in each cell. The audit of both is clean.
func (x *clubs) tables(id int64) map[string]int {
	x.Helper()
	found := map[string]int{}
	for name, c := range x.all {
		store, err := etcd.Open(x.Context(), c.at, etcd.Options{Layout: keyspace.Community})
		if err != nil {
			x.Fatal(err)
		}
		for page, err := range storage.Pages(x.Context(), store, keyspace.OpenTables+community(id).String()+"/") {
			if err != nil {
				x.Fatal(err)
			}
			found[name] += len(page)
		}
		_, err = upkeep.NewArchive(store, games.All()).Audit(x.Context(), func(p purse.Problem) { x.Errorf("cell %s: %s", name, p) })
		if err = errors.Join(err, store.Close()); err != nil {
			x.Error(err)
		}
	}
	return found
}

// TestCells: communities live in one of two cells, and are served there from wherever they are asked.
func TestCells(t *testing.T) {
	x := newClubs(t)
	one, two := x.all["one"], x.all["two"]
	houses := []*house{one.house(), one.house(), two.house()}
	shared(t, houses[0], houses[1])
	shared(t, houses[2])
	const n = 40
	live := map[string]int{}
	for id := int64(1); id <= n; id++ {
		for _, h := range houses { // Each asks again for the same.
			ctx, cancel := context.WithTimeout(t.Context(), patient)
			if err := one.opens(ctx, h, id); err != nil {
				t.Error(err)
			}
			cancel()
		}
		serving := 0
		for _, h := range houses {
			if h.Serves(community(id)) {
				serving++
			}
		}
		if serving != 1 {
			t.Errorf("community %d is served by %d", id, serving)
		}
		lives := x.lives(id)
		live[lives]++
		if id%8 == 0 {
			if found := x.tables(id); found[lives] != 1 || found["one"]+found["two"] != 1 {
				t.Errorf("community %d of cell %s has tables %v", id, lives, found)
			}
		}
	}
	all, err := x.Cells(t.Context())
	if err != nil || len(all) != 2 || all[0].Communities != live["one"] || all[1].Communities != live["two"] || min(live["one"], live["two"]) < n/2-n/8 {
		t.Errorf("the cells are %+v, %v; there live %v", all, err, live)
	}
	sum := 0.0
	for _, h := range houses {
		sum += h.Portion()
	}
	if sum < 0.99 || sum > 1.01 {
		t.Errorf("together they may use %v of what they may", sum)
	}
	// Only one of all processes has a thing.
	if hold, err := houses[0].Share.Take(t.Context(), "poll"); hold == nil || err != nil {
		t.Errorf("nobody has it: %v, %v", hold, err)
	}
	if hold, err := houses[2].Share.Take(t.Context(), "poll"); hold != nil || err != nil {
		t.Errorf("two have it: %v, %v", hold, err)
	}
}

// TestMove: while people open tables, two communities are moved to another cell and back, one after the other. Everything that was answered is
// there, once, in the cell where the community lives, and nothing in the other.
func TestMove(t *testing.T) {
	x := newClubs(t)
	one := x.all["one"]
	houses := []*house{one.house(), one.house(), x.all["two"].house()}
	shared(t, houses[0], houses[1])
	shared(t, houses[2])
	asking, stop := context.WithCancel(t.Context())
	var asked sync.WaitGroup
	var refused atomic.Int64
	answered, slowest := make([]map[int64]bool, len(houses)*2), make([]time.Duration, len(houses)*2)
	for i := range answered {
		answered[i] = map[int64]bool{}
		asked.Go(func() {
			for n := int64(1); asking.Err() == nil; n++ {
				begun := time.Now()
				channel := n*100 + int64(i)
				for !answered[i][channel] { // What is refused is tried again.
					ctx, cancel := context.WithTimeout(t.Context(), patient)
					err := one.opensIn(ctx, houses[rand.IntN(len(houses))], int64(1+i%2), channel)
					cancel()
					if answered[i][channel] = err == nil; err != nil {
						refused.Add(1)
						t.Log(err)
					}
				}
				slowest[i] = max(slowest[i], time.Since(begun))
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	for n := range int64(4) {
		id, to := 2-n/2, "two"
		if x.lives(id) == to {
			to = "one"
		}
		moved, err := x.mover(nil).Move(t.Context(), community(id).String(), to)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", moved)
		until(t, "it is served in cell "+to, func() bool {
			for i, h := range houses {
				if h.Serves(community(id)) {
					return (i == 2) == (to == "two")
				}
			}
			return false
		})
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	asked.Wait()
	for id := range int64(2) {
		want := 0
		for i := int(id); i < len(answered); i += 2 {
			want += len(answered[i])
		}
		found, lives := x.tables(id+1), x.lives(id+1)
		t.Logf("community %d: %d answered, found %v, %d refused, the slowest took %v", id+1, want, found, refused.Load(), slowest)
		if found[lives] != want || found["one"]+found["two"] != found[lives] {
			t.Errorf("community %d of cell %s has tables %v, %d were answered", id+1, lives, found, want)
		}
	}
}

// errKilled ends a move in a test.
var errKilled = errors.New("killed")

// TestMoveKilled: a move that ended after any of its steps ends when it is called again, or goes back when it is called so in time.
func TestMoveKilled(t *testing.T) {
	x := newClubs(t)
	one := x.all["one"]
	houses := []*house{one.house(), x.all["two"].house()}
	shared(t, houses[0])
	shared(t, houses[1])
	tables, kills := int64(0), 0
	opens := func() {
		t.Helper()
		tables++
		ctx, cancel := context.WithTimeout(t.Context(), patient)
		defer cancel()
		if err := one.opensIn(ctx, houses[tables%2], 2, tables); err != nil {
			t.Fatal(err)
		}
	}
	opens()
	for _, back := range []bool{false, true} {
		var steps []string
		for n := 0; ; n += enginetest.Bound(4, 1) {
			from := x.lives(2)
			to := map[string]string{"one": "two", "two": "one"}[from]
			at, last := 0, ""
			_, err := x.mover(func(step string) error {
				if at++; at <= n {
					return nil
				}
				last = step
				return errKilled
			}).Move(t.Context(), community(2).String(), to)
			if err == nil {
				break
			}
			kills++
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			steps = append(steps, last)
			again := to
			if back {
				again = from
			}
			if _, err := x.mover(nil).Move(t.Context(), community(2).String(), again); err != nil && !errors.Is(err, cells.ErrSame) {
				t.Fatalf("killed at %q, then %v", last, err)
			}
			opens()
			if found := x.tables(2); x.lives(2) != again || found[again] != int(tables) || found[from]+found[to] != int(tables) {
				t.Errorf("killed at %q, called again to %s: it lives in %s, with tables %v of %d", last, again, x.lives(2), found, tables)
			}
		}
		t.Logf("back %v: killed at %v", back, steps)
		if !slices.Contains(steps, "page") || len(steps) < 4 {
			t.Errorf("it was killed only at %v", steps)
		}
	}
	t.Logf("killed %d times", kills)
}

// TestWrongMoves: what can't be moved is refused in words.
func TestWrongMoves(t *testing.T) {
	x := newClubs(t)
	home, err := x.Settle(t.Context(), "t1", "one")
	if err != nil || home.Cell != "one" {
		t.Fatalf("%+v, %v", home, err)
	}
	alone := func(fn func() error) error {
		return Alone(t.Context(), x.all["one"].store(false), "test", func(storage.Store) error { return fn() })
	}
	for _, c := range []struct {
		community, to string
		want          error
	}{
		{"t1", "one", cells.ErrSame}, {"t1", "three", cells.ErrNoCell}, {"t2", "one", cells.ErrNowhere}, {"what", "one", cells.ErrNowhere},
	} {
		if _, err := x.mover(nil).Move(t.Context(), c.community, c.to); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v, want %v", c.community, c.to, err, c.want)
		}
	}
	err = alone(func() error { _, err := x.mover(nil).Move(t.Context(), "t1", "two"); return err })
	if !errors.Is(err, cells.ErrAlone) {
		t.Errorf("moved while somebody is alone: %v", err)
	}
	var inside, other error
	_, err = x.mover(func(string) error {
		if inside == nil {
			inside = alone(func() error { return nil })
			_, other = x.mover(nil).Move(t.Context(), "t1", "two")
		}
		return nil
	}).Move(t.Context(), "t1", "two")
	if err != nil || !errors.Is(inside, ErrAlone) || !errors.Is(other, cells.ErrMoving) {
		t.Errorf("%v; alone meanwhile: %v; moved by two: %v", err, inside, other)
	}
	for name, enter := range map[string]func() error{
		"another name": func() error { return x.Enter(t.Context(), x.all["one"].store(false), "other", "x") },
		"a directory":  func() error { return x.Enter(t.Context(), x.Store(), "other", "x") },
		"as directory": func() error { _, err := cells.New(t.Context(), x.all["one"].store(false), nil); return err },
	} {
		if err := enter(); !errors.Is(err, cells.ErrLabel) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := x.Enter(t.Context(), x.all["one"].store(false), "Big One", "x"); err == nil {
		t.Error("a cell may have any name")
	}
}
