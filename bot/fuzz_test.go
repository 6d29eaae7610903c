package bot

import (
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/storage/storagetest/stores"
)

// FuzzStored puts anything where a table, its place, the offers and the decisions of its community are stored: presses
// and commands there are answered, and an audit reads it to its end.
func FuzzStored(f *testing.F) {
	lobby := `{"v":1,"phase":1,"level":1,"place":{"Community":{"Platform":119,"ID":1},"Channel":1},"game":"zevaka","rev":1,` +
		`"options":{"pack":"36"},"host":5,"chairs":[{"user":5,"name":"A"}]}`
	deal := `{"v":1,"phase":3,"level":9,"place":{"Community":{"Platform":119,"ID":1},"Channel":1},"game":"banchok","rev":1,` +
		`"options":{},"chairs":[{"user":5,"name":"A"},{"user":6,"name":"B"}],"moves":1,"chips":{"Bank":20},"session":{"deal":1}}`
	f.Add([]byte(lobby+"\n\x00"), []byte(`{"tables":["a"],"lang":"ru"}`), []byte(`[{"name":"b","game":"tecza"}]`), []byte(`{"nogifts":true}`))
	f.Add([]byte(deal+"\n\x00"+"1 stake 20;"), []byte(`{"tables":["a","a"]}`), []byte(`null`), []byte(`{}`))
	f.Add([]byte(`{"v":1,"phase":2,"game":"tecza","rev":1,"chairs":[],"cutter":7}`+"\n\xff"), []byte(`[]`), []byte(`{}`), []byte(`1`))
	f.Add([]byte(`{"v":1,"phase":4,"game":"tecza","rev":1,"chairs":[{"user":5}],"result":{}}`+"\n\x00"), []byte(`{}`), []byte(`[]`), []byte(``))
	first := Like(f)
	f.Fuzz(func(t *testing.T, stored, place, offers, decided []byte) {
		in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
		s, err := stores.Holding(t, map[string][]byte{
			keyspace.OpenTables + "w1/a": stored, table.KeyPlace(in): place, table.KeyOffers(in.Community): offers, table.KeyDecisions("w1"): decided,
		})
		if err != nil {
			return
		}
		b := Another(t, first, s)
		handle := func(id string, kind chat.Kind, data string) {
			r := chat.Request{ID: id, Kind: kind, Who: chat.User{ID: 5, Name: "A", Admin: true}, In: in, Data: data}
			response, outcome := b.handle(t.Context(), r)
			if outcome == chat.Done && response.Alert && response.Toast == "" {
				t.Errorf("%q: %+v", data, response)
			}
		}
		for _, do := range []string{"!join", "!show", "!deal", "!cut 7", "flip", "stake 20", "!undo", "!stop", "!answer X 0"} {
			handle(do, chat.Press, "1.w1.a.2."+do)
		}
		handle("table", chat.Command, "/table")
		handle("give", chat.Command, "/give B 5")
		handle("offer", chat.Press, table.PlaceToken(chat.Request{In: in}, "!here b"))
		if _, err := upkeep.NewArchive(s, b.order).Audit(t.Context(), func(purse.Problem) {}); err != nil {
			t.Error(err)
		}
		_, _ = upkeep.NewArchive(s, b.order).Scores(t.Context())
	})
}
