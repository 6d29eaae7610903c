package play_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
)

// TestHand: who asks for their cards reads the round and their three cards, and apart from them a card turned too early
// for them, with whether they cover it. Nobody else reads of that card there.
func TestHand(t *testing.T) {
	told := map[bool]int{}
	for channel := int64(1); channel <= 12; channel++ {
		h := bottest.NewHall(t)
		h.Seeds += uint64(channel) * 100
		h.Sit(channel, "", 1, 2, 3)
		for hand := range 4 {
			punter := h.Turn(channel)
			checkHand(h, channel, punter, hand/2+1, 0)
			h.Move(channel, h.Table(channel).Chairs[0].User, "open")
			card := early(h, channel)
			for _, user := range []int64{1, 2, 3} {
				if user != punter {
					checkHand(h, channel, user, hand/2+1, 0)
				}
			}
			told[checkHand(h, channel, punter, hand/2+1, card)]++
			h.Move(channel, punter, "stake 5")
		}
	}
	if told[true] < 5 || told[false] < 5 {
		t.Errorf("cards were covered %d times, and not covered %d times", told[true], told[false])
	}
}

// early is the card that was turned too early.
func early(h *bottest.Hall, channel int64) engine.Card {
	for _, pile := range h.State(h.Table(channel)).View(engine.Nobody).Piles {
		if pile.Name == "turned" {
			return pile.Cards[0]
		}
	}
	return 0
}

// checkHand has a user ask for their cards in each language, once the round is this and that card lies open for them, and
// reports whether they cover it.
func checkHand(h *bottest.Hall, channel, user int64, round int, open engine.Card) (covers bool) {
	h.T.Helper()
	tb := h.Table(channel)
	seat, _ := tb.SeatOf(user)
	var cards []engine.Card
	for _, pile := range h.State(tb).View(engine.Referee).Piles {
		if pile.Name == fmt.Sprint("hand", int(seat)) {
			cards = pile.Cards
		}
	}
	covers = slices.ContainsFunc(cards, func(c engine.Card) bool {
		return c.Suit() == open.Suit() && c.Rank() >= open.Rank()
	})
	for _, test := range []struct{ lang, round, covers, beaten, none string }{
		{"en", "Round %d: %s", " · turned: %s · you beat it", " · turned: %s · you can't beat it", "You hold no cards now; a banker never does."},
		{"ru", "Круг %d: %s", " · открыта %s · вы её бьёте", " · открыта %s · вы её не бьёте", "На руках у вас сейчас карт нет; у банкомёта их и не бывает."},
		{"pl", "Runda %d: %s", " · odkryta: %s · bijesz ją", " · odkryta: %s · nie bijesz jej", "Nie masz teraz kart na ręce; bankier nigdy ich nie ma."},
	} {
		lang := h.Bot.Words().Lang(test.lang).At(h.Bot.Words().Lang(tb.Lang)) // Cards are called as on the board.
		want := test.none
		if len(cards) > 0 {
			want = fmt.Sprintf(test.round, round, row(lang, cards))
		}
		switch {
		case open == 0:
		case covers:
			want += fmt.Sprintf(test.covers, lang.Card(open))
		default:
			want += fmt.Sprintf(test.beaten, lang.Card(open))
		}
		who := bottest.User(user)
		who.Lang = test.lang
		h.Asked++
		r := bottest.Seen(h.T.Context(), h.Bot, chat.Request{
			ID: fmt.Sprint("ask ", h.Asked), Kind: chat.Press, Who: who, In: h.Place(channel),
			Data: table.Token{Table: tb.ID, Epoch: tb.Epoch(h.State(tb)), Do: "!hand"}.String(),
		})
		got := r.Toast
		if len(r.Posts) > 0 {
			got = words.Flat(r.Posts[0].Text)
		}
		if got != want || len(r.Posts) > 0 && (r.Posts[0].To == nil || r.Posts[0].To.ID != user) {
			h.T.Errorf("P%d reads %q, not %q", user, got, want)
		}
	}
	return covers
}

// row is cards as somebody reads them.
func row(lang *words.Lang, cards []engine.Card) string {
	var texts []string
	for _, c := range cards {
		texts = append(texts, lang.Card(c))
	}
	return strings.Join(texts, " ")
}

