package play

import (
	"fmt"
	"slices"

	"zevaka/bot/board"
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
	first, taught := board.FirstLesson(tx.rules.Info(), t)
	var err error
	if t.Stands = taught; !taught {
		first, err = tx.family.drawn()
	}
	if err != nil {
		return outcome{}, err
	}
	if err := tx.settlePlace(); err != nil {
		return outcome{}, err
	}
	table.RenameComputers(t, tx.tables.Words.Lang(t.Lang)) // Now the place's language may have been found.
	t.Chairs = append(slices.Clone(t.Chairs[first:]), t.Chairs[:first]...)
	t.Cutter = table.Cutter(t.Chairs, tx.rules.Info().Banker)
	if t.Seed, taught = board.LessonSeed(tx.rules.Info(), t); !taught {
		t.Seed = tx.tables.Seed()
	}
	t.GiveUp(0)
	t.Phase, t.Panel, t.Details = table.Cutting, false, false
	table.AwaitCut(t, tx.now)
	if err := tx.family.begin(); err != nil {
		return outcome{}, table.ShowTable(err)
	}
	done := &words.Phrase{Key: "done.deal", Blanks: words.Blanks{"who": t.Chairs[t.Cutter].Name}}
	// The picture goes below what is promised, but where nothing old can be taken away.
	o := outcome{changed: true, shown: true, pledged: true, anew: !t.Place.Guest, done: done}
	if c := t.Chairs[t.Cutter]; c.User != tx.req.Who.ID && !t.Place.Guest {
		o.called = c.Person()
	}
	return o, nil
}

// settlePlace keeps for the place's next tables how people play there, unless only one of them is there.
func (tx dealing) settlePlace() error {
	t := tx.table
	record, err := table.GetPlace(tx.Tx, t.Place)
	if err != nil || t.Place.Private || t.Lesson || !record.Settle(t, tx.tables.Words) {
		return err
	}
	return table.PutPlace(tx.Tx, t.Place, record)
}

// deal deals the cards with what people have added to the cut.
func (tx dealing) deal() (outcome, error) {
	t := tx.table
	table.SettleCut(t)
	state, err := tx.rules.Deal(t.Setup(), table.ShufflerOf(t))
	if err != nil {
		return outcome{}, fmt.Errorf("deal table %s: %w", t.ID, err)
	}
	t.Phase, t.Dealt = table.Playing, tx.tables.Now().Unix()
	tx.state = state
	if !tx.family.traits().alone {
		tx.events = append(tx.events, table.CutEvent(t))
	}
	return tx.settle(state, engine.Nobody)
}
