package web

import (
	"crypto/rand"
	"net/http"
	"strconv"

	"zevaka/bot/chat"
)

// maxFiles is how many files can be fetched; for each further one the oldest goes.
const maxFiles = 16

// fileView is what a page is told of a file.
type fileView struct {
	Name string `json:"name"`
	// Path is where the file is. It can't be guessed, and only the message's reader is told.
	Path string `json:"path"`
}

// filing is a file that can be fetched.
type filing struct {
	key  string
	file chat.File
}

// file keeps a file to be fetched; nil if there is none.
func (r *Room) file(f *chat.File) *fileView {
	if f == nil {
		return nil
	}
	key := rand.Text()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.files) >= maxFiles {
		r.files = append(r.files[:0:0], r.files[1:]...)
	}
	r.files = append(r.files, filing{key, *f})
	return &fileView{f.Name, "file/" + key}
}

// serveFile sends a file to whoever was told where it is.
func (r *Room) serveFile(w http.ResponseWriter, req *http.Request) {
	f, ok := r.filed(req.PathValue("key"))
	if !ok {
		http.NotFound(w, req)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", "attachment; filename="+strconv.Quote(f.Name))
	h.Set("Content-Length", strconv.Itoa(len(f.Data)))
	_, _ = w.Write(f.Data) // The reader may be gone.
}

func (r *Room) filed(key string) (chat.File, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.files {
		if f.key == key {
			return f.file, true
		}
	}
	return chat.File{}, false
}
