package discord

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// outage is what goes wrong, and for how long.
type outage struct {
	faults discordtest.Faults
	lasts  time.Duration
}

// during has something done at the beginning of an outage, and lets eight hours pass.
func (o outage) during(h *house, do func()) {
	h.server.SetFaults(o.faults)
	do()
	time.Sleep(o.lasts)
	h.server.SetFaults(discordtest.Faults{})
	time.Sleep(8*time.Hour - o.lasts)
}

// saidToAll is how many messages for everybody say something.
func (h *house) saidToAll(text string) (n int) {
	for _, m := range h.server.Messages(discordtest.Channel, "") {
		n += strings.Count(m.Content, text)
	}
	return n
}

// TestGrantInOutage: a grant that is made while Discord doesn't take answers, or nothing, is said before all, once.
func TestGrantInOutage(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]outage{
		"nothing":              {},
		"no answers":           {discordtest.Faults{Broken: 1, Only: "callback"}, 5 * time.Second},
		"no answers for now":   {discordtest.Faults{Route: 1, Retry: 5 * time.Second, Only: "callback"}, 5 * time.Second},
		"none is known":        {discordtest.Faults{Swallow: 1, Only: "callback"}, time.Minute},
		"nor is what stands":   {discordtest.Faults{Swallow: 1, Only: "callback original"}, time.Minute},
		"late":                 {discordtest.Faults{Slow: 1, Delay: 5 * time.Second, Only: "callback"}, time.Minute},
		"broken for seconds":   {discordtest.Faults{Broken: 1}, 5 * time.Second},
		"broken for minutes":   {discordtest.Faults{Broken: 1}, 3 * time.Minute},
		"broken for hours":     {discordtest.Faults{Broken: 1}, 5 * time.Hour},
		"cut for a minute":     {discordtest.Faults{Reset: 1}, time.Minute},
		"nothing is confirmed": {discordtest.Faults{Swallow: 1}, time.Minute},
		"too many":             {discordtest.Faults{Route: 1, Retry: 40 * time.Second}, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				boss := ann
				boss.Rights = 1 << 3
				h.server.Command(bob, discordtest.Channel, "balance", nil).Answer()
				o.during(h, func() {
					h.server.Command(boss, discordtest.Channel, "grant", map[string]any{"who": bob, "amount": 777777})
				})
				if n := h.saidToAll("777777"); n != 1 {
					t.Errorf("it is said %d times", n)
				}
			})
		})
	}
}

// TestUnaskedInOutage: what the bot says by itself and waits for stands once Discord takes it, and the bot hears of it: within six hours, and once.
// What somebody has asked for doesn't come when nobody waits for it any more, nor does what too many wait beside.
func TestUnaskedInOutage(t *testing.T) {
	t.Parallel()
	broken := discordtest.Faults{Broken: 1, Only: "post"}
	for name, test := range map[string]struct {
		outage
		post     chat.Post
		stands   int
		mayStand bool
		beside   int64
	}{
		"for seconds":     {outage{broken, 5 * time.Second}, chat.Post{Receipt: "day 7"}, 1, false, 0},
		"for minutes":     {outage{broken, 3 * time.Minute}, chat.Post{Receipt: "day 7"}, 1, false, 0},
		"for hours":       {outage{broken, 5 * time.Hour}, chat.Post{Receipt: "day 7"}, 1, false, 0},
		"for good":        {outage{broken, 7 * time.Hour}, chat.Post{Receipt: "day 7"}, 0, false, 0},
		"nobody waits":    {outage{broken, 5 * time.Second}, chat.Post{}, 0, false, 0},
		"beside many":     {outage{broken, 5 * time.Second}, chat.Post{Receipt: "day 7"}, 0, false, maxLasting},
		"cut":             {outage{discordtest.Faults{Reset: 1}, 2 * time.Minute}, chat.Post{Receipt: "day 7"}, 1, false, 0},
		"answers lost":    {outage{discordtest.Faults{Swallow: 1}, 2 * time.Minute}, chat.Post{Receipt: "day 7"}, 1, false, 0},
		"lost for longer": {outage{discordtest.Faults{Swallow: 1}, time.Hour}, chat.Post{Receipt: "day 7"}, 1, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				h.sender.lasting.Add(test.beside)
				p := test.post
				p.In, p.Text = chat.Place{Community: home(), Channel: number(discordtest.Channel)}, []chat.Span{{Text: "of the day"}}
				test.during(h, func() { h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}}) })
				if n := h.saidToAll("of the day"); n != test.stands {
					t.Errorf("it stands %d times", n)
				}
				if heard := len(h.dealer.asked.Of(chat.Shown)); p.Receipt != "" && heard != test.stands && !test.mayStand {
					t.Errorf("the bot hears %d times that it stands", heard)
				}
				if n := h.Pulse().Unshown; n != int(test.beside) {
					t.Errorf("%d wait", n)
				}
			})
		})
	}
}

