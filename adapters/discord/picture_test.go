package discord

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// withPictures is a house whose bot shows games for one as pictures.
func withPictures(t *testing.T) *house {
	t.Helper()
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	h.pictures = true
	h.start()
	return h
}

// solitaire is a game for one in the channel, which the computer player plays by Ann's hand.
type solitaire struct {
	*house
	enginetest.Solo
	table string
	// number is what the board says of its deal.
	number string
	// listed is how often a move was chosen from a list, and drawn how often a button bore it.
	listed, drawn int
}

// lay opens a numbered deal, and waits for its board.
func (h *house) lay(game enginetest.Variant, number int64) *solitaire {
	h.t.Helper()
	before := len(h.dealer.asked.Of(chat.Shown))
	h.server.Command(ann, discordtest.Channel, "patience", map[string]any{"what": fmt.Sprint(game, " number=", number)}).Answer()
	h.shown(before + 1)
	s := &solitaire{house: h, Solo: game.Begin(h.t, number), number: fmt.Sprint("№ ", number)}
	s.table = strings.Join(strings.SplitN(s.look().Buttons()[0].CustomID, ".", 4)[1:3], ".")
	return s
}

// look is the message that shows the table, with its buttons or without.
func (s *solitaire) look() discordtest.Message {
	var found discordtest.Message
	for _, m := range s.server.Messages(discordtest.Channel, "") {
		if strings.Contains(m.Content, s.number) {
			found = m
		}
	}
	return found
}

// wish chooses from a list what does something, or presses a button that does, or one as if it did.
func (s *solitaire) wish(do string) *discordtest.Interaction {
	s.t.Helper()
	token := "1." + s.table + "." + strconv.FormatInt(int64(2+s.State.Epoch()), 36) + "." + do
	m := s.look()
	for _, list := range m.Menus {
		for _, o := range list.Options {
			if o.Value == token {
				s.listed++
				i := s.server.Choose(ann, m.ID, list.CustomID, token)
				i.Answer()
				return i
			}
		}
	}
	if slices.ContainsFunc(m.Buttons(), func(b discordtest.Button) bool { return b.CustomID == token }) {
		s.drawn++
	}
	i := s.server.Press(ann, m.ID, token)
	i.Answer()
	return i
}

// move makes the computer player's move, and reports false when there is none.
func (s *solitaire) move(skill float64, chance *rand.Rand) bool {
	s.t.Helper()
	move, ok := s.Next(skill, chance)
	if ok {
		s.wish(s.Rules.Text(move))
		s.Apply(s.t, move)
	}
	return ok
}

// giveUp gives the game up, and says so again if the player is asked: the question then says what became of it.
func (s *solitaire) giveUp() {
	s.t.Helper()
	m, _ := s.wish("!giveup").Message()
	for _, row := range m.Rows {
		for _, b := range row {
			if strings.Contains(b.CustomID, ".!answer ") {
				i := s.server.Press(ann, m.ID, b.CustomID)
				i.Answer()
				if m, _ = i.Message(); len(m.Rows) > 0 || m.Content == "" {
					s.t.Errorf("after the answer the question says %q, %+v", m.Content, m.Rows)
				}
			}
		}
	}
}

// playOut lets the computer player play to the end, at first by buttons and lists, then by typing a line of moves at a
// time. It gives up when nothing can be moved any more.
func (s *solitaire) playOut(skill float64) {
	s.t.Helper()
	const pressed, atOnce = 12, 25
	chance := rand.New(rand.NewPCG(1, 1))
	for s.Made < pressed && s.move(skill, chance) {
	}
	for {
		line := s.Line(s.t, atOnce, skill, chance)
		if len(line) == 0 {
			break
		}
		s.server.Command(ann, discordtest.Channel, "m", map[string]any{"what": strings.Join(line, ", ")}).Answer()
	}
	if result, over := s.State.Result(); !over || !result.Patience.Solved {
		s.giveUp()
	}
}

// rainbow is Tęcza as it is.
func rainbow() enginetest.Variant { return enginetest.Variant{Rules: patience.Tecza} }

