package discord

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// open is how many tables are open in the store.
func (h *house) open() int {
	h.t.Helper()
	items, err := h.store.Scan(h.t.Context(), "o/", "", 100)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(items)
}

// TestGone deletes a channel and a thread, and removes the bot: the tables there are closed, those of all channels of
// a server at once. An event that says so by mistake closes none.
func TestGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		channels := []string{discordtest.Channel, "702", "705", "706"}
		for n, channel := range channels {
			h.server.Place(channel, discordtest.Guild, 0)
			h.server.Command(ann, channel, "zevaka", nil).Answer()
			h.shown(n + 1)
		}
		left := func(n int) {
			t.Helper()
			h.server.Until("tables are closed", func() bool { return h.open() == n })
		}
		h.server.DeleteChannel("702", false)
		left(3)
		h.server.DeleteChannel("705", true)
		left(2)
		h.server.Mistake(discordtest.Guild)
		h.settle()
		left(2)
		h.server.RemoveBot(discordtest.Guild)
		left(0)
		var gone []int64
		for _, r := range h.dealer.asked.Of(chat.Gone) {
			gone = append(gone, r.In.Channel)
		}
		if !slices.Equal(gone, []int64{702, 705, 0}) {
			t.Errorf("gone are %v", gone)
		}
		h.quietly()
	})
}

// TestParentGone deletes the parent of two threads, of which Discord says nothing: the tables there are closed, and those elsewhere go on.
// Where people have done something Discord isn't asked for anything; after a start it is asked for each place once, and as long as it
// gives no answer nothing is closed. A channel without threads costs nothing more.
func TestParentGone(t *testing.T) {
	for _, test := range []struct {
		name   string
		starts bool
		faults discordtest.Faults
		// silent is how many tables are open after a minute of faults, asked how many calls ask for channels in all.
		silent, asked int
	}{
		{"heard from", false, discordtest.Faults{Broken: 1}, 3, 0},
		{"after a start", true, discordtest.Faults{}, 3, 5},
		{"no answer", true, discordtest.Faults{Broken: 1}, 5, 5 + 2*5*maxTries},
		{"other words", true, discordtest.Faults{Refused: 1, Status: 404, Text: "<html>"}, 5, 5 + 2*5},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				h.server.Place("701", discordtest.Guild, 0)
				h.server.Place("709", discordtest.Guild, 0)
				for thread, parent := range map[string]string{"702": "701", "703": "701", "704": discordtest.Channel, "705": discordtest.Channel} {
					h.server.Thread(thread, parent)
				}
				for n, channel := range []string{"702", "703", "704", "705", discordtest.Channel} {
					h.server.Command(ann, channel, "zevaka", nil).Answer()
					h.shown(n + 1)
				}
				if test.starts {
					h.end()
					h.start()
					h.dealer.running.Add(int64(time.Second))
					h.ring()
					h.settle()
				}
				h.server.Allow("705", 0)
				test.faults.Only = "channel"
				h.server.SetFaults(test.faults)
				h.server.DeleteChannel("701", false)
				time.Sleep(time.Minute)
				if n := h.open(); n != test.silent {
					t.Errorf("%d tables are open after a minute", n)
				}
				h.server.SetFaults(discordtest.Faults{})
				h.server.Until("the tables in the threads are closed", func() bool { return h.open() == 3 })
				h.server.DeleteChannel("709", false)
				time.Sleep(time.Hour)
				var gone []int64
				for _, r := range h.dealer.asked.Of(chat.Gone) {
					gone = append(gone, r.In.Channel)
				}
				if slices.Sort(gone); h.open() != 3 || !slices.Equal(gone, []int64{701, 702, 703, 709}) {
					t.Errorf("%d tables are open, gone are %v", h.open(), gone)
				}
				if n := h.quietly().Calls["channel"]; n != test.asked {
					t.Errorf("it was asked %d times for channels", n)
				}
			})
		})
	}
}

