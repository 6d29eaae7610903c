// Package engine is what every card game of the house is made of: cards, packs, the committed shuffle, moves and
// records, and the two interfaces that a game fulfils.
//
// A game is its Rules; one deal of it is a State. A State is never stored: it is replayed from a Setup, a seed and
// the moves made so far, so a bug report is a list of moves and a list of moves is a test. Nothing here knows the
// time, the network, the disk or any chance but the deal's seed.
package engine

import "math/rand/v2"

// Seat is a place at the table. Seat 0 moves first; in a game with a banker seat 0 is the banker.
type Seat int

const (
	// Nobody is the channel as a whole (whatever everybody may see), or the bank.
	Nobody Seat = -1
	// Referee sees every card. Records and checks look through its eyes; no player ever does.
	Referee Seat = -2
)

// Verb is what a move does, numbered by each game from 1 in the order of Info.Verbs. The zero Verb is no move.
type Verb uint8

// Move is one thing a seat may do, without the seat. Which fields count is up to the verb's Aim; the others are zero.
// The zero Move is no move.
type Move struct {
	Verb     Verb
	From, To int16
	N        int32
}

// Step is a move made by a seat.
type Step struct {
	Seat Seat
	Move Move
}

// Rules are one game: a value without fields, safe for use by many goroutines.
type Rules interface {
	// Info tells what the game needs and knows. It is the same at every call; callers don't change it.
	Info() Info
	// Deal shuffles, deals and returns the position before the first move. The error is a Refusal when the number
	// of seats or an option is not one of the game's. Options left out stand at their default.
	Deal(Setup, Shuffler) (State, error)
	// Parse reads a move from its text form (RECORDS.md, "Verbs and piles"): what anybody may have typed or forged.
	// It accepts what Text writes and returns a Refusal for the rest; whether the move is legal is not its business.
	Parse(text string) (Move, error)
	// Text writes a move the one way it is stored, sent and recorded.
	Text(Move) string
	// Next sets up the deal that follows in a session, from the deal just ended and those who sit there now: the
	// standings are those of its seats and then those of people who have sat down behind the last one, at most
	// Info.MaxSeats in all. The Setup's Order says which of them sits where.
	// It reports false when the session is over; a game of single deals always does.
	Next(Setup, Result, []Standing) (Setup, bool)
}

// State is one deal in progress. It belongs to one goroutine at a time.
type State interface {
	// Turn lists the seats that may move now, first the one that must. It is empty when the deal is over, and valid
	// until the next Apply.
	Turn() []Seat
	// Moves appends every legal move of the seat to into and returns it.
	Moves(s Seat, into []Move) []Move
	// Auto is the computer player's move for the seat, chosen from what that seat sees. Skill runs from 0, which
	// overlooks every chance, to 1, which overlooks none. The zero Move means that a seat which may move, but need
	// not, lets it be.
	Auto(s Seat, skill float64, r *rand.Rand) Move
	// Idle is what the table does for a seat whose player is away, in the interest of that player.
	Idle(Seat) Move
	// Apply makes a move. It is the only judge of what is legal: it either returns a Refusal and leaves the state as
	// it was, or makes the whole move. The Outcome's slices are valid until the next Apply.
	Apply(Step) (Outcome, error)
	// View is what the seat may see: Nobody what everybody may, Referee everything.
	View(Seat) View
	// Epoch rises when buttons drawn earlier no longer mean the same.
	Epoch() int
	// Result reports how the deal ended, and false while it goes on.
	Result() (Result, bool)
}

// Guide is a State that can tell somebody what to do next without going round.
type Guide interface {
	// Position is a number for where all cards lie: after moves that lead back it is the same again.
	Position() uint64
	// Hint is what Auto would do for seat 0, but nothing that leads to one of these positions: it gives up where it sees nothing else.
	Hint(skill float64, r *rand.Rand, been map[uint64]bool) Move
}

// Finisher is a State that knows when nothing can go wrong any more.
type Finisher interface {
	// Finish are moves of seat 0 by which the deal comes out, each of a card to a foundation, where everything lies open and no other
	// move is needed; nil where it isn't so.
	Finish() []Move
}

// Chronicle is a State that knows what somebody has done in a deal that is worth remembering.
type Chronicle interface {
	// Feats are what the seat has done in the deal, each one of Info.Feats. As long as it goes on there are none.
	Feats(Seat) []string
}

// Outcome is what a move did.
type Outcome struct {
	// Move is the move as the log keeps it, which may be plainer than the one asked for (RECORDS.md, Exactly 30).
	Move Move
	// Events tell what happened, in order. They are public by construction.
	Events []Event
	// Transfers are the chips that went from a purse to the table or came back from there.
	Transfers []Transfer
}

