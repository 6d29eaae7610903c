package bot_test

import (
	"fmt"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/words"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// FuzzTyped types anything at each of the patiences: it is a move or a refusal, and what is refused changes nothing.
func FuzzTyped(f *testing.F) {
	for i, line := range []string{
		"draw, turned w1", "7s 8s", "t3 f", "A♥ → 2♥", "put r1@4 f1", ",", ";;", "→ →", "quit, draw", "1.0 3.4", "as 1.0", "\xff", "g1.99 g",
	} {
		f.Add(uint8(i), line)
	}
	f.Fuzz(func(t *testing.T, game uint8, line string) {
		rules := patience.All()[int(game)%len(patience.All())]
		b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: patience.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id, line string) chat.Response {
			return bottest.Seen(t.Context(), b, chat.Request{
				ID: id, Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann"}, In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}, Data: line,
			})
		}
		opened := ask("1", fmt.Sprintf("/%s deal=1", rules.Info().Name))
		r := ask("2", "/m "+line)
		if r.Toast == b.Words().Lang("").Say("broken") || r.Toast == "" && len(r.Posts) == 0 {
			t.Errorf("%q is answered %+v", line, r)
		}
		if again := ask("3", "/table"); r.Alert && words.Flat(again.Posts[len(again.Posts)-1].Text) != words.Flat(opened.Posts[0].Text) {
			t.Errorf("%q was refused, and the board is another:\n%s", line, words.Flat(again.Posts[len(again.Posts)-1].Text))
		}
	})
}
