package telegram

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

func TestRemoved(t *testing.T) {
	for _, told := range []string{"by nobody", "by Ann", ""} {
		d := newDealer()
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c := x.forum()
			c.SayIn(3, ann, "/zevaka")
			c.SayIn(5, ann, "/zevaka")
			board := x.board(c, "level 1")
			rest(time.Minute)
			by := int64(0)
			switch told {
			case "by nobody":
				c.Kick(true)
			case "by Ann":
				c.KickBy(ann)
				by = ann.ID
			default:
				c.Kick(false)
				x.send(ann, board, "turn")
			}
			rest(10 * time.Second)
			if len(d.heard.Of(chat.Gone)) == 0 {
				t.Fatal("the bot doesn't know")
			}
			if r := d.heard.Of(chat.Gone)[0]; r.In != (chat.Place{Community: community(c.ID)}) || r.By != by {
				t.Errorf("%s: what is gone is %+v, by %d", told, r.In, r.By)
			}
			rest(time.Minute)
			n := x.server.Report().Counts["sendMessage"] + x.server.Report().Counts["editMessageText"]
			rest(time.Hour)
			if now := x.server.Report().Counts["sendMessage"] + x.server.Report().Counts["editMessageText"]; now > n {
				t.Errorf("%d more messages were sent", now-n)
			}
		})
	}
}

// TestToldLateOfRemoval: where Telegram says once more, or only then, that the bot was removed from a group that has it again, the tables there
// stay.
func TestToldLateOfRemoval(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		me := map[string]any{"id": 4242, "is_bot": true}
		removed := map[string]any{
			"chat": map[string]any{"id": c.ID, "type": "supergroup"}, "from": map[string]any{"id": ann.ID}, "date": time.Now().Unix(),
			"old_chat_member": map[string]any{"user": me, "status": "member"}, "new_chat_member": map[string]any{"user": me, "status": "kicked"},
		}
		rest(2 * memberFor)
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		told := func() {
			t.Helper()
			x.server.Push("my_chat_member", removed)
			rest(10 * time.Second)
			if n := len(d.heard.Of(chat.Gone)); n > 0 {
				t.Errorf("the bot is told %d times that the group is gone", n)
			}
		}
		told() // It knows of nothing that came after, as after a start.
		removed["date"] = time.Now().Unix()
		rest(time.Second)
		c.Add(ann)
		told()
		c.KickBy(ann)
		rest(10 * time.Second)
		if len(d.heard.Of(chat.Gone)) == 0 {
			t.Error("it isn't told of what is so now")
		}
	})
}

// TestToldLateOfLeaving: where Telegram says once more, or only then, that somebody has left, who is back plays on; who isn't doesn't.
func TestToldLateOfLeaving(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		bob := x.server.NewUser("Bob", "en")
		c.Join(bob)
		who := map[string]any{"id": bob.ID, "first_name": "Bob"}
		for kind, left := range map[string]map[string]any{
			"message": {"message_id": 9000, "left_chat_member": who},
			"chat_member": {
				"old_chat_member": map[string]any{"user": who, "status": "member"}, "new_chat_member": map[string]any{"user": who, "status": "left"},
			},
		} {
			left["chat"], left["from"] = map[string]any{"id": c.ID, "type": "group"}, map[string]any{"id": ann.ID}
			for _, status := range []string{"", "left"} {
				left["date"] = time.Now().Unix()
				c.Out(bob, status)
				rest(2 * memberFor)
				before := len(d.heard.Of(chat.Left))
				x.server.Push(kind, left)
				rest(10 * time.Second)
				if told := len(d.heard.Of(chat.Left)) > before; told != (status != "") {
					t.Errorf("%s about who is %q now: the bot is told: %t", kind, status, told)
				}
			}
		}
	})
}

