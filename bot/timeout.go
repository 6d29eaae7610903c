package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// timeout serves an alarm of the clock.
func (b *Bot) timeout(ctx context.Context, r Request) (Response, error) {
	a, err := parseAlarm(r.Data)
	if err != nil {
		return Response{}, err
	}
	response, err := b.at(ctx, r, a.id, func(v *visit) error {
		switch {
		case a.redraw:
			v.shown = true
			v.sooner()
			return nil
		case v.table.Level != a.level:
			return nil
		}
		return v.timeout(ctx)
	})
	if errors.Is(err, errGone) {
		err = nil
	}
	return response, err
}

// sooner takes off the table's own moves what a start has added to the time they wait: the running time may be behind
// what the table has seen.
func (v *visit) sooner() {
	t := v.table
	if most := v.now + sideTime; t.Window > most {
		t.Window, v.changed = most, true
	}
	if most := max(v.now+thinking, t.Window); t.Chance > most {
		t.Chance, v.changed = most, true
	}
	if t.unhurried() && t.due() == 0 && v.bot.keep > 0 {
		v.waitLong() // It was stored when all was kept for ever.
		v.changed = true
	}
}

// timeout does what is due at the table. What is due earlier than the rest comes first.
func (v *visit) timeout(ctx context.Context) error {
	t := v.table
	past := func(at int64) bool { return at != 0 && at <= v.now }
	switch {
	case past(t.Ends) && t.Phase == lobby:
		v.end("stop-lobby", nil)
		return nil
	case past(t.Ends) && t.Phase == cutting:
		return v.deal("")
	case past(t.Ends) && t.Phase == ended:
		t.Ends = v.now + lastPicture
		v.changed, v.shown = true, true
		return nil
	case past(t.Ends) && isSolo(v.rules.Info()):
		v.end("stop-idle", nil)
		return nil
	case past(t.Ends) && t.unhurried():
		v.end("stop-slept", nil)
		return nil
	case past(t.Ends):
		return v.idle(ctx)
	case past(t.Chance):
		return v.computers(ctx)
	case past(t.Warn):
		v.warn()
	}
	return nil
}

// warn tells the one whose turn it is that time runs out.
func (v *visit) warn() {
	t := v.table
	t.Warn = 0
	v.changed = true
	c := t.Chairs[t.Mover]
	left := int((t.Ends - v.now + 500) / 1000)
	key := "warning"
	if left >= 120 {
		key, left = "warning-minutes", (left+30)/60
	}
	w := writer{lang: v.bot.words.Lang(t.Lang)}
	w.phrase(Plain, phrase{key: key, n: left, blanks: blanks{"who": c.Name, "n": left}})
	v.posts = append(v.posts, Post{
		In: t.Place, Mention: &User{ID: c.User, Name: c.Name}, Message: Message{Text: w.spans},
	})
}

// receipt is what comes back when the table's picture stands in a message.
func (t *table) receipt() string { return fmt.Sprintf("%s %d", t.id, t.Level) }

// shown notes where a table's picture stands. A table whose last picture was shown leaves the range of open ones.
func (b *Bot) shown(ctx context.Context, r Request) (Response, error) {
	if name, ok := strings.CutPrefix(r.Data, askedWhere); ok {
		return Response{}, b.askedAt(ctx, r, name)
	}
	name, number, _ := strings.Cut(r.Data, " ")
	id, ok := parseTableID(name)
	level, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil {
		return Response{}, fmt.Errorf("a picture was shown for %.80q", r.Data)
	}
	response, err := b.at(ctx, r, id, func(v *visit) error {
		v.showedAt(r.On, level)
		return nil
	})
	if errors.Is(err, errGone) {
		err = nil
	}
	return response, err
}

func (v *visit) showedAt(on Ref, level uint64) {
	t := v.table
	if v.key == keyEnded(t.id) {
		return
	}
	if level >= t.Boarded {
		t.Board, t.Boarded = on, level
		v.changed = true
	}
	if t.Phase == ended && level >= t.EndedAt {
		v.tx.Delete(v.key)
		v.key = keyEnded(t.id)
		t.Ends, t.seen = 0, nil
		v.changed = true
	}
}

// gone closes the tables of a place that is there no more, or those of a whole community.
func (b *Bot) gone(ctx context.Context, r Request) (Response, error) {
	ids, err := b.tableIDs(ctx, r.In)
	if r.In.Channel == 0 {
		ids, err = b.openIn(ctx, r.In.Community)
	}
	for _, id := range ids {
		if _, err := b.at(ctx, r, id, func(v *visit) error {
			if v.table.Phase != ended {
				v.end("stop-gone", nil)
			}
			// There is nowhere left to show a last picture.
			v.showedAt("", v.table.Level+1)
			return nil
		}); err != nil && !errors.Is(err, errGone) {
			return Response{}, err
		}
	}
	return Response{}, err
}

// openIn are the tables open in a community.
func (b *Bot) openIn(ctx context.Context, c Community) ([]tableID, error) {
	items, err := b.sound(ctx, openPrefix+c.String()+"/")
	if err != nil {
		return nil, fmt.Errorf("look for the open tables of community %s: %w", c, err)
	}
	var ids []tableID
	for _, item := range items {
		if id, ok := parseTableID(strings.TrimPrefix(item.Key, openPrefix)); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
