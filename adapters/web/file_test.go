package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot/chat"
)

// fetched is what a page is answered that asks for a file.
func fetched(t *testing.T, srv *site, path string) (status int, header http.Header, text string) {
	t.Helper()
	resp, body := get(t, srv, "/"+path)
	return resp.StatusCode, resp.Header, string(body)
}

// TestFile: only its reader is told where a file is; it is there to be kept, and not for long.
func TestFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		ann, bob := sit(t, srv, "Аня"), sit(t, srv, "Боря")
		own, other := ann.look(), bob.look()
		own.until("room")
		other.until("room")
		show := func(text string) string {
			t.Helper()
			file := &chat.File{Name: "mydata.json", Data: []byte(text)}
			post := chat.Post{In: place(1), To: &chat.User{ID: ann.id()}, Message: chat.Message{Text: []chat.Span{{Text: "yours"}}, File: file}}
			r.Show(t.Context(), chat.Response{Posts: []chat.Post{post}})
			m := own.until("put").Message
			if m.File == nil || m.File.Name != "mydata.json" || !m.Private {
				t.Fatalf("shown: %+v", m)
			}
			return m.File.Path
		}
		first := show(`{"n":0}`)
		status, header, text := fetched(t, srv, first)
		if status != http.StatusOK || text != `{"n":0}` || header.Get("Content-Disposition") != `attachment; filename="mydata.json"` ||
			header.Get("Content-Type") != "application/json" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d, %q, %v", status, text, header)
		}
		bob.say("done")
		for m := other.until("put").Message; m.read() != "done"; m = other.until("put").Message {
			t.Errorf("Боря is told %+v", m)
		}
		own.until("put")
		paths := []string{first}
		for range maxFiles {
			path := show(`{"n":1}`)
			if slices.Contains(paths, path) {
				t.Errorf("two files are at %s", path)
			}
			paths = append(paths, path)
		}
		for i, path := range append(paths, "file/x", "file/") {
			want := http.StatusOK
			if i == 0 || i > maxFiles {
				want = http.StatusNotFound
			}
			if status, _, _ := fetched(t, srv, path); status != want {
				t.Errorf("%s is answered %d, want %d", path, status, want)
			}
		}
	})
}

// TestFilesOfMany: who asks for one file after the other pushes out their own, and nobody else's.
func TestFilesOfMany(t *testing.T) {
	t.Parallel()
	var c cabinet
	file := &chat.File{Name: "mydata.json"}
	there := func(v *fileView) bool {
		_, ok := c.file(strings.TrimPrefix(v.Path, "file/"))
		return ok
	}
	own := []*fileView{c.keep(file, household("192.0.2.1")), c.keep(file, household("192.0.2.1"))}
	var last *fileView
	for range 3 * maxFiles {
		last = c.keep(file, household("192.0.2.7"))
	}
	if !there(own[0]) || !there(own[1]) || !there(last) || len(c.all) != maxFiles {
		t.Errorf("the first are there: %v, %v, the last: %v, of %d", there(own[0]), there(own[1]), there(last), len(c.all))
	}
}
