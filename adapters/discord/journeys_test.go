package discord

import (
	"context"
	"flag"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/chatscript"
	"zevaka/bot/words"
	"zevaka/storage/mem"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

// TestJourneys: what people tap and read in a channel. Time is not counted.
func TestJourneys(t *testing.T) {
	chatscript.Each(t, "testdata/journeys", func(t *testing.T, file, text string) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			h := build(t, mem.New(), fake(t, discordtest.Options{}))
			h.pictures, h.seeds = true, true
			p := &phones{house: h, read: map[string]reading{}, found: map[stood]bool{}, newest: map[string]chat.Post{}, owed: map[string]bool{}, running: map[int64]*discordtest.Interaction{}}
			h.dealer.heard = p.heard
			h.start()
			h.server.Until("the commands are known", func() bool { return len(h.self().commands) > 0 })
			chatscript.NewJourney(t, p, p.refused.Load).Costs(file, text, *rewrite)
			h.quietly()
		})
	})
}

// phones are those of the people of a journey.
type phones struct {
	*house
	// read are the messages as they were read last.
	read map[string]reading
	// running are the interactions that people have begun last.
	running map[int64]*discordtest.Interaction

	refused atomic.Bool
	mu      sync.Mutex
	// found are the messages that say what was said.
	found map[stood]bool
	// newest are the newest pictures of all tables, said is what else was said, owed are the receipts that the bot hasn't got.
	newest map[string]chat.Post
	said   []chat.Post
	owed   map[string]bool
}

// heard notes what there is to be seen.
func (p *phones) heard(r chat.Request, response chat.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch r.Kind {
	case chat.Press:
		p.refused.Store(response.Alert)
	case chat.Shown:
		delete(p.owed, r.Data)
	}
	for _, post := range chattest.Drawn(response).Posts {
		switch {
		case post.Delete:
		case post.Table == "":
			p.said = append(p.said, post)
		case post.Level >= p.newest[post.Table].Level:
			p.newest[post.Table] = post
		}
		if post.Receipt != "" && (post.Edit == "" || post.Final) {
			p.owed[post.Receipt] = true
		}
	}
}

// The fake Discord is what its people have before them.

func (p *phones) Look(who chat.User, private bool) []chatscript.Shown {
	if private {
		return nil
	}
	var all []chatscript.Shown
	for _, m := range p.server.Messages(discordtest.Channel, strconv.FormatInt(who.ID, 10)) {
		all = append(all, p.reading(m).Shown)
	}
	return all
}

// reading is a message as somebody reads it, and its lines without what is Discord's own.
type reading struct {
	chatscript.Shown
	lines string
}

func (p *phones) reading(m discordtest.Message) reading {
	known, ok := p.read[m.ID]
	if ok && known.Edits == m.Edits {
		return known
	}
	s := chatscript.Shown{ID: m.ID, Text: named(m.Content), Alone: m.Private != "", Rings: strings.Contains(m.Content, "<@"), Edits: m.Edits}
	if m.Picture != nil {
		s.Picture = "picture"
	}
	for _, list := range m.Menus {
		for _, o := range list.Options {
			s.Keys = append(s.Keys, chatscript.Key{Label: o.Label, Data: o.Value, Listed: true})
		}
	}
	for _, b := range m.Buttons() {
		s.Keys = append(s.Keys, chatscript.Key{Label: b.Label, Data: b.CustomID})
	}
	p.read[m.ID] = reading{s, strings.Join(linesOf(m.Content), "\n")}
	return p.read[m.ID]
}

// named is a text as people read it: names in place of their numbers, and no signs of Discord's.
func named(content string) string {
	for _, u := range chatscript.People() {
		content = strings.ReplaceAll(content, "<@"+strconv.FormatInt(u.ID, 10)+">", "@"+u.Name)
	}
	return timestamp.ReplaceAllString(unmarked(content), "00:30")
}

// timestamp is what Discord's client shows as the time that is left.
var timestamp = regexp.MustCompile(`<t:\d+:R>`)

// Write gives a command: its options are words as name=value.
func (p *phones) Write(who chat.User, _ bool, line string) {
	words := strings.Fields(strings.TrimPrefix(line, "/"))
	options := map[string]any{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		options[name] = value
		if n, err := strconv.Atoi(value); err == nil && name == optionAmount {
			options[name] = n
		}
		for _, u := range chatscript.People() {
			if name == optionWho && u.Name == value {
				options[name] = person(u)
			}
		}
	}
	p.running[who.ID] = p.server.Command(person(who), discordtest.Channel, words[0], options)
}

