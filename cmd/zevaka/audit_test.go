package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/bolt"
)

// damaging is a database open to whoever does it harm.
type damaging struct {
	*testing.T
	store storage.Store
}

// damaged is a copy of the database with some harm done, which names the keys that show it.
func damaged(t *testing.T, db string, harm func(damaging) []string) (copied string, keys []string) {
	t.Helper()
	file := contents(t, db)
	copied = filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, file, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := bolt.Open(copied, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	keys = harm(damaging{t, store})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return copied, keys
}

// put stores a value, or nothing if it is nil.
func (d damaging) put(key string, value []byte) {
	d.Helper()
	if _, err := d.store.Commit(d.Context(), storage.Txn{Writes: []storage.Write{{Key: key, Value: value}}}); err != nil {
		d.Fatal(err)
	}
}

// find is the first item under the prefix with the text in its value.
func (d damaging) find(prefix, text string) storage.Item {
	d.Helper()
	for _, item := range d.under(prefix) {
		if bytes.Contains(item.Value, []byte(text)) {
			return item
		}
	}
	d.Fatalf("nothing under %s has %s in it", prefix, text)
	return storage.Item{}
}

// under are all items under the prefix.
func (d damaging) under(prefix string) []storage.Item {
	d.Helper()
	items, err := d.store.Scan(d.Context(), prefix, "", 10_000)
	if err != nil {
		d.Fatal(err)
	}
	return items
}

// replace writes another text in the place of what matches in the item found, and returns the item's key.
func (d damaging) replace(prefix, pattern, with string) string {
	d.Helper()
	for _, item := range d.under(prefix) {
		if value := regexp.MustCompile(pattern).ReplaceAll(item.Value, []byte(with)); !bytes.Equal(value, item.Value) {
			d.put(item.Key, value)
			return item.Key
		}
	}
	d.Fatalf("nothing under %s is like %s", prefix, pattern)
	return ""
}

// drop deletes the item found, and returns its key.
func (d damaging) drop(prefix, text string) string {
	d.Helper()
	key := d.find(prefix, text).Key
	d.put(key, nil)
	return key
}

// TestAudit: the program finds no fault with what was played, and any harm that is done to it, by the name of the entry or
// the account.
func TestAudit(t *testing.T) {
	t.Parallel()
	db := clubDB(t)
	t.Run("unharmed", func(t *testing.T) {
		out := good(t, "", "audit", "--db", db)
		if !regexp.MustCompile(`^1 communities, 4 purses, \d+ postings, \d+ lines of history\nin purses 1\d{4} \+ on tables \d+ \+ the house -13700 = 0 chips\n$`).MatchString(out) {
			t.Errorf("it says %q", out)
		}
		if out := good(t, "", "rebuild-scores", "--db", db); out != "no difference\n" {
			t.Errorf("of the scores it says %q", out)
		}
	})
	for _, test := range []struct {
		call, name string
		harm       func(damaging) []string
	}{
		{"audit", "a balance changed", func(d damaging) []string {
			return []string{d.replace("a/", `^{"balance":3`, `{"balance":4`)}
		}},
		{"audit", "the house's balance changed", func(d damaging) []string {
			return []string{d.replace("a/t-7/house", `13700`, `13000`)}
		}},
		{"audit", "a purse lost", func(d damaging) []string {
			return []string{d.drop("a/", `"P4"`)}
		}},
		{"audit", "a purse with chips from nowhere", func(d damaging) []string {
			d.put("a/t-7/ub", []byte(`{"balance":500,"entries":1}`))
			return []string{"a/t-7/ub"}
		}},
		{"audit", "an account of nobody", func(d damaging) []string {
			d.put("a/t-7/bank", []byte(`{"balance":0,"entries":1}`))
			return []string{"a/t-7/bank"}
		}},
		{"audit", "an account that can't be read", func(d damaging) []string {
			return []string{d.replace("a/t-7/u2", `}$`, ``)}
		}},
		{"audit", "a table that owes", func(d damaging) []string {
			return []string{d.replace("a/t-7/t", `\d+}$`, `-5}`)}
		}},
		{"audit", "chips on a table that are not its", func(d damaging) []string {
			return []string{d.replace("a/t-7/t", `\d+}$`, `900}`)}
		}},
		{"audit", "chips on a table lost", func(d damaging) []string {
			return []string{d.drop("a/t-7/t", "")}
		}},
		{"audit", "chips left on a table that has ended", func(d damaging) []string {
			key := d.find("f/", "").Key
			d.put("a/"+key[2:6]+"t"+key[6:], []byte(`{"u1":5}`))
			return []string{"a/" + key[2:6] + "t" + key[6:]}
		}},
		{"audit", "somebody missing from the list of the richest", func(d damaging) []string {
			return []string{d.replace("t/", `"users":\[1,`, `"users":[`)}
		}},
		{"audit", "an entry's amount changed on one side", func(d damaging) []string {
			return []string{d.replace("e/", `("kind":"gift".*"amount":)-200`, `$1-20`)}
		}},
		{"audit", "an entry's amount changed on both sides", func(d damaging) []string {
			key := d.find("e/", `"gift"`).Key
			d.replace(key, `200`, `20`)
			return []string{key, "a/t-7/u1", "a/t-7/u2"}
		}},
		{"audit", "an entry's reason changed", func(d damaging) []string {
			return []string{d.replace("e/", `"kind":"grant"`, `"kind":"daily"`)}
		}},
		{"audit", "an entry dropped", func(d damaging) []string {
			return []string{d.drop("e/", `"kind":"win"`)}
		}},
		{"audit", "an entry that opened a purse dropped", func(d damaging) []string {
			return []string{d.drop("e/", `"kind":"open"`), "a/t-7/u1", "a/t-7/house"}
		}},
		{"audit", "an entry added", func(d damaging) []string {
			d.put("e/t-7/grant/1", []byte(`{"kind":"grant","time":1,"legs":[{"account":"house","amount":-5,"n":10},{"account":"u1","amount":5,"n":99}]}`))
			return []string{"e/t-7/grant/1", "a/t-7/u1", "a/t-7/house"}
		}},
		{"audit", "an entry that can't be read", func(d damaging) []string {
			return []string{d.replace("e/", `"legs"`, `"leg"`)}
		}},
		{"audit", "a line of history changed", func(d damaging) []string {
			return []string{d.replace("h/t-7/u3", `"amount":500`, `"amount":600`)}
		}},
		{"audit", "a line of history dropped", func(d damaging) []string {
			return []string{d.drop("h/t-7/u3", `"amount":500`)}
		}},
		{"audit", "a settlement forged with all its balances", func(d damaging) []string {
			return []string{d.forge("win")}
		}},
		{"audit", "a settlement said to be a refund", func(d damaging) []string {
			return []string{d.replace("e/", `"kind":"win"`, `"kind":"refund"`)}
		}},
		{"audit", "a gift forged as a settlement", func(d damaging) []string {
			return []string{d.replace("e/", `"kind":"gift"`, `"kind":"win","table":"`+d.tableName("f/")+`","deal":1,"move":1`)}
		}},
		{"audit", "a stake changed in a record", func(d damaging) []string {
			key := d.replace("f/", `;(\d+) stake 5;`, `;$1 stake 6;`)
			return []string{strings.TrimPrefix(key, "f/")}
		}},
		{"audit", "moves lost from a record", func(d damaging) []string {
			return []string{d.replace("o/", `(?s)("moves":\d+,.*)\n.*$`, "$1\n\x00")}
		}},
		{"audit", "another seed in a record", func(d damaging) []string {
			return []string{d.replace("f/", `("seed":"0{15})2`, `${1}3`)}
		}},
		{"audit", "somebody else in a record", func(d damaging) []string {
			return []string{strings.TrimPrefix(d.replace("f/", `{"user":1,"name":"P1"`, `{"user":5,"name":"P5"`), "f/")}
		}},
		{"audit", "another result in a record", func(d damaging) []string {
			return []string{d.replace("f/", `("chips":{"Bank":0,"Goal":0,"Seats":\[)(-?\d)`, `${1}${2}1`)}
		}},
		{"audit", "a record that can't be read", func(d damaging) []string {
			return []string{d.replace("f/", `^{"v":1`, `{"v":9`)}
		}},
		{"audit", "a record lost", func(d damaging) []string {
			return []string{d.drop("f/", "")}
		}},
		{"rebuild-scores", "a score changed", func(d damaging) []string {
			return []string{d.replace("s/", `^1 1`, `1 2`)}
		}},
		{"rebuild-scores", "a score lost", func(d damaging) []string {
			return []string{d.drop("s/", "P3")}
		}},
		{"rebuild-scores", "a score from nowhere", func(d damaging) []string {
			d.put("s/t-7/banchok/9", d.find("s/", "").Value)
			return []string{"s/t-7/banchok/9"}
		}},
		{"rebuild-scores", "the list of the best changed", func(d damaging) []string {
			return []string{d.replace("b/", `"u":1`, `"u":2`)}
		}},
		{"rebuild-scores", "a result changed at its table", func(d damaging) []string {
			d.replace("f/", `"net":(-?\d+),"n":1`, `"net":${1}0,"n":1`)
			return []string{"s/t-7/banchok/"}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			copied, keys := damaged(t, db, test.harm)
			end := zevaka(t, "", test.call, "--db", copied)
			if end.code != 1 {
				t.Errorf("exit %d, %s", end.code, end.out)
			}
			if test.call == "audit" && !strings.Contains(end.out, "chips\n") {
				t.Errorf("it prints no sum: %q", end.out)
			}
			for _, key := range keys {
				if !strings.Contains(end.out+end.err, key) {
					t.Errorf("%s is not named:\n%s%s", key, end.out, end.err)
				}
			}
		})
	}
}

// tableName is the name of the first table under the prefix.
func (d damaging) tableName(prefix string) string {
	d.Helper()
	return strings.TrimPrefix(d.find(prefix, "").Key, prefix+"t-7/")
}

// forge moves chips in an entry of that kind from one purse to another, and makes all else that is stored of the two
// agree. It returns the entry's key.
func (d damaging) forge(kind string) string {
	d.Helper()
	const more = 7
	for _, item := range d.under("e/") {
		legs := regexp.MustCompile(`"account":"(u\w+)","amount":-?\d+,"n":(\d+)`).FindAllStringSubmatch(string(item.Value), -1)
		if len(legs) < 2 || !strings.Contains(string(item.Value), `"kind":"`+kind+`"`) {
			continue
		}
		for i, leg := range legs[:2] {
			by := more * (1 - 2*i)
			account, n := leg[1], leg[2]
			d.add(item.Key, regexp.MustCompile(`"`+account+`","amount":(-?\d+)`), by)
			d.add("a/t-7/"+account, regexp.MustCompile(`"balance":(-?\d+)`), by)
			number, err := strconv.Atoi(n)
			if err != nil {
				d.Fatal(err)
			}
			own := fmt.Sprintf("h/t-7/%s/%d", account, 999_999_999_999-number)
			d.add(own, regexp.MustCompile(`"amount":(-?\d+)`), by)
			for _, line := range d.under("h/t-7/" + account + "/") {
				if line.Key <= own {
					d.add(line.Key, regexp.MustCompile(`"balance":(-?\d+)`), by)
				}
			}
		}
		return item.Key
	}
	d.Fatalf("no %s moves chips of two purses", kind)
	return ""
}

// add adds to the number in an item that the pattern says.
func (d damaging) add(key string, pattern *regexp.Regexp, by int) {
	d.Helper()
	value := d.find(key, "").Value
	at := pattern.FindSubmatchIndex(value)
	if at == nil {
		d.Fatalf("%s: nothing in %s is like %s", key, value, pattern)
	}
	n, err := strconv.Atoi(string(value[at[2]:at[3]]))
	if err != nil {
		d.Fatal(err)
	}
	d.put(key, slices.Concat(value[:at[2]], []byte(strconv.Itoa(n+by)), value[at[3]:]))
}

// TestExport: what is exported are the records of the deals that have ended, and they can be replayed.
func TestExport(t *testing.T) {
	t.Parallel()
	records := good(t, "", "export", "--db", clubDB(t))
	if n := strings.Count(records, "\n"); n < 5 || strings.Count(records, `"outcome"`) != n-1 { // One was stopped.
		t.Errorf("%d records are exported:\n%s", n, records)
	}
	if states := good(t, records, "replay", "--states"); !strings.Contains(states, "bank") {
		t.Errorf("replayed:\n%.500s", states)
	}
}
