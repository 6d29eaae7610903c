package web

import (
	"bytes"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

func get(t *testing.T, srv *site, path string) (*http.Response, []byte) {
	t.Helper()
	resp, err := srv.Get(srv.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, b
}

// TestPictureIsServed: a picture that is for one person is served by a name that only they are told, as long as it is shown; and a table has none.
func TestPictureIsServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: allGames(), Pictures: true})
		if err != nil {
			t.Fatal(err)
		}
		r, srv := serve(t, b)
		ann := sit(t, srv, "Аня")
		hers := ann.say("/me").Said
		if len(hers) != 1 || hers[0].Picture == nil || len(hers[0].Picture.Name) < 26 || !strings.Contains(hers[0].Picture.Alt, "Аня\n") {
			t.Fatalf("Аня is shown %+v: %+v", hers, hers[0].Picture)
		}
		path := "/picture/" + hers[0].Picture.Name
		resp, body := get(t, srv, path)
		config, err := png.DecodeConfig(bytes.NewReader(body))
		h := resp.Header
		if err != nil || config.Width != 800 || h.Get("Content-Type") != "image/png" || !strings.Contains(h.Get("Cache-Control"), "immutable") ||
			h.Get("Cross-Origin-Resource-Policy") != "same-origin" || resp.ContentLength != int64(len(body)) {
			t.Errorf("%v, %v, %v", config, err, h)
		}
		for _, m := range sit(t, srv, "Боря").look().until("room").Messages {
			if m.Picture != nil {
				t.Errorf("Боря is told of %+v", m)
			}
		}
		for _, wrong := range []string{path + "/", path + "/800.png", "/picture/", "/picture/" + strings.Repeat("A", 26), "/picture/../room.js", "/picture/%2e%2e"} {
			if resp, _ := get(t, srv, wrong); resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "image/png" {
				t.Errorf("%s is served", wrong)
			}
		}
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		if w.Code != refusedHost.status {
			t.Errorf("called by another name: %d", w.Code)
		}
		gone := chat.Post{In: place(1), To: &chat.User{ID: ann.id()}, Edit: hers[0].Ref, Delete: true}
		show(t, r, gone)
		if resp, _ := get(t, srv, path); resp.StatusCode != http.StatusNotFound {
			t.Errorf("what isn't shown any more: %s", resp.Status)
		}
	})
}
