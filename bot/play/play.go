package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// maxMissed is how many turns the table makes for an absent person before the computer takes the seat.
	maxMissed = 3
	// thinking is how long the table waits after the last picture before it makes a banker's move for him.
	thinking = 1500 * time.Millisecond
	// maxAtOnce is how many moves the computer makes in one request, and maxPlayedOut how many to play a deal to its end.
	maxAtOnce, maxPlayedOut = 200, 4000
)

// step makes a move in the deal and adds it to the log. It doesn't settle the table: that is done once, after the last
// move.
func (tx *transaction) step(state engine.State, step engine.Step) error {
	return tx.stepWith(state, step, false)
}

// stepWith makes a step. If joined, it belongs to the move before and is taken back with it.
func (tx *transaction) stepWith(state engine.State, step engine.Step, joined bool) error {
	before := state.Epoch()
	made, err := state.Apply(step)
	if err != nil {
		return err
	}
	tx.steps++
	tx.quits = tx.quits || tx.rules.Info().Verbs[step.Move.Verb-1].Role == engine.VerbQuits
	t := tx.table
	t.Log(tx.rules, engine.Step{Seat: step.Seat, Move: made.Move}, joined)
	for _, e := range made.Events {
		if tx.rules.Info().EventRole(e.What) == engine.EventGoesOut {
			t.Chairs = slices.Clone(t.Chairs)
			t.Chairs[e.Seat].Out = true
		}
	}
	tx.events = append(tx.events, made.Events...)
	if state.Epoch() != before {
		t.Quiet++
		tx.passed = true
	}
	return nil
}

// settle ends a request that made moves. It makes the moves that go without saying, ends the deal if it is over, and sets
// the deadlines. By is who moved.
func (tx *transaction) settle(state engine.State, by engine.Seat) (outcome, error) {
	t := tx.table
	if t.Fast {
		tx.hasten(state)
	}
	if err := tx.family.square(state); err != nil {
		return outcome{}, table.ShowTable(err)
	}
	lines := tx.family.traits().lines
	if tx.slept {
		lines = min(max(lines, board.Lines(tx.rules.Info(), tx.events)), maxSlept)
	}
	t.Last = board.Newest(tx.rules.Info(), append(t.Last, tx.events...), lines)
	if why, result, over := tx.family.finished(state); over {
		if result != nil {
			t.Note(state)
		}
		return tx.end(why, result), nil
	}
	tx.family.deadlines(state, by)
	if t.Ends == 0 && t.Chance == 0 {
		tx.waitLong()
	}
	if t.Warn != 0 && t.Warn <= tx.now {
		o, err := tx.warn()
		o.shown = true
		return o, err
	}
	return redrawn(), nil
}

// begins reports whether the turn of a seat begins now, by what somebody else has done. Before is the deadline before.
func (tx *transaction) begins(seat engine.Seat, before table.Deadline) bool {
	byOwn := tx.req.Kind.ByPerson() && !tx.byAnother(seat)
	return !byOwn && (tx.phase != table.Playing || before.Mover() != int(seat))
}

// hasten keeps a card for a person where that is the only move.
func (tx *transaction) hasten(state engine.State) {
	turn := state.Turn()
	if len(turn) != 1 || tx.table.Chairs[turn[0]].Computer() {
		return
	}
	moves := state.Moves(turn[0], nil)
	if len(moves) != 1 || tx.rules.Info().Verbs[moves[0].Verb-1].Aim != engine.AimSelf {
		return
	}
	// A listed move is legal, so there is no refusal to tell.
	_ = tx.step(state, engine.Step{Seat: turn[0], Move: moves[0]})
}

// lies reports whether nobody has done anything for a day at a table at which no turn ends.
func (tx *transaction) lies(t *table.Table) bool {
	keep := tx.tables.Keep.Get()
	return t.Unhurried() && keep > table.Overdue && t.Ends != 0 && t.Ends.Add(table.Overdue-keep) < tx.now
}

// waitLong sets how long a table without a deadline waits for people: as long as what has ended is kept. It waits for ever
// if all is kept for ever.
func (tx *transaction) waitLong() {
	if keep := tx.tables.Keep.Get(); keep > 0 {
		tx.table.Ends = tx.now.Add(keep)
	}
}

