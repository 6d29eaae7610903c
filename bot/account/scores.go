package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
	"zevaka/storage"
)

// CommandScores shows who has won how often in the community, in one game or in all, or what one person has; and to who asks for their own
// how each game went, alone.
func (b *Accounts) CommandScores(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	games := b.Order
	name, rest, _ := strings.Cut(arg, " ")
	if rules := b.Tables.Names.GameNamed(strings.ToLower(name)); rules != nil {
		games, arg = []engine.Rules{rules}, strings.TrimSpace(rest)
	}
	if slices.Contains([]string{"me", "я", "ja"}, strings.ToLower(arg)) {
		return b.ownScores(ctx, r, games)
	}
	var lang *words.Lang
	var best bests
	var own []scores.Tally
	err := b.view(ctx, r, func(from storage.Reader, origin string) (err error) {
		if lang, err = b.langIn(from, r); err != nil {
			return err
		}
		if arg == "" {
			best, err = bestIn(from, origin, games, scores.MonthOf(b.Now().Unix()))
			return err
		}
		own, err = b.scoresOf(from, origin, games, arg)
		return err
	})
	if err != nil {
		return chat.Response{}, err
	}
	post := b.Words.ForAll(r.In, lang, func(lang *words.Lang) chat.Message {
		w := words.Writer{Lang: lang}
		if arg != "" {
			tallies(&w, games, own)
			return chat.Message{Text: w.Spans}
		}
		best.list(&w)
		if len(w.Spans) == 0 {
			w.Say(chat.Plain, "scores-empty")
		}
		return chat.Message{Text: w.Spans, Buttons: ChartRows(b.Charts.Ratings(r, lang, gameNames(games), best.boards))}
	})
	post.Open = chat.Common
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// ownScores tells somebody alone how the games went that they have finished.
func (b *Accounts) ownScores(ctx context.Context, r chat.Request, games []engine.Rules) (chat.Response, error) {
	if r.Who.Anonymous {
		return chat.Response{}, table.ErrAnonymous
	}
	var own []scores.Tally
	err := b.view(ctx, r, func(from storage.Reader, origin string) (err error) {
		own, err = scores.Read(from, tallyKeys(games, origin, r.Who.ID)...)
		return err
	})
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	for i, t := range own {
		if t.Games == 0 {
			continue
		}
		info := games[i].Info()
		heading(&w, w.Lang.Say("game."+info.Name))
		w.Text("\n")
		if info.ForOne() {
			alone(&w, t)
		} else {
			tally(&w, info, t)
		}
	}
	if len(w.Spans) == 0 {
		w.Say(chat.Plain, "stats.none")
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{Text: w.Spans}}}}, nil
}

// alone tells how a game for one went: how often it came out, how often in a row, and the best of them.
func alone(w *words.Writer, t scores.Tally) {
	say := func(before, key string, blanks words.Blanks) {
		w.Text(before)
		w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: blanks})
	}
	say("", "stats.played", words.Blanks{"n": int(t.Games)})
	say(" · ", "stats.solved", words.Blanks{"n": int(t.Solved), "percent": int((100*t.Solved + t.Games/2) / t.Games)})
	before := "\n"
	for i, level := range t.Levels {
		if level.Games > 0 {
			say(before, "stats."+deals.Levels()[i], words.Blanks{"n": int(level.Games), "m": int(level.Solved)})
			before = " · "
		}
	}
	if t.Solved == 0 {
		w.Text("\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "scores.score", N: int(t.Score), Blanks: words.Blanks{"n": int(t.Score)}})
		return
	}
	say("\n", "stats.streak", words.Blanks{"n": int(t.Streak), "most": int(t.Longest)})
	if t.Fastest > 0 {
		say("\n", "stats.fastest", words.Blanks{"time": words.Text(board.ClockText(t.Fastest))})
		say(" · ", "stats.fewest", words.Blanks{"n": int(t.Fewest)})
	}
}

// bests are those who have won most often in each of the games, in all and in this month.
type bests struct {
	games   []engine.Rules
	boards  []scores.Board
	seasons []scores.Season
	month   int64
}

