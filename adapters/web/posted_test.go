package web

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/chat"
)

// posts begins an answer that stands for a WebSocket, and returns it with its status.
func (s *site) posts(t *testing.T, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/live", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := s.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// TestPosted: where no WebSocket comes to stand an answer tells line by line what there is to be seen, for as long as it may last, and holds nothing
// after that, nor once its reader has gone.
func TestPosted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		hello := `[{"tab":"` + strings.Repeat("b", 32) + `","name":"Боря","lang":"ru"},{"channel":1}]`
		resp := srv.posts(t, hello)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		seq := 0
		next := func() (kind, said string) {
			if !lines.Scan() {
				return "", ""
			}
			var e struct {
				Seq  int
				Kind string
			}
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Seq != seq+1 {
				t.Fatalf("after event %d comes %s (%v)", seq, lines.Text(), err)
			}
			seq++
			return e.Kind, lines.Text()
		}
		if kind, _ := next(); kind != "room" || !here(r, "Боря") {
			t.Errorf("first it tells %q", kind)
		}
		began := time.Now()
		show(t, r, chat.Post{In: place(1), Message: text("new")})
		for kind, said := next(); !strings.Contains(said, `"new"`); kind, said = next() {
			if kind == "" {
				t.Fatal("it doesn't tell what is new")
			}
		}
		for kind, _ := next(); kind != ""; kind, _ = next() {
		}
		synctest.Wait()
		if took := time.Since(began); took != postedTime || here(r, "Боря") {
			t.Errorf("it ends after %v, and Боря is here: %t", took, here(r, "Боря"))
		}
		gone := srv.posts(t, hello)
		synctest.Wait()
		_ = gone.Body.Close()
		synctest.Wait()
		if here(r, "Боря") {
			t.Error("who has gone is still here")
		}
		srv.posts(t, hello) // The room closes all the same, though nobody reads.
		synctest.Wait()
	})
}

// TestPostedRefused: what stands for a WebSocket is refused as one is.
func TestPostedRefused(t *testing.T) {
	t.Parallel()
	const hello = `{"tab":"cccccccccccccccccccccccccccccccc","name":"Вика"}`
	for name, test := range map[string]struct {
		body    string
		headers []string
		status  int
		said    string
	}{
		"another origin":   {"[" + hello + "]", []string{"Origin", "http://elsewhere.example"}, http.StatusForbidden, "origin"},
		"another site":     {"[" + hello + "]", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden, "origin"},
		"a form":           {"[" + hello + "]", []string{"Content-Type", "text/plain"}, http.StatusBadRequest, "json"},
		"nothing":          {"", nil, http.StatusBadRequest, "json"},
		"no list":          {hello, nil, http.StatusBadRequest, "json"},
		"an empty list":    {"[]", nil, http.StatusBadRequest, "json"},
		"a long list":      {"[" + hello + strings.Repeat(`,{"channel":1}`, maxPosted) + "]", nil, http.StatusBadRequest, "json"},
		"very much":        {"[" + hello + `,"` + strings.Repeat("x", maxBody) + `"]`, nil, http.StatusBadRequest, "json"},
		"no tab":           {`[{"name":"Вика"}]`, nil, http.StatusOK, `{"code":4000,"reason":"tab"}`},
		"a name of blanks": {`[{"tab":"cccccccccccccccccccccccccccccccc","name":"  "}]`, nil, http.StatusOK, `{"code":4000,"reason":"name"}`},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, srv := serve(t, &dealer{})
			resp := srv.posts(t, test.body, test.headers...)
			lines := bufio.NewScanner(resp.Body)
			lines.Scan()
			if resp.StatusCode != test.status || !strings.Contains(lines.Text(), test.said) || lines.Scan() {
				t.Errorf("%s: %d %s", name, resp.StatusCode, lines.Text())
			}
			time.Sleep(time.Second) // Servers take their time to close connections.
		})
	}
}
