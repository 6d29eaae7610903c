// Package etcdtest runs real clusters of etcd for tests: each member is a process of its own on this machine. Tests that use it
// have the build tag cluster, or faults.
package etcdtest

import (
	"bytes"
	"context"
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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"zevaka/storage/storagetest"
)

const (
	// readyTime is how long a cluster may take to serve after a start, stopTime a member to end when it is asked to.
	readyTime = time.Minute
	stopTime  = 10 * time.Second
	// election is how long members wait for a leader. It is longer here than etcd's default of 1 s: three members share the
	// processor with what is tested.
	election = 2 * time.Second
)

// server builds the program of a member, which takes a minute the first time, into the user's cache, where every test binary
// finds it.
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

	t      testing.TB
	name   string
	stored string // begins the names of the members' folders
}

// Member is one process of a cluster.
type Member struct {
	// Name is its name in the cluster, and for Links.
	Name string
	// Host is where clients reach it, as host:port. Clear is where they reach it without TLS, where the cluster has it; elsewhere
	// they do at Host.
	Host, Clear string

	t       testing.TB
	program string
	args    []string
	data    string // the folder of what it has stored
	peer    string // where other members reach it, as host:port
	listen  string // where it listens to them
	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	log     log
}

// Options say what is different from a plain cluster.
type Options struct {
	// Members is how many there are, 3 if it is 0.
	Members int
	// Args are given to each member.
	Args []string
	// Cert and Key are files with which members speak TLS to clients at Host; in the clear if empty.
	Cert, Key string
	// Links says that all members speak through Links.
	Links bool
	// Election is how long members wait for a leader, 2 s if it is 0. A leader is heard of ten times as often.
	Election time.Duration
}

// New starts a cluster that ends with its test, and waits until it serves.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	c := start(t, o, t.TempDir()+"/")
	t.Cleanup(c.end)
	return c
}

// shared is the cluster that Shared gives to one test after the other.
var shared struct {
	sync.Mutex
	*Cluster
}

// Space is how many bytes a member of the shared cluster may store.
const Space = 64 << 20

// Shared is the one cluster of the test binary, of three members that speak through Links, which is started for the first test that
// asks for it and ends with the binary. A test has it for itself until it ends, and takes prefixes of its own. Whatever it did to
// members and Links is mended then. It is for the goroutine of the test, which calls it once.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	shared.Lock()
	t.Cleanup(shared.Unlock)
	if shared.Cluster == nil {
		name := filepath.Join(os.TempDir(), fmt.Sprintf("zevaka-etcd-%d-", os.Getpid()))
		shared.Cluster = start(t, Options{Links: true, Election: time.Second, Args: []string{"--quota-backend-bytes", fmt.Sprint(Space)}}, name)
	}
	c := shared.Cluster
	c.lend(t)
	t.Cleanup(c.mend)
	return c
}

// prefixes counts those that tests were given.
var prefixes atomic.Int64

// Prefix is one that nobody has asked for before.
func (c *Cluster) Prefix() string { return fmt.Sprint("test/", prefixes.Add(1)) }

// lend has a test be told what goes wrong from now on.
func (c *Cluster) lend(t testing.TB) {
	c.t, c.Links.t = t, t
	for _, m := range c.Members {
		m.t = t
	}
}

// mend makes all well again.
func (c *Cluster) mend() {
	if c.t.Failed() {
		c.tell()
	}
	c.Links.Mend()
	for _, m := range c.Members {
		if m.Resume(); !m.Running() {
			m.Start()
		}
	}
	c.Drain()
	c.Ready()
}

