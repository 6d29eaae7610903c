package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"zevaka/bot/chat"
)

// noting is an observer that counts what it is told.
type noting struct {
	chat.Observer
	answered, caught int
}

func (n *noting) Answered(chat.Platform, time.Duration) { n.answered++ }
func (n *noting) Caught(chat.Platform)                  { n.caught++ }

// TestWatched: answers to presses are told of, and panics, after which the connection is broken off as ever.
func TestWatched(t *testing.T) {
	for _, test := range []struct {
		method, path string
		panics       any
		want         noting
	}{
		{http.MethodPost, "/press", nil, noting{answered: 1}},
		{http.MethodGet, "/press", nil, noting{}},
		{http.MethodPost, "/say", nil, noting{}},
		{http.MethodPost, "/press", "a bug", noting{caught: 1}},
		{http.MethodPost, "/press", http.ErrAbortHandler, noting{}},
	} {
		n := &noting{}
		r := New(nil, Options{Log: quiet(), Observer: n})
		h := r.watched(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if test.panics != nil {
				panic(test.panics)
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		func() {
			defer func() {
				if p := recover(); (p == http.ErrAbortHandler) != (test.panics != nil) {
					t.Errorf("%+v: it panics with %v", test, p)
				}
			}()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(test.method, test.path, nil))
		}()
		if *n != test.want {
			t.Errorf("%s %s, %v: %+v", test.method, test.path, test.panics, *n)
		}
	}
}

// TestPulse: the room stands from when it listens until it closes.
func TestPulse(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r := New(nil, Options{Listen: "127.0.0.1:0", Log: quiet()})
	var open chat.Pulse
	r.opts.Ready = func(string) {
		open = r.Pulse()
		stop()
	}
	s := &stream{}
	s.push(nil)
	s.push(nil)
	r.streams[s] = struct{}{}
	if p := r.Pulse(); p != (chat.Pulse{Links: 1, Unshown: 2}) {
		t.Errorf("before it listens it is %+v", p)
	}
	delete(r.streams, s)
	if err := r.Run(ctx); err != nil || open != (chat.Pulse{Links: 1, Up: 1}) {
		t.Errorf("open it is %+v, %v", open, err)
	}
	if p := r.Pulse(); p != (chat.Pulse{Links: 1}) {
		t.Errorf("closed it is %+v", p)
	}
}
