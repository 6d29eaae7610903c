package telegram

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

const publicURL = "https://cards.example.org"

// atLiveTables runs a test in time of its own, where all of it is open, and the live tables can be reached.
func atLiveTables(t *testing.T, test func(*testing.T, *house, *casino)) {
	t.Helper()
	c := &casino{public: publicURL}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) { test(t, x, c) })
}

// liveButton is the button of a board that leads to the live table; false if it has none.
func liveButton(board telegramtest.Message) (telegramtest.Button, bool) {
	i := slices.IndexFunc(board.Buttons, func(b telegramtest.Button) bool { return b.Text == liveLabel })
	if i < 0 {
		return telegramtest.Button{}, false
	}
	return board.Buttons[i], true
}

// startIn is what the button of a board tells the page of the live table.
func startIn(t *testing.T, board telegramtest.Message) string {
	t.Helper()
	b, ok := liveButton(board)
	if !ok {
		t.Fatalf("no button leads to the live table: %+v", board.Buttons)
	}
	return b.Start()
}

// enter lets somebody in by what a link says.
func (x *house) enter(u *telegramtest.User, start string) door.Visit {
	x.t.Helper()
	v, err := x.run.Door().Enter(x.t.Context(), door.Hello{Login: u.Login(start), Start: start})
	if err != nil {
		x.t.Fatalf("%s isn't let in: %v", u.Name(), err)
	}
	return v
}

// asks does something at the live table.
func (x *house) asks(v door.Visit, kind chat.Kind, data string) chat.Response {
	x.t.Helper()
	x.asked++
	return x.run.Door().Ask(x.t.Context(), v, chat.Request{ID: fmt.Sprint(x.asked), Kind: kind, Data: data})
}

// inRussian is the sentence that somebody reads in Russian.
func inRussian(t *testing.T, key string) string {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	return all.Lang("ru").Say(key)
}

// TestLiveButton: a board leads to its live table as long as there is one, in each chat in the way that Telegram lets it.
func TestLiveButton(t *testing.T) {
	for name, test := range map[string]struct {
		o       Options
		private bool
		topic   int64
		want    string
	}{
		"a group":           {Options{PublicURL: publicURL}, false, 0, "https://t.me/" + telegramtest.Username + "?startapp="},
		"a topic":           {Options{PublicURL: publicURL}, false, 7, "https://t.me/" + telegramtest.Username + "?startapp="},
		"an app of its own": {Options{PublicURL: publicURL, App: "table"}, false, 7, "https://t.me/" + telegramtest.Username + "/table?startapp="},
		"a private chat":    {Options{PublicURL: publicURL}, true, 0, publicURL + "/tg?start="},
		"no address":        {Options{App: "table"}, false, 0, ""},
		"no address, alone": {Options{}, true, 0, ""},
		"an app and a chat": {Options{PublicURL: publicURL, App: "table"}, true, 0, publicURL + "/tg?start="},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
				r := x.start(test.o)
				if (r.Door() != nil) != (test.o.PublicURL != "") {
					t.Errorf("the door is %v", r.Door())
				}
				ann := x.server.NewUser("Аня", "ru")
				c := x.server.NewForum("Игры")
				if test.private {
					c = ann.Private()
				}
				c.SayIn(test.topic, ann, "/zevaka")
				board := x.board(c, "level 1")
				b, ok := liveButton(board)
				if got := b.URL + b.App; ok != (test.want != "") || !ok && len(board.Buttons) != 1 || strings.TrimSuffix(got, b.Start()) != test.want {
					t.Fatalf("the buttons are %+v", board.Buttons)
				}
				if !ok {
					return
				}
				if (b.App != "") != test.private {
					t.Errorf("the button is %+v", b)
				}
				start, err := webapp.ReadStart(Options{Token: telegramtest.Token}.tableKey(), b.Start())
				if err != nil || start != (webapp.Start{Chat: c.ID, Thread: test.topic, Table: "T" + community(c.ID).String()}) {
					t.Errorf("it says %+v, %v", start, err)
				}
				x.send(ann, board, "end")
				x.until("the end", func() bool {
					end, _ := c.Board()
					_, leads := liveButton(end)
					return strings.Contains(end.Text, "end") && !leads
				})
			})
		})
	}
}

