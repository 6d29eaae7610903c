package etcd

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// An Address says where a store is.
type Address struct {
	// Hosts are the members of the cluster, as host:port. There is one at least.
	Hosts []string
	// User is for a cluster that asks for one; empty if it doesn't.
	User string
	// TLS is whether members are spoken to by TLS.
	TLS bool
	// Prefix is what all keys of the store begin with, without slashes at its ends. It isn't empty.
	Prefix string
}

// defaultPort is where etcd waits for clients.
const defaultPort = "2379"

// The schemes of addresses: in the clear, and by TLS.
const (
	scheme    = "etcd://"
	schemeTLS = "etcds://"
)

// IsAddress reports whether a text wants to be an address of etcd.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, scheme) || strings.HasPrefix(text, schemeTLS)
}

// ParseAddress reads etcd://[USER@]HOST[:PORT][,HOST[:PORT]…]/PREFIX, or the same with etcds:// for TLS.
func ParseAddress(text string) (Address, error) {
	rest, ok := strings.CutPrefix(text, schemeTLS)
	a := Address{TLS: ok}
	if !ok {
		if rest, ok = strings.CutPrefix(text, scheme); !ok {
			return Address{}, errors.New("an address of etcd begins with etcd:// or etcds://")
		}
	}
	if user, hosts, ok := strings.Cut(rest, "@"); ok {
		if user == "" || strings.ContainsAny(user, ":/") {
			return Address{}, errors.New("before the @ stands the name of a user, without a password")
		}
		a.User, rest = user, hosts
	}
	hosts, prefix, _ := strings.Cut(rest, "/")
	a.Prefix = strings.Trim(prefix, "/")
	if a.Prefix == "" {
		return Address{}, errors.New("after the hosts stands a / and the prefix of the keys, such as etcd://db1:2379,db2:2379,db3:2379/zevaka")
	}
	if strings.ContainsFunc(a.Prefix, func(r rune) bool { return r <= ' ' || r == '?' || r == '#' }) || len(a.Prefix) > 64 {
		return Address{}, fmt.Errorf("%q can't be the prefix of keys: it is to have at most 64 letters, digits and slashes", a.Prefix)
	}
	for host := range strings.SplitSeq(hosts, ",") {
		whole, err := withPort(host)
		if err != nil {
			return Address{}, err
		}
		a.Hosts = append(a.Hosts, whole)
	}
	return a, nil
}

func withPort(host string) (string, error) {
	if host == "" {
		return "", errors.New("an address of etcd names its hosts, with commas between")
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), defaultPort
	}
	_, wrong := strconv.ParseUint(port, 10, 16)
	if strings.Contains(name, ":") && wrong == nil { // With colons it is an address of IPv6.
		_, wrong = netip.ParseAddr(name)
	}
	if name == "" || wrong != nil || strings.ContainsAny(name, " /@?#[]") {
		return "", fmt.Errorf("%q is no host of etcd: write HOST:PORT", host)
	}
	return net.JoinHostPort(name, port), nil
}

// String is the address as ParseAddress reads it.
func (a Address) String() string {
	text := scheme
	if a.TLS {
		text = schemeTLS
	}
	if a.User != "" {
		text += a.User + "@"
	}
	return text + strings.Join(a.Hosts, ",") + "/" + a.Prefix
}
