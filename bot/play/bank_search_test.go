package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/engine"
)

// A search for what a host can do to the bank without a card. One game is played twice with the same cards: once as it
// goes, and once with a host who does in between whatever he likes. Everybody else plays on, staking by the chance of the
// cards in hand. Where nothing that he does changes what a bank or a hand brings, whatever the order, no plan that depends
// on what he sees can raise his expectation either.

// duel is one game: P1 is the host, P3 plays into his hands, and P2 plays on.
type duel struct {
	*bottest.Hall
	// first is what is added to everybody's number, and to that of the channel: each game has people of its own.
	first   int64
	options string
	// thinking is how long the banker waits: somebody may bet along, or the table turn the card for him.
	thinking time.Duration
	// early are the hands for which the banker turns the card too early.
	early []bool
	// acts are what is done before each step of the game.
	acts [][]act
	one  table.ID
}

// act is what one of them asks for: a button or a command, or to wait.
type act struct {
	by   int64
	do   string
	wait bool
}

// tricks are what can be tried without playing a card, by somebody who plays at the table.
func tricks() []string {
	return []string{
		"!stop", "!remove 1", "!remove 2", "!remove 3", "!back", "!join", "!hand", "!pass", "!robot", "!limit", "!rounds", "!opt bank",
		"!deal", "!again", "allow off", "allow on", "show", "/stop", "/remove 1", "/remove 2", "/back", "/table", "/banchok 20 min=20", "/daily",
	}
}

// leaves are what a banker can ask for, too, who can't leave.
func leaves() []string { return []string{"!leave", "/leave", "leave"} }

func newDuel(h *bottest.Hall, options string) *duel {
	h.Asked++
	d := &duel{Hall: h, first: int64(h.Asked) * 1000, options: options, thinking: 2 * time.Second}
	if strings.Contains(options, "side") {
		d.thinking = 11 * time.Second
	}
	return d
}

func (d *duel) user(n int64) int64 { return d.first + n }

// open seats the three, or the first two, and lets the bank be drawn by the seed.
func (d *duel) open(seed uint64, people int64) {
	d.T.Helper()
	d.Seeds = seed
	users := []int64{d.user(1), d.user(2), d.user(3)}[:people]
	d.Must(d.first, users[0], chat.Command, "/banchok limit=60s "+d.options)
	d.one = d.Table(d.first).ID
	for _, user := range users[1:] {
		d.Must(d.first, user, chat.Press, table.Token{Table: d.one, Do: "!join"}.String())
	}
	d.Must(d.first, users[0], chat.Press, table.Token{Table: d.one, Do: "!deal"}.String())
}

// clear ends what is still open in the channel, and shows the last picture of the table.
func (d *duel) clear() {
	d.Ask(d.first, 0, chat.Gone, "")
	d.Ask(d.first, 0, chat.Shown, d.Look(d.one).Receipt())
}

// try lets somebody do what no card does.
func (d *duel) try(a act) {
	now := d.Look(d.one)
	do := a.do
	for n := int64(1); n <= 3; n++ {
		if do == fmt.Sprint("!remove ", n) {
			do = "!remove " + table.Chair{User: d.user(n)}.Key()
		}
	}
	switch {
	case do[0] == '/':
		d.Surely(d.first, d.by(a), chat.Command, do)
	case do == gone:
		d.Ask(d.first, 0, chat.Gone, "")
	case do[0] == '!':
		d.Surely(d.first, d.by(a), chat.Press, table.Token{Table: d.one, Do: do}.String())
	case now.Phase == table.Playing:
		d.Surely(d.first, d.by(a), chat.Press, table.Token{Table: d.one, Epoch: now.Epoch(d.State(now)), Do: do}.String())
	}
}

// gone stands for the channel being deleted.
const gone = "gone"

func (d *duel) by(a act) int64 {
	if a.by == bottest.Warden {
		return bottest.Warden
	}
	return d.user(a.by)
}

