package account_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/account"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// TestGiftWords: what can't be given is refused in words, and nothing moves.
func TestGiftWords(t *testing.T) {
	for _, test := range []struct {
		line string
		want engine.Refusal
	}{
		{"/give", account.ErrGift},
		{"/give P2", account.ErrGift},
		{"/give 50", account.ErrGift},
		{"/give P2 0", account.ErrGift},
		{"/give P2 -5", account.ErrGift},
		{"/give P2 +5", account.ErrGift},
		{"/give P2 1e9", account.ErrGift},
		{"/give P2 12,50", account.ErrGift},
		{"/give P2 12.50", account.ErrGift},
		{"/give P2 ва-банк", account.ErrGift},
		{"/give P2 99999999999999999999", account.ErrGift},
		{"/give P2 1000000000001", purse.ErrAmount},
		{"/give P2 3001", purse.ErrShort},
		{"/give P1 5", purse.ErrSelf},
		{"/give <@1> 5", purse.ErrSelf},
		{"/give nobody 5", account.ErrPerson},
		{"/give <@4> 5", account.ErrNoPurse},     // P4 plays in another community.
		{"/give <@12345> 5", account.ErrNoPurse}, // A bot, say: it has no purse.
		{"/give <@0> 5", account.ErrPerson},
		{"/give twin 5", account.ErrPersons},
		{"/grant P2 5", table.ErrNotAdmin},
	} {
		t.Run(test.line, func(t *testing.T) {
			h := bottest.NewHall(t)
			for user := range int64(2) {
				h.Must(1, user+1, chat.Command, "/balance")
			}
			for _, twin := range []int64{7, 8} {
				h.Asked++
				bottest.Seen(t.Context(), h.Bot, chat.Request{
					ID: fmt.Sprint("twin ", h.Asked), Kind: chat.Command, Who: chat.User{ID: twin, Name: "Twin"}, Data: "/balance", In: bottest.PlaceOf(1),
				})
			}
			elsewhere := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -78}, Channel: 1}
			bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "elsewhere", Kind: chat.Command, Who: bottest.User(4), Data: "/balance", In: elsewhere})
			if r := h.Ask(1, 1, chat.Command, test.line); !h.Is(r, test.want) {
				t.Errorf("it is answered %+v, want no.%s", r, test.want)
			}
			holds(h, 1, 3000)
			holds(h, 2, 3000)
			h.Audit()
		})
	}
}

// holds wants so much in a purse.
func holds(h *bottest.Hall, user, want int64) {
	h.T.Helper()
	if got := h.Purse(user); got != want {
		h.T.Errorf("the purse of P%d holds %d, not %d", user, got, want)
	}
}

// TestGiveOnce: a gift is asked for again, is made once however often its button is pressed or delivered, and is refused
// when the purse is short by then or the admins have switched gifts off.
func TestGiveOnce(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 2, chat.Command, "/balance")
	asked := h.Must(1, 1, chat.Command, "/give p2 2000")
	if p := asked.Posts[0]; len(asked.Posts) != 1 || p.To == nil || p.To.ID != 1 || h.Purse(1) != 3000 {
		t.Fatalf("it is asked %+v, and the purse holds %d", asked, h.Purse(1))
	}
	button := asked.Posts[0].Buttons[0][0].Token
	other := h.Must(1, 1, chat.Command, "/give <@2> 2000").Posts[0].Buttons[0][0].Token
	if r := h.Must(1, 1, chat.Press, button); len(r.Posts) != 1 || r.Posts[0].To != nil {
		t.Errorf("the gift is announced %+v", r.Posts)
	}
	for range 3 {
		if r := h.Ask(1, 1, chat.Press, button); !h.Is(r, table.ErrAnswered) || len(r.Posts) != 0 || h.Purse(2) != 5000 {
			t.Errorf("once more: %+v, and the other purse holds %d", r, h.Purse(2))
		}
	}
	if r := h.Ask(1, 1, chat.Press, other); !h.Is(r, purse.ErrShort) || h.Purse(1) != 1000 {
		t.Errorf("with a short purse: %+v, %d", r, h.Purse(1))
	}
	// Nobody else's press of the button gives anything of the first one's.
	h.Ask(1, 3, chat.Press, button)
	if h.Purse(1) != 1000 {
		t.Errorf("somebody else's press leaves %d", h.Purse(1))
	}
	last := h.Must(1, 1, chat.Command, "/give P2 1").Posts[0].Buttons[0][0].Token
	h.Must(1, 99, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!set gifts off"))
	for _, r := range []chat.Response{h.Ask(1, 1, chat.Press, last), h.Ask(1, 1, chat.Command, "/give P2 1")} {
		if !h.Is(r, account.ErrGiftsOff) {
			t.Errorf("with gifts switched off: %+v", r)
		}
	}
	h.Must(1, 99, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!set gifts on"))
	h.Must(1, 1, chat.Press, last)
	if h.Purse(1) != 999 {
		t.Errorf("in the end %d are left", h.Purse(1))
	}
	h.Audit()
}

// TestGrant: a grant is made and announced once, however often its command is delivered.
func TestGrant(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 2, chat.Command, "/balance")
	r := chat.Request{ID: "grant", Kind: chat.Command, Who: bottest.User(99), Data: "/grant P2 50", In: bottest.PlaceOf(1)}
	posts := 0
	for range 3 {
		posts += len(bottest.Seen(t.Context(), h.Bot, r).Posts)
	}
	if posts != 1 || h.Purse(2) != 3050 {
		t.Errorf("%d announcements, %d in the purse", posts, h.Purse(2))
	}
	line := h.Must(1, 2, chat.Command, "/ledger").Posts[0]
	if line.To == nil || !strings.Contains(words.Flat(line.Text), "+50") {
		t.Errorf("the ledger says %q", words.Flat(line.Text))
	}
	h.Audit()
}

