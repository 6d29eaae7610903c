package discord

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestChat plays the bot's chat scripts here, each to its end: what everybody sees and what each is told must be what
// the script says, and nobody is told anything else.
func TestChat(t *testing.T) {
	files, err := filepath.Glob("../../bot/testdata/*.chat")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chat scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".chat"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := newChat(t)
			for _, act := range strings.Split("\n"+string(text), "\n> ")[1:] {
				line, seen, _ := strings.Cut(act, "\n")
				c.line, c.acts, c.known = line, nil, c.secrets()
				c.do(line)
				c.check(seen)
				if t.Failed() {
					t.FailNow()
				}
			}
			c.quietly()
		})
	}
}

// chat is a script in progress: the bot believes that it is in a room, so that the same script is the same game.
type chat struct {
	*house
	bot     *bot.Bot
	running atomic.Int64
	seeds   uint64
	// line is what is being done, acts what people did for it here.
	line string
	acts []*discordtest.Interaction
	// known is what everybody had been told before.
	known map[string]discordtest.Message
	// stands are the messages of the script by their numbers in it.
	stands map[string]string

	mu       sync.Mutex
	requests int
	// drawn are the buttons of all pictures so far, in order, by the message that they were drawn on; boards are the
	// messages that bear tables, by table. Messages are numbered as the script's are.
	drawn  [][]bot.Button
	boards map[string]int
	// owed are pictures whose showing the bot wants to hear of, and newest the newest picture of each table.
	owed   map[string]bool
	newest map[string]bot.Post
	// refused is whether the last press was.
	refused bool
}

// room is where the bot believes that it is, and hall where it is.
var (
	room = bot.Place{Community: bot.Community{Platform: bot.Web, ID: 1}, Channel: 1}
	hall = bot.Place{
		Community: bot.Community{Platform: bot.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel),
	}
)

func newChat(t *testing.T) *chat {
	t.Helper()
	c := &chat{stands: map[string]string{}, boards: map[string]int{}, owed: map[string]bool{}, newest: map[string]bot.Post{}}
	c.house = build(t, mem.New(), fake(t, discordtest.Options{Locale: "none"}))
	c.begin()
	return c
}

// begin begins a life of the bot.
func (c *chat) begin() {
	c.t.Helper()
	var err error
	c.bot, err = bot.New(c.t.Context(), bot.Options{
		Store: c.store, Games: games.All(),
		Now:     func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(c.now()) },
		Running: c.now,
		Seed: func() (seed engine.Seed) {
			binary.BigEndian.PutUint64(seed[24:], atomic.AddUint64(&c.seeds, 1))
			return seed
		},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.serve(c, c.bot.Commands)
	c.connected()
}

func (c *chat) now() time.Duration { return time.Duration(c.running.Load()) }

// cast are the people of the scripts, in the order of their numbers.
func cast() []string {
	return []string{"Аня", "Боря", "Вика", "Ola", "Piotr", "Kasia", "Ann", "Bob", "Stranger", "Admin"}
}

// person is somebody of the scripts as Discord knows them.
func person(name string) discordtest.User {
	i := slices.Index(cast(), name)
	u := discordtest.User{ID: strconv.Itoa(i + 1), Name: "user", Global: name, Locale: langOf(i)}
	if name == "Admin" {
		u.Rights = 1 << 3
	}
	return u
}

// langOf is the language of the i-th person.
func langOf(i int) string { return []string{"ru", "pl", "en-US"}[min(i/3, 2)] }

// Handle passes a request on as if it came from the room, and what the bot says back as if it was said here.
func (c *chat) Handle(ctx context.Context, r bot.Request) bot.Response {
	c.mu.Lock()
	c.requests++
	if r.ID = "request " + strconv.Itoa(c.requests); r.Kind == bot.Shown {
		r.ID = "shown " + strconv.Itoa(c.requests)
	}
	r.In = room
	r.Who.Lang, _, _ = strings.Cut(r.Who.Lang, "-")
	c.mu.Unlock()
	response := c.home(c.bot.Handle(ctx, r))
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.Kind {
	case bot.Press:
		c.refused = response.Alert
	case bot.Shown:
		delete(c.owed, r.Data)
	}
	return response
}

// home brings what the bot says from the room here.
func (c *chat) home(response bot.Response) bot.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range response.Posts {
		p := &response.Posts[i]
		p.In = hall
		n := len(c.drawn)
		if p.Edit != "" && p.Table != "" {
			n = c.boards[p.Table]
		} else if p.Edit == "" {
			c.drawn = append(c.drawn, nil)
		}
		if p.Table != "" {
			c.boards[p.Table] = n
		}
		if n < len(c.drawn) {
			c.drawn[n] = append(c.drawn[n], slices.Concat(p.Rows(maxInRow)...)...)
		}
		if p.Receipt != "" && (p.Edit == "" || p.Final) {
			c.owed[p.Receipt] = true
		}
		if p.Table != "" && p.Level >= c.newest[p.Table].Level {
			c.newest[p.Table] = *p
		}
	}
	return response
}

