package telegram

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/words"
)

// groupMost is how many edits a group may get in a minute.
const groupMost = 15

// house is Telegram with an adapter on it, for one test in a bubble of its own time.
type house struct {
	t       *testing.T
	server  *telegramtest.Server
	handler bot.Handler
	log     journal
	run     *run
	// twice and unanswered are how many presses may be answered twice, and not at all.
	twice, unanswered int
	// age is how long ago an adapter believes to have begun when it begins.
	age time.Duration
}

// run is one life of an adapter.
type run struct {
	*Adapter
	wire *telegramtest.Wire
	stop context.CancelFunc
	done chan error
}

// journal is what an adapter logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes a line.
func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// bubble runs a test in time of its own, with a server and an adapter over h.
func bubble(t *testing.T, h bot.Handler, o telegramtest.Options, test func(*testing.T, *house)) {
	t.Helper()
	o.Specs = os.Getenv("ZEVAKA_SPECS")
	if o.Specs == "" {
		t.Log("ZEVAKA_SPECS is not set: calls are NOT checked against Telegram's specification")
	}
	synctest.Test(t, func(t *testing.T) {
		server, err := telegramtest.New(o)
		if err != nil {
			t.Fatal(err)
		}
		x := &house{t: t, server: server, handler: h}
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
	o.API = "http://telegram.test"
	if o.Token == "" {
		o.Token = telegramtest.Token
	}
	r.Adapter = New(x.handler, o)
	r.born = r.born.Add(-x.age)
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
	mu       sync.Mutex
	levels   map[bot.Place]uint64
	stands   map[bot.Place]bot.Ref
	requests []bot.Request
	reply    func(bot.Request) (bot.Response, bool)
}

func newDealer() *dealer {
	return &dealer{levels: map[bot.Place]uint64{}, stands: map[bot.Place]bot.Ref{}}
}

// Handle raises the table's level with each press, and shows it.
func (d *dealer) Handle(_ context.Context, r bot.Request) bot.Response {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, r)
	if d.reply != nil {
		if response, ok := d.reply(r); ok {
			return response
		}
	}
	switch {
	case r.Kind == bot.Shown:
		d.stands[r.In] = r.On
		return bot.Response{}
	case r.Kind != bot.Press && r.Kind != bot.Command:
		return bot.Response{}
	}
	d.levels[r.In]++
	return bot.Response{Toast: "you " + r.Data, Posts: []bot.Post{d.picture(r.In, r.Data)}}
}

// picture is the table; what begins with "turn" changes its buttons, "end" ends it.
func (d *dealer) picture(in bot.Place, what string) bot.Post {
	level := d.levels[in]
	p := bot.Post{In: in, Edit: d.stands[in], Table: "T" + in.Community.String(), Level: level, Receipt: fmt.Sprint("at ", level)}
	p.Text = []bot.Span{{Text: fmt.Sprint("level ", level, " <&> "), Style: bot.Strong}, {Text: what, Style: bot.Faint}}
	token := "flip"
	if strings.HasPrefix(what, "turn") {
		token = fmt.Sprint("turn", level)
	}
	p.Buttons = [][]bot.Button{{{Label: "Flip", Token: token}}}
	p.Final = what == "end"
	return p
}

// asked is what the dealer was asked, of one kind.
func (d *dealer) asked(kind bot.Kind) []bot.Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []bot.Request
	for _, r := range d.requests {
		if r.Kind == kind {
			all = append(all, r)
		}
	}
	return all
}
