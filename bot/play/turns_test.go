package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// TestNextIsNamed: who moves reads whose turn it is by that, however much there is to tell, and nothing of it as long as others may bet.
func TestNextIsNamed(t *testing.T) {
	for _, side := range []string{"off", "on"} {
		h := bottest.NewHall(t)
		name := func(user int64) string { return fmt.Sprint(strings.Repeat("Ы", 19), user) }
		do := func(user int64, kind chat.Kind, data string) string {
			h.Running += 11 * time.Second // The time for side bets is over.
			r := h.Request(1, user, kind, data)
			r.Who.Name, r.Who.Lang = name(user), "ru"
			return bottest.Seen(t.Context(), h.Bot, r).Toast
		}
		do(1, chat.Command, "/banchok 500 limit=none side="+side)
		id := h.Table(1).ID
		for user := range int64(2) {
			do(user+2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		}
		do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(1)
		next := func() string { return " Ходит " + name(h.Turn(1)) + "." }
		cuts := 0
		for range 6 {
			if said := do(h.Turn(1), chat.Press, h.Button(1, "stake 5")); strings.HasSuffix(said, next()) != (side == "off") {
				t.Errorf("side bets %s: the punter reads %q", side, said)
			}
			said := do(h.Turn(1), chat.Press, h.Button(1, "open"))
			if !strings.HasSuffix(said, next()) || utf8.RuneCountInString(said) > chat.MaxToast {
				t.Errorf("side bets %s: the banker reads %q", side, said)
			}
			if strings.HasSuffix(said, "…"+next()) {
				cuts++
			}
		}
		if cuts == 0 {
			t.Error("no toast was too long")
		}
	}
}

// TestSkip: when half of the time is over, two others end the turn of who sleeps just as the clock would have: a player's
// of Зевака, a punter's, and a banker's. Nobody else does, nobody alone for two, nor earlier, nor by a button of another turn.
func TestSkip(t *testing.T) {
	for _, test := range []struct {
		name, line string
		people     int64
		staked     bool
	}{
		{"Зевака, three", "/zevaka 21a limit=60s", 3, false},
		{"a punter, three", "/banchok 500 limit=60s", 3, false},
		{"a banker, three", "/banchok 500 limit=60s side=on", 3, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, test.line)
			id := h.Table(1).ID
			for user := int64(2); user <= test.people; user++ {
				h.Must(1, user, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			}
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			h.Cut(1)
			earlier := h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover))
			if test.staked {
				h.Move(1, h.Turn(1), "stake 5")
			} else if !h.Table(1).Wagered() {
				h.Move(1, h.Turn(1), "flip")
			}
			h.Pass(11 * time.Second) // The time for side bets.
			other := h.Twin(t)
			sleeper := h.Turn(1)
			var awake []int64
			for user := int64(1); user <= test.people; user++ {
				if user != sleeper {
					awake = append(awake, user)
				}
			}
			skip := h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover))
			refused := func(user int64, token string, why engine.Refusal) {
				t.Helper()
				before := h.Everything()
				if r := h.Ask(1, user, chat.Press, token); !h.Is(r, why) || len(h.Changed(before)) > 0 {
					t.Errorf("P%d is answered %q", user, r.Toast)
				}
			}
			refused(awake[0], skip, table.ErrNoSkip)
			for !h.Table(1).Skippable {
				h.Pass(time.Second)
			}
			if left := h.ClockNow().Until(h.Table(1).Ends); left < 28*time.Second || left > 30*time.Second {
				t.Errorf("it is offered %v before the end", left)
			}
			if button := bottest.Labelled(t, h.Said[len(h.Said)-1].Message, fmt.Sprintf("Don't wait for P%d", sleeper)); button != skip {
				t.Errorf("the button is %q, not %q", button, skip)
			}
			refused(sleeper, skip, table.ErrNoSkip)
			refused(8, skip, table.ErrNotSeated)
			if earlier != skip {
				refused(awake[0], earlier, table.ErrStale)
			}
			moves := h.Table(1).Moves
			for i, user := range awake {
				if last := i == len(awake)-1; last != (h.Table(1).Moves == moves && last) {
					t.Errorf("after %d of %d presses somebody has moved", i, len(awake))
				}
				h.Must(1, user, chat.Press, skip)
				if i == 0 && len(awake) > 1 {
					refused(user, skip, table.ErrSkipped)
				}
			}
			for other.Table(1).Moves == moves {
				other.Pass(time.Second)
			}
			got, want := h.Table(1), other.Table(1)
			seat := h.Seat(sleeper)
			if got.Moves == moves || string(got.Tail) != string(want.Tail) || got.Mover != want.Mover || got.Chairs[seat].Missed != want.Chairs[seat].Missed {
				t.Errorf("the turn is played %q, and by the clock %q", got.Tail, want.Tail)
			}
			if got.Skippable || got.Skipper != 0 || got.Skip == 0 {
				t.Errorf("the next turn begins with %+v", got.Deadlines)
			}
			refused(awake[0], skip, table.ErrStale)
			h.Audit()
		})
	}
}

