package bot_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/replay"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// action is something that people can ask for, as SECURITY.md tells it.
type action struct {
	name        string
	by          table.Role
	asks        table.Asking
	fromOutside bool
	// seat says that a table's own button does it.
	seat bool
	// token is what does it, or the line of a command.
	token func(*table.Table) string
	kind  chat.Kind
}

// actions are all of them: the actions of tables, those of places, the commands, and the moves of each game but those of
// patiences, which have the same.
func actions() []action {
	at := func(do string) func(*table.Table) string {
		return func(t *table.Table) string {
			return table.Token{Table: t.ID, Epoch: min(2, int(t.Phase)-1), Do: do}.String()
		}
	}
	var all []action
	for _, a := range play.Actions() {
		all = append(all, action{"button " + a.Name, a.Who, a.Asks, a.FromOutside, true, at("!" + a.Name + " 1"), chat.Press})
	}
	all = append(all, action{"button again", table.ByAnybody, table.Never, false, false, at(play.DoAgain), chat.Press})
	for _, do := range []string{play.DoSame, replay.Do, replay.DoFilm, replay.DoRecord} {
		all = append(all, action{"button " + do[1:], table.ByAnybody, table.Never, false, false, at(do), chat.Press})
	}
	for _, a := range bot.PlaceDeeds() {
		place := func(t *table.Table) string {
			return table.Token{Table: table.ID{Community: t.ID.Community, Name: table.NoTable}, Do: "!" + a.Name + " 1"}.String()
		}
		all = append(all, action{"button of no table " + a.Name, a.Who, a.Asks, a.FromOutside, false, place, chat.Press})
	}
	for _, v := range bot.Verbs() {
		line := func(*table.Table) string { return "/" + v.Name + " 1" }
		all = append(all, action{"/" + v.Name, v.Who, v.Asks, v.FromOutside, false, line, chat.Command})
	}
	for _, rules := range games.All() {
		info := rules.Info()
		all = append(all, action{"/" + info.Name, table.ByAnybody, table.Never, false, false, func(*table.Table) string { return "/" + info.Name }, chat.Command})
		for _, verb := range info.Verbs {
			asks, do := table.Never, verb.Name
			if verb.Final || verb.Early {
				asks = table.IfLost
			}
			switch verb.Aim {
			case engine.AimAmount:
				do += " 5"
			case engine.AimSeat:
				do += " 1"
			}
			all = append(all, action{info.Name + ": " + verb.Name, table.ByPlayer, asks, false, true, at(do), chat.Press})
		}
	}
	return all
}

// costs are what actions cost beside a press, or change for others; what isn't named changes a game's position or shows
// something.
func costs() map[string]string {
	return map[string]string{
		"join": "a seat, in a bank a purse", "leave": "the seat; a stake stays till its hand is settled", "stop": "everybody's game; a bank is played out",
		"remove": "somebody's seat", "skip": "the rest of a sleeper's turn, if two ask for it, or the only other one", "giveup": "the patience counts as lost once a move was made", "give": "chips", "forgetme": "one's name and scores",
		"bet": "chips at stake", "stake": "chips at stake", "side": "chips at stake", "show": "", "say": "nothing; others see it", "daily": "nothing; it brings chips",
		"grant": "chips of the house", "season": "whether people are told who was best in a month", "lang": "the language of the place", "set": "the settings of the place", "own": "one's own settings", "notify": "whether one is called to a new table",
		"answer": "what the question says", "here": "a table", "begin": "a table", "another": "a table", "learn": "a table", "first": "a table, or nothing", "again": "a table; the others who sat there are called, once", "same": "a table", "restart": "all moves, which are taken back", "patience": "a table", "quit": "the patience counts as lost once a move was made",
	}
}

// row is an action's line in SECURITY.md.
func (a action) row() string {
	name := a.name[strings.LastIndexAny(a.name, " /")+1:]
	cost := costs()[name]
	if a.name == "banchok: show" {
		cost = "one's cards, seen by all"
	}
	if slices.ContainsFunc(games.All(), func(r engine.Rules) bool { return a.name == "/"+r.Info().Name }) {
		cost = "a table"
	}
	by := map[table.Role]string{table.ByAnybody: "anybody in the place", table.BySitter: "who sits there", table.ByPlayer: "who has cards", table.ByCutter: "who cuts",
		table.ByHost: "the host, an admin", table.ByOwner: "the host; an admin, but not on Discord", table.ByAdmin: "an admin of all", table.ByChooser: "an admin; anybody in their private chat", table.ByFirst: "an admin; who opened the bot there as long as none is set; others for themselves", table.ByAsked: "who was asked"}[a.by]
	from := map[bool]string{false: "only who is in the place now", true: "also who has left it"}[a.fromOutside]
	asks := map[table.Asking]string{table.Never: "", table.IfLost: "if something is lost", table.Always: "always"}[a.asks]
	return strings.TrimRight(fmt.Sprintf("| `%s` | %s | %s | %s | %s |", a.name, by, from, asks, cost), " ")
}

