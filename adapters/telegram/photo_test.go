package telegram

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

// solitaire is a game for one in a chat, which the computer player plays by its player's hand.
type solitaire struct {
	*casino
	chat   *telegramtest.Chat
	player *telegramtest.User
	enginetest.Solo
	table string
	// taken is how often moves were taken back.
	taken int
}

// lay opens a numbered deal, and waits for its board.
func (c *casino) lay(chat *telegramtest.Chat, u *telegramtest.User, game enginetest.Variant, number int64) *solitaire {
	c.t.Helper()
	chat.Say(u, fmt.Sprint("/patience ", game, " number=", number))
	if chat.ID < 0 {
		question := c.board(chat, "Где разложим")
		rest(time.Second) // The bot learns where the question stands.
		c.press(u, question, "Разложить здесь")
	}
	s := &solitaire{casino: c, chat: chat, player: u}
	s.begin(game, number, c.board(chat, fmt.Sprint("№ ", number)))
	return s
}

// begin is at the beginning of the game that the board shows.
func (s *solitaire) begin(game enginetest.Variant, number int64, board telegramtest.Message) {
	s.t.Helper()
	s.Solo = game.Begin(s.t, number)
	s.table = strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// wish presses one of the table's own buttons, or whatever else the token does.
func (s *solitaire) wish(do string) telegramtest.Answer {
	s.t.Helper()
	board, _ := s.chat.Board()
	board.Chat = s.chat.ID
	epoch := 2 + s.State.Epoch() + 2*s.taken
	return s.send(s.player, board, "1."+s.table+"."+strconv.FormatInt(int64(epoch), 36)+"."+do)
}

// move makes the computer player's move, and reports false when there is none.
func (s *solitaire) move(skill float64, chance *rand.Rand) bool {
	s.t.Helper()
	move, ok := s.Next(skill, chance)
	if ok {
		if a := s.wish(s.Rules.Text(move)); a.Alert {
			s.t.Fatalf("%s: %+v", s.Rules.Text(move), a)
		}
		s.Apply(s.t, move)
	}
	return ok
}

// choose has somebody choose something for the chat by the newest panel of its settings.
func (c *casino) choose(group *telegramtest.Chat, u *telegramtest.User, choice string) {
	group.Say(u, "/settings")
	asked := chat.Request{In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: group.ID}}}
	name, _, _ := strings.Cut(choice, " ")
	var panel telegramtest.Message
	c.until("the settings", func() bool {
		for _, m := range slices.Backward(append(group.Messages(), u.Private().Messages()...)) {
			if slices.ContainsFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.Data, "!set "+name) }) {
				panel = m
				return true
			}
		}
		return false
	})
	c.send(u, panel, table.PlaceToken(asked, "!set "+choice))
	c.send(u, panel, table.PlaceToken(asked, "!own done"))
	rest(time.Minute)
}

// giveUp gives the game up, and says so again if the player is asked.
func (s *solitaire) giveUp() {
	s.t.Helper()
	var told telegramtest.Answer
	for range 9 { // What is asked may be lost on the way.
		told = s.wish("!giveup")
		rest(10 * time.Second)
		if payload := telegramtest.Payload(told.URL); payload != "" {
			s.player.Start(payload)
			rest(10 * time.Second)
		}
		if m, answer := s.question(s.chat, s.player); answer != "" {
			told = s.send(s.player, m, answer)
		}
		for _, end := range []string{"сдаётся", "окончена", "poddaje", "skończona"} {
			if strings.Contains(told.Text, end) {
				return
			}
		}
	}
	s.t.Fatalf("the game can't be given up: %+v", told)
}

// question is the newest question to somebody that waits for an answer, and the first answer; empty if there is none.
func (x *house) question(c *telegramtest.Chat, u *telegramtest.User) (m telegramtest.Message, answer string) {
	for _, chat := range []*telegramtest.Chat{c, u.Private()} {
		for _, m := range slices.Backward(chat.Messages()) {
			if len(m.Buttons) > 0 && strings.Contains(m.Buttons[0].Data, ".!answer ") && (m.To == u.ID || m.To == 0) {
				return m, m.Buttons[0].Data
			}
		}
	}
	return m, ""
}

