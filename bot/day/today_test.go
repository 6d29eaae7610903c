package day_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// until lets running time pass up to an hour of the day, at which the clock rings. It returns what was said then.
func until(h *bottest.Hall, hour int) []chat.Post { return untilMinute(h, hour, 0) }

// untilMinute is until up to a minute of the hour.
func untilMinute(h *bottest.Hall, hour, minute int) []chat.Post {
	h.T.Helper()
	now := h.TimeOfDay().UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 1, 0, time.UTC)
	if !at.After(now) {
		at = at.Add(24 * time.Hour)
	}
	h.Running += at.Sub(now)
	h.Said = nil
	h.Pass(time.Minute)
	return slices.DeleteFunc(h.Said, func(p chat.Post) bool { return !strings.HasPrefix(p.Receipt, "day ") })
}

// stands tells the bot that a post stands in a message.
func stands(h *bottest.Hall, posts ...chat.Post) {
	h.T.Helper()
	for i, p := range posts {
		h.Asked++
		bottest.Seen(h.T.Context(), h.Bot, chat.Request{ID: fmt.Sprint("stands ", h.Asked), Kind: chat.Shown, Data: p.Receipt, In: p.In, On: chat.Ref(strconv.Itoa(i + 1))})
	}
}

// TestDayPost: a chat is told of the patience of the day at its hour, once a day, whatever happens to the program and to the clock.
func TestDayPost(t *testing.T) {
	h := bottest.NewHall(t)
	if r := h.Ask(1, 1, chat.Command, "/day post 9"); !h.Is(r, "only-admin") {
		t.Errorf("anybody may: %+v", r)
	}
	h.Must(1, bottest.Warden, chat.Command, "/day post 9")
	h.Must(2, bottest.Warden, chat.Command, "/day post 23:00 UTC-2")
	h.Must(3, bottest.Warden, chat.Command, "/day post=10")
	h.Must(3, bottest.Warden, chat.Command, "/day post off")
	once := func(when string, posts []chat.Post, channel int64) {
		t.Helper()
		if len(posts) != 1 || posts[0].In.Channel != channel {
			t.Fatalf("%s: %d posts: %+v", when, len(posts), posts)
		}
		stands(h, posts...)
	}
	once("at nine", until(h, 9), 1)
	if more := until(h, 12); len(more) > 0 {
		t.Errorf("later: %+v", more)
	}
	once("at one", until(h, 1), 2)
	until(h, 8)
	once("the next day", until(h, 9), 1)
	h.Restart()
	if more := until(h, 10); len(more) > 0 {
		t.Errorf("after a restart: %+v", more)
	}
	h.Wall = 24 * time.Hour // The clock is a day ahead: it is told, and not again when the clock is right.
	once("ahead", until(h, 11), 1)
	h.Wall = 0
	h.Restart()
	until(h, 1)
	if more := until(h, 9); len(more) > 0 {
		t.Errorf("told of that day before: %+v", more)
	}
	until(h, 1)
	once("the day after", until(h, 9), 1)
	h.Wall = -24 * time.Hour
	h.Restart()
	if more := until(h, 10); len(more) > 0 {
		t.Errorf("a day back: %+v", more)
	}
	h.Wall = 0
	h.Running += 23 * time.Hour // It was stopped over its hour, and comes late.
	h.Restart()
	once("late", until(h, 10), 1)
	until(h, 8)
	h.Running += 26 * time.Hour
	h.Restart()
	if more := until(h, 14); len(more) > 0 {
		t.Errorf("much too late: %+v", more)
	}
}

