package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rsc.io/qr"

	"zevaka/bot/table"
)

const (
	// maxInvitation is how long the address in a picture of it may be: a name of a host has at most 253 letters.
	maxInvitation = 400
	// invitationLife is how long a browser keeps such a picture. What it shows follows from its address.
	invitationLife = "private, max-age=86400"
	// quietZone is how wide the margin of a QR code is, in modules.
	quietZone = 4
)

// serveInvitation draws the room's address, as the visitor calls it, as a QR code; with a table's id that of the table.
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
	h.Set("Cache-Control", invitationLife)
	http.ServeContent(w, req, "", time.Time{}, strings.NewReader(svgOf(code)))
}

// invitation is the room's address as the visitor calls it, with the table that they name, if it can be one's.
func (r *Room) invitation(req *http.Request) (string, bool) {
	u := url.URL{Scheme: r.scheme(req), Host: req.Host, Path: "/"}
	if id := req.URL.Query().Get("table"); id != "" {
		if named, ok := table.ParseID(id); !ok || named.Community != community() {
			return "", false
		}
		u.Fragment = "table=" + id
	}
	address := u.String()
	back, err := url.Parse(address)
	return address, err == nil && len(address) <= maxInvitation && back.Host == req.Host && back.Hostname() != ""
}

// scheme is how the visitor calls the room: by https only where a proxy of the room's says so.
func (r *Room) scheme(req *http.Request) string {
	if r.opts.Proxies.has(req.RemoteAddr) && req.Header.Get("X-Forwarded-Proto") == "https" {
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
