package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Host opens tables. It is safe for use by many goroutines.
type Host struct {
	table.House
	tables *Tables
}

// NewHost is a host of these tables.
func NewHost(tables *Tables) *Host {
	return &Host{tables.House, tables}
}

// Press does what a table's button says: also what an old table's says, that asks for another one.
func (b *Host) Press(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	verb := table.Verb(tok.Do)
	switch verb {
	case DoAgain, DoSame:
	case "!join":
		return b.join(ctx, r, tok)
	default:
		return b.tables.Press(ctx, r, tok)
	}
	if r.Barred() != nil {
		return chat.Response{}, r.Barred()
	}
	t, err := b.tables.LookAt(ctx, tok.Table)
	switch {
	case err != nil:
		return chat.Response{}, err
	case t.Phase != table.Ended || b.Games[t.Game] == nil || !r.In.SameChannel(t.Place):
		return chat.Response{}, table.ErrAction
	case verb == DoSame:
		return b.same(ctx, r, t)
	}
	return b.again(ctx, r, t)
}

// join has the one who asks sit down at a table, if they may sit at one more of its place: they do so at one after the other.
func (b *Host) join(ctx context.Context, r chat.Request, tok table.Token) (_ chat.Response, err error) {
	own := ownTables(r)
	if err := b.tables.locks.Acquire(ctx, r.Kind, own); err != nil {
		return chat.Response{}, err
	}
	defer func() { b.tables.locks.Release(own, err) }()
	if err := b.tables.maySit(ctx, r, tok.Table); err != nil {
		return chat.Response{}, err
	}
	return b.tables.Press(ctx, r, tok)
}

// Open opens a table; who wants to play alone where all tables share what may be shown is asked first where to do it, unless
// they say so in their private chat: then it is opened there. So is who wants to learn where others read along. Who wants to play with others is offered the tables that wait
// for players.
func (b *Host) Open(ctx context.Context, r chat.Request, o Opening) (chat.Response, error) {
	o, err := o.Dealt(r.ID)
	if err != nil {
		return chat.Response{}, err
	}
	if response, had, err := b.had(ctx, r, o); had || err != nil {
		return response, err
	}
	learns := o.Lesson && !r.Live && !r.In.Private && r.In.Community.Platform.HasDirect()
	alone := !o.Asked && !r.Who.Anonymous && (r.In.Crowded && o.Rules.Info().ForOne() || learns)
	switch {
	case alone && r.FromOutside && r.Apart.Private:
		if there := r.In; r.Barred() == nil {
			o.ReportTo = &there
		}
		r.In, r.FromOutside = r.Apart, false
		return b.Open(ctx, r, o)
	case alone && learns:
		return b.lessonWhere(r, o), nil
	case alone:
		return b.askWhere(ctx, r, o)
	}
	if response, answered, err := b.waiting(ctx, r, o); answered || err != nil {
		return response, err
	}
	return b.tables.Open(ctx, r, o)
}

// Shown notes where something was shown: a table's picture, or a question where to play.
func (b *Host) Shown(ctx context.Context, r chat.Request) (chat.Response, error) {
	if name, ok := strings.CutPrefix(r.Data, askedWhere); ok {
		return chat.Response{}, b.askedAt(ctx, r, name)
	}
	return b.tables.Shown(ctx, r)
}

// Choose finds the one table of the place that a command is meant for and presses its button do; where there are
// several it is the one that is looked at, and otherwise it offers them, privately.
func (b *Host) Choose(ctx context.Context, r chat.Request, do string, fits func(*table.Table) bool) (chat.Response, error) {
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return chat.Response{}, err
	}
	// A single table that doesn't fit says itself why.
	if len(tables) > 1 {
		tables = slices.DeleteFunc(tables, func(t *table.Table) bool { return !fits(t) })
	}
	if at := slices.IndexFunc(tables, func(t *table.Table) bool { return r.Table != "" && t.ID.String() == r.Table }); at >= 0 {
		tables = tables[at : at+1]
	}
	switch len(tables) {
	case 0:
		return chat.Response{}, ErrNothingHere
	case 1:
		tok := table.Token{Table: tables[0].ID, Do: do}
		return b.tables.Do(ctx, r, tok, false)
	}
	lang := b.Words.Lang(r.Who.Lang)
	var buttons []chat.Button
	for _, t := range tables {
		epoch, err := b.tables.Epoch(ctx, r, t)
		if err != nil {
			return chat.Response{}, err
		}
		// What was typed doesn't go into a token: it is asked for again.
		name, arg, _ := strings.Cut(do, " ")
		button := chat.Button{Label: chat.Shorten(board.Label(b.Games[t.Game].Info(), t, lang), 80), Token: table.Token{Table: t.ID, Epoch: epoch, Do: do}.String()}
		if arg != "" && name == "!cut" {
			button.Token, button.Ask = table.Token{Table: t.ID, Epoch: epoch, Do: name}.String(), lang.Say("ask.cut")
		}
		if len(button.Token) > table.MaxToken {
			if button.Token, err = b.keep(ctx, r, t, epoch, do); err != nil {
				return chat.Response{}, err
			}
		}
		buttons = append(buttons, button)
	}
	tellApart(buttons)
	which := "choose-table"
	if r.Who.Anonymous && r.Who.Admin && slices.Contains([]string{"!stop", "!remove", "!whom"}, table.Verb(do)) {
		which += "-aloud"
	}
	message := chat.Offer(lang.Say(which), buttons)
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}

