package table

import (
	"fmt"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// MaxWishes is how many wishes of a community are remembered.
const MaxWishes = 250

// Wish is that somebody is to be called when a table for several opens in a place. A list of them is a line: who stands first is called
// first, and stands last then.
type Wish struct {
	User int64 `json:"user"`
	// Name is what they were called when they asked: who has only asked is on no roll, and still new at a table.
	Name string `json:"name"`
	// Channel is 0 for the one that bears the community's ID, which changes with that.
	Channel int64 `json:"channel,omitempty"`
	Thread  int64 `json:"thread,omitempty"`
}

// WishOf is the wish of somebody who is to be called in the place.
func WishOf(who chat.User, in chat.Place) Wish {
	w := Wish{who.ID, who.Name, in.Channel, in.Thread}
	if w.Channel == in.Community.ID {
		w.Channel = 0
	}
	return w
}

// IsIn reports whether somebody is to be called in that place.
func (w Wish) IsIn(in chat.Place) bool { return w == WishOf(chat.User{ID: w.User, Name: w.Name}, in) }

// Wishes reports whether the user is among those who want to be called in the place.
func Wishes(all []Wish, user int64, in chat.Place) bool {
	return slices.ContainsFunc(all, func(w Wish) bool { return w.User == user && w.IsIn(in) })
}

// GetWishes reads the wishes of the community with that origin. The error is one of the store, or of a value that can't be decoded.
func GetWishes(from storage.Getter, origin string) ([]Wish, error) {
	all, err := storage.GetJSON[[]Wish](from, keyspace.Wishes+origin)
	if err != nil {
		return nil, fmt.Errorf("read who wants to be called in %s: %w", origin, err)
	}
	return all, nil
}

// WishesOf are those of one person.
func WishesOf(from storage.Getter, origin string, user int64) ([]Wish, error) {
	all, err := GetWishes(from, origin)
	return slices.DeleteFunc(all, func(w Wish) bool { return w.User != user }), err
}

// PutWishes stores the wishes of a community in place of those before. Of more than MaxWishes the first go of whoever has most.
func PutWishes(tx storage.Tx, origin string, all []Wish) error {
	if len(all) == 0 {
		tx.Delete(keyspace.Wishes + origin)
		return nil
	}
	return storage.PutJSON(tx, keyspace.Wishes+origin, fairly(all, MaxWishes, func(w Wish) int64 { return w.User }, func(Wish) bool { return false }))
}

// DropWishes takes those away that are like that.
func DropWishes(tx storage.Tx, origin string, like func(Wish) bool) error {
	all, err := GetWishes(tx, origin)
	if err != nil || !slices.ContainsFunc(all, like) {
		return err
	}
	return PutWishes(tx, origin, slices.DeleteFunc(all, like))
}

// ForgetWishes takes those of one person away.
func ForgetWishes(tx storage.Tx, origin string, user int64) error {
	return DropWishes(tx, origin, func(w Wish) bool { return w.User == user })
}

// GoneFromWishes has nobody called any more in a place that is gone, or without a channel in none of a community.
func GoneFromWishes(tx storage.Tx, in chat.Place) error {
	origin, err := Origin(tx, in.Community)
	if err != nil {
		return err
	}
	return DropWishes(tx, origin, func(w Wish) bool { return in.Channel == 0 || w.IsIn(in) })
}

// NextCalled are those whom a message in the place calls, at most so many of whom that may be said, and the line as it is then.
func NextCalled(line []Wish, in chat.Place, atMost int, may func(user int64) bool) (called []chat.User, then []Wish) {
	var last []Wish
	for _, w := range line {
		if w.IsIn(in) && len(called) < atMost && may(w.User) {
			called, last = append(called, chat.User{ID: w.User, Name: w.Name}), append(last, w)
		} else {
			then = append(then, w)
		}
	}
	return called, append(then, last...)
}
