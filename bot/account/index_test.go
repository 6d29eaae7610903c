package account_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// indexKeys are the prefixes of all that people and names are found by.
func indexKeys() []string {
	return []string{keyspace.OpenParts, keyspace.EndedParts, keyspace.Played, "u/", "v/", keyspace.IndexState}
}

// before makes the hall's store one from before anything could be found by people and names.
func before(h *bottest.Hall) {
	h.T.Helper()
	for key := range h.Everything() {
		for _, prefix := range indexKeys() {
			if strings.HasPrefix(key, prefix) {
				h.Delete(key)
			}
		}
	}
}

// earlier makes the hall's store one in which an earlier program has written that didn't keep what people and names are found by:
// something is missing, and something is there of what isn't any more.
func earlier(h *bottest.Hall) {
	h.T.Helper()
	all := h.Everything()
	for _, prefix := range indexKeys() {
		h.Delete(first(all, prefix))
	}
	for key, value := range map[string]string{
		keyspace.OpenParts + "t-25/2d/gone": "", keyspace.EndedParts + "t-25/2d/old": "", keyspace.Played + "t-25/x/0/gone": "",
		"u/t-25/zzz": "Forgotten", "v/t-25/0123456789abcdef/zzz": "", "v/t-25/0123456789abcdef/1": "",
		keyspace.IndexState: `{"done":true,"listed":true}`,
	} {
		h.Write(key, []byte(value))
	}
}

// TestIndexOfBefore: a database from before people and names could be looked up has the same of it when it has been gone
// through, also when that was broken off after any transaction; an audit finds nothing. So has one into which an earlier program
// has written since.
func TestIndexOfBefore(t *testing.T) {
	h := lived(t)
	want := h.Everything()
	for stops := 1; ; stops++ {
		if stops%2 == 0 {
			earlier(h)
		} else {
			before(h)
		}
		store := h.Store
		broken := 0
		for n := 0; ; n++ {
			h.Store = &stores.Mortal{Store: store, Left: stops}
			bot, err := bot.New(t.Context(), bot.Options{Store: h.Store, Games: games.All()})
			if err == nil {
				h.Bot = bot
				break
			}
			if broken++; n > 1000 {
				t.Fatal("it comes to no end")
			}
		}
		h.Store = store
		got := h.Everything()
		for key, value := range want {
			if key != keyspace.IndexState && got[key] != value {
				t.Errorf("%d transactions at a time: %s is %q, and was %q", stops, key, got[key], value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d things are stored, and were %d", len(got), len(want))
		}
		h.Audit()
		if broken == 0 {
			break
		}
	}
}

// TestIndexingTakesItsTime: a large database is gone through while others play. Until then questions for which all must be
// known are refused in words, and afterwards answered.
func TestIndexingTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 105 * 50 // A start goes through less.
		h := bottest.NewHall(t)
		bottest.Crowd(t, h.Store, h.Place(1).Community, many, 10)
		before(h)
		h.Restart()
		h.Must(1, 1, chat.Command, "/zevaka")
		questions := []string{"/mydata", "/balance N 7", "/give N 7 5", "/scores N 7"}
		for _, line := range questions {
			if r := h.Ask(1, 1, chat.Command, line); !h.Is(r, table.ErrNotReady) {
				t.Errorf("%s is answered %+v", line, r)
			}
		}
		h.RunTasksUntil(func() bool { return !h.Is(h.Ask(1, 1, chat.Command, questions[0]), table.ErrNotReady) })
		for _, line := range questions {
			h.Must(1, 1, chat.Command, line)
		}
	})
}

