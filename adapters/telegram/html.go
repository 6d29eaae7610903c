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

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/words"
)

// The limits of Telegram's messages and buttons, in characters where not said otherwise.
const (
	maxText     = 4096
	maxCaption  = 1024
	maxToast    = 200
	maxToken    = 64
	maxLabel    = 48 // Longer ones don't fit a phone.
	maxRow      = 5
	rowLetters  = 34 // What a phone shows side by side.
	maxButtons  = 100
	blankText   = "…"
	digestBytes = 16
)

// rendering is a message in Telegram's form. The zero rendering has nothing.
type rendering struct {
	// later says that it isn't drawn yet: that is done when it may be sent.
	later          bool
	html, keyboard string
	// picture, if not nil, stands above the text. It is painted when it is sent. Before that png is nil, and the digest doesn't
	// count.
	picture *picture.Picture
	png     []byte
	// file, if not nil, stands there instead of a picture.
	file *chat.File
	// digest is of the whole message, buttons of the tokens of its buttons.
	digest, buttons [digestBytes]byte
}

type inlineButton struct {
	Text         string    `json:"text"`
	CallbackData string    `json:"callback_data,omitempty"`
	URL          string    `json:"url,omitempty"`
	CopyText     *copyText `json:"copy_text,omitempty"`
	WebApp       *webApp   `json:"web_app,omitempty"`
	Style        string    `json:"style,omitempty"`
}

// copyText is what a button copies, at most maxCopied characters.
type copyText struct {
	Text string `json:"text"`
}

const maxCopied = 256

type inlineKeyboard struct {
	Rows [][]inlineButton `json:"inline_keyboard"`
}

// draw is a post's message in Telegram's form. Text that is too long is cut.
func (c *core) draw(p chat.Post) rendering {
	most := maxText
	if p.Picture != nil || p.File != nil {
		most = maxCaption
	}
	spans := pages(c.people.accounts(p.Text), most)[0]
	d := rendering{html: markup(spans, p.Mention), picture: p.Picture, file: p.File}
	if link := linkTo(p.About); link != "" {
		d.html += "\n" + link // Beside the text, in which no address leads anywhere.
	}
	keyboard := c.keyboardOf(p.Message)
	keyboard.Rows = c.withLive(keyboard.Rows, p)
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

// encode is v as JSON. It panics on values that JSON can't hold; there are none here.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// keyboardOf is a message's lists and buttons in Telegram's form. Buttons that ask for text, or that Telegram can't carry, are left
// out, and so is the end of lists that are too long together.
func (c *core) keyboardOf(m chat.Message) inlineKeyboard {
	k := inlineKeyboard{Rows: [][]inlineButton{}}
	room := maxButtons
	for _, row := range m.Buttons {
		room -= len(c.pressable(row))
	}
	m.Choices = slices.Clone(m.Choices)
	for i, menu := range m.Choices {
		m.Choices[i].Items = menu.Items[:min(len(menu.Items), max(room, 0))]
		room -= len(menu.Items)
	}
	for _, row := range m.Rows(maxRow) {
		k.Rows = append(k.Rows, abreast(c.pressable(row))...)
	}
	return k
}

// abreast puts as many buttons into each row as leave all labels room. The buttons of a row are equally wide.
func abreast(buttons []inlineButton) [][]inlineButton {
	var rows [][]inlineButton
	longest := 0
	for _, b := range buttons {
		last, n := len(rows)-1, utf8.RuneCountInString(b.Text)
		if last >= 0 && len(rows[last]) < maxRow && (len(rows[last])+1)*max(longest, n) <= rowLetters {
			rows[last], longest = append(rows[last], b), max(longest, n)
			continue
		}
		rows, longest = append(rows, []inlineButton{b}), n
	}
	return rows
}

// pressable are the buttons that Telegram can carry.
func (c *core) pressable(row []chat.Button) []inlineButton {
	var line []inlineButton
	for _, b := range row {
		if b.Adds {
			if me := c.me.Load(); me != nil {
				line = append(line, inlineButton{Text: label(b.Label), URL: "https://t.me/" + me.Username + "?startgroup", Style: b.Look.Name()})
			}
		} else if b.Copies != "" && chat.Units(b.Copies) <= maxCopied {
			line = append(line, inlineButton{Text: label(b.Label), CopyText: &copyText{b.Copies}, Style: b.Look.Name()})
		} else if b.Private {
			if address := c.deepLink(b.Token); address != "" {
				line = append(line, inlineButton{Text: label(b.Label), URL: address, Style: b.Look.Name()})
			}
		} else if b.Ask == "" && b.Token != "" && len(b.Token) <= maxToken && utf8.ValidString(b.Token) {
			line = append(line, inlineButton{Text: label(b.Label), CallbackData: b.Token, Style: b.Look.Name()})
		}
	}
	return line
}

// label is a button's label, cut to maxLabel. It is never blank.
func label(text string) string {
	text = strings.ToValidUTF8(text, "")
	if blank(text) {
		return blankText
	}
	return cut(text, maxLabel)
}

// cut is the text, cut to at most n characters as Telegram counts them.
func cut(text string, n int) string {
	if chat.Units(text) <= n {
		return text
	}
	for most := n; ; most-- {
		if short := chat.Closed(head(text, most)) + "…"; chat.Units(short) <= n || most <= 0 {
			return short
		}
	}
}

// head is the longest beginning of a text that has fewer than n units.
func head(text string, n int) string {
	used := 0
	for i, r := range text {
		if used += chat.UnitsOf(r); used >= n {
			return text[:i]
		}
	}
	return text
}

// blank reports whether the text has nothing visible.
func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	})
}

