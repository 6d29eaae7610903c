package clock_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
)

// TestDueFirst: after a start the tables are drawn first at which people wait for something, however many others somebody keeps.
func TestDueFirst(t *testing.T) {
	c, n := bottest.NewClocked(t), 0
	ask := func(user, group, topic int64, kind chat.Kind, data string) chat.Response {
		n++
		c.Running += time.Second
		return bottest.Seen(t.Context(), c.Bot, chat.Request{
			ID: fmt.Sprint("ask ", n), Kind: kind, Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en"}, Data: data,
			In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: group}, Channel: group, Thread: topic},
		})
	}
	for topic := range int64(200) {
		if r := ask(66, -1001, topic, chat.Command, "/tecza"); r.Alert {
			t.Fatal(r.Toast)
		}
	}
	open := func(group int64, limit string) table.ID {
		id, _ := table.ParseID(ask(1, group, 0, chat.Command, "/zevaka limit="+limit).Posts[0].Table)
		for _, step := range []struct {
			user int64
			do   string
		}{{2, "!join"}, {1, "!robot"}, {1, "!deal"}} {
			ask(step.user, group, 0, chat.Press, table.Token{Table: id, Do: step.do}.String())
		}
		for user := range int64(2) {
			ask(user+1, group, 0, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
		}
		return id
	}
	c.Running += 156 * time.Hour // The patiences wait long then, and are due sooner than the game without a limit.
	untimed, id := open(-1008, "none"), open(-1009, "60s")
	c.Pass(25 * time.Second)
	c.Clock.Mu.Lock()
	c.Clock.At = map[table.ID]bool{}
	c.Clock.Mu.Unlock()
	c.Restart()
	c.Pass(time.Second)
	c.Clock.Mu.Lock()
	defer c.Clock.Mu.Unlock()
	if !c.Clock.At[id] {
		t.Error("a game waits for the patiences of somebody else")
	}
	for clocks, most := range map[int]int{1: 21, 15: 2, 64: 1} {
		one, err := clock.Open(t.Context(), c.Store, slog.New(slog.DiscardHandler), func() time.Duration { return c.Running }, clocks)
		if err != nil {
			t.Fatal(err)
		}
		var drawn []string
		for end := c.Running + time.Second; c.Running <= end; c.Running += 10 * time.Millisecond {
			one.Ring(t.Context(), func(_ context.Context, r chat.Request) chat.Response {
				drawn = append(drawn, r.Data)
				return chat.Response{}
			}, func(context.Context, chat.Response) {})
		}
		if !slices.Contains(drawn, id.String()+" redraw") || len(drawn) > most || len(drawn) < min(most, 20) || clocks < 64 && !slices.Contains(drawn, untimed.String()+" redraw") {
			t.Errorf("beside %d other clocks one has %d tables drawn in a second: %q", clocks-1, len(drawn), drawn)
		}
	}
}
