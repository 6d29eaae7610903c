package discord

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// What a message can hold.
const (
	maxRows   = 5
	maxInRow  = 5
	maxCustom = 100
	// maxTitle is how long a modal's title is, and the name of its field.
	maxTitle = 45
	// maxTyped is how much may be typed into a modal.
	maxTyped = 200
	// maxAlt is how long a picture's description is.
	maxAlt = 1024
)

// render is a post as Discord shows it: a whole message, in place of whatever stood there.
func (me identity) render(p chat.Post) body {
	b := body{Components: me.rows(p.Message)}
	text := me.markdown(p.Text, 1)[0]
	if len(p.Mention) > 0 {
		called := ""
		for _, u := range p.Mention {
			id := strconv.FormatInt(u.ID, 10)
			b.Mentions.Users = append(b.Mentions.Users, id)
			called += "<@" + id + "> "
		}
		if strings.HasPrefix(text, small) {
			called = strings.TrimSpace(called) + "\n" // It counts at a line's start only.
		}
		if text = called + strings.Join(me.markdown(p.Text, 1), ""); chat.Units(text) > maxContent {
			text = strings.TrimSpace(called)
		}
	}
	if strings.TrimSpace(text) == "" && len(*b.Components) == 0 {
		text = "…"
	}
	b.Content = &text
	if p.Picture != nil || !p.Final { // Above a table's last words its last picture stays.
		b.attach(p.Picture)
	}
	if p.Table != "" {
		b.of = &p.In.Community
	}
	return b
}

// hush has a new message heard by nobody where its post wants that.
func (b *body) hush(p chat.Post) {
	if p.Quiet {
		b.Flags |= discordgo.MessageFlagsSuppressNotifications
	}
}

// countDown adds a line that counts down to a time, by itself.
func (b *body) countDown(ends time.Time) {
	if ends.IsZero() {
		return
	}
	if text := fmt.Sprintf("%s\n-# ⏳ <t:%d:R>", *b.Content, ends.Unix()); chat.Units(text) <= maxContent {
		b.Content = &text
	}
}

// pages are a post for one person: as many messages as its text needs, the buttons under the last.
func (me identity) pages(p chat.Post) []body {
	var all []body
	for _, text := range me.markdown(p.Text, maxPages) {
		if strings.TrimSpace(text) == "" {
			text = "…"
		}
		all = append(all, body{Content: &text, Components: &[]discordgo.ActionsRow{}})
	}
	last := &all[len(all)-1]
	last.Components = me.rows(p.Message)
	switch {
	case p.Picture != nil:
		last.attach(p.Picture)
	case p.File != nil:
		last.file, last.Attachments = p.File, &[]attachment{{ID: "0", Filename: p.File.Name, Description: p.File.Name}}
	}
	return all
}

// note is a line of plain text for one person.
func (me identity) note(text string) body {
	var out strings.Builder
	me.escape(&out, cut(text, maxContent/2))
	content := out.String()
	return body{Content: &content, Components: &[]discordgo.ActionsRow{}}
}

// addLine adds a line to a text, if it is not empty.
func (b *body) addLine(line string) {
	if line == "" || b.Content == nil {
		return
	}
	text := *b.Content + "\n" + line
	b.Content = &text
}

// rows are the lists and the rows of buttons of a message, rearranged if they are more than it holds.
func (me identity) rows(m chat.Message) *[]discordgo.ActionsRow {
	all := []discordgo.ActionsRow{}
	m = spread(m)
	for n, choice := range m.Choices[:min(len(m.Choices), maxRows)] {
		if list, ok := menu(choice, n); ok {
			all = append(all, discordgo.ActionsRow{Components: []discordgo.MessageComponent{list}})
		}
	}
	buttons := m.Buttons
	room := maxRows - len(all)
	fits := len(buttons) <= room
	for _, row := range buttons {
		fits = fits && len(row) <= maxInRow
	}
	if !fits {
		buttons = slices.Collect(slices.Chunk(slices.Concat(buttons...), maxInRow))
	}
	for _, row := range buttons[:min(len(buttons), room)] {
		r := discordgo.ActionsRow{}
		for _, b := range row {
			if address := me.address(b); address != "" {
				r.Components = append(r.Components, discordgo.Button{Label: label(b.Label, maxLabel), Style: discordgo.LinkButton, URL: address})
			} else if id := customID(b); id != "" {
				r.Components = append(r.Components, discordgo.Button{Label: label(b.Label, maxLabel), Style: style(b.Look), CustomID: id})
			}
		}
		if len(r.Components) > 0 {
			all = append(all, r)
		}
	}
	return &all
}

// address is where a button leads that leads somewhere; empty for another one, and as long as that isn't known.
func (me identity) address(b chat.Button) string {
	switch {
	case b.Adds:
		return me.invite
	case b.Leads:
		return me.chat
	}
	return ""
}

