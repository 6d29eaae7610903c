package engine

import "slices"

// Proof is what follows from a record, for whoever compares it with what they saw at the table.
type Proof struct {
	// Commitment is the seed's, which was promised before the cut.
	Commitment string
	// Packs are the cards of each shuffle of the deal in their order, the uppermost first; nil where nothing was dealt.
	Packs [][]Card
	// Moves is how many moves of the record could be made, one after the other.
	Moves int
}

// Prove works a record out again: seed and cuts make the packs, and the moves are made by the rules. Of a record that breaks it
// is what follows up to there. The errors are those of Replay.
func Prove(rules Rules, r Record) (Proof, error) {
	p := Proof{Commitment: r.Seed.Commitment()}
	seen := &witness{Shuffler: r.Shuffler()}
	err := replay(rules, r, seen, func(n int, _ string, _ State) error {
		p.Moves = n
		return nil
	})
	p.Packs = seen.packs
	return p, err
}

// witness is a Shuffler that remembers what it has shuffled.
type witness struct {
	Shuffler
	packs [][]Card
}

// Shuffle shuffles the cards.
func (w *witness) Shuffle(cards []Card) {
	w.Shuffler.Shuffle(cards)
	w.packs = append(w.packs, slices.Clone(cards))
}
