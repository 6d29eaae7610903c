package play_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestSession plays two banks each of three people to the end: every bank has a seed and a cut of its own, the draw stays,
// and what was agreed is agreed again when they play once more.
func TestSession(t *testing.T) {
	h := bottest.NewHall(t)
	first := h.Sit(1, "20 min=20 banks=2 side limit=45s", 1, 2, 3)
	began := first.Session.Began
	seeds := map[engine.Seed]bool{}
	var bankers []int64
	for n := 1; ; n++ {
		now := h.Table(1)
		bankers = append(bankers, now.Chairs[0].User)
		if seeds[now.Seed] || now.Draw != first.Draw || now.Limit != 45 || now.Rounds != 2 || now.Session.Deal != n || now.Host != 1 {
			t.Fatalf("bank %d: %+v", n, now)
		}
		seeds[now.Seed] = true
		last := h.Finish(1)
		if shared := table.SharedCuts(now); last.Result == nil || (n == 1) != (now.Cut == "7") || n > 1 && (shared[1] != "9" || shared[now.Cutter] != "7") {
			t.Fatalf("bank %d: cut %q, %q, result %v", n, now.Cut, shared, last.Result)
		}
		if last.Next == "" {
			ends(h, last, began)
			break
		}
		next := h.Table(1)
		if h.Must(1, next.Chairs[1].User, chat.Press, table.Token{Table: next.ID, Epoch: 1, Do: "!cut 9"}.String()); h.Table(1).Phase != table.Cutting {
			t.Errorf("bank %d is dealt by the cut of somebody who doesn't sit at the right of the banker", n+1)
		}
		h.Cut(1)
	}
	for i, banker := range bankers {
		if len(bankers) != 6 || banker != bankers[(i+3)%6] || banker == bankers[(i+1)%6] {
			t.Fatalf("the banks were held by %v", bankers)
		}
	}
	h.Audit()
}

// ends wants a session's last table to be in the scores, once for each who played, and to lead to another like it.
func ends(h *bottest.Hall, last *table.Table, began int64) {
	h.T.Helper()
	boards, err := storage.Read(h.T.Context(), h.Store, func(from storage.Reader) ([]scores.Board, error) {
		return scores.Boards(from, last.Origin(), "banchok")
	})
	if err != nil || len(boards[0].Wins) != len(last.Session.People) {
		h.T.Errorf("the board is %+v, %v", boards, err)
	}
	for _, row := range boards[0].Wins {
		if row.Games != 1 || row.Seconds != last.Ended-began || row.Seconds <= 0 {
			h.T.Errorf("P%d: %+v after a session of %d s", row.User, row.Tally, last.Ended-began)
		}
	}
	h.Must(1, 2, chat.Press, table.Token{Table: last.ID, Do: "!again"}.String())
	if again := h.Table(1); again.Rounds != 2 || again.Limit != 45 || again.Options["bank"] != "20" || again.Options["side"] != "on" {
		h.T.Errorf("once more is %+v", again)
	}
}

// TestComeAndGo: who sits down waits for the next bank, who leaves may come back with it, and who was removed may not.
func TestComeAndGo(t *testing.T) {
	h := bottest.NewHall(t)
	now := h.Sit(1, "20 min=20 limit=none", 1, 2, 3, 4)
	for now.Chairs[0].User != 1 { // The host holds the first bank.
		h.Finish(1)
		h.Cut(1)
		now = h.Table(1)
	}
	press := func(user int64, do string) chat.Response {
		return h.Ask(1, user, chat.Press, table.Token{Table: h.Table(1).ID, Epoch: 2, Do: do}.String())
	}
	wants := func(r chat.Response, refusal engine.Refusal) {
		t.Helper()
		if !h.Is(r, refusal) {
			t.Errorf("the answer is %q, want no.%s", r.Toast, refusal)
		}
	}
	wants(press(1, "!leave"), table.ErrBankerStays)
	wants(h.Ask(1, 1, chat.Command, "/m leave"), table.ErrBankerStays)
	wants(press(5, "!leave"), table.ErrNotSeated)
	h.Must(1, 2, chat.Command, "/leave")
	wants(h.Ask(1, 2, chat.Command, "/m leave"), table.ErrLeft)
	h.Sure(1, 99, chat.Press, table.Token{Table: now.ID, Do: "!remove " + now.Chairs[slices.IndexFunc(now.Chairs, func(c table.Chair) bool { return c.User == 3 })].Key()}.String())
	wants(press(3, "!join"), table.ErrRemoved)
	wants(press(3, "!back"), table.ErrRemoved)
	for _, user := range []int64{5, 6} {
		if r := press(user, "!join"); r.Alert {
			t.Error(r.Toast)
		}
	}
	wants(press(5, "!join"), table.ErrSeated)
	if r := press(6, "!leave"); r.Alert {
		t.Error(r.Toast)
	}
	if r := press(2, "!back"); r.Alert {
		t.Error(r.Toast)
	}
	wants(h.Ask(1, 2, chat.Command, "/m leave"), "left-this-bank")
	h.Finish(1)
	next := h.Table(1)
	if got := users(next.Chairs); !slices.Equal(slices.Sorted(slices.Values(got)), []int64{1, 2, 4, 5}) {
		t.Errorf("the next bank is played by %v", got)
	}
	h.Cut(1)
	wants(press(3, "!join"), table.ErrRemoved)
	h.Audit()
}

