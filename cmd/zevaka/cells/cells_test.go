package cells

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine/enginetest"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// place is a cluster with the stores in it.
type place struct {
	*testing.T
	hosts []string
	*Directory
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{T: t, hosts: etcdtest.New(t, etcdtest.Options{Members: 1}).Hosts()}
	p.Directory = p.directory("directory")
	return p
}

// directory is the directory of a head, whose others are in the same cluster.
func (p *place) directory(prefix string) *Directory {
	p.Helper()
	d, err := New(p.Context(), p.open(prefix, nil), func(ctx context.Context, address string, fresh bool) (*etcd.Store, error) {
		at, err := etcd.ParseAddress(address)
		if err != nil {
			return nil, err
		}
		return etcd.Open(ctx, at, etcd.Options{New: fresh, Seldom: true})
	})
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = d.Close() })
	return d
}

// address is that of a prefix in the cluster.
func (p *place) address(prefix string) string {
	return etcd.Address{Hosts: p.hosts, Prefix: prefix}.String()
}

func (p *place) open(prefix string, layout etcd.Layout) *etcd.Store {
	p.Helper()
	s, err := etcd.Open(p.Context(), etcd.Address{Hosts: p.hosts, Prefix: prefix}, etcd.Options{New: true, Layout: layout})
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = s.Close() })
	return s
}

// cell is the store of a cell with these items in it, before it becomes one.
func (p *place) cell(name string, items map[string]string) *etcd.Store {
	p.Helper()
	s := p.open(name, keyspace.Community)
	err := storage.Update(p.Context(), s, func(tx storage.Tx) error {
		for key, value := range items {
			tx.Put(key, []byte(value))
		}
		return nil
	})
	if err != nil {
		p.Fatal(err)
	}
	return s
}

// enter makes a store a cell.
func (p *place) enter(s *etcd.Store, name string) error {
	return p.Enter(p.Context(), s, name, p.address(name))
}

// lives are the cells where communities live.
func (p *place) lives(communities ...string) (all []string) {
	p.Helper()
	for _, c := range communities {
		home, err := p.Find(p.Context(), c)
		if err != nil && !errors.Is(err, ErrNowhere) {
			p.Fatal(err)
		}
		all = append(all, home.Cell)
	}
	return all
}

func (p *place) mover() Mover {
	return Mover{Directory: p.Directory, Wait: time.Millisecond, Open: func(ctx context.Context, c Cell) (*etcd.Store, error) {
		at, err := etcd.ParseAddress(c.Store)
		if err != nil {
			return nil, err
		}
		return etcd.Open(ctx, at, etcd.Options{Layout: keyspace.Community})
	}}
}

// TestEnter: whoever has something in a database lives there when it becomes a cell, and nobody who lives in another cell can; it
// isn't made one while somebody serves it.
func TestEnter(t *testing.T) {
	p := newPlace(t)
	first := p.cell("one", map[string]string{
		"o/t1/a": "x", "a/t1/u1": "x", "m/t2": "t1", "p/t2/2/0": "x", "q/d5": "x", keyspace.RunningTime: "1",
	})
	session, err := first.Join(t.Context(), "somebody")
	if err != nil {
		t.Fatal(err)
	}
	if hold, err := session.Take(t.Context(), "process/x"); hold == nil || err != nil {
		t.Fatal(hold, err)
	}
	if err := p.enter(first, "one"); !errors.Is(err, ErrServed) {
		t.Errorf("served, it becomes a cell: %v", err)
	}
	if err := session.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.enter(first, "one"); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := p.lives("t1", "t2", "d5", "t9"), []string{"one", "one", "one", ""}; !slices.Equal(got, want) {
		t.Errorf("they live in %q, want %q", got, want)
	}
	if family, err := p.Family(t.Context(), "t2"); err != nil || !slices.Equal(family, []string{"t1", "t2"}) {
		t.Errorf("t2 is of the family %q, %v", family, err)
	}
	if err := p.enter(p.cell("two", map[string]string{"o/t7/a": "x", "o/t1/b": "x"}), "two"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("one who lives elsewhere: %v", err)
	}
	all, err := p.Cells(t.Context())
	if err != nil || len(all) != 2 || all[0].Communities != 2 || all[0].Founding || !all[1].Founding {
		t.Errorf("the cells are %+v, %v", all, err)
	}
	for range 20 { // What isn't wholly a cell takes nobody.
		if home, err := p.Settle(t.Context(), "t"+fmt.Sprint(100+len(all)), ""); err != nil || home.Cell != "one" {
			t.Errorf("settled in %+v, %v", home, err)
		}
		all = append(all, Cell{})
	}
	if err := p.SetClosed(t.Context(), "one", true); err != nil {
		t.Fatal(err)
	}
	if home, err := p.Settle(t.Context(), "t99", ""); !errors.Is(err, ErrFull) {
		t.Errorf("all are closed: %+v, %v", home, err)
	}
}

