package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// DoAgain is what a button does that asks for another table after one that ended.
const DoAgain = "!again"

const (
	// MaxHops is how many followers are gone through where the newest of a chain isn't stored, and maxAgains how often a
	// press tries again that somebody else's was faster than.
	MaxHops, maxAgains = 16, 8
)

// again takes the one who asks to the newest of the tables that follow one that ended: it is opened by whoever asks first. If
// they sat there, the others who did are called, once, and their seats are kept: only the table right after it calls them. The
// deal begins when all have come; at once for who sat there with nobody but computer players.
func (b *Host) again(ctx context.Context, r chat.Request, id table.ID) (chat.Response, error) {
	t, err := b.tables.LookAt(ctx, id)
	if err != nil {
		return chat.Response{}, err
	}
	rules := b.Games[t.Game]
	if t.Phase != table.Ended || rules == nil || !r.In.Same(t.Place) {
		return chat.Response{}, table.ErrAction
	}
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
		o.Kept = nil
		if o.Name == nextAgain(t.ID.Name) {
			o.Kept = t.Called(r.Who.ID, b.tables.Now().Unix())
		}
		response, err := b.Open(ctx, r, o)
		if !errors.Is(err, ErrOvertaken) {
			return response, err
		}
	}
	return chat.Response{}, fmt.Errorf("open the table after %s: %w", id, storage.ErrConflict)
}

// follower is the name of the table that comes after one that ended, and where it stands in the chain: the newest of the
// chain if that is open, or one that isn't there yet.
func (b *Host) follower(ctx context.Context, r chat.Request, t *table.Table) (link Link, name string, err error) {
	link.First = cmp.Or(t.Chain, t.ID.Name)
	items, err := b.Store.Get(ctx, table.KeyChain(table.ID{Community: t.ID.Community, Name: link.First}))
	if err != nil {
		return link, "", fmt.Errorf("look for the newest table after %s: %w", t.ID, err)
	}
	link.Newest = string(items[0].Value)
	if link.Newest != "" {
		open, _, err := b.tables.IsOpen(ctx, table.ID{Community: t.ID.Community, Name: link.Newest})
		if open {
			return link, link.Newest, err
		}
		return link, nextAgain(link.Newest), err
	}
	name = t.ID.Name
	for range MaxHops {
		name = nextAgain(name)
		open, there, err := b.tables.IsOpen(ctx, table.ID{Community: t.ID.Community, Name: name})
		if open || !there || err != nil {
			return link, name, err
		}
	}
	return link, table.NameFor(r.ID), nil
}

// nextAgain is the name of the table that follows another by "Again".
func nextAgain(name string) string { return table.NameFor("again " + name) }
