package scores

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Season lists who has won most often in one month, as MonthOf has it, of a game whose finishes are rated, and who was last most
// often: at most ten people each, equals in order of their keys. The month is the newest in which anybody has finished one.
type Season struct {
	Month int64
	Wins  []Monthling
	Last  []Monthling
}

// Monthling is a person on a list of a Season, with what the month has brought them.
type Monthling struct {
	User int64
	Name string
	Monthly
}

// season is where the season of the key's game lies.
func (k Key) season() string { return keyspace.Seasons + k.Community + "/" + k.Game }

// take puts somebody where they belong now. What somebody had in an older month is none of it.
func (s *Season) take(row Row) {
	if row.Month.Games == 0 || row.Month.Month < s.Month {
		return
	}
	if row.Month.Month > s.Month {
		*s = Season{Month: row.Month.Month}
	}
	s.Wins = rank(s.Wins, row, func(t Tally) int64 { return t.Month.Wins })
	if row.Month.Last > 0 {
		s.Last = rank(s.Last, row, func(t Tally) int64 { return t.Month.Last })
	}
}

// rank is the list with the row instead of an older one of the same user.
func rank(list []Monthling, row Row, by func(Tally) int64) (ranked []Monthling) {
	rows := make([]Row, len(list))
	for i, m := range list {
		rows[i] = Row{m.User, Tally{Name: m.Name, Month: m.Monthly}}
	}
	for _, r := range place(rows, row, by) {
		ranked = append(ranked, Monthling{r.User, r.Name, r.Month})
	}
	return ranked
}

// Has reports whether somebody is on a list of the season.
func (s Season) Has(user int64) bool {
	return slices.ContainsFunc(slices.Concat(s.Wins, s.Last), func(m Monthling) bool { return m.User == user })
}

// Without is the season as if somebody had not played.
func (s Season) Without(user int64) Season {
	own := func(m Monthling) bool { return m.User == user }
	return Season{s.Month, slices.DeleteFunc(slices.Clone(s.Wins), own), slices.DeleteFunc(slices.Clone(s.Last), own)}
}

// storedMonthling is how a Monthling is stored: the user, the name, games, wins and lasts.
type storedMonthling struct {
	User int64    `json:"u"`
	Name string   `json:"n"`
	Had  [3]int64 `json:"h"`
}

// storedSeason is how a Season is stored.
type storedSeason struct {
	Month int64             `json:"m"`
	Wins  []storedMonthling `json:"w"`
	Last  []storedMonthling `json:"l,omitempty"`
}

// MarshalJSON writes it as it is stored.
func (s Season) MarshalJSON() ([]byte, error) {
	short := func(list []Monthling) (all []storedMonthling) {
		for _, m := range list {
			all = append(all, storedMonthling{m.User, m.Name, [3]int64{m.Games, m.Wins, m.Last}})
		}
		return all
	}
	return json.Marshal(storedSeason{s.Month, short(s.Wins), short(s.Last)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Season) UnmarshalJSON(text []byte) error {
	var stored storedSeason
	if err := json.Unmarshal(text, &stored); err != nil {
		return fmt.Errorf("decode a season: %w", err)
	}
	long := func(list []storedMonthling) (all []Monthling) {
		for _, m := range list {
			all = append(all, Monthling{m.User, m.Name, Monthly{stored.Month, m.Had[0], m.Had[1], m.Had[2]}})
		}
		return all
	}
	*s = Season{stored.Month, long(stored.Wins), long(stored.Last)}
	return nil
}

// stored is the season as it is stored; nil if nobody is in it.
func (s Season) stored() []byte {
	if len(s.Wins) == 0 {
		return nil
	}
	value, err := json.Marshal(s)
	if err != nil {
		panic(err) // Numbers and texts can always be encoded.
	}
	return value
}

func decodeSeason(item storage.Item) (Season, error) {
	if item.Rev == 0 {
		return Season{}, nil
	}
	var s Season
	if err := json.Unmarshal(item.Value, &s); err != nil {
		return Season{}, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	return s, nil
}

// keepSeason puts a tally where it belongs in its season.
func keepSeason(tx storage.Tx, k Key, t Tally) error {
	items, err := tx.Get(k.season())
	if err != nil {
		return fmt.Errorf("read a season: %w", err)
	}
	s, err := decodeSeason(items[0])
	if err != nil {
		return err
	}
	s.take(Row{k.User, t})
	if value := s.stored(); !bytes.Equal(value, items[0].Value) {
		tx.Put(k.season(), value)
	}
	return nil
}

// Seasons returns the newest season of each of a community's games, in that order, with one Get; that of a game of which nothing
// was rated is zero.
func Seasons(from storage.Getter, community string, games ...string) ([]Season, error) {
	keys := make([]string, len(games))
	for i, game := range games {
		keys[i] = Key{Community: community, Game: game}.season()
	}
	items, err := from.Get(keys...)
	if err != nil {
		return nil, fmt.Errorf("read seasons: %w", err)
	}
	all := make([]Season, len(items))
	for i, item := range items {
		if all[i], err = decodeSeason(item); err != nil {
			return nil, err
		}
	}
	return all, nil
}
