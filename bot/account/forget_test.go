package account_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/account"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// somebody is the person who is to be forgotten. What is random holds no 8 and no 9, so nobody takes it for their name.
const somebody = 89

// lived is a hall in which somebody has played much: a bank, a Zevaka, patiences, a table that was stopped.
func lived(t *testing.T) *bottest.Hall {
	h := bottest.NewHall(t)
	for range 2 {
		h.Sit(1, "20 min=20 limit=none", 1, somebody, 3)
		h.Finish(1)
		for {
			h.Cut(1)
			if h.Finish(1).Next == "" {
				break
			}
		}
	}
	h.Must(2, somebody, chat.Command, "/tecza deal=7")
	h.Move(2, somebody, "draw")
	h.Sure(2, somebody, chat.Press, h.Button(2, "!giveup"))
	h.Must(3, somebody, chat.Command, "/zevaka")
	h.Must(3, somebody, chat.Press, table.Token{Table: h.Table(3).ID, Do: "!robot"}.String())
	h.Sure(3, somebody, chat.Press, table.Token{Table: h.Table(3).ID, Do: "!stop"}.String())
	h.Sit(4, "20 min=20 limit=none", 1, 3)
	h.Must(4, somebody, chat.Press, table.Token{Table: h.Table(4).ID, Do: "!join"}.String())
	h.Sure(4, bottest.Warden, chat.Press, table.Token{Table: h.Table(4).ID, Do: "!stop"}.String()) // They have waited for the next deal.
	h.Must(1, somebody, chat.Command, "/daily")
	h.Must(1, somebody, chat.Command, "/notify")
	showSome(h)
	return h
}

// showSome shows the last pictures of every other table that ended, which then lies among the ended ones.
func showSome(h *bottest.Hall) {
	h.T.Helper()
	var all []table.Stored
	for tables, err := range h.FindIndex().PartsOf(h.T.Context(), bottest.PlaceOf(1).Community.String(), somebody, "") {
		if err != nil {
			h.T.Fatal(err)
		}
		all = append(all, tables...)
	}
	for i, t := range all {
		if i%2 == 0 {
			bottest.Seen(h.T.Context(), h.Bot, chat.Request{ID: "shown " + t.Key, In: t.Place, Kind: chat.Shown, Data: t.Receipt(), On: "m"})
		}
	}
	items, err := h.Store.Scan(h.T.Context(), keyspace.EndedTables, "", 100)
	if err != nil || len(items) < 3 {
		h.T.Fatalf("%d tables lie among the ended ones, %v", len(items), err)
	}
}

// forgets wants somebody to be forgotten, for whatever reason they were not.
func forgets(h *bottest.Hall) {
	h.T.Helper()
	if r := h.Ask(1, somebody, chat.Press, forgetButton(h)); r.Alert {
		h.T.Fatalf("not forgotten: %s", r.Toast)
	}
}

func forgetButton(h *bottest.Hall) string {
	h.T.Helper()
	return h.Answer(1, somebody, chat.Command, "/forgetme")
}

// traces are the keys of all that is stored with somebody's name in it, and of their scores.
func traces(h *bottest.Hall) []string {
	h.T.Helper()
	var found []string
	for _, item := range stores.Items(h.T, h.Store, "") {
		scored := strings.HasPrefix(item.Key, "s/") && strings.HasSuffix(item.Key, "/"+strconv.FormatInt(somebody, 36))
		if scored || bytes.Contains(item.Value, []byte(bottest.User(somebody).Name)) {
			found = append(found, item.Key)
		}
	}
	return found
}

// TestForget: no name and no score of somebody is left, the chips and the others' scores are as before, and what is
// played afterwards counts from the beginning.
func TestForget(t *testing.T) {
	h := lived(t)
	before, chips := h.Audit(), h.Purse(somebody)
	if n := len(traces(h)); n < 8 {
		t.Fatalf("only %d traces to remove", n)
	}
	forgets(h)
	if left := traces(h); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if after := h.Audit(); after != before || h.Purse(somebody) != chips {
		t.Errorf("%+v and %d, before that %+v and %d", after, h.Purse(somebody), before, chips)
	}
	forgets(h) // Nothing is left to forget.
	h.Sit(1, "20 min=20 limit=none", 1, somebody)
	h.Finish(1)
	h.Cut(1)
	last := h.Finish(1)
	if n := last.Session.Person(somebody).N; n != 1 {
		t.Errorf("the first session afterwards has the number %d", n)
	}
	if n := last.Session.Person(1).N; n != 3 {
		t.Errorf("the other one's third session has the number %d", n)
	}
	h.Audit()
}

