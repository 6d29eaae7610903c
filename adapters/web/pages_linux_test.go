package web

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/storage/storagetest"
)

// BenchmarkPages prints the processor time of all that can be asked of the room, with both sides of the connection, in a
// room with as many messages and pictures as it keeps: the middle one of nine, in milliseconds, the dearest first. What
// the bot itself does is measured with the bot.
func BenchmarkPages(b *testing.B) {
	for range b.N {
		d := &dealer{}
		r, srv := serve(b, d)
		ann := sit(b, srv, "Аня")
		ann.say("/zevaka")
		for n := range maxMessages {
			r.talk(talk{id: fmt.Sprint("talk ", n), channel: 1, who: chat.User{ID: int64(n), Name: "Боря"}, line: "привет"})
		}
		times := map[string]time.Duration{}
		for what, ask := range questions(b, ann) {
			var took []time.Duration
			for range 9 {
				time.Sleep(20 * time.Millisecond) // More at once would have to wait.
				begun := storagetest.Spent()
				ask()
				took = append(took, storagetest.Spent()-begun)
			}
			slices.Sort(took)
			times[what] = took[len(took)/2]
		}
		var all []string
		for what := range times {
			all = append(all, what)
		}
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
		for _, what := range all {
			fmt.Printf("%8.3f  %s\n", times[what].Seconds()*1000, what)
		}
		b.ReportMetric(times[all[0]].Seconds()*1000, "most-ms")
	}
}

// questions are all that can be asked of a room: its files, a live connection with all that is in the room, and what a
// person does.
func questions(b *testing.B, ann *tab) map[string]func() {
	get := func(path string) func() {
		return func() {
			resp, err := ann.client.Get(ann.url + path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				b.Fatal(err)
			}
			_ = resp.Body.Close()
		}
	}
	all := map[string]func(){
		"GET /":                 get("/"),
		"GET /picture/none/800": get("/picture/none/800"),
		"GET /file/none":        get("/file/none"),
		"GET /live":             func() { w := ann.look(); w.until("room"); _ = w.conn.CloseNow() },
		"POST /say":             func() { ann.say("привет") },
		"POST /press":           func() { ann.press("turn", "") },
		"POST /dismiss":         func() { ann.do(ann.request("/dismiss", note{On: "none"})) },
	}
	err := fs.WalkDir(page, "page", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name := path[len("page"):]
			all["GET "+name] = get(name)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return all
}
