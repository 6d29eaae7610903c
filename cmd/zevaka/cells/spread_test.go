package cells

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/engine/enginetest"
	"zevaka/storage"
)

// TestSlotOf: an ID lies in the same slot for ever, and IDs lie in all slots alike.
func TestSlotOf(t *testing.T) {
	for c, want := range map[string]int{"t-1001234567890": 569, "d123456789012345678": 200, "w1": 3174} {
		if got := slotOf(c); got != want {
			t.Errorf("%s lies in slot %d, not in %d", c, got, want)
		}
	}
	const each = 100
	for name, id := range map[string]func(int) string{
		"supergroups": func(n int) string { return fmt.Sprintf("t-100%d", 1_000_000_000+n) },
		"groups":      func(n int) string { return fmt.Sprintf("t-%d", n) },
		"servers":     func(n int) string { return fmt.Sprintf("d%d", 1_100_000_000_000_000_000+n<<22) },
	} {
		found := make([]int, Slots)
		for n := range each * Slots {
			found[slotOf(id(n))]++
		}
		if least, most := slices.Min(found), slices.Max(found); least < each/3 || most > each*3 {
			t.Errorf("%s: a slot has %d, another %d", name, least, most)
		}
	}
}

// settled are communities, with the cell where each lives.
type settled map[string]string

// settleMany has so many communities settle.
func (p *place) settleMany(n int) settled {
	p.Helper()
	all := settled{}
	for len(all) < n {
		c := fmt.Sprint("t-", 1+rand.Int64N(1e12))
		home, err := p.Settle(p.Context(), c, "")
		if err != nil {
			p.Fatal(err)
		}
		all[c] = home.Cell
	}
	return all
}

// twoCells are two cells, one and two.
func (p *place) twoCells() {
	p.Helper()
	for _, name := range []string{"one", "two"} {
		if err := p.enter(p.cell(name, nil), name); err != nil {
			p.Fatal(err)
		}
	}
}

