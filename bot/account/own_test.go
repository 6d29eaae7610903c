package account_test

import (
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// TestOwnScores: whoever asks how their own games went is told so alone, of each game that they have finished.
func TestOwnScores(t *testing.T) {
	h := bottest.NewHall(t)
	own := func(user int64, line string) chat.Post {
		t.Helper()
		r := h.Ask(1, user, chat.Command, line)
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != user {
			t.Fatalf("%s is answered %+v", line, r)
		}
		return r.Posts[0]
	}
	err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, h.Place(1).Community)
		for _, f := range []scores.Finish{
			{Won: true, Solved: true, Score: 104, Moves: 230, Seconds: 600, Level: 1}, {Won: true, Solved: true, Score: 104, Moves: 250, Seconds: 500}, {Score: 60, Moves: 90, Level: 3},
		} {
			if err == nil {
				_, err = scores.Record(tx, scores.Key{Community: origin, Game: "zaba", User: 1}, "Ann", f)
			}
		}
		if err == nil {
			_, err = scores.Record(tx, scores.Key{Community: origin, Game: "pauk", User: 1}, "Ann", scores.Finish{Score: 12, Moves: 9})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := words.Flat(own(1, "/scores me").Text)
	for _, want := range []string{
		"played: 3 · came out: 2 (67%)\neasy deals: 1 of 1 · hard deals: 0 of 1\nin a row: 0, at best 2\nbest time: 8:20 · fewest moves: 230", "played: 1 · came out: 0 (0%)\nbest: 12 cards in place",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("one's own are %q, and should have %q", told, want)
		}
	}
	if told := words.Flat(own(1, "/scores zaba Я").Text); strings.Contains(told, "12 cards") {
		t.Errorf("of one game it is %q", told)
	}
	if told := words.Flat(own(2, "/scores me").Text); told != "You haven't finished a game here yet." {
		t.Errorf("who has none is told %q", told)
	}
}
