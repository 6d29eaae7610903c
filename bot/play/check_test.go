package play_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// outsider is somebody who stands around and plays nowhere.
const outsider = 55

// check is what somebody is told who presses Check at a table; before the cut perhaps with all others.
func check(h *bottest.Hall, user int64, id table.ID) string {
	h.T.Helper()
	posts := h.Must(1, user, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!check"}.String()).Posts
	if len(posts) != 1 || posts[0].To == nil && h.Look(id).Phase != table.Cutting || posts[0].To != nil && posts[0].To.ID != user || posts[0].Table != "" {
		h.T.Fatalf("Check is answered with %+v", posts)
	}
	return words.Flat(posts[0].Text)
}

// boardText is what the newest picture of the channel's table says.
func boardText(h *bottest.Hall, channel int64) string {
	h.T.Helper()
	for _, p := range h.Must(channel, 1, chat.Command, "/table").Posts {
		if p.Table != "" {
			return words.Flat(p.Text)
		}
	}
	h.T.Fatal("no table is shown")
	return ""
}

// digitsOf are those that a board shows of a seed's checksum.
func digitsOf(seed engine.Seed) string {
	sum := seed.Commitment()
	return "🔒 " + sum[:4] + " " + sum[4:8] + " " + sum[8:12] + " " + sum[12:16]
}

// sumOf is the checksum that a seed has that Check tells.
func sumOf(t *testing.T, text, label string) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(label) + ` ([0-9a-f]{64})`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("there is no %q in %q", label, text)
	}
	seed, err := hex.DecodeString(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(seed))
}

// TestCheck plays a game of each kind: the digits stand in each picture before the cut, Check tells all of them to players
// and to whoever stands around, no seed before its time, and in the end the seeds that the digits were those of, as they are
// in the record.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		command string
		deals   int
	}{{"/zevaka", 1}, {"/banchok bank=20", 2}} {
		t.Run(test.command, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, test.command)
			id := h.Table(1).ID
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			seed := func(s engine.Seed) string { return string(bottest.Must(s.MarshalText())) }
			promised := h.Table(1).Draw.Commitment()
			if b := boardText(h, 1); !strings.Contains(b, digitsOf(h.Table(1).Draw)) {
				t.Errorf("the lobby says %q", b)
			}
			for _, user := range []int64{1, 2, outsider} {
				said := check(h, user, id)
				if !strings.Contains(said, "Draw, SHA-256: "+promised) || strings.Contains(said, seed(h.Table(1).Draw)) {
					t.Errorf("P%d is told in the lobby: %q", user, said)
				}
			}
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			for deal := range test.deals {
				id := h.Table(1).ID
				sum := h.Table(1).Seed.Commitment()
				if b := boardText(h, 1); !strings.Contains(b, digitsOf(h.Table(1).Seed)) {
					t.Errorf("when the cut is asked the board says %q", b)
				}
				early := func(when string) {
					t.Helper()
					for _, user := range []int64{1, 2, outsider} {
						said := check(h, user, id)
						if !strings.Contains(said, "Shuffle, SHA-256: "+sum) || strings.Contains(said, seed(h.Table(1).Seed)) {
							t.Errorf("P%d is told %s: %q", user, when, said)
						}
						if deal == 0 && sumOf(t, said, "Draw, number:") != promised {
							t.Errorf("P%d is told of another draw %s: %q", user, when, said)
						}
					}
				}
				early("before the cut")
				h.Cut(1)
				early("in the game")
				cut := h.Table(1).Cut
				for steps := 0; h.Look(id).Phase != table.Ended; steps++ {
					if steps > 3000 {
						t.Fatal("it never ends")
					}
					h.PlayAt(1, h.Look(id))
				}
				for _, user := range []int64{1, 2, outsider} {
					said := check(h, user, id)
					if sumOf(t, said, "Shuffle, number:") != sum || !strings.Contains(said, fmt.Sprintf("Cut: %q", cut)) {
						t.Errorf("P%d is told after the game: %q", user, said)
					}
				}
				if r := h.Look(id); r.Seed.Commitment() != sum || r.Cut != cut {
					t.Errorf("the record has %s, %q", seed(r.Seed), r.Cut)
				}
			}
		})
	}
}

// TestCheckOfNothing: a table that was closed before the cards were dealt has nothing to check.
func TestCheckOfNothing(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	id := h.Table(1).ID
	h.Sure(1, 1, chat.Command, "/stop")
	if said := check(h, outsider, id); strings.Contains(said, "SHA") || !strings.Contains(said, "nothing to check") {
		t.Errorf("it is told %q", said)
	}
}

// TestDrawOfAnEarlierProgram: a table that waits for the cut with the draw stored as it once was shows its digits after a
// start, and Check tells all cards of the draw; then it is played.
func TestDrawOfAnEarlierProgram(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	before := check(h, 2, id)
	key := table.KeyOpen(id)
	err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error {
		items, err := tx.Get(key)
		if err != nil {
			return err
		}
		tx.Put(key, bytes.Replace(items[0].Value, []byte(`{"v":1,`), []byte(`{"v":1,"drawn":[21,34],`), 1))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Restart()
	if after := check(h, 2, id); after != before || !strings.Contains(after, "The draw, from a full pack:") {
		t.Errorf("it told %q, and now %q", before, after)
	}
	if b := boardText(h, 1); !strings.Contains(b, digitsOf(h.Table(1).Seed)) {
		t.Errorf("the board says %q", b)
	}
	h.Cut(1)
	if after := h.Table(1); after.Phase != table.Playing || len(after.Last) != 1 || after.Last[0].What != "cut" {
		t.Errorf("after the cut: phase %d, %+v", after.Phase, after.Last)
	}
}