// markup is the spans in Telegram's HTML, with their styles and nothing else as markup. Those who are mentioned are linked where
// their names stand, or else before the text.
func markup(spans []chat.Span, mention []chat.User) string {
	var b strings.Builder
	var called []chat.User
	for _, u := range mention {
		if spans = alone(spans, u.Name); named(spans, u.Name) {
			called = append(called, u)
		} else {
			b.WriteString(link(u) + " ")
		}
	}
	for _, s := range spans {
		text := escape(s.Text)
		if s.Style != chat.Code {
			text = escape(unlinked(s.Text))
		}
		if i := slices.IndexFunc(called, func(u chat.User) bool { return u.Name == s.Text }); i >= 0 {
			text = link(called[i])
			called = slices.Delete(called, i, i+1)
		}
		switch s.Style {
		case chat.Strong:
			text = "<b>" + text + "</b>"
		case chat.Faint:
			text = "<i>" + text + "</i>"
		case chat.Code:
			text = "<code>" + text + "</code>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// alone splits the spans so that a name that stands in one, and is no part of a word, has a span of its own.
func alone(spans []chat.Span, name string) []chat.Span {
	for i, s := range spans {
		before, after, ok := strings.Cut(s.Text, name)
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if ok && name != "" && !named(spans, name) && !unicode.In(last, unicode.L, unicode.N) && !unicode.In(first, unicode.L, unicode.N) {
			parts := []chat.Span{{Text: before, Style: s.Style}, {Text: name, Style: s.Style}, {Text: after, Style: s.Style}}
			return slices.Concat(spans[:i], parts, spans[i+1:])
		}
	}
	return spans
}

// named reports whether a span is exactly the name.
func named(spans []chat.Span, name string) bool {
	for _, s := range spans {
		if s.Text == name {
			return true
		}
	}
	return false
}

// link is a user's name as a link that notifies them.
func link(u chat.User) string {
	name := escape(unlinked(u.Name))
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

// pages are the spans in parts of at most so many characters, split at line ends where possible. There is always at least
// one, and a single one is never blank.
func pages(spans []chat.Span, most int) [][]chat.Span {
	var all [][]chat.Span
	var page []chat.Span
	room := most
	for _, s := range spans {
		for s.Text != "" {
			head := fitting(s.Text, room, room == most)
			if head != "" {
				page = append(page, chat.Span{Text: head, Style: s.Style})
				room -= chat.Units(head)
				s.Text = s.Text[len(head):]
			}
			if s.Text != "" {
				all, page, room = append(all, page), nil, most
			}
		}
	}
	if !blank(words.Flat(page)) || len(all) == 0 {
		all = append(all, page)
	}
	if len(all) == 1 && blank(words.Flat(all[0])) {
		all[0] = []chat.Span{{Text: blankText}}
	}
	return all
}

// fitting is the beginning of text that has room: all of it, or up to a line end. On an empty page a line that is too long is split.
func fitting(text string, room int, empty bool) string {
	end, used := 0, 0
	for i, r := range text {
		if used += chat.UnitsOf(r); used > room {
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

// unlinked is the text without anything that Telegram would make a link: an address, a user name, a tag. The bot's messages contain
// people's names and lines, and these must neither lead readers elsewhere nor notify anybody. One sign of each link is replaced by one
// that looks like it. Code style would keep links away, too, but doesn't suit a name, and an invisible sign would be copied along. The
// bot's own words have no such links.
func unlinked(text string) string {
	if !strings.ContainsAny(text, ".@#$:") {
		return text
	}
	in, out := []rune(text), []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(in) {
			return ' '
		}
		return in[i]
	}
	for i, r := range in {
		before, after := at(i-1), at(i+1)
		switch {
		case r == '.' && !unicode.IsSpace(before) && (unicode.IsLetter(after) || inNumbers(in, i)):
			out[i] = '\u2024'
		case r == '@' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff20'
		case r == '#' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff03'
		case r == '$' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff04'
		case r == ':' && after == '/' && at(i+2) == '/':
			out[i] = '\u2236'
		}
	}
	return string(out)
}

// inNumbers reports whether the point at i stands within four numbers, as in an IP address.
func inNumbers(text []rune, i int) bool {
	first, last, points := i, i, 0
	part := func(k int) bool { return k >= 0 && k < len(text) && (text[k] == '.' || unicode.IsDigit(text[k])) }
	for part(first - 1) {
		first--
	}
	for part(last + 1) {
		last++
	}
	for _, r := range text[first : last+1] {
		if r == '.' {
			points++
		}
	}
	return points >= 3 && unicode.IsDigit(text[i-1]) && i+1 < len(text) && unicode.IsDigit(text[i+1])
}