// TestBeside: the button takes a place of its own only where the others have no room for it.
func TestBeside(t *testing.T) {
	row := func(labels ...string) (row []inlineButton) {
		for _, l := range labels {
			row = append(row, inlineButton{Text: l})
		}
		return row
	}
	for _, c := range []struct {
		rows [][]inlineButton
		want string
	}{
		{nil, "[[▦]]"},
		{[][]inlineButton{row("Flip")}, "[[Flip ▦]]"},
		{[][]inlineButton{row("A"), row("B", "C")}, "[[A] [B C ▦]]"},
		{[][]inlineButton{row("A", "B", "C", "D", "E")}, "[[A B C D E] [▦]]"},
		{[][]inlineButton{row(strings.Repeat("я", 18))}, "[[" + strings.Repeat("я", 18) + "] [▦]]"},
		{[][]inlineButton{row(strings.Repeat("я", 17))}, "[[" + strings.Repeat("я", 17) + " ▦]]"},
	} {
		var got []string
		for _, r := range beside(c.rows, inlineButton{Text: liveLabel}) {
			var line []string
			for _, b := range r {
				line = append(line, b.Text)
			}
			got = append(got, fmt.Sprint(line))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}

// TestOpened: what a client shows the page of is what the door lets in, by each kind of button, and by the menu.
func TestOpened(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня и Ко", "ru")
		group := x.server.NewForum("Игры")
		group.SayIn(7, ann, "/zevaka")
		inGroup, _ := liveButton(x.board(group, "1. Аня"))
		ann.Private().Say(ann, "/zevaka")
		alone, _ := liveButton(x.board(ann.Private(), "1. Аня"))
		_, page := x.server.MenuButton()
		for _, test := range []struct {
			what, page string
			b          telegramtest.Button
			in         chat.Place
		}{
			{"in a group", publicURL + "/tg?tgWebAppStartParam=" + inGroup.Start(), inGroup, chat.Place{Channel: group.ID, Thread: 7}},
			{"alone", publicURL + "/tg?start=" + alone.Start(), alone, placeOf(ann.ID)},
			{"by the menu", publicURL + "/tg", telegramtest.Button{App: page}, placeOf(ann.ID)},
		} {
			address, known, _ := strings.Cut(ann.Open(publicURL+"/tg", test.b), "#")
			values, err := url.ParseQuery(known)
			u, bad := url.Parse(address)
			if err != nil || bad != nil || address != test.page {
				t.Fatalf("%s: %q, %v, %v", test.what, address, err, bad)
			}
			v, err := x.run.Door().Enter(t.Context(), door.Hello{Login: values.Get("tgWebAppData"), Start: u.Query().Get("start") + u.Query().Get("tgWebAppStartParam")})
			if err != nil || v.In.Channel != test.in.Channel || v.In.Thread != test.in.Thread || v.Who.Name != "Аня и Ко" || (v.Table == "") != (test.b.Start() == "") {
				t.Errorf("%s: %+v, %v", test.what, v, err)
			}
		}
		c.close()
	})
}

// TestMenuButton: the menu button leads to the live tables, and is set only where it doesn't.
func TestMenuButton(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		for i, o := range []Options{{}, {PublicURL: publicURL}, {PublicURL: publicURL}, {PublicURL: publicURL + ":8443"}, {}} {
			x.start(o)
			rest(time.Second)
			x.end()
			text, page := x.server.MenuButton()
			if want := []string{"", "/tg", "/tg", ":8443/tg", ":8443/tg"}[i]; want != "" && (page != publicURL+want || text != "Play") || want == "" && page != "" {
				t.Errorf("start %d: it says %q and opens %q", i, text, page)
			}
			if n := x.server.Report().Counts["setChatMenuButton"]; n != []int{0, 1, 1, 2, 2}[i] {
				t.Errorf("start %d: it was set %d times", i, n)
			}
		}
	})
}

