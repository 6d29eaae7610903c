package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"zevaka/engine"
	"zevaka/storage"
)

// opening is a table that somebody asks for.
type opening struct {
	rules   engine.Rules
	options map[string]string
	limit   int
	fast    bool
	// deal is the number of the deal; nil for one that nobody knows.
	deal *int64
	// rounds is how often everybody is to hold the bank; 0 is once.
	rounds int
	// computers are how many computer players sit down at once.
	computers int
	// name is the table's name; empty for one that follows from the request.
	name string
	// asked says that the one who asks has chosen where to play, and aside, if not nil, that the place is to hear how it
	// ends.
	asked bool
	aside *Place
	// board is the message in whose place the table is shown; empty for a new one.
	board Ref
}

// tableName derives a table's name from the request that opens it, so that a request delivered twice opens one table.
func tableName(request string) string {
	h := hash("table " + request)
	n := uint64(0)
	for _, b := range h[:6] {
		n = n<<8 | uint64(b)
	}
	return strconv.FormatUint(n, 36)
}

// open opens a table with the one who asks as its host, or with nobody at it if nobody knows who that is.
func (b *Bot) open(ctx context.Context, r Request, o opening) (Response, error) {
	if r.In.Crowded && !o.asked && isSolo(o.rules.Info()) && !r.Who.Nameless {
		return b.askWhere(ctx, r, o)
	}
	id := tableID{r.In.Community, o.name}
	if o.name == "" {
		id.Name = tableName(r.ID)
	}
	release, err := b.locks.acquire(ctx, id)
	if err != nil {
		return Response{}, fmt.Errorf("wait for table %s: %w", id, err)
	}
	defer release()
	var v *visit
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		v = &visit{bot: b, tx: tx, req: r, rules: o.rules, key: keyOpen(id), now: b.clock.now(), shown: true}
		items, err := tx.Get(keyOpen(id), keyEnded(id))
		if err != nil {
			return fmt.Errorf("look for table %s: %w", id, err)
		}
		if items[0].Rev == 0 && items[1].Rev == 0 {
			return v.create(ctx, id, o)
		}
		if err := v.load(id); err != nil || v.table.applied(r.ID) {
			return err
		}
		return v.sitDown(ctx)
	})
	return v.close(ctx, err)
}

// sitDown takes the one who asks to a table that somebody else has opened meanwhile.
func (v *visit) sitDown(ctx context.Context) error {
	if _, seated := v.table.seatOf(v.req.Who.ID); seated || v.table.Phase != lobby {
		return nil
	}
	if err := v.join(ctx); err != nil {
		return err
	}
	v.table.remember(v.req.ID)
	return v.save()
}

// create puts a new table on its place's list.
func (v *visit) create(ctx context.Context, id tableID, o opening) error {
	record, err := getPlace(v.tx, v.req.In)
	if err != nil {
		return err
	}
	if len(record.Tables) >= maxTables {
		return errManyTables
	}
	record.Tables = append(record.Tables, id.Name)
	if err := putPlace(v.tx, v.req.In, record); err != nil {
		return err
	}
	first, err := home(v.tx, id.Community)
	if err != nil {
		return err
	}
	info := v.rules.Info()
	v.table = &table{
		id: id, Format: tableFormat, Phase: lobby, Place: v.req.In, Lang: v.bot.placeLang(record, v.req),
		Game: info.Name, Rev: info.Rev, Options: o.options, Limit: o.limit, Fast: o.fast,
		Draw: v.bot.seed(), Opened: v.bot.now().Unix(),
	}
	v.table.looks, v.table.Aside, v.table.Board = record.looks, o.aside, o.board
	if info.Banker {
		v.table.Rounds = max(o.rounds, 1)
	}
	if first != id.Community.String() {
		v.table.Ledger = first
	}
	if v.req.Who.Nameless && isSolo(info) {
		return errNameless
	}
	if v.req.Who.Nameless {
		v.keepLobby() // Whoever sits down first is its host.
	} else if err := v.join(ctx); err != nil {
		return err
	}
	if isSolo(info) {
		if err := v.sitAlone(o); err != nil {
			return err
		}
	}
	for range o.computers {
		if err := v.addComputer(); err != nil {
			return err
		}
	}
	v.table.remember(v.req.ID)
	return v.save()
}

// placeLang is the language that the bot speaks in a place; empty if nothing tells.
func (b *Bot) placeLang(record placeRecord, r Request) string {
	for _, tag := range []string{record.Lang, r.In.Lang, r.Who.Lang} {
		if tag != "" {
			return b.words.Lang(tag).Tag
		}
	}
	return ""
}

// again takes the one who asks to the table that follows one that ended: it is opened by whoever asks first, and a
// later one follows when that has ended, too.
func (b *Bot) again(ctx context.Context, r Request, id tableID) (Response, error) {
	for {
		t, err := b.lookAt(ctx, id)
		if err != nil {
			return Response{}, err
		}
		rules := b.games[t.Game]
		if t.Phase != ended || rules == nil || !r.In.same(t.Place) {
			return Response{}, errWish
		}
		next := tableID{id.Community, tableName("again " + id.Name)}
		follower, err := b.lookAt(ctx, next)
		if err == nil && follower.Phase == ended {
			id = next
			continue
		}
		if err != nil && !errors.Is(err, errGone) {
			return Response{}, err
		}
		o := opening{rules: rules, options: t.Options, limit: t.Limit, fast: t.Fast, rounds: t.Rounds, name: next.Name}
		for _, c := range t.Chairs {
			if c.User == 0 {
				o.computers++
			}
		}
		return b.open(ctx, r, o)
	}
}

// lookAt reads a table outside any transaction. It returns errGone if there is none.
func (b *Bot) lookAt(ctx context.Context, id tableID) (*table, error) {
	items, err := b.store.Get(ctx, keyOpen(id), keyEnded(id))
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", id, err)
	}
	for _, item := range items {
		if item.Rev != 0 {
			return decodeTable(id, item.Value)
		}
	}
	return nil, errGone
}
