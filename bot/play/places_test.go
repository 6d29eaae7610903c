package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
)

// TestPlaces chooses a card that can go to several places, and then a place: nobody but its player does, and not after
// another move.
func TestPlaces(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/paganini aces=stuck deal=7")
	labels := func(r chat.Response) (labels []string, tokens map[string]string) {
		tokens = map[string]string{}
		for _, row := range r.Posts[len(r.Posts)-1].Rows(board.MaxRow) {
			for _, b := range row {
				labels, tokens[b.Label] = append(labels, b.Label), b.Token
			}
		}
		return labels, tokens
	}
	press := func(who int64, token string) chat.Response {
		s.N++
		return bottest.Seen(t.Context(), s.Bot, chat.Request{
			ID: fmt.Sprint("press ", s.N), Kind: chat.Press, Who: chat.User{ID: who, Name: "X", Lang: "en"}, Data: token, In: s.In,
		})
	}
	var cards []string
	var offered map[string]string
	for {
		s.N++
		shown := bottest.Seen(t.Context(), s.Bot, chat.Request{ID: fmt.Sprint("look ", s.N), Kind: chat.Command, Who: chat.User{ID: 1, Name: "X", Lang: "en"}, Data: "/table", In: s.In})
		if cards, offered = labels(shown); slices.ContainsFunc(cards, func(l string) bool { return strings.HasSuffix(l, " …") }) {
			break
		}
		if !auto(s, id) {
			t.Fatal("no card can go to several places")
		}
	}
	card := cards[slices.IndexFunc(cards, func(l string) bool { return strings.HasSuffix(l, " …") })]
	if r := press(2, offered[card]); r.Toast != s.Bot.Words().Lang("en").Say("no."+string(table.ErrNotSeated)) || len(r.Posts) > 0 {
		t.Errorf("another chooses %s: %+v", card, r)
	}
	places, to := labels(press(1, offered[card]))
	_, state := s.Look(id)
	if back := places[len(places)-1]; len(places) < 3 || to[back] == "" {
		t.Fatalf("%s can go to %q", card, places)
	}
	again, _ := labels(press(1, to[places[len(places)-1]]))
	if !slices.Equal(again, cards) {
		t.Errorf("back again %q are offered, not %q", again, cards)
	}
	before := state.View(engine.Nobody)
	press(1, to[places[0]])
	if _, state = s.Look(id); slices.EqualFunc(before.Piles, state.View(engine.Nobody).Piles, func(a, b engine.Pile) bool { return slices.Equal(a.Cards, b.Cards) }) {
		t.Errorf("%s doesn't go to %s", card, places[0])
	}
	if r := press(1, offered[card]); r.Toast != s.Bot.Words().Lang("en").Say("no."+string(table.ErrStale)) {
		t.Errorf("a card of before is chosen: %+v", r)
	}
}
