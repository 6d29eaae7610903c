package discord

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
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
	rules engine.Rules
	state engine.State
	table string
	// listed is how often a move was chosen from a list.
	listed int
}

// lay opens a numbered deal, and waits for its board.
func (h *house) lay(name string) *solitaire {
	h.t.Helper()
	before := len(h.dealer.of(bot.Shown))
	h.server.Command(ann, discordtest.Channel, "patience", map[string]any{"what": name + " deal=12345"}).Answer()
	h.shown(before + 1)
	s := &solitaire{house: h}
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
		h.t.Fatal(err)
	}
	s.table = strings.Join(strings.SplitN(s.look().Buttons()[0].CustomID, ".", 4)[1:3], ".")
	return s
}

// look is the message that shows the table, with its buttons or without.
func (s *solitaire) look() discordtest.Message {
	var found discordtest.Message
	for _, m := range s.server.Messages(discordtest.Channel, "") {
		if strings.Contains(m.Content, "12345") {
			found = m
		}
	}
	return found
}

// wish chooses from a list what does something, or presses a button that does, or one as if it did.
func (s *solitaire) wish(do string) *discordtest.Interaction {
	s.t.Helper()
	token := "1." + s.table + "." + strconv.FormatInt(int64(2+s.state.Epoch()), 36) + "." + do
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
	i := s.server.Press(ann, m.ID, token)
	i.Answer()
	return i
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
	s.wish(s.rules.Text(move))
	if _, err := s.state.Apply(engine.Step{Seat: 0, Move: move}); err != nil {
		s.t.Fatalf("%s: %v", s.rules.Text(move), err)
	}
	return true
}

// TestPictures shows a table as a picture: each press is one call that puts another picture in place of the last one. Where
// the table is shown anew as text, and as a picture again, the old message keeps what it shows; the last picture stays.
func TestPictures(t *testing.T) {
	t.Parallel()
	h := withPictures(t)
	s := h.lay("tecza")
	first := s.look()
	if first.Picture == nil || !strings.Contains(first.Alt, "r1") || strings.Contains(first.Content, "r1") {
		t.Fatalf("the board: %q %q %+v", first.Content, first.Alt, first.Menus)
	}
	h.server.Forget()
	before := first.Picture
	chance := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 20; n++ {
		s.move(chance)
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
		shown := len(h.dealer.of(bot.Shown))
		h.server.Command(boss, discordtest.Channel, "settings", map[string]any{"what": what}).Answer()
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
	s.wish("!giveup-now")
	h.server.Until("the end", func() bool { return h.open() == 0 })
	if end := s.look(); end.ID != last.ID || !bytes.Equal(end.Picture, last.Picture) || end.Alt != last.Alt || len(end.Menus) > 0 {
		t.Errorf("at the end message %s says %q", end.ID, end.Content)
	}
	h.quietly()
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
			h := withPictures(t)
			bar := func() { h.server.Allow(discordtest.Channel, discordtest.AllRights&^(1<<15)) }
			if test.early {
				bar()
			}
			s := h.lay("tecza")
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
				h.redraw()
				h.server.Until("the table is told in words", words)
			}
			chance := rand.New(rand.NewPCG(1, 1))
			for range 5 {
				s.move(chance)
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
			h.wordy.drop(number(discordtest.Channel)) // As an hour later.
			s.move(chance)
			if m := s.look(); m.ID != id || m.Picture == nil || strings.Contains(m.Content, "r1") {
				t.Errorf("the picture is back as %+v", m)
			}
		})
	}
}

// TestPatiences plays some of them from the deal to the end, or until they are given up, with all faults on.
func TestPatiences(t *testing.T) {
	for n, name := range []string{"tecza", "pauk", "paganini"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := withPictures(t)
			s := h.lay(name)
			h.server.SetFaults(storms(uint64(n)))
			chance := rand.New(rand.NewPCG(1, 1))
			moves := 0
			for moves < 60 && s.move(chance) {
				moves++
			}
			if result, over := s.state.Result(); !over || !result.Patience.Solved {
				s.wish("!giveup-now")
			}
			h.server.SetFaults(discordtest.Faults{})
			h.redraw()
			h.server.Until("the end", func() bool { return h.open() == 0 })
			m := s.look()
			if m.Picture == nil || len(m.Menus) > 0 || s.listed == 0 {
				t.Errorf("the end after %d choices: %q", s.listed, m.Content)
			}
			t.Logf("%d moves, %d from lists: %v", moves, s.listed, h.quietly().Calls)
		})
	}
}
