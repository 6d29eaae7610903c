//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// What the quiet players of BenchmarkSiege do, each from an address of their own: siegeEvery a command.
const (
	siegePlayers = 8
	siegeEvery   = 250 * time.Millisecond
	siegeTime    = 12 * time.Second
)

// BenchmarkSiege measures how long quiet players of an open room wait for their answers: when nobody else is there, while
// one tab talks without a pause over six connections, while one machine is somebody new with each press over 64, and while
// one machine holds a thousand sockets open.
func BenchmarkSiege(b *testing.B) {
	s := start(b, "ZEVAKA_DB="+filepath.Join(b.TempDir(), "z.db"), "ZEVAKA_ROOM_OPEN=true", "ZEVAKA_LISTEN=0.0.0.0:0")
	s.url = "http://127.0.0.1" + s.url[strings.LastIndex(s.url, ":"):]
	defer s.end(b, syscall.SIGTERM)
	tab := func(ctx context.Context) {
		hammer(ctx, s.url, 6, "say", func(int) string { return strings.Repeat("e", 32) })
	}
	machine := func(ctx context.Context) {
		hammer(ctx, s.url, 64, "press", func(i int) string { return fmt.Sprintf("%032x", i) })
	}
	for b.Loop() {
		for _, attack := range []struct {
			name string
			run  func(context.Context)
		}{
			{"quiet", func(context.Context) {}}, {"tab", tab}, {"machine", machine},
			{"sockets", func(ctx context.Context) { crowd(ctx, s.url, 1000) }},
		} {
			ctx, end := context.WithTimeout(b.Context(), siegeTime)
			var hostile sync.WaitGroup
			hostile.Go(func() { attack.run(ctx) })
			took, refused := quietly(ctx, b, s.url)
			hostile.Wait()
			end()
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, attack.name+"-p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, attack.name+"-p99-ms")
			if refused > 0 {
				b.Errorf("%s: %d of %d answers were refusals", attack.name, refused, len(took))
			}
		}
	}
}

// from is a client at an address of this machine.
func from(last byte) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, last)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 64}}
}

// call posts something in the name of a tab, and returns the status of the answer; 0 if there is none.
func call(ctx context.Context, client *http.Client, url, path, secret, id string) int {
	body := fmt.Sprintf(`{"id":%q,"name":"N","lang":"en","channel":1,"text":"/balance","token":"1.w1.x.0.flip"}`, id)
	if path == "say" && secret[0] == 'e' {
		body = strings.Replace(body, "/balance", strings.Repeat("talk ", 300), 1)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Zevaka-Tab", secret)
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode
}

// quietly are the times that the answers to quiet players took, in order, and how many were no answers.
func quietly(ctx context.Context, b *testing.B, url string) (took []time.Duration, refused int) {
	b.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	for i := range siegePlayers {
		all.Go(func() {
			client := from(byte(100 + i))
			defer client.CloseIdleConnections()
			every := time.NewTicker(siegeEvery)
			defer every.Stop()
			for n := 0; ; n++ {
				select {
				case <-every.C:
				case <-ctx.Done():
					return
				}
				begun := time.Now()
				status := call(context.WithoutCancel(ctx), client, url, "say", fmt.Sprintf("%032x", 0xa0+i), fmt.Sprint(i, "-", begun.UnixNano()))
				mu.Lock()
				took = append(took, time.Since(begun))
				if status != http.StatusOK {
					refused++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took, refused
}

// hammer has one machine call over so many connections as fast as it is answered.
func hammer(ctx context.Context, url string, connections int, path string, secret func(i int) string) {
	client := from(2)
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for c := range connections {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				i := n*connections + c
				call(ctx, client, url, path, secret(i), fmt.Sprint("h", time.Now().UnixNano(), "-", i))
			}
		})
	}
	all.Wait()
}

// crowd has one machine hold so many sockets open, which say nothing; those that are closed are opened again each second.
func crowd(ctx context.Context, url string, sockets int) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	conns := make([]net.Conn, sockets)
	for ctx.Err() == nil {
		for i, conn := range conns {
			if conn != nil {
				_ = conn.SetReadDeadline(time.Now().Add(10 * time.Microsecond))
				if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
					continue
				}
				_ = conn.Close()
			}
			conns[i], _ = dialer.DialContext(ctx, "tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	for _, conn := range conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
}