func users(chairs []table.Chair) []int64 {
	var all []int64
	for _, c := range chairs {
		all = append(all, c.User)
	}
	return all
}

// TestNextBanker: the bank goes to the next in the circle who can lay it out; who can't has left, whoever couldn't pay a
// stake sits one bank out, and whoever has sat down meanwhile plays if they can. Who is dropped from the circle is named.
func TestNextBanker(t *testing.T) {
	for _, test := range []struct {
		name string
		// has is what the purses hold when the first bank ends; the others hold enough. The banker is P1, then come P2,
		// P3 and P4, and P5 waits.
		has  map[int64]int64
		next []int64
	}{
		{"all can", nil, []int64{2, 3, 4, 5, 1}},
		{"the next can't", map[int64]int64{2: 499}, []int64{3, 4, 5, 1}},
		{"two can't", map[int64]int64{2: 0, 3: 499}, []int64{4, 5, 1}},
		{"only somebody new can", map[int64]int64{2: 0, 3: 1, 4: 2}, nil},
		{"nobody else can", map[int64]int64{2: 0, 3: 0, 4: 0, 5: 499}, nil},
		{"somebody new can't even stake", map[int64]int64{5: 4}, []int64{2, 3, 4, 1}},
		{"somebody new can only stake", map[int64]int64{5: 5}, []int64{2, 3, 4, 5, 1}},
		{"somebody else can only stake", map[int64]int64{3: 5}, []int64{2, 3, 4, 5, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Seeds = 400 // As it is dealt then, nobody wins more than a case wants.
			now := h.Sit(1, "500 limit=none", 1, 2, 3, 4)
			order := append(users(now.Chairs), 5) // Whoever is drawn is called P1 here.
			h.Must(1, 5, chat.Press, table.Token{Table: now.ID, Epoch: 2, Do: "!join"}.String())
			lastHand(h, now)
			for user, has := range test.has {
				h.LeaveWith(order[user-1], has)
			}
			h.Move(1, h.Turn(1), "open")
			last := h.Look(now.ID)
			if last.Result == nil || last.Result.Chips[0] < 0 {
				t.Fatalf("the bank ends with %+v: %+v", last.Result, last.Chips)
			}
			var got []int64
			if last.Next != "" {
				for _, user := range users(h.Table(1).Chairs) {
					got = append(got, int64(slices.Index(order, user)+1))
				}
			}
			if !slices.Equal(got, test.next) {
				t.Errorf("the next bank is played by %v, want %v", got, test.next)
			}
			for _, user := range order[:4] {
				broke := func(e engine.Event) bool { return e.What == "broke" && last.Chairs[e.Seat].User == user }
				dropped := last.Next != "" && !slices.Contains(users(h.Table(1).Chairs), user)
				if slices.ContainsFunc(last.Last, broke) != dropped {
					t.Errorf("of P%d, who plays no further: %v, it tells %+v", slices.Index(order, user)+1, dropped, last.Last)
				}
			}
			h.Audit()
		})
	}
}

