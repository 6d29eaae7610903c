package play_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage"
)

// TestAgainKeepsItsLanguage: whoever asks for another game, the table speaks on as it did, unless the place has been told
// another language meanwhile.
func TestAgainKeepsItsLanguage(t *testing.T) {
	h := bottest.NewHall(t)
	in := h.Place(1)
	in.Lang = "" // Nothing tells the place's language.
	at := func(user int64, lang string, kind chat.Kind, data string) chat.Response {
		t.Helper()
		h.Asked++
		h.Running += time.Minute
		r := h.Bot.Handle(t.Context(), chat.Request{
			ID: fmt.Sprint("again ", h.Asked), Kind: kind, In: in, Data: data,
			Who: chat.User{ID: user, Name: "Ann", Lang: lang, Admin: true},
		})
		if r.Alert {
			t.Fatalf("%s: %s", data, r.Toast)
		}
		return r
	}
	at(1, "ru", chat.Command, "/zevaka")
	for _, test := range []struct{ command, want string }{{"", "ru"}, {"/lang en", "en"}} {
		old := h.Table(1)
		at(1, "ru", chat.Press, table.Token{Table: old.ID, Do: "!robot"}.String())
		at(1, "ru", chat.Press, table.Token{Table: old.ID, Do: "!deal"}.String())
		if question := bottest.AnswerIn(at(1, "ru", chat.Command, "/stop")); question != "" {
			at(1, "ru", chat.Press, question)
		}
		if test.command != "" {
			at(1, "ru", chat.Command, test.command)
		}
		at(2, "pl", chat.Press, table.Token{Table: old.ID, Do: play.DoAgain}.String())
		if now := h.Table(1); now.ID == old.ID || now.Lang != test.want {
			t.Errorf("%q: the table after %v speaks %s in %v", test.command, old.ID, now.Lang, now.ID)
		}
	}
}

// TestAgainInATopic: whoever presses in another topic than the one where a game stood plays again there; from another channel nobody does.
func TestAgainInATopic(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	old := h.Table(1)
	h.Press(1, old, "stop")
	again := h.Request(2, 1, chat.Press, table.Token{Table: old.ID, Do: play.DoAgain}.String())
	if r := bottest.Seen(t.Context(), h.Bot, again); !h.Is(r, table.ErrAction) {
		t.Errorf("from another channel: %+v", r)
	}
	again = h.Request(1, 1, chat.Press, again.Data)
	again.In.Thread = 4
	if r := bottest.Seen(t.Context(), h.Bot, again); len(r.Posts) == 0 || !r.Posts[0].In.Same(again.In) {
		t.Errorf("in another topic: %+v", r)
	}
}

// friends are people who sat together at a table that has ended.
type friends struct {
	*bottest.Sitting
	ended table.ID
}

// endedAfter has so many users play a little, those who leave leave, and after so long the host stop the game.
func endedAfter(t *testing.T, long time.Duration, users int64, leave ...int64) friends {
	t.Helper()
	s := bottest.NewSitting(t)
	var err error
	s.Bot, err = bot.New(t.Context(), bot.Options{
		Store: s.Store, Games: games.All(), Running: func() time.Duration { return s.Running },
		Now: func() time.Time { return time.Unix(1_700_000_000, 0).Add(s.Running) },
	})
	if err != nil {
		t.Fatal(err)
	}
	id := s.Open("/zevaka")
	at := func(do string) string { return table.Token{Table: id, Do: do}.String() }
	for user := int64(2); user <= users; user++ {
		s.Do(user, chat.Press, at("!join"))
	}
	s.Do(1, chat.Press, at("!deal"))
	for user := range users {
		s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
	}
	for user := range users {
		tb, state := s.Look(id)
		s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: tb.Epoch(state), Do: "flip"}.String())
	}
	for _, user := range leave {
		s.Say(user, "/leave")
	}
	s.Running += long
	s.Do(1, chat.Press, bottest.AnswerIn(s.Say(1, "/stop")))
	tb := friends{s, id}.lobby(id)
	if tb.Phase != table.Ended || tb.IsNothing() {
		t.Fatalf("phase %d after %d moves", tb.Phase, tb.Moves)
	}
	return friends{s, id}
}

