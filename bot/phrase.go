package bot

import (
	"strconv"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// phrase is a sentence of the catalogues before its language is known: its name and what goes into its blanks.
type phrase struct {
	key string
	// n chooses the plural form, where the sentence has several.
	n      int
	blanks blanks
}

// blanks are the words for the blanks of a sentence: a string (a name, shown strong), an int, one engine.Card or
// several, or a phrase.
type blanks map[string]any

// refusal is a Refusal of the table's own with something in its blanks.
type refusal struct{ phrase }

// Error is the name of the sentence.
func (r refusal) Error() string { return r.key }

// Unwrap is the plain Refusal, so that everybody knows it for one.
func (r refusal) Unwrap() error { return engine.Refusal(r.key) }

// refuse is the Refusal with something in its blanks.
func refuse(key string, b blanks) error { return refusal{phrase{key: key, blanks: b}} }

// writer puts together the text of a message in one language.
type writer struct {
	lang  *words.Lang
	spans []Span
}

// add appends text, joined to the span before if that has the same style.
func (w *writer) add(style Style, text string) {
	if text == "" {
		return
	}
	if n := len(w.spans); n > 0 && w.spans[n-1].Style == style {
		w.spans[n-1].Text += text
		return
	}
	w.spans = append(w.spans, Span{Text: text, Style: style})
}

// text appends plain text.
func (w *writer) text(s string) { w.add(Plain, s) }

// card appends a card; red suits are red.
func (w *writer) card(c engine.Card) {
	style := Plain
	if s := c.Suit(); s == engine.Diamonds || s == engine.Hearts {
		style = Red
	}
	w.add(style, w.lang.Card(c))
}

// phrase appends a sentence, its fixed words in the style.
func (w *writer) phrase(style Style, p phrase) {
	sentence := w.lang.Sentence(p.key)
	if !w.lang.Has(p.key) {
		sentence = w.lang.Count(p.key, p.n)
	}
	for _, part := range sentence {
		w.add(style, part.Text)
		switch blank := p.blanks[part.Blank].(type) {
		case string:
			w.add(Strong, blank)
		case int:
			w.add(style, strconv.Itoa(blank))
		case engine.Card:
			w.card(blank)
		case []engine.Card:
			for i, c := range blank {
				if i > 0 {
					w.add(style, " ")
				}
				w.card(c)
			}
		case phrase:
			w.phrase(style, blank)
		}
	}
}

// say appends a sentence without blanks.
func (w *writer) say(style Style, key string) { w.phrase(style, phrase{key: key}) }

// flat is the phrase as plain text.
func (p phrase) flat(lang *words.Lang) string {
	w := writer{lang: lang}
	w.phrase(Plain, p)
	return flat(w.spans)
}

func flat(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