// makeMove makes a person's move. At a table that sleeps it wakes the table, even if the move is refused.
func (tx *transaction) makeMove(state engine.State, seat engine.Seat, move engine.Move) (outcome, error) {
	if tx.answered == nil && tx.asks(state, seat, move) && slices.Contains(state.Moves(seat, nil), move) {
		return tx.askMove(state, move)
	}
	if gone, err := tx.family.clear(state); err != nil {
		return outcome{}, err
	} else if gone {
		return tx.settle(state, engine.Nobody)
	}
	slept := tx.table.Asleep
	refused := tx.family.attempt(state, seat, move)
	switch {
	case refused == nil || slept && tx.steps == 0:
	case tx.table.Chairs[seat].Away && errors.As(refused, new(engine.Refusal)):
		return outcome{}, words.Refuse(string(table.ErrAway), words.Blanks{"why": *words.RefusalPhrase(refused)})
	case errors.Is(refused, engine.ErrNotYourTurn) && len(state.Turn()) > 0:
		return outcome{}, words.Refuse("others-turn", words.Blanks{"who": tx.table.Name(state.Turn()[0])})
	default:
		return outcome{}, refused
	}
	tx.back(seat)
	tx.table.Chairs[seat].Passed = tx.table.Window != 0 // One bet is all that others wait for.
	o, err := tx.settle(state, seat)
	if refused != nil {
		o.toast, o.alert = &words.Phrase{Key: "back-refused", Blanks: words.Blanks{"why": *words.RefusalPhrase(refused)}}, true
	}
	return o, err
}

// askMove asks again before such a move is made.
func (tx *transaction) askMove(state engine.State, move engine.Move) (outcome, error) {
	info := tx.rules.Info()
	of := info.Name + "." + info.Verbs[move.Verb-1].Name
	button := chat.Button{Label: tx.say("verb." + of), Token: tx.rules.Text(move), Look: chat.Danger}
	return tx.ask(words.Phrase{Key: "final." + of}, tx.table.Epoch(state), button)
}

// typed makes the moves that somebody typed. In a game for one they may be several with commas between them: either all are
// made, or none. Epoch is that of the button that asked, if one did.
func (tx *transaction) typed(ctx context.Context, epoch int, text string) (outcome, error) {
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	if err := tx.stillMeant(state, epoch); err != nil {
		return outcome{}, err
	}
	return tx.family.read(ctx, state, seat, text)
}

// hand shows the one who asks the cards that nobody else sees, and a card that lies open for them.
func (tx *transaction) hand(ctx context.Context) (outcome, error) {
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	view := state.View(seat)
	cards := CardsOf(view, engine.PileHand, seat)
	if len(cards) == 0 {
		return outcome{}, table.ErrNoHand
	}
	w := words.Writer{Lang: tx.tables.reader(tx.req, tx.table)}
	held := words.Phrase{Key: "hand", Blanks: words.Blanks{"n": view.Round, "cards": cards}}
	if view.Round == 0 {
		held.Key = "hand.held"
	}
	w.Phrase(chat.Plain, held)
	if open := CardsOf(view, engine.PileTurned, seat); len(open) > 0 && tx.rules.Info().Banker {
		key := "hand.covers"
		if view.Cover == 0 {
			key = "hand.beaten"
		}
		w.Text(" · ")
		w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{"card": open[0]}})
	}
	if tip := board.LessonTip(w.Lang, tx.rules, tx.table, state, true, false); tip != "" && state.Turn()[0] == seat {
		w.Text("\n" + tip)
	}
	who := tx.req.Who
	message := chat.Message{Text: w.Spans, Choices: board.HandMoves(w.Lang, tx.rules, tx.table, view, tx.table.Epoch(state))}
	return outcome{posts: []chat.Post{{In: tx.req.In, To: &who, Message: message}}}, nil
}

// free is free play, and what the other families have in common with it.
type free struct{ *transaction }

const (
	// quietRounds is after how many rounds without a person's move a table goes to sleep.
	quietRounds = 3
	// maxLast is how many lines of what happened a picture tells.
	maxLast = 4
	// maxSlept is how many it tells of a turn that was played for somebody: they want to know all of it.
	maxSlept = 12
)

func (tx free) traits() traits {
	return traits{computers: true, lines: maxLast, tooFew: table.ErrTooFew}
}

func (tx free) opened(Opening) error { return nil }

func (tx free) enter() error { return nil }

