//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/storage"
)

// TestDoctor: what serve needs is good, or it is said what to do about it, a line each; nothing is changed, and no token is shown.
func TestDoctor(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(telegramtest.New(telegramtest.Options{}))
	defer api.Close()
	folder := t.TempDir()
	sound, newer, empty, open644 := dealtAt(t), filepath.Join(folder, "newer.db"), filepath.Join(folder, "empty.db"), filepath.Join(folder, "open.db")
	file := contents(t, sound)
	for name, text := range map[string][]byte{
		newer: bytes.ReplaceAll(file, fmt.Append(nil, "zevaka ", storage.Format), []byte("zevaka 9")), empty: nil, open644: file,
	} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	served := filepath.Join(folder, "served.db")
	s := open(t, "--db", served)
	defer s.close(t)
	busy := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	token := []string{"--telegram-token=" + telegramtest.Token, "--telegram-api=" + api.URL}
	for _, test := range []struct {
		name string
		args []string
		want []string
		todo int
	}{
		{"all is well", []string{"--db", sound}, []string{"good  database  " + sound, "good  disk ", "good  settings ", "good  program ", "is free", "good  discord   no token is set"}, 0},
		{"none yet", []string{"--db", filepath.Join(folder, "none.db")}, []string{"isn't there: the first start makes it"}, 0},
		{"none, which the settings name", []string{"--db=" + filepath.Join(folder, "none.db")}, []string{"isn't there, and the settings name it: see whether"}, 1},
		{"none, which is to be made", []string{"--db=" + filepath.Join(folder, "none.db"), "--new"}, []string{"isn't there: the first start makes it"}, 0},
		{"an archive that isn't there yet", []string{"--db", sound, "--archive", filepath.Join(folder, "archive")}, []string{"good  archive   " + folder, "archive isn't there: the first start makes it"}, 0},
		{"an address of all", []string{"--db", sound, "--listen=:0"}, []string{"DO    address   --listen :0 is reached by others", "--room-open"}, 1},
		{"an address of all, and all may come", []string{"--db", sound, "--listen=:0", "--room-open"}, []string{"--listen :0 is free"}, 0},
		{"an address for a proxy", append(token, "--db", sound, "--listen=:0", "--public-url=https://127.0.0.1:1", "--room-proxy=10.0.0.5"),
			[]string{"--listen :0 is free", "DO    address   Get \"https://127.0.0.1:1/tg\": "}, 1},
		{"an address for a proxy, and no token", []string{"--db", sound, "--listen=:0", "--public-url=https://x.org", "--room-proxy=10.0.0.5"}, []string{"tokens are set"}, 1},
		{"no folder", []string{"--db", filepath.Join(folder, "no", "z.db")}, []string{"DO    database ", "make the folder"}, 1},
		{"empty", []string{"--db", empty}, []string{"is empty: put a backup there"}, 2},
		{"others may read it", []string{"--db", open644}, []string{"DO    database ", "chmod 600 " + open644}, 1},
		{"of a later program", []string{"--db", newer}, []string{"DO    database ", "format 9"}, 2},
		{"an address is taken", []string{"--db", sound, "--metrics", busy}, []string{"DO    address   --metrics", "another address"}, 1},
		{"it is served", []string{"--db", served, "--listen", busy}, []string{"good  serving   process ", "good  serving   ready", "good  database  " + served}, 0},
		{"a token", append(token, "--db", sound), []string{"good  telegram  the token is that of @", "good  clock "}, 0},
		{"a wrong token", []string{"--db", sound, "--telegram-token=4242:wrong", token[1]}, []string{"DO    telegram  the token is refused"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			// As a file of settings has it, or a variable: a token on the command line is refused.
			var settings strings.Builder
			var args []string
			for _, arg := range test.args {
				if name, value, ok := strings.Cut(strings.TrimPrefix(arg, "--"), "="); ok && (strings.HasPrefix(arg, "--telegram") || name == "db") {
					fmt.Fprintf(&settings, "%s = %q\n", name, value)
				} else {
					args = append(args, arg)
				}
			}
			if !strings.Contains(strings.Join(args, " "), "--listen") {
				args = append(args, "--listen=127.0.0.1:0")
			}
			end := zevaka(t, "", append([]string{"doctor", "--config", fileOf(t, settings.String())}, args...)...)
			for _, want := range test.want {
				if !strings.Contains(end.out, want) {
					t.Errorf("it doesn't say %q", want)
				}
			}
			if n := strings.Count("\n"+end.out, "\nDO "); n != test.todo || (end.code == 0) != (n == 0) || strings.Contains(end.out+end.err, "AAtest") {
				t.Errorf("%d to do, exit %d, %s", n, end.code, end.err)
			}
			if t.Failed() {
				t.Logf("it says\n%s", end.out)
			}
		})
	}
	if left := names(t, folder); left != "empty.db newer.db open.db served.db served.db.sock" {
		t.Errorf("there are now %s", left)
	}
}

// TestDoctorAtTheDoor: at the public address the page of the tables is found, with a good certificate, or it is said what to do.
func TestDoctorAtTheDoor(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(telegramtest.New(telegramtest.Options{}))
	defer api.Close()
	s := start(t, "ZEVAKA_DB="+filepath.Join(t.TempDir(), "z.db"), "ZEVAKA_PUBLIC_URL=https://cards.example.org", "ZEVAKA_ROOM_PROXY=127.0.0.1",
		"TELEGRAM_TOKEN="+telegramtest.Token, "TELEGRAM_API="+api.URL)
	behind, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(behind)
	pass.ErrorLog = log.New(io.Discard, "", 0)
	proxy := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Host = "cards.example.org"
		pass.ServeHTTP(w, req)
	}))
	proxy.Config.ErrorLog = pass.ErrorLog
	proxy.StartTLS()
	defer proxy.Close()
	for _, test := range []struct {
		name, path string
		client     *http.Client
		served     bool
		is, do     string
	}{
		{"the tables", "/tg", proxy.Client(), true, "/tg shows the tables", ""},
		{"another page", "/other", proxy.Client(), true, "answers 421, and not with the tables", "pass everything on"},
		{"a certificate that nobody knows", "/tg", &http.Client{Transport: &http.Transport{}}, true, "certificate", "its certificate good"},
	} {
		if f := publicFinding(t.Context(), test.client, proxy.URL+test.path, test.served); !strings.Contains(f.Is, test.is) || !strings.Contains(f.Do, test.do) || (f.Do == "") != (test.do == "") {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
	s.end(t, syscall.SIGTERM)
	if f := publicFinding(t.Context(), proxy.Client(), proxy.URL+"/tg", false); f.Do != "" || !strings.Contains(f.Is, "no zevaka serves behind it") {
		t.Errorf("behind the proxy nobody serves: %+v", f)
	}
	if f := publicFinding(t.Context(), proxy.Client(), proxy.URL+"/tg", true); f.Do == "" {
		t.Errorf("behind the proxy is another port: %+v", f)
	}
}
