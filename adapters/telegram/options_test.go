package telegram

import (
	"strings"
	"testing"

	"zevaka/adapters"
	"zevaka/adapters/telegram/telegramtest"
)

// TestAppName takes short names of Mini Apps as @BotFather does, and no others.
func TestAppName(t *testing.T) {
	for name, good := range map[string]bool{
		"": true, "table": true, "Stol_7": true, "abc": true, strings.Repeat("a", maxApp): true,
		"ab": false, "a-b-c": false, "a:bc": false, "a/b/c": false, "стол": false, "table?startapp=x": false, strings.Repeat("a", maxApp+1): false,
	} {
		if err := (Options{Token: telegramtest.Token, App: name}).check(); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestPublicURLReachesTheAdapter: the address that the program knows is the adapter's.
func TestPublicURLReachesTheAdapter(t *testing.T) {
	o := Options{Token: telegramtest.Token}
	a := o.Adapter(adapters.Program{Handler: newDealer(), Door: "https://cards.example.org"}).(*Adapter)
	if a.opts.PublicURL != "https://cards.example.org" {
		t.Errorf("it is %q", a.opts.PublicURL)
	}
}
