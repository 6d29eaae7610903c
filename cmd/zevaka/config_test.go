package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// fileOf is a file of settings.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "zevaka.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// settingIn is the line about a setting in what zevaka config prints, with its spaces made one.
func settingIn(printed, name string) string {
	for l := range strings.Lines(printed) {
		if text := strings.TrimPrefix(l, "# "); strings.HasPrefix(text, name+" ") {
			return oneLine(l)
		}
	}
	return ""
}

// TestConfigByDefault: who sets nothing opens the room to this machine alone, and metrics to nobody.
func TestConfigByDefault(t *testing.T) {
	end := zevaka(t, "", "config")
	for name, want := range map[string]string{"listen": `listen = "127.0.0.1:8080"`, "room-open": "room-open = false", "metrics": `metrics = "off"`} {
		if got := settingIn(end.out, name); got != want+" # by default" {
			t.Errorf("%s: it says %q, want %q", name, got, want)
		}
	}
}

// TestConfig: a flag counts before the environment, that before the file, and that before the default; each setting says
// where it comes from, and secrets don't show.
func TestConfig(t *testing.T) {
	path := fileOf(t, `
# What the operator wants.
db = "/srv/table.db"     # not the default
listen = "off"
room-open = true
metrics = "127.0.0.1:1"
user-rate = 7
community-rate = "2.5"
log-level = "warn"
telegram-token = "123456:AAfile"
discord-token = "MT.file"
`)
	for name, value := range map[string]string{
		"ZEVAKA_LISTEN": "127.0.0.1:80", "ZEVAKA_METRICS": "off", "DISCORD_TOKEN": "MT.env", "ZEVAKA_SHARDS": "0-1/2",
	} {
		t.Setenv(name, value)
	}
	end := zevaka(t, "", "config", "--config", path, "--log-level", "debug", "--metrics=127.0.0.1:9464")
	if end.code != 0 || end.err != "" {
		t.Fatalf("exit %d: %s", end.code, end.err)
	}
	for name, want := range map[string]string{
		"db":              `db = "/srv/table.db" # from ` + path,
		"listen":          `listen = "127.0.0.1:80" # from ZEVAKA_LISTEN`,
		"room-open":       `room-open = true # from ` + path,
		"metrics":         `metrics = "127.0.0.1:9464" # from the command line`,
		"log-level":       `log-level = "debug" # from the command line`,
		"log-format":      `log-format = "text" # by default`,
		"archive":         `# archive is not set # ZEVAKA_ARCHIVE`,
		"user-rate":       `user-rate = 7.0 # from ` + path,
		"community-rate":  `community-rate = 2.5 # from ` + path,
		"shards":          `shards = "0-1/2" # from ZEVAKA_SHARDS`,
		"discord-token":   `# discord-token is set and not shown # DISCORD_TOKEN`,
		"telegram-token":  `# telegram-token is set and not shown # ` + path,
		"telegram-api":    `# telegram-api is not set # TELEGRAM_API`,
		"telegram-webhok": "",
	} {
		if got := settingIn(end.out, name); got != want {
			t.Errorf("%s: it says %q, want %q", name, got, want)
		}
	}
	if strings.Contains(end.out, "AAfile") || strings.Contains(end.out, "MT") {
		t.Errorf("it tells secrets:\n%s", end.out)
	}
	for _, flag := range serveFlags(model(t)) {
		if settingIn(end.out, flag.Name) == "" && !isGone(flag) {
			t.Errorf("nothing is said of --%s", flag.Name)
		}
	}
}

// model is what zevaka can be told.
func model(tb testing.TB) *kong.Node {
	tb.Helper()
	parser, err := newParser()
	if err != nil {
		tb.Fatal(err)
	}
	return parser.Model.Node
}