// punting seats somebody at a bank that somebody else holds.
func punting(h *bottest.Hall, options string) {
	h.T.Helper()
	for {
		t := h.Sit(1, options, 1, 2, somebody)
		if t.Chairs[0].User != somebody {
			return
		}
		h.Sure(1, 99, chat.Press, table.Token{Table: t.ID, Do: "!stop"}.String())
		h.Redraw()
	}
}

// TestForgetWhilePlaying refuses to forget somebody who has any part in a game that goes on, before it asks and afterwards.
func TestForgetWhilePlaying(t *testing.T) {
	for name, play := range map[string]func(h *bottest.Hall){
		"in a lobby":  func(h *bottest.Hall) { h.Must(1, somebody, chat.Command, "/zevaka") },
		"here":        func(h *bottest.Hall) { h.Must(2, somebody, chat.Command, "/zevaka") },
		"at the bank": func(h *bottest.Hall) { h.Sit(1, "20 min=20", 1, somebody, 3) },
		"left already": func(h *bottest.Hall) {
			punting(h, "20 min=20")
			h.Must(1, somebody, chat.Command, "/leave")
		},
		"waiting": func(h *bottest.Hall) {
			t := h.Sit(1, "20 min=20", 1, 2)
			h.Must(1, somebody, chat.Press, table.Token{Table: t.ID, Do: "!join"}.String())
		},
		"gone before this deal": func(h *bottest.Hall) {
			punting(h, "20 min=20 limit=none banks=2")
			h.Must(1, somebody, chat.Command, "/leave")
			h.Finish(1)
		},
		"with a patience": func(h *bottest.Hall) { h.Must(1, somebody, chat.Command, "/tecza") },
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			button := forgetButton(h)
			play(h)
			r := h.Ask(2, somebody, chat.Press, button)
			if where := map[bool]string{true: "in this chat", false: "elsewhere"}[name == "here"]; !h.Is(r, account.ErrPlays) || !strings.Contains(r.Toast, ", "+where+".") {
				t.Errorf("forgotten: %+v", r)
			}
			if r := h.Ask(2, somebody, chat.Command, "/forgetme"); !h.Is(r, account.ErrPlays) || bottest.AnswerIn(r) != "" {
				t.Errorf("asked: %+v", r)
			}
			h.LookedAt()
			r = h.Ask(2, somebody, chat.Command, "/forgetme")
			if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != somebody {
				t.Fatalf("they are led by %+v", r.Posts)
			}
			if led := r.Posts[0]; name == "here" {
				if shown := h.Ask(2, somebody, chat.Press, led.Buttons[0][0].Token); shown.Alert || shown.Posts[len(shown.Posts)-1].Table == "" {
					t.Errorf("a press shows %+v", shown)
				}
			} else if led.About == "" || led.Open != chat.Secret || len(led.Buttons) > 0 {
				t.Errorf("they are led elsewhere by %+v", led)
			}
			if len(traces(h)) == 0 {
				t.Error("the name is gone")
			}
			h.Must(3, somebody, chat.Command, "/zevaka") // They may still sit down.
		})
	}
}

// dying is a store that is not there any more after so many commits.
type dying struct {
	storage.Store
	left atomic.Int64
}

func newDying(s storage.Store, left int64) *dying {
	d := &dying{Store: s}
	d.left.Store(left)
	return d
}

func (d *dying) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if d.left.Add(-1) < 0 {
		return 0, storage.ErrUnavailable
	}
	return d.Store.Commit(ctx, t)
}

// TestForgetInterrupted stops the process at each step: what is stored is sound, the person can't sit down, and the next
// start goes on with it.
func TestForgetInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for step := 0; ; step++ {
			const ages = 1 << 30
			h := lived(t)
			d := newDying(h.Store, ages)
			h.Store = d
			h.Restart()
			h.Sit(4, "20 min=20 limit=none", 1, 3)
			button := forgetButton(h)
			d.left.Store(int64(step))
			r := h.Ask(1, somebody, chat.Press, button)
			if !r.Alert {
				if step < 4 {
					t.Fatalf("forgotten in %d commits", step)
				}
				return
			}
			d.left.Store(ages)
			h.Restart()
			h.Audit()
			mark, err := h.Store.Get(t.Context(), table.KeyForgetting(h.Place(1).Community.String(), somebody))
			if err != nil {
				t.Fatal(err)
			}
			begun := mark[0].Rev != 0
			if r := h.Ask(5, somebody, chat.Command, "/zevaka"); h.Is(r, table.ErrForgetting) != begun {
				t.Errorf("step %d: whoever is being forgotten sits down: %+v", step, r)
			}
			if !begun {
				continue
			}
			h.RunTasks(table.KeyForgetting(h.Place(1).Community.String(), somebody), false)
			bottest.SaveClock(t, h.Bot)
			if left := traces(h); len(left) > 0 {
				t.Errorf("step %d: left %v", step, left)
			}
			h.Audit()
			h.Must(5, somebody, chat.Command, "/zevaka")
		}
	})
}