// lobby is a table as it is stored.
func (s friends) lobby(id table.ID) *table.Table {
	s.T.Helper()
	t, err := bottest.Shelf(s.Store).LookAt(s.T.Context(), id)
	if err != nil {
		s.T.Fatal(err)
	}
	return t
}

// again has a user ask for another table, and tells who is called to it, and where that is.
func (s friends) again(user int64) (called string, next *table.Table) {
	s.T.Helper()
	r := s.Do(user, chat.Press, table.Token{Table: s.ended, Do: play.DoAgain}.String())
	for _, p := range r.Posts {
		if id, ok := table.ParseID(p.Table); ok && id != s.ended {
			next = s.lobby(id)
			for _, u := range p.Mention {
				called += u.Name + " "
			}
		}
	}
	if next == nil {
		s.T.Fatalf("%d is answered %+v", user, r)
	}
	return called, next
}

// TestAgainCalls: whoever sat at a table that ended calls the others who did to the next one, once, and not where they have
// only just been called.
func TestAgainCalls(t *testing.T) {
	for _, test := range []struct {
		name  string
		long  time.Duration
		leave []int64
		by    int64
		want  string
	}{
		{"who sat there", time.Hour, nil, 2, "User1 User3"},
		{"one who left isn't called", time.Hour, []int64{3}, 1, "User2"},
		{"nor calls", time.Hour, []int64{3}, 3, ""},
		{"a stranger doesn't call", time.Hour, nil, 9, ""},
		{"a table opened less than a minute ago", 0, nil, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := endedAfter(t, test.long, 3, test.leave...)
			called, next := s.again(test.by)
			if strings.Join(slices.Sorted(strings.FieldsSeq(called)), " ") != test.want || len(next.Chairs) != 1 || next.Chairs[0].User != test.by {
				t.Errorf("%q are called, not %q, and %+v sit there", called, test.want, next.Chairs)
			}
			for _, user := range []int64{test.by, 1, 2, 3} {
				if again, now := s.again(user); again != "" && now.Phase == table.Lobby || now.ID != next.ID {
					t.Errorf("%d calls %q to %v", user, again, now.ID)
				}
			}
			s.Do(test.by, chat.Press, bottest.AnswerIn(s.Say(test.by, "/stop")))
			s.Running += time.Hour
			if again, now := s.again(test.by); again != "" || now.ID == next.ID {
				t.Errorf("after that table %q are called to %v", again, now.ID)
			}
		})
	}
}

// TestAgainAfterASession: a game at the bank whose last bank was short has lasted, and its people are called.
func TestAgainAfterASession(t *testing.T) {
	h := bottest.NewHall(t)
	first := h.Sit(1, "100 limit=none", 1, 2)
	settle := func(id table.ID, pause time.Duration) *table.Table {
		for h.Look(id).Phase != table.Ended {
			h.Pass(pause)
			h.SettleHand(1, int(h.Look(id).Chips.Bank))
		}
		return h.Look(id)
	}
	second := table.ID{Community: first.ID.Community, Name: settle(first.ID, 5*time.Minute).Next}
	h.Cut(1)
	end := settle(second, 5*time.Second)
	if lasted := end.Ended - end.Opened; lasted >= int64(table.KeepSeats/time.Second) || end.Session.Deal != 2 {
		t.Fatalf("bank %d lasted %d s", end.Session.Deal, lasted)
	}
	h.Must(1, 1, chat.Press, table.Token{Table: second, Do: play.DoAgain}.String())
	if kept := h.Table(1).Kept; len(kept) != 1 || kept[0].User != 2 {
		t.Errorf("seats are kept for %v", kept)
	}
}

