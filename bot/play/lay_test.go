package play_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/engine/patience/deals"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// layers is a bot, and people who ask it in a crowded group with topics and in their private chats with it.
type layers struct {
	t     *testing.T
	store storage.Store
	bot   *bot.Bot
	n     int
}

func newLayers(t *testing.T, o bot.Options) *layers {
	t.Helper()
	o.Store, o.Games = mem.New(), games.All()
	return &layers{t: t, store: o.Store, bot: bottest.Must(bot.New(t.Context(), o))}
}

func layersGroup(topic int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -1009999999999}, Channel: -1009999999999, Thread: topic, Crowded: true}
}

func layersAlone(user int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user, Private: true}
}

func (l *layers) request(in chat.Place, user int64, kind chat.Kind, data string) chat.Request {
	l.n++
	r := chat.Request{ID: fmt.Sprint(l.n), Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en"}, In: in, Kind: kind, Data: data}
	r.Member = func(context.Context, chat.Community) (bool, error) { return user < 90, nil }
	return r
}

func (l *layers) ask(in chat.Place, user int64, kind chat.Kind, data string) chat.Response {
	return bottest.Seen(l.t.Context(), l.bot, l.request(in, user, kind, data))
}

// open are the tables open in a place.
func (l *layers) open(in chat.Place) []*table.Table {
	l.t.Helper()
	return bottest.Must(bottest.Shelf(l.store).Look(l.t.Context(), in))
}

// TestPatiencesAreOffered: in a crowded group one message offers all patiences to everybody, or one: by a link each is laid in the
// private chat of whoever follows it, dealt; who follows it again is taken there, and who has ended it gets another.
func TestPatiencesAreOffered(t *testing.T) {
	l := newLayers(t, bot.Options{})
	group := layersGroup(3)
	asked := l.ask(group, 7, chat.Command, "/patience")
	post := asked.Posts[0]
	if len(asked.Posts) != 1 || post.To != nil || post.Open != chat.Common || len(post.Buttons) != 5 || !strings.Contains(words.Flat(post.Text), "moves show at once") {
		t.Fatalf("it is answered %+v", asked)
	}
	links := 0
	for _, row := range post.Buttons {
		for _, b := range row {
			if b.Private {
				links++
			}
			if n := len(b.Token); b.Private && n > 46 { // As an address it has room for no more.
				t.Errorf("%s is %d bytes", b.Token, n)
			}
		}
	}
	if links != 8 {
		t.Errorf("there are %d links", links)
	}
	if again := l.ask(group, 8, chat.Press, table.PlaceToken(l.request(group, 8, chat.Press, ""), "!patience")); fmt.Sprint(again.Posts[0].Message) != fmt.Sprint(post.Message) {
		t.Error("somebody else is offered something else")
	}
	link := post.Buttons[0][0]
	single := l.ask(group, 7, chat.Command, "/pauk 1 deal=5").Posts[0].Buttons[0][0]
	for user, link := range map[int64]chat.Button{7: link, 8: link, 99: link, 17: single, 18: single, 98: single} {
		laid := l.ask(layersAlone(user), user, chat.Followed, link.Token)
		tables := l.open(layersAlone(user))
		if laid.Alert || len(tables) != 1 || tables[0].Phase != table.Playing || tables[0].Cut != "" || tables[0].Host != user {
			t.Fatalf("P%d: %+v", user, laid)
		}
		if told := tables[0].ReportTo != nil; told != (user < 90) {
			t.Errorf("of P%d the group is told: %v", user, told)
		}
		l.ask(layersAlone(user), user, chat.Followed, link.Token)
		if again := l.open(layersAlone(user)); len(again) != 1 || again[0].ID != tables[0].ID {
			t.Errorf("P%d has %d tables", user, len(again))
		}
		l.ask(layersAlone(user), user, chat.Press, table.Token{Table: tables[0].ID, Do: "!giveup"}.String())
		l.ask(layersAlone(user), user, chat.Followed, link.Token)
		if again := l.open(layersAlone(user)); len(again) != 1 || again[0].ID == tables[0].ID {
			t.Errorf("P%d gets no other one", user)
		}
	}
	if n := len(l.open(group)); n != 0 {
		t.Errorf("%d tables stand in the group", n)
	}
	for range 3 * table.MaxOffers {
		l.ask(group, 7, chat.Command, "/patience")
	}
	if r := l.ask(layersAlone(9), 9, chat.Followed, link.Token); r.Alert {
		t.Errorf("after others have asked the link is good for %+v", r)
	}
}

// TestDaysAreOffered: a link to a patience of a day lays that day's until the next is over, also to who follows it after that was offered, and
// today's later on; and so does the button that lays it in the group.
func TestDaysAreOffered(t *testing.T) {
	now := time.Date(2026, 5, 1, 22, 0, 0, 0, time.UTC)
	l := newLayers(t, bot.Options{Now: func() time.Time { return now }})
	group, first := layersGroup(3), day.Number(now)
	var links []string
	offer := func() {
		l.ask(group, 7, chat.Command, "/day")
		links = append(links, bottest.ButtonOf(l.ask(group, 7, chat.Command, "/day"), "▶"))
		if n := len(links[len(links)-1]); n > 46 {
			t.Errorf("the link is %d bytes", n)
		}
	}
	user := int64(10)
	lays := func(link, of int) {
		t.Helper()
		user++
		l.ask(layersAlone(user), user, chat.Followed, links[link])
		if tables := l.open(layersAlone(user)); len(tables) != 1 || tables[0].Day != first+of {
			t.Errorf("on day %d link %d lays %+v", day.Number(now)-first, link, tables)
		}
	}
	offer()
	lays(0, 0)
	now = now.Add(3 * time.Hour)
	lays(0, 0)
	offer()
	lays(0, 0)
	lays(1, 1)
	name := strings.Fields(links[0])[1]
	l.ask(group, 8, chat.Press, table.PlaceToken(l.request(group, 8, chat.Press, ""), "!here "+name+" zaba"))
	if tables := l.open(group); len(tables) != 1 || tables[0].Day != first {
		t.Errorf("in the group lie %+v", tables)
	}
	where := bottest.ButtonOf(l.ask(group, 9, chat.Command, "/day zaba"), "private")
	now = now.Add(23 * time.Hour)
	links = append(links, where)
	lays(0, 2)
	lays(1, 1)
	lays(2, 1)
	offer()
	lays(0, 2)
	lays(1, 1)
	now = now.Add(24 * time.Hour)
	lays(1, 3)
}

// TestForgedLays: a link takes up nothing but what was offered.
func TestForgedLays(t *testing.T) {
	l := newLayers(t, bot.Options{})
	group := layersGroup(3)
	token := l.ask(group, 7, chat.Command, "/patience").Posts[0].Buttons[0][0].Token
	single := l.ask(group, 7, chat.Command, "/pauk").Posts[0].Buttons[0][0].Token
	lays := func(old, other string) string { return strings.Replace(token, old, other, 1) }
	for _, forged := range []string{
		lays(" tecza", " zevaka"), lays(" tecza", " banchok"), lays(" tecza", " "), lays(" tecza", ""), lays(" tecza", " none"), lays(" tecza", " tecza deal=1"),
		lays("!lay ", "!lay x"), lays("!lay ", "!aside "), lays("!lay ", "!here "), lays("1.t", "1.d"), lays(".0.0.", ".1.0."),
		single + " tecza", strings.Replace(single, "!aside ", "!lay ", 1) + " tecza",
	} {
		if r := l.ask(layersAlone(8), 8, chat.Followed, forged); !r.Alert || len(l.open(layersAlone(8))) > 0 {
			t.Errorf("%s: %+v", forged, r)
		}
	}
	for in, kind := range map[chat.Place]chat.Kind{group: chat.Followed, layersAlone(8): chat.Press, layersGroup(4): chat.Press} {
		if r := l.ask(in, 8, kind, token); !r.Alert || len(l.open(in)) > 0 {
			t.Errorf("in %+v: %+v", in, r)
		}
	}
}

// TestHere: a patience is laid in the group, too, by two presses, where it was offered and nowhere else.
func TestHere(t *testing.T) {
	l := newLayers(t, bot.Options{})
	group := layersGroup(3)
	here := l.ask(group, 7, chat.Command, "/patience").Posts[0].Buttons[4][0]
	which := l.ask(group, 8, chat.Press, here.Token)
	if len(which.Posts) != 1 || which.Posts[0].To.ID != 8 || len(which.Posts[0].Buttons) != 4 || which.Posts[0].Open != chat.Personal {
		t.Fatalf("it is answered %+v", which)
	}
	game := which.Posts[0].Buttons[1][1]
	if r := l.ask(layersGroup(4), 8, chat.Press, game.Token); !r.Alert {
		t.Errorf("elsewhere: %+v", r)
	}
	if r := l.ask(group, 8, chat.Press, strings.Replace(game.Token, " gwiazda", " banchok", 1)); !r.Alert {
		t.Errorf("another game: %+v", r)
	}
	l.ask(group, 8, chat.Press, game.Token)
	if tables := l.open(group); len(tables) != 1 || tables[0].Game != "gwiazda" || tables[0].Host != 8 {
		t.Errorf("in the group are %d tables", len(tables))
	}
}

// TestChosenAfar: a patience that is named in the private chat about a group begins in the private chat, at once.
func TestChosenAfar(t *testing.T) {
	l := newLayers(t, bot.Options{})
	group := layersGroup(3)
	for user, opens := range map[int64]bool{7: true, 99: false} {
		r := l.request(group, user, chat.Command, "/tecza")
		r.FromOutside, r.Apart = true, layersAlone(user)
		response := bottest.Seen(t.Context(), l.bot, r)
		tables := l.open(layersAlone(user))
		if response.Alert == opens || len(tables) > 0 != opens || opens && (tables[0].ReportTo == nil || response.Posts[0].In != layersAlone(user)) {
			t.Errorf("P%d: %+v", user, response)
		}
	}
	if n := len(l.open(group)); n != 0 {
		t.Errorf("%d tables stand in the group", n)
	}
}

// TestOldCut: a patience that was opened before they were dealt at once is played on: its player cuts, or it is dealt when the
// time is up.
func TestOldCut(t *testing.T) {
	for _, do := range []string{"!cut 17", "!no-cut", ""} {
		now := time.Duration(0)
		l := newLayers(t, bot.Options{Running: func() time.Duration { return now }})
		l.ask(layersAlone(7), 7, chat.Command, "/tecza")
		stored := l.open(layersAlone(7))[0]
		stored.Phase, stored.Dealt, stored.Ends, stored.Boarded = table.Cutting, 0, table.Running(0).Add(time.Minute), 1
		value := bottest.Must(stored.Encode())
		bottest.Must(0, storage.Update(t.Context(), l.store, func(tx storage.Tx) error {
			tx.Put(table.KeyOpen(stored.ID), value)
			return nil
		}))
		l.bot = bottest.Must(bot.New(t.Context(), bot.Options{Store: l.store, Games: games.All(), Running: func() time.Duration { return now }}))
		cut := ""
		if do != "" {
			l.ask(layersAlone(7), 7, chat.Press, table.Token{Table: stored.ID, Epoch: 1, Do: do}.String())
			_, cut, _ = strings.Cut(do, " ")
		} else {
			now += 2 * time.Minute
			for l.bot.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
				now += time.Second
			}
		}
		played := l.open(layersAlone(7))[0]
		if played.Phase != table.Playing || played.Cut != cut || played.Seed != stored.Seed {
			t.Errorf("%q: it is in phase %d with the cut %q", do, played.Phase, played.Cut)
		}
		rules, _ := games.ByName("tecza")
		state := bottest.Must(rules.Deal(played.Setup(), engine.NewShuffler(played.Seed, played.Cut)))
		if !strings.Contains(fmt.Sprint(state.View(engine.Nobody)), fmt.Sprint(bottest.Must(table.Replay(t.Context(), l.store, rules, played)).View(engine.Nobody).Piles)) {
			t.Errorf("%q: the cards don't follow from seed and cut", do)
		}
	}
}

