package upkeep_test

import (
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
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestDamage: one table of three can't be read. The bot starts, draws the others, and finds them by command.
func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, s *bottest.Cracked, key string)
	}{
		{"bits of it", func(_ *testing.T, s *bottest.Cracked, key string) { s.Key = key }},
		{"rubbish", func(t *testing.T, s *bottest.Cracked, key string) { overwrite(t, s, key, "rubbish") }},
		{"another format", func(t *testing.T, s *bottest.Cracked, key string) { overwrite(t, s, key, `{"v":99}`+"\n\x00") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := bottest.Crack(mem.New(), "")
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			running := time.Duration(0)
			clock := func() time.Duration { return running }
			first := bottest.Must(bot.New(t.Context(), bot.Options{Store: s, Games: games.All(), Running: clock}))
			var ids []table.ID
			for n := range 3 {
				running += bottest.DoubleTap // No double tap.
				r := bottest.Seen(t.Context(), first, chat.Request{
					ID: fmt.Sprint(n), Kind: chat.Press, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, In: in,
					Data: table.PlaceToken(chat.Request{In: in}, "!another zevaka"),
				})
				id, _ := table.ParseID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			test.damage(t, s, table.KeyOpen(ids[1]))
			var rings bottest.Rung
			b, err := bot.New(t.Context(), bot.Options{Store: s, Games: games.All(), Running: clock, Observer: &rings})
			if err != nil {
				t.Fatal(err)
			}
			running += time.Second
			drawn := rings.Ring(t, b)
			for _, i := range []int{0, 2} {
				if !drawn[ids[i]] {
					t.Errorf("table %d won't be drawn", i)
				}
			}
			r := bottest.Seen(t.Context(), b, chat.Request{
				ID: "list", Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/table", In: in,
			})
			if len(r.Posts) != 1 || len(r.Posts[0].Rows(5)) != 2 || !strings.Contains(words.Flat(r.Posts[0].Text), "which table") {
				t.Errorf("/table is answered %+v", r)
			}
		})
	}
}

func overwrite(t *testing.T, s storage.Store, key, value string) {
	t.Helper()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		tx.Put(key, []byte(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