func (p *phones) Tap(who chat.User, on chatscript.Shown, what chatscript.Key) {
	if !what.Listed {
		p.running[who.ID] = p.server.Press(person(who), on.ID, what.Data)
		return
	}
	m, _ := p.server.Message(on.ID)
	for _, list := range m.Menus {
		if slices.ContainsFunc(list.Options, func(o discordtest.Option) bool { return o.Value == what.Data }) {
			p.running[who.ID] = p.server.Choose(person(who), on.ID, list.CustomID, what.Data)
			return
		}
	}
}

func (p *phones) Follow(chat.User, string) (private, start bool) { return false, false }

func (p *phones) Add(chat.User) {
	before := p.server.Record().Calls["guild"]
	p.server.RemoveBot(discordtest.Guild)
	p.server.Until("the bot hears that it is out", func() bool { return p.server.Record().Calls["guild"] > before })
	p.server.Invite(discordtest.Guild, discordtest.Channel)
	p.server.Until("the bot greets", func() bool { return len(p.server.Messages(discordtest.Channel, "")) > 0 })
}

func (p *phones) Fill(who chat.User, text string) {
	p.running[who.ID] = p.server.Submit(p.running[who.ID], text)
}

func (p *phones) Told(chat.User) (lines []string, link string) { return nil, "" }

func (p *phones) Now() time.Duration { return 0 }

// Busy waits until what people did last is answered, older pictures are taken away, and of what is said to one alone only
// the newest line stands there.
func (p *phones) Busy() bool {
	for _, i := range p.running {
		i.Answer()
	}
	p.server.Until("older lines and pictures are taken away", p.rests)
	return false
}

// rests reports whether nothing is on its way.
func (p *phones) rests() bool {
	p.sender.boards.mu.Lock()
	defer p.sender.boards.mu.Unlock()
	drawing := func(b *board) bool { return b.loop.Running() }
	return p.sender.saying.Load() == 0 && !slices.ContainsFunc(p.sender.boards.tables.All(), drawing)
}

func (p *phones) Calls() int {
	n := 0
	for _, times := range p.server.Record().Calls {
		n += times
	}
	return n
}

// Pass lets the bot's clock go on, and waits until all that was said stands there.
func (p *phones) Pass(d time.Duration) {
	show := func(ctx context.Context, r chat.Response) {
		p.heard(chat.Request{}, r)
		p.Show(ctx, r)
	}
	ring := func() {
		for p.dealer.bot.Ring(context.Background(), show) == 0 {
		}
	}
	for ; d > 0; d -= 500 * time.Millisecond {
		ring()
		p.server.Until("what was said stands there, and nothing else", func() bool { return p.stands() && p.rests() })
		p.dealer.running.Add(int64(min(d, 500*time.Millisecond)))
	}
	ring()
	p.server.Until("what was said stands there, and nothing else", func() bool { return p.stands() && p.rests() })
}

// stands reports whether all stands there that was said.
func (p *phones) stands() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, post := range p.newest {
		if !p.shows(post) {
			return false
		}
	}
	p.said = slices.DeleteFunc(p.said, p.shows)
	return len(p.owed) == 0 && len(p.said) == 0
}

// shows reports whether a post stands there: of a long one the last line.
func (p *phones) shows(post chat.Post) bool {
	reader := ""
	if post.To != nil {
		reader = strconv.FormatInt(post.To.ID, 10)
	}
	lines := linesOf(words.Flat(post.Text))
	if chat.Units(words.Flat(post.Text)) > maxContent/2 {
		lines = lines[len(lines)-1:]
	}
	all := p.server.Messages(discordtest.Channel, reader)
	i := slices.IndexFunc(all, func(m discordtest.Message) bool {
		r := p.reading(m)
		return strings.Contains(r.lines, strings.Join(lines, "\n")) && len(r.Keys) > 0 == (len(post.Rows(maxInRow)) > 0) &&
			(post.Table != "" || !p.found[stood{m.ID, m.Edits}])
	})
	if i >= 0 && post.Table == "" {
		p.found[stood{all[i].ID, all[i].Edits}] = true
	}
	return i >= 0
}

// stood is a message as it stands after so many edits.
type stood struct {
	id    string
	edits int
}
