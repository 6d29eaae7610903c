//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// filled is a database with so many items of 10 kB.
func filled(t *testing.T, items int) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "z.db")
	store := stores.Open(t, db, bolt.Options{NoSync: true})
	for i := range items {
		value := fmt.Appendf(nil, "value %d %s;", i, strings.Repeat("v", 10_000))
		txn := storage.Txn{Writes: []storage.Write{{Key: fmt.Sprintf("l/w1/k7/%05d", i), Value: value}}}
		if _, err := store.Commit(t.Context(), txn); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return db
}

// names are those of all files in a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

// TestBackupAndRestore backs up a table while the bot serves, goes on, and brings back what it was.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, copied := filepath.Join(folder, "z.db"), filepath.Join(folder, "copy.db")
	s := open(t, "--db", db)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
	was := ann.look(s.url).board()
	if out := good(t, "", "backup", "--db", db, copied); !strings.Contains(out, "all in order") {
		t.Errorf("backup says %q", out)
	}
	bob.press(s.url, bob.look(s.url), "Join")
	if later := ann.look(s.url).board(); later == was {
		t.Fatalf("nothing changed:\n%s", later)
	}
	const inUse = "another zevaka is using it"
	for _, call := range []string{"check", "audit", "export", "rebuild-scores"} { // Of a copy, which is gone afterwards.
		good(t, "", call, "--db", db)
	}
	var calls sync.WaitGroup // Each waits a second for the file.
	for line, want := range map[string]string{
		"restore " + copied: inUse, "compact": inUse, "serve --listen off": inUse, "rebuild-scores --write": inUse,
	} {
		calls.Go(func() {
			end := zevaka(t, "", append(strings.Fields(line), "--db", db)...)
			if end.code != 1 || !strings.Contains(end.err, want) || strings.Count(end.err, "\n") != 1 {
				t.Errorf("zevaka %s while the bot serves: exit %d, %s", line, end.code, end.err)
			}
		})
	}
	calls.Wait()
	s.close(t)
	out := good(t, "", "restore", "--db", db, copied)
	if !strings.Contains(out, "the one before is "+db+".2") {
		t.Errorf("restore says %q", out)
	}
	good(t, "", "compact", "--db", db)
	good(t, "", "check", "--db", db)
	s = open(t, "--db", db)
	if now := ann.look(s.url).board(); now != was {
		t.Errorf("restored:\n%s\nwant:\n%s", now, was)
	}
	s.close(t)
}

// TestRestoredGames: a game of several that was on when a backup was made doesn't go on from it.
func TestRestoredGames(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, copied := filepath.Join(folder, "z.db"), filepath.Join(folder, "copy.db")
	ann := backedUpGame(t, db, copied)
	good(t, "", "restore", "--db", db, copied)
	s := open(t, "--db", db)
	if now := ann.look(s.url).board(); !strings.Contains(now, "goes on from a backup") {
		t.Errorf("restored:\n%s", now)
	}
	s.close(t)
}

// backedUpGame is a game of two in a database, of which there is a backup, and its host.
func backedUpGame(t *testing.T, db, copied string) (ann *guest) {
	t.Helper()
	s := open(t, "--db", db)
	ann = &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
	bob.press(s.url, bob.look(s.url), "Join")
	ann.press(s.url, ann.look(s.url), "Deal")
	for _, one := range []*guest{ann, bob} {
		one.press(s.url, one.look(s.url), "Don't cut")
	}
	for _, one := range []*guest{ann, bob} {
		if p := one.look(s.url); p.Yours {
			one.press(s.url, p, p.Acts[0].Label)
			break
		}
	}
	good(t, "", "backup", "--db", db, copied)
	s.close(t)
	return ann
}

