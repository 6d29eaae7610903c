package discord

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
	"zevaka/bot/words"
)

const (
	// guildInstall is the key of how an application is added to servers.
	guildInstall = "0"
	// addedRights are what the bot asks for where it is added.
	addedRights = discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads |
		discordgo.PermissionAttachFiles
	// maxProfile is how long the description of an application may be.
	maxProfile = 400
)

// application is the bot's own, as Discord describes it.
type application struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Public says that others than its owner may add it to servers; nil if Discord doesn't say.
	Public *bool `json:"bot_public"`
	// CustomInstall is an address of the owner's own where it is added; empty if there is none.
	CustomInstall string `json:"custom_install_url"`
	// Endpoint is an address to which Discord sends presses and commands, and then not to the bot; empty if there is none.
	Endpoint string `json:"interactions_endpoint_url"`
	// Installs are the ways to add it; nil if Discord doesn't say.
	Installs map[string]installation `json:"integration_types_config"`
}

// installation is a way to add an application.
type installation struct {
	Params *installParams `json:"oauth2_install_params,omitempty"`
}

// installParams are what an application asks for where it is added.
type installParams struct {
	Scopes      []string    `json:"scopes"`
	Permissions permissions `json:"permissions"`
}

// introduce makes the bot's profile say what it is, and ask for the rights that it needs where it is added from there. It
// changes what differs only, and leaves the ways to add the bot as they are where its owner has an address of their own.
func (r registrar) introduce(ctx context.Context, app string) {
	var now application
	err := r.insist(ctx, func(ctx context.Context) error {
		return r.rest.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointApplication("@me"), route: "get application", reply: &now})
	})
	if err != nil {
		return
	}
	if now.Endpoint != "" {
		r.log.Warn("Discord sends commands and presses elsewhere, and none to the bot: clear the Interactions Endpoint URL in the developer portal",
			"url", now.Endpoint)
	}
	if want := r.description(); now.Description != want {
		_ = r.insist(ctx, func(ctx context.Context) error { return r.describe(ctx, want) })
	}
	if installs, changed := now.installs(); changed {
		_ = r.insist(ctx, func(ctx context.Context) error {
			return r.edit(ctx, map[string]any{"integration_types_config": installs})
		})
	}
	if now.canBeAdded() {
		me := r.self()
		me.invite = fmt.Sprintf(
			"https://discord.com/oauth2/authorize?client_id=%s&integration_type=%s&scope=bot+applications.commands&permissions=%d",
			app, guildInstall, int64(addedRights),
		)
		r.own.Store(&me)
	}
	r.log.Debug("the bot is introduced")
}

// identify finds out which application this is; empty if ctx has ended.
func (r registrar) identify(ctx context.Context) string {
	var found application
	_ = r.insist(ctx, func(ctx context.Context) error {
		return r.rest.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointApplication("@me"), route: "get application", reply: &found})
	})
	return found.ID
}

// insist does something until Discord has taken it or refuses it for good, which is logged.
func (r registrar) insist(ctx context.Context, do func(context.Context) error) error {
	for pause := firstRetry; ; pause = min(2*pause, maxRetry) {
		try, cancel := context.WithTimeout(ctx, deliverTime)
		err := do(try)
		cancel()
		var refused *apiError
		final := errors.As(err, &refused) && refused.status < 500 && refused.status != http.StatusTooManyRequests
		if err == nil || ctx.Err() != nil {
			return err
		}
		r.log.Warn("the bot's profile was not set", "error", err, "again", !final)
		if final || outbox.SleepUntil(ctx, time.Now().Add(pause)) != nil {
			return err
		}
	}
}

// description is what the bot is, a line in each of its languages.
func (r registrar) description() string {
	var lines []string
	for _, tag := range words.Tags() {
		lines = append(lines, r.say("profile.short", tag))
	}
	return cut(strings.Join(lines, "\n"), maxProfile)
}

// describe changes the description: to a text for all languages, as Discord's specification has it, or, if that is
// refused, to a text alone, as its documentation has it.
func (r registrar) describe(ctx context.Context, text string) error {
	err := r.edit(ctx, map[string]any{"description": map[string]string{"default": text}})
	var refused *apiError
	if errors.As(err, &refused) && refused.status == http.StatusBadRequest {
		return r.edit(ctx, map[string]any{"description": text})
	}
	return err
}

func (r registrar) edit(ctx context.Context, changes map[string]any) error {
	return r.rest.do(ctx, call{method: http.MethodPatch, url: discordgo.EndpointApplication("@me"), route: "edit application", body: changes})
}

// canBeAdded reports whether anybody may add the application to a server.
func (a application) canBeAdded() bool {
	_, guilds := a.Installs[guildInstall]
	return (a.Public == nil || *a.Public) && (guilds || a.Installs == nil)
}

// installs are the ways to add the application with the rights that it needs in a server, and whether they are other ones
// than now.
func (a application) installs() (map[string]installation, bool) {
	now, guilds := a.Installs[guildInstall]
	scopes := []string{"applications.commands", "bot"}
	asks := now.Params != nil && now.Params.Permissions == addedRights && slices.Equal(slices.Sorted(slices.Values(now.Params.Scopes)), scopes)
	if !guilds || !a.canBeAdded() || a.CustomInstall != "" || asks {
		return nil, false
	}
	all := maps.Clone(a.Installs)
	all[guildInstall] = installation{&installParams{scopes, addedRights}}
	return all, true
}
