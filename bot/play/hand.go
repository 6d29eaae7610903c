package play

import (
	"context"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

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
	if tip := board.LessonTip(w.Lang, tx.rules, tx.table, state, true); tip != "" && state.Turn()[0] == seat {
		w.Text("\n" + tip)
	}
	who := tx.req.Who
	message := chat.Message{Text: w.Spans, Choices: board.HandMoves(w.Lang, tx.rules, tx.table, view, tx.table.Epoch(state))}
	return outcome{posts: []chat.Post{{In: tx.req.In, To: &who, Message: message}}}, nil
}