// TestToldLateOfMany: late news that many have left a group, of whom it takes long to ask, keep nobody's press from being heard, there or elsewhere.
func TestToldLateOfMany(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		other := x.server.NewGroup("Others")
		for _, c := range []*telegramtest.Chat{c, other} {
			c.Say(ann, "/zevaka")
			x.board(c, "level 1")
		}
		rest(time.Minute)
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method == "getChatMember" {
				return telegramtest.Fault{Delay: 2 * time.Second}
			}
			return telegramtest.Fault{}
		})
		const many = 300
		for n := range many {
			gone := x.server.NewUser(fmt.Sprint("G", n), "en")
			c.Out(gone, "left")
			who := map[string]any{"id": gone.ID, "first_name": gone.Name()}
			x.server.Push("chat_member", map[string]any{
				"chat": map[string]any{"id": c.ID, "type": "group"}, "from": who, "date": time.Now().Add(-2 * memberFor).Unix(),
				"old_chat_member": map[string]any{"user": who, "status": "member"}, "new_chat_member": map[string]any{"user": who, "status": "left"},
			})
		}
		for _, c := range []*telegramtest.Chat{c, other} {
			board, _ := c.Board()
			pressed := time.Now()
			x.send(ann, board, "turn")
			if after := time.Since(pressed); after > 5*time.Second {
				t.Errorf("a press is answered after %v", after)
			}
		}
		rest(5 * time.Minute)
		if n := len(d.heard.Of(chat.Left)); n != many {
			t.Errorf("the bot is told of %d of %d", n, many)
		}
	})
}

// TestThrownOutBy: the bot is told who has thrown a member out, unless that is a bot; who goes by themselves was thrown out by nobody.
func TestThrownOutBy(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		bob, robot := x.server.NewUser("Bob", "en"), int64(1087968824)
		for i, by := range []*telegramtest.User{ann, bob, nil} {
			rest(time.Minute)
			want := chat.Request{Data: chat.Expelled}
			switch by {
			case ann:
				want.By = ann.ID
				c.Leave(bob, ann)
			case bob:
				want.Data = ""
				c.Leave(bob, bob)
			default:
				c.Write(map[string]any{"from": map[string]any{"id": robot, "is_bot": true, "first_name": "Group"}, "left_chat_member": map[string]any{"id": bob.ID, "first_name": "Bob"}}, 0)
			}
			rest(10 * time.Second)
			if all := d.heard.Of(chat.Left); len(all) != i+1 || all[i].By != want.By || all[i].Data != want.Data {
				t.Errorf("%d: it hears %+v", i, all)
			}
		}
	})
}

// TestOftenInDoubt: the second witness is asked again in time, however often there is doubt meanwhile.
func TestOftenInDoubt(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		_, c := x.group()
		rest(time.Minute)
		in := x.run.out.chats.get(x.run.out, c.ID)
		if in.isOut() {
			t.Fatal("the bot takes itself for out of its group")
		}
		c.Kick(false)
		for range 6 {
			rest(10 * time.Second)
			if in.isOut() {
				return
			}
		}
		t.Error("within a minute nobody asks whether the bot is still there")
	})
}

// TestBlocked: who blocks the bot loses no game, and isn't written to until they write themselves.
func TestBlocked(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := ann.Private()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		rest(time.Minute)
		ann.Block()
		d.mu.Lock()
		d.levels[placeOf(c.ID)]++
		late := d.picture(placeOf(c.ID), "late")
		d.mu.Unlock()
		x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{late}})
		rest(24 * time.Hour)
		if n := len(d.heard.Of(chat.Gone)); n != 0 || strings.Contains(x.log.String(), "level=WARN") {
			t.Errorf("the bot was told %d times that the chat is gone", n)
		}
		if n := x.server.Report().Counts["editMessageText"]; n != 1 {
			t.Errorf("somebody who has blocked the bot was written to %d times in a day", n)
		}
		c.Say(ann, "/start")
		x.board(c, "level 3")
	})
}

