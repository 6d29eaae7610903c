package bot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"zevaka/bot/purse"
	"zevaka/engine"
)

// TestGiftWords: what can't be given is refused in words, and nothing moves.
func TestGiftWords(t *testing.T) {
	for _, test := range []struct {
		line string
		want engine.Refusal
	}{
		{"/give", errGift},
		{"/give P2", errGift},
		{"/give 50", errGift},
		{"/give P2 0", errBetAmount},
		{"/give P2 -5", errBetAmount},
		{"/give P2 +5", errBetAmount},
		{"/give P2 1e9", errBetAmount},
		{"/give P2 12,50", errBetAmount},
		{"/give P2 12.50", errBetAmount},
		{"/give P2 ва-банк", errBetAmount},
		{"/give P2 99999999999999999999", errBetAmount},
		{"/give P2 1000000000001", purse.ErrAmount},
		{"/give P1 5", purse.ErrSelf},
		{"/give <@1> 5", purse.ErrSelf},
		{"/give nobody 5", errPerson},
		{"/give <@4> 5", errPerson},     // P4 plays in another community.
		{"/give <@12345> 5", errPerson}, // A bot, say: it has no purse.
		{"/give <@0> 5", errPerson},
		{"/give twin 5", errPersons},
		{"/grant P2 5", errNotAdmin},
		{"/gifts off", errNotAdmin},
		{"/gifts", errNotAdmin},
	} {
		t.Run(test.line, func(t *testing.T) {
			h := newHall(t)
			for user := range int64(2) {
				h.must(1, user+1, Command, "/balance")
			}
			for _, twin := range []int64{7, 8} {
				h.asked++
				h.bot.Handle(t.Context(), Request{
					ID: fmt.Sprint("twin ", h.asked), Kind: Command, Who: User{ID: twin, Name: "Twin"}, Data: "/balance", In: hallPlace(1),
				})
			}
			elsewhere := Place{Community: Community{Telegram, -78}, Channel: 1}
			h.bot.Handle(t.Context(), Request{ID: "elsewhere", Kind: Command, Who: hallUser(4), Data: "/balance", In: elsewhere})
			if r := h.ask(1, 1, Command, test.line); !h.is(r, test.want) {
				t.Errorf("it is answered %+v, want no.%s", r, test.want)
			}
			if h.purse(1) != 3000 || h.purse(2) != 3000 {
				t.Errorf("the purses hold %d and %d", h.purse(1), h.purse(2))
			}
			h.audit()
		})
	}
}

// TestGiveOnce: a gift is asked for again, is made once however often its button is pressed or delivered, and is refused
// when the purse is short by then or the admins have switched gifts off.
func TestGiveOnce(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, Command, "/balance")
	asked := h.must(1, 1, Command, "/give p2 2000")
	if p := asked.Posts[0]; len(asked.Posts) != 1 || p.To == nil || p.To.ID != 1 || h.purse(1) != 3000 {
		t.Fatalf("it is asked %+v, and the purse holds %d", asked, h.purse(1))
	}
	button := asked.Posts[0].Buttons[0][0].Token
	other := h.must(1, 1, Command, "/give <@2> 2000").Posts[0].Buttons[0][0].Token
	if r := h.must(1, 1, Press, button); len(r.Posts) != 1 || r.Posts[0].To != nil {
		t.Errorf("the gift is announced %+v", r.Posts)
	}
	for range 3 {
		if r := h.must(1, 1, Press, button); len(r.Posts) != 0 || h.purse(2) != 5000 {
			t.Errorf("once more: %+v, and the other purse holds %d", r, h.purse(2))
		}
	}
	if r := h.ask(1, 1, Press, other); !h.is(r, purse.ErrShort) || h.purse(1) != 1000 {
		t.Errorf("with a short purse: %+v, %d", r, h.purse(1))
	}
	// Nobody else's press of the button gives anything of the first one's.
	h.ask(1, 3, Press, button)
	if h.purse(1) != 1000 {
		t.Errorf("somebody else's press leaves %d", h.purse(1))
	}
	last := h.must(1, 1, Command, "/give P2 1").Posts[0].Buttons[0][0].Token
	h.must(1, 99, Command, "/gifts off")
	for _, r := range []Response{h.ask(1, 1, Press, last), h.ask(1, 1, Command, "/give P2 1")} {
		if !h.is(r, errGiftsOff) {
			t.Errorf("with gifts switched off: %+v", r)
		}
	}
	if r := h.ask(1, 99, Command, "/gifts perhaps"); !h.is(r, errSwitch) {
		t.Errorf("gifts perhaps: %+v", r)
	}
	h.must(1, 99, Command, "/gifts on")
	h.must(1, 1, Press, last)
	if h.purse(1) != 999 {
		t.Errorf("in the end %d are left", h.purse(1))
	}
	h.audit()
}

