//go:build cluster

package etcd

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

// certificate makes a certificate of this machine that is good until then, signed by itself, and its files.
func certificate(t *testing.T, until time.Time) (pool *x509.CertPool, cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := net.SplitHostPort(storagetest.Address())
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "etcd"}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: until.Add(-24 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	of, err := x509.MarshalECPrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, text := range map[string][]byte{cert: text, key: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: of})} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return pool, cert, key
}

// TestTLS: members that aren't trusted, or whose certificate has expired, aren't spoken to; where they want a certificate of the
// program's own, one that is good lets it in. Else the log says what is wrong.
func TestTLS(t *testing.T) {
	pool, cert, key := certificate(t, time.Now().Add(time.Hour))
	oldPool, oldCert, oldKey := certificate(t, time.Now().Add(-time.Hour))
	served, secret := copied(t, cert), copied(t, key)
	c := etcdtest.New(t, etcdtest.Options{Members: 1, Cert: served, Key: secret, Args: []string{"--client-cert-auth", "--trusted-ca-file", both(t, cert, oldCert)}})
	const own = "a certificate of this program's own"
	for _, k := range []struct {
		name      string
		trusts    *x509.CertPool
		cert, key string // of the program's own
		clear     bool
		says      string // nothing if the store opens
	}{
		{"good", pool, cert, key, false, ""},
		{"a stranger", x509.NewCertPool(), cert, key, false, "unknown authority"},
		{"in the clear", pool, cert, key, true, "wants TLS (etcds://)"},
		{"without its own", pool, "", "", false, own},
		{"its own expired", pool, oldCert, oldKey, false, own},
		{"the members' expired", oldPool, cert, key, false, "certificate has expired"},
	} {
		t.Run(k.name, func(t *testing.T) {
			if k.trusts == oldPool { // From the next connection on.
				replaced(t, served, oldCert)
				replaced(t, secret, oldKey)
			}
			secure := &tls.Config{RootCAs: k.trusts, MinVersion: tls.VersionTLS12}
			if k.cert != "" {
				mine, err := tls.LoadX509KeyPair(k.cert, k.key)
				if err != nil {
					t.Fatal(err)
				}
				secure.Certificates = []tls.Certificate{mine}
			}
			var said bytes.Buffer
			o := Options{New: true, TLS: secure, Log: slog.New(slog.NewTextHandler(&said, nil))}
			a := at(c)
			a.TLS = !k.clear
			if k.says == "" {
				s := opened(t, a, o)
				if _, err := s.Get(t.Context(), "a"); err != nil {
					t.Error(err)
				}
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), brief)
			defer cancel()
			if s, err := Open(ctx, a, o); err == nil {
				s.Close()
				t.Error("it opens")
			}
			if !strings.Contains(said.String(), k.says) {
				t.Errorf("the log says %s; want %q", said.String(), k.says)
			}
		})
	}
	t.Run("two clusters", func(t *testing.T) {
		other := etcdtest.Shared(t)
		a := at(other)
		a.Hosts = append(a.Hosts, c.Members[0].Clear)
		if _, err := Open(t.Context(), a, Options{New: true}); !errors.Is(err, ErrClusters) || !strings.Contains(err.Error(), a.Hosts[0]) {
			t.Errorf("Open: %v", err)
		}
	})
}

// copied is another file with what a file has.
func copied(t *testing.T, file string) string {
	t.Helper()
	other := filepath.Join(t.TempDir(), filepath.Base(file))
	replaced(t, other, file)
	return other
}

