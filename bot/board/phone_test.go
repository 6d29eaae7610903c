package board_test

import (
	"flag"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
)

// screen is how many lines of 35 characters a board takes on a phone at which up to four sit.
const screen = 12

// crowded is how many lines the boards of full tables take: each seat has a line of its own, since its cards and chips leave
// no room for another one, and with twelve seats these alone are as many as a screen has. What stands above and below them is
// whose turn it is, the bank, the piles, who waits, one event, a remark and the game.
var crowded = map[string]int{"zevaka": 14, "banchok": 20}

// plain is how many lines the piles of a game for one take in words, where pictures are switched off: every card that lies
// open is named.
const plain = 26

// rounds is how many times as far those tests go that could go on for ever.
var rounds = flag.Int("rounds", 1, "how many times as far tests go that could go on for ever")

// TestPhone plays every form of every game at random, with names as long as they can be and with whatever else can stand on a
// board, and counts the lines that its boards take on a phone, in every language. The first says who is to do what.
func TestPhone(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range games.All() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			most := map[int]int{}
			for _, seats := range []int{info.MinSeats, min(4, info.MaxSeats), info.MaxSeats} {
				for i, options := range enginetest.Forms(info) {
					if i%max(1, 20 / *rounds) != 0 {
						continue
					}
					p := phone{t: t, rules: rules, pictures: pictures, most: most, chance: rand.New(rand.NewPCG(uint64(i), uint64(seats)))}
					p.sit(options, seats)
					p.lang = catalogue.Lang(words.Tags()[i%3])
					p.everything()
				}
			}
			for seats, n := range most {
				t.Logf("with %d seats, 0 being a game for one in words, at most %d lines", seats, n)
			}
		})
	}
}

// phone is somebody who looks at the boards of one table.
type phone struct {
	t     *testing.T
	rules engine.Rules
	lang  *words.Lang
	// pictures make the pictures of games for one.
	pictures *picture.Painter
	table    *table.Table
	state    engine.State
	chance   *rand.Rand
	// most is the most lines that were seen with so many seats.
	most map[int]int
}

// sit seats people with the longest names, one of them a computer player.
func (p *phone) sit(options map[string]string, seats int) {
	p.t.Helper()
	info := p.rules.Info()
	full, err := info.Complete(options)
	if err != nil {
		p.t.Fatal(err)
	}
	p.table = &table.Table{
		ID:     table.ID{Community: chat.Community{Platform: chat.Telegram, ID: -1001234567890123}, Name: "0123456789ab"},
		Agreed: table.Agreed{Game: info.Name, Rev: info.Rev, Limit: 90, Fast: !info.ForOne()}, Options: full, Host: 1,
	}
	for i := range seats {
		name := chat.CleanName(strings.Repeat("W", 19) + strings.Repeat(string(rune('A'+i)), 9))
		p.table.Chairs = append(p.table.Chairs, table.Chair{User: int64(i + 1), Name: name})
	}
	if info.Banker {
		p.table.Fast, p.table.Rounds = false, 3
	}
	seed := engine.NumberedSeed(info.Name, int64(seats))
	p.table.Draw, p.table.Seed = seed, seed
	p.state, err = p.rules.Deal(engine.Setup{Seats: seats, Options: options}, engine.NewShuffler(seed, ""))
	if err != nil {
		p.t.Fatal(err)
	}
}

// everything looks at the table from the lobby to the end.
func (p *phone) everything() {
	info, bound := p.rules.Info(), screen
	if len(p.table.Chairs) > 4 {
		bound = crowded[info.Name]
	}
	if !info.ForOne() {
		for _, panel := range []bool{false, true} {
			p.table.Phase, p.table.Panel = table.Lobby, panel
			p.look("lobby", bound)
		}
		p.table.Phase = table.Cutting
		p.look("cut", bound)
	}
	p.table.Phase = table.Playing
	for n := range 90 {
		turn := p.state.Turn()
		if len(turn) == 0 {
			break
		}
		if n%3 == 0 || n > 80 {
			p.circumstances(n)
			p.play(bound)
		}
		seat := turn[p.chance.IntN(len(turn))]
		moves := p.state.Moves(seat, nil)
		outcome, err := p.state.Apply(engine.Step{Seat: seat, Move: p.any(moves)})
		if err != nil {
			p.t.Fatal(err)
		}
		p.table.Last = board.Newest(info, append(p.table.Last, outcome.Events...), 6)
	}
	p.end(bound)
}