// playOut lets the computer player play to the end, at first by buttons, each of which look sees, then by typing a line
// of moves at a time. It gives up when nothing can be moved any more.
func (s *solitaire) playOut(skill float64, look func()) {
	s.t.Helper()
	const pressed, atOnce = 12, 25
	chance := rand.New(rand.NewPCG(1, 1))
	for s.Made < pressed && s.move(skill, chance) {
		rest(250 * time.Millisecond)
		look()
	}
	for {
		line := s.Line(s.t, atOnce, skill, chance)
		if len(line) == 0 {
			break
		}
		s.chat.Say(s.player, "/m "+strings.Join(line, ", "))
		rest(time.Second)
	}
	if result, over := s.State.Result(); !over || !result.Patience.Solved {
		s.giveUp()
	}
}

// photo waits for a board with a picture that is not old.
func (x *house) photo(c *telegramtest.Chat, old []byte) telegramtest.Message {
	x.t.Helper()
	var board telegramtest.Message
	x.until("another picture", func() (ok bool) {
		board, ok = c.Board()
		return ok && board.Photo != nil && !bytes.Equal(board.Photo, old)
	})
	return board
}

// withPictures is a test with a casino that shows pictures.
func withPictures(t *testing.T, o telegramtest.Options, test func(*testing.T, *casino)) {
	t.Helper()
	c := &casino{pictures: true}
	c.host(t, o, func(t *testing.T, _ *house) {
		test(t, c)
		c.close()
	})
}

// withoutButtons counts the messages of a chat that show a picture with no buttons under it.
func withoutButtons(c *telegramtest.Chat) (n int) {
	for _, m := range c.Messages() {
		if m.Photo != nil && len(m.Buttons) == 0 {
			n++
		}
	}
	return n
}

// rainbow is Tęcza as it is.
func rainbow() enginetest.Variant { return enginetest.Variant{Rules: patience.Tecza} }

func TestPictures(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "ru")
		group := c.server.NewGroup("Игры", ann)
		s := c.lay(group, ann, rainbow(), 12345)
		first := c.photo(group, nil)
		if !strings.Contains(first.Text, "Аня") {
			t.Errorf("under the picture stands %q", first.Text)
		}
		chance := rand.New(rand.NewPCG(1, 1))
		s.move(1, chance)
		second := c.photo(group, first.Photo)
		if second.ID != first.ID || len(group.Messages()) != 1 { // It stands where it was asked where to play.
			t.Errorf("the picture moved from message %d to %d", first.ID, second.ID)
		}
		for range 3 {
			s.wish("!hint") // It changes nothing that one sees.
		}
		s.taken = -1
		if a := s.wish("!page"); a.Alert {
			t.Errorf("a page is refused: %+v", a)
		}
		s.taken = 0
		rest(time.Minute)
		if n := len(c.server.Calls("editMessageMedia")); n != 2 { // The first took the question's place.
			t.Errorf("%d pictures for one move", n)
		}
		c.end()
		c.start(Options{Commands: c.bot.Commands})
		s.wish("!page") // The adapter can't know what the message shows.
		rest(time.Minute)
		if r := c.server.Report(); r.Counts["editMessageMedia"] != 3 || strings.Contains(c.log.String(), "level=ERROR") {
			t.Errorf("%d edits for nothing", r.Counts["editMessageMedia"])
		}
		s.choose(group, ann, "pictures text")
		c.until("a board of text", func() bool { b, ok := group.Board(); return ok && b.Photo == nil })
		c.until("the old one has no buttons", func() bool { return withoutButtons(group) == 1 })
		s.choose(group, ann, "pictures pictures")
		third := c.photo(group, nil)
		if third.ID == second.ID {
			t.Errorf("the picture is in the message %d again", third.ID)
		}
		s.giveUp()
		c.until("the end", func() bool {
			end, _ := group.Board()
			return end.ID == third.ID && strings.Contains(end.Text, "не сошёлся") && end.Photo != nil && withoutButtons(group) == 1
		})
	})
}

// TestPicturesGoWrong lets each thing happen to a picture that can: the board shows the newest all the same.
func TestPicturesGoWrong(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault telegramtest.Fault
		do    func(*telegramtest.Chat, telegramtest.Message)
		anew  bool // The board stands in another message then.
	}{
		{name: "wait", fault: telegramtest.Fault{Status: 429, RetryAfter: 7}},
		{name: "error", fault: telegramtest.Fault{Status: 502}},
		{name: "reset", fault: telegramtest.Fault{Reset: true}},
		{name: "lost", fault: telegramtest.Fault{Lost: true}},
		{name: "deleted", anew: true, do: func(c *telegramtest.Chat, m telegramtest.Message) { c.Delete(m.ID) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
				ann := c.server.NewUser("Аня", "ru")
				group := c.server.NewGroup("Игры", ann)
				s := c.lay(group, ann, enginetest.Variant{Rules: patience.Zaba}, 12345)
				before := c.photo(group, nil)
				tries := 0
				if test.do != nil {
					test.do(group, before)
				} else {
					c.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
						if method != "editMessageMedia" || tries > 1 {
							return telegramtest.Fault{}
						}
						tries++
						return test.fault
					})
				}
				s.move(1, rand.New(rand.NewPCG(1, 1)))
				if board := c.photo(group, before.Photo); board.ID != before.ID != test.anew {
					t.Errorf("the picture moved from message %d to %d", before.ID, board.ID)
				}
				rest(time.Minute)
				if n := len(group.Messages()); n != 1 || tries != 0 && tries != 2 {
					t.Errorf("%d messages after %d tries", n, tries)
				}
			})
		})
	}
}

