//go:build unix

package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
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

// TestTelegram does what docs/telegram.md says: with a token, the bot deals in a group.
func TestTelegram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := telegramtest.New(telegramtest.Options{})
		wire := telegramtest.NewWire(api)
		c := parsed(t, "--listen=off", "--telegram-token", telegramtest.Token, "--telegram-api=http://telegram.test")
		for _, p := range c.chats() {
			if o, ok := p.(*telegram.Options); ok {
				o.Transport = wire
			}
		}
		said := new(testlog.Log)
		log := slog.New(slog.NewTextHandler(said, nil))
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.alone(ctx, mem.New(), "", watch.New(watch.Options{Log: log}), log) }()
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
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wire.Close()
		time.Sleep(time.Second) // Servers take their time to close connections.
		if text := said.String(); strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") || strings.Contains(text, "AAtest") {
			t.Errorf("it says:\n%s", text)
		}
		if r := api.Report(); len(r.Violations) > 0 || r.Unanswered > 0 || r.Limited > 0 {
			t.Errorf("%+v", r)
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
