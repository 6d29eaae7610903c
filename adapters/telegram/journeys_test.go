package telegram

import (
	"flag"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

// TestJourneys: what people tap, read and wait for in a group where the bot may do no more than write, and nobody but those who
// do so has opened a chat with it.
func TestJourneys(t *testing.T) {
	chatscript.Each(t, "testdata/journeys", func(t *testing.T, file, text string) {
		c := &casino{pictures: true}
		bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.age = time.Hour
			c.house = x
			p := newPhones(c)
			j := chatscript.NewJourney(t, p, p.refused.Load)
			j.Costs(file, text, *rewrite)
			c.close()
		})
	})
}

// phones are those of the people of a journey.
type phones struct {
	*casino
	group *telegramtest.Chat
	users map[int64]*telegramtest.User
	// presses are those of which their people know no answer yet.
	presses map[int64][]string
	refused atomic.Bool
	born    time.Time
	// views are what people see in their chats, until changed is closed.
	views   map[view][]chatscript.Shown
	changed <-chan struct{}
}

// view is somebody's view of the group, or of their private chat.
type view struct {
	who     int64
	private bool
}

func newPhones(c *casino) *phones {
	p := &phones{casino: c, users: map[int64]*telegramtest.User{}, presses: map[int64][]string{}, views: map[view][]chatscript.Shown{}}
	c.heard = func(r chat.Request, response chat.Response) {
		if r.Kind == chat.Press {
			p.refused.Store(response.Alert)
		}
	}
	for _, u := range chatscript.People() {
		p.users[u.ID] = c.server.NewUser(u.Name, u.Lang)
	}
	p.group = c.server.NewGroup("Friends")
	p.born, p.changed = time.Now(), p.server.Changed()
	c.open()
	rest(time.Minute) // It has been there for a while.
	return p
}

// The fake Telegram is what its people have before them.

func (p *phones) chat(who chat.User, private bool) *telegramtest.Chat {
	if private {
		return p.users[who.ID].Private()
	}
	return p.group
}

func (p *phones) Look(who chat.User, private bool) []chatscript.Shown {
	select {
	case <-p.changed:
		p.changed = p.server.Changed()
		clear(p.views)
	default:
	}
	v := view{who.ID, private}
	all, known := p.views[v]
	if !known {
		all = p.look(who, private)
		p.views[v] = all
	}
	return all
}

// look is Look at what stands there now.
func (p *phones) look(who chat.User, private bool) []chatscript.Shown {
	var all []chatscript.Shown
	c := p.chat(who, private)
	for _, m := range c.Messages() {
		if m.To != 0 && m.To != p.users[who.ID].ID {
			continue
		}
		s := chatscript.Shown{
			ID: fmt.Sprint(c.ID, "/", m.ID, "/", m.Ephemeral), Text: m.Text, Alone: m.To != 0, Rings: !m.Silent, Edits: m.Edits,
		}
		if m.Photo != nil {
			s.Picture = "photo"
		} else if m.Document != nil {
			s.Picture = "file"
		}
		for _, b := range m.Buttons {
			s.Keys = append(s.Keys, chatscript.Key{Label: b.Text, Data: b.Data, Link: b.URL})
		}
		all = append(all, s)
	}
	return all
}

func (p *phones) Write(who chat.User, private bool, line string) {
	p.chat(who, private).Say(p.users[who.ID], line)
	synctest.Wait()
}

func (p *phones) Tap(who chat.User, on chatscript.Shown, what chatscript.Key) {
	var m telegramtest.Message
	if _, err := fmt.Sscanf(strings.ReplaceAll(on.ID, "/", " "), "%d %d %d", &m.Chat, &m.ID, &m.Ephemeral); err != nil {
		p.t.Fatal(err)
	}
	p.presses[who.ID] = append(p.presses[who.ID], p.users[who.ID].Press(m, what.Data))
	synctest.Wait()
}

func (p *phones) Add(who chat.User) {
	p.group.Add(p.users[who.ID])
	synctest.Wait()
}

// Follow goes by a link to the chat with the bot, where a payload wants START, or to a message of the group.
func (p *phones) Follow(who chat.User, link string) (private, start bool) {
	if payload := telegramtest.Payload(link); payload != "" {
		p.users[who.ID].Start(payload)
		synctest.Wait()
		return true, true
	}
	u, err := url.Parse(link)
	return err == nil && u.Host == "t.me" && u.Path == "/"+telegramtest.Username, false
}

// Fill replies to the bot.
func (p *phones) Fill(who chat.User, text string) {
	u := p.users[who.ID]
	bot := map[string]any{"id": 4242, "is_bot": true, "first_name": "Зевака"}
	p.group.Write(map[string]any{
		"from": map[string]any{"id": u.ID, "is_bot": false, "first_name": u.Name()}, "text": text,
		"reply_to_message": map[string]any{"message_id": 1, "from": bot, "chat": map[string]any{"id": p.group.ID, "type": "group"}, "date": 1},
	}, 0)
	synctest.Wait()
}

func (p *phones) Told(who chat.User) (told []string, link string) {
	p.presses[who.ID] = slices.DeleteFunc(p.presses[who.ID], func(id string) bool {
		a, ok := p.server.Answer(id)
		if a.Text != "" {
			told = append(told, a.Text)
		}
		if a.URL != "" {
			link = a.URL
		}
		return ok
	})
	return told, link
}

func (p *phones) Busy() bool {
	for _, all := range p.presses {
		if len(all) > 0 {
			return true
		}
	}
	return false
}

func (p *phones) Pass(d time.Duration) { rest(d) }
func (p *phones) Now() time.Duration   { return time.Since(p.born) }

func (p *phones) Calls() int {
	n := 0
	for method, times := range maps.All(p.server.Report().Counts) {
		if method != "getUpdates" && method != "getWebhookInfo" {
			n += times
		}
	}
	return n
}
