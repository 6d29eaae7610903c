package web

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// invited asks a room for a picture, by the name that it is called, with headers in pairs.
func invited(r *Room, query, host string, pairs ...string) *http.Response {
	req := httptest.NewRequest(http.MethodGet, "/qr.svg"+query, http.NoBody)
	req.Host, req.RemoteAddr = host, "10.0.0.1:9"
	for i := 0; i < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	w := httptest.NewRecorder()
	r.Handler().ServeHTTP(w, req)
	return w.Result()
}

// TestOwnAddress: what phones are sent to is the network that they share with this machine.
func TestOwnAddress(t *testing.T) {
	link := func(addr string, shared bool) ownLink { return ownLink{parseAddress(addr), shared} }
	lo, wifi := link("127.0.0.1", true), link("192.168.1.7", true)
	containers, vpn, public := link("172.17.0.1", true), link("10.8.0.2", false), link("203.0.113.5", true)
	for _, test := range []struct {
		name    string
		all     []ownLink
		outward string
		want    string
	}{
		{"nothing", []ownLink{lo, link("fd00::1", true), link("169.254.3.4", true)}, "", ""},
		{"one network", []ownLink{lo, wifi}, "192.168.1.7", "192.168.1.7"},
		{"containers first", []ownLink{lo, containers, wifi}, "192.168.1.7", "192.168.1.7"},
		{"a VPN for all", []ownLink{lo, vpn, wifi}, "10.8.0.2", "192.168.1.7"},
		{"a VPN alone", []ownLink{lo, vpn}, "10.8.0.2", "10.8.0.2"},
		{"a house without the internet", []ownLink{lo, wifi}, "", "192.168.1.7"},
		{"a rented machine with containers", []ownLink{lo, containers, public}, "203.0.113.5", "203.0.113.5"},
	} {
		if got := reachable(test.all, parseAddress(test.outward)); got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
}

func TestInvitations(t *testing.T) {
	var proxies Proxies
	if err := proxies.UnmarshalText([]byte("10.0.0.0/8")); err != nil {
		t.Fatal(err)
	}
	r := New(&dealer{}, Options{Open: true, Log: quiet(), Proxies: proxies})
	alone := New(&dealer{}, Options{Open: true, Log: quiet()})
	id := community().String() + "/1ab2c"
	long := "room." + strings.Repeat("a.", 20) + "example"
	for _, test := range []struct {
		in          *Room
		query, host string
		headers     []string
		want        string // empty for a refusal
	}{
		{r, "?table=", "192.168.1.5:8080", nil, "http://192.168.1.5:8080/"},
		{r, "?table=" + id, "192.168.1.5:8080", nil, "http://192.168.1.5:8080/#table=" + id},
		{r, "?table=" + id, "[fd00::1]:8080", nil, "http://[fd00::1]:8080/#table=" + id},
		{r, "", "room.example", []string{"X-Forwarded-Proto", "https"}, "https://room.example/"},
		{r, "", "room.example", []string{"X-Forwarded-Proto", "javascript"}, "http://room.example/"},
		{r, "", "room.example", []string{"X-Forwarded-Host", "evil.example"}, "http://room.example/"},
		{alone, "", "room.example", []string{"X-Forwarded-Proto", "https"}, "http://room.example/"},
		{r, "?table=" + id, long, nil, "http://" + long + "/#table=" + id},
		{in: r, host: "localhost:8080"},
		{in: r, query: "?table=1ab2c", host: "room.example"},
		{in: r, query: "?table=" + id + "%22%3E", host: "room.example"},
		{in: r, query: "?table=tg:1/1ab2c", host: "room.example"},
		{in: r, query: "?table=" + id + strings.Repeat("a", 500), host: "room.example"},
		{in: r, host: strings.Repeat("a", 500)},
		{in: r, host: "room.example/elsewhere"},
		{in: r, host: "ann@room.example"},
		{in: r, host: "room example"},
		{in: r, host: ":80"},
	} {
		resp := invited(test.in, test.query, test.host, test.headers...)
		if resp.Header.Get("Content-Security-Policy") != contentPolicy("'none'") {
			t.Errorf("%s of %s: %v", test.query, test.host, resp.Header)
		}
		if test.want == "" {
			if resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s of %s: %s", test.query, test.host, resp.Status)
			}
			continue
		}
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s of %s: %s %v", test.query, test.host, resp.Status, resp.Header)
			continue
		}
		var svg strings.Builder
		if err := resp.Write(&svg); err != nil {
			t.Fatal(err)
		}
		if got := decode(t, svg.String()); got != test.want {
			t.Errorf("%s of %s: %q, want %q", test.query, test.host, got, test.want)
		}
	}
	guarded := New(&dealer{}, Options{Log: quiet()})
	if resp := invited(guarded, "", "evil.example"); resp.StatusCode != refusedHost.status {
		t.Errorf("by another's name: %s", resp.Status)
	}
}

