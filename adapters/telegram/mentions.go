package telegram

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// maxPeople is how many people's user names are remembered.
const maxPeople = 8192

// people remember who is called how on Telegram: a mention gives the user name, and not whose it is.
type people struct {
	mu    sync.Mutex
	ids   map[string]int64
	order []string
	next  int
}

func (p *people) init() { p.ids, p.order = map[string]int64{}, make([]string, maxPeople) }

// meet remembers somebody.
func (p *people) meet(u *user) {
	name := strings.ToLower(u.Username)
	if name == "" || u.IsBot {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.ids[name]; !known {
		delete(p.ids, p.order[p.next])
		p.order[p.next] = name
		p.next = (p.next + 1) % maxPeople
	}
	p.ids[name] = u.ID
}

// id is whose user name that is; 0 if nobody's who was met.
func (p *people) id(name string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ids[strings.ToLower(name)]
}

// entity is a part of a text that is more than text. Offset and Length count in UTF-16.
type entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	User   *user  `json:"user"`
}

// words is the message's text, in which mentions of people are as the bot knows them.
func (p *people) words(m *message) string {
	if len(m.Entities) == 0 {
		return m.Text
	}
	text := utf16.Encode([]rune(m.Text))
	for _, e := range slices.Backward(m.Entities) {
		if e.Offset < 0 || e.Length < 1 || e.Offset > len(text)-e.Length {
			continue
		}
		end := e.Offset + e.Length
		var id int64
		switch {
		case e.Type == "text_mention" && e.User != nil:
			id = e.User.ID
		case e.Type == "mention":
			id = p.id(strings.TrimPrefix(string(utf16.Decode(text[e.Offset:end])), "@"))
		}
		if id != 0 {
			text = slices.Concat(text[:e.Offset], utf16.Encode([]rune("<@"+strconv.FormatInt(id, 10)+">")), text[end:])
		}
	}
	return string(utf16.Decode(text))
}
