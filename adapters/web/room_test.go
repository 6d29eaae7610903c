package web

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

func TestTalkAndCommands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		_, srv := serve(t, d)
		ann, bob := sit(t, srv, "Аня"), sit(t, srv, "Боря")
		w := bob.look()
		if h := w.until("room"); h.You != publicID(bob.id()) || len(h.Messages) != 0 || len(h.Run) < 8 {
			t.Errorf("at first: %+v", h)
		}
		ann.say("привет <b>всем</b>")
		if m := w.until("put").Message; m.read() != "привет <b>всем</b>" || m.From.Name != "Аня" || m.Echo || m.From.ID == ann.secret {
			t.Errorf("talk: %+v", m)
		}
		ann.say("  /zevaka 21б\n")
		table := w.until("put").Message
		own := ann.look().until("room").Messages
		if m := own[1]; m.read() != "/zevaka 21б" || !m.Echo || !m.Private {
			t.Errorf("what Аня typed is shown to her as %+v", m)
		}
		if table.Table != "T" || table.From != nil || len(table.Buttons)+len(table.Text) > 0 || table.Picture != nil { // Who looks at it is told what there is to see.
			t.Errorf("table: %+v", table)
		}
		if got := d.heard.Of(chat.Shown); len(got) != 1 || got[0].On != table.Ref || got[0].Data != "at T" || got[0].ID == "" {
			t.Errorf("shown: %+v", got)
		}
		if got := bob.press("flip", table.Ref); got.Toast != "flipped" || got.Alert {
			t.Errorf("press: %+v", got)
		}
		if m := w.until("put").Message; m.Ref != table.Ref || m.N != table.N {
			t.Errorf("the edit stands in %s at %d, not in %s at %d", m.Ref, m.N, table.Ref, table.N)
		}
		if got := d.heard.Of(chat.Press); len(got) != 1 || got[0].On != table.Ref || got[0].Who.Name != "Боря" {
			t.Errorf("press: %+v", got)
		}
		if got := d.heard.Of(chat.Shown); len(got) != 1 {
			t.Errorf("an edit was reported: %+v", got)
		}
		if got := bob.press("nonsense", table.Ref); !got.Alert || got.Toast == "" {
			t.Errorf("a refusal: %+v", got)
		}
		ann.do(ann.request("/say", note{Text: "/table", Table: "w1/1ab2c"}))
		if got := d.heard.Of(chat.Command); got[len(got)-1].Table != "w1/1ab2c" {
			t.Errorf("what is looked at: %+v", got)
		}
		ann.press("end", table.Ref)
		if got := d.heard.Of(chat.Shown); len(got) != 2 || got[1].On != table.Ref || got[1].ID == got[0].ID {
			t.Errorf("the last picture was not reported: %+v", got)
		}
	})
}

// TestTalkKeepsToItself: what somebody says can't turn around, hide or cover what stands beside it.
func TestTalkKeepsToItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		w := ann.look()
		w.until("room")
		for line, want := range map[string]string{
			"\u202eabc \u2067d":                "abc d",
			"a\u0000b\u2028c":                  "a b c",
			"Z" + strings.Repeat("\u0300", 50): "Z\u0300\u0300",
			"שלום":                             "\u2068שלום\u2069",
			"/x \u202ey":                       "/x y",
			"7♠ <b>":                           "7♠ <b>",
		} {
			ann.say(line)
			if got := w.until("put").Message.read(); got != want {
				t.Errorf("%q is read as %q, want %q", line, got, want)
			}
		}
		if got := ann.say("\u202e\u200b"); got.Error != "empty" {
			t.Errorf("nothing to be seen: %+v", got)
		}
	})
}

func TestTalkSentTwiceIsSaidOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		for range 2 {
			ann.do(ann.request("/say", note{ID: "same", Text: "раз"}))
		}
		ann.say("два")
		h := ann.look().until("room")
		if len(h.Messages) != 2 || h.Messages[1].read() != "два" {
			t.Errorf("said: %+v", h.Messages)
		}
	})
}

func TestPrivatePostsReachOneReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r, srv := serve(t, d)
		ann, bob := sit(t, srv, "Аня"), sit(t, srv, "Боря")
		watch := bob.look()
		watch.until("room")
		own, other := ann.look(), ann.look()
		own.until("room")
		other.until("room")
		ann.say("/secret")
		bob.say("done")
		for {
			m := watch.until("put").Message
			if m.Private || strings.Contains(m.read(), "only") {
				t.Fatalf("Боря reads %q", m.read())
			}
			if m.read() == "done" {
				break
			}
		}
		for _, w := range []*window{own, other} {
			w.until("put")
			if m := w.until("put").Message; !m.Private || m.read() != "for Аня only" {
				t.Errorf("Аня reads %+v", m)
			}
		}
		if h := bob.look().until("room"); len(h.Messages) != 1 {
			t.Errorf("Боря's snapshot: %+v", h.Messages)
		}
		mine := ann.look().until("room").Messages[1]
		if mine.read() != "for Аня only" {
			t.Fatalf("Аня's snapshot: %+v", mine)
		}
		bob.do(bob.request("/dismiss", note{On: mine.Ref}))
		if on := r.pressable(mine.Ref, 1, bob.id()); on != "" {
			t.Error("Боря may press on Аня's message")
		}
		if h := ann.look().until("room"); len(h.Messages) != 3 {
			t.Error("Боря took away what Аня reads")
		}
		ann.do(ann.request("/dismiss", note{On: mine.Ref}))
		if h := own.until("drop"); h.Ref != mine.Ref {
			t.Errorf("dropped: %+v", h)
		}
		if h := ann.look().until("room"); len(h.Messages) != 2 {
			t.Errorf("after all: %+v", h.Messages)
		}
		ann.do(ann.request("/dismiss", note{On: ann.look().until("room").Messages[1].Ref}))
		if h := ann.look().until("room"); len(h.Messages) != 2 {
			t.Error("a message for everybody was taken away")
		}
	})
}

// TestEditsStayWhereTheyBelong edits messages that an answer must not fall on.
func TestEditsStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		ann.say("привет")
		who := chat.User{ID: ann.id(), Name: "Аня"}
		talk := ann.look().until("room").Messages[0].Ref
		in := place(1)
		public := show(t, r, chat.Post{In: in, Table: "A", Level: 1, Message: text("A1")})
		private := show(t, r, chat.Post{In: in, To: &who, Message: text("hand")})
		tests := map[string]struct {
			old  chat.Ref
			post chat.Post
		}{
			"a person's words":         {talk, chat.Post{In: in}},
			"another channel":          {public, chat.Post{In: place(2)}},
			"another table":            {public, chat.Post{In: in, Table: "B", Level: 7}},
			"public to private":        {public, chat.Post{In: in, To: &who}},
			"private to public":        {private, chat.Post{In: in}},
			"what is not there":        {"zzzzzzzzzz-1", chat.Post{In: in}},
			"an earlier run's message": {"earlier-2", chat.Post{In: in}},
		}
		for name, test := range tests {
			before := r.messages[test.old]
			test.post.Edit, test.post.Message = test.old, text(name)
			if ref := show(t, r, test.post); ref == test.old || r.messages[test.old] != before {
				t.Errorf("%s: edited", name)
			}
		}
		if got := sit(t, srv, "Боря").press("x", private); got.status != 200 {
			t.Errorf("press: %+v", got)
		}
		if got := r.Bot.(*dealer).heard.Of(chat.Press)[0].On; got != "" {
			t.Errorf("pressed on %q", got)
		}
		if _, err := r.post(chat.Post{In: place(9)}, source{}); !errors.Is(err, errNowhere) {
			t.Errorf("channel 9: %v", err)
		}
	})
}