// TestKnownGamesAreClosed: of a copy to a cluster a table that waits for the deal is closed if it was open when the backup was made, and not one
// that was opened later.
func TestKnownGamesAreClosed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		joins  bool
		copied time.Duration
		open   int
	}{
		"two wait": {true, time.Minute, 0}, "opened later": {true, -time.Hour, 1}, "one waits": {false, time.Minute, 0},
	} {
		db := filepath.Join(t.TempDir(), "z.db")
		s := open(t, "--db", db)
		ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
		bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
		ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
		if test.joins {
			bob.press(s.url, bob.look(s.url), "Join")
		}
		s.close(t)
		at := database{Store: "bolt:" + db}
		if err := closeKnown(t.Context(), at, time.Now().Add(test.copied)); err != nil {
			t.Fatal(err)
		}
		err := at.use(func(store storage.Store) error {
			b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
			if err != nil {
				return err
			}
			chats, err := b.Chats(t.Context())
			waiting := 0
			for c := range chats {
				tables, err := b.OpenIn(t.Context(), c)
				if err != nil {
					return err
				}
				for _, one := range tables {
					if one.Phase == table.Lobby {
						waiting++
					}
				}
			}
			if waiting != test.open {
				t.Errorf("%s: people wait at %d tables", name, waiting)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestSocket: only the bot's user can reach it, a stale one is replaced, and it is gone at the end.
func TestSocket(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "z.db")
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(db, link); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := open(t, "--db", db)
		info, err := os.Stat(db + ".sock")
		if err != nil || info.Mode() != fs.ModeSocket|0o600 {
			t.Errorf("the socket is %v, %v", info, err)
		}
		good(t, "", "backup", "--db", link, "--force", filepath.Join(folder, "copy"))
		s.close(t)
		if left := names(t, folder); left != "copy z.db" {
			t.Errorf("left: %s", left)
		}
		stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: db + ".sock"}) // As one that was killed leaves it.
		if err != nil {
			t.Fatal(err)
		}
		stale.SetUnlinkOnClose(false)
		if err := stale.Close(); err != nil {
			t.Fatal(err)
		}
		good(t, "", "backup", "--db", db, "--force", filepath.Join(folder, "copy")) // Nobody answers at it.
	}
}

// TestOccupiedSocket: where somebody else listens the bot doesn't start; where there can be no socket it does without. None is made that has
// too long a path to be reached.
func TestOccupiedSocket(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "z.db")
	if _, err := listenAt(filepath.Join(folder, strings.Repeat("x", 110))); err == nil || !strings.Contains(err.Error(), "too long") || names(t, folder) != "" {
		t.Errorf("%v; there is now %s", err, names(t, folder))
	}
	other, err := net.Listen("unix", db+".sock")
	if err != nil {
		t.Fatal(err)
	}
	end := zevaka(t, "", "serve", "--listen", "127.0.0.1:0", "--db", db)
	if end.code != 1 || !strings.Contains(end.err, "another process listens there") || strings.Count(end.err, "\n") != 1 {
		t.Errorf("exit %d, %s", end.code, end.err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(db+".sock", []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, "--db", db)
	s.close(t)
	if text, err := os.ReadFile(db + ".sock"); err != nil || string(text) != "precious" || !strings.Contains(s.log.String(), "no socket") {
		t.Errorf("the file is %q, %v; said\n%s", text, err, s.log)
	}
}

// TestSocketOfAnother: what is done to a file isn't asked of who answers at a socket that was named and serves another, and what only reads
// leaves the file as it is. Of a file that was deleted or replaced who serves it is asked.
func TestSocketOfAnother(t *testing.T) {
	t.Parallel()
	db, own, folder := clubDB(t), filled(t, 1), t.TempDir()
	socket := filepath.Join(folder, "s")
	s := open(t, "--db", own, "--socket", socket)
	defer func() {
		s.stop()
		if err := <-s.ended; !errors.Is(err, storage.ErrUnavailable) { // Its file is gone in the end.
			t.Errorf("it ended with %v", err)
		}
	}()
	before := contents(t, db)
	items := regexp.MustCompile(`\d+ items`)
	at := items.FindString(good(t, "", "check", "--db", db, "--socket", "off"))
	if out := good(t, "", "backup", "--db", db, "--socket", socket, filepath.Join(folder, "copy")); at == "1 items" || items.FindString(out) != at {
		t.Errorf("of %s a backup is made with %s", at, out)
	}
	for _, read := range []string{"audit", "export", "rebuild-scores"} {
		if out := good(t, "", read, "--db", db, "--socket", socket); out != good(t, "", read, "--db", db, "--socket", "off") {
			t.Errorf("%s says %s", read, out)
		}
	}
	broken := command(t, "export", "--db", db)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	broken.Stdout = write
	if err := errors.Join(read.Close(), broken.Run(), write.Close()); err == nil {
		t.Error("a pipe that nobody reads ends nothing")
	}
	if !bytes.Equal(contents(t, db), before) || names(t, filepath.Dir(db)) != filepath.Base(db) {
		t.Errorf("the file isn't as it was; there is %s", names(t, filepath.Dir(db)))
	}
	if out := good(t, "", "forget", "--force", "--db", db, "--socket", socket, "telegram:2"); !strings.Contains(out, "tables closed") {
		t.Errorf("somebody is forgotten elsewhere: %s", out)
	}
	other := open(t, "--db", db, "--socket", "off")
	if end := zevaka(t, "", "backup", "--db", db, "--socket", socket, filepath.Join(folder, "other")); end.code != 1 || !strings.Contains(end.err, "serves "+own) {
		t.Errorf("of what another one serves: exit %d, %s%s", end.code, end.out, end.err)
	}
	other.close(t)
	for _, put := range []func(string) error{os.Remove, func(file string) error { return os.WriteFile(file, before, 0o600) }} {
		if err := put(own); err != nil {
			t.Fatal(err)
		}
		if out := good(t, "", "backup", "--force", "--db", own, "--socket", socket, filepath.Join(folder, "copy")); !strings.Contains(out, ": 2 items") {
			t.Errorf("of a file that was deleted or replaced is saved %s", out)
		}
	}
	if end := zevaka(t, "", "backup", "--db", db, "-"); end.code != 1 || !strings.Contains(end.err, "give the name of a file") {
		t.Errorf("a backup to no file: exit %d, %s", end.code, end.err)
	}
}

// TestStalledBackup: who asks for a backup and doesn't read it keeps another one away, and the bot from nothing else.
func TestStalledBackup(t *testing.T) {
	t.Parallel()
	db := filled(t, 500)
	s := open(t, "--db", db)
	conn, err := net.Dial("unix", db+".sock")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /backup HTTP/1.1\r\nHost: zevaka\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	end := zevaka(t, "", "backup", "--db", db, filepath.Join(folder, "copy.db"))
	if end.code != 1 || !strings.Contains(end.err, "another backup is being made") || names(t, folder) != "" {
		t.Errorf("a second backup: exit %d, %s; left: %s", end.code, end.err, names(t, folder))
	}
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	if !ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"}) {
		t.Error("no table")
	}
	s.close(t)
	if !strings.Contains(s.log.String(), "a backup was broken off") {
		t.Errorf("said\n%s", s.log)
	}
}

