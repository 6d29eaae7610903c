//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFileIsPrivate: the database and its backups are readable by their owner alone, and have no token in them.
func TestFileIsPrivate(t *testing.T) {
	t.Parallel()
	const nowhere, token = "http://127.0.0.1:1", "very-secret-token"
	db := filepath.Join(t.TempDir(), "z.db")
	s := open(t, "--db", db, "--telegram-token", "123456:"+token, "--telegram-api", nowhere, "--discord-token", "123456."+token, "--discord-api", nowhere)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/zevaka"})
	if end := zevaka(t, "", "backup", "--db", db, db+".backup"); end.code != 0 {
		t.Fatalf("no backup: %s", end.err)
	}
	s.close(t)
	for _, name := range []string{db, db + ".backup"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != fs.FileMode(0o600) {
			t.Errorf("%s is %v", name, info.Mode())
		}
		content := contents(t, name)
		if text := string(content); strings.Contains(text, token) || !strings.Contains(text, "Ann") {
			t.Errorf("%s has the token, or not what was played", name)
		}
		if strings.Contains(string(content), ann.secret) {
			t.Errorf("%s has the secret of a tab", name)
		}
	}
}
