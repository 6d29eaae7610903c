package web

import (
	"crypto/rand"
	"net/http"
	"strconv"

	"zevaka/bot/chat"
)

// pictureLife is what browsers are told of a picture: under its name there will never be another one.
const pictureLife = "private, max-age=31536000, immutable"

// display is a picture as a message shows it. It goes a way of its own: a message tells its name, and the page asks for it. So no picture
// waits in anybody's queue, however slow the reader is.
type display struct {
	png  []byte
	view pictureView
}

// pictureView is what a page is told of a picture.
type pictureView struct {
	// Name can't be guessed, and only the message's readers are told.
	Name string `json:"name"`
	Alt  string `json:"alt"`
}

// displayed is a post's picture, ready to be shown; nil if there is none, and of a table, which pages draw themselves.
func displayed(p chat.Post) *display {
	if p.Picture == nil || p.Table != "" {
		return nil
	}
	return &display{p.Picture.PNG(nil), pictureView{rand.Text(), p.Picture.Alt}}
}

// servePicture sends a picture that stands in a message. Who was told its name may see it.
func (r *Room) servePicture(w http.ResponseWriter, req *http.Request) {
	p := r.standing(req.PathValue("name"))
	if p == nil {
		http.NotFound(w, req)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", pictureLife)
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(p.png)))
	_, _ = w.Write(p.png) // The reader may be gone.
}

// standing is the picture of that name; nil if no message shows it.
func (r *Room) standing(name string) *display {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if p := m.body.picture; p != nil && p.view.Name == name {
			return p
		}
	}
	return nil
}
