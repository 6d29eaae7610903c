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
	"slices"
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
	// election is how long members wait for a leader. It is longer here than etcd's default of 1 s: three members share the
	// processor with what is tested.
	election = 2 * time.Second
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
	// Links are what members and clients speak through; nil unless Options asked for them.
	Links *Links

	t    testing.TB
	name string
}

// Member is one process of a cluster.
type Member struct {
	// Name is its name in the cluster, and for Links.
	Name string
	// Host is where clients reach it, as host:port.
	Host string

	t       testing.TB
	program string
	args    []string
	peer    string            // where other members reach it, as host:port
	listen  string            // where it listens to them
	url     string            // for clients
	asker   []tls.Certificate // with which it is asked how it is
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
	// Links says that all members speak through Links.
	Links bool
	// Election is how long members wait for a leader, 2 s if it is 0. A leader is heard of ten times as often.
	Election time.Duration
}

// New starts a cluster and waits until it serves.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	program := Server(t)
	n := o.Members
	if n == 0 {
		n = 3
	}
	c := &Cluster{t: t, name: fmt.Sprintf("zevaka-%d", time.Now().UnixNano())}
	if o.Links {
		if runtime.GOOS != "linux" {
			t.Skip("whose a connection is can be told on Linux alone")
		}
		c.Links = newLinks(t)
	}
	hosts := free(t, 2*n)
	for i := range n {
		c.Members = append(c.Members, &Member{
			t: t, program: program, Name: fmt.Sprint("m", i), Host: hosts[i], peer: hosts[n+i], listen: hosts[n+i],
		})
	}
	if c.Links != nil {
		for _, m := range c.Members {
			m.peer = c.Links.relay(m.Name, m.listen, c.caller)
		}
	}
	t.Cleanup(c.end)
	for _, m := range c.Members {
		m.args = c.arguments(m, o)
		m.Start()
	}
	c.Ready()
	return c
}

// arguments are those with which a member is started.
func (c *Cluster) arguments(m *Member, o Options) []string {
	m.url = "http://" + m.Host
	if o.Cert != "" {
		own, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			c.t.Fatal(err)
		}
		m.url, m.asker = "https://"+m.Host, []tls.Certificate{own}
		o.Args = append([]string{"--cert-file", o.Cert, "--key-file", o.Key}, o.Args...)
	}
	if o.Election == 0 {
		o.Election = election
	}
	var all []string
	for _, to := range c.Members {
		all = append(all, to.Name+"=http://"+to.peer)
	}
	return append([]string{
		"--name", m.Name, "--data-dir", filepath.Join(c.t.TempDir(), "data"),
		"--listen-client-urls", m.url, "--advertise-client-urls", m.url,
		"--listen-peer-urls", "http://" + m.listen, "--initial-advertise-peer-urls", "http://" + m.peer,
		"--initial-cluster", strings.Join(all, ","), "--initial-cluster-token", c.name, "--initial-cluster-state", "new",
		"--heartbeat-interval", fmt.Sprint(o.Election.Milliseconds() / 10), "--election-timeout", fmt.Sprint(o.Election.Milliseconds()),
		"--max-request-bytes", "8388608", "--log-level", "error", "--logger", "zap",
	}, o.Args...)
}

// end ends all members, and says what they had to say if the test failed.
func (c *Cluster) end() {
	for _, m := range c.Members {
		if m.pid() != 0 {
			m.Kill()
		}
	}
	if !c.t.Failed() {
		return
	}
	for _, m := range c.Members {
		c.t.Logf("%s said:\n%s", m.Host, tail(m.log.String()))
	}
}

// Doors are hosts by which a client of that name reaches the members over the links.
func (c *Cluster) Doors(client string) []string {
	var hosts []string
	for _, m := range c.Members {
		hosts = append(hosts, c.Links.relay(m.Name, m.Host, func(net.Conn) (string, error) { return client, nil }))
	}
	return hosts
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
	c.t.Helper()
	hosts := c.Hosts()
	if len(members) > 0 {
		hosts = nil
		for _, m := range members {
			hosts = append(hosts, m.Host)
		}
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: hosts, DialTimeout: readyTime, Logger: zap.NewNop()})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { client.Close() })
	return client
}

// Ready waits until all members that run agree on a leader and answer.
func (c *Cluster) Ready() {
	c.t.Helper()
	end := time.Now().Add(readyTime)
	for _, m := range c.Members {
		for m.Running() && !m.healthy() {
			if time.Now().After(end) {
				c.t.Fatalf("%s doesn't serve after %v:\n%s", m.Host, readyTime, tail(m.log.String()))
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
		client := c.Client(m)
		found, err := client.Status(ctx, m.Host)
		cancel()
		_ = client.Close()
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

// Lose kills the member, and what it has stored is lost.
func (m *Member) Lose() {
	m.t.Helper()
	m.Kill()
	at := slices.Index(m.args, "--data-dir")
	if err := os.RemoveAll(m.args[at+1]); err != nil {
		m.t.Fatal(err)
	}
}

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

// pid is the process, or that which it had; 0 before the first.
func (m *Member) pid() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.process == nil {
		return 0
	}
	return m.process.Process.Pid
}

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
	whoever := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, Certificates: m.asker}, DisableKeepAlives: true}
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