// TestAgainFindsTheSession: who asks late for another game is shown the session that has begun, also at its second bank.
func TestAgainFindsTheSession(t *testing.T) {
	h := bottest.NewHall(t)
	h.Sit(1, "100 limit=none", 1, 2, 3)
	var last table.ID
	for h.Pass(2 * time.Minute); ; h.Cut(1) {
		end := h.Finish(1)
		if last = end.ID; end.Next == "" {
			break
		}
	}
	h.Pass(time.Hour)
	h.Must(1, 1, chat.Press, table.Token{Table: last, Do: play.DoAgain}.String())
	next := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: next, Do: "!join"}.String())
	h.Pass(time.Minute + time.Second)
	h.Must(1, 1, chat.Press, table.Token{Table: next, Do: "!deal"}.String())
	h.Cut(1)
	h.Finish(1)
	h.Cut(1)
	r := h.Ask(1, 3, chat.Press, table.Token{Table: last, Do: play.DoAgain}.String())
	now := h.Table(1)
	if s := now.Session; s == nil || s.Deal != 2 || len(h.OpenTables(1)) != 1 || r.Opened != now.ID.String() {
		t.Errorf("at the second bank %q leads to %s, and %d tables are open: %+v", r.Toast, r.Opened, len(h.OpenTables(1)), s)
	}
}

// TestCalledToASession: a session that goes on at its second table isn't gone: nobody is called to another one who was to that.
func TestCalledToASession(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 5, chat.Command, "/notify")
	called := func(r chat.Response) (n int) {
		for _, p := range r.Posts {
			n += len(bottest.Drawn(p).Mention)
		}
		return n
	}
	opened := called(h.Opens(1, 1, "/banchok 100 limit=none"))
	first := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: first, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: first, Do: "!deal"}.String())
	h.Cut(1)
	h.Finish(1)
	h.Pass(time.Minute)
	if again := called(h.Opens(1, 6, "/zevaka")); opened != 1 || again != 0 {
		t.Errorf("called are %d, and then %d", opened, again)
	}
}

// TestSeatsAreKept: a seat that is kept is taken by nobody else, by its person with one press, and given up after a minute. Till
// then nothing is dealt without them.
func TestSeatsAreKept(t *testing.T) {
	s := endedAfter(t, time.Hour, 3)
	_, next := s.again(1)
	press := func(user int64, do string) chat.Response {
		return s.Do(user, chat.Press, table.Token{Table: next.ID, Do: do}.String())
	}
	text := func(r chat.Response) string { return words.Flat(bottest.Drawn(r.Posts[0]).Text) }
	known := func(s chat.Span) bool { return s.Of == 3 }
	if r := press(7, "!join"); r.Alert || strings.Count(text(r), "(seat kept)") != 2 || !slices.ContainsFunc(bottest.Drawn(r.Posts[0]).Text, known) {
		t.Errorf("a stranger is answered %+v, and reads %q", r, text(r))
	}
	press(8, "!join")
	press(9, "!join")
	for user, do := range map[int64]string{10: "!join", 1: "!robot"} {
		if r := press(user, do); !r.Alert || r.Toast != "The free seats are kept for a minute for those who played." {
			t.Errorf("%s is answered %+v", do, r)
		}
	}
	if r := press(2, "!join"); r.Alert || strings.Count(text(r), "(seat kept)") != 1 || r.Toast != "You're in. Still waiting for: User3." {
		t.Errorf("one who is waited for is answered %+v, and reads %q", r, text(r))
	}
	s.Running += table.KeepSeats
	s.Ring()
	if tb := s.lobby(next.ID); len(tb.Kept) != 0 || tb.Phase != table.Lobby || len(tb.Chairs) != 5 {
		t.Errorf("after a minute %d seats are kept", len(tb.Kept))
	}
	if r := press(10, "!join"); r.Alert {
		t.Errorf("then a stranger is answered %q", r.Toast)
	}
	if r := press(3, "!join"); r.Toast != "All seats are taken." {
		t.Errorf("and who was waited for %q", r.Toast)
	}

	s = endedAfter(t, time.Hour, 3)
	_, next = s.again(1)
	press(2, "!join")
	if r := press(1, "!deal"); r.Toast != "The free seats are kept for a minute for those who played." || len(s.lobby(next.ID).Kept) != 1 {
		t.Errorf("who deals before that is answered %q", r.Toast)
	}
	s.Running += table.KeepSeats
	press(1, "!deal")
	if tb := s.lobby(next.ID); tb.Phase != table.Cutting || len(tb.Kept) != 0 || len(tb.Chairs) != 2 {
		t.Errorf("after a minute: phase %d with %d seats, %d kept", tb.Phase, len(tb.Chairs), len(tb.Kept))
	}
}

