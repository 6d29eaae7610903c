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
)

// platform is an adapter as main sees it.
type platform interface {
	// Run serves until ctx ends, and then returns nil once what was begun is done.
	Run(ctx context.Context) error
	// Show delivers what the clock has to say, and doesn't wait for the platform.
	Show(ctx context.Context, r bot.Response)
}

// platforms are those that this process serves.
type platforms struct {
	all map[bot.Platform]platform
	log *slog.Logger
}

// errNoPlatform is a start with nothing to serve.
var errNoPlatform = errors.New("nobody could play: the room is off, and neither DISCORD_TOKEN nor TELEGRAM_TOKEN is set")

// platforms are the room, unless it is off, and those whose tokens are set.
func (c *serve) platforms(dealer *bot.Bot, log *slog.Logger) platforms {
	all := map[bot.Platform]platform{}
	if c.Listen != "off" {
		all[bot.Web] = web.New(dealer, web.Options{
			Listen: c.Listen, Open: c.RoomOpen, Log: log, Commands: completions(dealer), Ready: welcome,
		})
	}
	if c.DiscordToken != "" {
		all[bot.Discord] = discord.New(dealer, discord.Options{
			Token: c.DiscordToken, API: c.DiscordAPI, Shards: c.Shards, Log: log, Commands: dealer.Commands,
		})
	}
	if c.TelegramToken != "" {
		all[bot.Telegram] = telegram.New(dealer, telegram.Options{
			Token: c.TelegramToken, API: c.TelegramAPI, Log: log, Commands: dealer.Commands,
			Webhook: c.TelegramWebhook, WebhookListen: c.TelegramWebhookListen,
		})
	}
	return platforms{all, log}
}

// run serves all platforms and the clock. A platform that can't go on is left behind, as long as there is another; the
// room is what the operator looks at, so its failure ends the rest.
func (p platforms) run(ctx context.Context, dealer *bot.Bot) error {
	if len(p.all) == 0 {
		return errNoPlatform
	}
	group, serving := errgroup.WithContext(ctx)
	group.Go(func() error { return dealer.Run(serving, p.show) })
	for kind, one := range p.all {
		group.Go(func() error {
			err := one.Run(serving)
			if err != nil && kind != bot.Web && len(p.all) > 1 {
				p.log.Error("a platform is not served", "platform", string(rune(kind)), "error", err)
				return nil
			}
			return err
		})
	}
	return group.Wait()
}

// show gives what the clock has to say to the platform of its place.
func (p platforms) show(ctx context.Context, r bot.Response) {
	if len(r.Posts) == 0 {
		return
	}
	if one := p.all[r.Posts[0].In.Community.Platform]; one != nil {
		one.Show(ctx, r)
	}
}