// TestPictures shows a table as a picture: each press is one call that puts another picture in place of the last one. Where
// the table is shown anew as text, and as a picture again, the old message keeps what it shows; the last picture stays.
func TestPictures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := withPictures(t)
		s := h.lay(rainbow(), 12345)
		first := s.look()
		if first.Picture == nil || !strings.Contains(first.Alt, "r1") || strings.Contains(first.Content, "r1") {
			t.Fatalf("the board: %q %q %+v", first.Content, first.Alt, first.Menus)
		}
		h.server.Forget()
		before := first.Picture
		chance := rand.New(rand.NewPCG(1, 1))
		for n := 1; n <= 20; n++ {
			s.move(1, chance)
			now := s.look()
			if now.ID != first.ID || now.Edits != first.Edits+n || now.Picture == nil || bytes.Equal(now.Picture, before) {
				t.Fatalf("after move %d message %s was changed %d times", n, now.ID, now.Edits)
			}
			before = now.Picture
		}
		if calls := h.server.Record().Calls; len(calls) != 1 || calls["callback"] != 20 {
			t.Errorf("20 moves took %v", calls)
		}
		boss := ann
		boss.Rights = 1 << 3
		anew := func(what string, old discordtest.Message) discordtest.Message {
			t.Helper()
			shown := len(h.dealer.asked.Of(chat.Shown))
			h.choose(boss, "pictures "+what)
			var m discordtest.Message
			h.server.Until("the table is shown anew: "+what, func() bool {
				m = s.look()
				before, _ := h.server.Message(old.ID)
				return m.ID != old.ID && len(before.Rows)+len(before.Menus) == 0 && bytes.Equal(before.Picture, old.Picture)
			})
			if (m.Picture == nil) != (what == "text") || strings.Contains(m.Content, "r1") != (what == "text") {
				t.Errorf("%s: the board is %q", what, m.Content)
			}
			h.shown(shown + 1)
			return m
		}
		last := anew("pictures", anew("text", s.look()))
		s.giveUp()
		h.server.Until("the end", func() bool { return h.open() == 0 })
		if end := s.look(); end.ID != last.ID || !bytes.Equal(end.Picture, last.Picture) || end.Alt != last.Alt || len(end.Menus) > 0 {
			t.Errorf("at the end message %s says %q", end.ID, end.Content)
		}
		h.quietly()
	})
}

// TestNoFiles takes away the right to attach files: the table is told in words, in the same message, and once why. What
// presses say of rights is believed, so that nothing is tried in vain; without a press one try is.
func TestNoFiles(t *testing.T) {
	for _, test := range []struct {
		name string
		// early says that the right is missing from the start, redraw that the table is drawn before anybody presses.
		early, redraw bool
		refused       int
	}{
		{name: "from the start", early: true},
		{name: "later"},
		{name: "and the table is redrawn", redraw: true, refused: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := withPictures(t)
				bar := func() { h.server.Allow(discordtest.Channel, discordtest.AllRights&^(1<<15)) }
				if test.early {
					bar()
				}
				s := h.lay(rainbow(), 12345)
				id := s.look().ID
				if !test.early {
					bar()
				}
				h.server.Forget()
				words := func() bool {
					m := s.look()
					return m.ID == id && m.Picture == nil && strings.Contains(m.Content, "r1")
				}
				if test.redraw {
					h.sender.redraw(part{Count: 1}, true)
					h.server.Until("the table is told in words", words)
				}
				chance := rand.New(rand.NewPCG(1, 1))
				for range 5 {
					s.move(1, chance)
				}
				told := func() (n int) {
					for _, m := range h.server.Messages(discordtest.Channel, ann.ID) {
						if m.Private == ann.ID && strings.Contains(m.Content, "Прикреплять файлы") {
							n++
						}
					}
					return n
				}
				h.server.Until("Ann is told why", func() bool { return told() == 1 })
				if !words() {
					t.Errorf("the board: %+v", s.look())
				}
				if calls := h.quietly().Calls; calls["callback"] != 5 || calls["edit"] != 2*test.refused {
					t.Errorf("calls: %v", calls)
				}
				if n := told(); n != 1 {
					t.Errorf("Ann is told %d times", n)
				}
				h.server.Allow(discordtest.Channel, discordtest.AllRights)
				h.sender.wordsUntil.Drop(number(discordtest.Channel)) // As an hour later.
				s.move(1, chance)
				if m := s.look(); m.ID != id || m.Picture == nil || strings.Contains(m.Content, "r1") {
					t.Errorf("the picture is back as %+v", m)
				}
			})
		})
	}
}

