package patience

import "zevaka/engine"

// id is one of the 104 cards: the card, and in bit 6 which of its two copies. The zero id is no card.
type id uint8

// Every id lies from firstID, the two of spades, to below maxID.
const (
	firstID id = 8
	maxID   id = 128
)

// secondCopy tells the two copies of a card apart.
const secondCopy id = maxCard

func (i id) card() engine.Card { return engine.Card(i &^ secondCopy) }

// maxCard is more than any card.
const maxCard = 64

// twoPacks are two fresh packs in the order of RECORDS.md, "Cards, packs, shuffles".
func twoPacks() []engine.Card { return append(engine.Pack(2), engine.Pack(2)...) }

// packSize is how many cards a patience is played with.
const packSize = 104

// set is a set of cards without regard to copies: bit c is card c.
type set uint64

const (
	everyCard set = 1<<60 - 1<<8
	aces      set = 15 << (4 * engine.Ace)
	kings     set = 15 << (4 * engine.King)
)

func (s set) has(c engine.Card) bool { return s>>c&1 != 0 }

// oneCard is the set of a single card.
func oneCard(rank int, suit engine.Suit) set { return 1 << engine.NewCard(rank, suit) }

// ofRank is the set of a rank's four cards.
func ofRank(rank int) set { return 15 << (4 * rank) }

// above is the next rank with the ace low, round from the king to the ace.
func above(rank int) int {
	if rank == engine.Ace {
		return 2
	}
	return rank + 1
}

// below is the rank before, round from the ace to the king.
func below(rank int) int {
	if rank == 2 {
		return engine.Ace
	}
	return rank - 1
}

// build is what may be laid on a card. In all of them the ace is low: it stands under the two.
type build uint8

const (
	// anything may be laid on a card. The zero build is nothing.
	anything build = 1 + iota
	// upRound is the next rank in any suit, round from the king over the ace to the two.
	upRound
	// upRoundSuit is the same in suit.
	upRoundSuit
	// upSuit is the next rank in suit, from the ace to the king.
	upSuit
	// upSuitNotAce is the same, but nothing goes on an ace either.
	upSuitNotAce
	// downRound is the rank before in any suit, a king on an ace.
	downRound
	// downRoundSuit is the same in suit.
	downRoundSuit
	// downSuit is the rank before in suit, from the king to the ace.
	downSuit
	// beside is the rank before or after in any suit, but not a king beside an ace.
	beside
	// besideSuit is the same in suit.
	besideSuit
)

// on is what may be laid on that card.
func (b build) on(c engine.Card) set {
	rank, suit := c.Rank(), c.Suit()
	switch b {
	case anything:
		return everyCard
	case upRound:
		return ofRank(above(rank))
	case upRoundSuit:
		return oneCard(above(rank), suit)
	case upSuit, upSuitNotAce:
		if rank == engine.King || rank == engine.Ace && b == upSuitNotAce {
			return 0
		}
		return oneCard(above(rank), suit)
	case downRound:
		return ofRank(below(rank))
	case downRoundSuit:
		return oneCard(below(rank), suit)
	case downSuit:
		if rank == engine.Ace {
			return 0
		}
		return oneCard(below(rank), suit)
	case beside, besideSuit:
		return neighbours(rank, suit, b == besideSuit)
	}
	return 0
}

func neighbours(rank int, suit engine.Suit, inSuit bool) set {
	var near set
	if rank != engine.King {
		near |= ofRank(above(rank))
	}
	if rank != engine.Ace {
		near |= ofRank(below(rank))
	}
	if inSuit {
		near &= 1 << suit * 0x1111_1111_1111_1111
	}
	return near
}

// refuses is what a player is told who lays another card there.
func (b build) refuses(on engine.Card) error {
	switch b {
	case upRound:
		return ErrNotNext
	case upRoundSuit, upSuit, upSuitNotAce:
		if b.on(on) != 0 {
			return ErrNotNextInSuit
		}
		if on.Rank() == engine.Ace {
			return ErrOnAce
		}
		return ErrOnKing
	case downRound:
		return ErrNotLower
	case downRoundSuit, downSuit:
		if b.on(on) == 0 {
			return ErrOnAce
		}
		return ErrNotLowerInSuit
	case beside:
		return ErrNotBeside
	case besideSuit:
		return ErrNotBesideInSuit
	}
	return ErrTakesNothing
}

// start is what may be laid in an empty place.
type start uint8

const (
	// noCard: an empty place stays empty.
	noCard start = iota
	anyCard
	anAce
	// aKing is a king of a suit that no place of the same kind has yet.
	aKing
	// aBase is a card of the rank of the first foundation.
	aBase
)

// refuses is what a player is told who lays another card there.
func (s start) refuses(c engine.Card) error {
	switch s {
	case anAce:
		return ErrNeedsAce
	case aKing:
		if c.Rank() == engine.King {
			return ErrBaseOut
		}
		return ErrNeedsKing
	case aBase:
		return ErrNeedsBase
	}
	return ErrStaysEmpty
}
