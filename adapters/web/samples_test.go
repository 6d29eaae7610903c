package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

var update = flag.Bool("update", false, "deal what the small pictures of the games show anew")

// sample is what the small picture of a game shows: of a scene what the page needs to lay it.
type sample struct {
	Solo   bool         `json:"solo,omitempty"`
	Banked bool         `json:"banked,omitempty"`
	Seats  int          `json:"seats"`
	Piles  []samplePile `json:"piles"`
}

type samplePile struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	Seat  int    `json:"seat"`
	Down  int    `json:"down,omitempty"`
	Cards string `json:"cards,omitempty"`
}

// dealSample plays a game from a fixed deal by computer players until something lies on the table, as the last seat sees it.
func dealSample(t *testing.T, rules engine.Rules) sample {
	t.Helper()
	seats, moves := 1, 8
	if info := rules.Info(); info.Banker {
		seats, moves = 4, 8
	} else if !info.ForOne() {
		seats, moves = 4, 44
	}

	chance := rand.New(rand.NewPCG(3, 3))
	options, err := rules.Info().Complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := rules.Deal(engine.Setup{Seats: seats, Options: options}, engine.NewShuffler(engine.Seed{7}, ""))
	for n := 0; err == nil && n < moves; n++ {
		turn := st.View(engine.Nobody).Turn
		if len(turn) == 0 {
			break
		}
		move := st.Auto(turn[0], 1, chance)
		if move.Verb == 0 {
			break
		}
		_, err = st.Apply(engine.Step{Seat: turn[0], Move: move})
	}
	if err != nil {
		t.Fatal(rules.Info().Name, err)
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	tbl := &table.Table{}
	tbl.Game, tbl.Options, tbl.Phase, tbl.Chairs = rules.Info().Name, options, table.Playing, make([]table.Chair, seats)
	sc := live.Sight{Drawing: board.Drawing{Table: tbl, Rules: rules, Lang: catalogue.Lang("en")}, State: st}.Past(engine.Seat(seats - 1))
	s := sample{Solo: sc.Solo, Banked: sc.Banked, Seats: seats}
	for _, p := range sc.Piles {
		s.Piles = append(s.Piles, samplePile{p.Name, p.Role, p.Seat, p.Down, p.Cards})
	}
	return s
}

// TestSamples: the small pictures show the games as they are.
func TestSamples(t *testing.T) {
	all := map[string]sample{}
	for _, rules := range allGames() {
		all[rules.Info().Name] = dealSample(t, rules)
	}
	want, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("page/samples.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := fs.ReadFile(pageFiles(), "samples.json"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("go test ./adapters/web -run TestSamples -update; %v", err)
	}
}
