package bot

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/bot/personal"
	"zevaka/bot/rating"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// circles are chats in which the same people have played.
type circles struct {
	*testing.T
	bot   *Bot
	store storage.Store
	n     int
}

func newCircles(t *testing.T) *circles { return newCirclesOn(t, mem.New()) }

func newCirclesOn(t *testing.T, s storage.Store) *circles {
	t.Helper()
	c := &circles{T: t, store: s}
	var err error
	if c.bot, err = New(t.Context(), Options{Store: c.store, Games: games.All()}); err != nil {
		t.Fatal(err)
	}
	return c
}

// puts writes something into the store.
func (c *circles) puts(key string, value string) {
	c.Helper()
	err := storage.Update(c.Context(), c.store, func(tx storage.Tx) error {
		tx.Put(key, []byte(value))
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
}

func circleAt(n int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -100 - n}, Channel: n}
}

// plays has somebody have played so many games in a chat, and has them known there.
func (c *circles) plays(n, user int64, k rating.Kept) {
	c.Helper()
	origin := circleAt(n).Community.String()
	err := storage.Update(c.Context(), c.store, func(tx storage.Tx) error {
		f := scores.Finish{Won: true, Place: 1, Was: rating.Start(), Rating: k, At: 1_790_000_000}
		_, err := scores.Record(tx, scores.Key{Community: origin, Game: "zevaka", User: user}, fmt.Sprint("P", user), f)
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
}

// ask is what somebody is answered in a chat, and its text.
func (c *circles) ask(n, user int64, kind chat.Kind, data string) (r chat.Response, text string) {
	c.Helper()
	c.n++
	r = c.bot.seen(c.Context(), chat.Request{ID: fmt.Sprint("circle ", c.n), Kind: kind, Who: hallUser(user), In: circleAt(n), Data: data})
	return r, flatOf(r)
}

// joins has somebody choose whether their ratings count together in a chat.
func (c *circles) joins(n, user int64, value string) {
	c.Helper()
	if r, _ := c.ask(n, user, chat.Press, table.PlaceToken(chat.Request{In: circleAt(n)}, "!own joined "+value)); r.Alert {
		c.Fatalf("P%d in chat %d is answered %+v", user, n, r)
	}
}

// told is what everybody reads in a chat of a rating across chats, in a line; empty if there is none.
func (c *circles) told(n int64, who string) string {
	c.Helper()
	_, text := c.ask(n, 9, chat.Command, "/scores "+who)
	for line := range strings.Lines(text) {
		if strings.Contains(line, "🌐") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TestJoined: ratings count together in those chats, and are told there, where their owner has chosen so.
func TestJoined(t *testing.T) {
	c := newCircles(t)
	for n, k := range []rating.Kept{{Mean: 31_000_000, Spread: 3_000_000, Games: 6}, {Mean: 27_000_000, Spread: 2_000_000, Games: 5}, {Mean: 5_000_000, Spread: 1_000_000, Games: 90}} {
		c.plays(int64(n), 1, k)
		c.plays(int64(n), 2, k)
	}
	const both = "🌐 Zevaka in 2 chats together, 11 rated games: rating 880"
	c.joins(0, 1, "on")
	if got := c.told(0, "P1"); got != "" {
		t.Errorf("of one chat they read %q", got)
	}
	c.joins(1, 1, "on")
	for n, want := range []string{both, both, ""} {
		if got := c.told(int64(n), "P1"); got != want {
			t.Errorf("in chat %d they read %q, want %q", n, got, want)
		}
		if got := c.told(int64(n), "P2"); got != "" {
			t.Errorf("in chat %d they read of somebody who hasn't chosen so %q", n, got)
		}
	}
	c.joins(1, 1, "off")
	if got := c.told(0, "P1"); got != "" {
		t.Errorf("when the other chat doesn't count any more they read %q", got)
	}
	c.joins(1, 1, "on")
	if r, _ := c.ask(0, 1, chat.Press, answerIn(answered(c.ask(0, 1, chat.Command, "/forgetme")))); r.Alert {
		t.Fatalf("/forgetme is answered %+v", r)
	}
	for n := range int64(2) {
		if got := c.told(n, "P1"); got != "" {
			t.Errorf("when somebody was forgotten in one they read in chat %d %q", n, got)
		}
	}
	c.joins(1, 1, "off")
	if items, err := c.store.Scan(t.Context(), "J/", "", 10); err != nil || len(items) > 0 {
		t.Errorf("at last there are %+v, %v", items, err)
	}
}

func answered(r chat.Response, _ string) chat.Response { return r }

// TestJoinedIsTold: who asks what is kept about them reads of it, and what it means stands where it is chosen; in private there is
// nothing to choose.
func TestJoinedIsTold(t *testing.T) {
	c := newCircles(t)
	c.plays(0, 1, rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 6})
	c.joins(0, 1, "on")
	if _, text := c.ask(0, 1, chat.Command, "/mydata"); !strings.Contains(text, "your ratings in several chats count together") {
		t.Errorf("what is kept about them is %q", text)
	}
	r, text := c.ask(0, 1, chat.Command, "/settings me")
	if buttonOf(r, "My rating counts across chats: on") == "" || !strings.Contains(text, "Which chats they are nobody is told.") {
		t.Errorf("their settings are %+v", r)
	}
	own := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1}, Channel: 1, Private: true}
	forged := c.bot.seen(t.Context(), chat.Request{ID: "forged", Kind: chat.Press, Who: hallUser(1), In: own, Data: table.PlaceToken(chat.Request{In: own}, "!own joined on")})
	if !forged.Alert {
		t.Errorf("in private it is answered %+v", forged)
	}
}

// TestJoinedElsewhere: of more chats than there is room for the newest count; one that came from another database is found, and one
// that went there counts no more.
func TestJoinedElsewhere(t *testing.T) {
	c := newCircles(t)
	k := rating.Kept{Mean: 25_000_000, Spread: 2_000_000, Games: 10}
	for n := range int64(personal.MaxJoined + 2) {
		c.plays(n, 1, k)
		c.joins(n, 1, "on")
	}
	if got := c.told(1, "P1"); got != "" {
		t.Errorf("in the second chat they read %q", got)
	}
	for _, n := range []int64{2, personal.MaxJoined + 1} {
		if got, want := c.told(n, "P1"), fmt.Sprintf("in %d chats", personal.MaxJoined); !strings.Contains(got, want) {
			t.Errorf("in chat %d they read %q, want %q", n, got, want)
		}
	}
	err := storage.Update(t.Context(), c.store, func(tx storage.Tx) error {
		tx.Delete(personal.Key(circleAt(5).Community.String(), 1))
		return storage.PutJSON(tx, "J/*/t/1", []string{circleAt(5).Community.String(), circleAt(6).Community.String()})
	})
	if err == nil {
		err = personal.List(t.Context(), c.store, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.told(6, "P1"), fmt.Sprintf("in %d chats", personal.MaxJoined-1); !strings.Contains(got, want) {
		t.Errorf("when one has moved away they read %q, want %q", got, want)
	}
}

// TestJoinedForged: nobody's ratings count together but by their own press where they are: not those of the same number on another
// platform, of whom somebody mentions, of a list that names more, or of one who has chosen otherwise since.
func TestJoinedForged(t *testing.T) {
	c := newCircles(t)
	k := rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 12}
	for n := range int64(3) {
		c.plays(n, 1, k)
		c.plays(n, 2, k)
	}
	c.joins(0, 1, "on")
	c.joins(1, 1, "on")
	discord := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 7}, Channel: 7}
	for _, in := range []chat.Place{discord, {Community: chat.Community{Platform: chat.Discord, ID: 8}, Channel: 8}} {
		origin := in.Community.String()
		err := storage.Update(t.Context(), c.store, func(tx storage.Tx) error {
			f := scores.Finish{Won: true, Place: 1, Was: rating.Start(), Rating: k, At: 1_790_000_000}
			_, err := scores.Record(tx, scores.Key{Community: origin, Game: "zevaka", User: 1}, "P1", f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	c.bot.seen(t.Context(), chat.Request{ID: "d", Kind: chat.Press, Who: hallUser(1), In: discord, Data: table.PlaceToken(chat.Request{In: discord}, "!own joined on")})
	for _, who := range []string{"P1", "<@1>"} {
		if got := c.told(0, who); !strings.Contains(got, "in 2 chats") {
			t.Errorf("of %s they read %q", who, got)
		}
	}
	// The list is no more than a hint: what they have chosen in each chat says what counts.
	c.puts("J/*/t/1", `["t-2s","t-2t","t-2u","t-2s","t-zz"]`)
	c.puts("J/*/t/2", `["t-2s","t-2t"]`)
	if got := c.told(0, "P2"); got != "" {
		t.Errorf("of who has chosen nothing they read %q", got)
	}
	for _, forged := range []string{"!own joined maybe", "!own joined", "!set joined on"} {
		if r, _ := c.ask(0, 2, chat.Press, table.PlaceToken(chat.Request{In: circleAt(0)}, forged)); !r.Alert {
			t.Errorf("%s is answered %+v", forged, r)
		}
	}
}

// TestJoinedTwice: a chat that stands in the list twice counts once.
func TestJoinedTwice(t *testing.T) {
	c := newCircles(t)
	for n := range int64(2) {
		c.plays(n, 1, rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 12})
		c.joins(n, 1, "on")
	}
	want := c.told(0, "P1")
	a, b := circleAt(0).Community.String(), circleAt(1).Community.String()
	c.puts("J/*/t/1", fmt.Sprintf("[%q,%q,%q]", a, b, a))
	if got := c.told(0, "P1"); got != want || want == "" {
		t.Errorf("they read %q, want %q", got, want)
	}
}

// TestJoinedMigrates: a group that has got another ID counts as before, and once.
func TestJoinedMigrates(t *testing.T) {
	c := newCircles(t)
	for n := range int64(2) {
		c.plays(n, 1, rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 12})
		c.joins(n, 1, "on")
	}
	want := c.told(1, "P1")
	c.bot.seen(t.Context(), chat.Request{ID: "migrates", Kind: chat.Migrated, In: circleAt(0), Data: circleAt(50).Community.String()})
	if got := c.told(1, "P1"); got != want || want == "" {
		t.Errorf("in the other chat they read %q, want %q", got, want)
	}
	if got := c.told(50, "P1"); got != want {
		t.Errorf("under the new ID they read %q, want %q", got, want)
	}
	c.joins(50, 1, "off")
	c.joins(50, 1, "on")
	if got := c.told(50, "P1"); got != want {
		t.Errorf("chosen again they read %q, want %q", got, want)
	}
}

// TestJoinedAtOnce: who chooses so in several chats at once is listed in all of them, and who chooses otherwise in none.
func TestJoinedAtOnce(t *testing.T) {
	c := newCirclesOn(t, stores.Bolt(t))
	const chats = 8
	for n := range int64(chats) {
		c.plays(n, 1, rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 12})
	}
	for _, value := range []string{"on", "off", "on"} {
		var all sync.WaitGroup
		for n := range int64(chats) {
			all.Go(func() {
				r := c.bot.Handle(t.Context(), chat.Request{
					ID: fmt.Sprint(value, n), Kind: chat.Press, Who: hallUser(1), In: circleAt(n), Data: table.PlaceToken(chat.Request{In: circleAt(n)}, "!own joined "+value),
				})
				if r.Alert {
					t.Errorf("in chat %d it is answered %+v", n, r)
				}
			})
		}
		all.Wait()
		want := ""
		if value == "on" {
			want = fmt.Sprintf("in %d chats", chats)
		}
		for n := range int64(chats) {
			if got := c.told(n, "P1"); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s: in chat %d they read %q", value, n, got)
			}
		}
	}
}