// TestGoneMeanwhile takes places away while nobody listens. A server's tables close when they are drawn at the start, for the gateway
// doesn't know the server; a channel's when it was refused for an hour, and asked for then. Where only rights are gone they stay open,
// and nothing is tried again and again.
func TestGoneMeanwhile(t *testing.T) {
	for _, test := range []struct {
		name  string
		take  func(*discordtest.Server)
		open  int
		after time.Duration
		edits int
	}{
		{"a channel", func(s *discordtest.Server) {
			s.Place("702", discordtest.Guild, 0) // There is more to the server.
			s.DeleteChannel(discordtest.Channel, false)
		}, 0, 71 * time.Minute, 4},
		{"the server", func(s *discordtest.Server) { s.RemoveBot(discordtest.Guild) }, 0, 0, 1},
		{"rights", func(s *discordtest.Server) { s.Allow(discordtest.Channel, 0) }, 1, 0, 1},
		{"nothing", func(*discordtest.Server) {}, 1, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, _ := playing(t)
				h.end()
				test.take(h.server)
				h.server.Forget()
				h.start()
				h.server.Until("the adapter knows its servers", func() bool { return h.guilds.excludes(1) })
				h.ring()
				h.server.Until("the table is drawn, or not", func() bool { return h.server.Record().Calls["edit"] == 1 })
				time.Sleep(test.after)
				if test.open == 0 {
					h.server.Until("it is closed", func() bool { return h.open() == 0 })
				}
				h.ring()
				h.end()
				if n := h.open(); n != test.open {
					t.Errorf("%d tables are open", n)
				}
				if calls := h.quietly().Calls; calls["edit"] != test.edits || calls["post"] > 0 {
					t.Errorf("calls: %v", calls)
				}
			})
		})
	}
}

// TestDeaf: while the gateway can't be reached the adapter says for how long nothing has come, and a little longer.
func TestDeaf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		at := chat.Community{Platform: chat.Discord, ID: number(guild)}
		h.run()
		time.Sleep(time.Minute)
		if lasts := h.Deaf(at); lasts != 0 {
			t.Errorf("connected: %v", lasts)
		}
		h.server.TurnAway(1 << 30)
		h.server.Cut()
		time.Sleep(2 * time.Minute)
		if lasts := h.Deaf(at); lasts < 110*time.Second || lasts > 2*time.Minute {
			t.Errorf("for two minutes without the gateway: %v", lasts)
		}
		h.server.TurnAway(0)
		time.Sleep(3*maxRetry + time.Minute) // So long it may wait before it tries again.
		if lasts := h.Deaf(at); lasts != 0 {
			t.Errorf("connected again: %v", lasts)
		}
		h.quietly()
	})
}

// TestOutage: from when a server is unavailable the adapter says for how long nothing has come from it, and of no other: until it is back or
// somebody does something there. A new session doesn't end that.
func TestOutage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then  func(*house)
		after time.Duration
	}{
		"goes on":            {func(*house) {}, 4 * time.Minute},
		"at another session": {func(h *house) { h.server.Invalidate() }, 4 * time.Minute},
		"is over":            {func(h *house) { h.server.Outage(guild, false) }, 0},
		"somebody is there":  {func(h *house) { h.server.Command(ann, channel, "help", nil).Answer() }, 0},
		"leaves":             {func(h *house) { h.server.RemoveBot(guild) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := besideGuild(t)
				at := chat.Community{Platform: chat.Discord, ID: number(guild)}
				h.start()
				deaf := func(want time.Duration) {
					t.Helper()
					if lasts := h.Deaf(at); lasts < want-2*time.Second || lasts > want {
						t.Errorf("deaf for %v, not %v", lasts, want)
					}
					if lasts := h.Deaf(home()); lasts != 0 {
						t.Errorf("another server: deaf for %v", lasts)
					}
				}
				time.Sleep(time.Minute)
				deaf(0)
				h.server.Outage(guild, true)
				time.Sleep(2 * time.Minute)
				deaf(2 * time.Minute)
				test.then(h)
				time.Sleep(2 * time.Minute)
				deaf(test.after)
				h.quietly()
			})
		})
	}
}

