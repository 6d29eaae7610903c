//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/testlog"
	"zevaka/storage/bolt"
)

// server is a zevaka that serves, as a process, or in this one where it has none.
type server struct {
	cmd *exec.Cmd
	// stop has it end that serves in this process, and ended is what came of it.
	stop  context.CancelFunc
	ended chan error
	url   string
	// log is what it said to standard error, out what it says otherwise.
	log *testlog.Log
	out *bufio.Reader
}

// roomURL is the address of the room in the line that says it; empty if there is none.
func roomURL(line string) string { return regexp.MustCompile(`http://[0-9a-z.:]+/`).FindString(line) }

// parsed is serve as it is called with these flags.
func parsed(t testing.TB, flags ...string) *serve {
	t.Helper()
	parser, err := newParser()
	if err != nil {
		t.Fatal(err)
	}
	call, err := parser.Parse(append([]string{"serve"}, flags...))
	if err != nil {
		t.Fatal(err)
	}
	return call.Selected().Target.Addr().Interface().(*serve)
}

// open has a zevaka serve in this process, with these flags and the room on a free port, and waits until that is open.
func open(t testing.TB, flags ...string) *server {
	t.Helper()
	c := parsed(t, append([]string{"--listen=127.0.0.1:0"}, flags...)...)
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	s := &server{stop: stop, ended: make(chan error, 1), log: new(testlog.Log), out: bufio.NewReader(in)}
	go func() {
		err := c.serve(ctx, streams{nil, out, s.log})
		_ = out.CloseWithError(err) // Whoever waits for the room waits no longer.
		s.ended <- err
	}()
	s.opens(t)
	return s
}

// start starts a zevaka with these settings on a free port and waits until the room is open.
func start(t testing.TB, settings ...string) *server {
	t.Helper()
	return startAs(t, command(t), settings...)
}

// startAs starts a zevaka by a command of one's own.
func startAs(t testing.TB, cmd *exec.Cmd, settings ...string) *server {
	t.Helper()
	s := launch(t, cmd, settings...)
	s.opens(t)
	return s
}

// launch starts a zevaka by a command of one's own, and doesn't wait.
func launch(t testing.TB, cmd *exec.Cmd, settings ...string) *server {
	t.Helper()
	s := &server{cmd: cmd, log: new(testlog.Log)}
	s.cmd.Env = append(append(s.cmd.Env, "ZEVAKA_LISTEN=127.0.0.1:0"), settings...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	return s
}

// opens waits until the room is open.
func (s *server) opens(t testing.TB) {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if s.url = roomURL(line); s.url == "" {
		if s.cmd != nil {
			_ = s.cmd.Wait()
		}
		t.Fatalf("no room: %q, %v\n%s", line, err, s.log)
	}
	if strings.Contains(line, "admin=") {
		t.Errorf("the secret of the admins is printed where no terminal is: %s", line)
	}
}

// close ends a zevaka that serves in this process.
func (s *server) close(t testing.TB) {
	t.Helper()
	s.stop()
	if err := <-s.ended; err != nil {
		t.Errorf("ended with %v\n%s", err, s.log)
	}
}

// end sends a signal to a process and waits for the end, at most five seconds.
func (s *server) end(t testing.TB, with syscall.Signal) {
	t.Helper()
	sent := time.Now()
	if err := s.cmd.Process.Signal(with); err != nil {
		t.Fatal(err)
	}
	err := s.cmd.Wait()
	if took := time.Since(sent); err != nil || took > 5*time.Second {
		t.Errorf("ended with %v after %v\n%s", err, took, s.log)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	for _, with := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(with.String(), func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "table.db")
			for range 2 { // The second start finds what the first one left.
				s := start(t, "ZEVAKA_DB="+db)
				for path, want := range map[string]string{"healthz": "ok", "": "<html"} {
					resp, err := http.Get(s.url + path)
					if err != nil {
						t.Fatal(err)
					}
					body, err := io.ReadAll(resp.Body)
					resp.Body.Close()
					if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
						t.Errorf("/%s: %s, %.200q, %v", path, resp.Status, body, err)
					}
				}
				s.end(t, with)
				if said := s.log.String(); !strings.Contains(said, "stopped") || strings.Contains(said, "level=ERROR") {
					t.Errorf("said %q", said)
				}
			}
		})
	}
}

