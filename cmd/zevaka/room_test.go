//go:build unix && faults

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/storage/storagetest"
)

// besiegedFiles is how many files the program may have open in the test of sockets.
const besiegedFiles = 512

// TestRoomFullOfSockets: while a thousand sockets are open at each port of a program that may have 512 files, the room
// lets people in, the program tells that it is ready, copies its database and reaches a platform.
func TestRoomFullOfSockets(t *testing.T) {
	t.Parallel()
	db, metrics := filepath.Join(t.TempDir(), "z.db"), storagetest.Address()
	s := startLimited(t, "ZEVAKA_DB="+db, "ZEVAKA_METRICS="+metrics)
	address := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	for i := range 2000 {
		from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%20))}, Timeout: 5 * time.Second}
		conn, err := from.DialContext(t.Context(), "tcp", []string{address, metrics}[i%2])
		if err != nil {
			break // Nobody takes it any more: that is for the rest of the test to judge.
		}
		defer conn.Close()
	}
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + metrics + "/readyz")
	if err != nil {
		t.Fatalf("it doesn't say whether it is ready: %v", err)
	}
	said, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("it is not ready: %s", said)
	}
	saving := command(t, "backup", "--db", db, filepath.Join(t.TempDir(), "b.db"))
	stuck := time.AfterFunc(20*time.Second, func() { _ = saving.Process.Kill() })
	defer stuck.Stop()
	if end := finish(t, saving, nil); end.code != 0 || !strings.Contains(end.out, "all in order") {
		t.Errorf("the backup ends with %d: %s%s", end.code, end.out, end.err)
	}
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	if !ann.send(s.url, "say", map[string]any{"text": "hello"}) {
		t.Error("Ann can't talk")
	}
	s.end(t, syscall.SIGTERM)
	if log := s.log.String(); strings.Contains(log, "too many open files") {
		t.Errorf("it has run out of files:\n%.1000s", log)
	}
}

// startLimited starts a zevaka that may have few files open.
func startLimited(t *testing.T, settings ...string) *server {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t)
	cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, besiegedFiles)}, cmd.Args...)
	cmd.Path = sh
	return startAs(t, cmd, settings...)
}
