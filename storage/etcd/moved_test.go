package etcd

import (
	"errors"
	"fmt"
	"testing"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

// movable are the options of a store from which communities may move.
func movable() Options {
	o := patient
	o.Layout, o.Movable = bySlash, true
	return o
}

// TestMovablePartIsAStore runs the contract against a part of a store from which communities may move.
func TestMovablePartIsAStore(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	o, n := movable(), 0
	o.Layout = func(string) (string, bool) { return "friends", true }
	storagetest.Run(t, func(t *testing.T) storage.Store {
		n++
		whole := opened(t, Address{Hosts: c.Hosts(), Prefix: fmt.Sprint("movable/", n)}, o)
		return part(t, taken(t, joined(t, whole, "one"), "part"), PartOf("friends"))
	})
}

// TestShut: what is about a community that was shut out is not committed, also not together with what is about others, until it is
// admitted; whoever doesn't hold any more what lets them shut and admit can't.
func TestShut(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, movable())
	j := joined(t, s, "one")
	p := part(t, taken(t, j, "part/1"), PartOf("friends"))
	mover := taken(t, j, "move")
	commit := func(t storage.Txn, keys ...string) error {
		for _, k := range keys {
			t.Writes = append(t.Writes, storage.Write{Key: k, Value: []byte("x")})
		}
		_, err := p.Commit(c.Client().Ctx(), t)
		return err
	}
	moved := func(err error) bool { return errors.Is(err, ErrMoved) && errors.Is(err, storage.ErrUnavailable) }
	for _, step := range []struct {
		do   func() error
		shut bool
	}{
		{func() error { return nil }, false},
		{func() error { return mover.Shut(t.Context(), "friends", "strangers") }, true},
		{func() error { return mover.Shut(t.Context(), "friends") }, true},
		{func() error { return mover.Admit(t.Context(), "friends", "strangers") }, false},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		for _, keys := range [][]string{{"o/friends/1"}, {"o/others/1", "p/friends"}, {"c/own", "o/friends/1"}} {
			if err := commit(storage.Txn{}, keys...); moved(err) != step.shut || !step.shut && err != nil {
				t.Errorf("%v, shut %v: %v", keys, step.shut, err)
			}
		}
		// What only reads is judged in the same way, and a conflict is told from what has moved.
		old := storage.Txn{Reads: []storage.Item{{Key: "o/friends/1", Rev: 1}}}
		if err := commit(old); moved(err) != step.shut || !step.shut && !errors.Is(err, storage.ErrConflict) {
			t.Errorf("a read, shut %v: %v", step.shut, err)
		}
		if err := commit(storage.Txn{}, "o/others/1", "c/own"); err != nil {
			t.Errorf("others, shut %v: %v", step.shut, err)
		}
	}
	if err := mover.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := mover.Shut(t.Context(), "friends"); !errors.Is(err, ErrFenced) {
		t.Errorf("shut by nobody: %v", err)
	}
}

// TestLabel: a store keeps the first name that it was given.
func TestLabel(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	for i, step := range []struct{ give, want string }{{"", ""}, {"one", "one"}, {"two", "one"}, {"", "one"}} {
		if got, err := s.Label(t.Context(), step.give); got != step.want || err != nil {
			t.Errorf("%d: %q, %v; want %q", i, got, err, step.want)
		}
	}
}
