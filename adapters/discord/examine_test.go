package discord

import (
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
)

// TestExamine: each thing that Discord says of the settings is good or says what to do.
func TestExamine(t *testing.T) {
	t.Parallel()
	server := discordtest.New(t, discordtest.Options{Locale: "en-US"})
	for _, test := range []struct{ token, is, do string }{
		{discordtest.Token, "it may connect ", ""},
		{"wrong", "the token is refused", "Reset Token"},
	} {
		o := Options{Token: test.token, API: server.URL()}
		found := o.Examine(t.Context())
		last := found[len(found)-1]
		if !strings.HasPrefix(last.Is, test.is) || !strings.Contains(last.Do, test.do) || (last.Do == "") != (test.do == "") {
			t.Errorf("%s: %+v", test.token, found)
		}
	}
}
