package pace

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// counting is a Handler that only counts, for each user.
type counting struct {
	mu sync.Mutex
	n  map[int64]int
}

func (c *counting) Handle(_ context.Context, r chat.Request) chat.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[r.Who.ID]++
	return chat.Response{Toast: "handled"}
}

// turnedAway counts who was refused by which limit.
type turnedAway struct {
	chat.Unobserved
	n [3]int
}

func (t *turnedAway) Limited(_ chat.Platform, by chat.Limit) { t.n[by]++ }

// gated is a gate whose time is told by the test.
type gated struct {
	*Gate
	inner *counting
	away  *turnedAway
	at    time.Time
}

func newGated(t *testing.T, rates Rates) *gated {
	t.Helper()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{inner: &counting{n: map[int64]int{}}, away: &turnedAway{}, at: time.Unix(1e9, 0)}
	g.Gate = NewGate(g.inner, rates, catalogue, g.away)
	g.now = func() time.Time { return g.at }
	return g
}

// press lets a user of a community press, and reports whether it went through.
func (g *gated) press(user, community int64) bool {
	r := g.Handle(context.Background(), chat.Request{
		Kind: chat.Press, Who: chat.User{ID: user, Lang: "en"}, In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: community}},
	})
	return r.Toast == "handled"
}

// TestHammering: of somebody who presses 50 times a second a burst and 5 a second go through, and everything of somebody
// else who presses once a second at the same table.
func TestHammering(t *testing.T) {
	g := newGated(t, Rates{User: 5, Community: 60})
	const seconds = 10
	for i := range seconds * 50 {
		g.press(1, 7)
		if i%50 == 0 && !g.press(2, 7) {
			t.Errorf("second %d: the other one is turned away", i/50)
		}
		g.at = g.at.Add(time.Second / 50)
	}
	// The burst is four seconds' worth, and the last 20 ms bring nothing.
	if got, want := g.inner.n[1], 20+5*seconds-1; got != want {
		t.Errorf("%d presses went through, want %d", got, want)
	}
	if got := g.inner.n[2]; got != seconds {
		t.Errorf("%d presses of the other one went through, want %d", got, seconds)
	}
	if g.away.n != [3]int{seconds*50 - g.inner.n[1], 0, 0} {
		t.Errorf("turned away: %v", g.away.n)
	}
}

// TestFastAnonymous: who speaks for a community, or as a channel, without a pause keeps nobody from doing so in another one.
func TestFastAnonymous(t *testing.T) {
	g := newGated(t, Rates{User: 5, Community: 60})
	says := func(community int64) bool {
		return g.Handle(t.Context(), chat.Request{
			Kind: chat.Command, Who: chat.User{ID: 1087968824, Lang: "en", Anonymous: true}, In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: community}},
		}).Toast == "handled"
	}
	refused := 0
	for range 100 {
		if !says(-7) {
			refused++
		}
	}
	if refused == 0 || !says(-8) {
		t.Errorf("of 100 in one community %d are turned away, and one in another is too", refused)
	}
}

// TestFlood: 10 users who press 500 times a second together don't keep anybody of another community waiting, and their
// own community gets through what it may.
func TestFlood(t *testing.T) {
	for _, test := range []struct {
		name  string
		rates Rates
		want  int // What goes through of the flooded community in 10 seconds.
	}{
		{"by users", Rates{User: 5, Community: 60}, 10 * (12 + 5*10)}, // Half of the burst is left to who is calm.
		{"by community", Rates{User: 5, Community: 10}, 40 + 10*10 - 1},
		{"by community alone", Rates{Community: 10}, 40 + 10*10 - 1},
		{"not at all", Rates{}, 5000},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGated(t, test.rates)
			through := 0
			for i := range 5000 {
				if g.press(int64(i%10)+1, 7) {
					through++
				}
				if i%100 == 0 && !g.press(99, 8) {
					t.Fatalf("after %d presses another community is turned away", i)
				}
				g.at = g.at.Add(2 * time.Millisecond)
			}
			if through < test.want-10 || through > test.want+10 {
				t.Errorf("%d went through, want about %d", through, test.want)
			}
		})
	}
}

