package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
)

// TestMistakesAreUntold: where nobody says whether something was overlooked, no page does: after each turn who has kept a card, who comes
// next and who else plays are offered the same, whether there is anything to put right or not.
func TestMistakesAreUntold(t *testing.T) {
	t.Parallel()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := games.ByName("zevaka")
	info := rules.Info()
	options, err := info.Complete(map[string]string{"penalty": "call"})
	if err != nil {
		t.Fatal(err)
	}
	keep, _ := rules.Parse("keep")
	tb := &table.Table{Phase: table.Playing, ID: table.ID{Community: chat.Community{Platform: chat.Web, ID: 1}, Name: "a"}}
	tb.Game, tb.Rev, tb.Options, tb.Dealt = info.Name, info.Rev, options, 1
	for i := range 3 {
		tb.Chairs = append(tb.Chairs, table.Chair{User: int64(i + 1), Name: string(rune('A' + i))})
	}
	seen, chance := [2]map[string]bool{{}, {}}, rand.New(rand.NewPCG(1, 1))
	for n := range byte(3) {
		st, err := rules.Deal(engine.Setup{Seats: 3, Options: options}, engine.NewShuffler(engine.Seed{n}, ""))
		if err != nil {
			t.Fatal(err)
		}
		for len(st.Turn()) > 0 {
			last := st.Turn()[0]
			move := st.Auto(last, 0.3, chance)
			if _, err := st.Apply(engine.Step{Seat: last, Move: move}); err != nil {
				t.Fatal(err)
			}
			turn := st.Turn()
			if move != keep || len(turn) == 0 {
				continue
			}
			erred := len(turn) - 1
			for seat := range engine.Seat(3) {
				s := live.Sight{Drawing: board.Drawing{Table: tb, Rules: rules, Lang: catalogue.Lang("en")}, Who: chat.User{ID: int64(seat) + 1}, State: st}
				scene := s.Draw()
				offered := fmt.Sprint("last ", seat == last, ", next ", seat == turn[0], ", may ", scene.May, ":")
				for _, a := range scene.Acts {
					if a.Kind != "seat" { // Who is out is offered no more.
						offered += fmt.Sprint(" ", a.Do, a.Later)
					}
				}
				seen[erred][offered] = true
			}
		}
	}
	for erred, all := range seen {
		for offered := range all {
			if len(all) != 3 || !seen[1-erred][offered] {
				t.Errorf("only with %d mistakes: %s", erred, offered)
			}
		}
	}
}
