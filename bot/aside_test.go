package bot

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestAsideIsOffered: where it is crowded, whoever wants to play alone is asked where, and may take up one of the newest
// offers, in private or where it was made; a token that anybody could write opens nothing.
func TestAsideIsOffered(t *testing.T) {
	b, err := New(t.Context(), Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	group := Place{Community: Community{Telegram, -9}, Channel: -9, Thread: 3, Crowded: true}
	other := Place{Community: Community{Telegram, -9}, Channel: -9, Thread: 4, Crowded: true}
	alone := Place{Community: Community{Telegram, 7}, Channel: 7, Private: true}
	ann := User{ID: 7, Name: "Ann", Lang: "en"}
	n := 0
	ask := func(in Place, kind Kind, data string) Response {
		n++
		return b.Handle(t.Context(), Request{ID: fmt.Sprint(n), Who: ann, In: in, Kind: kind, Data: data})
	}
	offers := func() []Button {
		r := ask(group, Command, "/patience pauk 1 deal=5")
		if len(r.Posts) != 1 || r.Posts[0].To != nil || len(r.Posts[0].Buttons) != 1 {
			t.Fatalf("it is offered %+v", r)
		}
		return r.Posts[0].Buttons[0]
	}
	first := offers()
	if len(first) != 2 || !first[0].Aside || first[1].Aside || len(first[0].Token) > 46 {
		t.Fatalf("the buttons are %+v", first)
	}
	for _, test := range []struct {
		in    Place
		token string
		opens bool
	}{
		{alone, first[0].Token, true},
		{group, first[0].Token, false},
		{group, first[1].Token, true},
		{other, first[1].Token, false},
		{alone, first[1].Token, false},
		{alone, strings.Replace(first[0].Token, Community{Telegram, -9}.String(), "t-a", 1), false},
	} {
		r := ask(test.in, Press, test.token)
		opened := !r.Alert && len(r.Posts) == 1 && r.Posts[0].Table != "" && r.Posts[0].In == test.in
		if opened != test.opens {
			t.Errorf("%s in %+v: %+v", test.token, test.in, r)
		}
		if opened && !strings.Contains(flat(r.Posts[0].Text), "№ 5") {
			t.Errorf("it opens %q", flat(r.Posts[0].Text))
		}
	}
	for range maxOffers {
		offers()
	}
	if r := ask(alone, Press, first[0].Token); !r.Alert {
		t.Errorf("an old offer is good for %+v", r)
	}
}

// TestAsideIsAnswered: once whoever asked has said where to play, nobody is asked any more: the table, or a word that it
// is somewhere else, stands where the question stood. What others do with the offer leaves the question standing.
func TestAsideIsAnswered(t *testing.T) {
	const ann, bob, question = 7, 8, Ref("10")
	group := Place{Community: Community{Telegram, -9}, Channel: -9, Thread: 3, Lang: "en", Crowded: true}
	for _, test := range []struct {
		name    string
		who     int64
		private bool
		// instead says what stands where the question stood; empty if the question does.
		instead string
	}{
		{"here", ann, false, "Tęcza (Rainbow)   № 5"},
		{"in private", ann, true, "Tęcza (Rainbow): Ann is playing in private. How it ends is told here."},
		{"here, somebody else", bob, false, ""},
		{"in private, somebody else", bob, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := must(New(t.Context(), Options{Store: mem.New(), Games: games.All()}))
			ask := func(id string, who int64, in Place, kind Kind, data string, on Ref) Response {
				user := User{ID: who, Name: map[int64]string{ann: "Ann", bob: "Bob"}[who], Lang: "en"}
				return b.Handle(t.Context(), Request{ID: id, Who: user, In: in, Kind: kind, Data: data, On: on})
			}
			asked := ask("1", ann, group, Command, "/tecza deal=5", "").Posts[0]
			ask("2", 0, group, Shown, asked.Receipt, question)
			in, token := group, asked.Buttons[0][1].Token
			if test.private {
				in, token = Place{Community: Community{Telegram, test.who}, Channel: test.who, Private: true}, asked.Buttons[0][0].Token
			}
			press := func(id string) (opened bool, instead string) {
				for _, p := range ask(id, test.who, in, Press, token, "").Posts {
					opened = opened || p.Table != "" && p.In == in
					if p.Edit == question && p.In == group {
						instead, _, _ = strings.Cut(flat(p.Text), "   Ann")
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
			if opened, instead := press("4"); !opened || instead != "" {
				t.Errorf("another press: opened %v, and instead of the question stands %q", opened, instead)
			}
		})
	}
}
