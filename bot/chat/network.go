package chat

import "net/netip"

// Network is the network that the origin of a request is in, as Request.From names it: whoever has one of IPv6 has many addresses that
// count for one each, so it is the /48. An address of IPv4, and what is none, is in no network but its own.
func Network(from string) string {
	home, err := netip.ParsePrefix(from)
	if err != nil || !home.Addr().Is6() {
		return from
	}
	wide, err := home.Addr().Prefix(min(48, home.Bits()))
	if err != nil {
		return from
	}
	return wide.String()
}
