package main

import (
	"errors"
	"testing"
)

// TestPublicURL takes https addresses with nothing behind the host, and no others.
func TestPublicURL(t *testing.T) {
	for given, want := range map[string]string{
		"":                               "",
		"https://cards.example.org":      "https://cards.example.org",
		"https://cards.example.org/":     "https://cards.example.org",
		"HTTPS://cards.example.org":      "https://cards.example.org",
		"https://cards.example.org:8443": "https://cards.example.org:8443",
		"https://[2001:db8::1]:8443":     "https://[2001:db8::1]:8443",
	} {
		var p publicURL
		if err := p.UnmarshalText([]byte(given)); err != nil || string(p) != want {
			t.Errorf("%q is %q, %v; want %q", given, p, err, want)
		}
	}
	for _, given := range []string{
		"http://cards.example.org", "cards.example.org", "https://", "https:///tg", "https://:443", "https://cards.example.org/tg",
		"https://cards.example.org?", "https://cards.example.org/?a=b", "https://cards.example.org#top", "https://ann:pw@cards.example.org",
		"wss://cards.example.org", "https:cards.example.org", " https://cards.example.org", "https://a b", "off",
	} {
		var p publicURL
		if err := p.UnmarshalText([]byte(given)); !errors.Is(err, errPublicURL) {
			t.Errorf("%q is taken as %q, %v", given, p, err)
		}
	}
}
