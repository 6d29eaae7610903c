package etcd

import (
	"net"
	"os"
	"os/exec"
	"testing"
)

// TestNoProxy opens a store where the environment names a proxy, which is for what is far away: the member is called itself. Go reads
// that environment once in a process, so another one opens the store.
func TestNoProxy(t *testing.T) {
	const member = "ZEVAKA_TEST_MEMBER"
	if host := os.Getenv(member); host != "" {
		s, err := Open(t.Context(), Address{Hosts: []string{host}, Prefix: "z"}, Options{})
		t.Fatalf("nobody is there, but Open: %v, %v", s, err)
	}
	called := make(chan string, 2)
	listen := func(name string) net.Addr {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			if c, err := l.Accept(); err == nil {
				called <- name
				c.Close()
			}
		}()
		return l.Addr()
	}
	_, port, err := net.SplitHostPort(listen("the member").String())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNoProxy$")
	// No proxy would be asked for a host of 127.0.0.0/8.
	cmd.Env = append(os.Environ(), member+"=0.0.0.0:"+port, "HTTPS_PROXY=http://"+listen("the proxy").String(), "NO_PROXY=", "no_proxy=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if got := <-called; got != "the member" {
		t.Errorf("%s was called", got)
	}
}
