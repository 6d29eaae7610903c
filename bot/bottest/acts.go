package bottest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/engine"
)

// Ask makes a request in a channel, two seconds after the one before.
func (h *Hall) Ask(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.Running += 2 * time.Second
	return h.Soon(channel, user, kind, data)
}

// Soon makes a request in the same moment as the one before.
func (h *Hall) Soon(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.Asked++
	r := h.Bot.Handle(h.T.Context(), chat.Request{
		ID: fmt.Sprint("ask ", h.Asked), Kind: kind, Who: User(user), Data: data, In: h.Place(channel),
	})
	h.pictures.hang(h.T, r)
	r = chattest.Drawn(r)
	if r.Toast == h.Bot.Words().Lang("en").Say("broken") {
		h.T.Helper()
		h.T.Fatalf("%q breaks", data)
	}
	return r
}

// Request is what ask would deliver.
func (h *Hall) Request(channel, user int64, kind chat.Kind, data string) chat.Request {
	h.Asked++
	return chat.Request{ID: fmt.Sprint("ask ", h.Asked), Kind: kind, Who: User(user), Data: data, In: h.Place(channel)}
}

// Opens opens a table by a line, though others wait for players.
func (h *Hall) Opens(channel, user int64, line string) chat.Response {
	h.T.Helper()
	if strings.HasPrefix(line, "/zevaka") {
		return h.Ask(channel, user, chat.Press, table.PlaceToken(chat.Request{In: h.Place(channel)}, "!another "+line[1:]))
	}
	return h.Ask(channel, user, chat.Command, line)
}

// Must is ask that may not be refused.
func (h *Hall) Must(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.T.Helper()
	r := h.Ask(channel, user, kind, data)
	if r.Alert {
		h.T.Fatalf("P%d: %q is refused: %s", user, data, r.Toast)
	}
	return r
}

// Sure is must for what one is asked about again: the first answer is given.
func (h *Hall) Sure(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.T.Helper()
	return again(h.Must, channel, user, kind, data)
}

// Surely is ask for what one may be asked about again: the first answer is given.
func (h *Hall) Surely(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.T.Helper()
	return again(h.Ask, channel, user, kind, data)
}

// again asks, and gives the first answer to what comes back.
func again(ask func(int64, int64, chat.Kind, string) chat.Response, channel, user int64, kind chat.Kind, data string) chat.Response {
	r := ask(channel, user, kind, data)
	if answer := AnswerIn(r); answer != "" {
		return ask(channel, user, chat.Press, answer)
	}
	return r
}

// Answer is the token of the first answer to what the user is asked about again.
func (h *Hall) Answer(channel, user int64, kind chat.Kind, data string) string {
	h.T.Helper()
	answer := AnswerIn(h.Must(channel, user, kind, data))
	if answer == "" {
		h.T.Fatalf("P%d: %q is not asked about again", user, data)
	}
	return answer
}

// AnswerIn is the token of the first answer to the question in a response; empty if there is none.
func AnswerIn(r chat.Response) string {
	for _, p := range r.Posts {
		for _, row := range p.Rows(board.MaxRow) {
			for _, b := range row {
				if strings.Contains(b.Token, ".!answer ") {
					return b.Token
				}
			}
		}
	}
	return ""
}

// Press makes somebody press one of the own buttons of a table in channel 1, whether it is refused or not, and give the
// first answer if one is asked again.
func (h *Hall) Press(user int64, t *table.Table, do string) chat.Response {
	r := h.Ask(1, user, chat.Press, table.Token{Table: t.ID, Do: "!" + do}.String())
	if answer := AnswerIn(r); answer != "" {
		return h.Ask(1, user, chat.Press, answer)
	}
	return r
}

// Button is the token of a move as the newest picture of the channel's table has it.
func (h *Hall) Button(channel int64, do string) string {
	h.T.Helper()
	t := h.Table(channel)
	return table.Token{Table: t.ID, Epoch: t.Epoch(h.State(t)), Do: do}.String()
}

// Move presses a button of the newest picture, and says so again if the user is asked.
func (h *Hall) Move(channel, user int64, do string) chat.Response {
	h.T.Helper()
	return h.Sure(channel, user, chat.Press, h.Button(channel, do))
}

// Is reports whether the answer is the refusal of that name, as far as it has no blanks.
func (h *Hall) Is(r chat.Response, refusal engine.Refusal) bool {
	begin := h.Bot.Words().Lang("en").Sentence("no." + string(refusal))[0].Text
	return r.Alert && strings.HasPrefix(r.Toast, begin) && begin != ""
}

// Pass lets running time pass, and keeps every deadline when it is due.
func (h *Hall) Pass(d time.Duration) {
	var one sync.Mutex // Tables ring side by side.
	show := func(_ context.Context, r chat.Response) {
		one.Lock()
		defer one.Unlock()
		if r.Alert {
			h.T.Errorf("the clock is told %q", r.Toast)
		}
		h.Said = append(h.Said, chattest.Drawn(r).Posts...)
	}
	for end := h.Running + d; h.Running < end; h.Running += 500 * time.Millisecond {
		for h.Bot.Ring(h.T.Context(), show) == 0 {
		}
	}
}

// Seen is the answer to a request as people see it.
func Seen(ctx context.Context, b *bot.Bot, r chat.Request) chat.Response {
	return chattest.Drawn(b.Handle(ctx, r))
}

// gallery keeps the newest pictures as they were drawn at once, to draw them again when their tables have changed.
type gallery struct {
	Posts []chat.Post
	Drawn []chat.Message
}

// hang keeps the pictures of a response, and has each drawn again once more have come.
func (g *gallery) hang(t testing.TB, r chat.Response) {
	t.Helper()
	for _, p := range r.Posts {
		if p.Draw != nil {
			now, _ := p.Drawn()
			g.Posts, g.Drawn = append(g.Posts, p), append(g.Drawn, now.Message)
		}
	}
	const kept = 4
	for len(g.Posts) > kept {
		p, then := g.Posts[0], g.Drawn[0]
		if late, ok := p.Drawn(); !ok || !reflect.DeepEqual(late.Message, then) {
			t.Errorf("drawn later, table %s at level %d is\n%+v\nand was\n%+v", p.Table, p.Level, late.Message, then)
		}
		g.Posts, g.Drawn = g.Posts[1:], g.Drawn[1:]
	}
}

// Drawn is a post with its message.
func Drawn(p chat.Post) chat.Post {
	p, _ = p.Drawn()
	return p
}

// FlatOf is what the posts of an answer say.
func FlatOf(r chat.Response) (all string) {
	for _, p := range r.Posts {
		for _, span := range Drawn(p).Text {
			all += span.Text
		}
	}
	return all
}

// ButtonOf is the token of the first button of the post whose label has the text; empty if there is none.
func ButtonOf(r chat.Response, text string) string {
	for _, p := range r.Posts {
		for _, row := range Drawn(p).Buttons {
			for _, b := range row {
				if strings.Contains(b.Label, text) {
					return b.Token
				}
			}
		}
	}
	return ""
}

// Labelled is the token of the button with that label; the test fails if there is none.
func Labelled(t *testing.T, m chat.Message, label string) string {
	t.Helper()
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Label == label {
				return b.Token
			}
		}
	}
	t.Fatalf("there is no %q in %+v", label, m.Buttons)
	return ""
}

// Must is the value of what can't fail; else it panics.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