// keep stores what is too long for a button that would do it at a table, as a question to the one who asks, and returns the token of
// the answer.
func (b *Host) keep(ctx context.Context, r chat.Request, t *table.Table, epoch int, do string) (token string, err error) {
	r.ID += " " + t.ID.Name // One request has a question for each table.
	q := table.Question{Table: t.ID.Name, Epoch: epoch}
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		post, err := b.tables.Questions.Ask(tx, t.Origin(), r, q, words.Phrase{Key: "choose-table"}, []chat.Button{{Token: do}})
		if err == nil {
			token = post.Buttons[0][0].Token
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep what is meant for a table: %w", err)
	}
	return token, nil
}

// AnyTable picks every table.
func AnyTable(*table.Table) bool { return true }

// Seated picks the tables where the user sits, or waits to.
func Seated(user int64) func(*table.Table) bool {
	return func(t *table.Table) bool { _, ok := t.SeatOf(user); return ok || t.Waits(user) }
}

// InDeal picks the tables where the user has cards, of games that are like that; of all if like is nil.
func (b *Host) InDeal(user int64, like func(engine.Info) bool) func(*table.Table) bool {
	return func(t *table.Table) bool {
		_, ok := t.SeatOf(user)
		return ok && t.Phase == table.Playing && (like == nil || like(b.Games[t.Game].Info()))
	}
}

// WithHands is what games are like in which seats hold cards that nobody else sees.
func WithHands(info engine.Info) bool { return info.Hands }

func withBanker(info engine.Info) bool { return info.Banker }

// errOfferOver refuses an offer that isn't remembered.
const errOfferOver engine.Refusal = "offer-over"

// ErrNothingHere refuses what needs a table where there is none.
const ErrNothingHere engine.Refusal = "no-table-here"

// errNoPatience refuses a patience that there isn't.
const errNoPatience engine.Refusal = "no-patience"

// CommandBet stakes a sum. Who sits at several tables of the place means the one where they can stake now, and is told
// which that is; where it can be several they are offered.
func (b *Host) CommandBet(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if _, err := words.ParseAmount(arg); err != nil {
		return chat.Response{}, err
	}
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return chat.Response{}, err
	}
	do, fits := "!bet "+arg, b.InDeal(r.Who.ID, withBanker)
	tables = slices.DeleteFunc(tables, func(t *table.Table) bool { return !fits(t) })
	if len(tables) < 2 {
		return b.Choose(ctx, r, do, fits)
	}
	if tables, err = b.staking(ctx, r, tables); err != nil {
		return chat.Response{}, err
	}
	switch len(tables) {
	case 0:
		return chat.Response{}, table.ErrNoBet
	case 1:
		tok := table.Token{Table: tables[0].ID, Do: do}
		return b.tables.Do(ctx, r, tok, true)
	}
	return b.Choose(ctx, r, do, func(t *table.Table) bool {
		return slices.ContainsFunc(tables, func(can *table.Table) bool { return can.ID == t.ID })
	})
}

// staking are the tables at which the user can stake now; the one alone at which this very request has staked before.
func (b *Host) staking(ctx context.Context, r chat.Request, tables []*table.Table) ([]*table.Table, error) {
	var all []*table.Table
	for _, t := range tables {
		if t.Applied(table.Hash(r.ID)) {
			return []*table.Table{t}, nil
		}
		can, err := b.tables.CanBet(ctx, r, t.ID)
		var refused engine.Refusal
		if err != nil && !errors.As(err, &refused) {
			return nil, err
		}
		if can {
			all = append(all, t)
		}
	}
	return all, nil
}

// maxWaiting is how many tables that wait for players are offered before another is opened.
const maxWaiting = 3

// waiting answers somebody who wants to open a table where tables of the game wait for players: their own is shown anew, and
// else they are offered to sit down before they open another. It answers nothing if they have chosen, or want to begin at once,
// or there is none.
func (b *Host) waiting(ctx context.Context, r chat.Request, o Opening) (response chat.Response, answered bool, err error) {
	info := o.Rules.Info()
	another := table.PlaceToken(r, "!another "+info.Name+" "+o.Typed)
	if o.Asked || o.Now || o.Name != "" || info.ForOne() || r.Who.Anonymous || len(another) > table.MaxToken {
		return response, false, nil
	}
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return response, false, err
	}
	opens := table.NameFor(r.ID)
	var open []*table.Table
	for _, t := range slices.Backward(tables) {
		_, seated := t.SeatOf(r.Who.ID)
		switch {
		case t.ID.Name == opens:
			return response, false, nil // It was delivered again.
		case t.Phase != table.Lobby || t.Game != info.Name || t.Practice != o.Practice:
		case seated && o.Ruled || seated && o.Paced:
			return response, false, nil // They want another than they have.
		case seated:
			response, err = b.tables.Do(ctx, r, table.Token{Table: t.ID, Do: "!show"}, false)
			return response, true, err
		case len(t.Chairs) < info.MaxSeats && len(open) < maxWaiting:
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return response, false, nil
	}
	return b.offerWaiting(r, open, another), true, nil
}

