package play

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/table"
	"zevaka/engine"
)

// errNoDay refuses a patience of the day where there is none.
const errNoDay engine.Refusal = "no-day"

// today is the patience of the day of a game, as it is opened.
func (b *Host) today(game string) (o Opening, err error) {
	days := b.tables.Days
	now := days.Today()
	deal, ok := days.Deal(game, now)
	rules := b.Games[game]
	if !ok || rules == nil {
		return o, errNoDay
	}
	o, err = ReadOpening(b.Names, rules, "")
	o.Deal, o.Day = &deal.Number, now
	return o, err
}

// OfDay opens the patience of the day of a game, as Open does: who has begun it in that place is shown their table, and who has ended
// it how the others did.
func (b *Host) OfDay(ctx context.Context, r chat.Request, game string) (chat.Response, error) {
	o, err := b.today(game)
	if err != nil {
		return chat.Response{}, err
	}
	return b.Open(ctx, r, o)
}

// had answers somebody who wants to open the patience of a day that they have begun or ended there; false if they haven't.
func (b *Host) had(ctx context.Context, r chat.Request, o Opening) (_ chat.Response, had bool, err error) {
	if o.Day == 0 || r.Who.Anonymous {
		return chat.Response{}, false, nil
	}
	if response, had, err := b.begun(ctx, r, o); had || err != nil {
		return response, had, err
	}
	days := b.tables.Days
	told, had, err := days.Result(ctx, b.Store, r.In, r.Who.ID, o.Day, o.Rules.Info().Name)
	if err != nil || !had {
		return chat.Response{}, false, err
	}
	return chat.Response{Posts: []chat.Post{days.Post(r, told)}}, true, nil
}

// Begins are the buttons that begin patiences of the day, one for each of the games: where it is crowded in the private chat of whoever
// presses one. Here is the button that lays them out in such a place all the same; nil elsewhere.
func (b *Host) Begins(ctx context.Context, r chat.Request, games []string) (begins []chat.Button, here *chat.Button, err error) {
	lang, do := b.Words.Lang(r.Who.Lang), "!day "
	if r.In.Crowded {
		one, err := b.offer(ctx, r, true)
		if err != nil {
			return nil, nil, err
		}
		do = layInPrivate + one.Name + " "
		here = &chat.Button{Label: lang.Say("button.here"), Token: table.PlaceToken(r, "!here "+one.Name)}
	}
	for _, game := range games {
		begins = append(begins, chat.Button{Label: "▶ " + day.Name(lang, game), Token: table.PlaceToken(r, do+game), Private: r.In.Crowded})
	}
	return begins, here, nil
}
