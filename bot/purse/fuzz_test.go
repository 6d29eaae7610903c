package purse

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// FuzzStored puts anything under any key of a small ledger. Nothing may panic; the audit reads to the end, and what
// can be decoded can be written and decoded again.
func FuzzStored(f *testing.F) {
	s := stores.Bolt(f)
	small(f, s)
	for _, prefix := range []string{keyspace.Accounts, keyspace.Postings, keyspace.History} {
		items, err := s.Scan(f.Context(), prefix, "", page)
		if err != nil {
			f.Fatal(err)
		}
		for _, item := range items {
			f.Add(item.Key, item.Value)
		}
	}
	f.Add("a/"+community+"/u1", []byte(`{"balance":9223372036854775807,"entries":1}`))
	f.Add("a/"+community+"/u1", []byte(`{"balance":1152921504606846976,"entries":999999999998}`))
	f.Add("a/"+community+"/tk7", []byte(`{"u1":1152921504606846976,"house":1}`))
	f.Add("e/"+community+"/gift", []byte(`{"kind":"x","legs":[{"account":"u1","amount":-9223372036854775808,"n":1}]}`))
	f.Add("e/"+community, []byte(`null`))
	f.Fuzz(func(t *testing.T, key string, value []byte) {
		kind := strings.SplitN(key, "/", 3)
		if len(key) > storage.MaxKey || len(kind) < 2 || len(kind[0]) != 1 || !strings.Contains("aeh", kind[0]) || value == nil {
			t.Skip()
		}
		s := mem.New()
		small(t, s)
		if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { tx.Put(key, value); return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := Audit(t.Context(), s, func(Problem) {}); err != nil {
			t.Errorf("audit: %v", err)
		}
		book := Book{Store: s, Community: community}
		// What comes of these is an error or not; the ledger is damaged.
		_, _ = book.History(t.Context(), 1, 0, 10)
		_, _ = book.Richest(t.Context(), 10)
		for _, do := range []func(Ledger) error{
			func(l Ledger) error { _, err := l.Open(1, "x"); return err },
			func(l Ledger) error { _, err := l.Daily("d2", 1); return err },
			func(l Ledger) error { _, err := l.Give("g2", 1, 2, 1); return err },
			func(l Ledger) error { _, err := l.Refund("stop", Cause{Kind: "stop", Table: "k7"}); return err },
		} {
			_ = at(t, s, noon+secondsPerDay, do)
		}
		again(t, key, value)
	})
}

// again decodes a value as what it may be, and what that gives once more.
func again(t *testing.T, key string, value []byte) {
	if p, err := decodePurse(key, value); err == nil {
		if q, err := decodePurse(key, encoded(t, p)); err != nil || p != q {
			t.Errorf("%+v, then %+v, %v", p, q, err)
		}
	}
	if h, err := decodeHeld(key, value); err == nil {
		if g, err := decodeHeld(key, encoded(t, h)); err != nil || !reflect.DeepEqual(h, g) {
			t.Errorf("%+v, then %+v, %v", h, g, err)
		}
	}
	if p, err := decodePosting("e/c/id", value); err == nil {
		if q, err := decodePosting("e/c/id", encoded(t, p)); err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%+v, then %+v, %v", p, q, err)
		}
	}
	if l, err := decodeLine(key, value); err == nil {
		if m, err := decodeLine(key, encoded(t, l)); err != nil || l != m {
			t.Errorf("%+v, then %+v, %v", l, m, err)
		}
		if at := strings.LastIndex(key, "/"); keyLine("c", "u1", l.N) != "h/c/u1"+key[at:] {
			t.Errorf("%s is the key of line %d", key, l.N)
		}
	}
}

func encoded(t *testing.T, v any) []byte {
	value, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// FuzzAccount: a text is an account only if it is the one way to write it.
func FuzzAccount(f *testing.F) {
	for _, a := range []Account{House, User(1), User(-1), User(1 << 62), At("k7", User(5)), At("k7", House), "u00", "u+1", "tk7/u0", "tk7/tk7/u1"} {
		f.Add(string(a))
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := Account(text)
		id, isUser := a.User()
		table, owner, isTable := a.Table()
		if isUser && (User(id) != a || id == 0) || isTable && At(table, owner) != a || isUser && isTable {
			t.Errorf("%q is the purse of %d (%v), and lies at %q for %q (%v)", text, id, isUser, table, owner, isTable)
		}
	})
}
