package board_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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

// caption is how many lines of a phone stand under a picture at most: a call, who is to do what and what that is about, who
// waits, a remark, that the table closes, and the game.
const caption = 8

// TestSeveral plays the forms of the games for several, at first at random, shown as pictures, to their end. Each picture has what
// everybody may see and no more, each person, and the newest event; what stands below is short, and begins with whose turn it is.
func TestSeveral(t *testing.T) {
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
		if info.ForOne() {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
				for i, options := range enginetest.Forms(info) {
					if (i+seats)%max(1, 100 / *rounds) != 0 {
						continue
					}
					p := phone{t: t, rules: rules, pictures: pictures, most: map[int]int{}, chance: rand.New(rand.NewPCG(uint64(i), uint64(seats)))}
					p.sit(options, seats)
					p.lang, p.table.Pictures = catalogue.Lang(words.Tags()[i%3]), true
					p.severally()
				}
			}
		})
	}
}

// severally looks at the pictures of a deal, and at the last one.
func (p *phone) severally() {
	p.table.Phase = table.Playing
	for n := 0; n < 5000 && len(p.state.Turn()) > 0; n++ {
		if n%7 == 0 && n < 120 {
			p.circumstances(n)
			p.picture(fmt.Sprint("after ", n, " moves"))
		}
		seat := p.state.Turn()[p.chance.IntN(len(p.state.Turn()))]
		move := p.any(p.state.Moves(seat, nil))
		if n > 120 { // Whoever plays at random comes to no end.
			seat = p.state.Turn()[0]
			move = p.state.Auto(seat, 1, p.chance)
		}
		p.apply(engine.Step{Seat: seat, Move: move})
	}
	p.circumstances(1)
	view := p.ended()
	for _, chosen := range []bool{true, false} {
		p.table.Pictures = chosen
		p.ending(view)
	}
}

// TestSideBets: a picture says on whose hand a stake stands that isn't on one's own.
func TestSideBets(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	const banchok = 1
	along := 0
	for seed := range uint64(20) {
		p := phone{t: t, rules: games.All()[banchok], pictures: pictures, lang: catalogue.Lang("ru"), chance: rand.New(rand.NewPCG(seed, 1))}
		p.sit(map[string]string{"side": "on"}, 4)
		p.table.Phase, p.table.Pictures = table.Playing, true
		for len(p.state.Turn()) > 0 && p.table.Moves < 100 {
			seat := p.state.Turn()[p.chance.IntN(len(p.state.Turn()))]
			p.apply(engine.Step{Seat: seat, Move: p.any(p.state.Moves(seat, nil))})
			along += p.along()
		}
	}
	if along == 0 {
		t.Error("nobody bets along")
	}
}

// TestNobodyElseComes: in a private chat no seat is offered, to which nobody could come.
func TestNobodyElseComes(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range games.All()[:2] {
		for _, phase := range []table.Phase{table.Lobby, table.Playing} {
			for _, private := range []bool{true, false} {
				p := phone{t: t, rules: rules, lang: catalogue.Lang("en"), chance: rand.New(rand.NewPCG(1, 1))}
				p.sit(nil, 2)
				p.table.Phase, p.table.Place.Private = phase, private
				offered := slices.ContainsFunc(slices.Concat(p.message().Buttons...), func(b chat.Button) bool { return strings.Contains(b.Token, ".!join") })
				if late := phase == table.Lobby || rules.Info().Banker; offered != (late && !private) {
					t.Errorf("%s in phase %d, private: %v: a seat is offered: %v", rules.Info().Name, phase, private, offered)
				}
			}
		}
	}
}

// along looks whether the picture says of each stake on whose hand it stands, and returns how many stand on another's.
func (p *phone) along() (n int) {
	p.t.Helper()
	view := p.state.View(engine.Nobody)
	for i, seat := range p.message().Picture.Board.Seats {
		want := ""
		if view.Chips.Stakes[i] != 0 && view.Backed != engine.Nobody && int(view.Backed) != i {
			want = p.table.Chairs[view.Backed].Name
			n++
		}
		if on := strings.TrimSuffix(seat.On, "…"); !strings.HasPrefix(want, on) || (want == "") != (on == "") {
			p.t.Errorf("after %d moves the stake of seat %d stands on %q, want %q", p.table.Moves, i, seat.On, want)
		}
	}
	return n
}

// apply makes a move at the table.
func (p *phone) apply(step engine.Step) {
	p.t.Helper()
	outcome, err := p.state.Apply(step)
	if err != nil {
		p.t.Fatal(err)
	}
	p.table.Last = board.Newest(p.rules.Info(), append(p.table.Last, outcome.Events...), 4)
	p.table.Moves++
}

// ended ends the table, whose deal is over.
func (p *phone) ended() engine.View {
	p.t.Helper()
	result, over := p.state.Result()
	if !over {
		p.t.Fatal("the deal doesn't end")
	}
	view := p.state.View(engine.Nobody)
	p.table.Phase, p.table.Dealt, p.table.Ended, p.table.Chips, p.table.Result = table.Ended, 1, 3600, view.Chips, &result
	p.table.Waiting, p.table.Closing, p.table.Session = nil, nil, &table.Session{Deal: 1}
	return view
}

// message is the board as everybody sees it.
func (p *phone) message() chat.Message {
	p.t.Helper()
	d := board.Drawing{Table: p.table, Rules: p.rules, Lang: p.lang, Pictures: p.pictures}
	m, ok := d.Later(p.state.View(engine.Nobody), 1, slog.Default())()
	if !ok {
		p.t.Fatal("the board can't be drawn")
	}
	if n := utf8.RuneCountInString(words.Flat(m.Text)); m.Picture != nil && n > 1000 {
		p.t.Errorf("%d characters below a picture", n)
	}
	return m
}