// TestTopicDeleted: a topic is gone when it has been refused for more than an hour, and what stood there is gone, too.
func TestTopicDeleted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(3, ann, "/zevaka")
		board := x.board(c, "level 1")
		c.CloseTopic(3)
		c.Delete(board.ID)
		x.send(ann, board, "turn")
		rest(time.Hour)
		if n := len(d.heard.Of(chat.Gone)); n != 0 {
			t.Errorf("within an hour the bot is told %d times that a topic is gone", n)
		}
		rest(15 * time.Minute)
		if n := len(d.heard.Of(chat.Gone)); n != 1 {
			t.Fatalf("the bot was told %d times", n)
		}
		if in := d.heard.Of(chat.Gone)[0].In; in.Thread != 3 {
			t.Errorf("what is gone is %+v", in)
		}
		c.Say(ann, "/zevaka")
		x.until("a board", func() bool { all := c.Messages(); return len(all) > 0 && all[len(all)-1].Topic == 0 })
	})
}

// TestTopicOfQuietTables: where Telegram says of all new messages that a topic isn't there, and one waits that belongs to no table, a table
// that rests there goes on as long as its message stands.
func TestTopicOfQuietTables(t *testing.T) {
	for _, stands := range []bool{true, false} {
		t.Run(fmt.Sprint("stands ", stands), func(t *testing.T) {
			inCasino(t, func(t *testing.T, x *house, k *casino) {
				ann, bob := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en")
				c := x.server.NewForum("Cards", ann)
				c.SayIn(3, ann, "/zevaka limit=none")
				x.press(bob, x.board(c, "1. Ann"), "Join")
				x.press(ann, x.board(c, "2. Bob"), "Deal")
				x.board(c, "▶ Ann")
				rest(time.Minute)
				board, _ := c.Board()
				for n := range 2 * maxBoards { // Much is played there and ends.
					over := chat.Post{In: placeOf(c.ID), Table: fmt.Sprint("over ", n), Level: 1, Final: true, Message: chat.Message{Text: []chat.Span{{Text: "over"}}}}
					x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{over}})
				}
				rest(10 * time.Minute)
				x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
					if method == "sendMessage" {
						return telegramtest.Fault{Status: 400, Text: "Bad Request: message thread not found"}
					}
					return telegramtest.Fault{}
				})
				c.SayIn(3, ann, "/top")
				if !stands {
					c.Delete(board.ID)
				}
				rest(3 * time.Hour)
				if open := len(k.tables("o/")) > 0; open != stands {
					t.Errorf("the table is open: %t", open)
				}
				if !stands {
					return
				}
				x.press(ann, board, "Flip")
				x.board(c, "Ann, place")
			})
		})
	}
}

// TestTopicIsPressed: in a topic that takes changes and no new messages each move is seen, however often somebody presses.
func TestTopicIsPressed(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(3, ann, "/zevaka")
		board := x.board(c, "level 1")
		rest(time.Minute)
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method == "sendMessage" {
				return telegramtest.Fault{Status: 400, Text: "Bad Request: message thread not found"}
			}
			return telegramtest.Fault{}
		})
		x.send(ann, board, "call")
		seen, at := "", time.Now()
		for range 300 {
			x.send(ann, board, "turn")
			rest(2 * time.Second)
			if now, _ := c.Board(); now.Text != seen {
				seen, at = now.Text, time.Now()
			}
			if still := time.Since(at); still > 20*time.Second {
				t.Fatalf("for %v it shows %q", still, seen)
			}
		}
		if n := x.server.Report().Counts["sendMessage"]; n > 30 {
			t.Errorf("%d new messages are tried in ten minutes", n)
		}
	})
}

// TestFalselyGone: where a table may have no new message for a while, one wrong answer that its message is gone doesn't take it from there.
func TestFalselyGone(t *testing.T) {
	for _, test := range []struct {
		slow time.Duration
		said int // How many other messages were to be sent before, of which one or more were refused.
	}{{0, 0}, {0, 2}, {15 * time.Minute, 0}, {15 * time.Minute, 2}} {
		d := newDealer()
		d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c := x.group()
			c.Say(ann, "/zevaka")
			board := x.board(c, "level 1")
			rest(time.Minute)
			c.Slow(test.slow)
			c.Mute(test.slow == 0)
			for n := range test.said {
				x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: placeOf(c.ID), Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint("said ", n)}}}}}})
			}
			rest(40 * time.Second)
			wrong := 1
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method == "editMessageText" && wrong > 0 {
					wrong--
					return telegramtest.Fault{Status: 400, Text: "Bad Request: message to edit not found"}
				}
				return telegramtest.Fault{}
			})
			x.send(ann, board, "turn")
			rest(20 * time.Second)
			if now := x.board(c, "level 2"); now.ID != board.ID || wrong > 0 {
				t.Errorf("%+v: it stands in %d and not in %d", test, now.ID, board.ID)
			}
		})
	}
}

