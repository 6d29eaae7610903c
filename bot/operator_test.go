package bot_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage/mem"
)

// TestBlock: who is blocked can't play in any chat of the platform, also after a start, and can still see what is kept about them.
func TestBlock(t *testing.T) {
	t.Parallel()
	h := bottest.NewHall(t)
	h.Opens(1, 1, "/zevaka limit=none")
	block := func(block, changes bool) {
		t.Helper()
		changed, err := h.Bot.Block(t.Context(), chat.Telegram, 2, block)
		if err != nil || changed != changes {
			t.Errorf("block %v: %v, %v", block, changed, err)
		}
	}
	block(true, true)
	block(true, false)
	for range 2 {
		if r := h.Press(2, h.Table(1), "join"); !h.Is(r, "blocked") {
			t.Errorf("who is blocked joins: %+v", r)
		}
		if r := h.Ask(2, 2, chat.Command, "/zevaka"); !h.Is(r, "blocked") {
			t.Errorf("who is blocked opens a table: %+v", r)
		}
		for _, row := range h.Must(1, 2, chat.Command, "/mydata").Posts[0].Rows(board.MaxRow) {
			for _, button := range row {
				h.Must(1, 2, chat.Press, button.Token)
			}
		}
		h.Must(1, 3, chat.Command, "/balance")
		h.Restart()
	}
	if all := h.Bot.Blocked(); len(all) != 1 || all[0] != (chat.Community{Platform: chat.Telegram, ID: 2}) {
		t.Errorf("blocked are %v", all)
	}
	block(false, true)
	block(false, false)
	if r := h.Press(2, h.Table(1), "join"); r.Alert {
		t.Errorf("who is blocked no more can't join: %+v", r)
	}
}

// TestBlockedGivesNothing: who was asked before they were blocked, or before there is a pause, gives no chips and shows no card any more by the
// answer, and can still be forgotten.
func TestBlockedGivesNothing(t *testing.T) {
	t.Parallel()
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/daily")
	gift, card := h.Answer(1, 2, chat.Command, "/give <@1> 50"), h.Answer(1, 2, chat.Command, "/me")
	had := h.Purse(1)
	refused := func(why engine.Refusal) {
		t.Helper()
		for _, answer := range []string{gift, card} {
			if r := h.Ask(1, 2, chat.Press, answer); !h.Is(r, why) {
				t.Errorf("%q is answered: %+v", answer, r)
			}
		}
		if has := h.Purse(1); has != had {
			t.Errorf("the other has %d chips, and had %d", has, had)
		}
	}
	h.Bot.Pause("")
	refused("paused")
	h.Bot.Resume()
	for _, block := range []bool{true, false} {
		if _, err := h.Bot.Block(t.Context(), chat.Telegram, 2, block); err != nil {
			t.Fatal(err)
		}
		if block {
			refused("blocked")
		}
	}
	if h.Must(1, 2, chat.Press, gift); h.Purse(1) != had+50 {
		t.Errorf("who is blocked no more gives nothing: the other has %d chips, and had %d", h.Purse(1), had)
	}
	if _, err := h.Bot.Block(t.Context(), chat.Telegram, 2, true); err != nil {
		t.Fatal(err)
	}
	if h.Sure(1, 2, chat.Command, "/forgetme"); h.PurseOf(2).Name != "" {
		t.Errorf("who is blocked isn't forgotten: %+v", h.PurseOf(2))
	}
}