// TestForgetFails has the store fail at each step, for longer than it is tried again: the process goes on with it by itself, in what a
// press does and in what it leaves to be done later.
func TestForgetFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, many := range []int{0, 60} {
			for step, told := 0, false; !told; step++ {
				const ages = 1 << 30
				h := lived(t)
				bottest.Crowd(t, h.Store, h.Place(1).Community, many, 0)
				d := newDying(h.Store, ages)
				h.Store = d
				h.Restart()
				user := int64(somebody)
				if many > 0 {
					user = 1 // They have been at all tables of the crowd.
				}
				forget := h.Answer(1, user, chat.Command, "/forgetme")
				ctx, stop := context.WithCancel(t.Context())
				var tasks sync.WaitGroup
				tasks.Go(func() { h.Bot.RunTasks(ctx) })
				synctest.Wait()
				d.left.Store(int64(step))
				r := h.Ask(1, user, chat.Press, forget)
				time.Sleep(90 * time.Second)
				synctest.Wait()
				told = !r.Alert && d.left.Load() >= 0
				isBegun := func() bool {
					mark, err := h.Store.Get(t.Context(), table.KeyForgetting(h.Place(1).Community.String(), user))
					if err != nil {
						t.Fatal(err)
					}
					return mark[0].Rev != 0
				}
				begun := isBegun()
				d.left.Store(ages)
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if isBegun() {
					t.Errorf("with %d tables, step %d: still being forgotten", many, step)
				}
				if begun && user == somebody && len(traces(h)) > 0 {
					t.Errorf("with %d tables, step %d: left %v", many, step, traces(h))
				}
				if r := h.Ask(5, user, chat.Command, "/zevaka"); r.Alert {
					t.Errorf("with %d tables, step %d: they can't sit down: %s", many, step, r.Toast)
				}
				stop()
				tasks.Wait()
			}
		}
	})
}

// TestForgetMoved: tables that ended before the community got another ID are found, too.
func TestForgetMoved(t *testing.T) {
	h := lived(t)
	to := chat.Community{Platform: chat.Telegram, ID: -1001}
	h.Must(1, 0, chat.Migrated, to.String())
	h.At = to
	h.Must(2, somebody, chat.Command, "/tecza deal=8")
	h.Sure(2, somebody, chat.Press, h.Button(2, "!giveup"))
	forgets(h)
	if left := traces(h); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	h.Audit()
}

// TestForgetBeforeMoved: what somebody has done under a community's new name before it was told is forgotten, too.
func TestForgetBeforeMoved(t *testing.T) {
	for _, everywhere := range []bool{false, true} {
		h := lived(t)
		from, to := bottest.PlaceOf(1).Community, chat.Community{Platform: chat.Telegram, ID: -1001234567890}
		h.At = to
		h.PlayOne(2, somebody, chat.Command, "/tecza deal=8")
		h.At = from
		h.Moved(from, to)
		h.At = to
		if len(traces(h)) == 0 {
			t.Fatal("nothing is to be forgotten")
		}
		if !everywhere {
			forgets(h)
		} else if err := h.Bot.ForgetEverywhere(t.Context(), chat.Telegram, somebody, false, func(account.Forgotten) {}); err != nil {
			t.Fatal(err)
		}
		if left := traces(h); len(left) > 0 {
			t.Errorf("everywhere %v: left is %v", everywhere, left)
		}
		h.Audit()
	}
}

// TestForgetAfterRetention: what was carried forward of tables that have left is forgotten, too.
func TestForgetAfterRetention(t *testing.T) {
	h := lived(t)
	h.Keep = time.Hour
	h.Restart()
	h.Running += 2 * time.Hour
	if swept, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil || swept.Tables < 3 {
		t.Fatalf("%+v, %v", swept, err)
	}
	if !slices.ContainsFunc(traces(h), func(key string) bool { return strings.HasPrefix(key, "r/") }) {
		t.Fatalf("nothing was carried forward: %v", traces(h))
	}
	forgets(h)
	if left := traces(h); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	h.Audit()
}