// step plays one card: a cut, a stake by the chance of the hand, the banker's card.
func (d *duel) step(now *table.Table, waits bool) {
	d.T.Helper()
	if now.Phase == table.Cutting {
		d.Must(d.first, now.Chairs[now.Cutter].User, chat.Press, table.Token{Table: d.one, Epoch: 1, Do: "!cut 7"}.String())
		return
	}
	state := d.State(now)
	seat := state.Turn()[0]
	rules := d.Games[now.Game]
	user, do := now.Chairs[seat].User, rules.Text(state.Auto(seat, 1, nil))
	switch opens := state.View(0).Offers; {
	case seat == 0 && waits:
		d.Pass(72 * time.Second)
		return
	case seat == 0:
		d.Pass(d.thinking)
		if d.Look(d.one).Moves > now.Moves {
			return
		}
	case len(opens) > 0 && d.isEarly(now) && !play.Bound(rules.Info(), state):
		user, do = now.Chairs[0].User, "open"
	}
	d.Surely(d.first, user, chat.Press, table.Token{Table: d.one, Epoch: now.Epoch(state), Do: do}.String())
}

// isEarly reports whether the banker turns the next card too early.
func (d *duel) isEarly(now *table.Table) bool {
	hands := d.opened(now)
	return hands < len(d.early) && d.early[hands]
}

// opened is how many cards the banker has turned.
func (d *duel) opened(now *table.Table) int {
	moves, err := table.ReadLog(d.T.Context(), d.Store, now)
	if err != nil {
		d.T.Fatal(err)
	}
	return len(slices.DeleteFunc(moves, func(move string) bool { return move != "0 open" }))
}

// play plays the bank to its end, and returns what it has brought to each of the three.
func (d *duel) play() [4]int64 {
	d.T.Helper()
	for n := 0; d.Look(d.one).Phase != table.Ended && n < 400; n++ {
		waits := false
		if n < len(d.acts) {
			for _, a := range d.acts[n] {
				waits = waits || a.wait
				if !a.wait {
					d.try(a)
				}
			}
		}
		if now := d.Look(d.one); now.Phase != table.Ended {
			d.step(now, waits)
		}
	}
	return d.nets()
}

// nets are what the bank has brought to each of the three so far.
func (d *duel) nets() (nets [4]int64) {
	now := d.Look(d.one)
	for i, c := range now.Chairs {
		if n := c.User - d.first; n >= 1 && n <= 3 {
			nets[n] = now.Chips.Seats[i]
		}
	}
	return nets
}

// drawActs draws what the host and his friend try before each of so many steps.
func drawActs(t *rapid.T, steps int, banker int64, tricks []string) [][]act {
	return rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
		a := act{by: rapid.SampledFrom([]int64{1, 1, 3}).Draw(t, "by"), do: rapid.SampledFrom(tricks).Draw(t, "do")}
		if a.by == banker && rapid.IntRange(0, 4).Draw(t, "leaves") == 0 {
			a.do = rapid.SampledFrom(leaves()).Draw(t, "leave")
		}
		a.wait = a.by == banker && rapid.IntRange(0, 9).Draw(t, "waits") == 0
		return a
	}), 0, 4), 0, steps).Draw(t, "acts")
}

// staying takes out what would make somebody leave of his own will: the rules let every punter do it, and a banker who has
// himself removed turns no card any more.
func staying(acts [][]act) [][]act {
	for i := range acts {
		acts[i] = slices.DeleteFunc(acts[i], func(a act) bool {
			return a.do == fmt.Sprint("!remove ", a.by) || strings.HasPrefix(a.do, "/remove")
		})
	}
	return acts
}