// wants wants all to live where they have settled, also for who comes anew, each in one directory, and to be counted there; and
// directories to have so many slots.
func (p *place) wants(all settled, slots ...int) {
	p.Helper()
	fresh := p.directory("directory")
	counted := map[string]int{}
	for c, cell := range all {
		counted[cell]++
		for _, d := range []*Directory{p.Directory, fresh} {
			if home, err := d.Find(p.Context(), c); err != nil || home.Cell != cell {
				p.Errorf("%s lives in %q, not in %q: %v", c, home.Cell, cell, err)
			}
		}
	}
	cells, err := fresh.Cells(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	for _, one := range cells {
		if one.Communities != counted[one.Name] {
			p.Errorf("cell %s has %d communities, counted are %d", one.Name, counted[one.Name], one.Communities)
		}
	}
	parts, err := fresh.Parts(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	got, there := []int{}, 0
	for at, one := range parts {
		got, there = append(got, one.Slots), there+one.Communities
		store, err := fresh.store(p.Context(), fresh.known(), at)
		if err != nil {
			p.Fatal(err)
		}
		open := 0
		for page, err := range storage.Pages(p.Context(), store, slotKeys) {
			if err != nil {
				p.Fatal(err)
			}
			open += len(page)
		}
		if open != one.Slots {
			p.Errorf("directory %d has %d slots, %d are open", at, one.Slots, open)
		}
	}
	if there != len(all) || !slices.Equal(got, slots) {
		p.Errorf("directories have %v slots with %d communities, want %v with %d", got, there, slots, len(all))
	}
}

// TestSpread: directories come and go while communities are looked up, settle and move, and nothing is lost or there twice.
func TestSpread(t *testing.T) {
	p := newPlace(t)
	p.twoCells()
	all := p.settleMany(200)
	asking, stop := context.WithCancel(t.Context())
	var asked sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		asked.Go(func() {
			for n := 0; asking.Err() == nil; n++ {
				c := fmt.Sprint("t-", 1+rand.Int64N(1e12))
				home, err := p.Settle(t.Context(), c, "")
				if err != nil {
					t.Error(err)
					continue
				}
				to := map[string]string{"one": "two", "two": "one"}[home.Cell]
				if n%8 == 0 {
					if _, err := p.mover().Move(t.Context(), c, to); err != nil {
						t.Error(err)
					}
					home.Cell = to
				}
				if n%8 == 1 {
					if err := p.Rename(t.Context(), c, c+"0"); err != nil {
						t.Error(err)
					}
				}
				if got, err := p.Find(t.Context(), c); err != nil || got.Cell != home.Cell {
					t.Errorf("%s lives in %+v, not in %s: %v", c, got, home.Cell, err)
				}
				mu.Lock()
				all[c] = home.Cell
				mu.Unlock()
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	prefixes := []string{"second", "third"}[:enginetest.Bound(1, 2)]
	for _, prefix := range prefixes {
		if err := (Spreader{Directory: p.Directory}).Add(t.Context(), p.address(prefix)); err != nil {
			t.Fatal(err)
		}
	}
	if err := (Spreader{Directory: p.Directory}).Remove(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	stop()
	asked.Wait()
	t.Logf("%d communities settled meanwhile", len(all)-200)
	for c, cell := range all {
		family, err := p.Family(t.Context(), c)
		if err != nil || len(family) > 2 {
			t.Errorf("%s is of %v: %v", c, family, err)
		}
		for _, id := range family {
			if home, err := p.Find(t.Context(), id); err != nil || home.First != c || home.Cell != cell {
				t.Errorf("%s of %s lives in %+v, not in %s: %v", id, c, home, cell, err)
			}
		}
	}
	parts, err := p.Parts(t.Context())
	if err != nil || len(parts) != 1+len(prefixes) || parts[0].Slots != 0 || parts[1].Slots != Slots/len(prefixes) || parts[0].Communities != 0 || !parts[0].Closed {
		t.Errorf("the directories are %+v, %v", parts, err)
	}
	counted, err := p.Cells(t.Context())
	if err != nil || counted[0].Communities+counted[1].Communities != len(all) {
		t.Errorf("%d communities, the cells are %+v, %v", len(all), counted, err)
	}
}

// TestSpreadKilled: a command that ended after any of its steps goes on when it is called again, whatever settles in between.
func TestSpreadKilled(t *testing.T) {
	p := newPlace(t)
	p.twoCells()
	all := p.settleMany(100)
	killed := errors.New("killed")
	for _, last := range []struct {
		step  string
		times int // The command ends after it has done the step so often.
	}{
		{"begun", 1}, {"shut", 1}, {"slot", 1}, {"slot", 2}, {"slot", shiftSlots - 1}, {"copied", 1}, {"opened", 1}, {"moved", 1}, {"cleared", 1}, {"ended", 1},
		{"begun", 2}, {"shut", 2}, {"slot", 2 * shiftSlots}, {"copied", 2}, {"opened", 2}, {"moved", 2}, {"cleared", 2}, {"ended", 2},
	}[:enginetest.Bound(10, 18)] {
		done := 0
		err := Spreader{p.Directory, func(step string) error {
			if step == last.step {
				done++
			}
			if done < last.times {
				return nil
			}
			return killed
		}}.Add(t.Context(), p.address("second"))
		if !errors.Is(err, killed) {
			t.Fatalf("after %+v: %v", last, err)
		}
		for c, cell := range p.settleSome(20) {
			all[c] = cell
		}
	}
	if err := (Spreader{Directory: p.Directory}).Add(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	p.wants(all, Slots/2, Slots/2)
	if err := (Spreader{Directory: p.Directory}).Remove(t.Context(), p.address("second")); err != nil {
		t.Fatal(err)
	}
	p.wants(all, Slots, 0)
}

// settleSome has so many communities settle that don't lie in a slot which is on its way: nobody ends that.
func (p *place) settleSome(n int) settled {
	p.Helper()
	if err := p.load(p.Context()); err != nil {
		p.Fatal(err)
	}
	all := settled{}
	for len(all) < n {
		c := fmt.Sprint("t-", 1+rand.Int64N(1e12))
		if s := p.known().Moving; s != nil && slices.Contains(s.Slots, slotOf(c)) {
			continue
		}
		home, err := p.Settle(p.Context(), c, "")
		if err != nil {
			p.Fatal(err)
		}
		all[c] = home.Cell
	}
	return all
}

// TestWrongDirectories: what is no directory of this head is refused in words, and so is who comes second; nothing begins anew where
// a directory has lost what it had.
func TestWrongDirectories(t *testing.T) {
	p := newPlace(t)
	p.twoCells()
	other := p.directory("other")
	if err := (Spreader{Directory: other}).Add(t.Context(), p.address("others")); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]error{
		p.address("one"): ErrLabel, p.address("other"): ErrLabel, p.address("others"): ErrLabel,
	} {
		if err := (Spreader{Directory: p.Directory}).Add(t.Context(), address); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
	if err := (Spreader{Directory: p.Directory}).Remove(t.Context(), p.address("others")); !errors.Is(err, ErrNoDirectory) {
		t.Errorf("removed though it isn't there: %v", err)
	}
	if err := (Spreader{Directory: p.Directory}).Remove(t.Context(), ""); !errors.Is(err, ErrLastDirectory) {
		t.Errorf("the last one removed: %v", err)
	}
	if _, err := New(t.Context(), p.open("others", nil), nil); !errors.Is(err, ErrLabel) {
		t.Errorf("taken for the head: %v", err)
	}
	var second error
	err := Spreader{other, func(string) error {
		if second == nil {
			second = Spreader{Directory: p.directory("other")}.Add(t.Context(), "")
		}
		return nil
	}}.Remove(t.Context(), "")
	if err != nil || !errors.Is(second, ErrSpreading) {
		t.Errorf("%v; by two at once: %v", err, second)
	}
	for page, err := range storage.Pages(t.Context(), p.open("others", nil), slotKeys) {
		if err != nil {
			t.Fatal(err)
		}
		err := storage.Update(t.Context(), p.open("others", nil), func(tx storage.Tx) error {
			for _, it := range page[:min(len(page), 100)] {
				tx.Delete(it.Key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		lost := ""
		for n := 0; lost == ""; n++ {
			if c := fmt.Sprint("t", n); slotKey(slotOf(c)) == page[0].Key {
				lost = c
			}
		}
		if home, err := other.Settle(t.Context(), lost, ""); !errors.Is(err, ErrAstray) {
			t.Errorf("settled in a directory that has lost its data: %+v, %v", home, err)
		}
		break
	}
}

// TestOldDirectory: a directory without slots is brought to what they are now, but not while somebody serves.
func TestOldDirectory(t *testing.T) {
	p := &place{T: t, hosts: newPlace(t).hosts}
	old := p.open("old", nil)
	err := storage.Update(t.Context(), old, func(tx storage.Tx) error {
		for key, value := range map[string]string{
			"cells/one": `{"store":"x","communities":2}`, "cells/two": `{"store":"y","closed":true,"communities":0}`,
			"lives/t1": `{"cell":"one","also":["t2"]}`, "lives/t2": `{"as":"t1"}`, "lives/d5": `{"cell":"one"}`,
		} {
			tx.Put(key, []byte(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Label(t.Context(), headLabel); err != nil {
		t.Fatal(err)
	}
	session, err := old.Join(t.Context(), "somebody")
	if err != nil {
		t.Fatal(err)
	}
	if hold, err := session.Take(t.Context(), "process/x"); hold == nil || err != nil {
		t.Fatal(hold, err)
	}
	if _, err := New(t.Context(), p.open("old", nil), nil); !errors.Is(err, ErrServed) {
		t.Errorf("served, it is brought: %v", err)
	}
	if err := session.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Directory = p.directory("old")
	if got, want := p.lives("t1", "t2", "d5", "t9"), []string{"one", "one", "one", ""}; !slices.Equal(got, want) {
		t.Errorf("they live in %q, want %q", got, want)
	}
	all, err := p.Cells(t.Context())
	if err != nil || len(all) != 2 || all[0].Communities != 2 || !all[1].Closed || all[1].Communities != 0 {
		t.Errorf("the cells are %+v, %v", all, err)
	}
	left, err := old.Scan(t.Context(), oldKeys, "", 1)
	if err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestJoining: another ID that wasn't taken along wholly is, by whoever looks for it; if the community has moved meanwhile it is what
// it was. A community moves without an ID that isn't its own, and leaves what that has alone.
func TestJoining(t *testing.T) {
	p := newPlace(t)
	p.twoCells()
	set := func(c string, r record) {
		t.Helper()
		err := p.update(t.Context(), slotOf(c), func(tx storage.Tx) error { return storage.PutJSON(tx, homeKey(c), r) })
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		first, now record // what stands there
		cell       string // where the new ID lives then
		family     []string
	}{
		{record{Cell: "one"}, record{Joining: true}, "one", []string{"first", "now"}},
		{record{Cell: "one"}, record{Cell: "one", Joining: true}, "one", []string{"first", "now"}},
		{record{Cell: "one", Also: []string{"now"}}, record{Cell: "one", Joining: true}, "one", []string{"first", "now"}},
		{record{Cell: "two", Also: []string{"now"}}, record{Joining: true}, "two", []string{"first", "now"}},
		{record{Cell: "two"}, record{Cell: "one", Joining: true}, "one", []string{"first"}},
		{record{Cell: "one", Step: copying, Other: "two"}, record{Joining: true}, "", []string{"first"}},
		{record{Cell: "one", Step: copying, Other: "two"}, record{Cell: "one", Joining: true}, "one", []string{"first"}},
	} {
		first, now := fmt.Sprint("t", 10+2*i), fmt.Sprint("t", 11+2*i)
		for n, id := range c.first.Also {
			c.first.Also[n] = strings.ReplaceAll(id, "now", now)
		}
		c.now.As = first
		set(first, c.first)
		set(now, c.now)
		if got := p.lives(now); got[0] != c.cell {
			t.Errorf("%d: it lives in %q, not in %q", i, got[0], c.cell)
		}
		want := strings.NewReplacer("first", first, "now", now).Replace(strings.Join(c.family, " "))
		if family, err := p.Family(t.Context(), first); err != nil || strings.Join(family, " ") != want {
			t.Errorf("%d: the family is %v, not %s: %v", i, family, want, err)
		}
	}
	one, two := p.cell("one", map[string]string{"a/t100/u1": "x"}), p.cell("two", map[string]string{"a/t101/u1": "x"})
	set("t100", record{Cell: "one", Also: []string{"t101", "t102"}})
	set("t101", record{Cell: "two"})
	if _, err := p.mover().Move(t.Context(), "t100", "two"); err != nil {
		t.Fatal(err)
	}
	found, err := two.Get(t.Context(), "a/t100/u1", "a/t101/u1")
	if err != nil || found[0].Rev == 0 || found[1].Rev == 0 {
		t.Errorf("there are %+v, %v", found, err)
	}
	if family, err := p.Family(t.Context(), "t100"); err != nil || len(family) != 1 {
		t.Errorf("the family is %v, %v", family, err)
	}
	left, err := one.Scan(t.Context(), "a/", "", 1)
	if err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestRoot: what says where slots are stays small.
func TestRoot(t *testing.T) {
	r := root{ID: "x", Places: make([]site, 50), Slots: make([]byte, Slots)}
	for n := range r.Slots {
		r.Slots[n] = byte(n % 50)
	}
	text, err := json.Marshal(r)
	if err != nil || len(text) > 8000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, over := range (&root{Places: make([]site, 3), Slots: r.Slots[:0]}).over() {
		if over > -Slots/3 {
			t.Errorf("a share is %d", -over)
		}
	}
}
