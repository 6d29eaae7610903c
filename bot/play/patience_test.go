package play_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/board"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// TestUndo takes moves back, makes them again and makes others at random, over full chunks of the log, restarts and moves
// of the chat: the position is always that of the moves that stand, the epoch only rises, and the record knows only the
// moves that stand.
func TestUndo(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/sklep deal=5")
	r := rand.New(rand.NewPCG(1, 2))
	// The positions of the moves that stand, of those taken back, and what was asked for.
	line, undone := []string{position(s, id)}, []string(nil)
	undos, hints, epoch := 0, 0, 0
	for n := range 700 {
		tb, state := s.Look(id)
		if now := tb.Epoch(state); now <= epoch {
			t.Fatalf("step %d: epoch %d after %d", n, now, epoch)
		} else {
			epoch = now
		}
		last := len(line) - 1
		switch choice := r.IntN(20); {
		case choice < 4 && last > 0 || len(state.Turn()) == 0:
			s.Press(id, "!undo")
			line, undone = line[:last], append(undone, line[last])
			undos++
		case choice < 8 && len(undone) > 0:
			s.Press(id, "!redo")
			line, undone = append(line, undone[len(undone)-1]), undone[:len(undone)-1]
		default:
			moves := slices.DeleteFunc(state.Moves(0, nil), func(m engine.Move) bool { return m.Verb == patience.Quit })
			if answer := s.Press(id, patience.Sklep.Text(moves[r.IntN(len(moves))])); answer.Alert {
				t.Fatalf("step %d: %s", n, answer.Toast)
			}
			line, undone = append(line, position(s, id)), nil
		}
		switch n {
		case 200, 500:
			s.Restart()
		case 300:
			s.Press(id, "!hint")
			hints++
		case 400:
			to := chat.Community{Platform: chat.Telegram, ID: -1001234567890}
			s.Do(1, chat.Migrated, to.String())
			id, s.In = table.ID{Community: to, Name: id.Name}, chat.Place{Community: to, Channel: to.ID}
		}
		if got := position(s, id); got != line[len(line)-1] {
			t.Fatalf("step %d: the table shows\n%s\nand should show\n%s", n, got, line[len(line)-1])
		}
	}
	table, _ := s.Look(id)
	if table.Chunks < 3 || table.Line != len(line)-1 || table.Undone != len(undone) || table.Undos != undos || table.Hints != hints {
		t.Errorf("%d chunks, %d moves, %d taken back, %d undos, %d hints; want %d, %d, %d, %d",
			table.Chunks, table.Line, table.Undone, table.Undos, table.Hints, len(line)-1, len(undone), undos, hints)
	}
	for range table.Line {
		s.Press(id, "!undo")
	}
	if got := position(s, id); got != line[0] {
		t.Errorf("after taking everything back the table shows\n%s", got)
	}
	for range len(line) - 1 {
		s.Press(id, "!redo")
	}
	if got := position(s, id); got != line[len(line)-1] {
		t.Errorf("after making everything again the table shows\n%s", got)
	}
	s.GiveUp(id)
	records := s.Records()
	if len(records) != 1 || len(records[0].Moves) != len(line) || !strings.HasSuffix(records[0].Moves[len(line)-1], " quit") {
		t.Fatalf("the records are %+v", records)
	}
	for _, record := range records {
		if err := engine.Replay(patience.Sklep, record, func(int, string, engine.State) error { return nil }); err != nil {
			t.Error(err)
		}
	}
	if ended, _ := s.Look(id); ended.Result == nil || ended.Line != len(line)-1 {
		t.Errorf("the result of %d moves is %+v", ended.Line, ended.Result)
	}
}

// position is what the table's log comes to, in words.
func position(s *bottest.Sitting, id table.ID) string {
	s.T.Helper()
	t, state := s.Look(id)
	d := board.Drawing{Table: t, Rules: s.Games[t.Game], Lang: s.Bot.Words().Lang("en")}
	return words.Flat(d.Piles(state.View(engine.Nobody)))
}