// settle waits until the newest pictures stand, and the bot knows where.
func (c *chat) settle() {
	c.t.Helper()
	c.server.Until(c.line+": the newest pictures stand", func() bool {
		all := c.server.Messages(discordtest.Channel, "")
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, p := range c.newest {
			b := block{lines: linesOf(flat(p.Text))}
			for _, button := range slices.Concat(p.Rows(maxInRow)...) {
				b.labels = append(b.labels, button.Label)
			}
			if !slices.ContainsFunc(all, b.matches) {
				return false
			}
		}
		return len(c.owed) == 0
	})
}

// do does what a line says.
func (c *chat) do(line string) {
	c.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			c.t.Fatal(err)
		}
		c.wait(d)
	case "restart":
		c.end()
		c.begin()
		c.wait(time.Second)
	case "play":
		n, err := strconv.Atoi(rest)
		if err != nil {
			n = 5000
		}
		for ; n > 0 && c.play(); n-- {
		}
	case "twice":
		i := c.act(rest)
		c.server.Again(i)
	case "both":
		first, second, _ := strings.Cut(rest, " | ")
		c.act(first)
		c.act(second)
	case "quick":
		c.act(rest)
	default:
		c.running.Add(int64(time.Second))
		c.act(line)
	}
	for _, i := range c.acts {
		i.Answer()
	}
	c.settle()
}

// act does what one person does.
func (c *chat) act(line string) *discordtest.Interaction {
	c.t.Helper()
	name, what, _ := strings.Cut(line, ": ")
	who := person(name)
	var i *discordtest.Interaction
	switch {
	case strings.HasPrefix(what, "/"):
		name, options := c.command(what)
		i = c.server.Command(who, discordtest.Channel, name, options)
	case strings.HasPrefix(what, `"`):
		i = c.tap(who, strings.Trim(what, `"`))
	default:
		label, ago, _ := strings.Cut(strings.TrimPrefix(what, "["), "]")
		back, _ := strconv.Atoi(strings.TrimPrefix(ago, "^"))
		i = c.tap(who, c.find(label, back))
	}
	c.acts = append(c.acts, i)
	return i
}

// command is a typed line as Discord's client sends it.
func (c *chat) command(line string) (name string, options map[string]any) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	option := optionWhat
	for _, info := range c.bot.Commands("ru") {
		if info.Name == name || info.Local == strings.ToLower(name) {
			name = info.Name
			if info.Game != nil {
				option = optionSet
			}
		}
	}
	if rest == "" {
		return name, nil
	}
	return name, map[string]any{option: rest}
}

// find is the token of a button on the newest message that has or had one; ago counts back over those that say something
// else.
func (c *chat) find(label string, ago int) string {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	met := map[string]bool{}
	for _, buttons := range slices.Backward(c.drawn) {
		for _, b := range slices.Backward(buttons) {
			if b.Label == label {
				if met[b.Token] = true; len(met) > ago {
					return b.Token
				}
			}
		}
	}
	c.t.Fatalf("%s: no button is called %q", c.line, label)
	return ""
}

// tap presses the button or chooses the thing that means the token, or, where nobody sees it any more, forges a press.
func (c *chat) tap(who discordtest.User, token string) *discordtest.Interaction {
	c.t.Helper()
	all := c.server.Messages(discordtest.Channel, who.ID)
	for _, m := range slices.Backward(all) {
		for _, list := range m.Menus {
			if slices.ContainsFunc(list.Options, func(o discordtest.Option) bool { return o.Value == token }) {
				return c.server.Choose(who, m.ID, list.CustomID, token)
			}
		}
		for _, b := range m.Buttons() {
			if b.CustomID == token {
				return c.server.Press(who, m.ID, token)
			}
		}
	}
	return c.server.Press(who, c.board(discordtest.Channel).ID, token)
}

// wait lets running time pass in steps, so that every deadline is kept when it is due.
func (c *chat) wait(d time.Duration) {
	c.t.Helper()
	ring := func() {
		for c.bot.Ring(c.t.Context(), func(ctx context.Context, r bot.Response) { c.Show(ctx, c.home(r)) }) == 0 {
			c.settle()
		}
	}
	for end := c.now() + d; c.now() < end; c.running.Add(int64(500 * time.Millisecond)) {
		ring()
	}
	ring()
}

// play lets whoever must move try the buttons of the newest picture in turn. It reports false when there are none.
func (c *chat) play() bool {
	c.t.Helper()
	c.acts = nil
	m := c.board(discordtest.Channel)
	var order []string
	for _, what := range []string{"take", "centre", "put", "flip", "keep", "stake", "open"} {
		for _, b := range m.Buttons() {
			if parts := strings.SplitN(b.CustomID, ".", 5); len(parts) == 5 && strings.HasPrefix(parts[4], what) {
				order = append(order, b.CustomID)
			}
		}
	}
	for _, token := range order {
		for _, name := range cast()[:8] {
			c.running.Add(int64(time.Second))
			if !strings.Contains(m.Content, name) { // Whoever doesn't sit there would only be refused.
				c.mu.Lock()
				c.requests++
				c.mu.Unlock()
				continue
			}
			i := c.server.Press(person(name), m.ID, token)
			i.Answer()
			c.mu.Lock()
			refused := c.refused
			c.mu.Unlock()
			if !refused {
				c.acts = append(c.acts, i)
				c.settle()
				return true
			}
		}
	}
	if len(order) > 0 { // A computer player is to move.
		c.wait(6 * time.Second)
		c.settle()
	}
	return len(order) > 0
}
