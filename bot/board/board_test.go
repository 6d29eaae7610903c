package board

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/banchok"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

// solo is a table for one, laid by random play.
type solo struct {
	Drawing
	words  *words.Catalogue
	state  engine.State
	chance *rand.Rand
}

func layOut(t *testing.T, rules engine.Rules, options map[string]string, deal int64) solo {
	t.Helper()
	seed := engine.NumberedSeed(rules.Info().Name, deal)
	state, err := rules.Deal(engine.Setup{Seats: 1, Options: options}, engine.NewShuffler(seed, ""))
	if err != nil {
		t.Fatal(err)
	}
	full, err := rules.Info().Complete(options)
	if err != nil {
		t.Fatal(err)
	}
	tb := &table.Table{
		ID: table.ID{Community: chat.Community{Platform: chat.Telegram, ID: -1001234567890123}, Name: "0123456789ab"}, Phase: table.Playing, Agreed: table.Agreed{Game: rules.Info().Name}, Options: full,
		Chairs: []table.Chair{{User: 1, Name: strings.Repeat("W", 64)}}, Solo: table.Solo{Numbered: &deal, Line: 1, Undone: 1},
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	return solo{Drawing{Table: tb, Rules: rules, Lang: catalogue.Lang("ru")}, catalogue, state, rand.New(rand.NewPCG(uint64(deal), 1))}
}

// anyMove is any legal move but giving up; false if there is none.
func (s solo) anyMove() (engine.Move, bool) {
	moves := s.state.Moves(0, nil)
	moves = slices.DeleteFunc(moves, func(m engine.Move) bool { return m.Verb == patience.Quit })
	if len(moves) == 0 {
		return engine.Move{}, false
	}
	return moves[s.chance.IntN(len(moves))], true
}

// apply makes the move and keeps its events for the board.
func (s solo) apply(t *testing.T, m engine.Move) {
	t.Helper()
	outcome, err := s.state.Apply(engine.Step{Move: m})
	if err != nil {
		t.Fatalf("%s: %v", s.Rules.Text(m), err)
	}
	s.Table.Last = Newest(s.Rules.Info(), append(s.Table.Last, outcome.Events...), 4)
}

// TestBoards plays every form of every patience at random: in each position the board fits into a message and, without
// what else stands there, into the words for a picture; every button and every item of a list is within its limits, and
// no two are called the same.
func TestBoards(t *testing.T) {
	for _, rules := range patience.All() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			longest, alt := 0, 0
			for _, options := range enginetest.Forms(rules.Info()) {
				s := layOut(t, rules, options, 1<<62)
				for n := range 400 {
					s.Lang = s.words.Lang(words.Tags()[n%3])
					text, layout := s.checkBoard(t)
					longest, alt = max(longest, text), max(alt, layout)
					m, ok := s.anyMove()
					if !ok {
						break
					}
					s.apply(t, m)
				}
			}
			t.Logf("at most %d characters, %d of them piles", longest, alt)
			if longest > 1900 || alt > maxAlt {
				t.Errorf("a board has %d characters, %d of them piles", longest, alt)
			}
		})
	}
}

// checkBoard draws the board and returns how many characters it has, and how many of them are the piles.
func (s solo) checkBoard(t *testing.T) (text, layout int) {
	t.Helper()
	view := s.state.View(engine.Nobody)
	piles := s.painter()
	piles.layout(view)
	offered := map[string]bool{}
	for page := 0; page == 0 || page <= len(severalPlaces(view, s.painter().named(view))); page++ {
		s.Table.Page = page
		p := s.painter()
		p.solitaire(s.Rules, view, 1<<20)
		m := chat.Message{Text: p.Spans, Choices: p.lists, Buttons: p.rows()}
		if text = utf8.RuneCountInString(words.Flat(m.Text)); len(m.Choices)+len(m.Buttons) > 5 {
			t.Errorf("%d lists and %d rows of buttons", len(m.Choices), len(m.Buttons))
		}
		labels := map[string]bool{}
		for _, row := range m.Rows(5) {
			for _, button := range row {
				if labels[button.Label] || len([]rune(button.Label)) > 48 || len(button.Token) > table.MaxToken {
					t.Errorf("a button is called %q, as another, and says %q", button.Label, button.Token)
				}
				labels[button.Label], offered[button.Token] = true, true
			}
		}
		if rows := len(m.Rows(MaxRow)); rows > 8 {
			t.Errorf("%d rows of buttons hide the picture on a phone: %v", rows, labels)
		}
	}
	s.Table.Page = 0
	for _, named := range s.painter().named(view) {
		if token := s.painter().moveButton(s.Rules, named.move, "", 1<<20).Token; !offered[token] {
			t.Errorf("nothing offers %s", named.label)
		}
	}
	if all := s.painter().named(view); len(all) > 0 {
		typed := all[len(all)/2]
		if m, err := (Reader{s.Rules, s.words}).Meant(view, typed.label); err != nil || !alike(view, []engine.Move{typed.move, m}) {
			t.Errorf("%q is read as %s: %v", typed.label, s.Rules.Text(m), err)
		}
	}
	return text, utf8.RuneCountInString(words.Flat(piles.Spans))
}

// TestBankTyped: what a bank's buttons do is typed in a word or two of each language.
func TestBankTyped(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	reader := Reader{banchok.Rules{}, catalogue}
	for verb, typed := range map[engine.Verb][]string{
		banchok.Open:     {"открыть", "turn the card", "odkryj"},
		banchok.AllowOn:  {"с примазкой", "allow side bets", "z dokładaniem"},
		banchok.AllowOff: {"без примазки", "no side bets", "bez dokładania"},
	} {
		for _, text := range typed {
			if m, err := reader.Said(text); err != nil || m != (engine.Move{Verb: verb}) {
				t.Errorf("%q is read as %+v, %v", text, m, err)
			}
		}
	}
}

