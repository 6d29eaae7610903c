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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

var kills = flag.Int("kills", 5, "how often TestKill kills the process")

// killTables is how many tables are played at once while the process is killed.
const killTables = 64

// TestKill plays at many tables in a process that is killed at random moments, and started again. A press that was
// answered must be in the log of its table, once; one that was not answered is sent again, as a platform does, and
// must be there once after that.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kill.db")
	openKillTables(t, path)
	seed := uint64(time.Now().UnixNano())
	t.Logf("random moments from seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	want := make([][]string, killTables)
	unanswered := make([]string, killTables)
	answered := 0
	// A machine that is busy with other things may make a process be killed before it has answered anybody.
	for round := 0; round < *kills || answered < *kills && round < 10**kills; round++ {
		sent, done := playAndKill(t, path, unanswered, time.Duration(20+chance.IntN(200))*time.Millisecond)
		for i := range killTables {
			want[i] = append(want[i], done[i]...)
			answered += len(done[i])
			unanswered[i] = sent[i]
		}
		for i, got := range logsOf(t, path) {
			// The press in flight may have been made.
			if len(got) == len(want[i])+1 && unanswered[i] != "" && strings.HasSuffix(unanswered[i], "|"+got[len(got)-1]) {
				got = got[:len(got)-1]
			}
			if !slices.Equal(got, want[i]) {
				t.Fatalf("round %d, table %d: %d moves are stored and %d were answered\n%v\n%v", round, i, len(got), len(want[i]), got, want[i])
			}
		}
	}
	if answered < *kills {
		t.Fatalf("only %d presses were answered: this was no load", answered)
	}
	t.Logf("%d kills, %d presses answered, none lost, none doubled", *kills, answered)
}

func killUser(seat engine.Seat) chat.User {
	return chat.User{ID: int64(seat) + 1, Name: "Player", Lang: "en"}
}

func killPlace(i int) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Web, ID: int64(i + 1)}, Channel: 1}
}

// killBot is a bot for which a second goes by with each look at the clock, so that no press is a double tap.
func killBot(path string) (*Bot, *bolt.Store, error) {
	store, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	b, err := New(context.Background(), Options{
		Store: store, Games: games.All(), Running: func() time.Duration { return time.Since(start) * 10_000 },
	})
	return b, store, err
}

// openKillTables deals at every table, with the users in the order of the seats.
func openKillTables(t *testing.T, path string) {
	t.Helper()
	b, store, err := killBot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i := range killTables {
		id := table.ID{Community: killPlace(i).Community, Name: table.NameFor(fmt.Sprint("open ", i))}
		ask := func(kind chat.Kind, name string, who chat.User, data string) {
			r := b.seen(context.Background(), chat.Request{ID: fmt.Sprint(name, " ", i), Kind: kind, Who: who, In: killPlace(i), Data: data})
			if r.Alert {
				t.Fatal(r.Toast)
			}
		}
		ask(chat.Command, "open", killUser(0), "/zevaka 52 open=off limit=none")
		ask(chat.Press, "join", killUser(1), table.Token{Table: id, Do: "!join"}.String())
		ask(chat.Press, "deal", killUser(0), table.Token{Table: id, Do: "!deal"}.String())
		tables, err := b.tables.Look(context.Background(), killPlace(i))
		if err != nil {
			t.Fatal(err)
		}
		ask(chat.Press, "cut", chat.User{ID: tables[0].Chairs[tables[0].Cutter].User}, table.Token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	}
}

// killTable reads the i-th table, in its deal or ended.
func killTable(b *Bot, i int) (*table.Table, error) {
	id := table.ID{Community: killPlace(i).Community, Name: table.NameFor(fmt.Sprint("open ", i))}
	items, err := b.store.Get(context.Background(), table.KeyOpen(id), table.KeyEnded(id))
	if err != nil {
		return nil, err
	}
	return table.Decode(id, append(items[0].Value, items[1].Value...))
}

// playAndKill runs a process that plays, and kills it. It returns, for each table, the press that was not answered,
// if there is one, and the moves of those that were.
func playAndKill(t *testing.T, path string, unanswered []string, after time.Duration) (sent []string, done [][]string) {
	t.Helper()
	sent, done = slices.Clone(unanswered), make([][]string, killTables)
	victim{"TestKillChild", path, unanswered}.kill(t, 1, after, func(i int, word, rest string) {
		switch word {
		case "send":
			sent[i] = rest
		case "done":
			_, move, _ := strings.Cut(sent[i], "|")
			done[i], sent[i] = append(done[i], move), ""
		default:
			t.Fatalf("the process says %q", word)
		}
	})
	return sent, done
}

// victim is a process that is to be killed: the test that it runs, its database, and the presses that those before it were not
// answered.
type victim struct {
	test, path string
	unanswered []string
}

// The variables by which a victim is told what it is.
const (
	victimPath       = "ZEVAKA_TEST_KILL"
	victimUnanswered = "ZEVAKA_TEST_UNANSWERED"
)

// kill runs the process until some time has passed after so many of its lines. Heard gets all of them: who of those who play
// says it, its first word, and the rest.
func (v victim) kill(t *testing.T, lines int, after time.Duration, heard func(i int, word, rest string)) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+v.test+"$")
	child.Env = append(os.Environ(), victimPath+"="+v.path, victimUnanswered+"="+strings.Join(v.unanswered, "\n"))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	killed := make(chan struct{})
	for said := bufio.NewScanner(out); said.Scan(); {
		word, rest, _ := strings.Cut(said.Text(), " ")
		number, rest, _ := strings.Cut(rest, " ")
		i, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("the process says %q", said.Text())
		}
		heard(i, word, rest)
		if lines--; lines == 0 {
			go func() { time.Sleep(after); _ = child.Process.Signal(syscall.SIGKILL); close(killed) }()
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended by itself: %v", err)
	}
	<-killed
}

