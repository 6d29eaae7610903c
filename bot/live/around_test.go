package live_test

import (
	"context"
	"testing"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// meanwhile is a store in which something happens once, right after it was read.
type meanwhile struct {
	storage.Store
	do func()
}

// View implements storage.Store.
func (m *meanwhile) View(ctx context.Context, fn func(storage.Reader) error) error {
	err := m.Store.View(ctx, fn)
	if do := m.do; do != nil {
		m.do = nil
		do()
	}
	return err
}

// TestEndsWhileListed: a table that ends just when somebody comes to look at the tables of a place isn't listed by that for as long as
// anybody looks there.
func TestEndsWhileListed(t *testing.T) {
	t.Parallel()
	s := &meanwhile{Store: mem.New()}
	c := newClub(t, 1)
	var err error
	if c.bot, err = bot.New(t.Context(), bot.Options{Store: s, Games: games.All()}); err != nil {
		t.Fatal(err)
	}
	c.open("/patience tecza")
	s.do = func() { c.do(c.people[0], "giveup") }
	around, err := c.bot.Live().Around(t.Context(), chat.Request{Who: c.people[1], In: c.place}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer around.Close()
	if s.do != nil {
		t.Fatal("nothing was read")
	}
	if list := around.List(); len(list) != 0 {
		t.Errorf("it is listed still: %+v", list)
	}
}