func (tx free) drawn() (first int, err error) {
	return table.DrawDealer(tx.table.Draw, len(tx.table.Chairs)).First(false), nil
}

func (tx free) begin() error { return nil }

func (tx free) play(_ context.Context, state engine.State, seat engine.Seat, move engine.Move) (outcome, error) {
	missed := board.LessonMissed(tx.tables.reader(tx.req, tx.table), tx.rules, tx.table, state, seat, move)
	o, err := tx.makeMove(state, seat, move)
	if err == nil && missed != "" && o.toast == nil {
		o.toast, o.alert = &words.Phrase{Key: "lesson.missed", Blanks: words.Blanks{"what": words.Text(missed)}}, true
	}
	return o, err
}

func (tx free) read(_ context.Context, state engine.State, seat engine.Seat, text string) (outcome, error) {
	move, err := board.Reader{Rules: tx.rules, Words: tx.tables.Words}.Said(text)
	if err != nil {
		return outcome{}, err
	}
	return tx.makeMove(state, seat, move)
}

func (tx free) clear(engine.State) (bool, error) { return false, nil }

func (tx free) attempt(state engine.State, seat engine.Seat, move engine.Move) error {
	return tx.step(state, engine.Step{Seat: seat, Move: move})
}

func (tx free) square(engine.State) error { return nil }

func (tx free) finished(state engine.State) (why string, result *engine.Result, over bool) {
	if result, over := state.Result(); over {
		ended := result
		return "", &ended, true
	}
	if board.LessonOver(tx.rules.Info(), tx.table, state) {
		return board.Done, nil, true
	}
	return "stop-long", nil, tx.table.Moves >= tx.tables.MaxMoves
}

func (tx free) deadlines(state engine.State, by engine.Seat) {
	t, turn := tx.table, state.Turn()
	if t.Quiet >= quietRounds*len(t.Chairs) && t.Played() && !t.Won() {
		t.Asleep = true
	}
	before := t.ClearDeadlines()
	if t.Asleep || len(turn) == 0 {
		return
	}
	must := turn[0]
	t.Mover = int(must)
	others := tx.others(state)
	if c := t.Chairs[must]; c.Computer() {
		t.Chance = tx.now.Add(c.Ways().Thinks)
		if tx.personsMay(others) {
			t.Chance = tx.now.Add(c.Ways().Considers)
		}
		tx.unmoved(before)
		return
	}
	if by == must && tx.slept || by != must && before.Slept() && before.Mover() == t.Mover {
		t.Hurry, t.Chance = true, tx.now.Add(t.Chairs[must].Ways().Considers)
		tx.unmoved(before)
		return
	}
	t.LimitFrom(tx.now, t.Limit, tx.begins(must, before))
	tx.patiently()
	if i := slices.IndexFunc(others, func(s engine.Seat) bool { return t.Chairs[s].Computer() }); i >= 0 {
		t.Chance = tx.now.Add(t.Chairs[others[i]].Ways().Thinks)
	}
	tx.unmoved(before)
	switch {
	case t.Limit > 0:
		t.KeepDeadline(before, int(by))
	case by != must:
		t.Unmoved(before)
	}
	table.CallOnce(t, before)
}

// others are the seats beside the one that must move that may do something, as far as everybody can see: how long computer players wait, and
// for whom, must not tell more.
func (tx *transaction) others(state engine.State) []engine.Seat {
	if !slices.ContainsFunc(tx.table.Chairs, table.Chair.Computer) {
		return nil // Nobody waits so.
	}
	tries := state.View(engine.Nobody).Tries
	if tries == nil {
		return state.Turn()[1:]
	}
	var all []engine.Seat
	for _, step := range tries {
		all = append(all, step.Seat)
	}
	return all
}

// unmoved keeps what runs while the computer is about to move, unless this request has made a move.
func (tx *transaction) unmoved(before table.Deadline) {
	if tx.steps == 0 {
		tx.table.Unmoved(before)
	}
}

func (tx free) expire(ctx context.Context) (outcome, error) {
	if tx.table.Unhurried() && !tx.table.Won() {
		return tx.family.cutShort(ctx, "stop-slept")
	}
	if tx.table.Chairs[tx.table.Mover].Computer() {
		return tx.family.ownMove(ctx)
	}
	return tx.idle(ctx, "timed-out")
}

