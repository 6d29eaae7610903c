package bot

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// forms are all choices of a game's options.
func forms(info engine.Info) []map[string]string {
	all := []map[string]string{{}}
	for _, o := range info.Options {
		var more []map[string]string
		for _, options := range all {
			for _, value := range o.Values {
				longer := maps.Clone(options)
				longer[o.Name] = value
				more = append(more, longer)
			}
		}
		all = more
	}
	return all
}

// solo is a table for one, laid by random play.
type solo struct {
	*visit
	state  engine.State
	chance *rand.Rand
}

func layOut(t *testing.T, b *Bot, rules engine.Rules, options map[string]string, deal int64) solo {
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
	table := &table{
		id: tableID{Community{Telegram, -1001234567890123}, "0123456789ab"}, Phase: playing, Game: rules.Info().Name, Options: full,
		Numbered: &deal, Chairs: []chair{{User: 1, Name: strings.Repeat("W", 64)}}, Line: 1, Undone: 1,
	}
	v := &visit{bot: b, table: table, rules: rules, req: Request{Who: User{ID: 1, Lang: "ru"}}}
	return solo{v, state, rand.New(rand.NewPCG(uint64(deal), 1))}
}

// anyMove is any legal move but giving up; false if there is none.
func (s solo) anyMove() (engine.Move, bool) {
	moves := s.state.Moves(0, nil)
	moves = slices.DeleteFunc(moves, func(m engine.Move) bool { return s.rules.Info().Verbs[m.Verb-1].Name == quitMove })
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
		t.Fatalf("%s: %v", s.rules.Text(m), err)
	}
	s.table.Last = newest(append(s.table.Last, outcome.Events...), maxLast)
}

// TestBoards plays every form of every patience at random: in each position the board fits into a message and, without
// what else stands there, into the words for a picture; every button and every item of a list is within its limits, and
// no two are called the same.
func TestBoards(t *testing.T) {
	b := newClocked(t).bot
	for _, rules := range patience.All() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			longest, alt := 0, 0
			for _, options := range forms(rules.Info()) {
				s := layOut(t, b, rules, options, 1<<62)
				for n := range 400 {
					lang := b.words.Lang(words.Tags()[n%3])
					text, layout := s.checkBoard(t, lang)
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
func (s solo) checkBoard(t *testing.T, lang *words.Lang) (text, layout int) {
	t.Helper()
	view := s.state.View(engine.Nobody)
	piles := s.painter(lang)
	piles.layout(view)
	moves := 0
	for page := 0; page == 0 || page < (moves+maxMoves-1)/maxMoves; page++ {
		s.table.Page = page
		p := s.painter(lang)
		p.solitaire(s.rules, view, 1<<20)
		m := Message{Text: p.spans, Choices: p.lists, Buttons: p.rows()}
		if text = utf8.RuneCountInString(flat(m.Text)); len(m.Choices)+len(m.Buttons) > 5 {
			t.Errorf("%d lists and %d rows of buttons", len(m.Choices), len(m.Buttons))
		}
		labels := map[string]bool{}
		for _, row := range m.Rows(5) {
			for _, button := range row {
				if labels[button.Label] || len([]rune(button.Label)) > 48 || len(button.Token) > MaxToken {
					t.Errorf("a button is called %q, as another, and says %q", button.Label, button.Token)
				}
				labels[button.Label] = true
			}
		}
		moves = len(p.named(view))
	}
	return text, utf8.RuneCountInString(flat(piles.spans))
}

// TestHomewardTakesNothing: a card that goes to a foundation unasked leaves every other card all its moves.
func TestHomewardTakesNothing(t *testing.T) {
	b := newClocked(t).bot
	for _, rules := range patience.All() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			plain := 0
			for deal := range int64(60) {
				options := forms(rules.Info())
				s := layOut(t, b, rules, options[int(deal)%len(options)], deal)
				for range 300 {
					before := s.state.View(engine.Nobody)
					home, ok := homeward(rules.Info(), before)
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
	if isOver(s.state) {
		return
	}
	after := s.state.View(engine.Nobody)
	for _, m := range before.Offers {
		if !s.movesCard(m) || m.From == home.From && m.N == home.N {
			continue
		}
		card, to := moved(before, m), before.Piles[m.To]
		if !slices.ContainsFunc(after.Offers, func(o engine.Move) bool {
			there := o.From == m.From || o.From == home.From // In Гробница it has filled the place.
			same := o.To == m.To || to.Kind == foundation && after.Piles[o.To].Kind == foundation
			return s.movesCard(o) && there && moved(after, o) == card && same
		}) {
			t.Errorf("after %s nobody can %s any more", s.rules.Text(home), s.rules.Text(m))
		}
	}
}

// TestTypedMoves: what people call a card and a place, in any language.
func TestTypedMoves(t *testing.T) {
	b := newClocked(t).bot
	s := layOut(t, b, patience.Polusharia, nil, 2)
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
		{"8♦ 9♦", "put t4 t9"},
		{"8б 9б", "put t4 t9"},
		{"4c 5c", "put t5 t3"},
		{"4к 5т", "put t5 t3"},
		{"draw", "draw"},
		// Not legal: the game says why.
		{"9h 10h", "no-such-move"},
		{"дп t1", "put t5@0 t1"},
		{"D♠ t1", "put t5@0 t1"},
		{"9h f1", "put t1 f1"},
		// Not to be understood.
		{"9h", "not-a-move"},
		{"", "not-a-move"},
		{"a b c", "not-a-move"},
		{"→", "not-a-move"},
		{"9x t1", "no-such-move"},
		{"th tz", "no-such-move"},
		{"t11 t1", "no-such-move"},
	} {
		m, err := s.meant(s.state.View(engine.Nobody), test.text)
		got := s.rules.Text(m)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q is read as %s, want %s", test.text, got, test.want)
		}
	}
}

// FuzzTyped types anything at each of the patiences: it is a move or a refusal, and what is refused changes nothing.
func FuzzTyped(f *testing.F) {
	for i, line := range []string{
		"draw, turned w1", "7s 8s", "t3 f", "A♥ → 2♥", "put r1@4 f1", ",", ";;", "→ →", "quit, draw", "1.0 3.4", "as 1.0", "\xff", "g1.99 g",
	} {
		f.Add(uint8(i), line)
	}
	f.Fuzz(func(t *testing.T, game uint8, line string) {
		rules := patience.All()[int(game)%len(patience.All())]
		b, err := New(t.Context(), Options{Store: mem.New(), Games: patience.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id, line string) Response {
			return b.Handle(t.Context(), Request{
				ID: id, Kind: Command, Who: User{ID: 1, Name: "Ann"}, In: Place{Community: Community{Web, 1}, Channel: 1}, Data: line,
			})
		}
		opened := ask("1", fmt.Sprintf("/%s deal=1", rules.Info().Name))
		r := ask("2", "/m "+line)
		if r.Toast == b.words.Lang("").Say("broken") || r.Toast == "" && len(r.Posts) == 0 {
			t.Errorf("%q is answered %+v", line, r)
		}
		if again := ask("3", "/table"); r.Alert && flat(again.Posts[len(again.Posts)-1].Text) != flat(opened.Posts[0].Text) {
			t.Errorf("%q was refused, and the board is another:\n%s", line, flat(again.Posts[len(again.Posts)-1].Text))
		}
	})
}
