package table

import (
	"fmt"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// MaxOffers is how many of the newest offers of a community are remembered.
const MaxOffers = 16

// Offered is a game for one that may be played where it was asked for, or in private. It is stored because anybody can
// write a token: a place hears only of games that were asked for there.
type Offered struct {
	Name string     `json:"name"`
	In   chat.Place `json:"in"`
	// Game is empty where all of them are offered: whoever takes the offer up says which.
	Game    string            `json:"game"`
	Options map[string]string `json:"options"`
	Deal    *int64            `json:"deal,omitempty"`
	// Day says that it is the patience of the day Of; of that on which somebody takes it up where Of is 0, or long ago.
	Day bool `json:"day,omitempty"`
	Of  int  `json:"of,omitempty"`
	// Asked is the user who asked for it, and Board the message with the question, until they have answered it.
	Asked int64    `json:"asked,omitempty"`
	Board chat.Ref `json:"board,omitempty"`
}

// asker is who has asked for an offer, or what is offered to everybody: all games of the day, or all at any time.
type asker struct {
	user int64
	day  bool
}

func (o Offered) asker() asker { return asker{o.Asked, o.Asked == 0 && o.Day} }

// KeyOffers is where the offers to a community lie.
func KeyOffers(c chat.Community) string { return keyspace.Offers + c.String() }

// GetOffers reads the newest offers to a community, the oldest first; nil if there were none. The error is one of the store,
// or of a value that can't be decoded.
func GetOffers(from storage.Getter, c chat.Community) ([]Offered, error) {
	all, err := storage.GetJSON[[]Offered](from, KeyOffers(c))
	if err != nil {
		return nil, fmt.Errorf("read what community %s was offered: %w", c, err)
	}
	return all, nil
}

// PutOffers stores the offers to a community in place of those before. Of more than MaxOffers the oldest go of whoever has asked for most,
// and where nobody has more than others do the oldest that somebody has asked for: what stands before everybody is good for many.
func PutOffers(tx storage.Tx, c chat.Community, all []Offered) error {
	forAll := func(one Offered) bool { return one.Asked == 0 }
	return storage.PutJSON(tx, KeyOffers(c), fairly(all, MaxOffers, Offered.asker, forAll))
}

// fairly are so many of all at most, in their order: of more the first go of whoever has most, and of those that are dear only where nobody
// else has as many.
func fairly[T any, W comparable](all []T, atMost int, whose func(T) W, dear func(T) bool) []T {
	all = slices.Clone(all)
	for len(all) > atMost {
		of, most := map[W]int{}, 0
		for _, one := range all {
			of[whose(one)]++
			most = max(most, of[whose(one)])
		}
		i := slices.IndexFunc(all, func(one T) bool { return !dear(one) && of[whose(one)] == most })
		if i < 0 {
			i = slices.IndexFunc(all, func(one T) bool { return of[whose(one)] == most })
		}
		all = slices.Delete(all, i, i+1)
	}
	return all
}