// twice plays a game twice in a hall, the second time with what the host tries. It returns what both have brought.
func twice(h *bottest.Hall, options string, seed uint64, people int64, early []bool, acts func(banker int64) [][]act) (plain, tried [4]int64) {
	for i, into := range []*[4]int64{&plain, &tried} {
		d := newDuel(h, options)
		d.early = early
		d.open(seed, people)
		if i == 1 {
			d.acts = acts(d.Look(d.one).Chairs[0].User - d.first)
		}
		*into = d.play()
		d.clear()
	}
	return plain, tried
}

// TestNoTrickAtTheBank: whatever a host and his friend do at a bank, and whoever holds it, it brings everybody what it would
// have brought.
func TestNoTrickAtTheBank(t *testing.T) {
	t.Parallel()
	h := bottest.NewHall(t)
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.SampledFrom([]string{"20 min=20", "20 min=10", "40 min=20 dealer=bot", "30 min=15 side"}).Draw(t, "options")
		seed, people := rapid.Uint64Range(0, 1000).Draw(t, "seed"), rapid.Int64Range(2, 3).Draw(t, "people")
		early := rapid.SliceOfN(rapid.Bool(), 0, 3).Draw(t, "early")
		plain, tried := twice(h, options, seed, people, early, func(banker int64) [][]act {
			return staying(drawActs(t, 6, banker, tricks()))
		})
		if plain != tried {
			t.Fatalf("the bank has brought P1 to P3 %v, and else %v", tried[1:], plain[1:])
		}
	})
	h.Audit()
}

// TestEachTrick tries each trick at each of the first moments of some short banks.
func TestEachTrick(t *testing.T) {
	h := bottest.NewHall(t)
	for _, do := range append(tricks(), leaves()...) {
		for moment := range 1 + *rounds {
			seed := uint64(3*moment + len(do))
			plain, tried := twice(h, "20 min=20", seed, 2, nil, func(banker int64) [][]act {
				acts := make([][]act, moment+1)
				acts[moment] = []act{{by: 1, do: do}}
				if slices.Contains(leaves(), do) && banker != 1 {
					return nil
				}
				return staying(acts)
			})
			if plain != tried {
				t.Errorf("%s before step %d: the bank has brought %v, and else %v", do, moment, tried[1:], plain[1:])
			}
		}
	}
	h.Audit()
}

// TestHandIsSettled: a stake is laid, or a card lies open too early. Whatever the host, his friend, an admin who has been
// brought along and the punter himself do then, and though the channel goes, the hand brings what it would have brought.
func TestHandIsSettled(t *testing.T) {
	t.Parallel()
	h := bottest.NewHall(t)
	all := append(append(tricks(), leaves()...), gone)
	hands := 0
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.SampledFrom([]string{"100", "100 side", "20 min=20", "300 min=1 limit=none"}).Draw(t, "options")
		seed, early := rapid.Uint64Range(0, 1000).Draw(t, "seed"), rapid.Bool().Draw(t, "early")
		before := rapid.IntRange(0, 2).Draw(t, "hands before")
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
			return act{by: rapid.SampledFrom([]int64{1, 1, 2, 3, bottest.Warden}).Draw(t, "by"), do: rapid.SampledFrom(all).Draw(t, "do")}
		}), 1, 6).Draw(t, "acts")
		var brought [2]int64
		for i := range brought {
			d := newDuel(h, options)
			d.open(seed, 3)
			d.early = make([]bool, before+1)
			d.early[before] = early
			punter, seat, ok := d.toHand(before)
			if !ok {
				return // The bank is over before that hand.
			}
			net := d.nets()[punter]
			if i == 1 {
				for _, a := range acts {
					d.try(a)
				}
			}
			now := d.Look(d.one)
			for n := 0; n < 6 && d.isBound(now); n++ {
				d.step(now, false)
				now = d.Look(d.one)
			}
			if d.isBound(now) && now.Chips.Stakes[seat] != 0 {
				t.Fatalf("%d are still at stake", now.Chips.Stakes[seat])
			}
			brought[i] = d.nets()[punter] - net
			d.clear()
		}
		if hands++; brought[0] != brought[1] {
			t.Fatalf("the hand has brought %d, and else %d", brought[1], brought[0])
		}
	})
	h.Audit()
	if !t.Failed() && hands < 4 {
		t.Errorf("only %d hands were played", hands)
	}
}

