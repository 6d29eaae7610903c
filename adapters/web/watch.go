package web

import (
	"net/http"
	"time"

	"zevaka/adapters"
	"zevaka/bot/chat"
)

// watched tells the room's observer how long people waited for the answer to a press that was made here, and of panics.
func (r *Room) watched(next http.Handler) http.Handler {
	watch := chat.Observe(r.opts.Observer)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		began := time.Now()
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler {
				watch.Caught(chat.Web)
				r.opts.Log.Error("something broke in the room", "panic", p)
				p = http.ErrAbortHandler // The server would only log it once more.
			}
			if p != nil {
				panic(p)
			}
			if req.Method == http.MethodPost && req.URL.Path == "/press" && r.opts.Elsewhere.Serves(community()) {
				watch.Answered(chat.Web, time.Since(began))
			}
		}()
		next.ServeHTTP(w, req)
	})
}

// Pulse is how the room is. Its one connection stands from when it listens until it closes; what is to be shown waits for its readers.
func (r *Room) Pulse() chat.Pulse {
	p := chat.Pulse{Links: 1}
	if r.at.Load() != nil && r.tasks.Life.Err() == nil {
		p.Up = 1
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for s := range r.streams {
		p.Unshown += s.behind()
	}
	return p
}

var _ adapters.Hearer = (*Room)(nil)

// Deaf implements adapters.Hearer: where no page at all is connected, as with the network of all of them, nobody can do anything.
func (r *Room) Deaf(chat.Community) time.Duration {
	began := r.began
	if since := r.opts.Elsewhere.Since(community()); since.After(began) {
		began = since
	}
	served := time.Since(began)
	if served < backTime {
		return served
	}
	return min(r.ears.Deaf(), served)
}

// Late implements adapters.Hearer: who is here is shown everything.
func (r *Room) Late(chat.Place, string) (late, shown time.Duration) { return 0, 0 }