// TestNoPictures: a chat that takes no pictures gets them in words, and is asked again after an hour.
func TestNoPictures(t *testing.T) {
	for _, server := range []telegramtest.Options{{}, {Old: true}} {
		withPictures(t, server, func(t *testing.T, c *casino) {
			ann := c.server.NewUser("Аня", "ru")
			group := c.server.NewGroup("Игры", ann)
			group.BarPhotos(true)
			s := c.lay(group, ann, rainbow(), 12345)
			chance := rand.New(rand.NewPCG(1, 1))
			for range 5 {
				s.move(1, chance)
				rest(time.Minute)
			}
			board, _ := group.Board()
			if board.Photo != nil || !strings.Contains(board.Text, "r1") || !strings.Contains(board.Text, "№ 12345") {
				t.Errorf("the board is %q", board.Text)
			}
			if calls := len(c.server.Calls("sendPhoto")) + len(c.server.Calls("editMessageMedia")); calls != 1 {
				t.Errorf("%d pictures were tried", calls)
			}
			group.BarPhotos(false)
			rest(time.Hour)
			s.move(1, chance)
			c.photo(group, nil)
			// Then they are barred again: what is a picture can't become text.
			group.BarPhotos(true)
			s.move(1, chance)
			c.until("a board of text", func() bool { b, ok := group.Board(); return ok && b.Photo == nil })
			rest(time.Minute)
			if n := withoutButtons(group); n != 1 {
				t.Errorf("%d pictures without buttons", n)
			}
		})
	}
}

// TestNotTaken: a picture that Telegram doesn't take, or that fails while it answers anything else, is told in words, and a later one is a picture again.
// Where new ones alone may be refused one that stands is tried, too.
func TestNotTaken(t *testing.T) {
	for _, test := range []struct {
		fault telegramtest.Fault
		tries int
		asked bool // In a new message.
	}{
		{telegramtest.Fault{Status: 400, Text: "Bad Request: IMAGE_PROCESS_FAILED"}, 1, false}, {telegramtest.Fault{Status: 502}, maxPainted, false},
		{telegramtest.Fault{Status: 400, Text: "Bad Request: FILE_PARTS_INVALID"}, 1, false}, {telegramtest.Fault{Status: 413, Text: "Request Entity Too Large"}, 2, true},
		{telegramtest.Fault{Status: 429, RetryAfter: 5}, maxPainted, false}, {telegramtest.Fault{Status: 504, Delay: 8 * time.Second}, maxPainted, false},
	} {
		withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
			ann := c.server.NewUser("Аня", "ru")
			group := c.server.NewGroup("Игры", ann)
			s := c.lay(group, ann, rainbow(), 12345)
			chance := rand.New(rand.NewPCG(1, 1))
			before := c.photo(group, nil)
			refused := 0
			c.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method != "sendPhoto" && method != "editMessageMedia" {
					return telegramtest.Fault{}
				}
				refused++
				return test.fault
			})
			if test.asked {
				group.Say(ann, "/table")
			} else {
				s.move(1, chance)
			}
			rest(40 * time.Second)
			for range 3 {
				board, _ := group.Board()
				if board.Photo != nil || board.Text == before.Text || !strings.Contains(board.Text, "№ 12345") {
					t.Errorf("%+v: the board is %q", test.fault, board.Text)
				}
				before = board
				s.move(1, chance)
				rest(5 * time.Second)
			}
			if refused != test.tries {
				t.Errorf("%+v: %d pictures were tried", test.fault, refused)
			}
			other := ann.Private()
			other.Say(ann, "/patience zaba")
			rest(40 * time.Second)
			if board, ok := other.Board(); !ok || board.Photo != nil || !strings.Contains(board.Text, "Лягушка") {
				t.Errorf("%+v: a new board is %q", test.fault, board.Text)
			}
			c.server.SetFault(nil)
			rest(wordsOnce)
			s.move(1, chance)
			c.photo(group, nil)
		})
	}
}

