package play

import (
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// begin begins a session with the table's deal: the first banker lays out the bank.
func (tx bank) begin() error {
	t := tx.table
	t.Session = &table.Session{Deal: 1, Began: tx.tables.Now().Unix(), Rounds: max(t.Rounds, 1)}
	return tx.till().Lay()
}

// close ends a deal's part in its session: chips go back that were not played for, the deal is counted, and the next
// one gets its table, unless that was the last.
func (tx bank) close() (next *table.Table, err error) {
	t := tx.table
	if t.Chips == nil {
		return nil, nil // Nothing was laid out yet.
	}
	if t.Result == nil {
		if err := tx.till().PayBack(); err != nil {
			return nil, err
		}
	}
	if err := tx.till().EndDraw(); err != nil {
		return nil, err
	}
	s := *t.Session
	s.Add(t.Chairs, t.Chips.Seats, t.Result != nil)
	t.Session = &s
	if t.Result == nil || t.Why != "" || t.Lesson {
		return nil, nil
	}
	return tx.follow()
}

// follow makes the table of the session's next deal, in the same transaction that ends this one; nil if the session is
// over. It is over, too, where another table has that name: names are short, and in the room who opens a table can look for one.
func (tx bank) follow() (*table.Table, error) {
	t := tx.table
	people := slices.Concat(t.Chairs, t.Waiting)
	setup, more, err := tx.till().NextSetup(people)
	if err != nil || !more {
		return nil, err
	}
	var chairs []table.Chair
	for _, seat := range setup.Order {
		c := people[seat]
		chairs = append(chairs, table.Chair{User: c.User, Name: c.Name, Lang: c.Lang, AtOnce: c.AtOnce, Missed: c.Missed, Temper: c.Temper, Nick: c.Nick})
	}
	person := func(c table.Chair) bool { return c.User != 0 }
	if t.Session.IsOver(chairs) || !slices.ContainsFunc(chairs, person) {
		return nil, nil
	}
	if unused, err := table.IsUnused(tx.Tx, t.NextDeal()); err != nil || !unused {
		return nil, err
	}
	for i, c := range t.Chairs {
		if seat := engine.Seat(i); stays(c) && !slices.Contains(setup.Order, seat) {
			t.Last = append(slices.Clone(t.Last), engine.Event{What: "broke", Seat: seat, To: engine.Nobody})
		}
	}
	came := int(setup.Order[0]) // The bank has come to all chairs before this one.
	if t.Session.Of(chairs[0]).Owes {
		came = 0
	}
	t.Session.PassBank(t.Chairs, func(i int) bool {
		return !slices.Contains(setup.Order, engine.Seat(i)) && (!stays(t.Chairs[i]) || 0 < i && i < came)
	}, chairs[0])
	next := t.Following(chairs, tx.tables.Seed(), tx.now, tx.tables.Now().Unix())
	then := &transaction{tables: tx.tables, Tx: tx.Tx, req: tx.req, table: next, rules: tx.rules, stored: storage.Item{Key: table.KeyOpen(next.ID)}, now: tx.now}
	then.family = tx.tables.families[t.Game](then)
	err = bank{free{then}}.till().Lay()
	if err == nil {
		_, err = then.save(redrawn())
	}
	if err != nil {
		return nil, err
	}
	t.Next = next.ID.Name
	return next, table.ListInPlace(tx.Tx, next)
}

// practice is a bank that is held for the table's own chips. Computer players may sit there, and hold it.
type practice struct{ bank }

// move makes the move of a computer player and settles it; false if none of them has anything to do.
func (tx practice) move(state engine.State) (o outcome, done bool, err error) {
	if !tx.table.Practice {
		return outcome{}, false, nil
	}
	if gone, err := tx.clear(state); err != nil || gone {
		if err == nil {
			o, err = tx.settle(state, engine.Nobody)
		}
		return o, true, err
	}
	step, ok := tx.computerStep(state)
	if !ok || tx.mayMove(state, step.Seat, step.Move) != nil {
		return outcome{}, false, nil
	}
	if step, err = tx.till().Afford(state, step); err == nil {
		err = tx.step(state, step)
	}
	if err != nil {
		return outcome{}, true, fmt.Errorf("move for computer %d of table %s: %w", step.Seat, tx.table.ID, table.AsFault(err))
	}
	o, err = tx.settle(state, step.Seat)
	return o, true, err
}

// endLesson ends a lesson when its learner wants that. Nobody is asked again: nothing is lost.
func (tx *transaction) endLesson() (outcome, error) {
	t := tx.table
	switch _, seated := t.SeatOf(tx.req.Who.ID); {
	case !t.Lesson:
		return outcome{}, table.ErrAction
	case t.Phase == table.Ended:
		return outcome{}, table.ShowTable(table.ErrEnded)
	case !seated:
		return outcome{}, table.ErrNotSeated
	}
	return tx.end(board.EndedEarly, nil), nil
}

// patiently has a lesson wait for its learner, but not for ever.
func (tx *transaction) patiently() {
	if tx.table.Lesson {
		tx.table.Ends = tx.now.Add(board.LessonLife)
	}
}

// welcome tells who has just sat down for the first time how to choose a language, where theirs isn't spoken but others are that many read
// who speak it, and offers a lesson: in what they are told anyway, and in a message before the table where they are alone with the bot and
// others will come to sit there, so that nobody is disturbed. A message for one reader would take the only answer that there is where the
// bot is a guest.
func (tx *transaction) welcome(r *chat.Response, reader *words.Lang) {
	if !tx.newcomer {
		return
	}
	if key := "lang-told." + words.Primary(tx.req.Who.Lang); reader.Has(key) {
		r.Toast = strings.TrimSpace(r.Toast + " " + reader.Say(key))
	}
	info := tx.rules.Info()
	post, any := board.OfferLesson(reader, tx.req, info)
	switch alone := tx.req.In.Private && !tx.req.In.Guest && !tx.req.Live; {
	case !any:
	case alone && !info.ForOne():
		r.Posts = append([]chat.Post{post}, r.Posts...)
	case r.Toast != "" && tx.table.Phase == table.Lobby:
		r.Toast = chat.Shorten(r.Toast+" "+words.Phrase{Key: "lesson.first-short"}.Flat(reader), chat.MaxToast)
	}
}

// dealNow ends the lobby, and deals where nobody else is there from whom the pack would have to be cut. It refuses that as long as seats are kept
// for those who were asked to another game.
func (tx *transaction) dealNow() (outcome, error) {
	if len(tx.table.Kept) > 0 && tx.now < tx.table.Warn {
		return outcome{}, table.ErrKept
	}
	o, err := tx.seatAll()
	if err != nil || tx.table.Persons() > 1 {
		return o, err
	}
	return tx.deal(false)
}

// seatAll ends the lobby: the dealer is drawn, the seats are fixed, and the bot commits to the seed of the deal before
// anybody cuts.
func (tx *transaction) seatAll() (outcome, error) {
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
	t.Sealed = tx.tables.Now().Unix()
	t.GiveUp(0)
	t.Phase, t.Panel, t.Details = table.Cutting, false, false
	table.AwaitCut(t, tx.now)
	if err := tx.family.begin(); err != nil {
		return outcome{}, table.ShowTable(err)
	}
	o := redrawn()
	if c := t.Chairs[t.Cutter]; c.User != tx.req.Who.ID && !t.Place.Guest {
		if o, err = tx.call(tx, c, nil); err != nil {
			return outcome{}, err
		}
	}
	o.shown = true
	o.done = &words.Phrase{Key: "done.deal", Blanks: words.Blanks{"who": t.Chairs[t.Cutter].Name}}
	return o, nil
}

// settlePlace keeps for the place's next tables how people play there, unless only one of them is there.
func (tx *transaction) settlePlace() error {
	t := tx.table
	record, err := table.GetPlace(tx.Tx, t.Place)
	if err != nil || t.Place.Private || t.Lesson || !record.Settle(t, tx.tables.Words) {
		return err
	}
	return table.PutPlace(tx.Tx, t.Place, record)
}

// deal deals the cards with what people have added to the cut. It tells how the pack was cut where they were asked.
func (tx *transaction) deal(asked bool) (outcome, error) {
	t := tx.table
	table.SettleCut(t)
	state, err := tx.rules.Deal(t.Setup(), table.ShufflerOf(t))
	if err != nil {
		return outcome{}, fmt.Errorf("deal table %s: %w", t.ID, err)
	}
	t.Phase, t.Dealt = table.Playing, tx.tables.Now().Unix()
	tx.state = state
	if asked && !tx.family.traits().alone {
		tx.events = append(tx.events, table.CutEvent(t))
	}
	return tx.settle(state, engine.Nobody)
}
