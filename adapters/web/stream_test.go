package web

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// TestEarlyHello: who says who they are before they were let in is heard, too.
func TestEarlyHello(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, name := range []string{"Ann", strings.Repeat("A", 2*readBuffer)} {
			_, srv := serve(t, &dealer{})
			p := sit(t, srv, "Ann")
			_, r := hurried(t, srv, []byte(`{"tab":"`+p.secret+`","name":"`+name+`"}`))
			frame := make([]byte, 30)
			if _, err := io.ReadFull(r, frame); err != nil || !bytes.Contains(frame, []byte(`{"seq":1,"kind":"room"`)) {
				t.Errorf("a name of %d bytes is answered %q, %v", len(name), frame, err)
			}
		}
	})
}

// hurried opens a live connection, and says something at once, before it was let in.
func hurried(t *testing.T, srv *site, said []byte) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := srv.net.dial(t.Context(), "127.0.0.1", srv.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	both := bytes.NewBufferString("GET /live HTTP/1.1\r\nHost: " + srv.addr + "\r\nConnection: Upgrade\r\n" +
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
	both.Write([]byte{0x81, 0x80 | 126}) // a text, masked by zeros
	_ = binary.Write(both, binary.BigEndian, uint16(len(said)))
	both.Write(append(make([]byte, 4), said...))
	if _, err := conn.Write(both.Bytes()); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", resp, err)
	}
	return conn, r
}

// TestPingsAreSlow: pings without a pause are read, and answered, no faster than wishes.
func TestPingsAreSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		conn, r := hurried(t, srv, []byte(`{"tab":"`+sit(t, srv, "Ann").secret+`","name":"Ann"}`))
		const pings, each = 20_000, 6
		begun, pongs := time.Now(), 0
		go func() { _, _ = conn.Write(bytes.Repeat([]byte{0x89, 0x80, 0, 0, 0, 0}, pings)) }()
		for two := []byte{0, 0}; pongs < pings; {
			one, err := r.ReadByte()
			if err != nil {
				t.Fatalf("after %d answers: %v", pongs, err)
			}
			if two = []byte{two[1], one}; two[0] == 0x8a && two[1] == 0 {
				pongs++
			}
		}
		if took, least := time.Since(begun), (pings*each/readBuffer-maxAhead)*wishTime; took < least {
			t.Errorf("%d pings are answered in %v; want %v at least", pings, took, least)
		}
	})
}

// TestBrokenDrawings: what breaks while it is drawn ends its own connection, and others are still drawn for.
func TestBrokenDrawings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		for range 2 * maxDrawers {
			r.drawers.draw(func() { panic("a bug") })
		}
		ann, ola := sit(t, srv, "Ann").open("en"), sit(t, srv, "Ola").open("pl")
		synctest.Wait()
		r.mu.Lock()
		for s := range r.streams {
			if s.who.Name == "Ann" {
				s.push(nil) // An event that is none breaks its writer.
			}
		}
		r.mu.Unlock()
		for err := error(nil); err == nil; {
			if _, _, err = ann.conn.Read(t.Context()); websocket.CloseStatus(err) == closeRefused {
				t.Errorf("she is refused: %v", err)
			}
		}
		synctest.Wait()
		if here(r, "Ann") {
			t.Error("she is still here")
		}
		ola.wish(`{"channel":1}`)
		ola.until("the list", func() bool { return ola.tables != nil })
	})
}