// TestPicturesAfterAnOutage: while Telegram can't be reached nothing is put into words, though it took the answer to a press as that began.
func TestPicturesAfterAnOutage(t *testing.T) {
	for _, long := range []time.Duration{4 * time.Second, 30 * time.Second, 5 * time.Minute} {
		withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
			ann := c.server.NewUser("Аня", "ru")
			group := c.server.NewGroup("Игры", ann)
			s := c.lay(group, ann, rainbow(), 12345)
			before := c.photo(group, nil)
			c.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method == "answerCallbackQuery" {
					return telegramtest.Fault{Delay: 100 * time.Millisecond}
				}
				return telegramtest.Fault{Status: 502}
			})
			s.move(1, rand.New(rand.NewPCG(1, 1)))
			rest(long)
			c.server.SetFault(nil)
			rest(time.Minute)
			if board, _ := group.Board(); board.Photo == nil || board.Text == before.Text {
				t.Errorf("after %v without Telegram the board is %q", long, board.Text)
			}
		})
	}
}

// TestPatiences plays every sixth form of the patiences, or with three rounds every one, from the deal to the end, by a
// computer player who thinks little.
func TestPatiences(t *testing.T) {
	for i, game := range enginetest.Variants(patience.All()) {
		if i%6 != 0 && *rounds < 3 {
			continue
		}
		t.Run(game.String(), func(t *testing.T) {
			withPictures(t, telegramtest.Options{Old: i%2 == 1}, func(t *testing.T, c *casino) {
				ann := c.server.NewUser("Аня <b>", "ru")
				chat := c.server.NewForum("Игры")
				if i%4 < 2 {
					chat = ann.Private()
				}
				s := c.lay(chat, ann, game, 1)
				c.server.SetFault(faults(uint64(i)))
				buttons, widest := 0, 0
				s.playOut(0.1, func() {
					board, _ := chat.Board()
					buttons = max(buttons, len(board.Buttons))
					for _, b := range board.Buttons {
						widest = max(widest, len([]rune(b.Text)))
					}
				})
				c.server.SetFault(nil)
				c.until("the end", func() bool {
					end, _ := chat.Board()
					return end.Photo != nil && len(end.Buttons) >= 3 && strings.Contains(end.Text, fmt.Sprintf("\n%d ход", s.Made))
				})
				if buttons > maxButtons || widest > 30 || withoutButtons(chat) > 0 {
					t.Errorf("there were %d buttons, and one of %d characters", buttons, widest)
				}
				t.Logf("%d moves, at most %d buttons, the longest of %d characters: %v", s.Made, buttons, widest, c.server.Report().Counts)
			})
		})
	}
}

// TestSolved plays a patience that comes out: the last picture shows all the kings, and the words say so.
func TestSolved(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "ru")
		frog := enginetest.Variant{Rules: patience.Zaba}
		s := c.lay(ann.Private(), ann, frog, frog.Easy(t))
		before := c.photo(ann.Private(), nil)
		s.playOut(0, func() {})
		c.until("the end", func() bool {
			end, _ := ann.Private().Board()
			return end.ID == before.ID && !bytes.Equal(end.Photo, before.Photo) && strings.Contains(end.Text, "сошёлся")
		})
	})
}

// TestCaptions: what stands under a picture is at most 1,024 characters as Telegram counts them, and one message.
func TestCaptions(t *testing.T) {
	for text, want := range map[string]int{"7♠ ": 1024, "🤖": 1024, "<&>\n": 1024} {
		p := chat.Post{Message: chat.Message{Text: []chat.Span{{Text: strings.Repeat(text, 1000)}}, Picture: &picture.Picture{}}}
		d := new(core).draw(p)
		if n := chat.Units(html.UnescapeString(d.html)); n != want || d.picture != p.Picture {
			t.Errorf("%q: a caption of %d characters", text, n)
		}
	}
}

