package telegram

import (
	"zevaka/adapters"
	"zevaka/bot/chat"
)

// Letter is the letter of Telegram's communities.
func (*Options) Letter() chat.Platform { return chat.Telegram }

// Name is Telegram's name on the command line.
func (*Options) Name() string { return "telegram" }

// Wanted reports whether there is a token.
func (o *Options) Wanted() bool { return o.Token != "" }

// Secrets are the token.
func (o *Options) Secrets() []string { return []string{o.Token} }

// Adapter is an adapter with these options, and with the program's bot, log and texts.
func (o *Options) Adapter(p adapters.Program) adapters.Adapter {
	all := *o
	all.Log, all.Commands, all.Words, all.Observer, all.Rested = p.Log, p.Commands, p.Words, p.Observer, p.Rested
	all.PublicURL, all.Share = p.Door, p.Share
	return New(p.Handler, all)
}
