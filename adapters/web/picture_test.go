package web

import (
	"bytes"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/storage/mem"
)

// easel is a room with a patience on its table, and its server.
func easel(t *testing.T) (*Room, *site, *tab) {
	t.Helper()
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: allGames(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	r, srv := serve(t, b)
	ann := sit(t, srv, "Аня")
	ann.say("/patience polusharia deal=2")
	return r, srv, ann
}

// hangs is the picture of the newest message that has one, as a reader is told of it.
func (p *tab) hangs() (messageView, pictureView) {
	p.t.Helper()
	messages := p.look().until("room").Messages
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Picture != nil {
			return m, *m.Picture
		}
	}
	p.t.Fatal("no picture")
	return messageView{}, pictureView{}
}

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

func TestPictureIsServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv, ann := easel(t)
		m, view := ann.hangs()
		if len(view.Name) != 32 || !strings.Contains(view.Alt, "9♥") || view.W != 800 || len(view.Moves) == 0 {
			t.Errorf("the picture: %+v", view)
		}
		if m.Choices == 0 || m.Prompt == "" || m.Choices >= len(m.Buttons) {
			t.Errorf("%d rows of %d are a list: %q", m.Choices, len(m.Buttons), m.Prompt)
		}
		for _, width := range widths() {
			resp, b := get(t, srv, "/picture/"+view.Name+"/"+strconv.Itoa(width)+".png")
			config, err := png.DecodeConfig(bytes.NewReader(b))
			if err != nil || config.Width != width || config.Height != view.H*width/view.W {
				t.Errorf("%d: %v, %v", width, config, err)
			}
			h := resp.Header
			if h.Get("Content-Type") != "image/png" || !strings.Contains(h.Get("Cache-Control"), "immutable") ||
				h.Get("Cross-Origin-Resource-Policy") != "same-origin" || resp.ContentLength != int64(len(b)) {
				t.Errorf("%d: %v", width, h)
			}
			t.Logf("%d pixels wide: %d bytes", width, len(b))
		}
		for _, path := range []string{
			view.Name + "/801.png", view.Name + "/0.png", view.Name + "/x.png", view.Name + "/", view.Name,
			strings.Repeat("0", 32) + "/800.png", "../room.js", "%2e%2e/800.png",
		} {
			if resp, _ := get(t, srv, "/picture/"+path); resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "image/png" {
				t.Errorf("%s is served", path)
			}
		}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/picture/"+view.Name+"/800.png", http.NoBody)
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, req)
		if w.Code != refusedHost.status {
			t.Errorf("called by another name: %d", w.Code)
		}
	})
}

// TestPictureNames: a picture goes by one name as long as it shows the same, in one room, and is gone when it is shown
// no more.
func TestPictureNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv, ann := easel(t)
		_, _, other := easel(t)
		m, first := ann.hangs()
		if _, elsewhere := other.hangs(); elsewhere.Name == first.Name {
			t.Error("another room calls its picture the same")
		}
		ann.press(first.Moves[0].Token, m.Ref)
		m, second := ann.hangs()
		if second.Name == first.Name {
			t.Fatal("another picture has the same name")
		}
		if resp, _ := get(t, srv, "/picture/"+first.Name+"/800.png"); resp.StatusCode != http.StatusNotFound {
			t.Errorf("what isn't shown any more: %s", resp.Status)
		}
		undo := ""
		for _, row := range m.Buttons {
			for _, b := range row {
				if strings.HasPrefix(b.Label, "↶") {
					undo = b.Token
				}
			}
		}
		ann.press(undo, m.Ref)
		if _, third := ann.hangs(); third.Name != first.Name || third.Moves[0].Token == first.Moves[0].Token {
			t.Errorf("after it was taken back: %s with %q", third.Name, third.Moves[0].Token)
		}
	})
}

// TestGalleryIsBounded: however many pictures there were, only so many are kept.
func TestGalleryIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _, ann := easel(t)
		for range maxPainted + 10 {
			m, view := pictured(r)
			draw := view.Moves[0].Token
			for _, move := range view.Moves {
				if strings.HasSuffix(move.Token, ".draw") || strings.HasSuffix(move.Token, " w1") {
					draw = move.Token
				}
			}
			ann.press(draw, m.ref)
		}
		held := 0
		kept := r.gallery.painted.All()
		for _, png := range kept {
			held += cap(png)
		}
		if len(kept) != maxPainted || held > maxPainted*110_000 {
			t.Errorf("%d pictures are kept, %d bytes", len(kept), held)
		}
	})
}

// TestPictureOfOne: somebody who isn't told of a private picture can't find it.
func TestPictureOfOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv, ann := easel(t)
		m, _ := ann.hangs()
		of := r.messages[m.Ref].body.picture.of
		secret := chat.Message{Picture: of.Wide(1000)}
		who := chat.User{ID: ann.id(), Name: "Аня"}
		ref := show(t, r, chat.Post{In: place(2), To: &who, Message: secret})
		bob := sit(t, srv, "Боря")
		for _, seen := range bob.look().until("room").Messages {
			if seen.Ref == ref {
				t.Error("Боря is told of it")
			}
		}
		for _, seen := range ann.look().until("room").Messages {
			if seen.Ref == ref && (seen.Picture == nil || seen.Picture.Alt != of.Alt) {
				t.Errorf("Аня is told %+v", seen)
			}
		}
	})
}

// BenchmarkShow is what a picture costs the room before anybody asks for it.
func BenchmarkShow(b *testing.B) {
	house, err := bot.New(b.Context(), bot.Options{Store: mem.New(), Games: allGames(), Pictures: true})
	if err != nil {
		b.Fatal(err)
	}
	opened := house.Handle(b.Context(), chat.Request{
		ID: "1", Who: chat.User{ID: 1, Name: "Аня"}, In: place(1), Kind: chat.Command, Data: "/patience polusharia deal=2",
	})
	of := chattest.Drawn(opened).Posts[0].Picture
	g := gallery{key: []byte("key"), waiting: newSlots(maxWaiting)}
	b.ReportAllocs()
	for b.Loop() {
		g.show(of)
	}
}

// pictured is the newest message of a room that shows a picture, and what the picture is; nil if there is none.
func pictured(r *Room) (newest *message, view pictureView) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if m.body.picture != nil && (newest == nil || m.n > newest.n) {
			newest, view = m, m.body.picture.view
		}
	}
	return newest, view
}

// does is what a token does.
func does(token string) string {
	parts := strings.SplitN(token, ".", 5)
	return parts[len(parts)-1]
}