// TestSolitaire plays every form of every patience through the bot, as a hasty computer does or until that leads nowhere. What
// the table shows is what its log says, and the record replays.
func TestSolitaire(t *testing.T) {
	for _, rules := range patience.All() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			s := bottest.NewSitting(t)
			all := enginetest.Forms(info)
			all = all[:min(*rounds, len(all))]
			for n, options := range all {
				line := fmt.Sprintf("/%s number=%d", info.Name, n)
				for name, value := range options {
					line += " " + name + "=" + value
				}
				id := s.Open(line)
				for made := 0; auto(s, id); made++ {
					if made == 200**rounds {
						s.GiveUp(id)
					}
				}
			}
			records := s.Records()
			if len(records) != len(all) {
				t.Fatalf("%d records of %d deals", len(records), len(all))
			}
			for _, r := range records {
				err := engine.Replay(rules, r, func(int, string, engine.State) error { return nil })
				if err != nil || r.Outcome == nil || r.Outcome.Patience == nil {
					t.Errorf("%v: outcome %+v, %v", r.Options, r.Outcome, err)
				}
			}
		})
	}
}

// auto presses what the computer would do, and reports whether the deal goes on.
func auto(s *bottest.Sitting, id table.ID) bool {
	s.T.Helper()
	tb, state := s.Look(id)
	if tb.Phase == table.Ended {
		return false
	}
	if len(state.Turn()) == 0 {
		s.GiveUp(id) // It is stuck.
		return false
	}
	rules := s.Games[tb.Game]
	do := rules.Text(state.Auto(0, 0, rand.New(rand.NewPCG(1, uint64(tb.Moves)))))
	if r := s.Press(id, do); r.Alert {
		s.T.Fatalf("%s is answered %q", do, r.Toast)
	}
	return true
}

// TestSameCards: a numbered deal has the same cards for everybody, everywhere and at any time.
func TestSameCards(t *testing.T) {
	for _, rules := range patience.All() {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			first, second := bottest.NewSitting(t), bottest.NewSitting(t)
			second.In = chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 7}, Channel: 70}
			second.Running += 1000 * time.Hour
			deal := func(s *bottest.Sitting, line string) string { return position(s, s.Open(line)) }
			want := deal(first, "/"+name+" deal=12345")
			if got := deal(second, "/patience "+name+" number=12345"); got != want {
				t.Errorf("elsewhere the cards are\n%s\nand not\n%s", got, want)
			}
			if other := deal(first, "/"+name+" deal=12346"); other == want {
				t.Error("another number has the same cards")
			}
		})
	}
}

// TestOldQuestion: whoever was asked whether to give up, and played on, doesn't give up any more by answering.
func TestOldQuestion(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/tecza deal=1")
	s.Press(id, "draw")
	asked := s.Say(1, "/giveup")
	old := asked.Posts[0].Buttons[0][0].Token
	s.Say(1, "/m turned w1")
	if r := s.Do(1, chat.Press, old); !r.Alert {
		t.Errorf("the old answer is told %q", r.Toast)
	}
	if tb, _ := s.Look(id); tb.Phase != table.Playing {
		t.Error("the old answer has ended the game")
	}
	if r := s.Do(2, chat.Press, old); !r.Alert {
		t.Errorf("somebody else's answer is told %q", r.Toast)
	}
}

// TestGivenUpUnplayed: a patience that is given up before its first move has no result and no finish, and nothing is left of
// it; one whose moves were taken back is lost.
func TestGivenUpUnplayed(t *testing.T) {
	for _, test := range []struct {
		name  string
		moves []string
		line  string
		lost  bool
	}{
		{"by command", nil, "/giveup", false},
		{"by leaving", nil, "/leave", false},
		{"by stopping", nil, "/stop", false},
		{"as a move", nil, "/m quit", false},
		{"after a hint", []string{"!hint"}, "/giveup", false},
		{"after a move", []string{"draw"}, "/giveup", true},
		{"after a move taken back", []string{"draw", "!undo"}, "/giveup", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := bottest.NewSitting(t)
			id := s.Open("/tecza")
			for _, move := range test.moves {
				s.Press(id, move)
			}
			r := s.Say(1, test.line)
			if answer := bottest.AnswerIn(r); answer != "" {
				s.Do(1, chat.Press, answer)
			}
			tb, _ := s.Look(id)
			counted := len(tb.Counting(1)) > 0
			if tb.Phase != table.Ended || (tb.Result != nil) != test.lost || counted != test.lost || tb.IsNothing() == test.lost {
				t.Errorf("phase %d, result %v, counted %t, nothing left %t", tb.Phase, tb.Result, counted, tb.IsNothing())
			}
		})
	}
}

