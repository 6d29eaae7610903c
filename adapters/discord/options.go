package discord

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// Options are what an Adapter is made of. Token, Commands and Words must be given.
type Options struct {
	// Token is the bot's token, without "Bot ".
	Token string `name:"discord-token" env:"DISCORD_TOKEN" hidden:"" secret:"" help:"The token of the bot on Discord; without it Discord is not served."`
	// ClientSecret is the application's OAuth2 secret, with which people open live tables in Discord itself; empty: they can't.
	ClientSecret string `name:"discord-client-secret" env:"DISCORD_CLIENT_SECRET" hidden:"" secret:"" help:"The secret of the application's OAuth2 page, with which people can open the live table in Discord itself."`
	// API replaces scheme and host of all calls, as "http://127.0.0.1:9100"; empty is Discord itself.
	API string `name:"discord-api" env:"DISCORD_API" placeholder:"URL" help:"Scheme and host to call instead of Discord's."`
	// Shards says which shards this process serves, as "0-3/8"; empty is all that Discord recommends.
	Shards string `env:"ZEVAKA_SHARDS" placeholder:"A-B/N" help:"The Discord shards that this process serves (default all)."`
	// Log takes what the operator should know; nil is slog.Default().
	Log *slog.Logger `kong:"-"`
	// Commands are the bot's commands in the language nearest to the tag.
	Commands func(lang string) []bot.CommandInfo `kong:"-"`
	// Words are the catalogues that the bot speaks from.
	Words *words.Catalogue `kong:"-"`
	// Observer is told of calls and answers; nil is nobody.
	Observer chat.Observer `kong:"-"`
	// Dial makes all connections; nil makes them over the network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error) `kong:"-"`
	// Share is what this process serves of Discord; nil is all.
	Share adapters.Share `kong:"-"`
}

// ErrToken is the refusal of a token that Discord doesn't know.
var ErrToken = errors.New("discord doesn't accept the token: look it up again on the Bot page of the developer portal (DISCORD_TOKEN)")

// How long things take.
const (
	// identifyApart is how far apart two identifies of one concurrency slot are, firstRetry the first wait before a shard connects again.
	identifyApart = 5500 * time.Millisecond
	firstRetry    = time.Second
	// openTime is the time for a connection to the gateway to stand, maxQuiet the longest silence of a living one.
	openTime = 30 * time.Second
	maxQuiet = 75 * time.Second
	// lookEvery is how far apart a process looks for shards and turns that are free, agreeEvery how far apart it asks how many shards
	// there are.
	lookEvery  = time.Second
	agreeEvery = 30 * time.Second
	// deferAfter is when an interaction is acknowledged whose answer isn't there yet; answerTime is when Discord gives up.
	deferAfter = 1500 * time.Millisecond
	answerTime = 2900 * time.Millisecond
	// passTime is when somebody is told that no process could take what they did: later than an answer is promised elsewhere.
	passTime = 2200 * time.Millisecond
	// handleTime is the time the bot has for a request, deliverTime the time for a message to be shown.
	handleTime  = 20 * time.Second
	deliverTime = 30 * time.Second
	// stopTime is how long what was begun may go on when the adapter stops.
	stopTime = 3 * time.Second
	// redrawEvery is how far apart boards are drawn after a reconnect.
	redrawEvery = 50 * time.Millisecond
)
