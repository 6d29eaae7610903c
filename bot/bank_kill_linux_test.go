package bot

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/engine"
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
	child := exec.Command(os.Args[0], "-test.run=^TestBankKillChild$")
	child.Env = append(os.Environ(), "ZEVAKA_TEST_BANKKILL="+k.path, "ZEVAKA_TEST_UNANSWERED="+strings.Join(k.unanswered, "\n"))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		k.t.Fatal(err)
	}
	killed := make(chan struct{})
	for said := bufio.NewScanner(out); said.Scan(); {
		word, rest, _ := strings.Cut(said.Text(), " ")
		var person int
		number, rest, _ := strings.Cut(rest, " ")
		if _, err := fmt.Sscan(number, &person); err != nil {
			k.t.Fatalf("the process says %q", said.Text())
		}
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
		if lines--; lines == 0 {
			go func() { time.Sleep(after); _ = child.Process.Signal(syscall.SIGKILL); close(killed) }()
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		k.t.Fatalf("the process ended by itself: %v", err)
	}
	<-killed
}

// stake is what a person's press was to do at which table.
func (k *bankKill) stake(person int, press string) stakeOf {
	k.t.Helper()
	_, data, _ := strings.Cut(press, " ")
	tok, err := parseToken(data)
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
	err := NewArchive(store, games.All()).each(k.t.Context(), func(_ string, t *table, _ engine.Rules) error {
		moves, err := b.moves(k.t.Context(), t)
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
			made[stakeOf{t.id.String(), fmt.Sprint(t.Chairs[seat].User, " ", move)}]++
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
	store, b := k.open()
	defer store.Close()
	b.clock.base += 10_000 * time.Hour // Whatever time there was for bets is over.
	press := func(t *table, user int64, do string, epoch int) {
		r := b.Handle(k.t.Context(), Request{
			ID: fmt.Sprint("on ", t.id, do, epoch), Kind: Press, Who: User{ID: user, Admin: user == 99}, In: t.Place,
			Data: token{Table: t.id, Epoch: epoch, Do: do}.String(),
		})
		if r.Alert {
			k.t.Errorf("table %s in phase %d takes no %s: %s", t.id, t.Phase, do, r.Toast)
		}
	}
	for channel := range killHalls {
		for _, t := range must(b.look(k.t.Context(), bankKillPlace(channel))) {
			if t.Phase == playing {
				v := &visit{bot: b, table: t, rules: b.games[t.Game]}
				state := must(v.play(k.t.Context()))
				turn := state.Turn()[0]
				press(t, t.Chairs[turn].User, v.rules.Text(state.Idle(turn)), t.playEpoch(state))
			}
		}
		for _, t := range must(b.look(k.t.Context(), bankKillPlace(channel))) {
			press(t, 99, "!stop-now", 0)
		}
	}
	if all := auditStore(k.t, store); all.Laid != 0 || all.Tables == 0 {
		k.t.Errorf("the audit: %+v", all)
	}
}

func bankKillPlace(channel int) Place {
	return Place{Community: Community{Web, 7}, Channel: int64(channel + 1)}
}

// TestBankKillChild is the process that TestBankKill kills.
func TestBankKillChild(t *testing.T) {
	path := os.Getenv("ZEVAKA_TEST_BANKKILL")
	if path == "" {
		return
	}
	unanswered := strings.Split(os.Getenv("ZEVAKA_TEST_UNANSWERED"), "\n")
	b, _, err := killBot(path)
	if err != nil {
		t.Fatal(err)
	}
	var people errgroup.Group
	for i := range killPeople {
		p := &gambler{bot: b, number: i, out: os.Stdout, chance: rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(i)))}
		people.Go(func() error { return p.play(unanswered[i]) })
	}
	fmt.Fprintln(os.Stderr, "nobody is left to play:", people.Wait())
	os.Exit(1)
}

// gambler is one person who plays at all tables at once.
type gambler struct {
	bot    *Bot
	number int
	out    io.Writer
	chance *rand.Rand
	asked  int
}