// show is where a post came to stand.
func show(t *testing.T, r *Room, p chat.Post) chat.Ref {
	t.Helper()
	ref, err := r.post(p, source{})
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestLevels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _ := serve(t, &dealer{})
		in := place(1)
		picture := func(level uint64, edit chat.Ref) chat.Post {
			return chat.Post{In: in, Edit: edit, Table: "A", Level: level, Message: text(fmt.Sprint("level ", level))}
		}
		shows := func(what string, ref chat.Ref, want string) {
			t.Helper()
			if m := r.messages[ref]; m == nil || words.Flat(m.body.text) != want {
				t.Errorf("%s: want %q, shown %+v", what, want, m)
			}
		}
		first := show(t, r, picture(5, ""))
		show(t, r, picture(7, first))
		show(t, r, picture(6, first))
		shows("answers that overtake each other", first, "level 7")
		show(t, r, picture(7, first))
		shows("the same again", first, "level 7")

		show(t, r, chat.Post{In: in, Edit: first, Message: text("moved down")})
		second := show(t, r, picture(6, ""))
		shows("a new message with an older picture", second, "level 7")
		if ref := show(t, r, picture(6, first)); ref != second {
			t.Errorf("an older picture for the old message: reported in %q, not %q", ref, second)
		}
		shows("the old message", first, "moved down")
		show(t, r, picture(8, second))
		shows("and on", second, "level 8")

		if ref := show(t, r, picture(9, "earlier-1")); ref != second {
			t.Errorf("a message of an earlier run: in %q, not where the table is, %q", ref, second)
		}
		shows("and on", second, "level 9")
		if n := len(r.channels[0].messages); n != 2 {
			t.Errorf("%d messages", n)
		}

		ann, bob := chat.User{ID: 5}, chat.User{ID: 6}
		hand := func(level uint64, to *chat.User) chat.Post {
			p := picture(level, "")
			p.To = to
			return p
		}
		old := show(t, r, hand(9, &ann))
		show(t, r, hand(3, &bob))
		newer := show(t, r, hand(8, &ann))
		shows("a hand that was overtaken", newer, "level 9")
		if r.messages[old] != nil {
			t.Error("two hands of one table for one reader")
		}
		shows("the table of all", second, "level 9")
	})
}

func TestRestartMakesNewRefs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		one, srvOne := serve(t, d)
		_, srvTwo := serve(t, d)
		ann := sit(t, srvOne, "Аня")
		ann.say("/zevaka")
		old := d.stands
		if old == "" || one.messages[old] == nil {
			t.Fatalf("the table stands in %q", old)
		}
		again := sit(t, srvTwo, "Аня")
		w := again.look()
		if h := w.until("room"); h.Run == one.run || h.You != publicID(ann.id()) {
			t.Errorf("after the restart: run %q, you %q", h.Run, h.You)
		}
		again.press("flip", old)
		m := w.until("put").Message
		if m.Ref == old || d.stands != m.Ref {
			t.Errorf("the table stands in %q, the bot thinks in %q; before in %q", m.Ref, d.stands, old)
		}
		if got := d.heard.Of(chat.Press)[0]; got.On != "" {
			t.Errorf("pressed on a message that is gone: %q", got.On)
		}
	})
}

func TestOldMessagesGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r, srv := serve(t, d)
		ann := sit(t, srv, "Аня")
		ann.say("/zevaka")
		table := d.stands
		// Nobody talks more than others, so it is the age alone that counts.
		talks := func(n int) {
			home := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}), 32)
			who := chat.User{ID: int64(n), Name: "Аня"}
			r.talk(talk{id: fmt.Sprint(n), channel: 1, who: who, from: home, line: fmt.Sprint(n)})
		}
		for n := range maxMessages + 50 {
			talks(n)
		}
		if n := len(r.channels[0].messages); n != maxMessages || len(r.messages) != n {
			t.Errorf("%d messages, %d in all", n, len(r.messages))
		}
		if r.messages[table] == nil {
			t.Error("the open table is gone")
		}
		ann.press("end", table)
		talks(maxMessages + 50)
		if r.messages[table] != nil || len(r.boards) != 0 {
			t.Error("a table that has ended stays for ever")
		}
	})
}

