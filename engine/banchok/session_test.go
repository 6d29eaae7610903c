package banchok

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"zevaka/engine"
)

var sessions = flag.Int("sessions", 5000, "how many sessions TestSessions plays")

// TestSessions plays whole sessions: people with purses who sit down, leave, hold banks and run out of chips. No chip
// appears or vanishes, and nobody pays more than he has.
func TestSessions(t *testing.T) {
	var played tally
	for i := range *sessions {
		s := newSession(i)
		if err := s.play(); err != nil {
			t.Fatalf("session %d, %d people, %v: %v; to see it again: go test -run TestSessions -sessions %d", i, len(s.people), s.setup.Options, err, i+1)
		}
		played.add(s.tally)
	}
	t.Logf("%d sessions: %+v", *sessions, played)
	if n := *sessions; n >= 100 && (played.banks < 2*n || played.hands < 30*n || played.rounds < 10*n || 2*played.sides < n ||
		2*played.early < n || played.left < n || played.refused < n || 2*played.joined < n) {
		t.Errorf("too little happened: %+v", played)
	}
}

// tally counts what happened.
type tally struct{ banks, hands, rounds, sides, early, left, refused, joined int }

func (a *tally) add(b tally) {
	a.banks += b.banks
	a.hands += b.hands
	a.rounds += b.rounds
	a.sides += b.sides
	a.early += b.early
	a.left += b.left
	a.refused += b.refused
	a.joined += b.joined
}

// person is somebody with a purse, and how many banks he has held.
type person struct {
	purse int64
	held  int
}

// session is a table with its ledger.
type session struct {
	r      *rand.Rand
	setup  engine.Setup
	people []*person
	// seats are the people at the table, by seat; before are their purses before the bank.
	seats  []*person
	before []int64
	// table is what lies there, and total what there is in the world.
	table, total int64
	st           *state
	tally        tally
}

func newSession(number int) *session {
	s := &session{r: rand.New(rand.NewPCG(uint64(number), 7))}
	s.setup.Options = map[string]string{
		"bank":   strconv.Itoa([]int{20, 50, 100, 300, 500, 100_000}[s.r.IntN(6)]),
		"min":    strconv.Itoa([]int{1, 5, 20, 1000}[s.r.IntN(4)]),
		"side":   []string{"off", "on"}[s.r.IntN(2)],
		"dealer": []string{"player", "bot"}[s.r.IntN(2)],
	}
	for range 2 + s.r.IntN(maxSeats-1) {
		s.seats = append(s.seats, s.newcomer())
	}
	s.setup.Seats = len(s.seats)
	return s
}

// newcomer is somebody with some banks in his purse.
func (s *session) newcomer() *person {
	size := number(s.setup.Options["bank"])
	p := &person{purse: s.r.Int64N(4*size + 1)}
	s.people = append(s.people, p)
	s.total += p.purse
	return p
}

// play plays banks until everybody at the table has held one, or the game ends by itself or by the host.
func (s *session) play() error {
	s.rotate() // The first banker must be able to lay the bank out, too.
	for s.setup.Seats > 0 && s.seats[banker].held == 0 && s.r.IntN(20) > 0 {
		result, err := s.bank()
		if err != nil {
			return fmt.Errorf("bank %d: %w", s.tally.banks, err)
		}
		for seat, p := range s.seats {
			if p.purse-s.before[seat] != result.Chips[seat] {
				return fmt.Errorf("seat %d has got %d, and the result is %v", seat, p.purse-s.before[seat], result.Chips)
			}
		}
		old := s.seats[banker]
		s.rotate()
		if s.setup.Seats > 0 && s.seats[banker] == old {
			return fmt.Errorf("the same banker twice running")
		}
	}
	return nil
}

// rotate seats those who play the next bank. Some leave, some sit down.
func (s *session) rotate() {
	for len(s.seats) < maxSeats && s.r.IntN(6) == 0 {
		s.seats = append(s.seats, s.newcomer())
		s.tally.joined++
	}
	standings := make([]engine.Standing, len(s.seats))
	for seat, p := range s.seats {
		standings[seat] = engine.Standing{Stays: s.r.IntN(10) > 0, Chips: p.purse}
	}
	next, ok := Rules{}.Next(s.setup, engine.Result{}, standings)
	if !ok {
		s.setup.Seats = 0
		return
	}
	seats := make([]*person, len(next.Order))
	for i, seat := range next.Order {
		seats[i] = s.seats[seat]
	}
	s.setup, s.seats = next, seats
}

// chance shuffles without a seed: here it is the chips that count.
type chance struct{ *rand.Rand }

func (c chance) Shuffle(cards []engine.Card) {
	c.Rand.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
}

