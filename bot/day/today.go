package day

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
	"zevaka/storage"
)

// Today is the patience of the day. It is safe for use by many goroutines.
type Today struct {
	Options
	hours hours
	// next is when, in running time, Ring has something to do.
	next time.Duration
}

// Opener opens tables.
type Opener interface {
	// OfDay opens a game's patience of a day, or of today where of is 0 or long ago, or shows who has begun or ended it there what came of it.
	OfDay(ctx context.Context, r chat.Request, game string, of int) (chat.Response, error)
	// Begins are the buttons that begin patiences of a day, one for each of the games: where it is crowded in the private chat of
	// whoever presses one. Here is the button that lays them out in such a place all the same; nil elsewhere.
	Begins(ctx context.Context, r chat.Request, of int, games []string) (begins []chat.Button, here *chat.Button, err error)
}

// Options are what a Today is made of. All must be given.
type Options struct {
	table.House
	Days   *Days
	Opener Opener
	// Running is the running time.
	Running func() time.Duration
}

// OpenToday reads which chats want a post.
func OpenToday(ctx context.Context, o Options) (*Today, error) {
	t := &Today{Options: o}
	return t, t.hours.read(ctx, o.Store, o.Log)
}

const (
	// errNoPatience refuses a patience that there isn't, errNoDay one that has no deal of the day.
	errNoPatience engine.Refusal = "no-patience"
	errNoDay      engine.Refusal = "no-day"
	// errNoResult refuses to tell of what wasn't played, or too long ago, errShared to tell of it once more.
	errNoResult engine.Refusal = "no-day-result"
	errShared   engine.Refusal = "day-shared-already"
)

// PostAt is the name under which a form asks for the hour at which a chat is told of the patience of the day: "post=9+3".
const PostAt = "post"

// Command is the patience of the day: what there is, one of them by its name, or when the chat is told of it.
func (b *Today) Command(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	word, rest, _ := strings.Cut(arg, " ")
	if _, hour, ok := strings.Cut(arg, PostAt+"="); ok {
		return b.commandPost(ctx, r, hour)
	}
	switch {
	case arg == "":
		return b.offer(ctx, r)
	case word == "post" || b.Names.IsLabel("day-word.post", word):
		return b.commandPost(ctx, r, strings.TrimSpace(rest))
	}
	rules, rest := b.Names.PatienceNamed(arg)
	switch {
	case rules == nil:
		return chat.Response{}, words.Refuse(string(errNoPatience), words.Blanks{"what": chat.Shorten(word, 20)})
	case strings.TrimSpace(rest) != "": // The deal of the day has no options.
		return chat.Response{}, errNoDay
	}
	return b.Opener.OfDay(ctx, r, rules.Info().Name, 0)
}

// Press is what a button of the patience of the day does: with nothing it says what there is, with "more" it offers all, with the name
// of a game, and the number of its day, it begins that.
func (b *Today) Press(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	switch arg {
	case "":
		return b.offer(ctx, r)
	case "more":
		return b.offerAll(ctx, r)
	}
	game, number, _ := strings.Cut(arg, " ")
	of, _ := strconv.Atoi(number) // A button of before has none.
	return b.Opener.OfDay(ctx, r, game, of)
}

