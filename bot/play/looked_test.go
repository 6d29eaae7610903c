package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestLookedAt: a command is meant for the table that is looked at, if it can be; /giveup is for patiences only.
func TestLookedAt(t *testing.T) {
	in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	running := time.Duration(0)
	store := mem.New()
	b := bottest.Must(bot.New(t.Context(), bot.Options{Store: store, Games: games.All(), Running: func() time.Duration { return running }}))
	n := 0
	ask := func(kind chat.Kind, data, table string) chat.Response {
		n++
		running += bottest.DoubleTap // No double tap.
		return bottest.Seen(t.Context(), b, chat.Request{
			ID: fmt.Sprint(n), Kind: kind, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, In: in, Data: data, Table: table,
		})
	}
	frog, other := ask(chat.Command, "/zaba deal=1", "").Posts[0].Table, ask(chat.Command, "/zaba deal=2", "").Posts[0].Table
	lobby := ask(chat.Press, table.PlaceToken(chat.Request{In: in}, "!another zevaka"), "").Posts[0].Table
	for _, test := range []struct {
		line, at string
		offered  []string // nil: it isn't asked at which table
	}{
		{"/giveup", "", []string{other, frog}},
		{"/giveup", lobby, []string{other, frog}},
		{"/giveup", "nonsense", []string{other, frog}},
		{"/table", "", []string{lobby, other, frog}},
		{"/table", lobby, nil},
		{"/table", frog, nil},
		{"/remove", lobby, nil},
		{"/giveup", frog, nil},
		{"/giveup", other, nil},
		{"/stop", lobby, nil},
	} {
		r := ask(chat.Command, test.line, test.at)
		var offered, want []string
		for _, p := range r.Posts {
			if strings.Contains(words.Flat(p.Text), "which table") {
				for _, row := range p.Rows(5) {
					for _, button := range row {
						tok, err := table.ParseToken(button.Token)
						if err != nil {
							t.Fatal(err)
						}
						offered = append(offered, tok.Table.String())
					}
				}
			}
		}
		want = append(want, test.offered...)
		slices.Sort(offered)
		slices.Sort(want)
		if !slices.Equal(offered, want) {
			t.Errorf("%s at %q offers %q, want %q", test.line, test.at, offered, want)
		}
	}
	if tables := bottest.Must(bottest.Shelf(store).Look(t.Context(), in)); slices.ContainsFunc(tables, func(one *table.Table) bool { return one.ID.String() == lobby && one.Phase != table.Ended }) {
		t.Error("/stop has not closed the table that is looked at")
	}
}
