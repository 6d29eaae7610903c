package play_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// told are the posts of a Teller that begins at a time and goes on for so long.
func (c *club) told(at time.Time, long time.Duration) (posts []chat.Post) {
	c.Helper()
	catalogue, err := words.Load()
	if err != nil {
		c.Fatal(err)
	}
	started := time.Now()
	b := play.Teller{Store: c.store, Words: catalogue, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return at.Add(time.Since(started)) }}
	ctx, cancel := context.WithTimeout(c.Context(), long)
	defer cancel()
	b.Run(ctx, func(_ context.Context, r chat.Response) { posts = append(posts, r.Posts...) })
	return posts
}

// month lets P1 win five deals against P2 and lose one in the month of a time.
func (c *club) month(at time.Time) {
	c.Helper()
	c.now = at.Unix()
	for i := range 6 {
		c.end(chairs(1, 2), []engine.Seat{engine.Seat(i / 5), engine.Seat(1 - i/5)})
	}
}

const hour = time.Hour

// TestTold: a month is told once, in the place where people play and in its language, after it is over; a bot that begins
// again doesn't tell it again, nor does one whose clock goes back.
func TestTold(t *testing.T) {
	november, december := time.Date(2026, 11, 12, 18, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	decide := func(c *club) {
		c.update(func(tx storage.Tx) error {
			return storage.PutJSON(tx, table.KeyDecisions(home.Community.String()), table.Decisions{NoSeasons: true})
		})
	}
	const whole = "Зевака: лучшие за ноябрь\n🏆 P1 — побед 5 из 6\n2. P2 — побед 1 из 6\n🥱 Зевака месяца — P2, 5 раз\n\nРаз в месяц. Администраторы могут отключить: /season off"
	for name, test := range map[string]struct {
		before func(*club)
		at     time.Time
		want   []string
	}{
		"it isn't over":        {at: november},
		"over while it runs":   {at: december.Add(-hour), want: []string{whole}},
		"over when it begins":  {at: december.Add(20 * 24 * hour), want: []string{whole}},
		"long over":            {at: december.AddDate(0, 2, 0)},
		"another has begun":    {before: func(c *club) { c.month(december.Add(hour)) }, at: december.Add(5 * hour), want: []string{whole}},
		"switched off":         {before: decide, at: december},
		"one of them is gone":  {before: func(c *club) { c.forget(2) }, at: december},
		"forgotten afterwards": {before: func(c *club) { c.month(december); c.forget(2) }, at: december.Add(hour)},
		"the bot was removed": {before: func(c *club) {
			c.update(func(tx storage.Tx) error { return play.GoneFromResults(tx, chat.Place{Community: home.Community}) })
		}, at: december},
		"another place is gone": {before: func(c *club) {
			c.update(func(tx storage.Tx) error {
				return play.GoneFromResults(tx, chat.Place{Community: home.Community, Channel: 5})
			})
		}, at: december, want: []string{whole}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClub(t)
				c.month(november)
				if test.before != nil {
					test.before(c)
				}
				var got []string
				for _, at := range []time.Time{test.at, test.at, test.at.Add(24 * hour), test.at.Add(-24 * hour), test.at} {
					for _, p := range c.told(at, 3*hour) {
						got = append(got, words.Flat(p.Text))
						if !p.In.Same(home) || p.To != nil {
							t.Errorf("it is told in %+v", p.In)
						}
					}
				}
				if strings.Join(got, "\n---\n") != strings.Join(test.want, "\n---\n") {
					t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n---\n"), strings.Join(test.want, "\n---\n"))
				}
			})
		})
	}
}

// TestToldNowhere: a place that the bot isn't a member of is told nothing, nor one in which too little was played; a community
// with another ID is told under that.
func TestToldNowhere(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	synctest.Test(t, func(t *testing.T) {
		c := newClub(t)
		home := home
		c.now = at.Add(-24 * hour).Unix()
		for range 2 {
			c.end(chairs(1, 2), []engine.Seat{0, 1})
		}
		if posts := c.told(at, hour); len(posts) > 0 {
			t.Errorf("after two games: %+v", posts)
		}
		c = newClub(t)
		c.guest = true
		c.month(at.Add(-24 * hour))
		if posts := c.told(at, hour); len(posts) > 0 {
			t.Errorf("as a guest: %+v", posts)
		}
		c = newClub(t)
		c.month(at.Add(-24 * hour))
		to := chat.Community{Platform: chat.Telegram, ID: -1001}
		c.update(func(tx storage.Tx) error { return play.MoveTellings(tx, home.Community.String(), to) })
		if posts := c.told(at, hour); len(posts) != 1 || posts[0].In.Community != to || posts[0].In.Channel != to.ID {
			t.Errorf("under another ID: %+v", posts)
		}
	})
}

// TestToldUnheard: as long as it isn't known that what was told stands somewhere, that can be asked; it is told once all the same.
func TestToldUnheard(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	synctest.Test(t, func(t *testing.T) {
		c := newClub(t)
		unheard := func(when string, in chat.Place, want bool) {
			t.Helper()
			got, err := storage.Read(t.Context(), c.store, func(from storage.Reader) (bool, error) {
				return play.Unheard(from, home.Community.String(), in)
			})
			if err != nil || got != want {
				t.Errorf("%s it is %v that it wasn't heard, %v", when, got, err)
			}
		}
		c.month(at.Add(-24 * hour))
		unheard("before", home, false)
		posts := c.told(at, hour)
		if len(posts) != 1 || posts[0].Receipt == "" {
			t.Fatalf("told %+v", posts)
		}
		unheard("told", home, true)
		unheard("elsewhere", chat.Place{Community: home.Community, Channel: 5}, false)
		for _, r := range []chat.Request{
			{Data: "day 7", In: home}, {Data: posts[0].Receipt, In: chat.Place{Community: home.Community, Channel: 5}}, {Data: "month chess", In: home},
		} {
			if mine, err := play.TellingShown(t.Context(), c.store, r); err != nil || mine != strings.HasPrefix(r.Data, "month ") {
				t.Errorf("%+v: %v, %v", r, mine, err)
			}
		}
		unheard("somewhere else it stands", home, true)
		if more := c.told(at, 3*hour); len(more) > 0 {
			t.Errorf("told again: %+v", more)
		}
		if _, err := play.TellingShown(t.Context(), c.store, chat.Request{Data: posts[0].Receipt, In: home}); err != nil {
			t.Error(err)
		}
		unheard("shown", home, false)
	})
}