// TestStrangersAtTheDoor: nobody comes in but by what Telegram has signed for this bot, lately and once, and by a link of this
// bot's; and where Telegram says that they aren't in the table's chat they don't either.
func TestStrangersAtTheDoor(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "en")
		group := x.server.NewForum("Игры")
		group.SayIn(7, ann, "/zevaka")
		start := startIn(t, x.board(group, "1. Аня"))
		ann.Start("")
		ann.Private().Say(ann, "/tecza deal=7")
		x.until("the patience", func() bool {
			board, _ := ann.Private().Board()
			_, ok := liveButton(board)
			return ok
		})
		alone := startIn(t, x.board(ann.Private()))
		d := x.run.Door()
		try := func(what string, h door.Hello, want error) door.Visit {
			t.Helper()
			v, err := d.Enter(t.Context(), h)
			if !errors.Is(err, want) || err != nil && v != (door.Visit{}) {
				t.Errorf("%s: %+v, %v; want %v", what, v, err, want)
			}
			return v
		}
		good := ann.Login(start)
		altered := strings.Replace(good, fmt.Sprint(ann.ID), fmt.Sprint(mallory.ID), 1)
		foreign := telegramtest.SignLogin("4243:AAother-token", map[string]string{"user": fmt.Sprintf(`{"id":%d}`, ann.ID), "auth_date": fmt.Sprint(time.Now().Unix())})
		for _, login := range []string{"", "x", altered, foreign, good + "&x=1", "user=%7B%22id%22%3A5%7D&auth_date=1&hash=00"} {
			try("forged", door.Hello{Login: login, Start: start}, door.ErrLogin)
		}
		for _, link := range []string{start[1:], start + "A", alone + start, "p-MS50LTUuYS4wLmZsaXA", strings.Repeat("A", 600),
			webapp.Start{Chat: group.ID, Table: "t/1"}.Sign(Options{Token: "4243:AAother-token"}.tableKey())} {
			try("a forged link", door.Hello{Login: good, Start: link}, door.ErrStart)
		}
		try("the private chat of another", door.Hello{Login: mallory.Login(""), Start: alone}, door.ErrPlace)
		v := try("somebody", door.Hello{Login: good, Start: start}, nil)
		want := chat.Place{Community: community(group.ID), Channel: group.ID, Thread: 7, Crowded: true}
		if v.Who != (chat.User{ID: ann.ID, Name: "Аня", Lang: "ru"}) || v.In != want || !strings.HasPrefix(v.Table, "t-") || v.Instance != "" {
			t.Errorf("Аня is %+v", v)
		}
		try("again", door.Hello{Login: good, Start: start}, door.ErrOld)
		try("by what the login says", door.Hello{Login: ann.Login(start)}, nil)
		if v := try("by the menu", door.Hello{Login: ann.Login("")}, nil); v.In != placeOf(ann.ID) || v.Table != "" {
			t.Errorf("by the menu it is %+v", v)
		}
		if v := try("alone", door.Hello{Login: ann.Login(""), Start: alone}, nil); v.In != placeOf(ann.ID) || v.Table == "" {
			t.Errorf("alone it is %+v", v)
		}
		old := ann.Login(start)
		rest(webapp.OldAfter + time.Second)
		try("old", door.Hello{Login: old, Start: start}, door.ErrOld)
		try("a stranger", door.Hello{Login: mallory.Login(start), Start: start}, door.ErrPlace)
		for _, status := range []string{"left", "kicked", "restricted"} {
			group.Join(mallory)
			group.Out(mallory, status)
			rest(memberFor)
			try(status, door.Hello{Login: mallory.Login(start), Start: start}, door.ErrPlace)
			group.Out(mallory, "")
			rest(memberFor)
			try("back", door.Hello{Login: mallory.Login(start), Start: start}, nil)
		}
		before := ann.Login(start)
		rest(time.Second)
		c.crash()
		d = x.run.Door()
		try("from before a restart", door.Hello{Login: before, Start: start}, door.ErrOld)
		try("after a restart", door.Hello{Login: ann.Login(start), Start: start}, nil)
		c.close()
	})
}

// TestLiveGame: a game that some play in the chat and others at the live table, to its end, where much goes wrong and the program
// is killed twice. The chat's board follows within what a group may be sent, and the record is the same as in the room.
func TestLiveGame(t *testing.T) {
	for i := range *rounds {
		live := i % 3
		t.Run(fmt.Sprint(i, " with ", live+1, " at the live table"), func(t *testing.T) {
			c := &casino{public: publicURL, dir: t.TempDir()}
			c.host(t, telegramtest.Options{Old: live == 1}, func(t *testing.T, x *house) {
				g := &game{casino: c, rand: rand.New(rand.NewPCG(uint64(i), 3)), live: map[*telegramtest.User]door.Visit{}}
				for _, name := range []string{"Аня", "Боря", "Вика"} {
					g.users = append(g.users, x.server.NewUser(name, "ru"))
				}
				g.chat = x.server.NewForum("Игры", g.users[0])
				g.topic = 7
				for _, u := range g.users[2-live:] {
					g.chat.Join(u)
					g.live[u] = door.Visit{}
				}
				g.deal("21b")
				x.server.SetFault(faults(uint64(i)))
				g.play(func(n int) {
					if n == 40 || n == 120 {
						c.crash()
					}
				})
				x.server.SetFault(nil)
				c.close()
			})
		})
	}
}