// TestConfigReadsWhatItPrints: what zevaka config prints is a file with the same settings.
func TestConfigReadsWhatItPrints(t *testing.T) {
	t.Parallel()
	args := []string{
		"config", "--db", `/a "strange" folder\ф.db`, "--listen=off", "--room-open", "--log-level=error", "--user-rate=0.25", "--shards=0/1",
	}
	printed := good(t, "", args...)
	again := good(t, "", "config", "--config", fileOf(t, printed))
	for _, flag := range serveFlags(model(t)) {
		before, _, _ := strings.Cut(settingIn(printed, flag.Name), " # ")
		after, _, _ := strings.Cut(settingIn(again, flag.Name), " # ")
		if before != after {
			t.Errorf("%s: %q, and read from a file %q", flag.Name, before, after)
		}
	}
}

// TestConfigInTheEnvironment: the file may be named there, and other commands take the database from it.
func TestConfigInTheEnvironment(t *testing.T) {
	db := filepath.Join(t.TempDir(), "z.db")
	t.Setenv("ZEVAKA_CONFIG", fileOf(t, "db = '"+db+"'\nuser-rate = 1"))
	if end := zevaka(t, "", "check"); end.code != 1 || !strings.Contains(end.err, db) {
		t.Errorf("exit %d: %s", end.code, end.err)
	}
}

// TestUnreadVariables: who has set what nothing reads is told so, by its name alone, and nothing that others set, or that commands read.
func TestUnreadVariables(t *testing.T) {
	for _, name := range []string{"ZEVAKA_TELEGRAM_TOKEN", "ZEVAKA_ROOMOPEN", "ZEVAKA_LISTEN_FILE"} {
		t.Setenv(name, "secret")
	}
	for _, name := range []string{"ZEVAKA_PORT", "ZEVAKA_PORT_80_TCP_ADDR", "ZEVAKA_SERVICE_HOST", "ZEVAKA_ETCD_SERVICE_PORT_CLIENT", "ZEVAKA_ETCD_PORT_2379_TCP", "ZEVAKA_NEW", "ZEVAKA_CONFIG", "ZEVAKA_STORE_PASSWORD_FILE"} {
		t.Setenv(name, "")
	}
	folder := t.TempDir()
	ends := zevaka(t, "", "serve", "--db", folder)
	doctor := zevaka(t, "", "doctor", "--db", filepath.Join(folder, "z.db"), "--listen", "127.0.0.1:0")
	for what, text := range map[string]string{"the log": ends.err, "doctor": doctor.out} {
		for name, n := range map[string]int{"no setting has": 3, "ZEVAKA_TELEGRAM_TOKEN": 1, "ZEVAKA_ROOMOPEN": 1, "ZEVAKA_LISTEN_FILE": 1, "secret": 0} {
			if strings.Count(text, name) != n {
				t.Errorf("%s has %s %d times:\n%s", what, name, strings.Count(text, name), text)
			}
		}
	}
}

// TestEmptyVariables: an empty variable counts as none, whatever it is for.
func TestEmptyVariables(t *testing.T) {
	parser, err := newParser()
	if err != nil {
		t.Fatal(err)
	}
	want := zevaka(t, "", "config")
	for _, leaf := range parser.Model.Leaves(false) {
		for _, flag := range leaf.Flags {
			for _, name := range flag.Envs {
				t.Setenv(name, "")
			}
		}
	}
	if end := zevaka(t, "", "config"); end != want {
		t.Errorf("exit %d: %s%s, want %s", end.code, end.err, end.out, want.out)
	}
}