// TestShowApart: the button that shows one's cards to all has its eye, a row of its own, and at least a row between it and
// the one that shows them to oneself, however full the table is. Where nobody can bet along it isn't there.
func TestShowApart(t *testing.T) {
	h := bottest.NewHall(t)
	channel := int64(0)
	for _, users := range [][]int64{{1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}} {
		for _, options := range []string{"side=on", "side=on dealer=bot"} {
			for _, stake := range []int{5, 20} {
				channel++
				h.Sit(channel, options+" bank=20", users...)
				buttons := h.Move(channel, h.Turn(channel), fmt.Sprint("stake ", stake)).Posts[0].Buttons
				rows := rowsOf(buttons)
				mine, show := rows["🂠 My cards"], rows["👁 Show my cards"]
				switch {
				case mine == 0 || stake == 20 && show != 0:
					t.Errorf("%s, the whole bank at stake: the buttons stand so: %v", options, buttons)
				case stake == 5 && (show-mine < 2 || len(buttons[show-1]) != 1):
					t.Errorf("%s, %d at the table: the buttons stand so: %v", options, len(users), buttons)
				}
			}
		}
	}
}

// rowsOf are the numbers of the rows in which the buttons stand, from 1, by label.
func rowsOf(buttons [][]chat.Button) map[string]int {
	rows := map[string]int{}
	for i, row := range buttons {
		for _, b := range row {
			rows[b.Label] = i + 1
		}
	}
	return rows
}

// garbled is a game whose positions can't be drawn.
type garbled struct{ engine.Rules }

func (g garbled) Deal(s engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	state, err := g.Rules.Deal(s, shuffler)
	return garbledState{state}, err
}

type garbledState struct{ engine.State }

func (st garbledState) View(s engine.Seat) engine.View {
	view := st.State.View(s)
	view.Offers = []engine.Move{{Verb: 99}}
	return view
}

// TestUndrawn loses a picture that can't be drawn, and nothing else.
func TestUndrawn(t *testing.T) {
	h := bottest.NewHall(t)
	h.Order = slices.Clone(games.All())
	at := slices.IndexFunc(h.Order, func(r engine.Rules) bool { return r.Info().Name == "zevaka" })
	h.Order[at] = garbled{h.Order[at]}
	var log strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&log, nil))
	h.Restart()
	h.Must(1, 1, chat.Command, "/zevaka")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	lobby := h.Table(1)
	cutter := bottest.User(lobby.Chairs[lobby.Cutter].User)
	asked := chat.Request{ID: "cut", Kind: chat.Command, Who: cutter, Data: "/cut 7", In: h.Place(1)}
	r := h.Bot.Handle(t.Context(), asked)
	if log.Len() > 0 || h.Table(1).Phase != table.Playing {
		t.Fatalf("before it is drawn: %+v, %q", r, log.String())
	}
	shown := 0
	for _, p := range r.Posts {
		if _, ok := p.Drawn(); ok != (p.Table == "") {
			t.Errorf("drawn is %v: %+v", ok, p)
		}
		shown++
	}
	if shown == 0 || !strings.Contains(log.String(), "a picture can't be drawn") {
		t.Errorf("%d posts, and the log says %q", shown, log.String())
	}
}

// TestShownAnew: whoever wants to see a table finds it at the bottom of the channel, which isn't filled with it: a moment later it stays where
// it is. What is delivered again is shown as before.
func TestShownAnew(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	one := h.Table(1)
	show := func(user int64) chat.Request {
		return h.Request(1, user, chat.Press, table.Token{Table: one.ID, Do: "!show"}.String())
	}
	anew := func(r chat.Request) bool {
		r.On = "1/1"
		posts := bottest.Seen(t.Context(), h.Bot, r).Posts
		return len(posts) == 2 && posts[1].Edit == ""
	}
	on := h.Request(1, 0, chat.Shown, one.Receipt())
	on.On = "1/1"
	h.Bot.Handle(t.Context(), on)
	first := show(1)
	for range 2 {
		if !anew(first) {
			t.Error("it isn't shown anew to who wants to see it")
		}
	}
	for user := range int64(5) {
		h.Running += 3 * time.Second
		if anew(show(user + 1)) {
			t.Errorf("P%d has it shown anew after %v", user+1, 3*time.Duration(user+1)*time.Second)
		}
	}
	h.Running += 6 * time.Second
	if !anew(show(5)) {
		t.Error("it isn't shown anew later")
	}
}
