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
	for round := range *kills {
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

func killUser(seat engine.Seat) User { return User{ID: int64(seat) + 1, Name: "Player", Lang: "en"} }

func killPlace(i int) Place {
	return Place{Community: Community{Web, int64(i + 1)}, Channel: 1}
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
		id := tableID{killPlace(i).Community, tableName(fmt.Sprint("open ", i))}
		ask := func(kind Kind, name string, who User, data string) {
			r := b.Handle(context.Background(), Request{ID: fmt.Sprint(name, " ", i), Kind: kind, Who: who, In: killPlace(i), Data: data})
			if r.Alert {
				t.Fatal(r.Toast)
			}
		}
		ask(Command, "open", killUser(0), "/zevaka 52 open=off limit=none")
		ask(Press, "join", killUser(1), token{Table: id, Do: "!join"}.String())
		ask(Press, "deal", killUser(0), token{Table: id, Do: "!deal"}.String())
		tables, err := b.look(context.Background(), killPlace(i))
		if err != nil {
			t.Fatal(err)
		}
		ask(Press, "cut", User{ID: tables[0].Chairs[tables[0].Cutter].User}, token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	}
}

// killTable reads the i-th table, in its deal or ended.
func killTable(b *Bot, i int) (*table, error) {
	id := tableID{killPlace(i).Community, tableName(fmt.Sprint("open ", i))}
	items, err := b.store.Get(context.Background(), keyOpen(id), keyEnded(id))
	if err != nil {
		return nil, err
	}
	return decodeTable(id, append(items[0].Value, items[1].Value...))
}

// playAndKill runs a process that plays, and kills it. It returns, for each table, the press that was not answered,
// if there is one, and the moves of those that were.
func playAndKill(t *testing.T, path string, unanswered []string, after time.Duration) (sent []string, done [][]string) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
	child.Env = append(os.Environ(), "ZEVAKA_TEST_KILL="+path, "ZEVAKA_TEST_UNANSWERED="+strings.Join(unanswered, "\n"))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	sent, done = slices.Clone(unanswered), make([][]string, killTables)
	killed := make(chan struct{})
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); {
		fields := strings.SplitN(lines.Text(), " ", 3)
		i, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatalf("the process says %q", lines.Text())
		}
		switch fields[0] {
		case "send":
			sent[i] = fields[2]
		case "done":
			_, move, _ := strings.Cut(sent[i], "|")
			done[i], sent[i] = append(done[i], move), ""
		default:
			t.Fatalf("the process says %q", lines.Text())
		}
		if first {
			first = false
			go func() { time.Sleep(after); _ = child.Process.Signal(syscall.SIGKILL); close(killed) }()
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended by itself: %v", err)
	}
	<-killed
	return sent, done
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
		table, err := killTable(b, i)
		if err != nil {
			t.Fatal(err)
		}
		if logs[i], err = b.moves(context.Background(), table); err != nil {
			t.Fatal(err)
		}
	}
	return logs
}

// TestKillChild is the process that TestKill kills.
func TestKillChild(t *testing.T) {
	path := os.Getenv("ZEVAKA_TEST_KILL")
	if path == "" {
		return
	}
	unanswered := strings.Split(os.Getenv("ZEVAKA_TEST_UNANSWERED"), "\n")
	b, _, err := killBot(path)
	if err != nil {
		t.Fatal(err)
	}
	var players errgroup.Group
	for i := range killTables {
		players.Go(func() error { return playForEver(b, i, unanswered[i], os.Stdout) })
	}
	fmt.Fprintln(os.Stderr, "no table is left to play at:", players.Wait())
	os.Exit(1)
}

// playForEver sends the press that was not answered again, and then presses on. A press is "ID token|move".
func playForEver(b *Bot, i int, press string, out io.Writer) error {
	for n := 0; ; n++ {
		table, err := killTable(b, i)
		if err != nil {
			return err
		}
		v := &visit{bot: b, table: table, rules: games.All()[0]}
		state, err := v.play(context.Background())
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
			step := engine.Step{Seat: seat, Move: restlessMove(v.rules, state, seat, n)}
			tok := token{Table: v.table.id, Epoch: v.table.playEpoch(state), Do: v.rules.Text(step.Move)}
			press = fmt.Sprintf("%d-%d-%d %s|%s", os.Getpid(), i, n, tok, engine.StepText(v.rules, step))
		}
		fmt.Fprintf(out, "send %d %s\n", i, press)
		id, rest, _ := strings.Cut(press, " ")
		data, move, _ := strings.Cut(rest, "|")
		seat = engine.Seat(move[0] - '0')
		r := b.Handle(context.Background(), Request{
			ID: id, Kind: Press, Who: User{ID: v.table.Chairs[seat].User}, In: killPlace(i), Data: data,
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