// TestTopicNotDeleted: that a topic is gone counts from when Telegram has said so, whatever went wrong before, and no more once somebody writes
// there.
func TestTopicNotDeleted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(3, ann, "/zevaka")
		board := x.board(c, "level 1")
		c.Delete(board.ID)
		tries := 0
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method != "sendMessage" {
				return telegramtest.Fault{}
			}
			if tries++; tries <= 4 {
				return telegramtest.Fault{Status: 500}
			}
			return telegramtest.Fault{Status: 400, Text: "Bad Request: message thread not found"}
		})
		x.send(ann, board, "turn")
		for range 3 {
			rest(50 * time.Minute)
			c.SayIn(3, ann, "hello")
		}
		x.server.SetFault(nil)
		x.board(c, "level 2")
		if n := len(d.heard.Of(chat.Gone)); n != 0 {
			t.Errorf("the bot is told %d times that a topic is gone", n)
		}
	})
}

// TestHeardWhereOthersPlay: what somebody does in a topic has tried at once what was refused there by mistake, though all goes well in another topic
// meanwhile.
func TestHeardWhereOthersPlay(t *testing.T) {
	for _, test := range []struct{ method, said string }{
		{"sendMessage", "message thread not found"}, {"editMessageText", "chat not found"}, {"editMessageText", "not enough rights to edit messages in the chat"},
	} {
		d := newDealer()
		d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c := x.forum()
			c.SayIn(4, ann, "/zevaka")
			other := x.board(c, "level 1")
			if test.method != "sendMessage" {
				c.SayIn(3, ann, "/zevaka")
				rest(time.Minute)
			}
			var tries atomic.Int64
			x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
				if method != test.method || p["message_thread_id"] != "3" && method == "sendMessage" || p["message_id"] == fmt.Sprint(other.ID) {
					return telegramtest.Fault{}
				}
				if tries.Add(1) > 3 {
					return telegramtest.Fault{}
				}
				return telegramtest.Fault{Status: 400, Text: "Bad Request: " + test.said}
			})
			c.SayIn(3, ann, "/zevaka")
			for n := range 40 {
				rest(5 * time.Second)
				x.send(ann, other, "turn")
				if n%4 == 3 {
					c.SayIn(3, ann, "/table")
				}
			}
			if tries.Load() < 4 {
				t.Errorf("%+v: what waits in the topic was tried %d times", test, tries.Load())
			}
		})
	}
}

// TestHeardInPrivate: what somebody does in private has their table tried at once that was refused by mistake, whatever was said to them meanwhile, and
// as long as they do nothing it isn't tried.
func TestHeardInPrivate(t *testing.T) {
	for _, said := range []string{"400 Bad Request: chat not found", "403 Forbidden: bot was blocked by the user", "400 Bad Request: message thread not found"} {
		d := newDealer()
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.start(Options{})
			ann := x.server.NewUser("Ann", "")
			c := ann.Private()
			c.Say(ann, "/zevaka")
			board := x.board(c, "level 1")
			rest(time.Minute)
			for range 3 {
				x.server.SetFault(refusing(said, 0))
				for range 3 {
					x.send(ann, board, "turn")
					rest(3 * time.Second)
				}
				tried := x.server.Report().Counts["editMessageText"]
				rest(3 * time.Hour)
				if n := x.server.Report().Counts["editMessageText"] - tried; n > 0 {
					t.Errorf("%s: it is tried %d times though nobody does anything", said, n)
				}
				x.send(ann, board, "turn")
				rest(time.Second)
				x.server.SetFault(nil)
				x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: placeOf(c.ID), Message: chat.Message{Text: []chat.Span{{Text: "your turn"}}}}}})
				rest(3 * time.Second)
				x.send(ann, board, "turn")
				rest(3 * time.Second)
				if now, _ := c.Board(); !strings.Contains(now.Text, fmt.Sprint("level ", d.levels[placeOf(c.ID)], " ")) {
					t.Errorf("%s: the bot is at level %d, and the board is %q", said, d.levels[placeOf(c.ID)], now.Text)
				}
			}
		})
	}
}

