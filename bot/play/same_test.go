package play_test

import (
	"fmt"
	"slices"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
)

// TestRestart: the same cards again take back all moves, after a question, and each can be made again. Nobody else is asked.
func TestRestart(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/sklep")
	dealt := position(s, id)
	if r := s.Press(id, "!restart"); !r.Alert {
		t.Errorf("with no move made it is answered %+v", r)
	}
	const moves = 5
	for range moves {
		s.Press(id, "draw")
		s.Press(id, "put turned w1")
	}
	tb, state := s.Look(id)
	made, last := tb.Line, position(s, id)
	token := table.Token{Table: id, Epoch: tb.Epoch(state), Do: "!restart"}.String()
	if r := s.Do(2, chat.Press, token); !r.Alert {
		t.Errorf("somebody else is answered %+v", r)
	}
	asked := bottest.AnswerIn(s.Do(1, chat.Press, token))
	if now, _ := s.Look(id); asked == "" || now.Line != made {
		t.Fatalf("asked %q, %d of %d moves stand", asked, now.Line, made)
	}
	s.Do(1, chat.Press, asked)
	if now, _ := s.Look(id); now.Line != 0 || now.Undone != made || now.Undos != made || position(s, id) != dealt {
		t.Errorf("%d moves stand, %d can be made again, %d undos after %d moves", now.Line, now.Undone, now.Undos, made)
	}
	s.Restart()
	for range made {
		s.Press(id, "!redo")
	}
	if got := position(s, id); got != last {
		t.Errorf("after all was made again it is\n%s\nand was\n%s", got, last)
	}
}

// TestSame: the cards of a patience that has ended are dealt again, in its own place only. By its number a deal counts as such; else it
// counts for nobody, a day's never for the day.
func TestSame(t *testing.T) {
	s := bottest.NewSitting(t)
	same := func(user int64, id table.ID) (table.ID, chat.Response) {
		r := s.Do(user, chat.Press, table.Token{Table: id, Do: play.DoSame}.String())
		next, _ := table.ParseID(r.Opened)
		return next, r
	}
	id := s.Open("/zaba")
	dealt := position(s, id)
	s.Say(1, "/m draw")
	if next, r := same(1, id); next != (table.ID{}) || !r.Alert {
		t.Errorf("before its end it is answered %+v", r)
	}
	s.GiveUp(id)
	home := s.In
	s.In = chat.Place{Community: home.Community, Channel: -56}
	if next, _ := same(1, id); next != (table.ID{}) {
		t.Error("it is dealt again elsewhere")
	}
	s.In = home
	for _, user := range []int64{1, 2} {
		next, r := same(user, id)
		if r.Alert || position(s, next) != dealt {
			t.Fatalf("it is answered %+v", r)
		}
		s.Say(user, "/m draw")
		s.Do(user, chat.Press, bottest.AnswerIn(s.Say(user, "/stop")))
		if tb, _ := s.Look(next); tb.Result == nil || !tb.Known || len(tb.Finishes(1)) != 0 || tb.Chairs[0].N != 0 {
			t.Errorf("what is known counts: %+v", tb.Finishes(1))
		}
		id = next
	}
	rebuiltScores(s)
	number := int64(7)
	id = s.Open(fmt.Sprint("/zaba deal=", number))
	s.Say(1, "/m draw")
	s.GiveUp(id)
	next, _ := same(1, id)
	tb, _ := s.Look(next)
	if tb.Known || tb.Numbered == nil || *tb.Numbered != number {
		t.Errorf("the deal of number %d has %v", number, tb.Numbered)
	}
	s.GiveUp(next)
	day := s.Say(1, "/day zaba")
	if len(day.Posts) == 0 {
		t.Fatalf("the patience of the day is answered %+v", day)
	}
	id, _ = table.ParseID(day.Posts[slices.IndexFunc(day.Posts, func(p chat.Post) bool { return p.Table != "" })].Table)
	s.Say(1, "/m draw")
	s.GiveUp(id)
	if before, _ := s.Look(id); before.Day == 0 || before.Result == nil {
		t.Fatalf("the day is %d, the result %v", before.Day, before.Result)
	}
	next, _ = same(1, id)
	if tb, _ := s.Look(next); tb.Day != 0 || tb.Numbered == nil {
		t.Errorf("dealt again it is of the day %d, deal %v", tb.Day, tb.Numbered)
	}
}
