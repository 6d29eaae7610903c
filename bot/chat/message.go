// Package chat is what the platforms' adapters and the bot say to each other: an adapter makes a Request of what happened,
// and shows the Response. It knows no platform, no game and no store.
package chat

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"zevaka/bot/picture"
	"zevaka/engine"
)

// Platform is where people talk: one small letter, which also begins a community's text form. One that this program
// doesn't serve may stand in its database.
type Platform byte

// The platforms.
const (
	Web      Platform = 'w'
	Discord  Platform = 'd'
	Telegram Platform = 't'
)

// HasServers reports whether the groups to which the bot is added are called servers.
func (p Platform) HasServers() bool { return p == Discord }

// HasEphemerals reports whether a message for one person can always stand among those for everybody, with buttons that nobody
// else sees, and become something else when they press one.
func (p Platform) HasEphemerals() bool { return p == Discord }

// HasDirect reports whether the bot can write to people in private chats, at least to some.
func (p Platform) HasDirect() bool { return p == Discord || p == Telegram }

// Calls is how many people one message can notify, or has room to name; 0 where nobody can be notified who isn't looking.
func (p Platform) Calls() int {
	switch p {
	case Telegram:
		return 5 // It shows more names as mentioned, and notifies those no more.
	case Discord:
		return 20
	}
	return 0
}

// DrawsTables reports whether tables at which several play are drawn by the platform itself: a picture of one is of no use
// there.
func (p Platform) DrawsTables() bool { return p == Web }

// ReadsApart reports whether each reads what is for all in their own language, because the platform can show it to them so.
func (p Platform) ReadsApart() bool { return p == Web }

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
	// Admin says that the person may manage the place, and OfPart that they may manage that place alone, and not its whole community.
	Admin, OfPart bool
	// Bot says that this is no person.
	Bot bool
	// Anonymous says that nobody knows which person this is: somebody who speaks for the place itself. They can open a
	// table and, as an Admin, manage one, but not sit at it; what only they should read, everybody in the place reads.
	Anonymous bool
}

// AdminOfAll reports whether the person may manage the whole community.
func (u User) AdminOfAll() bool { return u.Admin && !u.OfPart }

// Kind is what a Request asks for.
type Kind uint8

// The kinds of requests.
const (
	// Command: Data is a line as typed, beginning with a slash. In a private chat with the bot it may be anything else that
	// somebody has typed there.
	Command Kind = iota + 1
	// Press: Data is the token of the button.
	Press
	// Timeout: Data is what the clock was told; nobody but the clock makes these.
	Timeout
	// Shown: Data is the Receipt of a Post that now stands in the message On.
	Shown
	// Gone: the place was deleted, or the bot was removed from it, by By; without a Channel, the whole community. Data is
	// empty.
	Gone
	// Migrated: the community goes on under another ID: Data is the new one's text form, In is any place of the old one.
	Migrated
	// Talk: somebody said something to the others. Where the adapter itself passes it on, it asks first whether that comes
	// too fast; there is nothing else to answer. Data is empty.
	Talk
	// Followed: Data is the Token of a Button with Private, from the link that leads whoever follows it to their private chat
	// with the bot. Anybody can write such a link, so it takes up an offer that is stored, or begins a lesson there, and never does
	// anything else.
	Followed
	// Unreached: the Direct post with the Receipt that is Data could not be brought to its reader, and never can as things are.
	// Nobody but adapters make these.
	Unreached
	// Missed is as Unreached, but the next such post may reach its reader.
	Missed
	// Left: Who isn't in the community any more. Data is Expelled where somebody else saw to that, who is By, else empty.
	Left
	// Arrived: the bot was added to the place, or is in it again. Who is whoever did that, as far as it is known. Data is
	// empty.
	Arrived
)

// Expelled says in a Left that somebody else has taken the person from the community.
const Expelled = "expelled"

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
	// Table is the name of the table that the person looks at while they type a command; empty where nobody can say. It is only
	// a hint as to which table they mean.
	Table string
	// On is the message that bore the button, or in a Shown the message that now stands there.
	On Ref
	// FromOutside says that the request was made in the person's private chat with the bot, or at the live table, though In is the
	// place that it is about. Member tells whether the person is in a community now, for what is asked from outside it; nil
	// where nobody can say.
	// Apart is that private chat.
	FromOutside bool
	Apart       Place
	Member      func(context.Context, Community) (bool, error)
	// Live says that the request was made at the live table, which everybody sees in their own language. Who has a seat plays on
	// there as long as Member doesn't say that they have left.
	Live bool
	// By is the person who has removed the bot, or Who, where the platform says so; else 0.
	By int64
	// From is what the request came from, where that is no platform which vouches for its users: all requests of one
	// machine, or of one household, have the same. Empty where nothing has to be counted so.
	From string

	barred error
}