func (tx free) ownMove(ctx context.Context) (outcome, error) {
	return tx.computers(ctx)
}

func (tx free) absent(seat engine.Seat) (event string) {
	tx.table.Chairs[seat].Away = true
	return "away"
}

func (tx free) leave(ctx context.Context, seat engine.Seat) (outcome, error) {
	return tx.family.takeOut(ctx, seat)
}

func (tx free) takeOut(ctx context.Context, seat engine.Seat) (outcome, error) {
	return tx.vacate(ctx, seat)
}

// stop asks again before it ends a table that others have a part in.
func (tx free) stop(context.Context) (outcome, error) {
	if err := tx.table.MayEnd(tx.req.Who.ID); err != nil {
		return outcome{}, err
	}
	if tx.answered == nil && table.StopsOthers(tx.table, tx.req.Who.ID) {
		question := "confirm-stop"
		if tx.req.Who.Anonymous {
			question = "confirm-stop-aloud"
		}
		return tx.askStop(question, "button.stop-game")
	}
	return tx.end(table.Stops(tx.table, tx.req.Who.ID), nil), nil
}

// cutShort ends the table. If somebody has won by then, or has lost by having put an end to it, computers play the deal to its end at once,
// so that it counts for them; all others who are still there were removed.
func (tx free) cutShort(ctx context.Context, why string) (outcome, error) {
	t := tx.table
	if tx.forfeit(t.MayEnd(tx.req.By)); !t.Counts() || !t.Won() && !tx.forfeited() {
		return tx.end(why, nil), nil
	}
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	t.Chairs = slices.Clone(t.Chairs)
	for i := range t.Chairs {
		if c := &t.Chairs[i]; c.User != 0 && !c.Left {
			c.Left, c.Removed, c.Lost = true, true, c.Out || c.Helped
		}
	}
	for range maxPlayedOut {
		step, ok := tx.computerStep(state)
		if !ok {
			break
		}
		if err := tx.step(state, step); err != nil {
			return outcome{}, fmt.Errorf("play table %s to its end: %w", t.ID, table.AsFault(err))
		}
		t.Helped(step.Seat)
	}
	if _, over := state.Result(); !over {
		return tx.end(why, nil), nil
	}
	return tx.settle(state, engine.Nobody)
}

// forfeit has the person lose the deal, as by getting up, who has thrown out the bot or somebody else at the table, though they may not end
// that one's part in it: why is what refuses that. Who is out keeps their place.
func (tx *transaction) forfeit(why error) {
	t := tx.table
	seat, plays := t.SeatOf(tx.req.By)
	if why == nil || !plays || t.Chairs[seat].Out || t.Chairs[seat].Removed {
		return
	}
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	if !c.Left {
		tx.events = append(tx.events, engine.Event{What: "left", Seat: seat, To: engine.Nobody})
	}
	c.Left, c.Helped, c.Lost = true, true, true
	t.PassHost(c.User, seat)
}

// forfeited reports whether forfeit had somebody lose the deal.
func (tx *transaction) forfeited() bool {
	seat, plays := tx.table.SeatOf(tx.req.By)
	return plays && tx.table.Chairs[seat].Lost
}

func (tx free) close() (*table.Table, error) { return nil, nil }

// playing reports whether the cards are dealt and the deal goes on.
func (tx *transaction) playing() bool { return tx.table.Phase == table.Playing }

func (tx *transaction) personsMay(seats []engine.Seat) bool {
	return slices.ContainsFunc(seats, func(s engine.Seat) bool { return !tx.table.Chairs[s].Computer() })
}

// skip notes that the one who asks doesn't wait any longer for the one whose turn it is. The second who says so ends the turn
// as if its time were up. The button names whose turn it is: an epoch may have several.
func (tx *transaction) skip(ctx context.Context, epoch int, mover string) (outcome, error) {
	state, seat, err := tx.seated(ctx)
	if err == nil {
		err = tx.stillMeant(state, epoch)
	}
	if err == nil && mover != strconv.Itoa(tx.table.Mover) {
		err = table.ShowTable(table.ErrStale)
	}
	if err == nil {
		err = table.MaySkip(tx.table, seat)
	}
	if waited := engine.Seat(tx.table.Mover); err == nil && tx.atBank() {
		err = bank{free{tx}}.mayMove(state, waited, state.Idle(waited))
	}
	if err != nil {
		return outcome{}, err
	}
	t := tx.table
	tx.back(seat)
	switch {
	case t.MaySkip() == 1, t.Waives() && t.Skipper != tx.req.Who.ID:
		return tx.idle(ctx, "skipped")
	case t.Skipper == tx.req.Who.ID:
		return outcome{}, table.ErrSkipped
	}
	t.Skipper = tx.req.Who.ID
	o := done("done.skip")
	o.done.Blanks = words.Blanks{"who": t.Name(engine.Seat(t.Mover))}
	return o, nil
}

