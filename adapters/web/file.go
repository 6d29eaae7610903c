package web

import (
	"crypto/rand"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"

	"zevaka/bot/chat"
)

// maxFiles is how many files can be fetched; for each further one the oldest goes of the household that has most.
const maxFiles = 16

// fileView is what a page is told of a file.
type fileView struct {
	Name string `json:"name"`
	// Path is where the file is. It can't be guessed, and only the message's reader is told. It is empty where there would be nowhere to
	// put the file.
	Path string `json:"path,omitempty"`
}

// named is what is told of a file where it can't be fetched; nil if there is none.
func named(f *chat.File) *fileView {
	if f == nil {
		return nil
	}
	return &fileView{Name: f.Name}
}

// filing is a file that can be fetched.
type filing struct {
	key  string
	file chat.File
	by   netip.Prefix
}

// cabinet keeps files to be fetched.
type cabinet struct {
	mu  sync.Mutex
	all []filing // the oldest first
}

// keep keeps a file that somebody of a household has asked for; nil if there is none.
func (c *cabinet) keep(f *chat.File, by netip.Prefix) *fileView {
	if f == nil {
		return nil
	}
	key := rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, filing{key, *f, by})
	if len(c.all) > maxFiles {
		c.drop()
	}
	return &fileView{f.Name, "file/" + key}
}

// drop forgets the oldest file of the household that has most, so that whoever asks for many pushes out only their own. The caller holds
// mu.
func (c *cabinet) drop() {
	of := map[netip.Prefix]int{}
	for _, f := range c.all {
		of[f.by]++
	}
	first := 0
	for i, f := range c.all {
		if of[f.by] > of[c.all[first].by] {
			first = i
		}
	}
	c.all = slices.Delete(slices.Clone(c.all), first, first+1)
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
