package play_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/zevaka"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// club is a community with tables that have ended.
type club struct {
	testing.TB
	store storage.Store
	now   int64
	n     int
	ended []table.ID
	// guest says that the bot isn't a member of the place.
	guest bool
	// thread is the topic in which they play.
	thread int64
}

var home = chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -100}, Channel: -100}

func newClub(t testing.TB) *club {
	return &club{TB: t, store: stores.Bolt(t), now: time.Date(2026, 1, 3, 20, 0, 0, 0, time.UTC).Unix()}
}

// update runs fn as one transaction.
func (c *club) update(fn func(storage.Tx) error) {
	c.Helper()
	if err := storage.Update(c.Context(), c.store, fn); err != nil {
		c.Fatal(err)
	}
}

// end lets a deal of zevaka end in which the chairs' people, in order of seats, came to these places.
func (c *club) end(chairs []table.Chair, order []engine.Seat, ties ...[]engine.Seat) *table.Table {
	c.Helper()
	c.n++
	c.now += 600
	place := home
	place.Guest, place.Thread = c.guest, c.thread
	t := &table.Table{
		ID: table.ID{Community: home.Community, Name: fmt.Sprint("t", c.n)}, Format: table.Format, Phase: table.Ended,
		Agreed: table.Agreed{Place: place, Lang: "ru", Game: "zevaka"}, Chairs: chairs,
		End: table.End{Opened: c.now - 500, Dealt: c.now - 500, Ended: c.now, Result: &engine.Result{Places: order, Ties: ties}},
	}
	c.update(func(tx storage.Tx) error {
		if err := play.RecordResults(tx, t, zevaka.Rules{}.Info()); err != nil {
			return err
		}
		value, err := t.Encode()
		tx.Put(table.KeyEnded(t.ID), value)
		return err
	})
	c.ended = append(c.ended, t.ID)
	return c.table(t.ID)
}

func (c *club) table(id table.ID) *table.Table {
	c.Helper()
	items, err := c.store.Get(c.Context(), table.KeyEnded(id))
	if err != nil {
		c.Fatal(err)
	}
	t, err := table.Decode(id, items[0].Value)
	if err != nil {
		c.Fatal(err)
	}
	return t
}

func key(user int64) scores.Key {
	return scores.Key{Community: home.Community.String(), Game: "zevaka", User: user}
}

// tally is what the scores say of somebody.
func (c *club) tally(user int64) scores.Tally {
	c.Helper()
	all, err := storage.Read(c.Context(), c.store, func(from storage.Reader) ([]scores.Tally, error) { return scores.Read(from, key(user)) })
	if err != nil {
		c.Fatal(err)
	}
	return all[0]
}

// leave lets the i-th table leave, and carries what it has counted forward.
func (c *club) leave(i int) {
	c.Helper()
	t := c.table(c.ended[i])
	c.update(func(tx storage.Tx) error {
		for _, f := range t.Finishes(6) {
			if *f.N == 0 {
				continue
			}
			if err := scores.CarryForward(tx, f.Entry(t)); err != nil {
				return err
			}
		}
		tx.Delete(table.KeyEnded(t.ID))
		return nil
	})
	c.ended = append(c.ended[:i:i], c.ended[i+1:]...)
}

// forget forgets somebody, as people can ask for.
func (c *club) forget(user int64) {
	c.Helper()
	c.update(func(tx storage.Tx) error {
		if err := play.ForgetResults(tx, home.Community.String(), user); err != nil {
			return err
		}
		return scores.Forget(tx, key(user))
	})
	for _, id := range c.ended {
		t := c.table(id)
		t.Forget(user, "Guest")
		c.update(func(tx storage.Tx) error {
			value, err := t.Encode()
			tx.Put(table.KeyEnded(id), value)
			return err
		})
	}
	if err := (scores.Book{Store: c.store, Community: home.Community.String()}).Remake(c.Context(), "zevaka"); err != nil {
		c.Fatal(err)
	}
}

