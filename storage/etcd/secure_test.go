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
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// certificate makes a certificate of this machine that is good until then, signed by itself, and its files.
func certificate(t *testing.T, until time.Time) (pool *x509.CertPool, cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "etcd"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
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

// TestTLS: who isn't trusted, or whose certificate has expired, isn't spoken to, and the log says why.
func TestTLS(t *testing.T) {
	tests := []struct {
		name  string
		until time.Time
		trust bool
		tls   bool
		says  string // nothing if the store opens
	}{
		{"trusted", time.Now().Add(time.Hour), true, true, ""},
		{"a stranger", time.Now().Add(time.Hour), false, true, "unknown authority"},
		{"expired", time.Now().Add(-time.Hour), true, true, "certificate has expired"},
		{"in the clear", time.Now().Add(time.Hour), true, false, "wants TLS (etcds://)"},
	}
	for _, k := range tests {
		t.Run(k.name, func(t *testing.T) {
			pool, cert, key := certificate(t, k.until)
			c := etcdtest.New(t, etcdtest.Options{Members: 1, Cert: cert, Key: key})
			if !k.trust {
				pool = x509.NewCertPool()
			}
			var said bytes.Buffer
			o := Options{New: true, TLS: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, Log: slog.New(slog.NewTextHandler(&said, nil))}
			a := Address{Hosts: c.Hosts(), Prefix: "z", TLS: k.tls}
			if k.says == "" {
				s := opened(t, a, o)
				if _, err := s.Get(t.Context(), "a"); err != nil {
					t.Error(err)
				}
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
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
}

// TestOwnCertificate: where the members want a certificate of the program's own, one that is good lets it in; without one, or with one
// that has expired, the log says what may be missing.
func TestOwnCertificate(t *testing.T) {
	pool, cert, key := certificate(t, time.Now().Add(time.Hour))
	_, oldCert, oldKey := certificate(t, time.Now().Add(-time.Hour))
	c := etcdtest.New(t, etcdtest.Options{Members: 1, Cert: cert, Key: key, Args: []string{"--client-cert-auth", "--trusted-ca-file", both(t, cert, oldCert)}})
	a := Address{Hosts: c.Hosts(), Prefix: "z", TLS: true}
	for _, k := range []struct {
		name, cert, key string
		good            bool
	}{{"good", cert, key, true}, {"none", "", "", false}, {"expired", oldCert, oldKey, false}} {
		t.Run(k.name, func(t *testing.T) {
			secure := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
			if k.cert != "" {
				own, err := tls.LoadX509KeyPair(k.cert, k.key)
				if err != nil {
					t.Fatal(err)
				}
				secure.Certificates = []tls.Certificate{own}
			}
			var said bytes.Buffer
			o := Options{New: true, TLS: secure, Log: slog.New(slog.NewTextHandler(&said, nil))}
			if k.good {
				opened(t, a, o)
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			if s, err := Open(ctx, a, o); err == nil {
				s.Close()
				t.Error("it opens")
			}
			if !strings.Contains(said.String(), "a certificate of this program's own") {
				t.Errorf("the log says %s", said.String())
			}
		})
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
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	raw, ctx := c.Client(), t.Context()
	end := clientv3.GetPrefixRangeEnd("/z/")
	for _, err := range []error{
		second(raw.UserAdd(ctx, "root", "rootpass")), second(raw.UserGrantRole(ctx, "root", "root")),
		second(raw.RoleAdd(ctx, "zevaka")), second(raw.RoleGrantPermission(ctx, "zevaka", "/z/", end, clientv3.PermissionType(clientv3.PermReadWrite))),
		second(raw.UserAdd(ctx, "bot", "botpass")), second(raw.UserGrantRole(ctx, "bot", "zevaka")),
		second(raw.UserAdd(ctx, "guest", "guestpass")), second(raw.AuthEnable(ctx)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a := Address{Hosts: c.Hosts(), Prefix: "z", User: "bot"}
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
	for _, k := range []struct{ user, password, says string }{
		{"bot", "wrongpass", "let the user in"}, {"nobody", "botpass", "let the user in"}, {"bot", "", "give a user and a password"},
		{"guest", "guestpass", "let the user read and write"}, {"", "", "give a user and a password"},
	} {
		a := Address{Hosts: c.Hosts(), Prefix: "z", User: k.user}
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

func second[T any](_ T, err error) error { return err }
