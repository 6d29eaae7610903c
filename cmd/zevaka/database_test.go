package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// signed writes a certificate with a number, and its key, in place of what was there.
func signed(t *testing.T, number int64, cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	of, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	inPEM(t, cert, "CERTIFICATE", der)
	inPEM(t, key, "PRIVATE KEY", of)
}

func inPEM(t *testing.T, file, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRenewed: what a certificate's files hold counts for the next connection, and what they held at the start where they can't be
// read.
func TestRenewed(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		fmt.Fprint(w, req.TLS.PeerCertificates[0].SerialNumber)
	}))
	srv.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	a := access{StoreCA: filepath.Join(dir, "ca"), StoreCert: filepath.Join(dir, "cert"), StoreKey: filepath.Join(dir, "key")}
	inPEM(t, a.StoreCA, "CERTIFICATE", srv.Certificate().Raw)
	signed(t, 1, a.StoreCert, a.StoreKey)
	secure, err := a.tls()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(want string) {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: secure, DisableKeepAlives: true}}
		resp, err := client.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if number, err := io.ReadAll(resp.Body); err != nil || string(number) != want {
			t.Errorf("certificate %s is shown, want %s (%v)", number, want, err)
		}
	}
	shown("1")
	signed(t, 2, a.StoreCert, a.StoreKey)
	shown("2")
	if err := os.Remove(a.StoreKey); err != nil {
		t.Fatal(err)
	}
	shown("1")
}