// TestWrongConfigs: what is wrong with a file is said in one line, with the place in the file.
func TestWrongConfigs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"a typo", "db = 'x'\nlisen = 'off'", `line 2: no setting is called "lisen" (zevaka config lists all)`},
		{"another", "\n\nroom_open = true", `line 3: no setting is called "room_open" (zevaka config lists all)`},
		{"a variable", "ZEVAKA_LOG_LEVEL = 'info'", `no setting is called "ZEVAKA_LOG_LEVEL" (zevaka config lists all)`},
		{"in quotes", `"discord-tokn" = "x"`, `line 1: no setting is called "discord-tokn" (zevaka config lists all)`},
		{"of another command", "force = true", "no setting is called \"force\""},
		{"the file itself", "config = 'x'", "no setting is called \"config\""},
		{"a section", "[serve]\ndb = 'x'", "settings stand in no sections: leave out [serve]"},
		{"no value", "db =", "line 1: "},
		{"no text", "db = table.db", "line 1: "},
		{"twice", "db = 'x'\ndb = 'y'", "line 2: this is set for the second time"},
		{"a secret without quotes", "discord-token = MTsecret", `line 1: this can't be read; a line is like: listen = "off"`},
		{"a secret that isn't one", "discord-token = ['MTsecret']", "line 1: discord-token: give a text"},
		{"a list", "listen = ['a', 'b']", "line 1: listen: give a text, a number, true or false"},
		{"a day", "listen = 2026-11-21", "line 1: listen: give a text, a number, true or false"},
		{"no level", "log-level = 'loud'", "line 1: log-level: give debug, info, warn or error"},
		{"no form", "log-format = 'xml'", `line 1: log-format: give text or json, not "xml"`},
		{"no number", "user-rate = 'x'", "line 1: user-rate: "},
		{"an address without https", `public-url = "http://cards.example.org"`, "give the https address of your proxy"},
		{"an address with no room", "public-url = \"https://cards.example.org\"\nlisten = \"off\"", "--public-url: the live tables stand beside the room"},
		{"below nothing", "user-rate = -1", "--user-rate, --address-rate, --community-rate: give a number"},
		{"no yes or no", "room-open = 'maybe'", "line 1: room-open: "},
		{"a cell", "\ncell = 'one'", "line 2: cell: " + errCells.Error()},
		{"a directory", "directory = 'etcd://db1/directory'", "line 1: directory: " + errCells.Error()},
		{"no address", "listen = 'room'", "--listen: \"room\" should look like 127.0.0.1:8080"},
		{"no port", "metrics = '127.0.0.1:http'", "--metrics: "},
		{"no one port", "peers-listen = ':99999'", "--peers-listen: "},
		{"a host without its port", "peers-address = 'bot1'", "--peers-address: \"bot1\" should look like 127.0.0.1:8080"},
		{"no shards", "shards = '9/2'", "shards \"9/2\": they should look like 0-3/8"},
		{"no place", "store = 'postgres://db1/z'", "--store: "},
		{"a token of two lines", "telegram-token = \"MTsecret\\n2\"", "TELEGRAM_TOKEN is no token"},
		{"half a token", "telegram-token = 'MTsecret 2'", "TELEGRAM_TOKEN is no token"},
		{"with its kind", "discord-token = 'Bot MTsecret'", "DISCORD_TOKEN: there is white space in it"},
		{"what can't be seen", "discord-client-secret = \"MTsecret\\u200bx\"", "DISCORD_CLIENT_SECRET: there is white space in it"},
		{"kept for no day", "keep = '0d'", "line 1: keep: give a number of days"},
		{"no webhook", "telegram-webhook = 'example.org'", "the webhook should look like https://example.org"},
		{"too long", "# " + strings.Repeat("x", maxConfig), "it has more than 65536 bytes"},
		{"a text of Windows", "\xff\xfed\x00b\x00", "it is a text in UTF-16: save it as UTF-8"},
		{"not a text", "db = '\xff\xfe'", "line 1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"config", "serve"} {
				end := zevaka(t, "", name, "--config", fileOf(t, test.text))
				if end.code != exitUsage || !strings.Contains(end.err, test.want) || strings.Count(end.err, "\n") != 1 || end.out != "" || strings.Contains(end.err, "MTsecret") {
					t.Errorf("zevaka %s: exit %d, %q, %q; want %q", name, end.code, end.err, end.out, test.want)
				}
			}
		})
	}
	for _, path := range []string{"no/such/file.toml", "."} {
		if end := zevaka(t, "", "config", "--config", path); end.code != exitUsage || !strings.HasPrefix(end.err, "zevaka: settings in "+path+": ") {
			t.Errorf("exit %d, %q", end.code, end.err)
		}
	}
}

