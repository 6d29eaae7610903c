package chatscript

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/patience/deals"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// perRow is how many things of a list stand side by side.
const perRow = 5

// attentively is in which order somebody tries what can be done who overlooks nothing: the centre, other players, a flip, and
// what is left. A card that is to be opened waits until that is due.
var attentively = [...]string{"take", "centre", "put", "flip", "keep", "stake", "open"}

// Place is where the bot believes that it is.
var Place = chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}

// Act is what one person does: a Line that is typed, or a press of the button that means Token.
type Act struct {
	Who         chat.User
	Line, Token string
	// Twice says that the platform delivers it twice.
	Twice bool
}

// Platform is where scripts are played.
type Platform interface {
	// Place is where everybody is.
	Place() chat.Place
	// Begin begins a life of the bot, and brings what happens to the stage; End ends it.
	Begin(s *Stage)
	End()
	// Do has people do something, all of them at once, and returns when each is answered.
	Do(acts ...Act)
	// Show shows what the bot's clock says, Settle waits until all that was said is shown.
	Show(ctx context.Context, r chat.Response)
	Settle()
	// Here is a person of the script as the platform knows them, There one of the platform's as the script does.
	Here(u chat.User) chat.User
	There(u chat.User) chat.User
}

// Stage is a script that is being played. It is the Handler to whom the platform brings what happens.
type Stage struct {
	T   *testing.T
	Bot *bot.Bot
	// Store lives longer than the bot.
	Store  storage.Store
	People map[string]chat.User
	// Line is what is being done; of one that plays Move counts the moves, which is 0 of any other.
	Line string
	Move int

	platform Platform
	running  atomic.Int64
	seeds    atomic.Uint64

	mu sync.Mutex
	// requests are the numbers of those that people made, by the platform's own names.
	requests map[string]int
	made     int
	// messages are what the bot put into the place, each with all that stood there before.
	messages [][]chat.Message
	// boards are the messages that bear tables, newest each table's newest picture.
	boards map[string]int
	newest map[string]chat.Post
	// owed are the receipts that the bot has not got, got those that it has: what stands already isn't reported again.
	owed, got map[string]bool
	refused   bool
}

// New is a stage on a platform, where a bot has just begun.
func New(t *testing.T, p Platform) *Stage {
	t.Helper()
	s := &Stage{
		T: t, Store: mem.New(), People: map[string]chat.User{}, platform: p, requests: map[string]int{}, boards: map[string]int{},
		newest: map[string]chat.Post{}, owed: map[string]bool{}, got: map[string]bool{},
	}
	for _, u := range People() {
		s.People[u.Name] = u
	}
	s.Begin()
	return s
}

// Begin begins a life of the bot.
func (s *Stage) Begin() {
	s.T.Helper()
	var err error
	s.Bot, err = bot.New(s.T.Context(), bot.Options{
		Store: s.Store, Games: games.All(), Deals: Calendar{},
		Now:     func() time.Time { return Noon().Add(s.Now()) },
		Running: s.Now,
		Seed: func() (seed engine.Seed) {
			binary.BigEndian.PutUint64(seed[24:], s.seeds.Add(1))
			return seed
		},
	})
	if err != nil {
		s.T.Fatal(err)
	}
	s.platform.Begin(s)
}

// Noon is when scripts begin: a day of Żaba.
func Noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// Calendar has the patiences of the days of scripts: Żaba on every other day, always with the same cards, else Tęcza.
type Calendar struct{}

// OfDay implements day.Deals.
func (Calendar) OfDay(game string, day int) (deals.Deal, bool) {
	if game == "zaba" {
		return deals.Deal{Number: 14, Level: deals.Easy}, true
	}
	return deals.Deal{Number: int64(day)}, true
}

// Featured implements day.Deals.
func (Calendar) Featured(day int) string { return [...]string{"tecza", "zaba"}[day%2] }

// Now is the running time.
func (s *Stage) Now() time.Duration { return time.Duration(s.running.Load()) }

// Handle passes a request on as if it came from the room, unless it does, and what the bot says as if it was said on the platform.
func (s *Stage) Handle(ctx context.Context, r chat.Request) chat.Response {
	s.mu.Lock()
	n, again := s.requests[r.ID]
	if !again {
		s.made++
		n = s.made
		s.requests[r.ID] = n
	}
	name := "request "
	if r.Kind == chat.Shown {
		name = "shown "
	}
	if r.In != Place {
		r.ID, r.In = name+strconv.Itoa(n), Place
	}
	r.Who = s.platform.There(r.Who)
	s.mu.Unlock()
	response := s.said(s.Bot.Handle(ctx, r))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Kind {
	case chat.Press:
		s.refused = response.Alert
	case chat.Shown:
		delete(s.owed, r.Data)
		s.got[r.Data] = true
	}
	return response
}