// TestAddresses: a machine that is somebody else with each press gets through what an address may, and takes from nobody
// else: not from another address of the community, nor from who comes from nowhere.
func TestAddresses(t *testing.T) {
	g := newGated(t, Rates{User: 5, Address: 20, Community: 60})
	press := func(user int64, from string) bool {
		r := g.Handle(t.Context(), chat.Request{Kind: chat.Press, Who: chat.User{ID: user}, In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}}, From: from})
		return r.Toast == "handled"
	}
	const seconds, fast = 30, 500
	through, came := 0, map[int64]bool{}
	for i := range int64(seconds * fast) {
		if user := 1000 + i%newAtOnce; press(user, "203.0.113.7") {
			through++
			came[user] = true
		}
		if i%fast == 0 && (!press(1, "203.0.113.8") || !press(2, "")) {
			t.Fatalf("second %d: another one is turned away", i/fast)
		}
		g.at = g.at.Add(time.Second / fast)
	}
	if want := 80 + 20*seconds; through < want-1 || through > want {
		t.Errorf("%d presses of one machine went through, want %d", through, want)
	}
	if g.away.n[chat.CommunityLimit] != 0 || g.away.n[chat.AddressLimit] != seconds*fast-through {
		t.Errorf("turned away: %v", g.away.n)
	}
	if n := len(g.users.young); n != len(came)+2 {
		t.Errorf("%d users are remembered, and %d went through", n, len(came)+2)
	}
}

// TestNewcomers: a network brings few new people after a while, by whatever addresses, and keeps nobody out who was there or is elsewhere; where
// addresses aren't bounded, nor is that.
func TestNewcomers(t *testing.T) {
	for address, want := range map[float64]int64{20: newAtOnce + 60, 0: 6000} {
		g := newGated(t, Rates{User: 5, Address: address})
		press := func(user int64, from string) bool {
			return !g.Handle(t.Context(), chat.Request{Kind: chat.Press, Who: chat.User{ID: user}, From: from}).TooFast
		}
		var came, refused int64
		for i := range int64(6000) {
			if press(1000+i, fmt.Sprintf("2001:db8:7:%x::/64", i)) {
				came++
			}
			if i%10 == 0 && (!press(1000, "2001:db8:7::/64") || !press(1, "2001:db8:8::/64") || !press(2, "")) {
				refused++
			}
			g.at = g.at.Add(time.Second / 10)
		}
		if came < want-1 || came > want+1 || refused > 0 {
			t.Errorf("at %v a second from one address %d new people of one network came, want %d; %d times somebody else was turned away", address, came, want, refused)
		}
	}
}

// TestNetworks: a network whose many people come by many addresses takes no more than half of what a community has, so that others there get
// through; where addresses aren't bounded, nor is that, but who is calm gets through all the same.
func TestNetworks(t *testing.T) {
	for address, bounded := range map[float64]bool{20: true, 0: false} {
		g := newGated(t, Rates{User: 5, Address: address, Community: 60})
		press := func(user int64, from string) bool {
			r := chat.Request{Kind: chat.Press, Who: chat.User{ID: user}, In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}}, From: from}
			return !g.Handle(t.Context(), r).TooFast
		}
		const seconds, fast = 30, 500
		through, refused := 0, 0
		for i := range int64(seconds * fast) {
			n := i % newAtOnce
			if press(1000+n, fmt.Sprintf("2001:db8:7:%x::/64", n)) {
				through++
			}
			if i%fast == fast/2 && (!press(1, "2001:db8:8::/64") || !press(2, "203.0.113.8") || !press(3, "")) {
				refused++
			}
			g.at = g.at.Add(time.Second / fast)
		}
		if bounded && through > 120+30*seconds || !bounded && through <= 120+30*seconds || refused > 0 {
			t.Errorf("at %v a second from one address %d presses of a network went through, and %d times others were turned away", address, through, refused)
		}
	}
}

// TestAddressOfAFastOne: who is too fast himself takes nothing from those who share his address.
func TestAddressOfAFastOne(t *testing.T) {
	g := newGated(t, Rates{User: 5, Address: 10, Community: 60})
	for i := range 2000 {
		r := chat.Request{Kind: chat.Talk, Who: chat.User{ID: 1}, From: "203.0.113.7"}
		g.Handle(t.Context(), r)
		r.Who.ID = 2
		if i%100 == 0 && g.Handle(t.Context(), r).TooFast {
			t.Fatalf("line %d: who shares the address is turned away", i)
		}
		g.at = g.at.Add(10 * time.Millisecond)
	}
}

