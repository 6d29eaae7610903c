package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// club is a community in a database, where people called P1, P2 and so on play for chips.
type club struct {
	t       *testing.T
	bot     *bot.Bot
	running time.Duration
	asked   int
	chance  *rand.Rand
	// boards are the newest pictures, by channel.
	boards map[int64]chat.Post
}

// clubDB is a database in which a club has played: its purses have had the daily chips, a gift and a grant, one session of
// the bank is over, one was stopped and played until it closed, and one goes on in the middle of a bank.
func clubDB(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "club.db")
	store := stores.Open(t, db, bolt.Options{NoSync: true})
	c := &club{t: t, chance: rand.New(rand.NewPCG(4, 6)), boards: map[int64]chat.Post{}}
	seeds := uint64(0)
	var err error
	c.bot, err = bot.New(t.Context(), bot.Options{
		Store: store, Games: games.All(), Running: func() time.Duration { return c.running },
		Now: func() time.Time { return time.Unix(1_800_000_000, 0).Add(c.running) },
		Seed: func() (seed engine.Seed) {
			seeds++
			binary.BigEndian.PutUint64(seed[:], seeds)
			return seed
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for user := range int64(4) {
		c.say(1, user+1, "/daily")
	}
	c.say(1, 1, "/give P2 200", "Give")
	c.say(1, 99, "/grant P3 500")
	c.say(1, 1, "/top")
	for i, options := range []string{"100 side", "300 side", "200 dealer=bot"} {
		c.sit(int64(i+1), "limit=none "+options)
	}
	if c.playOn(1, 2000) || !c.playOn(2, 20) || !c.playOn(3, 20) {
		t.Fatal("one session should be over and two go on")
	}
	c.say(2, 99, "/stop", "Stop the game")
	if c.playOn(2, 2000) {
		t.Fatal("the session that is stopped goes on")
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return db
}

// ask makes a request half a minute after the one before, and keeps the boards that it is answered.
func (c *club) ask(channel, user int64, kind chat.Kind, data string) chat.Response {
	c.running += 30 * time.Second
	c.asked++
	r := chattest.Drawn(c.bot.Handle(c.t.Context(), chat.Request{
		ID: fmt.Sprint("ask ", c.asked), Kind: kind, Data: data,
		Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 99},
		In:  chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -7}, Channel: channel},
	}))
	c.see(r)
	for c.bot.Ring(c.t.Context(), func(_ context.Context, r chat.Response) { c.see(r) }) == 0 {
	}
	return r
}

// see keeps the pictures for everybody, and says that they were shown.
func (c *club) see(r chat.Response) {
	for _, p := range chattest.Drawn(r).Posts {
		if p.To == nil && len(p.Buttons) > 0 {
			c.boards[p.In.Channel] = p
		}
		if p.Receipt != "" {
			c.asked++
			c.bot.Handle(c.t.Context(), chat.Request{ID: fmt.Sprint("shown ", c.asked), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: "1"})
		}
	}
}

// say types a line, which is not refused, and presses the button of the answer with that label, if one is given.
func (c *club) say(channel, user int64, line string, confirm ...string) {
	c.t.Helper()
	r := c.ask(channel, user, chat.Command, line)
	if r.Alert {
		c.t.Fatalf("P%d: %s is refused: %s", user, line, r.Toast)
	}
	for _, label := range confirm {
		c.press(channel, user, r.Posts[0], label)
	}
}

// press presses the button with that label, and is not refused.
func (c *club) press(channel, user int64, p chat.Post, label string) {
	c.t.Helper()
	for _, row := range p.Buttons {
		for _, b := range row {
			if b.Label != label {
				continue
			}
			if r := c.ask(channel, user, chat.Press, b.Token); r.Alert {
				c.t.Fatalf("P%d: [%s] is refused: %s", user, label, r.Toast)
			}
			return
		}
	}
	c.t.Fatalf("there is no button %q: %+v", label, p.Buttons)
}

// sit opens a table for P1, P2 and P3, and deals.
func (c *club) sit(channel int64, options string) {
	c.t.Helper()
	c.say(channel, 1, "/banchok "+options)
	c.press(channel, 2, c.boards[channel], "Join")
	c.press(channel, 3, c.boards[channel], "Join")
	c.press(channel, 1, c.boards[channel], "Deal")
}

// playOn lets anybody press any button of the channel's board, so often, or until no more is dealt there. It reports
// whether more is.
func (c *club) playOn(channel int64, presses int) bool {
	c.t.Helper()
	for range presses {
		var tokens []string
		for _, row := range c.boards[channel].Buttons {
			for _, b := range row {
				switch {
				case b.Label == "Play again":
					return false
				case b.Ask == "" && b.Label != "Close the table":
					tokens = append(tokens, b.Token)
				}
			}
		}
		c.ask(channel, c.chance.Int64N(4)+1, chat.Press, tokens[c.chance.IntN(len(tokens))])
	}
	return true
}
