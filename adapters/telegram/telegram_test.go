package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/replay"
	"zevaka/bot/table"
)

func TestPressIsAnsweredAtOnce(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "ru")
		c := x.server.NewGroup("Cards", ann)
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		for range 40 {
			if a := x.send(ann, board, "flip"); a.Text != "you flip" || a.Alert || a.After > time.Second {
				t.Fatalf("the answer is %+v", a)
			}
		}
		board = x.board(c, "level 41 <&> flip")
		if board.HTML != "<b>level 41 &lt;&amp;&gt; </b><i>flip</i>" {
			t.Errorf("the board is %q", board.HTML)
		}
		if r := x.server.Report(); r.Counts["answerCallbackQuery"] != 40 {
			t.Errorf("40 presses took %d answers", r.Counts["answerCallbackQuery"])
		}
		who := d.heard.Of(chat.Press)[0]
		if who.Who != (chat.User{ID: ann.ID, Name: "Аня", Lang: "ru", Admin: true}) || who.On != refOf(c.ID, board.ID) {
			t.Errorf("the bot was asked by %+v on %s", who.Who, who.On)
		}
		for range 10 {
			x.send(ann, board, "flip")
			rest(30 * time.Second)
		}
		if n := len(x.server.Calls("getChatAdministrators")); n > 7 {
			t.Errorf("Telegram was asked %d times in five minutes who the admins are", n)
		}
	})
}

// worker is a dealer who works for long at one thing.
type worker struct {
	*dealer
	long string
}

// Handle takes its time for that.
func (w worker) Handle(ctx context.Context, r chat.Request) chat.Response {
	if r.Data != w.long {
		return w.dealer.Handle(ctx, r)
	}
	time.Sleep(10 * time.Second)
	return chat.Response{Toast: "done"}
}

// TestLongWorkBeside: who asks for what takes long, by its button or by more than that says, keeps nobody else in the group waiting, and is
// answered when it is done.
func TestLongWorkBeside(t *testing.T) {
	id := table.ID{Community: chat.Community{Platform: chat.Telegram, ID: -1}, Name: "x"}
	for _, do := range []string{replay.DoFilm, replay.DoFilm + " x"} {
		film := table.Token{Table: id, Do: do}.String()
		bubble(t, worker{newDealer(), film}, telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c, board := x.table()
			bob := x.server.NewUser("Bob", "en")
			c.Join(bob)
			long := ann.Press(board, film)
			rest(time.Second)
			if a := x.send(bob, board, "flip"); a.Text != "you flip" || a.After > time.Second {
				t.Errorf("while %q is done somebody else is answered %+v", do, a)
			}
			rest(15 * time.Second)
			if a, ok := x.server.Answer(long); !ok || a.Text != "done" {
				t.Errorf("in the end %q is answered %+v", do, a)
			}
		})
	}
}

// TestLongToasts: an answer is at most 200 characters as Telegram counts them.
func TestLongToasts(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		return chat.Response{Toast: strings.Repeat(r.Data, 201), Alert: true}, r.Kind == chat.Press
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, _, board := x.table()
		for data, want := range map[string]int{"x": 200, "ж": 200, "🤖": 100} {
			a := x.send(ann, board, data)
			if n := len([]rune(a.Text)); n != want || !strings.HasSuffix(a.Text, data+"…") || !a.Alert {
				t.Errorf("it answers %d characters: %s", n, a.Text)
			}
		}
	})
}

// TestTooLate: an answer for which it is too late is tried once, and nothing is wrong with that.
func TestTooLate(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method != "answerCallbackQuery" {
				return telegramtest.Fault{}
			}
			return telegramtest.Fault{Status: 400, Text: "Bad Request: query is too old and response timeout expired or query ID is invalid"}
		})
		ann.Press(board, "turn")
		x.board(c, "level 2")
		rest(time.Minute)
		if n := x.server.Report().Counts["answerCallbackQuery"]; n != 1 || strings.Contains(x.log.String(), "level=WARN") || strings.Contains(x.log.String(), "level=ERROR") {
			t.Errorf("%d answers\n%s", n, x.log.String())
		}
		x.unanswered = 1
	})
}