// TestClosedDoor: nothing is begun any more once the adapter has ended.
func TestClosedDoor(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		r := x.start(Options{PublicURL: publicURL})
		rest(time.Second)
		v := x.enter(x.server.NewUser("Аня", "ru"), "")
		heard := len(d.heard.All())
		x.end()
		got := r.Door().Ask(t.Context(), v, chat.Request{ID: "1", Kind: chat.Press, Data: "flip"})
		if !got.Alert || got.Toast != inRussian(t, "broken") || len(d.heard.All()) != heard {
			t.Errorf("it is answered %+v", got)
		}
	})
}

// TestHandAtTheLiveTable: what is for a visitor alone is told to them, and to nobody in any chat.
func TestHandAtTheLiveTable(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, boris := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru")
		group := x.server.NewGroup("Игры")
		group.Join(boris)
		group.Say(ann, "/banchok 100 limit=none")
		start := startIn(t, x.board(group, "1. Аня"))
		press := func(v door.Visit, epoch int, do string) chat.Response {
			t.Helper()
			rest(2 * time.Second)
			return x.asks(v, chat.Press, fmt.Sprintf("1.%s.%d.%s", strings.Replace(v.Table, "/", ".", 1), epoch, do))
		}
		banker, punter := x.enter(ann, start), x.enter(boris, start)
		if r := press(punter, 0, "!join"); r.Alert || r.Toast == "" || len(r.Posts) != 0 {
			t.Errorf("sitting down: %+v", r)
		}
		press(banker, 0, "!deal")
		press(banker, 1, "!no-cut")
		press(punter, 1, "!no-cut")
		x.board(group, "Банк 100")
		rest(time.Minute) // Whoever is waited for has been called by then.
		r := press(punter, 0, "!hand")
		if r.Alert {
			banker, punter = punter, banker
			r = press(punter, 0, "!hand")
		}
		press(punter, 9, "stake 5") // The board is drawn without its call.
		rest(time.Minute)
		before := fmt.Sprint(group.Messages(), ann.Private().Messages(), boris.Private().Messages())
		who := punter.Who.ID
		r = press(punter, 0, "!hand")
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != who || !strings.ContainsAny(words.Flat(r.Posts[0].Text), "♠♣♦♥") {
			t.Errorf("the hand: %+v", r)
		}
		if r := press(banker, 0, "!hand"); r.Toast != inRussian(t, "no.no-hand") || len(r.Posts) != 0 {
			t.Errorf("who has no hand: %+v", r)
		}
		if r := press(punter, 9, "stake 5"); !r.Alert || r.Toast == "" || len(r.Posts) != 0 {
			t.Errorf("a button of another time: %+v", r)
		}
		if r := x.asks(punter, chat.Command, "/rules"); r.Alert || len(r.Posts) == 0 || r.Posts[0].To == nil || r.Posts[0].To.ID != who {
			t.Errorf("the rules: %+v", r)
		}
		for _, kind := range []chat.Kind{chat.Timeout, chat.Shown, chat.Gone, chat.Migrated, chat.Followed, chat.Left, chat.Arrived, chat.Talk, 0} {
			if r := x.asks(punter, kind, punter.Table); r.Toast != inRussian(t, "no.bad-button") || !r.Alert {
				t.Errorf("kind %d: %+v", kind, r)
			}
		}
		rest(time.Minute)
		if now := fmt.Sprint(group.Messages(), ann.Private().Messages(), boris.Private().Messages()); now != before {
			t.Errorf("the chats read\n%s\nand before\n%s", now, before)
		}
		c.close()
	})
}