// TestForgedChips: whoever writes a token reaches no purse but their own, and none where they never played.
func TestForgedChips(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 2, chat.Command, "/balance")
	h.Must(1, 5, chat.Command, "/balance")
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 5}, Channel: 5, Private: true}
	give := table.Token{Table: table.ID{Community: bottest.PlaceOf(1).Community, Name: table.NoTable}, Do: "!give 2 100 00000000"}.String()
	for i, in := range []chat.Place{private, {Community: chat.Community{Platform: chat.Telegram, ID: -78}, Channel: 1}, bottest.PlaceOf(1)} {
		r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("forged ", i), Kind: chat.Press, Who: bottest.User(5), Data: give, In: in})
		if !r.Alert || h.Purse(2) != 3000 {
			t.Errorf("from %+v: %+v, and P2 has %d", in, r, h.Purse(2))
		}
	}
	for _, do := range []string{
		"!give", "!give 2", "!give 2 5", "!give 2 5 a b", "!give x! 5 a", "!give 2 -5 a", "!give 2 0 a", "!give 2 x a",
		"!give 2 5 a", "!forget", "!answer", "!answer X 0", "!answer  0", "!answer X", "!answer X -1", "!ledger x", "!ledger 0", "!ledger -1", "!top", "!", "stake 5",
	} {
		data := table.Token{Table: table.ID{Community: bottest.PlaceOf(1).Community, Name: table.NoTable}, Do: do}.String()
		h.Must(1, 6, chat.Command, "/balance")
		if r := h.Ask(1, 6, chat.Press, data); !r.Alert {
			t.Errorf("%q is answered %+v", do, r)
		}
	}
	h.Audit()
}

// TestLongestButtons: the longest signs and numbers fit into a button.
func TestLongestButtons(t *testing.T) {
	r := chat.Request{ID: "x", In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: math.MinInt64}}}
	answer := table.Token{Table: table.ID{Community: r.In.Community, Name: "zzzzzzzzzzzzz"}, Do: "!answer ABCDEFGHIJKLM 24"}.String()
	for _, tok := range []string{answer, table.PlaceToken(r, "!ledger 999999999999")} {
		if len(tok) > table.MaxToken {
			t.Errorf("%d bytes: %s", len(tok), tok)
		}
		if _, err := table.ParseToken(tok); err != nil {
			t.Errorf("%s: %v", tok, err)
		}
	}
}

