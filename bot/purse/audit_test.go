package purse

import (
	"slices"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// small makes a ledger in which 1 took the daily chips, gave 2 some, and laid a stake at a table, and a second
// community. The house's postings are 1 to 3, those of 1 are: opened, daily, gift, stake.
func small(t testing.TB, s storage.Store) {
	t.Helper()
	stake := Cause{Kind: "stake", Table: "k7", Deal: 1, Move: 1}
	for _, do := range []func(Ledger) error{
		func(l Ledger) error { _, err := l.Open(1, "Аня"); return err },
		func(l Ledger) error { _, err := l.Daily("daily", 1); return err },
		func(l Ledger) error { _, err := l.Give("gift", 1, 2, 100); return err },
		func(l Ledger) error {
			_, err := l.Post(stake.ID(), stake, mv(User(1), -50), mv(At("k7", User(1)), 50))
			return err
		},
		func(l Ledger) error { l.Community = community + "0"; _, err := l.Grant("grant", 1, 100); return err },
	} {
		must(t, s, do)
	}
}

// TestAudit damages a small ledger in one way after another. The audit must report each damage, at the keys where it
// shows, and nothing else.
func TestAudit(t *testing.T) {
	a, e, h := "a/"+community+"/", "e/"+community+"/", "h/"+community+"/"
	line := func(user string, n int64) string { return keyLine(community, Account(user), n) }
	tests := []struct {
		name string
		key  string
		// Old is replaced by new in the value; an empty old replaces all of it, and an empty new deletes the key.
		old, new string
		// To is where the value goes then, if not back.
		to   string
		want []string
	}{
		{"a purse's balance", a + "u1", `:3150`, `:3151`, "", []string{a + "u1", a, line("u1", 4)}},
		{"a purse's balance and its line", a + "u2", `:3100`, `:3000`, "", []string{a + "u2", a, line("u2", 2)}},
		{"the house's balance", a + "house", `:-6300`, `:-6299`, "", []string{a + "house", a}},
		{"a purse's count", a + "u1", `:4`, `:5`, "", []string{a + "u1"}},
		{"the house's count", a + "house", `:3`, `:2`, "", []string{a + "house"}},
		{"a lost purse", a + "u2", ``, ``, "", []string{a + "u2", a}},
		{"a purse that can't be read", a + "u2", `{`, `[`, "", []string{a + "u2", a + "u2", a}},
		{"a purse nobody opened", a + "u1", ``, `{"balance":7,"entries":1}`, a + "u3", []string{a + "u3", a, keyRich(community)}},
		{"a lost house", a + "house", ``, ``, "", []string{a + "house", a}},
		{"a lost table", a + "tk7", ``, ``, "", []string{a + "tk7", a}},
		{"what lies at a table", a + "tk7", `50`, `51`, "", []string{a + "tk7", a}},
		{"for whom it lies there", a + "tk7", `u1`, `u2`, "", []string{a + "tk7", a + "tk7"}},
		{"less than nothing at a table", a + "tk7", `50`, `-50`, "", []string{a + "tk7", a + "tk7", a}},
		{"a table that never was", a + "tk7", ``, `{"u1":5}`, a + "tk8", []string{a + "tk8", a}},
		{"a strange account", a + "u1", ``, `{}`, a + "x", []string{a + "x"}},
		{"a key without an account", a + "u1", ``, `{}`, "a/" + community, []string{"a/" + community}},
		{"a key without a community", a + "u1", ``, `{}`, "a/x", []string{"a/x"}},
		{"a lost posting", e + "gift", ``, ``, "", []string{a + "u1", a + "u2", line("u1", 3), line("u2", 2)}},
		{"a lost posting of the house", e + "daily", ``, ``, "", []string{a + "house", a + "u1", line("u1", 2)}},
		{"a lost opening", e + "open/u2", ``, ``, "", []string{a + "house", a + "u2", line("u2", 1)}},
		{"a doubled posting", e + "gift", `{`, `{`, e + "gift2", []string{e + "gift2", e + "gift2", a + "u1", a + "u2"}},
		{"another amount", e + "gift", `-100,"n":3},{"account":"u2","amount":100`, `-101,"n":3},{"account":"u2","amount":101`, "",
			[]string{e + "gift", e + "gift", a + "u1", a + "u2"}},
		{"an amount on one side", e + "gift", `-100`, `-101`, "", []string{e + "gift", a + "u1", a + "u2"}},
		{"another account", e + "gift", `u2`, `u3`, "", []string{e + "gift", e + "gift", a + "u2", a + "u3", line("u2", 2)}},
		{"another reason", e + "daily", `daily`, `gift`, "", []string{e + "daily"}},
		{"another time", e + "daily", `:1728`, `:1729`, "", []string{e + "daily"}},
		{"another number", e + "daily", `"n":2},{"account":"u1","amount":300,"n":2}`, `"n":2},{"account":"u1","amount":300,"n":3}`, "",
			[]string{e + "daily", line("u1", 2)}},
		{"a posting that can't be read", e + "daily", `{`, `[`, "", []string{e + "daily", a + "house", a + "u1"}},
		{"a posting of nothing", e + "gift", ``, `{"kind":"x","legs":[]}`, e + "x", []string{e + "x"}},
		{"a lost line", line("u1", 3), ``, ``, "", []string{e + "gift"}},
		{"a lost first line", line("u1", 1), ``, ``, "", []string{e + "open/u1"}},
		{"a lost last line", line("u1", 4), ``, ``, "", []string{e + "k7/1/1"}},
		{"a doubled line", line("u1", 4), `{`, `{`, line("u1", 5), []string{line("u1", 4), line("u1", 5)}},
		{"a doubled line further on", line("u1", 3), `{`, `{`, line("u1", 9), []string{line("u1", 9)}},
		{"a line for another user", line("u1", 1), `{`, `{`, line("u3", 1), []string{line("u3", 1)}},
		{"a line in a community that has nothing else", line("u1", 1), `{`, `{`, keyLine("a1", "u1", 1), []string{keyLine("a1", "u1", 1)}},
		{"a line of the house", line("u1", 1), `{`, `{`, line("house", 1), []string{line("house", 1)}},
		{"a line under a strange key", line("u1", 1), `{`, `{`, h + "u1/1", []string{h + "u1/1"}},
		{"a line's amount", line("u1", 3), `-100`, `-99`, "", []string{e + "gift", line("u1", 2)}},
		{"a line's balance", line("u1", 3), `:3200`, `:3199`, "", []string{line("u1", 3), line("u1", 2)}},
		{"a first line's balance", line("u1", 1), `"balance":3000`, `"balance":3001`, "", []string{line("u1", 1)}},
		{"a last line's balance", line("u2", 2), `:3100`, `:3101`, "", []string{line("u2", 2), line("u2", 1)}},
		{"a line's posting", line("u1", 2), `"id":"daily"`, `"id":"other"`, "", []string{e + "daily", line("u1", 2)}},
		{"a line without a posting", line("u1", 2), `"id":"daily"`, `"id":""`, "", []string{e + "daily", line("u1", 2)}},
		{"a line's other user", line("u1", 3), `:2`, `:3`, "", []string{e + "gift"}},
		{"a line that can't be read", line("u1", 3), `{`, `[`, "", []string{line("u1", 3)}},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			s := stores.Bolt(t)
			small(t, s)
			damage(t, s, test.key, test.old, test.new, test.to)
			var got []string
			totals, err := Audit(t.Context(), s, func(p Problem) { got = append(got, p.Key) })
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("the audit found %q, want %q", got, test.want)
			}
			if totals.Communities < 2 {
				t.Errorf("the audit counts %+v", totals)
			}
		})
	}
}

