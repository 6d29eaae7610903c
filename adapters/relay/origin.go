package relay

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
)

// header carries the Origin of a relayed request.
const header = "X-Zevaka-Relayed"

// Origin is what the process that a browser has reached knows of a request, and nobody else does.
type Origin struct {
	// From is the network that the visitor counts as; the zero Prefix if there is none.
	From netip.Prefix
	// Call is the address by which others come to the room; nil where they can't.
	Call *url.URL
}

type originKey struct{}

// OriginOf is the origin of a relayed request; false for one that a browser has made here.
func OriginOf(req *http.Request) (Origin, bool) {
	o, ok := req.Context().Value(originKey{}).(Origin)
	return o, ok
}

// text is the origin as the header has it.
func (o Origin) text() string {
	all := url.Values{"from": {""}}
	if o.From.IsValid() {
		all.Set("from", o.From.String())
	}
	if o.Call != nil {
		all.Set("call", o.Call.String())
	}
	return all.Encode()
}

// readOrigin reads what text has written; false if it hasn't.
func readOrigin(values []string) (o Origin, ok bool) {
	if len(values) != 1 {
		return Origin{}, false
	}
	all, err := url.ParseQuery(values[0])
	if err != nil || !all.Has("from") {
		return Origin{}, false
	}
	if from := all.Get("from"); from != "" {
		if o.From, err = netip.ParsePrefix(from); err != nil {
			return Origin{}, false
		}
	}
	if call := all.Get("call"); call != "" {
		if o.Call, err = url.Parse(call); err != nil {
			return Origin{}, false
		}
	}
	return o, true
}

// Admit has next answer browsers: what only processes tell each other they can't tell it.
func Admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Del(header)
		next.ServeHTTP(w, req)
	})
}

// Receive has next answer what other processes relay, which nobody else may reach: they are believed.
func Receive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		o, ok := readOrigin(req.Header.Values(header))
		if !ok {
			http.Error(w, "This is no relayed request.", http.StatusBadRequest)
			return
		}
		req.Header.Del(header)
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), originKey{}, o)))
	})
}
