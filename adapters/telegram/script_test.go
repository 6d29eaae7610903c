package telegram

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// script is a chat script of the bot's, played in a group: the bot believes that it is in a room, so that the same
// script is the same game.
type script struct {
	*house
	store   *mem.Store
	bot     *bot.Bot
	chat    *telegramtest.Chat
	people  map[string]*telegramtest.User
	running time.Duration
	seeds   uint64

	mu       sync.Mutex
	requests int
	// known are the people as the script knows them, ids their users in Telegram.
	known map[int64]bot.User
	ids   map[int64]int64
	// buttons are all that were ever shown, in order; refused is whether the last press was.
	buttons [][2]string
	refused bool
	// told is what the last who moved in a play of several moves was told.
	told string
}

var room = bot.Place{Community: bot.Community{Platform: bot.Web, ID: 1}, Channel: 1}

// Handle passes a request on as if it came from the room.
func (s *script) Handle(ctx context.Context, r bot.Request) bot.Response {
	s.mu.Lock()
	s.requests++
	r.ID, r.In, r.Who = "request "+strconv.Itoa(s.requests), room, s.known[r.Who.ID]
	if r.Kind == bot.Shown {
		r.ID = "shown " + strconv.Itoa(s.requests)
	}
	s.mu.Unlock()
	response := s.home(s.bot.Handle(ctx, r))
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Kind == bot.Press {
		s.refused = response.Alert
	}
	return response
}

// home puts what the bot says to the room into the group.
func (s *script) home(response bot.Response) bot.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	translate := func(u *bot.User) *bot.User {
		if u == nil {
			return nil
		}
		return &bot.User{ID: s.ids[u.ID], Name: u.Name, Lang: u.Lang}
	}
	for i := range response.Posts {
		p := &response.Posts[i]
		p.In, p.To, p.Mention = placeOf(s.chat.ID), translate(p.To), translate(p.Mention)
		for _, row := range p.Rows(maxRow) {
			for _, b := range row {
				s.buttons = append(s.buttons, [2]string{b.Label, b.Token})
			}
		}
	}
	return response
}

