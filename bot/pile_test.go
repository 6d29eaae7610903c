package bot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/patience"
)

// TestWholePile: in Гробница a pile goes home at one press, card after card, and is taken back and made again as one. The
// record knows single moves.
func TestWholePile(t *testing.T) {
	for _, kind := range []string{"b", "centre"} {
		t.Run(kind, func(t *testing.T) {
			s := sit(t)
			number, moves, pile := untilPile(t, kind, 3)
			id := s.open(fmt.Sprint("/grobnitsa deal=", number))
			for some := range slices.Chunk(moves, 30) {
				if r := s.say(1, "/m "+strings.Join(some, ",")); r.Alert {
					t.Fatalf("the moves are refused: %s", r.Toast)
				}
			}
			tb, state := s.look(id)
			view := state.View(engine.Nobody)
			n := len(view.Piles[pile.From].Cards)
			from, to := view.Piles[pile.From].Name, view.Piles[pile.To].Name
			before, button := s.position(id), table.Token{Table: id, Epoch: tb.Epoch(state), Do: "!pile " + from + " " + to}
			r := s.say(1, "/table")
			drawn := r.Posts[len(r.Posts)-1]
			label := board.PileLabel(s.bot.words.Lang("en"), patience.Grobnitsa.Info(), view, pile)
			if !offers(drawn.Message, chat.Button{Label: label, Token: button.String()}) {
				t.Errorf("the button %s is missing", label)
			}
			if r := s.do(2, chat.Press, button.String()); !r.Alert || s.position(id) != before {
				t.Errorf("somebody else's press is answered %q", r.Toast)
			}
			if r := s.do(1, chat.Press, button.String()); r.Alert {
				t.Fatalf("the press is refused: %s", r.Toast)
			}
			single := slices.Repeat([]string{"0 put " + from + " " + to}, n)
			if line := must(table.ReadLine(t.Context(), s.bot.store, s.table(id))); !slices.Equal(line[len(moves):], single) || s.table(id).Line != len(line) {
				t.Errorf("the moves are %q", line[len(moves):])
			}
			if r := s.do(1, chat.Press, button.String()); !r.Alert {
				t.Error("the same button is good once more")
			}
			after := s.position(id)
			for round := range 2 {
				epoch := s.epoch(id)
				if r := s.press(id, "!undo"); r.Alert || s.position(id) != before || s.table(id).Undone != n || !strings.Contains(r.Toast, label) {
					t.Errorf("round %d: taken back, %q: %s", round, r.Toast, s.position(id))
				}
				if s.epoch(id) <= epoch {
					t.Errorf("epoch %d comes after %d", s.epoch(id), epoch)
				}
				if r := s.press(id, "!redo"); r.Alert || s.position(id) != after || s.table(id).Undone != 0 || !strings.Contains(r.Toast, label) {
					t.Errorf("round %d: made again, %q: %s", round, r.Toast, s.position(id))
				}
			}
			s.giveUp(id)
			record := s.records()[0]
			if !slices.Equal(record.Moves[len(moves):], append(single, "0 quit")) {
				t.Errorf("the record ends %q", record.Moves[len(moves):])
			}
			if err := engine.Replay(patience.Grobnitsa, record, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestNoWholePile: nothing else goes as one, whatever a token says.
func TestNoWholePile(t *testing.T) {
	for _, line := range []string{"/grobnitsa deal=1", "/tecza deal=1", "/pauk deal=1", "/paganini deal=1", "/zaba rows=2 deal=1"} {
		s := sit(t)
		id := s.open(line)
		before := s.position(id)
		for _, what := range []string{"a1 f1", "b1 f1", "w1 f1", "centre f1", "b1@0 f1", "r2 f1", "b1", "f1 b1", "t1 f1", "g1.1 g1.0", ""} {
			if r := s.press(id, "!pile "+what); !r.Alert || s.position(id) != before {
				t.Errorf("%s: %q is answered %q", line, what, r.Toast)
			}
		}
	}
	h := newHall(t)
	h.dealt("none")
	if r := h.ask(1, 1, chat.Press, h.button(1, "!pile b1 f1")); !h.is(r, table.ErrNotAlone) {
		t.Errorf("in a game of several it is answered %q", r.Toast)
	}
}

// TestPilesGoWhole: wherever a pile is offered as one, every card of it goes.
func TestPilesGoWhole(t *testing.T) {
	info := patience.Grobnitsa.Info()
	seen := 0
	for number := range int64(300) {
		eachPosition(t, number, func(_ []string, state engine.State) bool {
			view := state.View(engine.Nobody)
			for _, m := range view.Offers {
				n := board.WholePile(info, view, m)
				if n == 0 {
					continue
				}
				seen++
				below, cards := len(view.Piles[m.To].Cards), slices.Clone(view.Piles[m.From].Cards)
				for range n {
					if _, err := state.Apply(engine.Step{Move: m}); err != nil {
						t.Fatalf("deal %d: of %v: %v", number, cards, err)
					}
				}
				slices.Reverse(cards)
				if now := state.View(engine.Nobody).Piles[m.To].Cards; !slices.Equal(now[below:], cards) {
					t.Errorf("deal %d: %v has become %v", number, cards, now[below:])
				}
				return false
			}
			return true
		})
	}
	if seen < 100 {
		t.Errorf("only %d piles were seen", seen)
	}
}

// eachPosition lets a hasty computer player play a deal of Гробница, and calls fn on every position with the moves so
// far, until it returns false.
func eachPosition(t *testing.T, number int64, fn func([]string, engine.State) bool) {
	t.Helper()
	rules := patience.Grobnitsa
	state, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.NumberedSeed("grobnitsa", number), ""))
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(uint64(number), 1))
	var moves []string
	for len(state.Turn()) > 0 && fn(moves, state) {
		m := state.Auto(0, 0, chance)
		if all := state.Moves(0, nil); chance.IntN(3) > 0 { // Piles are built where not every card goes home at once.
			all = slices.DeleteFunc(all, func(m engine.Move) bool { return m.Verb == patience.Quit })
			if len(all) > 0 {
				m = all[chance.IntN(len(all))]
			}
		}
		moves = append(moves, rules.Text(m))
		if _, err := state.Apply(engine.Step{Move: m}); err != nil {
			t.Fatal(err)
		}
	}
}

// untilPile is the number of a deal and the moves to a position where a pile of that kind goes home, of at least so many
// cards, with the move of the first.
func untilPile(t *testing.T, kind string, least int) (number int64, moves []string, pile engine.Move) {
	t.Helper()
	info := patience.Grobnitsa.Info()
	for number = range int64(3000) {
		eachPosition(t, number, func(made []string, state engine.State) bool {
			view := state.View(engine.Nobody)
			for _, m := range view.Offers {
				if board.WholePile(info, view, m) >= least && view.Piles[m.From].Kind == kind {
					moves, pile = slices.Clone(made), m
					return false
				}
			}
			return true
		})
		if moves != nil {
			return number, moves, pile
		}
	}
	t.Fatalf("no pile %s goes home", kind)
	return
}

// offers reports whether the message has the button.
func offers(m chat.Message, b chat.Button) bool {
	all := slices.Concat(m.Buttons...)
	for _, menu := range m.Choices {
		all = append(all, menu.Items...)
	}
	return slices.ContainsFunc(all, func(other chat.Button) bool { return other.Label == b.Label && other.Token == b.Token })
}

// table is the table as it is stored, epoch that of its buttons.
func (s *sitting) table(id table.ID) *table.Table {
	s.t.Helper()
	table, _ := s.look(id)
	return table
}

func (s *sitting) epoch(id table.ID) int {
	s.t.Helper()
	table, state := s.look(id)
	return table.Epoch(state)
}

// dealt is a game of Зевака, with that limit, that was dealt in channel 1 to P1 and P2.
func (h *hall) dealt(limit string) table.ID {
	h.t.Helper()
	h.must(1, 1, chat.Command, "/zevaka limit="+limit)
	id := h.table(1).ID
	h.must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.cut(1)
	return id
}
