package relay

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
)

// header carries the Origin of a relayed request.
const header = "X-Zevaka-Relayed"

// Origin is what only the process that a browser has reached knows of the browser's request.
type Origin struct {
	// From is the network of the visitor's address, as far as limits go; the zero Prefix if there is none.
	From netip.Prefix
	// Call is the address that invites others to the room; nil where there is none.
	Call *url.URL
}

type originKey struct{}

// OriginOf is the origin of a relayed request; false for one that a browser has made here.
func OriginOf(req *http.Request) (Origin, bool) {
	o, ok := req.Context().Value(originKey{}).(Origin)
	return o, ok
}

// text is the value of the header.
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

// readOrigin reads the values of the header; false if text hasn't written them.
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

// Admit serves browsers by next. They can't set the header, which is for processes alone.
func Admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Del(header)
		next.ServeHTTP(w, req)
	})
}

// Receive serves by next what other processes relay. It believes the header, so nobody else may reach it.
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