// agree wants the scores to be, to the last bit, what is worked out again from the tables and from what was carried forward.
func (c *club) agree() {
	c.Helper()
	again, err := upkeep.NewArchive(c.store, games.All()).Scores(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	if err := again.Compare(c.Context(), c.store, func(d scores.Difference) { c.Error(d) }); err != nil {
		c.Fatal(err)
	}
}

// chairs are people by their numbers; 0 is a computer.
func chairs(users ...int64) []table.Chair {
	all := make([]table.Chair, len(users))
	for i, user := range users {
		all[i] = table.Chair{User: user, Name: fmt.Sprint("P", user)}
	}
	return all
}

// TestRated: whose rating a deal changes, and as if they had finished in which order.
func TestRated(t *testing.T) {
	type seats = []engine.Seat
	left := func(all []table.Chair, seat int) []table.Chair { all[seat].Left = true; return all }
	helped := func(all []table.Chair, seat int) []table.Chair { all[seat].Helped = true; return all }
	out := func(all []table.Chair, seat int) []table.Chair {
		all[seat].Left, all[seat].Out = true, true
		return all
	}
	removed := func(all []table.Chair, seat int) []table.Chair {
		all[seat].Left, all[seat].Removed = true, true
		return all
	}
	for name, test := range map[string]struct {
		chairs []table.Chair
		order  seats
		ties   []seats
		// want is the place of each seat among those who are rated; 0 is not rated.
		want []int
	}{
		"people":                            {chairs(1, 2, 3), seats{1, 0, 2}, nil, []int{2, 1, 3}},
		"a shared place":                    {chairs(1, 2, 3), seats{1, 0, 2}, []seats{{0, 2}}, []int{2, 1, 2}},
		"all alike":                         {chairs(1, 2), seats{0, 1}, []seats{{0, 1}}, []int{1, 1}},
		"a computer first":                  {chairs(1, 0, 3), seats{1, 0, 2}, nil, []int{1, 0, 2}},
		"a computer between":                {chairs(1, 0, 3), seats{2, 1, 0}, nil, []int{2, 0, 1}},
		"one with computers":                {chairs(1, 0, 0), seats{0, 1, 2}, nil, []int{0, 0, 0}},
		"who left is last":                  {left(chairs(1, 2, 3), 1), seats{1, 0, 2}, nil, []int{1, 3, 2}},
		"played for by a computer":          {helped(chairs(1, 2, 3), 0), seats{0, 2, 1}, nil, []int{3, 2, 1}},
		"two who left share the last":       {left(helped(chairs(1, 2, 3), 0), 1), seats{0, 1, 2}, nil, []int{2, 2, 1}},
		"who leaves after the last card":    {out(chairs(1, 2, 3), 1), seats{1, 0, 2}, nil, []int{2, 1, 3}},
		"who was removed wasn't there":      {removed(chairs(1, 2, 3), 1), seats{1, 0, 2}, nil, []int{1, 0, 2}},
		"nobody is left to compare with":    {removed(chairs(1, 2), 1), seats{1, 0}, nil, []int{0, 0}},
		"who left where a computer is last": {left(chairs(1, 2, 0), 0), seats{0, 1, 2}, nil, []int{2, 1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClub(t)
			var before []scores.KeptRating
			var places []int
			for _, place := range test.want {
				if place > 0 {
					before, places = append(before, scores.StartRating()), append(places, place)
				}
			}
			after := scores.PlayedOn(before, places)
			played := c.end(test.chairs, test.order, test.ties...)
			for i, chair := range played.Chairs {
				var want, was scores.KeptRating
				if test.want[i] > 0 {
					want, was, after = after[0], scores.StartRating(), after[1:]
				}
				if chair.Was != was {
					t.Errorf("seat %d was %v, want %v", i, chair.Was, was)
				}
				if chair.User == 0 {
					continue
				}
				got := c.tally(chair.User)
				if got.Rating != want {
					t.Errorf("seat %d has %v, want %v", i, got.Rating, want)
				}
				if chair.Quit() && (got.Wins > 0 || got.Places != [scores.MaxPlaces]int64{}) {
					t.Errorf("seat %d has won: %+v", i, got)
				}
			}
			c.agree()
		})
	}
}

// TestHistories plays histories by chance, in which tables leave in any order and people are forgotten, and come back: what is worked
// out again is what is stored, and whoever is forgotten changes nobody else's rating.
func TestHistories(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c, chance := newClub(t), rand.New(rand.NewPCG(7, seed))
			const people = 9
			ratings := func(but int64) (all [people + 1]scores.KeptRating) {
				for user := int64(1); user <= people; user++ {
					if user != but {
						all[user] = c.tally(user).Rating
					}
				}
				return all
			}
			for step := range 160 {
				switch {
				case step%20 == 19:
					c.agree()
					user := chance.Int64N(people) + 1
					before := ratings(user)
					c.forget(user)
					if after := ratings(user); after != before {
						t.Fatalf("forgetting P%d has made %v of %v", user, after, before)
					}
					c.agree()
				case chance.IntN(3) == 0 && len(c.ended) > 0:
					i := 0
					if chance.IntN(4) == 0 {
						i = chance.IntN(len(c.ended))
					}
					c.leave(i)
				default:
					c.deal(chance, people)
				}
			}
			c.agree()
		})
	}
}