// any is one of the moves, seldom one that gives something up.
func (p *phone) any(moves []engine.Move) engine.Move {
	m := moves[p.chance.IntN(len(moves))]
	for range 5 {
		if role := p.rules.Info().Verbs[m.Verb-1].Role; role == engine.VerbLeaves || role == engine.VerbQuits {
			m = moves[p.chance.IntN(len(moves))]
		}
	}
	return m
}

// circumstances are what stands on a board beside the game: who sleeps, who waits, who goes.
func (p *phone) circumstances(n int) {
	t, info := p.table, p.rules.Info()
	t.Asleep = n%7 == 0 && !info.ForOne()
	for i := range t.Chairs {
		t.Chairs[i].Away = n%5 == 0 && i > 0 && !info.Banker
	}
	t.Waiting, t.Closing = nil, nil
	if info.Banker && n%2 == 0 {
		for i := len(t.Chairs); i < info.MaxSeats; i++ {
			t.Waiting = append(t.Waiting, table.Chair{User: int64(i + 1), Name: t.Chairs[0].Name})
		}
		t.Chairs[len(t.Chairs)-1].Leaving = table.AfterHand
	}
	if info.Banker && n%4 == 0 {
		t.Closing = &table.Closing{Bank: n%8 == 0}
	}
}

// play looks at a deal in progress, with a call above it, and at the piles of a game for one in words, too.
func (p *phone) play(bound int) {
	if p.rules.Info().ForOne() {
		p.look("piles in words", plain)
	}
	p.look("play", bound)
}

// end looks at how the table ends: played out, and stopped.
func (p *phone) end(bound int) {
	t, view := p.table, p.state.View(engine.Nobody)
	t.Phase, t.Dealt, t.Ended, t.Chips = table.Ended, 1, 3600, view.Chips
	t.Waiting, t.Closing, t.Asleep = nil, nil, false
	result := engine.Result{}
	switch {
	case p.rules.Info().ForOne():
		result.Patience = &engine.Patience{Score: 51}
		deal := int64(1 << 59)
		t.Numbered, t.Undos, t.Hints, t.Line = &deal, 120, 120, 1000
	case view.Chips == nil:
		for i := range t.Chairs {
			result.Places = append(result.Places, engine.Seat(i))
		}
	default:
		t.Session = &table.Session{Deal: 3}
		for i, c := range t.Chairs {
			t.Session.People = append(t.Session.People, table.Player{User: c.User, Name: c.Name, Net: int64(-12345 * i)})
		}
	}
	t.Result = &result
	p.look("end", bound)
	t.Result, t.Why = nil, "stop-rev"
	p.look("stop", bound)
}

// look draws the board, in play a called one, and counts its lines.
func (p *phone) look(what string, bound int) {
	p.t.Helper()
	d := board.Drawing{Table: p.table, Rules: p.rules, Lang: p.lang}
	if p.rules.Info().ForOne() && what != "piles in words" {
		d.Pictures = p.pictures
	}
	if what == "play" && !p.rules.Info().ForOne() && !p.table.Asleep && !p.state.View(engine.Nobody).Brief {
		call := board.Call(p.table.Name(p.state.Turn()[0]), 10*time.Second, false, false)
		d.Call = &call
	}
	view := engine.View{}
	if p.table.Phase >= table.Playing {
		view = p.state.View(engine.Nobody)
	}
	m, ok := d.Later(view, 1, slog.Default())()
	if !ok {
		p.t.Fatal("the board can't be drawn")
	}
	text := words.Flat(m.Text)
	if what == "play" && d.Call == nil && d.Pictures == nil && !p.table.Asleep {
		first, _, _ := strings.Cut(text, "\n")
		if view.Task == "" || !strings.HasPrefix(first, "👉 ") || strings.Contains(first, "turn.") {
			p.t.Errorf("what is to do (%q) isn't said first:\n%s", view.Task, text)
		}
	}
	n := chatscript.Lines(text)
	seats := len(p.table.Chairs)
	if what == "piles in words" {
		seats = 0
	}
	p.most[seats] = max(p.most[seats], n)
	if n > bound {
		p.t.Errorf("%s: %d lines, at most %d:\n%s", what, n, bound, text)
	}
}
