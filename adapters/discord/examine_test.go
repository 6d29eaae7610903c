package discord

import (
	"slices"
	"strings"
	"testing"

	"zevaka/adapters"
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

// TestExamineElsewhere: where Discord sends what people do to another address, the bot hears nothing of it, and its owner is told.
func TestExamineElsewhere(t *testing.T) {
	t.Parallel()
	server := discordtest.New(t, discordtest.Options{Locale: "en-US", Profile: discordtest.Profile{Endpoint: elsewhere}})
	o := Options{Token: discordtest.Token, API: server.URL()}
	found := o.Examine(t.Context())
	if !slices.ContainsFunc(found, func(f adapters.Finding) bool {
		return strings.Contains(f.Is, elsewhere) && strings.Contains(f.Do, "Interactions Endpoint URL")
	}) {
		t.Errorf("%+v", found)
	}
}
