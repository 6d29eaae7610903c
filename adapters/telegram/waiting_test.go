package telegram

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/words"
)

// slowChat is a dealer whom everything takes so long that is asked in one chat.
type slowChat struct {
	*dealer
	chat int64
	each time.Duration
}

func (s *slowChat) Handle(ctx context.Context, r chat.Request) chat.Response {
	if r.In.Channel == s.chat && r.Kind.ByPerson() {
		time.Sleep(s.each)
	}
	return s.dealer.Handle(ctx, r)
}

// TestBusyChatDelaysItself: who presses in one chat faster than it can be done, one person or several, keeps no other chat waiting. Who
// presses there but now and then is heard all the same, and nobody's press is left without an answer.
func TestBusyChatDelaysItself(t *testing.T) {
	for _, c := range []struct {
		people int
		each   time.Duration
	}{{1, 400 * time.Millisecond}, {5, 50 * time.Millisecond}, {5, 250 * time.Millisecond}} {
		t.Run(fmt.Sprint(c.people, " people ", c.each), func(t *testing.T) {
			all, err := words.Load()
			if err != nil {
				t.Fatal(err)
			}
			slow := &slowChat{dealer: newDealer(), each: c.each}
			gate := pace.NewGate(slow, pace.Rates{User: 5, Address: 20, Community: 60}, all, nil)
			bubble(t, gate, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, quiet := x.group()
				quiet.Say(ann, "/zevaka")
				board := x.board(quiet, "level 1")
				busy := x.server.NewGroup("Busy")
				bob := x.server.NewUser("Боб", "ru")
				busy.Say(bob, "/zevaka")
				theirs := x.board(busy, "level 1")
				slow.chat = busy.ID
				rest(time.Minute)
				end := time.Now().Add(40 * time.Second)
				for n := range c.people {
					mel := x.server.NewUser(fmt.Sprint("Mel", n), "en")
					go func() {
						for time.Now().Before(end) {
							mel.Press(theirs, "flip")
							time.Sleep(205 * time.Millisecond)
						}
					}()
				}
				var late []time.Duration
				presses := 0
				for time.Now().Before(end) {
					began := time.Now()
					x.send(ann, board, "flip")
					late = append(late, time.Since(began))
					time.Sleep(1300 * time.Millisecond)
					if presses++; presses%10 == 0 {
						bob.Press(theirs, fmt.Sprint("bob ", presses))
					}
				}
				if worst := slices.Max(late); worst > time.Second {
					t.Errorf("elsewhere a press was answered after %v", worst)
				}
				rest(time.Minute)
				heard := 0
				for _, r := range slow.heard.Of(chat.Press) {
					if r.Who.ID == bob.ID {
						heard++
					}
				}
				if heard != presses/10 {
					t.Errorf("%d of %d presses of somebody attentive were heard", heard, presses/10)
				}
			})
		})
	}
}

// TestAwayDelaysItself: what is asked in a group whose process can't be reached keeps no other group waiting, however much it is; and
// what was given up for that is never done later.
func TestAwayDelaysItself(t *testing.T) {
	d := newDealer()
	inFleet(t, telegramtest.Options{}, d, Options{}, 2, func(t *testing.T, f *fleet) {
		rest(5 * time.Second)
		here := f.polling()
		ann, mel := f.server.NewUser("Аня", ""), f.server.NewUser("Mel", "en")
		quiet, away := f.server.NewGroup("Quiet"), f.server.NewGroup("Away")
		f.give(quiet.ID, here)
		f.give(away.ID, 1-here)
		away.Say(mel, "/zevaka")
		board := f.board(away, "level 1")
		f.mu.Lock()
		f.cut = true
		f.mu.Unlock()
		first := mel.Press(board, "first")
		heard := func(what string) bool {
			return slices.ContainsFunc(d.heard.Of(chat.Command), func(r chat.Request) bool { return r.Data == what })
		}
		for n := range 200 {
			away.Say(mel, fmt.Sprint("/flood ", n))
			rest(50 * time.Millisecond)
			if n%20 != 0 {
				continue
			}
			line := fmt.Sprint("/line ", n)
			quiet.Say(ann, line)
			began := time.Now()
			f.until(line, func() bool { return heard(line) })
			if took := time.Since(began); took > time.Second {
				t.Errorf("%q was heard after %v", line, took)
			}
		}
		if _, answered := f.server.Answer(first); !answered {
			t.Error("a press that was given up was not answered")
		}
		f.mu.Lock()
		f.cut = false
		f.mu.Unlock()
		f.until("all to be confirmed", func() bool { return f.server.Waiting() == 0 })
		if heard("/flood 0") || !heard("/flood 199") {
			t.Error("it did the first line, which was given up, or not the last one")
		}
	})
}