// TestLate: while Discord takes no board the adapter says for how long nobody has seen whose turn it is.
func TestLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.start()
		h.server.SetFaults(discordtest.Faults{Broken: 1})
		in := chat.Place{Community: home(), Channel: number(discordtest.Channel)}
		h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: "t", Level: 1, Turn: 5, Left: time.Minute}}})
		time.Sleep(2 * time.Minute)
		if late, shown := h.Late(in, "t"); late < 110*time.Second || shown >= 0 {
			t.Errorf("for two minutes without a board: %v, %v", late, shown)
		}
		h.server.SetFaults(discordtest.Faults{})
		time.Sleep(2 * time.Minute)
		if late, shown := h.Late(in, "t"); late < 110*time.Second || shown < time.Second {
			t.Errorf("shown at last: %v, %v", late, shown)
		}
		h.end()
	})
}

// TestRemovedUnheard draws a table before the gateway can say that the bot was removed: it closes when that is said.
func TestRemovedUnheard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		h.end()
		h.server.RemoveBot(discordtest.Guild)
		h.server.Forget()
		h.server.SetFaults(discordtest.Faults{Only: "gateway", Broken: 1})
		h.run()
		h.ring()
		h.server.Until("the table can't be drawn", func() bool {
			return h.server.Record().Calls["edit"] == 1 && told(h.Adapter)
		})
		if h.open() != 1 {
			t.Error("the table is closed before anybody knows")
		}
		h.server.SetFaults(discordtest.Faults{})
		h.server.Until("the table is closed", func() bool { return h.open() == 0 })
		h.quietly()
	})
}

// told reports whether the adapter has said that it may not write in the channel.
func told(a *Adapter) bool {
	_, ok := a.sender.refusing.Get(number(discordtest.Channel))
	return ok
}

// A second server and a channel there.
const guild, channel = "800000000000000002", "707"

// besideGuild is a house that hasn't begun, with a second server.
func besideGuild(t *testing.T) *house {
	t.Helper()
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	h.server.Place(channel, guild, 0)
	return h
}

// TestInvited is in a server that it joined after the start: lost rights there are no removal.
func TestInvited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.RemoveBot(guild)
		h.start()
		h.server.Invite(guild, "")
		h.server.Command(ann, channel, "zevaka", nil).Answer()
		h.shown(1)
		if in := h.dealer.asked.Of(chat.Command)[0].In; in.Guest {
			t.Errorf("it is a guest in %+v", in)
		}
		h.server.Allow(channel, 0)
		h.server.Command(ann, channel, "lang", map[string]any{"what": "pl"}).Answer()
		h.server.Until("the table should be drawn", func() bool { return h.server.Record().Calls["original"] == 1 })
		h.end()
		if h.open() != 1 {
			t.Error("the table is closed")
		}
	})
}

// TestLastPictureBarred ends a table where nothing may be said any more: after some tries its last picture is given up.
func TestLastPictureBarred(t *testing.T) {
	t.Parallel()
	for name, channel := range map[string]string{"no rights": discordtest.Channel, "blocked": "703"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				h.server.Place("703", "", 1)
				h.server.Command(ann, channel, "zevaka", nil).Answer()
				h.shown(1)
				h.server.Allow(channel, 0)
				time.Sleep(16 * time.Minute) // Nobody's press is a way any more.
				h.dealer.running.Add(int64(61 * time.Minute))
				for range 1 << maxForbidden { // It is drawn again ever more seldom.
					h.ring()
					h.settle()
					h.dealer.running.Add(int64(61 * time.Second))
				}
				h.server.Until("the table is given up", func() bool { return h.open() == 0 })
				h.dealer.running.Add(int64(61 * time.Second))
				h.ring()
				h.end()
				if n := h.quietly().Calls["edit"]; n == 0 || n > maxForbidden {
					t.Errorf("it was tried %d times", n)
				}
			})
		})
	}
}

