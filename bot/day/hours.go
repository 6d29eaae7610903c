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
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// wanted is stored of a place that wants a post of the patience of the day.
type wanted struct {
	In chat.Place `json:"in"`
	// Hour and Minute are the time of the day in UTC at which it comes, Zone and ZoneMinutes how many hours and minutes the clock that was
	// meant is ahead of that.
	Hour        int `json:"hour"`
	Minute      int `json:"minute,omitempty"`
	Zone        int `json:"zone,omitempty"`
	ZoneMinutes int `json:"zoneminutes,omitempty"`
	// Last is the day of which it came last; 0 if none has.
	Last int `json:"last,omitempty"`
	// Unseen is how many of the last posts stand nowhere, as far as it is known.
	Unseen int `json:"unseen,omitempty"`
}

const (
	// aDay is how many minutes a day has, and aSlot each part of it at whose beginning posts are made: no clock is ahead of another by less.
	aDay, aSlot = 24 * 60, 15
	// slots is how many of those a day has.
	slots = aDay / aSlot
)

// slot is the part of the day at which the post comes.
func (w *wanted) slot() int { return (w.Hour*60 + w.Minute) / aSlot }

// slotOf is the part of the day at that time.
func slotOf(at time.Time) int { return (at.Hour()*60 + at.Minute()) / aSlot }

// valid reports whether a day has such a time.
func (w *wanted) valid() bool {
	return w.Hour >= 0 && w.Hour < 24 && w.Minute >= 0 && w.Minute < 60
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

// hours are the keys of the places that want the post at each part of the day.
type hours struct {
	mu     sync.Mutex
	keys   [slots]map[string]bool
	slotOf map[string]int
	turn   turn
}

// turn is which posts are still to be made, of the parts up to one of a day.
type turn struct {
	day, slot int
	keys      []string
}

// lateBy is by how many parts of a day a post may come late, after a stop of the program.
const lateBy = 3 * 60 / aSlot

// read reads which places want the post.
func (h *hours) read(ctx context.Context, s storage.Store, log *slog.Logger) error {
	items, err := table.Readable(ctx, s, log, keyspace.DayPosts)
	if err != nil {
		return fmt.Errorf("read which chats want the patience of the day: %w", err)
	}
	for _, item := range items {
		one, err := getWanted(only{item}, item.Key)
		if err != nil || one == nil || !one.valid() {
			log.Error("it can't be read when a chat wants the patience of the day", "key", item.Key, "error", err)
			continue
		}
		h.set(item.Key, one.slot())
	}
	return nil
}

// only gives an item that was read already.
type only struct{ storage.Item }

// Get implements storage.Getter.
func (o only) Get(...string) ([]storage.Item, error) { return []storage.Item{o.Item}, nil }

// set notes at which part of the day the place of a key wants the post.
func (h *hours) set(key string, slot int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(key)
	if h.slotOf == nil {
		h.slotOf = map[string]int{}
	}
	if h.keys[slot] == nil {
		h.keys[slot] = map[string]bool{}
	}
	h.slotOf[key], h.keys[slot][key] = slot, true
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
	if slot, ok := h.slotOf[key]; ok {
		delete(h.keys[slot], key)
	}
}

func (h *hours) drop(key string) {
	if slot, ok := h.slotOf[key]; ok {
		delete(h.keys[slot], key)
		delete(h.slotOf, key)
	}
}

// due are the keys of some places that may want their post now, at most n, and whether there are more. At the beginning of each part
// of the day it goes through those of that part and the ones before; what comes in the middle of one is for the next day.
func (h *hours) due(day, slot, n int) (keys []string, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.turn.day != day || h.turn.slot != slot {
		first := max(0, slot-lateBy)
		if h.turn.day == day && h.turn.slot < slot {
			first = max(first, h.turn.slot+1) // Those before had their turn.
		} else {
			h.turn.keys = nil
		}
		for at := first; at <= slot; at++ {
			h.turn.keys = append(h.turn.keys, slices.Sorted(maps.Keys(h.keys[at]))...)
		}
		h.turn.day, h.turn.slot = day, slot
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
	for key := range h.slotOf {
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
	if keyPost(one.In) != item.Key || !one.valid() {
		return fmt.Errorf("no place that wants the patience of the day has the key %.80q", item.Key)
	}
	return nil
}