// TestJoinsWithLittle: who sits down while a bank is on hears what they lack for the next one: a stake, or the bank that they owe.
func TestJoinsWithLittle(t *testing.T) {
	h := bottest.NewHall(t)
	now := h.Sit(1, "500 limit=none", 1, 2, 3, 4)
	joins := func(user int64) string {
		return h.Must(1, user, chat.Press, table.Token{Table: h.Table(1).ID, Epoch: 2, Do: "!join"}.String()).Toast
	}
	h.Must(1, 5, chat.Command, "/balance")
	h.LeaveWith(5, 4)
	if said := joins(5); !strings.Contains(said, "it takes 5, and your purse holds 4") {
		t.Errorf("who can't stake is answered %q", said)
	}
	h.Seeds = 400
	last := now.Chairs[3].User
	lastHand(h, now)
	h.Sure(1, last, chat.Command, "/leave")
	h.Move(1, h.Turn(1), "open")
	h.Cut(1)
	h.LeaveWith(last, 499)
	if said := joins(last); !strings.Contains(said, "it takes 500, and your purse holds 499") {
		t.Errorf("who can't lay the bank that they owe is answered %q", said)
	}
}

// TestBankIsOwed: who was to hold the bank and left, before it came to him or when it did, or couldn't lay it out, comes back to hold
// it or not at all. Who has held his comes back as anybody does, and so does who only couldn't pay a stake (RULES.md 6.3).
func TestBankIsOwed(t *testing.T) {
	type deed func(h *bottest.Hall, user func(n int) int64)
	leaves := func(n int) deed {
		return func(h *bottest.Hall, user func(int) int64) { h.Sure(1, user(n), chat.Command, "/leave") }
	}
	comes := func(n int) deed {
		return func(h *bottest.Hall, user func(int) int64) {
			h.Must(1, user(n), chat.Press, table.Token{Table: h.Table(1).ID, Epoch: 2, Do: "!join"}.String())
		}
	}
	has := func(n int, chips int64) deed {
		return func(h *bottest.Hall, user func(int) int64) { h.LeaveWith(user(n), chips) }
	}
	gets := func(n int, chips int) deed {
		return func(h *bottest.Hall, user func(int) int64) {
			r := h.Must(1, 98, chat.Command, fmt.Sprintf("/give P%d %d", user(n), chips))
			h.Must(1, 98, chat.Press, r.Posts[0].Buttons[0][0].Token)
		}
	}
	for _, test := range []struct {
		name string
		// first and second is what is done in the first and in the second bank by P1, who holds the first, to P4, and by P5, who
		// hasn't played before.
		first, second []deed
		// third are who play the third bank, its banker first.
		third []int
	}{
		{"nobody leaves", nil, nil, []int{3, 4, 1, 2}},
		{"the next leaves, and stays away", []deed{leaves(2)}, nil, []int{4, 1, 3}},
		{"the next leaves, and comes back a bank later", []deed{leaves(2)}, []deed{comes(2)}, []int{2, 4, 1, 3}},
		{"so does the one after", []deed{leaves(3)}, []deed{comes(3)}, []int{3, 4, 1, 2}},
		{"and one whose turn is still far away", []deed{leaves(4)}, []deed{comes(4)}, []int{4, 3, 1, 2}},
		{"somebody new comes, too", []deed{leaves(2)}, []deed{comes(5), comes(2)}, []int{2, 4, 1, 5, 3}},
		{"two come back", []deed{leaves(2), leaves(4)}, []deed{comes(4), comes(2)}, []int{4, 2, 1, 3}},
		{"who comes back can't lay it out", []deed{leaves(2)}, []deed{has(2, 499), comes(2)}, []int{4, 1, 3}},
		{"who couldn't lay it out can now", []deed{has(2, 499)}, []deed{gets(2, 1), comes(2)}, []int{2, 4, 1, 3}},
		{"who had only to sit it out", []deed{has(2, 499), has(5, 4), comes(5)}, []deed{gets(5, 1), comes(5)}, []int{4, 1, 5, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Seeds = 400 // As it is dealt then, nobody wins more than a case wants.
			order := append(users(h.Sit(1, "500 limit=none", 1, 2, 3, 4).Chairs), 5)
			for _, deeds := range [][]deed{test.first, test.second} {
				now := h.Table(1)
				lastHand(h, now)
				for _, does := range deeds {
					does(h, func(n int) int64 { return order[n-1] })
				}
				h.Move(1, h.Turn(1), "open")
				if h.Look(now.ID).Next == "" {
					t.Fatal("nobody holds the next bank")
				}
				h.Cut(1)
			}
			var got []int
			for _, user := range users(h.Table(1).Chairs) {
				got = append(got, slices.Index(order, user)+1)
			}
			if !slices.Equal(got, test.third) {
				t.Errorf("the third bank is played by %v, want %v", got, test.third)
			}
			h.Audit()
		})
	}
}

