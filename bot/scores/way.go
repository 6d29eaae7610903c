package scores

import (
	"encoding/json"
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Step is a rating after one finish: when that was, in seconds since 1970, UTC.
type Step struct {
	At     int64      `json:"at"`
	Rating KeptRating `json:"rating"`
}

// maxWay is how many steps of a rating are kept.
const maxWay = 60

// way is where the way of the key's rating lies.
func (k Key) way() string { return keyspace.Ways + strings.TrimPrefix(k.text(), keyspace.Tallies) }

// step is how one is stored: its time, and the three numbers of the rating.
type step [4]int64

// Way is how the rating of a key has come about: after each of the last rated finishes, at most sixty, the oldest first. It is there
// to be looked at: a Rebuilder leaves it as it is.
func Way(from storage.Getter, k Key) ([]Step, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	items, err := from.Get(k.way())
	if err != nil {
		return nil, fmt.Errorf("read the way of a rating: %w", err)
	}
	steps, err := decodeWay(items[0])
	if err != nil {
		return nil, err
	}
	var all []Step
	for _, s := range steps {
		all = append(all, Step{s[0], KeptRating{Mean: s[1], Spread: s[2], Games: s[3]}})
	}
	return all, nil
}

func decodeWay(item storage.Item) (steps []step, err error) {
	if item.Rev == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(item.Value, &steps); err != nil {
		return nil, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	return steps, nil
}

// keepWay adds a rated finish to the way of its rating.
func keepWay(tx storage.Tx, k Key, f Finish) error {
	items, err := tx.Get(k.way())
	if err != nil {
		return fmt.Errorf("read the way of a rating: %w", err)
	}
	steps, err := decodeWay(items[0])
	if err != nil {
		return err
	}
	steps = append(steps, step{f.At, f.Rating.Mean, f.Rating.Spread, f.Rating.Games})
	return storage.PutJSON(tx, k.way(), steps[max(0, len(steps)-maxWay):])
}