// TestUnplayedAgain: what is left of a patience that was given up before its first move offers another one like it, also when
// nothing is stored of it any more, and to whoever presses.
func TestUnplayedAgain(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/paganini reshuffles=2 number=5")
	last := s.Say(1, "/giveup").Posts[0]
	bottest.Seen(t.Context(), s.Bot, chat.Request{ID: "shown", Kind: chat.Shown, Data: last.Receipt, On: "1", In: s.In})
	if _, err := bottest.Shelf(s.Store).LookAt(t.Context(), id); err == nil {
		t.Error("it is still stored")
	}
	for _, user := range []int64{1, 2} {
		s.Running += time.Minute
		again := s.Do(user, chat.Press, last.Buttons[0][0].Token)
		opened, ok := table.ParseID(again.Posts[0].Table)
		if !ok || last.Buttons[0][0].Label != "Play again" {
			t.Fatalf("%q is answered %+v", last.Buttons[0][0].Label, again)
		}
		if tb, _ := s.Look(opened); tb.Host != user || tb.Game != "paganini" || tb.Options["reshuffles"] != "2" || tb.Numbered != nil {
			t.Errorf("%d plays %s %v, %v, deal %v", tb.Host, tb.Game, tb.Options, tb.ID == id, tb.Numbered)
		}
	}
}

// TestWeek: a patience waits for a week of running time, from the last move on, and then closes.
func TestWeek(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/pauk deal=1")
	const day = 24 * time.Hour
	s.Running += 6 * day
	s.Press(id, "redeal")
	s.Running += 6 * day
	if s.Ring(); phase(s, id) != table.Playing {
		t.Fatal("it closed too early")
	}
	s.Running += day + time.Minute
	s.Ring()
	tb, _ := s.Look(id)
	if tb.Phase != table.Ended || tb.Why != "stop-idle" || tb.Result != nil {
		t.Errorf("after a week: phase %d, why %q, result %v", tb.Phase, tb.Why, tb.Result)
	}
	if open := s.Say(1, "/table"); open.Toast == "" {
		t.Error("it is still open")
	}
}

func phase(s *bottest.Sitting, id table.ID) table.Phase {
	table, _ := s.Look(id)
	return table.Phase
}

// TestFullHouse: so many patiences in one channel, and not one more while all are played; a command that finds them all
// offers them all, and they all move along with the chat.
func TestFullHouse(t *testing.T) {
	s := bottest.NewSitting(t)
	for n := range table.MaxTables {
		if r := s.Say(int64(n+1), "/zaba deal="+strconv.Itoa(n)); r.Alert {
			t.Fatalf("table %d: %s", n+1, r.Toast)
		}
	}
	if r := s.Say(99, "/zaba deal=99"); !r.Alert {
		t.Errorf("table %d is opened, too", table.MaxTables+1)
	}
	r := s.Say(99, "/table")
	if len(r.Posts) != 1 || len(r.Posts[0].Choices) != 1 || len(r.Posts[0].Choices[0].Items) != table.MaxTables {
		t.Errorf("the offer is %+v", r.Posts)
	}
	to := chat.Community{Platform: chat.Telegram, ID: -1001234567890}
	s.Do(1, chat.Migrated, to.String())
	s.In = chat.Place{Community: to, Channel: to.ID}
	if r := s.Say(99, "/zaba deal=99"); !r.Alert {
		t.Error("a table was left behind")
	}
	if r := s.Say(7, "/giveup"); r.Alert {
		t.Fatalf("giving up is answered %q", r.Toast)
	}
	if r := s.Say(99, "/zaba deal=99"); r.Alert {
		t.Errorf("a free place is answered %q", r.Toast)
	}
}

