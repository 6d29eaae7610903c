package live_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// club is a bot, and people who play by what they see of their tables and nothing else.
type club struct {
	t       testing.TB
	bot     *bot.Bot
	running time.Duration
	n       int
	place   chat.Place
	people  []chat.User
	looks   map[int64]*live.Look
	told    map[int64]int
	seen    map[int64]live.Scene
	r       *rand.Rand
}

func newClub(t testing.TB, seed uint64) *club {
	t.Helper()
	c := &club{
		t: t, place: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}, looks: map[int64]*live.Look{},
		told: map[int64]int{}, seen: map[int64]live.Scene{}, r: rand.New(rand.NewPCG(seed, 0)),
		people: []chat.User{
			{ID: 1, Name: "Ann", Lang: "en"}, {ID: 2, Name: "Оля", Lang: "ru"}, {ID: 3, Name: "Kasia", Lang: "pl"}, {ID: 4, Name: "Bob", Lang: "en"},
		},
	}
	seeds := seed
	var err error
	c.bot, err = bot.New(t.Context(), bot.Options{
		Store: mem.New(), Games: games.All(), Running: func() time.Duration { return c.running },
		Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(c.running) },
		Seed: func() (seed engine.Seed) {
			seeds++
			binary.BigEndian.PutUint64(seed[24:], seeds)
			return seed
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *club) ask(who chat.User, kind chat.Kind, data, text string) chat.Response {
	c.n++
	c.running += time.Second
	return c.bot.Handle(c.t.Context(), chat.Request{ID: fmt.Sprint("request ", c.n), Who: who, In: c.place, Kind: kind, Data: data, Text: text})
}

// open types a line as the first person, and has everybody look at the table that it opens.
func (c *club) open(line string) table.ID {
	c.t.Helper()
	r := c.ask(c.people[0], chat.Command, line, "")
	for _, p := range r.Posts {
		if id, ok := table.ParseID(p.Table); ok {
			for _, u := range c.people {
				c.look(u, id)
			}
			return id
		}
	}
	c.t.Fatalf("%s is answered %q", line, r.Toast)
	return table.ID{}
}

func (c *club) look(u chat.User, id table.ID) {
	c.t.Helper()
	if old := c.looks[u.ID]; old != nil {
		old.Close()
	}
	r := chat.Request{Who: u, In: c.place}
	k, err := c.bot.Live().Look(c.t.Context(), r, id, func() { c.told[u.ID]++ })
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(k.Close)
	c.looks[u.ID] = k
	delete(c.seen, u.ID)
}

// see is what somebody sees now. It checks that the steps lead there from what they saw before.
func (c *club) see(u chat.User) live.Scene {
	c.t.Helper()
	s, err := c.looks[u.ID].Next(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	before, again := c.seen[u.ID]
	if again && s.Version < before.Version {
		c.t.Errorf("%s sees version %d after %d", u.Name, s.Version, before.Version)
	}
	if again && len(s.Steps) > 0 && len(before.Piles) == len(s.Piles) {
		piles := slices.Clone(before.Piles)
		for _, step := range s.Steps {
			for i, pile := range step.Piles {
				piles[i] = pile
			}
		}
		if !slices.EqualFunc(piles, s.Piles, func(a, b live.Pile) bool { return a.Down == b.Down && a.Cards == b.Cards && a.Next == b.Next }) {
			c.t.Errorf("%s: the steps %+v lead to\n%+v\nand not to\n%+v", u.Name, s.Steps, piles, s.Piles)
		}
	}
	c.seen[u.ID] = s
	return s
}

// press does what an act says.
func (c *club) press(u chat.User, a live.Act) chat.Response {
	c.t.Helper()
	token, text := a.Token, ""
	switch {
	case a.Most > 0:
		token += fmt.Sprint(a.Least + c.r.Int64N(a.Most-a.Least+1))
	case a.Ask != "":
		text = "13"
	}
	r := c.ask(u, chat.Press, token, text)
	if r.Alert && strings.Contains(r.Toast, "button") && strings.Contains(r.Toast, "bot") {
		c.t.Errorf("%s: %+v is answered %q", u.Name, a, r.Toast)
	}
	for _, p := range r.Posts {
		for _, row := range p.Buttons {
			if p.To != nil && len(row) > 0 && c.r.IntN(2) == 0 {
				c.ask(u, chat.Press, row[0].Token, "")
			}
		}
	}
	return r
}

// do presses the act of that name of somebody, who must have it.
func (c *club) do(u chat.User, do string) {
	c.t.Helper()
	s := c.see(u)
	i := slices.IndexFunc(s.Acts, func(a live.Act) bool { return a.Do == do && !a.Later })
	if i < 0 {
		c.t.Fatalf("%s can't %s: %+v", u.Name, do, s.Acts)
	}
	if r := c.press(u, s.Acts[i]); r.Alert {
		c.t.Fatalf("%s: %s is answered %q", u.Name, do, r.Toast)
	}
}

// ring lets time pass, in which the clock does what is due.
func (c *club) ring(d time.Duration) {
	for end := c.running + d; c.running < end; c.running += time.Second {
		for c.bot.Ring(c.t.Context(), func(context.Context, chat.Response) {}) == 0 {
		}
	}
}

// playable are the acts by which a game goes on.
func playable(s live.Scene) []live.Act {
	var all []live.Act
	for _, a := range s.Acts {
		if !a.Later && slices.Contains([]string{"move", "seat", "self", "amount", "play", "deal", "bet"}, a.Kind) && a.Do != "leave" && a.Do != "show" {
			all = append(all, a)
		}
	}
	return all
}

// TestPlayedBySight plays every game by what its scenes say, by people with three languages, some of whom only look.
func TestPlayedBySight(t *testing.T) {
	t.Parallel()
	for _, rules := range games.All() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t, 7)
			players, line := c.people[:1], "/patience "+info.Name
			if !info.ForOne() {
				players, line = c.people[:3], "/"+info.Name+" limit=60s"
			}
			id := c.open(line)
			if !info.ForOne() {
				c.do(c.people[1], "join")
				c.do(c.people[2], "join")
				if !info.Banker {
					c.do(c.people[0], "robot")
				}
				c.do(c.people[0], "deal")
				for _, u := range players {
					if s := c.see(u); s.Phase == "cutting" && s.Yours {
						c.do(u, "cut")
					}
				}
			}
			moved := 0
			for range 800 * *rounds {
				u := c.people[c.r.IntN(len(c.people))]
				s := c.see(u)
				if s.Phase == "ended" {
					if s.Result == nil {
						t.Errorf("%s sees no result", u.Name)
					}
					break
				}
				sits := slices.ContainsFunc(players, func(p chat.User) bool { return p.ID == u.ID })
				acts := playable(s)
				if !sits && len(acts) > 0 {
					t.Fatalf("%s only looks, and is offered %+v", u.Name, acts)
				}
				if len(acts) == 0 || !s.Yours && !s.May {
					c.ring(2 * time.Second)
					continue
				}
				if r := c.press(u, acts[c.r.IntN(len(acts))]); !r.Alert {
					moved++
				}
			}
			if moved < 10 {
				t.Errorf("%d moves were made at %s", moved, id)
			}
			for _, u := range c.people {
				log, err := c.looks[u.ID].Log(t.Context())
				if err != nil || len(log) < 10 {
					t.Errorf("%s reads %d lines of what happened, %v", u.Name, len(log), err)
				}
			}
		})
	}
}

