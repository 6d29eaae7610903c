//go:build browser && unix

package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"zevaka/adapters/browsertest"
)

// front is what stands between a browser and a zevaka: the operator's proxy, Discord's, and the two platforms' own sites with a
// page that plays their client, each at its own https origin. A browser comes to them by it as its HTTP proxy, and to nothing else.
type front struct {
	t     *testing.T
	proxy string
	inner *httptest.Server

	mu    sync.Mutex
	to    *url.URL
	conns map[net.Conn]bool
	// foreign are the hosts that were asked for and aren't here.
	foreign []string
	// down says that nobody gets through; deaf is how many presses still get through whose answers don't.
	down bool
	deaf int
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{t: t, conns: map[net.Conn]bool{}}
	f.inner = httptest.NewTLSServer(http.HandlerFunc(f.serve))
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.proxy = ln.Addr().String()
	outer := &http.Server{Handler: http.HandlerFunc(f.connect)}
	var serving sync.WaitGroup
	serving.Go(func() { _ = outer.Serve(ln) })
	t.Cleanup(func() {
		_ = outer.Close()
		f.cut()
		f.inner.CloseClientConnections()
		f.inner.Close()
		serving.Wait()
	})
	return f
}

// leads says at which address the zevaka serves now.
func (f *front) leads(address string) {
	f.t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.to = to
}

// connect joins a browser to one of the hosts that are here.
func (f *front) connect(w http.ResponseWriter, req *http.Request) {
	host, _, _ := net.SplitHostPort(req.Host)
	if req.Method != http.MethodConnect || !slices.Contains([]string{publicHost, telegramHost, discordHost, activityHost}, host) {
		f.mu.Lock()
		f.foreign = append(f.foreign, req.Host)
		f.mu.Unlock()
		w.WriteHeader(http.StatusForbidden)
		return
	}
	f.mu.Lock()
	down := f.down
	f.mu.Unlock()
	if down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	near, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	far, err := net.Dial("tcp", f.inner.Listener.Addr().String())
	if err != nil {
		_ = near.Close()
		return
	}
	f.mu.Lock()
	f.conns[near], f.conns[far] = true, true
	f.mu.Unlock()
	_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
	end := func() {
		_, _ = near.Close(), far.Close()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.conns, near)
		delete(f.conns, far)
	}
	go func() { defer end(); _, _ = io.Copy(far, near) }()
	defer end()
	_, _ = io.Copy(near, far)
}

// goes says whether the network goes from now on.
func (f *front) goes(on bool) {
	f.mu.Lock()
	f.down = !on
	f.mu.Unlock()
	if !on {
		f.cut()
	}
}

// cut ends every connection of the browser.
func (f *front) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn := range f.conns {
		_ = conn.Close()
	}
}

// serve is each of the hosts.
func (f *front) serve(w http.ResponseWriter, req *http.Request) {
	client := map[string]string{telegramHost: "telegram", discordHost: "discord"}[req.Host]
	switch {
	case client != "" && req.URL.Path == "/host":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(browsertest.Host(client))
		return
	case client != "":
		http.NotFound(w, req)
		return
	}
	f.mu.Lock()
	to := f.to
	deaf := f.deaf > 0 && req.Method == http.MethodPost
	if deaf {
		f.deaf--
	}
	f.mu.Unlock()
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.SetXForwarded()
			p.Out.Host = publicHost
			if req.Host == activityHost { // As the mapping of "/" to cards.example.org/dc has it.
				p.Out.URL.Path = "/dc" + p.In.URL.Path
				p.Out.Header.Set("X-Forwarded-For", "203.0.113.9") // Nobody's own address is known there.
			}
		},
		ModifyResponse: func(resp *http.Response) error {
			if req.Host == activityHost && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
				resp.Header.Del("Cache-Control")
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	if deaf {
		proxy.ServeHTTP(httptest.NewRecorder(), req)
		panic(http.ErrAbortHandler)
	}
	proxy.ServeHTTP(w, req)
}