// TestDayPostAtAQuarter: by a clock that is ahead by a quarter of an hour the post comes at that time, today if it is to come, and neither
// before nor twice.
func TestDayPostAtAQuarter(t *testing.T) {
	h := bottest.NewHall(t)
	until(h, 3)
	h.Must(1, bottest.Warden, chat.Command, "/day post 9:30+5:45")
	h.Restart()
	for _, at := range []struct{ hour, minute, want int }{{3, 30, 0}, {3, 45, 1}, {4, 0, 0}, {3, 30, 0}, {3, 45, 1}} {
		posts := untilMinute(h, at.hour, at.minute)
		if stands(h, posts...); len(posts) != at.want {
			t.Errorf("at %d:%d UTC: %d posts", at.hour, at.minute, len(posts))
		}
	}
}

// TestDayPostUnseen: where a post never stands it isn't tried for ever; whoever asks learns why nothing comes, and has it come again.
func TestDayPostUnseen(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, bottest.Warden, chat.Command, "/day post 9")
	says := func(when, want string, warned bool) {
		t.Helper()
		if r := h.Must(1, bottest.Warden, chat.Command, "/day post"); !strings.Contains(r.Toast, want) {
			t.Errorf("%s /day post says %q, not %q", when, r.Toast, want)
		}
		if text := bottest.FlatOf(h.Must(1, bottest.Warden, chat.Command, "/settings")); strings.Contains(text, "didn't arrive") != warned {
			t.Errorf("%s /settings says %q", when, text)
		}
	}
	says("at first", "comes here every day at 9:00 UTC", false)
	for n, want := range []int{1, 1, 1, 0, 0} {
		if n == 3 {
			h.Restart()
		}
		if posts := until(h, 9); len(posts) != want {
			t.Errorf("day %d: %d posts", n+1, len(posts))
		}
		if n == 0 {
			says("as it is on its way", "comes here every day at 9:00 UTC", false)
		}
		until(h, 1)
		says(fmt.Sprint("after day ", n+1), []string{"the last time it didn't arrive", "the last time it didn't arrive", "isn't posted here any more", "isn't posted here any more", "isn't posted here any more"}[n], true)
	}
	if r := h.Must(1, bottest.Warden, chat.Command, "/settings"); bottest.ButtonOf(r, "Patience of the day: off") == "" {
		t.Errorf("/settings shows %+v", r)
	}
	h.Must(1, bottest.Warden, chat.Command, "/day post 9")
	says("chosen again", "comes here every day at 9:00 UTC", false)
	for range 5 { // It may write there now and then.
		until(h, 9)
		until(h, 1)
		stands(h, until(h, 9)...)
		until(h, 1)
	}
	if left := stores.Items(t, h.Store, keyspace.DayPosts); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	for range 4 {
		until(h, 9)
		until(h, 1)
	}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "gone", Kind: chat.Gone, In: chat.Place{Community: h.Place(1).Community}})
	if left := stores.Items(t, h.Store, keyspace.DayPosts); len(left) > 0 {
		t.Errorf("when the bot was removed there are left: %v", left)
	}
}

// TestDayPostMoves: the post goes along with a community, and leaves with its place.
func TestDayPostMoves(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, bottest.Warden, chat.Command, "/day post 9")
	h.Must(2, bottest.Warden, chat.Command, "/day post 9")
	to := chat.Community{Platform: chat.Telegram, ID: -78}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "moved", Kind: chat.Migrated, In: h.Place(1), Data: to.String()})
	h.At = to
	if posts := until(h, 9); len(posts) != 2 || posts[0].In.Community != to {
		t.Errorf("%+v", posts)
	}
	h.Restart()
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "gone", Kind: chat.Gone, In: h.Place(1)})
	until(h, 1)
	if posts := until(h, 9); len(posts) != 1 || posts[0].In.Channel != 2 {
		t.Errorf("%+v", posts)
	}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "all gone", Kind: chat.Gone, In: chat.Place{Community: to}})
	if left := stores.Items(t, h.Store, keyspace.DayPosts); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestDayPostMovesAway: where another bot serves what a community has become, this one posts nothing there, and leaves what is wanted to it.