// TestJoinedDamaged: what can't be read of one chat keeps nobody from the others, and a list that can't be read is made anew.
func TestJoinedDamaged(t *testing.T) {
	c := newCircles(t)
	for n := range int64(3) {
		c.plays(n, 1, rating.Kept{Mean: 31_000_000, Spread: 3_000_000, Games: 12})
		c.joins(n, 1, "on")
	}
	c.puts(personal.Key(circleAt(1).Community.String(), 1), "{")
	if got := c.told(0, "P1"); !strings.Contains(got, "in 2 chats") {
		t.Errorf("with one spoiled choice they read %q", got)
	}
	const key = "J/*/t/1"
	c.puts(key, "{")
	if _, text := c.ask(0, 9, chat.Command, "/scores P1"); !strings.Contains(text, "12") && !strings.Contains(text, "P1") {
		t.Errorf("with a spoiled list they read %q", text)
	}
	c.joins(0, 1, "off")
	c.joins(0, 1, "on")
	if err := personal.List(t.Context(), c.store, ""); err != nil {
		t.Fatal(err)
	}
	if got := c.told(0, "P1"); !strings.Contains(got, "in 2 chats") {
		t.Errorf("made anew they read %q", got)
	}
	for _, damaged := range []string{key, personal.Key(circleAt(0).Community.String(), 1)} {
		s := &healing{crack(c.store, damaged)}
		h := newCirclesOn(t, s)
		if _, text := h.ask(0, 9, chat.Command, "/scores P1"); !strings.Contains(text, "P1") {
			t.Errorf("with a damaged %s they read %q", damaged, text)
		}
		h.joins(0, 1, "on")
		if s.key != "" {
			t.Errorf("%s is still damaged", damaged)
		}
	}
}