// TestRematch: whoever asks for another game needs nobody's help: the others confirm by one press each, and the last of them
// has the cards dealt.
func TestRematch(t *testing.T) {
	join := func(s friends, next *table.Table, user int64) chat.Response {
		return s.Do(user, chat.Press, table.Token{Table: next.ID, Do: "!join"}.String())
	}
	for _, test := range []struct {
		name string
		do   func(friends, *table.Table)
		want table.Phase
		sit  int
	}{
		{"nobody is dealt to who wasn't asked", func(friends, *table.Table) {}, table.Lobby, 1},
		{"one is missing", func(s friends, next *table.Table) { join(s, next, 2) }, table.Lobby, 2},
		{"all are in", func(s friends, next *table.Table) { join(s, next, 2); join(s, next, 3) }, table.Cutting, 3},
		{"one comes by the old table's button", func(s friends, next *table.Table) { join(s, next, 2); s.again(3) }, table.Cutting, 3},
		{"one says that they won't", func(s friends, next *table.Table) {
			join(s, next, 2)
			if r := s.Do(3, chat.Press, table.Token{Table: next.ID, Do: "!leave"}.String()); r.Alert {
				s.T.Errorf("who declines is answered %q", r.Toast)
			}
		}, table.Cutting, 2},
		{"all decline", func(s friends, next *table.Table) {
			for _, user := range []int64{2, 3} {
				s.Do(user, chat.Press, table.Token{Table: next.ID, Do: "!leave"}.String())
			}
		}, table.Lobby, 1},
		{"a stranger is no answer", func(s friends, next *table.Table) { join(s, next, 7); join(s, next, 2) }, table.Lobby, 3},
		{"a stranger may come, too", func(s friends, next *table.Table) { join(s, next, 7); join(s, next, 2); join(s, next, 3) }, table.Cutting, 4},
		{"after a minute the host deals", func(s friends, next *table.Table) {
			join(s, next, 2)
			s.Running += table.KeepSeats
			s.Ring()
			join(s, next, 3)
		}, table.Lobby, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := endedAfter(t, time.Hour, 3)
			_, next := s.again(1)
			test.do(s, next)
			if now := s.lobby(next.ID); now.Phase != test.want || len(now.Chairs) != test.sit || now.Phase == table.Cutting && now.Rematch {
				t.Errorf("phase %d, not %d, and %d seats, not %d", now.Phase, test.want, len(now.Chairs), test.sit)
			}
		})
	}
}

// TestRematchAlone: who has played against the computer plays again at once, against as many.
func TestRematchAlone(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/zevaka computers=3 now")
	tb, state := s.Look(id)
	s.Do(1, chat.Press, table.Token{Table: id, Epoch: tb.Epoch(state), Do: "flip"}.String())
	s.Do(1, chat.Press, bottest.AnswerIn(s.Say(1, "/stop")))
	_, next := friends{s, id}.again(1)
	if next.Phase != table.Playing || len(next.Chairs) != 4 || next.Persons() != 1 {
		t.Errorf("phase %d with %d seats", next.Phase, len(next.Chairs))
	}
}

// TestChainHasAHead: "Again" under an old table costs the same however many tables came after it, and leads to the
// newest.
func TestChainHasAHead(t *testing.T) {
	costs := map[int]bottest.Counted{}
	for _, length := range []int{20, 200} {
		h := bottest.NewCounted(t)
		first := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
		again := table.Token{Table: first, Do: "!again"}.String()
		for range length {
			h.PlayOne(1, 1, chat.Press, again)
		}
		costs[length] = h.Costs(func() { h.Must(1, 1, chat.Press, again) })
		newest := h.Table(1).ID
		for _, id := range []table.ID{first, newest} {
			if r := h.Ask(1, 2, chat.Press, table.Token{Table: id, Do: "!again"}.String()); id == first && (r.Alert || r.Posts[0].Table != newest.String()) {
				t.Errorf("somebody else is answered %+v", r)
			}
		}
	}
	if costs[200].Above(costs[20]) {
		t.Errorf("after 20 tables it costs %+v, after 200 %+v", costs[20], costs[200])
	}
}