// TestHeardBesideClosedTopic: what somebody does in a topic has a change of a message there tried at once that was refused by mistake, though a table
// waits in another topic, which is closed.
func TestHeardBesideClosedTopic(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(3, ann, "/zevaka")
		board := x.board(c, "level 1")
		var tries atomic.Int64
		x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
			switch {
			case method == "sendMessage" && p["message_thread_id"] == "4":
				return telegramtest.Fault{Status: 400, Text: "Bad Request: TOPIC_CLOSED"}
			case method != "editMessageText" || p["message_id"] != fmt.Sprint(board.ID):
				return telegramtest.Fault{}
			}
			if tries.Add(1) > 2 {
				return telegramtest.Fault{}
			}
			return telegramtest.Fault{Status: 400, Text: "Bad Request: chat not found"}
		})
		c.SayIn(4, ann, "/zevaka")
		rest(5 * time.Minute)
		x.send(ann, board, "turn")
		for range 9 {
			rest(20 * time.Second)
			c.SayIn(3, ann, "/table")
		}
		if tries.Load() < 3 {
			t.Errorf("the change was tried %d times", tries.Load())
		}
	})
}

// TestDoubtEnds: what goes well ends that the bot counts as muted in a chat once nothing has been tried for long where it was refused, or all that waits is slow mode.
func TestDoubtEnds(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		_, group := x.group()
		rest(time.Minute)
		c := x.run.out.chats.get(x.run.out, group.ID)
		for name, test := range map[string]struct {
			hush hush
			ends bool
		}{
			"refused lately":   {hush{until: time.Now().Add(time.Minute - hushedFor)}, false},
			"refused long ago": {hush{until: time.Now().Add(-time.Minute - hushedFor)}, true},
			"slow mode":        {hush{until: time.Now().Add(time.Minute), said: true}, true},
		} {
			c.mu.Lock()
			c.doubt.mutedAt, c.hushed[spot{7, true}] = time.Now(), test.hush
			c.mu.Unlock()
			c.goesWell(placeOf(group.ID), false)
			c.mu.Lock()
			if ends := c.doubt.mutedAt.IsZero(); ends != test.ends {
				t.Errorf("%s: it ends: %t", name, ends)
			}
			delete(c.hushed, spot{7, true})
			c.mu.Unlock()
		}
	})
}

// TestSlowModeBesideLostTopic: how long a group in slow mode waits is what Telegram says, whatever people write meanwhile, and no answer is given up for
// trying too early, also where a table waits in another topic that isn't found.
func TestSlowModeBesideLostTopic(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, _ *casino) {
		ann, bob := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "pl")
		forum := x.server.NewForum("Forum", ann)
		at := "@" + telegramtest.Username
		rest(20 * time.Second)
		x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
			if method == "sendMessage" && p["message_thread_id"] == "3" {
				return telegramtest.Fault{Status: 400, Text: "Bad Request: message thread not found"}
			}
			return telegramtest.Fault{}
		})
		forum.SayIn(3, bob, "/zevaka"+at+" limit=none")
		rest(2 * time.Minute)
		forum.Slow(5 * time.Minute)
		forum.SayIn(4, ann, "/help"+at)
		rest(20 * time.Second)
		n := len(forum.Messages())
		asked := []string{"/scores" + at, "/top" + at, "/day" + at}
		for _, line := range asked {
			forum.SayIn(4, bob, line)
		}
		for range 40 * 6 {
			rest(10 * time.Second)
			forum.SayIn(4, ann, "blah")
		}
		if came := len(forum.Messages()) - n; came < len(asked) {
			t.Errorf("%d of %d answers came", came, len(asked))
		}
	})
}

