package discord

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"zevaka/adapters"
	"zevaka/bot/chat"
)

// Letter tells Discord's communities from others.
func (*Options) Letter() chat.Platform { return chat.Discord }

// Name is what Discord is called on the command line.
func (*Options) Name() string { return "discord" }

// Wanted reports whether there is a token.
func (o *Options) Wanted() bool { return o.Token != "" }

// errBlank is the refusal of a secret that can't be one.
var errBlank = errors.New("there is white space in it, or what can't be seen: copy it alone, without \"Bot \" before it, from the developer portal")

// errNoToken is the refusal of what can't be a token, though it is free of blanks.
var errNoToken = errors.New("DISCORD_TOKEN is no token: that has letters, digits, - and _ in parts with dots between them, and no quotes; copy that of the Bot page, neither the application's ID, nor its public key, nor the client secret")

// errTelegrams is the refusal of a token of the other platform.
var errTelegrams = errors.New("DISCORD_TOKEN looks like a token of Telegram's: that belongs into TELEGRAM_TOKEN")

// Check implements adapters.Platform.
func (o *Options) Check() error {
	for name, secret := range map[string]*string{"DISCORD_TOKEN": &o.Token, "DISCORD_CLIENT_SECRET": &o.ClientSecret} {
		*secret = strings.TrimSpace(*secret)
		if strings.ContainsFunc(*secret, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			return fmt.Errorf("%s: %w", name, errBlank)
		}
	}
	if regexp.MustCompile(`^\d+:[\w-]{30,}$`).MatchString(o.Token) {
		return errTelegrams
	}
	if o.Token != "" && !regexp.MustCompile(`^[\w-]+(\.[\w-]+)+$`).MatchString(o.Token) {
		return errNoToken
	}
	if u, err := url.Parse(o.API); o.API != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("DISCORD_API should look like https://example.org, and is %.100q", o.API)
	}
	_, _, _, err := parseShards(o.Shards)
	return err
}

// Secrets are the token and the client secret.
func (o *Options) Secrets() []string { return []string{o.Token, o.ClientSecret} }

// Adapter is the adapter with these options, and with what the program gives.
func (o *Options) Adapter(p adapters.Program) adapters.Adapter {
	all := *o
	all.Log, all.Commands, all.Words, all.Observer, all.Share = p.Log, p.Commands, p.Words, p.Observer, p.Share
	return New(p.Handler, all)
}
