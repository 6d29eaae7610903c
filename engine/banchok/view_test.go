package banchok

import (
	"reflect"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// look is what a seat sees, by the names of the piles.
func look(st engine.State, seat engine.Seat) map[string]string {
	seen := map[string]string{}
	for _, pile := range st.View(seat).Piles {
		seen[pile.Name] = enginetest.Cards(pile.Cards)
	}
	return seen
}

func TestViewNamesEveryPile(t *testing.T) {
	st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 3}, enginetest.Unshuffled{})
	names := enginetest.PileNames(st)
	if want := "pack hand1 hand2 turned table"; strings.Join(names, " ") != want {
		t.Errorf("the piles are %v, not %s", names, want)
	}
}

// TestViewHides asks what each seat sees (RULES.md 6.6): its own hand, what is shown, turned and thrown, never the pack.
func TestViewHides(t *testing.T) {
	const backs, one, two, pack = "-- -- --", "4S KH 2D", "9C 9D 9H", "7C 2S 6S"
	for _, test := range []struct {
		name, moves string
		seat        engine.Seat
		hand1       string
		hand2       string
		turned      string
		pack        string
	}{
		{"everybody", "", engine.Nobody, backs, backs, "", backs},
		{"the banker", "", 0, backs, backs, "", backs},
		{"a punter", "", 1, one, backs, "", backs},
		{"another punter", "", 2, backs, two, "", backs},
		{"the referee", "", engine.Referee, one, two, "", pack},
		{"everybody, after show", "1 stake 5, 1 show", engine.Nobody, one, backs, "", backs},
		{"another punter, after show", "1 stake 5, 1 show", 2, one, two, "", backs},
		{"everybody, after an early card", "0 open", engine.Nobody, backs, backs, "6S", "-- --"},
		{"the banker, after the hand", "1 stake 5, 1 show, 0 open", 0, "", backs, "", "-- --"},
	} {
		st := lay(t, "side=on", "bank 300\n> 1: "+one+"\n2: "+two+"\npack "+pack)
		enginetest.Steps(t, Rules{}, st, test.moves)
		want := map[string]string{"hand1": test.hand1, "hand2": test.hand2, "turned": test.turned, "pack": test.pack, "table": ""}
		if strings.HasSuffix(test.moves, "show, 0 open") {
			want["table"] = "4S KH 2D 6S"
		}
		if got := look(st, test.seat); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: sees %v, not %v", test.name, got, want)
		}
	}
}

// TestViewChips asks where the chips are, and on whose hand: unsettled stakes are in neither bank nor the net changes.
func TestViewChips(t *testing.T) {
	st := lay(t, "side=on", "bank 300\n> 1: 4S KH 2D\n2: 9C 9D 9H\n3: 8C 8D 8H\npack 7C 2S 6S")
	for _, line := range []struct {
		move   string
		want   engine.Chips
		backed engine.Seat
	}{
		{"1 stake 50", engine.Chips{Bank: 300, Goal: 900, Seats: []int64{-300, 0, 0, 0}, Stakes: []int64{0, 50, 0, 0}}, 1},
		{"3 side 20", engine.Chips{Bank: 300, Goal: 900, Seats: []int64{-300, 0, 0, 0}, Stakes: []int64{0, 50, 0, 20}}, 1},
		{"0 open", engine.Chips{Bank: 370, Goal: 900, Seats: []int64{-300, -50, 0, -20}, Stakes: []int64{0, 0, 0, 0}}, 2},
	} {
		enginetest.Steps(t, Rules{}, st, line.move)
		view := st.View(engine.Nobody)
		if got := *view.Chips; !reflect.DeepEqual(got, line.want) || view.Backed != line.backed {
			t.Errorf("after %s the chips are %+v on the hand of %d, not %+v on that of %d", line.move, got, view.Backed, line.want, line.backed)
		}
	}
}

