package discord

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// dial connects to an address, through a proxy if one is set for it.
func (d dialer) dial(ctx context.Context, scheme, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	proxy, err := d.proxy(&http.Request{URL: &url.URL{Scheme: scheme, Host: addr}})
	switch {
	case err != nil:
		return nil, fmt.Errorf("find the proxy: %w", err)
	case proxy == nil:
		return d.connect(ctx, addr)
	}
	conn, err := d.dialProxy(ctx, proxy)
	if err != nil {
		return nil, fmt.Errorf("connect to the proxy: %w", err)
	}
	if err := tunnel(ctx, conn, proxy.User, addr); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("pass the proxy: %w", err)
	}
	return conn, nil
}

// connect connects to an address itself.
func (d dialer) connect(ctx context.Context, addr string) (net.Conn, error) {
	if d.direct != nil {
		return d.direct(ctx, "tcp", addr)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", addr)
}

// dialProxy connects to a proxy that speaks HTTP.
func (d dialer) dialProxy(ctx context.Context, proxy *url.URL) (net.Conn, error) {
	port := proxy.Port()
	switch proxy.Scheme {
	case "http":
		return d.connect(ctx, net.JoinHostPort(proxy.Hostname(), cmp.Or(port, "80")))
	case "https":
		return (&tls.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), cmp.Or(port, "443")))
	}
	return nil, fmt.Errorf("the gateway can't be reached through a proxy of the kind %q", proxy.Scheme)
}

// tunnel has a proxy connect to an address. It ends with ctx.
func tunnel(ctx context.Context, conn net.Conn, who *url.Userinfo, addr string) error {
	release := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer release()
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: http.Header{}}
	if who != nil {
		password, _ := who.Password()
		secret := base64.StdEncoding.EncodeToString([]byte(who.Username() + ":" + password))
		req.Header.Set("Proxy-Authorization", "Basic "+secret)
	}
	if err := req.Write(conn); err != nil {
		return err
	}
	// Nobody speaks first behind a proxy, so nothing more than the answer is read here.
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", resp.Status)
	}
	return nil
}
