package bot

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/bankstate"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/banchok"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

var bankKills = flag.Int("bank-kills", 3, "how often TestBankKill kills the process")

const (
	// killPeople play at killHalls tables of one community while the process is killed, five at a table.
	killPeople, killHalls, killSeats = 20, 6, 5
)

// TestBankKill lets twenty people of one community stake the same purses at several tables at once, every press being
// delivered twice, in a process that is killed at random moments and started again. Every stake that was answered must
// stand in the log of its table once, and in the ledger once; no chip may be lost or made, no table stand still.
func TestBankKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bank.db")
	seed := uint64(time.Now().UnixNano())
	t.Logf("random moments from seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	k := &bankKill{t: t, path: path, answered: map[stakeOf]int{}, unanswered: make([]string, killPeople)}
	for round := range *bankKills {
		k.playAndKill(1+chance.IntN(80), time.Duration(chance.IntN(20_000))*time.Microsecond)
		k.compare(round)
		if round%20 == 19 || round == *bankKills-1 {
			k.audit()
		}
	}
	if k.total < *bankKills {
		t.Fatalf("only %d stakes were answered: this was no load", k.total)
	}
	k.goOn()
	t.Logf("%d kills, %d stakes answered, none lost, none doubled", *bankKills, k.total)
}

// bankKill is what the test knows of the presses that its processes made.
type bankKill struct {
	t    *testing.T
	path string
	// answered counts the stakes that were accepted; unanswered is the press in flight of each person, "ID token".
	answered   map[stakeOf]int
	unanswered []string
	total      int
}

// stakeOf is whose stake it is, at which table and how much.
type stakeOf struct{ table, move string }

// playAndKill lets a process say so many lines, and kills it when that time has passed after the last of them.
func (k *bankKill) playAndKill(lines int, after time.Duration) {
	k.t.Helper()
	victim{"TestBankKillChild", k.path, k.unanswered}.kill(k.t, lines, after, func(person int, word, rest string) {
		switch word {
		case "send":
			k.unanswered[person] = rest
		case "done", "refused":
			if word == "done" {
				k.answered[k.stake(person, k.unanswered[person])]++
				k.total++
			}
			k.unanswered[person] = ""
		}
	})
}

// stake is what a person's press was to do at which table.
func (k *bankKill) stake(person int, press string) stakeOf {
	k.t.Helper()
	_, data, _ := strings.Cut(press, " ")
	tok, err := table.ParseToken(data)
	if err != nil {
		k.t.Fatalf("press %q: %v", press, err)
	}
	return stakeOf{tok.Table.String(), fmt.Sprint(person+1, " ", tok.Do)}
}