// start starts a cluster, and waits until it serves.
func start(t testing.TB, o Options, stored string) *Cluster {
	t.Helper()
	program, err := server()
	if err != nil {
		t.Fatal(err)
	}
	n := o.Members
	if n == 0 {
		n = 3
	}
	c := &Cluster{t: t, name: fmt.Sprintf("zevaka-%d", time.Now().UnixNano()), stored: stored}
	if o.Links {
		c.Links = newLinks(t)
	}
	for i := range n {
		host, peer := storagetest.Address(), storagetest.Address()
		m := &Member{t: t, program: program, Name: fmt.Sprint("m", i), Host: host, Clear: host, peer: peer, listen: peer}
		if o.Cert != "" {
			m.Clear = storagetest.Address()
		}
		c.Members = append(c.Members, m)
	}
	if c.Links != nil {
		for _, m := range c.Members {
			m.peer = c.Links.relay(m.Name, m.listen, c.caller)
		}
	}
	for _, m := range c.Members {
		m.args = c.arguments(m, o)
		m.Start()
	}
	c.Ready()
	return c
}

// arguments are those with which a member is started.
func (c *Cluster) arguments(m *Member, o Options) []string {
	urls := "http://" + m.Host
	if o.Cert != "" {
		urls = "https://" + m.Host + ",http://" + m.Clear
		o.Args = append([]string{"--cert-file", o.Cert, "--key-file", o.Key}, o.Args...)
	}
	if o.Election == 0 {
		o.Election = election
	}
	var all []string
	for _, to := range c.Members {
		all = append(all, to.Name+"=http://"+to.peer)
	}
	m.data = c.stored + m.Name
	return append([]string{
		"--name", m.Name, "--data-dir", m.data, "--listen-client-urls", urls, "--advertise-client-urls", urls,
		"--listen-peer-urls", "http://" + m.listen, "--initial-advertise-peer-urls", "http://" + m.peer,
		"--initial-cluster", strings.Join(all, ","), "--initial-cluster-token", c.name, "--initial-cluster-state", "new",
		"--heartbeat-interval", fmt.Sprint(o.Election.Milliseconds() / 10), "--election-timeout", fmt.Sprint(o.Election.Milliseconds()),
		"--max-request-bytes", "8388608", "--log-level", "error", "--logger", "zap",
		"--unsafe-no-fsync", // Members are killed, the machine is not.
	}, o.Args...)
}

// end ends all members.
func (c *Cluster) end() {
	for _, m := range c.Members {
		m.Kill()
	}
	if c.Links != nil {
		c.Links.close()
	}
	if c.t.Failed() {
		c.tell()
	}
}

// tell says what the members had to say.
func (c *Cluster) tell() {
	for _, m := range c.Members {
		c.t.Logf("%s said:\n%s", m.Host, m.log.tail())
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

// Client is a bare client of some members, all if none are named, in the clear. It is closed with the test.
func (c *Cluster) Client(members ...*Member) *clientv3.Client {
	c.t.Helper()
	if len(members) == 0 {
		members = c.Members
	}
	var hosts []string
	for _, m := range members {
		hosts = append(hosts, m.Clear)
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
				c.t.Fatalf("%s doesn't serve after %v:\n%s", m.Host, readyTime, m.log.tail())
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
		found, err := client.Status(ctx, m.Clear)
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
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Who interrupts tests doesn't interrupt members.
	_, err := process.StdinPipe()                             // It ends with the test binary, if it isn't ended before.
	if err == nil {
		err = process.Start()
	}
	if err != nil {
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
	if err := os.RemoveAll(m.data); err != nil {
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

// Pause freezes a member, which keeps its connections and says nothing; Resume wakes it. Where the system tells of its threads it waits
// until all stand still: one may answer for a moment longer.
func (m *Member) Pause() {
	m.signal(syscall.SIGSTOP)
	for threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", m.pid())); slices.ContainsFunc(threads, runs); {
		time.Sleep(time.Millisecond)
	}
}

// runs reports whether the thread of a stat file of the system's hasn't been stopped.
func runs(file string) bool {
	stat, err := os.ReadFile(file)
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err == nil && len(state) > 0 && !bytes.ContainsAny(state[:1], "TtZX")
}

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
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + m.Clear + "/health")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// log is what a member has said.
type log struct {
	mu   sync.Mutex
	said bytes.Buffer
}

// Write implements io.Writer.
func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.Write(b)
}

// tail is the end of it.
func (l *log) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.said.String()
	return all[max(0, len(all)-4000):]
}
