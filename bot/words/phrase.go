package words

import (
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// Phrase is a sentence of the catalogues before its language is known: its name and what goes into its blanks.
type Phrase struct {
	Key string
	// N chooses the plural form, where the sentence has several.
	N      int
	Blanks Blanks
	// Find looks up a blank that Blanks doesn't have; nil where there is nothing to look up. What is told of every press
	// fills only the blanks that its sentence has.
	Find func(blank string) any
}

// Blanks are the words for the blanks of a sentence: a string (a name, or what somebody typed; it is cleaned, and shown
// strong), a person or holder, an exact text, a text in the style of the sentence, an int, one engine.Card or several, or a phrase.
type Blanks map[string]any

// Holder is somebody whose name alone doesn't say who they are: others may be called the same.
type Holder struct {
	Name string
	User int64
}

// Person is somebody by their name, which is known to be theirs.
type Person struct {
	Name string
	User int64
}

// Exact is a text to be read, and copied, letter by letter.
type Exact string

// Text is a text in the style of the sentence around it.
type Text string

// Refusal is a Refusal of the table's own with something in its blanks.
type Refusal struct{ Phrase }

// Error is the name of the sentence.
func (r Refusal) Error() string { return r.Key }

// Unwrap is the plain Refusal, so that everybody knows it for one.
func (r Refusal) Unwrap() error { return engine.Refusal(r.Key) }

// Refuse is the Refusal with something in its blanks.
func Refuse(key string, b Blanks) error { return Refusal{Phrase{Key: key, Blanks: b}} }

// Writer puts together the text of a message in one language.
type Writer struct {
	Lang  *Lang
	Spans []chat.Span
	// flat takes the text in place of Spans, where nobody asks for its styles; else it is nil.
	flat *strings.Builder
}

// Spans is the phrase in the language, in plain text but for what stands out in it.
func (l *Lang) Spans(p Phrase) []chat.Span {
	w := Writer{Lang: l}
	w.Phrase(chat.Plain, p)
	return w.Spans
}

// ForAll is a post for everybody in a place: in the place's language, and in each where everybody reads their own.
func (c *Catalogue) ForAll(in chat.Place, lang *Lang, say func(*Lang) chat.Message) chat.Post {
	p := chat.Post{In: in, Message: say(lang)}
	p.Each = c.Each(in, say)
	return p
}

// Each is a Post's Each of what is said in each language.
func (c *Catalogue) Each(in chat.Place, say func(*Lang) chat.Message) map[string]chat.Message {
	if !in.Community.Platform.ReadsApart() {
		return nil
	}
	each := map[string]chat.Message{}
	for tag, lang := range c.langs {
		each[tag] = say(lang)
	}
	return each
}

// Add appends text, joined to the span before if that has the same style.
func (w *Writer) Add(style chat.Style, text string) {
	if text == "" {
		return
	}
	if w.flat != nil {
		w.flat.WriteString(text)
		return
	}
	if n := len(w.Spans); n > 0 && w.Spans[n-1].Style == style && w.Spans[n-1].User == 0 && w.Spans[n-1].Of == 0 {
		w.Spans[n-1].Text += text
		return
	}
	w.Spans = append(w.Spans, chat.Span{Text: text, Style: style})
}

// Name appends what a person is called; a user of 0 is nobody's.
func (w *Writer) Name(style chat.Style, name string, user int64) {
	if user == 0 || w.flat != nil || name == "" {
		w.Add(style, name)
		return
	}
	w.Spans = append(w.Spans, chat.Span{Text: name, Style: style, Of: user})
}

// Text appends plain text.
func (w *Writer) Text(s string) { w.Add(chat.Plain, s) }

// Card appends a card; red suits are red.
func (w *Writer) Card(c engine.Card) {
	style := chat.Plain
	if s := c.Suit(); s == engine.Diamonds || s == engine.Hearts {
		style = chat.Red
	}
	w.Add(style, w.Lang.Card(c))
}

// exact appends a text as it is. What doesn't read from left to right is kept apart by marks outside it.
func (w *Writer) exact(text string) {
	if chat.Isolated(text) == text {
		w.Add(chat.Code, text)
		return
	}
	w.Text(chat.Isolate)
	w.Add(chat.Code, text)
	w.Text(chat.EndIsolate)
}

// holder appends a name, and the account behind it in brackets.
func (w *Writer) holder(style chat.Style, h Holder) {
	w.Name(chat.Strong, chat.CleanText(h.Name), h.User)
	w.Add(style, " (")
	if account := strconv.FormatInt(h.User, 10); w.flat != nil {
		w.flat.WriteString(account)
	} else {
		w.Spans = append(w.Spans, chat.Span{Text: account, Style: chat.Code, User: h.User})
	}
	w.Add(style, ")")
}

// Phrase appends a sentence, its fixed words in the style.
func (w *Writer) Phrase(style chat.Style, p Phrase) {
	sentence, plain := w.Lang.plain[p.Key]
	if !plain {
		sentence = w.Lang.Count(p.Key, p.N)
	}
	for _, part := range sentence {
		w.Add(style, part.Text)
		switch blank := p.blank(part.Blank).(type) {
		case nil:
			if strings.HasPrefix(part.Blank, "button.") || strings.HasPrefix(part.Blank, "verb.") {
				w.Add(style, w.Lang.onBoard().Say(part.Blank))
			}
		case string:
			w.Add(chat.Strong, chat.CleanText(blank))
		case Person:
			w.Name(chat.Strong, chat.CleanText(blank.Name), blank.User)
		case Holder:
			w.holder(style, blank)
		case Exact:
			w.exact(string(blank))
		case Text:
			w.Add(style, string(blank))
		case int:
			w.Add(style, strconv.Itoa(blank))
		case engine.Card:
			if blank != 0 {
				w.Card(blank)
			}
		case []engine.Card:
			for i, c := range blank {
				if i > 0 {
					w.Add(style, " ")
				}
				w.Card(c)
			}
		case Phrase:
			w.Phrase(style, blank)
		}
	}
}

// blank is what goes into a blank; nil if nothing does.
func (p Phrase) blank(name string) any {
	if word, ok := p.Blanks[name]; ok || p.Find == nil || name == "" {
		return word
	}
	return p.Find(name)
}

// Say appends a sentence without blanks.
func (w *Writer) Say(style chat.Style, key string) { w.Phrase(style, Phrase{Key: key}) }

// Flat is the phrase as plain text.
func (p Phrase) Flat(lang *Lang) string {
	w := Writer{Lang: lang, flat: &strings.Builder{}}
	w.flat.Grow(usual)
	w.Phrase(chat.Plain, p)
	return w.flat.String()
}

// usual is how many bytes a sentence has that is told of a press.
const usual = 64

// Flat is the text of the spans, without their styles.
func Flat(spans []chat.Span) string {
	var b strings.Builder
	size := 0
	for _, s := range spans {
		size += len(s.Text)
	}
	b.Grow(size)
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// RefusalPhrase is a Refusal in words.
func RefusalPhrase(err error) *Phrase {
	p := Phrase{Key: err.Error()}
	if own, ok := err.(Refusal); ok {
		p = own.Phrase
	}
	p.Key = fmt.Sprint("no.", p.Key)
	return &p
}
