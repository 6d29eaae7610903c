package main

import (
	"context"
	"errors"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"zevaka/adapters/discord"
	"zevaka/adapters/telegram"
	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/cmd/zevaka/watch"
)

// platform is an adapter as main sees it.
type platform interface {
	// Run serves until ctx ends, and then returns nil once what was begun is done.
	Run(ctx context.Context) error
	// Show delivers what the clock has to say, and doesn't wait for the platform.
	Show(ctx context.Context, r bot.Response)
	// Pulse is how the adapter is.
	Pulse() bot.Pulse
}

// house is all that runs while the bot serves.
type house struct {
	dealer    *bot.Bot
	platforms map[bot.Platform]platform
	seen      *watch.Watch
	// metrics is where those are served, or off.
	metrics string
	log     *slog.Logger
}

// errNoPlatform is a start with nothing to serve.
var errNoPlatform = errors.New("nobody could play: the room is off, and no token is set " +
	"(DISCORD_TOKEN, TELEGRAM_TOKEN; in a file discord-token, telegram-token)")

// house has the room, unless it is off, and the platforms whose tokens are set.
func (s *settings) house(dealer *bot.Bot, seen *watch.Watch, log *slog.Logger) house {
	gate := bot.NewGate(dealer, s.rates(), dealer.Words(), seen)
	all := map[bot.Platform]platform{}
	if s.Listen != off {
		all[bot.Web] = web.New(gate, web.Options{
			Listen: s.Listen, Open: s.RoomOpen, Log: log, Commands: completions(dealer), Ready: welcome, Observer: seen,
		})
	}
	if s.DiscordToken != "" {
		all[bot.Discord] = discord.New(gate, discord.Options{
			Token: s.DiscordToken, API: s.DiscordAPI, Shards: s.Shards, Log: log, Commands: dealer.Commands, Words: dealer.Words(),
			Observer: seen,
		})
	}
	if s.TelegramToken != "" {
		all[bot.Telegram] = telegram.New(gate, telegram.Options{
			Token: s.TelegramToken, API: s.TelegramAPI, Log: log, Commands: dealer.Commands, Words: dealer.Words(),
			Webhook: s.TelegramWebhook, WebhookListen: s.TelegramWebhookListen, Observer: seen,
		})
	}
	return house{dealer, all, seen, s.Metrics, log}
}

// run serves all platforms, the clock and the operator, and lets leave what ended long ago. A platform that can't go on
// is left behind, as long as there is another; the room is what the operator looks at, so its failure ends the rest.
func (h house) run(ctx context.Context) error {
	if len(h.platforms) == 0 {
		return errNoPlatform
	}
	group, serving := errgroup.WithContext(ctx)
	group.Go(func() error { return h.dealer.Run(serving, h.show) })
	group.Go(func() error { h.dealer.Retain(serving); return nil })
	group.Go(func() error { h.seen.Count(serving, h.dealer.Census); return nil })
	if h.metrics != off {
		group.Go(func() error { return h.seen.Serve(serving, h.metrics) })
	}
	for kind, one := range h.platforms {
		h.seen.Adapter(kind, one.Pulse)
		group.Go(func() error {
			err := one.Run(serving)
			if err != nil && kind != bot.Web && len(h.platforms) > 1 {
				h.log.Error("a platform is not served", "platform", string(rune(kind)), "error", err)
				return nil
			}
			return err
		})
	}
	return group.Wait()
}

// show gives what the clock has to say to the platform of its place.
func (h house) show(ctx context.Context, r bot.Response) {
	if len(r.Posts) == 0 {
		return
	}
	if one := h.platforms[r.Posts[0].In.Community.Platform]; one != nil {
		one.Show(ctx, r)
	}
}
