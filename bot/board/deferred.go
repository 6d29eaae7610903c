package board

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/words"
	"zevaka/engine"
)

// Later draws the table's message when it is called. It is false if drawing panics, which is logged. As long
// as it may be called the Drawing must not change.
func (d Drawing) Later(view engine.View, epoch int, log *slog.Logger) func() (chat.Message, bool) {
	return func() (m chat.Message, ok bool) {
		defer func() {
			if p := recover(); p != nil {
				log.Error("a picture can't be drawn", "table", d.Table.ID.String(), "error", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		return d.Message(view, epoch), true
	}
}

// Turn tells somebody apart from the table that it is their turn there.
func Turn(game string) words.Phrase {
	return words.Phrase{Key: "turn-apart", Blanks: words.Blanks{"what": words.Phrase{Key: "game." + game}}}
}

// Call tells whoever is to move how much time is left; where there is much, or no limit, that it is their turn.
func Call(who string, left time.Duration, unlimited bool) words.Phrase {
	if unlimited || left > 2*time.Hour {
		return words.Phrase{Key: "turn-call", Blanks: words.Blanks{"who": who}}
	}
	key, n := "warning", int(left.Round(time.Second)/time.Second)
	if n >= 120 {
		key, n = "warning-minutes", (n+30)/60
	}
	return words.Phrase{Key: key, N: n, Blanks: words.Blanks{"who": who, "n": n}}
}

// TextOf draws the text of a picture alone: there is nothing to press in it any more.
func TextOf(draw func() (chat.Message, bool)) func() (chat.Message, bool) {
	return func() (chat.Message, bool) {
		m, ok := draw()
		return chat.Message{Text: m.Text}, ok
	}
}