// TestGuest plays in a server where only somebody's own installation brought the bot: all goes by answers, nothing by the
// channel, the table outlives a restart, and what the clock did is seen at the next press.
func TestGuest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.RemoveBot(guild)
		h.start()
		opened := h.server.Command(ann, channel, "zevaka", map[string]any{"limit": "15s"})
		opened.Answer()
		h.shown(1)
		h.server.Until("it is said that it is a guest", func() bool {
			for _, m := range h.server.Messages(channel, ann.ID) {
				if m.Private == ann.ID && strings.Contains(m.Content, "Я здесь в гостях") {
					return true
				}
			}
			return false
		})
		h.dealForTwo()
		m := h.board(channel)
		if !strings.Contains(m.Content, "▶") {
			t.Fatalf("no cards were dealt: %s", m.Content)
		}
		h.end()
		time.Sleep(16 * time.Minute)
		h.start()
		for range 3 { // Moves are made for the absent, and nobody sees it.
			h.dealer.running.Add(int64(16 * time.Second))
			h.ring()
		}
		b, _ := m.Button("Вскрыть")
		i := h.server.Press(ann, m.ID, b.CustomID)
		if i.Answer() != answerUpdate {
			t.Errorf("a press is answered with %d", i.Answer())
		}
		h.server.Until("the board is new, and whoever pressed is told", func() bool {
			now, _ := h.server.Message(m.ID)
			all := h.server.Messages(channel, ann.ID)
			told := slices.ContainsFunc(all, func(m discordtest.Message) bool {
				return m.Private == ann.ID && strings.Contains(m.Content, "игра уже ушла")
			})
			return now.Content != m.Content && strings.Contains(now.Content, "время вышло") && told
		})
		h.end()
		h.onlyPressed()
	})
}

// TestGuestsOldBoard: where the bot is a guest, what the clock does after a slow press on an old board is shown in the new one, or nowhere before
// the next press: never in the old one.
func TestGuestsOldBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.RemoveBot(guild)
		h.start()
		h.server.Command(ann, channel, "zevaka", map[string]any{"limit": "15s", "set": "21b"}).Answer()
		h.shown(1)
		h.dealForTwo()
		old := h.board(channel)
		time.Sleep(55 * time.Minute)
		h.dealer.slow.Store(int64(2 * time.Second))
		b, _ := old.Button("Вскрыть")
		h.server.Press(ann, old.ID, b.CustomID).Answer()
		h.dealer.slow.Store(0)
		time.Sleep(10 * time.Second)
		h.dealer.running.Add(int64(16 * time.Second))
		h.ring()
		time.Sleep(5 * time.Second)
		if now, _ := h.server.Message(old.ID); strings.Contains(now.Content, "время вышло") {
			t.Errorf("the old board is %s", now.Content)
		}
		if h.board(channel).ID == old.ID {
			t.Error("there is no new board")
		}
		h.end()
	})
}

// dealForTwo has Bob sit down at Ann's new table, and deals.
func (h *house) dealForTwo() {
	h.t.Helper()
	for _, label := range []string{"Сесть", "Сдавать", "13"} {
		for _, u := range []discordtest.User{bob, ann} {
			m := h.board(channel)
			if b, ok := m.Button(label); ok {
				h.server.Press(u, m.ID, b.CustomID).Answer()
			}
		}
	}
}

// onlyPressed wants the table to be open still, and nothing sent where the bot is a guest but answers to presses.
func (h *house) onlyPressed() {
	h.t.Helper()
	if calls := h.quietly().Calls; h.open() != 1 || calls["post"]+calls["edit"] > 0 {
		h.t.Errorf("%d tables are open, calls: %v", h.open(), calls)
	}
}

