package account_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// cardOf is the card that somebody is shown who asks for it, as a text.
func cardOf(h *bottest.Hall, user int64) string {
	h.T.Helper()
	r := h.Must(1, user, chat.Command, "/me")
	if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != user || r.Posts[0].Open != chat.Secret {
		h.T.Fatalf("P%d is shown %+v", user, r)
	}
	return words.Flat(r.Posts[0].Text)
}

// TestCard: a card tells its owner alone what is kept of them, and all only once they show it, at most every ten minutes.
func TestCard(t *testing.T) {
	h := bottest.NewHall(t)
	h.PlayZevaka(1, 1, 2)
	h.GiveUpPatience(1, 1)
	h.Must(1, 1, chat.Command, "/balance")
	one, other := cardOf(h, 1), cardOf(h, 2)
	for _, want := range []string{"P1\n", "\nZevaka – ", " of 1 won", "\nRainbow – 0 of 1 came out", "\nRating: –, in 9 games", "\nPurse: 3000"} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in %s", want, one)
		}
	}
	if strings.Contains(other, "Rainbow") || !strings.HasPrefix(other, "P2\n") {
		t.Errorf("another one's card is %s", other)
	}
	if got := cardOf(h, 5); got != "P5\nNo games finished here yet" {
		t.Errorf("who hasn't played has the card %s", got)
	}
	show := func(user int64, token string, want string) {
		t.Helper()
		before := h.Everything()
		r := h.Ask(1, user, chat.Press, token)
		switch {
		case want != "":
			if !r.Alert || r.Toast != h.Bot.Words().Lang("en").Say("no."+want) || len(h.Changed(before)) > 0 {
				t.Errorf("P%d shows a card: %+v, want %s", user, r, want)
			}
		case r.Alert || len(r.Posts) != 1 || r.Posts[0].To != nil || words.Flat(r.Posts[0].Text) != one || len(r.Posts[0].Buttons) > 0:
			t.Errorf("P%d shows a card: %+v, want %s", user, r, one)
		}
	}
	first, second := h.Answer(1, 1, chat.Command, "/me"), h.Answer(1, 1, chat.Command, "/me")
	show(2, first, "question-over")
	show(1, first, "")
	show(1, first, "answered-already")
	show(1, second, "card-shown")
	show(2, second, "question-over")
	h.Wall += 10 * time.Minute
	show(1, second, "")
	third := h.Answer(1, 1, chat.Command, "/me")
	forgetting := h.Answer(1, 1, chat.Command, "/forgetme")
	h.Must(1, 1, chat.Press, forgetting)
	h.Wall += 10 * time.Minute
	show(1, third, "question-over")
	if got := cardOf(h, 1); got != "P1\nNo games finished here yet" {
		t.Errorf("who was forgotten has the card %s", got)
	}
}

// TestCardElsewhere: a card of a group that is read in private is shown in that group, by members only; one of a private chat is
// shown to nobody else, and who speaks for the group has none.
func TestCardElsewhere(t *testing.T) {
	h := bottest.NewHall(t)
	alone := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1}, Channel: 1, Private: true}
	ask := func(in chat.Place, who chat.User, kind chat.Kind, data string, member bool) chat.Response {
		h.Asked++
		return chattest.Drawn(h.Bot.Handle(t.Context(), chat.Request{
			ID: fmt.Sprint("card ", h.Asked), Kind: kind, Who: who, In: in, Data: data, On: "m1",
			Member: func(context.Context, chat.Community) (bool, error) { return member, nil },
		}))
	}
	token := h.Answer(1, 1, chat.Command, "/me")
	if r := ask(alone, bottest.User(1), chat.Press, token, false); !r.Alert || len(r.Posts) > 0 {
		t.Errorf("who has left shows a card: %+v", r)
	}
	r := ask(alone, bottest.User(1), chat.Press, token, true)
	if r.Alert || len(r.Posts) != 2 || r.Posts[0].To != nil || !r.Posts[0].In.Same(h.Place(1)) {
		t.Fatalf("a card is shown from a private chat: %+v", r)
	}
	if own := r.Posts[1]; own.To == nil || own.To.ID != 1 || own.Edit != "m1" || len(own.Buttons) > 0 {
		t.Errorf("the card in the private chat becomes %+v", own)
	}
	if r := ask(alone, bottest.User(1), chat.Command, "/me", true); r.Alert || len(r.Posts) != 1 || len(r.Posts[0].Buttons) > 0 {
		t.Errorf("a private chat's own card: %+v", r)
	}
	if r := ask(h.Place(1), chat.User{ID: 7, Name: "Group", Admin: true, Anonymous: true}, chat.Command, "/me", true); !r.Alert || len(r.Posts) > 0 {
		t.Errorf("a group's card: %+v", r)
	}
}

// TestCardPictures: a card is a picture, whatever its owner is called, which tells the same as its words do; where a place has no
// pictures there are only the words. The pictures are kept to be looked at.
func TestCardPictures(t *testing.T) {
	for _, test := range []struct {
		games      int
		lang, name string
		want       string
	}{
		{9, "en", "Ann", "Rating: –, in 1 game\n"},
		{10, "pl", "Świętosława Żółć", "Zewaka – wygrane: 7 z 10\nRanking: 571, +378 w 9 grach\n"},
		{60, "ru", "Аня", " за 10 игр\n"},
		{143, "en", "<b>\u202e🂡\u202eعمر</b> @everyone", " in 10 games\n"},
		{61, "pl", strings.Repeat("Ŵ", 64), " w 10 grach\n"},
	} {
		c := newCharted(t, test.games)
		who := chat.User{ID: 1, Name: test.name, Lang: test.lang}
		p := c.ask(chat.Command, who, "/me").Posts[0]
		if p.Picture == nil || p.Picture.Spare || !strings.Contains(p.Picture.Alt+"\n", test.want) || words.Flat(p.Text) != chat.CleanName(test.name) {
			t.Fatalf("%d games: %s; %+v", test.games, p.Picture.Alt, p)
		}
		png := p.Picture.PNG(nil)
		if w, h := p.Picture.Size(); w != 800 || h >= w || len(png) < 1000 {
			t.Errorf("%d games: %d bytes, %d × %d", test.games, len(png), w, h)
		}
		_ = os.WriteFile(filepath.Join(t.ArtifactDir(), fmt.Sprint("card", test.games, test.lang, ".png")), png, 0o644)
		err := storage.Update(t.Context(), c.store, func(tx storage.Tx) error {
			return table.PutPlace(tx, bottest.PlaceOf(1), table.PlaceRecord{Looks: table.Looks{Plain: true}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if q := c.ask(chat.Command, who, "/me").Posts[0]; q.Picture != nil || words.Flat(q.Text) != p.Picture.Alt {
			t.Errorf("%d games, as a text: %+v, want %s", test.games, q, p.Picture.Alt)
		}
	}
}
