package day

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// Of is a game of a day in words.
func Of(lang *words.Lang, game string, day int) words.Phrase {
	return words.Phrase{Key: "day-title", Blanks: words.Blanks{"game": words.Phrase{Key: "game." + game}, "n": day}}
}

// Card is a result in one line that tells nothing of the deal, to be pasted anywhere. Streak is how many days in a row one came out.
func Card(lang *words.Lang, r Result, streak int) string {
	w := words.Writer{Lang: lang}
	w.Phrase(chat.Plain, Of(lang, r.Game, r.Day))
	w.Text(mark(r))
	count(&w, "patience.moves", r.Moves)
	if r.Undos > 0 {
		w.Text(" · ")
		count(&w, "patience.undos", r.Undos)
	}
	w.Text(" · ")
	count(&w, "patience.hints", r.Hints)
	w.Text(fire(streak))
	return words.Flat(w.Spans)
}

// mark says whether it came out.
func mark(r Result) string {
	if r.Solved {
		return " ✅ "
	}
	return " ❌ "
}

// fire says how many days in a row one came out; nothing where none did.
func fire(streak int) string {
	if streak == 0 {
		return ""
	}
	return " · 🔥 " + strconv.Itoa(streak)
}

// count tells a number of things.
func count(w *words.Writer, key string, n int) {
	w.Phrase(chat.Plain, words.Phrase{Key: key, N: n, Blanks: words.Blanks{"n": n}})
}

// Report is what somebody is told of a result of theirs: the person, the result, and how the others did where it counts for them. Here
// is empty in a private chat in which nobody else plays.
type Report struct {
	Person
	Result
	Here, All Tally
	// At is the community under which the result is kept.
	At chat.Community
	// Alone says that nobody else is there, and From that the result can be told where it was asked for.
	Alone bool
}

// Ended counts for the others of the place where it was asked for what has ended at a table of a day, and is what its player is told
// of that. Nothing is counted where the player isn't any more.
func (d *Days) Ended(ctx context.Context, s storage.Store, log *slog.Logger, r chat.Request, t *table.Table) ([]chat.Post, error) {
	in := t.ReportTo
	if in != nil && table.BarOutside(ctx, log, r, in.Community) != nil {
		in = nil
	}
	if in != nil {
		if err := storage.Update(ctx, s, func(tx storage.Tx) error { return d.CountAt(tx, *in, t) }); err != nil {
			return nil, fmt.Errorf("count a patience of the day where it was asked for: %w", err)
		}
	}
	report, ok, err := d.Result(ctx, s, t.Place, t.Chairs[0].User, t.Day, t.Game)
	if err != nil || !ok {
		return nil, err
	}
	return []chat.Post{d.Post(r, report)}, nil
}

// Result is what somebody is told of a result that is kept of them in the community of a place; false if there is none.
func (d *Days) Result(ctx context.Context, s storage.Store, in chat.Place, user int64, day int, game string) (report Report, ok bool, err error) {
	err = s.View(ctx, func(from storage.Reader) error {
		report, ok = Report{At: in.Community, Alone: in.Private}, false
		origin, err := table.Origin(from, in.Community)
		if err != nil {
			return err
		}
		if report.Person, err = PersonOf(from, origin, user); err != nil {
			return err
		}
		r := report.Of(day, game)
		if r == nil {
			return nil
		}
		report.Result, ok = *r, true
		if in.Private && r.From != nil {
			report.Alone = false
			if origin, err = table.Origin(from, r.From.Community); err != nil {
				return err
			}
		}
		report.Here, report.All, err = Tallies(from, origin, day, game)
		return err
	})
	if err != nil {
		return report, false, fmt.Errorf("read how a patience of the day went: %w", err)
	}
	return report, ok, nil
}

// Post tells somebody of a result of theirs, and nobody else, with buttons to tell others.
func (d *Days) Post(r chat.Request, report Report) chat.Post {
	w := words.Writer{Lang: d.words.Lang(r.Who.Lang)}
	own, streak := report.Result, report.Streak(d.Today())
	w.Phrase(chat.Strong, Of(w.Lang, own.Game, own.Day))
	w.Text(mark(own))
	w.Text(board.ClockText(own.Seconds))
	if !report.Alone {
		w.Text("\n\n")
		report.others(&w, r.In.Private)
	}
	if report.Alone || report.All.Ended > report.Here.Ended {
		w.Text("\n\n")
		Went(&w, "day-everywhere", report.All)
	}
	compare(&w, own, report.larger())
	card := Card(w.Lang, own, streak)
	w.Text("\n\n")
	w.Say(chat.Faint, "day-card")
	w.Text("\n")
	w.Add(chat.Code, card)
	var share []chat.Button
	if own.From != nil && own.Shared == 0 {
		do := "!share " + strconv.Itoa(own.Day) + " " + own.Game
		token := table.Token{Table: table.ID{Community: report.At, Name: table.NoTable}, Do: do}.String()
		share = append(share, chat.Button{Label: w.Lang.Say("button.share"), Token: token, Look: chat.Primary})
	}
	share = append(share, chat.Button{Label: w.Lang.Say("button.copy"), Copies: card})
	more := chat.Button{Label: w.Lang.Say("button.day-more"), Token: table.PlaceToken(r, "!day more")}
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{Text: w.Spans, Buttons: [][]chat.Button{share, {more}}}}
}

// larger is the tally with which somebody is compared: that of their own place if enough have solved it there.
func (t Report) larger() Tally {
	if t.Alone || t.Here.Solved < enough {
		return t.All
	}
	return t.Here
}

// enough is how many must have solved a deal before it is drawn how they did.
const enough = 3

// others tells how the others did in the place where it was asked for: another one, if it is told in private.
func (t Report) others(w *words.Writer, there bool) {
	first, here := "day-first", "day-here"
	if there {
		first, here = "day-first-there", "day-here-there"
	}
	if t.Here.Ended < 2 {
		w.Say(chat.Plain, first)
		return
	}
	Went(w, here, t.Here)
}

// Went tells how a deal went, by a sentence for how many have solved it: on a second line how many moves and how long that took.
func Went(w *words.Writer, key string, t Tally) {
	w.Phrase(chat.Plain, words.Phrase{Key: key, N: int(t.Ended), Blanks: words.Blanks{"n": int(t.Ended), "solved": int(t.Solved)}})
	moves := t.Moves.Drawn()
	if t.Solved < enough || moves == "" {
		return
	}
	first, last, _ := t.Moves.ends()
	w.Phrase(chat.Plain, words.Phrase{Key: "day-moves", Blanks: words.Blanks{
		"least": leastMoves(first), "drawn": words.Text(moves), "most": leastMoves(last+1) - 1,
	}})
	if times := t.Times.Drawn(); times != "" {
		first, last, _ := t.Times.ends()
		w.Text(" · " + board.ClockText(leastTime(first)) + " " + times + " " + board.ClockText(leastTime(last+1)))
	}
}

// compare says where somebody did better than most.
func compare(w *words.Writer, own Result, t Tally) {
	if !own.Solved || t.Solved < enough {
		return
	}
	separator := "\n"
	for _, part := range []struct {
		key   string
		share int
	}{{"day-fewer", t.Moves.above(movesBin(own.Moves))}, {"day-faster", t.Times.above(timesBin(own.Seconds))}} {
		if part.share > 50 {
			w.Text(separator)
			w.Phrase(chat.Plain, words.Phrase{Key: part.key, Blanks: words.Blanks{"n": part.share}})
			separator = " · "
		}
	}
}
