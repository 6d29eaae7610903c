package board_test

import (
	"bytes"
	"context"
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
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestLooks changes how a place looks: the picture of its table changes with it, and comes back; and a table that is
// opened later looks the same. It stands where it stood, but where words become a picture, or a picture words.
func TestLooks(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	in := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1}, Channel: 1}
	ask := func(user int64, kind chat.Kind, data string) chat.Response {
		asked++
		return bottest.Seen(t.Context(), b, chat.Request{
			ID: fmt.Sprint(asked), Kind: kind, Data: data, In: in,
			Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 9},
		})
	}
	set := func(user int64, choice string) chat.Response {
		return ask(user, chat.Press, table.PlaceToken(chat.Request{In: in}, "!set "+choice))
	}
	// shown is the picture in the last of the posts, nil if it has none.
	shown := func(r chat.Response) []byte {
		t.Helper()
		if r.Alert || len(r.Posts) == 0 {
			t.Fatalf("the answer is %+v", r)
		}
		if p := r.Posts[len(r.Posts)-1].Picture; p != nil {
			return p.PNG(nil)
		}
		return nil
	}
	laid := ask(1, chat.Command, "/tecza deal=1")
	first := shown(laid)
	b.Handle(t.Context(), chat.Request{ID: "stands", Kind: chat.Shown, Data: laid.Posts[len(laid.Posts)-1].Receipt, In: in, On: "board"})
	seen := map[string][]byte{"cloth green": first}
	for _, step := range []struct{ word, as string }{
		{"suits four-colours", ""},
		{"cloth blue", ""},
		{"suits two-colours", ""},
		{"cloth green", "cloth green"},
		{"cloth slate", ""},
		{"pictures text", "pictures text"},
		{"cloth wine", "pictures text"}, // Seen when there are pictures again.
		{"pictures pictures", ""},
	} {
		r := set(9, step.word)
		now := shown(r)
		if p := r.Posts[len(r.Posts)-1]; p.Table != "" && (p.Edit == "") != strings.HasPrefix(step.word, "pictures ") {
			t.Errorf("after %s it stands in %q", step.word, p.Edit)
		}
		if want, known := seen[step.as]; known && !bytes.Equal(now, want) {
			t.Errorf("%s doesn't look like %s", step.word, step.as)
		}
		if step.as == "pictures text" {
			if now != nil {
				t.Errorf("%s shows a picture", step.word)
			}
			continue
		}
		for word, other := range seen {
			if word != step.as && bytes.Equal(now, other) {
				t.Errorf("%s looks like %s", step.word, word)
			}
		}
		seen[step.word] = now
	}
	if !bytes.Equal(shown(ask(2, chat.Command, "/tecza deal=1")), seen["pictures pictures"]) {
		t.Error("a table that is opened later looks otherwise")
	}
	if r := set(9, "cloth pink"); !r.Alert {
		t.Errorf("pink: %+v", r)
	}
	ask(2, chat.Command, "/zevaka")
	if r := set(9, "cloth slate"); len(r.Posts) != 3 {
		t.Errorf("with two patiences and a lobby it shows %d posts, not a line and the patiences", len(r.Posts))
	}
	if r := set(3, "cloth blue"); !r.Alert || r.Toast != b.Words().Lang("en").Say("no.only-admin-seen") {
		t.Errorf("somebody who is no admin: %+v", r)
	}
}