// TestChainIsLetGoOf: a chain is let go of when its newest table has left or vanished. The table that follows then has a name that none
// had, whoever asks first, and the others are called to it and come to it.
func TestChainIsLetGoOf(t *testing.T) {
	h := bottest.NewHall(t)
	h.Keep = 48 * time.Hour
	h.Restart()
	first := h.PlayZevaka(1, 1, 2)
	h.ShowLast(first)
	sweep := func(after time.Duration) {
		t.Helper()
		h.Wall += after
		if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	chained := func(prefixes ...string) (keys []string) {
		for key := range h.Everything() {
			if slices.Contains(prefixes, key[:2]) {
				keys = append(keys, key)
			}
		}
		return keys
	}
	again := table.Token{Table: first, Do: play.DoAgain}.String()
	names := map[string]bool{first.Name: true}
	for n := range 3 {
		h.Running += table.KeepSeats
		request := h.Request(1, 1, chat.Press, again)
		r := bottest.Seen(t.Context(), h.Bot, request)
		next := h.Table(1)
		if r.Alert || names[next.ID.Name] || len(next.Kept) != 1 {
			t.Errorf("after %d that vanished: %q, %s again, and %d seats are kept", n, r.Toast, next.ID.Name, len(next.Kept))
		}
		names[next.ID.Name] = true
		if r := bottest.Seen(t.Context(), h.Bot, request); r.Opened != next.ID.String() || len(h.OpenTables(1)) != 1 {
			t.Errorf("the press delivered again leads to %q", r.Opened)
		}
		if r := h.Must(1, 3, chat.Press, again); r.Opened != next.ID.String() || len(h.Look(next.ID).Chairs) != 2 {
			t.Errorf("somebody else is led to %q, not %s", r.Opened, next.ID)
		}
		h.Surely(1, 1, chat.Press, table.Token{Table: next.ID, Do: "!stop"}.String())
		h.ShowLast(next.ID)
		if r := bottest.Seen(t.Context(), h.Bot, request); !r.Alert || len(h.OpenTables(1)) != 0 {
			t.Errorf("the press delivered once more, when the table has vanished, opens %q", r.Opened)
		}
		sweep(time.Hour)
		if left := chained(keyspace.Chains); len(left) > 0 {
			t.Fatalf("%q have stayed", left)
		}
	}
	sweep(49 * time.Hour)
	if left := chained(keyspace.Chains, keyspace.EndedTables); len(left) > 0 {
		t.Errorf("%q have stayed", left)
	}
}

// betweenLooks is a store in which something else is done, once, when somebody has looked which table is the newest of a chain, and
// whether it is open.
type betweenLooks struct {
	storage.Store
	do    func()
	views int
}

// Get implements storage.Store.
func (s *betweenLooks) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if strings.HasPrefix(keys[0], keyspace.Chains) {
		s.views = 0
	}
	return s.Store.Get(ctx, keys...)
}

// View implements storage.Store.
func (s *betweenLooks) View(ctx context.Context, fn func(storage.Reader) error) error {
	if s.views++; s.views == 2 && s.do != nil {
		do := s.do
		s.do = nil
		do()
	}
	return s.Store.View(ctx, fn)
}

// TestAgainMeanwhile: two who ask for another game at the same moment come to one table, and who was on the way to one that vanishes just
// then comes to another.
func TestAgainMeanwhile(t *testing.T) {
	h := bottest.NewHall(t)
	s := &betweenLooks{Store: h.Store}
	h.Store = s
	h.Restart()
	again := table.Token{Table: h.PlayZevaka(1, 1, 2), Do: play.DoAgain}.String()
	stop := func() {
		id := h.Table(1).ID
		h.Sure(1, bottest.Warden, chat.Press, table.Token{Table: id, Do: "!stop"}.String())
		h.ShowLast(id)
	}
	for range 2 {
		var other string
		s.do = func() { other = h.Must(1, 2, chat.Press, again).Opened }
		one := h.Must(1, 1, chat.Press, again).Opened
		if next := h.Table(1); other == "" || one != other || one != next.ID.String() || len(next.Chairs) != 2 || len(h.OpenTables(1)) != 1 {
			t.Errorf("they come to %q and %q, and %d tables are open", one, other, len(h.OpenTables(1)))
		}
		s.do = stop
		if after := h.Must(1, 1, chat.Press, again).Opened; s.do != nil || after == one || after != h.Table(1).ID.String() {
			t.Errorf("when %q has vanished they come to %q", one, after)
		}
		stop()
	}
}
