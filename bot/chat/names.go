package chat

import (
	"fmt"
	"log/slog"
)

// nameOf is the i-th of the names, or other where there is none.
func nameOf(i int, other string, names ...string) string {
	if i < 0 || i >= len(names) {
		return other
	}
	return names[i]
}

// Name is the style in one English word, as pages and logs call it; empty for Plain.
func (s Style) Name() string { return nameOf(int(s), "", "", "strong", "faint", "code", "red") }

// Name is the look in one English word; empty for Quiet.
func (l Look) Name() string { return nameOf(int(l), "", "", "primary", "danger") }

// Name is what the request asks for in one English word, "unknown" for what is no kind.
func (k Kind) Name() string {
	return nameOf(int(k)-1, "unknown", "command", "press", "timeout", "shown", "gone", "moved", "talk", "followed", "unreached", "missed", "left", "arrived")
}

// Name is what became of a request in one English word: "done", "refused" or "broken".
func (o Outcome) Name() string { return nameOf(int(o), "broken", "done", "refused") }

// Name is whose limit it is in one English word.
func (l Limit) Name() string { return nameOf(int(l), "user", "user", "address", "community") }

// Name is the platform in one English word, "unknown" for what is none.
func (p Platform) Name() string {
	switch p {
	case Web:
		return "web"
	case Discord:
		return "discord"
	case Telegram:
		return "telegram"
	}
	return "unknown"
}

// Full is the community as logs and the operator's commands write it, the platform's name and the ID, as "telegram:-1001234567". A
// person is written in the same way.
func (c Community) Full() string { return fmt.Sprint(c.Platform.Name(), ":", c.ID) }

// LogValue implements slog.LogValuer.
func (c Community) LogValue() slog.Value { return slog.StringValue(c.Full()) }
