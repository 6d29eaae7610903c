package table_test

import (
	"fmt"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestOffersOfMany: who asks for offer after offer ends no one's but their own.
func TestOffersOfMany(t *testing.T) {
	store, c := mem.New(), chat.Community{Platform: chat.Telegram, ID: -1}
	for n := range 40 {
		asked := int64(7)
		if n == 0 {
			asked = 1
		}
		err := storage.Update(t.Context(), store, func(tx storage.Tx) error {
			all, err := table.GetOffers(tx, c)
			if err != nil {
				return err
			}
			return table.PutOffers(tx, c, append(all, table.Offered{Name: fmt.Sprint("offer ", n), Asked: asked}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left, err := storage.Read(t.Context(), store, func(from storage.Reader) ([]table.Offered, error) { return table.GetOffers(from, c) })
	if err != nil || len(left) != table.MaxOffers || left[0].Name != "offer 0" || left[len(left)-1].Name != "offer 39" {
		t.Errorf("%+v are left, %v", left, err)
	}
}

// TestOffersToAll: an offer that stands before everybody in a place, as that of the day does, goes for none of those that somebody has asked
// for, however many people ask.
func TestOffersToAll(t *testing.T) {
	store, c := mem.New(), chat.Community{Platform: chat.Telegram, ID: -1}
	for n := range 3 * table.MaxOffers {
		err := storage.Update(t.Context(), store, func(tx storage.Tx) error {
			all, err := table.GetOffers(tx, c)
			if err != nil {
				return err
			}
			return table.PutOffers(tx, c, append(all, table.Offered{Name: fmt.Sprint("offer ", n), Asked: int64(n), Day: n == 0}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left, err := storage.Read(t.Context(), store, func(from storage.Reader) ([]table.Offered, error) { return table.GetOffers(from, c) })
	if err != nil || len(left) != table.MaxOffers || !left[0].Day || left[len(left)-1].Name != fmt.Sprint("offer ", 3*table.MaxOffers-1) {
		t.Errorf("%+v are left, %v", left, err)
	}
}
