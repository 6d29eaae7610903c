package play

import (
	"context"
	"errors"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

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