// TestSkipsCountWhoWaits: the press of who has left counts no longer; whoever the computer plays for has none; and nobody ends another's turn
// alone, or where turns have no limit.
func TestSkipsCountWhoWaits(t *testing.T) {
	h := bottest.NewHall(t)
	seat := func(channel int64, limit string) (sleeper int64, awake []int64) {
		h.Must(channel, 1, chat.Command, "/zevaka 21a limit="+limit)
		id := h.Table(channel).ID
		for user := range int64(3) {
			h.Must(channel, user+2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		}
		h.Must(channel, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(channel)
		sleeper = h.Turn(channel)
		for user := int64(1); user <= 4; user++ {
			if user != sleeper {
				awake = append(awake, user)
			}
		}
		return sleeper, awake
	}
	_, awake := seat(1, "60s")
	for !h.Table(1).Skippable {
		h.Pass(time.Second)
	}
	before := h.Table(1).Moves
	h.Must(1, awake[0], chat.Press, h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover)))
	h.Surely(1, awake[0], chat.Press, h.Button(1, "!leave"))
	if r := h.Ask(1, awake[0], chat.Press, h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover))); !h.Is(r, table.ErrLeft) {
		t.Errorf("who has left is answered %q", r.Toast)
	}
	h.Must(1, awake[1], chat.Press, h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover)))
	if h.Table(1).Moves != before || h.Table(1).MaySkip() == 0 || !h.Table(1).Waives() {
		t.Error("the press of who has left counts")
	}
	h.Surely(1, awake[2], chat.Press, h.Button(1, "!leave"))
	if r := h.Ask(1, awake[1], chat.Press, h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover))); !h.Is(r, table.ErrNoSkip) || h.Table(1).Moves != before {
		t.Errorf("the only one who waits is answered %q", r.Toast)
	}
	_, awake = seat(2, "none")
	h.Pass(10 * time.Minute)
	if r := h.Ask(2, awake[0], chat.Press, h.Button(2, fmt.Sprint("!skip ", h.Table(2).Mover))); !h.Is(r, table.ErrNoSkip) {
		t.Errorf("without a limit it is answered %q", r.Toast)
	}
}

// TestTimeRunsOn: who has to move, and does something else instead, has no more time by it: who leaves and comes back before the computer
// has moved, and a punter who changes their mind about side bets.
func TestTimeRunsOn(t *testing.T) {
	for _, test := range []struct {
		line string
		does func(h *bottest.Hall, mover int64, n int)
	}{
		{"/zevaka 21a limit=60s", func(h *bottest.Hall, mover int64, _ int) {
			h.Surely(1, mover, chat.Press, h.Button(1, "!leave"))
			h.Must(1, mover, chat.Press, h.Button(1, "!back"))
		}},
		{"/banchok 500 limit=60s side=on", func(h *bottest.Hall, mover int64, n int) {
			h.Must(1, mover, chat.Press, h.Button(1, []string{"allow off", "allow on"}[n%2]))
		}},
	} {
		t.Run(test.line, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, test.line)
			id := h.Table(1).ID
			for user := int64(2); user <= 3; user++ {
				h.Must(1, user, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			}
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			h.Cut(1)
			mover, ends := h.Turn(1), h.Table(1).Ends
			for n := 0; n < 10 && h.Turn(1) == mover; n++ {
				h.Pass(14 * time.Second)
				if h.Turn(1) != mover {
					break
				}
				test.does(h, mover, n)
				h.Pass(time.Millisecond)
				now := h.Table(1)
				if now.Ends != ends || now.Skippable != (now.Skip == 0) || now.Skippable != (h.ClockNow().Until(ends) <= 30*time.Second) {
					t.Errorf("%v before the end: %+v", h.ClockNow().Until(ends), now.Deadlines)
				}
			}
			if late := ends.Until(h.ClockNow()); late < 0 || late > 15*time.Second {
				t.Errorf("the turn ends %v after its time", late)
			}
			h.Audit()
		})
	}
}

