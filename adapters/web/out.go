package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// maxRow is how many things of a list stand side by side.
const maxRow = 5

// maxReceipts is how long a chain of posts may grow, each made when the one before was reported as shown.
const maxReceipts = 4

// message is one message of the room. It doesn't change; another one replaces it.
type message struct {
	ref     chat.Ref
	n       uint64 // the order in the channel, kept by whatever replaces the message
	at      int64  // Unix milliseconds
	channel int64
	to      int64       // the only reader; 0 is everybody
	from    *personView // nil: the bot
	by      source      // who made it come; zero: nobody in the room
	echo    bool        // a command, shown as typed
	table   string
	people  []int64 // who play at the table that it tells of; nil if it tells of none
	final   bool
	won     bool
	shy     bool // names don't say whose accounts they are
	weight  int  // how much of its channel's room it takes
	told    time.Time
	body    body
}

// body is what is to be read and pressed.
type body struct {
	text    []chat.Span
	picture *display
	file    *fileView
	buttons [][]chat.Button
	mention []string
	// turn is whose turn it is, and until when; empty and zero where nobody has to hurry.
	turn  string
	until time.Time
	// each is what it is for those who read in a language, by its tag; as for all where that isn't there.
	each map[string]body
}

// add has the body be another one for those who read in a language.
func (b *body) add(lang string, own body) {
	if b.each == nil {
		b.each = map[string]body{}
	}
	b.each[lang] = own
}

// in is the body as it is read in a language.
func (b body) in(lang string) body {
	if own, ok := b.each[words.Primary(lang)]; ok {
		return own
	}
	return b
}

// personView is a person as everybody may know them.
type personView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// errNowhere is a post for a place that the room hasn't got.
var errNowhere = errors.New("no such place in the room")

// errUndrawn is a post that can't be drawn.
var errUndrawn = errors.New("the picture can't be drawn")

// Show delivers what the bot has to say: the answer to a request, or a post of the clock's. It reports to the bot which
// messages now stand where it asked to know.
func (r *Room) Show(ctx context.Context, resp chat.Response) { r.show(ctx, resp, source{}) }

// show delivers what somebody has made the bot say, in its order. It returns what is for nobody else.
func (r *Room) show(ctx context.Context, resp chat.Response, by source) (own []messageView) {
	for depth := maxReceipts; depth > 0 && len(resp.Posts) > 0; depth-- {
		var next chat.Response
		for _, p := range resp.Posts {
			ref, err := r.post(p, by)
			if err != nil {
				r.opts.Log.Error("a post was not shown", "channel", p.In.Channel, "table", p.Table, "error", err)
				continue
			}
			if p.To != nil && p.To.ID == by.who {
				own = append(own, r.viewOf(ref)...)
			}
			if shown, wanted := outbox.Receipt(r.nextID(), p, ref); wanted {
				next.Posts = append(next.Posts, r.Bot.Handle(ctx, shown).Posts...)
			}
		}
		resp = next
	}
	return own
}

// viewOf is a message as its readers get it; none if it is gone.
func (r *Room) viewOf(ref chat.Ref) []messageView {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.messages[ref]; m != nil {
		return []messageView{m.view("")}
	}
	return nil
}

// nextID names a request of the room's own.
func (r *Room) nextID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	return "web/" + r.run + "/" + strconv.FormatUint(r.last, 36)
}

