package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretFiles: a secret may stand in a file that a variable names. It counts before the file of settings, and nothing of it is shown, whatever is
// wrong with it.
func TestSecretFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	settings := fileOf(t, `telegram-token = "123456:AAother"`)
	t.Setenv("TELEGRAM_TOKEN", "") // As compose passes on what isn't set.
	t.Setenv("TELEGRAM_TOKEN_FILE", file)
	for _, test := range []struct{ text, told string }{
		{"123456:AAsecret", ""},
		{"\ufeff 123456:AAsecret\r\n\n", ""},
		{"", "is empty"},
		{" \n", "is empty"},
		{"123456:AAsecret\nDISCORD_TOKEN=1", "more in it than one line"},
		{strings.Repeat("1", maxSecretFile+1), "more in it than one line"},
		{"token=123456:AAsecret", "TELEGRAM_TOKEN is no token"},
	} {
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		end := zevaka(t, "", "config", "--config", settings)
		line := settingIn(end.out, "telegram-token")
		switch {
		case strings.Contains(end.out+end.err, "AAsecret"):
			t.Errorf("%q: it is shown: %s%s", test.text, end.out, end.err)
		case test.told == "" && (end.code != 0 || line != "# telegram-token is set and not shown # TELEGRAM_TOKEN_FILE"):
			t.Errorf("%q: exit %d, %s, %q", test.text, end.code, end.err, line)
		case test.told != "" && (end.code != exitUsage || !strings.Contains(end.err, test.told)):
			t.Errorf("%q: exit %d, %s", test.text, end.code, end.err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if end := zevaka(t, "", "config"); end.code != exitUsage || !strings.Contains(end.err, "TELEGRAM_TOKEN_FILE") || !strings.Contains(end.err, file) {
		t.Errorf("no file: exit %d, %s", end.code, end.err)
	}
	t.Setenv("TELEGRAM_TOKEN", "123456:AAsecret")
	if end := zevaka(t, "", "config"); end.code != exitUsage || !strings.Contains(end.err, "both set") {
		t.Errorf("twice: exit %d, %s", end.code, end.err)
	}
}
