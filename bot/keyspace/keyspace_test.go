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
	}
	if !seen[RunningTime[:2]] || !seen[IndexState[:2]] {
		t.Error("the keys of the process are of no family")
	}
}
