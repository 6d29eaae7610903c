package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// home is the community of the first server.
func home() chat.Community {
	return chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}
}

// deal opens a table and has cards dealt at it, by presses that arrive at one process and are done by another.
func (w *town) deal() discordtest.Message {
	w.t.Helper()
	w.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
	w.press(bob, "Сесть")
	w.press(ann, "Сдавать")
	for _, u := range []discordtest.User{ann, bob} {
		w.press(u, "13")
		if m := w.board(discordtest.Channel); strings.Contains(m.Content, "▶") {
			return m
		}
	}
	w.t.Fatalf("no cards were dealt: %s", w.board(discordtest.Channel).Content)
	return discordtest.Message{}
}

// TestElsewhere plays where one process has the shard and another the community: everything is answered, once, by the other.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, first, second := two(t, discordtest.Options{}, nil)
		w.deal()
		w.press(vika, "Вскрыть")
		i := w.press(ann, "Вскрыть")
		w.server.Again(i)
		if n := len(first.asked.All()); n != 0 {
			t.Errorf("the first process's bot was asked %d times", n)
		}
		seen := map[string]bool{}
		for _, r := range second.asked.All() {
			if seen[r.ID] {
				t.Errorf("%s was asked for twice", r.ID)
			}
			seen[r.ID] = true
		}
		w.quietly()
	})
}

// TestDeferredElsewhere has the answer promised by the process that gives it, as long after the press as ever.
func TestDeferredElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _, second := two(t, discordtest.Options{}, nil)
		second.handling.Lock()
		second.before = func(r chat.Request) {
			if r.Kind == chat.Command {
				time.Sleep(2 * time.Second)
			}
		}
		second.handling.Unlock()
		if i := w.server.Command(ann, discordtest.Channel, "zevaka", nil); i.Answer() != 5 {
			t.Errorf("it is answered by %d", i.Answer())
		}
		w.server.Until("the table", func() bool { return len(w.board(discordtest.Channel).Rows) > 0 })
		w.quietly()
	})
}

// TestAge counts what came from another process from when it came there.
func TestAge(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	for _, one := range []struct {
		what string
		p    transit
		old  time.Duration
	}{
		{"at once", transit{Age: 0, Sent: now.UnixMilli()}, 0},
		{"after a while", transit{Age: 300, Sent: now.UnixMilli()}, 300 * time.Millisecond},
		{"a long way", transit{Age: 300, Sent: now.UnixMilli() - 500}, 800 * time.Millisecond},
		{"a clock ahead", transit{Age: 300, Sent: now.UnixMilli() + 500}, 300 * time.Millisecond},
		{"a clock far behind", transit{Age: 300, Sent: 0}, 300 * time.Millisecond},
		{"nonsense", transit{Age: -5, Sent: 1 << 62}, 0},
	} {
		if old := now.Sub(one.p.at(now)); old != one.old {
			t.Errorf("%s: %v old", one.what, old)
		}
	}
}

// TestNobody tells in words that nobody serves the community, before Discord says that the bot didn't answer.
func TestNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, first, second := two(t, discordtest.Options{}, nil)
		w.move(nil, home())
		i := w.server.Command(ann, discordtest.Channel, "zevaka", nil)
		if m, ok := i.Message(); i.Answer() != 4 || !ok || !strings.Contains(m.Content, "попробуйте чуть позже") {
			t.Errorf("it is answered by %d: %+v", i.Answer(), m)
		}
		w.move(second, home())
		second.Cut() // It can't take anything more.
		second.end()
		i = w.server.Command(ann, discordtest.Channel, "zevaka", nil)
		if i.Answer() != 4 {
			t.Errorf("with nobody who can it is answered by %d", i.Answer())
		}
		if n := len(first.asked.All()) + len(second.asked.All()); n != 0 {
			t.Errorf("the bots were asked %d times", n)
		}
		w.quietly()
	})
}