// TestHalf is in a server that has its commands and not the bot: there it is a guest, too.
func TestHalf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.Half(guild)
		h.start()
		h.server.Command(ann, channel, "zevaka", nil).Answer()
		h.shown(1)
		if in := h.dealer.asked.Of(chat.Command)[0].In; !in.Guest {
			t.Errorf("it is no guest in %+v", in)
		}
		h.end()
		h.start()
		h.ring()
		h.end()
		h.onlyPressed()
	})
}

// TestFollows says more after a press than may follow it where the bot is a guest.
func TestFollows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place("704", "", 2)
		h.server.Command(ann, "704", "zevaka", nil).Answer()
		h.shown(1)
		m := h.board("704")
		join, _ := m.Button("Сесть")
		h.server.Press(bob, m.ID, join.CustomID).Answer()
		in := h.dealer.asked.Of(chat.Press)[0].In
		for n := range 8 {
			h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint(n)}}}}}})
		}
		h.end()
		// What the one who opened the table is told is one more, and the first posts may still follow that.
		if calls := h.quietly().Calls; calls["follow"] > 1+2*maxFollows || calls["follow"] < 1+maxFollows {
			t.Errorf("calls: %v", calls)
		}
	})
}

// TestHidden opens a table where members may not use external apps: whoever does is told why nobody else sees it.
func TestHidden(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.RemoveBot(guild)
		h.server.Hide(channel)
		h.start()
		h.server.Command(ann, channel, "zevaka", nil).Answer()
		h.server.Until("it is said that nobody else sees it", func() bool {
			all := h.server.Messages(channel, ann.ID)
			return len(h.server.Messages(channel, bob.ID)) == 0 && slices.ContainsFunc(all, func(m discordtest.Message) bool {
				return strings.Contains(m.Content, "только вы")
			})
		})
		h.quietly()
	})
}

// TestArrives: a server that adds the bot is greeted once, in its language and where it tells of those who come, with
// buttons that work there; one that tells of nobody, or where the bot may not write, in the first channel where it may. At a start all
// are left in peace.
func TestArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		const quiet, loud, news = "810000000000000001", "810000000000000002", "810000000000000003"
		const first, second, third = "810000000000000004", "810000000000000005", "810000000000000006"
		for _, id := range []string{first, second, third} {
			h.server.Place(id, quiet, 0)
		}
		h.server.Allow(first, discordtest.AllRights&^(1<<11)) // There it may look, and not write.
		for _, system := range []string{"", first} {
			h.server.Invite(quiet, system)
			h.server.Until("the greeting elsewhere", func() bool { return len(h.server.Messages(second, "")) == 1 })
			h.server.DeleteMessage(h.server.Messages(second, "")[0].ID)
			h.server.RemoveBot(quiet)
			time.Sleep(2 * time.Second) // It is another time that it joins.
		}
		if n := len(h.server.Messages(first, "")) + len(h.server.Messages(third, "")); n != 0 {
			t.Errorf("%d greetings stand elsewhere", n)
		}
		h.server.Place(news, loud, 0)
		h.server.Invite(loud, news)
		h.server.Invite(loud, news) // After an outage it comes again.
		h.server.Until("the greeting", func() bool { return len(h.server.Messages(news, "")) == 1 })
		greeting := h.server.Messages(news, "")[0]
		if !strings.Contains(greeting.Content, "karty wprost na tym czacie") || strings.Contains(greeting.Content, "administratora") {
			t.Errorf("it says %q", greeting.Content)
		}
		button, ok := greeting.Button("▶ Zewaka")
		if !ok {
			t.Fatalf("the greeting is %+v", greeting)
		}
		h.server.Press(ann, greeting.ID, button.CustomID).Answer()
		h.server.Until("the table", func() bool { return len(h.server.Messages(news, "")) == 2 })
		if n := len(h.server.Messages(discordtest.Channel, "")); n != 0 {
			t.Errorf("%d messages stand elsewhere", n)
		}
		h.quietly()
	})
}