// TestAloneStorm lets one person press anything on several devices at once, every request being delivered twice: each
// counts once, and what is stored is a log that replays.
func TestAloneStorm(t *testing.T) {
	for _, line := range []string{"/tecza deal=1", "/grobnitsa deal=2", "/paganini light deal=3", "/pauk rounds deal=4"} {
		t.Run(line, func(t *testing.T) {
			s := bottest.NewSitting(t)
			id := s.Open(line)
			rules := s.Games[strings.Fields(line)[0][1:]]
			var devices sync.WaitGroup
			for device := range uint64(4) {
				devices.Go(func() {
					chance := rand.New(rand.NewPCG(device, 1))
					for n := range 150 {
						tb, state := s.Look(id)
						do := "quit"
						if moves := state.Moves(0, nil); len(moves) > 0 {
							do = rules.Text(moves[chance.IntN(len(moves))])
						}
						if some := []string{"!undo", "!redo", "!home", "!page", "!m draw, draw"}; chance.IntN(3) == 0 || do == "quit" {
							do = some[chance.IntN(len(some))]
						}
						r := chat.Request{
							ID: fmt.Sprint(device, " ", n), Kind: chat.Press, Who: chat.User{ID: 1, Name: "User1", Lang: "en"}, In: s.In,
							Data: table.Token{Table: id, Epoch: tb.Epoch(state), Do: do}.String(),
						}
						for range 2 {
							if answer := bottest.Seen(t.Context(), s.Bot, r); answer.Toast == s.Bot.Words().Lang("en").Say("broken") {
								t.Errorf("%s is answered %q", do, answer.Toast)
							}
						}
					}
				})
			}
			devices.Wait()
			tb, _ := s.Look(id)
			log := bottest.Must(table.ReadLog(t.Context(), s.Store, tb))
			made, back := 0, 0
			for _, text := range log {
				switch text {
				case table.UndoMark:
					back++
				case table.RedoMark:
				default:
					made++
				}
			}
			if back != tb.Undos || back == 0 || made < 50 {
				t.Errorf("%d moves, %d of %d undos", made, back, tb.Undos)
			}
			line, _, err := table.Standing(log)
			if err != nil || len(line) != tb.Line {
				t.Errorf("%d moves stand, %d are counted, %v", len(line), tb.Line, err)
			}
		})
	}
}

// TestPatienceSpeaksToItsPlayer: in a place where nobody has chosen a language, whatever it has found.
func TestPatienceSpeaksToItsPlayer(t *testing.T) {
	in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	b := bottest.Must(bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()}))
	for i, test := range []struct{ lang, line, want string }{
		{"en", "/zevaka computers=2 now", ""},
		{"en", "/zaba deal=1", "Pack"},
		{"pl", "/zaba deal=1", "Talia"},
		{"ru", "/zaba deal=1", "Колода"},
		{"en", "/lang en", ""},
		{"pl", "/zaba deal=1", "Pack"},
	} {
		r := bottest.Seen(t.Context(), b, chat.Request{
			ID: fmt.Sprint(i), Kind: chat.Command, Who: chat.User{ID: int64(i + 1), Name: "Ann", Lang: test.lang, Admin: true}, In: in, Data: test.line,
		})
		if test.want != "" && (len(r.Posts) != 1 || !strings.Contains(words.Flat(r.Posts[0].Text), test.want)) {
			t.Errorf("%d: %s is answered %+v", i, test.line, r)
		}
	}
}

