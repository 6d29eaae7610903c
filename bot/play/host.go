package play

import (
	"context"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Host opens tables. It is safe for use by many goroutines.
type Host struct {
	Store storage.Store
	Order []engine.Rules
	Games map[string]engine.Rules
	Words *words.Catalogue
	Names *words.Names

	tables *Tables
}

// NewHost is a host of these tables.
func NewHost(tables *Tables) *Host {
	return &Host{tables.Store, tables.Order, tables.Games, tables.Words, tables.Names, tables}
}

// Press does what a table's button says: also what an old table's says, that asks for another one.
func (b *Host) Press(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	if tok.Do != DoAgain {
		return b.tables.Press(ctx, r, tok)
	}
	if r.Barred() != nil {
		return chat.Response{}, r.Barred()
	}
	return b.again(ctx, r, tok.Table)
}

// Open opens a table; who wants to play alone where all tables share what may be shown is asked first where to do it, unless
// they say so in their private chat: then it is opened there. Who wants to play with others is offered the tables that wait
// for players.
func (b *Host) Open(ctx context.Context, r chat.Request, o Opening) (chat.Response, error) {
	o, err := o.Dealt(r.ID)
	if err != nil {
		return chat.Response{}, err
	}
	if response, had, err := b.had(ctx, r, o); had || err != nil {
		return response, err
	}
	alone := r.In.Crowded && !o.Asked && o.Rules.Info().ForOne() && !r.Who.Anonymous
	switch {
	case alone && r.Afar && r.Apart.Private:
		if there := r.In; r.Barred() == nil {
			o.ReportTo = &there
		}
		r.In, r.Afar = r.Apart, false
		return b.Open(ctx, r, o)
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