// TestTopicsTurnedOff: what stood in a topic goes on in the whole group once an admin turns its topics off, and in the topic again when
// they are turned on.
func TestTopicsTurnedOff(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(3, ann, "/zevaka")
		first := x.board(c, "level 1")
		last := first
		for n, topic := range []int64{0, 3} {
			c.Topics(topic != 0)
			c.Delete(last.ID)
			x.send(ann, first, "turn")
			if last = x.board(c, fmt.Sprint("level ", n+2)); last.Topic != topic {
				t.Errorf("level %d stands in topic %d, want %d", n+2, last.Topic, topic)
			}
		}
		rest(2 * time.Hour)
		if n := len(d.heard.Of(chat.Gone)); n != 0 {
			t.Errorf("the bot is told %d times that a topic is gone", n)
		}
	})
}

// TestRemovedWhileAway: a bot that was removed while it didn't run closes the chat's tables, in all topics, when it is
// to draw the first of them after its start.
func TestRemovedWhileAway(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		forum, other := x.server.NewForum("Игры", ann), x.server.NewGroup("Other")
		for _, topic := range []int64{0, 3, 5} {
			forum.SayIn(topic, ann, "/zevaka")
		}
		other.Say(ann, "/zevaka")
		x.until("the boards", func() bool { return len(forum.Messages()) == 3 && len(other.Messages()) == 1 })
		rest(time.Second)
		c.close()
		forum.Kick(false)
		c.open()
		x.until("the end of it", func() bool { rest(time.Second); return len(c.tables("o/")) == 1 })
		for _, key := range c.tables("f/") {
			if !strings.HasPrefix(key, "f/"+community(forum.ID).String()) {
				t.Errorf("%s ended", key)
			}
		}
		rest(time.Minute)
		board, _ := other.Board()
		x.press(ann, board, "+ 🤖")
		x.board(other, "2. 🤖")
		c.close()
	})
}

// tables are the keys of the tables under a prefix.
func (c *casino) tables(prefix string) []string {
	c.t.Helper()
	items, err := c.store.Scan(c.t.Context(), prefix, "", 100)
	if err != nil {
		c.t.Fatal(err)
	}
	var keys []string
	for _, item := range items {
		keys = append(keys, item.Key)
	}
	return keys
}

func TestRestricted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		for _, out := range []bool{false, true} {
			c.Restrict(out)
			rest(time.Minute)
			if n := len(d.heard.Of(chat.Gone)); (n == 1) != out {
				t.Errorf("restricted, and removed: %t: the bot was told %d times that the chat is gone", out, n)
			}
		}
	})
}

// TestArrives: a group that adds the bot is greeted once, with buttons that work there; a change of its rights greets
// nobody. From a private chat a button leads to a group.
func TestArrives(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		bob := c.server.NewUser("Bob", "en")
		group := c.server.NewGroup("Friends")
		group.Kick(true)
		rest(time.Second)
		group.Add(bob)
		greeting := c.board(group, "cards right in this chat")
		if !strings.Contains(greeting.Text, "make me an admin") {
			t.Errorf("it says %q", greeting.Text)
		}
		group.Promote()
		group.Mute(true)
		group.Mute(false)
		rest(10 * time.Second)
		if n := len(group.Messages()); n != 1 {
			t.Errorf("%d messages stand there", n)
		}
		c.press(bob, greeting, "▶ Zevaka")
		c.board(group, "1. Bob")
		bob.Start("")
		rest(10 * time.Second)
		help := c.board(bob.Private(), "solitaire")
		if last := help.Buttons[len(help.Buttons)-2]; last.URL != "https://t.me/zevaka_test_bot?startgroup" {
			t.Errorf("it leads to %q", last.URL)
		}
		for _, lang := range []string{"", "ru", "pl"} {
			for _, field := range []string{"description", "short_description"} {
				if c.server.Profile(field, lang) == "" {
					t.Errorf("the profile has no %s in %q", field, lang)
				}
			}
		}
	})
}

