package web

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// TestWary: a household of which too many are turned away waits, and nobody else does; some time later it doesn't either.
func TestWary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWary(restTime)
		bad, good := household("192.0.2.1"), household("192.0.2.2")
		waits := func(from netip.Prefix) time.Duration {
			begun := time.Now()
			w.wait(t.Context(), from)
			return time.Since(begun)
		}
		w.turned(good)
		for range 4 * maxStrangers {
			w.turned(bad)
		}
		if got := waits(bad); got != 0 {
			t.Errorf("who is turned away now and then waits for %v", got)
		}
		w.turned(bad)
		if a, b := waits(bad), waits(good); a != restTime || b != 0 {
			t.Errorf("the one waits for %v, the other for %v", a, b)
		}
		time.Sleep(waryTime)
		if got := waits(bad); got != 0 {
			t.Errorf("they wait for %v after a rest", got)
		}
		for i := range 3 * maxWary {
			var address [4]byte
			binary.BigEndian.PutUint32(address[:], uint32(i))
			for range 4*maxStrangers + 1 {
				w.turned(netip.PrefixFrom(netip.AddrFrom4(address), 32))
			}
		}
		if n := len(w.until); n > maxWary {
			t.Errorf("%d households are remembered", n)
		}
	})
}
