// Package etcdtest runs real clusters of etcd for tests: each member is a process of its own on this machine.
package etcdtest

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

const (
	// readyTime is how long a cluster may take to serve after a start, stopTime a member to end when it is asked to.
	readyTime = time.Minute
	stopTime  = 10 * time.Second
	// heartbeat and election are etcd's own for machines near each other. They are longer here than its defaults of 100 ms
	// and 1 s: three members share the processor with what is tested.
	heartbeat = "200"
	election  = "2000"
)

// Server builds the program of a member, once for each test binary, and returns its path. Where clusters aren't asked
// for, by ZEVAKA_CLUSTER, the test is skipped: building takes a minute.
func Server(t testing.TB) string {
	t.Helper()
	if os.Getenv("ZEVAKA_CLUSTER") == "" {
		t.Skip("tests with a cluster want ZEVAKA_CLUSTER=required")
	}
	path, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// server builds the program into the folder of what was built before, where every test binary finds it.
var server = sync.OnceValues(func() (string, error) {
	_, here, _, _ := runtime.Caller(0)
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "zevaka", "etcd-server")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join(filepath.Dir(here), "server")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the server: %w\n%s", err, out)
	}
	return path, nil
})

// Cluster is a running cluster, of which members may be down. It ends with its test.
type Cluster struct {
	Members []*Member
	name    string
}

// Member is one process of a cluster.
type Member struct {
	// Host is where clients reach it, as host:port.
	Host string

	t       testing.TB
	program string
	args    []string
	peer    string
	url     string // for clients
	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	log     bytes.Buffer
}

// Options say what is different from a plain cluster.
type Options struct {
	// Members is how many there are, 3 if it is 0.
	Members int
	// Args are given to each member.
	Args []string
	// Cert and Key are files with which members speak TLS to clients; in the clear if empty. Client doesn't work then.
	Cert, Key string
	// Peer changes the address by which the member of index to is reached by the one of index from, or leaves it.
	Peer func(from, to int, host string) string
}

// New starts a cluster and waits until it serves.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	program := Server(t)
	n := o.Members
	if n == 0 {
		n = 3
	}
	c := &Cluster{name: fmt.Sprintf("zevaka-%d", time.Now().UnixNano())}
	hosts := free(t, 2*n)
	for i := range n {
		c.Members = append(c.Members, &Member{t: t, program: program, Host: hosts[i], peer: hosts[n+i]})
	}
	for i, m := range c.Members {
		m.url = "http://" + m.Host
		if o.Cert != "" {
			m.url = "https://" + m.Host
			o.Args = append(o.Args, "--cert-file", o.Cert, "--key-file", o.Key)
		}
		m.args = append([]string{
			"--name", fmt.Sprint("m", i), "--data-dir", filepath.Join(t.TempDir(), "data"),
			"--listen-client-urls", m.url, "--advertise-client-urls", m.url,
			"--listen-peer-urls", "http://" + m.peer, "--initial-advertise-peer-urls", c.peers(i, o)[i],
			"--initial-cluster", c.initial(i, o), "--initial-cluster-token", c.name, "--initial-cluster-state", "new",
			"--heartbeat-interval", heartbeat, "--election-timeout", election,
			"--max-request-bytes", "8388608", "--log-level", "error", "--logger", "zap",
		}, o.Args...)
		m.Start()
	}
	t.Cleanup(func() {
		for _, m := range c.Members {
			m.Kill()
		}
		if t.Failed() {
			for _, m := range c.Members {
				t.Logf("%s said:\n%s", m.Host, tail(m.log.String()))
			}
		}
	})
	c.Ready()
	return c
}

// peers are the addresses by which a member reaches the others.
func (c *Cluster) peers(from int, o Options) []string {
	all := make([]string, len(c.Members))
	for to, m := range c.Members {
		host := m.peer
		if o.Peer != nil && from != to {
			host = o.Peer(from, to, host)
		}
		all[to] = "http://" + host
	}
	return all
}