// TestFailed tells in words that something may have gone wrong.
func TestFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _, second := two(t, discordtest.Options{}, nil)
		second.handling.Lock()
		second.before = func(chat.Request) { second.Cut() } // Nothing that it says gets through.
		second.handling.Unlock()
		i := w.server.Command(ann, discordtest.Channel, "zevaka", nil)
		if m, ok := i.Message(); i.Answer() != 4 || !ok || !strings.Contains(m.Content, "сломалось") {
			t.Errorf("it is answered by %d: %+v", i.Answer(), m)
		}
		w.quietly()
	})
}

// TestMoves has a table go to and fro while people press: each press is answered, and done at most once.
func TestMoves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, first, second := two(t, discordtest.Options{}, nil)
		m := w.deal()
		button, ok := m.Button("Вскрыть")
		if !ok {
			t.Fatal("there is no button")
		}
		var pressing sync.WaitGroup
		for _, u := range []discordtest.User{ann, bob, vika} {
			pressing.Go(func() {
				for range 15 {
					if n := w.server.Press(u, m.ID, button.CustomID).Answer(); n == 0 {
						t.Error("a press was not answered")
					}
				}
			})
		}
		pressed := make(chan struct{})
		go func() { defer close(pressed); pressing.Wait() }()
		moves := 0
		for done := false; !done; moves++ {
			w.move([]*process{first, second}[moves%2], home())
			select {
			case <-pressed:
				done = true
			case <-time.After(5 * time.Millisecond):
			}
		}
		seen := map[string]bool{}
		for _, r := range append(first.asked.Of(chat.Press), second.asked.Of(chat.Press)...) {
			if seen[r.ID] {
				t.Errorf("%s was asked for twice", r.ID)
			}
			seen[r.ID] = true
		}
		if len(first.asked.Of(chat.Press)) == 0 || len(second.asked.Of(chat.Press)) == 0 {
			t.Log("only one of the processes was asked")
		}
		w.quietly()
	})
}

// TestServersElsewhere passes on what happens to servers, and who is but a guest there.
func TestServersElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, first, second := two(t, discordtest.Options{}, nil)
		const added, news = "810000000000000002", "810000000000000003"
		w.server.Place(news, added, 0)
		w.server.Invite(added, news)
		w.server.Until("the greeting", func() bool { return len(w.server.Messages(news, "")) == 1 })
		if member, known := second.guilds.member(number(added)); !member || !known {
			t.Errorf("the bot is a member: %v, known: %v", member, known)
		}
		w.server.RemoveBot(added)
		w.server.Until("the server is gone", func() bool { return len(second.asked.Of(chat.Gone)) == 1 })
		if !second.guilds.excludes(number(added)) {
			t.Error("the server still counts")
		}
		w.server.Command(ann, news, "zevaka", nil).Answer()
		if r := second.asked.Of(chat.Command); len(r) != 1 || !r[0].In.Guest {
			t.Errorf("the bot is a guest: %+v", r)
		}
		w.server.Place("709", discordtest.Guild, 0)
		w.server.Thread("710", "709")
		w.server.Command(ann, "710", "zevaka", nil).Answer()
		w.server.DeleteChannel("709", false)
		w.server.Until("the channel and its thread are gone", func() bool { return len(second.asked.Of(chat.Gone)) == 3 })
		for i, channel := range []int64{709, 710} {
			if r := second.asked.Of(chat.Gone)[1+i]; r.In.Channel != channel || r.In.Community != home() {
				t.Errorf("what is gone is %+v", r.In)
			}
		}
		if n := len(first.asked.All()); n != 0 {
			t.Errorf("the first process's bot was asked %d times", n)
		}
		w.quietly()
	})
}

// TestOpenedElsewhere opens a thread that was closed: the process that serves it hears that, and its board is drawn.
func TestOpenedElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _, second := two(t, discordtest.Options{}, nil)
		const thread = "720"
		w.server.Thread(thread, discordtest.Channel)
		w.server.Command(ann, thread, "zevaka", map[string]any{"limit": "none"}).Answer()
		w.settle()
		w.server.Archive(thread, true)
		boss := ann
		boss.Rights = 1 << 3
		w.server.Command(boss, thread, "lang", map[string]any{"what": "pl"}).Answer()
		w.server.Until("the board waits for the thread", func() bool { return second.Pulse().Unshown == 1 })
		w.server.Open(thread)
		w.server.Until("the board is drawn", func() bool { return strings.Contains(w.board(thread).Content, "Zewaka") })
		w.quietly()
	})
}

