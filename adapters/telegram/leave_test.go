package telegram

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestMoves lets communities go from one process to another all the time, while people press and boards wait: every request is done
// once and in order, by whoever serves its community, nobody is shown an older picture after a newer one, and who has left
// shows nothing more.
func TestMoves(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 3, func(t *testing.T, f *fleet) {
		f.slow = 200 * time.Millisecond
		k := newTalkers(f, 6)
		stop := make(chan struct{})
		var moving sync.WaitGroup
		for i, c := range k.groups {
			moving.Go(func() {
				for n := 1; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(time.Duration(7+3*i) * time.Second):
					}
					f.move(c.ID, (f.ownerOf(community(c.ID))+1+n%2)%3, func() { time.Sleep(time.Duration(n%7) * time.Second) })
				}
			})
		}
		for range 1200 {
			k.act()
			d := k.chance.IntN(400)
			time.Sleep(time.Duration(d) * time.Millisecond)
			if d == 0 {
				f.kill()
			}
		}
		close(stop)
		moving.Wait()
		k.settle()
		k.last()
		for _, by := range f.handled {
			f.twice += len(by) - 1 // An answer to what comes again elsewhere is known there, and said.
		}
		if f.twice > 40 {
			t.Errorf("%d requests came again", f.twice)
		}
		if n := f.refused(); n > 5 {
			t.Errorf("%d people have to press again", n)
		}
	})
}

// TestLeave: what waits for a chat that is left is given up, what is under way is waited for, and nothing is remembered.
func TestLeave(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		ann, c, other := f.server.NewUser("Аня", ""), f.server.NewGroup("Cards"), f.server.NewGroup("Others")
		f.give(c.ID, 0)
		f.give(other.ID, 0)
		first := f.members[0].run
		c.Say(ann, "/zevaka")
		other.Say(ann, "/zevaka")
		f.board(c, "level 1")
		f.board(other, "level 1")
		rest(time.Minute)
		f.server.SetFault(func(method string, p map[string]string) (fault telegramtest.Fault) {
			if method == "editMessageText" {
				fault.Delay = 5 * time.Second
			}
			return fault
		})
		for range 5 {
			for _, one := range []*telegramtest.Chat{c, other} {
				board, _ := one.Board()
				board.Chat = one.ID
				ann.Press(board, "turn")
			}
			rest(100 * time.Millisecond)
		}
		rest(500 * time.Millisecond) // The first is on its way, the newest waits.
		if n := first.Pulse().Unshown; n != 2 {
			t.Errorf("%d boards wait", n)
		}
		f.give(c.ID, leaving)
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		asked := time.Now()
		first.Leave(soon, func(gone chat.Community) bool { return gone == community(c.ID) })
		cancel()
		if took := time.Since(asked); took != time.Second {
			t.Errorf("it leaves after %v, though something is under way", took)
		}
		f.moveFrom(f.members[0], c.ID, 1, func() {
			if took := time.Since(asked); took < 3*time.Second || took > 5*time.Second {
				t.Errorf("it has left after %v", took)
			}
		})
		f.server.SetFault(nil)
		taken := time.Now()
		f.board(c, "level 6")
		if took := time.Since(taken); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("it is shown after %v: nobody knows how much was written there", took)
		}
		f.board(other, "level 6")
		taken = time.Now()
		f.move(c.ID, 0, func() {})
		c.Say(ann, "/zevaka")
		f.board(c, "level 7")
		if took := time.Since(taken); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("back again it is shown after %v", took)
		}
	})
}

// TestLostUnawares: who doesn't serve a chat any more shows nothing there, even before it is told to leave.
func TestLostUnawares(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		ann, c := f.server.NewUser("Аня", ""), f.server.NewGroup("Cards")
		f.give(c.ID, 0)
		c.Say(ann, "/zevaka")
		board := f.board(c, "level 1")
		for range 20 {
			f.send(ann, board, "turn")
		}
		first := f.members[0].run
		if n := first.Pulse().Unshown; n == 0 {
			t.Error("no board waits")
		}
		f.give(c.ID, 1)
		f.send(ann, board, "turn")
		f.board(c, "level 22")
		rest(time.Minute) // If the first shows something the fleet says so.
		if n := first.Pulse().Unshown; n > 0 {
			t.Errorf("%d boards wait for ever", n)
		}
		first.Leave(t.Context(), func(gone chat.Community) bool { return gone == community(c.ID) })
		f.give(c.ID, 0)
		f.send(ann, board, "turn")
		f.board(c, "level 23")
	})
}

