package play

import (
	"fmt"
	"slices"
	"time"

	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// seatAll ends the lobby: the dealer is drawn, the seats are fixed, and the bot commits to the seed of the deal before
// anybody cuts.
func (tx dealing) seatAll() (outcome, error) {
	t := tx.table
	if len(t.Chairs) < tx.rules.Info().MinSeats || t.Persons() == 0 {
		return outcome{}, tx.family.traits().tooFew
	}
	first, err := tx.family.drawn()
	if err != nil {
		return outcome{}, err
	}
	if err := tx.settlePlace(); err != nil {
		return outcome{}, err
	}
	t.Chairs = append(slices.Clone(t.Chairs[first:]), t.Chairs[:first]...)
	t.Cutter = table.Cutter(t.Chairs, tx.rules.Info().Banker)
	t.Seed = tx.tables.Seed()
	t.GiveUp(0)
	t.Phase, t.Panel, t.Details = table.Cutting, false, false
	t.Ends = tx.now.Add(cutTime)
	if t.Limit > 0 {
		t.Ends = min(t.Ends, tx.now.Add(time.Duration(t.Limit)*time.Second))
	}
	if err := tx.family.begin(); err != nil {
		return outcome{}, showing{err}
	}
	done := &words.Phrase{Key: "done.deal", Blanks: words.Blanks{"who": t.Chairs[t.Cutter].Name}}
	o := outcome{changed: true, shown: true, done: done}
	if c := t.Chairs[t.Cutter]; c.User != tx.req.Who.ID && !t.Place.Guest {
		o.called = c.Person()
	}
	return o, nil
}

// settlePlace keeps for the place's next tables how people play there, unless only one of them is there.
func (tx dealing) settlePlace() error {
	t := tx.table
	record, err := table.GetPlace(tx.Tx, t.Place)
	if err != nil || t.Place.Private || !record.Settle(t, tx.tables.Words) {
		return err
	}
	return table.PutPlace(tx.Tx, t.Place, record)
}

// deal deals the cards with the cut.
func (tx dealing) deal(cut string) (outcome, error) {
	t := tx.table
	state, err := tx.rules.Deal(t.Setup(), engine.NewShuffler(t.Seed, cut))
	if err != nil {
		return outcome{}, fmt.Errorf("deal table %s: %w", t.ID, err)
	}
	t.Cut, t.Phase, t.Dealt = cut, table.Playing, tx.tables.Now().Unix()
	tx.state = state
	t.Ends = 0 // The cut's time is over.
	if !tx.family.traits().alone {
		tx.events = append(tx.events, t.CutEvent())
	}
	return tx.settle(state, engine.Nobody)
}
