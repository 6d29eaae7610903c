package play_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestPrivateIsOffered: where it is crowded, whoever wants to play alone is asked where, and may take up one of the newest
// offers, in private or where it was made; a token that anybody could write opens nothing.
func TestPrivateIsOffered(t *testing.T) {
	store := mem.New()
	b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	group := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9, Thread: 3, Crowded: true}
	other := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9, Thread: 4, Crowded: true}
	alone := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 7}, Channel: 7, Private: true}
	ann := chat.User{ID: 7, Name: "Ann", Lang: "en"}
	n := 0
	ask := func(in chat.Place, kind chat.Kind, data string) chat.Response {
		n++
		return bottest.Seen(t.Context(), b, chat.Request{ID: fmt.Sprint(n), Who: ann, In: in, Kind: kind, Data: data})
	}
	offers := func() []chat.Button {
		r := ask(group, chat.Command, "/patience pauk 1 deal=5")
		if len(r.Posts) != 1 || r.Posts[0].To != nil || len(r.Posts[0].Buttons) != 1 {
			t.Fatalf("it is offered %+v", r)
		}
		return r.Posts[0].Buttons[0]
	}
	first := offers()
	if len(first) != 2 || !first[0].Private || first[1].Private || len(first[0].Token) > 46 {
		t.Fatalf("the buttons are %+v", first)
	}
	for _, test := range []struct {
		in    chat.Place
		kind  chat.Kind
		token string
		opens bool
	}{
		{alone, chat.Followed, first[0].Token, true},
		{alone, chat.Followed, first[0].Token, true}, // It shows the same table.
		{alone, chat.Press, first[0].Token, false},
		{group, chat.Press, first[0].Token, false},
		{group, chat.Followed, first[0].Token, false},
		{group, chat.Press, first[1].Token, true},
		{other, chat.Press, first[1].Token, false},
		{alone, chat.Press, first[1].Token, false},
		{alone, chat.Followed, first[1].Token, false},
		{alone, chat.Followed, strings.Replace(first[0].Token, chat.Community{Platform: chat.Telegram, ID: -9}.String(), "t-a", 1), false},
	} {
		r := ask(test.in, test.kind, test.token)
		opened := !r.Alert && len(r.Posts) == 1 && r.Posts[0].Table != "" && r.Posts[0].In == test.in
		if opened != test.opens {
			t.Errorf("%s in %+v: %+v", test.token, test.in, r)
		}
		if opened && !strings.Contains(words.Flat(r.Posts[0].Text), "no. 5") {
			t.Errorf("it opens %q", words.Flat(r.Posts[0].Text))
		}
	}
	if n := len(bottest.Must(bottest.Shelf(store).TableIDs(t.Context(), alone))); n != 1 {
		t.Errorf("one offer was taken up %d times by one", n)
	}
	for range table.MaxOffers {
		offers()
	}
	if r := ask(alone, chat.Followed, first[0].Token); !r.Alert {
		t.Errorf("an old offer is good for %+v", r)
	}
}

// TestPrivateIsAnswered: once whoever asked has said where to play, nobody is asked any more: the table, or a word that it
// is somewhere else, stands where the question stood. What others do with the offer leaves the question standing.
func TestPrivateIsAnswered(t *testing.T) {
	const ann, bob, question = 7, 8, chat.Ref("10")
	group := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9, Thread: 3, Lang: "en", Crowded: true}
	for _, test := range []struct {
		name    string
		who     int64
		private bool
		// instead says what stands where the question stood; empty if the question does.
		instead string
	}{
		{"here", ann, false, "Rainbow   no. 5"},
		{"in private", ann, true, "Rainbow: Ann is playing in private. The result will be posted here."},
		{"here, somebody else", bob, false, ""},
		{"in private, somebody else", bob, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var running time.Duration
			b := bottest.Must(bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All(), Running: func() time.Duration { return running }}))
			ask := func(id string, who int64, in chat.Place, kind chat.Kind, data string, on chat.Ref) chat.Response {
				user := chat.User{ID: who, Name: map[int64]string{ann: "Ann", bob: "Bob"}[who], Lang: "en"}
				r := chat.Request{ID: id, Who: user, In: in, Kind: kind, Data: data, On: on}
				r.Member = func(context.Context, chat.Community) (bool, error) { return true, nil }
				return bottest.Seen(t.Context(), b, r)
			}
			asked := ask("1", ann, group, chat.Command, "/tecza deal=5", "").Posts[0]
			ask("2", 0, group, chat.Shown, asked.Receipt, question)
			in, kind, token := group, chat.Press, asked.Buttons[0][1].Token
			if test.private {
				kind = chat.Followed
				in, token = chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: test.who}, Channel: test.who, Private: true}, asked.Buttons[0][0].Token
			}
			press := func(id string) (opened bool, instead string) {
				for _, p := range ask(id, test.who, in, kind, token, "").Posts {
					opened = opened || p.Table != "" && p.In == in
					if p.Edit == question && p.In == group {
						instead, _, _ = strings.Cut(words.Flat(p.Text), "   Ann")
					}
				}
				return opened, instead
			}
			if opened, instead := press("3"); !opened || instead != test.instead {
				t.Errorf("opened: %v, and instead of the question stands %q", opened, instead)
			}
			if opened, _ := press("3"); !opened {
				t.Error("the press delivered again shows no table")
			}
			running += bottest.DoubleTap
			if opened, instead := press("4"); !opened || instead != "" {
				t.Errorf("another press: opened %v, and instead of the question stands %q", opened, instead)
			}
		})
	}
}

// TestPrivateAfterwards: the place where a game was asked for is told how it ended as long as its player is there, and nothing
// of somebody who isn't any more.
func TestPrivateAfterwards(t *testing.T) {
	group := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9, Lang: "en", Crowded: true}
	alone := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 7}, Channel: 7, Private: true}
	for _, test := range []struct {
		name string
		in   bool
		err  error
		told bool
	}{{"there", true, nil, true}, {"not there", false, nil, false}, {"nobody knows", true, errors.New("no answer"), false}} {
		t.Run(test.name, func(t *testing.T) {
			store := mem.New()
			b := bottest.Must(bot.New(t.Context(), bot.Options{Store: store, Games: games.All()}))
			in, err, n := true, error(nil), 0
			ask := func(at chat.Place, kind chat.Kind, data string) chat.Response {
				n++
				r := chat.Request{ID: fmt.Sprint(n), Who: chat.User{ID: 7, Name: "Ann", Lang: "en"}, In: at, Kind: kind, Data: data}
				r.Member = func(context.Context, chat.Community) (bool, error) { return in, err }
				return bottest.Seen(t.Context(), b, r)
			}
			offer := ask(group, chat.Command, "/tecza").Posts[0]
			ask(alone, chat.Followed, offer.Buttons[0][0].Token)
			id := bottest.Must(bottest.Shelf(store).TableIDs(t.Context(), alone))[0]
			ask(alone, chat.Command, "/m draw")
			sure := bottest.AnswerIn(ask(alone, chat.Press, table.Token{Table: id, Do: "!giveup"}.String()))
			in, err = test.in, test.err
			ended, told := false, false
			for _, p := range ask(alone, chat.Press, sure).Posts {
				ended = ended || p.In == alone && p.Final
				told = told || p.In.Community == group.Community
			}
			if !ended || told != test.told {
				t.Errorf("ended: %v, and the group is told: %v", ended, told)
			}
		})
	}
}