// TestPages: one's own entries come page by page, privately, and the next page can be read where one reads alone.
func TestPages(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/balance")
	for i := range 30 {
		h.Must(1, 99, chat.Command, fmt.Sprint("/grant P1 ", i+1))
	}
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1}, Channel: 1, Private: true}
	response := h.Must(1, 1, chat.Command, "/ledger")
	var amounts []string
	pages := 0
	for {
		pages++
		post := response.Posts[0]
		if len(response.Posts) != 1 || post.To == nil || post.To.ID != 1 {
			t.Fatalf("a page is answered %+v", response)
		}
		for line := range strings.Lines(words.Flat(post.Text)) {
			if _, amount, ok := strings.Cut(line, "+"); ok {
				amounts = append(amounts, strings.Fields(amount)[0])
			}
		}
		if len(post.Buttons) == 0 {
			break
		}
		h.Asked++
		response = bottest.Seen(t.Context(), h.Bot, chat.Request{
			ID: fmt.Sprint("page ", h.Asked), Kind: chat.Press, Who: bottest.User(1), Data: post.Buttons[0][0].Token,
			In: []chat.Place{bottest.PlaceOf(1), private}[pages%2],
		})
	}
	if pages != 3 || len(amounts) != 31 || amounts[0] != "30" || amounts[29] != "1" || amounts[30] != "3000" {
		t.Errorf("%d pages: %v", pages, amounts)
	}
}

// TestAccounts: a name with an @ before it is an account that only the platform knows, never somebody who has called
// himself so; and whoever is asked before a gift, and whoever is told of one, reads whose account it is.
func TestAccounts(t *testing.T) {
	h := bottest.NewHall(t)
	mallory := chat.Request{ID: "mallory", Kind: chat.Command, Who: chat.User{ID: 66, Name: "bob"}, Data: "/balance", In: bottest.PlaceOf(1)}
	bottest.Seen(t.Context(), h.Bot, mallory)
	mallory.ID, mallory.Who = "mallory again", chat.User{ID: 67, Name: "@bob"}
	bottest.Seen(t.Context(), h.Bot, mallory)
	h.Must(1, 1, chat.Command, "/balance")
	for _, line := range []string{
		"/give @bob 50", "/give @BOB 50", "/give @ 50", "/grant @bob 50", "/balance @bob", "/scores @bob", "/scores banchok @bob", "/remove @bob",
	} {
		if r := h.Ask(1, 99, chat.Command, line); !h.Is(r, account.ErrAccount) || len(r.Posts) != 0 {
			t.Errorf("%s is answered %+v", line, r)
		}
	}
	asked := h.Must(1, 1, chat.Command, "/give bob 50").Posts[0]
	given := h.Must(1, 1, chat.Press, asked.Buttons[0][0].Token).Posts[0]
	granted := h.Must(1, 99, chat.Command, "/grant <@66> 50").Posts[0]
	for _, post := range []chat.Post{asked, given, granted} {
		named := slices.ContainsFunc(post.Text, func(s chat.Span) bool { return s == chat.Span{Text: "66", Style: chat.Code, User: 66} })
		if !named || !strings.Contains(words.Flat(post.Text), "bob (66)") {
			t.Errorf("it says %+v", post.Text)
		}
	}
	holds(h, 66, 3100)
	holds(h, 67, 3000)
	h.Audit()
}

// TestRemoveByMention takes the one from the table whom the host mentions, and nobody where that one doesn't sit.
func TestRemoveByMention(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	join := table.Token{Table: h.Table(1).ID, Do: "!join"}.String()
	h.Must(1, 2, chat.Press, join)
	h.Must(1, 3, chat.Press, join)
	if r := h.Ask(1, 1, chat.Command, "/remove <@4>"); !h.Is(r, table.ErrNotHere) {
		t.Errorf("of somebody elsewhere: %+v", r)
	}
	h.Sure(1, 1, chat.Command, "/remove <@2>")
	if chairs := h.Table(1).Chairs; len(chairs) != 2 || chairs[1].User != 3 {
		t.Errorf("there sit %+v", chairs)
	}
}

// TestDailyByTheClock: the chips of the day come once in a day of UTC, whatever the clock does. Where it is put back nobody
// gets a day twice, and whoever goes on afterwards goes on with their streak.
func TestDailyByTheClock(t *testing.T) {
	const day = 24 * time.Hour
	h := bottest.NewHall(t)
	midnight := time.Unix(1_800_000_000, 0).UTC().Truncate(day).Add(day).Sub(time.Unix(1_800_000_000, 0))
	has := int64(3000)
	for _, step := range []struct {
		name string
		// at is the time of day, from the first midnight on.
		at time.Duration
		// gets is what the purse gets; 0 is a refusal.
		gets int64
	}{
		{"a second before midnight", -time.Second, 300},
		{"at midnight", 0, 350},
		{"the clock is put back over midnight", -time.Second, 0},
		{"midnight comes again", 0, 0},
		{"a year back", -365 * day, 0},
		{"the last second of the day", day - time.Second, 0},
		{"the next day", day, 400},
		{"an hour back", day - time.Hour, 0},
		{"the day after", 2 * day, 450},
		{"a day is left out", 4 * day, 300},
		{"before there were clocks", -60 * 365 * day, 0},
		{"a day later", 5 * day, 350},
	} {
		h.Wall = midnight + step.at - h.Running - 2*time.Second // ask takes two seconds.
		r := h.Ask(1, 1, chat.Command, "/daily")
		has += step.gets
		if refused := h.Is(r, purse.ErrDaily); refused != (step.gets == 0) || h.Purse(1) != has {
			t.Errorf("%s: it is answered %q, and the purse holds %d, not %d", step.name, r.Toast, h.Purse(1), has)
		}
		h.Audit()
	}
}

