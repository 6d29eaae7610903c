package watch

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Logging says how to log.
type Logging struct {
	// Level is how much is told; nil is info. It may change.
	Level slog.Leveler
	// JSON has a JSON object written for each line, instead of text.
	JSON bool
	// Secrets must not stand in any line. Nobody should log them; where somebody does, "<secret>" stands there instead.
	Secrets []string
}

// NewLog is a log that is written to out, a line for each record.
func NewLog(out io.Writer, l Logging) *slog.Logger {
	var pairs []string
	for _, secret := range l.Secrets {
		if secret != "" {
			pairs = append(pairs, secret, "<secret>")
		}
	}
	hide := strings.NewReplacer(pairs...)
	options := &slog.HandlerOptions{Level: l.Level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Value.Kind() {
		case slog.KindString:
			a.Value = slog.StringValue(hide.Replace(a.Value.String()))
		case slog.KindAny:
			switch v := a.Value.Any().(type) {
			case error:
				a.Value = slog.StringValue(hide.Replace(v.Error()))
			case fmt.Stringer:
				a.Value = slog.StringValue(hide.Replace(v.String()))
			default:
				a.Value = slog.StringValue(hide.Replace(fmt.Sprint(v)))
			}
		}
		return a
	}}
	if l.JSON {
		return slog.New(slog.NewJSONHandler(out, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}