// TestRemovedElsewhere closes the tables of a server from which the bot was removed while no process heard of it.
func TestRemovedElsewhere(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*town){
		"removed": func(w *town) { w.server.RemoveBot(discordtest.Guild) },
		"rights":  func(w *town) { w.server.Allow(discordtest.Channel, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, first, _ := two(t, discordtest.Options{}, nil)
				w.deal()
				w.occupy("discord/shard/0 of 1", nil).end()
				w.server.Until("nobody has the shard", func() bool { return first.shards() == 0 })
				take(w)
				second := w.join(1000, nil)
				w.move(second, home())
				for second.bot.Ring(context.Background(), second.Show) == 0 {
				}
				if name == "removed" {
					time.Sleep(believeAfter + outbox.Doubt(0) + outbox.Doubt(1) + time.Second)
					w.server.Until("the table is closed", func() bool { return len(second.asked.Of(chat.Gone)) == 1 })
				} else {
					w.server.Until("it is known why not", func() bool { return told(second.Adapter) })
				}
				if name == "rights" && len(second.asked.Of(chat.Gone)) != 0 {
					t.Error("the table is closed")
				}
				w.server.Forgive()
				w.quietly()
			})
		})
	}
}

// TestDeafElsewhere: a process without the shard knows from the one that has it for how long that, or a server of it, has brought nothing; of
// other shards' servers it knows nothing of the kind.
func TestDeafElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, first, second := two(t, discordtest.Options{}, nil)
		if lasts := second.Deaf(home()); lasts != 0 {
			t.Errorf("connected: %v", lasts)
		}
		holds := first.shards()
		w.server.TurnAway(1 << 30)
		w.server.Cut()
		for lost := time.Duration(0); lost < 10*time.Minute; lost += time.Second { // Whichever process has the shard meanwhile.
			for n, p := range []*process{first, second} {
				if lasts := p.Deaf(home()); lost > 15*time.Second && (lasts < lost-10*time.Second || lasts > lost) {
					t.Fatalf("for %v without the gateway process %d says: %v", lost, n, lasts)
				}
			}
			time.Sleep(time.Second)
		}
		w.server.TurnAway(0)
		time.Sleep(3*maxRetry + time.Minute) // So long it may wait before it tries again.
		if lasts := second.Deaf(home()); lasts != 0 {
			t.Errorf("connected again: %v", lasts)
		}
		if first.shards() != holds {
			t.Error("where Discord's gateway is away for all the shard goes from one process to the other")
		}
		w.server.Outage(discordtest.Guild, true)
		time.Sleep(2 * time.Minute)
		if lasts := second.Deaf(home()); lasts < 100*time.Second || lasts > 2*time.Minute {
			t.Errorf("for two minutes without the server: %v", lasts)
		}
		gone := first
		if second.shards() > 0 {
			gone, second = second, first
		}
		gone.end() // Its shard goes to the other.
		for range 40 {
			if time.Sleep(time.Second); second.Deaf(home()) < 100*time.Second {
				t.Fatalf("the other process counts from the beginning how long the server has been away: %v", second.Deaf(home()))
			}
		}
		w.server.Outage(discordtest.Guild, false)
		time.Sleep(time.Minute)
		if lasts := second.Deaf(home()); lasts != 0 {
			t.Errorf("the server is back: %v", lasts)
		}
		w.quietly()
		spare := w.join(1000, nil)
		spare.guilds.hearsay([]silence{{part{Shard: 1, Count: 2}, time.Minute}})
		for guild, want := range map[int64]time.Duration{5 << 22: time.Minute, 6 << 22: 0} {
			if lasts := spare.Deaf(chat.Community{Platform: chat.Discord, ID: guild}); lasts != want {
				t.Errorf("a server of shard %d of 2: deaf for %v", guild>>22%2, lasts)
			}
		}
		next := newGuilds()
		next.start(0, 2)
		next.begin(0, 2, nil)
		next.hearsay([]silence{{part{Guild: 5 << 22}, time.Minute}})
		if next.start(1, 2); next.deaf(5<<22) != time.Minute {
			t.Errorf("a server of a shard that is to be connected: deaf for %v", next.deaf(5<<22))
		}
	})
}

