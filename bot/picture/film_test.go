package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"math/rand/v2"
	"testing"

	"zevaka/engine"
	"zevaka/engine/games"
)

// filmed are boards of a game, each after another move of the computer players, at most so many.
func filmed(t testing.TB, rules engine.Rules, most int) (boards []Board) {
	t.Helper()
	info := rules.Info()
	seats := max(info.MinSeats, min(4, info.MaxSeats))
	state, err := rules.Deal(engine.Setup{Seats: seats}, engine.NewShuffler(engine.Seed{7}, "7"))
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for n := 0; ; n++ {
		b := Board{Game: info.Name, View: state.View(engine.Nobody), Look: Look{Width: 560}}
		b.View.Offers = nil
		if !info.ForOne() {
			for s := range seats {
				b.Seats = append(b.Seats, Seat{Name: fmt.Sprint("Player ", s)})
			}
			b.News = []string{fmt.Sprint("This is what happened in move ", n, ".")}
		}
		boards = append(boards, b)
		turn := state.Turn()
		if n == most || len(turn) == 0 {
			return boards
		}
		moves := state.Moves(turn[0], nil)
		move := state.Auto(turn[0], .8, chance)
		if move == (engine.Move{}) {
			move = moves[chance.IntN(len(moves))]
		}
		if _, err := state.Apply(engine.Step{Seat: turn[0], Move: move}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilm: an animated picture shows each board as it is drawn alone, whatever came before it, and one of 400 moves has at most
// 2 MB.
func TestFilm(t *testing.T) {
	t.Parallel()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range games.All() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			t.Parallel()
			most := 400
			if rules.Info().ForOne() {
				most = 40 // All moves of a patience change about as much.
			}
			boards := filmed(t, rules, most)
			film := p.Film()
			for i := range boards {
				film.Add(&boards[i], 70)
			}
			data := film.GIF()
			t.Logf("%d moves take %d bytes", len(boards)-1, len(data))
			if len(data) > most*(2<<20)/400 {
				t.Errorf("%d moves take %d bytes", len(boards)-1, len(data))
			}
			shown, err := gif.DecodeAll(bytes.NewReader(data))
			if err != nil || len(shown.Image) != len(boards) {
				t.Fatalf("%d boards are %d pictures: %v", len(boards), len(shown.Image), err)
			}
			screen := image.NewRGBA(image.Rect(0, 0, shown.Config.Width, shown.Config.Height))
			for i, frame := range shown.Image {
				draw.Draw(screen, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
				if i%133 == 0 || i == len(boards)-1 {
					same(t, i, screen, p.Draw(nil, &boards[i]))
				}
			}
		})
	}
}

// same compares what is on the screen with a picture.
func same(t *testing.T, n int, screen *image.RGBA, file []byte) {
	t.Helper()
	want, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r, g, b, _ := want.At(x, y).RGBA()
			if c := screen.RGBAAt(x, y); uint32(c.R) != r>>8 || uint32(c.G) != g>>8 || uint32(c.B) != b>>8 {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Fatalf("board %d: %d pixels are wrong", n, wrong)
	}
}

// BenchmarkFilm draws a game of 400 moves.
func BenchmarkFilm(b *testing.B) {
	p, err := New()
	if err != nil {
		b.Fatal(err)
	}
	boards := filmed(b, games.All()[0], 400)
	for b.Loop() {
		film := p.Film()
		for i := range boards {
			film.Add(&boards[i], 70)
		}
		b.ReportMetric(float64(len(film.GIF())), "bytes")
	}
}
