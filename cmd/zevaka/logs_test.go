package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord"
	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/testlog"
	"zevaka/cmd/zevaka/watch"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// overheard is a bot that is watched and logs all it can, with nothing hidden that somebody logs by mistake, and what it
// must not tell.
type overheard struct {
	t    *testing.T
	log  *testlog.Log
	seen *watch.Watch
	bot  *bot.Bot

	running atomic.Int64
	mu      sync.Mutex
	secrets []string
	// last is the answer to the last press or command.
	last chat.Response
	ids  []string
}

func newOverheard(t *testing.T) *overheard {
	t.Helper()
	o := &overheard{t: t, log: &testlog.Log{}}
	log := watch.NewLog(o.log, watch.Logging{Level: slog.LevelDebug})
	o.seen = watch.New(watch.Options{Log: log})
	var err error
	o.bot, err = bot.New(t.Context(), bot.Options{
		Store: o.seen.Store(mem.New()), Games: games.All(), Log: log, Observer: o.seen, Seed: o.seed,
		Running: func() time.Duration { return time.Duration(o.running.Load()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// seed makes a seed that is known again in whatever form it is told.
func (o *overheard) seed() (s engine.Seed) {
	for i := range s {
		s[i] = byte(len(o.secrets)*31 + i*7 + 1)
	}
	o.hide(hex.EncodeToString(s[:]), base64.StdEncoding.EncodeToString(s[:]), fmt.Sprint(s), string(s[:]))
	return s
}

func (o *overheard) hide(secrets ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.secrets = append(o.secrets, secrets...)
}

// Handle has the bot handle a request, and lets a second go by with each press.
func (o *overheard) Handle(ctx context.Context, r chat.Request) chat.Response {
	response := o.bot.Handle(ctx, r)
	if r.Kind == chat.Press || r.Kind == chat.Command {
		o.running.Add(int64(time.Second))
		o.mu.Lock()
		defer o.mu.Unlock()
		o.last = response
		o.ids = append(o.ids, r.ID)
	}
	return response
}

// log is a log for an adapter.
func (o *overheard) logger() *slog.Logger {
	return watch.NewLog(o.log, watch.Logging{Level: slog.LevelDebug})
}

// counted reports whether the last press counted.
func (o *overheard) counted() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.last.Alert
}

// played is a game on a platform, as people see it.
type played struct {
	*overheard
	people int
	// board are the tokens on the newest board, by their labels; press has one of the people press a token.
	board func() map[string]string
	press func(who int, token string)
}

// label presses the button so labelled, by the first of the people for whom that counts.
func (p *played) label(label string) {
	p.t.Helper()
	for who := range p.people {
		token, ok := p.board()[label]
		if !ok {
			p.t.Fatalf("no button is called %q: %v", label, p.board())
		}
		if p.press(who, token); p.counted() {
			return
		}
	}
	p.t.Fatalf("nobody may press %q", label)
}

// whole plays a whole game at the table that was opened.
func (p *played) whole(game wholeGame) {
	p.t.Helper()
	p.press(1, p.board()["Сесть"])
	p.label("Сдавать")
	for who := range p.people { // All add to the cut.
		p.press(who, p.board()["13"])
	}
	p.hands()
	if n := p.play(); n < game.presses {
		p.t.Errorf("the game ended after %d presses, with the buttons %v", n, p.board())
	}
}

// play plays to the end: whoever can do something does it. It reports how many presses counted.
func (p *played) play() (n int) {
	for ; n < 2000; n++ {
		moved := false
		for _, token := range p.moves() {
			for who := 0; who < p.people && !moved; who++ {
				p.press(who, token)
				moved = p.counted()
			}
			if moved {
				break
			}
		}
		if !moved {
			return n
		}
	}
	return n
}

// moves are the tokens of moves on the board, in the order in which to try them.
func (p *played) moves() []string {
	order := []string{"take", "centre", "put", "flip", "keep", "stake", "open"}
	rank := func(token string) int {
		do := token[strings.LastIndex(token, ".")+1:]
		return slices.IndexFunc(order, func(verb string) bool { return strings.HasPrefix(do, verb) })
	}
	var tokens []string
	for _, token := range p.board() {
		if rank(token) >= 0 {
			tokens = append(tokens, token)
		}
	}
	slices.SortFunc(tokens, func(a, b string) int { return rank(a)*1000 - rank(b)*1000 + strings.Compare(a, b) })
	return tokens
}

// hands has everybody look at their cards.
func (p *played) hands() {
	if token, ok := p.board()["🂠 Мои карты"]; ok {
		for who := range p.people {
			p.press(who, token)
		}
	}
}

// told are the secrets and cards in a text, each with its lines.
func told(text string, secrets []string) (found []string) {
	cards := regexp.MustCompile(`[♠♣♥♦🂠]|\b([2-9TJQKA]|10)[SCDH]\b`)
	for _, secret := range append(slices.Clone(secrets), cards.FindString(text)) {
		if secret != "" && strings.Contains(text, secret) {
			found = append(found, fmt.Sprintf("%q:\n%s", secret, linesWith(text, secret)))
		}
	}
	return found
}

// check wants in the log what happened, by requests that are found again in the calls made for them, and none of the
// secrets, nor any card.
func (p *played) check() {
	p.t.Helper()
	text := p.log.String()
	for _, secret := range told(text, p.secrets) {
		p.t.Errorf("the log has %s", secret)
	}
	handled, called := 0, 0
	for _, id := range p.ids {
		if strings.Contains(text, `msg="request handled" request=`+id+" ") {
			handled++
		}
		if strings.Contains(text, `msg="platform called" request=`+id+" ") {
			called++
		}
	}
	if handled != len(p.ids) || called < len(p.ids)-1 { // The last call may not have come back.
		p.t.Errorf("of %d requests %d are logged, and %d with a call:\n%.5000s", len(p.ids), handled, called, text)
	}
	if strings.Contains(text, "level=ERROR") {
		p.t.Errorf("something broke:\n%s", linesWith(text, "level=ERROR"))
	}
}

func linesWith(text, part string) string {
	var found strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) && found.Len() < 2000 {
			found.WriteString(line)
		}
	}
	return found.String()
}

// wholeGames are one with and one without cards that only their player sees.
func wholeGames() []wholeGame {
	return []wholeGame{
		{"zevaka", "21b", map[string]any{"set": "21b", "limit": "none"}, 100},
		{"banchok", "banks=1", map[string]any{"banks": "1", "limit": "none"}, 8},
	}
}

// wholeGame is a game that is played to its end: its command, with options as they are typed and as they are given, and
// how many presses count in it at least.
type wholeGame struct {
	command, typed string
	options        map[string]any
	presses        int
}

// TestLogsOnDiscord plays whole games in time of its own, and looks at all that is logged meanwhile.
func TestLogsOnDiscord(t *testing.T) {
	t.Parallel()
	for _, game := range wholeGames() {
		t.Run(game.command, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))) // A bubble begins before the IDs of Discord do.
				t.Cleanup(func() { time.Sleep(time.Minute) })                       // Both sides take their time to close connections.
				server := discordtest.New(t, discordtest.Options{Memory: true})
				people := []discordtest.User{
					{ID: "101", Name: "ann", Global: "Аня", Locale: "ru"}, {ID: "102", Name: "bob", Global: "Боря", Locale: "ru"},
				}
				o := newOverheard(t)
				o.hide(discordtest.Token, "interaction-token")
				a := discord.New(o, discord.Options{
					Token: discordtest.Token, API: server.URL(), Dial: server.Dial, Log: o.logger(), Commands: o.bot.Commands, Words: o.bot.Words(), Observer: o.seen,
				})
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- a.Run(ctx) }()
				server.Until("the commands are registered", func() bool { list, _ := server.Commands(); return list != nil })
				board := func() (m discordtest.Message) {
					for _, m = range slices.Backward(server.Messages(discordtest.Channel, "")) {
						if len(m.Rows) > 0 {
							return m
						}
					}
					return m
				}
				p := &played{overheard: o, people: len(people)}
				p.board = func() map[string]string {
					tokens := map[string]string{}
					for _, b := range board().Buttons() {
						tokens[b.Label] = b.CustomID
					}
					return tokens
				}
				p.press = func(who int, token string) {
					server.Press(people[who], board().ID, token).Answer()
					for o.bot.Ring(ctx, a.Show) == 0 {
					}
				}
				server.Command(people[0], discordtest.Channel, game.command, game.options).Answer()
				server.Until("there is a table", func() bool { return p.board()["Сесть"] != "" })
				p.whole(game)
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				p.check()
			})
		})
	}
}