// TestGrant: a grant is made and announced once, however often its command is delivered.
func TestGrant(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, Command, "/balance")
	r := Request{ID: "grant", Kind: Command, Who: hallUser(99), Data: "/grant P2 50", In: hallPlace(1)}
	posts := 0
	for range 3 {
		posts += len(h.bot.Handle(t.Context(), r).Posts)
	}
	if posts != 1 || h.purse(2) != 3050 {
		t.Errorf("%d announcements, %d in the purse", posts, h.purse(2))
	}
	line := h.must(1, 2, Command, "/ledger").Posts[0]
	if line.To == nil || !strings.Contains(flat(line.Text), "+50") {
		t.Errorf("the ledger says %q", flat(line.Text))
	}
	h.audit()
}

// TestForgedChips: whoever writes a token reaches no purse but their own, and none where they never played.
func TestForgedChips(t *testing.T) {
	h := newHall(t)
	h.must(1, 2, Command, "/balance")
	private := Place{Community: Community{Telegram, 5}, Channel: 5, Private: true}
	give := token{Table: tableID{hallPlace(1).Community, noTable}, Do: "!give 2 100 00000000"}.String()
	for i, in := range []Place{private, {Community: Community{Telegram, -78}, Channel: 1}, hallPlace(1)} {
		r := h.bot.Handle(t.Context(), Request{ID: fmt.Sprint("forged ", i), Kind: Press, Who: hallUser(5), Data: give, In: in})
		if !r.Alert || h.purse(2) != 3000 {
			t.Errorf("from %+v: %+v, and P2 has %d", in, r, h.purse(2))
		}
	}
	for _, do := range []string{
		"!give", "!give 2", "!give 2 5", "!give 2 5 a b", "!give x! 5 a", "!give 2 -5 a", "!give 2 0 a", "!give 2 x a",
		"!ledger x", "!ledger 0", "!ledger -1", "!top", "!", "stake 5",
	} {
		data := token{Table: tableID{hallPlace(1).Community, noTable}, Do: do}.String()
		h.must(1, 6, Command, "/balance")
		if r := h.ask(1, 6, Press, data); !r.Alert {
			t.Errorf("%q is answered %+v", do, r)
		}
	}
	h.audit()
}

// TestLongestGift: the longest numbers fit into a button.
func TestLongestGift(t *testing.T) {
	r := Request{ID: "x", In: Place{Community: Community{Telegram, math.MinInt64}}}
	do := fmt.Sprintf("!give %s %d %x", strconv.FormatInt(math.MaxInt64, 36), purse.MaxAmount, [4]byte{255, 255, 255, 255})
	tok := placeToken(Request{In: Place{Community: Community{Discord, math.MaxInt64}}}, do)
	if len(tok) > MaxToken {
		t.Errorf("%d bytes: %s", len(tok), tok)
	}
	if tok := placeToken(r, "!ledger 999999999999"); len(tok) > MaxToken {
		t.Errorf("%d bytes: %s", len(tok), tok)
	}
}

// TestPages: one's own entries come page by page, privately, and the next page can be read where one reads alone.
func TestPages(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, Command, "/balance")
	for i := range 30 {
		h.must(1, 99, Command, fmt.Sprint("/grant P1 ", i+1))
	}
	private := Place{Community: Community{Telegram, 1}, Channel: 1, Private: true}
	response := h.must(1, 1, Command, "/ledger")
	var amounts []string
	pages := 0
	for {
		pages++
		post := response.Posts[0]
		if len(response.Posts) != 1 || post.To == nil || post.To.ID != 1 {
			t.Fatalf("a page is answered %+v", response)
		}
		for line := range strings.Lines(flat(post.Text)) {
			if _, amount, ok := strings.Cut(line, "+"); ok {
				amounts = append(amounts, strings.Fields(amount)[0])
			}
		}
		if len(post.Buttons) == 0 {
			break
		}
		h.asked++
		response = h.bot.Handle(t.Context(), Request{
			ID: fmt.Sprint("page ", h.asked), Kind: Press, Who: hallUser(1), Data: post.Buttons[0][0].Token,
			In: []Place{hallPlace(1), private}[pages%2],
		})
	}
	if pages != 3 || len(amounts) != 31 || amounts[0] != "30" || amounts[29] != "1" || amounts[30] != "3000" {
		t.Errorf("%d pages: %v", pages, amounts)
	}
}
