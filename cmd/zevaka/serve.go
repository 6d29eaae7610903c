package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// serve is the command that deals: in the room, and on the platforms whose tokens are set.
type serve struct {
	DB       string     `name:"db" env:"ZEVAKA_DB" default:"zevaka.db" placeholder:"FILE" help:"Where tables are kept (default zevaka.db)."`
	Listen   string     `env:"ZEVAKA_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where the room is (default 127.0.0.1:8080); off for no room."`
	RoomOpen bool       `env:"ZEVAKA_ROOM_OPEN" help:"Let the room be on an address that other machines reach: whoever reaches it may come in."`
	LogLevel slog.Level `env:"ZEVAKA_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"How much to tell: debug, info, warn or error (default info)."`

	DiscordToken string `env:"DISCORD_TOKEN" hidden:""`
	DiscordAPI   string `name:"discord-api" env:"DISCORD_API" placeholder:"URL" help:"Scheme and host to call instead of Discord's."`
	Shards       string `env:"ZEVAKA_SHARDS" placeholder:"A-B/N" help:"The Discord shards that this process serves (default all)."`

	TelegramToken         string `env:"TELEGRAM_TOKEN" hidden:""`
	TelegramAPI           string `name:"telegram-api" env:"TELEGRAM_API" placeholder:"URL" help:"Scheme and host to call instead of Telegram's."`
	TelegramWebhook       string `env:"ZEVAKA_TELEGRAM_WEBHOOK" placeholder:"URL" help:"Where Telegram shall call; without it updates are polled."`
	TelegramWebhookListen string `env:"ZEVAKA_TELEGRAM_WEBHOOK_LISTEN" default:"127.0.0.1:8443" placeholder:"ADDRESS" help:"Where those calls arrive (default 127.0.0.1:8443)."`
}

// Run serves until the process is told to stop. A second signal ends it at once.
func (c *serve) Run() (err error) {
	signal.Ignore(syscall.SIGPIPE) // Nobody reading the log is no reason to stop dealing.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))
	context.AfterFunc(ctx, stop)
	store, err := bolt.Open(c.DB, bolt.Options{})
	if err != nil {
		return err
	}
	defer func() {
		if failed := store.Close(); failed != nil {
			err = errors.Join(err, fmt.Errorf("close the database: %w", failed))
		}
		if ctx.Err() != nil {
			log.Info("stopped")
		}
	}()
	dealer, err := bot.New(ctx, bot.Options{Store: store, Games: games.All(), Log: log})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	return c.platforms(dealer, log).run(ctx, dealer)
}

// welcome says where the room is.
func welcome(url string) {
	fmt.Printf("Зевака deals at %s (Ctrl-C stops)\n", url)
}

// completions are the bot's commands as the room's command line offers them: first each alone, then with each word that
// can follow. An empty room offers the games.
func completions(dealer *bot.Bot) func(lang string) []web.Completion {
	return func(lang string) []web.Completion {
		var alone, followed []web.Completion
		for _, command := range dealer.Commands(lang) {
			alone = append(alone, web.Completion{Line: command.Line, Hint: command.Help, Start: command.Game != nil})
			for _, word := range wordsAfter(command) {
				followed = append(followed, web.Completion{Line: command.Line + " " + word.Value, Hint: word.Label})
			}
		}
		return append(alone, followed...)
	}
}

// wordsAfter are the words that can follow a command, with what they mean.
func wordsAfter(command bot.CommandInfo) []bot.Choice {
	var words []bot.Choice
	if command.Game == nil {
		for _, word := range command.Arguments {
			words = append(words, bot.Choice{Value: word})
		}
		return words
	}
	words = append(words, command.Game.Sets...)
	for _, option := range command.Game.Options {
		for _, value := range option.Values {
			words = append(words, bot.Choice{Value: option.Value + "=" + value.Value, Label: value.Label})
		}
	}
	return append(words, bot.Choice{Value: "limit=30s"}, bot.Choice{Value: "limit=10m"}, bot.Choice{Value: "limit=none"},
		bot.Choice{Value: "fast"})
}