// lastHand plays until a hand is staked on with which the bank ends whoever wins: the banker has the rest.
func lastHand(h *bottest.Hall, t *table.Table) {
	h.T.Helper()
	for range 100 {
		now := h.Look(t.ID)
		bank := now.Chips.Bank
		if bank*2 >= 1500 {
			h.Move(1, h.Turn(1), fmt.Sprint("stake ", bank))
			return
		}
		h.SettleHand(1, int(max(min(5, bank), min(bank/2, 1499-bank))))
	}
	h.T.Fatal("no such hand comes")
}

// TestManyPeople: a session in which people come and go for ever has an end to how many, and can always be recorded.
func TestManyPeople(t *testing.T) {
	h := bottest.NewHall(t)
	if last := h.SitMany(); last != table.MaxPeople {
		t.Errorf("%d people have sat down, want %d", last, table.MaxPeople)
	}
	h.Audit()
}

// deafStore forgets how to read other tables than that whose key it is told, once it has committed something since.
type deafStore struct {
	storage.Store
	deaf      string
	committed atomic.Bool
}

func (s *deafStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := s.Store.Commit(ctx, t)
	if err == nil {
		s.committed.Store(true)
	}
	return rev, err
}

func (s *deafStore) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if s.deaf != "" && s.committed.Load() && slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, keyspace.OpenTables) && !strings.HasPrefix(k, s.deaf) }) {
		return nil, storage.ErrUnavailable
	}
	return s.Store.Get(ctx, keys...)
}

// TestTypedInAnEarlierDeal: what somebody typed in a deal isn't done once more in the next one, where it is delivered again by then.
func TestTypedInAnEarlierDeal(t *testing.T) {
	h := bottest.NewHall(t)
	first := h.Sit(1, "20 min=20 limit=none", 1, 2, 3)
	typed := map[int64]chat.Request{}
	for h.Look(first.ID).Phase != table.Ended {
		user := h.Turn(1)
		typed[user] = h.Request(1, user, chat.Command, "/bet 20")
		h.Running += bottest.DoubleTap
		if r := bottest.Seen(t.Context(), h.Bot, typed[user]); r.Alert {
			t.Fatal(r.Toast)
		}
		h.Move(1, h.Turn(1), "open")
	}
	h.Cut(1)
	h.Restart()
	again := 0
	for user := h.Turn(1); h.Table(1).Session.Deal == 2 && again == 0; user = h.Turn(1) {
		if r, ok := typed[user]; ok {
			again++
			before := h.Everything()
			h.Running += bottest.DoubleTap
			if r := bottest.Seen(t.Context(), h.Bot, r); r.Alert || len(r.Posts) == 0 {
				t.Errorf("they are told %+v", r)
			}
			if changed := h.Changed(before); len(changed) > 0 {
				t.Errorf("it changes %v", changed)
			}
			continue
		}
		h.SettleHand(1, 20)
	}
	if again == 0 {
		t.Error("nobody who had typed anything had a turn in the second deal")
	}
	h.Audit()
}