// TestFamilyMoves: a community moves with all the IDs that it has had, and its turns end as late as before.
func TestFamilyMoves(t *testing.T) {
	p := newPlace(t)
	now, old := chat.Community{Platform: chat.Telegram, ID: -2}, chat.Community{Platform: chat.Telegram, ID: -1}
	id := table.ID{Community: now, Name: "a"}
	ends := table.Running(time.Hour.Milliseconds())
	opened := &table.Table{ID: id, Format: table.Format, Phase: table.Lobby, Agreed: table.Agreed{Game: "zevaka"}, Deadlines: table.Deadlines{Ends: ends}}
	value, err := opened.Encode()
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]string{
		"a/" + old.String() + "/u1": "x", "m/" + now.String(): old.String(), table.KeyOpen(id): string(value), "q/" + now.String(): "x",
		"a/" + old.String() + "0/u1": "another's", keyspace.RunningTime: fmt.Sprint(int64(time.Minute)),
	}
	for n := range 1500 {
		items[fmt.Sprintf("e/%s/%04d", old, n)] = fmt.Sprintf("%0600d", n)
		if len(items) == 90 {
			p.cell("one", items)
			clear(items)
		}
	}
	// One of two people has ratings that count together with those of a community that stays, and of one that lives in the other cell.
	items["P/"+old.String()+"/1"], items["P/t-8/1"], items["P/"+old.String()+"/2"] = `{"joined":true}`, `{"joined":true}`, `{"notice":"off"}`
	items["J/*/t/1"] = fmt.Sprintf("[%q,%q]", old, "t-8")
	one, two := p.cell("one", items), p.cell("two", map[string]string{keyspace.RunningTime: fmt.Sprint(int64(time.Hour)), "P/t-9/1": `{"joined":true}`, "J/*/t/1": `["t-9"]`})
	if err := errors.Join(p.enter(one, "one"), p.enter(two, "two")); err != nil {
		t.Fatal(err)
	}
	moved, err := p.mover().Move(t.Context(), now.String(), "two")
	if err != nil || moved.Items != 1506 {
		t.Fatalf("%+v, %v", moved, err)
	}
	if got, want := p.lives(old.String(), now.String(), old.String()+"0"), []string{"two", "two", "one"}; !slices.Equal(got, want) {
		t.Errorf("they live in %q, want %q", got, want)
	}
	left, err := one.Scan(t.Context(), "", "", 10)
	if err != nil || len(left) != 4 || left[2].Key != "a/"+old.String()+"0/u1" || string(left[0].Value) != `["t-8"]` {
		t.Errorf("left are %+v, %v", left, err)
	}
	there, err := two.Get(t.Context(), table.KeyOpen(id))
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Decode(id, there[0].Value)
	if want := ends.Add(time.Hour - time.Minute + clock.SaveEvery); err != nil || got.Ends != want {
		t.Errorf("the turn ends at %+v, want %v, %v", got, want, err)
	}
	all, err := p.Cells(t.Context())
	if err != nil || all[0].Communities != 2 || all[1].Communities != 2 {
		t.Errorf("the cells are %+v, %v", all, err)
	}
	// Another ID is taken along, unless something lives elsewhere under it.
	if err := p.Rename(t.Context(), now.String(), "t-3"); err != nil || p.lives("t-3")[0] != "two" {
		t.Errorf("renamed it lives in %q, %v", p.lives("t-3"), err)
	}
	if err := p.Rename(t.Context(), now.String(), old.String()+"0"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("renamed to another: %v", err)
	}
}

// reader reads a store.
type reader struct {
	ctx context.Context
	storage.Store
}

// Get implements storage.Getter.
func (r reader) Get(keys ...string) ([]storage.Item, error) { return r.Store.Get(r.ctx, keys...) }

// TestRecord: the record of a community is small, as there are many.
func TestRecord(t *testing.T) {
	text, err := json.Marshal(record{Cell: "one"})
	if err != nil || string(text) != `{"cell":"one"}` {
		t.Errorf("%s, %v", text, err)
	}
}