// deal is a deal of some people and computers, of whom some leave, that ends by chance.
func (c *club) deal(chance *rand.Rand, people int) {
	c.Helper()
	var order []engine.Seat
	var all []table.Chair
	for _, user := range chance.Perm(people)[:2+chance.IntN(5)] {
		one := chairs(int64(user + 1))[0]
		switch chance.IntN(10) {
		case 0:
			one = table.Chair{Name: "computer"}
		case 1:
			one.Left = true
		case 2:
			one.Helped = true
		case 3:
			one.Left, one.Removed = true, true
		}
		all = append(all, one)
	}
	for _, seat := range chance.Perm(len(all)) {
		order = append(order, engine.Seat(seat))
	}
	if chance.IntN(3) == 0 {
		c.end(all, order, []engine.Seat{min(order[0], order[1]), max(order[0], order[1])})
		return
	}
	c.end(all, order)
}

// TestBroken: a rating that is changed, in the scores or at a table, is found where it was changed.
func TestBroken(t *testing.T) {
	c := newClub(t)
	for range 4 {
		c.end(chairs(1, 2, 3), []engine.Seat{2, 0, 1})
	}
	bent := c.table(c.ended[1])
	bent.Chairs[0].Was.Mean += 5
	c.update(func(tx storage.Tx) error {
		value, err := bent.Encode()
		tx.Put(table.KeyEnded(bent.ID), value)
		return err
	})
	again, err := upkeep.NewArchive(c.store, games.All()).Scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	if err := again.Compare(t.Context(), c.store, func(d scores.Difference) { found = append(found, d.String()) }); err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 || !strings.Contains(found[0], "finish 2 has found another rating") || !strings.HasPrefix(found[0], keyspace.Tallies) {
		t.Errorf("found: %q", found)
	}
}