// TestNextUnseen: as long as the picture of the next bank can't be shown nobody's time runs out there, for an hour, or where others look at it for
// 20 minutes; who gets it has the whole time. Who looks at it themselves has no more time than ever, and a guest's table waits for nobody: its
// message comes to who presses.
func TestNextUnseen(t *testing.T) {
	for _, test := range []struct {
		looks        string
		shown, waits time.Duration // shown 0: never.
	}{
		{"", 10 * time.Second, 10 * time.Second}, {"", 50 * time.Minute, 50 * time.Minute}, {"", 0, 59 * time.Minute},
		{"another", 0, 19 * time.Minute}, {"the cutter", 0, 0}, {"as a guest", 0, 0},
	} {
		h := bottest.NewHall(t)
		deaf := &deafStore{Store: h.Store}
		h.Store = deaf
		h.Restart()
		now := h.Sit(1, "20 min=20", 1, 2, 3)
		for h.Look(now.ID).Phase != table.Ended {
			stake := h.Button(1, fmt.Sprint("stake ", h.Look(now.ID).Chips.Bank))
			h.Must(1, h.Turn(1), chat.Press, stake)
			banker, open := h.Turn(1), h.Button(1, "open")
			deaf.deaf = table.KeyOpen(now.ID)
			deaf.committed.Store(false)
			h.Ask(1, banker, chat.Press, open)
			deaf.deaf = ""
		}
		next := table.ID{Community: now.ID.Community, Name: h.Look(now.ID).Next}
		switch test.looks {
		case "":
		case "as a guest":
			there := h.Look(next)
			there.Place.Guest = true
			h.Put(there)
		default:
			seat := h.Look(next).Cutter
			if test.looks == "another" {
				seat = (seat + 1) % 3
			}
			r := chat.Request{Who: bottest.User(h.Look(next).Chairs[seat].User), In: h.Place(1)}
			look, err := h.Bot.Live().Look(t.Context(), r, next, func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
		}
		for range 20 {
			h.Pass(test.waits / 20)
		}
		if h.Look(next).Phase != table.Cutting {
			t.Errorf("%+v: nobody was waited for", test)
		}
		if test.shown != 0 {
			h.Ask(1, 0, chat.Shown, fmt.Sprint(next, " 1"))
			if left := h.ClockNow().Until(h.Look(next).Ends); left < 15*time.Second || left > 20*time.Second {
				t.Errorf("%+v: %v are left to cut", test, left)
			}
		}
		h.Pass(3 * time.Minute)
		if after := h.Look(next); after.Phase == table.Cutting || after.Cut != "" {
			t.Errorf("%+v: nobody dealt: phase %d, cut %q", test, after.Phase, after.Cut)
		}
	}
}

// TestPressedUnseen: at a game whose picture can't be shown the time of who has moved there runs out as ever: they have seen it on its page.
func TestPressedUnseen(t *testing.T) {
	for _, moved := range []bool{true, false} {
		h := bottest.NewHall(t)
		id := dealTo(h, "/zevaka 21b limit=60s", 2, 0)
		playUntil(h, id, func(*table.Table) bool { return false })
		for u := range int64(2) {
			h.Must(1, u+1, chat.Press, table.Token{Table: id, Do: play.DoAgain}.String())
		}
		next := h.Table(1).ID
		h.Cut(1)
		move := func() {
			now := h.Look(next)
			state := h.State(now)
			seat := state.Turn()[0]
			do := h.Games[now.Game].Text(state.Auto(seat, 1, rand.New(rand.NewPCG(1, 2))))
			h.Must(1, now.Chairs[seat].User, chat.Press, table.Token{Table: next, Epoch: now.Epoch(state), Do: do}.String())
			h.Pass(3 * time.Second)
		}
		first := h.Look(next).Mover
		for h.Look(next).Mover == first {
			move()
		}
		for moved && h.Look(next).Mover != first {
			move()
		}
		mover := h.Look(next).Mover
		h.Pass(time.Minute)
		if ended := h.Look(next).Mover != mover; ended != moved {
			t.Errorf("the turn of who has moved (%t) is over after a minute: %t", moved, ended)
		}
	}
}

// TestNobodyIsHeard: where the platform brings no presses nobody's time runs out, and not at once when it brings them again; but as ever for who can
// play at the table's page, and for others no longer than they can be asked to wait.
func TestNobodyIsHeard(t *testing.T) {
	for _, test := range []struct {
		line, looks string
		deaf, waits time.Duration // The outage, and when the turn is over from its beginning.
	}{
		{"/zevaka limit=60s", "", 0, time.Minute}, {"/zevaka limit=60s", "", 5 * time.Minute, 6 * time.Minute}, {"/zevaka limit=15s", "", 40 * time.Second, 45 * time.Second},
		{"/zevaka limit=60s", "", 3 * time.Hour, time.Hour}, {"/zevaka limit=60s", "mover", time.Hour, time.Minute}, {"/zevaka limit=60s", "other", time.Hour, 20 * time.Minute},
		{"/banchok bank=20 min=20 limit=30s", "", 10 * time.Minute, 10*time.Minute + 30*time.Second},
	} {
		h := bottest.NewHall(t)
		id := dealTo(h, test.line, 3, 0)
		mover := h.Look(id).Mover
		seat := mover
		if test.looks == "other" {
			seat = (mover + 1) % 3
		}
		if test.looks != "" {
			r := chat.Request{Who: bottest.User(h.Look(id).Chairs[seat].User), In: h.Place(1)}
			look, err := h.Bot.Live().Look(t.Context(), r, id, func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
		}
		lasts := time.Duration(0)
		for ; h.Look(id).Mover == mover && lasts < 4*time.Hour; lasts += time.Second {
			if h.Deaf = 0; lasts < test.deaf {
				h.Deaf = lasts + time.Second
			}
			h.Pass(time.Second)
		}
		if lasts < test.waits-2*time.Second || lasts > test.waits+time.Minute+2*time.Second {
			t.Errorf("%+v: the turn is over after %v", test, lasts)
		}
	}
}

// TestShownLate: who sees late that it is their turn has the whole time from then on, once, and is called as long after that as ever; but who plays at
// the table's page has not.
func TestShownLate(t *testing.T) {
	for _, test := range []struct {
		line        string
		looks       bool
		late, waits time.Duration // When the picture comes, and when the turn is over, both from its beginning.
	}{
		{"/zevaka limit=60s", false, 3 * time.Second, time.Minute}, {"/zevaka limit=60s", false, 10 * time.Second, 70 * time.Second},
		{"/zevaka limit=60s", false, 50 * time.Second, 110 * time.Second}, {"/zevaka limit=60s", false, 10 * time.Minute, 11 * time.Minute},
		{"/zevaka limit=15s", false, 6 * time.Second, 21 * time.Second}, {"/zevaka limit=60s", true, 10 * time.Minute, time.Minute},
		{"/zevaka limit=60s", false, 3 * time.Hour, time.Hour}, {"/banchok bank=20 min=20 limit=30s", false, time.Minute, 90 * time.Second},
	} {
		h := bottest.NewHall(t)
		id := dealTo(h, test.line, 3, 0)
		mover := h.Look(id).Mover
		bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "shown", In: h.Place(1), Kind: chat.Shown, Data: h.Look(id).Receipt(), On: "m"})
		if test.looks {
			r := chat.Request{Who: bottest.User(h.Look(id).Chairs[mover].User), In: h.Place(1)}
			look, err := h.Bot.Live().Look(t.Context(), r, id, func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
		}
		lasts := time.Duration(0)
		h.Late = func() (late, shown time.Duration) {
			if lasts < test.late {
				return lasts, -1
			}
			return test.late, lasts - test.late
		}
		for ; h.Look(id).Mover == mover && lasts < 4*time.Hour; lasts += time.Second {
			h.Pass(time.Second)
		}
		if lasts < test.waits-2*time.Second || lasts > test.waits+2*time.Second && test.late < time.Hour || lasts > test.waits+2*time.Minute {
			t.Errorf("%+v: the turn is over after %v", test, lasts)
		}
	}
}

// TestNothingIsSaved: whose turn it is while nothing can be saved has some time for it afterwards, and no more than once.
func TestNothingIsSaved(t *testing.T) {
	for _, line := range []string{"/zevaka limit=60s", "/banchok bank=20 min=5 limit=60s"} {
		for _, away := range []time.Duration{time.Minute, 10 * time.Minute} {
			store := &bottest.SickStore{Store: mem.New()}
			h := &bottest.Hall{T: t, Store: store}
			h.Restart()
			id := dealTo(h, line, 3, 0)
			h.Pass(20 * time.Second)
			before := h.Look(id)
			store.Sick.Store(true)
			for end := h.Running + away; h.Running < end; h.Running += time.Second {
				for h.Bot.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
				}
			}
			store.Sick.Store(false)
			h.Pass(time.Minute - 10*time.Second)
			if now := h.Look(id); now.Mover != before.Mover || now.Moves != before.Moves {
				t.Errorf("%s, nothing saved for %v: the turn is over before anybody can press", line, away)
			}
			h.Pass(time.Minute)
			if now := h.Look(id); now.Moves == before.Moves {
				t.Errorf("%s, nothing saved for %v: the turn doesn't end", line, away)
			}
		}
	}
}