// TestBrokenOffBackup: an answer that ends too soon makes no file.
func TestBrokenOffBackup(t *testing.T) {
	t.Parallel()
	db := filled(t, 5)
	whole := contents(t, db)
	listener, err := net.Listen("unix", db+".sock")
	if err != nil {
		t.Fatal(err)
	}
	breaks := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(whole[:40_000])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})}}
	breaks.Start()
	defer breaks.Close()
	folder := t.TempDir()
	end := zevaka(t, "", "backup", "--db", db, filepath.Join(folder, "copy.db"))
	if end.code != 1 || !strings.Contains(end.err, "unexpected EOF") || names(t, folder) != "" {
		t.Errorf("exit %d, %s; left: %s", end.code, end.err, names(t, folder))
	}
}

// TestBackupOfFrozen: nobody waits for ever for one who takes a call and says nothing, as a process that was stopped, or who falls
// silent in the middle.
func TestBackupOfFrozen(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 80000\r\n\r\nthe beginning"} {
		synctest.Test(t, func(t *testing.T) {
			near, far := net.Pipe()
			defer near.Close()
			go func() {
				if said != "" {
					_, _ = http.ReadRequest(bufio.NewReader(far))
					_, _ = io.WriteString(far, said)
				}
			}()
			begun := time.Now()
			err := askOver(t.Context(), near, "", "/backup", nil, 30*time.Second, io.Discard)
			if took := time.Since(begun); !errors.Is(err, errSilent) || took != 30*time.Second {
				t.Errorf("after %q: %v, after %v", said, err, took)
			}
		})
	}
}

