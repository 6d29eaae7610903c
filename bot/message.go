package bot

import (
	"context"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Platform is where people talk: one letter, which also begins a community's text form.
type Platform byte

// The platforms.
const (
	Web      Platform = 'w'
	Discord  Platform = 'd'
	Telegram Platform = 't'
)

// Community is the group of people whose tables and chips belong together: a Discord guild, a Telegram chat with its
// topics, the room. A private chat is a community of its own.
type Community struct {
	Platform Platform
	ID       int64
}

// String is the community's short text form, as in keys and tokens: the platform's letter and the ID in base 36.
func (c Community) String() string {
	return string(rune(c.Platform)) + strconv.FormatInt(c.ID, 36)
}

// Place is where a message stands: a channel, thread or topic of a community.
type Place struct {
	Community Community
	Channel   int64
	// Thread is the thread or topic in the channel; 0 where there is none.
	Thread int64
	// Lang is the language that the platform knows of the place, as "ru" or "pt-BR"; empty if it knows none.
	Lang string
	// Private says that only the bot and one person are here.
	Private bool
	// Guest says that the bot is no member of the place: it can only answer there what somebody asks.
	Guest bool `json:",omitempty"`
	// Crowded says that all tables here share what may be shown, and that there are private chats with the bot: who wants
	// to play alone is asked first whether to do it there.
	Crowded bool `json:",omitempty"`
}

// User is a person as the platform vouches for them.
type User struct {
	ID int64
	// Name is whatever the person is called; anything may stand in it.
	Name string
	// Lang is the person's language, as "pl" or "en-GB"; empty if unknown.
	Lang string
	// Admin says that the person may manage the place.
	Admin bool
	// Bot says that this is no person.
	Bot bool
	// Nameless says that nobody knows which person this is: somebody who speaks for the place itself. They can open a
	// table and, as an Admin, manage one, but not sit at it; what only they should read, everybody in the place reads.
	Nameless bool
}

// Kind is what a Request asks for.
type Kind uint8

// The kinds of requests.
const (
	// Command: Data is a line as typed, beginning with a slash.
	Command Kind = iota + 1
	// Press: Data is the token of the button.
	Press
	// Timeout: Data is what the clock was told; nobody but the clock makes these.
	Timeout
	// Shown: Data is the Receipt of a Post that now stands in the message On.
	Shown
	// Gone: the place was deleted, or the bot was removed from it; without a Channel, the whole community. Data is
	// empty.
	Gone
	// Moved: the community goes on under another ID: Data is the new one's text form, In is any place of the old one.
	Moved
)

// Request is something that happened on a platform, or on the clock.
type Request struct {
	// ID is the platform's name of the event, the same when it is delivered again, and no other event's.
	ID   string
	Who  User
	In   Place
	Kind Kind
	Data string
	// Text is what the person typed after pressing a button that asks.
	Text string
	// On is the message that bore the button, or in a Shown the message that now stands there.
	On Ref
}

// Ref is the platform's name of one message in a place; the empty Ref is no message. The bot doesn't look into it.
type Ref string

// Response is what there is to say. It is data: nothing has been sent yet, and all that it tells is durable.
type Response struct {
	// Toast is a line for the one who pressed, privately, of at most 200 characters; empty if there is nothing to say.
	Toast string
	// Alert says that the Toast is a refusal, or something else that should not be overlooked.
	Alert bool
	// Posts are messages to show, in order.
	Posts []Post
}

// Post is a message and where it goes.
type Post struct {
	In Place
	// To is the one person who may read it; nil means everybody in the place.
	To *User
	// Edit is the message that this one replaces; empty: it is a new one. Where that message is gone, a new one is made.
	Edit Ref
	// Table names the table whose picture this is, and Level is how far it had come: a sender never lets a picture of
	// a lower level be the last one shown for its table. A Post with a Level of 0 has no order. A message with no
	// buttons that replaces a table's older message has Table empty.
	Table string
	Level uint64
	// Receipt, if not empty, is the Data of the Shown request that the adapter makes once this stands in a message
	// other than Edit; of a Final one in any case. An edit that went well needs no report.
	Receipt string
	// Final says that this is the table's last picture.
	Final bool
	// Mention is the one user whom the post may notify; nil nobody.
	Mention *User
	// Request is the ID of the request that the post answers, for those who follow it.
	Request string
	// Turn is the user whose turn it is in a table's picture, 0 if it is nobody's; Left is the time that the turn has,
	// 0 where there is no limit.
	Turn int64
	Left time.Duration
	Message
}

// Message is what a person sees, before any platform's markup.
type Message struct {
	Text []Span
	// Picture stands above the Text, which then has at most 1,000 characters; nil where there is none.
	Picture *Picture
	// Choices are lists to choose from, above the buttons. Where there are any, they and the rows of buttons are at most
	// 5 in all.
	Choices []Menu
	// Buttons are rows of buttons, first row on top, at most 5 in a row and 25 in all.
	Buttons [][]Button
}

// Menu is a list from which a person chooses one thing, which is the same as pressing a button: lists that open where
// the platform has them, elsewhere buttons.
type Menu struct {
	// Prompt says what there is to choose, as long as nothing is chosen, in at most 150 characters.
	Prompt string
	// Items are at most MaxItems, at least one. Their Labels are at most 100 characters; a platform may leave out Look.
	Items []Button
}

// MaxItems is how many things a Menu may offer.
const MaxItems = 25

// Menus are as many lists as the items need, each with the same prompt.
func Menus(prompt string, items []Button) []Menu {
	var menus []Menu
	for part := range slices.Chunk(items, MaxItems) {
		menus = append(menus, Menu{Prompt: prompt, Items: part})
	}
	return menus
}

// Rows are the message's lists and buttons for a platform that has only buttons: those of the lists at most perRow in a
// row, fewer where their labels are long, then the buttons as they are.
func (m Message) Rows(perRow int) [][]Button {
	const letters = 36 // What a phone shows side by side.
	var rows [][]Button
	for _, menu := range m.Choices {
		var row []Button
		width := 0
		for _, item := range menu.Items {
			n := utf8.RuneCountInString(item.Label) + 2
			if len(row) > 0 && (len(row) >= perRow || width+n > letters) {
				rows, row, width = append(rows, row), nil, 0
			}
			row = append(row, item)
			width += n
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return append(rows, m.Buttons...)
}

// Span is a run of text in one style. Line breaks are "\n" in Text.
type Span struct {
	Text  string
	Style Style
}

// Style is how a span looks, where the platform can.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Strong
	Faint
	// Code is for hashes and texts to be copied as they are: fixed width.
	Code
	// Red is for hearts and diamonds.
	Red
)

// Button is a thing to press.
type Button struct {
	// Label is at most 80 characters, and short.
	Label string
	// Token is what comes back as the Data of a Press: at most 64 bytes, unique in its message.
	Token string
	Look  Look
	// Ask, if not empty, is a question for whoever presses: the Press is made only when it is answered, with the answer
	// as its Text. A platform that can't ask leaves the button out; there is always a command for the same.
	Ask string
	// Aside says that the button leads whoever presses it to their private chat with the bot, and that the Press is made
	// there. Only a place that is Crowded gets such buttons.
	Aside bool
}

// Look is how a button looks, where the platform can.
type Look uint8

// The looks of buttons.
const (
	Quiet Look = iota
	// Primary is what most people will want to press.
	Primary
	// Danger ends or takes away something.
	Danger
)

// Handler is the one door between a platform and the games: *Bot, and what stands before it.
type Handler interface {
	Handle(ctx context.Context, r Request) Response
}