// TestMoved: whoever looks at a table comes anew when its community has got another ID, and finds the table under that.
func TestMoved(t *testing.T) {
	c := newClub(t, 1)
	id := c.open("/zevaka")
	before := c.told[1]
	id.Community.ID = 2
	if r := c.ask(c.people[0], chat.Migrated, id.Community.String(), ""); r.Alert {
		t.Fatalf("the table isn't taken along: %+v", r)
	}
	var why engine.Refusal
	if s, err := c.looks[1].Next(t.Context()); err == nil || errors.As(err, &why) || c.told[1] == before {
		t.Errorf("told %d times, they see %+v, %v", c.told[1]-before, s, err)
	}
	c.place = c.place.MigratedTo(id.Community)
	c.look(c.people[0], id)
	c.see(c.people[0])
}

// TestNobodyLeft: a table that its last person has left has no seats, which isn't nothing.
func TestNobodyLeft(t *testing.T) {
	c := newClub(t, 1)
	c.open("/zevaka")
	c.do(c.people[0], "leave")
	if s := c.see(c.people[1]); s.Seats == nil || len(s.Seats) > 0 {
		t.Errorf("the seats are %+v", s.Seats)
	}
}

// TestClosedToWhoWasRemoved: a table that isn't to be shown to who only looks isn't shown to who was removed from it.
func TestClosedToWhoWasRemoved(t *testing.T) {
	c := newClub(t, 1)
	id := c.open("/zevaka")
	ann, ola := c.people[0], c.people[1]
	ann.Admin = true
	c.do(ola, "join")
	if r := c.ask(ann, chat.Press, table.PlaceToken(chat.Request{In: c.place}, "!set watchers no-watchers"), ""); r.Alert {
		t.Fatalf("the place isn't closed: %+v", r)
	}
	token := fmt.Sprintf("1.%s.0.", strings.Replace(id.String(), "/", ".", 1))
	for _, do := range []string{"!robot", "!deal"} {
		if r := c.ask(ann, chat.Press, token+do, ""); r.Alert {
			t.Fatalf("%s: %+v", do, r)
		}
	}
	if c.looks[ola.ID].Closed() {
		t.Error("who sits there doesn't see it")
	}
	for c.see(ann).Phase != "playing" {
		c.ring(10 * time.Second)
	}
	asked := c.ask(ann, chat.Command, "/remove Оля", "")
	if len(asked.Posts) == 0 || len(asked.Posts[0].Buttons) == 0 {
		t.Fatalf("she can't be removed: %+v", asked)
	}
	c.ask(ann, chat.Press, asked.Posts[0].Buttons[0][0].Token, "")
	if !c.looks[ola.ID].Closed() || c.looks[ann.ID].Closed() {
		t.Error("who was removed sees it, or who plays doesn't")
	}
}

