package live_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// rounds is how many times as far those tests go that could go on for ever.
var rounds = flag.Int("rounds", 1, "how many times as far tests go that could go on for ever")

// TestPeeping holds what each seat of every game sees, and what it sees of each move, to be the same in deals that differ only
// in cards which it hasn't seen.
func TestPeeping(t *testing.T) {
	t.Parallel()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range games.All() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			var before [2]engine.View
			drawn := 0
			enginetest.Alike(t, rules, func(t *testing.T, setup engine.Setup, seat engine.Seat, step *engine.Step, a, b engine.State) {
				tb := &table.Table{Phase: table.Playing}
				tb.Game, tb.Rev, tb.Options, tb.Dealt, tb.Limit = info.Name, info.Rev, setup.Options, 1, 60
				for i := range setup.Seats {
					tb.Chairs = append(tb.Chairs, table.Chair{User: int64(i + 1), Name: string(rune('A' + i))})
				}
				if info.Banker {
					tb.Session = &table.Session{Deal: 1}
				}
				drawn++
				var texts [2]string
				for i, st := range []engine.State{a, b} {
					s := live.Sight{
						Drawing: board.Drawing{Table: tb, Rules: rules, Lang: catalogue.Lang("en")}, Who: chat.User{ID: int64(seat) + 1}, State: st,
					}
					after := st.View(live.Eyes(tb, info, s.Who.ID))
					if drawn%4 != 0 {
						before[i] = after
						continue
					}
					drawn := s.Draw()
					if step != nil && len(before[i].Piles) == len(after.Piles) {
						drawn.Steps = []live.Step{s.Step(live.Made{Step: *step, Before: before[i], After: after})}
					}
					before[i] = after
					text, err := json.Marshal(drawn)
					if err != nil {
						t.Fatal(err)
					}
					texts[i] = string(text)
				}
				if texts[0] != texts[1] {
					t.Fatalf("seat %d of %v sees unseen cards:\n%s\n%s", seat, setup, texts[0], texts[1])
				}
			})
		})
	}
}