// TestCallInOutage: who is called for by a new message that can't be made yet is called by one, whatever shows the table meanwhile. Where it may
// not be made at all, or nobody is called, the table goes on in its old message.
func TestCallInOutage(t *testing.T) {
	t.Parallel()
	fails := discordtest.Faults{Refused: 1, Status: http.StatusServiceUnavailable, Only: "post"}
	forbidden := discordtest.Faults{Refused: 1, Status: http.StatusForbidden, Code: codeNoPermission, Only: "post"}
	called := []chat.User{{ID: number(bob.ID), Name: "Боря"}}
	for name, test := range map[string]struct {
		faults  discordtest.Faults
		mention []chat.User
		anew    bool
	}{
		"somebody is called":                   {fails, called, true},
		"nobody is called":                     {fails, nil, false},
		"somebody is called, none may be made": {forbidden, called, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				in := chat.Place{Community: home(), Channel: number(discordtest.Channel)}
				post := func(edit chat.Ref, level uint64, mention []chat.User) chat.Post {
					return chat.Post{In: in, Edit: edit, Table: "1/a", Level: level, Mention: mention, Message: chat.Message{
						Text: []chat.Span{{Text: fmt.Sprint("picture ", level)}}, Buttons: [][]chat.Button{{{Label: "Flip", Token: "flip"}}},
					}}
				}
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{post("", 1, nil)}})
				time.Sleep(5 * time.Second)
				old := h.board(discordtest.Channel)
				stands := newRef(discordtest.Channel, old.ID)
				h.server.SetFaults(test.faults)
				bare := post(stands, 1, nil)
				bare.Table, bare.Buttons = "", nil
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{bare, post("", 2, called)}})
				time.Sleep(2 * time.Second)
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{post(stands, 3, test.mention)}})
				time.Sleep(2 * time.Second)
				h.server.SetFaults(discordtest.Faults{})
				time.Sleep(2 * time.Minute)
				now := h.board(discordtest.Channel)
				if anew := now.ID != old.ID; anew != test.anew || !strings.Contains(now.Content, "picture 3") {
					t.Errorf("it stands in a new message: %t: %+v", anew, now)
				}
			})
		})
	}
}

// TestChangesFail: a table whose message can't be changed, where new ones can be had, goes into a new one, and from there on as long as that lasts.
func TestChangesFail(t *testing.T) {
	t.Parallel()
	fails := discordtest.Faults{Broken: 1, Only: "edit"}
	all := fails
	all.Only = ""
	for name, test := range map[string]struct {
		faults   discordtest.Faults
		lasts    time.Duration
		anew     int
		lag      time.Duration
		atRepeat time.Duration
	}{
		"they fail":              {fails, time.Hour, 2, 40 * time.Second, 10 * time.Second},
		"in words nobody knows":  {discordtest.Faults{Refused: 1, Status: http.StatusForbidden, Code: 99_999, Only: "edit"}, time.Hour, 2, 70 * time.Second, 10 * time.Second},
		"they fail for a moment": {fails, 8 * time.Second, 0, 20 * time.Second, 5 * time.Second},
		"all fails":              {all, time.Hour, 0, 62 * time.Minute, 5 * time.Second},
		"they aren't allowed":    {discordtest.Faults{Refused: 1, Status: http.StatusForbidden, Code: codeNoPermission, Only: "edit"}, time.Hour, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				show := func(level uint64, within time.Duration) {
					p := chat.Post{In: here, Table: "1/a", Level: level, Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint("picture ", level)}}}}
					h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
					if time.Sleep(within); within > 0 && h.saidToAll(fmt.Sprint("picture ", level)) != 1 {
						t.Errorf("picture %d isn't shown", level)
					}
				}
				show(1, 5*time.Second)
				h.server.SetFaults(test.faults)
				time.AfterFunc(test.lasts, func() { h.server.SetFaults(discordtest.Faults{}) })
				show(2, test.lag)
				show(3, test.atRepeat)
				time.Sleep(2 * time.Hour)
				show(4, 5*time.Second)
				if n := len(h.server.Messages(discordtest.Channel, "")) - 1; n != test.anew {
					t.Errorf("the table went into %d new messages", n)
				}
			})
		})
	}
}

// counter answers each press by the table's next picture.
type counter struct {
	level atomic.Uint64
	// slow is how long that takes, in nanoseconds.
	slow atomic.Int64
}

// next is the table's next picture, and what it says.
func (c *counter) next() (chat.Post, string) {
	level := c.level.Add(1)
	text := fmt.Sprintf("picture %d.", level)
	return chat.Post{In: here, Table: "1/a", Level: level, Message: chat.Message{
		Text: []chat.Span{{Text: text}}, Buttons: [][]chat.Button{{{Label: "go", Token: "1/a go"}}},
	}}, text
}

func (c *counter) Handle(_ context.Context, r chat.Request) chat.Response {
	if r.Kind != chat.Press && r.Kind != chat.Command {
		return chat.Response{}
	}
	time.Sleep(time.Duration(c.slow.Load()))
	p, _ := c.next()
	return chat.Response{Posts: []chat.Post{p}}
}

