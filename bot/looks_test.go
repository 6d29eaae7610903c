package bot

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestLooks changes how a place looks: the picture of its table changes with it, and comes back; and a table that is
// opened later looks the same.
func TestLooks(t *testing.T) {
	b, err := New(t.Context(), Options{Store: mem.New(), Games: games.All(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	say := func(user int64, admin bool, line string) chat.Response {
		asked++
		return b.seen(t.Context(), chat.Request{
			ID: fmt.Sprint(asked), Kind: chat.Command, Data: line,
			Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: admin},
			In:  chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1},
		})
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
	first := shown(say(1, false, "/tecza deal=1"))
	seen := map[string][]byte{"green": first}
	for _, step := range []struct{ word, as string }{
		{"four-colours", ""},
		{"blue", ""},
		{"two-colours", ""},
		{"green", "green"},
		{"slate", ""},
		{"text", "text"},
		{"wine", "text"}, // Seen when there are pictures again.
		{"pictures", ""},
	} {
		now := shown(say(9, true, "/settings "+step.word))
		if want, known := seen[step.as]; known && !bytes.Equal(now, want) {
			t.Errorf("%s doesn't look like %s", step.word, step.as)
		}
		if step.as == "text" {
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
	if !bytes.Equal(shown(say(2, false, "/tecza deal=1")), seen["pictures"]) {
		t.Error("a table that is opened later looks otherwise")
	}
	if r := say(9, true, "/settings pink"); !r.Alert || !strings.Contains(r.Toast, "wine") {
		t.Errorf("pink: %+v", r)
	}
	for _, same := range []struct{ word, as string }{
		{"blue", "синий"}, {"four-colours", "cztery barwy"}, {"green", "Зеленый"}, {"four colors", "четыре цвета"}, {"wine", "bordowy"},
	} {
		if want, got := shown(say(9, true, "/settings "+same.word)), shown(say(9, true, "/settings "+same.as)); !bytes.Equal(got, want) {
			t.Errorf("%s looks otherwise than %s", same.as, same.word)
		}
	}
	say(2, false, "/zevaka")
	if r := say(9, true, "/settings slate"); len(r.Posts) != 3 {
		t.Errorf("with two patiences and a lobby it shows %d posts, not a line and the patiences", len(r.Posts))
	}
	if r := say(3, false, "/settings blue"); !r.Alert || r.Toast != b.words.Lang("en").Say("no.only-admin") {
		t.Errorf("somebody who is no admin: %+v", r)
	}
}