// TestLastingMoves: what waits to be said once Discord takes it isn't said by a process that doesn't serve the community any more.
func TestLastingMoves(t *testing.T) {
	t.Parallel()
	for moves, want := range map[bool]int{false: 1, true: 0} {
		synctest.Test(t, func(t *testing.T) {
			w, first, second := two(t, discordtest.Options{}, nil)
			w.server.SetFaults(discordtest.Faults{Broken: 1, Only: "post"})
			in := chat.Place{Community: home(), Channel: number(discordtest.Channel)}
			second.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Receipt: "day 7", Message: chat.Message{Text: []chat.Span{{Text: "of the day"}}}}}})
			time.Sleep(time.Minute)
			if moves {
				w.move(first, home())
			}
			w.server.SetFaults(discordtest.Faults{})
			time.Sleep(time.Hour)
			if n := w.saidToAll("of the day"); n != want {
				t.Errorf("moves %v: it is said %d times", moves, n)
			}
			w.quietly()
		})
	}
}

// TestNonsense takes no parcel that no adapter packs.
func TestNonsense(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{})
		p := w.join(1000, nil)
		for _, what := range []adapters.Parcel{
			{}, {Kind: "READY", Body: []byte("{}")}, {Kind: parcelInteraction}, {Kind: parcelInteraction, Body: []byte(`{"data":null}`)},
			{Kind: parcelInteraction, Body: []byte(`{"data":{"id":"1","type":7}}`)}, {Kind: eventGuildCreate, Body: []byte(`{}`)},
			{Kind: eventChannelDelete, Body: []byte(`{"guild_id":"5"}`)}, {Kind: parcelCount, Body: []byte("0")}, {Kind: parcelCount, Body: []byte("x")},
			{Kind: parcelSilent, Body: []byte(`[{"Of":{"Shard":0,"Count":0}}]`)},
		} {
			if _, err := p.Take(context.Background(), what); !errors.Is(err, errNonsense) {
				t.Errorf("%s %s: %v", what.Kind, what.Body, err)
			}
		}
		w.move(nil, home())
		there := fmt.Sprintf(`{"guild_id":%q}`, discordtest.Guild)
		if _, err := p.Take(context.Background(), adapters.Parcel{Kind: eventGuildDelete, Body: []byte(there)}); !errors.Is(err, adapters.ErrNobody) {
			t.Errorf("for another process: %v", err)
		}
	})
}

// TestLeave gives up what waits for a channel that goes to another process, and nothing else.
func TestLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{})
		const other = "707"
		w.server.Place(other, guild, 0)
		p := w.join(1000, nil)
		w.server.Until("it is connected", func() bool { return p.shards() == 1 && p.self().invite != "" })
		w.deal()
		w.server.Command(ann, other, "zevaka", nil).Answer()
		w.server.Until("both tables are known", func() bool { return len(p.sender.boards.tables.All()) == 2 })
		before := len(w.server.Messages(discordtest.Channel, ""))
		w.server.SetFaults(discordtest.Faults{Only: "post", Slow: 1, Delay: 100 * time.Millisecond})
		var posts []chat.Post
		for _, in := range []chat.Place{{Community: home(), Channel: number(discordtest.Channel)}, {Community: chat.Community{Platform: chat.Discord, ID: number(guild)}, Channel: number(other)}} {
			for range 3 {
				posts = append(posts, chat.Post{In: in, Message: chat.Message{Text: []chat.Span{{Text: "hello"}}}})
			}
		}
		p.Show(context.Background(), chat.Response{Posts: posts})
		w.server.Until("they wait", func() bool { return p.sender.out.Waiting() >= 2 })
		p.Leave(context.Background(), func(c chat.Community) bool { return c == home() })
		after := len(w.server.Messages(discordtest.Channel, ""))
		if after > before+1 {
			t.Errorf("%d posts were shown before it was left", after-before)
		}
		if all := p.sender.boards.tables.All(); len(all) != 1 || all[0].place.Community == home() {
			t.Errorf("%d tables are known", len(all))
		}
		w.server.Until("the other server has its posts", func() bool { return len(w.server.Messages(other, "")) == 4 })
		w.server.Until("nothing waits", func() bool { return p.sender.out.Waiting() == 0 })
		if n := len(w.server.Messages(discordtest.Channel, "")); n != after {
			t.Errorf("%d posts were shown after it was left", n-after)
		}
		w.quietly()
	})
}