// TestGateKinds: only presses and commands of people count.
func TestGateKinds(t *testing.T) {
	for _, test := range []struct {
		kind    chat.Kind
		bot     bool
		limited bool
	}{
		{chat.Press, false, true}, {chat.Command, false, true}, {chat.Press, true, false},
		{chat.Timeout, false, false}, {chat.Shown, false, false}, {chat.Gone, false, false}, {chat.Migrated, false, false},
		{chat.Talk, false, true},
	} {
		g := newGated(t, Rates{User: 1, Community: 1})
		for range 100 {
			g.Handle(t.Context(), chat.Request{Kind: test.kind, Who: chat.User{ID: 1, Bot: test.bot}})
		}
		if limited := g.inner.n[1] < 100; limited != test.limited {
			t.Errorf("kind %d, bot %t: %d of 100 went through", test.kind, test.bot, g.inner.n[1])
		}
	}
}

// TestGateWords: whoever is turned away reads so in their language.
func TestGateWords(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Not so fast: this one didn't count. Wait a moment, then go on.",
		"ru": "Не так быстро: это не засчитано. Подождите немного и продолжайте.",
		"pl": "Nie tak szybko: to się nie liczy. Poczekaj chwilę i graj dalej.",
	} {
		g := newGated(t, Rates{User: 0.25})
		r := chat.Request{Kind: chat.Press, Who: chat.User{ID: 1, Lang: lang}}
		g.Handle(t.Context(), r)
		if got := g.Handle(t.Context(), r); got.Toast != want || !got.Alert || !got.TooFast || len(got.Posts) > 0 {
			t.Errorf("%s: %+v", lang, got)
		}
	}
}

// TestGateForgets: a gate remembers no more than it may, and not those who were quiet for longest.
func TestGateForgets(t *testing.T) {
	g := newGated(t, Rates{User: 1, Address: 1, Community: 1})
	g.users.max, g.addresses.max, g.networks.max, g.newcomers.max, g.communities.max = 100, 100, 100, 100, 50
	for i := range int64(10_000) {
		g.press(-1, -1)
		g.press(i, i)
		g.Handle(t.Context(), chat.Request{Kind: chat.Talk, Who: chat.User{ID: 1e6 + i}, From: fmt.Sprint(i)})
		for name, b := range map[string]*buckets[string]{"addresses": &g.addresses, "networks": &g.networks, "new ones of networks": &g.newcomers} {
			if n := len(b.young) + len(b.old); n > 2*b.max || n < min(int(i)+1, b.max) {
				t.Fatalf("%d %s are remembered, and may be %d", n, name, 2*b.max)
			}
		}
		for name, b := range map[string]*buckets[chat.Community]{"users": &g.users, "communities": &g.communities} {
			if n := len(b.young) + len(b.old); n > 2*b.max {
				t.Fatalf("%d %s are remembered, and may be %d", n, name, 2*b.max)
			}
		}
	}
	if got := g.inner.n[-1]; got != atOnceSeconds {
		t.Errorf("%d presses of somebody who never rested went through, want %d", got, atOnceSeconds)
	}
}

// BenchmarkGate measures what the gate adds to a press.
func BenchmarkGate(b *testing.B) {
	catalogue, err := words.Load()
	if err != nil {
		b.Fatal(err)
	}
	g := NewGate(&counting{n: map[int64]int{}}, Rates{User: 1e12, Community: 1e12}, catalogue, nil)
	for _, users := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprint(users, " users"), func(b *testing.B) {
			g.next = through{}
			for i := range b.N {
				user := int64(i % users)
				g.Handle(b.Context(), chat.Request{Kind: chat.Press, Who: chat.User{ID: user}, In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: user / 8}}})
			}
		})
	}
}

// through is a Handler that does nothing.
type through struct{}

func (through) Handle(context.Context, chat.Request) chat.Response { return chat.Response{} }
