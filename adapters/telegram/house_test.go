package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/testlog"
	"zevaka/bot/words"
)

// groupMost is how many edits a group may get in a minute.
const groupMost = 20

// house is Telegram with an adapter on it, for one test in a bubble of its own time.
type house struct {
	t       *testing.T
	server  *telegramtest.Server
	handler chat.Handler
	log     testlog.Log
	run     *run
	// twice and unanswered are how many presses may be answered twice, and not at all.
	twice, unanswered int
	// asked is how often something was done at the live table.
	asked int
	// age is how long ago an adapter believes to have begun when it begins.
	age time.Duration
	// wrap, if not nil, stands between an adapter and its way to Telegram.
	wrap func(http.RoundTripper) http.RoundTripper
	// shut says that no call gets through to the webhook.
	shut atomic.Bool
}

// run is one life of an adapter.
type run struct {
	*Adapter
	wire *telegramtest.Wire
	stop context.CancelFunc
	done chan error
}

// bubble runs a test in time of its own, with a server and an adapter over h.
func bubble(t *testing.T, h chat.Handler, o telegramtest.Options, test func(*testing.T, *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &house{t: t, server: telegramtest.New(o), handler: h}
		defer func() {
			x.check()
			rest(time.Second) // Servers take their time to close connections.
		}()
		test(t, x)
	})
}

// start runs an adapter until end.
func (x *house) start(o Options) *run {
	x.t.Helper()
	var err error
	if o.Words, err = words.Load(); err != nil {
		x.t.Fatal(err)
	}
	r := &run{wire: telegramtest.NewWire(x.server), done: make(chan error, 1)}
	o.Log = slog.New(slog.NewTextHandler(&x.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Transport = r.wire
	if x.wrap != nil {
		o.Transport = x.wrap(r.wire)
	}
	o.API = "http://telegram.test"
	if o.Token == "" {
		o.Token = telegramtest.Token
	}
	r.Adapter = New(x.handler, o)
	r.startTime = r.startTime.Add(-x.age)
	ctx, stop := context.WithCancel(x.t.Context())
	r.stop = stop
	go func() { r.done <- r.Run(ctx) }()
	x.run = r
	return r
}

// end stops the adapter as a signal would.
func (x *house) end() {
	x.t.Helper()
	if x.run == nil {
		return
	}
	x.run.stop()
	if err := <-x.run.done; err != nil {
		x.t.Errorf("the adapter ended: %v", err)
	}
	x.run.wire.Close()
	x.run = nil
}

// check fails the test for whatever the server found fault with, and for a token in the log.
func (x *house) check() {
	x.t.Helper()
	x.end()
	r := x.server.Report()
	for _, v := range r.Violations {
		x.t.Error(v)
	}
	if r.Unanswered > x.unanswered || r.Doubled > x.twice {
		x.t.Errorf("%d presses were not answered, and %d twice", r.Unanswered, r.Doubled)
	}
	if r.Limited > 0 || r.EditsBusiest > groupMost {
		x.t.Errorf("Telegram had to say stop %d times; a group got %d edits in a minute", r.Limited, r.EditsBusiest)
	}
	if _, secret, _ := strings.Cut(telegramtest.Token, ":"); strings.Contains(x.log.String(), secret) {
		x.t.Error("the token stands in the log")
	}
	if x.t.Failed() {
		x.t.Logf("%+v\n%s", r.Counts, x.log.String())
	}
}

// until waits until the condition holds.
func (x *house) until(what string, condition func() bool) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.t.Context(), 10*time.Minute)
	defer cancel()
	if !x.server.Wait(ctx, condition) {
		x.t.Fatalf("%s: it never came\n%s", what, x.log.String())
	}
	synctest.Wait() // Nobody acts on what they see before the adapter has noted that it is there.
}

// group starts an adapter in a group with somebody in it.
func (x *house) group() (*telegramtest.User, *telegramtest.Chat) {
	x.t.Helper()
	x.start(Options{})
	return x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
}