// TestPaceAlone: a process that is alone makes no more calls in any second than Discord takes, and these without a pause.
func TestPaceAlone(t *testing.T) {
	t.Parallel()
	var l limits
	now := time.Now()
	var turns []time.Time
	for _, rest := range []time.Duration{time.Minute, time.Second, 100 * time.Millisecond, 1500 * time.Millisecond} {
		now = now.Add(rest)
		for n := range 3 * globalRate {
			at, ok := l.reserve(now, time.Time{}, false)
			if !ok {
				t.Fatal("there is no turn")
			}
			if waits := at.After(now); rest > time.Second && waits != (n >= globalRate) {
				t.Errorf("after a rest of %v call %d waits: %t", rest, n, waits)
			}
			turns = append(turns, at)
		}
		now = turns[len(turns)-1]
	}
	for i := globalRate; i < len(turns); i++ {
		if within := turns[i].Sub(turns[i-globalRate]); within < time.Second {
			t.Fatalf("%d calls within %v", globalRate+1, within)
		}
	}
}

// TestPace spreads what the global limit counts as this process's portion allows.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now, rate := time.Now(), 10.0
		l := limits{rate: func() float64 { return rate }}
		var turns []time.Duration
		for n := range 6 {
			if n == 3 {
				rate = 5
			}
			at, ok := l.reserve(now, time.Time{}, false)
			if !ok {
				t.Fatal("there is no turn")
			}
			turns = append(turns, at.Sub(now))
		}
		ms := time.Millisecond
		if want := []time.Duration{0, 100 * ms, 200 * ms, 300 * ms, 500 * ms, 700 * ms}; !slices.Equal(turns, want) {
			t.Errorf("the turns are after %v", turns)
		}
		if _, ok := l.reserve(now, now.Add(800*ms), true); ok {
			t.Error("there is a turn after the end")
		}
		if at, ok := l.reserve(now, now.Add(900*ms), true); !ok || at.Sub(now) != 900*ms {
			t.Errorf("the last turn is after %v: %v", at.Sub(now), ok)
		}
		if err := l.wait(context.Background(), call{route: "answer", free: true}); err != nil {
			t.Errorf("a free call waits: %v", err)
		}

		p := newTown(t, discordtest.Options{}).join(200, nil) // 9 calls a second.
		p.town.server.Until("it is connected", func() bool { return p.shards() == 1 && p.self().invite != "" })
		began := time.Now()
		for range 4 {
			if err := p.rest.guild(context.Background(), number(discordtest.Guild)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < 330*ms {
			t.Errorf("four calls took %v", took)
		}
	})
}

// TestShownElsewhere shows no table any more that another process may serve by now, though it was about to: what that one shows
// stays.
func TestShownElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _, second := two(t, discordtest.Options{}, nil)
		m := w.deal()
		w.server.SetFaults(discordtest.Faults{Only: "callback", Broken: 1})
		tries := w.server.Record().Faults
		b, _ := m.Button("Вскрыть")
		i := w.server.Press(ann, m.ID, b.CustomID)
		w.server.Until("the picture meets a fault", func() bool { return w.server.Record().Faults > tries })
		w.mu.Lock()
		w.usual = nil // The process was away for longer than it knows.
		w.mu.Unlock()
		w.server.SetFaults(discordtest.Faults{})
		<-i.Answered
		w.server.Until("the picture is kept back", func() bool { return second.sender.boards.unshown() > 0 })
		if now, _ := w.server.Message(m.ID); now.Content != m.Content || now.Edits != m.Edits {
			t.Errorf("the board was %q, and is %q", m.Content, now.Content)
		}
	})
}