// TestServePictures: somebody's card is shown as a picture.
func TestServePictures(t *testing.T) {
	t.Parallel()
	s := open(t, "--db", filepath.Join(t.TempDir(), "table.db"))
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/me"})
	conn, all := ann.enter(s.url)
	if conn == nil || len(all) == 0 || all[len(all)-1].Picture == nil {
		t.Fatalf("in the room stand %+v", all)
	}
	_ = conn.CloseNow()
	resp, err := http.Get(s.url + "picture/" + all[len(all)-1].Picture.Name)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || kind != "image/png" {
		t.Errorf("the picture is %s, %s", resp.Status, kind)
	}
	s.close(t)
}

// TestPursesOfManyTabs: whoever is many people in an open room can't fill one purse with what the house gives to each.
func TestPursesOfManyTabs(t *testing.T) {
	t.Parallel()
	s := open(t, "--db", filepath.Join(t.TempDir(), "z.db"), "--room-open")
	rich := &guest{t: t, name: "Rich", secret: strings.Repeat("f", 32)}
	rich.send(s.url, "say", map[string]any{"text": "/balance"})
	for i := range 8 {
		poor := &guest{t: t, name: fmt.Sprint("Poor", i), secret: fmt.Sprintf("%032x", i)}
		poor.send(s.url, "say", map[string]any{"text": "/daily"})
		for _, line := range []string{"/give Rich 3300", "/give Rich 3000", "/give Rich 1"} {
			if poor.send(s.url, "say", map[string]any{"text": line}) {
				t.Errorf("%s: %s is not refused", poor.name, line)
			}
		}
	}
	if !rich.send(s.url, "say", map[string]any{"text": "/balance"}) {
		t.Error("Rich is refused")
	}
	s.close(t)
}

// TestServeWithoutReaders: the server deals on, and ends, when nobody reads what it says.
func TestServeWithoutReaders(t *testing.T) {
	t.Parallel()
	for name, errs := range map[string]func(*testing.T, *exec.Cmd) (begun func()){"closed": closedErrors, "full": fullErrors} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{cmd: command(t, "--log-level", "debug", "--listen", "127.0.0.1:0"), log: new(testlog.Log)}
			out, err := s.cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			begun := errs(t, s.cmd)
			if err := s.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			begun()
			line, _ := bufio.NewReader(out).ReadString('\n')
			out.Close()
			s.url = roomURL(line)
			if resp, err := http.Get(s.url + "healthz"); err != nil {
				t.Error(err)
			} else {
				resp.Body.Close()
			}
			s.end(t, syscall.SIGTERM)
		})
	}
}

// closedErrors has nobody hold the other end of a command's standard error once begun is called.
func closedErrors(t *testing.T, cmd *exec.Cmd) (begun func()) {
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	return func() { errs.Close() }
}

// fullErrors gives a command a standard error that takes nothing, and isn't closed either.
func fullErrors(t *testing.T, cmd *exec.Cmd) (begun func()) {
	held, full, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	if err := full.SetWriteDeadline(time.Now().Add(time.Second / 10)); err != nil {
		t.Fatal(err)
	}
	if _, err := full.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe isn't full: %v", err)
	}
	cmd.Stderr = full
	return func() { full.Close() }
}