// TestPicturesFail: where pictures fail and words are taken, words show within a minute what a press has done, and a while later pictures do again,
// once they are taken. An outage of all brings no words.
func TestPicturesFail(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]discordtest.Faults{
		"broken":       {Broken: 1, Files: true},
		"cut":          {Reset: 1, Files: true},
		"invalid":      {Refused: 1, Status: 400, Code: 50035, Files: true},
		"in new words": {Refused: 1, Status: 400, Code: 200000, Files: true},
		"all fails":    {Broken: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := withPictures(t)
				s := h.lay(rainbow(), 1)
				chance := rand.New(rand.NewPCG(1, 1))
				h.server.SetFaults(faults)
				before := s.look().Content
				s.move(1, chance)
				time.Sleep(time.Minute)
				if m := s.look(); faults.Files && (m.Picture != nil || m.Content == before) || !faults.Files && m.Content != before {
					t.Errorf("after a minute: %q", m.Content)
				}
				time.Sleep(3 * time.Second) // A try may be under way, which begins with the picture and ends with words.
				if in := (chat.Place{Channel: number(discordtest.Channel)}); h.sender.takesWords(in) != faults.Files {
					t.Errorf("after a minute pictures are tried: %v", faults.Files)
				}
				for range 3 {
					before = s.look().Content
					answer := s.move(1, chance)
					time.Sleep(time.Second)
					if m := s.look(); !answer || faults.Files && m.Content == before {
						t.Errorf("after a press: %q", m.Content)
					}
					time.Sleep(15 * time.Second) // Nothing is tried at the end.
				}
				time.Sleep(wordsBriefly)
				before = s.look().Content
				s.move(1, chance)
				time.Sleep(10 * time.Second)
				if m := s.look(); faults.Files && m.Content == before {
					t.Errorf("after a press when pictures are tried again: %q", m.Content)
				}
				time.Sleep(5 * time.Second)
				h.server.SetFaults(discordtest.Faults{})
				time.Sleep(70 * time.Second)
				if m := s.look(); (m.Picture == nil) != faults.Files || !faults.Files && m.Content == before {
					t.Errorf("the outage is over: %q", m.Content)
				}
				time.Sleep(wordsBriefly)
				s.move(1, chance)
				if m := s.look(); m.Picture == nil {
					t.Errorf("the picture is back as %q", m.Content)
				}
				for _, m := range h.server.Messages(discordtest.Channel, ann.ID) {
					if strings.Contains(m.Content, "Прикреплять файлы") {
						t.Errorf("Ann is told %q", m.Content)
					}
				}
			})
		})
	}
}

// TestPatiences plays a form of every patience, or with more rounds every form, from the deal to the end, with all faults on, by a
// computer player who thinks little.
func TestPatiences(t *testing.T) {
	seen := map[string]bool{}
	for n, game := range enginetest.Variants(patience.All()) {
		if name := game.Rules.Info().Name; seen[name] && *rounds < 3 {
			continue
		} else {
			seen[name] = true
		}
		t.Run(game.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := withPictures(t)
				s := h.lay(game, 1)
				h.server.SetFaults(storms(uint64(n)))
				s.playOut(0.1)
				h.server.SetFaults(discordtest.Faults{})
				h.sender.redraw(part{Count: 1}, true)
				h.server.Until("the end", func() bool { return h.open() == 0 })
				m := s.look()
				if m.Picture == nil || len(m.Menus) > 0 || s.drawn == 0 || !strings.Contains(m.Content, fmt.Sprintf("\n%d ход", s.Made)) {
					t.Errorf("the end after %d moves, %d of them buttons: %q", s.Made, s.drawn, m.Content)
				}
				t.Logf("%d moves, %d on buttons, %d from lists: %v", s.Made, s.drawn, s.listed, h.quietly().Calls)
			})
		})
	}
}

// TestSolved plays a patience that comes out: the last picture shows all the kings, and the words say so.
func TestSolved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := withPictures(t)
		frog := enginetest.Variant{Rules: patience.Zaba}
		s := h.lay(frog, frog.Easy(t))
		s.playOut(0)
		h.server.Until("the end", func() bool { return h.open() == 0 })
		if m := s.look(); !strings.Contains(m.Content, "сошёлся") || !strings.Contains(m.Alt, "f8 К") {
			t.Errorf("at the end: %q, %q", m.Content, m.Alt)
		}
		h.quietly()
	})
}
