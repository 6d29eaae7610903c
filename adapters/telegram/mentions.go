package telegram

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"zevaka/bot/chat"
)

// maxPeople is how many people's user names are remembered.
const maxPeople = 8192

// people remember the user names of people, because Telegram's mentions give a user name and no user ID. All of it is in memory: a user
// name that nobody has used since the start is unknown.
type people struct {
	mu  sync.Mutex
	ids map[string]int64
	// names are the user names as they are written.
	names map[int64]string
	order []int64
	next  int
}

func (p *people) init() {
	p.ids, p.names, p.order = map[string]int64{}, map[int64]string{}, make([]int64, maxPeople)
}

// meet remembers somebody's current user name, instead of an older one. It is nobody else's any more.
func (p *people) meet(u *user) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, known := p.names[u.ID]
	if u.ID == 0 || u.IsBot || known && old == u.Username || !known && u.Username == "" {
		return
	}
	if !known {
		p.forget(p.order[p.next])
		p.order[p.next] = u.ID
		p.next = (p.next + 1) % maxPeople
	}
	p.unname(u.ID)
	name := strings.ToLower(u.Username)
	if name != "" {
		p.unname(p.ids[name])
		p.ids[name] = u.ID
	}
	p.names[u.ID] = u.Username
}

// unname forgets somebody's user name. The caller holds mu.
func (p *people) unname(id int64) {
	if name := p.names[id]; name != "" {
		delete(p.ids, strings.ToLower(name))
		p.names[id] = ""
	}
}

// forget forgets somebody. The caller holds mu.
func (p *people) forget(id int64) {
	p.unname(id)
	delete(p.names, id)
}

// accounts is the spans, where those that name a user's account show the user name, if it is known.
func (p *people) accounts(spans []chat.Span) []chat.Span {
	p.mu.Lock()
	defer p.mu.Unlock()
	var own []chat.Span
	for i, s := range spans {
		if name := p.names[s.User]; s.User != 0 && name != "" {
			if own == nil {
				own = slices.Clone(spans)
			}
			own[i].Text = "@" + name
		}
	}
	if own == nil {
		return spans
	}
	return own
}

// id is the user with the user name; 0 if it is unknown.
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

// words is the message's text, with mentions in the bot's form: <@ID>.
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
			p.meet(e.User)
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