// TestTalkInEachLanguage: what the bot says to all in the room each reads in their own language, whether they were there or come later; and
// what people say as they said it.
func TestTalkInEachLanguage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		ann, bob, eve := sit(t, srv, "Ann"), sit(t, srv, "Bob"), sit(t, srv, "Eve")
		ann.admin = *r.admin.Load()
		ann.lang, bob.lang, eve.lang = "ru", "pl", "en"
		watch := eve.look()
		watch.until("room")
		ann.say("/zevaka 21b limit=none")
		bob.presses(r, "!join")
		ann.presses(r, "!deal")
		bob.say("/balance")
		ann.say("/balance")
		for _, line := range []string{"/give Bob 50", "/top", "/scores", "/day post 9", "/stop"} {
			if got := ann.say(line); len(got.Said) > 0 && !isReading(line) { // Asked whether that is meant.
				ann.press(got.Said[0].Buttons[0][0].Token, got.Said[0].Ref)
			}
		}
		alone := bob.do(bob.request("/say", note{Text: "/scores", Alone: true})).Said
		if heard := ann.say("/scores zevaka").Said; len(alone) != 1 || !alone[0].Private || len(heard) != 1 || !heard[0].Private || !strings.Contains(alone[0].read(), "wyn") {
			t.Errorf("who asks without a word is told %+v, else %+v", alone, heard)
		}
		ann.say("Hi!")
		read := map[string][]string{}
		for _, p := range []*tab{ann, bob, eve} {
			for _, m := range p.look().until("room").Messages {
				if !m.Private && (m.Table == "" || m.Won) {
					read[p.lang] = append(read[p.lang], m.read())
				}
			}
		}
		var told []string
		for len(told) < len(read["en"]) {
			if m := watch.until("put").Message; !m.Private && (m.Table == "" || m.Won) {
				told = append(told, m.read())
			}
		}
		slices.Sort(told)
		if later := slices.Sorted(slices.Values(read["en"])); !slices.Equal(told, later) {
			t.Errorf("who was there read %q, who comes later %q", told, later)
		}
		for i, en := range read["en"] {
			ru, pl := read["ru"][i], read["pl"][i]
			if said := en == "Hi!"; (ru == en || pl == en || ru == pl) != said {
				t.Errorf("they read %q, %q, %q", ru, pl, en)
			}
			cyrillic := func(s string) bool {
				return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
			}
			if cyrillic(en) || cyrillic(pl) || !cyrillic(ru) && en != "Hi!" {
				t.Errorf("in another script: %q, %q, %q", ru, pl, en)
			}
		}
		if n := len(read["en"]); n != 3 {
			t.Errorf("%d things were said", n)
		}
	})
}

// TestBoardLeavesNoTalk: the message in which a table stood before is still that table's, so that no talk shows it.
func TestBoardLeavesNoTalk(t *testing.T) {
	t.Parallel()
	r := New(nil, Options{Log: quiet()})
	board := chat.Post{In: place(1), Table: "w1/a", Level: 1, Message: chat.Message{Text: []chat.Span{{Text: "a patience"}}}}
	former, err := r.post(board, source{})
	if err != nil {
		t.Fatal(err)
	}
	board.Level++
	standing, err := r.post(board, source{})
	if err != nil || standing == former {
		t.Fatalf("it stands in %q, %v, as before", standing, err)
	}
	if _, err := r.post(chat.Post{In: place(1), Edit: former, Message: board.Message}, source{}); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []chat.Ref{former, standing} {
		if got := r.viewOf(ref); len(got) != 1 || got[0].Table != "w1/a" {
			t.Errorf("%s is %+v", ref, got)
		}
	}
	board.Level, board.Edit = board.Level+1, standing
	if at, err := r.post(board, source{}); at != standing {
		t.Errorf("the next picture stands in %q, %v; want %q", at, err, standing)
	}
}
