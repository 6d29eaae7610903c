package replay

import (
	"slices"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// shortName is how many letters of a name stand in a line of the list, and mostNames how many of those who have won or lost.
	shortName = 20
	mostNames = 4
)

// outcome is how a game has ended, or the session of which it was the last, in a few words.
func (b *Replays) outcome(t *table.Table, lang *words.Lang) []chat.Span {
	w := words.Writer{Lang: lang}
	switch {
	case t.Session != nil && t.Next == "":
		nets(&w, t.Session.People)
		if n := t.Session.Deal; n > 1 {
			w.Text(" · ")
			w.Phrase(chat.Plain, words.Phrase{Key: "history.deals", N: n, Blanks: words.Blanks{"n": n}})
		}
	case t.Chips != nil:
		var people []table.Player
		for i, c := range t.Chairs {
			people = append(people, table.Player{User: c.User, Name: c.Name, Net: t.Chips.Seats[i]})
		}
		nets(&w, people)
	case t.Result != nil && t.Result.Patience != nil:
		named(&w, t.Name(0), t.Chairs[0].User)
		w.Text(": " + board.Outcome(lang, *t.Result.Patience))
	case t.Result != nil:
		places(&w, t, *t.Result)
	default:
		names(&w, t.Chairs)
		w.Text(" · ")
		w.Say(chat.Plain, "history.unfinished")
	}
	return w.Spans
}

// nets are who has won, and who has lost.
func nets(w *words.Writer, people []table.Player) {
	people = slices.Clone(people)
	slices.SortStableFunc(people, func(a, b table.Player) int {
		switch {
		case a.Net > b.Net:
			return -1
		case a.Net < b.Net:
			return 1
		}
		return 0
	})
	for i, p := range people[:min(len(people), mostNames)] {
		if i > 0 {
			w.Text(", ")
		}
		if i == 0 && p.Net > 0 {
			w.Text("🏆 ")
		}
		named(w, p.Name, p.User)
		w.Text(" " + board.Signed(p.Net))
	}
	if len(people) > mostNames {
		w.Text(" …")
	}
}

// places are who has won, and who came last where that has a name.
func places(w *words.Writer, t *table.Table, result engine.Result) {
	group := func(seat engine.Seat) []engine.Seat {
		for _, tie := range result.Ties {
			if slices.Contains(tie, seat) {
				return tie
			}
		}
		return []engine.Seat{seat}
	}
	name := func(seats []engine.Seat) {
		for i, s := range seats[:min(len(seats), mostNames)] {
			if i > 0 {
				w.Text(", ")
			}
			named(w, t.Name(s), t.Chairs[s].User)
		}
	}
	if len(result.Places) == 0 {
		return
	}
	first, last := group(result.Places[0]), group(result.Places[len(result.Places)-1])
	w.Text("🏆 ")
	name(first)
	if key := "medal." + t.Game; !slices.Contains(first, last[0]) && w.Lang.Has(key) {
		w.Text(" · 🥱 ")
		name(last)
	}
}

// named is what somebody is called, as short as a line needs it.
func named(w *words.Writer, name string, user int64) {
	w.Name(chat.Plain, chat.Shorten(name, shortName), user)
}

// names are those who sat there.
func names(w *words.Writer, chairs []table.Chair) {
	for i, c := range chairs[:min(len(chairs), mostNames)] {
		if i > 0 {
			w.Text(", ")
		}
		named(w, c.Name, c.User)
	}
	if len(chairs) > mostNames {
		w.Text(" …")
	}
}

// longAgo is after how many days one says the day itself.
const longAgo = 30

// ago says how long ago something was, or on which day.
func ago(seconds, at int64) words.Phrase {
	count := func(key string, n int64) words.Phrase {
		return words.Phrase{Key: key, N: int(n), Blanks: words.Blanks{"n": int(n)}}
	}
	switch minutes := seconds / 60; {
	case minutes < 1:
		return words.Phrase{Key: "ago.now"}
	case minutes < 60:
		return count("ago.minutes", minutes)
	case minutes < 48*60:
		return count("ago.hours", minutes/60)
	case minutes < longAgo*24*60:
		return count("ago.days", minutes/60/24)
	}
	return words.Phrase{Key: "ago.on", Blanks: words.Blanks{"day": words.Text(time.Unix(at, 0).UTC().Format("02.01.2006"))}}
}
