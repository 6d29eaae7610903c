package engine

// Card is one card of the pack: its rank and its suit. The zero Card is a card lying face down.
type Card uint8

// Suit is one of the four suits, in the order of a fresh pack.
type Suit uint8

// The suits in the order of a fresh pack (RECORDS.md, "Cards, packs, shuffles").
const (
	Spades Suit = iota
	Clubs
	Diamonds
	Hearts
)

// The ranks that have names. The others are the numbers 2 to 10.
const (
	Jack = 11 + iota
	Queen
	King
	Ace
)

const (
	rankLetters = "23456789TJQKA"
	suitLetters = "SCDH"
)

// NewCard is the card of the rank, from 2 to Ace, and the suit.
func NewCard(rank int, suit Suit) Card { return Card(rank<<2 | int(suit)) }

// Rank is the card's rank, from 2 to Ace; 0 when it lies face down.
func (c Card) Rank() int { return int(c >> 2) }

// Suit is the card's suit. That of a card lying face down means nothing.
func (c Card) Suit() Suit { return Suit(c & 3) }

// String is the card's two characters, rank then suit, as "TH"; "--" when it lies face down.
func (c Card) String() string {
	if c.Rank() < 2 || c.Rank() > Ace {
		return "--"
	}
	return string([]byte{rankLetters[c.Rank()-2], suitLetters[c.Suit()]})
}

// Pack is a fresh pack: suits S, C, D, H, and in each the ranks from the lowest up to the ace. A pack of 36 has low 6,
// one of 52 has low 2.
func Pack(low int) []Card {
	pack := make([]Card, 0, 4*(Ace-low+1))
	for suit := Spades; suit <= Hearts; suit++ {
		for rank := low; rank <= Ace; rank++ {
			pack = append(pack, NewCard(rank, suit))
		}
	}
	return pack
}
