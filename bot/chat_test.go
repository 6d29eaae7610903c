package bot_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestChat runs every chat script: lines beginning with ">" are what people do, the rest is what everybody sees.
//
//	> Аня: /zevaka 21б        a command
//	> Боря: [Сесть]           a press of a button on the newest picture that has it
//	> Боря: [Вскрыть]^1       a press of a button as it stood before it meant what it means now
//	> Боря: "1w1.x.0.flip"    a press of a token that somebody wrote
//	> quick Боря: [Сесть]     the same within the same moment as the line before
//	> twice Боря: [Сесть]     the same press delivered twice
//	> both Аня: [A] | Боря: [B]   two presses at once
//	> wait 60s                running time passes
//	> restart                 the process dies and starts again
//	> play 5                  whoever must move does so attentively, five times; "play" alone goes on to the end
func TestChat(t *testing.T) {
	files, err := filepath.Glob("testdata/*.chat")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chat scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".chat"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := runChat(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("the chat went another way (rewrite with -update and read it):\n%s", firstDifference(got, string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return fmt.Sprintf("got ends at line %d, want goes on", len(g))
}

func runChat(t *testing.T, script string) string {
	c := newChat(t)
	var out strings.Builder
	lines := bufio.NewScanner(strings.NewReader(script))
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
		case strings.HasPrefix(line, "> "):
			out.WriteString(line + "\n")
			c.seen.Reset()
			c.do(strings.TrimPrefix(line, "> "))
			out.WriteString(c.seen.String() + "\n")
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// chat is a channel in which people talk to a bot, over a store that lives longer than the bot.
type chat struct {
	t        *testing.T
	store    storage.Store
	bot      *bot.Bot
	running  time.Duration
	requests int
	seeds    uint64
	people   map[string]bot.User
	// messages are what stands in the channel, by number, with all that stood there before.
	messages [][]bot.Message
	// tables are the messages that bear a table's newest picture, levels what they show.
	levels map[string]uint64
	seen   strings.Builder
}

var place = bot.Place{Community: bot.Community{Platform: bot.Web, ID: 1}, Channel: 1}

func newChat(t *testing.T) *chat {
	c := &chat{t: t, store: mem.New(), people: map[string]bot.User{}, levels: map[string]uint64{}}
	for i, p := range []struct{ name, lang string }{
		{"Аня", "ru"}, {"Боря", "ru"}, {"Вика", "ru"}, {"Ola", "pl"}, {"Piotr", "pl"}, {"Kasia", "pl"},
		{"Ann", "en"}, {"Bob", "en"}, {"Stranger", "en"}, {"Admin", "en"},
	} {
		c.people[p.name] = bot.User{ID: int64(i + 1), Name: p.name, Lang: p.lang, Admin: p.name == "Admin"}
	}
	c.start()
	return c
}

func (c *chat) start() {
	c.t.Helper()
	var err error
	c.bot, err = bot.New(context.Background(), bot.Options{
		Store: c.store, Games: games.All(),
		Now:     func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(c.running) },
		Running: func() time.Duration { return c.running },
		Seed: func() (seed engine.Seed) {
			c.seeds++
			binary.BigEndian.PutUint64(seed[24:], c.seeds)
			return seed
		},
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *chat) do(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			c.t.Fatal(err)
		}
		c.wait(d)
	case "restart":
		c.start()
		c.wait(time.Second)
	case "play":
		n, err := strconv.Atoi(rest)
		if err != nil {
			n = 5000
		}
		c.play(n)
	case "twice":
		r := c.request(rest)
		c.show(r.Who, c.bot.Handle(context.Background(), r))
		c.show(r.Who, c.bot.Handle(context.Background(), r))
	case "both":
		c.both(rest)
	case "quick":
		c.press(rest)
	default:
		c.running += time.Second
		c.press(line)
	}
}

func (c *chat) press(line string) {
	r := c.request(line)
	c.show(r.Who, c.bot.Handle(context.Background(), r))
}

// request reads what a person does.
func (c *chat) request(line string) bot.Request {
	c.t.Helper()
	name, what, _ := strings.Cut(line, ": ")
	who, ok := c.people[name]
	if !ok {
		c.t.Fatalf("nobody is called %q", name)
	}
	c.requests++
	r := bot.Request{ID: "request " + strconv.Itoa(c.requests), Who: who, In: place, Kind: bot.Press}
	switch {
	case strings.HasPrefix(what, "/"):
		r.Kind, r.Data = bot.Command, what
	case strings.HasPrefix(what, `"`):
		r.Data = strings.Trim(what, `"`)
	default:
		label, ago, _ := strings.Cut(strings.TrimPrefix(what, "["), "]")
		back, _ := strconv.Atoi(strings.TrimPrefix(ago, "^"))
		r.On, r.Data = c.find(label, back)
	}
	return r
}

// find looks for a button so named on the newest picture that has or had one; ago counts back over buttons that say
// something else.
func (c *chat) find(label string, ago int) (bot.Ref, string) {
	c.t.Helper()
	tokens := map[string]bool{}
	for i := len(c.messages) - 1; i >= 0; i-- {
		for j := len(c.messages[i]) - 1; j >= 0; j-- {
			for _, row := range c.messages[i][j].Rows(5) {
				for _, b := range row {
					if b.Label != label {
						continue
					}
					if tokens[b.Token] = true; len(tokens) > ago {
						return bot.Ref(strconv.Itoa(i + 1)), b.Token
					}
				}
			}
		}
	}
	c.t.Fatalf("no button is called %q", label)
	return "", ""
}

func (c *chat) both(line string) {
	first, second, _ := strings.Cut(line, " | ")
	requests := []bot.Request{c.request(first), c.request(second)}
	responses := make([]bot.Response, 2)
	done := make(chan struct{})
	go func() {
		responses[1] = c.bot.Handle(context.Background(), requests[1])
		close(done)
	}()
	responses[0] = c.bot.Handle(context.Background(), requests[0])
	<-done
	// Whichever came first, what everybody sees at last must be the same.
	c.show(requests[0].Who, bot.Response{Posts: responses[0].Posts})
	c.show(requests[1].Who, bot.Response{Posts: responses[1].Posts})
}

// wait lets running time pass in steps, so that every deadline is kept when it is due.
func (c *chat) wait(d time.Duration) {
	for end := c.running + d; c.running < end; c.running += 500 * time.Millisecond {
		c.ring()
	}
	c.ring()
}

func (c *chat) ring() {
	for c.bot.Ring(context.Background(), func(_ context.Context, r bot.Response) { c.show(bot.User{}, r) }) == 0 {
	}
}

// show shows what the bot says, and tells the bot where it stands.
func (c *chat) show(who bot.User, r bot.Response) {
	if r.Toast != "" {
		mark := ""
		if r.Alert {
			mark = "!"
		}
		fmt.Fprintf(&c.seen, "  %s only: %s%s\n", who.Name, mark, r.Toast)
	}
	for _, p := range r.Posts {
		if p.Table != "" && p.Level < c.levels[p.Table] {
			continue
		}
		ref := c.place(p)
		if p.Receipt != "" && (ref != p.Edit || p.Final) {
			c.requests++
			shown := bot.Request{ID: "shown " + strconv.Itoa(c.requests), In: p.In, Kind: bot.Shown, Data: p.Receipt, On: ref}
			c.show(bot.User{}, c.bot.Handle(context.Background(), shown))
		}
	}
}

// place puts a post into the channel and tells the script.
func (c *chat) place(p bot.Post) bot.Ref {
	n, _ := strconv.Atoi(string(p.Edit))
	title := "everybody"
	switch {
	case p.To != nil:
		title = p.To.Name + " only"
	case p.Table != "":
		c.levels[p.Table] = p.Level
	}
	if p.Mention != nil {
		title += " (to " + p.Mention.Name + ")"
	}
	if n == 0 {
		c.messages = append(c.messages, nil)
		n = len(c.messages)
	}
	c.messages[n-1] = append(c.messages[n-1], p.Message)
	fmt.Fprintf(&c.seen, "  #%d %s\n", n, title)
	for line := range strings.Lines(text(p.Text)) {
		fmt.Fprintf(&c.seen, "    | %s\n", strings.TrimRight(line, "\n"))
	}
	for _, row := range p.Rows(5) {
		c.seen.WriteString("    ")
		for _, b := range row {
			fmt.Fprintf(&c.seen, "[%s] ", b.Label)
		}
		c.seen.WriteString("\n")
	}
	return bot.Ref(strconv.Itoa(n))
}

func text(spans []bot.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// play lets whoever must move try the buttons of the newest picture in turn, attentively: the centre, other players,
// a flip, and what is left. Only what happened is told, and the last picture.
func (c *chat) play(n int) {
	last := ""
	for range n {
		c.seen.Reset()
		if !c.playOnce() {
			break
		}
		last = c.seen.String()
	}
	c.seen.Reset()
	c.seen.WriteString(last)
}

func (c *chat) playOnce() bool {
	latest := c.messages[c.board()]
	buttons := latest[len(latest)-1].Buttons
	order := []string{}
	for _, what := range []string{"take", "centre", "put", "flip", "keep", "stake", "open"} {
		for _, row := range buttons {
			for _, b := range row {
				if parts := strings.SplitN(b.Token, ".", 5); strings.HasPrefix(parts[4], what) {
					order = append(order, b.Token)
				}
			}
		}
	}
	for _, token := range order {
		for _, name := range []string{"Аня", "Боря", "Вика", "Ola", "Piotr", "Kasia", "Ann", "Bob"} {
			c.requests++
			c.running += time.Second
			r := bot.Request{ID: "request " + strconv.Itoa(c.requests), Who: c.people[name], In: place, Kind: bot.Press, Data: token}
			response := c.bot.Handle(context.Background(), r)
			if !response.Alert {
				c.show(r.Who, response)
				return true
			}
		}
	}
	if len(order) > 0 { // A computer player is to move.
		c.wait(6 * time.Second)
		return true
	}
	return false
}

// board is the message that bears the newest picture of a table.
func (c *chat) board() int {
	for i := len(c.messages) - 1; i >= 0; i-- {
		pictures := c.messages[i]
		if len(pictures[len(pictures)-1].Buttons) > 0 {
			return i
		}
	}
	return 0
}
