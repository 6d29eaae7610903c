package web

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// source is who made a message come: the room keeps no more of one than of another.
type source struct {
	household netip.Prefix
	who       int64
}

// channel is the messages of one channel, the oldest first.
type channel struct {
	messages []*message
}

// What a channel keeps beside what is played: that much is sent to each who comes.
const (
	maxWeight = 2 * maxMessages // a message weighs one, and more if it is long
	perWeight = 256             // bytes as they are sent
	longAgo   = time.Hour       // what was said before that goes first, whoever's it is
	backSoon  = 2 * time.Minute // who was told something and isn't here may be back by then
)

// weigh is how much room the message takes, in the language in which it is longest.
func (m *message) weigh() int {
	longest := len(encode(m.view("")))
	for lang := range m.body.each {
		longest = max(longest, len(encode(m.view(lang))))
	}
	return 1 + longest/perWeight
}

// heavy says whether the channel keeps more than it should.
func (c *channel) heavy() bool {
	weight := 0
	for _, m := range c.messages {
		if !m.played() {
			weight += m.weight
		}
	}
	return weight > maxWeight
}

// first is the message to go first, where reads says whether somebody reads one: what nobody does; then what was said long ago; and of what is said
// now of the household whose messages take most room, and there of the person whose do, so that whoever talks without end only pushes out their
// own. One that somebody plays at goes when there is no other.
func (c *channel) first(reads func(*message) bool) *message {
	homes, people := map[netip.Prefix]int{}, map[source]int{}
	rest := slices.DeleteFunc(slices.Clone(c.messages), (*message).played)
	for _, m := range rest {
		homes[m.by.household] += m.weight
		people[m.by] += m.weight
	}
	if len(rest) == 0 {
		return c.messages[0]
	}
	before := rest[:len(rest)-1] // Who asks for something is told it, also where they aren't here.
	if i := slices.IndexFunc(before, func(m *message) bool { return !reads(m) }); i >= 0 {
		return rest[i]
	}
	first := slices.MinFunc(rest, func(a, b *message) int { return a.told.Compare(b.told) })
	if time.Since(first.told) > longAgo {
		return first
	}
	first = rest[0]
	for _, m := range rest[1:] {
		switch most, own := homes[first.by.household], homes[m.by.household]; {
		case own > most, m.by.household == first.by.household && people[m.by] > people[first.by]:
			first = m
		}
	}
	return first
}

// reads reports whether somebody reads a message: a table's only tells how a game was won, and what is for one person is read while they are
// here, or may be back. The caller holds mu.
func (r *Room) reads(m *message) bool {
	if m.to == 0 {
		return m.table == "" || m.won
	}
	for s := range r.streams {
		if s.who.ID == m.to {
			return true
		}
	}
	return time.Since(m.told) < backSoon
}

// played says whether somebody plays at the message: a game that has ended has buttons, too.
func (m *message) played() bool { return m.table != "" && !m.final && len(m.body.buttons) > 0 }

// Forget takes away what all read of somebody: what they have said, and what the bot has said that names them, but for the tables that go on. What
// it has said to others names them where it is known that the name is theirs, since anybody may call themselves so; what it has said to them, and of
// games that they were in, by who.Name, which may be empty, too, and by the names that the room knows. It returns how many messages that were.
func (r *Room) Forget(who chat.User) (gone int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	named := r.naming(who)
	for _, ch := range r.channels {
		for _, m := range slices.Clone(ch.messages) {
			board, _ := r.boardOf(m)
			goesOn := board != nil && board.Ref == m.ref && !m.final
			if m.to == 0 && !goesOn && (m.saidBy(who) || m.from == nil && m.names(who.ID, named)) {
				r.drop(m)
				gone++
			}
		}
	}
	return gone
}

// names says whether what the bot has said names somebody. A table has no room for whole names, nor does it know those that people took since:
// what it leaves behind names all who played there. What tells of none may be read, by named, where they have made it come.
func (m *message) names(who int64, named func(text string) bool) bool {
	plays := slices.Contains(m.people, who)
	return m.body.isOf(who) || plays && m.table != "" || (plays || m.people == nil && m.by.who == who) && named(words.Flat(m.body.text))
}

// isOf says whether a name in the text is known to be somebody's.
func (b *body) isOf(who int64) bool {
	return slices.ContainsFunc(b.text, func(s chat.Span) bool { return s.Of == who })
}

// saidBy says whether the message is what that person has said.
func (m *message) saidBy(who chat.User) bool { return m.from != nil && m.from.ID == publicID(who.ID) }

// naming tells whether a text has a name of somebody's in it, and not only as a part of a word. The caller holds mu.
func (r *Room) naming(who chat.User) func(text string) bool {
	var names []string
	know := func(name string) {
		if name = chat.CleanName(name); name != "" {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	know(who.Name)
	for s := range r.streams {
		if s.who.ID == who.ID {
			know(s.who.Name)
		}
	}
	for _, m := range r.messages {
		if m.saidBy(who) {
			know(m.from.Name)
		}
		for _, s := range m.body.text {
			if s.Of == who.ID {
				know(s.Text)
			}
		}
	}
	if names == nil {
		return func(string) bool { return false }
	}
	return regexp.MustCompile(`(^|[^\pL\pN])(` + strings.Join(names, "|") + `)($|[^\pL\pN])`).MatchString
}
