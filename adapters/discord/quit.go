package discord

import (
	"context"
	"net/http"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// Quit has the bot leave a server. Whoever calls it tells the bot that the server is gone.
func (a *Adapter) Quit(ctx context.Context, c chat.Community) error {
	return a.rest.do(ctx, call{
		method: http.MethodDelete, url: discordgo.EndpointUserGuild("@me", strconv.FormatInt(c.ID, 10)), route: "leave guild",
	})
}