func TestBoardStaysWithinTheBudget(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		for range 900 { // A quarter of an hour.
			x.send(ann, board, "turn")
			rest(time.Second)
		}
		board = x.board(c, "level 901")
		r := x.server.Report()
		if r.Busiest > groupMost || board.Edits < 270 || board.Edits > 300 {
			t.Errorf("%d edits in 15 minutes, %d messages in the busiest", board.Edits, r.Busiest)
		}
		calls := x.server.Calls("editMessageText")
		for i := range calls[1:] {
			if d := calls[i+1].At.Sub(calls[i].At); d < time.Second {
				t.Errorf("there is an edit %v after another", d)
			}
		}
		before := board.Edits
		for range 120 {
			x.send(ann, board, "flip")
			rest(time.Second)
		}
		x.send(ann, board, "turn")
		sent := time.Now()
		x.board(c, "turn")
		if late := time.Since(sent); late > 2*time.Second {
			t.Errorf("a change of turn was shown after %v", late)
		}
		if board = x.board(c); board.Edits-before > 30 {
			t.Errorf("two minutes of small changes took %d edits", board.Edits-before)
		}
	})
}

func TestNothingChanged(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data != "same" {
			return chat.Response{}, false
		}
		return chat.Response{Posts: []chat.Post{d.picture(r.In, "/zevaka")}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, _, board := x.table()
		for range 5 {
			x.send(ann, board, "same")
		}
		rest(time.Minute)
		x.end()
		x.start(Options{}) // It can't know what the message shows: Telegram says that it is the same, and of a table's first picture is asked again.
		x.send(ann, board, "same")
		rest(time.Minute)
		if r := x.server.Report(); r.Counts["editMessageText"] != 2 {
			t.Errorf("%d edits for nothing", r.Counts["editMessageText"])
		}
		if strings.Contains(x.log.String(), "level=WARN") || strings.Contains(x.log.String(), "level=ERROR") {
			t.Error(x.log.String())
		}
	})
}

// TestOlderPicture: a picture that comes late is not shown after a newer one.
func TestOlderPicture(t *testing.T) {
	d := newDealer()
	d.says("old", func(r chat.Request) []chat.Post {
		p := d.picture(r.In, "old")
		p.Level--
		return []chat.Post{p}
	})
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		for _, data := range []string{"turn", "old", "end", "old"} {
			x.send(ann, board, data)
			rest(time.Minute)
			if board = x.board(c); strings.Contains(board.Text, "old") {
				t.Errorf("after %s the board is %q", data, board.Text)
			}
		}
		if n := len(x.server.Calls("editMessageText")); n != 2 {
			t.Errorf("%d edits", n)
		}
	})
}

// TestManyTables: however many tables wait to be shown, a chat keeps a number of them that doesn't grow, and fewer when
// they are shown.
func TestManyTables(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		p := d.picture(r.In, "end")
		p.Table, p.Receipt = r.Data, ""
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		r := x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		kept := func() int { return len(r.out.chats.get(r.out, c.ID).boards) }
		for i := range 2 * maxUnseen {
			c.Say(ann, fmt.Sprint("/table ", i))
		}
		x.until("all of them", func() bool { return x.server.Waiting() == 0 })
		if n := kept(); n > maxUnseen {
			t.Errorf("%d tables are kept", n)
		}
		rest(maxUnseen * refill)
		if n := len(c.Messages()); n < maxUnseen || n > maxUnseen+groupMost {
			t.Errorf("%d tables were shown", n)
		}
		c.Say(ann, "/table anew")
		x.until("one more", func() bool { return x.server.Waiting() == 0 })
		if n := kept(); n > maxBoards {
			t.Errorf("%d tables are kept after they were shown", n)
		}
	})
}

