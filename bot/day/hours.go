package day

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// wanted is stored of a place that wants a post of the patience of the day.
type wanted struct {
	In chat.Place `json:"in"`
	// Hour is the hour of the day in UTC at which it comes, Zone how many hours the clock that was meant is ahead of that.
	Hour int `json:"hour"`
	Zone int `json:"zone,omitempty"`
	// Last is the day of which it came last; 0 if none has.
	Last int `json:"last,omitempty"`
	// Unseen is how many of the last posts stand nowhere, as far as it is known.
	Unseen int `json:"unseen,omitempty"`
}

// keyPost is where it is stored that a place wants the post.
func keyPost(p chat.Place) string {
	return fmt.Sprintf("%s%d/%d", postsOf(p.Community), p.Channel, p.Thread)
}

// postsOf begins the keys of keyPost of a community.
func postsOf(c chat.Community) string { return keyspace.DayPosts + c.String() + "/" }

func getWanted(from storage.Getter, key string) (*wanted, error) {
	one, err := storage.GetJSON[*wanted](from, key)
	if err != nil {
		return nil, fmt.Errorf("read when a place wants the patience of the day: %w", err)
	}
	return one, nil
}

// hours are the keys of the places that want the post at each hour.
type hours struct {
	mu     sync.Mutex
	keys   [24]map[string]bool
	hourOf map[string]int
	turn   turn
}

// turn is which posts are still to be made, of the hours up to one of a day.
type turn struct {
	day, hour int
	keys      []string
}

// lateBy is by how many hours a post may come late, after a stop of the program.
const lateBy = 3

// read reads which places want the post.
func (h *hours) read(ctx context.Context, s storage.Store, log *slog.Logger) error {
	items, err := table.Readable(ctx, s, log, keyspace.DayPosts)
	if err != nil {
		return fmt.Errorf("read which chats want the patience of the day: %w", err)
	}
	for _, item := range items {
		one, err := getWanted(only{item}, item.Key)
		if err != nil || one == nil || !validHour(one.Hour) {
			log.Error("it can't be read when a chat wants the patience of the day", "key", item.Key, "error", err)
			continue
		}
		h.set(item.Key, one.Hour)
	}
	return nil
}

// only gives an item that was read already.
type only struct{ storage.Item }

// Get implements storage.Getter.
func (o only) Get(...string) ([]storage.Item, error) { return []storage.Item{o.Item}, nil }

// validHour reports whether a day has such an hour.
func validHour(hour int) bool { return hour >= 0 && hour < 24 }

// set notes at which hour the place of a key wants the post.
func (h *hours) set(key string, hour int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(key)
	if h.hourOf == nil {
		h.hourOf = map[string]int{}
	}
	if h.keys[hour] == nil {
		h.keys[hour] = map[string]bool{}
	}
	h.hourOf[key], h.keys[hour][key] = hour, true
}

// unset notes that the place of a key wants no post.
func (h *hours) unset(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(key)
}

// stop notes that the place of a key is told nothing until it wants the post anew.
func (h *hours) stop(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if hour, ok := h.hourOf[key]; ok {
		delete(h.keys[hour], key)
	}
}

func (h *hours) drop(key string) {
	if hour, ok := h.hourOf[key]; ok {
		delete(h.keys[hour], key)
		delete(h.hourOf, key)
	}
}

// due are the keys of some places that may want their post now, at most n, and whether there are more. At the beginning of each hour
// it goes through those of that hour and the ones before; what comes in the middle of one is for the next day.
func (h *hours) due(day, hour, n int) (keys []string, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.turn.day != day || h.turn.hour != hour {
		first := max(0, hour-lateBy)
		if h.turn.day == day && h.turn.hour < hour {
			first = max(first, h.turn.hour+1) // Those before had their turn.
		} else {
			h.turn.keys = nil
		}
		for at := first; at <= hour; at++ {
			h.turn.keys = append(h.turn.keys, slices.Sorted(maps.Keys(h.keys[at]))...)
		}
		h.turn.day, h.turn.hour = day, hour
	}
	n = min(n, len(h.turn.keys))
	keys, h.turn.keys = h.turn.keys[:n:n], h.turn.keys[n:]
	return keys, len(h.turn.keys) > 0
}

// later puts keys back whose turn came to nothing.
func (h *hours) later(keys ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turn.keys = append(h.turn.keys, keys...)
}

// of are the keys of a community's places that want the post, or wanted it when it was stopped.
func (h *hours) of(c chat.Community) (keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key := range h.hourOf {
		if strings.HasPrefix(key, postsOf(c)) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ExamineHour returns an error if an item isn't that of a place that wants the post, as its key says.
func ExamineHour(item storage.Item) error {
	var one wanted
	if err := json.Unmarshal(item.Value, &one); err != nil {
		return err
	}
	if keyPost(one.In) != item.Key || one.Hour < 0 || one.Hour > 23 {
		return fmt.Errorf("no place that wants the patience of the day has the key %.80q", item.Key)
	}
	return nil
}
