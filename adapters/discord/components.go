package discord

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
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
)

// render is a post as Discord shows it: a whole message, in place of whatever stood there.
func render(p bot.Post) body {
	b := body{Components: rows(p.Buttons)}
	text := markdown(p.Text, 1)[0]
	if p.Mention != nil {
		id := strconv.FormatInt(p.Mention.ID, 10)
		b.Mentions.Users = []string{id}
		text = "<@" + id + "> " + strings.Join(markdown(p.Text, 1), "")
		if units(text) > maxContent {
			text = "<@" + id + ">"
		}
	}
	if strings.TrimSpace(text) == "" && len(*b.Components) == 0 {
		text = "…"
	}
	b.Content = &text
	return b
}

// countDown adds a line that counts down to a time, by itself.
func (b *body) countDown(ends time.Time) {
	if ends.IsZero() {
		return
	}
	if text := fmt.Sprintf("%s\n-# ⏳ <t:%d:R>", *b.Content, ends.Unix()); units(text) <= maxContent {
		b.Content = &text
	}
}

// pages are a post for one person: as many messages as its text needs, the buttons under the last.
func pages(p bot.Post) []body {
	var all []body
	for _, text := range markdown(p.Text, maxPages) {
		if strings.TrimSpace(text) == "" {
			text = "…"
		}
		all = append(all, body{Content: &text, Components: &[]discordgo.ActionsRow{}})
	}
	all[len(all)-1].Components = rows(p.Buttons)
	return all
}

// note is a line of plain text for one person.
func note(text string) body {
	var out strings.Builder
	escape(&out, cut(text, maxContent/2))
	content := out.String()
	return body{Content: &content, Components: &[]discordgo.ActionsRow{}}
}

// rows are rows of buttons, rearranged if they are more than a message holds.
func rows(buttons [][]bot.Button) *[]discordgo.ActionsRow {
	fits := len(buttons) <= maxRows
	for _, row := range buttons {
		fits = fits && len(row) <= maxInRow
	}
	if !fits {
		buttons = slices.Collect(slices.Chunk(slices.Concat(buttons...), maxInRow))
	}
	all := []discordgo.ActionsRow{}
	for _, row := range buttons[:min(len(buttons), maxRows)] {
		r := discordgo.ActionsRow{}
		for _, b := range row {
			if id := customID(b); id != "" {
				r.Components = append(r.Components, discordgo.Button{Label: label(b.Label), Style: style(b.Look), CustomID: id})
			}
		}
		if len(r.Components) > 0 {
			all = append(all, r)
		}
	}
	return &all
}

func label(text string) string {
	if strings.TrimSpace(text) == "" {
		return "·"
	}
	return cut(text, maxLabel)
}

func style(l bot.Look) discordgo.ButtonStyle {
	switch l {
	case bot.Primary:
		return discordgo.PrimaryButton
	case bot.Danger:
		return discordgo.DangerButton
	}
	return discordgo.SecondaryButton
}

// askMark stands before the token, and after it, of a button that asks. No token has it.
const askMark = "?"

// customID is a button's token as Discord carries it. A button that asks takes its question along, so that it can be
// put whenever it is pressed, by whichever process. Empty: the button can't be shown.
func customID(b bot.Button) string {
	switch {
	case b.Token == "" || len(b.Token) > maxCustom:
		return ""
	case b.Ask == "":
		return b.Token
	case strings.Contains(b.Token, askMark) || len(b.Token) > maxCustom-10:
		return ""
	}
	id := askMark + b.Token + askMark
	return id + cut(b.Ask, min(maxTitle, maxCustom-units(id)))
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
