package telegram

import (
	"net/http/httptest"
	"strings"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
)

// TestExamine: each thing that Telegram says of the settings is good or says what to do, and nothing is changed there.
func TestExamine(t *testing.T) {
	t.Parallel()
	server := telegramtest.New(telegramtest.Options{})
	api := httptest.NewServer(server)
	defer api.Close()
	for _, test := range []struct {
		name, token, hook, want string
		is, do                  string
	}{
		{"polls", telegramtest.Token, "", "", "it is asked for updates", ""},
		{"wrong token", "1:a", "", "", "the token is refused", "@BotFather"},
		{"another's webhook", telegramtest.Token, "https://other.example/x", "", "it calls https://other.example/x", "another program"},
		{"its webhook", telegramtest.Token, "https://own.example/x", "https://own.example/x", "it calls https://own.example/x", ""},
		{"no webhook yet", telegramtest.Token, "", "https://own.example/x", "the next start tells it to call https://own.example/x", ""},
	} {
		server.SetHook(test.hook)
		o := Options{Token: test.token, API: api.URL, Webhook: test.want}
		found := o.Examine(t.Context())
		last := found[len(found)-1]
		if last.Is != test.is || !strings.Contains(last.Do, test.do) || (last.Do == "") != (test.do == "") {
			t.Errorf("%s: %+v", test.name, found)
		}
		if url, _ := server.Hook(); url != test.hook {
			t.Errorf("%s: the webhook is %q", test.name, url)
		}
	}
	api.Close()
	o := Options{Token: telegramtest.Token, API: api.URL}
	if found := o.Examine(t.Context()); len(found) != 1 || found[0].Do == "" || strings.Contains(found[0].Is, telegramtest.Token) {
		t.Errorf("unreachable: %+v", found)
	}
}