// TestJoinedIsCheap: whoever has ratings in as many chats as count costs who asks for their scores two requests more than
// somebody who has them in one.
func TestJoinedIsCheap(t *testing.T) {
	store := newCounter(mem.New())
	c := newCirclesOn(t, store)
	for n := range int64(personal.MaxJoined) {
		c.plays(n, 1, rating.Kept{Mean: 25_000_000, Spread: 2_000_000, Games: 10})
		c.plays(n, 2, rating.Kept{Mean: 25_000_000, Spread: 2_000_000, Games: 10})
		c.joins(n, 1, "on")
	}
	cost := func(who string) counted {
		c.ask(0, 9, chat.Command, "/scores "+who) // The language of who asks is known then.
		store.counted = counted{}
		c.ask(0, 9, chat.Command, "/scores "+who)
		return store.counted
	}
	plain, joined := cost("<@2>"), cost("<@1>")
	if joined.calls > plain.calls+2 || joined.keys > plain.keys+2*personal.MaxJoined || joined.bytes > plain.bytes+personal.MaxJoined*1000 {
		t.Errorf("it costs %+v, and without %+v", joined, plain)
	}
	t.Logf("%+v, without %+v", joined, plain)
}

// TestJoinedForgotten: who is forgotten everywhere leaves no list, though a community on it is in another database by now.
func TestJoinedForgotten(t *testing.T) {
	c := newCircles(t)
	c.plays(0, 1, rating.Kept{Mean: 25_000_000, Spread: 2_000_000, Games: 10})
	c.joins(0, 1, "on")
	c.puts("J/*/t/1", fmt.Sprintf("[%q,%q]", circleAt(0).Community, circleAt(1).Community))
	if err := c.bot.ForgetEverywhere(t.Context(), chat.Telegram, 1, false, func(account.Forgotten) {}); err != nil {
		t.Fatal(err)
	}
	if items, err := c.store.Scan(t.Context(), "J/", "", 10); err != nil || len(items) > 0 {
		t.Errorf("left are %+v, %v", items, err)
	}
}