// offerWaiting offers the tables, and to open another.
func (b *Host) offerWaiting(r chat.Request, open []*table.Table, another string) chat.Response {
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	var buttons []chat.Button
	for i, t := range open {
		if i > 0 {
			w.Text("\n")
		}
		info, key, host := b.Games[t.Game].Info(), "lobby-waits", t.HostName()
		if t.Host == 0 {
			key = "lobby-waits-free"
		}
		w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{
			"who": host, "n": len(t.Chairs), "most": info.MaxSeats,
		}})
		w.Text("\n")
		w.Add(chat.Faint, board.Title(info, t, w.Lang))
		label := w.Lang.Say("button.join-it")
		if len(open) > 1 && t.Host != 0 {
			label += ": " + host
		}
		buttons = append(buttons, chat.Button{Label: chat.Shorten(label, 80), Token: table.Token{Table: t.ID, Do: "!" + t.JoinAs(info.Banker)}.String(), Look: chat.Primary})
	}
	buttons = append(buttons, chat.Button{Label: w.Lang.Say("button.another"), Token: another})
	message := chat.Offer("", buttons)
	message.Text = w.Spans
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}

// DoAgain is what a button does that asks for another table after one that ended, and DoSame for a patience with the same cards.
const (
	DoAgain = "!again"
	DoSame  = "!same"
)

// maxAgains is how often a press tries again that somebody else's was faster than.
const maxAgains = 8

// again takes the one who asks to the newest of the tables that follow one that ended: it is opened by whoever asks first. If
// they sat there, the others who did are called, once, and their seats are kept: only the table right after it calls them, or the first
// since its chain was let go of. The deal begins when all have come; at once for who sat there with nobody but computer players.
func (b *Host) again(ctx context.Context, r chat.Request, t *table.Table) (_ chat.Response, err error) {
	rules := b.Games[t.Game]
	o := Opening{Rules: rules, Options: t.Options, Limit: t.Limit, Fast: t.Fast, Rounds: t.Rounds, Ruled: true, Paced: true, Lang: t.Lang, Temper: t.Temper, Practice: t.Practice}
	for _, c := range t.Chairs {
		if c.User == 0 {
			o.Computers++
			o.Company = append(o.Company, c)
		}
	}
	o.Now = table.LastedAlone(t, r.Who.ID) && o.Computers > 0 && 1+o.Computers >= rules.Info().MinSeats
	for range maxAgains {
		if o.Link, o.Name, err = b.follower(ctx, r, t); err != nil {
			return chat.Response{}, err
		}
		if !rules.Info().ForOne() {
			err = b.tables.maySit(ctx, r, table.ID{Community: t.ID.Community, Name: o.Name})
		}
		if err != nil {
			return chat.Response{}, err
		}
		o.Kept = nil
		if o.Link.Newest == "" || o.Link.Newest == t.ID.Name {
			o.Kept = t.Called(r.Who.ID, b.tables.Now().Unix())
		}
		response, err := b.Open(ctx, r, o)
		if !errors.Is(err, ErrOvertaken) {
			return response, err
		}
	}
	return chat.Response{}, fmt.Errorf("open the table after %s: %w", t.ID, storage.ErrConflict)
}

// same opens a table for the one who asks with the cards of a patience that has ended. By its number a deal counts as any that is asked for
// by it; without one it counts for nobody.
func (b *Host) same(ctx context.Context, r chat.Request, t *table.Table) (chat.Response, error) {
	rules := b.Games[t.Game]
	if !t.HasSame(rules.Info()) {
		return chat.Response{}, table.ErrAction
	}
	o := Opening{Rules: rules, Options: t.Options, Ruled: true, Paced: true, Lang: t.Lang, Deal: t.Numbered, Asked: true}
	if t.Numbered == nil {
		o.Same = &t.Cards
	}
	return b.Open(ctx, r, o)
}

// follower is the name of the table that comes after one that ended, and where it stands in the chain: the newest of the
// chain if that is open, or the session that it began, or else one that the request opens. Its name was no other table's: senders would take its pictures for old ones
// of that.
func (b *Host) follower(ctx context.Context, r chat.Request, t *table.Table) (link Link, name string, err error) {
	link.First = cmp.Or(t.Chain, t.ID.Name)
	items, err := b.Store.Get(ctx, table.KeyChain(table.ID{Community: t.ID.Community, Name: link.First}))
	if err != nil {
		return link, "", fmt.Errorf("look for the newest table after %s: %w", t.ID, err)
	}
	link.Newest = string(items[0].Value)
	newest, open, err := b.tables.Newest(ctx, table.ID{Community: t.ID.Community, Name: link.Newest})
	if open {
		return link, newest.Name, err
	}
	return link, table.NameFor(r.ID), err
}
