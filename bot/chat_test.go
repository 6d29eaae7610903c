package bot_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/chatscript"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestChat runs every chat script: what everybody sees is what stands there.
func TestChat(t *testing.T) {
	chatscript.Each(t, "testdata", func(t *testing.T, file, want string) {
		c := newChat(t)
		var out strings.Builder
		for _, step := range chatscript.Steps(want) {
			if step.Comment != "" {
				out.WriteString(step.Comment + "\n")
				continue
			}
			fmt.Fprintf(&out, "> %s\n%s\n", step.Line, c.do(step.Line))
		}
		got := strings.TrimRight(out.String(), "\n") + "\n"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != want {
			t.Errorf("the chat went another way (rewrite with -update and read it):\n%s", firstDifference(got, want))
		}
	})
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

// conversation is a channel of text alone, in which people talk to a bot.
type conversation struct {
	*chatscript.Stage
	handler  chat.Handler
	requests int
	// messages are what stands in the channel, by number, with all that stood there before.
	messages [][]chat.Message
	// bears is the newest message that bears a token, or did.
	bears map[string]int
	// alone are those that one person sees.
	alone  map[int]bool
	levels map[string]uint64
	// seen is what everybody has seen since it was reset, or since the move began.
	seen strings.Builder
	move int
}

var place = chatscript.Place

func newChat(t *testing.T) *conversation {
	t.Helper()
	c := &conversation{levels: map[string]uint64{}, alone: map[int]bool{}, bears: map[string]int{}}
	c.Stage = chatscript.New(t, c)
	return c
}

// do does what a line says, and returns what everybody sees of it: of a line that plays only the last move.
func (c *conversation) do(line string) string {
	c.T.Helper()
	c.seen.Reset()
	c.move = 0
	c.Stage.Do(line)
	return c.seen.String()
}

// request reads what a person does, as the bot is asked.
func (c *conversation) request(a chatscript.Act) chat.Request {
	c.requests++
	r := chat.Request{ID: "request " + strconv.Itoa(c.requests), Who: a.Who, In: place, Kind: chat.Press, Data: a.Token}
	if a.Line != "" {
		r.Kind, r.Data = chat.Command, a.Line
		return r
	}
	if n, ok := c.bears[a.Token]; ok {
		r.On = chat.Ref(strconv.Itoa(n))
	}
	return r
}

// The channel is the platform of its scripts.

func (c *conversation) Place() chat.Place           { return place }
func (c *conversation) Begin(s *chatscript.Stage)   { c.handler = s }
func (c *conversation) End()                        {}
func (c *conversation) Settle()                     {}
func (c *conversation) Here(u chat.User) chat.User  { return u }
func (c *conversation) There(u chat.User) chat.User { return u }
func (c *conversation) Show(_ context.Context, r chat.Response) {
	c.show(chat.User{}, r)
}

func (c *conversation) Do(acts ...chatscript.Act) {
	c.T.Helper()
	requests, responses := make([]chat.Request, len(acts)), make([]chat.Response, len(acts))
	var all sync.WaitGroup
	for i, a := range acts {
		requests[i] = c.request(a)
		all.Go(func() { responses[i] = c.handler.Handle(context.Background(), requests[i]) })
	}
	all.Wait()
	for i, r := range requests {
		if mute(r, responses[i]) {
			c.T.Errorf("the press of %s by %s is answered with nothing for them alone", r.Data, r.Who.Name)
		}
		if len(acts) > 1 { // Whichever came first, what everybody sees at last must be the same.
			responses[i].Toast = ""
		}
		if c.Move > 0 && responses[i].Alert {
			return
		}
		c.show(r.Who, responses[i])
		if acts[i].Twice {
			c.show(r.Who, c.handler.Handle(context.Background(), r))
		}
	}
}

// show shows what the bot says, and tells the bot where it stands.
func (c *conversation) show(who chat.User, r chat.Response) {
	if c.Move != c.move && (r.Toast != "" || len(r.Posts) > 0) { // Of many moves only the last is told.
		c.move = c.Move
		c.seen.Reset()
	}
	if r.Toast != "" {
		mark := ""
		if r.Alert {
			mark = "!"
		}
		fmt.Fprintf(&c.seen, "  %s only: %s%s\n", who.Name, mark, r.Toast)
	}
	for _, p := range chattest.Drawn(r).Posts {
		if p.Table != "" && p.Level < c.levels[p.Table] {
			continue
		}
		ref := c.put(p)
		if p.Receipt != "" && (ref != p.Edit || p.Final) {
			c.requests++
			shown := chat.Request{ID: "shown " + strconv.Itoa(c.requests), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: ref}
			c.show(chat.User{}, c.handler.Handle(context.Background(), shown))
		}
	}
}

// put puts a post into the channel and tells the script.
func (c *conversation) put(p chat.Post) chat.Ref {
	n, _ := strconv.Atoi(string(p.Edit))
	if p.Delete {
		fmt.Fprintf(&c.seen, "  #%d%s\n", n, chatscript.Gone)
		return p.Edit
	}
	title := "everybody"
	switch {
	case p.To != nil:
		title = p.To.Name + " only"
	case p.Table != "":
		c.levels[p.Table] = p.Level
	}
	if called := chatscript.Called(p); called != "" {
		title += " (to " + called + ")"
	}
	if n == 0 {
		c.messages = append(c.messages, nil)
		n = len(c.messages)
	}
	c.messages[n-1] = append(c.messages[n-1], p.Message)
	c.alone[n-1] = p.To != nil
	fmt.Fprintf(&c.seen, "  #%d %s\n", n, title)
	for line := range strings.Lines(words.Flat(p.Text)) {
		fmt.Fprintf(&c.seen, "    | %s\n", strings.TrimRight(line, "\n"))
	}
	for _, row := range p.Rows(5) {
		c.seen.WriteString("    ")
		for _, b := range row {
			c.bears[b.Token] = max(n, c.bears[b.Token])
			fmt.Fprintf(&c.seen, "[%s] ", b.Label)
		}
		c.seen.WriteString("\n")
	}
	if p.File != nil && strings.HasSuffix(p.File.Name, ".json") && p.File.Name != "mydata.json" {
		c.prove(p.File)
	}
	return chat.Ref(strconv.Itoa(n))
}

// prove works the record of a game out again, as whoever got it can, and says where its seed was promised: in a message to all that has
// its checksum, where somebody has asked for it, which must have stayed as it was; or in short on the board.
func (c *conversation) prove(f *chat.File) {
	c.T.Helper()
	record, err := engine.ParseRecord(bytes.TrimSpace(f.Data))
	var proof engine.Proof
	if err == nil {
		at := slices.IndexFunc(games.All(), func(r engine.Rules) bool { return r.Info().Name == record.Game })
		proof, err = engine.Prove(games.All()[at], record)
	}
	if err != nil {
		c.T.Errorf("the record %s: %v", f.Name, err)
	}
	promised := "nowhere"
	sum := proof.Commitment
	short := "🔒 " + sum[:4] + " " + sum[4:8] + " " + sum[8:12] + " " + sum[12:16]
	for i, all := range c.messages {
		switch {
		case c.alone[i]:
		case strings.Contains(words.Flat(all[0].Text), sum):
			promised = fmt.Sprintf("in #%d", i+1)
			if len(all) > 1 {
				c.T.Errorf("#%d, which promised the seed, has changed", i+1)
			}
		case promised == "nowhere" && slices.ContainsFunc(all, func(m chat.Message) bool { return strings.Contains(words.Flat(m.Text), short) }):
			promised = fmt.Sprintf("on the board in #%d", i+1)
		}
	}
	if rules, _ := games.ByName(record.Game); promised == "nowhere" && !rules.Info().ForOne() {
		c.T.Errorf("the seed of %s wasn't promised", f.Name)
	}
	fmt.Fprintf(&c.seen, "    (%s: shuffles %d, moves %d, all by the rules; the seed was promised %s)\n", record.Game, len(proof.Packs), proof.Moves, promised)
}

// mute reports whether a press is answered with nothing but what everybody reads, which may come later.
func mute(r chat.Request, response chat.Response) bool {
	own := func(p chat.Post) bool { return p.To != nil && p.To.ID == r.Who.ID }
	return r.Kind == chat.Press && response.Toast == "" && response.Done == "" && !slices.ContainsFunc(response.Posts, own)
}
