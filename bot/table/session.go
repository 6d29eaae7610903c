package table

import (
	"slices"

	"zevaka/bot/scores"
	"zevaka/engine"
)

// Closing says that a bank's table is to be closed as soon as what is played for there is settled. Who closed it before
// could take back a stake that looks too good, or a bank that its luck leaves: the rules let no banker do either.
type Closing struct {
	// By is the seat of the one who asked; Nobody for an admin who doesn't play, and for the table itself.
	By engine.Seat `json:"by"`
	// Why names the reason, as table.Why does.
	Why string `json:"why"`
	// Bank says that the bank is played to its end first, and else only the hand in play.
	Bank bool `json:"bank,omitempty"`
}

// Going is when somebody leaves a bank who can't leave it yet.
type Going uint8

const (
	// Stays is for whoever hasn't asked to leave.
	Stays Going = iota
	// AfterHand is when nothing of theirs is at stake any more. Until then the hand is theirs.
	AfterHand
	// AfterBank is when the bank has ended. Until then they play like everybody.
	AfterBank
)

// Session is a chain of deals that people play one after the other, each at a table of its own: what it has come to so far.
// The last table has all of it.
type Session struct {
	// Deal is the number of the deal, from 1, and Began when the first one was agreed on, in seconds since 1970, UTC.
	Deal  int   `json:"deal"`
	Began int64 `json:"began"`
	// First is the name of the table of deal 1; empty at that one itself, and in a session from before it was noted.
	First string `json:"first,omitempty"`
	// Rounds is how often everybody is to hold the bank.
	Rounds int `json:"rounds"`
	// People are all who have played, in order of sitting down.
	People []Player `json:"people,omitempty"`
}

// Player is one person's part in a session.
type Player struct {
	User int64 `json:"user"`
	// Nick is that of a computer player's chair; 0 for people.
	Nick int    `json:"nick,omitempty"`
	Name string `json:"name"`
	// Held is how often the person has held the bank, and Best the best that a bank of theirs came to.
	Held int   `json:"held,omitempty"`
	Best int64 `json:"best,omitempty"`
	// Feats are what the person has done in the deals so far.
	Feats scores.Feats `json:"feats,omitempty"`
	// Net is what the person has won so far, in kopecks.
	Net int64 `json:"net"`
	// Removed says that somebody else took the person from the table, and that they may not come back.
	Removed bool `json:"removed,omitempty"`
	// Owes says that the person left the game before their turn to hold the bank, or couldn't lay it out, and comes back only to hold
	// it (RULES.md 6.3).
	Owes bool `json:"owes,omitempty"`
	// N is which of the person's sessions this is, from 1; 0 as long as it goes on.
	N int `json:"n,omitempty"`
}

// Add adds a deal: who sat there, and what each has won. Played says that it was played to its end.
func (s *Session) Add(chairs []Chair, net []int64, played bool) {
	s.People = slices.Clone(s.People)
	for i, c := range chairs {
		n := slices.IndexFunc(s.People, func(p Player) bool { return p.Sits(c) })
		if n < 0 {
			n = len(s.People)
			s.People = append(s.People, Player{User: c.User, Nick: c.Nick, Name: c.Name})
		}
		p := &s.People[n]
		p.Net += net[i]
		p.Removed = c.Removed
		if !c.Quit() {
			p.Feats |= c.Feats
		}
		if i == 0 && played {
			p.Held++
			p.Best = max(p.Best, net[i])
		}
	}
}

// PassBank notes, as the bank passes on, who owes it from now on: those of the chairs that don't sit on, whether they left or the bank
// came to them and they couldn't lay it out, but for who has held it as often as anybody. Who holds it now owes it no longer.
func (s *Session) PassBank(chairs []Chair, gone func(chair int) bool, banker Chair) {
	s.People = slices.Clone(s.People)
	most := 0
	for _, p := range s.People {
		most = max(most, p.Held)
	}
	for i := range s.People {
		p := &s.People[i]
		at := slices.IndexFunc(chairs, p.Sits)
		switch {
		case p.Sits(banker):
			p.Owes = false
		case at >= 0 && p.User != 0 && p.Held < most && gone(at):
			p.Owes = true
		}
	}
}

// Sits reports whether it is the player's chair.
func (p Player) Sits(c Chair) bool { return p.User == c.User && p.Nick == c.Nick }

// Of is the part of who sits in the chair; that of nobody if they have none.
func (s *Session) Of(c Chair) Player {
	for _, p := range s.People {
		if p.Sits(c) {
			return p
		}
	}
	return Player{}
}

// Person is the user's part in the session; that of nobody if the user has none.
func (s *Session) Person(user int64) Player {
	for _, p := range s.People {
		if p.User == user {
			return p
		}
	}
	return Player{}
}

// IsOver reports whether everybody in these chairs has held the bank as often as was agreed.
func (s *Session) IsOver(chairs []Chair) bool {
	return !slices.ContainsFunc(chairs, func(c Chair) bool { return s.Of(c).Held < s.Rounds })
}

// nextDeal is the name of the table of the deal after that at the table of that name.
func nextDeal(name string) string { return NameFor("next " + name) }

// TableOf is the name of the table of a deal of the session; empty if that isn't known.
func (s *Session) TableOf(deal int) string {
	if s.First == "" || deal < 1 {
		return ""
	}
	name := s.First
	for range deal - 1 {
		name = nextDeal(name)
	}
	return name
}

// NextDeal is the ID of the table of the session's next deal.
func (t *Table) NextDeal() ID { return ID{Community: t.ID.Community, Name: nextDeal(t.ID.Name)} }

// Following is the table of the session's next deal, where the chairs' people wait from now on for the cut of a deal with
// this seed. Opened is now, in seconds since 1970.
func (t *Table) Following(chairs []Chair, seed engine.Seed, now Running, opened int64) *Table {
	s := *t.Session
	if s.Deal++; s.Deal == 2 {
		s.First = t.ID.Name
	}
	next := &Table{
		ID:     t.NextDeal(),
		Format: Format, Phase: Cutting, Options: t.Options, Looks: t.Looks, Host: t.Host, Chairs: chairs,
		Agreed: Agreed{Place: t.Place, Lang: t.Lang, Game: t.Game, Rev: t.Rev, Limit: t.Limit, Rounds: t.Rounds, Practice: t.Practice, Lesson: t.Lesson, Part: t.Part, Temper: t.Temper},
		Cards:  Cards{Draw: t.Draw, Seed: seed, Cutter: Cutter(chairs, true)},
		Names:  Names{FormerCommunity: t.FormerCommunity},
		Banked: Banked{Session: &s},
		End:    End{Opened: opened, Sealed: opened},
		Seen:   slices.Clone(t.Seen), // A line that is delivered again would be taken for one of this deal.
	}
	AwaitCut(next, now)
	if _, seated := next.SeatOf(next.Host); !seated {
		next.Host = next.NextHost(0)
	}
	return next
}
