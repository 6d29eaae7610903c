package web

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"sync"

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

// cabinet keeps files to be fetched.
type cabinet struct {
	mu  sync.Mutex
	all []filing // the oldest first
}

// keep keeps a file; nil if there is none.
func (c *cabinet) keep(f *chat.File) *fileView {
	if f == nil {
		return nil
	}
	key := rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= maxFiles {
		c.all = append(c.all[:0:0], c.all[1:]...)
	}
	c.all = append(c.all, filing{key, *f})
	return &fileView{f.Name, "file/" + key}
}

// empty forgets all files.
func (c *cabinet) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = nil
}

// serve sends a file to whoever was told where it is.
func (c *cabinet) serve(w http.ResponseWriter, req *http.Request) {
	f, ok := c.file(req.PathValue("key"))
	if !ok {
		http.NotFound(w, req)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", f.Kind())
	h.Set("Content-Disposition", "attachment; filename="+strconv.Quote(f.Name))
	h.Set("Content-Length", strconv.Itoa(len(f.Data)))
	_, _ = w.Write(f.Data) // The reader may be gone.
}

func (c *cabinet) file(key string) (chat.File, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.all {
		if f.key == key {
			return f.file, true
		}
	}
	return chat.File{}, false
}
