// Package words holds every sentence that a player reads, in each language of the house: one catalogue per language
// (ru, pl, en), embedded, read once. A sentence may have blanks, written {name}, which the caller fills; {button.name} is
// what stands on that button. Where a number decides the form of a word, the catalogue has one sentence for each plural
// form of the language.
package words

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"zevaka/bot/chat"
	"zevaka/engine"
)

//go:embed *.json rules/*.txt
var files embed.FS

// Catalogue is the words of all languages. It doesn't change and is safe for use by many goroutines.
type Catalogue struct {
	langs map[string]*Lang
}

// Tags are the languages of the house, the first the one for people whose own it doesn't speak.
func Tags() []string { return []string{"en", "ru", "pl"} }

// Load is the catalogue of the program, which is read once. The error tells of one that can't be read.
func Load() (*Catalogue, error) { return load() }

var load = sync.OnceValues(read)

func read() (*Catalogue, error) {
	bundle := i18n.NewBundle(language.English)
	catalogue := &Catalogue{langs: map[string]*Lang{}}
	for _, tag := range Tags() {
		name := tag + ".json"
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the words of %s: %w", tag, err)
		}
		file, err := bundle.ParseMessageFileBytes(data, name)
		if err != nil {
			return nil, fmt.Errorf("read the words of %s: %w", tag, err)
		}
		lang := &Lang{Tag: tag, keys: map[string]bool{}, plain: map[string]Sentence{}, parsed: map[string]Sentence{},
			ranks: map[string]string{}}
		for _, m := range file.Messages {
			lang.add(m)
		}
		for _, rank := range strings.Fields(lang.Say("ranks")) {
			letter, own, _ := strings.Cut(rank, "=")
			lang.ranks[letter] = own
		}
		for c := range math.MaxUint8 + 1 {
			card := engine.Card(c)
			lang.cards = append(lang.cards, lang.Rank(card.Rank())+Suit(card.Suit()))
		}
		catalogue.langs[tag] = lang
	}
	for tag, lang := range catalogue.langs {
		lang.localizer = i18n.NewLocalizer(bundle, tag)
	}
	return catalogue, nil
}

// Primary is the language that a tag such as "uk-UA" names, whatever the country.
func Primary(tag string) string {
	primary, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	return strings.ToLower(primary)
}

// Lang is the language nearest to a tag such as "pl-PL"; English for those that the house doesn't speak.
func (c *Catalogue) Lang(tag string) *Lang {
	if lang := c.langs[tag]; lang != nil {
		return lang
	}
	if lang := c.langs[Primary(tag)]; lang != nil {
		return lang
	}
	return c.langs[Tags()[0]]
}

// Speaks reports whether the tag is exactly a language of the house.
func (c *Catalogue) Speaks(tag string) bool { return c.langs[tag] != nil }

// Lang is the words of one language.
type Lang struct {
	// Tag is "en", "ru" or "pl".
	Tag       string
	keys      map[string]bool
	plain     map[string]Sentence
	parsed    map[string]Sentence
	localizer *i18n.Localizer
	ranks     map[string]string
	cards     []string // what Card returns, by the card
	// board is the language of the board that is spoken of; nil if that is this one.
	board *Lang
}

// At is the language for somebody who looks at a board in another one: cards and buttons are called as they stand there.
func (l *Lang) At(board *Lang) *Lang {
	if board == l {
		return l
	}
	own := *l
	own.board = board
	return &own
}

// onBoard is the language of the board that is spoken of.
func (l *Lang) onBoard() *Lang {
	if l.board == nil {
		return l
	}
	return l.board
}

// Sentence is a sentence with its blanks, in order.
type Sentence []Part

// Part is a piece of a sentence: fixed text, or the name of a blank.
type Part struct {
	Text  string
	Blank string
}

func (l *Lang) add(m *i18n.Message) {
	l.keys[m.ID] = true
	if m.One == "" && m.Few == "" && m.Many == "" {
		l.plain[m.ID] = parse(m.Other)
	}
	for _, form := range []string{m.One, m.Few, m.Many, m.Other} {
		l.parsed[form] = parse(form)
	}
}

func parse(text string) Sentence {
	var s Sentence
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		blank, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return append(s, Part{Text: text})
		}
		if before != "" {
			s = append(s, Part{Text: before})
		}
		s = append(s, Part{Blank: blank})
		text = after
	}
	return s
}

// Has reports whether the language knows the sentence in one form, whatever the number.
func (l *Lang) Has(key string) bool {
	_, ok := l.plain[key]
	return ok
}

// Knows reports whether the language knows the sentence, in one form or in several.
func (l *Lang) Knows(key string) bool { return l.keys[key] }

// Sentence is the sentence named key. One that the catalogue doesn't know is made of the last part of its name, that of
// an event with who did it and the card.
func (l *Lang) Sentence(key string) Sentence {
	if s, ok := l.plain[key]; ok {
		return s
	}
	named, nobody := strings.CutSuffix(key, "-nobody")
	name := strings.ReplaceAll(named[strings.LastIndex(named, ".")+1:], "-", " ")
	switch {
	case !strings.HasPrefix(key, "event."):
		return Sentence{{Text: name}}
	case nobody:
		return Sentence{{Text: name + " "}, {Blank: "card"}}
	}
	return Sentence{{Blank: "who"}, {Text: ": " + name + " "}, {Blank: "card"}}
}

