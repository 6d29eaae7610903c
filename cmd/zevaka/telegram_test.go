//go:build unix

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestTelegram does what OPERATING.md says of Telegram: a bot in a group, at first by polling, then by a webhook.
func TestTelegram(t *testing.T) {
	t.Parallel()
	api := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(api)
	t.Cleanup(web.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	settings := []string{
		"ZEVAKA_DB=" + filepath.Join(t.TempDir(), "t.db"), "TELEGRAM_TOKEN=" + telegramtest.Token, "TELEGRAM_API=" + web.URL,
	}
	s := start(t, settings...)
	ann := api.NewUser("Аня", "ru")
	chat := api.NewGroup("Игры", ann)
	chat.Say(ann, "/zevaka")
	boardSays := func(text string) telegramtest.Message {
		t.Helper()
		var board telegramtest.Message
		if !api.Wait(ctx, func() bool { board, _ = chat.Board(); return strings.Contains(board.Text, text) }) {
			t.Fatalf("no board says %q\n%s", text, s.log)
		}
		return board
	}
	press := func(board telegramtest.Message, label string) string {
		t.Helper()
		for _, b := range board.Buttons {
			if b.Text == label {
				return ann.Press(board, b.Data)
			}
		}
		t.Fatalf("no button is called %s: %+v", label, board.Buttons)
		return ""
	}
	board := boardSays("1. Аня хозяин стола")
	<-api.Answered(press(board, "+ 🤖"))
	boardSays("2. 🤖")
	if !api.Wait(ctx, func() bool { return len(api.Calls("setMyCommands")) == 12 }) {
		t.Errorf("%d menus were set", len(api.Calls("setMyCommands")))
	}
	s.end(t, syscall.SIGTERM)
	said := s.log.String()

	listen := telegramtest.FreeAddress()
	s = start(t, append(settings, "ZEVAKA_TELEGRAM_WEBHOOK=https://cards.example.org/telegram", "ZEVAKA_TELEGRAM_WEBHOOK_LISTEN="+listen,
		"ZEVAKA_PUBLIC_URL=https://cards.example.org")...)
	if !api.Wait(ctx, func() bool { url, _ := api.Hook(); return url == "https://cards.example.org/telegram" }) {
		t.Fatal("no webhook was set")
	}
	calls := len(api.Calls("answerCallbackQuery"))
	id := press(board, "+ 🤖")
	if some, err := api.CallHook(ctx, &http.Client{Transport: telegramtest.Proxy{To: listen}}, false); !some || err != nil {
		t.Fatal(some, err)
	}
	<-api.Answered(id)
	boardSays("3. 🤖")
	if !api.Wait(ctx, func() bool { _, page := api.MenuButton(); return page == "https://cards.example.org/tg" }) {
		t.Error("the menu button opens no live table")
	}
	if n := len(api.Calls("answerCallbackQuery")) - calls; n > 0 {
		t.Errorf("the answer took %d calls of its own", n)
	}
	s.end(t, syscall.SIGTERM)
	said += s.log.String()
	_, secret := api.Hook()
	if strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") || strings.Contains(said, secret) || strings.Contains(said, "AAtest") {
		t.Errorf("it says:\n%s", said)
	}
	if r := api.Report(); len(r.Violations) > 0 || r.Unanswered > 0 || r.Limited > 0 {
		t.Errorf("%+v", r)
	}
}