func TestWrongToken(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		for _, token := range []string{"1:wrong", "1", "a b", "1:x\x7f", "1:%zz", `"1:a"`, "\ufeff1:a", "../1", "1:a\n2"} {
			r := x.start(Options{Token: token})
			err := <-r.done
			if !errors.Is(err, ErrToken) && !errors.Is(err, errNoToken) || strings.Contains(err.Error(), "\n") || token != "" && token != "1" && strings.Contains(err.Error(), token) {
				t.Errorf("with token %q it ends with %v", token, err)
			}
			x.run = nil
			r.wire.Close()
		}
	})
}

// TestTokenOfDiscord: it is told where that belongs, and isn't repeated.
func TestTokenOfDiscord(t *testing.T) {
	const token = "MTA5ODc2NTQzMjEwOTg3NjU0Mw.GaBcDe.abcdefghijklmnopqrstuvwxyz-_0123456789AB"
	if err := (&Options{Token: token}).Check(); !errors.Is(err, errDiscords) || strings.Contains(err.Error(), token) {
		t.Error(err)
	}
}

func TestWrongAddress(t *testing.T) {
	for _, o := range []Options{{API: "127.0.0.1:9100"}, {API: "ftp://x"}, {Webhook: "http://"}, {Webhook: "http://example.org/x"}, {Webhook: "https://example.org:8080"}} {
		o.Token = telegramtest.Token
		if err := New(newDealer(), o).Run(t.Context()); err == nil || strings.Contains(err.Error(), "AAtest") {
			t.Errorf("with %+v it ends with %v", o, err)
		}
	}
}

func TestTwoPollers(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		first := x.start(Options{})
		rest(time.Second)
		second := x.start(Options{})
		rest(10 * time.Second)
		if !strings.Contains(x.log.String(), "another program reads this bot's updates") {
			t.Error("nothing was said of the other program")
		}
		x.run = first
		x.end()
		x.run = second
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
	})
}

func TestToken(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.server.SetFault(func(string, map[string]string) telegramtest.Fault {
			return telegramtest.Fault{Reset: true, Delay: time.Second}
		})
		r := x.start(Options{})
		rest(time.Minute)
		r.wire.Cut()
		rest(time.Minute)
		if !strings.Contains(x.log.String(), "Telegram doesn't answer") {
			t.Error("nothing was said of a server that doesn't answer")
		}
	})
}

// leaky is a way to Telegram that tells what it was to carry: in the error, or in the answer.
type leaky struct{ answers bool }

func (l leaky) RoundTrip(req *http.Request) (*http.Response, error) {
	if !l.answers {
		return nil, fmt.Errorf("no way to %s", req.URL)
	}
	body := fmt.Sprintf(`{"ok":false,"error_code":400,"description":"Bad Request: %s"}`, req.URL)
	return &http.Response{StatusCode: 400, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

func TestTokenInWhatOthersSay(t *testing.T) {
	for _, answers := range []bool{false, true} {
		a := New(newDealer(), Options{Token: telegramtest.Token, Transport: leaky{answers}})
		err := a.api.call(t.Context(), "getMe", nil, nil)
		if err == nil || strings.Contains(err.Error(), telegramtest.Token) || !strings.Contains(err.Error(), "/getMe") {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestAppName takes short names of Mini Apps as @BotFather does, and no others.
func TestAppName(t *testing.T) {
	for name, good := range map[string]bool{
		"": true, "table": true, "Stol_7": true, "abc": true, strings.Repeat("a", maxApp): true,
		"ab": false, "a-b-c": false, "a:bc": false, "a/b/c": false, "стол": false, "table?startapp=x": false, strings.Repeat("a", maxApp+1): false,
	} {
		if err := (&Options{Token: telegramtest.Token, App: name}).Check(); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestPublicURLReachesTheAdapter: the address that the program knows is the adapter's.
func TestPublicURLReachesTheAdapter(t *testing.T) {
	o := Options{Token: telegramtest.Token}
	a := o.Adapter(adapters.Program{Handler: newDealer(), Door: "https://cards.example.org"}).(*Adapter)
	if a.opts.PublicURL != "https://cards.example.org" {
		t.Errorf("it is %q", a.opts.PublicURL)
	}
}
