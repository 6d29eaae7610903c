package telegram

import (
	"strconv"
	"strings"
)

// maxAmount is how many bytes of a reply may be an amount.
const maxAmount = 20

// asCommand is the text of a message, made a command where it replies to another message: an amount in reply to the bot is a bet, and
// a command about a person that names nobody is about the author of the other message.
func (a *Adapter) asCommand(m *message) string {
	text := a.people.words(m)
	to := m.ReplyTo
	if to == nil || to.From == nil || m.IsTopicMessage && to.MessageID == m.MessageThreadID {
		return text
	}
	if to.From.ID == a.me.Load().ID {
		if amount := strings.TrimSpace(text); isAmount(amount) {
			return "/bet " + amount
		}
		return text
	}
	if to.From.IsBot || to.SenderChat != nil {
		return text
	}
	a.people.meet(to.From)
	words := strings.Fields(text)
	if len(words) == 0 || words[0][0] != '/' {
		return text
	}
	name, _, _ := strings.Cut(words[0][1:], "@")
	who := "<@" + strconv.FormatInt(to.From.ID, 10) + ">"
	switch name = a.known.own(name); {
	case len(words) == 2 && (name == "give" || name == "grant"):
		return words[0] + " " + who + " " + words[1]
	case len(words) == 1 && (name == "balance" || name == "scores" || name == "remove"):
		return words[0] + " " + who
	}
	return text
}

// isAmount reports whether a text is meant as an amount, if only an invalid one.
func isAmount(text string) bool {
	odd := func(r rune) bool { return (r < '0' || r > '9') && !strings.ContainsRune("+-−.,", r) }
	return len(text) <= maxAmount && strings.ContainsAny(text, "0123456789") && !strings.ContainsFunc(text, odd)
}
