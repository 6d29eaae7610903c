package web

import (
	"net/http"
	"time"

	"zevaka/adapters/outbox"
)

const (
	// maxAsked is how many requests a second a household may make, whatever for, before each has to wait restTime.
	maxAsked = 60
	// restTime is how long whoever asks too much waits for each answer: with the connections that they may have, that
	// bounds how much the room does for them.
	restTime = 250 * time.Millisecond
)

// paced has those wait who ask for too much. Nobody is turned away here: who shares their address is slowed down, too.
func (r *Room) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !r.isAdmin(req.Header.Get(adminHeader)) && !r.pace.Allow(r.visitor(req), time.Now()) {
			outbox.Sleep(req.Context(), restTime)
		}
		next.ServeHTTP(w, req)
	})
}
