package discord

import (
	"zevaka/adapters"
	"zevaka/bot/chat"
)

// Letter tells Discord's communities from others.
func (*Options) Letter() chat.Platform { return chat.Discord }

// Name is what Discord is called on the command line.
func (*Options) Name() string { return "discord" }

// Wanted reports whether there is a token.
func (o *Options) Wanted() bool { return o.Token != "" }

// Secrets are the token and the client secret.
func (o *Options) Secrets() []string { return []string{o.Token, o.ClientSecret} }

// Adapter is the adapter with these options, and with what the program gives.
func (o *Options) Adapter(p adapters.Program) adapters.Adapter {
	all := *o
	all.Log, all.Commands, all.Words, all.Observer, all.Share = p.Log, p.Commands, p.Words, p.Observer, p.Share
	return New(p.Handler, all)
}