// TestWrongStores: what is no place for a database is refused in words, with what to write instead.
func TestWrongStores(t *testing.T) {
	for store, want := range map[string]string{
		"etcd://db1:2379":             "prefix",
		"etcd://bot:secret@db1/z":     "without a password",
		"postgres://db1/z":            "bolt:FILE or etcd://",
		"bolt:":                       "bolt:FILE or etcd://",
		"etcd:db1:2379":               "bolt:FILE or etcd://",
		"db1:2379":                    "bolt:FILE or etcd://",
		"etcd:bot:secret@db1/z":       "bolt:FILE or etcd://",
		"bot1:secret@db1:2379":        "bolt:FILE or etcd://",
		"db1:2379,db2:2379":           "bolt:FILE or etcd://",
		"db1:2379; db2:2379":          "bolt:FILE or etcd://",
		" db1:2379 ":                  "bolt:FILE or etcd://",
		"127.0.0.1:2379/zevaka":       "bolt:FILE or etcd://",
		"etcds://db1:2379,:/zevaka":   "HOST:PORT",
		"bolt:/no/such/folder/z.db":   "make its folder first",
		"etcd://127.0.0.1:1/zevaka/ ": "prefix",
	} {
		end := zevaka(t, "", "serve", "--listen", "off", "--store", store)
		if end.code == 0 || !strings.Contains(end.err, want) || strings.Contains(end.err, "secret") {
			t.Errorf("--store %s: exit %d, %s; want %q", store, end.code, end.err, want)
		}
	}
	for _, file := range []string{"backup-2026-12-02T10:00.db", `C:\zevaka.db`, "folder/10:00.db"} {
		if p, err := parsePlace(file); err != nil || p.file != file {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestTokensOnTheCommandLine: a token there is refused, and not repeated.
func TestTokensOnTheCommandLine(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"--discord-token": "DISCORD_TOKEN", "--discord-client-secret": "DISCORD_CLIENT_SECRET", "--telegram-token": "TELEGRAM_TOKEN"} {
		for _, name := range []string{"config", "serve"} {
			end := zevaka(t, "", name, flag+"=MTsecret", "--db", filepath.Join(t.TempDir(), "none", "x.db"))
			if end.code != exitUsage || !strings.Contains(end.err, want) || strings.Contains(end.err+end.out, "MTsecret") {
				t.Errorf("zevaka %s %s: exit %d, %q, %q", name, flag, end.code, end.out, end.err)
			}
		}
	}
}

// FuzzConfig: no file of settings breaks anything, what is wrong is said in one line without any secret, and what is
// taken is a value of its kind.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"", "db = 'x'", "listen = \"off\" # a room\n", "user-rate = 7.5\nroom-open = true", "[serve]\ndb=1", "log-level='DEBUG+2'",
		"discord-token = 'secretsecret'\nx=", "a.b.c = 1", "\"db\" = '''\nx'''", "db = 0x10", "user-rate = inf", "\ufeffdb='x'",
	} {
		f.Add(text)
	}
	flags := serveFlags(model(f))
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseConfig(text, flags)
		if err != nil {
			if said := err.Error(); strings.ContainsAny(said, "\n\r") || len(said) > 500 {
				t.Errorf("it says %q", said)
			}
			return
		}
		for name, value := range file.values {
			flag := flagNamed(flags, name)
			if flag == nil {
				t.Fatalf("%q is taken for a setting", name)
			}
			again := &configFile{values: map[string]string{}, flags: flags}
			if err := again.set(name, value); err != nil || again.values[name] != value {
				t.Errorf("%s = %q is taken, and then not: %v", name, value, err)
			}
		}
	})
}

// TestStorePasswordIsHidden: whatever a library says of the cluster, its password isn't in it.
func TestStorePasswordIsHidden(t *testing.T) {
	var s settings
	s.StorePassword = "hush-hush"
	var out strings.Builder
	s.log(&out, slog.LevelInfo).Info("refused", "error", "no such user: bot:hush-hush")
	if said := out.String(); !strings.Contains(said, "no such user") || strings.Contains(said, s.StorePassword) {
		t.Errorf("the log says %q", said)
	}
}