// TestForTheVisitorAlone: what somebody asks for at the live table is answered there, and no chat hears of it, in a group as alone;
// what is asked of everybody stands in the group, and they are told so.
func TestForTheVisitorAlone(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka")
		start := startIn(t, x.board(group, "1. Аня"))
		ann.Start("")
		rest(time.Minute)
		inGroup := x.enter(ann, start)
		before := fmt.Sprint(group.Messages(), ann.Private().Messages())
		for _, v := range []door.Visit{inGroup, x.enter(ann, "")} {
			for _, line := range []string{"/mydata", "/help", "/rules", "/top", "/scores", "/balance", "/ledger", "/privacy", "/lang", "/zzz", "/forgetme"} {
				r := x.asks(v, chat.Command, line)
				for _, p := range r.Posts {
					if p.To == nil || p.To.ID != ann.ID {
						t.Errorf("%s in %v: %+v", line, v.In, p)
					}
				}
				if len(r.Posts) == 0 && r.Toast == "" || r.Toast == inRussian(t, "telegram.in-chat") {
					t.Errorf("%s in %v is answered %+v", line, v.In, r)
				}
				rest(5 * time.Second)
			}
		}
		if now := fmt.Sprint(group.Messages(), ann.Private().Messages()); now != before {
			t.Errorf("the chats read\n%s\nand before\n%s", now, before)
		}
		alone := len(ann.Private().Messages())
		notice := table.PlaceToken(chat.Request{In: inGroup.In}, "!own notice private")
		if r := x.asks(inGroup, chat.Press, notice); r.Alert || slices.ContainsFunc(r.Posts, func(p chat.Post) bool { return p.Direct }) {
			t.Errorf("what is for the private chat is said on the page: %+v", r)
		}
		x.until("what is for the private chat", func() bool { return len(ann.Private().Messages()) > alone })
		r := x.asks(inGroup, chat.Command, "/tecza deal=7")
		if r.Alert || r.Toast != inRussian(t, "telegram.in-chat") || len(r.Posts) != 0 {
			t.Errorf("a patience in the group: %+v", r)
		}
		x.until("the question where to play", func() bool { return len(group.Messages()) == 2 })
		c.close()
	})
}

// TestSamePressTwice: a press that is sent twice counts once, and nobody takes another's press by calling theirs the same.
func TestSamePressTwice(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka")
		start := startIn(t, x.board(group, "1. Аня"))
		press := func(v door.Visit, id, do string) chat.Response {
			t.Helper()
			rest(2 * time.Second)
			data := fmt.Sprintf("1.%s.0.%s", strings.Replace(v.Table, "/", ".", 1), do)
			return x.run.Door().Ask(t.Context(), v, chat.Request{ID: id, Kind: chat.Press, Data: data})
		}
		host := x.enter(ann, start)
		for range 3 {
			press(host, "1", "!robot")
		}
		x.board(group, "2. 🤖")
		for i, name := range []string{"Боря", "Вика"} {
			u := x.server.NewUser(name, "ru")
			group.Join(u)
			if r := press(x.enter(u, start), "1", "!join"); r.Alert {
				t.Errorf("%s: %+v", name, r)
			}
			x.board(group, fmt.Sprint(i+3, ". "), name)
		}
		rest(time.Minute)
		if board, _ := group.Board(); strings.Contains(board.Text, "5. ") {
			t.Errorf("the board is\n%s", board.Text)
		}
		c.close()
	})
}