// Bar notes why the one who asks can only do what concerns nobody else; nil if they can do the rest, too. The bot itself
// finds that out.
func (r *Request) Bar(why error) { r.barred = why }

// Barred is what Bar has noted.
func (r Request) Barred() error { return r.barred }

// Ref is the platform's name of one message in a place; the empty Ref is no message. The bot doesn't look into it.
type Ref string

// Response is what there is to say. It is data: nothing has been sent yet, and all that it tells is durable.
type Response struct {
	// Toast is a line for the one who pressed, privately, of at most 200 characters; empty if there is nothing to say.
	Toast string
	// Done is a line for the one who asked, where a line costs nothing and the Posts show the outcome, if not as soon; empty if there is
	// nothing to say.
	Done string
	// Named is the token of the move that the Toast names; empty if it names none.
	Named string
	// Opened is the text form of the ID of the table that was opened, or that the one who asked was taken to; empty if there is
	// none.
	Opened string
	// Alert says that the Toast is a refusal, or something else that should not be overlooked.
	Alert bool
	// Behind says that the Toast refuses a button that the table's newest picture doesn't have: whoever pressed it saw an older
	// one.
	Behind bool
	// Over says that the pressed message is a question that was answered before: its buttons are of no use.
	Over bool
	// Untyped says that the Toast refuses a press for nothing but that it had no Text, which its button has an Ask for.
	Untyped bool
	// Forgotten says that the bot keeps the name of the one who asked no more: what the platform itself would go on showing of them to others is
	// to go, too.
	Forgotten bool
	// TooFast says that a Gate has turned the request away: nothing was done.
	TooFast bool
	// Posts are messages to show, in order.
	Posts []Post
}

// Post is a message and where it goes.
type Post struct {
	In Place
	// To is the one person who may read it; nil means everybody in the place.
	To *User
	// Direct says that the post goes to the private chat that To has with the bot, whatever place it is about; one that can't be
	// brought there comes back as an Unreached request, and nothing is shown elsewhere. Its Receipt is for that alone. About is
	// the message of the community that it, or another post for To alone, leads to; empty for none.
	Direct bool
	About  Ref
	// Open says how little of a secret it is to others. A platform that can't show it on the spot to To alone shows it to
	// everybody there, where it isn't Secret.
	Open Openness
	// Edit is the message that this one replaces; empty: it is a new one. Where that message is gone, a new one is made.
	Edit Ref
	// Delete says that the message Edit is taken away, as soon as the picture stands that comes next, if that is a new message
	// of a table's. Where it can't be deleted it loses its buttons.
	Delete bool
	// Table names the table whose picture this is, and Level is how far it had come: a sender never lets a picture of
	// a lower level be the last one shown for its table. A Post with a Level of 0 has no order. A message with no
	// buttons that replaces a table's older message has Table empty.
	Table string
	Level uint64
	// Receipt, if not empty, is the Data of the Shown request that the adapter makes once this stands in a message
	// other than Edit; of a Final one in any case. An edit that went well needs no report.
	Receipt string
	// Final says that this is the table's last picture, Won that it tells who of several people has won.
	Final, Won bool
	// People are those who play at the table that the post tells of; nil where nobody asks, as elsewhere than in the room.
	People []int64
	// Mention are the users whom the post may notify; Quiet says that nobody is to hear that.
	Mention []User
	Quiet   bool
	// Request is the ID of the request that the post answers, for those who follow it.
	Request string
	// Turn is the user whose turn it is in a table's picture, 0 if it is nobody's; Left is the time that the turn has, or that all have before the
	// table itself moves, 0 where there is no limit.
	Turn int64
	Left time.Duration
	// Shared says that people wait for each other at the table.
	Shared bool
	// Message is empty as long as there is a Draw.
	Message
	// Draw, if not nil, draws the Message, at any time and beside anything else; false if that went wrong, which is logged
	// then. Only what everybody may read has one: a table's picture, in whose place often a newer one is shown, and what
	// is left of an older one. Senders call Drawn.
	Draw func() (Message, bool)
	// Each is the Message in each language of the house, by its tag, where everybody reads their own; nil for what is the same for all.
	Each map[string]Message
}

// Openness is how little of a secret an answer is.
type Openness uint8

// The kinds of answers.
const (
	// Secret is what nobody else may read: cards, chips, what is kept about somebody; or what is too long to be put before all.
	Secret Openness = iota
	// Personal is what others may read, but have no use for: only who has asked may press its buttons.
	Personal
	// Common is the same for whoever asks, and anybody may press its buttons. Where several ask at the same time it may be
	// said once. Its To may be nil.
	Common
	// Aloud is what all are to read, however it was asked for, and as soon as it can be said. Its To is nil.
	Aloud
)