func (s *script) start() {
	s.t.Helper()
	var err error
	s.bot, err = bot.New(s.t.Context(), bot.Options{
		Store: s.store, Games: games.All(),
		Now:     func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(s.running) },
		Running: func() time.Duration { return s.running },
		Seed: func() (seed engine.Seed) {
			s.seeds++
			binary.BigEndian.PutUint64(seed[24:], s.seeds)
			return seed
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.house.start(Options{})
}

func newScript(x *house) *script {
	s := &script{house: x, store: mem.New(), people: map[string]*telegramtest.User{}, known: map[int64]bot.User{}, ids: map[int64]int64{}}
	x.handler = s
	for i, p := range []struct{ name, lang string }{
		{"Аня", "ru"}, {"Боря", "ru"}, {"Вика", "ru"}, {"Ola", "pl"}, {"Piotr", "pl"}, {"Kasia", "pl"},
		{"Ann", "en"}, {"Bob", "en"}, {"Stranger", "en"}, {"Admin", "en"},
	} {
		u := x.server.NewUser(p.name, p.lang)
		s.people[p.name], s.ids[int64(i+1)] = u, u.ID
		s.known[u.ID] = bot.User{ID: int64(i + 1), Name: p.name, Lang: p.lang, Admin: p.name == "Admin"}
	}
	s.chat = x.server.NewGroup("Room")
	s.chat.Promote() // It can say something to one person in the group.
	s.start()
	return s
}

// do does one line, and returns the presses to be answered.
func (s *script) do(line string) []string {
	s.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		s.wait(d)
	case "restart":
		s.end()
		s.start()
		s.wait(time.Second)
	case "play":
		n, err := strconv.Atoi(rest)
		if err != nil {
			n = 5000
		}
		for ; n > 0 && s.play(); n-- {
		}
	case "twice", "quick":
		return s.act(rest)
	case "both":
		first, second, _ := strings.Cut(rest, " | ")
		return append(s.act(first), s.act(second)...)
	default:
		s.running += time.Second
		return s.act(line)
	}
	return nil
}

// act does what one person does.
func (s *script) act(line string) []string {
	s.t.Helper()
	name, what, _ := strings.Cut(line, ": ")
	who := s.people[name]
	if strings.HasPrefix(what, "/") {
		s.chat.Say(who, what)
		return nil
	}
	data := strings.Trim(what, `"`)
	if label, ago, ok := strings.Cut(strings.TrimPrefix(what, "["), "]"); ok {
		back, _ := strconv.Atoi(strings.TrimPrefix(ago, "^"))
		data = s.find(label, back)
	}
	board, _ := s.chat.Board()
	board.Chat = s.chat.ID
	return []string{who.Press(board, data)}
}

// find is the token of a button that was shown; ago counts back over those that say something else.
func (s *script) find(label string, ago int) string {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens := map[string]bool{}
	for _, b := range slices.Backward(s.buttons) {
		if b[0] == label {
			if tokens[b[1]] = true; len(tokens) > ago {
				return b[1]
			}
		}
	}
	s.t.Fatalf("no button is called %q", label)
	return ""
}

func (s *script) wait(d time.Duration) {
	ring := func() {
		for s.bot.Ring(s.t.Context(), func(ctx context.Context, r bot.Response) { s.run.Show(ctx, s.home(r)) }) == 0 {
			rest(0)
		}
	}
	for end := s.running + d; s.running < end; s.running += 500 * time.Millisecond {
		ring()
	}
	ring()
}

// play lets whoever must move try the buttons of the newest picture in turn. It reports false when there are none.
func (s *script) play() bool {
	s.t.Helper()
	rest(5 * time.Second)
	board, ok := s.chat.Board()
	if !ok {
		return false
	}
	var order []string
	for _, what := range []string{"take", "centre", "put", "flip", "keep", "stake", "open"} {
		for _, b := range board.Buttons {
			if parts := strings.SplitN(b.Data, ".", 5); strings.HasPrefix(parts[4], what) {
				order = append(order, b.Data)
			}
		}
	}
	for _, token := range order {
		for _, name := range []string{"Аня", "Боря", "Вика", "Ola", "Piotr", "Kasia", "Ann", "Bob"} {
			s.running += time.Second
			if !strings.Contains(board.Text, name) { // Whoever doesn't sit there would only be refused.
				s.mu.Lock()
				s.requests++
				s.mu.Unlock()
				continue
			}
			if a := s.send(s.people[name], board, token); !s.refused {
				s.told = a.Text
				return true
			}
		}
	}
	if len(order) > 0 { // A computer player is to move.
		s.wait(6 * time.Second)
	}
	return len(order) > 0
}

// seen checks that people see what the script says.
func (s *script) seen(block string, presses []string) {
	s.t.Helper()
	rest(time.Minute)
	told, shown := map[string]bool{s.told: true}, map[string]bool{}
	for _, id := range presses {
		a, _ := s.server.Answer(id)
		told[a.Text] = true
	}
	for _, m := range append(s.chat.Messages(), s.direct()...) {
		told[m.Text], shown[m.Text] = true, true
	}
	last := map[string]string{}
	for _, part := range strings.Split("\n"+block, "\n  #")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		var text []string
		for line := range strings.Lines(body) {
			if after, ok := strings.CutPrefix(line, "    | "); ok {
				text = append(text, strings.TrimRight(after, "\n"))
			}
		}
		number, _, _ := strings.Cut(head, " ")
		last[number] = strings.TrimSpace(strings.Join(text, "\n"))
	}
	for number, text := range last {
		if !shown[text] && !told[text] {
			s.t.Errorf("nobody sees #%s:\n%s\nbut %q", number, text, slices.Collect(maps.Keys(shown)))
		}
	}
	for line := range strings.Lines(block) {
		if _, text, ok := strings.Cut(line, " only: "); ok && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "    ") {
			if text = strings.TrimPrefix(strings.TrimSpace(text), "!"); !told[text] {
				s.t.Errorf("nobody is told %q, but %q", text, slices.Collect(maps.Keys(told)))
			}
		}
	}
}

func (s *script) direct() []telegramtest.Message {
	var all []telegramtest.Message
	for _, u := range s.people {
		all = append(all, u.Private().Messages()...)
	}
	return all
}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("../../bot/testdata/*.chat")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chat scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".chat"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
				s := newScript(x)
				for _, block := range strings.Split("\n"+string(text), "\n> ")[1:] {
					line, block, _ := strings.Cut(block, "\n")
					s.seen(block, s.do(line))
					if t.Failed() {
						t.Fatal(fmt.Sprint("after ", line))
					}
				}
			})
		})
	}
}
