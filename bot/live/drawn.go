package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// drawn is a scene that was drawn. It doesn't change, and may be shown to everybody who sees the same.
type drawn struct {
	Scene
	of *table.Table
	at table.Running

	encoding sync.Once
	json     []byte
	err      error
}

// encode is the scene as JSON.
func (d *drawn) encode() ([]byte, error) {
	d.encoding.Do(func() {
		if d.json, d.err = json.Marshal(&d.Scene); d.err != nil {
			d.err = fmt.Errorf("encode a scene: %w", d.err)
		}
	})
	return d.json, d.err
}

// eyes are what those have in common who are shown the same scene: nothing in it is about one of them.
type eyes struct {
	lang  *words.Lang
	suits table.Suits
	// last and steps are the last of the moves that they are shown, and how many those are.
	last, steps int
}

const (
	// crowd is how many look at a table before what is drawn for one of them is kept for others.
	crowd = 4
	// stale is when it isn't shown any more: a scene says how much of the turn's time is left.
	stale = 100 * time.Millisecond
)

// eyes are those that somebody looks through at the table; false if there is something in its scene that is for them alone.
// The caller holds mu of f.
func (k *Look) eyes(f *follow, lang *words.Lang) (eyes, bool) {
	t, who := f.table, k.who
	_, seated := t.SeatOf(who.ID)
	kept := slices.ContainsFunc(t.Kept, func(c table.Chair) bool { return c.User == who.ID })
	sat := slices.ContainsFunc(k.pending, func(m *Made) bool { return m.Eyes != engine.Nobody })
	own := seated || sat || kept || who.Admin || who.ID == t.Host || t.Waits(who.ID)
	e := eyes{lang: lang, suits: k.own.Suits, steps: len(k.pending)}
	if e.steps > 0 {
		e.last = k.pending[e.steps-1].N
	}
	return e, !own
}

// fresh reports whether what was drawn may be shown at that time. The caller holds mu.
func (f *follow) fresh(d *drawn, now table.Running) bool {
	return d != nil && d.of == f.table && d.at <= now && d.at.Until(now) < stale
}

// keep keeps what was drawn for others who look through the same eyes. The caller holds mu.
func (f *follow) keep(e eyes, d *drawn) {
	for other, old := range f.drawn {
		if !f.fresh(old, d.at) {
			delete(f.drawn, other)
		}
	}
	if f.lookedAtBy() < crowd {
		return
	}
	if f.drawn == nil {
		f.drawn = map[eyes]*drawn{}
	}
	f.drawn[e] = d
}
