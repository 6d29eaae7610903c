package telegram

import (
	"crypto/sha256"
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"zevaka/bot"
)

// What Telegram carries.
const (
	maxText     = 4096
	maxCaption  = 1024
	maxToast    = 200
	maxToken    = 64
	maxLabel    = 48 // Longer ones don't fit a phone.
	maxRow      = 5
	maxButtons  = 100
	blankText   = "…"
	digestBytes = 16
)

// drawn is a message as Telegram takes it.
type drawn struct {
	html, keyboard string
	// picture, if not nil, stands above the text. It is painted when it is sent: before, png is nil, and the digest tells
	// nothing.
	picture *bot.Picture
	png     []byte
	// digest tells it from any other, buttons those messages apart that can be pressed differently.
	digest, buttons [digestBytes]byte
}

type inlineButton struct {
	Text         string `json:"text"`
	CallbackData string `json:"callback_data,omitempty"`
	URL          string `json:"url,omitempty"`
	Style        string `json:"style,omitempty"`
}

type inlineKeyboard struct {
	Rows [][]inlineButton `json:"inline_keyboard"`
}

// draw is a post's message. What is too long for one is cut.
func (a *Adapter) draw(p bot.Post) drawn {
	most := maxText
	if p.Picture != nil {
		most = maxCaption
	}
	spans := pages(p.Text, most)[0]
	d := drawn{html: markup(spans, p.Mention), picture: p.Picture}
	keyboard := a.keyboardOf(p.Message)
	if len(keyboard.Rows) > 0 {
		d.keyboard = encode(keyboard)
	}
	var tokens strings.Builder
	for _, row := range keyboard.Rows {
		for _, b := range row {
			tokens.WriteString(b.CallbackData + "\n")
		}
	}
	d.buttons = digest(tokens.String())
	d.digest = digest(d.html + "\x00" + d.keyboard)
	return d
}

func digest(text string) (short [digestBytes]byte) {
	sum := sha256.Sum256([]byte(text))
	copy(short[:], sum[:])
	return short
}

// encode is v as JSON. What is encoded here can't fail to be.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// keyboardOf are a message's lists and buttons as Telegram takes them: without those that ask for text, and those it
// couldn't carry. Of lists that are too long together the end is left out.
func (a *Adapter) keyboardOf(m bot.Message) inlineKeyboard {
	k := inlineKeyboard{Rows: [][]inlineButton{}}
	room := maxButtons
	for _, row := range m.Buttons {
		room -= len(a.pressable(row))
	}
	m.Choices = slices.Clone(m.Choices)
	for i, menu := range m.Choices {
		m.Choices[i].Items = menu.Items[:min(len(menu.Items), max(room, 0))]
		room -= len(menu.Items)
	}
	for _, row := range m.Rows(maxRow) {
		k.Rows = append(k.Rows, abreast(a.pressable(row))...)
	}
	return k
}

// abreast puts as many buttons into each row as leave all labels room: those of a row are equally wide.
func abreast(buttons []inlineButton) [][]inlineButton {
	const letters = 34 // What a phone shows side by side.
	var rows [][]inlineButton
	longest := 0
	for _, b := range buttons {
		last, n := len(rows)-1, utf8.RuneCountInString(b.Text)
		if last >= 0 && len(rows[last]) < maxRow && (len(rows[last])+1)*max(longest, n) <= letters {
			rows[last], longest = append(rows[last], b), max(longest, n)
			continue
		}
		rows, longest = append(rows, []inlineButton{b}), n
	}
	return rows
}

// pressable are the buttons that Telegram can carry.
func (a *Adapter) pressable(row []bot.Button) []inlineButton {
	var line []inlineButton
	for _, b := range row {
		if b.Aside {
			if address := a.aside(b.Token); address != "" {
				line = append(line, inlineButton{Text: label(b.Label), URL: address, Style: style(b.Look)})
			}
		} else if b.Ask == "" && b.Token != "" && len(b.Token) <= maxToken && utf8.ValidString(b.Token) {
			line = append(line, inlineButton{Text: label(b.Label), CallbackData: b.Token, Style: style(b.Look)})
		}
	}
	return line
}

func style(l bot.Look) string {
	switch l {
	case bot.Primary:
		return "primary"
	case bot.Danger:
		return "danger"
	}
	return ""
}

// label is a button's label, short, and with something to see in it.
func label(text string) string {
	text = strings.ToValidUTF8(text, "")
	if blank(text) {
		return blankText
	}
	return cut(text, maxLabel)
}

// cut is text of at most n characters as Telegram counts them.
func cut(text string, n int) string {
	if units(text) <= n {
		return text
	}
	end, used := 0, 0
	for i, r := range text {
		if used += unitsOf(r); used >= n {
			end = i
			break
		}
	}
	return text[:end] + "…"
}

// blank reports whether there is nothing to see in the text.
func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	})
}

// markup is the spans in Telegram's HTML, in which nothing but the styles is markup. The one who is mentioned is linked
// where the name stands, or before everything.
func markup(spans []bot.Span, mention *bot.User) string {
	var b strings.Builder
	linked := mention == nil
	if !linked && !named(spans, mention.Name) {
		b.WriteString(link(mention) + " ")
		linked = true
	}
	for _, s := range spans {
		text := escape(s.Text)
		if !linked && s.Text == mention.Name {
			text, linked = link(mention), true
		}
		switch s.Style {
		case bot.Strong:
			text = "<b>" + text + "</b>"
		case bot.Faint:
			text = "<i>" + text + "</i>"
		case bot.Code:
			text = "<code>" + text + "</code>"
		}
		b.WriteString(text)
	}
	return b.String()
}

func named(spans []bot.Span, name string) bool {
	for _, s := range spans {
		if s.Text == name {
			return true
		}
	}
	return false
}

// link is a user's name as a link that notifies them.
func link(u *bot.User) string {
	name := escape(u.Name)
	if blank(u.Name) {
		name = blankText
	}
	return `<a href="tg://user?id=` + strconv.FormatInt(u.ID, 10) + `">` + name + "</a>"
}

func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	return html.EscapeString(text)
}

// pages are the spans in parts of at most so many characters each, broken at the ends of lines where that can be. There is
// always one, with something to see in it.
func pages(spans []bot.Span, most int) [][]bot.Span {
	var all [][]bot.Span
	var page []bot.Span
	room := most
	for _, s := range spans {
		for s.Text != "" {
			head := fitting(s.Text, room, room == most)
			if head != "" {
				page = append(page, bot.Span{Text: head, Style: s.Style})
				room -= units(head)
				s.Text = s.Text[len(head):]
			}
			if s.Text != "" {
				all, page, room = append(all, page), nil, most
			}
		}
	}
	if !blank(flat(page)) || len(all) == 0 {
		all = append(all, page)
	}
	if len(all) == 1 && blank(flat(all[0])) {
		all[0] = []bot.Span{{Text: blankText}}
	}
	return all
}

// fitting is the beginning of text that has room, up to the end of a line if not all of it has; on an empty page it is
// never nothing.
func fitting(text string, room int, empty bool) string {
	end, used := 0, 0
	for i, r := range text {
		if used += unitsOf(r); used > room {
			break
		}
		end = i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			end = min(i+1, len(text))
		}
	}
	if end == len(text) {
		return text
	}
	if line := strings.LastIndexByte(text[:end], '\n'); line >= 0 {
		return text[:line+1]
	}
	if !empty {
		return ""
	}
	return text[:end]
}

// units is how long Telegram finds the text: in UTF-16.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// flat is the spans without their styles.
func flat(spans []bot.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
