// Package account is what people have and may ask about themselves: chips and gifts, scores and charts, settings, what is kept about
// them and how to be forgotten; and what admins choose for their chat.
package account

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/live"
	"zevaka/bot/pace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// Accounts are what people have: chips, scores, settings, and what is kept about them. Its commands answer a line that
// somebody has typed, without the command's name. It is safe for use by many goroutines.
type Accounts struct {
	Options
	eraser *eraser
	tasks  *tasks
	shown  shows
	// contact is Options.Contact as it is now.
	contact atomic.Pointer[string]
}

// Options are what Accounts are made of. All must be given but those of which it is said otherwise.
type Options struct {
	table.House
	// SavesRecords says that records of deals are saved before they leave the store.
	SavesRecords bool
	// Contact is how whoever runs the bot can be reached; it may be empty.
	Contact string
	// RoomOpen says that anybody reaches the room, under as many names as they like: there only chips that were won can be
	// given away.
	RoomOpen bool
	// Budget is that of the process for what takes long.
	Budget *pace.Budget
	Tables *play.Tables
	Index  *table.Index
	Charts *Charts
	Today  *day.Today
	Langs  *table.Langs
	Live   *live.Tables
}

// New is the accounts of a store.
func New(o Options) *Accounts {
	e := &eraser{House: o.House, Tables: o.Tables, Index: o.Index}
	t := &tasks{House: o.House, Index: o.Index, eraser: e, next: make(chan task, maxTasks), look: make(chan struct{}, 1), waiting: map[task]bool{}}
	a := &Accounts{Options: o, eraser: e, tasks: t}
	a.SetContact(o.Contact)
	return a
}

// SetContact changes how whoever runs the bot can be reached.
func (b *Accounts) SetContact(contact string) { b.contact.Store(&contact) }

// RunTasks does, until ctx ends, what takes too long for a press: it goes through a database that has no index of people
// yet, forgets people to the end, also those with whom a stop of the process or an error has interrupted it, and makes long lists.
// Whoever calls it waits for it. It works a tenth of the time.
func (b *Accounts) RunTasks(ctx context.Context) { b.tasks.run(ctx) }

// ForgetEverywhere forgets a person in all communities of a platform as they can themselves in one, and tells each of
// what was taken out in those where there was something. Where the person has a part in games that aren't over, it
// is ErrStillPlays and nothing is changed; with stop these are closed first, and the chips go back. It may be done again
// after an error. One that names what is damaged comes when all else is done.
func (b *Accounts) ForgetEverywhere(ctx context.Context, on chat.Platform, user int64, stop bool, tell func(Forgotten)) error {
	err := b.eraser.forgetEverywhere(ctx, on, user, stop, tell)
	if err != nil && !errors.Is(err, ErrStillPlays) {
		b.tasks.lookLater()
	}
	return err
}

// ask asks the one who made the request about something that is no table's, and nobody else's business.
func (b *Accounts) ask(ctx context.Context, r chat.Request, asked words.Phrase, answers ...chat.Button) (chat.Response, error) {
	var post chat.Post
	err := b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
		post, err = b.Tables.Questions.Ask(l.Tx, l.Community, r, table.Question{}, asked, answers)
		return err
	})
	post.Open = chat.Secret
	return chat.Response{Posts: []chat.Post{post}}, err
}

// Answer does what somebody has chosen who was asked about something that is no table's.
func (b *Accounts) Answer(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	var asked table.Question
	var name string
	var told, aloud words.Phrase
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		q, do, err := b.Tables.Questions.Answer(l.Tx, l.Community, r, "", arg)
		if err != nil {
			return err
		}
		asked = q
		name, do, _ = strings.Cut(do, " ")
		if name != "!forget" && r.Barred() != nil {
			return r.Barred()
		}
		switch name {
		case "!give":
			told, aloud, err = b.give(l, r, q, do)
		case doCard:
			err = b.shown.may(shower{r.In.Community, r.Who.ID}, r.ID, b.Now())
		}
		return err
	})
	var response chat.Response
	switch {
	case name == doCard && err == nil:
		return b.showCard(ctx, r, asked.In)
	case name == doCard: // The card stays as it is.
		return response, err
	case err != nil:
	case name == "!forget":
		response, err = b.forgetMe(ctx, r)
	case name != "!give":
		err = table.ErrAction
	default:
		there := r
		there.In = asked.In
		response = b.toast(r, told)
		if aloud.Key != "" {
			response.Posts, err = b.announce(ctx, there, aloud)
		}
	}
	if err != nil {
		return chat.Response{Posts: b.Tables.Unanswered(r, err)}, err
	}
	response.Posts = append(response.Posts, b.Tables.Closed(r, response.Toast)...)
	return response, err
}
