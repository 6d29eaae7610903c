//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// dealtAt is a database of the room with something of every kind that a few people leave there.
func dealtAt(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "z.db")
	store := stores.Open(t, db, bolt.Options{NoSync: true})
	dealer, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ask := func(user int64, kind chat.Kind, data string) chat.Response {
		n++
		r := chat.Request{
			ID: fmt.Sprint(n), Kind: kind, Data: data, In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1},
			Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: true}, On: "m",
		}
		response := dealer.Handle(t.Context(), r)
		for _, p := range response.Posts {
			if p.Receipt != "" {
				shown := r
				shown.ID, shown.Kind, shown.Data = fmt.Sprint("shown ", n), chat.Shown, p.Receipt
				dealer.Handle(t.Context(), shown)
			}
		}
		return response
	}
	for _, line := range []string{"/daily", "/season off", "/tecza", "/m draw", "/giveup", "/zevaka limit=none", "/zevaka limit=none"} {
		r := ask(1, chat.Command, line)
		if line == "/giveup" {
			r = ask(1, chat.Press, r.Posts[0].Buttons[0][0].Token)
		}
		if r.Alert {
			t.Fatalf("%s: %s", line, r.Toast)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return db
}

// flipped is a copy of the file with a bit flipped in the value of the first item with that prefix, and its key.
func flipped(t *testing.T, db, prefix string) (file, key string) {
	t.Helper()
	store := stores.Open(t, db, bolt.Options{NoSync: true})
	items, err := store.Scan(t.Context(), prefix, "", 1)
	if err != nil || len(items) == 0 {
		t.Fatalf("nothing lies under %s: %v", prefix, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	text := contents(t, db)
	flips, key, value := 0, items[0].Key, items[0].Value
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(key))
		if i < 0 {
			break
		}
		from += i + len(key)
		// The value follows its key, after its revision and its checksum.
		near := text[from:min(len(text), from+32+len(value))]
		if j := bytes.Index(near, value); j >= 0 {
			near[j+len(value)/2] ^= 4
			flips++
		}
	}
	if flips == 0 {
		t.Fatalf("%s isn't found in the file", key)
	}
	file = filepath.Join(t.TempDir(), "z.db")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, key
}

// backedUp backs a database up in which an item is damaged, over a good backup, and returns what was made beside that.
func backedUp(t *testing.T, file, key string, good []byte) (made string) {
	t.Helper()
	saved := filepath.Join(t.TempDir(), "saved.db")
	if err := os.WriteFile(saved, good, 0o600); err != nil {
		t.Fatal(err)
	}
	end := zevaka(t, "", "backup", "--force", "--db", file, saved)
	if made = saved + bolt.BackupDamaged; end.code != 1 || !strings.Contains(end.err, made) || !strings.Contains(end.err, key) || end.out != "" {
		t.Errorf("backup: exit %d, %s%s", end.code, end.out, end.err)
	}
	if !bytes.Equal(contents(t, saved), good) {
		t.Error("the good backup is another")
	}
	return made
}

// TestFlippedBit: whatever a bit flips in, check names it, the bot starts and deals, and lists the tables that it can
// read; what can be made anew is, and a table can be closed. A backup takes it along, and so does what is restored from that.
func TestFlippedBit(t *testing.T) {
	t.Parallel()
	db := dealtAt(t)
	for _, test := range []struct {
		prefix string
		anew   bool
	}{
		{"o/", true}, {"f/", false}, {"p/", true}, {"a/w1/house", false}, {"a/w1/u", false}, {"e/", false}, {"h/", false},
		{"g/", false}, {"s/", false}, {"b/", false},
	} {
		t.Run(strings.ReplaceAll(test.prefix, "/", "_"), func(t *testing.T) {
			file, key := flipped(t, db, test.prefix)
			end := zevaka(t, "", "check", file)
			if end.code != 1 || strings.Count(end.err, "\n") != 2 || !strings.Contains(end.err, fmt.Sprintf("%q is damaged", key)) {
				t.Errorf("check: exit %d, %s", end.code, end.err)
			}
			stopped, restored := backedUp(t, file, key, contents(t, db)), filepath.Join(t.TempDir(), "z.db")
			s := open(t, "--db", file)
			deals := func() {
				ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
				for _, line := range []string{"/table", "/zevaka limit=none", "/table", "/zevaka limit=none"} {
					if !ann.send(s.url, "say", map[string]any{"text": line}) {
						t.Errorf("%s is refused\n%s", line, s.log)
					}
				}
				ann.look(s.url)
				s.close(t)
			}
			for _, backup := range []string{backedUp(t, file, key, contents(t, db)), stopped} {
				if end := zevaka(t, "", "restore", "--db", restored, backup); end.code != 1 || !strings.Contains(end.err, key) || end.out == "" {
					t.Errorf("restore: exit %d, %s%s", end.code, end.out, end.err)
				}
			}
			if test.prefix == keyspace.OpenTables { // The operator closes it.
				if end := zevaka(t, "", "forget", "--db", file, "web:9"); end.code != 1 || !strings.Contains(end.err, key) {
					t.Errorf("forget: exit %d, %s%s", end.code, end.out, end.err)
				}
				good(t, "", "admin", "close", "--db", file, "web:"+strings.TrimPrefix(key, "o/w"))
			}
			deals()
			if strings.Contains("o/ p/", test.prefix) && !strings.Contains(s.log.String(), key) {
				t.Errorf("nothing is said of %s:\n%s", key, s.log)
			}
			if end := zevaka(t, "", "check", file); (end.code == 0) != test.anew {
				t.Errorf("check afterwards: exit %d, %s", end.code, end.err)
			}
		})
	}
}

// TestBadDatabase: a file that is cut short, or of a newer zevaka, is refused by every command in one line, and stays as
// it is.
func TestBadDatabase(t *testing.T) {
	db := filled(t, 50)
	whole := contents(t, db)
	for _, test := range []struct {
		name string
		text []byte
		want string
	}{
		{"cut_short", whole[:bytes.LastIndex(whole, []byte("value 25 "))], "cut off"},
		{"one_page", whole[:os.Getpagesize()], "cut off"},
		{"newer", bytes.ReplaceAll(whole, fmt.Append(nil, "zevaka ", storage.Format), []byte("zevaka 9")), "format 9"},
	} {
		for _, call := range []string{
			"serve --listen=127.0.0.1:0 --db bad.db", "check bad.db", "compact --db bad.db", "backup --db bad.db copy.db",
			"restore --db z.db bad.db", "audit --db bad.db", "export --db bad.db",
		} {
			t.Run(test.name+"/"+strings.Fields(call)[0], func(t *testing.T) {
				t.Chdir(t.TempDir())
				for file, text := range map[string][]byte{"bad.db": test.text, "z.db": whole} {
					if err := os.WriteFile(file, text, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				end := zevaka(t, "", strings.Fields(call)...)
				if end.code != 1 || end.out != "" || !strings.Contains(end.err, test.want) || strings.Count(end.err, "\n") != 1 {
					t.Errorf("exit %d, %q, %s", end.code, end.out, end.err)
				}
				for file, text := range map[string][]byte{"bad.db": test.text, "z.db": whole} {
					if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, text) {
						t.Errorf("%s has changed, %v", file, err)
					}
				}
				if left := names(t, "."); left != "bad.db z.db" {
					t.Errorf("left: %s", left)
				}
			})
		}
	}
}