// TestLeftUnsaid: nothing that is still to be said in a chat that was left is waited for by anybody, or sent.
func TestLeftUnsaid(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		c := f.server.NewGroup("Cards")
		f.give(c.ID, 0)
		rest(time.Second)
		s := f.members[0].run.out
		left := s.chats.get(s, c.ID)
		done := make(chan chat.Ref, 2)
		note := chat.Post{In: placeOf(c.ID), Message: chat.Message{Text: []chat.Span{{Text: "hello"}}}}
		for range 5 { // More than go at once.
			left.mu.Lock()
			n := left.notesOf(note, 0)[0]
			n.done = done
			left.add(n)
			left.loop.Kick()
			left.mu.Unlock()
			if f.ownerOf(community(c.ID)) == 0 {
				f.move(c.ID, 1, func() {})
			}
			if ref := <-done; ref != "" {
				t.Errorf("it stands in %s", ref)
			}
		}
		left.post(f.dealer.picture(placeOf(c.ID), "late"), 0)
		if _, begun := left.begin(); begun || left.turn() || left.unshown() > 0 {
			t.Error("something more may be sent")
		}
		rest(time.Minute)
		if n := len(c.Messages()); n > 0 {
			t.Errorf("%d messages were sent", n)
		}
	})
}

// TestHome: to which community an update belongs.
func TestHome(t *testing.T) {
	token := table.Token{Table: table.ID{Community: community(-77), Name: "t1"}, Do: "flip"}.String()
	here := func(text string) string { return strings.ReplaceAll(text, "TOKEN", token) }
	alone := New(newDealer(), Options{})
	shared := New(newDealer(), Options{Share: elsewhere{}})
	about := chat.Post{In: placeOf(-77)}
	for _, test := range []struct {
		update string
		home   int64
	}{
		{`{"update_id":1}`, 0},
		{`{"message":{"chat":{"id":-5,"type":"group"},"text":"/zevaka"}}`, -5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/zevaka"}}`, 5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/start"}}`, 5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/start ` + alone.keptPayload(about) + `"}}`, 5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/start ` + shared.keptPayload(about) + `"}}`, -77},
		{`{"message":{"chat":{"id":-5,"type":"group"},"text":"/start ` + shared.keptPayload(about) + `"}}`, -5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/start r-x_!"}}`, 5},
		{`{"message":{"chat":{"id":5,"type":"private"},"text":"/start r-x_` + strings.Repeat("0", 70) + `1"}}`, 5},
		{`{"message":{"chat":{"id":-5,"type":"group"},"migrate_to_chat_id":-6}}`, -5},
		{`{"message":{"chat":{"id":-6,"type":"supergroup"},"migrate_from_chat_id":-5}}`, -6},
		{`{"my_chat_member":{"chat":{"id":-5,"type":"group"}}}`, -5},
		{`{"callback_query":{"id":"1","from":{"id":5},"data":"TOKEN"}}`, 5},
		{`{"callback_query":{"id":"1","from":{"id":5},"data":"TOKEN","message":{"chat":{"id":-5,"type":"group"}}}}`, -5},
		{`{"callback_query":{"id":"1","from":{"id":5},"data":"TOKEN","message":{"chat":{"id":5,"type":"private"}}}}`, -77},
		{`{"callback_query":{"id":"1","from":{"id":5},"data":"x","message":{"chat":{"id":5,"type":"private"}}}}`, 5},
	} {
		u, err := decodeUpdate([]byte(here(test.update)))
		if err != nil {
			t.Fatal(err)
		}
		if home := u.home(); home != community(test.home) {
			t.Errorf("%s belongs to %s", test.update, home)
		}
	}
}

// elsewhere serves nothing.
type elsewhere struct{ adapters.Alone }

func (elsewhere) Serves(chat.Community) bool { return false }

// TestTakeRefuses: what isn't for this process, or for any, is refused.
func TestTakeRefuses(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		rest(time.Second)
		f.give(-5, 1)
		body := `{"update_id":1,"message":{"message_id":1,"chat":{"id":-5,"type":"group"},"from":{"id":5},"text":"/zevaka"}}`
		for _, test := range []struct {
			kind, body string
			nobody     bool
		}{{"update", body, true}, {"update", "{", false}, {"else", body, false}} {
			_, err := f.members[0].run.Take(t.Context(), adapters.Parcel{Kind: test.kind, Body: []byte(test.body)})
			if err == nil || errors.Is(err, adapters.ErrNobody) != test.nobody {
				t.Errorf("%s %s: %v", test.kind, test.body, err)
			}
		}
		if _, err := f.members[1].run.Take(t.Context(), adapters.Parcel{Kind: "update", Body: []byte(body)}); err != nil {
			t.Error(err)
		}
		f.members[1].stop()
		if _, err := f.members[1].run.Take(t.Context(), adapters.Parcel{Kind: "update", Body: []byte(body)}); !errors.Is(err, adapters.ErrNobody) {
			t.Errorf("once it has ended: %v", err)
		}
		f.members[1].start(Options{})
		if n := len(f.dealer.heard.Of(chat.Command)); n != 1 {
			t.Errorf("%d commands were handled", n)
		}
	})
}