// TestPutOutOfTheLiveTable: who was put out of the group, or has left it, plays on at the live table no more, for a minute at
// most. Where Telegram doesn't say who is there, who has a seat plays on, and nobody else does anything.
func TestPutOutOfTheLiveTable(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, boris, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru"), x.server.NewUser("Мэл", "ru")
		group := x.server.NewGroup("Игры")
		group.Say(boris, "/zevaka limit=none")
		group.Join(mallory)
		board := x.board(group, "1. Боря")
		start := startIn(t, board)
		seated, watching := x.enter(boris, start), x.enter(mallory, start)
		press := func(v door.Visit, do string) chat.Response {
			t.Helper()
			rest(2 * time.Second)
			return x.asks(v, chat.Press, fmt.Sprintf("1.%s.0.%s", strings.Replace(v.Table, "/", ".", 1), do))
		}
		wants := func(what string, r chat.Response, key string) {
			t.Helper()
			if key != "" && (r.Toast != inRussian(t, key) || !r.Alert) || key == "" && r.Alert {
				t.Errorf("%s: %+v", what, r)
			}
		}
		wants("a member", press(seated, "!robot"), "")
		for _, status := range []string{"left", "kicked", "restricted"} {
			group.Out(boris, status)
			rest(memberFor)
			wants(status, press(seated, "!robot"), "no.not-a-member")
			if err := x.run.Door().Stay(t.Context(), seated); !errors.Is(err, door.ErrPlace) {
				t.Errorf("%s: looks on: %v", status, err)
			}
			wants(status+", by a command", x.asks(seated, chat.Command, "/zevaka"), "no.not-a-member")
			group.Out(boris, "")
			rest(memberFor)
			wants("back", press(seated, "!robot"), "")
		}
		for what, fault := range map[string]telegramtest.Fault{
			"hidden members": {Status: 400, Text: "Bad Request: CHAT_ADMIN_REQUIRED"}, "no answer": {Delay: time.Hour}, "away": {Status: 502},
		} {
			rest(memberFor)
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method == "getChatMember" {
					return fault
				}
				return telegramtest.Fault{}
			})
			wants(what+", seated", press(seated, "!fast"), "")
			wants(what+", watching", press(watching, "!join"), "no.perhaps-no-member")
			wants(what+", new", press(x.enter(ann, start), "!join"), "no.perhaps-no-member")
			wants(what+", another table", x.asks(seated, chat.Command, "/banchok"), "no.perhaps-no-member")
			x.server.SetFault(nil)
			rest(unsureFor)
		}
		wants("a member sits down", press(watching, "!join"), "")
		x.board(group, "Мэл")
		c.close()
	})
}

// TestPlaysAloneWithoutAChat: who has never spoken to the bot plays alone at the live table all the same.
func TestPlaysAloneWithoutAChat(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		v := x.enter(ann, "")
		if r := x.asks(v, chat.Command, "/tecza deal=7"); r.Alert {
			t.Fatalf("a patience: %+v", r)
		}
		rest(time.Minute)
		if n := len(c.tables("o/")); n != 1 {
			t.Errorf("%d tables are left", n)
		}
		c.close()
	})
}

// TestUpgradedAtTheLiveTable: who is at the live table goes on there when the group becomes a supergroup, also after a restart, and who has only
// the group's old link comes there, too. Who isn't in the supergroup doesn't. Where nobody has told the bot it learns of that by the visit.
func TestUpgradedAtTheLiveTable(t *testing.T) {
	for _, test := range []struct{ told, again bool }{{true, false}, {true, true}, {false, false}, {false, true}} {
		atLiveTables(t, func(t *testing.T, x *house, c *casino) {
			ann, boris := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru")
			group := x.server.NewGroup("Игры")
			group.Say(ann, "/zevaka limit=none")
			group.Join(boris)
			start := startIn(t, x.board(group, "1. Аня"))
			host, other := x.enter(ann, start), x.enter(boris, start)
			next := group.Upgrade(test.told)
			if test.told {
				x.board(next, "1. Аня")
			}
			next.Out(boris, "kicked")
			if test.again {
				c.close()
				c.open()
			}
			rest(memberFor)
			var now door.Moved
			if err := x.run.Door().Stay(t.Context(), host); !errors.As(err, &now) || now.In.Channel != next.ID || now.Table == host.Table {
				t.Fatalf("the visit goes on as %+v, %v", now, err)
			}
			x.board(next, "1. Аня")
			if err := x.run.Door().Stay(t.Context(), now.Visit); err != nil {
				t.Errorf("it doesn't go on: %v", err)
			}
			token := fmt.Sprintf("1.%s.0.!robot", strings.Replace(now.Table, "/", ".", 1))
			if r := x.asks(now.Visit, chat.Press, token); r.Alert {
				t.Errorf("a press there: %+v", r)
			}
			if v := x.enter(ann, start); v.In != now.In || v.Table != now.Table {
				t.Errorf("the old link leads to %+v", v)
			}
			if err := x.run.Door().Stay(t.Context(), other); !errors.Is(err, door.ErrPlace) {
				t.Errorf("who isn't there any more: %v", err)
			}
			if v, err := x.run.Door().Enter(t.Context(), door.Hello{Login: boris.Login(start), Start: start}); !errors.Is(err, door.ErrPlace) {
				t.Errorf("by the old link comes who isn't there any more: %+v, %v", v, err)
			}
			c.close()
		})
	}
}