// forum starts an adapter in a group with topics, and says who talks there.
func (x *house) forum() (*telegramtest.User, *telegramtest.Chat) {
	x.t.Helper()
	x.start(Options{})
	return x.server.NewUser("Аня", ""), x.server.NewForum("Cards")
}

// table starts an adapter in a group where somebody has opened a table.
func (x *house) table() (*telegramtest.User, *telegramtest.Chat, telegramtest.Message) {
	x.t.Helper()
	ann, c := x.group()
	c.Say(ann, "/zevaka")
	return ann, c, x.board(c, "level 1")
}

// board waits for a board whose text has all the parts.
func (x *house) board(c *telegramtest.Chat, parts ...string) telegramtest.Message {
	x.t.Helper()
	var board telegramtest.Message
	x.until(fmt.Sprint("a board with ", parts), func() bool {
		var ok bool
		board, ok = c.Board()
		for _, part := range parts {
			ok = ok && strings.Contains(board.Text, part)
		}
		return ok
	})
	return board
}

// press presses a button by its label, and waits for the answer.
func (x *house) press(u *telegramtest.User, m telegramtest.Message, label string) telegramtest.Answer {
	x.t.Helper()
	for _, b := range m.Buttons {
		if b.Text == label {
			return x.send(u, m, b.Data)
		}
	}
	x.t.Fatalf("no button is called %q: %+v", label, m.Buttons)
	return telegramtest.Answer{}
}

// send presses whatever data, and waits for the answer.
func (x *house) send(u *telegramtest.User, m telegramtest.Message, data string) telegramtest.Answer {
	x.t.Helper()
	id := u.Press(m, data)
	var a telegramtest.Answer
	x.until("the answer to "+data, func() (ok bool) {
		a, ok = x.server.Answer(id)
		return ok
	})
	return a
}

// rest lets time pass.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// dealer is a small bot: one table in each place, which counts what was pressed.
type dealer struct {
	mu     sync.Mutex
	levels map[chat.Place]uint64
	stands map[chat.Place]chat.Ref
	heard  chatscript.Asked
	reply  func(chat.Request) (chat.Response, bool)
}

func newDealer() *dealer {
	return &dealer{levels: map[chat.Place]uint64{}, stands: map[chat.Place]chat.Ref{}}
}

// says lets the dealer answer one command or button of its own; all else is about the table.
func (d *dealer) says(data string, posts func(chat.Request) []chat.Post) {
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if strings.TrimPrefix(r.Data, "/") != data {
			return chat.Response{}, false
		}
		return chat.Response{Posts: posts(r)}, true
	}
}

// Handle raises the table's level with each press, and shows it.
func (d *dealer) Handle(_ context.Context, r chat.Request) chat.Response {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard.Add(r)
	if d.reply != nil {
		if response, ok := d.reply(r); ok {
			return response
		}
	}
	switch {
	case r.Kind == chat.Shown:
		d.stands[r.In] = r.On
		return chat.Response{}
	case r.Kind != chat.Press && r.Kind != chat.Command:
		return chat.Response{}
	}
	d.levels[r.In]++
	p := d.picture(r.In, r.Data)
	p.Request = r.ID
	return chat.Response{Toast: "you " + r.Data, Posts: []chat.Post{p}}
}

// picture is the table; what begins with "turn" changes its buttons, "end" ends it.
func (d *dealer) picture(in chat.Place, what string) chat.Post {
	level := d.levels[in]
	p := chat.Post{In: in, Edit: d.stands[in], Table: "T" + in.Community.String(), Level: level, Receipt: fmt.Sprint("at ", level), Turn: 1}
	p.Text = []chat.Span{{Text: fmt.Sprint("level ", level, " <&> "), Style: chat.Strong}, {Text: what, Style: chat.Faint}}
	token := "flip"
	if strings.HasPrefix(what, "turn") {
		token = fmt.Sprint("turn", level)
	}
	p.Buttons = [][]chat.Button{{{Label: "Flip", Token: token}}}
	p.Final = what == "end"
	return p
}
