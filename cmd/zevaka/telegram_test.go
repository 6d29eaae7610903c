//go:build unix

package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/telegram"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/testlog"
	"zevaka/cmd/zevaka/watch"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest"
)

// onTelegram has the program deal with a token, as docs/telegram.md says, until play has ended. It returns what was logged.
func onTelegram(t *testing.T, play func(t *testing.T, api *telegramtest.Server)) (said string) {
	synctest.Test(t, func(t *testing.T) {
		api := telegramtest.New(telegramtest.Options{})
		wire := telegramtest.NewWire(api)
		c := parsed(t, "--listen=off", "--telegram-token", telegramtest.Token, "--telegram-api=http://telegram.test")
		for _, p := range c.chats() {
			if o, ok := p.(*telegram.Options); ok {
				o.Transport = wire
			}
		}
		lines := new(testlog.Log)
		log := slog.New(slog.NewTextHandler(lines, nil))
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.alone(ctx, mem.New(), place{}, watch.New(watch.Options{Log: log}), log) }()
		play(t, api)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wire.Close()
		time.Sleep(time.Second) // Servers take their time to close connections.
		if said = lines.String(); strings.Contains(said, "AAtest") {
			t.Errorf("it says:\n%s", said)
		}
		if r := api.Report(); len(r.Violations) > 0 || r.Limited > 0 {
			t.Errorf("%+v", r)
		}
	})
	return said
}

// TestTelegram: the bot deals in a group.
func TestTelegram(t *testing.T) {
	t.Parallel()
	said := onTelegram(t, func(t *testing.T, api *telegramtest.Server) {
		ann := api.NewUser("Аня", "ru")
		chat := api.NewGroup("Игры", ann)
		chat.Say(ann, "/zevaka")
		for _, seats := range []string{"1. Аня хозяин стола", "2. 🤖", "3. 🤖"} {
			time.Sleep(time.Minute) // The board follows within what Telegram allows.
			board, _ := chat.Board()
			if !strings.Contains(board.Text, seats) {
				t.Errorf("no %q on the board:\n%s", seats, board.Text)
			}
			for _, b := range board.Buttons {
				if b.Text == "+ 🤖" {
					<-api.Answered(ann.Press(board, b.Data))
				}
			}
		}
		if n := len(api.Calls("setMyCommands")); n != 12 {
			t.Errorf("%d menus were set", n)
		}
		if r := api.Report(); r.Unanswered > 0 {
			t.Errorf("%+v", r)
		}
	})
	if strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") {
		t.Errorf("it says:\n%s", said)
	}
}

// TestTelegramAway: while Telegram can't be reached, or shows nothing, nobody's turn runs out there, and afterwards the game goes on where it was.
func TestTelegramAway(t *testing.T) {
	t.Parallel()
	for _, brings := range []bool{false, true} {
		telegramAway(t, brings)
	}
}

// telegramAway has Telegram go away, or but show nothing while it brings presses.
func telegramAway(t *testing.T, brings bool) {
	onTelegram(t, func(t *testing.T, api *telegramtest.Server) {
		ann, bob := api.NewUser("Аня", "ru"), api.NewUser("Боря", "ru")
		chat := api.NewGroup("Игры", ann, bob)
		chat.Say(ann, "/zevaka 21б limit=60s")
		press := func(who *telegramtest.User, label string) {
			t.Helper()
			time.Sleep(10 * time.Second)
			board, _ := chat.Board()
			i := slices.IndexFunc(board.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.Text, label) })
			if i < 0 {
				t.Errorf("no %q at\n%s %v", label, board.Text, board.Buttons)
				return
			}
			<-api.Answered(who.Press(board, board.Buttons[i].Data))
		}
		press(bob, "Сесть")
		press(ann, "Сдавать")
		time.Sleep(25 * time.Second) // The pack is cut without them.
		turn := func() string {
			board, _ := chat.Board()
			_, line, _ := strings.Cut(board.Text, "👉 ")
			line, _, _ = strings.Cut(line, ",")
			return line
		}
		before := turn()
		api.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if !brings || strings.HasPrefix(method, "edit") || strings.HasPrefix(method, "send") {
				f.Status = http.StatusBadGateway
			}
			return f
		})
		if brings {
			press(map[string]*telegramtest.User{"Аня": ann, "Боря": bob}[before], "Вскрыть")
		}
		time.Sleep(5 * time.Minute)
		api.SetFault(nil)
		time.Sleep(30 * time.Second)
		board, _ := chat.Board()
		if after := turn(); before == "" || after != before || strings.Contains(board.Text, " вскрывает") != brings {
			t.Errorf("presses come: %t; the turn was %q, now it is %q, at\n%s", brings, before, after, board.Text)
		}
		time.Sleep(2 * time.Minute)
		if later, _ := chat.Board(); later.Text == board.Text {
			t.Errorf("nobody's turn ever ends:\n%s", later.Text)
		}
	})
}

// TestTelegramCalls does what docs/telegram.md says of a webhook, and docs/live.md of the page: Telegram calls the bot, which answers in
// the call's own answer.
func TestTelegramCalls(t *testing.T) {
	t.Parallel()
	api := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(api)
	defer web.Close()
	listen := storagetest.Address()
	s := open(t, "--db", filepath.Join(t.TempDir(), "t.db"), "--telegram-token", telegramtest.Token, "--telegram-api", web.URL,
		"--telegram-webhook=https://cards.example.org/telegram", "--telegram-webhook-listen", listen, "--public-url=https://cards.example.org")
	if !api.Wait(t.Context(), func() bool { url, _ := api.Hook(); return url == "https://cards.example.org/telegram" }) {
		t.Fatal("no webhook was set")
	}
	ann := api.NewUser("Аня", "ru")
	chat := api.NewGroup("Игры", ann)
	client := &http.Client{Transport: telegramtest.Proxy{To: listen}}
	call := func() {
		t.Helper()
		if some, err := api.CallHook(t.Context(), client, false); !some || err != nil {
			t.Fatal(some, err)
		}
	}
	chat.Say(ann, "/zevaka")
	call()
	if !api.Wait(t.Context(), func() bool { _, there := chat.Board(); return there }) {
		t.Fatalf("there is no board\n%s", s.log)
	}
	board, _ := chat.Board()
	id := ann.Press(board, "nothing")
	call()
	<-api.Answered(id)
	if n := len(api.Calls("answerCallbackQuery")); n > 0 {
		t.Errorf("the answer took %d calls of its own", n)
	}
	if !api.Wait(t.Context(), func() bool { _, page := api.MenuButton(); return page == "https://cards.example.org/tg" }) {
		t.Error("the menu button opens no live table")
	}
	s.close(t)
	_, secret := api.Hook()
	if said := s.log.String(); strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") || strings.Contains(said, secret) {
		t.Errorf("it says:\n%s", said)
	}
}