// TestPicturesOfSeveral plays a game for two to its end: where nothing was chosen its message becomes a picture at the end, by a
// call that there would have been anyway; where pictures were chosen it is one from the deal on; where the chat takes none the
// words of the end are all there is.
func TestPicturesOfSeveral(t *testing.T) {
	calls, ends := map[string]int{}, map[string]string{}
	for _, chosen := range []string{"text", "", "pictures", "barred"} {
		withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
			g := &game{casino: c, rand: rand.New(rand.NewPCG(1, 2))}
			g.users = []*telegramtest.User{c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "ru")}
			g.chat = c.server.NewGroup("Игры", g.users[0])
			rest(time.Minute)
			switch chosen {
			case "text", "pictures":
				c.choose(g.chat, g.users[0], "pictures "+chosen)
			case "barred":
				g.chat.BarPhotos(true)
			}
			g.deal("21b")
			rest(time.Minute)
			before, _ := g.chat.Board()
			messages, made := len(g.chat.Messages()), written(c)
			if (before.Photo != nil) != (chosen == "pictures") {
				t.Errorf("%q: after the deal a picture is %v", chosen, before.Photo != nil)
			}
			for n := 0; g.move(); n++ {
				if board, _ := g.chat.Board(); n < 20 && (board.Photo != nil) != (chosen == "pictures") {
					t.Fatalf("%q: a picture is %v", chosen, board.Photo != nil)
				}
			}
			last := g.board(g.chat, "🏆")
			rest(time.Minute)
			if last.ID != before.ID || (last.Photo != nil) != (chosen == "" || chosen == "pictures") {
				t.Errorf("%q: message %d ends as %d, a picture is %v", chosen, before.ID, last.ID, last.Photo != nil)
			}
			if n := len(g.chat.Messages()); n != messages {
				t.Errorf("%q: %d messages have become %d", chosen, messages, n)
			}
			calls[chosen], ends[chosen] = written(c)-made, last.Text
			if n := len(c.server.Calls("editMessageMedia")); chosen == "" && n != 1 {
				t.Errorf("%d pictures for one end", n)
			}
			t.Logf("%q: the chat was changed by %d calls from the deal to the end", chosen, calls[chosen])
		})
	}
	if calls[""] != calls["text"] || calls["barred"] > calls["text"]+1 || calls["pictures"] > calls["text"] {
		t.Errorf("calls: %v", calls)
	}
	for chosen, end := range ends {
		if end != ends["text"] {
			t.Errorf("%q ends so:\n%s\nand text so:\n%s", chosen, end, ends["text"])
		}
	}
}

// written is how many calls have changed what stands in a chat.
func written(c *casino) (n int) {
	for _, method := range []string{"sendMessage", "sendPhoto", "editMessageText", "editMessageMedia", "editMessageReplyMarkup", "deleteMessage"} {
		n += len(c.server.Calls(method))
	}
	return n
}

// TestNoFiles: where a group allows no files, whoever asks for one gets it in private, or behind a link, and nothing else in the group waits for
// that, however many ask.
func TestNoFiles(t *testing.T) {
	d := newDealer()
	files := map[string]chat.File{"film": {Name: "z.gif", Data: []byte("GIF89a")}, "record": {Name: "z.json", Data: []byte("{}")}}
	d.reply = func(r chat.Request) (chat.Response, bool) {
		p := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{Text: []chat.Span{{Text: "said to " + r.Who.Name}}}}
		f, ok := files[r.Data]
		if ok {
			p.File = &f
		}
		return chat.Response{Posts: []chat.Post{p}}, ok || r.Data == "/hello"
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann, group, board := x.table()
		group.BarFiles(true)
		rest(2 * time.Minute)
		for n := range 4 {
			met, stranger := x.server.NewUser(fmt.Sprint("M", n), "en"), x.server.NewUser(fmt.Sprint("S", n), "en")
			met.Start("")
			met.Press(board, []string{"film", "record"}[n%2])
			stranger.Press(board, []string{"record", "film"}[n%2])
			rest(5 * time.Second)
			group.Say(ann, "/hello")
			rest(15 * time.Second)
			count := func(text string) (n int, last telegramtest.Message) {
				for _, m := range group.Messages() {
					if strings.HasPrefix(m.Text, text) {
						n, last = n+1, m
					}
				}
				return n, last
			}
			if said, _ := count("said to Аня"); said != n+1 {
				t.Fatalf("%d people got their files, and %d what they asked for else", 2*(n+1), said)
			}
			told, link := count(stranger.Name())
			if told != 1 || len(link.Buttons) != 1 {
				t.Fatalf("the group is told %d times for whom a file waits: %+v", told, link)
			}
			stranger.Start(telegramtest.Payload(link.Buttons[0].URL))
			rest(5 * time.Second)
			for _, u := range []*telegramtest.User{met, stranger} {
				if !slices.ContainsFunc(u.Private().Messages(), func(m telegramtest.Message) bool { return m.Document != nil }) {
					t.Errorf("%s doesn't get it", u.Name())
				}
			}
		}
		if strings.Contains(x.log.String(), "level=WARN") {
			t.Error("the operator is told")
		}
	})
}
