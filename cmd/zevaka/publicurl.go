package main

import (
	"errors"
	"net/url"
)

// publicURL is the https address at which people reach this program's server, without anything behind its host; or nothing.
type publicURL string

var errPublicURL = errors.New("give the https address of your proxy, with no path, as https://cards.example.org")

// UnmarshalText takes an address of which only a slash may be too much.
func (p *publicURL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*p = ""
		return nil
	}
	u, err := url.Parse(string(text))
	if err != nil || u.Hostname() == "" {
		return errPublicURL
	}
	bare := url.URL{Scheme: "https", Host: u.Host}
	if given := *u; given.Path == "/" {
		u.Path = ""
	}
	if u.String() != bare.String() {
		return errPublicURL
	}
	*p = publicURL(bare.String())
	return nil
}

// MarshalText is the address.
func (p publicURL) MarshalText() ([]byte, error) { return []byte(p), nil }