// TestLogsOnTelegram plays whole games in time of its own, and looks at all that is logged meanwhile.
func TestLogsOnTelegram(t *testing.T) {
	t.Parallel()
	for _, game := range wholeGames() {
		t.Run(game.command, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := telegramtest.New(telegramtest.Options{})
				wire := telegramtest.NewWire(server)
				defer func() {
					wire.Close()
					time.Sleep(time.Second) // Servers take their time to close connections.
				}()
				o := newOverheard(t)
				_, secret, _ := strings.Cut(telegramtest.Token, ":")
				o.hide(secret)
				a := telegram.New(o, telegram.Options{
					Token: telegramtest.Token, API: "http://telegram.test", Transport: wire, Log: o.logger(), Commands: o.bot.Commands,
					Words: o.bot.Words(), Observer: o.seen,
				})
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- a.Run(ctx) }()
				people := []*telegramtest.User{server.NewUser("Аня", "ru"), server.NewUser("Боря", "ru")}
				chat := server.NewGroup("Карты", people...)
				p := &played{overheard: o, people: len(people)}
				p.board = func() map[string]string {
					time.Sleep(10 * time.Second) // The board follows within what Telegram allows.
					tokens := map[string]string{}
					m, _ := chat.Board()
					for _, b := range m.Buttons {
						tokens[b.Text] = b.Data
					}
					return tokens
				}
				p.press = func(who int, token string) {
					m, _ := chat.Board()
					<-server.Answered(people[who].Press(m, token))
					for o.bot.Ring(ctx, a.Show) == 0 {
					}
				}
				chat.Say(people[0], fmt.Sprintf("/%s %s limit=none", game.command, game.typed))
				p.whole(game)
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				p.check()
			})
		})
	}
}

// TestTold: what the tests of logs look for they would find.
func TestTold(t *testing.T) {
	o := newOverheard(t)
	seed := o.seed()
	for line, want := range map[string]int{
		hex.EncodeToString(seed[:]): 1, "seed=" + fmt.Sprint(seed): 1, string(seed[:]): 1, `msg="6♠"`: 1, "🂠 9": 1, "card=QS": 1,
		`move="put TH"`: 1, "token=interaction-token-1": 1, `msg="request handled" request=discord/7d took=9s`: 0,
	} {
		if got := told(line, append(o.secrets, "interaction-token")); len(got) != want {
			t.Errorf("in %q are found %q", line, got)
		}
	}
}