// said notes what the bot says, and puts it where the platform is.
func (s *Stage) said(response chat.Response) chat.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	here := func(u *chat.User) *chat.User {
		if u != nil {
			one := s.platform.Here(*u)
			u = &one
		}
		return u
	}
	response.Posts = slices.Clone(response.Posts)
	for i := range response.Posts {
		p := &response.Posts[i]
		n, ok := s.boards[p.Table]
		if p.Edit == "" || p.Table == "" && len(p.Buttons) > 0 { // Where one goes on in a message of one's own, it counts as another.
			n, ok = len(s.messages), true
			s.messages = append(s.messages, nil)
		}
		if ok {
			if drawn, ok := p.Drawn(); ok {
				s.messages[n] = append(s.messages[n], drawn.Message)
			}
		}
		if p.Table != "" && p.Level >= s.newest[p.Table].Level {
			s.newest[p.Table], _ = p.Drawn()
		}
		if p.Table != "" && ok {
			s.boards[p.Table] = n
		}
		if p.Receipt != "" && (p.Edit == "" || p.Final) && !s.got[p.Receipt] {
			s.owed[p.Receipt] = true
		}
		p.In, p.To, p.Mention = s.platform.Place(), here(p.To), slices.Clone(p.Mention)
		for i, u := range p.Mention {
			p.Mention[i] = s.platform.Here(u)
		}
	}
	return response
}

// Newest are the newest pictures of all tables.
func (s *Stage) Newest() []chat.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []chat.Post
	for _, p := range s.newest {
		all = append(all, p)
	}
	return all
}

// Owed reports whether the bot still waits to hear where something stands.
func (s *Stage) Owed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.owed) > 0
}

// Do does what a line says.
func (s *Stage) Do(line string) {
	s.T.Helper()
	s.Line = line
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "wait":
		s.Wait(duration(s.T, rest))
	case "restart":
		s.platform.End()
		s.Begin()
		s.Wait(time.Second)
	case "play":
		n := moves(s.T, rest)
		for s.Move = 1; s.Move <= n && s.move(); s.Move++ {
		}
		s.Move = 0
	case "twice":
		a := s.Act(rest)
		a.Twice = true
		s.platform.Do(a)
	case "both":
		first, second, _ := strings.Cut(rest, " | ")
		s.platform.Do(s.Act(first), s.Act(second))
	case "quick":
		s.platform.Do(s.Act(rest))
	default:
		s.running.Add(int64(time.Second))
		s.platform.Do(s.Act(line))
	}
	s.platform.Settle()
}

// Act reads what one person does.
func (s *Stage) Act(line string) Act {
	s.T.Helper()
	name, what, _ := strings.Cut(line, ": ")
	who, ok := s.People[name]
	if !ok {
		s.T.Fatalf("nobody is called %q", name)
	}
	a := Act{Who: s.platform.Here(who)}
	switch {
	case strings.HasPrefix(what, "/"):
		a.Line = what
	case strings.HasPrefix(what, `"`):
		a.Token = strings.Trim(what, `"`)
	default:
		label, ago, _ := strings.Cut(strings.TrimPrefix(what, "["), "]")
		back, _ := strconv.Atoi(strings.TrimPrefix(ago, "^"))
		a.Token = s.find(label, back)
	}
	return a
}

// find is the token of a button so named on the newest picture that has or had one; ago counts back over buttons that say
// something else.
func (s *Stage) find(label string, ago int) string {
	s.T.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	met := map[string]bool{}
	for _, pictures := range slices.Backward(s.messages) {
		for _, m := range slices.Backward(pictures) {
			for _, b := range slices.Concat(m.Rows(perRow)...) {
				if b.Label != label {
					continue
				}
				if met[b.Token] = true; len(met) > ago {
					return b.Token
				}
			}
		}
	}
	s.T.Fatalf("%s: no button is called %q", s.Line, label)
	return ""
}

// Wait lets running time pass in steps, so that every deadline is kept when it is due.
func (s *Stage) Wait(d time.Duration) {
	show := func(ctx context.Context, r chat.Response) { s.platform.Show(ctx, s.said(r)) }
	ring := func() {
		for s.Bot.Ring(s.T.Context(), show) == 0 {
			s.platform.Settle()
		}
	}
	for end := s.Now() + d; s.Now() < end; s.running.Add(int64(500 * time.Millisecond)) {
		ring()
	}
	ring()
}

// move lets whoever must move try the buttons of the newest picture in turn, attentively. It reports false when there are
// none.
func (s *Stage) move() bool {
	s.T.Helper()
	s.platform.Settle()
	m := s.Board()
	var order []string
	for _, what := range attentively {
		for _, b := range slices.Concat(m.Buttons...) {
			if parts := strings.SplitN(b.Token, ".", 5); len(parts) == 5 && strings.HasPrefix(parts[4], what) && (what != "open" || b.Look == chat.Primary) {
				order = append(order, b.Token)
			}
		}
	}
	turn := movers(words.Flat(m.Text), players())
	for _, token := range order {
		for _, name := range turn {
			s.running.Add(int64(time.Second))
			s.platform.Do(Act{Who: s.platform.Here(s.People[name]), Token: token})
			s.mu.Lock()
			refused := s.refused
			s.mu.Unlock()
			if !refused {
				return true
			}
		}
	}
	if len(order) > 0 { // A computer player is to move.
		s.Wait(6 * time.Second)
	}
	return len(order) > 0
}

// Board is the newest message that bears a table with buttons.
func (s *Stage) Board() chat.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pictures := range slices.Backward(s.messages) {
		if m := pictures[len(pictures)-1]; len(m.Buttons) > 0 && !strings.Contains(m.Buttons[0][0].Token, ".!answer ") {
			return m
		}
	}
	return chat.Message{}
}