// TestBlockedLeaves: who is blocked still ends their part in any game, by a command or a button, and can be forgotten then; they do nothing else
// there, and nobody does during a pause.
func TestBlockedLeaves(t *testing.T) {
	t.Parallel()
	opens := func(line string) func(*bottest.Hall) int64 {
		return func(h *bottest.Hall) int64 { h.Opens(1, 2, line); return 2 }
	}
	for _, test := range []struct {
		name, do string
		begin    func(*bottest.Hall) int64
	}{
		{"a patience", "giveup", opens("/tecza")},
		{"a lobby", "leave", opens("/zevaka limit=none")},
		{"a lesson", "leave", opens("/zevaka learn")},
		{"a lesson's end", "enough", opens("/zevaka learn")},
		{"a game", "leave", func(h *bottest.Hall) int64 { h.Dealt("none"); return 1 }},
		{"a bank", "leave", func(h *bottest.Hall) int64 { return h.Sit(1, "20 min=20 limit=none", 1, 2).Chairs[1].User }},
		{"the next deal", "leave", func(h *bottest.Hall) int64 { h.Press(3, h.Sit(1, "20 min=20 limit=none", 1, 2), "join"); return 3 }},
	} {
		for _, kind := range []chat.Kind{chat.Command, chat.Press} {
			if kind == chat.Command && test.do == "enough" {
				continue // It is a button alone.
			}
			t.Run(test.name+" by "+kind.Name(), func(t *testing.T) {
				h := bottest.NewHall(t)
				user := test.begin(h)
				one := h.Table(1)
				token := func(do string) string {
					tok := table.Token{Table: one.ID, Do: "!" + do}
					if one.Phase == table.Playing {
						tok.Epoch = one.Epoch(h.State(one))
					}
					return tok.String()
				}
				data := map[chat.Kind]string{chat.Command: "/" + test.do, chat.Press: token(test.do)}[kind]
				h.Bot.Pause("")
				if r := h.Ask(1, user, kind, data); !h.Is(r, "paused") {
					t.Errorf("during a pause: %+v", r)
				}
				h.Bot.Resume()
				stop := token("stop")
				if one.Host == user && one.Persons() > 1 {
					stop = h.Answer(1, user, chat.Press, stop)
				}
				if _, err := h.Bot.Block(t.Context(), chat.Telegram, user, true); err != nil {
					t.Fatal(err)
				}
				before := h.Everything()
				refused := func(kind chat.Kind, data string) {
					t.Helper()
					if r := h.Ask(1, user, kind, data); !h.Is(r, "blocked") {
						t.Errorf("%s: %+v", data, r)
					}
				}
				for _, action := range play.Actions() {
					if !slices.Contains([]string{"leave", "giveup", "enough", "answer"}, action.Name) {
						refused(chat.Press, token(action.Name+" 1"))
					}
				}
				for _, line := range []string{"/stop", "/back", "/m draw", "/table", "/zevaka"} {
					refused(chat.Command, line)
				}
				refused(chat.Press, stop)
				refused(chat.Followed, token(test.do))
				if changed := h.Changed(before); len(changed) > 0 {
					t.Errorf("it changes %v", changed)
				}
				if r := h.Surely(1, user, kind, data); r.Alert {
					t.Fatalf("they don't get up: %+v", r)
				}
				for other := range int64(3) {
					h.Surely(1, other+1, chat.Command, "/leave") // So the game ends.
				}
				if h.Sure(1, user, chat.Command, "/forgetme"); h.Name(user) != "" {
					t.Errorf("they aren't forgotten: %q", h.Name(user))
				}
				h.Audit()
			})
		}
	}
}

// TestBlockAtOnce: of two who are blocked at once neither plays on.
func TestBlockAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &bottest.Meanwhile{Store: mem.New(), Key: keyspace.Blocked}
		h := &bottest.Hall{T: t, Store: s}
		h.Restart()
		block := func(user int64) {
			if _, err := h.Bot.Block(t.Context(), chat.Telegram, user, true); err != nil {
				t.Error(err)
			}
		}
		s.Do = func() {
			go block(2)
			synctest.Wait() // It is done, or waits for its turn.
		}
		block(1)
		synctest.Wait()
		for user := range int64(2) {
			if r := h.Ask(1, user+1, chat.Command, "/balance"); !h.Is(r, "blocked") {
				t.Errorf("P%d is answered %q", user+1, r.Toast)
			}
		}
	})
}
