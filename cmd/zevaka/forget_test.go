package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestForgetCommand: the operator forgets somebody in a database that nobody serves, and the ledger is whole afterwards.
func TestForgetCommand(t *testing.T) {
	t.Parallel()
	db := clubDB(t)
	has := func(name string) bool {
		text := good(t, "", "export", "--db", db)
		file := contents(t, db)
		if strings.Contains(text, name) {
			t.Errorf("the records have %s", name)
		}
		return bytes.Contains(file, []byte(`"`+name+`"`))
	}
	end := zevaka(t, "", "forget", "--db", db, "telegram:2")
	if end.code != 1 || !strings.Contains(end.err, "has a part in games that aren't over: ") || !strings.Contains(end.err, "--force") ||
		strings.Count(end.err, "\n") != 1 || end.out != "" {
		t.Errorf("while a game goes on: exit %d, %s%s", end.code, end.out, end.err)
	}
	if out := good(t, "", "forget", "--db", db, "discord:2"); !strings.HasPrefix(out, "nothing is kept") {
		t.Errorf("on another platform: %s", out)
	}
	audited := good(t, "", "audit", "--db", db)
	out := good(t, "", "forget", "--force", "--db", db, "telegram:2")
	for _, want := range []string{"telegram:", " tables closed", " tables without the name", " games without scores", "the name of the purse"} {
		if !strings.Contains(out, want) {
			t.Errorf("it doesn't say%s: %s", want, out)
		}
	}
	if now := good(t, "", "audit", "--db", db); strings.Fields(now)[0] != strings.Fields(audited)[0] || !strings.HasSuffix(now, "= 0 chips\n") {
		t.Errorf("audited before:\n%safter:\n%s", audited, now)
	}
	good(t, "", "check", "--db", db)
	good(t, "", "rebuild-scores", "--db", db)
	good(t, "", "compact", "--db", db)
	if has("P2") || !has("P1") {
		t.Errorf("P2 is in the file: %v, P1: %v", has("P2"), has("P1"))
	}
	if out := good(t, "", "forget", "--db", db, "telegram:2"); !strings.HasPrefix(out, "nothing is kept") {
		t.Errorf("forgotten again: %s", out)
	}
}

// TestForgetWhom: who is meant is a platform and a number, and nothing else.
func TestForgetWhom(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"telegram:1": true, "discord:123456789012345678": true, "web:-5": true,
		"": false, "1": false, "telegram": false, "telegram:": false, "telegram:0": false, "telegram:+1": false, "telegram:01": false,
		"irc:1": false, "telegram:1:2": false, "telegram:Ann": false, "telegram:99999999999999999999": false,
	} {
		var s somebody
		if err := s.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