// TestUpgradeGreetsNobody: a group that becomes a supergroup looks as if that had just added the bot, and isn't greeted again.
func TestUpgradeGreetsNobody(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		group := c.server.NewGroup("Friends")
		group.Add(c.server.NewUser("Bob", "en"))
		c.board(group, "cards right in this chat")
		next := group.Upgrade(true)
		rest(time.Minute)
		if n := len(next.Messages()); n != 0 {
			t.Errorf("%d messages stand there", n)
		}
	})
}

// TestUnheard: what the bot says by itself where it may not write is tried a few times and given up, and nobody hears that it stands;
// where it may write again the next one does. Where the bot was thrown out it is tried once, and the bot hears that it is gone. It waits for the end of
// an outage, if that comes within some hours.
func TestUnheard(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		_, c := x.group()
		rest(time.Minute)
		place := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: c.ID}, Channel: c.ID}
		say := func() (calls, stand int) {
			before, heard := len(x.server.Calls("sendMessage")), len(d.heard.Of(chat.Shown))
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: place, Receipt: "day 7", Message: chat.Message{Text: []chat.Span{{Text: "the patience of the day"}}}}}})
			rest(24 * time.Hour)
			return len(x.server.Calls("sendMessage")) - before, len(d.heard.Of(chat.Shown)) - heard
		}
		c.Mute(true)
		if calls, stand := say(); calls < 1 || calls > maxTries+1 || stand != 0 {
			t.Errorf("muted, it is sent %d times in a day, and stands %d times", calls, stand)
		}
		c.Mute(false)
		if calls, stand := say(); calls != 1 || stand != 1 {
			t.Errorf("unmuted, it is sent %d times, and stands %d times", calls, stand)
		}
		for lasts, want := range map[time.Duration]int{time.Minute: 1, standing / 2: 1, standing + 10*time.Minute: 0} {
			x.server.SetFault(func(string, map[string]string) telegramtest.Fault {
				return telegramtest.Fault{Status: http.StatusBadGateway}
			})
			time.AfterFunc(lasts, func() { x.server.SetFault(nil) })
			if calls, stand := say(); calls > maxLost+2 || stand != want {
				t.Errorf("in an outage of %v it is sent %d times, and stands %d times", lasts, calls, stand)
			}
		}
		c.Kick(false)
		if calls, stand := say(); calls != 1 || stand != 0 || len(d.heard.Of(chat.Gone)) != 1 {
			t.Errorf("thrown out, it is sent %d times, and stands %d times; the bot hears of %d that are gone", calls, stand, len(d.heard.Of(chat.Gone)))
		}
	})
}

// TestLeavesTheGroup: nobody waits at a table without a limit for somebody who has left the group, or was thrown out, however often Telegram
// says so.
func TestLeavesTheGroup(t *testing.T) {
	leaves, removed := "%s уходит: играет компьютер", "%s больше не за столом: играет компьютер"
	for i, said := range []string{leaves, leaves, removed, removed} {
		admin, expelled := i%2 == 1, i > 1
		inCasino(t, func(t *testing.T, x *house, c *casino) {
			g := c.seat("21b")
			if admin {
				g.chat.Promote()
			}
			g.move()
			board := x.board(g.chat, "▶")
			gone, other := g.users[0], g.users[1]
			if strings.Contains(board.Text, "▶ Боря") {
				gone, other = other, gone
			}
			rest(time.Minute)
			before, by := len(g.chat.Messages()), gone
			if expelled {
				by = other
			}
			g.chat.Leave(gone, by)
			x.board(g.chat, fmt.Sprintf(said, gone.Name()))
			rest(time.Minute)
			if board, _ = g.chat.Board(); strings.Contains(board.Text, "▶ "+gone.Name()) || len(g.chat.Messages()) > before {
				t.Errorf("the table waits for somebody who isn't there: %q", board.Text)
			}
			c.close()
		})
	}
}

