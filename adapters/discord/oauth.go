package discord

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/bwmarrin/discordgo"
)

// kindClient is how Discord refuses a client that doesn't know its secret.
const kindClient = "invalid_client"

// noLogin is for calls that go without anybody's token.
const noLogin = "none"

// account is a person as they let the application see them.
type account struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
	Locale     string `json:"locale"`
	Bot        bool   `json:"bot"`
	System     bool   `json:"system"`
}

// exchange gives a code that a client was given for somebody, and gets a token for them.
func (c *client) exchange(ctx context.Context, app, secret, code string) (token string, err error) {
	var made struct {
		Token string `json:"access_token"`
		Type  string `json:"token_type"`
	}
	err = c.do(ctx, call{
		method: http.MethodPost, url: discordgo.EndpointOAuth2 + "token", route: "exchange a code", once: true, free: true, login: noLogin, reply: &made,
		form: url.Values{"grant_type": {"authorization_code"}, "client_id": {app}, "client_secret": {secret}, "code": {code}},
	})
	if err == nil && (made.Token == "" || made.Type != "Bearer") {
		err = errors.New("discord gives no token for a code")
	}
	return made.Token, err
}

// me is whom a token is for. No two of these calls share a limit, which is each person's own.
func (c *client) me(ctx context.Context, token, id string) (account, error) {
	var found account
	err := c.do(ctx, call{
		method: http.MethodGet, url: discordgo.EndpointUser("@me"), route: "who", major: id, free: true, login: "Bearer " + token, reply: &found,
	})
	return found, err
}

// instance is an Activity that runs somewhere.
func (c *client) instance(ctx context.Context, app, id string) (instance, error) {
	var found instance
	err := c.do(ctx, call{
		method: http.MethodGet, url: discordgo.EndpointApplication(app) + "/activity-instances/" + url.PathEscape(id), route: "activity", reply: &found,
	})
	return found, err
}

// recipients are the others in a chat of the bot's own; none in a channel of another kind.
func (c *client) recipients(ctx context.Context, channel string) ([]string, error) {
	var found struct {
		Type       discordgo.ChannelType `json:"type"`
		Recipients []message             `json:"recipients"`
	}
	err := c.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointChannel(channel), route: routeChannel, major: channel, reply: &found})
	if err != nil || found.Type != discordgo.ChannelTypeDM {
		return nil, err
	}
	var all []string
	for _, one := range found.Recipients {
		all = append(all, one.ID)
	}
	return all, nil
}
