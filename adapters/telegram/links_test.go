package telegram

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	tables "zevaka/bot/table"
	"zevaka/storage/storagetest/stores"
)

// everything is all that is stored, but for the clock's time.
func (c *casino) everything() map[string]string {
	c.t.Helper()
	all := map[string]string{}
	for _, item := range stores.Items(c.t, c.store, "") {
		if !strings.HasPrefix(item.Key, "c/") {
			all[item.Key] = string(item.Value)
		}
	}
	return all
}

// untouched checks that nothing was stored otherwise since before.
func (c *casino) untouched(what string, before map[string]string) {
	c.t.Helper()
	now := c.everything()
	if maps.Equal(before, now) {
		return
	}
	for key, value := range now {
		if before[key] != value {
			c.t.Errorf("%s changes %s\nfrom %s\n  to %s", what, key, before[key], value)
		}
	}
	for key := range before {
		if _, ok := now[key]; !ok {
			c.t.Errorf("%s deletes %s", what, key)
		}
	}
}

// bank sits people down at a bank in a group, the first as its host; all have spoken to the bot alone before. It returns
// the table's part of tokens.
func (c *casino) bank(group *telegramtest.Chat, people ...*telegramtest.User) (table string) {
	c.t.Helper()
	for _, u := range people {
		u.Start("")
	}
	group.Say(people[0], "/banchok 100 limit=none")
	board := c.board(group, "1. "+people[0].Name())
	for _, u := range people[1:] {
		rest(2 * time.Second)
		c.press(u, board, "Сесть")
	}
	board = c.board(group, fmt.Sprint(len(people), ". "))
	c.press(people[0], board, "Сдавать")
	board = c.board(group, "снимите")
	for _, b := range board.Buttons {
		if strings.HasSuffix(b.Data, "!cut 7") {
			for _, u := range people {
				c.send(u, board, b.Data)
			}
		}
	}
	board = c.board(group, "Банк 100")
	rest(time.Minute)
	return strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// payload is what anybody can write into a link to the bot.
func payload(token string) string { return "p-" + base64.RawURLEncoding.EncodeToString([]byte(token)) }

// TestLinksPressNothing: whoever opens a link that somebody else wrote gives nothing away, forgets nothing, and makes no
// move, at no table of theirs and none of the group's.
func TestLinksPressNothing(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann, bob, mallory := c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "ru"), c.server.NewUser("Мэл", "ru")
		group := c.server.NewGroup("Игры", ann)
		table := c.bank(group, ann, bob, mallory)
		s := c.lay(ann.Private(), ann, rainbow(), 7)
		s.move(1, rand.New(rand.NewPCG(1, 1)))
		group.Say(mallory, "/tecza")
		question := c.board(group, "Где разложим")
		rest(tables.CallAfter) // Whoever is waited for has been called by then.
		place, alone := "1."+community(group.ID).String()+".0.0.", s.table
		number := chat.Community{Platform: chat.Telegram, ID: mallory.ID}.String()[1:]
		tokens := []string{
			place + "!give " + number + " 2999 x", place + "!give " + number + " 5 ab", place + "!forget",
			place + "!mydata", place + "!ledger", place + "!patience pauk", place + "!aside none", "1.t0.0.0.!aside x",
			strings.Replace(question.Buttons[1].Data, "1.", "2.", 1), question.Buttons[1].Data,
			"/stop", "/forgetme", "", "\xff", "!",
		}
		for _, do := range []string{
			"!stop", "!stop-now", "!leave", "!back", "!giveup", "!giveup-now", "!join", "!hand", "!pass", "!bet 50", "!m leave", "!again",
			"!remove #1", "!remove " + number, "!whom", "!deal", "!cut 7", "!undo", "!home", "!show",
			"stake 50", "stake 500", "open", "show", "leave", "quit", "draw", "allow on",
		} {
			for epoch := range 5 {
				tokens = append(tokens, fmt.Sprintf("1.%s.%d.%s", table, epoch, do), fmt.Sprintf("1.%s.%d.%s", alone, epoch, do))
			}
		}
		for _, token := range tokens {
			before := c.everything()
			for _, u := range []*telegramtest.User{ann, bob} {
				u.Start(payload(token))
			}
			rest(20 * time.Second)
			c.untouched(token, before)
		}
		before := c.everything()
		for _, text := range []string{"p-!", "p-", "p", "p-" + strings.Repeat("A", 62)} {
			ann.Start(text)
		}
		rest(time.Minute)
		c.untouched("what is no token", before)
		if strings.Contains(c.log.String(), "level=ERROR") {
			t.Error("something broke")
		}
	})
}