// TestForgetRace: two presses at once, and somebody who goes on to play right after the first answer, leave sound scores.
func TestForgetRace(t *testing.T) {
	for range 3 * *rounds {
		h := lived(t)
		var all sync.WaitGroup
		buttons := []string{forgetButton(h), forgetButton(h)}
		for n := range 2 {
			all.Go(func() {
				in := h.Place(int64(5 + n))
				ask := func(what string, kind chat.Kind, data string) chat.Response {
					return bottest.Seen(t.Context(), h.Bot, chat.Request{
						ID: fmt.Sprint(what, n), Kind: kind, Who: bottest.User(somebody), Data: data, In: in,
					})
				}
				ask("forget", chat.Press, buttons[n])
				r := ask("open", chat.Command, "/tecza deal=9")
				if len(r.Posts) == 0 {
					return // Still being forgotten by the other press.
				}
				ask("give up", chat.Press, h.Button(in.Channel, "!giveup"))
			})
		}
		all.Wait()
		h.Audit()
	}
}

// TestMyData: all tables that somebody has sat at are told, page by page, each once, and none to anybody else.
func TestMyData(t *testing.T) {
	h := bottest.NewHall(t)
	const patiences = 2*12 + 3
	for n := range int64(patiences) {
		h.Must(10+n, somebody, chat.Command, "/tecza deal=7")
		if n%2 == 0 {
			h.Sure(10+n, somebody, chat.Press, h.Button(10+n, "!giveup"))
		}
	}
	h.Must(1, 2, chat.Command, "/tecza deal=7")
	told, button := 0, ""
	for page := 0; ; page++ {
		r := h.Ask(1, somebody, chat.Command, "/mydata")
		if page > 0 {
			r = h.Ask(1, somebody, chat.Press, button)
		}
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != somebody {
			t.Fatalf("page %d: %+v", page, r)
		}
		told += strings.Count(words.Flat(r.Posts[0].Text), " – P89, en, 1/1")
		if strings.Contains(words.Flat(r.Posts[0].Text), "P2") {
			t.Errorf("somebody else is told: %s", words.Flat(r.Posts[0].Text))
		}
		button = ""
		for _, row := range r.Posts[0].Buttons {
			if i := slices.IndexFunc(row, func(b chat.Button) bool { return strings.Contains(b.Token, "!mydata ") }); i >= 0 {
				button = row[i].Token
			}
		}
		if len(button) > table.MaxToken {
			t.Fatalf("a token of %d bytes", len(button))
		}
		if button == "" {
			break
		}
	}
	if told != patiences {
		t.Errorf("%d tables are told, want %d", told, patiences)
	}
}

// TestForgetEverywhere: an operator forgets somebody in all communities of a platform at once, and only them; while they
// play only if the games are closed for it. No chip moves but those that go back.
func TestForgetEverywhere(t *testing.T) {
	h := lived(t)
	elsewhere := chat.Place{Community: chat.Community{Platform: h.Place(1).Community.Platform, ID: -500}, Channel: 1}
	there := func(who int64, line string) {
		t.Helper()
		h.Asked++
		r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("there ", h.Asked), Kind: chat.Command, Who: bottest.User(who), Data: line, In: elsewhere})
		if r.Alert {
			t.Fatalf("%s: %s", line, r.Toast)
		}
	}
	there(somebody, "/daily")
	there(somebody, "/tecza")
	there(1, "/daily")
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: somebody}, Channel: somebody, Private: true}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "lang", Kind: chat.Command, Who: bottest.User(somebody), Data: "/lang pl", In: private})
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "hour", Kind: chat.Command, Who: bottest.User(somebody), Data: "/day post 9", In: private})
	before := h.Audit()

	var told []account.Forgotten
	tell := func(f account.Forgotten) { told = append(told, f) }
	if err := h.Bot.ForgetEverywhere(t.Context(), elsewhere.Community.Platform, somebody, false, tell); !errors.Is(err, account.ErrStillPlays) {
		t.Errorf("while a patience goes on: %v", err)
	}
	if len(told) != 0 || len(traces(h)) < 8 {
		t.Errorf("a refusal changed something: %+v, %v", told, traces(h))
	}
	for range 2 { // The second time there is nothing left.
		if err := h.Bot.ForgetEverywhere(t.Context(), elsewhere.Community.Platform, somebody, true, tell); err != nil {
			t.Fatal(err)
		}
	}
	left := traces(h)
	for _, item := range stores.Items(t, h.Store, keyspace.DayPosts) {
		left = append(left, item.Key)
	}
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if after := h.Audit(); after.Chips != before.Chips || after.House != before.House || after.Purses != before.Purses {
		t.Errorf("%+v, before that %+v", after, before)
	}
	at := slices.IndexFunc(told, func(f account.Forgotten) bool { return f.Community == elsewhere.Community.String() })
	if len(told) < 2 || at < 0 || told[at].Stopped != 1 || told[at].Tables != 1 || !told[at].Purse {
		t.Errorf("told %+v", told)
	}
	if !slices.Contains(told, account.Forgotten{Community: private.Community.String(), Settings: true}) {
		t.Errorf("the settings of the private chat stay: %+v", told)
	}
	if p := purseIn(h, elsewhere.Community.String(), 1); p.Name != bottest.User(1).Name {
		t.Errorf("somebody else is forgotten, too: %+v", p)
	}
}

