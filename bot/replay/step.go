package replay

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// The buttons of a game that has ended, behind which stands what they show.
const (
	// Do shows the game again, from its deal, or as it was after so many moves: "!replay 12 all-next". An "all" shows all cards, also those
	// that nobody saw; the word behind it tells the buttons of a message apart that lead to the same move.
	Do = "!replay"
	// DoFilm makes the animated picture.
	DoFilm = "!film"
	// DoRecord gives the record as a file.
	DoRecord = "!record"
)

// allCards is the word in a button that shows all cards.
const allCards = "all"

// leap is how many moves the buttons go that go several.
const leap = 10

// Wants reports whether what a table's button does is for Press.
func Wants(do string) bool {
	return slices.Contains([]string{Do, DoFilm, DoRecord}, table.Verb(do))
}

// Press does what a button of a game says that has ended.
func (b *Replays) Press(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	name, arg, _ := strings.Cut(tok.Do, " ")
	t, err := b.find(ctx, r, tok.Table)
	if err != nil {
		return chat.Response{}, err
	}
	switch name {
	case DoRecord:
		return b.giveRecord(ctx, r, t)
	case DoFilm:
		return b.giveFilm(ctx, r, t)
	}
	number, how, _ := strings.Cut(arg, " ")
	n, err := strconv.ParseUint(number, 10, 31)
	if number != "" && err != nil {
		return chat.Response{}, chat.ErrToken
	}
	response, err := b.show(ctx, r, t, int(n), strings.HasPrefix(how, allCards))
	if err == nil && number != "" {
		response.Posts[0].Edit = r.On
	}
	return response, err
}

// CommandReplay shows the game again that has ended last, or the one of the list that has that number.
func (b *Replays) CommandReplay(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	arg = strings.ToLower(arg)
	if n, err := strconv.Atoi(arg); arg == "" || err == nil && 0 < n && n <= linesOf {
		found, _, err := b.list(ctx, r, asked{}, max(n, 1))
		if err != nil {
			return chat.Response{}, err
		}
		if len(found) < max(n, 1) {
			return chat.Response{}, errNoReplay
		}
		return b.show(ctx, r, found[max(n, 1)-1], 0, false)
	}
	if !table.IsName(arg) {
		return chat.Response{}, errNoReplay
	}
	t, err := b.find(ctx, r, table.ID{Community: r.In.Community, Name: arg})
	if err != nil {
		return chat.Response{}, err
	}
	return b.show(ctx, r, t, 0, false)
}

// show shows a game to the one who asks, as it was after n moves.
func (b *Replays) show(ctx context.Context, r chat.Request, t *table.Table, n int, all bool) (chat.Response, error) {
	if t.Dealt == 0 && t.Session != nil {
		return b.showDealt(ctx, r, t)
	}
	g, err := b.read(ctx, t)
	if err != nil {
		return chat.Response{}, err
	}
	n = min(n, len(g.moves))
	state, events, err := g.at(n)
	if err != nil {
		return chat.Response{}, err
	}
	lang := b.tables.Words.Lang(r.Who.Lang)
	d := b.drawing(g, lang)
	d.Table = d.Then(events)
	eyes := engine.Nobody
	if all {
		eyes = engine.Referee
	}
	message := d.Frame(state.View(eyes))
	w := words.Writer{Lang: lang}
	w.Add(chat.Strong, "▶ "+board.Title(g.rules.Info(), t, lang))
	w.Text("\n")
	b.progress(&w, g, n)
	w.Text("\n")
	if message.Picture == nil {
		w.Text("\n")
	}
	message.Text = append(w.Spans, message.Text...)
	message.Buttons = b.buttons(g, lang, n, all)
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}

// progress says how far the game has come.
func (b *Replays) progress(w *words.Writer, g *game, n int) {
	key := "replay.at"
	switch {
	case n == 0:
		key = "replay.dealt"
	case n == len(g.moves):
		w.Spans = append(w.Spans, b.outcome(g.Table, w.Lang)...)
		w.Text("\n")
	}
	w.Phrase(chat.Faint, words.Phrase{Key: key, Blanks: words.Blanks{"n": n, "all": len(g.moves)}})
	if s := g.Session; s != nil && s.Deal > 1 {
		w.Add(chat.Faint, " · "+dealName(w.Lang, s.Deal))
	}
}

// dealName is what a deal of a session is called.
func dealName(lang *words.Lang, n int) string {
	return words.Phrase{Key: "replay.deal", Blanks: words.Blanks{"n": n}}.Flat(lang)
}

// buttons step through the game, show all cards, and give it away.
func (b *Replays) buttons(g *game, lang *words.Lang, n int, all bool) [][]chat.Button {
	last := len(g.moves)
	to := func(label, word string, n int, all bool) chat.Button {
		if all {
			word = allCards + "-" + word
		}
		return chat.Button{Label: label, Token: token(g.ID, fmt.Sprint(Do, " ", min(max(n, 0), last), " ", word))}
	}
	next := to("▶", "next", n+1, all)
	next.Look = chat.Primary
	steps := []chat.Button{to("⏮", "first", 0, all), to("◀", "previous", n-1, all), next, to("⏭", "last", last, all)}
	var more []chat.Button
	if last > leap {
		more = append(more, to("−10", "less", n-leap, all), to("+10", "more", n+leap, all))
	}
	if all {
		more = append(more, to(lang.Say("button.as-seen"), "eyes", n, false))
	} else {
		more = append(more, to(lang.Say("button.all-cards"), "eyes", n, true))
	}
	var give []chat.Button
	if b.tables.Painter != nil && last <= maxFilm {
		give = append(give, chat.Button{Label: lang.Say("button.film"), Token: token(g.ID, DoFilm)})
	}
	give = append(give, chat.Button{Label: lang.Say("button.record"), Token: token(g.ID, DoRecord)})
	rows := [][]chat.Button{steps, more, give}
	if deals := dealButtons(g.Table, lang); deals != nil {
		rows = append(rows, deals)
	}
	return rows
}

// token is that of a table's button.
func token(id table.ID, do string) string { return table.Token{Table: id, Do: do}.String() }

// around is how many deals of a session are offered beside the one that is shown.
const around = 4

// dealButtons lead to the other deals of the table's session: those around its own, as far as it is known where they were
// played. It is nil where there are none.
func dealButtons(t *table.Table, lang *words.Lang) []chat.Button {
	s := t.Session
	if s == nil || s.First == "" && t.Next == "" {
		return nil
	}
	last := s.Deal
	if t.Next != "" {
		last++
	}
	var all []chat.Button
	for n := max(1, last-around); n <= last; n++ {
		name := s.TableOf(n)
		if n > s.Deal {
			name = t.Next
		}
		if n == s.Deal || name == "" {
			continue
		}
		id := table.ID{Community: t.ID.Community, Name: name}
		all = append(all, chat.Button{Label: dealName(lang, n), Token: token(id, Do)})
	}
	return all
}

// showDealt shows the deals of a session whose last table was closed before its deal.
func (b *Replays) showDealt(ctx context.Context, r chat.Request, t *table.Table) (chat.Response, error) {
	lang := b.tables.Words.Lang(r.Who.Lang)
	deals := dealButtons(t, lang)
	if deals == nil {
		return chat.Response{}, errNoReplay
	}
	message := chat.Message{Text: b.outcome(t, lang), Buttons: [][]chat.Button{deals}}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}
