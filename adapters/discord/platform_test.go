package discord

import (
	"strings"
	"testing"
)

// TestSettings: what stands around a secret is not of it. What can't be a token, or is one of another kind, is refused in a line that doesn't
// show it and says what is wanted.
func TestSettings(t *testing.T) {
	const token = "MTA5ODc2NTQzMjEwOTg3NjU0Mw.GaBcDe.abcdefghijklmnopqrstuvwxyz-_0123456789AB"
	for text, want := range map[string]string{
		"": "", token: "", "\n " + token + "\r\n": "",
		`"` + token + `"`: "no quotes", "'" + token + "'": "no quotes", "“" + token + "”": "no quotes",
		"Bot " + token: "white space", token[:9] + "\n" + token[9:]: "white space", "\ufeff" + token: "what can't be seen",
		"109876543210987654":                            "nor its public key",
		strings.Repeat("0123456789abcdef", 4):           "nor its public key",
		"abcdefghij0123456789ABCDEFGHIJ-_":              "nor the client secret",
		"123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw4": "TELEGRAM_TOKEN",
	} {
		o := Options{Token: text}
		err := o.Check()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || len(text) > 9 && strings.Contains(err.Error(), text[1:9])) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
		if err == nil && o.Token != strings.TrimSpace(text) {
			t.Errorf("%q becomes %q", text, o.Token)
		}
	}
	for address, good := range map[string]bool{"": true, "http://127.0.0.1:9100": true, "127.0.0.1:9100": false, "ftp://x": false, "https://": false} {
		if err := (&Options{Token: token, API: address}).Check(); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}