// compare wants the stakes in the logs to be those that were answered, and at most that in flight beside them.
func (k *bankKill) compare(round int) {
	k.t.Helper()
	flying := map[stakeOf]int{}
	for person, press := range k.unanswered {
		if press != "" {
			flying[k.stake(person, press)]++
		}
	}
	store, b := k.open()
	defer store.Close()
	made := map[stakeOf]int{}
	err := upkeep.NewArchive(store, games.All()).Each(k.t.Context(), func(_ string, t *table.Table, _ engine.Rules) error {
		moves, err := table.ReadLog(k.t.Context(), b.store, t)
		if err != nil {
			return err
		}
		for _, text := range moves {
			number, move, _ := strings.Cut(text, " ")
			if !strings.HasPrefix(move, "stake") && !strings.HasPrefix(move, "side") {
				continue
			}
			seat, err := strconv.Atoi(number)
			if err != nil {
				return err
			}
			made[stakeOf{t.ID.String(), fmt.Sprint(t.Chairs[seat].User, " ", move)}]++
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
	for s, n := range made {
		if n < k.answered[s] || n > k.answered[s]+flying[s] {
			k.t.Errorf("round %d: %v stands %d times in the log, was answered %d times and is in flight %d times", round, s, n, k.answered[s], flying[s])
		}
	}
	for s, n := range k.answered {
		if made[s] == 0 {
			k.t.Errorf("round %d: %v was answered %d times and stands in no log", round, s, n)
		}
	}
	if k.t.Failed() {
		k.t.FailNow()
	}
}

func (k *bankKill) open() (*bolt.Store, *Bot) {
	k.t.Helper()
	b, store, err := killBot(k.path)
	if err != nil {
		k.t.Fatal(err)
	}
	return store, b
}

func (k *bankKill) audit() {
	k.t.Helper()
	store, _ := k.open()
	defer store.Close()
	if all := auditStore(k.t, store); k.t.Failed() {
		k.t.Fatalf("the audit: %+v", all)
	}
}

// goOn wants every table that is open to take a move yet, and to give everything back when it is stopped.
func (k *bankKill) goOn() {
	k.t.Helper()
	store, _ := k.open()
	overwrite(k.t, store, keyspace.RunningTime, fmt.Sprint(int64(10_000*time.Hour))) // Whatever time there was for bets is over.
	store.Close()
	store, b := k.open()
	defer store.Close()
	press := func(t *table.Table, user int64, do string, epoch int) chat.Response {
		r := b.seen(k.t.Context(), chat.Request{
			ID: fmt.Sprint("on ", t.ID, do, epoch), Kind: chat.Press, Who: chat.User{ID: user, Admin: user == 99}, In: t.Place,
			Data: table.Token{Table: t.ID, Epoch: epoch, Do: do}.String(),
		})
		if r.Alert {
			k.t.Errorf("table %s in phase %d takes no %s: %s", t.ID, t.Phase, do, r.Toast)
		}
		return r
	}
	for channel := range killHalls {
		for _, t := range must(b.tables.Look(k.t.Context(), bankKillPlace(channel))) {
			if t.Phase == table.Playing {
				rules := b.games[t.Game]
				state := must(table.Replay(k.t.Context(), b.store, rules, t))
				turn := state.Turn()[0]
				press(t, t.Chairs[turn].User, rules.Text(state.Idle(turn)), t.Epoch(state))
			}
		}
		b.seen(k.t.Context(), chat.Request{ID: fmt.Sprint("gone ", channel), Kind: chat.Gone, In: bankKillPlace(channel)})
	}
	if all := auditStore(k.t, store); all.Laid != 0 || all.Tables == 0 {
		k.t.Errorf("the audit: %+v", all)
	}
}

func bankKillPlace(channel int) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Web, ID: 7}, Channel: int64(channel + 1)}
}

// TestBankKillChild is the process that TestBankKill kills.
func TestBankKillChild(t *testing.T) {
	liveAsVictim(t, killPeople, func(b *Bot, i int, press string) error {
		p := &gambler{bot: b, number: i, out: os.Stdout, chance: rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(i)))}
		return p.play(press)
	})
}

// gambler is one person who plays at all tables at once.
type gambler struct {
	bot    *Bot
	number int
	out    io.Writer
	chance *rand.Rand
	asked  int
}

func (g *gambler) user() chat.User {
	return chat.User{ID: int64(g.number + 1), Name: fmt.Sprint("P", g.number+1), Lang: "en"}
}

// play sends the press that was not answered again, and then goes from table to table.
func (g *gambler) play(press string) error {
	if press != "" {
		fmt.Fprintf(g.out, "send %d %s\n", g.number, press)
		id, data, _ := strings.Cut(press, " ")
		if err := g.stake(id, data); err != nil {
			return err
		}
	}
	for {
		in := bankKillPlace(g.chance.IntN(killHalls))
		tables, err := g.bot.tables.Look(context.Background(), in)
		if err != nil {
			return err
		}
		if len(tables) == 0 {
			sides := []string{"off", "on"}[g.chance.IntN(2)]
			g.ask(in, chat.Command, fmt.Sprintf("/banchok bank=100 side=%s limit=none", sides))
			continue
		}
		if err := g.visit(in, tables[len(tables)-1]); err != nil {
			return err
		}
	}
}

