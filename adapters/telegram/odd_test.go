package telegram

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// oddly answers the first calls of a method with a body of its own.
type oddly struct {
	http.RoundTripper
	method, body string
	times        int64
}

func (o *oddly) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/"+o.method) && atomic.AddInt64(&o.times, -1) >= 0 {
		_, _ = io.Copy(io.Discard, req.Body)
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(o.body)), Request: req}, nil
	}
	return o.RoundTripper.RoundTrip(req)
}

// TestOddGetMe: the bot doesn't begin before it knows its name, whatever something else answers in Telegram's place.
func TestOddGetMe(t *testing.T) {
	for _, body := range []string{
		`{"ok":true,"result":{}}`, `{"ok":true,"result":null}`, `{"ok":true}`, `{"ok":true,"result":[]}`, `<html>`, ``,
		`{"ok":true,"result":{"id":7}}`, `{"ok":true,"result":{"username":"zevaka_bot"}}`,
	} {
		t.Run(body, func(t *testing.T) {
			bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
				x.wrap = func(next http.RoundTripper) http.RoundTripper {
					return &oddly{RoundTripper: next, method: "getMe", body: body, times: 1}
				}
				x.start(Options{})
				ann := x.server.NewUser("Аня", "")
				c := x.server.NewGroup("Cards")
				rest(3 * time.Second)
				if me := x.run.me.Load(); me == nil || me.ID == 0 || me.Username == "" {
					t.Errorf("the bot believes to be %+v", me)
				}
				c.Say(ann, "/zevaka@"+telegramtest.Username)
				rest(10 * time.Second)
				if _, ok := c.Board(); !ok {
					t.Errorf("a command by its name isn't heard")
				}
			})
		})
	}
}

// TestAnswerAboutAnother: what Telegram says of somebody counts for nobody else.
func TestAnswerAboutAnother(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.wrap = func(next http.RoundTripper) http.RoundTripper {
			return &oddly{RoundTripper: next, method: "getChatMember", body: `{"ok":true,"result":{"status":"left","user":{"id":1}}}`, times: 2}
		}
		ann, c := x.group()
		rest(time.Minute)
		s := x.run.out
		if s.chats.get(s, c.ID).isOut() {
			t.Error("the bot takes itself for out of a group because somebody else is")
		}
		if in, err := x.run.members.of(ann.ID)(t.Context(), community(c.ID)); in || err == nil {
			t.Errorf("somebody is in the group: %v, %v", in, err)
		}
		rest(time.Minute)
		if in, err := x.run.members.of(ann.ID)(t.Context(), community(c.ID)); err != nil {
			t.Errorf("asked again: %v, %v", in, err)
		}
	})
}