// Event is something that everybody at the table saw.
type Event struct {
	// What is one of the names in Info.Events, as "put" or "out". It names the event in the catalogues of words.
	What string
	// Seat is who did it or whom it befell, To the other seat concerned; Nobody where there is none.
	Seat, To Seat
	// Card is the card concerned; zero where there is none.
	Card Card
	// On is the card on which Card could lie, or which it beats; zero where that isn't told.
	On Card `json:",omitempty"`
	// N is a number that belongs to the event: cards taken, a place, chips, or with EventArrives an index in View.Piles.
	N int32
}

// Transfer moves chips, in kopecks, from one purse to another. Nobody's purse is the table, where stakes lie from the
// moment they are named, and the bank. What a seat has put in at the deal is in the Chips of the first View, as a
// negative number: that and all Transfers of a deal add up to Result.Chips.
type Transfer struct {
	From, To Seat
	Amount   int64
}

// View is a position as one seat may see it. Cards that it may not see are zero.
type View struct {
	Piles []Pile
	// Turn is State.Turn at that moment, a copy.
	Turn []Seat
	// Offers are the moves that the table puts on buttons. They are what may be tried, not what is legal: noticing
	// is part of some games.
	Offers []Move
	// Tries are those of the Offers that are for a seat which need not move, where nobody is told whether it can: to all it looks as if that
	// seat could make them, and as if nobody else beside the first of Turn could make any move. Nil where Turn tells nothing.
	Tries []Step
	// Early says that those of the Offers whose verb can come too early (VerbInfo.Early) would come too early now.
	Early bool
	// Note names, in the catalogues of words, a remark that belongs to the position; empty where there is none.
	Note string
	// Task names, in the catalogues of words, what the seat that must move is to do, the kind of move and not which one;
	// empty where the game doesn't say.
	Task string
	// Brief says that this is a short window (a correction, side bets) and not a turn.
	Brief bool
	// Over says that the deal has ended, Finishes that the State has moves to Finish with.
	Over, Finishes bool
	// Round is which round of the deal is played, the first being 1; 0 in a game without rounds.
	Round int
	// Cover is the card of the seat's own hand that covers the card which lies open for it; zero where there is none.
	Cover Card
	// Chips are the chips on the table; nil in a game without chips.
	Chips *Chips
	// Backed is the seat on whose hand all of Chips.Stakes stand, and Nobody when there is no such hand. It means nothing in
	// a game without chips.
	Backed Seat
}

// Chips are the chips of a deal so far, in kopecks. The sum of Bank and Seats is zero.
type Chips struct {
	Bank int64
	// Goal is at how much the bank ends.
	Goal int64
	// Seats are the net changes per seat by all that has been settled.
	Seats []int64
	// Stakes are per seat what stands on the table and waits to be settled. It has left the purse, but is in neither
	// Bank nor Seats.
	Stakes []int64
	// Apart are the seats that take no part in bets on others' hands, where there are such bets.
	Apart []Seat
}

// Pile is some cards in one place.
type Pile struct {
	// Name is the pile's name in records, as "closed0" (RECORDS.md, "Verbs and piles").
	Name string
	// Kind is the name without its number, as "closed".
	Kind string
	// Role is what the pile is for. All piles of a kind have the same.
	Role PileRole
	// AsOne says that the whole pile may go to a foundation as one: whenever its uppermost card may go to one, all its
	// cards may go there, one after the other.
	AsOne bool
	// Row and Column say where the pile lies among those that lie side by side on the table. Rows count from 1, from the
	// top; 0 is that of a pile that lies in none. Columns count from 0, from the left, without gaps.
	Row, Column int16
	// Seat is whose pile it is, Nobody for the table's.
	Seat Seat
	// Cards are all its cards, bottom first; those that may not be seen are zero.
	Cards []Card
	// Next are the cards that may be laid on it next, where the pile is built up and everybody may know.
	Next []Card
}

// Result is how a deal ended. Only the fields that the game uses are set.
type Result struct {
	// Places are the seats from the winner to the last; seats that tie stand in seat order.
	Places []Seat
	// Ties are the groups of two or more seats that share a place, in order of place; nil if there are none.
	Ties [][]Seat
	// Chips are the net changes per seat, in kopecks; nil in a game without chips.
	Chips []int64
	// Patience is set by games for one.
	Patience *Patience
}

// Patience is how a patience ended: whether it came out, and how many cards lie on the foundations.
type Patience struct {
	Solved bool
	Score  int
}