// visit does what there is to do at a table.
func (g *gambler) visit(in chat.Place, t *table.Table) error {
	press := func(epoch int, do string) bool {
		return !g.ask(in, chat.Press, table.Token{Table: t.ID, Epoch: epoch, Do: do}.String()).Alert
	}
	seat, seated := t.SeatOf(g.user().ID)
	switch {
	case t.Phase == table.Lobby && !seated && len(t.Chairs) < killSeats:
		press(0, "!join")
	case t.Phase == table.Lobby && t.Host == g.user().ID && len(t.Chairs) >= killSeats:
		if !press(0, "!deal") {
			// Somebody can't lay out a bank.
			if answer := answerIn(g.ask(in, chat.Press, table.Token{Table: t.ID, Do: "!stop"}.String())); answer != "" {
				g.ask(in, chat.Press, answer)
			}
		}
	case t.Phase == table.Cutting && seated && int(seat) == t.Cutter:
		press(1, "!cut 5")
	case t.Phase == table.Playing && seated:
		state, err := table.Replay(context.Background(), g.bot.store, g.bot.games[t.Game], t)
		if err != nil {
			return err
		}
		return g.move(in, t, state, seat)
	case g.chance.IntN(200) == 0:
		g.ask(in, chat.Command, "/daily")
	default:
		time.Sleep(time.Millisecond) // Others have to do something first.
	}
	return nil
}

// move stakes, bets along or opens, whatever there is to do, and now and then opens too early.
func (g *gambler) move(in chat.Place, t *table.Table, state engine.State, seat engine.Seat) error {
	rules, do := g.bot.games[t.Game], ""
	chips := state.View(engine.Nobody).Chips
	verb := bankstate.BetVerb(rules.Info(), state, seat)
	switch turn := state.Turn(); {
	case verb == banchok.Side && g.chance.IntN(3) > 0:
		g.ask(in, chat.Press, table.Token{Table: t.ID, Epoch: t.Epoch(state), Do: "!pass"}.String())
		return nil
	case verb != 0:
		do = rules.Text(engine.Move{Verb: verb, N: int32(1 + g.chance.Int64N(chips.Bank))})
	case len(turn) > 0 && seat == 0 && (turn[0] == 0 || g.chance.IntN(50) == 0):
		asked := g.ask(in, chat.Press, table.Token{Table: t.ID, Epoch: t.Epoch(state), Do: "open"}.String())
		if answer := answerIn(asked); answer != "" {
			g.ask(in, chat.Press, answer)
		}
		return nil
	default:
		time.Sleep(time.Millisecond)
		return nil
	}
	g.asked++
	id := fmt.Sprintf("stake-%d-%d-%d", os.Getpid(), g.number, g.asked)
	data := table.Token{Table: t.ID, Epoch: t.Epoch(state), Do: do}.String()
	fmt.Fprintf(g.out, "send %d %s %s\n", g.number, id, data)
	return g.stake(id, data)
}

// stake makes a press that must not be lost.
func (g *gambler) stake(id, data string) error {
	tok, err := table.ParseToken(data)
	if err != nil {
		return err
	}
	in := chat.Place{Community: tok.Table.Community, Channel: 1, Private: true}
	answer := g.twice(chat.Request{ID: id, Kind: chat.Press, Who: g.user(), In: in, Data: data})
	switch {
	case answer.Toast == g.bot.words.Lang("en").Say("broken"):
		return fmt.Errorf("%s broke", data)
	case answer.Alert:
		fmt.Fprintf(g.out, "refused %d\n", g.number)
	default:
		fmt.Fprintf(g.out, "done %d\n", g.number)
	}
	return nil
}

// ask asks for what doesn't matter if it is lost.
func (g *gambler) ask(in chat.Place, kind chat.Kind, data string) chat.Response {
	g.asked++
	return g.twice(chat.Request{ID: fmt.Sprintf("ask-%d-%d-%d", os.Getpid(), g.number, g.asked), Kind: kind, Who: g.user(), In: in, Data: data})
}

// twice delivers a request twice at once, and returns the answer to one of them that was not refused, if any was not.
func (g *gambler) twice(r chat.Request) chat.Response {
	var answers [2]chat.Response
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() { answers[i] = g.bot.seen(context.Background(), r) })
	}
	both.Wait()
	if answers[0].Alert {
		return answers[1]
	}
	return answers[0]
}