// TestInterruptedBackup: Ctrl-C leaves nothing.
func TestInterruptedBackup(t *testing.T) {
	t.Parallel()
	db := filled(t, 1)
	listener, err := net.Listen("unix", db+".sock")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	folder := t.TempDir()
	cmd := command(t, "backup", "--db", db, filepath.Join(folder, "copy.db"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || names(t, folder) != "" {
		t.Errorf("exit %d; left: %s", code, names(t, folder))
	}
}

// TestCheckSays what is wrong, with the key, and exits with 1.
func TestCheckSays(t *testing.T) {
	t.Parallel()
	db := filled(t, 20)
	if out := good(t, "", "check", db); !strings.Contains(out, "20 items") || !strings.Contains(out, fmt.Sprint("format ", storage.Format)) {
		t.Errorf("check says %q", out)
	}
	file := contents(t, db)
	for _, value := range []string{"value 3 v", "value 7 v"} {
		file[bytes.LastIndex(file, []byte(value))] ^= 1
	}
	if err := os.WriteFile(db, file, 0o600); err != nil {
		t.Fatal(err)
	}
	end := zevaka(t, "", "check", "--db", db)
	if end.code != 1 || end.out != "" || strings.Count(end.err, "\n") != 3 {
		t.Errorf("exit %d, %q, %s", end.code, end.out, end.err)
	}
	for _, want := range []string{`"l/w1/k7/00003" is damaged`, `"l/w1/k7/00007" is damaged`, "2 wrong of "} {
		if !strings.Contains(end.err, want) {
			t.Errorf("it doesn't say %s:\n%s", want, end.err)
		}
	}
}

// TestRefusedOperations: what can't be done is said in one line, and leaves all as it was.
func TestRefusedOperations(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	db, text := filepath.Join(folder, "z.db"), filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("not cards ", 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filled(t, 3), db); err != nil {
		t.Fatal(err)
	}
	was := names(t, folder)
	for _, test := range []struct{ call, want string }{
		{"backup --db z.db z.db", "the database itself"},
		{"backup --db z.db --force z.db", "the database itself"},
		{"backup --db z.db text", "replace it with --force"},
		{"backup --db z.db no/copy", "no such file"},
		{"backup --db none copy", "no such file"},
		{"backup --db text copy", "not a file of zevaka"},
		{"restore --db z.db text", "not a file of zevaka"},
		{"restore --db z.db none", "no such file"},
		{"restore --db z.db z.db", "the database itself"},
		{"compact --db none", "no such file"},
		{"compact --db text", "not a file of zevaka"},
		{"check none", "no such file"},
		{"check text", "not a file of zevaka"},
		{"check .", "this is a folder"},
	} {
		t.Run(test.call, func(t *testing.T) {
			end := zevaka(t, "", strings.Fields(test.call)...)
			if end.code != 1 || end.out != "" || !strings.Contains(end.err, test.want) || strings.Count(end.err, "\n") != 1 {
				t.Errorf("exit %d, %q, %s", end.code, end.out, end.err)
			}
			if now := names(t, folder); now != was {
				t.Errorf("left: %s", now)
			}
		})
	}
}

// TestCallsRun runs what the operators' pages have somebody type: what a bot is asked that serves, beside one, the rest after its end.
// Tests of their own run what serves or asks a whole cluster.
func TestCallsRun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	record := good(t, "", "simulate", "zevaka", "--games", "1", "--seed", "1")
	if err := os.WriteFile(filepath.Join(folder, "record"), []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	const bank = "engine/patience/deals/bank"
	if err := os.CopyFS(filepath.Join(folder, bank), os.DirFS(filepath.Join("..", "..", bank))); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) (string, error) {
		cmd := command(t, args...)
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(record)
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	serve := command(t, "serve")
	serve.Dir = folder
	s := launch(t, serve)
	s.opens(t)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	if !ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"}) {
		t.Fatal("no table is opened")
	}
	tables, err := call("admin", "tables")
	table, _, ok := strings.Cut(tables, "  ")
	if err != nil || !ok {
		t.Fatalf("the tables are %q, %v", tables, err)
	}
	stands := strings.NewReplacer("[CHAT]", "web:1", "CHAT", "web:1", "TABLE", table, "PERSON", "web:9", "[WORD]", "soon", "[FILE]", "back.db", "FILE", "back.db", "RECORD", "record",
		"/var/backups/zevaka-3.db", "back.db", "/var/backups/zevaka-$(date", "back.db", "/data/backup.db", "back.db", "/var/lib/zevaka/zevaka.sock", "zevaka.db.sock", "/var/lib/zevaka/", "", "/etc/zevaka/zevaka.toml", "settings")
	if err := os.WriteFile(filepath.Join(folder, "settings"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"serve", "healthy", "simulate"}
	afterwards := []string{"restore", "compact", "rebuild-scores", "check", "audit", "export"}
	refused := map[string]string{"admin leave web:1": "can't be left", "backup back.db": "there is such a file already"}
	var later [][]string
	ran := map[string]bool{}
	runs := func(args []string) {
		t.Helper()
		typed := strings.Join(args, " ")
		if ran[typed] {
			return
		}
		ran[typed] = true
		said, err := call(args...)
		if want := refused[typed]; (err != nil) != (want != "") || !strings.Contains(said, want) {
			t.Errorf("zevaka %s: %v\n%s", typed, err, said)
		}
	}
	for _, page := range operators(t) {
		for _, args := range callsOf(t, page) {
			args = strings.Fields(stands.Replace(strings.Join(args, " ")))
			args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "+") || arg == "…" })
			switch {
			case slices.Contains(elsewhere, args[0]), strings.Contains(strings.Join(args, " "), "etcd:"):
			case slices.Contains(afterwards, args[0]):
				later = append(later, args)
			default:
				runs(args)
			}
		}
	}
	s.end(t, syscall.SIGTERM)
	for _, args := range later {
		runs(args)
	}
	if len(ran) < 20 {
		t.Errorf("the pages have somebody type %v", ran)
	}
}