// Standing is one seat between two deals of a session: whether its player goes on, and with how many chips, in kopecks,
// in his purse. Owes says that he left the game when the bank was to be his, and comes back to hold it (RULES.md 6.3).
type Standing struct {
	Stays bool
	Chips int64
	Owes  bool
}

// Setup is what must be agreed before a deal.
type Setup struct {
	Seats int
	// Options by name (RECORDS.md, "Options"). Those left out stand at their default.
	Options map[string]string
	// Order says, in a Setup that Next returned, who sits where: seat i is for number Order[i] of Next's standings.
	// It is nil elsewhere, and Deal does not read it.
	Order []Seat
}

// Info is what a game needs and knows.
type Info struct {
	// Name is the game's name in records and commands.
	Name string
	// MinSeats and MaxSeats are how many can play.
	MinSeats, MaxSeats int
	// Rev rises when an old record would replay differently.
	Rev int
	// Banker says that seat 0 is a banker, who deals, and lays out chips at the deal. Such a game is played in sessions,
	// in which Rules.Next passes the bank on.
	Banker bool
	// Hands says that seats hold cards which nobody else sees (PileHand).
	Hands bool
	// Verbs name the moves: Verbs[v-1] is Verb v.
	Verbs []VerbInfo
	// Events are all that the game tells, each once.
	Events []EventInfo
	// Options are the game's switches in the order of RECORDS.md, "Options".
	Options []Option
	// Sets are named choices of options that people ask for. Sets combine.
	Sets []Set
	// Lessons teach the game, one after the other; nil where there is none.
	Lessons []Lesson
	// Feats name what a Chronicle of the game can tell; nil where it has none.
	Feats []string
}

// VerbInfo is what a table must know to draw a verb as a button.
type VerbInfo struct {
	Name string
	Role VerbRole
	Aim  Aim
	// Row is the row of buttons it belongs to, 0 first.
	Row int
	// Final says that the move shows or gives up for good what its player may want to keep: a table asks them again
	// before it makes it.
	Final bool
	// Early says that the move can be made too early, which its player pays for (View.Early): a table asks them before.
	Early bool
}

// Aim is what a verb is aimed at, and so which field of a Move counts.
type Aim uint8

const (
	// AimNone is for a verb that says it all.
	AimNone Aim = iota
	// AimSelf is the mover's own seat; the button bears the mover's name, and what the move does.
	AimSelf
	// AimSeat is another seat, in To; the button bears an arrow and that seat's name.
	AimSeat
	// AimAmount is an amount, in N.
	AimAmount
	// AimPiles takes a card from one pile to another. From and To are indices in View.Piles. N is 0 for the uppermost card of
	// From; for another card it is its place in From, counted from 1 at the bottom.
	AimPiles
)

// Option is one switch of a game.
type Option struct {
	Name string
	// Values are what it may be; the first is the default. Where Max is set any decimal number from Min to Max is
	// also a value.
	Values   []string
	Min, Max int
	// Needs is where the option matters; the zero Need is everywhere.
	Needs Need
}

// Need is what else a deal must have for an option to change anything: Option has to be Is. Only is the value of which that is so; empty
// where it is so of each.
type Need struct{ Only, Option, Is string }

// Vain refuses options of which somebody has named one that would change nothing.
type Vain struct {
	Name, Value string
	Need        Need
}

// Error names both options as they are typed.
func (v *Vain) Error() string {
	return v.Name + "=" + v.Value + " does nothing without " + v.Need.Option + "=" + v.Need.Is
}

// Set is a named choice of options, as 21б for deal=stock.
type Set struct {
	// Names are what people call it; the first is shown.
	Names   []string
	Options map[string]string
	// Brief says that by this set a game takes a fraction of its time, so that people who do other things meanwhile finish it.
	Brief bool
	// Moves is how many moves such a game has, as a rule; 0 where nobody has counted.
	Moves int
}

// A Refusal is the one kind of error that a player reads: a move or a wish that the rules or the table don't allow.
// It is the name of a sentence in the catalogues of words.
type Refusal string

// Error returns the name of the sentence.
func (r Refusal) Error() string { return string(r) }

// Refuses tells refusals from all errors that no player reads.
func (Refusal) Refuses() {}

const (
	// ErrNotYourTurn refuses a move by a seat that may not move now.
	ErrNotYourTurn Refusal = "not-your-turn"
	// ErrOver refuses a move in a deal that has ended.
	ErrOver Refusal = "deal-over"
	// ErrMoveText refuses a text that is no move of the game.
	ErrMoveText Refusal = "not-a-move"
	// ErrSeats refuses a number of seats that the game doesn't have.
	ErrSeats Refusal = "wrong-seats"
	// ErrOption refuses an option or a value that the game doesn't have.
	ErrOption Refusal = "wrong-option"
)
