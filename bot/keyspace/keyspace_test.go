package keyspace

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"zevaka/storage"
)

// TestFormat: whoever changes what lies under which key, or how it is written, raises the format, so that no earlier program opens
// what this one has written.
func TestFormat(t *testing.T) {
	const known = "format 6, keys 4b155307c97b38da"
	sum := sha256.New()
	for _, f := range All() {
		fmt.Fprintf(sum, "%q %q %q\n", f.Prefix, f.Key, f.Value)
	}
	if now := fmt.Sprintf("format %d, keys %x", storage.Format, sum.Sum(nil)[:8]); now != known {
		t.Errorf("it is %s, and was %s: raise storage.Format, add a step to storage/bolt and a file of the format before to testdata there and in bot/upkeep, and raise the generation in bot/table where what is looked up has changed", now, known)
	}
}

// TestAll: every family is listed once and told of wholly, with a key that is one of its own.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if len(f.Prefix) != 2 || f.Prefix[1] != '/' || seen[f.Prefix] || !strings.HasPrefix(f.Key, f.Prefix) {
			t.Errorf("%q, with the key %s", f.Prefix, f.Key)
		}
		if f.What == "" || f.Value == "" || f.Writer == "" || f.Bound == "" {
			t.Errorf("%s: %+v", f.Prefix, f)
		}
		seen[f.Prefix] = true
		community, whole := Community(f.Key)
		_, rest, _ := strings.Cut(f.Key[2:], "/")
		if f.Prefix == Process && community != "" || f.Prefix != Process && community != "COMMUNITY" && community != "ORIGIN" && community != Everywhere {
			t.Errorf("%s is of community %q", f.Key, community)
		}
		if whole != (rest != "" && f.Prefix != Process) {
			t.Errorf("%s: whole is %v", f.Key, whole)
		}
	}
	if !seen[RunningTime[:2]] || !seen[IndexState[:2]] {
		t.Error("the keys of the process are of no family")
	}
}

func TestCommunity(t *testing.T) {
	for key, want := range map[string]struct {
		community string
		whole     bool
	}{
		"o/t-100/a1": {"t-100", true}, "o/t-100/": {"t-100", true}, "o/t-100": {"t-100", false}, "o/": {}, "o//a": {"", false},
		"c/running": {}, "c/x/y": {}, "": {}, "o": {},
	} {
		if community, whole := Community(key); community != want.community || whole != want.whole {
			t.Errorf("%q: %q, %v", key, community, whole)
		}
	}
}
