package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rsc.io/qr"

	"zevaka/adapters/relay"
	"zevaka/bot/table"
)

const (
	// maxInvitation is how long the address in a picture of it may be: a name of a host has at most 253 letters.
	maxInvitation = 400
	// quietZone is how wide the margin of a QR code is, in modules.
	quietZone = 4
)

// serveInvitation draws the address by which others come to the room as a QR code; with a table's id that of the table.
func (r *Room) serveInvitation(w http.ResponseWriter, req *http.Request) {
	address, ok := r.invitation(req)
	if !ok {
		http.NotFound(w, req)
		return
	}
	code, err := qr.Encode(address, qr.L) // On a screen nothing is scratched.
	if err != nil {
		http.NotFound(w, req)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kinds()[".svg"])
	http.ServeContent(w, req, "", time.Time{}, strings.NewReader(svgOf(code)))
}

// invitation is the address by which others come to the room, with the table that the visitor names, if it can be one's.
func (r *Room) invitation(req *http.Request) (string, bool) {
	u, ok := r.calling(req)
	if !ok {
		return "", false
	}
	if id := req.URL.Query().Get("table"); id != "" {
		if named, ok := table.ParseID(id); !ok || named.Community != community() {
			return "", false
		}
		u.Fragment = "table=" + id
	}
	address := u.String()
	back, err := url.Parse(address)
	return address, err == nil && len(address) <= maxInvitation && back.Host == u.Host && back.Hostname() != ""
}

// calling is the address by which others come to the room: as the visitor calls it, or, where that is a name that every
// machine has for itself, as others can call it. It is false where nobody else can come. Of a relayed request the process that
// relays it knows.
func (r *Room) calling(req *http.Request) (url.URL, bool) {
	if o, relayed := relay.OriginOf(req); relayed {
		if o.Call == nil {
			return url.URL{}, false
		}
		return *o.Call, true
	}
	u := url.URL{Scheme: scheme(req, r.opts.Proxies), Host: req.Host, Path: "/"}
	public, err := url.Parse(r.opts.Public)
	known := err == nil && public.Host != ""
	if known && strings.EqualFold(public.Host, u.Host) {
		u.Scheme = public.Scheme // A proxy may have made it https without a word.
	}
	if !r.opts.Open || !namesItself(req.Host) {
		return u, r.opts.Open
	}
	if known {
		return url.URL{Scheme: public.Scheme, Host: public.Host, Path: "/"}, true
	}
	local, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	own := ownAddress()
	// Who calls from elsewhere by such a name isn't told where this machine is.
	if !ok || !everywhere(r.opts.Listen) || own == "" || !fromHere(r.visitor(req)) {
		return url.URL{}, false
	}
	return url.URL{Scheme: "http", Host: net.JoinHostPort(own, strconv.Itoa(local.Port)), Path: "/"}, true
}

// namesItself says whether a host, with a port or without, is a name that means another machine on each machine.
func namesItself(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return strings.EqualFold(name, "localhost") || parseAddress(name).IsLoopback()
}

// fromHere says whether a household is this machine itself.
func fromHere(home netip.Prefix) bool { return home.Addr().IsLoopback() || home == household("::1") }

// everywhere says whether an address to listen on means all that the machine has.
func everywhere(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && (host == "" || parseAddress(host).IsUnspecified())
}

// ownAddress is this machine's IPv4 address in its network; empty if there is none.
func ownAddress() string {
	links, _ := net.Interfaces()
	var all []ownLink
	for _, link := range links {
		if link.Flags&net.FlagUp == 0 || link.Flags&net.FlagRunning == 0 {
			continue
		}
		networks, _ := link.Addrs()
		for _, network := range networks {
			prefix, _ := netip.ParsePrefix(network.String())
			all = append(all, ownLink{prefix.Addr(), link.Flags&net.FlagBroadcast != 0})
		}
	}
	var outward netip.Addr
	if conn, err := net.Dial("udp4", "192.0.2.1:9"); err == nil { // Nothing is sent: the system only chooses a way.
		outward = parseAddress(conn.LocalAddr().String())
		_ = conn.Close()
	}
	return reachable(all, outward)
}

// ownLink is an address of this machine. Shared says that it stands in a network of many, as those of a house do, and a VPN's doesn't.
type ownLink struct {
	netip.Addr
	shared bool
}

// reachable is the address that others in the house most likely reach: the one by which this machine goes out, otherwise the first private
// one, of networks of many before others. So those of virtual machines and VPNs don't come first.
func reachable(all []ownLink, outward netip.Addr) string {
	best, most := "", -1
	for _, one := range all {
		worth := 0
		switch {
		case !one.Is4() || !one.IsGlobalUnicast():
			continue
		case one.shared && one.Addr == outward:
			worth = 3
		case one.shared && one.IsPrivate():
			worth = 2
		case one.IsPrivate():
			worth = 1
		}
		if worth > most {
			best, most = one.String(), worth
		}
	}
	return best
}

// scheme is how the visitor calls the room: by https only where a proxy of the room's says so.
func scheme(req *http.Request, before Proxies) string {
	if before.has(req.RemoteAddr) && req.Header.Get("X-Forwarded-Proto") == "https" {
		return "https"
	}
	return "http"
}

// svgOf is a code as a picture: on white one path, a stroke for each run of black modules in a row.
func svgOf(code *qr.Code) string {
	var svg strings.Builder
	size := code.Size + 2*quietZone
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`, size, size)
	svg.WriteString(`<rect width="100%" height="100%" fill="#fff"/><path d="`)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&svg, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	svg.WriteString(`"/></svg>`)
	return svg.String()
}