func TestDayPostMovesAway(t *testing.T) {
	h := bottest.NewHall(t)
	to := chat.Community{Platform: chat.Telegram, ID: -78}
	h.Serves = func(c chat.Community) bool { return c != to }
	h.Restart()
	h.Must(1, bottest.Warden, chat.Command, "/day post 9")
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "moved", Kind: chat.Migrated, In: h.Place(1), Data: to.String()})
	if posts := until(h, 9); len(posts) > 0 {
		t.Errorf("the one that it was taken from posts %+v", posts)
	}
	h.Serves = nil
	h.Restart()
	if posts := until(h, 10); len(posts) != 1 || posts[0].In.Community != to {
		t.Errorf("the other one posts %+v", posts)
	}
}

func TestParseHour(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"9": "9:00 UTC", "09": "9:00 UTC", "21:00": "21:00 UTC", "9+3": "9:00 UTC+3", " 9:00 UTC+3 ": "9:00 UTC+3", "0-12": "0:00 UTC-12", "23 +14": "23:00 UTC+14",
		"9:30": "9:30 UTC", "9+5:30": "9:00 UTC+5:30", "9:30+5:45": "9:30 UTC+5:45", "0:15-9:30": "0:15 UTC-9:30", "7 utc-0:30": "7:00 UTC-0:30",
		"": "", "24": "", "-1": "", "9+15": "", "9:10": "", "9:5": "", "9+5:10": "", "9+14:30": "", "24:00": "", ":30": "", "9+:30": "", "9+": "", "nine": "", "9+3+3": "", "utcutc9": "", "999999999999999999999": "", "9+0x3": "", "+3": "",
	} {
		h, ok := day.ParseHour(typed)
		if got := h.Text(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v", typed, got, ok)
		}
	}
}

// button is the token of a button of a response.
func button(t *testing.T, r chat.Response, begins string) string {
	t.Helper()
	for _, p := range r.Posts {
		for _, row := range p.Rows(5) {
			for _, b := range row {
				if strings.HasPrefix(b.Label, begins) {
					return b.Token
				}
			}
		}
	}
	t.Fatalf("no button %q in %+v", begins, r)
	return ""
}

// TestDayAside: in a group where patiences are laid in private the patience of the day is, too. It counts for the group, its player
// is told how the others did, and the group hears of it when the player says so, once, if they still belong there.
func TestDayAside(t *testing.T) {
	a := bottest.NewAsides(t)
	offered := a.Does(1, a.Group, chat.Command, "/day")
	if len(offered.Posts) != 1 || offered.Posts[0].To != nil {
		t.Fatalf("the group is offered %+v", offered)
	}
	follow := button(t, offered, "▶ ")
	more := button(t, a.Does(1, a.Group, chat.Press, button(t, offered, "All")), "▶ ")
	if follow != more {
		t.Errorf("%q isn't %q", follow, more)
	}
	var shares []string
	for user := int64(1); user <= 5; user++ {
		at := a.Private(user)
		laid := a.Does(user, at, chat.Followed, follow)
		if id, ok := table.ParseID(laid.Opened); !ok || id.Community != at.Community {
			t.Fatalf("laid %+v", laid)
		}
		if again := a.Does(user, at, chat.Followed, follow); again.Opened != laid.Opened {
			t.Errorf("another one is laid: %+v", again)
		}
		a.Does(user, at, chat.Press, button(t, laid, "Draw"))
		end := a.Does(user, at, chat.Press, button(t, a.Does(user, at, chat.Command, "/giveup"), "Give up"))
		told := words.Flat(end.Posts[len(end.Posts)-1].Text)
		want := fmt.Sprintf("In that chat it came out for 0 of %d.", user)
		if user == 1 {
			want = "Nobody in that chat finished this patience before you."
		}
		if !strings.Contains(told, want) {
			t.Errorf("P%d is told\n%s", user, told)
		}
		for _, p := range end.Posts {
			if p.In.Same(a.Group) {
				t.Errorf("the group is told without being asked: %+v", p)
			}
		}
		shares = append(shares, button(t, end, "📣"))
		if after := a.Does(user, at, chat.Followed, follow); after.Opened != "" || !strings.Contains(words.Flat(after.Posts[0].Text), "❌ 1 move") {
			t.Errorf("who comes again gets %+v", after)
		}
	}
	if r := a.Does(2, a.Private(2), chat.Press, shares[0]); !r.Alert || len(r.Posts) > 0 {
		t.Errorf("somebody else tells of it: %+v", r)
	}
	r := a.Does(1, a.Private(1), chat.Press, shares[0])
	if r.Alert || !r.Posts[0].In.Same(a.Group) || r.Posts[0].To != nil || !strings.HasPrefix(words.Flat(r.Posts[0].Text), "P1: ") {
		t.Fatalf("told %+v", r)
	}
	if r := a.Does(1, a.Private(1), chat.Press, shares[0]); !r.Alert || len(r.Posts) > 0 {
		t.Errorf("told twice: %+v", r)
	}
	a.Left[3] = true
	if r := a.Does(3, a.Private(3), chat.Press, shares[2]); !r.Alert || len(r.Posts) > 0 {
		t.Errorf("who has left tells the group: %+v", r)
	}
	a.Running += 4 * 24 * time.Hour
	a.Does(2, a.Private(2), chat.Command, "/tecza")
	if r := a.Does(4, a.Private(4), chat.Press, shares[3]); r.Alert {
		t.Logf("days later: %+v", r.Toast)
	}
}

