package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest/knockout"
	"zevaka/engine/enginetest/tommy"
)

// TestPilesBelied: a pile that is not what its role says is found.
func TestPilesBelied(t *testing.T) {
	for _, test := range []struct {
		name   string
		rules  engine.Rules
		change func([]engine.Pile)
		finds  string
	}{
		{"as it is", tommy.Rules{}, func([]engine.Pile) {}, ""},
		{"as it is", knockout.Rules{}, func([]engine.Pile) {}, ""},
		{"a hand without hands", tommy.Rules{}, func(p []engine.Pile) { p[4].Role = engine.PileHand }, "in a game without"},
		{"no role", tommy.Rules{}, func(p []engine.Pile) { p[6].Role = 0 }, "pile talon has role 0"},
		{"two roles of a kind", tommy.Rules{}, func(p []engine.Pile) { p[1].Role = engine.PileWaste }, "pile base2 has role"},
		{"no seat's hand", knockout.Rules{}, func(p []engine.Pile) { p[0].Seat = engine.Nobody }, "pile hand0 of seat -1"},
		{"a full cell", tommy.Rules{}, func(p []engine.Pile) { p[6].Role, p[6].Row = engine.PileCell, 1 }, "has 36 cards"},
		{"a cell nowhere", tommy.Rules{}, func(p []engine.Pile) { p[4].Role = engine.PileCell }, "no row"},
		{"a column alone", tommy.Rules{}, func(p []engine.Pile) { p[0].Column = 1 }, "no row"},
		{"one place for two", tommy.Rules{}, func(p []engine.Pile) { p[0].Row, p[1].Row = 1, 1 }, "as pile base1 does"},
		{"a gap in a row", tommy.Rules{}, func(p []engine.Pile) { p[0].Row, p[0].Column = 1, 1 }, "nothing lies before"},
		{"a gap of a row", tommy.Rules{}, func(p []engine.Pile) { p[0].Row = 2 }, "nothing lies before"},
	} {
		setup := engine.Setup{Seats: test.rules.Info().MinSeats}
		st := Deal(t, test.rules, setup, engine.NewShuffler(engine.Seed{}, ""))
		s := capture(st, setup.Seats, new([]engine.Move))
		for _, view := range s.Views {
			test.change(view.Piles)
		}
		expect(t, test.name, s.check(test.rules, rand.New(rand.NewPCG(1, 1))), test.finds)
	}
}

// told are rules that tell what they like of a game.
type told struct {
	engine.Rules
	events []engine.EventInfo
}

func (r told) Info() engine.Info {
	info := r.Rules.Info()
	info.Events = r.events
	return info
}

// TestEventsBelied: an event that is not what its role says is found.
func TestEventsBelied(t *testing.T) {
	card := engine.NewCard(7, engine.Hearts)
	for _, test := range []struct {
		name   string
		role   engine.EventRole
		events []engine.Event
		finds  string
	}{
		{"happens", engine.EventHappens, []engine.Event{{What: "it"}}, ""},
		{"unknown", engine.EventHappens, []engine.Event{{What: "other"}}, "not among the events"},
		{"adds", engine.EventAdds, []engine.Event{{What: "it"}}, "adds to nothing"},
		{"lists", engine.EventLists, []engine.Event{{What: "it"}}, "lists no card"},
		{"lists nobody's", engine.EventLists, []engine.Event{{What: "it", Seat: engine.Nobody, Card: card}}, "lists no card"},
		{"arrives", engine.EventArrives, []engine.Event{{What: "it", Card: card}}, "lies elsewhere"},
		{"arrives nowhere", engine.EventArrives, []engine.Event{{What: "it", Card: card, N: 7}}, "lies elsewhere"},
		{"turns up", engine.EventTurnsUp, []engine.Event{{What: "it", Card: card}}, "not turned up"},
		{"stops", engine.EventStops, []engine.Event{{What: "it", Seat: engine.Nobody}}, "the deal goes on"},
		{"goes out and moves", engine.EventGoesOut, []engine.Event{{What: "it"}}, "is out, and may"},
		{"goes out twice", engine.EventGoesOut, []engine.Event{{What: "it", Seat: 1}, {What: "it", Seat: 1}}, "second time"},
		{"is nobody's going out", engine.EventGoesOut, []engine.Event{{What: "it", Seat: engine.Nobody}}, "second time"},
	} {
		rules := told{knockout.Rules{}, []engine.EventInfo{{Name: "it", Role: test.role}}}
		g := newGame(t, rules, engine.Setup{Seats: 3}, 0)
		g.scratch = new([]engine.Move)
		st := g.deal(engine.NewShuffler(g.seed, ""))
		expect(t, test.name, g.checkEvents(st, test.events), test.finds)
	}
}