// bank plays one bank to its end.
func (s *session) bank() (engine.Result, error) {
	dealt, err := Rules{}.Deal(s.setup, chance{s.r})
	if err != nil {
		return engine.Result{}, err
	}
	s.st = dealt.(*state)
	s.tally.banks++
	s.before = s.before[:0]
	for _, p := range s.seats {
		s.before = append(s.before, p.purse)
	}
	for seat, n := range s.st.View(engine.Nobody).Chips.Seats {
		s.seats[seat].purse += n
		s.table -= n
	}
	s.seats[banker].held++
	for moves := 0; len(s.st.Turn()) > 0; moves++ {
		if err := s.check(); err != nil {
			return engine.Result{}, fmt.Errorf("after %d moves: %w", moves, err)
		}
		if err := s.move(); err != nil {
			return engine.Result{}, fmt.Errorf("move %d: %w", moves+1, err)
		}
	}
	if s.table != 0 {
		return engine.Result{}, fmt.Errorf("%d lie on the table after the end", s.table)
	}
	result, _ := s.st.Result()
	return result, s.check()
}

// check counts all the chips there are.
func (s *session) check() error {
	sum := s.table
	for i, p := range s.people {
		if p.purse < 0 {
			return fmt.Errorf("person %d has %d", i, p.purse)
		}
		sum += p.purse
	}
	stakes := s.st.bank + s.st.stake + s.st.sideSum
	if sum != s.total || s.table != stakes || s.table < 0 {
		return fmt.Errorf("there are %d chips, not %d; %d of them on the table, not %d", sum, s.total, s.table, stakes)
	}
	if s.st.room() < 0 {
		return fmt.Errorf("the bank of %d can't pay %d and %d", s.st.bank, s.st.stake, s.st.sideSum)
	}
	return nil
}

// move makes one move. The table refuses what a purse doesn't hold: the least is named then, or the player leaves.
func (s *session) move() error {
	turn := s.st.Turn()
	seat := turn[0]
	if s.r.IntN(6) == 0 {
		seat = turn[s.r.IntN(len(turn))]
	}
	purse := s.seats[seat].purse
	least, _ := s.st.limits()
	move := s.choose(int(seat))
	switch must := s.st.mayStake(int(seat)); {
	case must && purse < least, must && move.Verb == Leave:
		move = engine.Move{Verb: Leave}
	case s.st.stake == 0 && s.st.turned == 0 && s.seats[s.st.punter].purse < least:
		// Before anybody else does anything, whoever can't pay is gone.
		seat, move = engine.Seat(s.st.punter), engine.Move{Verb: Leave}
	case move.Verb == Stake && int64(move.N) > purse:
		move.N = int32(least)
	case move.Verb == Side && int64(move.N) > purse, move.Verb == 0:
		return nil
	}
	outcome, err := s.st.Apply(engine.Step{Seat: seat, Move: move})
	if err != nil {
		if s.tally.refused++; move.Verb == Leave && s.st.mayLeave(int(seat)) {
			return fmt.Errorf("%d %s: %w", seat, Rules{}.Text(move), err)
		}
		return nil
	}
	s.count(outcome.Events)
	for _, tr := range outcome.Transfers {
		if tr.From == engine.Nobody {
			s.seats[tr.To].purse += tr.Amount
			s.table -= tr.Amount
		} else {
			s.seats[tr.From].purse -= tr.Amount
			s.table += tr.Amount
		}
	}
	return nil
}

// choose is any move: a computer player's, a legal one or nearly so.
func (s *session) choose(seat int) engine.Move {
	if s.r.IntN(3) == 0 {
		return s.st.Auto(engine.Seat(seat), s.r.Float64(), s.r)
	}
	least, most := s.st.limits()
	switch {
	case seat == banker:
		return engine.Move{Verb: Open}
	case s.st.mayStake(seat) && s.r.IntN(60) > 0:
		return engine.Move{Verb: Stake, N: int32(least + s.r.Int64N(most-least+2))}
	case s.st.maySide(seat):
		return engine.Move{Verb: Side, N: int32(1 + s.r.Int64N(s.st.room()+1))}
	}
	verbs := []engine.Verb{AllowOn, AllowOff, Show, Open, Leave}
	return engine.Move{Verb: verbs[s.r.IntN(len(verbs))]}
}

func (s *session) count(events []engine.Event) {
	for _, e := range events {
		switch e.What {
		case EventCovered, EventBeaten:
			s.tally.hands++
		case EventCollected:
			s.tally.rounds++
		case EventSide:
			s.tally.sides++
		case EventEarly:
			s.tally.early++
		case EventLeft:
			s.tally.left++
		}
	}
}
