package share

import (
	"context"
	"testing"

	"zevaka/bot/chat"
)

// TestLeftWhileTelling: what the clock of a part shows just when the part is given up may be told of, and giving it up waits for the clock.
func TestLeftWhileTelling(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	p := &served{stop: stop}
	p.done.Go(func() {
		<-ctx.Done()
		if _, ok := p.handle(t.Context(), chat.Request{Kind: chat.Shown}); ok {
			t.Error("a part that is being given up answers")
		}
	})
	(&Share{}).empty(t.Context(), p)
}
