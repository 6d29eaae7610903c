package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// CommandScores shows who has won how often in the community, in one game or in all, or what one person has.
func (b *Accounts) CommandScores(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	games := b.Order
	name, rest, _ := strings.Cut(arg, " ")
	if rules := b.Tables.Names.GameNamed(strings.ToLower(name)); rules != nil {
		games, arg = []engine.Rules{rules}, strings.TrimSpace(rest)
	}
	var w words.Writer
	var buttons []chat.Button
	err := b.view(ctx, r, func(from storage.Reader, origin string) error {
		lang, err := b.langIn(from, r)
		w = words.Writer{Lang: lang}
		switch {
		case err != nil:
			return err
		case arg == "":
			boards, err := bestIn(&w, from, origin, games, scores.MonthOf(b.Now().Unix()))
			buttons = b.Charts.Ratings(r, lang, gameNames(games), boards)
			return err
		}
		return b.scoresOf(from, &w, origin, games, arg)
	})
	if err != nil {
		return chat.Response{}, err
	}
	if len(w.Spans) == 0 {
		w.Say(chat.Plain, "scores-empty")
	}
	message := chat.Message{Text: w.Spans, Buttons: ChartRows(buttons)}
	return chat.Response{Posts: []chat.Post{{In: r.In, Open: chat.Common, Message: message}}}, nil
}

// bestIn lists those who have won most often, in all and in this month: more of them in one game than in each of all. It returns
// the games' boards.
func bestIn(w *words.Writer, from storage.Getter, origin string, games []engine.Rules, month int64) ([]scores.Board, error) {
	const all, each = 10, 3
	names := gameNames(games)
	boards, err := scores.Boards(from, origin, names...)
	if err != nil {
		return nil, err
	}
	seasons, err := scores.Seasons(from, origin, names...)
	if err != nil {
		return nil, err
	}
	played := 0
	for _, board := range boards {
		played += min(len(board.Wins), 1)
	}
	most := all
	if played > 1 {
		most = each
	}
	for i, list := range boards {
		for n, row := range list.Wins[:min(len(list.Wins), most)] {
			if n == 0 {
				heading(w, w.Lang.Say("game."+names[i]))
			}
			w.Text(fmt.Sprintf("\n%d. ", n+1))
			w.Add(chat.Strong, row.Name)
			w.Text(" " + w.Lang.Say("dash") + " ")
			key := "scores.won"
			if games[i].Info().ForOne() {
				key = "scores.came-out"
			}
			w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{"wins": int(row.Wins), "n": int(row.Games)}})
			if row.Chips != 0 {
				w.Text(", " + board.Signed(row.Chips))
			}
			rated(w, row.Rating)
		}
		if s := seasons[i]; s.Month == month && len(s.Wins) > 0 {
			w.Text("\n")
			w.Phrase(chat.Faint, words.Phrase{Key: "season-now", Blanks: words.Blanks{"month": words.Text(play.MonthName(w.Lang, month))}})
			play.SeasonRows(w, s, min(most, 5))
		}
	}
	return boards, nil
}

// rated adds a rating to what is said of somebody, if enough games were played for one.
func rated(w *words.Writer, k scores.KeptRating) {
	if k.Known() {
		w.Text(", ")
		w.Phrase(chat.Plain, words.Phrase{Key: "scores.rating", Blanks: words.Blanks{"n": k.Points()}})
	}
}

// scoresOf tells what one person has.
func (b *Accounts) scoresOf(from storage.Reader, w *words.Writer, origin string, games []engine.Rules, who string) error {
	user, err := b.scorer(from, origin, games, who)
	if err != nil {
		return err
	}
	tallies, err := scores.Read(from, tallyKeys(games, origin, user)...)
	if err != nil {
		return err
	}
	known := false
	for i, t := range tallies {
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
	if len(w.Spans) == 0 {
		return errNoScores
	}
	return nil
}

// scorer finds somebody who has finished one of the games: by a mention as "<@123>", or by name, as people are called now
// or as the lists of the best have it.
func (b *Accounts) scorer(from storage.Reader, origin string, games []engine.Rules, who string) (int64, error) {
	if id, ok := chat.Mention(who); ok {
		return id, nil
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
	if places := places(t); places != "" {
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

// places are how often somebody came in which place, as "1. × 3, 2. × 5"; empty in a game without places.
func places(t scores.Tally) string {
	var all []string
	for i, n := range t.Places {
		if n > 0 {
			all = append(all, fmt.Sprintf("%d. × %d", i+1, n))
		}
	}
	return strings.Join(all, ", ")
}
