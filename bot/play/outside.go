package play

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/refusal"
)

// Outside returns why somebody who asks from outside a community may do only what concerns nobody else: they must be a
// member now, and the platform must say so. It is nil for members, and for whoever asks from inside.
func (b *Tables) Outside(ctx context.Context, r chat.Request, c chat.Community) error {
	if !r.Afar && r.In.Community == c {
		return nil
	}
	if r.Member == nil {
		return refusal.Unsure
	}
	in, err := r.Member(ctx, c)
	switch {
	case err != nil:
		b.Log.Info("whether somebody is in a community is not known", "request", r.ID, "community", c.String(), "error", err)
		return refusal.Unsure
	case !in:
		return refusal.Outside
	}
	return nil
}
