package bot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/account"
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
		{"/give P2 0", words.ErrBetAmount},
		{"/give P2 -5", words.ErrBetAmount},
		{"/give P2 +5", words.ErrBetAmount},
		{"/give P2 1e9", words.ErrBetAmount},
		{"/give P2 12,50", words.ErrBetAmount},
		{"/give P2 12.50", words.ErrBetAmount},
		{"/give P2 ва-банк", words.ErrBetAmount},
		{"/give P2 99999999999999999999", words.ErrBetAmount},
		{"/give P2 1000000000001", purse.ErrAmount},
		{"/give P1 5", purse.ErrSelf},
		{"/give <@1> 5", purse.ErrSelf},
		{"/give nobody 5", account.ErrPerson},
		{"/give <@4> 5", account.ErrPerson},     // P4 plays in another community.
		{"/give <@12345> 5", account.ErrPerson}, // A bot, say: it has no purse.
		{"/give <@0> 5", account.ErrPerson},
		{"/give twin 5", account.ErrPersons},
		{"/grant P2 5", table.ErrNotAdmin},
		{"/gifts off", table.ErrNotAdmin},
		{"/gifts", table.ErrNotAdmin},
	} {
		t.Run(test.line, func(t *testing.T) {
			h := newHall(t)
			for user := range int64(2) {
				h.must(1, user+1, chat.Command, "/balance")
			}
			for _, twin := range []int64{7, 8} {
				h.asked++
				h.bot.seen(t.Context(), chat.Request{
					ID: fmt.Sprint("twin ", h.asked), Kind: chat.Command, Who: chat.User{ID: twin, Name: "Twin"}, Data: "/balance", In: hallPlace(1),
				})
			}
			elsewhere := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -78}, Channel: 1}
			h.bot.seen(t.Context(), chat.Request{ID: "elsewhere", Kind: chat.Command, Who: hallUser(4), Data: "/balance", In: elsewhere})
			if r := h.ask(1, 1, chat.Command, test.line); !h.is(r, test.want) {
				t.Errorf("it is answered %+v, want no.%s", r, test.want)
			}
			h.holds(1, 3000)
			h.holds(2, 3000)
			h.audit()
		})
	}
}

// holds wants so much in a purse.
func (h *hall) holds(user, want int64) {
	h.t.Helper()
	if got := h.purse(user); got != want {
		h.t.Errorf("the purse of P%d holds %d, not %d", user, got, want)
	}
}

// TestGiveOnce: a gift is asked for again, is made once however often its button is pressed or delivered, and is refused
// when the purse is short by then or the admins have switched gifts off.
func TestGiveOnce(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, chat.Command, "/balance")
	asked := h.must(1, 1, chat.Command, "/give p2 2000")
	if p := asked.Posts[0]; len(asked.Posts) != 1 || p.To == nil || p.To.ID != 1 || h.purse(1) != 3000 {
		t.Fatalf("it is asked %+v, and the purse holds %d", asked, h.purse(1))
	}
	button := asked.Posts[0].Buttons[0][0].Token
	other := h.must(1, 1, chat.Command, "/give <@2> 2000").Posts[0].Buttons[0][0].Token
	if r := h.must(1, 1, chat.Press, button); len(r.Posts) != 1 || r.Posts[0].To != nil {
		t.Errorf("the gift is announced %+v", r.Posts)
	}
	for range 3 {
		if r := h.ask(1, 1, chat.Press, button); !h.is(r, table.ErrAnswered) || len(r.Posts) != 0 || h.purse(2) != 5000 {
			t.Errorf("once more: %+v, and the other purse holds %d", r, h.purse(2))
		}
	}
	if r := h.ask(1, 1, chat.Press, other); !h.is(r, purse.ErrShort) || h.purse(1) != 1000 {
		t.Errorf("with a short purse: %+v, %d", r, h.purse(1))
	}
	// Nobody else's press of the button gives anything of the first one's.
	h.ask(1, 3, chat.Press, button)
	if h.purse(1) != 1000 {
		t.Errorf("somebody else's press leaves %d", h.purse(1))
	}
	last := h.must(1, 1, chat.Command, "/give P2 1").Posts[0].Buttons[0][0].Token
	h.must(1, 99, chat.Command, "/gifts off")
	for _, r := range []chat.Response{h.ask(1, 1, chat.Press, last), h.ask(1, 1, chat.Command, "/give P2 1")} {
		if !h.is(r, account.ErrGiftsOff) {
			t.Errorf("with gifts switched off: %+v", r)
		}
	}
	if r := h.ask(1, 99, chat.Command, "/gifts perhaps"); !h.is(r, account.ErrSwitch) {
		t.Errorf("gifts perhaps: %+v", r)
	}
	h.must(1, 99, chat.Command, "/gifts on")
	h.must(1, 1, chat.Press, last)
	if h.purse(1) != 999 {
		t.Errorf("in the end %d are left", h.purse(1))
	}
	h.audit()
}

// TestGrant: a grant is made and announced once, however often its command is delivered.
func TestGrant(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, chat.Command, "/balance")
	r := chat.Request{ID: "grant", Kind: chat.Command, Who: hallUser(99), Data: "/grant P2 50", In: hallPlace(1)}
	posts := 0
	for range 3 {
		posts += len(h.bot.seen(t.Context(), r).Posts)
	}
	if posts != 1 || h.purse(2) != 3050 {
		t.Errorf("%d announcements, %d in the purse", posts, h.purse(2))
	}
	line := h.must(1, 2, chat.Command, "/ledger").Posts[0]
	if line.To == nil || !strings.Contains(words.Flat(line.Text), "+50") {
		t.Errorf("the ledger says %q", words.Flat(line.Text))
	}
	h.audit()
}