// TestForgetMeanwhile: a name that is noted again while tables are still gone through goes, too.
func TestForgetMeanwhile(t *testing.T) {
	s := &bottest.Meanwhile{Store: mem.New(), Key: keyspace.EndedTables}
	h := &bottest.Hall{T: t, Store: s}
	h.Restart()
	h.Must(1, 1, chat.Command, "/patience zaba")
	id := h.Table(1).ID
	h.Move(1, 1, "draw")
	h.Sure(1, 1, chat.Command, "/giveup")
	h.ShowLast(id)
	forget := h.Answer(1, 1, chat.Command, "/forgetme")
	s.Do = func() { h.Must(2, 1, chat.Command, "/balance") }
	h.Must(1, 1, chat.Press, forget)
	if s.Do != nil {
		t.Fatal("nothing was done meanwhile")
	}
	for _, item := range stores.Items(t, s, "") {
		if strings.HasPrefix(item.Key, keyspace.Names) || strings.HasPrefix(item.Key, keyspace.Accounts) && strings.Contains(string(item.Value), `"P1"`) {
			t.Errorf("left: %s is %s", item.Key, item.Value)
		}
	}
}

// TestForgetInShort: somebody with thousands of tables is forgotten by a press that reads no more than for some; the rest
// is done when nobody waits, and none of it stays.
func TestForgetInShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		costs := map[int]bottest.Counted{}
		for _, n := range []int{60, 300} {
			h := bottest.NewCounted(t)
			bottest.Crowd(t, h.Store, h.Place(1).Community, n, n)
			h.Must(1, 1, chat.Command, "/balance")
			forget := h.Answer(1, 1, chat.Command, "/forgetme")
			costs[n] = h.Costs(func() {
				if r := h.Must(1, 1, chat.Press, forget); r.Toast != h.Bot.Words().Lang("en").Say("forgotten-soon") {
					t.Errorf("the answer is %+v", r)
				}
			})
			for key, value := range h.Everything() {
				if strings.HasPrefix(key, keyspace.Accounts) && strings.Contains(value, `"P1"`) {
					t.Errorf("lists still name them: %s is %s", key, value)
				}
			}
			if r := h.Ask(2, 1, chat.Command, "/zevaka"); !h.Is(r, table.ErrForgetting) {
				t.Errorf("they sit down: %+v", r)
			}
			h.RunTasks(table.KeyForgetting(h.Place(1).Community.String(), 1), false)
			for key, value := range h.Everything() {
				if strings.HasPrefix(key, keyspace.Forgetting) || strings.HasPrefix(key, keyspace.EndedTables) && strings.Contains(value, "P1") {
					t.Fatalf("%s is %s", key, value)
				}
			}
			if _, err := upkeep.NewArchive(h.Store, games.All()).Audit(t.Context(), func(p purse.Problem) { t.Error(p) }); err != nil {
				t.Fatal(err)
			}
		}
		if costs[300].Above(costs[60]) {
			t.Errorf("with 60 tables it costs %+v, with 300 %+v", costs[60], costs[300])
		}
	})
}

// TestTopWithoutAList: where nobody knows who is rich, a press reads no purses to find out: it is found out when nobody
// waits.
func TestTopWithoutAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 2 * 500 // A press looks into half of them at most.
		h := bottest.NewCounted(t)
		bottest.Crowd(t, h.Store, h.Place(1).Community, many, many)
		rich := "t/" + h.Place(1).Community.String() + "/rich"
		h.Delete(rich)
		cost := h.Costs(func() {
			if r := h.Ask(1, 1, chat.Command, "/top"); !h.Is(r, table.ErrNotReady) {
				t.Errorf("the answer is %+v", r)
			}
		})
		if cost.Keys > many {
			t.Errorf("it costs %+v", cost)
		}
		h.RunTasks(rich, true)
		if r := h.Must(1, 1, chat.Command, "/top"); !strings.Contains(bottest.FlatOf(r), "10. ") {
			t.Errorf("the answer is %+v", r)
		}
	})
}