// TestHomewardTakesNothing: a card that goes to a foundation unasked leaves every other card all its moves.
func TestHomewardTakesNothing(t *testing.T) {
	for _, rules := range patience.All() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			plain := 0
			for deal := range int64(60) {
				options := enginetest.Forms(rules.Info())
				s := layOut(t, rules, options[int(deal)%len(options)], deal)
				for range 300 {
					before := s.state.View(engine.Nobody)
					home, ok := FoundationMove(rules.Info(), before)
					if !ok {
						if home, ok = s.anyMove(); !ok {
							break
						}
						s.apply(t, home)
						continue
					}
					plain++
					s.apply(t, home)
					s.keepsMoves(t, before, home)
				}
			}
			if rules.Info().Name != "paganini" && plain < 20 {
				t.Errorf("only %d cards went to foundations by themselves", plain)
			}
		})
	}
}

// keepsMoves compares the moves of cards before and after one went home.
func (s solo) keepsMoves(t *testing.T, before engine.View, home engine.Move) {
	t.Helper()
	reader := Reader{s.Rules, s.words}
	if _, over := s.state.Result(); over {
		return
	}
	after := s.state.View(engine.Nobody)
	for _, m := range before.Offers {
		if !reader.movesCard(m) || m.From == home.From && m.N == home.N {
			continue
		}
		card, to := cardOf(before, m), before.Piles[m.To]
		if !slices.ContainsFunc(after.Offers, func(o engine.Move) bool {
			there := o.From == m.From || o.From == home.From // In Гробница it has filled the place.
			same := o.To == m.To || to.Role == engine.PileFoundation && after.Piles[o.To].Role == engine.PileFoundation
			return reader.movesCard(o) && there && cardOf(after, o) == card && same
		}) {
			t.Errorf("after %s nobody can %s any more", s.Rules.Text(home), s.Rules.Text(m))
		}
	}
}

// TestTypedMoves: what people call a card and a place, in any language.
func TestTypedMoves(t *testing.T) {
	s := layOut(t, patience.Polusharia, nil, 2)
	// 4♦ 2♦ 5♥ 9♥ | 10♦ 4♥ 8♣ 2♥ | 6♥ 8♥ 3♥ 5♣ | 7♣ 3♠ 4♥ 8♦ | Q♠ K♥ 9♦ 4♣ | 10♣ A♣ 5♠ J♠ | 10♠ A♦ Q♣ A♥ |
	// K♥ 10♥ 10♣ A♣ | J♠ Q♥ 9♠ 9♦ | K♦ K♦ 9♣ 9♥
	for _, test := range []struct{ text, want string }{
		{"put t7 f1", "put t7 f1"},
		{"t7 f1", "put t7 f1"},
		{"7 f", "put t7 f1"},
		{"ah f1", "put t7 f1"},
		{"AH F", "put t7 f1"},
		{"A♥ f1", "put t7 f1"},
		{"A♥\ufe0f f1", "put t7 f1"},
		{"Т♥ f1", "put t7 f1"},
		{"тч базы", "put t7 f1"},
		{"A♥ podstawy", "put t7 f1"},
		{"ah 2h", "put t7 t2"},
		{"тч 2ч", "put t7 t2"},
		{"A♥ → 2♥", "put t7 t2"},
		{"A♥ t7 -> 2♥ t2", "put t7 t2"},
		{"A♥ → foundation", "put t7 f1"},
		{"Т♥ → база", "put t7 f1"},
		{"A♥ (kolumna 7) -> 2♥ (kolumna 2)", "put t7 t2"},
		{"A♥\ufe0e (kolumna 7) → 2♥\ufe0e (kolumna 2)", "put t7 t2"},
		{"8♦ 9♦", "put t4 t9"},
		{"8б 9б", "put t4 t9"},
		{"4c 5c", "put t5 t3"},
		{"4к 5т", "put t5 t3"},
		{"draw", "draw"},
		{"Открыть", "draw"},
		{"odkryj kartę", "draw"},
		{"сдаюсь", "quit"},
		// Not legal: the game says why.
		{"9h 10h", "no-such-move"},
		{"дп t1", "put t5@0 t1"},
		{"D♠ t1", "put t5@0 t1"},
		{"9h f1", "put t1 f1"},
		// Not to be understood.
		{"9h", "move-words"},
		{"", "move-words"},
		{"a b c", "move-words"},
		{"→", "move-words"},
		{"9x t1", "no-such-move"},
		{"th tz", "no-such-move"},
		{"t11 t1", "no-such-move"},
	} {
		m, err := Reader{s.Rules, s.words}.Meant(s.state.View(engine.Nobody), test.text)
		got := s.Rules.Text(m)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q is read as %s, want %s", test.text, got, test.want)
		}
	}
}

// TestCaptions: on a picture the piles are called as in moves, where there are several of a kind.
func TestCaptions(t *testing.T) {
	for _, test := range []struct {
		rules engine.Rules
		names int
		one   string
	}{{patience.Pauk, 20, "t12"}, {patience.Tecza, 12, "w3"}, {patience.Grobnitsa, 17, "b4"}, {patience.Paganini{}, 0, ""}} {
		state, err := test.rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.Seed{}, ""))
		if err != nil {
			t.Fatal(err)
		}
		names := captions(state.View(engine.Nobody))
		if len(names) != test.names || names[test.one] != test.one || names["stock"] != "" {
			t.Errorf("%s: %v", test.rules.Info().Name, names)
		}
	}
}
