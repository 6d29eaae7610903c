package account_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine/games"
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
	h.Must(1, 1, chat.Command, "/daily") // Of a group of which nothing is known nobody is asked.
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
		if size, _, err := image.DecodeConfig(bytes.NewReader(png)); err != nil || size.Width != 800 || size.Height >= 800 || len(png) < 1000 {
			t.Errorf("%d games: %d bytes, %+v, %v", test.games, len(png), size, err)
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

// TestMarks: what people have done in games stands on their cards. The tables' moves prove it, and rebuild-scores works out the same.
func TestMarks(t *testing.T) {
	h := bottest.NewHall(t)
	played := []table.ID{h.PlayZevaka(1, 1, 2, 3, 4, 5)}
	first := h.Look(played[0])
	winner := first.Chairs[first.Result.Places[0]].User
	earned := map[int64][]string{winner: {"Not one yawn", "First of five", "First win"}}
	for range 8 {
		for n := range 2 {
			if n == 0 {
				h.Sit(2, "20 min=20 limit=none", 6, 7)
			} else {
				h.Cut(2)
			}
			one := h.Finish(2)
			played = append(played, one.ID)
			seat, name := 0, "Bank tripled"
			if one.Result.Chips[0] < 0 {
				seat, name = 1, "Bank broken"
			}
			user := one.Chairs[seat].User
			earned[user] = append(earned[user], name)
		}
	}
	for _, id := range played {
		one, proved := h.Look(id), h.Look(id)
		for i := range proved.Chairs {
			proved.Chairs[i].Feats = 0
		}
		proved.Note(h.State(one))
		for i, c := range proved.Chairs {
			if c.Feats != one.Chairs[i].Feats {
				t.Errorf("table %s: seat %d has done %b, by its moves %b", id, i, one.Chairs[i].Feats, c.Feats)
			}
		}
	}
	told := map[int64]string{}
	for user := int64(1); user <= 7; user++ {
		told[user] = cardOf(h, user)
		for _, name := range []string{"Not one yawn", "First of five", "First win", "Bank tripled", "Bank broken"} {
			if want := slices.Contains(earned[user], name); want != strings.Contains(told[user], "\n🏅 "+name+" – ") {
				t.Errorf("%q: want %t on the card of P%d: %s", name, want, user, told[user])
			}
		}
	}
	h.Audit()
	for key := range h.Everything() {
		if strings.HasPrefix(key, keyspace.Tallies) {
			h.Delete(key)
		}
	}
	again, err := upkeep.NewArchive(h.Store, games.All()).Scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Write(t.Context(), h.Store); err != nil {
		t.Fatal(err)
	}
	for user, before := range told {
		if after := cardOf(h, user); after != before {
			t.Errorf("P%d had the card %s, and has after a rebuild %s", user, before, after)
		}
	}
	h.ShowLast(played[1])
	h.ChangeEnded(played[1], func(one *table.Table) { one.Chairs[0].Feats = scores.FeatsOf("broke") })
	var wrong []purse.Problem
	if _, err := upkeep.NewArchive(h.Store, games.All()).Audit(t.Context(), func(p purse.Problem) { wrong = append(wrong, p) }); err != nil || len(wrong) != 1 {
		t.Errorf("the audit of a bank whose banker is said to have broken it: %v, %v", wrong, err)
	}
}

// TestAllMarks: a card shows the rarest three marks, /mydata names all; the words of each are there in every language.
func TestAllMarks(t *testing.T) {
	c := newCharted(t, 11)
	origin := bottest.PlaceOf(1).Community.String()
	err := storage.Update(t.Context(), c.store, func(tx storage.Tx) error {
		all := scores.Feats(1<<len(scores.FeatNames()) - 1)
		for _, rules := range games.All() {
			info := rules.Info()
			f := scores.Finish{Won: true, Solved: info.ForOne(), Seconds: 100, Moves: 50, At: 1_790_000_000, Feats: all}
			if info.Banker {
				f.Chips, f.Bank = 840, 840
			}
			if _, err := scores.Record(tx, scores.Key{Community: origin, Game: info.Name, User: 1}, "P1", f); err != nil {
				return err
			}
			f.Solved = f.Solved && info.Name != "pauk" // P2 lacks one patience.
			if _, err := scores.Record(tx, scores.Key{Community: origin, Game: info.Name, User: 2}, "P2", f); err != nil {
				return err
			}
			for _, feat := range info.Feats {
				if scores.FeatsOf(feat) == 0 {
					t.Errorf("%s has the feat %q, which no tally knows", info.Name, feat)
				}
			}
		}
		return storage.PutJSON(tx, keyspace.DayPeople+origin+"/1", day.Person{Newest: 380, Longest: 7, Played: 9, Solved: 8})
	})
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string][]string{
		"ru": {"Все пасьянсы", "Ни одного зевка", "Неделя без пропусков", "Первая победа"},
		"pl": {"Wszystkie pasjanse", "Czujne oko", "Cały tydzień", "Pierwsza wygrana"},
		"en": {"Every patience", "Not one yawn", "A full week", "First win"},
	} {
		who := chat.User{ID: 1, Name: "Świętosława Żółć", Lang: lang}
		p := c.ask(chat.Command, who, "/me").Posts[0]
		for i, name := range want {
			if strings.Contains(p.Picture.Alt, name) != (i < 3) {
				t.Errorf("%q: %s", name, p.Picture.Alt)
			}
		}
		if n := strings.Count(p.Picture.Alt, "🏅"); n != 3 {
			t.Errorf("%d marks: %s", n, p.Picture.Alt)
		}
		who.ID = 2
		if other := c.ask(chat.Command, who, "/me").Posts[0]; strings.Contains(other.Picture.Alt, want[0]) {
			t.Errorf("who lacks one patience has %s", other.Picture.Alt)
		}
		who.ID = 1
		_ = os.WriteFile(filepath.Join(t.ArtifactDir(), "marks-"+lang+".png"), p.Picture.PNG(nil), 0o644)
		all := words.Flat(c.ask(chat.Command, who, "/mydata").Posts[0].Text)
		if line := all[strings.Index(all, want[0]):]; strings.Count(strings.Split(line, "\n")[0], ", ") != 11 || !strings.Contains(line, want[3]) || strings.Contains(all, "mark.") {
			t.Errorf("of all marks is told: %s", all)
		}
	}
}
