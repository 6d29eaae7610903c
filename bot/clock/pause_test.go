package clock_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/storage/mem"
)

// TestPause: in a pause nothing is due and nobody may play, for which they read the operator's word; then all goes on as if it hadn't been.
func TestPause(t *testing.T) {
	c := bottest.NewClocked(t)
	token := c.AskAnn(chat.Command, "/zevaka").Posts[0].Buttons[1][0].Token
	for _, word := range []string{"", "back at noon"} {
		c.Bot.Pause(word)
		if n := c.Pass(3 * time.Hour); n != 0 {
			t.Errorf("%d pictures were shown in a pause", n)
		}
		if r := c.AskAnn(chat.Press, token); !r.Alert || len(r.Posts) > 0 || !strings.Contains(r.Toast, word) || r.Toast == "" {
			t.Errorf("a press in a pause is answered %+v", r)
		}
		if r := c.AskAnn(chat.Command, "/privacy"); r.Alert {
			t.Errorf("what is kept about people isn't told in a pause: %+v", r)
		}
	}
	if !c.Bot.Resume() || c.Bot.Resume() {
		t.Error("the pause doesn't end once")
	}
	if n := c.Pass(10 * time.Second); n != 0 {
		t.Errorf("time went on in the pause: %d pictures", n)
	}
	if n := c.Pass(3 * time.Hour); n == 0 {
		t.Error("time stands still after the pause")
	}
}

// TestFrozen: the time in which the process was frozen is no running time, and the time in which it had nothing to do is.
func TestFrozen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := clock.Open(t.Context(), mem.New(), slog.New(slog.DiscardHandler), nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		now := func(want time.Duration) {
			t.Helper()
			if got := table.Running(0).Until(c.Now()); got != want {
				t.Errorf("the running time is %v, want %v", got, want)
			}
		}
		time.Sleep(9 * time.Second)
		now(9 * time.Second)
		time.Sleep(time.Hour)
		now(9 * time.Second)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Run(ctx, func(context.Context) time.Duration { return time.Hour }) }()
		time.Sleep(2 * time.Minute)
		now(9*time.Second + 2*time.Minute)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
