package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
)

// cracked is a store in which the value of one key is damaged.
type cracked struct {
	storage.Store
	key string
}

func (c *cracked) damaged() error {
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, storage.Damaged{Key: c.key})
}

func (c *cracked) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if slices.Contains(keys, c.key) {
		return nil, c.damaged()
	}
	return c.Store.Get(ctx, keys...)
}

func (c *cracked) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := c.Store.Scan(ctx, prefix, after, limit)
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
			s := &cracked{Store: mem.New()}
			in := Place{Community: Community{Web, 1}, Channel: 1}
			first := must(New(t.Context(), Options{Store: s, Games: newClocked(t).bot.order}))
			var ids []tableID
			for n := range 3 {
				r := first.Handle(t.Context(), Request{
					ID: fmt.Sprint(n), Kind: Command, Who: User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/zevaka", In: in,
				})
				id, _ := parseTableID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			test.damage(t, s, keyOpen(ids[1]))
			b, err := New(t.Context(), Options{Store: s, Games: first.order})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range []int{0, 2} {
				if b.clock.due[ids[i]] == nil {
					t.Errorf("table %d won't be drawn", i)
				}
			}
			r := b.Handle(t.Context(), Request{
				ID: "list", Kind: Command, Who: User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/table", In: in,
			})
			if len(r.Posts) != 1 || len(r.Posts[0].Rows(5)) != 2 || !strings.Contains(flat(r.Posts[0].Text), "which table") {
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
