package main

import (
	"errors"
	"io"
	"log/slog"

	"zevaka/bot"
	"zevaka/cmd/zevaka/watch"
)

// off is the address of what isn't served.
const off = "off"

// settings are those of serve: flags, variables of the environment and names in a file. What bears the tag secret is
// shown nowhere.
type settings struct {
	database
	Listen    string     `env:"ZEVAKA_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where the room is (default 127.0.0.1:8080); off for no room."`
	RoomOpen  bool       `env:"ZEVAKA_ROOM_OPEN" help:"Let the room be on an address that other machines reach: whoever reaches it may come in."`
	Metrics   string     `env:"ZEVAKA_METRICS" default:"off" placeholder:"ADDRESS" help:"Where metrics and health are told, as 127.0.0.1:9464 (default off)."`
	LogLevel  slog.Level `env:"ZEVAKA_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"How much to tell: debug, info, warn or error (default info)."`
	LogFormat string     `env:"ZEVAKA_LOG_FORMAT" default:"text" enum:"text,json" placeholder:"FORMAT" help:"How to tell it: text or json (default text)."`

	Keep    keep    `env:"ZEVAKA_KEEP" default:"90d" placeholder:"DAYS" help:"How long games that have ended are kept, in days, as 90d (the default); never: for ever."`
	Archive savedIn `env:"ZEVAKA_ARCHIVE" placeholder:"FOLDER" help:"Where the records of games go before they leave the database; without it they are gone then."`

	UserRate      float64 `env:"ZEVAKA_USER_RATE" default:"5" placeholder:"N" help:"Presses and commands a second that count of one user (default 5); 0 for no limit."`
	CommunityRate float64 `env:"ZEVAKA_COMMUNITY_RATE" default:"60" placeholder:"N" help:"Presses and commands a second that count of one community (default 60); 0 for no limit."`

	DiscordToken string `env:"DISCORD_TOKEN" hidden:"" secret:""`
	DiscordAPI   string `name:"discord-api" env:"DISCORD_API" placeholder:"URL" help:"Scheme and host to call instead of Discord's."`
	Shards       string `env:"ZEVAKA_SHARDS" placeholder:"A-B/N" help:"The Discord shards that this process serves (default all)."`

	TelegramToken         string `env:"TELEGRAM_TOKEN" hidden:"" secret:""`
	TelegramAPI           string `name:"telegram-api" env:"TELEGRAM_API" placeholder:"URL" help:"Scheme and host to call instead of Telegram's."`
	TelegramWebhook       string `env:"ZEVAKA_TELEGRAM_WEBHOOK" placeholder:"URL" help:"Where Telegram shall call; without it updates are polled."`
	TelegramWebhookListen string `env:"ZEVAKA_TELEGRAM_WEBHOOK_LISTEN" default:"127.0.0.1:8443" placeholder:"ADDRESS" help:"Where those calls arrive (default 127.0.0.1:8443)."`
}

// Validate refuses what no setting can be. Kong calls it.
func (s *settings) Validate() error {
	if !(s.UserRate >= 0) || !(s.CommunityRate >= 0) {
		return errors.New("--user-rate, --community-rate: give a number of presses a second, or 0 for no limit")
	}
	return nil
}

// log is what the settings say of logging, in a log written to out.
func (s *settings) log(out io.Writer) *slog.Logger {
	return watch.NewLog(out, watch.Logging{
		Level: s.LogLevel, JSON: s.LogFormat == "json", Secrets: []string{s.DiscordToken, s.TelegramToken},
	})
}

// rates are how fast people may press.
func (s *settings) rates() bot.Rates { return bot.Rates{User: s.UserRate, Community: s.CommunityRate} }