// TestLevels: who asks for a deal that comes out, in whatever words, is dealt one of the bank, of that level, by its number.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		line, game string
		level      deals.Level // Zero is any.
	}{
		{"/patience żaba deal=easy", "zaba", deals.Easy},
		{"/patience żaba deal=hard", "zaba", deals.Hard},
		{"/patience żaba deal=any", "zaba", 0},
		{"/zaba level=medium", "zaba", deals.Medium},
		{"/zaba Hard", "zaba", deals.Hard},
		{"/zaba number=5 deal=easy", "zaba", deals.Easy},
		{"/пасьянс лягушка deal=трудный", "zaba", deals.Hard},
		{"/пасьянс лягушка Лёгкий", "zaba", deals.Easy},
		{"/пасьянс лягушка легкий", "zaba", deals.Easy},
		{"/пасьянс лягушка сложность=сложный", "zaba", deals.Hard},
		{"/лягушка расклад=любой", "zaba", 0},
		{"/żaba łatwy", "zaba", deals.Easy},
		{"/żaba trudność=trudny", "zaba", deals.Hard},
		{"/żaba numer=srednie", "zaba", deals.Medium},
		{"/pauk deal=easy", "pauk", deals.Easy},
		{"/pauk deal=whole hard", "pauk", deals.Hard},
		{"/gwiazda any easy", "gwiazda", deals.Easy}, // The first is an option.
	} {
		t.Run(test.line[1:], func(t *testing.T) {
			t.Parallel()
			s := bottest.NewSitting(t)
			tb, _ := s.Look(s.Open(test.line))
			known := func(d deals.Deal) bool {
				return tb.Numbered != nil && d.Number == *tb.Numbered && tb.Grade == int(d.Level) && (test.level == 0 || d.Level == test.level)
			}
			if tb.Game != test.game || !slices.ContainsFunc(deals.Bank(test.game), known) {
				t.Errorf("lays %s, deal %v", tb.Game, tb.Numbered)
			}
		})
	}
}