// TestDayLeft: what somebody ends who isn't in the group any more doesn't count there, and stays theirs.
func TestDayLeft(t *testing.T) {
	a := bottest.NewAsides(t)
	follow := button(t, a.Does(1, a.Group, chat.Command, "/day"), "▶ ")
	laid := a.Does(1, a.Private(1), chat.Followed, follow)
	a.Left[1] = true
	a.Does(1, a.Private(1), chat.Press, button(t, laid, "Draw"))
	a.Does(1, a.Private(1), chat.Press, button(t, a.Does(1, a.Private(1), chat.Command, "/giveup"), "Give up"))
	if here := stores.Items(t, a.Store, keyspace.DayTallies+a.Group.Community.String()+"/"); len(here) > 0 {
		t.Errorf("it counts in the group: %v", here)
	}
	if own := stores.Items(t, a.Store, keyspace.DayPeople); len(own) != 1 {
		t.Errorf("of them is kept %v", own)
	}
}

// TestDayOfThePost: a post's button deals the cards of the day that it names to all who press it before the next post comes, whatever its hour
// by UTC, and the next post says how it went.
func TestDayOfThePost(t *testing.T) {
	for hour, at := range map[string]int{"9-5": 14, "8+9": 23} {
		h := bottest.NewHall(t)
		h.Must(1, bottest.Warden, chat.Command, "/day post "+hour)
		for n := range 3 {
			posts := until(h, at)
			if text := words.Flat(bottest.Drawn(posts[0]).Text); n > 0 && !strings.Contains(text, "it came out for 0 of 3.") {
				t.Errorf("at %s: %q", hour, text)
			}
			stands(h, posts...)
			of := day.Number(h.TimeOfDay())
			for user := range int64(3) {
				h.Must(1, user+1, chat.Press, bottest.Drawn(posts[0]).Buttons[0][0].Token)
				laid := h.Table(1)
				if laid.Day != of {
					t.Errorf("at %s, to person %d, of %d: %+v", hour, user, of, laid.Solo)
				}
				h.Move(1, user+1, h.Games[laid.Game].Text(h.State(laid).Moves(0, nil)[0]))
				h.Sure(1, user+1, chat.Command, "/giveup")
				h.Running += 7 * time.Hour
			}
		}
	}
}