// TestKeptBelied: a foundation that loses a card is found.
func TestKeptBelied(t *testing.T) {
	g := newGame(t, tommy.Rules{}, engine.Setup{Seats: 1}, 0)
	g.kept["base1"] = 1
	expect(t, "loses a card", g.checkKept(g.deal(engine.NewShuffler(g.seed, ""))), "had 1 cards and has 0")
}

// TestVerbsBelied: a game without the verbs of its family, or with those of another, is found.
func TestVerbsBelied(t *testing.T) {
	of := func(seats int, banker bool, roles ...engine.VerbRole) engine.Info {
		info := engine.Info{MaxSeats: seats, Banker: banker}
		for _, role := range roles {
			info.Verbs = append(info.Verbs, engine.VerbInfo{Name: "it", Role: role})
		}
		return info
	}
	aimed := of(1, false, engine.VerbQuits, engine.VerbDeals)
	aimed.Verbs[1].Aim = engine.AimPiles
	for _, test := range []struct {
		name  string
		info  engine.Info
		finds string
	}{
		{"for one", of(1, false, engine.VerbQuits, engine.VerbDeals), ""},
		{"with a banker", of(5, true, engine.VerbLeaves), ""},
		{"nobody quits", of(1, false), "0 verbs that quit"},
		{"two quit", of(1, false, engine.VerbQuits, engine.VerbQuits), "2 verbs that quit"},
		{"one quits for several", of(2, false, engine.VerbQuits), "1 verbs that quit"},
		{"nobody leaves", of(2, true), "0 verbs that leave"},
		{"somebody leaves no bank", of(2, false, engine.VerbLeaves), "1 verbs that leave"},
		{"dealing aims", aimed, "has role 1 and aim"},
	} {
		expect(t, test.name, checkVerbs(test.info), test.finds)
	}
}

// expect wants an error that says so; none where nothing is to be found.
func expect(t *testing.T, name string, err error, finds string) {
	t.Helper()
	if finds == "" && err != nil || finds != "" && (err == nil || !strings.Contains(err.Error(), finds)) {
		t.Errorf("%s: %v, want one that says %q", name, err, finds)
	}
}

// TestAsOne: only what such a pile has to lay on a foundation is tried on the whole pile.
func TestAsOne(t *testing.T) {
	g := newGame(t, tommy.Rules{}, engine.Setup{Seats: 1}, 0)
	g.scratch = new([]engine.Move)
	st := g.deal(engine.NewShuffler(g.seed, ""))
	s := g.capture(st)
	first := engine.Move{Verb: tommy.Lay, From: 4, To: 0}
	if g.goesAsOne(s, first) {
		t.Error("no pile of this patience goes as one")
	}
	s.referee().Piles[4].AsOne = true
	if !g.goesAsOne(s, first) || g.goesAsOne(s, engine.Move{Verb: tommy.Lay, From: 4, To: 5}) || g.goesAsOne(s, engine.Move{Verb: tommy.TurnUp}) {
		t.Error("a pile goes as one to foundations, and there alone")
	}
}