// TestPatienceRefusals plays until a move is against a rule, and tries it: whoever plays is told that rule, and nobody
// else is, in every language. Nothing has happened.
func TestPatienceRefusals(t *testing.T) {
	for _, test := range []struct {
		open string
		// move is tried once the rules refuse it by this key.
		move, key string
	}{
		{"/tecza deal=12345", "redeal", "stock-not-empty"},
		{"/tecza deal=12345", "put r1@0 f1", "covered"},
		{"/tecza deal=12345", "put stock w1", "stock-only-drawn"},
		{"/tecza deal=12345", "put f1 w1", "foundation-keeps"},
		{"/tecza deal=12345", "put w1 f1", "no-card-there"},
		{"/tecza deal=12345", "put r1 f3", "first-empty-foundation"},
		{"/tecza deal=12345", "put turned f1", "not-next-rank"},
		{"/tecza deal=12345", "draw", "place-turned-first"},
		{"/tecza deal=12345", "draw", "stock-empty"},
		{"/tecza deal=12345", "redeal", "no-passes-left"}, // A fourth pass.
		{"/sklep deal=1", "draw", "stock-empty"},
		{"/sklep deal=1", "redeal", "no-passes-left"},
		{"/zaba deal=14", "put turned f2", "needs-ace"},
		{"/gwiazda suit=strict deal=1", "put turned f1", "not-next-in-suit"},
		{"/polusharia deal=1", "put t1 t2", "not-lower-in-suit"},
		{"/polusharia deal=1", "put t1 w1", "not-from-there"},
		{"/grobnitsa deal=1", "redeal", "no-passes-left"}, // A sixth pass.
		{"/grobnitsa deal=1", "put w1 a1", "pile-takes-nothing"},
		{"/grobnitsa deal=1", "put w1@0 centre", "covered"},
		{"/paganini deal=1", "redeal", "no-passes-left"},
		{"/paganini deal=1", "draw", "no-stock"},
		{"/paganini deal=1", "put g1.1 g1.2", "cell-taken"},
		{"/pauk deal=1", "put t3 t4", "not-beside-rank"},
		{"/pauk deal=1", "put t3 f5", "only-own-side"},
		{"/pauk rounds number=1", "put t3 t4", "round-home-only"},
		{"/pauk deal=1", "redeal", "no-passes-left"}, // A third redeal.
	} {
		t.Run(fmt.Sprint(test.open[1:], ", ", test.move, ": ", test.key), func(t *testing.T) {
			t.Parallel()
			s := bottest.NewSitting(t)
			id := s.Open(test.open)
			for !refuses(s, id, test.move, test.key) {
				if !auto(s, id) {
					t.Fatal("it was over before that")
				}
			}
			before := position(s, id)
			for _, tag := range words.Tags() {
				want := s.Bot.Words().Lang(tag).Say("no." + test.key)
				alone := words.Phrase{Key: "no.plays-alone", Blanks: words.Blanks{"who": words.Text("User1")}}
				for who, told := range map[int64]string{1: want, 2: alone.Flat(s.Bot.Words().Lang(tag))} {
					s.N++
					r := bottest.Seen(t.Context(), s.Bot, chat.Request{
						ID: fmt.Sprint("try ", s.N), Kind: chat.Command, Who: chat.User{ID: who, Name: "X", Lang: tag}, Data: "/m " + test.move, In: s.In,
					})
					if r.Toast != told || !r.Alert || len(r.Posts) > 0 {
						t.Errorf("%s, user %d: told %q, want %q; %d posts", tag, who, r.Toast, told, len(r.Posts))
					}
				}
			}
			if position(s, id) != before {
				t.Error("something has happened")
			}
		})
	}
}

// refuses reports whether the rules refuse a move by this key as the table stands.
func refuses(s *bottest.Sitting, id table.ID, text, key string) bool {
	s.T.Helper()
	table, state := s.Look(id)
	move, err := s.Games[table.Game].Parse(text)
	if err != nil {
		s.T.Fatal(err)
	}
	_, err = state.Apply(engine.Step{Seat: 0, Move: move})
	return err != nil && err.Error() == key
}

// TestHintsOfTheLine: hints that are followed lead to no position twice, also after a stop of the program; and a hint that was taken back
// may be given again, as it isn't of the line.
func TestHintsOfTheLine(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/pauk deal=11")
	been := map[string]bool{position(s, id): true}
	for n := range 60 {
		if n == 30 {
			s.Restart()
		}
		hint := s.Press(id, "!hint")
		if hint.Named == "" || strings.HasSuffix(hint.Named, ".quit") {
			break
		}
		if n%20 == 0 {
			s.Do(1, chat.Press, hint.Named)
			s.Press(id, "!undo")
			if again := s.Press(id, "!hint"); again.Toast != hint.Toast {
				t.Errorf("hint %d is %q, and once it was taken back %q", n, hint.Toast, again.Toast)
			}
			hint = s.Press(id, "!hint")
		}
		if r := s.Do(1, chat.Press, hint.Named); r.Alert {
			t.Fatalf("hint %d, %q, is answered %q", n, hint.Toast, r.Toast)
		}
		if now := position(s, id); been[now] {
			t.Errorf("hint %d, %q, leads back", n, hint.Toast)
		} else {
			been[now] = true
		}
	}
	if len(been) < 10 {
		t.Errorf("hints end after %d positions", len(been))
	}
}
