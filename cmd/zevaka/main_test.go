package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"zevaka/adapters/browsertest"
	"zevaka/bot/testlog"
	"zevaka/engine/enginetest"
)

// browser is the one of all tests.
var browser = newBrowser()

// newBrowser is the browser of all tests that want one. The hosts have a certificate that nobody vouches for; and the page in a
// frame is in the process of the page around it, so that a test can look into it. What origins may do is as ever.
func newBrowser() *browsertest.Browser {
	return &browsertest.Browser{Flags: map[string]any{
		"ignore-certificate-errors": true, "disable-features": "SitePerProcess,IsolateOrigins,AutofillServerCommunication", "disable-site-isolation-trials": true,
	}}
}

// asZevaka makes the test program be zevaka itself.
const asZevaka = "TEST_AS_ZEVAKA"

func TestMain(m *testing.M) {
	if os.Getenv(asZevaka) != "" {
		main()
	}
	for _, variable := range os.Environ() { // What is set for others is set for no test.
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "ZEVAKA_") || strings.HasPrefix(name, "DISCORD_") || strings.HasPrefix(name, "TELEGRAM_") {
			_ = os.Unsetenv(name)
		}
	}
	enginetest.AtOnce(4)
	code := m.Run()
	browser.Close()
	os.Exit(code)
}

// command is zevaka as a process of its own.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	// Else the race detector waits a second at each end.
	cmd.Env = append(os.Environ(), asZevaka+"=1", "GORACE=atexit_sleep_ms=0")
	cmd.Dir = t.TempDir()
	return cmd
}

// zevaka is what this program leaves behind, called in this process.
func zevaka(t testing.TB, stdin string, args ...string) ending {
	t.Helper()
	var out bytes.Buffer
	var errs testlog.Log
	code := run(args, streams{strings.NewReader(stdin), &out, &errs})
	return ending{out.String(), errs.String(), code}
}

// ending is what a call left behind.
type ending struct {
	out, err string
	code     int
}

// finish runs the command to its end.
func finish(t *testing.T, cmd *exec.Cmd, stdin io.Reader) ending {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ending{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// good is the output of a call that must go well.
func good(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	end := zevaka(t, stdin, args...)
	if end.code != 0 {
		t.Fatalf("zevaka %s: exit %d\n%s", strings.Join(args, " "), end.code, end.err)
	}
	return end.out
}

// contents are what a file has.
func contents(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestWrongCalls: what can't be done is said in one line that tells what can.
func TestWrongCalls(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		call string
		code int
		want string
	}{
		{"shuffle", 2, "unexpected argument shuffle"},
		{"--wrong", 2, "unknown flag --wrong"},
		{"serve extra", 2, "unexpected argument extra"},
		{"--log-level loud", 2, "--log-level"},
		{"simulate", 2, `expected "<game>"`},
		{"simulate whist", 1, `there is no game "whist" here, only zevaka`},
		{"simulate zevaka --games x", 2, "--games"},
		{"simulate zevaka --games=-1", 1, "--games: give 0 or more"},
		{"simulate zevaka --games 99999999999999999999", 2, "--games"},
		{"simulate zevaka --seats 1", 1, "zevaka is for 2 to 6, not 1"},
		{"simulate zevaka --seats 7", 1, "zevaka is for 2 to 6, not 7"},
		{"simulate zevaka --seats=-2", 1, "zevaka is for 2 to 6, not -2"},
		{"simulate zevaka -o pack", 2, "--option"},
		{"simulate zevaka -o others=off", 1, "-o others=off does nothing without deal=stock"},
		{"simulate tecza -o distinct=on", 1, "-o distinct=on does nothing without bases=8"},
		{"simulate zevaka -o pack=40", 1, "pack may be 36, 52"},
		{"simulate zevaka -o packs=52", 1, "the options of zevaka are pack, deal, centre, open, others, penalty, end"},
		{"simulate zevaka --skill sharp", 1, `--skill: give a number from 0 to 1, or random, not "sharp"`},
		{"simulate zevaka --skill 1.5", 1, "--skill"},
		{"simulate zevaka --skill NaN", 1, "--skill"},
		{"simulate zevaka --states no/such/folder", 1, "write the positions: open no/such/folder"},
		{"deals", 2, "expected one of \"make\", \"check\""},
		{"deals check whist", 1, `there is no patience "whist"`},
		{"deals check zevaka", 1, `there is no patience "zevaka"`},
		{"deals check --sample x", 2, "--sample"},
		{"deals make zaba --deals 1 --dir no/such/folder", 1, "look for the folder of the bank: stat no/such/folder"},
		{"replay no-such-file", 1, "read the records: open no-such-file"},
		{"replay .", 1, "read the records: read .: is a directory"},
		{"replay - extra", 2, "unexpected argument extra"},
		{"backup --timeout=0s copy", 2, "--timeout: give a time, as 30s"},
		{"version extra", 2, "unexpected argument extra"},
	} {
		t.Run(test.call, func(t *testing.T) {
			t.Parallel()
			end := zevaka(t, "", strings.Fields(test.call)...)
			if end.code != test.code || !strings.Contains(end.err, test.want) {
				t.Errorf("exit %d, %q; want exit %d, %q", end.code, end.err, test.code, test.want)
			}
			if strings.Count(end.err, "\n") != 1 || !strings.HasPrefix(end.err, "zevaka: ") || end.out != "" {
				t.Errorf("not one line: %q, %q", end.err, end.out)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	help := func(args ...string) string { return finish(t, command(t, args...), nil).out }
	all := help("--help")
	for _, want := range []string{"serve", "simulate <game>", "replay [<file>]", "version"} {
		if !strings.Contains(all, want) {
			t.Errorf("help doesn't name %q:\n%s", want, all)
		}
	}
	settings := help("serve", "--help")
	for _, want := range []string{"ZEVAKA_DB", "ZEVAKA_LISTEN", "ZEVAKA_ROOM_OPEN", "ZEVAKA_LOG_LEVEL"} {
		if !strings.Contains(settings, want) {
			t.Errorf("help doesn't name %s:\n%s", want, settings)
		}
	}
}