// TestOffers asks for the buttons: those of the common table, and those of some seats.
func TestOffers(t *testing.T) {
	from := "bank 300\n> 1: 4S KH 2D\n2: 9C 9D 9H\n3: 8C 8D 8H\npack 7C 2S 6S"
	for _, test := range []struct {
		name, options, from, moves string
		common, banker, one, two   string
		note                       string
		brief                      bool
	}{
		{
			name: "before the stake", from: from,
			common: "open, stake 5, stake 75, stake 150, stake 300",
			banker: "open", one: "stake 5, stake 75, stake 150, stake 300, leave", two: "leave",
		},
		{name: "after it", from: from, moves: "1 stake 50", common: "open", banker: "open", two: "leave"},
		{
			name: "the whole bank", from: from, moves: "1 stake 300",
			common: "open", banker: "open", two: "leave", note: NoteWholeBank,
		},
		{
			name: "a card turned too early", from: from, moves: "0 open",
			common: "stake 5, stake 37, stake 75, stake 150",
			one:    "stake 5, stake 37, stake 75, stake 150", two: "leave", note: NoteEarly,
		},
		{
			name: "dealer=bot leaves the banker nothing", options: "dealer=bot", from: from,
			common: "stake 5, stake 75, stake 150, stake 300",
			one:    "stake 5, stake 75, stake 150, stake 300, leave", two: "leave",
		},
		{
			name: "amounts that are the same are offered once", from: "bank 12\n> 1: 4S KH 2D\n2: 9C 9D 9H\npack 7C",
			common: "open, stake 5..6, stake 12",
			banker: "open", one: "stake 5..6, stake 12, leave", two: "leave",
		},
		{
			name: "a bank below the least stake", from: "bank 3\n> 1: 4S KH 2D\n2: 9C 9D 9H\npack 7C",
			common: "open, stake 3", banker: "open", one: "stake 3, leave", two: "leave",
		},
		{
			name: "side bets: allow at the start of a round", options: "side=on min=50", from: from, moves: "2 allow off",
			common: "open, stake 50, stake 75, stake 150, stake 300, allow on, allow off",
			banker: "open", one: "stake 50, stake 75, stake 150, stake 300, allow off, leave", two: "allow on, leave",
		},
		{
			name: "side bets after the stake", options: "side=on", from: from, moves: "1 stake 50, 3 side 150",
			common: "open, side 5, side 25, side 50, side 100, show",
			banker: "open", one: "show", two: "side 5, side 25, side 50, side 100, leave", note: NoteSideBets, brief: true,
		},
		{
			name: "and with dealer=bot", options: "side=on dealer=bot", from: from, moves: "1 stake 297",
			common: "side 3, show", one: "show", two: "side 3, leave", note: NoteSideBets, brief: true,
		},
		{
			name: "nobody may bet on the side", options: "side=on", from: from, moves: "1 allow off, 1 stake 50, 1 show",
			common: "open", banker: "open", two: "leave",
		},
		{
			name: "for nobody to bet along, the table has no button to show", options: "side=on", from: from,
			moves: "1 stake 300", common: "open", banker: "open", one: "show", two: "leave", note: NoteWholeBank,
		},
		{
			name: "no room for side bets", options: "side=on", from: from, moves: "1 stake 300, 1 show",
			common: "open", banker: "open", two: "leave", note: NoteWholeBank,
		},
	} {
		st := lay(t, test.options, test.from)
		enginetest.Steps(t, Rules{}, st, test.moves)
		for seat, want := range map[engine.Seat]string{
			engine.Referee: test.common, engine.Nobody: test.common, 0: test.banker, 1: test.one, 2: test.two,
		} {
			view := st.View(seat)
			if early := strings.HasPrefix(want, "open") && view.Chips.Stakes[1] == 0; view.Early != early {
				t.Errorf("%s: for seat %d it is too early: %v", test.name, seat, view.Early)
			}
			if got := enginetest.MoveTexts(Rules{}, view.Offers); got != want || view.Note != test.note || view.Brief != test.brief {
				t.Errorf("%s: seat %d is offered %s, note %q, brief %v", test.name, seat, got, view.Note, view.Brief)
			}
		}
	}
}

// TestEpoch asks when buttons no longer mean the same: with each hand, and with a card turned too early.
func TestEpoch(t *testing.T) {
	st := lay(t, "side=on", `
		bank 300
		> 1: 4S KH 2D
		  2: 9C 9D 9H
		  3: 8C 8D 8H
		pack 3D 4D 5D 6D 7D 8D 7C 2S 6S`)
	for _, line := range []struct {
		move  string
		epoch int
	}{
		{"3 allow off", 0}, {"1 stake 5", 0}, {"2 side 5", 0}, {"1 show", 0}, {"3 leave", 0}, {"0 open", 1},
		{"0 open", 2}, {"2 stake 5", 3}, {"1 leave", 4}, {"2 leave", 5},
	} {
		enginetest.Steps(t, Rules{}, st, line.move)
		if st.Epoch() != line.epoch {
			t.Errorf("after %s the epoch is %d, not %d", line.move, st.Epoch(), line.epoch)
		}
	}
	if _, over := st.Result(); !over {
		t.Error("the bank has not ended")
	}
}