// TestForgetDamaged: whatever an operator can't read, all else of a person is forgotten, and it is named, unless nothing of it is needed; what can be made
// anew is. What is told as taken out is what went, each once.
func TestForgetDamaged(t *testing.T) {
	who := strconv.FormatInt(somebody, 36)
	for _, test := range []struct {
		key, what, left string
		scores          int
	}{
		{"o/t-25/", "named", "", 2}, {"m/", "named", "", 2}, {"a/t-25/u" + who, "named", "a/t-25/u" + who, 2}, {"a/t-25/u1", "named", "", 2},
		{"s/t-25/banchok/" + who, "made anew", "", 1}, {"s/t-25/banchok/1", "made anew", "", 2}, {"p/t-25/", "made anew", "", 2}, {"b/t-25/tecza", "made anew", "", 2},
		{"i/t-25/" + who, "not needed", "", 2}, {"j/t-25/" + who, "not needed", "", 2}, {"r/t-25/banchok/" + who, "deleted", "", 2},
	} {
		t.Run(strings.ReplaceAll(test.key, "/", "_"), func(t *testing.T) {
			h := lived(t)
			h.Must(9, 1, chat.Command, "/tecza")
			key := test.key
			switch key {
			case "o/t-25/":
				key = table.KeyOpen(h.Table(9).ID)
			case "r/t-25/banchok/" + who:
				if err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error { tx.Put(key, nil); return nil }); err != nil {
					t.Fatal(err)
				}
			case "m/":
				h.Moved(chat.Community{Platform: chat.Telegram, ID: -7}, chat.Community{Platform: chat.Telegram, ID: -8})
				key = "m/t-8"
			case "p/t-25/", "i/t-25/" + who, "j/t-25/" + who:
				key = stores.Items(t, h.Store, key)[0].Key
			}
			whole := h.Store
			s := &bottest.Healing{Cracked: bottest.Crack(whole, key)}
			h.Store = s
			h.Restart()
			told := 0
			err := h.Bot.ForgetEverywhere(t.Context(), chat.Telegram, somebody, true, func(f account.Forgotten) { told += f.Scores })
			var damaged storage.Damaged
			if named := errors.As(err, &damaged) && damaged.Key == key; named != (test.what == "named") || !named && err != nil || (s.Key == "") != slices.Contains([]string{"made anew", "deleted"}, test.what) {
				t.Errorf("%v, and %q is damaged", err, s.Key)
			}
			if told != test.scores {
				t.Errorf("scores of %d games are told, not of %d", told, test.scores)
			}
			h.Store = whole
			if begun := stores.Items(t, whole, keyspace.Forgetting); len(begun) > 0 {
				t.Errorf("it isn't ended: %v", begun)
			}
			if left := strings.Join(traces(h), " "); left != test.left {
				t.Errorf("left: %s, %v", left, err)
			}
		})
	}
}

// TestForgetDamagedLater: what can't be read when forgetting goes on after a start keeps nobody from playing either.
func TestForgetDamagedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := lived(t)
		origin := h.Place(1).Community.String()
		err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error {
			return storage.PutJSON(tx, table.KeyForgetting(origin, somebody), account.Forgetting{})
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Store = bottest.Crack(h.Store, "a/"+origin+"/u"+strconv.FormatInt(somebody, 36))
		h.Restart()
		ends := time.Now().Add(time.Hour)
		h.RunTasksUntil(func() bool { return time.Now().After(ends) })
		h.Must(5, somebody, chat.Command, "/zevaka")
	})
}

// purseIn is a purse as it is stored.
func purseIn(h *bottest.Hall, origin string, user int64) purse.Purse {
	h.T.Helper()
	named, err := storage.Read(h.T.Context(), h.Store, func(from storage.Reader) ([]purse.Purse, error) {
		return purse.Purses(from, origin, user)
	})
	if err != nil || len(named) != 1 {
		h.T.Fatalf("%+v, %v", named, err)
	}
	return named[0]
}
