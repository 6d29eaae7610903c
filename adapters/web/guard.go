package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/outbox"
	"zevaka/adapters/relay"
)

// contentPolicy is what a page may load and do that these origins may show in a frame; pictures are where it may have any from beside its
// own server. Of what stands in a document only its one script may run.
func contentPolicy(ancestors string, pictures ...string) string {
	hash := sha256.Sum256(early())
	return "default-src 'none'; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; style-src 'self'; " +
		"img-src " + strings.Join(append([]string{"'self'"}, pictures...), " ") + "; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors " + ancestors +
		"; require-trusted-types-for 'script'"
}

// guard lets through only what this room's own page, called by a name of this machine, may have sent.
func (r *Room) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { refuse(w, refusedOrigin) }))
	inner := cross.Handler(next)
	policy := contentPolicy("'none'")
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if _, relayed := relay.OriginOf(req); !r.opts.Open && !relayed && !calledHere(req) {
			refuseName(w, req)
			return
		}
		if !sameOrigin(req) {
			refuse(w, refusedOrigin)
			return
		}
		inner.ServeHTTP(w, req)
	})
}

// refuseName turns away who called the room by a name that it doesn't go by, and tells a person what to do.
func refuseName(w http.ResponseWriter, req *http.Request) {
	local, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if req.Method != http.MethodGet || !ok {
		refuse(w, refusedHost)
		return
	}
	http.Error(w, "This room is for its own machine, at "+address(local)+
		"\nTo let others in, start it with --room-open.", refusedHost.status)
}

// doorsAlone serves the doors to the room's proxies, which call this machine by the public name, and nothing else to anybody.
func (r *Room) doorsAlone() http.Handler {
	_, doors := r.served()
	next := relay.Admit(doors)
	public, _ := url.Parse(r.opts.Public)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch called := (&url.URL{Host: req.Host}).Hostname(); {
		case !r.opts.Proxies.has(req.RemoteAddr):
			http.Error(w, "Only the proxies that --room-proxy names may ask here. You come from "+req.RemoteAddr+".", http.StatusForbidden)
		case !strings.EqualFold(called, public.Hostname()):
			http.Error(w, "The proxy has to pass on the name of --public-url as it was called (Host).", refusedHost.status)
		default:
			next.ServeHTTP(w, req)
		}
	})
}

// calledHere says whether the request came to this machine by a name that nobody else can give it. A page elsewhere
// whose name was made to point here (DNS rebinding) still calls us by its own name.
func calledHere(req *http.Request) bool {
	local, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	port := strconv.Itoa(local.Port)
	if local.IP.IsLoopback() && req.Host == local.String() {
		return true
	}
	for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if req.Host == name+":"+port || port == "80" && req.Host == name {
			return true
		}
	}
	return false
}

// sameOrigin says whether a request that names its origin comes from this very room. WebSockets are not covered by
// the browser's own same-origin rules: for them, and for every POST, this is the check.
func sameOrigin(req *http.Request) bool {
	origins := req.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Host == req.Host && (u.Scheme == "http" || u.Scheme == "https")
}

// adminMark stands before the admins' secret in the room's address: in its fragment, which no browser sends anywhere, so
// that the secret is in no log of a proxy and in no Referer.
const adminMark = "#admin="

// adminOf is the secret that follows from a room's key; a new one from the zero key.
func adminOf(key [32]byte) string {
	if key == [32]byte{} {
		return rand.Text()
	}
	secret := door.KeyOf(string(key[:]), "room admins")
	return base32.StdEncoding.EncodeToString(secret[:20])
}

// AdminAddress is the room's address with the secret in it that makes whoever opens it an admin: the one there is, or a new one,
// after which the old is good for nothing. Of a room that doesn't listen, or only at its doors, it is empty.
func (r *Room) AdminAddress(renew bool) string {
	at := r.at.Load()
	if at == nil || *at == "" {
		return ""
	}
	if renew {
		fresh := rand.Text()
		r.admin.Store(&fresh)
	}
	return *at + adminMark + *r.admin.Load()
}

// AdminPart is what stands behind the address of any room of these that share a key, to make whoever opens it an admin.
func AdminPart(key [32]byte) string { return adminMark + adminOf(key) }

// isAdmin says whether a secret is that of the room's admins.
func (r *Room) isAdmin(secret string) bool {
	return subtle.ConstantTimeCompare([]byte(secret), []byte(*r.admin.Load())) == 1
}

// isJSON says whether the body is declared as JSON, which no form of a foreign page can do unasked.
func isJSON(req *http.Request) bool {
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

const (
	// maxAsked is how many requests a second a household may make, whatever for, before each has to wait restTime.
	maxAsked = 60
	// maxSaid is how much it may say, by what that weighs: all of that is sent to everybody.
	maxSaid = 16
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
