package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
)

// offered are the tokens of all buttons that members are shown who ask for everything.
func offered(h *bottest.Hall) []string {
	tokens := map[string]bool{}
	for channel := range int64(8) {
		for _, user := range []int64{1, 2, 99} {
			for _, line := range []string{
				"/help", "/settings", "/settings me", "/notify", "/patience", "/day", "/top", "/scores", "/history", "/replay", "/ledger", "/give P5 10", "/table",
				"/hand", "/rules", "/stop", "/leave", "/remove", "/me", "/mydata", "/forgetme", "/zevaka", "/banchok", "/fair", "/privacy", "/tecza deal=9",
			} {
				r := h.Request(channel+1, user, chat.Command, line)
				r.In.Crowded = channel%2 == 0
				h.Running += 2e9
				for _, p := range bottest.Seen(h.T.Context(), h.Bot, r).Posts {
					for _, row := range p.Rows(board.MaxRow) {
						for _, b := range row {
							tokens[b.Token] = true
						}
					}
				}
			}
		}
	}
	delete(tokens, "")
	return slices.Sorted(maps.Keys(tokens))
}

// TestOfferedFromElsewhere has those who are outside press every button that members are shown, with all that stands in it, and so has
// another community: nothing that is stored changes, but what is somebody's own.
func TestOfferedFromElsewhere(t *testing.T) {
	h := bottest.Brink(t)
	h.PlayZevaka(7, 1, 2)
	h.GiveUpPatience(8, 1)
	all := offered(h)
	if len(all) < 300 {
		t.Fatalf("only %d buttons are offered", len(all))
	}
	afar := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: -5}
	for _, token := range all {
		_, do, _ := strings.Cut(token, ".!")
		name, _, _ := strings.Cut(do, " ")
		ends := slices.Contains([]string{"leave", "giveup", "answer", "enough"}, name)
		try := func(who string, mayEnd bool, press func()) {
			before := h.Everything()
			press()
			changed := h.Changed(before)
			for _, key := range changed {
				if (!mayEnd || !ends) && !strings.HasPrefix(key, keyspace.Questions) {
					t.Errorf("%s: %s changes %s", who, token, key)
				}
			}
			if len(changed) > 0 {
				h = restored(h, before)
			}
		}
		for _, e := range elsewheres() {
			for _, user := range []int64{1, 2, 8} {
				if e.want != nil {
					try(fmt.Sprint(e.name, ", P", user), user != 8, func() { e.from(h, 1, user, chat.Press, token) })
				}
			}
		}
		for _, kind := range []chat.Kind{chat.Press, chat.Followed} {
			try("another community", false, func() {
				h.Asked++
				r := chat.Request{ID: fmt.Sprint("afar ", h.Asked), Kind: kind, Who: bottest.User(1), Data: token, In: afar}
				bottest.Seen(t.Context(), h.Bot, r)
			})
		}
	}
}

// TestDayIsOfferedToAll: the buttons of the patience of the day are good for who presses them, though many others have asked for patiences
// of their own meanwhile, or for all of them in other topics.
func TestDayIsOfferedToAll(t *testing.T) {
	for name, line := range map[string]string{"own": "/patience tecza", "all": "/patience"} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			crowded := func(thread, user int64, line string) chat.Response {
				h.Running += 2e9
				r := h.Request(1, user, chat.Command, line)
				r.In.Crowded, r.In.Thread = true, thread
				return bottest.Seen(t.Context(), h.Bot, r)
			}
			token := bottest.ButtonOf(crowded(0, 1, "/day"), "▶")
			for n := range int64(table.MaxOffers + 1) {
				if r := crowded(n+1, 10+n, line); r.Alert {
					t.Fatal(r.Toast)
				}
			}
			own := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 2}, Channel: 2, Private: true}
			h.Running += 2e9
			r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("follows ", name), Kind: chat.Followed, Who: bottest.User(2), Data: token, In: own})
			if r.Opened == "" {
				t.Errorf("who takes up the patience of the day is answered %q", r.Toast)
			}
		})
	}
}
