package telegram

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// Options are the settings of an adapter. Token and Words must be given; the rest have defaults.
type Options struct {
	// Token is the bot's, as BotFather gave it. It appears in no log and no error.
	Token string `name:"telegram-token" env:"TELEGRAM_TOKEN" hidden:"" secret:"" help:"The token of the bot on Telegram; without it Telegram is not served."`
	// API replaces scheme and host of Telegram's Bot API, as "http://127.0.0.1:8081"; paths stay.
	API string `name:"telegram-api" env:"TELEGRAM_API" placeholder:"URL" help:"Scheme and host to call instead of Telegram's."`
	// Webhook is the address that Telegram shall call; without one the adapter asks Telegram for updates.
	Webhook string `name:"telegram-webhook" env:"ZEVAKA_TELEGRAM_WEBHOOK" placeholder:"URL" help:"Where Telegram shall call; without it updates are polled."`
	// WebhookListen is where the adapter listens for those calls, as "127.0.0.1:8443"; needed with Webhook.
	WebhookListen string `name:"telegram-webhook-listen" env:"ZEVAKA_TELEGRAM_WEBHOOK_LISTEN" default:"127.0.0.1:8443" placeholder:"ADDRESS" help:"Where those calls arrive (default 127.0.0.1:8443)."`
	// App is the short name of the bot's Mini App that /newapp made; empty: the bot's main Mini App.
	App string `name:"telegram-app" env:"ZEVAKA_TELEGRAM_APP" placeholder:"NAME" help:"Short name of the Mini App that /newapp made at @BotFather; without it the bot's main Mini App."`
	// PublicURL is the https address, without a path, of the live tables' server; empty where there is none.
	PublicURL string `kong:"-"`
	// Secret comes with each of Telegram's calls to the webhook. By default it is a new one at every start, or, where several
	// processes share the bot, one derived from the token, since Telegram knows only one.
	Secret string `kong:"-"`
	// Log is for the operator; nil is slog.Default().
	Log *slog.Logger `kong:"-"`
	// Commands are the bot's commands in a language, for Telegram's menus; nil leaves the menus as they are.
	Commands func(lang string) []bot.CommandInfo `kong:"-"`
	// Words are the texts of the bot in all languages.
	Words *words.Catalogue `kong:"-"`
	// Transport makes the HTTP requests; nil is one of the adapter's own.
	Transport http.RoundTripper `kong:"-"`
	// Observer is told of calls and answers; nil is nobody.
	Observer chat.Observer `kong:"-"`
	// Bound bounds the connections to the server that Telegram calls; nil doesn't.
	Bound func(*http.Server, net.Listener) net.Listener `kong:"-"`
	// Share says which communities this process serves; nil is all of them.
	Share adapters.Share `kong:"-"`
}

// How long things may take. FirstPause is the pause after a first failure; it doubles up to longPause.
const (
	handleTime = 20 * time.Second
	callTime   = 15 * time.Second
	answerTime = 12 * time.Second
	// What was begun may go on for stopTime when the adapter stops, after quitTime for Telegram to hear that it does.
	stopTime   = 3 * time.Second
	quitTime   = time.Second
	firstPause = time.Second
	longPause  = 30 * time.Second
)

const (
	// staleAfter is how old what somebody wrote may be: who has waited for longer has gone on to other things.
	staleAfter = 10 * time.Minute
	// adminTime is how long a press waits for Telegram to say who manages a chat, or is in it.
	adminTime = time.Second
	// maxTries is how often a message is tried that doesn't reach Telegram. A table's picture is tried without end.
	maxTries = 4
)

// minApp and maxApp are how many letters the short name of a Mini App has.
const minApp, maxApp = 3, 30

// ErrToken says that Telegram refuses the token.
var ErrToken = errors.New("the token is refused by Telegram: check TELEGRAM_TOKEN (BotFather shows it under /mybots)")

// errNoToken is the refusal of what can't be a token.
var errNoToken = errors.New("TELEGRAM_TOKEN is no token: that has letters, digits, a colon, - and _, and neither blanks nor quotes; copy it again (BotFather shows it under /mybots)")

// errDiscords is the refusal of a token of the other platform.
var errDiscords = errors.New("TELEGRAM_TOKEN looks like a token of Discord's: that belongs into DISCORD_TOKEN")

// Check implements adapters.Platform.
func (o *Options) Check() error {
	o.Token = strings.TrimSpace(o.Token)
	odd := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && r != ':' && r != '_' && r != '-'
	}
	if regexp.MustCompile(`^[\w-]{20,}\.[\w-]{5,}\.[\w-]{20,}$`).MatchString(o.Token) {
		return errDiscords
	}
	if strings.ContainsFunc(o.Token, odd) {
		return errNoToken
	}
	if len(o.App) > 0 && len(o.App) < minApp || len(o.App) > maxApp || strings.ContainsFunc(o.App, func(r rune) bool { return odd(r) || r == ':' || r == '-' }) {
		return fmt.Errorf("the short name of the Mini App has %d to %d letters, digits and underscores, as /myapps shows it, and is %.100q", minApp, maxApp, o.App)
	}
	for name, address := range map[string]string{"TELEGRAM_API": o.API, "the webhook": o.Webhook} {
		u, err := url.Parse(address)
		if address != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("%s should look like https://example.org, and is %.100q", name, address)
		}
	}
	if u, err := url.Parse(o.Webhook); err == nil && o.Webhook != "" && o.API == "" && (u.Scheme != "https" || !slices.Contains(hookPorts(), u.Port())) {
		return fmt.Errorf("the webhook: Telegram calls addresses with https at port 443, 80, 88 or 8443, and no others, as %.100q", o.Webhook)
	}
	return nil
}

// hookPorts are the ports of webhooks that Telegram calls itself; a Bot API server of one's own calls any.
func hookPorts() []string { return []string{"", "443", "80", "88", "8443"} }

// Letter is the letter of Telegram's communities.
func (*Options) Letter() chat.Platform { return chat.Telegram }

// Name is Telegram's name on the command line.
func (*Options) Name() string { return "telegram" }

// Wanted reports whether there is a token.
func (o *Options) Wanted() bool { return o.Token != "" }

// Secrets are the token.
func (o *Options) Secrets() []string { return []string{o.Token} }