// TestWay: the way of a rating is what it was after each of the last sixty games, and leaves with its person.
func TestWay(t *testing.T) {
	c := newClub(t)
	for range 70 {
		c.end(chairs(1, 2), []engine.Seat{0, 1})
	}
	way := func(user int64) []scores.Step {
		all, err := storage.Read(t.Context(), c.store, func(from storage.Reader) ([]scores.Step, error) { return scores.Way(from, key(user)) })
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	steps := way(1)
	if last := steps[len(steps)-1]; len(steps) != 60 || last.At != c.now || last.Rating != c.tally(1).Rating || steps[0].Rating.Games != 11 {
		t.Errorf("%d steps, the last %v", len(steps), last)
	}
	if c.forget(1); len(way(1)) != 0 || len(way(2)) != 60 {
		t.Error("the ways of people are other ones after one of them was forgotten")
	}
}

// told are the posts of seasons that are told from at a time and goes on for so long.
func (c *club) told(at time.Time, long time.Duration) (posts []chat.Post) {
	c.Helper()
	catalogue, err := words.Load()
	if err != nil {
		c.Fatal(err)
	}
	started := time.Now()
	now := func() time.Time { return at.Add(time.Since(started)) }
	house := table.NewHouse(c.store, games.All(), catalogue, slog.New(slog.DiscardHandler), now)
	ctx, cancel := context.WithTimeout(c.Context(), long)
	defer cancel()
	play.TellSeasons(ctx, house, func(_ context.Context, r chat.Response) { posts = append(posts, r.Posts...) })
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
						unknown := slices.ContainsFunc(p.Text, func(s chat.Span) bool { return (s.Text == "P1" || s.Text == "P2") && s.Of == 0 })
						if !p.In.Same(home) || p.To != nil || unknown {
							t.Errorf("it is told in %+v, in %+v", p.In, p.Text)
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

// TestToldWhereMostPlay: a month is told in the topic where most of its games were, whichever was the last, and in the group itself if that
// is gone.
func TestToldWhereMostPlay(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		elsewhere int
		gone      int64
		want      int64
	}{
		"the last elsewhere":                  {elsewhere: 1, want: 3},
		"and that topic is gone":              {elsewhere: 1, gone: 666, want: 3},
		"most elsewhere":                      {elsewhere: 9, want: 666},
		"the topic of most is gone":           {elsewhere: 9, gone: 666, want: 0},
		"the topic of most before it is gone": {elsewhere: 1, gone: 3, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClub(t)
				c.thread = 3
				c.month(at.Add(-24 * hour))
				c.thread = 666
				for range test.elsewhere {
					c.end(chairs(7, 8), []engine.Seat{0, 1})
				}
				c.update(func(tx storage.Tx) error {
					in := home
					in.Thread = test.gone
					if test.gone == 0 {
						return nil
					}
					return play.GoneFromResults(tx, in)
				})
				posts := c.told(at, hour)
				if len(posts) != 1 || posts[0].In.Thread != test.want {
					t.Errorf("told %+v", posts)
				}
			})
		})
	}
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

// TestPlayedForByComputer: who lets the computer play, which overlooks nothing, has played and not won. P1 comes first in
// each of these games; the others overlook everything.
func TestPlayedForByComputer(t *testing.T) {
	leave := func(h *bottest.Hall, _ *table.Table) { h.Must(1, 1, chat.Command, "/leave") }
	helped := func(t *table.Table) bool {
		return slices.ContainsFunc(t.Chairs, func(c table.Chair) bool { return c.User == 1 && c.Helped })
	}
	for _, test := range []struct {
		name    string
		options string
		// begin is what P1 does after the deal, after what once they have no cards left.
		begin, after func(*bottest.Hall, *table.Table)
		// first and other are what the scores say of P1 and P2: games, wins, first places.
		first, other string
	}{
		{name: "who plays to the end has won", first: "1 1 1", other: "1 0 0"},
		{name: "who leaves has not", begin: leave, first: "1 0 0", other: "1 0 0"},
		{
			name: "who comes back after the computer has moved has not",
			begin: func(h *bottest.Hall, t *table.Table) {
				leave(h, t)
				playUntil(h, t.ID, helped)
				h.Must(1, 1, chat.Command, "/back")
			},
			first: "1 0 0", other: "1 0 0",
		},
		{
			name:  "who comes back before has",
			begin: func(h *bottest.Hall, t *table.Table) { leave(h, t); h.Must(1, 1, chat.Command, "/back") },
			first: "1 1 1", other: "1 0 0",
		},
		{
			name: "who doesn't answer until the computer plays has not", options: "limit=15s",
			begin: func(h *bottest.Hall, t *table.Table) {
				for !chair(h, h.Look(t.ID), 1).Away {
					playUntil(h, t.ID, func(*table.Table) bool { return h.Turn(1) == 1 })
					h.Pass(16 * time.Second)
				}
				playUntil(h, t.ID, helped)
			},
			first: "1 0 0", other: "1 0 0",
		},
		{name: "who leaves after their last card has", options: "end=last", after: leave, first: "1 1 1", other: "1 0 0"},
		{name: "who was removed has not even played", begin: removeP1, first: "0 0 0", other: "1 0 0"},
		{
			name: "who is left alone has not, either",
			begin: func(h *bottest.Hall, t *table.Table) {
				removeP1(h, t)
				change(h, t.ID, func(t *table.Table) { c := chair(h, t, 3); c.Left, c.Removed = true, true })
			},
			first: "0 0 0", other: "0 0 0",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, "/zevaka limit=none end=first "+test.options)
			id := h.Table(1).ID
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 3, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			h.Cut(1)
			if test.begin != nil {
				test.begin(h, h.Look(id))
			}
			playUntil(h, id, func(t *table.Table) bool { return chair(h, t, 1).Out })
			if test.after != nil {
				test.after(h, h.Look(id))
			}
			playUntil(h, id, func(*table.Table) bool { return false })
			now := h.Look(id)
			if first := now.Chairs[now.Result.Places[0]].User; first != 1 {
				t.Fatalf("P%d came first", first)
			}
			for user, want := range map[int64]string{1: test.first, 2: test.other} {
				if got := tally(h, now, user); got != want {
					t.Errorf("the scores of P%d are %s, not %s", user, got, want)
				}
			}
			h.Audit()
		})
	}
}