func (c *Cluster) initial(from int, o Options) string {
	var all []string
	for to, url := range c.peers(from, o) {
		all = append(all, fmt.Sprintf("m%d=%s", to, url))
	}
	return strings.Join(all, ",")
}

// Hosts are where clients reach the members.
func (c *Cluster) Hosts() []string {
	var hosts []string
	for _, m := range c.Members {
		hosts = append(hosts, m.Host)
	}
	return hosts
}

// Client is a bare client of some members, all if none are named. It is closed with the test.
func (c *Cluster) Client(members ...*Member) *clientv3.Client {
	t := c.Members[0].t
	t.Helper()
	hosts := c.Hosts()
	if len(members) > 0 {
		hosts = nil
		for _, m := range members {
			hosts = append(hosts, m.Host)
		}
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: hosts, DialTimeout: readyTime, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// Ready waits until all members that run agree on a leader and answer.
func (c *Cluster) Ready() {
	t := c.Members[0].t
	t.Helper()
	end := time.Now().Add(readyTime)
	for _, m := range c.Members {
		for m.Running() && !m.healthy() {
			if time.Now().After(end) {
				t.Fatalf("%s doesn't serve after %v:\n%s", m.Host, readyTime, tail(m.log.String()))
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// Leader is the member that leads; nil if none that runs does.
func (c *Cluster) Leader() *Member {
	for _, m := range c.Members {
		if !m.Running() {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		found, err := c.Client(m).Status(ctx, m.Host)
		cancel()
		if err == nil && found.Leader == found.Header.MemberId {
			return m
		}
	}
	return nil
}

// Follower is a member that runs and doesn't lead; nil if there is none.
func (c *Cluster) Follower() *Member {
	leader := c.Leader()
	for _, m := range c.Members {
		if m != leader && m.Running() {
			return m
		}
	}
	return nil
}

// Start starts a member that is down, on the data it has.
func (m *Member) Start() {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	process := exec.Command(m.program, m.args...)
	process.Stdout, process.Stderr = &m.log, &m.log
	if err := process.Start(); err != nil {
		m.t.Fatal(err)
	}
	ended := make(chan struct{})
	m.process, m.ended = process, ended
	go func() {
		_ = process.Wait()
		close(ended)
	}()
}

// Running reports whether the process is there, be it paused.
func (m *Member) Running() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.ended:
		return false
	default:
		return true
	}
}

// Kill ends a member at once, at any moment. It does nothing if the member is down.
func (m *Member) Kill() { m.end(syscall.SIGKILL) }

// Stop asks a member to end, and waits until it has.
func (m *Member) Stop() { m.end(syscall.SIGTERM) }

func (m *Member) end(signal syscall.Signal) {
	m.t.Helper()
	m.signal(syscall.SIGCONT)
	m.signal(signal)
	m.mu.Lock()
	ended := m.ended
	m.mu.Unlock()
	select {
	case <-ended:
	case <-time.After(stopTime):
		m.t.Errorf("%s didn't end within %v", m.Host, stopTime)
		m.signal(syscall.SIGKILL)
		<-ended
	}
}

// Pause freezes a member, which keeps its connections and says nothing; Resume wakes it.
func (m *Member) Pause() { m.signal(syscall.SIGSTOP) }

// Resume wakes a member that Pause froze.
func (m *Member) Resume() { m.signal(syscall.SIGCONT) }

func (m *Member) signal(s syscall.Signal) {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.process.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		m.t.Error(err)
	}
}

// healthy reports whether the member knows a leader and reads with most of the others.
func (m *Member) healthy() bool {
	whoever := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	client := http.Client{Timeout: time.Second, Transport: whoever}
	answer, err := client.Get(m.url + "/health")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// free are hosts on this machine that nobody listens at.
func free(t testing.TB, n int) []string {
	t.Helper()
	var hosts []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		hosts = append(hosts, l.Addr().String())
	}
	return hosts
}

// tail is the end of a log.
func tail(log string) string { return log[max(0, len(log)-4000):] }