// TestPicturesOfSeveral: a game for several is a picture only where pictures were chosen, and changes with that; stopped, it
// stays what it was.
func TestPicturesOfSeveral(t *testing.T) {
	store := mem.New()
	b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for channel, at := range []struct {
		platform chat.Platform
		pictures bool
	}{{chat.Telegram, true}, {chat.Discord, true}} {
		in := chat.Place{Community: chat.Community{Platform: at.platform, ID: 1}, Channel: int64(channel) + 1}
		question := ""
		say := func(user int64, kind chat.Kind, data string) []chat.Post {
			t.Helper()
			asked++
			r := bottest.Seen(t.Context(), b, chat.Request{
				ID: fmt.Sprint(asked), Kind: kind, Data: data, In: in,
				Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 9},
			})
			if r.Alert {
				t.Fatalf("%q: %s", data, r.Toast)
			}
			return slices.DeleteFunc(r.Posts, func(p chat.Post) bool {
				if p.To != nil && len(p.Buttons) > 0 {
					question = p.Buttons[0][0].Token
				}
				return p.Table == ""
			})
		}
		set := func(choice string) string { return table.PlaceToken(chat.Request{In: in}, "!set "+choice) }
		// shows checks the newest board in what was said.
		shows := func(posts []chat.Post, boards int, picture bool) {
			t.Helper()
			if len(posts) != boards {
				t.Fatalf("%c: %d boards, not %d", at.platform, len(posts), boards)
			}
			for _, p := range posts {
				if drawn := p.Picture != nil; drawn != (picture && at.pictures) {
					t.Errorf("%c: a picture is %v: %s", at.platform, drawn, words.Flat(p.Text))
				}
			}
		}
		deal := func() {
			t.Helper()
			say(1, chat.Command, "/zevaka")
			lobby := lookAt(t, store, in)
			say(2, chat.Press, table.Token{Table: lobby.ID, Do: "!join"}.String())
			say(1, chat.Press, table.Token{Table: lobby.ID, Do: "!deal"}.String())
			seated := lookAt(t, store, in)
			say(seated.Chairs[seated.Cutter].User, chat.Press, table.Token{Table: lobby.ID, Epoch: 1, Do: "!no-cut"}.String())
		}
		redrawn := map[bool]int{true: 1}[at.pictures]
		deal()
		shows(say(9, chat.Command, "/table"), 1, false)
		shows(say(9, chat.Press, set("cloth blue")), 0, false)
		shows(say(9, chat.Press, set("pictures pictures")), redrawn, true)
		shows(say(9, chat.Press, set("cloth wine")), redrawn, true)
		mover := lookAt(t, store, in)
		shows(say(mover.Chairs[mover.Mover].User, chat.Command, "/m flip"), 1, true)
		shows(say(9, chat.Press, set("pictures text")), redrawn, false)
		shows(say(9, chat.Press, set("cloth green")), 0, false)
		shows(say(9, chat.Press, set("pictures pictures")), redrawn, true)
		say(9, chat.Command, "/stop")
		stopped := lookAt(t, store, in)
		shows(say(9, chat.Press, question), 1, true)
		damaged(t, store, stopped.ID)
		deal()
		say(9, chat.Command, "/stop")
		shows(say(9, chat.Press, question), 1, true) // Nobody had moved.
		deal()
		shows(say(9, chat.Press, set("pictures text")), redrawn, false)
		say(9, chat.Command, "/stop")
		shows(say(9, chat.Press, question), 1, false)
	}
}

// lookAt is the newest table in a place.
func lookAt(t *testing.T, store storage.Store, in chat.Place) *table.Table {
	t.Helper()
	tables, err := bottest.Shelf(store).Look(t.Context(), in)
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	return tables[len(tables)-1]
}

// damaged spoils the moves of a table that has ended. How it ended is told all the same, without a picture.
func damaged(t *testing.T, store storage.Store, id table.ID) {
	t.Helper()
	err := storage.Update(t.Context(), store, func(tx storage.Tx) error {
		items, err := tx.Get(table.KeyOpen(id))
		if err == nil {
			tx.Put(table.KeyOpen(id), append(slices.Clone(items[0].Value), "no move"...))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	running := time.Duration(0)
	b, err := bot.New(t.Context(), bot.Options{
		Store: store, Games: games.All(), Pictures: true, Running: func() time.Duration { running += time.Second; return running },
	})
	if err != nil {
		t.Fatal(err)
	}
	var again []chat.Post // A start draws all tables anew.
	b.Ring(t.Context(), func(_ context.Context, r chat.Response) {
		again = append(again, slices.DeleteFunc(r.Posts, func(p chat.Post) bool { return p.Table != id.String() })...)
	})
	if len(again) != 1 {
		t.Fatalf("%+v", again)
	}
	if p, ok := again[0].Drawn(); !ok || p.Picture != nil || !strings.Contains(words.Flat(p.Text), "closed the table") {
		t.Errorf("with its moves damaged it ends as %+v", p.Message)
	}
}