func (g *gambler) user() User {
	return User{ID: int64(g.number + 1), Name: fmt.Sprint("P", g.number+1), Lang: "en"}
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
		tables, err := g.bot.look(context.Background(), in)
		if err != nil {
			return err
		}
		if len(tables) == 0 {
			sides := []string{"off", "on"}[g.chance.IntN(2)]
			g.ask(in, Command, fmt.Sprintf("/banchok bank=100 side=%s limit=none", sides))
			continue
		}
		if err := g.visit(in, tables[len(tables)-1]); err != nil {
			return err
		}
	}
}

// visit does what there is to do at a table.
func (g *gambler) visit(in Place, t *table) error {
	press := func(epoch int, do string) bool {
		return !g.ask(in, Press, token{Table: t.id, Epoch: epoch, Do: do}.String()).Alert
	}
	seat, seated := t.seatOf(g.user().ID)
	switch {
	case t.Phase == lobby && !seated && len(t.Chairs) < killSeats:
		press(0, "!join")
	case t.Phase == lobby && t.Host == g.user().ID && len(t.Chairs) >= killSeats:
		if !press(0, "!deal") {
			press(0, "!stop-now") // Somebody can't lay out a bank.
		}
	case t.Phase == cutting && seated && int(seat) == t.Cutter:
		press(1, "!cut 5")
	case t.Phase == playing && seated:
		v := &visit{bot: g.bot, table: t, rules: g.bot.games[t.Game]}
		state, err := v.play(context.Background())
		if err != nil {
			return err
		}
		return g.move(in, v, state, seat)
	case g.chance.IntN(200) == 0:
		g.ask(in, Command, "/daily")
	default:
		time.Sleep(time.Millisecond) // Others have to do something first.
	}
	return nil
}

// move stakes, bets along or opens, whatever there is to do, and now and then opens too early.
func (g *gambler) move(in Place, v *visit, state engine.State, seat engine.Seat) error {
	t, do := v.table, ""
	chips := state.View(engine.Nobody).Chips
	verb := v.amountVerb(state, seat)
	switch turn := state.Turn(); {
	case verb == "side" && g.chance.IntN(3) > 0:
		g.ask(in, Press, token{Table: t.id, Epoch: t.playEpoch(state), Do: "!pass"}.String())
		return nil
	case verb != "":
		do = fmt.Sprint(verb, " ", 1+g.chance.Int64N(chips.Bank))
	case len(turn) > 0 && seat == 0 && (turn[0] == 0 || g.chance.IntN(50) == 0):
		g.ask(in, Press, token{Table: t.id, Epoch: t.playEpoch(state), Do: "open"}.String())
		return nil
	default:
		time.Sleep(time.Millisecond)
		return nil
	}
	g.asked++
	id := fmt.Sprintf("stake-%d-%d-%d", os.Getpid(), g.number, g.asked)
	data := token{Table: t.id, Epoch: t.playEpoch(state), Do: do}.String()
	fmt.Fprintf(g.out, "send %d %s %s\n", g.number, id, data)
	return g.stake(id, data)
}

// stake makes a press that must not be lost.
func (g *gambler) stake(id, data string) error {
	tok, err := parseToken(data)
	if err != nil {
		return err
	}
	in := Place{Community: tok.Table.Community, Channel: 1, Private: true}
	answer := g.twice(Request{ID: id, Kind: Press, Who: g.user(), In: in, Data: data})
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
func (g *gambler) ask(in Place, kind Kind, data string) Response {
	g.asked++
	return g.twice(Request{ID: fmt.Sprintf("ask-%d-%d-%d", os.Getpid(), g.number, g.asked), Kind: kind, Who: g.user(), In: in, Data: data})
}

// twice delivers a request twice at once, and returns the answer to one of them that was not refused, if any was not.
func (g *gambler) twice(r Request) Response {
	var answers [2]Response
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() { answers[i] = g.bot.Handle(context.Background(), r) })
	}
	both.Wait()
	if answers[0].Alert {
		return answers[1]
	}
	return answers[0]
}
