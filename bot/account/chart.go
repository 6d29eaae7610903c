package account

import (
	"context"
	"slices"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

const (
	// do is what a button does that draws how a number of one's own has changed: the rating in a game, or with chips
	// what one's purse holds.
	do, chips = "!chart", "chips"
	// entries is how many entries of a purse are drawn.
	entries = 60
)

// Charts draws from what is stored. All but Painter must be given. It is safe for use by many goroutines.
type Charts struct {
	table.House
	// Painter draws; nil if there are to be no pictures: then numbers are told in words, and no buttons lead there.
	Painter *picture.Painter
}

// Press draws for the one who presses how their rating in a game has changed, or their purse, as the button says.
func (c *Charts) Press(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if r.Who.Anonymous {
		return chat.Response{}, table.ErrAnonymous
	}
	if arg == chips {
		return c.purse(ctx, r)
	}
	if !slices.Contains(c.Rated(), arg) {
		return chat.Response{}, chat.ErrToken
	}
	return c.rating(ctx, r, arg)
}

// Rated are the games in which people have ratings.
func (c *Charts) Rated() []string {
	var names []string
	for _, rules := range c.Order {
		if info := rules.Info(); !info.Banker && !info.ForOne() {
			names = append(names, info.Name)
		}
	}
	return names
}

// Ratings are buttons that draw one's own rating in each of the games that somebody has played, by their boards; none where
// there are no pictures.
func (c *Charts) Ratings(r chat.Request, lang *words.Lang, games []string, boards []scores.Board) (buttons []chat.Button) {
	for i, board := range boards {
		if c.Painter == nil || len(board.Wins) == 0 || !slices.Contains(c.Rated(), games[i]) {
			continue
		}
		label := words.Phrase{Key: "chart-button", Blanks: words.Blanks{"game": words.Text(lang.Say("game." + games[i]))}}.Flat(lang)
		buttons = append(buttons, chat.Button{Label: chat.Shorten(label, 80), Token: table.PlaceToken(r, do+" "+games[i])})
	}
	return buttons
}

// Purse is a button that draws one's own purse; none where there are no pictures.
func (c *Charts) Purse(r chat.Request, lang *words.Lang) []chat.Button {
	if c.Painter == nil {
		return nil
	}
	return []chat.Button{{Label: lang.Say("button.chart-chips"), Token: table.PlaceToken(r, do+" "+chips)}}
}

// ChartRows are the rows of buttons that have any.
func ChartRows(all ...[]chat.Button) (full [][]chat.Button) {
	for _, row := range all {
		if len(row) > 0 {
			full = append(full, row)
		}
	}
	return full
}

// rating draws somebody's rating after each of the last games.
func (c *Charts) rating(ctx context.Context, r chat.Request, game string) (chat.Response, error) {
	var now scores.KeptRating
	var steps []scores.Step
	err := c.Store.View(ctx, func(from storage.Reader) error {
		origin, err := table.Origin(from, r.In.Community)
		if err != nil {
			return err
		}
		k := scores.Key{Community: origin, Game: game, User: r.Who.ID}
		tallies, err := scores.Read(from, k)
		if err != nil {
			return err
		}
		now = tallies[0].Rating
		steps, err = scores.Way(from, k)
		return err
	})
	if err != nil {
		return chat.Response{}, err
	}
	if n := scores.Settled - int(now.Games); n > 0 {
		return chat.Response{}, words.Refusal{Phrase: words.Phrase{Key: "rating-soon", N: n, Blanks: words.Blanks{"n": n}}}
	}
	if len(steps) == 0 {
		steps = []scores.Step{{At: c.Now().Unix(), Rating: now}} // The games were played before steps were kept.
	}
	lang := c.Words.Lang(r.Who.Lang)
	called := words.Text(lang.Say("game." + game))
	drawn := picture.Chart{Title: words.Phrase{Key: "chart-rating", Blanks: words.Blanks{"game": called}}.Flat(lang)}
	for _, s := range steps {
		drawn.Points = append(drawn.Points, int64(s.Rating.Points()))
	}
	drawn.From, drawn.To = span(steps[0].At, steps[len(steps)-1].At)
	n, shown := int(now.Games), len(steps)
	drawn.Along = words.Phrase{Key: "scores.games", N: n, Blanks: words.Blanks{"n": n}}.Flat(lang)
	if shown < n {
		drawn.Along = words.Phrase{Key: "chart-last", N: shown, Blanks: words.Blanks{"shown": shown, "n": n}}.Flat(lang)
	}
	return c.show(ctx, r, drawn, words.Phrase{Key: "chart-rating-now", Blanks: words.Blanks{
		"game": called, "n": now.Points(), "most": int(slices.Max(drawn.Points)),
	}})
}

// errNoEntries refuses to draw a purse that was never touched, or of which no entry is kept.
const errNoEntries engine.Refusal = "no-entries"

// purse draws what somebody's purse held after each of the last entries.
func (c *Charts) purse(ctx context.Context, r chat.Request) (chat.Response, error) {
	origin, err := storage.Read(ctx, c.Store, func(from storage.Reader) (string, error) { return table.Origin(from, r.In.Community) })
	if err != nil {
		return chat.Response{}, err
	}
	lines, err := purse.Book{Store: c.Store, Community: origin}.History(ctx, r.Who.ID, 0, entries)
	if err != nil {
		return chat.Response{}, err
	}
	if len(lines) == 0 {
		return chat.Response{}, errNoEntries
	}
	slices.Reverse(lines)
	lang := c.Words.Lang(r.Who.Lang)
	drawn := picture.Chart{Title: lang.Say("chart-chips")}
	for _, line := range lines {
		drawn.Points = append(drawn.Points, line.Balance)
	}
	drawn.From, drawn.To = span(lines[0].Time, lines[len(lines)-1].Time)
	n := len(lines)
	drawn.Along = words.Phrase{Key: "chart-entries", N: n, Blanks: words.Blanks{"n": n}}.Flat(lang)
	response, err := c.show(ctx, r, drawn, words.Phrase{Key: "chart-chips-now", Blanks: words.Blanks{
		"n": int(drawn.Points[n-1]), "most": int(slices.Max(drawn.Points)), "least": int(slices.Min(drawn.Points)),
	}})
	if err == nil {
		response.Posts[0].Open = chat.Secret
	}
	return response, err
}

// span are two times as days, with the years where those differ; the first is empty on the same day.
func span(from, to int64) (first, last string) {
	a, b := time.Unix(from, 0).UTC(), time.Unix(to, 0).UTC()
	format := "02.01"
	if a.Year() != b.Year() {
		format = "02.01.06"
	}
	if first, last = a.Format(format), b.Format(format); first == last {
		return "", last
	}
	return first, last
}

// show gives a chart to the one who asks, with what it says in words.
func (c *Charts) show(ctx context.Context, r chat.Request, drawn picture.Chart, says words.Phrase) (chat.Response, error) {
	record, err := storage.Read(ctx, c.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
	if err != nil {
		return chat.Response{}, err
	}
	drawn.Name, drawn.Look = r.Who.Name, picture.Look{Table: record.Cloth}
	text := c.Words.Lang(r.Who.Lang).Spans(says)
	message := chat.Message{Text: text}
	if c.Painter != nil {
		message.Picture = &picture.Picture{Alt: words.Flat(text), Painter: c.Painter, Sheet: &drawn, Spare: true}
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}