// Drawn is the post with its Message; false if that can't be drawn, and nothing is to be sent.
func (p Post) Drawn() (Post, bool) {
	ok := true
	if p.Draw != nil {
		p.Message, ok = p.Draw()
		p.Draw = nil
	}
	return p, ok
}

// Message is what a person sees, before any platform's markup.
type Message struct {
	Text []Span
	// Picture stands above the Text, which then has at most 1,000 characters; nil where there is none.
	Picture *picture.Picture
	// File comes along below the Text, which then has at most 1,000 characters; nil where there is none. Only a new message
	// for one person has one, with no Picture beside it.
	File *File
	// Choices are lists to choose from, above the buttons. Where there are any, they and the rows of buttons are at most
	// 5 in all.
	Choices []Menu
	// Buttons are rows of buttons, first row on top, at most 5 in a row and 25 in all.
	Buttons [][]Button
}

// File is a file to keep.
type File struct {
	// Name is the file's, of letters, digits, hyphens and a dot, as "mydata.json".
	Name string
	// Data is at most MaxFile bytes: JSON in UTF-8, or the animated picture of a name that ends in ".gif".
	Data []byte
}

// MaxFile is how many bytes a file may have.
const MaxFile = 2 << 20

// Moves reports whether the file is an animated picture.
func (f *File) Moves() bool { return strings.HasSuffix(f.Name, ".gif") }

// Kind is the file's media type.
func (f *File) Kind() string {
	if f.Moves() {
		return "image/gif"
	}
	return "application/json"
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
	// User, if not 0, is the person whose account the span names. A platform shows its own name of that account where it
	// knows one, and notifies nobody; Text is the number of the account.
	User int64 `json:",omitempty"`
	// Of, if not 0, is the person whose name the text is.
	Of int64 `json:",omitempty"`
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
	// Ask, if not empty, is a question for whoever presses: the Press is made with the answer as its Text. Made with no Text it
	// comes to nothing, and is Untyped for whom the question is worth putting to. A platform that can't ask leaves the button
	// out; there is always a command for the same.
	Ask string
	// Private says that the button leads whoever presses it to their private chat with the bot, where the Token comes as the
	// Data of a Followed request. Only a place that is Crowded gets such buttons.
	Private bool
	// Copies, if not empty, is a text of at most 256 characters that the button puts where whoever presses it can paste it from; it has
	// no Token. A platform that can't do so leaves it out: the text stands in the message, too.
	Copies string
	// Leads says that the button leads to the private chat with the bot and does nothing else; it has no Token. A platform without such an
	// address leaves it out.
	Leads bool
	// Adds says that the button leads to where the bot is added to a group; it has no Token. A platform without such an
	// address leaves it out.
	Adds bool
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

// MaxToast is how many characters a toast may have.
const MaxToast = 200

// ByPerson reports whether such a request is made by somebody who presses, or types for the bot.
func (k Kind) ByPerson() bool { return k == Press || k == Command || k == Followed }

// MigratedTo is the place in the community's new ID.
func (p Place) MigratedTo(to Community) Place {
	if p.Channel == p.Community.ID {
		p.Channel = to.ID
	}
	p.Community = to
	return p
}

// Same reports whether two places are the same channel and thread.
func (p Place) Same(other Place) bool {
	return p.SameChannel(other) && p.Thread == other.Thread
}

// SameChannel reports whether two places are the same channel, in whichever thread.
func (p Place) SameChannel(other Place) bool {
	return p.Community == other.Community && p.Channel == other.Channel
}

// ErrToken refuses a token that the house didn't write.
const ErrToken engine.Refusal = "bad-button"

// ParseCommunity reads a community's text form, as String makes it. The error says that the text is none.
func ParseCommunity(text string) (Community, error) {
	if len(text) < 2 {
		return Community{}, ErrToken
	}
	id, err := strconv.ParseInt(text[1:], 36, 64)
	c := Community{Platform: Platform(text[0]), ID: id}
	if err != nil || c.Platform < 'a' || c.Platform > 'z' || c.String() != text {
		return Community{}, ErrToken
	}
	return c, nil
}

// Offer is a question and its answers: a few as buttons, one below the other, many in lists.
func Offer(question string, answers []Button) Message {
	const few = 5
	m := Message{Text: []Span{{Text: question}}}
	if len(answers) > few {
		m.Choices = Menus(question, answers)
	} else {
		m.Buttons = slices.Collect(slices.Chunk(answers, 1))
	}
	return m
}

// Units is how long a platform finds a text that counts in UTF-16, as Discord and Telegram do.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += UnitsOf(r)
	}
	return n
}

// UnitsOf is how long it finds one character.
func UnitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
