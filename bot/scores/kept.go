package scores

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// KeptRating is a rating as it is stored: Mean and Spread in millionths, after so many Games. The zero Kept is that of somebody who was
// never rated; as a number that others see it is 0.
type KeptRating struct{ Mean, Spread, Games int64 }

// millionth is one unit of a Kept.
const millionth = 1e6

const (
	// Settled is after how many games a rating is shown: before that it says more of luck.
	Settled = 10
	// glance is what a Rating is multiplied by to be read at a glance: somebody whose play is well known and middling has then
	// nearly 1,000.
	glance = 40
)

// StartRating is what is kept of somebody who is about to be rated for the first time.
func StartRating() KeptRating { return KeptRating{Mean: 25_000_000, Spread: 8_333_333} }

// Rating is what is kept; New where no game was rated.
func (k KeptRating) Rating() Rating {
	if k.Games == 0 {
		return FirstRating()
	}
	return Rating{float64(k.Mean) / millionth, float64(k.Spread) / millionth}
}

// IsRated reports whether a rating is kept, be it that of a Start.
func (k KeptRating) IsRated() bool { return k.Spread != 0 }

// Known reports whether enough games were played for others to be shown the rating.
func (k KeptRating) Known() bool { return k.Games >= Settled }

// Points are the number that people read: what somebody almost certainly deserves, from 0, with about 1,000 for a
// middling player whom many games have shown to be one.
func (k KeptRating) Points() int {
	if k.Games == 0 {
		return 0
	}
	const half = millionth / 2
	return int(max(0, ((k.Mean-doubt*k.Spread)*glance+half)/millionth))
}

// PlayedOn are After of what is kept of some people.
func PlayedOn(before []KeptRating, places []int) []KeptRating {
	now := make([]Rating, len(before))
	for i, k := range before {
		now[i] = k.Rating()
	}
	all := make([]KeptRating, len(before))
	for i, r := range RatingsAfter(now, places) {
		all[i] = kept(r, before[i].Games+1)
	}
	return all
}

// kept is a rating after so many games as it is kept.
func kept(r Rating, games int64) KeptRating {
	return KeptRating{int64(math.Floor(float64(r.Mean*millionth) + 0.5)), int64(math.Floor(float64(r.Spread*millionth) + 0.5)), games}
}

// MarshalJSON writes the three numbers as a list.
func (k KeptRating) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]int64{k.Mean, k.Spread, k.Games})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *KeptRating) UnmarshalJSON(text []byte) error {
	var numbers [3]int64
	if plain(text, &numbers) {
		*k = KeptRating{numbers[0], numbers[1], numbers[2]}
		return nil
	}
	if err := json.Unmarshal(text, &numbers); err != nil {
		return fmt.Errorf("decode a rating: %w", err)
	}
	*k = KeptRating{numbers[0], numbers[1], numbers[2]}
	return nil
}

// plain reads three numbers as MarshalJSON writes them, which takes a tenth of the time that JSON in general takes.
func plain(text []byte, numbers *[3]int64) bool {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return false
	}
	rest := text[1 : len(text)-1]
	for i := range numbers {
		first, more, another := bytes.Cut(rest, []byte{','})
		n, err := strconv.ParseInt(string(first), 10, 64)
		if err != nil || another != (i < len(numbers)-1) || first[0] == '+' {
			return false
		}
		numbers[i], rest = n, more
	}
	return true
}