// TestComputerCameLast: who lets the computer play is the зевака all the same when it comes last.
func TestComputerCameLast(t *testing.T) {
	end := &table.Table{
		Chairs: []table.Chair{{User: 1}, {User: 2, Helped: true}},
		End:    table.End{Result: &engine.Result{Places: []engine.Seat{0, 1}}},
	}
	for _, f := range (&table.Table{Chairs: []table.Chair{{User: 1}, {User: 2}}, End: table.End{Result: end.Result}}).Finishes(6) {
		if f.Won != (f.Place == 1) || f.Place == 0 {
			t.Errorf("a finish of before is %+v", f.Finish)
		}
	}
	all := end.Finishes(6)
	if all[0].Last || !all[0].Won || all[0].Place != 1 || !all[1].Last || all[1].Won || all[1].Place != 0 {
		t.Errorf("the finishes are %+v and %+v", all[0].Finish, all[1].Finish)
	}
}

// chair is where the user sits.
func chair(h *bottest.Hall, t *table.Table, user int64) *table.Chair {
	h.T.Helper()
	seat, ok := t.SeatOf(user)
	if !ok {
		h.T.Fatalf("P%d doesn't sit there", user)
	}
	return &t.Chairs[seat]
}

// change changes a table where it lies.
func change(h *bottest.Hall, id table.ID, fn func(*table.Table)) {
	h.T.Helper()
	t := h.Look(id)
	fn(t)
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
		value, err := t.Encode()
		tx.Put(table.KeyOpen(id), value)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// removeP1 has somebody take P1 from the table, for whom the computer moves then.
func removeP1(h *bottest.Hall, t *table.Table) {
	h.T.Helper()
	change(h, t.ID, func(t *table.Table) {
		c := chair(h, t, 1)
		c.Left, c.Removed = true, true
		t.Chance = table.Running(h.Running.Milliseconds()) // It may be P1's turn.
	})
	h.Restart()
}

// playUntil lets people move until done says so or the table has ended: P1 overlooks nothing, the others everything.
func playUntil(h *bottest.Hall, id table.ID, done func(*table.Table) bool) {
	h.T.Helper()
	chance := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		t := h.Look(id)
		if t.Phase == table.Ended || done(t) {
			return
		}
		state := h.State(t)
		seat := state.Turn()[0]
		if t.Chairs[seat].Computer() {
			h.Pass(2 * time.Second)
			continue
		}
		skill := 0.0
		if t.Chairs[seat].User == 1 {
			skill = 1
		}
		do := h.Games[t.Game].Text(state.Auto(seat, skill, chance))
		h.Must(1, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.T.Fatal("it doesn't come to that")
}

// tally is what the scores say of somebody: games, wins, first places.
func tally(h *bottest.Hall, t *table.Table, user int64) string {
	h.T.Helper()
	var all []scores.Tally
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) (err error) {
		all, err = scores.Read(tx, scores.Key{Community: t.Origin(), Game: t.Game, User: user})
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return fmt.Sprint(all[0].Games, all[0].Wins, all[0].Places[0])
}
