// Package day is the patience of the day: each has one numbered deal a day, the same for everybody. It counts, in the transaction that ends a
// table, how it went for one person and in one community; it knows how many days in a row somebody has solved one; it tells how the
// others did, and has the post that a chat may want at its hour. Days are those of UTC and have numbers: 1 is 1 January 2026.
package day

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
	"zevaka/storage"
)

// Deals says which deals the patiences of a day have. Its methods may be called from anywhere.
type Deals interface {
	// OfDay is the game's deal on a day, its level zero where nobody knows how hard it is; false if it has none then.
	OfDay(game string, day int) (deal deals.Deal, ok bool)
	// Featured is the game that stands first on a day.
	Featured(day int) string
}

// secondsOfDay is how long a day is, dayZero the day before the first one, counted from 1970.
const secondsOfDay, dayZero = 24 * 60 * 60, 20453

// Number is the number of the day on which a time lies; less than 1 before the first day.
func Number(at time.Time) int { return int(at.Unix()/secondsOfDay) - dayZero }

// Since1970 is a day's number as it is counted from 1 January 1970, which is 0.
func Since1970(day int) int64 { return int64(day) + dayZero }

// Days are the patiences of all days, and what people made of them. It is safe for use by many goroutines.
type Days struct {
	deals Deals
	games []string
	words *words.Catalogue
	now   func() time.Time

	mu sync.Mutex
	// cached are the deals that were asked for lately, nil for none.
	cached map[dealing]*deals.Deal
	// counted are the names of the tables at which people ended the patiences of the day countedOf and of that before, as far as is remembered.
	counted   map[counting]string
	countedOf int
}

// dealing is a game's patience of a day.
type dealing struct {
	day  int
	game string
}

// maxCached is how many deals are remembered.
const maxCached = 64

// counting is what counts once for the others: how somebody ended a game, in a community by its origin.
type counting struct {
	day    int
	origin string
	user   int64
	game   string
}

// maxCounted is how many of those are remembered.
const maxCounted = 1 << 16

// isFirst reports whether a result may count for the others: of a day it does from one table alone, also where the person was forgotten since, who
// could lay it again as often as they like. What is remembered for that is not stored.
func (d *Days) isFirst(origin string, user int64, r Result, at string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counted == nil || len(d.counted) >= maxCounted {
		d.counted = map[counting]string{}
	}
	if r.Day > d.countedOf {
		d.countedOf = r.Day
		maps.DeleteFunc(d.counted, func(one counting, _ string) bool { return one.day < r.Day-1 })
	}
	if r.Day < d.countedOf-1 {
		return true // It can't be laid again.
	}
	one := counting{r.Day, origin, user, r.Game}
	if first, ok := d.counted[one]; ok {
		return first == at
	}
	d.counted[one] = at
	return true
}

// New are the days of the games for one that are among the games. Where source is nil, the deal of each has the number of the day, and
// they stand first one after the other; nobody knows then whether a deal comes out. Now is the time of day.
func New(source Deals, games []engine.Rules, catalogue *words.Catalogue, now func() time.Time) *Days {
	d := &Days{deals: source, words: catalogue, now: now}
	for _, rules := range games {
		if info := rules.Info(); info.ForOne() {
			d.games = append(d.games, info.Name)
		}
	}
	if source == nil {
		d.deals = counted(d.games)
	}
	return d
}

// Today is the number of the day that it is.
func (d *Days) Today() int { return Number(d.now()) }

// Featured is the game that stands first on a day; empty if none does.
func (d *Days) Featured(day int) string {
	if game := d.deals.Featured(day); slices.Contains(d.games, game) {
		return game
	}
	return ""
}

// Games are those that have a deal on a day, the one first that is featured.
func (d *Days) Games(day int) []string {
	first := d.Featured(day)
	var all []string
	for _, game := range d.games {
		if _, ok := d.Deal(game, day); !ok {
			continue
		}
		if game == first {
			all = slices.Insert(all, 0, game)
		} else {
			all = append(all, game)
		}
	}
	return all
}

// Deal is a game's deal on a day, its level zero where nobody knows how hard it is; false if there is none.
func (d *Days) Deal(game string, day int) (deal deals.Deal, ok bool) {
	if day < 1 || !slices.Contains(d.games, game) {
		return deal, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cached == nil || len(d.cached) >= maxCached {
		d.cached = map[dealing]*deals.Deal{}
	}
	one := dealing{day, game}
	found, known := d.cached[one]
	if !known {
		if deal, ok := d.deals.OfDay(game, day); ok {
			found = &deal
		}
		d.cached[one] = found
	}
	if found == nil {
		return deal, false
	}
	return *found, true
}

// counted are games whose deals are numbered as the days are.
type counted []string

// OfDay implements Deals.
func (counted) OfDay(_ string, day int) (deals.Deal, bool) {
	return deals.Deal{Number: int64(day)}, true
}

// Featured implements Deals.
func (c counted) Featured(day int) string {
	if len(c) == 0 || day < 1 {
		return ""
	}
	return c[day%len(c)]
}

// Examine returns an error if an item of the package isn't what its key says.
func Examine(item storage.Item) error {
	errForeign := fmt.Errorf("nothing of the patience of a day has the key %.80q", item.Key)
	if len(item.Key) < len(keyspace.DayTallies) {
		return errForeign
	}
	prefix := item.Key[:len(keyspace.DayTallies)]
	origin, rest, _ := strings.Cut(item.Key[len(prefix):], "/")
	if _, err := chat.ParseCommunity(origin); err != nil && (origin != everywhere || prefix != keyspace.DayTallies) {
		return errForeign
	}
	switch prefix {
	case keyspace.DayTallies:
		if _, game, ok := parseTally(item.Key, origin); !ok || game == "" || strings.Contains(game, "/") {
			return errForeign
		}
		return json.Unmarshal(item.Value, &stored{})
	case keyspace.DayPeople:
		if user, err := strconv.ParseInt(rest, 36, 64); err != nil || keyPerson(origin, user) != item.Key {
			return errForeign
		}
		return json.Unmarshal(item.Value, &Person{})
	case keyspace.DayUnsummed:
		if len(item.Value) > 0 || keyUnsummed(origin) != item.Key {
			return errForeign
		}
		return nil
	}
	return errForeign
}