const (
	// maxSpread is how many things of lists stand as buttons, and maxSpreadLabel how long their labels are at most.
	maxSpread      = 10
	maxSpreadLabel = 30
)

// spread is the message with its lists as buttons, which take one press and not two, if they are short and there is room.
func spread(m chat.Message) chat.Message {
	var items []chat.Button
	for _, menu := range m.Choices {
		items = append(items, menu.Items...)
	}
	long := func(b chat.Button) bool { return chat.Units(b.Label) > maxSpreadLabel || customID(b) == "" }
	if len(items) > maxSpread || slices.ContainsFunc(items, long) {
		return m
	}
	drawn := slices.Collect(slices.Chunk(items, maxInRow))
	if len(drawn)+len(m.Buttons) > maxRows {
		return m
	}
	m.Choices, m.Buttons = nil, append(drawn, m.Buttons...)
	return m
}

// label is what stands on something to press, of at most n letters, with something to see in it.
func label(text string, n int) string {
	if strings.TrimSpace(text) == "" {
		return "·"
	}
	for most := n; ; most-- {
		if short := inked.Replace(cut(text, most)); chat.Units(short) <= n {
			return short
		}
	}
}

func style(l chat.Look) discordgo.ButtonStyle {
	switch l {
	case chat.Primary:
		return discordgo.PrimaryButton
	case chat.Danger:
		return discordgo.DangerButton
	}
	return discordgo.SecondaryButton
}

// askMark stands before the token, and after it, of a button that asks. No token has it.
const askMark = "?"

// customID is a button's token as Discord carries it. A button that asks takes its question along, so that it can be
// put whenever it is pressed, by whichever process. Empty: the button can't be shown.
func customID(b chat.Button) string {
	switch {
	case b.Token == "" || len(b.Token) > maxCustom:
		return ""
	case b.Ask == "":
		return b.Token
	case strings.Contains(b.Token, askMark) || len(b.Token) > maxCustom-10:
		return ""
	}
	id := askMark + b.Token + askMark
	return id + cut(b.Ask, min(maxTitle, maxCustom-chat.Units(id)))
}

// splitAsk is the token and the question of a button that asks; of another one the token alone.
func splitAsk(customID string) (token, question string, asks bool) {
	if rest, ok := strings.CutPrefix(customID, askMark); ok {
		token, question, asks = strings.Cut(rest, askMark)
		if asks && token != "" {
			return token, question, true
		}
	}
	return customID, "", false
}

// modal is a question with a field for the answer, as Discord reads it.
type modal struct {
	CustomID   string                 `json:"custom_id"`
	Title      string                 `json:"title"`
	Components []discordgo.ActionsRow `json:"components"`
}

// newModal asks a question on behalf of a button.
func newModal(token, question, title string) modal {
	if strings.TrimSpace(title) == "" {
		title = "…"
	}
	if strings.TrimSpace(question) == "" {
		question = title
	}
	field := discordgo.TextInput{
		CustomID: "text", Label: cut(question, maxTitle), Style: discordgo.TextInputShort, Required: true, MaxLength: maxTyped,
	}
	return modal{
		CustomID: cut(token, maxCustom), Title: cut(title, maxTitle),
		Components: []discordgo.ActionsRow{{Components: []discordgo.MessageComponent{field}}},
	}
}

const (
	maxItems  = 25
	maxItem   = 100
	maxPrompt = 150
)

// menuMark begins the custom id of a list. No token does.
const menuMark = "="

// menu is a list as Discord shows it, the n-th of its message; false if there is nothing in it that can be chosen. What
// its things mean stands in their values; its own id is another one when they are others, since a client goes on showing
// what was chosen as long as the id stays.
func menu(m chat.Menu, n int) (discordgo.SelectMenu, bool) {
	list := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, Placeholder: cut(m.Prompt, maxPrompt)}
	known := map[string]bool{}
	all := sha256.New()
	for _, item := range m.Items {
		value := customID(item)
		if value == "" || known[value] || len(list.Options) == maxItems {
			continue
		}
		known[value] = true
		fmt.Fprintln(all, value)
		list.Options = append(list.Options, discordgo.SelectMenuOption{Label: label(item.Label, maxItem), Value: value})
	}
	list.CustomID = fmt.Sprintf("%s%d %s", menuMark, n, base32.HexEncoding.EncodeToString(all.Sum(nil)[:10]))
	return list, len(list.Options) > 0
}

// pickedID is the custom id of the button that was pressed, or what was chosen from a list; empty for a choice of nothing,
// of several things, and from a list that is none of the bot's.
func pickedID(data discordgo.MessageComponentInteractionData) string {
	switch {
	case data.ComponentType == discordgo.ButtonComponent:
		return data.CustomID
	case !strings.HasPrefix(data.CustomID, menuMark) || len(data.Values) != 1:
		return ""
	}
	return data.Values[0]
}