// bestIn reads who has won most often in a community.
func bestIn(from storage.Getter, origin string, games []engine.Rules, month int64) (b bests, err error) {
	b = bests{games: games, month: month}
	if b.boards, err = scores.Boards(from, origin, gameNames(games)...); err == nil {
		b.seasons, err = scores.Seasons(from, origin, gameNames(games)...)
	}
	return b, err
}

// list lists them: more of them in one game than in each of all.
func (b bests) list(w *words.Writer) {
	const all, each = 10, 3
	played := 0
	for _, board := range b.boards {
		played += min(len(board.Wins), 1)
	}
	most := all
	if played > 1 {
		most = each
	}
	for i, list := range b.boards {
		info := b.games[i].Info()
		rows := slices.Clone(list.Wins)
		slices.SortStableFunc(rows, func(a, b scores.Row) int { // Of those who have won as often, the one who won more stands first.
			return cmp.Or(cmp.Compare(b.Wins, a.Wins), cmp.Compare(b.Chips, a.Chips))
		})
		for n, row := range rows[:min(len(rows), most)] {
			if n == 0 {
				heading(w, w.Lang.Say("game."+info.Name))
			}
			w.Text(fmt.Sprintf("\n%d. ", n+1))
			w.Name(chat.Strong, row.Name, row.User)
			w.Text(" " + w.Lang.Say("dash") + " ")
			key := "scores.won"
			if info.ForOne() {
				key = "scores.came-out"
			}
			w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{"wins": int(row.Wins), "n": int(row.Games)}})
			if row.Chips != 0 {
				w.Text(", " + board.Signed(row.Chips))
			}
			rated(w, row.Rating)
		}
		if s := b.seasons[i]; s.Month == b.month && len(s.Wins) > 0 {
			w.Text("\n")
			w.Phrase(chat.Faint, words.Phrase{Key: "season-now", Blanks: words.Blanks{"month": words.Text(play.MonthName(w.Lang, b.month))}})
			play.SeasonRows(w, s, min(most, 5))
		}
	}
}

// rated adds a rating to what is said of somebody, if enough games were played for one.
func rated(w *words.Writer, k scores.KeptRating) {
	if k.Known() {
		w.Text(", ")
		w.Phrase(chat.Plain, words.Phrase{Key: "scores.rating", Blanks: words.Blanks{"n": k.Points()}})
	}
}

// scoresOf is what one person has in each of the games.
func (b *Accounts) scoresOf(from storage.Reader, origin string, games []engine.Rules, who string) ([]scores.Tally, error) {
	user, err := b.scorer(from, origin, games, who)
	if err != nil {
		return nil, err
	}
	own, err := scores.Read(from, tallyKeys(games, origin, user)...)
	if err == nil && !slices.ContainsFunc(own, func(t scores.Tally) bool { return t.Games > 0 }) {
		err = errNoScores
		if _, mentioned := chat.Mention(who); mentioned {
			err = errNoneOf
		}
	}
	return own, err
}

// tallies tells what one person has in each of the games.
func tallies(w *words.Writer, games []engine.Rules, own []scores.Tally) {
	known := false
	for i, t := range own {
		if t.Games == 0 {
			continue
		}
		if len(w.Spans) == 0 {
			heading(w, t.Name)
		}
		info := games[i].Info()
		w.Text("\n" + w.Lang.Say("game."+info.Name) + ": ")
		tally(w, info, t)
		known = known || t.Rating.Known()
	}
	if known {
		w.Text("\n\n")
		w.Say(chat.Faint, "rating-is")
	}
}

// scorer finds somebody who has finished one of the games: by a mention as "<@123>", or by name, as people are called now
// or as the lists of the best have it.
func (b *Accounts) scorer(from storage.Reader, origin string, games []engine.Rules, who string) (int64, error) {
	if id, ok := chat.Mention(who); ok {
		return id, nil
	}
	if strings.HasPrefix(who, "<@") {
		return 0, errNoneOf
	}
	name, err := NameOnly(who)
	switch {
	case err != nil:
		return 0, err
	case name == "":
		return 0, errNoScores
	}
	if err := b.Index.Ready(); err != nil {
		return 0, err
	}
	users, err := purse.Named(from, origin, name)
	if err != nil {
		return 0, err
	}
	if users, err = finishers(from, origin, games, users); err == nil && len(users) == 0 {
		users, err = listed(from, origin, games, name)
	}
	switch {
	case err != nil:
		return 0, err
	case len(users) == 0:
		return 0, errNoScores
	case len(users) > 1:
		return 0, ErrPersons
	}
	return users[0], nil
}

