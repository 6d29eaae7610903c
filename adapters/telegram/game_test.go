package telegram

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// game is one deal at a table in a chat, played by whoever sits there.
type game struct {
	*casino
	chat  *telegramtest.Chat
	topic int64
	users []*telegramtest.User
	rules engine.Rules
	state engine.State
	rand  *rand.Rand
	table string
	seats map[engine.Seat]*telegramtest.User
	// live are those who play at the live table, where they have been let in.
	live map[*telegramtest.User]door.Visit
	// done are the presses that counted, for the same game in another place.
	done    []done
	options string
	// taps are the presses of tap, whatever came of them.
	taps []string
	// drawn and dealt are the seeds of the draw and of the deal.
	drawn, dealt engine.Seed
}

type done struct {
	user  int
	epoch int
	do    string
}

// deal opens a table with everybody at it, and deals.
func (g *game) deal(options string) {
	g.t.Helper()
	g.options = options
	g.rules, g.seats = games.All()[0], map[engine.Seat]*telegramtest.User{}
	g.chat.SayIn(g.topic, g.users[0], "/zevaka@"+telegramtest.Username+" "+limited(options))
	var board telegramtest.Message
	g.until("a board in its topic", func() (ok bool) {
		board, ok = g.chat.Board()
		return ok && board.Topic == g.topic && strings.Contains(board.Text, "1.")
	})
	g.table = strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
	g.drawn = numbered(g.seeds.Load())
	for i := range g.users[1:] {
		g.must(i+1, 0, "!join")
	}
	g.must(0, 0, "!deal")
	g.dealt = numbered(g.seeds.Load())
	n := len(g.users)
	g.must((table.DrawDealer(g.drawn, n).First(false)+n-2)%n, 1, "!cut 7")
	chosen := map[string]string{}
	for _, word := range strings.Fields(options) {
		if name, value, ok := strings.Cut(word, "="); ok && name != "limit" {
			chosen[name] = value
		}
		for _, set := range g.rules.Info().Sets {
			for _, name := range set.Names {
				if name == word {
					maps.Copy(chosen, set.Options)
				}
			}
		}
	}
	chosen, err := g.rules.Info().Complete(chosen)
	if err == nil {
		g.state, err = g.rules.Deal(engine.Setup{Seats: len(g.users), Options: chosen}, engine.NewShuffler(g.dealt, "7"))
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

// limited are the options with no limit for a turn, unless they name one.
func limited(options string) string {
	if strings.Contains(options, "limit=") {
		return options
	}
	return "limit=none " + options
}

func (g *game) token(epoch int, do string) string {
	return strings.Join([]string{"1", g.table, strconv.FormatInt(int64(epoch), 36), do}, ".")
}

// response presses, and returns what the bot made of it. People take some time.
func (g *game) response(u *telegramtest.User, data string) chat.Response {
	g.t.Helper()
	time.Sleep(600 * time.Millisecond)
	board, ok := g.table1()
	if !ok { // After a start, or a move: any message will do.
		board, _ = g.chat.Board()
	}
	if v, ok := g.live[u]; ok {
		if v.Table == "" {
			v = g.enter(u, startIn(g.t, board))
			g.live[u] = v
		}
		return g.asks(v, chat.Press, data)
	}
	board.Chat = g.chat.ID
	board.Topic = g.topic
	id := u.Press(board, data)
	g.until("the answer to "+data, func() bool { _, ok := g.server.Answer(id); return ok })
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.responses["tg-q"+id]
}

// try presses, and reports whether it counted.
func (g *game) try(user, epoch int, do string) bool {
	g.t.Helper()
	r := g.response(g.users[user], g.token(epoch, do))
	if !r.Alert {
		g.done = append(g.done, done{user, epoch, do})
	}
	return !r.Alert
}

func (g *game) must(user, epoch int, do string) {
	g.t.Helper()
	if !g.try(user, epoch, do) {
		g.t.Fatalf("%s was refused", do)
	}
}

// move makes a move that the one who is to move might make. It reports false when the deal is over.
func (g *game) move() bool {
	turn := g.state.Turn()
	if len(turn) == 0 {
		return false
	}
	seat := turn[0]
	move := g.state.Auto(seat, 0.9, g.rand)
	epoch := 2 + g.state.Epoch()
	do := g.rules.Text(move)
	made := false
	for i, u := range g.users {
		if known := g.seats[seat]; known != nil && known != u {
			continue
		}
		if made = g.try(i, epoch, do); made {
			g.seats[seat] = u
			break
		}
	}
	if _, err := g.state.Apply(engine.Step{Seat: seat, Move: move}); err != nil || !made {
		g.t.Fatalf("%s at seat %d: made %v, %v", do, seat, made, err)
	}
	return true
}

// disturb presses what must not count.
func (g *game) disturb(stranger *telegramtest.User) {
	g.t.Helper()
	turn := g.state.Turn()
	if len(turn) == 0 {
		return
	}
	epoch := 2 + g.state.Epoch()
	do := g.rules.Text(g.state.Auto(turn[0], 1, g.rand))
	var who *telegramtest.User
	data := g.token(epoch, do)
	switch g.rand.IntN(5) {
	case 0:
		who = stranger
	case 1:
		who = g.seats[turn[0]]
		data = g.token(epoch-1, do)
	case 2:
		who = g.seats[turn[0]]
		data = g.token(epoch, "take 99 99 \x00<b>")
	case 3:
		who = stranger
		data = strings.Repeat("я", 32)
	default:
		for seat, u := range g.seats {
			if seat != turn[0] && len(turn) == 1 {
				who = u
			}
		}
	}
	if who == nil {
		return
	}
	if r := g.response(who, data); !r.Alert {
		g.t.Errorf("%q counted: %+v", data, r)
	}
}

// play plays the deal to its end, and checks that the last picture shows it.
func (g *game) play(each func(n int)) {
	g.t.Helper()
	stranger := g.server.NewUser("<b>Чужой</b> & \"Co\"", "pl")
	for n := 0; g.move(); n++ {
		if g.rand.IntN(8) == 0 {
			g.disturb(stranger)
		}
		each(n)
	}
	last := g.board(g.chat, "🏆")
	if last.Topic != g.topic {
		g.t.Errorf("the end stands in topic %d, not %d", last.Topic, g.topic)
	}
	g.until("the last picture's receipt", func() bool {
		rest(time.Second)
		items, err := g.store.Scan(g.t.Context(), "o/", "", 10)
		return err == nil && len(items) == 0
	})
	room := g.inTheRoom()
	if want := strings.TrimSpace(room.text); last.Text != want {
		g.t.Errorf("the end is\n%s\nand in the room\n%s", last.Text, want)
	}
	if log := logOf(g.t, g.store); log != room.log || strings.Count(log, ";") < 50 {
		g.t.Errorf("the record is\n%s\nand in the room\n%s", log, room.log)
	}
}

type record struct{ text, log string }

// inTheRoom plays the same game elsewhere, with nothing between the players and the bot.
func (g *game) inTheRoom() record {
	g.t.Helper()
	store := mem.New()
	seed := g.drawn
	running := time.Duration(0)
	b, err := bot.New(g.t.Context(), bot.Options{
		Store: store, Games: games.All(),
		Seed:    func() engine.Seed { return seed },
		Running: func() time.Duration { running += time.Second; return running },
	})
	if err != nil {
		g.t.Fatal(err)
	}
	place := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	var r chat.Response
	handle := func(q chat.Request) {
		for depth := 0; depth < 3; depth++ {
			q.ID, q.In = fmt.Sprint(running, depth, q.Data), place
			response := chattest.Drawn(b.Handle(g.t.Context(), q))
			if depth == 0 {
				r = response
			}
			if len(response.Posts) == 0 || response.Posts[0].Edit != "" && !response.Posts[0].Final {
				return
			}
			q = chat.Request{Kind: chat.Shown, Data: response.Posts[0].Receipt, On: "1"}
		}
	}
	who := func(i int) chat.User {
		u := g.users[i]
		return chat.User{ID: u.ID, Name: u.Name(), Lang: "ru"}
	}
	handle(chat.Request{Kind: chat.Command, Who: who(0), Data: "/zevaka limit=none " + g.options})
	table := strings.Replace(r.Posts[0].Table, "/", ".", 1)
	for _, d := range g.done {
		if d.do == "!deal" {
			seed = g.dealt
		}
		data := strings.Join([]string{"1", table, strconv.FormatInt(int64(d.epoch), 36), d.do}, ".")
		handle(chat.Request{Kind: chat.Press, Who: who(d.user), Data: data})
	}
	return record{words.Flat(r.Posts[0].Text), logOf(g.t, store)}
}

// logOf is every move that the store holds, in order.
func logOf(t *testing.T, store storage.Store) string {
	t.Helper()
	var log strings.Builder
	for _, prefix := range []string{"l/", "f/"} {
		items, err := store.Scan(t.Context(), prefix, "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			value := item.Value
			if prefix == "f/" {
				_, value, _ = bytes.Cut(value, []byte{'\n'})
				value = value[1+8*int(value[0]):]
			}
			log.Write(value)
		}
	}
	return log.String()
}

// faults lets every thirtieth call or so go wrong, each in its own way.
func faults(seed uint64) func(string, map[string]string) telegramtest.Fault {
	chance := rand.New(rand.NewPCG(seed, 1))
	return func(method string, _ map[string]string) telegramtest.Fault {
		if method == "getMe" {
			return telegramtest.Fault{}
		}
		switch chance.IntN(150) {
		case 0:
			return telegramtest.Fault{Status: 429, RetryAfter: 2}
		case 1:
			return telegramtest.Fault{Status: 500}
		case 2:
			return telegramtest.Fault{Reset: true}
		case 3:
			return telegramtest.Fault{Lost: true}
		case 4:
			return telegramtest.Fault{Delay: 4 * time.Second}
		}
		return telegramtest.Fault{}
	}
}

func TestGames(t *testing.T) {
	all := []string{"21b", "21v", "21a", "21b strict", "21b penalty", "21b pack=52", "21b penalty=call strict"}
	for i := range 2 * *rounds {
		options := all[i%len(all)]
		t.Run(fmt.Sprint(i, " ", options), func(t *testing.T) {
			c := &casino{dir: t.TempDir()}
			c.host(t, telegramtest.Options{Old: i%2 == 1}, func(t *testing.T, x *house) {
				x.server.SetFault(faults(uint64(i)))
				g := &game{casino: c, rand: rand.New(rand.NewPCG(uint64(i), 2))}
				for _, name := range []string{"Аня <b>", "Боря & Co", "_Вика_ *"}[:2+i%2] {
					g.users = append(g.users, x.server.NewUser(name, "ru"))
				}
				g.chat = x.server.NewForum("Игры", g.users[0])
				g.topic = 7
				g.deal(options)
				g.play(func(n int) {
					if n == 40 || n == 120 {
						c.crash()
					}
				})
				x.server.SetFault(nil)
				c.close()
			})
		})
	}
}