// begins is as much of a name as stands where there is little room.
func begins(name string) string {
	letters := []rune(name)
	return string(letters[:min(len(letters), 5)])
}

// picture looks at a picture of a deal in progress.
func (p *phone) picture(what string) {
	p.t.Helper()
	m := p.message()
	text := words.Flat(m.Text)
	switch {
	case m.Picture == nil:
		p.t.Fatalf("%s: no picture", what)
	case chatscript.Lines(text) > caption:
		p.t.Errorf("%s: %d lines below the picture:\n%s", what, chatscript.Lines(text), text)
	case !p.table.Asleep && !strings.HasPrefix(text, "👉 "):
		p.t.Errorf("%s: whose turn it is isn't said first:\n%s", what, text)
	case len(m.Buttons) == 0:
		p.t.Errorf("%s: no buttons", what)
	case utf8.RuneCountInString(m.Picture.Alt) > 1024 || m.Picture.Spare || !strings.Contains(m.Picture.Alt, begins(p.table.Chairs[0].Name)):
		p.t.Errorf("%s: it is described as %q", what, m.Picture.Alt)
	}
	b := m.Picture.Board
	if view := p.state.View(engine.Nobody); !reflect.DeepEqual(b.View.Piles, view.Piles) {
		p.t.Errorf("%s: %+v, and everybody may see %+v", what, b.View.Piles, view.Piles)
	}
	if (len(b.View.Turn) == 0) != p.table.Asleep {
		p.t.Errorf("%s: it is the turn of %v", what, b.View.Turn)
	}
	if len(b.News) == 0 != (len(p.table.Last) == 0) || len(b.Seats) != len(p.table.Chairs) {
		p.t.Errorf("%s: it tells %q, of %+v", what, b.News, b.Seats)
	}
	if png := m.Picture.PNG(nil); len(png) > 40_000 {
		p.t.Errorf("%s: %d bytes", what, len(png))
	}
}

// ending looks at how the table has ended, which is told by a picture where one may stand.
func (p *phone) ending(view engine.View) {
	p.t.Helper()
	m := p.message()
	if m.Picture == nil || !m.Picture.Spare {
		p.t.Fatalf("the end is %+v", m)
	}
	first := 0
	for i, s := range m.Picture.Board.Seats {
		if view.Chips != nil && s.Note != board.Signed(view.Chips.Seats[i]) {
			p.t.Errorf("seat %d has %q of %+v", i, s.Note, view.Chips)
		}
		if s.Place == 1 {
			first++
		}
		if s.Yawns != (s.Word != "") && view.Chips == nil {
			p.t.Errorf("seat %d ends as %+v", i, s)
		}
	}
	if first == 0 && (view.Chips == nil || view.Chips.Seats[0] != 0) {
		p.t.Errorf("nobody is the first of %+v", m.Picture.Board.Seats)
	}
	if png := m.Picture.PNG(nil); len(png) > 40_000 {
		p.t.Errorf("%d bytes", len(png))
	}
	p.table.Plain = true
	if m := p.message(); m.Picture != nil {
		p.t.Error("a picture where text was chosen")
	}
	p.table.Plain, p.table.Place.Community.Platform = false, chat.Web
	if m := p.message(); m.Picture != nil {
		p.t.Error("a picture where tables are drawn anyway")
	}
	p.table.Place.Community.Platform = chat.Telegram
}

var rewrite = flag.Bool("update", false, "rewrite the golden files")

// TestSeveralInWords: what a picture says and what stands below it, in every language, after some moves and at the end.
func TestSeveralInWords(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range games.All()[:2] {
		var out strings.Builder
		for _, tag := range words.Tags() {
			p := phone{t: t, rules: rules, pictures: pictures, lang: catalogue.Lang(tag), chance: rand.New(rand.NewPCG(1, 1))}
			p.sit(nil, 3)
			for i, name := range []string{"Ann", "Zażółć", "🤖 1"} {
				p.table.Chairs[i].Name = name
			}
			p.table.Chairs[2].User = 0
			p.table.Phase, p.table.Pictures = table.Playing, true
			for n := 0; len(p.state.Turn()) > 0; n++ {
				if n == 12 {
					out.WriteString(inWords(p.message()))
				}
				seat := p.state.Turn()[0]
				p.apply(engine.Step{Seat: seat, Move: p.state.Auto(seat, 1, p.chance)})
			}
			p.ended()
			out.WriteString(inWords(p.message()))
		}
		file := "testdata/" + rules.Info().Name + ".txt"
		if *rewrite {
			if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || out.String() != string(want) {
			t.Errorf("%s (rewrite with -update and read it): %v\n%s", file, err, out.String())
		}
	}
}

// inWords is a message with its picture in words.
func inWords(m chat.Message) string {
	var b strings.Builder
	for _, s := range m.Picture.Board.Seats {
		fmt.Fprintf(&b, "[seat: %s | %s%s | %s | %d %v]\n", s.Name, s.Note, s.Word, s.Stake, s.Place, s.Yawns)
	}
	fmt.Fprintf(&b, "[bank: %s | %s]\n", m.Picture.Board.Bank, m.Picture.Board.Goal)
	for _, line := range m.Picture.Board.News {
		fmt.Fprintf(&b, "[news: %s]\n", line)
	}
	fmt.Fprintf(&b, "[marked: %v]\n[picture: %s]\n%s\n", m.Picture.Board.Marked, m.Picture.Alt, words.Flat(m.Text))
	for _, row := range m.Buttons {
		for _, one := range row {
			fmt.Fprintf(&b, "[%s] ", one.Label)
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}
