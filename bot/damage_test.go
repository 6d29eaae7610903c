package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// cracked is a store in which the value of one key is damaged.
type cracked struct {
	stores.Reads
	key string
}

func crack(s storage.Store, key string) *cracked {
	c := &cracked{key: key}
	c.Reads = stores.Reads{Store: s, Got: c.got, Scanned: c.scanned}
	return c
}

func (c *cracked) damaged() error {
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, storage.Damaged{Key: c.key})
}

func (c *cracked) got(items []storage.Item, err error) ([]storage.Item, error) {
	if slices.ContainsFunc(items, func(item storage.Item) bool { return item.Key == c.key }) {
		return nil, c.damaged()
	}
	return items, err
}

func (c *cracked) scanned(items []storage.Item, err error) ([]storage.Item, error) {
	if i := slices.IndexFunc(items, func(item storage.Item) bool { return item.Key == c.key }); err == nil && i >= 0 {
		return items[:i], c.damaged()
	}
	return items, err
}

// TestDamage: one table of three can't be read. The bot starts, draws the others, and finds them by command.
func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, s *cracked, key string)
	}{
		{"bits of it", func(_ *testing.T, s *cracked, key string) { s.key = key }},
		{"rubbish", func(t *testing.T, s *cracked, key string) { overwrite(t, s, key, "rubbish") }},
		{"another format", func(t *testing.T, s *cracked, key string) { overwrite(t, s, key, `{"v":99}`+"\n\x00") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := crack(mem.New(), "")
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			running := time.Duration(0)
			clock := func() time.Duration { return running }
			first := must(New(t.Context(), Options{Store: s, Games: newClocked(t).bot.order, Running: clock}))
			var ids []table.ID
			for n := range 3 {
				running += placeTwice // No double tap.
				r := first.seen(t.Context(), chat.Request{
					ID: fmt.Sprint(n), Kind: chat.Press, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, In: in,
					Data: table.PlaceToken(chat.Request{In: in}, "!another zevaka"),
				})
				id, _ := table.ParseID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			test.damage(t, s, table.KeyOpen(ids[1]))
			b, err := New(t.Context(), Options{Store: s, Games: first.order, Running: clock})
			if err != nil {
				t.Fatal(err)
			}
			running += time.Second
			drawn := rung(t, b)
			for _, i := range []int{0, 2} {
				if !drawn[ids[i]] {
					t.Errorf("table %d won't be drawn", i)
				}
			}
			r := b.seen(t.Context(), chat.Request{
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
