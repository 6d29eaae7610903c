package bot

import (
	"context"
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

// open opens a table with the one who asks as its host.
func (b *Bot) open(ctx context.Context, r Request, o opening) (Response, error) {
	id := tableID{r.In.Community, tableName(r.ID)}
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
		if items[0].Rev != 0 || items[1].Rev != 0 {
			return v.load(id)
		}
		return v.create(ctx, id, o)
	})
	return v.close(ctx, err)
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
	info := v.rules.Info()
	v.table = &table{
		id: id, Format: tableFormat, Phase: lobby, Place: v.req.In, Lang: v.bot.placeLang(record, v.req),
		Game: info.Name, Rev: info.Rev, Options: o.options, Limit: o.limit, Fast: o.fast,
		Draw: v.bot.seed(), Opened: v.bot.now().Unix(),
	}
	if err := v.join(ctx); err != nil {
		return err
	}
	v.table.remember(v.req.ID)
	return v.save()
}

// placeLang is the language that the bot speaks in a place.
func (b *Bot) placeLang(record placeRecord, r Request) string {
	for _, tag := range []string{record.Lang, r.In.Lang, r.Who.Lang} {
		if tag != "" {
			return b.words.Lang(tag).Tag
		}
	}
	return b.words.Lang("").Tag
}

// again opens a table like the one that ended.
func (b *Bot) again(ctx context.Context, r Request, id tableID) (Response, error) {
	items, err := b.store.Get(ctx, keyOpen(id), keyEnded(id))
	if err != nil {
		return Response{}, fmt.Errorf("read table %s: %w", id, err)
	}
	for _, item := range items {
		if item.Rev == 0 {
			continue
		}
		t, err := decodeTable(id, item.Value)
		if err != nil {
			return Response{}, err
		}
		rules := b.games[t.Game]
		if t.Phase != ended || rules == nil || !r.In.same(t.Place) {
			return Response{}, errWish
		}
		return b.open(ctx, r, opening{rules: rules, options: t.Options, limit: t.Limit, fast: t.Fast})
	}
	return Response{}, errGone
}
