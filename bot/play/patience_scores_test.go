package play_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/storage"
)

// TestAloneScores: the scores know how far a patience came, in how many moves, and what was asked for.
func TestAloneScores(t *testing.T) {
	s := bottest.NewSitting(t)
	id := openCut(s, "/gwiazda")
	for _, do := range []string{"draw", "!hint", "!undo", "draw", "put turned w1", "draw"} {
		if r := s.Press(id, do); r.Alert {
			t.Fatalf("%s: %s", do, r.Toast)
		}
	}
	s.GiveUp(id)
	table, _ := s.Look(id)
	all := table.Finishes(1)
	if f := all[0]; len(all) != 1 || *f.N != 1 || f.Moves != 3 || f.Undos != 1 || f.Hints != 1 || f.Won || f.Solved || f.Score != 1 {
		t.Errorf("the finish is %+v", f)
	}
	rebuiltScores(s)
	if r := s.Say(1, "/scores star User1"); !strings.Contains(words.Flat(r.Posts[0].Text), "1 game, best: 1 card in place") {
		t.Errorf("the scores are %q", words.Flat(r.Posts[0].Text))
	}
}

// TestSolvedScores: a patience that comes out is in the scores, with its moves and its time.
func TestSolvedScores(t *testing.T) {
	s := bottest.NewSitting(t)
	for games := 1; games < 50; games++ {
		last := openCut(s, "/zaba")
		if !solve(s, last) {
			continue
		}
		rebuiltScores(s)
		r := s.Say(1, "/scores zaba User1")
		told := words.Flat(r.Posts[0].Text)
		if begin := fmt.Sprintf("%d game", games); !strings.Contains(told, begin) || !strings.Contains(told, ", 1 came out, shortest in ") {
			t.Errorf("the scores are %q", told)
		}
		one, state := s.Look(last)
		if f := one.Finishes(1)[0]; f.Feats != scores.FeatsOf(scores.Clean) {
			t.Errorf("solved without a move taken back it has the feats %b", f.Feats)
		}
		one.Dealt = one.Ended + 1 // The clock was put back meanwhile.
		if f := one.Finishes(1)[0]; f.Seconds != 0 || !f.Looked {
			t.Errorf("of a time that nobody knows is said %+v", f.Finish)
		}
		one.Undos = 1
		if one.Note(state); one.Chairs[0].Feats != 0 {
			t.Errorf("solved with a move taken back it has the feats %b", one.Chairs[0].Feats)
		}
		return
	}
	t.Fatal("no patience came out")
}

// TestNumberedDealsCountOnce pastes the solution of a deal whose number, and so whose seed, everybody knows: it has come out every
// time, and the scores say so once, of each who has finished it, and call nothing of it a record.
func TestNumberedDealsCountOnce(t *testing.T) {
	s := bottest.NewSitting(t)
	number := enginetest.Variant{Rules: patience.Zaba}.Easy(t)
	for i := range 3 {
		id := s.Open(fmt.Sprint("/zaba deal=", number))
		if !solve(s, id) {
			t.Fatal("the patience doesn't come out")
		}
		if table, _ := s.Look(id); table.Chairs[0].N != max(0, 1-i) || table.Once != (i == 0) {
			t.Errorf("time %d is finish %d, once %v", i, table.Chairs[0].N, table.Once)
		}
	}
	s.GiveUp(s.Open(fmt.Sprint("/zaba deal=", number+1))) // Nothing was played.
	rebuiltScores(s)
	if r := s.Say(1, "/scores zaba User1"); !strings.HasSuffix(words.Flat(r.Posts[0].Text), ": 1 game, 1 came out") {
		t.Errorf("the scores are %q", words.Flat(r.Posts[0].Text))
	}
	// The second of a number is nobody's game, even if it is the first that comes out.
	other := number + 1
	id := s.Open(fmt.Sprint("/zaba deal=", other))
	s.Say(1, "/m draw")
	s.GiveUp(id)
	solve(s, s.Open(fmt.Sprint("/zaba deal=", other)))
	rebuiltScores(s)
	if r := s.Say(1, "/scores zaba"); !strings.HasSuffix(words.Flat(r.Posts[0].Text), "1 of 2 came out") {
		t.Errorf("the scores are %q", words.Flat(r.Posts[0].Text))
	}
}

// TestNumberedDealsOfBefore: a numbered deal that was counted when it ended with its time, as they once were, stays counted so.
func TestNumberedDealsOfBefore(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open(fmt.Sprint("/zaba deal=", enginetest.Variant{Rules: patience.Zaba}.Easy(t)))
	if !solve(s, id) {
		t.Fatal("the patience doesn't come out")
	}
	tb, _ := s.Look(id)
	tb.Once = false
	err := storage.Update(t.Context(), s.Store, func(tx storage.Tx) error {
		f := tb.Finishes(1)[0]
		key := scores.Key{Community: tb.Origin(), Game: tb.Game, User: f.User}
		if err := scores.Forget(tx, key); err != nil {
			return err
		}
		if _, err := scores.Record(tx, key, f.Name, f.Finish); err != nil {
			return err
		}
		value, err := tb.Encode()
		tx.Put(table.KeyOpen(id), value)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rebuiltScores(s)
	if r := s.Say(1, "/scores zaba User1"); !strings.Contains(words.Flat(r.Posts[0].Text), "best time") {
		t.Errorf("the scores are %q", words.Flat(r.Posts[0].Text))
	}
}

// openCut opens a patience without a number, and cuts.
func openCut(s *bottest.Sitting, line string) table.ID {
	s.T.Helper()
	id := s.Open(line)
	s.Do(1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!cut 7"}.String())
	return id
}

// solve lets the computer player move until the patience is over, and reports whether it has come out.
func solve(s *bottest.Sitting, id table.ID) bool {
	s.T.Helper()
	tb, state := s.Look(id)
	var made []string
	chance := rand.New(rand.NewPCG(1, 1))
	for len(state.Turn()) > 0 {
		move := state.Auto(0, 0, chance)
		made = append(made, s.Games[tb.Game].Text(move))
		if _, err := state.Apply(engine.Step{Move: move}); err != nil {
			s.T.Fatal(err)
		}
	}
	for some := range slices.Chunk(made, 30) {
		if r := s.Say(1, "/m "+strings.Join(some, ",")); r.Alert {
			s.T.Fatalf("the moves are refused: %s", r.Toast)
		}
	}
	if tb, _ = s.Look(id); tb.Phase != table.Ended {
		s.GiveUp(id)
		return false
	}
	return tb.Result.Patience.Solved
}

// rebuiltScores wants the scores to be those that the tables say.
func rebuiltScores(s *bottest.Sitting) {
	s.T.Helper()
	again, err := upkeep.NewArchive(s.Store, games.All()).Scores(s.T.Context())
	if err != nil {
		s.T.Fatal(err)
	}
	if err := again.Compare(s.T.Context(), s.Store, func(d scores.Difference) { s.T.Error(d) }); err != nil {
		s.T.Fatal(err)
	}
}
