package table

import (
	"slices"
	"strconv"

	"zevaka/bot/keyspace"
)

// Drawers are the people at the table, sorted by their IDs, and a hash of them.
func (t *Table) Drawers() ([]int64, uint64) {
	var users []int64
	text := "draw"
	for _, c := range t.Chairs {
		users = append(users, c.User)
	}
	slices.Sort(users)
	for _, user := range users {
		text += " " + strconv.FormatInt(user, 36)
	}
	return users, HashNumber(text)
}

// PlayedOut reports whether the bank was held until it was broken or had tripled, with somebody still playing against it.
func (t *Table) PlayedOut() bool {
	return t.Result != nil && slices.ContainsFunc(t.Chairs[1:], func(c Chair) bool { return !c.Out })
}

// Wagered reports whether chips of people's purses have moved at the table.
func (t *Table) Wagered() bool { return t.Chips != nil && !t.Practice }

// Knows reports whether the table has something that Forget would remove.
func (t *Table) Knows(user int64, anonymous string) bool {
	for _, c := range slices.Concat(t.Chairs, t.Waiting, t.Kept) {
		if c.User == user && (c.Name != anonymous || c.Lang != "" || c.AtOnce || c.N != 0) {
			return true
		}
	}
	return t.Session != nil && slices.ContainsFunc(t.Session.People, func(p Player) bool {
		return p.User == user && (p.Name != anonymous || p.N != 0)
	})
}

// Forget gives the user the name of those who have none, and removes what belongs to their scores.
func (t *Table) Forget(user int64, anonymous string) {
	for _, chairs := range [][]Chair{t.Chairs, t.Waiting, t.Kept} {
		for i := range chairs {
			if c := &chairs[i]; c.User == user {
				c.Name, c.Lang, c.AtOnce, c.N, c.Feats = anonymous, "", false, 0, 0
			}
		}
	}
	if t.Session == nil {
		return
	}
	for i := range t.Session.People {
		if p := &t.Session.People[i]; p.User == user {
			p.Name, p.N, p.Feats = anonymous, 0, 0
		}
	}
}

// KeyPart is where it is stored that a person has a part in a table. An open part has no value. That of a table that ended
// is the community's name in the key of the table, empty if that is the origin.
func KeyPart(prefix, origin string, user int64, name string) string {
	return PartsAt(prefix, origin, user) + name
}

// KeyEndedPart is where it is stored that a person had a part in the table, which has ended.
func KeyEndedPart(t *Table, user int64) string {
	return KeyPart(keyspace.EndedParts, t.Origin(), user, EndedAs(t))
}

// PartsAt begins the keys of a person's parts.
func PartsAt(prefix, origin string, user int64) string {
	return prefix + origin + "/" + strconv.FormatInt(user, 36) + "/"
}

// People are all users whom the table names: its players, and those who wait there or are waited for.
func (t *Table) People() []int64 {
	all := t.Players()
	for _, c := range slices.Concat(t.Waiting, t.Kept) {
		all = addOnce(all, c.User)
	}
	return all
}

// Players are the users who sit there, and those who have in its session.
func (t *Table) Players() []int64 {
	all := make([]int64, 0, len(t.Chairs)+len(t.Waiting))
	for _, c := range t.Chairs {
		all = addOnce(all, c.User)
	}
	if t.Session != nil {
		for _, p := range t.Session.People {
			all = addOnce(all, p.User)
		}
	}
	return all
}

func addOnce(all []int64, user int64) []int64 {
	if user == 0 || slices.Contains(all, user) {
		return all
	}
	return append(all, user)
}

// PartValue is what is stored of a part in the table when it has ended.
func (t *Table) PartValue() []byte {
	if name := t.ID.Community.String(); name != t.Origin() {
		return []byte(name)
	}
	return nil
}

// KeyForgetting is where it stands that a person has asked a community to forget them, as long as that isn't done.
func KeyForgetting(origin string, user int64) string {
	return keyspace.Forgetting + origin + "/" + strconv.FormatInt(user, 36)
}