// replaced has a file have what another has.
func replaced(t *testing.T, file, by string) {
	t.Helper()
	text, err := os.ReadFile(by)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// both is a file with what two files have.
func both(t *testing.T, one, other string) string {
	t.Helper()
	var all []byte
	for _, file := range []string{one, other} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	file := filepath.Join(t.TempDir(), "both.pem")
	if err := os.WriteFile(file, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestUsers: a user who may read and write the keys of the store, and no others, is enough; who has a wrong password or no such
// right is refused at once, in words without the password.
func TestUsers(t *testing.T) {
	c := etcdtest.Shared(t)
	raw, ctx := c.Client(), t.Context()
	t.Cleanup(func() { anybody(t, c) })
	a := at(c)
	a.User = "bot"
	first, end := "/"+a.Prefix+"/", clientv3.GetPrefixRangeEnd("/"+a.Prefix+"/")
	for _, err := range []error{
		second(raw.UserAdd(ctx, "root", "rootpass")), second(raw.UserGrantRole(ctx, "root", "root")),
		second(raw.RoleAdd(ctx, "zevaka")), second(raw.RoleGrantPermission(ctx, "zevaka", first, end, clientv3.PermissionType(clientv3.PermReadWrite))),
		second(raw.UserAdd(ctx, "bot", "botpass")), second(raw.UserGrantRole(ctx, "bot", "zevaka")),
		second(raw.UserAdd(ctx, "guest", "guestpass")), second(raw.AuthEnable(ctx)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, a, Options{New: true, Password: "botpass"})
	if _, err := s.Commit(ctx, storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}); err != nil {
		t.Error(err)
	}
	j, err := s.Join(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Leave(ctx); err != nil {
		t.Error(err)
	}
	deprived(t, s, c)
	for _, k := range []struct{ user, password, says string }{
		{"bot", "wrongpass", "let the user in"}, {"nobody", "botpass", "let the user in"}, {"bot", "", "give a user and a password"},
		{"guest", "guestpass", "let the user read and write"}, {"", "", "give a user and a password"},
	} {
		a := Address{Hosts: a.Hosts, Prefix: a.Prefix, User: k.user}
		soon, cancel := context.WithTimeout(ctx, 20*time.Second)
		s, err := Open(soon, a, Options{Password: k.password})
		cancel()
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), k.says) || k.password != "" && strings.Contains(err.Error(), k.password) {
			t.Errorf("%s: %v, want %q", k.user, err, k.says)
		}
	}
}

// deprived: who holds something when the role is taken away ends, and the cause says why.
func deprived(t *testing.T, s *Store, c *etcdtest.Cluster) {
	t.Helper()
	ctx, root := t.Context(), asRoot(t, c)
	defer root.Close()
	j, err := s.Join(ctx, "two")
	if err != nil {
		t.Fatal(err)
	}
	h, err := j.Take(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := root.UserRevokeRole(ctx, "bot", "zevaka"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Whole().Get(ctx, "a"); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("without a role: %v", err)
	}
	<-j.Context().Done()
	if cause := context.Cause(j.Context()); !errors.Is(cause, ErrDenied) || !strings.Contains(cause.Error(), s.prefix) {
		t.Errorf("the session ended with %v", cause)
	}
	if _, err := root.UserGrantRole(ctx, "bot", "zevaka"); err != nil {
		t.Fatal(err)
	}
	if err := j.Leave(ctx); err != nil {
		t.Error(err)
	}
}

// anybody has a cluster let in anybody again.
func anybody(t *testing.T, c *etcdtest.Cluster) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	root := asRoot(t, c)
	defer root.Close()
	err := second(root.AuthDisable(ctx))
	for _, user := range []string{"root", "bot", "guest"} {
		err = errors.Join(err, second(root.UserDelete(ctx, user)))
	}
	if err := errors.Join(err, second(root.RoleDelete(ctx, "zevaka"))); err != nil {
		t.Fatal(err)
	}
}

// asRoot is a client of a cluster whose user may do everything.
func asRoot(t *testing.T, c *etcdtest.Cluster) *clientv3.Client {
	t.Helper()
	root, err := clientv3.New(clientv3.Config{Endpoints: c.Hosts(), Username: "root", Password: "rootpass", Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func second[T any](_ T, err error) error { return err }
