package table

import (
	"context"
	"log/slog"

	"zevaka/bot/chat"
)

// BarOutside returns why somebody who asks from outside a community may do only what concerns nobody else: they must be a
// member now, and the platform must say so. It is nil for members, and for whoever asks from inside. Why a platform didn't
// say it is logged.
func BarOutside(ctx context.Context, log *slog.Logger, r chat.Request, c chat.Community) error {
	if !r.Afar && r.In.Community == c {
		return nil
	}
	if r.Member == nil {
		return ErrUnsure
	}
	in, err := r.Member(ctx, c)
	switch {
	case err != nil:
		log.Info("whether somebody is in a community is not known", "request", r.ID, "community", c.String(), "error", err)
		return ErrUnsure
	case !in:
		return ErrOutside
	}
	return nil
}
