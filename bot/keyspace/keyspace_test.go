package keyspace

import (
	"strings"
	"testing"
)

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
