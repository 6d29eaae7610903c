package web

import (
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"zevaka/adapters/relay"
)

// household is the network that counts as one address: an IPv4 address, or the /64 of an IPv6 one, which any single
// machine may choose its address from. What is no address has the household of all such.
func household(address string) netip.Prefix {
	addr := parseAddress(address)
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	home, _ := addr.Prefix(bits) // The zero address has none.
	return home
}

// parseAddress reads an address, with a port or without; the zero Addr if it is none.
func parseAddress(text string) netip.Addr {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone("")
	}
	addr, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone("")
}

// Proxies are the networks of proxies before the room: what those say of where a visitor comes from is believed.
type Proxies []netip.Prefix

// errProxies says how proxies are written.
var errProxies = errors.New("give the proxy's address or network, as 127.0.0.1 or 10.0.0.0/8; several with commas between them")

// UnmarshalText reads addresses and networks with commas between them.
func (p *Proxies) UnmarshalText(text []byte) error {
	var all Proxies
	for one := range strings.SplitSeq(string(text), ",") {
		one = strings.TrimSpace(one)
		if one == "" && len(text) == 0 {
			break
		}
		network, err := netip.ParsePrefix(one)
		if addr, bad := netip.ParseAddr(one); bad == nil {
			network, err = netip.PrefixFrom(addr.Unmap().WithZone(""), addr.Unmap().BitLen()), nil
		}
		if err != nil {
			return errProxies
		}
		all = append(all, network.Masked())
	}
	*p = all
	return nil
}

// MarshalText is the text that UnmarshalText reads.
func (p Proxies) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// String is the same text.
func (p Proxies) String() string {
	all := make([]string, len(p))
	for i, network := range p {
		all[i] = network.String()
	}
	return strings.Join(all, ",")
}

// has says whether an address is that of such a proxy.
func (p Proxies) has(address string) bool {
	addr := parseAddress(address)
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// visitor is the household that a request comes from: as the process says that relays it, else that of whoever is connected, or,
// where that is a proxy of the room's, of the last one in X-Forwarded-For that is no such proxy. What stands before that one anybody
// may have written.
func (r *Room) visitor(req *http.Request) netip.Prefix {
	if o, relayed := relay.OriginOf(req); relayed {
		return o.From
	}
	from := req.RemoteAddr
	passed := strings.Split(strings.Join(req.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(passed) - 1; i >= 0 && r.opts.Proxies.has(from); i-- {
		one := strings.TrimSpace(passed[i])
		if !household(one).IsValid() {
			break
		}
		from = one
	}
	return household(from)
}