// TestNobodyPutsOff: what the computer is about to do comes in its time, whatever people ask for meanwhile that is no move: who leaves and
// comes back, or closes the table once more.
func TestNobodyPutsOff(t *testing.T) {
	for line, dos := range map[string][]string{"/zevaka 21a": {"!leave", "!back"}, "/banchok 500 side=on dealer=bot": {"!stop", "!stop"}} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, line)
		id := h.Table(1).ID
		h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		if line == "/zevaka 21a" {
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!robot"}.String())
		} else {
			h.Must(1, 3, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		}
		h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(1)
		for h.Table(1).Chance == 0 {
			h.Move(1, h.Turn(1), map[bool]string{true: "stake 5", false: "flip"}[h.Table(1).Wagered()])
			if !h.Table(1).Wagered() {
				h.Move(1, h.Turn(1), "keep")
			}
		}
		moves, due := h.Table(1).Moves, h.Table(1).Chance
		for n := 0; n < 40 && h.Table(1).Moves == moves; n++ {
			if answer := bottest.AnswerIn(h.Soon(1, 1, chat.Press, h.Button(1, dos[n%2]))); answer != "" {
				h.Soon(1, 1, chat.Press, answer)
			}
			h.Pass(600 * time.Millisecond)
		}
		if late := due.Until(h.ClockNow()); h.Table(1).Moves == moves || late > 2*time.Second {
			t.Errorf("%s: after %v it has made %d moves", line, late, h.Table(1).Moves-moves)
		}
	}
}

// TestJoinsMeanwhile: who sits down at a bank while a hand is played, or stands up again, changes nothing about the turn, nor about the call to it.
func TestJoinsMeanwhile(t *testing.T) {
	for _, limit := range []string{"30s", "1h", "none"} {
		h := bottest.NewHall(t)
		id := h.Sit(1, "bank=300 limit="+limit, 1, 2, 3).ID
		before := h.Look(id).Deadlines
		if before.Warn == 0 {
			t.Fatalf("limit %s: nobody is called: %+v", limit, before)
		}
		for _, do := range []string{"!join", "!leave"} {
			h.Must(1, 9, chat.Press, table.Token{Table: id, Do: do}.String())
			if after := h.Look(id).Deadlines; after != before {
				t.Errorf("limit %s: %s makes %+v of %+v", limit, do, after, before)
			}
		}
	}
}

// TestHandHasItsTime: each hand at a bank has all of its time, also the next one of the only punter, where the bot turns the cards.
func TestHandHasItsTime(t *testing.T) {
	for _, dealer := range []string{"bot", "player"} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/banchok 500 limit=60s dealer="+dealer)
		h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
		h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String())
		h.Cut(1)
		for range 4 {
			h.Pass(40 * time.Second)
			h.Move(1, h.Turn(1), map[bool]string{true: "open", false: "stake 5"}[h.Table(1).Mover == 0])
			if left := h.ClockNow().Until(h.Table(1).Ends); left != time.Minute {
				t.Errorf("dealer=%s: after %d moves there are %v", dealer, h.Table(1).Moves, left)
			}
		}
	}
}

// TestWaitsTellNothing: where nobody says whether something was overlooked, neither does the time that a computer player takes, nor that it
// looks for something to put right.
func TestWaitsTellNothing(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka penalty=call computers=1 limit=none temper=sleepy")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.Cut(1)
	erred := map[string]int{}
	for range 200 {
		before := h.Look(id)
		last := h.State(before).Turn()[0]
		if before.Chairs[last].Computer() {
			for len(h.State(h.Look(id)).Turn()) > 0 && h.State(h.Look(id)).Turn()[0] == last {
				h.Pass(500 * time.Millisecond)
			}
		} else if r := h.Ask(1, before.Chairs[last].User, chat.Command, "/m flip"); r.Alert {
			h.Must(1, before.Chairs[last].User, chat.Command, "/m keep")
		}
		now := h.Look(id)
		turn := h.State(now).Turn()
		if len(turn) == 0 {
			break
		} else if turn[0] == last || h.State(now).View(engine.Nobody).Tries == nil {
			continue // The turn goes on, or has ended with the last of somebody's cards.
		}
		who := "persons"
		want := time.Duration(0)
		switch ways := table.Sleepy.Ways(); {
		case now.Chairs[turn[0]].Computer():
			who, want = "a computer comes next", ways.Considers
		case now.Chairs[last].Computer():
			who, want = "a computer has kept a card", ways.Thinks
		}
		due := time.Duration(0)
		if now.Chance != 0 {
			due = h.ClockNow().Until(now.Chance)
		}
		if due > want || due < want-time.Second {
			t.Errorf("%s, %d may put something right: the table waits for %v, want %v", who, len(turn)-1, due, want)
		}
		erred[fmt.Sprint(who, len(turn) > 1)]++
	}
	if len(erred) != 6 {
		t.Errorf("it was looked at %v", erred)
	}
}