// TestInvitedFromHere: who calls the room by a name that means another machine elsewhere invites by one that others can use, if
// there is any.
func TestInvitedFromHere(t *testing.T) {
	own, there, public := ownAddress(), "", "https://cards.example"
	if own != "" {
		there = "http://" + own + ":8080/"
	}
	for _, test := range []struct {
		listen, public, host, from string
		open                       bool
		want                       string
	}{
		{":8080", "", "localhost:8080", "127.0.0.1:9", true, there},
		{"0.0.0.0:8080", "", "127.0.0.1:8080", "127.0.0.1:9", true, there},
		{"[::]:8080", "", "[::1]:8080", "[::1]:9", true, there},
		{":8080", "", cmp.Or(own, "localhost") + ":8080", "127.0.0.1:9", true, there},
		{":8080", "", "localhost:8080", "192.168.1.7:9", true, ""},
		{"127.0.0.1:8080", "", "localhost:8080", "127.0.0.1:9", true, ""},
		{"127.0.0.1:8080", public, "localhost:8080", "127.0.0.1:9", true, public + "/"},
		{"127.0.0.1:8080", public, "localhost:8080", "127.0.0.1:9", false, ""},
		{"127.0.0.1:8080", public, "Cards.example", "127.0.0.1:9", true, "https://Cards.example/"},
	} {
		r := New(&dealer{}, Options{Listen: test.listen, Public: test.public, Open: test.open, Log: quiet()})
		req := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		req.Host, req.RemoteAddr = test.host, test.from
		req = req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}))
		u, ok := r.calling(req)
		if ok != (test.want != "") || ok && u.String() != test.want {
			t.Errorf("%+v: %s, %v", test, &u, ok)
		}
	}
}

// decode reads a QR code of level L and of version 1 to 5, as it is drawn and undamaged (ISO/IEC 18004): the text in bytes
// that it has.
func decode(t *testing.T, svg string) string {
	t.Helper()
	whole := regexp.MustCompile(`viewBox="0 0 (\d+) `).FindStringSubmatch(svg)
	if whole == nil || strings.Count(svg, "<path") != 1 {
		t.Fatalf("no code: %s", svg)
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	size := number(whole[1]) - 2*quietZone
	black := map[[2]int]bool{}
	for _, run := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`).FindAllStringSubmatch(svg, -1) {
		for i := range number(run[3]) {
			black[[2]int{number(run[1]) - quietZone + i, number(run[2]) - quietZone}] = true
		}
	}
	version := (size - 17) / 4
	format := 0
	for x := range 5 {
		format <<= 1
		if black[[2]int{x, 8}] {
			format |= 1
		}
	}
	format ^= 0b10101
	if version < 1 || version > 5 || format>>3 != 0b01 {
		t.Fatalf("version %d, format %05b", version, format)
	}
	mask := []func(x, y int) bool{
		func(x, y int) bool { return (x+y)%2 == 0 },
		func(_, y int) bool { return y%2 == 0 },
		func(x, _ int) bool { return x%3 == 0 },
		func(x, y int) bool { return (x+y)%3 == 0 },
		func(x, y int) bool { return (y/2+x/3)%2 == 0 },
		func(x, y int) bool { return x*y%2+x*y%3 == 0 },
		func(x, y int) bool { return (x*y%2+x*y%3)%2 == 0 },
		func(x, y int) bool { return ((x+y)%2+x*y%3)%2 == 0 },
	}[format&7]
	fixed := func(x, y int) bool {
		corner := x < 9 && (y < 9 || y >= size-8) || x >= size-8 && y < 9
		mark := version > 1 && x >= size-9 && x < size-4 && y >= size-9 && y < size-4
		return corner || mark || x == 6 || y == 6
	}
	var bits []int
	up := true
	for right := size - 1; right > 0; right -= 2 {
		if right == 6 {
			right--
		}
		for i := range size {
			y := i
			if up {
				y = size - 1 - i
			}
			for _, x := range []int{right, right - 1} {
				if fixed(x, y) {
					continue
				}
				bit := 0
				if black[[2]int{x, y}] != mask(x, y) {
					bit = 1
				}
				bits = append(bits, bit)
			}
		}
		up = !up
	}
	take := func(n int) int {
		value := 0
		for range n {
			value, bits = value<<1|bits[0], bits[1:]
		}
		return value
	}
	if mode := take(4); mode != 0b0100 {
		t.Fatalf("mode %04b", mode)
	}
	text := make([]byte, take(8))
	for i := range text {
		text[i] = byte(take(8))
	}
	return string(text)
}