// TestLevelsRefused: what is no level, and rules for which no deals are known, are refused in words, and no table is opened.
func TestLevelsRefused(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"/zaba deal=harder", "isn't the number of a deal"},
		{"/zaba deal=", "isn't the number of a deal"},
		{"/zaba level=harder", "Try without it: /zaba"},
		{"/zaba deal=-1", "isn't the number of a deal"},
		{"/zaba deal=9223372036854775808", "isn't the number of a deal"},
		{"/pauk deal=harder", "Try without it: /pauk"},
		{"/zaba any", "Try without it: /zaba"},
		{"/zaba rows=2 deal=easy", "Only for the usual rules"},
		{"/paganini light deal=any", "Only for the usual rules"},
		{"/zevaka deal=easy", "I don't know the rule"},
	} {
		t.Run(test.line[1:], func(t *testing.T) {
			t.Parallel()
			if r := bottest.NewSitting(t).Say(1, test.line); len(r.Posts) > 0 || !r.Alert || !strings.Contains(r.Toast, test.says) {
				t.Errorf("is answered %q, with %d posts", r.Toast, len(r.Posts))
			}
		})
	}
}

// TestRangesRefused: a number that a rule or a setting can't be is refused with the range, and no table is opened.
func TestRangesRefused(t *testing.T) {
	const computers, bank, banks = "Between 1 and 11 computer players", "bank is a whole number from 20 to 100000, such as bank=300.", "banks is a whole number from 1 to 5,"
	for line, says := range map[string]string{
		"/banchok practice computers=0": computers, "/banchok practice computers=99": computers, "/banchok practice computers=two": computers, "/banchok computers=-3 practice": computers,
		"/banchok bank=19": bank, "/banchok bank=100001": bank, "/banchok bank=much": bank, "/banchok banks=9": banks, "/banchok banks=0": banks,
		"/banchok min=0": "min is a whole number from 1 to", "/banchok computers=0": "Here people play for their chips.", "/zevaka computers=0": "Between 1 and 5 computer players",
		"/banchok banka=300": "I don't know the rule",
	} {
		t.Run(line[1:], func(t *testing.T) {
			t.Parallel()
			if r := bottest.NewSitting(t).Say(1, line); len(r.Posts) > 0 || !r.Alert || !strings.Contains(r.Toast, says) {
				t.Errorf("is answered %q, with %d posts", r.Toast, len(r.Posts))
			}
		})
	}
}

// TestLevelTwice: a request that is delivered again deals the same deal, and the next request others.
func TestLevelTwice(t *testing.T) {
	s := bottest.NewSitting(t)
	for _, rules := range patience.All() {
		met := map[int64]bool{}
		for range 6 {
			s.Running += time.Hour
			r := chat.Request{
				ID: "one " + s.Running.String(), Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/" + rules.Info().Name + " deal=any",
				In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 9}, Channel: int64(s.Running)},
			}
			number := func() int64 {
				answer := bottest.Seen(t.Context(), s.Bot, r)
				if len(answer.Posts) == 0 {
					t.Fatalf("is answered %q", answer.Toast)
				}
				id, _ := table.ParseID(answer.Posts[0].Table)
				tb, _ := s.Look(id)
				return *tb.Numbered
			}
			first := number()
			if again := number(); again != first {
				t.Errorf("deal %d, and delivered again %d", first, again)
			}
			met[first] = true
		}
		if len(met) < 2 {
			t.Errorf("%s: always deal %v", rules.Info().Name, met)
		}
	}
}
