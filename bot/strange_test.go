package bot_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/enginetest/knockout"
	"zevaka/engine/enginetest/tommy"
	"zevaka/storage/mem"
)

// strangers are in a group.
func strangers() chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9}
}

// strange is a channel with a bot for games that it has never heard of and has no words for.
type strange struct {
	t       *testing.T
	bot     *bot.Bot
	running time.Duration
	asked   int
	// board is what the newest message of a table shows, own what the person who asked last was shown alone.
	board, own chat.Post
	chance     *rand.Rand
}

func newStrange(t *testing.T, seed uint64) *strange {
	s := &strange{t: t, chance: rand.New(rand.NewPCG(seed, 1))}
	var err error
	s.bot, err = bot.New(t.Context(), bot.Options{
		Store: mem.New(), Games: []engine.Rules{tommy.Rules{}, knockout.Rules{}}, Pictures: true,
		Running: func() time.Duration { return s.running },
		Seed:    func() (bytes engine.Seed) { binary.BigEndian.PutUint64(bytes[:], seed); return bytes },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask makes a request as the n-th person and returns what is said to them alone; the clock may say something afterwards.
func (s *strange) ask(person int, kind chat.Kind, data string) string {
	s.t.Helper()
	s.running += 2 * time.Second
	s.asked++
	response := s.bot.Handle(s.t.Context(), chat.Request{
		ID: fmt.Sprint("ask ", s.asked), Kind: kind, Data: data, In: strangers(), On: "1",
		Who: chat.User{ID: int64(person), Name: fmt.Sprint("P", person), Lang: "en", Admin: true},
	})
	if response.Toast == s.bot.Words().Lang("en").Say("broken") {
		s.t.Fatalf("%q breaks", data)
	}
	s.show(response)
	s.bot.Ring(s.t.Context(), func(_ context.Context, r chat.Response) { s.show(r) })
	return response.Toast
}

func (s *strange) show(r chat.Response) {
	for _, post := range chattest.Drawn(r).Posts {
		if post.To != nil {
			s.own = post
		} else if post.Table != "" {
			s.board = post
		}
	}
}

// buttons are all that a post offers but lists of more and ways out of the game.
func (s *strange) buttons(post chat.Post) []chat.Button {
	all := slices.Concat(post.Buttons...)
	for _, menu := range post.Choices {
		all = append(all, menu.Items...)
	}
	for _, b := range all {
		if strings.TrimSpace(b.Label) == "" {
			s.t.Fatalf("a button says nothing: %+v", b)
		}
	}
	return slices.DeleteFunc(all, func(b chat.Button) bool {
		return slices.ContainsFunc([]string{"!giveup", "!stop", "!leave", "!page"}, func(out string) bool { return strings.Contains(b.Token, out) })
	})
}

// press presses the button that is called so.
func (s *strange) press(person int, label string) {
	s.t.Helper()
	all := s.buttons(s.board)
	i := slices.IndexFunc(all, func(b chat.Button) bool { return b.Label == label })
	if i < 0 {
		s.t.Fatalf("there is no button %q among %+v", label, all)
	}
	s.ask(person, chat.Press, all[i].Token)
}

// said is what a post says.
func said(post chat.Post) string {
	var all strings.Builder
	for _, span := range post.Text {
		all.WriteString(span.Text)
	}
	return all.String()
}

// tells reports whether the table says that.
func (s *strange) tells(part string) bool { return strings.Contains(said(s.board), part) }

// says fails unless the post says all that.
func (s *strange) says(post chat.Post, parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(said(post), part) {
			s.t.Fatalf("%q is not said in\n%s", part, said(post))
		}
	}
}

// TestStrangePatience plays a patience of seven piles, once as pictures and once as text, by what the bot offers for it.
func TestStrangePatience(t *testing.T) {
	solved := 0
	for seed := range uint64(6) {
		s := newStrange(t, seed)
		if seed%2 == 1 {
			s.ask(1, chat.Press, table.PlaceToken(chat.Request{In: strangers()}, "!set pictures text"))
		}
		s.ask(1, chat.Command, "/tommy times=9")
		if drawn := s.board.Picture != nil; drawn == (seed%2 == 1) {
			t.Fatalf("a picture: %v, in deal %d", drawn, seed)
		}
		s.says(s.board, "tommy", "P1")
		for moves := 0; !s.board.Final; moves++ {
			if moves > 1000 {
				t.Fatalf("deal %d doesn't end:\n%s", seed, said(s.board))
			}
			if moves%20 == 0 {
				s.drawn()
			}
			s.move()
		}
		s.says(s.board, "P1", "moves")
		if strings.Contains(said(s.board), "come out") {
			solved++
		}
	}
	if solved == 0 {
		t.Error("no deal came out")
	}
}

// drawn checks the picture, or the text where there is none.
func (s *strange) drawn() {
	s.t.Helper()
	shot := s.board.Picture
	if shot == nil {
		s.says(s.board, "base1 ")
		return
	}
	if _, err := png.Decode(bytes.NewReader(shot.PNG(nil))); err != nil {
		s.t.Fatal(err)
	}
	if !strings.Contains(shot.Alt, "base1 ") {
		s.t.Fatalf("the words for the picture are %q", shot.Alt)
	}
}

// move does something with the patience: mostly what goes on bases by itself, else a move by a button or typed, and now and then anything else that is offered. Where no move is left the player gives up.
func (s *strange) move() {
	s.t.Helper()
	all := s.buttons(s.board)
	own := func(b chat.Button) bool { return strings.Contains(b.Token, "!") }
	moves := slices.DeleteFunc(slices.Clone(all), own)
	home := slices.IndexFunc(all, func(b chat.Button) bool { return strings.Contains(b.Token, "!home") })
	switch chance := s.chance.IntN(20); {
	case len(moves) == 0:
		s.ask(1, chat.Press, s.find("!giveup"))
	case home >= 0 && chance < 15:
		s.ask(1, chat.Press, all[home].Token)
	case chance == 16:
		for _, typed := range []string{"/m turn up", "/m upper heap", "/m lay upper base1", "/m turn over"} {
			s.ask(1, chat.Command, typed)
		}
	case chance == 17:
		s.ask(1, chat.Press, all[s.chance.IntN(len(all))].Token)
	default:
		s.ask(1, chat.Press, moves[s.chance.IntN(len(moves))].Token)
	}
}

// TestStrangeTricks plays a game of tricks in which seats go out, with the cards that each sees alone.
func TestStrangeTricks(t *testing.T) {
	for seed := range uint64(6) {
		s := newStrange(t, seed)
		people := 3 - int(seed%3)
		s.ask(1, chat.Command, "/knockout cards=3")
		s.says(s.board, "knockout", "cards 3")
		for person := 2; person <= people; person++ {
			s.press(person, "Join")
		}
		for person := people; person < 3; person++ {
			s.press(1, "+ 🤖")
		}
		s.press(1, "Deal")
		for person := 1; person <= people && len(s.buttons(s.board)) > 0 && s.tells("cut the pack"); person++ {
			s.ask(person, chat.Press, s.find("!no-cut"))
		}
		for moves := 0; !s.board.Final; moves++ {
			if moves > 200 {
				t.Fatalf("deal %d doesn't end:\n%s", seed, said(s.board))
			}
			s.says(s.board, "trumps  ", "▶ ")
			s.play(people)
		}
		s.says(s.board, "🏆 ", "P1")
	}
}

// find is the token of a button that asks for that.
func (s *strange) find(action string) string {
	s.t.Helper()
	for _, b := range slices.Concat(s.board.Buttons...) {
		if strings.Contains(b.Token, action) {
			return b.Token
		}
	}
	s.t.Fatalf("nothing asks for %s in\n%s", action, said(s.board))
	return ""
}

// play lets whoever has to look at their hand and play a card of it; the computer plays by the clock.
func (s *strange) play(people int) {
	s.t.Helper()
	for person := 1; person <= people; person++ {
		s.own = chat.Post{}
		s.ask(person, chat.Press, s.find("!hand"))
		if len(s.own.Choices) == 0 {
			continue
		}
		items := s.own.Choices[0].Items
		before := s.board.Level
		s.ask(person, chat.Press, items[s.chance.IntN(len(items))].Token)
		if s.board.Level == before || !strings.HasSuffix(items[0].Label, "trick") {
			s.t.Fatalf("%q doesn't play a card", items[0].Label)
		}
		return
	}
	s.running += 5 * time.Second
	s.bot.Ring(s.t.Context(), func(_ context.Context, r chat.Response) { s.show(r) })
}
