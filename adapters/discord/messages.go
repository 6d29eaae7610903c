package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
)

// original is the webhook's name of the message that answered, or of the one that was pressed.
const original = "@original"

// callback is the answer to an interaction, as Discord reads it.
type callback struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// enclosure is what comes along with an answer.
func (c callback) enclosure() enclosure {
	if b, ok := c.Data.(*body); ok {
		return b.enclosure
	}
	return enclosure{}
}

// body is a message, as Discord reads it. What is nil stays as it is when the message replaces another.
type body struct {
	Content    *string                 `json:"content,omitempty"`
	Components *[]discordgo.ActionsRow `json:"components,omitempty"`
	// Attachments are all the files that the message has: of those it had none stays.
	Attachments *[]attachment          `json:"attachments,omitempty"`
	Flags       discordgo.MessageFlags `json:"flags,omitempty"`
	Mentions    mentions               `json:"allowed_mentions"`
	// Nonce makes a new message the same as an earlier one with the same.
	Nonce   string `json:"nonce,omitempty"`
	Enforce bool   `json:"enforce_nonce,omitempty"`
	enclosure
}

// enclosure is what belongs to a message and isn't its JSON.
type enclosure struct {
	// picture and file are the one file that comes along; both are nil if none does.
	picture *picture.Picture
	file    *chat.File
	// of is the community whose table the message shows, which only the process that serves it may show; nil for no table.
	of *chat.Community
	// who is whose share of a limit it takes: a table's, or else that of all that shows no table. Spare says that it may wait.
	who   string
	spare bool
	// channel is where a message stands that follows an answer.
	channel string
}

// mentions are who may be notified: nobody but the users.
type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

// MarshalJSON writes an empty list where the library would write that everybody may be notified.
func (m mentions) MarshalJSON() ([]byte, error) {
	if len(m.Users) == 0 {
		return []byte(`{"parse":[]}`), nil
	}
	return fmt.Appendf(nil, `{"parse":[],"users":["%s"]}`, strings.Join(m.Users, `","`)), nil
}

// The routes of what goes to channels, routeFollow of what does by an interaction, and routeChannel of a question for one.
const (
	routeFollow = "follow"
	routePost   = "post"
	routeEdit   = "edit"
	routeDelete = "delete"

	routeChannel = "channel"
)

// message is what is read of a message that was made.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
}

// post makes a message in a channel. It is made once, however often it is tried.
func (c *client) post(ctx context.Context, channel string, b body) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	b.Enforce = b.Nonce != ""
	var made message
	err = c.do(ctx, call{
		method: http.MethodPost, url: discordgo.EndpointChannelMessages(channel), route: routePost, major: channel,
		body: b, enclosure: b.enclosure, reply: &made, once: b.Nonce == "",
	})
	if err == nil && (number(made.ID) == 0 || made.Channel != channel) {
		err = errOdd
	}
	return made.ID, err
}

// errOdd is an answer that isn't one to what was asked.
var errOdd = errors.New("discord's answer is about something else")

// edit makes a message in a channel something else.
func (c *client) edit(ctx context.Context, channel, id string, b body) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	var made message
	err := c.do(ctx, call{
		method: http.MethodPatch, url: discordgo.EndpointChannelMessage(channel, id), route: routeEdit, major: channel,
		body: b, enclosure: b.enclosure, reply: &made,
	})
	if err == nil && made.ID != id {
		err = errOdd
	}
	return err
}

// delete takes a message away from a channel, which is of a table of that community; nil for no table.
func (c *client) delete(ctx context.Context, channel, message string, of *chat.Community) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	return c.do(ctx, call{
		method: http.MethodDelete, url: discordgo.EndpointChannelMessage(channel, message), route: routeDelete, major: channel,
		enclosure: enclosure{of: of},
	})
}

// editOriginal makes the message something else that answered an interaction, or that was pressed.
func (c *client) editOriginal(ctx context.Context, app, token string, b body) error {
	return c.onOriginal(ctx, call{method: http.MethodPatch, route: "edit original", body: b, enclosure: b.enclosure}, app, token)
}

// originalID is the ID of the message that answered an interaction.
func (c *client) originalID(ctx context.Context, app, token string) (string, error) {
	var found message
	err := c.onOriginal(ctx, call{method: http.MethodGet, route: "get original", reply: &found}, app, token)
	return found.ID, err
}

// deleteOriginal takes the message away that answered an interaction.
func (c *client) deleteOriginal(ctx context.Context, app, token string) error {
	return c.onOriginal(ctx, call{method: http.MethodDelete, route: "delete original"}, app, token)
}

// guild asks for a server; without an error the bot is a member of it.
func (c *client) guild(ctx context.Context, guild int64) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	id := strconv.FormatInt(guild, 10)
	return c.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointGuild(id), route: "get guild", major: id})
}

// hasVanished reports whether a channel that is asked for isn't there.
func (c *client) hasVanished(ctx context.Context, channel int64) bool {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	_, err := c.recipients(ctx, strconv.FormatInt(channel, 10))
	return hasCode(err, codeUnknownChannel)
}

// parent is the channel that a thread belongs to; 0 of a channel that is no thread.
func (c *client) parent(ctx context.Context, channel int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	var found discordgo.Channel
	id := strconv.FormatInt(channel, 10)
	err := c.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointChannel(id), route: routeChannel, major: id, reply: &found})
	parent, said := parentOf(&found)
	if err == nil && (!said || found.ID != id) {
		err = errOdd
	}
	return parent, err
}

// parentOf is the channel that a thread belongs to; 0 of a channel that is no thread. False: Discord doesn't say.
func parentOf(c *discordgo.Channel) (parent int64, said bool) {
	if !c.IsThread() {
		return 0, c.ID != ""
	}
	parent = number(c.ParentID)
	return parent, parent != 0
}

func (c *client) onOriginal(ctx context.Context, call call, app, token string) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	call.url, call.major, call.free = discordgo.EndpointWebhookMessage(app, token, original), token, true
	return c.do(ctx, call)
}

// follow puts up one more message after the answer to an interaction.
func (c *client) follow(ctx context.Context, app, token string, b body) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	var made message
	err = c.do(ctx, call{
		method: http.MethodPost, url: discordgo.EndpointWebhookToken(app, token) + "?wait=true", route: routeFollow, major: token,
		free: true, once: true, body: b, enclosure: b.enclosure, reply: &made,
	})
	return made.ID, err
}

// open is the chat that somebody has with the bot, which is made where there is none.
func (c *client) open(ctx context.Context, user int64) (channel string, err error) {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	var found message
	err = c.do(ctx, call{
		method: http.MethodPost, url: discordgo.EndpointUserChannels("@me"), route: "open a chat", reply: &found,
		body: map[string]string{"recipient_id": strconv.FormatInt(user, 10)},
	})
	return found.ID, err
}