// counting is a house with a table that counts.
func counting(t *testing.T, set func(*Adapter)) (*house, *counter) {
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	c := &counter{}
	h.set = set
	h.serve(c, h.lone().Commands)
	h.connected()
	h.server.Command(ann, discordtest.Channel, "table", nil)
	time.Sleep(5 * time.Second)
	return h, c
}

// count has somebody press what counts.
func (h *house) count() {
	m := h.board(discordtest.Channel)
	b, _ := m.Button("go")
	h.server.Press(bob, m.ID, b.CustomID)
}

// TestChangesFailBesidePresses: where Discord fails to change messages, or refuses to in words nobody knows, a table at which somebody has pressed
// lately is changed in their name, within seconds and in its own message.
func TestChangesFailBesidePresses(t *testing.T) {
	t.Parallel()
	for _, fails := range []discordtest.Faults{
		{Broken: 1, Only: "edit"}, {Refused: 1, Status: http.StatusForbidden, Code: 99_999, Only: "edit"},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, c := counting(t, nil)
			h.server.SetFaults(fails)
			for from := time.Now(); time.Since(from) < 20*time.Minute; time.Sleep(time.Minute) {
				h.count()
				time.Sleep(time.Second)
				p, text := c.next()
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
				time.Sleep(3 * time.Second)
				if h.saidToAll(text) != 1 {
					t.Fatalf("%+v: after %v the table doesn't say %q", fails, time.Since(from), text)
				}
			}
			if n := len(h.server.Messages(discordtest.Channel, "")); n != 1 {
				t.Errorf("%+v: the table stands in %d messages", fails, n)
			}
			h.server.SetFaults(discordtest.Faults{})
		})
	}
}

// TestLateAnswer: nor does the picture of an answer stay that Discord makes after it was given up, and after a newer one.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, c := counting(t, nil)
		c.slow.Store(int64(2 * time.Second))
		h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: tryTime + 4*time.Second, Only: "original"})
		h.count()
		time.Sleep(tryTime + 3*time.Second)
		h.server.SetFaults(discordtest.Faults{})
		p, text := c.next()
		h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
		time.Sleep(2 * time.Minute)
		edits := h.server.Record().Calls["edit"]
		time.Sleep(2 * time.Hour)
		if h.saidToAll(text) != 1 || h.server.Record().Calls["edit"] != edits {
			t.Errorf("it says %q, after %d changes and %d more", h.board(discordtest.Channel).Content, edits, h.server.Record().Calls["edit"]-edits)
		}
	})
}

// sometimes is a share of which everything is, or nothing.
type sometimes struct {
	adapters.Alone
	away atomic.Bool
}

func (s *sometimes) Serves(chat.Community) bool { return !s.away.Load() }

// TestLateChangeElsewhere: a picture isn't sent once more where its table has gone to another process, and come back with a newer one: neither where
// an older change had no answer, nor where it was refused while the table went.
func TestLateChangeElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults discordtest.Faults
		newer  bool
		lasts  time.Duration
	}{
		"no answer": {discordtest.Faults{Slow: 1, Delay: 12 * time.Second, Only: "edit"}, true, 15 * time.Second},
		"refused":   {discordtest.Faults{Broken: 1, Only: "edit"}, false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &sometimes{}
			h, c := counting(t, func(a *Adapter) { a.share, a.rest.serves = s, s.Serves })
			show := func(edit chat.Ref) (text string) {
				p, text := c.next()
				p.Edit = edit
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
				time.Sleep(time.Second)
				return text
			}
			time.Sleep(20 * time.Minute) // Nobody's press changes it any more.
			h.server.SetFaults(test.faults)
			show("")
			if test.newer {
				h.server.SetFaults(discordtest.Faults{})
				show("")
			}
			time.Sleep(test.lasts)
			s.away.Store(true)
			h.Leave(t.Context(), func(chat.Community) bool { return true })
			time.Sleep(5 * time.Second)
			h.server.SetFaults(discordtest.Faults{})
			s.away.Store(false)
			text := show(newRef(discordtest.Channel, h.board(discordtest.Channel).ID))
			time.Sleep(3 * time.Hour)
			if h.saidToAll(text) != 1 {
				t.Errorf("%s: instead of %q it says %q", name, text, h.board(discordtest.Channel).Content)
			}
		})
	}
}

// TestLateChange: a change that Discord makes after it was given up, and after a newer one, doesn't stay.
func TestLateChange(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{tryTime + 2*time.Second, 20 * time.Second} {
		for _, final := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				show := func(level uint64, final bool) {
					p := chat.Post{In: here, Table: "1/a", Level: level, Final: final, Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint("picture ", level)}}}}
					h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
					time.Sleep(time.Second)
				}
				show(1, false)
				h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: late, Only: "edit"})
				show(2, false)
				h.server.SetFaults(discordtest.Faults{})
				show(3, final)
				time.Sleep(2 * time.Minute)
				edits := h.server.Record().Calls["edit"]
				time.Sleep(2 * time.Hour)
				if n := h.saidToAll("picture 3"); n != 1 || h.server.Record().Calls["edit"] != edits {
					t.Errorf("made after %v, final %t: the newest picture stands %d times", late, final, n)
				}
			})
		}
	}
}