// TestLookedUpWhole: the audit tells who can't be found at a table, and who is found where they aren't.
func TestLookedUpWhole(t *testing.T) {
	for what, spoil := range map[string]func(h *bottest.Hall, keys map[string]string){
		"a part is missing": func(h *bottest.Hall, keys map[string]string) { h.Delete(first(keys, keyspace.EndedParts)) },
		"an open one is":    func(h *bottest.Hall, keys map[string]string) { h.Delete(first(keys, keyspace.OpenParts)) },
		"a part in no table": func(h *bottest.Hall, _ map[string]string) {
			h.Write(table.KeyPart(keyspace.EndedParts, "t-25", 1, "0/zzzzzzx/abc"), []byte{})
		},
		"of another's": func(h *bottest.Hall, keys map[string]string) {
			h.Write(table.KeyPart(keyspace.OpenParts, "t-25", 77, h.Table(4).ID.Name), []byte{})
		},
		"under another name":  func(h *bottest.Hall, keys map[string]string) { h.Write(first(keys, keyspace.EndedParts), []byte("t1")) },
		"a game isn't listed": func(h *bottest.Hall, keys map[string]string) { h.Delete(first(keys, keyspace.Played)) },
		"one is that isn't there": func(h *bottest.Hall, keys map[string]string) {
			h.Write(first(keys, keyspace.Played)+"x", []byte{})
		},
		"a name is not found": func(h *bottest.Hall, keys map[string]string) { h.Delete(first(keys, "v/")) },
	} {
		h := bottest.Street(t)
		h.PlayOne(6, 1, chat.Command, "/tecza deal=7")
		spoil(h, h.Everything())
		found := 0
		if _, err := upkeep.NewArchive(h.Store, games.All()).Audit(t.Context(), func(purse.Problem) { found++ }); err != nil || found == 0 {
			t.Errorf("%s: %d problems, %v", what, found, err)
		}
	}
}

// first is the first key with the prefix.
func first(keys map[string]string, prefix string) string {
	least := ""
	for key := range keys {
		if strings.HasPrefix(key, prefix) && (least == "" || key < least) {
			least = key
		}
	}
	return least
}

// TestRepairedIndex: what people and names are found by is made anew where it can't be read.
func TestRepairedIndex(t *testing.T) {
	for _, prefix := range []string{keyspace.EndedParts, keyspace.OpenParts, keyspace.Played, "v/", "u/", keyspace.Chains} {
		h := bottest.NewHall(t)
		id := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
		h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!again"}.String())
		key := first(h.Everything(), prefix)
		was := h.Everything()[key]
		h.Store = &bottest.Healing{Cracked: bottest.Crack(h.Store, key)}
		h.Restart()
		if !h.Keeper(h.Store, 0).Repaired(t.Context(), storage.Damaged{Key: key}) {
			t.Errorf("%s is not made anew", key)
		}
		if now, ok := h.Everything()[key]; prefix != "u/" && prefix != keyspace.Chains && (!ok || now != was) {
			t.Errorf("%s is %q, and was %q", key, now, was)
		}
		if prefix != "u/" {
			h.Audit()
		}
	}
}

// restless is a store in which something is done after each read.
type restless struct {
	stores.Reads
	do func()
}

func (s *restless) got(items []storage.Item, err error) ([]storage.Item, error) {
	if do := s.do; do != nil {
		s.do = nil
		do()
		s.do = do
	}
	return items, err
}

// TestTopIsOfOneMoment: while the list of the richest is read somebody comes and is given chips, and none of them is missing.
func TestTopIsOfOneMoment(t *testing.T) {
	h := bottest.NewHall(t)
	s := &restless{}
	s.Reads = stores.Reads{Store: h.Store, Got: s.got}
	h.Store = s
	h.Restart()
	for user := range int64(4) {
		h.Must(1, user+1, chat.Command, "/daily")
	}
	for user := range int64(3) { // Whoever holds only what the house gave isn't listed.
		h.Sure(1, 1, chat.Command, "/give P"+strconv.FormatInt(user+2, 10)+" 5")
	}
	sum := func() (sum int) {
		t.Helper()
		for _, line := range strings.Split(bottest.FlatOf(h.Must(1, 1, chat.Command, "/top")), "\n")[1:] {
			words := strings.Fields(line)
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return sum
	}
	want := sum()
	given := 0
	s.do = func() {
		given++
		h.Must(1, 10+int64(given), chat.Command, "/daily")
		h.Sure(1, 1, chat.Command, "/give P"+strconv.Itoa(10+given)+" 5")
	}
	if got := sum(); got != want || given == 0 {
		t.Errorf("all together hold %d after %d gifts, and held %d", got, given, want)
	}
}