// TestNobodyIsMetWithSilence: who writes as a channel, who adds the bot to one, and a group that has the bot again whose tables were
// closed are told what that means.
func TestNobodyIsMetWithSilence(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		bob, ann := c.server.NewUser("Bob", "en"), c.server.NewUser("Аня", "ru")
		ann.Start("")
		group := c.server.NewGroup("Friends")
		rest(time.Minute)
		for range 20 { // Nobody gets more than their share.
			group.Write(map[string]any{
				"text": "/zevaka", "from": map[string]any{"id": 136817688, "is_bot": true, "first_name": "Channel"},
				"sender_chat": map[string]any{"id": -1000000000099, "type": "channel", "title": "News"},
			}, 0)
		}
		rest(time.Minute)
		if all := group.Messages(); len(all) == 0 || len(all) > ownAnswers+1 || !strings.HasPrefix(all[0].Text, "You're writing as a channel") || all[0].ReplyTo == 0 {
			t.Errorf("a channel is told %+v", all)
		}
		for _, who := range []*telegramtest.User{bob, ann} {
			told := c.server.NewChannel("News", who).Messages
			rest(time.Minute)
			private := who.Private().Messages()
			if who == ann && (len(told()) > 0 || len(private) == 0 || !strings.HasPrefix(private[len(private)-1].Text, "В канале")) ||
				who == bob && (len(told()) != 1 || !strings.HasPrefix(told()[0].Text, "Nobody can sit")) {
				t.Errorf("who adds it to a channel is told %+v, and the channel %+v", private, told())
			}
		}
		group.Say(bob, "/zevaka")
		c.board(group, "1. Bob")
		rest(time.Minute)
		group.Kick(true)
		rest(time.Second)
		group.Add(bob)
		rest(time.Minute)
		said := func() (n int) {
			for _, m := range group.Messages() {
				if strings.HasPrefix(m.Text, "The tables that stood here were closed") {
					n++
				}
			}
			return n
		}
		if said() != 1 {
			t.Errorf("the group is told %d times that its table is closed", said())
		}
		group.Kick(true)
		rest(time.Second)
		group.Add(bob)
		rest(time.Minute)
		if said() != 1 {
			t.Error("a group without tables is told that they are closed")
		}
	})
}

// TestMutedIsTriedOnce: where the bot may not write, one message is tried for all that wait, however many tables were opened there, and what waits
// comes once it may.
func TestMutedIsTriedOnce(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, _ *casino) {
		ann, g := x.server.NewUser("Аня", ""), x.server.NewForum("Cards")
		g.Mute(true)
		for topic := range int64(20) {
			g.SayIn(3+topic/2, ann, "/zevaka")
			rest(2 * time.Second)
			g.SayIn(3+topic/2, ann, "/stop")
			rest(2 * time.Second)
		}
		rest(2 * time.Hour)
		before := x.server.Report().Counts["sendMessage"]
		rest(time.Hour)
		if n := x.server.Report().Counts["sendMessage"] - before; n == 0 || n > 8 {
			t.Errorf("in an hour %d messages are tried", n)
		}
		g.Mute(false)
		x.until("what has waited", func() bool { return len(g.Messages()) == 20 })
	})
}

// TestMutedAnswersNobodyLate: what people have asked where the bot may not write is given up in the time that one answer takes, however many ask.
func TestMutedAnswersNobodyLate(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, _ *casino) {
		g := x.server.NewGroup("Cards")
		g.Mute(true)
		for n := range 10 {
			g.Say(x.server.NewUser(fmt.Sprint("P", n), ""), fmt.Sprint("/rules ", []string{"zevaka", "banchok"}[n%2]))
			rest(40 * time.Second)
		}
		rest(30 * time.Minute) // What is queued just as another answer is tried has one more try before it.
		g.Mute(false)
		g.Say(x.server.NewUser("Аня", ""), "/zevaka")
		rest(10 * time.Minute)
		if n := len(g.Messages()); n != 1 {
			t.Errorf("there stand %d messages", n)
		}
	})
}

// TestClosedTopic: a topic that is closed keeps nothing waiting but what goes there.
func TestClosedTopic(t *testing.T) {
	for text, want := range map[string]int64{"Bad Request: TOPIC_CLOSED": 3, "Bad Request: not enough rights to send text messages to the chat": everyTopic} {
		if at := spotOf(&apiError{text: text}, chat.Place{Thread: 3}, true); at != (spot{want, true}) {
			t.Errorf("after %q nothing is written to %+v", text, at)
		}
	}
}