// TestClockPutBack: a bank is played to its end while the time of day is put back a day with every hand.
func TestClockPutBack(t *testing.T) {
	h := bottest.NewHall(t)
	played := h.Sit(1, "100 side limit=60s banks=2", 1, 2, 3)
	for h.Look(played.ID).Phase != table.Ended {
		h.Wall -= 24 * time.Hour
		h.SettleHandSides(1)
		h.Restart()
	}
	for user := range int64(3) {
		if r := h.Must(1, user+1, chat.Command, "/ledger"); len(r.Posts) != 1 {
			t.Errorf("the ledger of P%d: %+v", user+1, r)
		}
	}
	h.Audit()
}

// TestGrantMost: an admin can't grant more than the ledger counts, and whoever has the most of all plays like everybody.
func TestGrantMost(t *testing.T) {
	h := bottest.NewHall(t)
	for user := range int64(3) {
		h.Must(1, user+1, chat.Command, "/balance")
	}
	for _, grant := range []struct {
		amount string
		want   engine.Refusal
	}{
		{"9223372036854775808", account.ErrGift}, {"-9223372036854775808", account.ErrGift}, {"9223372036854775807", purse.ErrAmount},
		{fmt.Sprint(purse.MaxAmount + 1), purse.ErrAmount}, {"0", account.ErrGift}, {"0x7f", account.ErrGift}, {"1_000", account.ErrGift},
	} {
		if r := h.Ask(1, 99, chat.Command, "/grant P2 "+grant.amount); !h.Is(r, grant.want) || h.Purse(2) != 3000 {
			t.Errorf("%s is answered %q, and the purse holds %d", grant.amount, r.Toast, h.Purse(2))
		}
	}
	for range 3 {
		h.Must(1, 99, chat.Command, fmt.Sprint("/grant P2 ", purse.MaxAmount))
	}
	most := 3*purse.MaxAmount + 3000
	if r := h.Must(1, 2, chat.Command, "/balance"); h.Purse(2) != most || !strings.Contains(r.Toast, fmt.Sprint(most)) {
		t.Errorf("the purse holds %d, and its owner reads %q", h.Purse(2), r.Toast)
	}
	h.Sit(1, "1000 bank=1000 limit=none", 1, 2, 3)
	for h.Turn(1) != 2 {
		if h.Table(1).Chairs[0].User == 2 { // The banker can't stake.
			h.Finish(1)
			h.Cut(1)
			continue
		}
		h.SettleHand(1, 5)
	}
	for _, sum := range []string{fmt.Sprint(most), fmt.Sprint(h.Table(1).Chips.Bank + 1), "9223372036854775807"} {
		if r := h.Ask(1, 2, chat.Command, "/bet "+sum); !r.Alert || h.Purse(2) != most-h.Lies(h.Table(1))[h.Seat(2)] {
			t.Errorf("/bet %s is answered %q, and the purse holds %d", sum, r.Toast, h.Purse(2))
		}
	}
	h.Finish(1)
	h.Audit()
}

// TestLastMinuteOfTheDay: who asks for more chips just before the next ones come waits for a minute, not for nothing.
func TestLastMinuteOfTheDay(t *testing.T) {
	h := bottest.NewHall(t)
	h.Wall = 24*time.Hour - time.Duration(h.TimeOfDay().Unix()%86400)*time.Second - 40*time.Second
	h.Must(1, 1, chat.Command, "/daily")
	if r := h.Ask(1, 1, chat.Command, "/daily"); !strings.HasSuffix(r.Toast, "in 0 h 1 min.") {
		t.Errorf("it is answered %q", r.Toast)
	}
}