// TestDayTomorrow: a patience that was begun before midnight counts for its own day, and the button that began it tells of that until the next
// day is over. Then it begins that day's.
func TestDayTomorrow(t *testing.T) {
	h := bottest.NewHall(t)
	until(h, 23)
	menu := h.Must(1, 1, chat.Command, "/day")
	begin := button(t, menu, "▶ ")
	h.Must(1, 1, chat.Press, begin)
	first := h.Table(1)
	h.Running += 3 * time.Hour
	h.Move(1, 1, "draw")
	h.Sure(1, 1, chat.Command, "/giveup")
	if ended := h.Look(first.ID); ended.Day != first.Day || ended.Phase != table.Ended {
		t.Fatalf("%+v", ended.Solo)
	}
	items := stores.Items(t, h.Store, keyspace.DayTallies)
	if len(items) != 1 || !strings.Contains(items[0].Key, fmt.Sprintf("/%06d/", first.Day)) {
		t.Errorf("counted: %v", items)
	}
	if r := h.Must(1, 1, chat.Press, begin); len(h.OpenTables(1)) > 0 || !strings.Contains(words.Flat(bottest.Drawn(r.Posts[0]).Text), fmt.Sprint("of the day ", first.Day)) {
		t.Errorf("after midnight the button says %+v", r)
	}
	h.Running += 24 * time.Hour
	h.Must(1, 1, chat.Press, begin)
	if next := h.Table(1); next.Day != first.Day+2 || next.Game != first.Game {
		t.Errorf("the next day the button begins %+v of %s", next.Solo, next.Game)
	}
}

// TestDayHostileNames: nothing that somebody is called changes how what they tell looks to others.
func TestDayHostileNames(t *testing.T) {
	for _, name := range []string{"\u202eevil", "a\nb ✅ 1 move", strings.Repeat("W", 500), "*_`[x](http://evil)", "Z\u0301\u0301\u0301\u0301\u0301", "<b>&amp;", ""} {
		h := bottest.NewHall(t)
		ask := func(kind chat.Kind, data string) chat.Response {
			h.Running += 2 * time.Second
			h.Asked++
			who := bottest.User(1)
			who.Name = name
			return chattest.Drawn(h.Bot.Handle(t.Context(), chat.Request{ID: fmt.Sprint("hostile ", h.Asked), Kind: kind, Who: who, Data: data, In: h.Place(1)}))
		}
		ask(chat.Press, button(t, ask(chat.Command, "/day"), "▶ "))
		ask(chat.Press, h.Button(1, "draw"))
		end := ask(chat.Press, button(t, ask(chat.Command, "/giveup"), "Give up"))
		for _, p := range ask(chat.Press, button(t, end, "📣")).Posts {
			text := words.Flat(p.Text)
			if err := chattest.Clean(text); err != nil || p.To == nil && strings.Count(text, "\n") > 0 || len(text) > 400 {
				t.Errorf("%q tells %q: %v", name, text, err)
			}
		}
	}
}

// TestHourChosenAtOnce: of two who choose an hour at once the later one's counts, also for when the post is made.
func TestHourChosenAtOnce(t *testing.T) {
	for _, chosen := range [][2]int{{9, 10}, {10, 9}} {
		s := &bottest.Meanwhile{Store: mem.New(), Key: keyspace.DayPosts}
		h := &bottest.Hall{T: t, Store: s}
		h.Restart()
		until(h, 3)
		s.Do = func() { h.Must(1, 99, chat.Command, fmt.Sprint("/day post ", chosen[1])) }
		h.Must(1, bottest.Warden, chat.Command, fmt.Sprint("/day post ", chosen[0]))
		if s.Do != nil {
			t.Fatal("nothing was stored")
		}
		until(h, 4)
		for day := range 3 {
			for hour := 9; hour <= 10; hour++ {
				posts := until(h, hour)
				stands(h, posts...)
				if day > 0 && (len(posts) == 1) != (hour == chosen[1]) {
					t.Errorf("%v: on day %d at %d: %d posts", chosen, day, hour, len(posts))
				}
			}
		}
	}
}