// toHand plays until so many hands are settled and the next one must be: it returns whose it is.
func (d *duel) toHand(n int) (punter int64, seat engine.Seat, ok bool) {
	for range 20 {
		now := d.Look(d.one)
		if now.Phase == table.Ended {
			break
		}
		if d.hands(now) >= n && d.isBound(now) {
			seat := slices.IndexFunc(now.Chips.Stakes, func(s int64) bool { return s != 0 })
			return now.Chairs[seat].User - d.first, engine.Seat(seat), true
		}
		d.step(now, false)
	}
	return 0, 0, false
}

// hands is how many hands were staked on and settled.
func (d *duel) hands(now *table.Table) int {
	if now.Phase != table.Playing {
		return 0
	}
	n := d.opened(now)
	if d.isBound(now) && d.State(now).View(0).Note == "early-card" {
		n-- // It is open, and waits.
	}
	return n
}

// isBound reports whether a hand must be settled.
func (d *duel) isBound(now *table.Table) bool {
	return now.Phase == table.Playing && play.Bound(d.Games[now.Game].Info(), d.State(now))
}

// TestNoTrickWithTheDraw: people sit down again and again, in any order and anywhere, and somebody ends each table before
// its bank is played to the end. The first bank is always that of whoever drew it first.
func TestNoTrickWithTheDraw(t *testing.T) {
	h := bottest.NewHall(t)
	all := append(append(tricks(), leaves()...), gone)
	acts := rapid.Custom(func(t *rapid.T) act {
		return act{by: rapid.Int64Range(1, 3).Draw(t, "by"), do: rapid.SampledFrom(all).Draw(t, "do")}
	})
	rapid.Check(t, func(t *rapid.T) {
		d := newDuel(h, "300")
		drawn := int64(0)
		for range rapid.IntRange(1, 4).Draw(t, "tables") {
			users := rapid.Permutation([]int64{1, 2, 3}).Draw(t, "order")
			channel := d.first + rapid.Int64Range(0, 2).Draw(t, "channel")
			id := d.sitIn(channel, users)
			banker := d.Look(id).Chairs[0].User
			if drawn == 0 {
				drawn = banker
			}
			if banker != drawn {
				t.Fatalf("P%d had drawn the bank, and P%d holds it", drawn-d.first, banker-d.first)
			}
			d.one = id
			for _, a := range rapid.SliceOfN(acts, 0, 5).Draw(t, "acts") {
				d.try(a)
			}
			if d.Look(id).Phase != table.Ended {
				h.Surely(channel, bottest.Warden, chat.Press, table.Token{Table: id, Do: "!stop"}.String())
			}
			h.Ask(channel, 0, chat.Gone, "")
		}
	})
}

// sitIn seats the users in a channel and lets the bank be drawn.
func (d *duel) sitIn(channel int64, users []int64) table.ID {
	d.T.Helper()
	opened := d.Must(channel, d.user(users[0]), chat.Command, "/banchok limit=60s "+d.options)
	for _, p := range opened.Posts {
		for _, row := range p.Buttons {
			for _, b := range row { // Somebody else's table waits for players, and is offered.
				if strings.Contains(b.Token, "!another") {
					d.Must(channel, d.user(users[0]), chat.Press, b.Token)
				}
			}
		}
	}
	id := d.Table(channel).ID
	for _, user := range users[1:] {
		d.Must(channel, d.user(user), chat.Press, table.Token{Table: id, Do: "!join"}.String())
	}
	d.Must(channel, d.user(users[0]), chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	return id
}
