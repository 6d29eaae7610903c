package bot

import (
	"context"
	"fmt"
	"strings"

	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// commandScores shows who has won how often in the community, in one game or in all, or what one person has.
func (b *Bot) commandScores(ctx context.Context, r Request, arg string) (Response, error) {
	games := b.order
	name, rest, _ := strings.Cut(arg, " ")
	if rules := b.gameNamed(strings.ToLower(name)); rules != nil {
		games, arg = []engine.Rules{rules}, strings.TrimSpace(rest)
	}
	lang, err := b.langOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	first, err := b.homeOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	w := writer{lang: lang}
	if arg == "" {
		err = b.bestIn(ctx, &w, first, games)
	} else {
		err = b.scoresOf(ctx, &w, scores.Book{Store: b.store, Community: first}, games, arg)
	}
	if err != nil {
		return Response{}, err
	}
	if len(w.spans) == 0 {
		w.say(Plain, "scores-empty")
	}
	return Response{Posts: []Post{{In: r.In, Message: Message{Text: w.spans}}}}, nil
}

// bestIn lists those who have won most often: more of them in one game than in each of all.
func (b *Bot) bestIn(ctx context.Context, w *writer, home string, games []engine.Rules) error {
	const all, each = 10, 3
	var names []string
	for _, rules := range games {
		names = append(names, rules.Info().Name)
	}
	boards, err := scores.Book{Store: b.store, Community: home}.Boards(ctx, names...)
	if err != nil {
		return err
	}
	played := 0
	for _, board := range boards {
		played += min(len(board.Wins), 1)
	}
	most := all
	if played > 1 {
		most = each
	}
	for i, board := range boards {
		for n, row := range board.Wins[:min(len(board.Wins), most)] {
			if n == 0 {
				w.heading(w.lang.Say("game." + names[i]))
			}
			w.text(fmt.Sprintf("\n%d. ", n+1))
			w.add(Strong, row.Name)
			w.text(" – ")
			key := "scores.won"
			if isSolo(games[i].Info()) {
				key = "scores.came-out"
			}
			w.phrase(Plain, phrase{key: key, blanks: blanks{"wins": int(row.Wins), "n": int(row.Games)}})
			if row.Chips != 0 {
				w.text(", " + signed(row.Chips))
			}
		}
	}
	return nil
}

// scoresOf tells what one person has.
func (b *Bot) scoresOf(ctx context.Context, w *writer, book scores.Book, games []engine.Rules, who string) error {
	var keys []scores.Key
	for _, rules := range games {
		keys = append(keys, scores.Key{Community: book.Community, Game: rules.Info().Name})
	}
	user, err := scorer(ctx, book, keys, who)
	if err != nil {
		return err
	}
	for i := range keys {
		keys[i].User = user
	}
	var tallies []scores.Tally
	err = storage.Update(ctx, b.store, func(tx storage.Tx) (err error) {
		tallies, err = scores.Read(tx, keys...)
		return err
	})
	if err != nil {
		return err
	}
	for i, t := range tallies {
		if t.Games == 0 {
			continue
		}
		if len(w.spans) == 0 {
			w.heading(t.Name)
		}
		w.text("\n" + w.lang.Say("game."+keys[i].Game) + ": ")
		w.tally(games[i].Info(), t)
	}
	if len(w.spans) == 0 {
		return errNoScores
	}
	return nil
}

// scorer finds somebody who has finished one of the games: by a mention as "<@123>", or by name, in the first of the games
// in which somebody is called so.
func scorer(ctx context.Context, book scores.Book, games []scores.Key, who string) (int64, error) {
	if id, ok := mention(who); ok {
		return id, nil
	}
	for _, game := range games {
		rows, err := book.Named(ctx, game.Game, strings.TrimPrefix(who, "@"))
		switch {
		case err != nil:
			return 0, err
		case len(rows) > 1:
			return 0, errPersons
		case len(rows) == 1:
			return rows[0].User, nil
		}
	}
	return 0, errNoScores
}

// errNoScores refuses to tell the scores of somebody who has none.
const errNoScores engine.Refusal = "no-scores"

// heading begins a list.
func (w *writer) heading(text string) {
	if len(w.spans) > 0 {
		w.text("\n\n")
	}
	w.add(Strong, text)
}

// tally tells what somebody has finished in a game.
func (w *writer) tally(info engine.Info, t scores.Tally) {
	parts := []phrase{{key: "scores.games", n: int(t.Games), blanks: blanks{"n": int(t.Games)}}}
	if !isSolo(info) {
		parts = append(parts, phrase{key: "scores.wins", n: int(t.Wins), blanks: blanks{"n": int(t.Wins)}})
	}
	add := func(key string, n int64) {
		if n > 0 && w.lang.Knows(key) {
			parts = append(parts, phrase{key: key, n: int(n), blanks: blanks{"n": int(n)}})
		}
	}
	if places := places(t); places != "" {
		parts = append(parts, phrase{key: "scores.places", blanks: blanks{"places": phrase{key: places}}})
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
	case t.Solved > 0:
		parts = append(parts, phrase{key: "scores.fastest", blanks: blanks{"time": phrase{key: clockText(t.Fastest)}}})
	default:
		add("scores.score", t.Score)
	}
	if t.Chips != 0 {
		parts = append(parts, phrase{key: "scores.chips", blanks: blanks{"n": phrase{key: signed(t.Chips)}}})
	}
	for i, p := range parts {
		if i > 0 {
			w.text(", ")
		}
		w.phrase(Plain, p)
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