// liveAsVictim lets so many play, each of them first with the press that was not answered, until the process is killed. In a
// process that isn't to be killed it does nothing.
func liveAsVictim(t *testing.T, many int, play func(b *Bot, i int, press string) error) {
	t.Helper()
	path := os.Getenv(victimPath)
	if path == "" {
		return
	}
	b, _, err := killBot(path)
	if err != nil {
		t.Fatal(err)
	}
	unanswered := strings.Split(os.Getenv(victimUnanswered), "\n")
	var players errgroup.Group
	for i := range many {
		players.Go(func() error { return play(b, i, unanswered[i]) })
	}
	fmt.Fprintln(os.Stderr, "nobody is left who plays:", players.Wait())
	os.Exit(1)
}

// logsOf reads the moves stored at every table.
func logsOf(t *testing.T, path string) [][]string {
	t.Helper()
	b, store, err := killBot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	logs := make([][]string, killTables)
	for i := range logs {
		played, err := killTable(b, i)
		if err != nil {
			t.Fatal(err)
		}
		if logs[i], err = table.ReadLog(context.Background(), b.store, played); err != nil {
			t.Fatal(err)
		}
	}
	return logs
}

// TestKillChild is the process that TestKill kills.
func TestKillChild(t *testing.T) {
	liveAsVictim(t, killTables, func(b *Bot, i int, press string) error { return playForEver(b, i, press, os.Stdout) })
}

// playForEver sends the press that was not answered again, and then presses on. A press is "ID token|move".
func playForEver(b *Bot, i int, press string, out io.Writer) error {
	for n := 0; ; n++ {
		played, err := killTable(b, i)
		if err != nil {
			return err
		}
		rules := games.All()[0]
		state, err := table.Replay(context.Background(), b.store, rules, played)
		if err != nil {
			return err
		}
		seat := engine.Nobody
		if turn := state.Turn(); len(turn) > 0 {
			seat = turn[0]
		}
		if seat == engine.Nobody && press == "" {
			return nil
		}
		if press == "" {
			step := engine.Step{Seat: seat, Move: restlessMove(rules, state, seat, n)}
			tok := table.Token{Table: played.ID, Epoch: played.Epoch(state), Do: rules.Text(step.Move)}
			press = fmt.Sprintf("%d-%d-%d %s|%s", os.Getpid(), i, n, tok, engine.StepText(rules, step))
		}
		fmt.Fprintf(out, "send %d %s\n", i, press)
		id, rest, _ := strings.Cut(press, " ")
		data, move, _ := strings.Cut(rest, "|")
		seat = engine.Seat(move[0] - '0')
		r := b.seen(context.Background(), chat.Request{
			ID: id, Kind: chat.Press, Who: chat.User{ID: played.Chairs[seat].User}, In: killPlace(i), Data: data,
		})
		if r.Alert {
			return fmt.Errorf("table %d refused %s: %s", i, press, r.Toast)
		}
		fmt.Fprintf(out, "done %d\n", i)
		press = ""
	}
}

// restlessMove makes a deal long: it flips and keeps, and only now and then puts a card into the centre.
func restlessMove(rules engine.Rules, state engine.State, seat engine.Seat, n int) engine.Move {
	moves := state.Moves(seat, nil)
	for _, m := range moves {
		if text := rules.Text(m); text == "flip" || text == "keep" || text == "centre" && n%2 == 0 {
			return m
		}
	}
	return moves[0]
}