// Count is the sentence named key in the plural form that n asks for.
func (l *Lang) Count(key string, n int) Sentence {
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{
		MessageID: key, PluralCount: n, TemplateParser: template.IdentityParser{},
	})
	if err != nil {
		return l.Sentence(key)
	}
	return l.parsed[text]
}

// Say is the text of a sentence without blanks.
func (l *Lang) Say(key string) string {
	s := l.Sentence(key)
	if len(s) == 1 {
		return s[0].Text
	}
	return s.Fill(nil)
}

// Plain are the sentences without blanks and in one form whose names begin like that.
func (l *Lang) Plain(prefix string) map[string]string {
	all := map[string]string{}
	for key, s := range l.plain {
		if strings.HasPrefix(key, prefix) && len(s) == 1 && s[0].Blank == "" {
			all[key] = s[0].Text
		}
	}
	return all
}

// Fill puts words into the blanks. A blank without a word stays empty.
func (s Sentence) Fill(blanks map[string]string) string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
		b.WriteString(blanks[p.Blank])
	}
	return b.String()
}

// Rank is the letter or number of a rank, from 2 to engine.Ace, as players of the language write it.
func (l *Lang) Rank(rank int) string {
	text := engine.NewCard(rank, engine.Spades).String()[:1]
	if own := l.onBoard().ranks[text]; own != "" {
		return own
	}
	return text
}

// Card is a card as players of the language write it, as "10♠" or "Т♥".
func (l *Lang) Card(c engine.Card) string { return l.onBoard().cards[c] }

// Suit is the suit's sign.
func Suit(s engine.Suit) string { return [...]string{"♠", "♣", "♦", "♥"}[s] }

// Rules is the page of rules of a game; false if the language has none.
func (l *Lang) Rules(game string) (string, bool) {
	text, err := files.ReadFile("rules/" + game + "." + l.Tag + ".txt")
	return string(text), err == nil
}

// ErrBetAmount refuses what is no amount of chips.
const ErrBetAmount engine.Refusal = "bet-amount"

// ParseAmount reads a whole number of kopecks, more than none.
func ParseAmount(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || text[0] == '+' {
		return 0, Refuse(string(ErrBetAmount), Blanks{"what": chat.Shorten(text, 20)})
	}
	return n, nil
}

// Names are what people call games and commands.
type Names struct {
	words *Catalogue
	games []engine.Rules
}

// NewNames are the names of these games, in the languages of the catalogue.
func NewNames(catalogue *Catalogue, games []engine.Rules) *Names { return &Names{catalogue, games} }

// GameNamed is the game that people call so, in any language; nil if there is none.
func (b *Names) GameNamed(name string) engine.Rules {
	for _, rules := range b.games {
		if b.IsCalled(rules.Info().Name, name) {
			return rules
		}
	}
	return nil
}

// IsCalled reports whether people call the command so, in any language.
func (b *Names) IsCalled(name, called string) bool {
	if called == name {
		return true
	}
	for _, tag := range Tags() {
		lang, also := b.words.Lang(tag), "also."+name
		if strings.EqualFold(called, lang.Say("name."+name)) || lang.Has(also) && strings.EqualFold(called, lang.Say(also)) {
			return true
		}
	}
	return false
}

// IsLabel reports whether the sentence without blanks is what was typed, in any language; what it has in brackets at its end
// may be left out.
func (b *Names) IsLabel(key, typed string) bool {
	return slices.ContainsFunc(Tags(), func(tag string) bool {
		label := b.words.Lang(tag).Say(key)
		short, _, _ := strings.Cut(label, " (")
		return strings.EqualFold(label, typed) || strings.EqualFold(short, typed)
	})
}

// PatienceNamed is the game for one whose name the line begins with, and what follows it: as its command is called, or as
// it is shown, in its own language or in another. It is nil if there is none.
func (b *Names) PatienceNamed(line string) (found engine.Rules, rest string) {
	longest := 0
	for _, rules := range b.games {
		if !rules.Info().ForOne() {
			continue
		}
		for _, name := range b.namesOf(rules.Info().Name) {
			head, tail := line, ""
			if len(line) > len(name) {
				head, tail = line[:len(name)], line[len(name):]
			}
			if len(name) > longest && strings.EqualFold(head, name) && (tail == "" || tail[0] == ' ') {
				found, rest, longest = rules, tail, len(name)
			}
		}
	}
	return found, rest
}

// namesOf are all names that people may know a game by.
func (b *Names) namesOf(game string) []string {
	names := []string{game}
	for _, tag := range Tags() {
		lang := b.words.Lang(tag)
		names = append(names, lang.Say("name."+game), lang.Say("game."+game))
		if also := "also." + game; lang.Has(also) { // What the game goes by elsewhere.
			names = append(names, strings.Split(lang.Say(also), "; ")...)
		}
	}
	return names
}