// TestSees: one page that isn't hidden is enough to have a table before one's eyes.
func TestSees(t *testing.T) {
	c := newClub(t, 1)
	id := c.open("/zevaka")
	phone := c.looks[1]
	c.looks[1] = nil
	c.look(c.people[0], id)
	for _, test := range []struct{ phone, desk, sees bool }{{false, false, true}, {true, false, true}, {false, true, true}, {true, true, false}} {
		phone.Hide(test.phone)
		c.looks[1].Hide(test.desk)
		if sees := c.bot.Live().Sees(id, 1); sees != test.sees {
			t.Errorf("with pages hidden %v and %v they see it: %v", test.phone, test.desk, sees)
		}
	}
	phone.Hide(false)
	phone.Close()
	if c.bot.Live().Sees(id, 1) {
		t.Error("a page that is closed shows the table")
	}
}

// TestLogTakesItsTurn: to replay a game for its log waits for what takes long elsewhere.
func TestLogTakesItsTurn(t *testing.T) {
	t.Parallel()
	c := newClub(t, 5)
	c.open("/patience tecza")
	c.random(20)
	look := c.looks[c.people[0].ID]
	end, err := c.bot.Live().Tables.Watching.Begin(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if log, err := look.Log(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("meanwhile %d lines are read, %v", len(log), err)
	}
	end()
	if log, err := look.Log(t.Context()); err != nil || len(log) == 0 {
		t.Errorf("%d lines are read, %v", len(log), err)
	}
}

// TestPastWhileChoosing: a game is shown again to somebody who chooses meanwhile how they see cards, from another tab.
func TestPastWhileChoosing(t *testing.T) {
	t.Parallel()
	c := newClub(t, 5)
	c.open("/patience tecza")
	c.random(20)
	ann := c.people[0]
	c.ask(ann, chat.Press, bottest.AnswerIn(c.ask(ann, chat.Command, "/giveup", "")), "")
	var choosing sync.WaitGroup
	choosing.Go(func() {
		for _, suits := range []table.Suits{table.FourColours, table.TwoColours, table.AsInChat} {
			c.bot.Live().Chose(c.place.Community, ann.ID, table.Choices{Suits: suits})
		}
	})
	if past, err := c.looks[ann.ID].Past(t.Context(), engine.Nobody); err != nil || len(past.Steps) == 0 {
		t.Errorf("the game is shown as %+v, %v", past, err)
	}
	choosing.Wait()
}

// TestScenes holds some scenes to golden files, which are what a page draws in its tests, too.
func TestScenes(t *testing.T) {
	t.Parallel()
	for _, rules := range games.All() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t, 3)
			if info.ForOne() {
				c.open("/patience " + info.Name)
				c.golden(info.Name+"-begun", c.people[0])
				c.random(40)
				c.golden(info.Name+"-played", c.people[0])
				c.do(c.people[0], "giveup")
				c.golden(info.Name+"-over", c.people[0])
				return
			}
			c.open("/" + info.Name)
			c.do(c.people[1], "join")
			c.golden(info.Name+"-lobby", c.people[0])
			c.golden(info.Name+"-lobby-watched", c.people[3])
			c.do(c.people[2], "join")
			if !info.Banker {
				c.do(c.people[0], "robot")
			}
			c.do(c.people[0], "deal")
			for _, u := range c.people[:3] {
				if s := c.see(u); s.Yours {
					c.golden(info.Name+"-cut", u)
					c.do(u, "cut")
					break
				}
			}
			c.random(60)
			for _, u := range c.people {
				c.golden(info.Name+"-played-"+u.Lang+fmt.Sprint(u.ID), u)
			}
			c.random(3000)
			c.golden(info.Name+"-over", c.people[1])
		})
	}
}

