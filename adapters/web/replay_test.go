package web

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/live"
)

// TestPastOnlyOfTheEnded: whoever asks a live connection for the past of a game gets none of one that goes on, whatever eyes they
// name; and all of one that has ended, through the eyes that there are.
func TestPastOnlyOfTheEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serveBot(t)
		ann := sit(t, srv, "Ann")
		table := ann.say("/patience tecza deal=7").Table
		e, eve := ann.open("en"), sit(t, srv, "Eve").open("en")
		for _, one := range []*eye{e, eve} {
			one.wish(fmt.Sprintf(`{"look":%q}`, table))
			one.until("the table", func() bool { return one.scene != nil })
		}
		asks := func(one *eye, eyes int) *live.Past {
			t.Helper()
			before := one.pasts
			one.wish(fmt.Sprintf(`{"past":%d}`, eyes))
			one.until(fmt.Sprint("the past through the eyes ", eyes), func() bool { return one.pasts > before })
			return one.past
		}
		all := []int{-3, -2, -1, 0, 1, 99}
		for _, eyes := range all {
			if asks(e, eyes) != nil || asks(eve, eyes) != nil {
				t.Errorf("a game that goes on is shown through the eyes %d", eyes)
			}
		}
		e.does("draw")
		answer := ann.say("/giveup")
		for _, m := range answer.Said {
			ann.press(m.Buttons[0][0].Token, "")
		}
		eve.until("the end", func() bool { return eve.scene.Phase == "ended" })
		for _, eyes := range all {
			past := asks(eve, eyes)
			if shown := past != nil; shown != (eyes >= -2 && eyes <= 0) {
				t.Errorf("a game that has ended is shown through the eyes %d: %v", eyes, shown)
			} else if shown && (len(past.Steps) != 2 || len(past.Scene.Piles) == 0 || len(past.Scene.Acts) != 0) {
				t.Errorf("through the eyes %d it is %+v", eyes, past)
			}
		}
		if n := asks(eve, -2).Scene.Piles; slices.ContainsFunc(n, func(p live.Pile) bool { return p.Down > 0 }) {
			t.Errorf("with all cards some are backs: %+v", n)
		}
	})
}

// TestPastKeepsNobodyWaiting: those who ask for the past of a game wait for their turn by themselves: what others look at is drawn
// meanwhile.
func TestPastKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		ann := sit(t, srv, "Ann")
		table := ann.say("/patience tecza deal=7").Table
		e := ann.open("en")
		e.wish(fmt.Sprintf(`{"look":%q}`, table))
		e.until("the table", func() bool { return e.scene != nil })
		e.does("draw")
		for _, m := range ann.say("/giveup").Said {
			ann.press(m.Buttons[0][0].Token, "")
		}
		e.until("the end", func() bool { return e.scene.Phase == "ended" })
		var all []*eye
		for i := range maxDrawers {
			one := sit(t, srv, fmt.Sprint("Eve ", i)).open("en")
			one.wish(fmt.Sprintf(`{"look":%q}`, table))
			one.until("the table", func() bool { return one.scene != nil })
			all = append(all, one)
		}
		tables := r.opts.Tables(community()).Tables
		for _, wish := range []string{`{"log":true}`, `{"past":-1}`} {
			end, err := tables.Watching.Begin(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range all {
				one.wish(wish)
			}
			synctest.Wait()
			began := time.Now()
			r.drawers.draw(func() {})
			plays, err := tables.Heavy.Begin(t.Context(), 0)
			if took := time.Since(began); took > 0 || err != nil {
				t.Errorf("%s: what is drawn for others waits %v, and who wants a hint is told %v", wish, took, err)
				continue
			}
			plays()
			end()
		}
		for _, one := range all {
			one.until("an answer", func() bool { return one.pasts > 0 })
		}
	})
}
