package account_test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// charted is a bot with pictures and what somebody's rating and purse have been.
type charted struct {
	t     *testing.T
	store storage.Store
	bot   *bot.Bot
	n     int
}

// newCharted has somebody play so many games with others, of which every third was lost, and as many entries in their purse.
func newCharted(t *testing.T, n int) *charted {
	t.Helper()
	store := mem.New()
	bot, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All(), Pictures: true, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	origin, kept := bottest.PlaceOf(1).Community.String(), scores.StartRating()
	for i := range n {
		places := []int{1, 2}
		if i%3 == 2 {
			places = []int{2, 1}
		}
		was := kept
		kept = scores.PlayedOn([]scores.KeptRating{was, {Mean: 25_000_000, Spread: 3_000_000, Games: 50}}, places)[0]
		f := scores.Finish{Won: places[0] == 1, Place: places[0], Was: was, Rating: kept, At: 1_790_000_000 + int64(i)*80_000}
		err := storage.Update(t.Context(), store, func(tx storage.Tx) error {
			if _, err := scores.Record(tx, scores.Key{Community: origin, Game: "zevaka", User: 1}, "P1", f); err != nil {
				return err
			}
			l := purse.Ledger{Tx: tx, Community: origin, Now: f.At}
			if _, err := l.Open(1, "P1"); err != nil || i == 0 {
				return err
			}
			amount := int64(i%7-2) * 120
			if amount == 0 {
				amount = 5
			}
			c := purse.Cause{Kind: purse.KindWin, Table: fmt.Sprint(i), Deal: 1, Move: 1}
			_, err := l.Post(c.ID(), c, purse.Leg{Account: purse.User(1), Amount: amount}, purse.Leg{Account: purse.House, Amount: -amount})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return &charted{t: t, store: store, bot: bot}
}

func (c *charted) ask(kind chat.Kind, who chat.User, data string) chat.Response {
	c.n++
	r := chat.Request{ID: fmt.Sprint("chart ", c.n), Kind: kind, Who: who, In: bottest.PlaceOf(1), Data: data}
	return chattest.Drawn(c.bot.Handle(c.t.Context(), r))
}

// drawing is the button of a message that draws what the word says.
func drawing(t *testing.T, r chat.Response, word string) chat.Button {
	t.Helper()
	for _, row := range r.Posts[0].Buttons {
		for _, b := range row {
			if strings.HasSuffix(b.Token, "!chart "+word) {
				return b
			}
		}
	}
	t.Fatalf("no button draws %s in %+v", word, r.Posts[0].Buttons)
	return chat.Button{}
}

// TestCharts: where people read of ratings and purses a button draws one's own, in one's language and with one's name, however
// that is written; it is for nobody else. The pictures are kept to be looked at.
func TestCharts(t *testing.T) {
	for _, test := range []struct {
		games      int
		lang, name string
		want       string
	}{
		{9, "en", "Ann", "!Your rating can be seen after 1 more game with others here."},
		{10, "pl", "Świętosława Żółć", "Zewaka: twój ranking to 571; najwyższy ostatnio – 575."},
		{60, "ru", "Аня", ""},
		{143, "en", "<b>\u202e🂡\u202eعمر</b> @everyone", ""},
		{61, "pl", strings.Repeat("Ŵ", 70), ""},
	} {
		c := newCharted(t, test.games)
		who := chat.User{ID: 1, Name: test.name, Lang: test.lang}
		for _, shown := range []struct {
			line, word string
		}{{"/scores", "zevaka"}, {"/top", "zevaka"}, {"/top", "chips"}, {"/ledger", "chips"}} {
			list := c.ask(chat.Command, who, shown.line)
			r := c.ask(chat.Press, who, drawing(t, list, shown.word).Token)
			if r.Alert {
				if got := "!" + r.Toast; got != test.want || shown.word == "chips" {
					t.Errorf("%d games, %s: %s", test.games, shown.word, got)
				}
				continue
			}
			p := r.Posts[0]
			if p.To == nil || p.To.ID != 1 || p.Picture == nil || shown.word == "chips" && p.Open != chat.Secret {
				t.Fatalf("%d games, %s: %+v", test.games, shown.word, r)
			}
			if text := words.Flat(p.Text); test.want != "" && shown.word != "chips" && text != test.want || strings.ContainsAny(text, "{}<>") {
				t.Errorf("%d games, %s: %s", test.games, shown.word, text)
			}
			png := p.Picture.PNG(nil)
			if size, _, err := image.DecodeConfig(bytes.NewReader(png)); err != nil || size.Width != 800 || size.Height >= 800 || len(png) < 1000 {
				t.Errorf("%d games, %s: %d bytes, %+v, %v", test.games, shown.word, len(png), size, err)
			}
			_ = os.WriteFile(filepath.Join(t.ArtifactDir(), fmt.Sprint(shown.word, test.games, test.lang, ".png")), png, 0o644)
		}
	}
}

// TestChartsOfOthers: the same button draws for whoever presses it what is theirs, and nothing for who has nothing or speaks for the place; one
// that the house didn't write is refused.
func TestChartsOfOthers(t *testing.T) {
	c := newCharted(t, 12)
	rated := drawing(t, c.ask(chat.Command, bottest.User(1), "/scores"), "zevaka").Token
	chips := drawing(t, c.ask(chat.Command, bottest.User(1), "/ledger"), "chips").Token
	for _, test := range []struct {
		who   chat.User
		token string
		want  string
	}{
		{bottest.User(2), rated, "Your rating can be seen after 10 more games with others here."},
		{bottest.User(2), chips, "Nothing has moved in your purse here yet."},
		{chat.User{ID: 5, Name: "Group", Anonymous: true}, chips, ""},
		{bottest.User(1), table.PlaceToken(chat.Request{In: bottest.PlaceOf(1)}, "!chart banchok"), ""},
		{bottest.User(1), table.PlaceToken(chat.Request{In: bottest.PlaceOf(1)}, "!chart"), ""},
		{bottest.User(1), table.PlaceToken(chat.Request{In: bottest.PlaceOf(1)}, "!chart zevaka 1"), ""},
	} {
		r := c.ask(chat.Press, test.who, test.token)
		if !r.Alert || len(r.Posts) > 0 || test.want != "" && r.Toast != test.want {
			t.Errorf("%s for P%d: %+v, want %s", test.token, test.who.ID, r, test.want)
		}
	}
}
