package play_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
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
			s := bottest.NewSitting(t)
			number, moves, pile := untilPile(t, kind, 3)
			id := s.Open(fmt.Sprint("/grobnitsa deal=", number))
			for some := range slices.Chunk(moves, 30) {
				if r := s.Say(1, "/m "+strings.Join(some, ",")); r.Alert {
					t.Fatalf("the moves are refused: %s", r.Toast)
				}
			}
			tb, state := s.Look(id)
			view := state.View(engine.Nobody)
			n := len(view.Piles[pile.From].Cards)
			from, to := view.Piles[pile.From].Name, view.Piles[pile.To].Name
			before, button := position(s, id), table.Token{Table: id, Epoch: tb.Epoch(state), Do: "!pile " + from + " " + to}
			r := s.Say(1, "/table")
			drawn := r.Posts[len(r.Posts)-1]
			label := board.PileLabel(s.Bot.Words().Lang("en"), patience.Grobnitsa.Info(), view, pile)
			if !offers(drawn.Message, chat.Button{Label: label, Token: button.String()}) {
				t.Errorf("the button %s is missing", label)
			}
			if r := s.Do(2, chat.Press, button.String()); !r.Alert || position(s, id) != before {
				t.Errorf("somebody else's press is answered %q", r.Toast)
			}
			if r := s.Do(1, chat.Press, button.String()); r.Alert {
				t.Fatalf("the press is refused: %s", r.Toast)
			}
			single := slices.Repeat([]string{"0 put " + from + " " + to}, n)
			if line := bottest.Must(table.ReadLine(t.Context(), s.Store, stored(s, id))); !slices.Equal(line[len(moves):], single) || stored(s, id).Line != len(line) {
				t.Errorf("the moves are %q", line[len(moves):])
			}
			if r := s.Do(1, chat.Press, button.String()); !r.Alert {
				t.Error("the same button is good once more")
			}
			after := position(s, id)
			for round := range 2 {
				epoch := epochOf(s, id)
				if r := s.Press(id, "!undo"); r.Alert || position(s, id) != before || stored(s, id).Undone != n || !strings.Contains(r.Toast, label) {
					t.Errorf("round %d: taken back, %q: %s", round, r.Toast, position(s, id))
				}
				if epochOf(s, id) <= epoch {
					t.Errorf("epoch %d comes after %d", epochOf(s, id), epoch)
				}
				if r := s.Press(id, "!redo"); r.Alert || position(s, id) != after || stored(s, id).Undone != 0 || !strings.Contains(r.Toast, label) {
					t.Errorf("round %d: made again, %q: %s", round, r.Toast, position(s, id))
				}
			}
			s.GiveUp(id)
			record := s.Records()[0]
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
		s := bottest.NewSitting(t)
		id := s.Open(line)
		before := position(s, id)
		for _, what := range []string{"a1 f1", "b1 f1", "w1 f1", "centre f1", "b1@0 f1", "r2 f1", "b1", "f1 b1", "t1 f1", "g1.1 g1.0", ""} {
			if r := s.Press(id, "!pile "+what); !r.Alert || position(s, id) != before {
				t.Errorf("%s: %q is answered %q", line, what, r.Toast)
			}
		}
	}
	h := bottest.NewHall(t)
	h.Dealt("none")
	if r := h.Ask(1, 1, chat.Press, h.Button(1, "!pile b1 f1")); !h.Is(r, table.ErrNotAlone) {
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

// stored is the table as it is stored, epochOf that of its buttons.
func stored(s *bottest.Sitting, id table.ID) *table.Table {
	s.T.Helper()
	table, _ := s.Look(id)
	return table
}

func epochOf(s *bottest.Sitting, id table.ID) int {
	s.T.Helper()
	table, state := s.Look(id)
	return table.Epoch(state)
}

// TestPlaces chooses a card that can go to several places, and then a place: nobody but its player does, and not after
// another move.
func TestPlaces(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/paganini aces=stuck deal=7")
	labels := func(r chat.Response) (labels []string, tokens map[string]string) {
		tokens = map[string]string{}
		for _, row := range r.Posts[len(r.Posts)-1].Rows(board.MaxRow) {
			for _, b := range row {
				labels, tokens[b.Label] = append(labels, b.Label), b.Token
			}
		}
		return labels, tokens
	}
	press := func(who int64, token string) chat.Response {
		s.N++
		return bottest.Seen(t.Context(), s.Bot, chat.Request{
			ID: fmt.Sprint("press ", s.N), Kind: chat.Press, Who: chat.User{ID: who, Name: "X", Lang: "en"}, Data: token, In: s.In,
		})
	}
	var cards []string
	var offered map[string]string
	for {
		s.N++
		shown := bottest.Seen(t.Context(), s.Bot, chat.Request{ID: fmt.Sprint("look ", s.N), Kind: chat.Command, Who: chat.User{ID: 1, Name: "X", Lang: "en"}, Data: "/table", In: s.In})
		if cards, offered = labels(shown); slices.ContainsFunc(cards, func(l string) bool { return strings.HasSuffix(l, " …") }) {
			break
		}
		if !auto(s, id) {
			t.Fatal("no card can go to several places")
		}
	}
	card := cards[slices.IndexFunc(cards, func(l string) bool { return strings.HasSuffix(l, " …") })]
	if r := press(2, offered[card]); !strings.HasPrefix(r.Toast, "Only User1 plays here.") || len(r.Posts) > 0 {
		t.Errorf("another chooses %s: %+v", card, r)
	}
	places, to := labels(press(1, offered[card]))
	_, state := s.Look(id)
	if back := places[len(places)-1]; len(places) < 3 || to[back] == "" {
		t.Fatalf("%s can go to %q", card, places)
	}
	again, _ := labels(press(1, to[places[len(places)-1]]))
	if !slices.Equal(again, cards) {
		t.Errorf("back again %q are offered, not %q", again, cards)
	}
	before := state.View(engine.Nobody)
	press(1, to[places[0]])
	if _, state = s.Look(id); slices.EqualFunc(before.Piles, state.View(engine.Nobody).Piles, func(a, b engine.Pile) bool { return slices.Equal(a.Cards, b.Cards) }) {
		t.Errorf("%s doesn't go to %s", card, places[0])
	}
	if r := press(1, offered[card]); r.Toast != s.Bot.Words().Lang("en").Say("no."+string(table.ErrStale)) {
		t.Errorf("a card of before is chosen: %+v", r)
	}
}