// TestShared: a picture says whether people wait for each other at its table: from when the pack is to be cut until the end, where there are two.
func TestShared(t *testing.T) {
	for _, test := range []struct {
		people    int64
		computers int
		want      string
	}{{3, 0, "lobby false, cutting true, playing true, ended false"}, {1, 2, "lobby false, playing false, ended false"}} {
		h := bottest.NewHall(t)
		was := []string{}
		drawn := func(r chat.Response) {
			for _, p := range r.Posts {
				if p.Table == "" {
					continue
				}
				id, _ := table.ParseID(p.Table)
				phase := map[table.Phase]string{table.Lobby: "lobby", table.Cutting: "cutting", table.Playing: "playing", table.Ended: "ended"}[h.Look(id).Phase]
				if now := fmt.Sprint(phase, " ", p.Shared); !slices.Contains(was, now) {
					was = append(was, now)
				}
			}
		}
		drawn(h.Must(1, 1, chat.Command, "/zevaka limit=none"))
		id := h.Table(1).ID
		press := func(user int64, do string) {
			drawn(h.Must(1, user, chat.Press, table.Token{Table: id, Do: do}.String()))
		}
		for user := int64(2); user <= test.people; user++ {
			press(user, "!join")
		}
		for range test.computers {
			press(1, "!robot")
		}
		press(1, "!deal")
		h.Said = nil
		if h.Look(id).Phase == table.Cutting {
			h.Cut(1)
		}
		h.Pass(time.Minute)
		drawn(chat.Response{Posts: h.Said})
		drawn(h.Sure(1, 1, chat.Press, table.Token{Table: id, Do: "!stop"}.String()))
		if said := strings.Join(was, ", "); said != test.want {
			t.Errorf("%d people: %s; want %s", test.people, said, test.want)
		}
	}
}