// random has people press what they may, so many times or to the end.
func (c *club) random(n int) {
	for range n {
		u := c.people[c.r.IntN(len(c.people))]
		s := c.see(u)
		if s.Phase == "ended" {
			return
		}
		acts := playable(s)
		if s.May && s.Phase == "playing" && len(acts) == 0 {
			c.t.Errorf("%s may act, and there is nothing to do: %+v", u.Name, s.Acts)
		}
		if len(acts) > 0 && (s.Yours || s.May) {
			c.press(u, acts[c.r.IntN(len(acts))])
		} else {
			c.ring(2 * time.Second)
		}
	}
}

// golden compares what somebody sees with a file.
func (c *club) golden(name string, u chat.User) {
	c.t.Helper()
	s := c.see(u)
	got, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		c.t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			c.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	if string(got) != string(want) {
		c.t.Errorf("%s is another scene now (rewrite with -update and read it)", file)
	}
}

// TestLessonStake: in a lesson of the bank the sum that is set out is the one that the lesson says.
func TestLessonStake(t *testing.T) {
	t.Parallel()
	c := newClub(t, 3)
	c.open("/banchok learn")
	for range 20 {
		s := c.see(c.people[0])
		i := slices.IndexFunc(s.Acts, func(a live.Act) bool { return a.Kind == "bet" && !a.Later })
		if i >= 0 && s.Yours {
			if bet := s.Acts[i]; bet.Amount < bet.Least || bet.Amount > bet.Most || bet.Amount == 0 || !strings.Contains(s.About, fmt.Sprint(bet.Amount)) {
				t.Errorf("from %d to %d, and %d is set out beside %q", bet.Least, bet.Most, bet.Amount, s.About)
			}
			return
		}
		c.ring(2 * time.Second)
	}
	t.Error("there was nothing to stake")
}

// TestPracticeSideBets: while others may bet on a hand, the page of a practice bank says so, also where a computer holds the bank, as the chat does; and
// while the pack is to be cut it knows how long that lasts.
func TestPracticeSideBets(t *testing.T) {
	t.Parallel()
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/banchok practice computers=2 side=on limit=60m")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	scene := func(user int64) live.Scene {
		t.Helper()
		look, err := h.Bot.Live().Look(t.Context(), h.Request(1, user, chat.Press, ""), id, func() {})
		if err != nil {
			t.Fatal(err)
		}
		defer look.Close()
		return bottest.Must(look.Next(t.Context()))
	}
	if s := scene(1); s.Left == 0 || s.Left > s.Limit || s.Limit != table.CutTime(h.Look(id)).Milliseconds() {
		t.Errorf("of the cut's %d ms %d are left", s.Limit, s.Left)
	}
	h.Cut(1)
	if !h.Look(id).Chairs[0].Computer() {
		t.Fatal("no computer holds the bank")
	}
	for range 40 {
		now := h.Look(id)
		if h.State(now).View(engine.Nobody).Brief {
			s := scene(1)
			if !strings.HasPrefix(s.Note, "Side bets") || !strings.HasPrefix(s.Task, "Who else bets on") {
				t.Errorf("while others may bet the page says %q and %q", s.Task, s.Note)
			}
			return
		}
		if user := now.Chairs[now.Mover].User; user != 0 {
			h.Ask(1, user, chat.Command, "/bet 20")
		}
		h.Pass(2 * time.Second)
	}
	t.Error("nobody has staked")
}
