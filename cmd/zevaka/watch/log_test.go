package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
)

// TestSecretsAreHidden: whatever way a secret gets into a record, it doesn't get out.
func TestSecretsAreHidden(t *testing.T) {
	const token, other = "123456:AAsecret", "MTAxabc.def"
	address, err := url.Parse("https://api.telegram.org/bot" + token + "/getMe")
	if err != nil {
		t.Fatal(err)
	}
	for _, asJSON := range []bool{false, true} {
		var out strings.Builder
		log := NewLog(&out, Logging{JSON: asJSON, Secrets: []string{token, "", other}})
		log.Info("the token is "+token, "text", "x"+other+"y", "error", fmt.Errorf("call: %w", errors.New(token)),
			"url", address, "list", []string{token}, slog.Group("group", "part", other), "n", 7)
		log.With("bot", token).Warn("with")
		text := out.String()
		if strings.Contains(text, "secret\"") && !strings.Contains(text, "<secret>") || strings.Contains(text, "AAsecret") || strings.Contains(text, other) {
			t.Errorf("it says\n%s", text)
		}
		for _, want := range []string{"the token is <secret>", "x<secret>y", "call: <secret>", "/bot"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if n := strings.Count(text, "\n"); n != 2 {
			t.Errorf("%d lines", n)
		}
		for line := range strings.Lines(text) {
			if asJSON && !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
}

// TestLogForms: a record in both forms.
func TestLogForms(t *testing.T) {
	for _, test := range []struct {
		asJSON bool
		want   string
	}{
		{false, `level=INFO msg="a press" n=7 ok=true`},
		{true, `"level":"INFO","msg":"a press","n":7,"ok":true`},
	} {
		var out strings.Builder
		log := NewLog(&out, Logging{Level: slog.LevelInfo, JSON: test.asJSON})
		log.Debug("not this")
		log.Info("a press", "n", 7, "ok", true)
		if !strings.Contains(out.String(), test.want) || strings.Contains(out.String(), "not this") {
			t.Errorf("it says %s", out.String())
		}
	}
}