// TestSleepersTurnIsCalled: with penalty=call anybody may still say that the last player has missed something where the table makes the turn of who
// sleeps; the rest of it comes a moment later, whether somebody does or not, and counts as one.
func TestSleepersTurnIsCalled(t *testing.T) {
	for _, test := range []struct {
		name string
		skip bool
		then func(h *bottest.Hall, sleeper, other int64)
		// stays says that the turn then is the sleeper's own again.
		stays bool
	}{
		{"nobody calls", false, func(*bottest.Hall, int64, int64) {}, false},
		{"skipped, nobody calls", true, func(*bottest.Hall, int64, int64) {}, false},
		{"one calls", false, func(h *bottest.Hall, _, other int64) { h.Move(1, other, "yawn") }, false},
		{"skipped, one calls", true, func(h *bottest.Hall, _, other int64) { h.Move(1, other, "yawn") }, false},
		{"one leaves", false, func(h *bottest.Hall, _, other int64) { h.Surely(1, other, chat.Press, h.Button(1, "!leave")) }, false},
		{"the sleeper wakes", false, func(h *bottest.Hall, sleeper, _ int64) { h.Must(1, sleeper, chat.Command, "/m yawn") }, true},
	} {
		h := bottest.NewHall(t)
		id := dealTo(h, "/zevaka 21a penalty=call limit=60s", 3, 0)
		for h.State(h.Look(id)).View(engine.Nobody).Note != "may-fix" || len(h.State(h.Look(id)).Turn()) < 2 {
			if r := h.Ask(1, h.Turn(1), chat.Command, "/m flip"); r.Alert {
				h.Must(1, h.Turn(1), chat.Command, "/m keep")
			}
		}
		turn := h.State(h.Look(id)).Turn()
		chairs := h.Look(id).Chairs
		next, missed, other := chairs[turn[0]].User, chairs[turn[1]].User, chairs[3-turn[0]-turn[1]].User
		if test.skip {
			h.Pass(31 * time.Second)
			for _, user := range []int64{missed, other} {
				h.Must(1, user, chat.Press, h.Button(1, fmt.Sprint("!skip ", turn[0])))
			}
		} else {
			h.Pass(61 * time.Second)
		}
		half := h.Look(id)
		if !slices.Contains(h.State(half).Turn(), 3-turn[0]-turn[1]) || h.Turn(1) != next || half.Chairs[turn[0]].Missed != 1 {
			t.Errorf("%s: %v may move, the sleeper has missed %d", test.name, h.State(half).Turn(), half.Chairs[turn[0]].Missed)
			continue
		}
		test.then(h, next, other)
		h.Pass(6 * time.Second)
		if now := h.Look(id); (h.Turn(1) == next) != test.stays || !test.stays && now.Chairs[turn[0]].Missed != 1 {
			t.Errorf("%s: P%d moves after P%d, who has missed %d", test.name, h.Turn(1), next, now.Chairs[turn[0]].Missed)
		}
		h.Audit()
	}
}

// TestNoteNamesWhoMissed: who may put the last turn right is named, whoever else has got up since.
func TestNoteNamesWhoMissed(t *testing.T) {
	for _, penalty := range []string{"auto", "call"} {
		h := bottest.NewHall(t)
		id := dealTo(h, "/zevaka 21a limit=none penalty="+penalty, 3, 0)
		fixes := func(m engine.Move) bool { return h.Games["zevaka"].Text(m) == "fix" }
		for len(h.State(h.Look(id)).Turn()) < 2 || !slices.ContainsFunc(h.State(h.Look(id)).View(engine.Nobody).Offers, fixes) {
			if r := h.Ask(1, h.Turn(1), chat.Command, "/m flip"); r.Alert {
				h.Must(1, h.Turn(1), chat.Command, "/m keep")
			}
		}
		turn, chairs := h.State(h.Look(id)).Turn(), h.Look(id).Chairs
		r := h.Surely(1, chairs[3-turn[0]-turn[1]].User, chat.Press, h.Button(1, "!leave"))
		board := words.Flat(bottest.Drawn(r.Posts[0]).Text)
		if who := chairs[turn[1]].Name; !strings.Contains(board, who+" m") {
			t.Errorf("penalty=%s, %s has missed something:\n%s", penalty, who, board)
		}
	}
}
