package telegram

import (
	"bytes"
	"html"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
)

// solitaire is a game for one in a chat, which the computer player plays by its player's hand.
type solitaire struct {
	*casino
	chat   *telegramtest.Chat
	player *telegramtest.User
	rules  engine.Rules
	state  engine.State
	table  string
	taken  int // how often moves were taken back
}

// lay opens a numbered deal, and waits for its board.
func (c *casino) lay(chat *telegramtest.Chat, u *telegramtest.User, name string) *solitaire {
	c.t.Helper()
	chat.Say(u, "/patience "+name+" deal=12345")
	if chat.ID < 0 {
		question := c.board(chat, "Где разложим")
		c.press(u, question, "Здесь")
	}
	s := &solitaire{casino: c, chat: chat, player: u}
	s.begin(name, c.board(chat, "№ 12345"))
	return s
}

// begin is at the beginning of the game that the board shows.
func (s *solitaire) begin(name string, board telegramtest.Message) {
	s.t.Helper()
	for _, rules := range games.All() {
		if rules.Info().Name == name {
			s.rules = rules
		}
	}
	options, err := s.rules.Info().Complete(nil)
	if err == nil {
		setup := engine.Setup{Seats: 1, Options: options}
		s.state, err = s.rules.Deal(setup, engine.NewShuffler(engine.NumberedSeed(name, 12345), ""))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.table = strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// wish presses one of the table's own buttons, or whatever else the token does.
func (s *solitaire) wish(do string) telegramtest.Answer {
	s.t.Helper()
	board, _ := s.chat.Board()
	board.Chat = s.chat.ID
	epoch := 2 + s.state.Epoch() + 2*s.taken
	return s.send(s.player, board, "1."+s.table+"."+strconv.FormatInt(int64(epoch), 36)+"."+do)
}

// move makes the computer player's move, and reports false when there is none.
func (s *solitaire) move(chance *rand.Rand) bool {
	s.t.Helper()
	if _, over := s.state.Result(); over {
		return false
	}
	move := s.state.Auto(0, 1, chance)
	if move == (engine.Move{}) {
		return false
	}
	a := s.wish(s.rules.Text(move))
	if _, err := s.state.Apply(engine.Step{Seat: 0, Move: move}); err != nil || a.Alert {
		s.t.Fatalf("%s: %v, %+v", s.rules.Text(move), err, a)
	}
	return true
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
	bubble(t, nil, o, func(t *testing.T, x *house) {
		c.house = x
		c.open()
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

func TestPictures(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "ru")
		group := c.server.NewGroup("Игры", ann)
		s := c.lay(group, ann, "tecza")
		first := c.photo(group, nil)
		if !strings.Contains(first.Text, "Аня") {
			t.Errorf("under the picture stands %q", first.Text)
		}
		chance := rand.New(rand.NewPCG(1, 1))
		s.move(chance)
		second := c.photo(group, first.Photo)
		if second.ID != first.ID || len(group.Messages()) != 2 { // The other asks where to play.
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
		if n := len(c.server.Calls("editMessageMedia")); n != 1 {
			t.Errorf("%d pictures for one move", n)
		}
		c.end()
		c.start(Options{Commands: c.bot.Commands})
		s.wish("!page") // The adapter can't know what the message shows.
		rest(time.Minute)
		if r := c.server.Report(); r.Counts["editMessageMedia"] != 2 || strings.Contains(c.log.String(), "level=ERROR") {
			t.Errorf("%d edits for nothing", r.Counts["editMessageMedia"])
		}
		group.Say(ann, "/settings text")
		c.until("a board of text", func() bool { b, ok := group.Board(); return ok && b.Photo == nil })
		c.until("the old one has no buttons", func() bool { return withoutButtons(group) == 1 })
		group.Say(ann, "/settings pictures")
		third := c.photo(group, nil)
		if third.ID == second.ID {
			t.Errorf("the picture is in the message %d again", third.ID)
		}
		s.wish("!giveup-now")
		c.until("the end", func() bool {
			all := group.Messages()
			return all[len(all)-1].Photo == nil && withoutButtons(group) == 2
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
				s := c.lay(group, ann, "zaba")
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
				s.move(rand.New(rand.NewPCG(1, 1)))
				if board := c.photo(group, before.Photo); board.ID != before.ID != test.anew {
					t.Errorf("the picture moved from message %d to %d", before.ID, board.ID)
				}
				rest(time.Minute)
				if n := len(group.Messages()); n != 2 || tries != 0 && tries != 2 {
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
			s := c.lay(group, ann, "tecza")
			chance := rand.New(rand.NewPCG(1, 1))
			for range 5 {
				s.move(chance)
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
			s.move(chance)
			c.photo(group, nil)
			// Then they are barred again: what is a picture can't become text.
			group.BarPhotos(true)
			s.move(chance)
			c.until("a board of text", func() bool { b, ok := group.Board(); return ok && b.Photo == nil })
			rest(time.Minute)
			if n := withoutButtons(group); n != 1 {
				t.Errorf("%d pictures without buttons", n)
			}
		})
	}
}

// TestPatiences plays each of them from the deal to the end.
func TestPatiences(t *testing.T) {
	for i, rules := range games.All() {
		name := rules.Info().Name
		if rules.Info().MaxSeats != 1 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			withPictures(t, telegramtest.Options{Old: i%2 == 1}, func(t *testing.T, c *casino) {
				ann := c.server.NewUser("Аня <b>", "ru")
				chat := c.server.NewForum("Игры")
				if i%2 == 0 {
					chat = ann.Private()
				}
				s := c.lay(chat, ann, name)
				chance := rand.New(rand.NewPCG(1, 1))
				c.server.SetFault(faults(uint64(i)))
				moves, buttons, widest := 0, 0, 0
				for ; moves < 300 && s.move(chance); moves++ {
					rest(250 * time.Millisecond)
					board, _ := chat.Board()
					buttons = max(buttons, len(board.Buttons))
					for _, b := range board.Buttons {
						widest = max(widest, len([]rune(b.Text)))
					}
				}
				if result, over := s.state.Result(); !over || !result.Patience.Solved {
					s.wish("!giveup-now")
				}
				c.server.SetFault(nil)
				c.until("the end", func() bool {
					all := chat.Messages()
					return all[len(all)-1].Photo == nil && withoutButtons(chat) == 1
				})
				if buttons > maxButtons || widest > 30 {
					t.Errorf("there were %d buttons, and one of %d characters", buttons, widest)
				}
				t.Logf("%d moves, at most %d buttons, the longest of %d characters: %v", moves, buttons, widest, c.server.Report().Counts)
			})
		})
	}
}

// TestCaptions: what stands under a picture is at most 1,024 characters as Telegram counts them, and one message.
func TestCaptions(t *testing.T) {
	for text, want := range map[string]int{"7♠ ": 1024, "🤖": 1024, "<&>\n": 1024} {
		p := bot.Post{Message: bot.Message{Text: []bot.Span{{Text: strings.Repeat(text, 1000)}}, Picture: &bot.Picture{}}}
		d := new(Adapter).draw(p)
		if n := units(html.UnescapeString(d.html)); n != want || d.picture != p.Picture {
			t.Errorf("%q: a caption of %d characters", text, n)
		}
	}
}