// TestRefusedStarts: what keeps the bot from starting is said in one line that tells what to do.
func TestRefusedStarts(t *testing.T) {
	locked := filepath.Join(t.TempDir(), "locked.db")
	store, err := bolt.Open(locked, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	foreign, short := filepath.Join(t.TempDir(), "foreign.db"), filepath.Join(t.TempDir(), "short.db")
	if err := os.WriteFile(foreign, []byte(strings.Repeat("not cards ", 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, "--db", short).close(t)
	if err := os.Truncate(short, 5000); err != nil {
		t.Fatal(err)
	}
	s := open(t, "--db", filepath.Join(t.TempDir(), "z.db"))
	defer s.close(t)
	free := filepath.Join(t.TempDir(), "free.db")
	busy := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	for _, test := range []struct {
		name, call string
		want       []string
	}{
		{"locked", "serve --db " + locked, []string{locked, "another zevaka is using it: stop that one"}},
		{"folder", "serve --db " + t.TempDir(), []string{"this is a folder"}},
		{"no folder", "serve --db no/such/folder.db", []string{"make its folder first"}},
		{"foreign", "serve --db " + foreign, []string{foreign, "not a file of zevaka", "the name of another file"}},
		{"cut off", "serve --db " + short, []string{short, "the file was cut off", "restore a backup"}},
		{"busy address", "--db " + free + " --listen " + busy, []string{busy, "another address: --listen"}},
		{"outside", "--db " + free + " --listen 0.0.0.0:0", []string{"--room-open"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			end := zevaka(t, "", append(strings.Fields(test.call), "--log-level=error")...)
			for _, want := range test.want {
				if !strings.Contains(end.err, want) {
					t.Errorf("said %q; want %q", end.err, want)
				}
			}
			if end.code != 1 || !strings.HasPrefix(end.err, "zevaka: ") || strings.Count(end.err, "\n") != 1 || end.out != "" {
				t.Errorf("exit %d, %q", end.code, end.err)
			}
		})
	}
}

// refusing is the address of both platforms as who refuses every token.
func refusing(t *testing.T) string {
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"ok":false,"error_code":401,"description":"Unauthorized","message":"401: Unauthorized","code":0}`)
	}))
	t.Cleanup(refuses.Close)
	return refuses.URL
}

// TestWrongToken: a token that its platform refuses is said in one line that doesn't show it, and the room goes on.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	refuses := refusing(t)
	for _, name := range []string{"TELEGRAM", "DISCORD"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			token := map[string]string{"TELEGRAM": "123456:very-secret", "DISCORD": "123456.very-secret"}[name]
			platform := "--" + strings.ToLower(name)
			s := open(t, "--db", filepath.Join(t.TempDir(), "t.db"), platform+"-token", token, platform+"-api", refuses)
			s.log.Wait("not served")
			if resp, err := http.Get(s.url + "healthz"); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("the room doesn't go on: %v", err)
			} else {
				resp.Body.Close()
			}
			s.close(t)
			said := s.log.String()
			if strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, name+"_TOKEN") || strings.Contains(said, "very-secret") {
				t.Errorf("it says:\n%s", said)
			}
		})
	}
}

// TestTokensInTheEnvironment: what stands around a token is not of it, and one that can't be any is refused before anything is done.
func TestTokensInTheEnvironment(t *testing.T) {
	for variable, secret := range map[string]string{"TELEGRAM_TOKEN": "1:a", "DISCORD_TOKEN": "1.a", "DISCORD_CLIENT_SECRET": "1:a"} {
		t.Setenv(variable, "\n "+secret+"\r\n")
		s := parsed(t)
		if secrets := s.secrets(); !slices.Contains(secrets, secret) || slices.Contains(secrets, "\n "+secret+"\r\n") {
			t.Errorf("%s: %q", variable, secrets)
		}
		t.Setenv(variable, secret+"\n2:b")
		if end := zevaka(t, "", "config"); end.code != exitUsage || !strings.Contains(end.err, variable) || strings.Contains(end.err, secret) {
			t.Errorf("%s: exit %d, %s", variable, end.code, end.err)
		}
		t.Setenv(variable, "")
	}
}

// TestNobodyIsServed: where the room is off and every platform refuses its token, the program ends, and says so of each.
func TestNobodyIsServed(t *testing.T) {
	t.Parallel()
	api := refusing(t)
	end := zevaka(t, "", "--config", fileOf(t, fmt.Sprintf("listen = 'off'\nnew = true\ndb = '%s'\ntelegram-token = '1:a'\ndiscord-token = 'a.b'\ntelegram-api = '%s'\ndiscord-api = '%[2]s'",
		filepath.Join(t.TempDir(), "t.db"), api)))
	if end.code != exitFailed || !strings.Contains(end.err, "TELEGRAM_TOKEN") || !strings.Contains(end.err, "DISCORD_TOKEN") {
		t.Errorf("exit %d, %s", end.code, end.err)
	}
}

// TestDatabaseOfAStart: a start says which program serves which database, and what is in it. One that has lost what was in it, and one
// that a file of settings names and that isn't there, is begun anew only by --new; without settings a start makes it.
func TestDatabaseOfAStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	absent, empty, played := filepath.Join(folder, "absent.db"), filepath.Join(folder, "empty.db"), dealtAt(t)
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		db, settings string
		flags        []string
		want         []string
		warns        bool
	}{
		{db: absent, settings: "db = '" + absent + "'", want: []string{"name the database " + absent, "mounted", "--new"}},
		{db: absent, settings: "store = 'bolt:" + absent + "'", want: []string{"--new"}},
		{db: empty, flags: []string{"--db", empty}, want: []string{empty + " is empty", "--new"}},
		{db: absent, settings: "db = '" + absent + "'\nnew = true", want: []string{"it_was=made open_tables=0 chats=0 people=0 chips=0"}},
		{db: absent, settings: "db = '" + absent + "'", want: []string{"it_was=found open_tables=0 chats=0 people=0 chips=0"}, warns: true},
		{db: empty, flags: []string{"--db", empty, "--new"}, want: []string{"it_was=made"}},
		{db: played, flags: []string{"--db", played}, want: []string{"it_was=found open_tables=2 chats=1 people=1 chips=", "version=", "commit="}},
	} {
		args := append([]string{"serve", "--config", fileOf(t, test.settings)}, test.flags...)
		if strings.Contains(test.want[len(test.want)-1], "--new") {
			end := zevaka(t, "", args...)
			for _, want := range test.want {
				if end.code != exitFailed || !strings.Contains(end.err, want) {
					t.Errorf("%v: exit %d, %s; want %q", args, end.code, end.err, want)
				}
			}
			continue
		}
		s := startAs(t, command(t, args...))
		s.log.Wait("the database is open")
		s.end(t, syscall.SIGTERM)
		said := s.log.String()
		for _, want := range append(test.want, "database="+test.db) {
			if !strings.Contains(said, want) {
				t.Errorf("%v: it says %s; want %q", args, said, want)
			}
		}
		if strings.Contains(said, "the database was there and is empty") != test.warns {
			t.Errorf("%v: it says %s", args, said)
		}
	}
	for _, call := range []string{"check ", "audit --db ", "backup --db ", "compact --db "} {
		for _, file := range []string{filepath.Join(folder, "no.db"), fileOf(t, "")} {
			call := strings.Fields(call + file)
			if call[0] == "backup" {
				call = append(call, filepath.Join(folder, "backup"))
			}
			if end := zevaka(t, "", call...); end.code != exitFailed || !strings.Contains(end.err, "there is nothing in it, or no such file") {
				t.Errorf("%v: exit %d, %s", call, end.code, end.err)
			}
		}
	}
}

// TestAdminAddress: who may reach the socket is told how to become the room's admin, and can have that end for whoever was told before.
// No line of a log has the secret, and in JSON's mode each is JSON.
func TestAdminAddress(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "z.db")
	s := launch(t, command(t, "--db", db, "--log-format", "json"))
	s.log.Wait("the room is open")
	s.url = roomURL(s.log.String())
	told := func(flags ...string) *guest {
		said := good(t, "", append([]string{"admin", "--db", db}, flags...)...)
		at, secret, found := strings.Cut(strings.TrimSpace(said), "#admin=")
		if at != s.url || !found {
			t.Fatalf("it says %q, and the room is at %s", said, s.url)
		}
		return &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32), admin: secret}
	}
	first := told()
	if again := told(); again.admin != first.admin || !first.send(s.url, "say", map[string]any{"text": "/season off"}) {
		t.Error("the first is no admin")
	}
	second := told("--renew")
	if first.send(s.url, "say", map[string]any{"text": "/season off"}) || !second.send(s.url, "say", map[string]any{"text": "/season off"}) {
		t.Error("the first is admin still, or the second isn't")
	}
	s.end(t, syscall.SIGTERM)
	rest, _ := io.ReadAll(s.out)
	if said := s.log.String(); strings.Contains(said, first.admin) || strings.Contains(said, second.admin) || len(rest) > 0 {
		t.Errorf("it says %s, and prints %s", said, rest)
	}
	for line := range strings.Lines(s.log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("this is no JSON: %s", line)
		}
	}
	if end := zevaka(t, "", "admin", "--db", db); end.code != exitFailed || !strings.Contains(end.err, "nobody answers") {
		t.Errorf("when nobody serves: exit %d, %s", end.code, end.err)
	}
}

// TestHangUp: SIGHUP has the settings read again. Those that can count at once; the others are named, and so is what is wrong with the file,
// by which nothing changes.
func TestHangUp(t *testing.T) {
	t.Parallel()
	file := fileOf(t, "contact = 'Ann'")
	s := start(t, "ZEVAKA_DB="+filepath.Join(t.TempDir(), "t.db"), "ZEVAKA_CONFIG="+file)
	again := func(text, said string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		s.log.Wait(said)
	}
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	again("contact = 'Bob'\nkeep = '30d'\nlog-level = 'debug'\nmetrics = '127.0.0.1:1'", `changed="[log-level keep contact]"`)
	s.log.Wait("settings=[metrics]")
	ann.send(s.url, "say", map[string]any{"text": "/privacy"})
	s.log.Wait("request handled") // The level is debug now.
	again("contact = 'Bob'\nuser-rate = 0.0001\nlog-level = 'warn'", `changed="[log-level keep user-rate]"`)
	if !ann.send(s.url, "say", map[string]any{"text": "/zevaka"}) || ann.send(s.url, "say", map[string]any{"text": "/zevaka"}) {
		t.Error("the new rate doesn't count")
	}
	again("contact = ", "line 1: this can't be read")
	s.end(t, syscall.SIGTERM)
}

// TestLateStop: a stop that takes too long is ended, says so, and is no failure, and neither is what goes wrong on the way out.
func TestLateStop(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	for _, test := range []struct {
		name      string
		told      bool
		takes     time.Duration
		err, want error
		most      time.Duration
		says      string
	}{
		{"a failure", false, time.Hour, wrong, wrong, time.Hour, ""},
		{"a stop", true, time.Second, nil, nil, time.Second, ""},
		{"a stop that goes wrong", true, time.Second, wrong, nil, time.Second, "not all went well"},
		{"a stop that hangs", true, time.Hour, nil, nil, 5 * time.Second, "would have taken longer"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			if test.told {
				stop()
			}
			defer stop()
			var log testlog.Log
			begun := time.Now()
			err := endInTime(ctx, slog.New(slog.NewTextHandler(&log, nil)), func() error { time.Sleep(test.takes); return test.err })
			if took := time.Since(begun); err != test.want || took > test.most || !strings.Contains(log.String(), test.says) {
				t.Errorf("%s: %v after %v, and says %s", test.name, err, took, &log)
			}
			time.Sleep(test.takes)
		})
	}
}

// TestNobodyCouldPlay: without the room and without tokens there is nothing to serve.
func TestNobodyCouldPlay(t *testing.T) {
	t.Parallel()
	end := zevaka(t, "", "--listen", "off", "--db", filepath.Join(t.TempDir(), "t.db"))
	if end.code != exitFailed || !strings.Contains(end.err, "DISCORD_TOKEN") {
		t.Errorf("exit %d, %s", end.code, end.err)
	}
}