// post shows one post and says in which message it stands, or a newer picture of its table does.
func (r *Room) post(p chat.Post, by source) (chat.Ref, error) {
	if p.In.Community != community() || p.In.Channel < 1 || p.In.Channel > channels {
		return "", fmt.Errorf("%s, channel %d: %w", p.In.Community, p.In.Channel, errNowhere)
	}
	p, ok := p.Drawn()
	if !ok {
		return "", errUndrawn
	}
	m := &message{channel: p.In.Channel, by: by, table: p.Table, people: p.People, final: p.Final, won: p.Won}
	m.body = body{text: p.Text, picture: displayed(p), buttons: p.Rows(maxRow)}
	m.body.file = r.files.keep(p.File, by.household)
	if p.To != nil {
		m.to = p.To.ID
	}
	for _, u := range p.Mention {
		m.body.mention = append(m.body.mention, publicID(u.ID))
	}
	if p.Turn != 0 {
		m.body.turn = publicID(p.Turn)
		if p.Left > 0 {
			m.body.until = time.Now().Add(p.Left)
		}
	}
	for tag, own := range p.Each {
		read := m.body
		read.text, read.buttons, read.each = own.Text, own.Rows(maxRow), nil
		m.body.add(tag, read)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.Delete {
		if old := r.editable(p.Edit, m); old != nil {
			r.drop(old)
		}
		return "", nil
	}
	newest, standing := r.boardOf(m)
	if newest != nil && newest.Compare(p) == outbox.Older {
		if p.Edit != "" && standing != nil {
			return standing.ref, nil
		}
		m.body, p.Level = newest.Drawn, newest.Post.Level
	}
	old := r.editable(p.Edit, m)
	if old == nil && p.Edit != "" {
		old = standing
	}
	if old == nil {
		if m.to != 0 && standing != nil {
			r.drop(standing) // One reader needs one picture of a table.
		}
		r.add(m)
	} else {
		if m.people == nil {
			m.people = old.people
		}
		m.table = cmp.Or(m.table, old.table) // What a picture of a table leaves behind is no talk either.
		r.replace(old, m)
	}
	if p.Table != "" {
		board := &outbox.Board[body]{}
		board.Show(p, m.body, m.ref)
		r.boards[boardKey{m.channel, m.table, m.to}] = board
	}
	return m.ref, nil
}

// boardOf is the newest picture of m's table and the message that shows it; nil for what is not there.
func (r *Room) boardOf(m *message) (*outbox.Board[body], *message) {
	b := r.boards[boardKey{m.channel, m.table, m.to}]
	if m.table == "" || b == nil {
		return nil, nil
	}
	standing := r.messages[b.Ref]
	if standing == nil || standing.table != m.table {
		return b, nil
	}
	return b, standing
}

// editable is the message that m may replace: one of the bot's, in the same channel, for the same readers, and not
// another table's. Nil if ref is no such message.
func (r *Room) editable(ref chat.Ref, m *message) *message {
	old := r.messages[ref]
	if old == nil || old.from != nil || old.channel != m.channel || old.to != m.to {
		return nil
	}
	if old.table != "" && m.table != "" && old.table != m.table {
		return nil
	}
	return old
}

// The events of a live connection, as the page reads them. Each begins with its kind.
type (
	putEvent struct {
		Kind    string      `json:"kind"`
		Message messageView `json:"message"`
	}
	goneEvent struct {
		Kind    string   `json:"kind"`
		Channel int64    `json:"channel"`
		Ref     chat.Ref `json:"ref"`
	}
	peopleEvent struct {
		Kind   string       `json:"kind"`
		People []personView `json:"people"`
	}
	roomEvent struct {
		Kind     string        `json:"kind"`
		Run      string        `json:"run"`
		You      string        `json:"you"`
		Admin    bool          `json:"admin,omitempty"`
		Invite   string        `json:"invite,omitempty"` // the address by which others come; empty if they can't
		Channels int           `json:"channels"`
		Messages []messageView `json:"messages"`
		Commands []Completion  `json:"commands"`
	}
)

type messageView struct {
	Ref     chat.Ref       `json:"ref"`
	N       uint64         `json:"n"`
	At      int64          `json:"at"`
	Channel int64          `json:"channel"`
	From    *personView    `json:"from,omitempty"`
	Echo    bool           `json:"echo,omitempty"`
	Private bool           `json:"private,omitempty"`
	Table   string         `json:"table,omitempty"`
	Final   bool           `json:"final,omitempty"`
	Won     bool           `json:"won,omitempty"`
	Mention []string       `json:"mention,omitempty"`
	Turn    string         `json:"turn,omitempty"`
	Left    int64          `json:"left,omitempty"` // milliseconds
	Text    []spanView     `json:"text"`
	Picture *pictureView   `json:"picture,omitempty"`
	File    *fileView      `json:"file,omitempty"`
	Buttons [][]buttonView `json:"buttons,omitempty"`
}

type spanView struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"`
	// Who is the person whose name the text is, as pages know them; else empty.
	Who string `json:"who,omitempty"`
}

type buttonView struct {
	Label string `json:"label"`
	Token string `json:"token"`
	Look  string `json:"look,omitempty"`
	Ask   string `json:"ask,omitempty"`
	// Copy is a text that the button copies, and does nothing else; else it is empty.
	Copy string `json:"copy,omitempty"`
}

// view is the message as those get it who read in a language. Of a table it tells where that stands, whom it waits for and who has won:
// what there is to see and to press goes to whoever looks at it.
func (m *message) view(lang string) messageView {
	body := m.body.in(lang)
	if m.table != "" && m.to == 0 {
		body.buttons = nil
		if !m.won {
			body.text = nil
		}
	}
	v := messageView{
		Ref: m.ref, N: m.n, At: m.at, Channel: m.channel, From: m.from, Echo: m.echo, Private: m.to != 0,
		Table: m.table, Final: m.final, Won: m.won, Mention: body.mention, Turn: body.turn,
		Text: make([]spanView, len(body.text)), File: body.file,
	}
	if body.picture != nil {
		v.Picture = &body.picture.view
	}
	if !body.until.IsZero() {
		v.Left = max(1, time.Until(body.until).Milliseconds())
	}
	for i, s := range body.text {
		v.Text[i] = spanView{Text: s.Text, Style: s.Style.Name()}
		if s.Of != 0 && !m.shy {
			v.Text[i].Who = publicID(s.Of)
		}
	}
	for _, row := range body.buttons {
		views := make([]buttonView, len(row))
		for i, b := range row {
			views[i] = buttonView{b.Label, b.Token, b.Look.Name(), b.Ask, b.Copies}
		}
		v.Buttons = append(v.Buttons, views)
	}
	return v
}

// event tells of the message, as told to those who read in a language.
func (m *message) event() func(lang string) []byte {
	told := map[string][]byte{}
	return func(lang string) []byte {
		lang = words.Primary(lang)
		if _, apart := m.body.each[lang]; !apart {
			lang = ""
		}
		if told[lang] == nil {
			told[lang] = encode(putEvent{"put", m.view(lang)})
		}
		return told[lang]
	}
}

func dropEvent(m *message) func(string) []byte {
	return alike(goneEvent{"drop", m.channel, m.ref})
}

// alike is an event that everybody is told in the same words.
func alike(v any) func(string) []byte {
	b := encode(v)
	return func(string) []byte { return b }
}

// encode is v as JSON, which stands in no HTML. An event holds nothing that could fail to be written so.
func encode(v any) []byte {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	if err := to.Encode(v); err != nil {
		panic(err)
	}
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
