package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters"
)

// Examine implements adapters.Platform.
func (o *Options) Examine(ctx context.Context) []adapters.Finding {
	rest := newClient(*o)
	defer rest.close()
	is := func(text, do string) adapters.Finding { return adapters.Finding{Of: "discord", Is: text, Do: do} }
	var app application
	err := rest.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointApplication("@me"), route: "get application", reply: &app})
	var refused *apiError
	switch {
	case errors.As(err, &refused) && refused.status == http.StatusUnauthorized:
		return []adapters.Finding{is("the token is refused", "press Reset Token on the Bot page of the developer portal, and put the new one into DISCORD_TOKEN, or discord-token")}
	case err != nil:
		return []adapters.Finding{is(fmt.Sprint("it can't be asked: ", err), "see whether this machine reaches it by https, and whether HTTPS_PROXY is right")}
	}
	found := []adapters.Finding{
		adapters.ClockFinding("Discord", time.Duration(rest.ahead.Load())),
		is(fmt.Sprintf("the token is that of %s, application %s; it needs no privileged intent", app.Name, app.ID), ""),
	}
	if _, guilds := app.Installs[guildInstall]; app.Installs != nil && !guilds {
		found = append(found, is("it may be added to no server", "tick Guild Install on the Installation page of the developer portal"))
	}
	if app.Endpoint != "" {
		found = append(found, is("commands and presses are sent to "+app.Endpoint+", and none to the bot",
			"clear the Interactions Endpoint URL on the General Information page of the developer portal"))
	}
	var gateway discordgo.GatewayBotResponse
	if err := rest.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointGatewayBot, route: "gateway", reply: &gateway}); err != nil {
		return append(found, is(fmt.Sprint("where to connect isn't known: ", err), "try again"))
	}
	limit := gateway.SessionStartLimit
	left := fmt.Sprintf("it may connect %d times more, of %d a day, by %d shards", limit.Remaining, limit.Total, gateway.Shards)
	if limit.Remaining < gateway.Shards {
		wait := (time.Duration(limit.ResetAfter) * time.Millisecond).Round(time.Minute)
		return append(found, is(left, fmt.Sprintf("don't start it for %v: something connects again and again, perhaps another program with this token", wait)))
	}
	return append(found, is(left, ""))
}
