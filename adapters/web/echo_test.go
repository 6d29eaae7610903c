package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// turned is what in a text could change how something else looks; nil if there is nothing. What joins letters may stand in
// what people say themselves.
func turned(text string, talk bool) error {
	if talk {
		text = strings.NewReplacer("\u200c", "", "\u200d", "").Replace(text)
	}
	return chattest.Clean(text)
}

// FuzzEcho: whatever people are called and type into the room, it turns no line around for those who read it.
func FuzzEcho(f *testing.F) {
	for _, seed := range []string{"\u202eabc", "\u2067abc", "abc\u2069", "\u0007\u2028", "👨\u200d👩\u200d👧", "a\U000e0042", "דוד", "<b>x</b>", "a\ue467"} {
		f.Add(seed, seed)
	}
	b, err := bot.New(f.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		f.Fatal(err)
	}
	secret, n := strings.Repeat("0a", 16), 0
	here := context.WithValue(f.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}))
	f.Fuzz(func(t *testing.T, name, typed string) {
		room := New(b, Options{Log: quiet()})
		for _, line := range []string{
			typed, "/" + typed, "/zevaka others=" + typed, "/zevaka", "/rules " + typed, "/scores " + typed, "/give " + typed + " 5", "/m " + typed,
			"/cut " + typed, "/top",
		} {
			n++
			body, err := json.Marshal(note{ID: fmt.Sprint(n), Name: name, Lang: "en", Channel: 1, Text: line})
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequestWithContext(here, http.MethodPost, "http://127.0.0.1:80/say", strings.NewReader(string(body)))
			req.RemoteAddr = "127.0.0.1:9"
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set(tabHeader, secret)
			w := httptest.NewRecorder()
			room.Handler().ServeHTTP(w, req)
			var told said
			if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
				t.Fatalf("%q is answered %q", line, w.Body)
			}
			if err := turned(told.Toast, false); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		for _, m := range room.channels[0].messages {
			text := words.Flat(m.body.text)
			if m.from != nil {
				text += m.from.Name
			}
			for _, button := range slices.Concat(m.body.buttons...) {
				text += button.Label
			}
			if err := turned(text, m.from != nil); err != nil {
				t.Error(err)
			}
		}
	})
}