// idle makes the move of a person whose time is up, and tells why by an event.
func (tx *transaction) idle(ctx context.Context, what string) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	seat, err := tx.idleMove(state)
	if err != nil {
		return outcome{}, err
	}
	if seat == engine.Nobody {
		return tx.settle(state, seat)
	}
	tx.table.Chairs = slices.Clone(tx.table.Chairs)
	c := &tx.table.Chairs[seat]
	if c.Missed++; c.Missed >= maxMissed || tx.table.Limit == 0 && tx.table.Chips == nil {
		what = tx.family.absent(seat)
	}
	tx.events = append(tx.events, engine.Event{What: what, Seat: seat, To: engine.Nobody})
	return tx.settle(state, seat)
}

// idleMove makes what moves the table owes for the seat whose turn it is, and returns that seat: one where chips are at
// stake, else the whole turn, so that nobody waits for a sleeper twice, or as much of it as comes before others may do something about the
// last one. The seat is Nobody if somebody had to leave first.
func (tx *transaction) idleMove(state engine.State) (engine.Seat, error) {
	if gone, err := tx.family.clear(state); err != nil || gone {
		return engine.Nobody, err
	}
	seat := state.Turn()[0]
	tx.slept = true
	for range maxAtOnce {
		if err := tx.step(state, engine.Step{Seat: seat, Move: state.Idle(seat)}); err != nil {
			return seat, fmt.Errorf("move for seat %d of table %s: %w", seat, tx.table.ID, table.AsFault(err))
		}
		turn := state.Turn()
		others := func(s engine.Seat) bool { return s != seat }
		if len(turn) == 0 || slices.ContainsFunc(turn, others) || tx.family.traits().chips {
			break
		}
	}
	return seat, nil
}

// computers lets the computer players move. If a person can still act in the position, that is one move; otherwise it is
// the whole turn of the one that must move, if none of them does, of whom has slept. When all people are out, they play on without stopping.
func (tx *transaction) computers(ctx context.Context) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	must := state.Turn()[0]
	by := engine.Nobody
	for range maxAtOnce {
		step, ok := tx.computerStep(state)
		if !ok {
			break
		}
		by = step.Seat
		if err := tx.step(state, step); err != nil {
			return outcome{}, fmt.Errorf("move for computer %d of table %s: %w", step.Seat, tx.table.ID, table.AsFault(err))
		}
		tx.table.Helped(step.Seat)
		tx.slept = tx.slept || tx.table.Chairs[step.Seat].User != 0
		turn := state.Turn()
		if len(turn) == 0 || tx.table.Played() && (turn[0] != must || tx.personsMay(turn[1:])) {
			break
		}
	}
	switch {
	case by == engine.Nobody && tx.table.Slept():
		if by, err = tx.idleMove(state); err != nil {
			return outcome{}, err
		}
	case by == engine.Nobody:
		if tx.table.Chance = 0; tx.table.Ends == 0 {
			tx.waitLong()
		}
		return outcome{changed: true}, nil
	}
	return tx.settle(state, by)
}

// computerStep is what the computer players do in the position. Those that may move come before the one that must.
func (tx *transaction) computerStep(state engine.State) (engine.Step, bool) {
	turn := slices.Clone(state.Turn())
	if len(turn) == 0 {
		return engine.Step{}, false
	}
	for _, s := range append(turn[1:], turn[0]) {
		c := tx.table.Chairs[s]
		if !c.Computer() {
			continue
		}
		if move := state.Auto(s, c.Ways().Skill, table.RandomOf(tx.table, s)); move != (engine.Move{}) {
			return engine.Step{Seat: s, Move: move}, true
		}
	}
	return engine.Step{}, false
}