// damage replaces something in a value.
func damage(t *testing.T, s storage.Store, key, old, new, to string) {
	t.Helper()
	items, err := s.Get(t.Context(), key)
	if err != nil || items[0].Rev == 0 {
		t.Fatalf("%s: %+v, %v", key, items, err)
	}
	value := strings.Replace(string(items[0].Value), old, new, 1)
	if old == "" {
		value = new
	} else if !strings.Contains(string(items[0].Value), old) {
		t.Fatalf("%s is %s", key, items[0].Value)
	}
	write := storage.Write{Key: key, Value: []byte(value)}
	if value == "" {
		write.Value = nil
	}
	if to != "" {
		write.Key = to
	}
	if _, err := s.Commit(t.Context(), storage.Txn{Writes: []storage.Write{write}}); err != nil {
		t.Fatal(err)
	}
}

// TestAuditWhole: a ledger of more lines than one Scan reads, and no ledger at all.
func TestAuditWhole(t *testing.T) {
	s := stores.Bolt(t)
	if got := clean(t, s); got != (Totals{}) {
		t.Errorf("the audit of an empty store counts %+v", got)
	}
	for n := range 60 {
		if err := batch(t.Context(), s, community, int64(n%7+1), n); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := clean(t, s), (Totals{1, 14, 1214, 2414, 42000, 0, -42000}); got != want {
		t.Errorf("the audit counts %+v, want %+v", got, want)
	}
}

// TestAuditBroken: an audit that couldn't read everything says so.
func TestAuditBroken(t *testing.T) {
	s := stores.Bolt(t)
	small(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Audit(t.Context(), s, func(p Problem) { t.Error(p) }); err == nil {
		t.Error("the audit of a closed store is well")
	}
}
