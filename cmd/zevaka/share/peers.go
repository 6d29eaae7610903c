package share

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"zevaka/adapters/web"
)

const (
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	dialTime   = 2 * time.Second
	// certificateTime is how long a process's certificate is good: it is made anew with each start.
	certificateTime = 100 * 365 * 24 * time.Hour
)

// peers is how this process and others reach each other: by TLS, each with a certificate of its own making. Which ones are good
// stands in the cluster, beside the addresses: so whoever may write there takes part, and nobody else.
type peers struct {
	share *Share
	// key is the fingerprint of this process's certificate, name its address and the key.
	key, name string
	own       tls.Certificate
	server    *http.Server
	at        net.Listener
	served    chan struct{} // closed when the server has ended
	failed    error         // why it has, unless it was closed

	mu      sync.Mutex
	clients map[string]*http.Client // by the names of the processes
}

// listen begins to answer other processes. Hosts are those of the cluster.
func listen(ctx context.Context, s *Share, hosts []string) (*peers, error) {
	own, err := newCertificate()
	if err != nil {
		return nil, fmt.Errorf("make a certificate for other processes: %w", err)
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", s.opts.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for other processes (another address: --peers-listen): %w", err)
	}
	address := s.opts.Address
	if address == "" {
		if address, err = reached(ctx, ln.Addr(), hosts); err != nil {
			return nil, errors.Join(err, ln.Close())
		}
	}
	p := &peers{share: s, key: fingerprint(own.Certificate[0]), own: own, at: ln, served: make(chan struct{}), clients: map[string]*http.Client{}}
	p.name = address + " " + p.key
	p.server = &http.Server{
		Handler: p.handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		ErrorLog: slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS13,
			VerifyConnection: func(c tls.ConnectionState) error {
				if !s.isMember(fingerprint(c.PeerCertificates[0].Raw)) {
					return errors.New("no process that takes part has this certificate")
				}
				return nil
			},
		},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // WebSockets want HTTP/1.1.
	}
	bounded := web.PeersPort().Bound(p.server, ln)
	go func() {
		defer close(p.served)
		if err := p.server.ServeTLS(bounded, "", ""); !errors.Is(err, http.ErrServerClosed) {
			p.failed = fmt.Errorf("answer other processes: %w", err)
		}
	}()
	s.opts.Log.Info("other processes reach this one", "at", address)
	return p, nil
}

// close ends all connections to and from other processes.
func (p *peers) close() {
	_ = p.server.Close() // It says no more than that the listener was closed.
	<-p.served
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.clients {
		c.CloseIdleConnections()
	}
}

// reached is where other processes reach what listens at an address: if that is on all addresses of this machine, at the one from
// which it reaches the cluster.
func reached(ctx context.Context, at net.Addr, hosts []string) (string, error) {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return "", fmt.Errorf("read the address %s: %w", at, err)
	}
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		return at.String(), nil
	}
	var d net.Dialer
	for _, h := range hosts {
		conn, failed := d.DialContext(ctx, "udp", h) // Nothing is sent.
		if failed != nil {
			err = failed
			continue
		}
		from := conn.LocalAddr().(*net.UDPAddr)
		if err = conn.Close(); err == nil {
			return net.JoinHostPort(from.IP.String(), port), nil
		}
	}
	return "", fmt.Errorf("this machine's address for other processes is not known: %w", err)
}

// newCertificate is a certificate that nobody has signed but itself.
func newCertificate() (tls.Certificate, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	form := &x509.Certificate{SerialNumber: big.NewInt(now.UnixNano()), NotBefore: now.Add(-certificateTime), NotAfter: now.Add(certificateTime)}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, public, private)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: private}, err
}

// fingerprint tells certificates from each other.
func fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// addressOf is the address in the name of a process, keyOf the fingerprint of its certificate.
func addressOf(name string) string { address, _, _ := strings.Cut(name, " "); return address }
func keyOf(name string) string     { _, key, _ := strings.Cut(name, " "); return key }

// client speaks to the process of a name, and to no other.
func (p *peers) client(name string) *http.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.clients[name]; c != nil {
		return c
	}
	for old, c := range p.clients { // Who has ended doesn't come back under that name.
		if !p.share.isMember(keyOf(old)) {
			c.CloseIdleConnections()
			delete(p.clients, old)
		}
	}
	dialer := &net.Dialer{Timeout: dialTime}
	c := &http.Client{Transport: &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTime, IdleConnTimeout: idleTime, MaxIdleConnsPerHost: 32,
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
		TLSClientConfig: &tls.Config{
			Certificates: []tls.Certificate{p.own}, MinVersion: tls.VersionTLS13,
			InsecureSkipVerify: true, // Nobody signs these certificates: VerifyConnection knows the one.
			VerifyConnection: func(c tls.ConnectionState) error {
				if fingerprint(c.PeerCertificates[0].Raw) != keyOf(name) {
					return errors.New("another process answers at that address")
				}
				return nil
			},
		},
	}}
	p.clients[name] = c
	return c
}

// post sends a body to a path of a process, and returns the status and the body of the answer.
func (p *peers) post(ctx context.Context, name, path string, header http.Header, body []byte) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+addressOf(name)+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if header != nil {
		req.Header = header
	}
	answer, err := p.client(name).Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := readAll(answer.Body)
	return answer.StatusCode, text, err
}