// TestForgedChips: whoever writes a token reaches no purse but their own, and none where they never played.
func TestForgedChips(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, chat.Command, "/balance")
	h.must(1, 5, chat.Command, "/balance")
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 5}, Channel: 5, Private: true}
	give := table.Token{Table: table.ID{Community: hallPlace(1).Community, Name: table.NoTable}, Do: "!give 2 100 00000000"}.String()
	for i, in := range []chat.Place{private, {Community: chat.Community{Platform: chat.Telegram, ID: -78}, Channel: 1}, hallPlace(1)} {
		r := h.bot.seen(t.Context(), chat.Request{ID: fmt.Sprint("forged ", i), Kind: chat.Press, Who: hallUser(5), Data: give, In: in})
		if !r.Alert || h.purse(2) != 3000 {
			t.Errorf("from %+v: %+v, and P2 has %d", in, r, h.purse(2))
		}
	}
	for _, do := range []string{
		"!give", "!give 2", "!give 2 5", "!give 2 5 a b", "!give x! 5 a", "!give 2 -5 a", "!give 2 0 a", "!give 2 x a",
		"!give 2 5 a", "!forget", "!answer", "!answer X 0", "!answer  0", "!answer X", "!answer X -1", "!ledger x", "!ledger 0", "!ledger -1", "!top", "!", "stake 5",
	} {
		data := table.Token{Table: table.ID{Community: hallPlace(1).Community, Name: table.NoTable}, Do: do}.String()
		h.must(1, 6, chat.Command, "/balance")
		if r := h.ask(1, 6, chat.Press, data); !r.Alert {
			t.Errorf("%q is answered %+v", do, r)
		}
	}
	h.audit()
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
	h := newHall(t)
	h.must(1, 1, chat.Command, "/balance")
	for i := range 30 {
		h.must(1, 99, chat.Command, fmt.Sprint("/grant P1 ", i+1))
	}
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1}, Channel: 1, Private: true}
	response := h.must(1, 1, chat.Command, "/ledger")
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
		h.asked++
		response = h.bot.seen(t.Context(), chat.Request{
			ID: fmt.Sprint("page ", h.asked), Kind: chat.Press, Who: hallUser(1), Data: post.Buttons[0][0].Token,
			In: []chat.Place{hallPlace(1), private}[pages%2],
		})
	}
	if pages != 3 || len(amounts) != 31 || amounts[0] != "30" || amounts[29] != "1" || amounts[30] != "3000" {
		t.Errorf("%d pages: %v", pages, amounts)
	}
}

// TestAccounts: a name with an @ before it is an account that only the platform knows, never somebody who has called
// himself so; and whoever is asked before a gift, and whoever is told of one, reads whose account it is.
func TestAccounts(t *testing.T) {
	h := newHall(t)
	mallory := chat.Request{ID: "mallory", Kind: chat.Command, Who: chat.User{ID: 66, Name: "bob"}, Data: "/balance", In: hallPlace(1)}
	h.bot.seen(t.Context(), mallory)
	mallory.ID, mallory.Who = "mallory again", chat.User{ID: 67, Name: "@bob"}
	h.bot.seen(t.Context(), mallory)
	h.must(1, 1, chat.Command, "/balance")
	for _, line := range []string{
		"/give @bob 50", "/give @BOB 50", "/give @ 50", "/grant @bob 50", "/balance @bob", "/scores @bob", "/scores banchok @bob", "/remove @bob",
	} {
		if r := h.ask(1, 99, chat.Command, line); !h.is(r, account.ErrAccount) || len(r.Posts) != 0 {
			t.Errorf("%s is answered %+v", line, r)
		}
	}
	asked := h.must(1, 1, chat.Command, "/give bob 50").Posts[0]
	given := h.must(1, 1, chat.Press, asked.Buttons[0][0].Token).Posts[0]
	granted := h.must(1, 99, chat.Command, "/grant <@66> 50").Posts[0]
	for _, post := range []chat.Post{asked, given, granted} {
		named := slices.ContainsFunc(post.Text, func(s chat.Span) bool { return s == chat.Span{Text: "66", Style: chat.Code, User: 66} })
		if !named || !strings.Contains(words.Flat(post.Text), "bob (66)") {
			t.Errorf("it says %+v", post.Text)
		}
	}
	h.holds(66, 3100)
	h.holds(67, 3000)
	h.audit()
}

// TestRemoveByMention takes the one from the table whom the host mentions, and nobody where that one doesn't sit.
func TestRemoveByMention(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, chat.Command, "/zevaka")
	join := table.Token{Table: h.table(1).ID, Do: "!join"}.String()
	h.must(1, 2, chat.Press, join)
	h.must(1, 3, chat.Press, join)
	if r := h.ask(1, 1, chat.Command, "/remove <@4>"); !h.is(r, table.ErrNotHere) {
		t.Errorf("of somebody elsewhere: %+v", r)
	}
	h.sure(1, 1, chat.Command, "/remove <@2>")
	if chairs := h.table(1).Chairs; len(chairs) != 2 || chairs[1].User != 3 {
		t.Errorf("there sit %+v", chairs)
	}
}