// TestActionsPage: SECURITY.md has a line for each action, and no other; -update writes them.
func TestActionsPage(t *testing.T) {
	const file, begin, end = "../.github/SECURITY.md", "<!-- actions -->\n", "<!-- /actions -->"
	text := string(bottest.Must(os.ReadFile(file)))
	before, rest, ok := strings.Cut(text, begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no table of actions", file)
	}
	rows := "| Action | Who | From outside | Asked again | Costs |\n|---|---|---|---|---|\n"
	for _, a := range actions() {
		if a.by == 0 {
			t.Errorf("nobody may do %s", a.name)
		}
		rows += a.row() + "\n"
	}
	update := flag.Lookup("update")
	switch {
	case table == rows:
	case update != nil && update.Value.String() == "true":
		if err := os.WriteFile(file, []byte(before+begin+rows+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of actions in %s is another (rewrite with -update and read it)", file)
	}
}

// endsOwn reports whether the action ends nothing but the part of the one who asks: this alone is done from outside, and only by who
// has a part.
func (a action) endsOwn() bool {
	return slices.Contains([]string{"button leave", "button giveup", "button enough", "/leave", "/giveup"}, a.name)
}

// TestActionsFromEverywhere forges each action from everywhere: from a stranger, from a member who doesn't play, from
// somebody who has left the group, from another community, from a private chat and by a link, each with an argument and without. What the
// table of actions doesn't let somebody do changes nothing that is stored, and what has to be asked about isn't done at once.
func TestActionsFromEverywhere(t *testing.T) {
	const stranger = 8
	h := bottest.Brink(t)
	tables := []*table.Table{h.Table(1), h.Table(2), h.Table(3), h.Table(4), h.Table(5)}
	alone := func(user int64) chat.Place {
		return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user, Private: true}
	}
	out, unknown := elsewheres()[1].member, elsewheres()[2].member
	for _, a := range actions() {
		for _, one := range tables {
			in := one.Place
			mover := one.Chairs[len(one.Chairs)-1].User
			for name, try := range map[string]struct {
				who  int64
				in   chat.Place
				kind chat.Kind
				from elsewhere
				may  bool
			}{
				"a link":                   {mover, alone(mover), chat.Followed, elsewhere{member: out}, false},
				"a stranger in private":    {stranger, alone(stranger), chat.Press, elsewhere{member: out}, false},
				"another community":        {mover, chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: 1}, chat.Press, elsewhere{member: out}, false},
				"a member":                 {stranger, in, a.kind, elsewhere{member: out}, a.by == table.ByAnybody || a.by == table.ByFirst},
				"a stranger":               {stranger, in, a.kind, elsewhere{fromOutside: true, member: out}, false},
				"a stranger, live":         {stranger, in, a.kind, elsewhere{fromOutside: true, live: true, member: out}, false},
				"who has left":             {mover, in, a.kind, elsewhere{fromOutside: true, member: out}, a.endsOwn()},
				"who has left, live":       {mover, in, a.kind, elsewhere{fromOutside: true, live: true, member: out}, a.endsOwn()},
				"perhaps a member, live":   {stranger, in, a.kind, elsewhere{fromOutside: true, live: true, member: unknown}, false},
				"who has a seat, live":     {mover, in, a.kind, elsewhere{fromOutside: true, live: true, member: unknown}, a.endsOwn() || a.seat},
				"who has a seat, not live": {mover, in, a.kind, elsewhere{fromOutside: true, member: unknown}, a.endsOwn()},
			} {
				if try.kind == chat.Press && a.kind == chat.Command {
					continue
				}
				for _, data := range a.ways(one) {
					before := h.Everything()
					h.Running += 2e9
					h.Asked++
					bottest.Seen(t.Context(), h.Bot, chat.Request{
						ID: fmt.Sprint("walk ", h.Asked), Data: data, Who: bottest.User(try.who), In: try.in, Kind: try.kind,
						FromOutside: try.from.fromOutside, Live: try.from.live, Member: try.from.member,
					})
					changed := h.Changed(before)
					for _, key := range changed {
						asked := strings.HasPrefix(key, keyspace.Questions) && (try.may || !try.from.fromOutside)
						if !asked && (!try.may || a.asks == table.Always) {
							t.Errorf("%s, %s at a table in phase %d: %s changes %s", a.name, name, one.Phase, data, key)
						}
					}
					if len(changed) > 0 {
						h = restored(h, before)
					}
				}
			}
		}
	}
}

// ways are the tokens or lines that do the action at the table: with an argument and without.
func (a action) ways(t *table.Table) []string {
	with := a.token(t)
	if bare, ok := strings.CutSuffix(with, " 1"); ok {
		return []string{with, bare}
	}
	return []string{with}
}

// restored is the hall with what was stored before.
func restored(h *bottest.Hall, before map[string]string) *bottest.Hall {
	h.T.Helper()
	again := *h
	again.Store, again.Bot = mem.New(), nil
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(before)), storage.MaxKeys) {
		err := storage.Update(h.T.Context(), again.Store, func(tx storage.Tx) error {
			for _, key := range keys {
				tx.Put(key, []byte(before[key]))
			}
			return nil
		})
		if err != nil {
			h.T.Fatal(err)
		}
	}
	again.Restart()
	return &again
}
