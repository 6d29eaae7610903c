package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// maxPeople is how many people a browser remembers: as many as may sit at one table. The cookie has those of them, the latest first, for whom
	// maxCookie bytes have room.
	maxPeople, maxCookie = 12, 3800
	// rememberTime is for how long: browsers keep no cookie for longer.
	rememberTime = 400 * 24 * time.Hour
	// peoplePath is where the room's page, and nobody else, asks whom its browser remembers. The cookie goes nowhere else.
	peoplePath = "/people"
)

// personKept is somebody who has played in a browser, as its page knows them.
type personKept struct {
	Secret string `json:"secret"`
	Name   string `json:"name"`
	Guest  bool   `json:"guest,omitempty"`
}

// peopleBefore are those whom the cookie of a request has.
func peopleBefore(req *http.Request) (all []personKept) {
	kept, err := req.Cookie(peopleCookie(req))
	if err != nil {
		return nil
	}
	b, err := base64.RawURLEncoding.DecodeString(kept.Value)
	if err != nil || json.Unmarshal(b, &all) != nil {
		return nil
	}
	return all
}

// keepPeople has the browser keep these people in the cookie; nobody takes it away.
func keepPeople(w http.ResponseWriter, req *http.Request, all []personKept) {
	value, age := "", -1
	for ; len(all) > 0 && (value == "" || len(value) > maxCookie); all = all[:len(all)-1] {
		b, err := json.Marshal(all) //nolint:gosec // They are the browser's own secrets.
		if err != nil {
			break
		}
		value, age = base64.RawURLEncoding.EncodeToString(b), int(rememberTime/time.Second)
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // By plain http a secure one is none.
		Name: peopleCookie(req), Value: value, Path: peoplePath, MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(req.Header.Get("Origin"), "https:"), // What the browser calls the room by, whatever stands before it.
	})
}

// peopleCookie is the cookie's name. The rooms at several ports of a host have one each, since to browsers cookies are those of the host.
func peopleCookie(req *http.Request) string {
	return "people" + (&url.URL{Host: req.Host}).Port()
}