// TestLeft: whoever isn't in a chat any more leaves its tables as if they had stood up: in a lobby the seat is free, a computer plays on, a
// bank pays them out, and nobody is asked about it. A game for one waits for them, and other chats' tables are none of it.
func TestLeft(t *testing.T) {
	for _, data := range []string{"", chat.Expelled} {
		t.Run(data, func(t *testing.T) { leavesTables(t, data) })
	}
}

func leavesTables(t *testing.T, data string) {
	h := bottest.NewHall(t)
	bank := h.Sit(1, "20 min=20 limit=none", 1, 2, 3)
	punter := bank.Chairs[1].User
	h.Must(2, punter, chat.Command, "/zevaka limit=none")
	h.Must(2, 4, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!join"}.String())
	h.Must(2, punter, chat.Press, table.Token{Table: h.Table(2).ID, Do: "!deal"}.String())
	h.Cut(2)
	h.Must(3, punter, chat.Command, "/zevaka")
	h.Must(4, punter, chat.Command, "/zevaka")
	h.Must(4, 4, chat.Press, table.Token{Table: h.Table(4).ID, Do: "!join"}.String())
	h.Must(5, punter, chat.Command, "/tecza")
	alone := h.Table(5).Level
	lobby := h.Table(3).ID
	other := h.Place(1)
	other.Community.ID++
	for _, in := range []chat.Place{other, h.Place(1), h.Place(1)} {
		before := h.Everything()
		r := h.Request(1, punter, chat.Left, data)
		r.In = in
		if said := bottest.Seen(t.Context(), h.Bot, r); len(said.Posts) > 0 && said.Posts[0].To != nil || in == other && len(h.Changed(before)) > 0 {
			t.Errorf("in %+v it says %+v, and changes %v", in, said.Posts, h.Changed(before))
		}
	}
	if c := h.Look(bank.ID).Chairs[1]; !c.Left && c.Leaving != table.AfterHand || c.Removed != (data != "") {
		t.Errorf("at the bank they are %+v", c)
	}
	dealt := h.Table(2)
	at := slices.IndexFunc(dealt.Chairs, func(c table.Chair) bool { return c.User == punter })
	if !dealt.Chairs[at].Left || dealt.Chairs[at].Removed != (data != "") || dealt.Host != 4 {
		t.Errorf("in a deal they are %+v, and the host is %d", dealt.Chairs[at], dealt.Host)
	}
	if len(h.OpenTables(3)) > 0 && h.Look(lobby).Phase != table.Ended || !slices.Equal(users(h.Table(4).Chairs), []int64{4}) || h.Table(4).Host != 4 {
		t.Errorf("the lobbies are %+v and %+v", h.Look(lobby), h.Table(4))
	}
	if now := h.Table(5); now.Level != alone || now.Phase == table.Ended {
		t.Errorf("the game for one has changed: %+v", now)
	}
	h.Audit()
}

// TestNewcomerPlaysFirst: the bank has been held, and whoever else has played leaves. It doesn't come to somebody who has sat down meanwhile and has
// played against nobody's: two who belong together could have anybody lay it out who joins them.
func TestNewcomerPlaysFirst(t *testing.T) {
	for _, stays := range []bool{false, true} {
		h := bottest.NewHall(t)
		one := h.Sit(1, "100 limit=none banks=2", 1, 2)
		h.Must(1, 3, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
		other := one.Chairs[1].User
		if stays {
			h.Finish(1)
		} else {
			h.Sure(1, other, chat.Press, table.Token{Table: one.ID, Do: "!leave"}.String())
		}
		now := h.Look(one.ID)
		if now.Phase != table.Ended || (now.Next != "") != stays {
			t.Errorf("it is in phase %d, and goes on at %q", now.Phase, now.Next)
		}
		if stays && h.Table(1).Chairs[0].User != other {
			t.Errorf("P%d holds the next bank", h.Table(1).Chairs[0].User)
		}
		if has := h.Purse(3); !stays && has != 3000 {
			t.Errorf("P3 has %d", has)
		}
		h.Audit()
	}
}

// TestWaitingIsKnown: the name of who waits for the next bank is known to be theirs.
func TestWaitingIsKnown(t *testing.T) {
	h := bottest.NewHall(t)
	bank := h.Sit(1, "20 min=20 limit=none", 1, 2)
	r := h.Must(1, 3, chat.Press, table.Token{Table: bank.ID, Do: "!join"}.String())
	known := func(s chat.Span) bool { return s.Of == 3 && s.Text == "P3" }
	if !slices.ContainsFunc(r.Posts, func(p chat.Post) bool { return slices.ContainsFunc(p.Text, known) }) {
		t.Errorf("their name is nobody's in %+v", r.Posts)
	}
}

// unheard is a store whose answer is lost, once, to a commit that puts something with a prefix, and not at a key. Meanwhile whoever waits for it
// may give up.
type unheard struct {
	storage.Store
	prefix, but string
	meanwhile   func()
}

func (s *unheard) Commit(ctx context.Context, txn storage.Txn) (uint64, error) {
	rev, err := s.Store.Commit(ctx, txn)
	made := slices.ContainsFunc(txn.Writes, func(w storage.Write) bool {
		return w.Value != nil && s.prefix != "" && strings.HasPrefix(w.Key, s.prefix) && w.Key != s.but
	})
	if err != nil || !made {
		return rev, err
	}
	s.prefix = ""
	s.meanwhile()
	return 0, fmt.Errorf("%w: the answer is lost", storage.ErrUnknown)
}

// TestMadeUnheard: where the answer is lost to the commit that opens a table, or that ends a bank, the table that is open then is shown, and its
// time runs, whether or not whoever asked has given up waiting.
func TestMadeUnheard(t *testing.T) {
	for _, test := range []struct{ opens, givesUp bool }{{true, false}, {true, true}, {false, false}, {false, true}} {
		h := bottest.NewHall(t)
		s := &unheard{Store: h.Store}
		h.Store = s
		h.Restart()
		ctx, cancel := context.WithCancel(t.Context())
		s.meanwhile = func() {}
		if test.givesUp {
			s.meanwhile = cancel
		}
		asks := func(user int64, kind chat.Kind, data string) {
			h.Said = append(h.Said, h.Bot.Handle(ctx, h.Request(1, user, kind, data)).Posts...)
		}
		name := ""
		if test.opens {
			s.prefix = keyspace.OpenTables
			asks(1, chat.Command, "/zevaka")
			name = h.Table(1).ID.Name
		} else {
			now := h.Sit(1, "20 min=20 limit=15s", 1, 2)
			s.prefix, s.but = keyspace.OpenTables, table.KeyOpen(now.ID)
			for h.Look(now.ID).Phase != table.Ended {
				h.Must(1, h.Turn(1), chat.Press, h.Button(1, fmt.Sprint("stake ", h.Look(now.ID).Chips.Bank)))
				h.Said = nil
				asks(h.Turn(1), chat.Press, h.Button(1, "open"))
			}
			name = h.Look(now.ID).Next
		}
		cancel()
		if s.prefix != "" {
			t.Fatalf("%+v: no answer was lost", test)
		}
		shown := func() bool {
			return slices.ContainsFunc(h.Said, func(p chat.Post) bool { return strings.HasSuffix(p.Table, "/"+name) })
		}
		if shown() == test.givesUp {
			t.Errorf("%+v: the answer shows the table: %t", test, shown())
		}
		h.Pass(time.Minute)
		if !shown() {
			t.Errorf("%+v: nobody is shown the table", test)
		}
		h.Pass(2 * time.Hour)
		if open := h.OpenTables(1); len(open) > 0 && !test.opens && open[0].ID.Name == name && open[0].Phase == table.Cutting {
			t.Errorf("%+v: two hours later the table waits as before", test)
		}
	}
}
