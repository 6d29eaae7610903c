package discord

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
)

// TestJunkFromOneNetwork: junk from many households of one network of IPv6, which are one person's, keeps nobody honest out.
func TestJunkFromOneNetwork(t *testing.T) {
	t.Parallel()
	for _, households := range []int{4, 32, 256} {
		t.Run(fmt.Sprint(households), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := ajar(t)
				h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 100 * time.Millisecond})
				var all sync.WaitGroup
				in, out := 0, 0
				var mu sync.Mutex
				for n, at := 0, time.Now(); time.Since(at) < 2*time.Minute; n++ {
					all.Go(func() {
						_, _ = h.Door().Enter(t.Context(), door.Hello{Login: fmt.Sprint("junk", n), Instance: fmt.Sprint("i-", n, "-gc-2-3"), From: fmt.Sprintf("2001:db8:0:%x::/64", n%households)})
					})
					if n%487 == 100 {
						channel := fmt.Sprint(8000 + n)
						h.server.Place(channel, discordtest.Guild, 0)
						who := discordtest.User{ID: fmt.Sprint(2000 + n), Name: "honest", Locale: "pl"}
						hello := h.comes(who, h.server.Launch(channel, who))
						hello.From = fmt.Sprint("192.0.2.", n%16)
						all.Go(func() {
							_, err := h.Door().Enter(t.Context(), hello)
							mu.Lock()
							defer mu.Unlock()
							if err == nil {
								in++
							} else {
								out++
							}
						})
					}
					time.Sleep(6 * time.Millisecond)
				}
				all.Wait()
				if in < 40 || out > 0 {
					t.Errorf("beside junk from %d households %d who are honest came in, and %d didn't", households, in, out)
				}
			})
		})
	}
}