// offer says what the patience of the day is, to the one who asks; where it is crowded to everybody.
func (b *Today) offer(ctx context.Context, r chat.Request) (chat.Response, error) {
	lang, now := r.Who.Lang, b.Days.Today()
	if r.In.Crowded {
		record, err := storage.Read(ctx, b.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
		if err != nil {
			return chat.Response{}, err
		}
		lang = record.Spoken(b.Words, r)
		r.Who.Lang = lang
	}
	w := words.Writer{Lang: b.Words.Lang(lang)}
	game := b.Days.Featured(now)
	if game == "" {
		return chat.Response{}, errNoDay
	}
	b.heading(&w, now, game)
	if !r.In.Crowded {
		if err := b.own(ctx, &w, r, now, game); err != nil {
			return chat.Response{}, err
		}
	}
	rows, err := b.buttons(ctx, r, now, game)
	if err != nil {
		return chat.Response{}, err
	}
	post := chat.Post{In: r.In, Open: chat.Common, Message: chat.Message{Text: w.Spans, Buttons: rows}}
	if !r.In.Crowded || r.FromOutside {
		post.To = &r.Who
	}
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// heading says which game the patience of the day is.
func (b *Today) heading(w *words.Writer, now int, game string) {
	w.Phrase(chat.Strong, words.Phrase{Key: "day-menu", Blanks: words.Blanks{"n": now}})
	b.line(w, now, game)
	w.Text("\n")
	w.Say(chat.Faint, "day-same")
}

// line tells of a patience of a day on a line of its own: what it is called, what it is like, and how hard that day.
func (b *Today) line(w *words.Writer, now int, game string) {
	w.Text("\n")
	w.Add(chat.Strong, w.Lang.Say("game."+game))
	w.Text(" " + w.Lang.Say("dash") + " " + w.Lang.Say("about."+game))
	if deal, ok := b.Days.Deal(game, now); ok && deal.Level != 0 {
		w.Text(" · " + w.Lang.Say("level."+deals.Levels()[deal.Level-1]))
	}
}

// own says what the one who asks has made of the day, and how many days in a row they have solved one.
func (b *Today) own(ctx context.Context, w *words.Writer, r chat.Request, now int, game string) error {
	var p Person
	var here Tally
	err := b.Store.View(ctx, func(from storage.Reader) error {
		origin, err := table.Origin(from, r.In.Community)
		if err == nil {
			p, err = PersonOf(from, origin, r.Who.ID)
		}
		if err == nil {
			here, _, err = Tallies(from, origin, now, game)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read what somebody made of the day: %w", err)
	}
	if here.Ended > 0 && !r.In.Private {
		w.Text("\n")
		Went(w, "day-here", here)
	}
	if streak := p.Streak(now); streak > 0 {
		w.Text("\n🔥 ")
		w.Phrase(chat.Plain, words.Phrase{Key: "day-streak", N: streak, Blanks: words.Blanks{"n": streak, "most": p.Longest}})
	}
	return nil
}

// buttons begin the game that stands first, and lead to the others.
func (b *Today) buttons(ctx context.Context, r chat.Request, now int, game string) ([][]chat.Button, error) {
	begins, _, err := b.Opener.Begins(ctx, r, now, []string{game})
	if err != nil {
		return nil, err
	}
	begins[0].Look = chat.Primary
	more := chat.Button{Label: b.Words.Lang(r.Who.Lang).Say("button.day-more"), Token: table.PlaceToken(r, "!day more")}
	return [][]chat.Button{begins, {more}}, nil
}

// offerAll offers all patiences of the day, and says which of them the one who asks has ended.
func (b *Today) offerAll(ctx context.Context, r chat.Request) (chat.Response, error) {
	now := b.Days.Today()
	games := b.Days.Games(now)
	if len(games) == 0 {
		return chat.Response{}, errNoDay
	}
	p, err := storage.Read(ctx, b.Store, func(from storage.Reader) (Person, error) {
		origin, err := table.Origin(from, r.In.Community)
		if err != nil {
			return Person{}, err
		}
		return PersonOf(from, origin, r.Who.ID)
	})
	if err != nil {
		return chat.Response{}, err
	}
	begins, here, err := b.Opener.Begins(ctx, r, now, games)
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	w.Phrase(chat.Strong, words.Phrase{Key: "day-menu", Blanks: words.Blanks{"n": now}})
	for i, game := range games {
		switch own := p.Of(now, game); {
		case own == nil:
		case own.Solved:
			begins[i].Label = "✅ " + w.Lang.Say("game."+game)
		default:
			begins[i].Label = "❌ " + w.Lang.Say("game."+game)
		}
		b.line(&w, now, game)
	}
	begins[0].Look = chat.Primary
	m := chat.Offer("", begins)
	if r.In.Crowded {
		m = chat.Message{}
		for i := 0; i < len(begins); i += 2 {
			m.Buttons = append(m.Buttons, begins[i:min(i+2, len(begins))])
		}
	} else {
		m.Choices[0].Prompt = w.Lang.Say("choose-patience")
	}
	if here != nil {
		m.Buttons = append(m.Buttons, []chat.Button{*here})
	}
	m.Text = w.Spans
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: m}}}, nil
}

// Share tells the others of a result of the one who asks: where it was asked for or played, once. The argument is its day and game.
func (b *Today) Share(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	number, game, _ := strings.Cut(arg, " ")
	of, err := strconv.Atoi(number)
	if err != nil {
		return chat.Response{}, chat.ErrToken
	}
	report, ok, err := b.Days.Result(ctx, b.Store, r.In, r.Who.ID, of, game)
	switch {
	case err != nil:
		return chat.Response{}, err
	case !ok || report.From == nil:
		return chat.Response{}, errNoResult
	}
	in := *report.From
	if err := table.BarOutside(ctx, b.Log, r, in.Community); err != nil {
		return chat.Response{}, err
	}
	var streak int
	var record table.PlaceRecord
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, r.In.Community)
		if err != nil {
			return err
		}
		p, _, may, err := Share(tx, origin, r.Who.ID, of, game, table.HashNumber(r.ID))
		switch {
		case err != nil:
			return err
		case !may:
			return errShared
		}
		streak = p.Streak(b.Days.Today())
		record, err = table.GetPlace(tx, in)
		return err
	})
	if err != nil {
		return chat.Response{}, err
	}
	there := r
	there.In = in
	there.Who.Lang = record.Spoken(b.Words, there)
	var failed error
	post := b.Words.ForAll(in, b.Words.Lang(there.Who.Lang), func(lang *words.Lang) chat.Message {
		w := words.Writer{Lang: lang}
		w.Name(chat.Strong, r.Who.Name, r.Who.ID)
		w.Text(": " + Card(lang, report.Result, streak))
		there.Who.Lang = lang.Tag
		begins, _, err := b.Opener.Begins(ctx, there, of, []string{game})
		failed = errors.Join(failed, err)
		return chat.Message{Text: w.Spans, Buttons: [][]chat.Button{begins}}
	})
	return chat.Response{Toast: b.Words.Lang(r.Who.Lang).Say("day-shared"), Posts: []chat.Post{post}}, failed
}