// seated is the deal in progress and the seat of the one who asks.
func (tx *transaction) seated(ctx context.Context) (engine.State, engine.Seat, error) {
	seat, err := table.PlayerSeat(tx.table, tx.req.Who.ID)
	if err != nil {
		return nil, seat, err
	}
	state, err := tx.position(ctx)
	return state, seat, err
}

// atBank reports whether a deal with a banker is on.
func (tx *transaction) atBank() bool {
	return tx.family.traits().chips && tx.table.Phase == table.Playing
}

// stillMeant refuses a button of another epoch. A command knows none.
func (tx *transaction) stillMeant(state engine.State, epoch int) error {
	if epoch == tx.table.Epoch(state) || tx.req.Kind == chat.Command {
		return nil
	}
	return table.ShowTable(table.ErrStale)
}

// isFinal reports whether a move gives something up for good that its player may want to keep.
func (tx *transaction) isFinal(move engine.Move) bool {
	return tx.rules.Info().Verbs[move.Verb-1].Final
}

// asks reports whether the seat's person is asked again before such a move: it is final, or comes too early.
func (tx *transaction) asks(state engine.State, seat engine.Seat, move engine.Move) bool {
	return tx.isFinal(move) || tx.rules.Info().Verbs[move.Verb-1].Early && state.View(seat).Early
}

// back notes that the seat's person is there.
func (tx *transaction) back(seat engine.Seat) {
	t := tx.table
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Missed, c.Away, c.Left = 0, false, false
	t.Quiet, t.Asleep = 0, false
}

// reader is the language of the one who asks, for what is said of the table's board. That of a live table is in their own.
func (b *Tables) reader(r chat.Request, t *table.Table) *words.Lang {
	if r.Live {
		return b.Words.Lang(r.Who.Lang)
	}
	return b.Words.Lang(r.Who.Lang).At(b.Words.Lang(t.Lang))
}

// say is a sentence in the language of the one who asks.
func (tx *transaction) say(key string) string { return tx.tables.reader(tx.req, tx.table).Say(key) }

// refused is a refusal to somebody who looks at a board in that language.
type refused struct {
	error
	lang string
}

// Unwrap is the refusal.
func (r refused) Unwrap() error { return r.error }

// Press does what a table's button says.
func (b *Tables) Press(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	return b.at(ctx, r, tok.Table, func(tx *transaction) (outcome, error) { return tx.press(ctx, tok) })
}

// Do does what a token says, for a command. Picked says that the command named no table and one of several was chosen: the
// one who asks is told which it is.
func (b *Tables) Do(ctx context.Context, r chat.Request, tok table.Token, picked bool) (chat.Response, error) {
	return b.at(ctx, r, tok.Table, func(tx *transaction) (outcome, error) {
		o, err := tx.do(ctx, tok)
		if err == nil && o.changed {
			tx.tapped(table.Tap{User: r.Who.ID, At: tx.now})
		}
		o.named = picked
		return o, err
	})
}

// CanBet reports whether the one who asks can stake at the table now.
func (b *Tables) CanBet(ctx context.Context, r chat.Request, id table.ID) (can bool, err error) {
	_, err = b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
		state, seat, err := tx.seated(ctx)
		can = err == nil && BetVerb(tx.rules.Info(), state, seat) != 0
		return outcome{}, err
	})
	return can, err
}

// check tells what the deal is made of to who asks. As long as the pack is to be cut, so that who has promised it doesn't know the cuts, the
// first who asks in the place has it told to everybody, in a message that stays. In the room that is where people talk, and who asks looks at
// the table: they are told it there, too.
func (tx *transaction) check() (outcome, error) {
	t := tx.table
	own := []chat.Post{tx.drawing(tx.tables.Words.Lang(tx.req.Who.Lang)).CheckPost(tx.req)}
	elsewhere := tx.req.FromOutside || tx.req.Live && t.Place.Community.Platform != chat.Web
	if t.Phase != table.Cutting || t.Pledged || elsewhere || tx.req.Barred() != nil {
		return outcome{posts: own}, nil
	}
	t.Pledged = true
	all := tx.tables.Words.ForAll(t.Place, tx.tables.Words.Lang(t.Lang), func(lang *words.Lang) chat.Message {
		return chat.Message{Text: tx.drawing(lang).Check()}
	})
	all.People = t.Players()
	if !tx.req.Live {
		own = nil
	}
	return outcome{changed: true, posts: append(own, all)}, nil
}