// finishers are those of the users who have finished one of the games.
func finishers(from storage.Getter, origin string, games []engine.Rules, users []int64) (found []int64, err error) {
	for _, user := range users {
		tallies, err := scores.Read(from, tallyKeys(games, origin, user)...)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(tallies, func(t scores.Tally) bool { return t.Games > 0 }) {
			found = append(found, user)
		}
	}
	return found, nil
}

// listed are the users who stand under the name on the lists of the best.
func listed(from storage.Getter, origin string, games []engine.Rules, name string) (users []int64, err error) {
	boards, err := scores.Boards(from, origin, gameNames(games)...)
	for _, board := range boards {
		for _, row := range slices.Concat(board.Wins, board.Chips) {
			if strings.EqualFold(row.Name, name) && !slices.Contains(users, row.User) {
				users = append(users, row.User)
			}
		}
	}
	return users, err
}

// errNoScores refuses to tell the scores of somebody who has none.
const errNoScores engine.Refusal = "no-scores"

// errNoneOf refuses it where it was said whose account it is: nobody's, as far as it is known.
const errNoneOf engine.Refusal = "no-scores-of"

// heading begins a list.
func heading(w *words.Writer, text string) {
	if len(w.Spans) > 0 {
		w.Text("\n\n")
	}
	w.Add(chat.Strong, text)
}

// tally tells what somebody has finished in a game.
func tally(w *words.Writer, info engine.Info, t scores.Tally) {
	parts := []words.Phrase{{Key: "scores.games", N: int(t.Games), Blanks: words.Blanks{"n": int(t.Games)}}}
	if !info.ForOne() {
		parts = append(parts, words.Phrase{Key: "scores.wins", N: int(t.Wins), Blanks: words.Blanks{"n": int(t.Wins)}})
	}
	add := func(key string, n int64) {
		if n > 0 && w.Lang.Knows(key) {
			parts = append(parts, words.Phrase{Key: key, N: int(n), Blanks: words.Blanks{"n": int(n)}})
		}
	}
	if places := places(w.Lang, t); places != "" {
		parts = append(parts, words.Phrase{Key: "scores.places", Blanks: words.Blanks{"places": words.Text(places)}})
	}
	add("scores.solved", t.Solved)
	add("scores.last."+info.Name, t.Last)
	if t.Longest > 1 {
		add("scores.streak", t.Streak)
		add("scores.longest", t.Longest)
	}
	add("scores.bank", t.Bank)
	add("scores.fewest", t.Fewest)
	switch {
	case t.Fastest > 0:
		parts = append(parts, words.Phrase{Key: "scores.fastest", Blanks: words.Blanks{"time": words.Text(board.ClockText(t.Fastest))}})
	case t.Solved == 0:
		add("scores.score", t.Score)
	}
	if t.Chips != 0 {
		parts = append(parts, words.Phrase{Key: "scores.chips", Blanks: words.Blanks{"n": words.Text(board.Signed(t.Chips))}})
	}
	for i, p := range parts {
		if i > 0 {
			w.Text(", ")
		}
		w.Phrase(chat.Plain, p)
	}
	rated(w, t.Rating)
	if n := scores.Settled - int(t.Rating.Games); t.Rating.IsRated() && n > 0 {
		w.Text(", ")
		w.Phrase(chat.Plain, words.Phrase{Key: "scores.rating-soon", N: n, Blanks: words.Blanks{"n": n}})
	}
}

// places are how often somebody came in which place, as "1 (×3), 2 (×5)"; empty in a game without places.
func places(lang *words.Lang, t scores.Tally) string {
	var all []string
	for i, n := range t.Places {
		if n > 0 {
			all = append(all, words.Phrase{Key: "scores.place", Blanks: words.Blanks{"place": i + 1, "n": int(n)}}.Flat(lang))
		}
	}
	return strings.Join(all, ", ")
}
