package bot_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
)

// anonymous is a chat with somebody who speaks for the place itself.
func anonymous(t *testing.T) *conversation {
	c := newChat(t)
	c.People["Room"] = chat.User{ID: 99, Name: "Room", Admin: true, Anonymous: true}
	return c
}

// TestAnonymousOpensATable: whoever speaks for the place opens a table at which nobody sits. The first to sit down is its
// host, and it speaks their language, as does then the place; those who can't sit down never do.
func TestAnonymousOpensATable(t *testing.T) {
	c := anonymous(t)
	script := func(line string, want ...string) {
		t.Helper()
		c.seen.Reset()
		c.do(line)
		for _, part := range want {
			if !strings.Contains(c.seen.String(), part) {
				t.Fatalf("after %s there is no %q in\n%s", line, part, c.seen.String())
			}
		}
	}
	script("Room: /zevaka now", "You write as the chat itself")
	script("twice Room: /zevaka", "At the table: 0", "#1")
	script("Room: [Join]", "Room only: !You write as the chat itself")
	script("Room: [+ 🤖]", "1. 🤖 ")
	name := regexp.MustCompile(`1\. (🤖 \S+)`).FindStringSubmatch(c.seen.String())[1]
	script("Room: [+ 🤖]", "2. 🤖 ")
	script("Room: [Deal]", "Room only: !Too few players")
	script("Room: [− 🤖]", "At the table: 1")
	script("Room: /remove", "#2 everybody", "["+name+"]")
	script("Room: ["+name+"]", "At the table: 0")
	for _, line := range []string{
		"/leave", "/back", "/cut 7", "/уйти", "/m flip", "/bet 10", "/hand", "/daily", "/ledger", "/give Аня 10", "/balance",
	} {
		script("Room: "+line, "Room only: !You write as the chat itself")
	}
	script("Аня: [Join]", "За столом: 1", "1. Аня хозяин стола")
	script("Боря: [Сесть]", "· 2. Боря\n")
	script("Аня: [Сдавать]", "снимите колоду")
	script("Room: /cut 7", "Room only: !Вы пишете от имени чата")
	if len(c.messages) != 4 { // With the promise.
		t.Errorf("there are %d messages", len(c.messages))
	}
	script("Аня: /lang pl", "po polsku")
	script("Room: /leave", "Room only: !Piszesz w imieniu czatu")
	script("Room: /stop", "everybody", "[Przerwij grę]")
	script("Ola: [Przerwij grę]", "Ola only: !")
	script("Admin: [Przerwij grę]", "Stół zamknięty przez")
}

// TestAnonymousIsToldAloud: what would be for one person only is for everybody where nobody knows who that is.
func TestAnonymousIsToldAloud(t *testing.T) {
	c := anonymous(t)
	for i, line := range []string{"/help", "/rules", "/zevaka", "/zevaka", "/table"} {
		r := c.request(c.Act("Room: " + line))
		response := chattest.Drawn(c.Bot.Handle(t.Context(), r))
		if len(response.Posts) == 0 || response.Toast != "" {
			t.Errorf("%s is answered %+v", line, response)
		}
		for _, p := range response.Posts {
			if p.To != nil {
				t.Errorf("%s is answered to %+v alone", line, p.To)
			}
		}
		if i == 4 && (len(response.Posts[0].Buttons) != 2 || !strings.HasPrefix(response.Posts[0].Buttons[0][0].Label, "waiting")) {
			t.Errorf("the tables to choose from are %+v", response.Posts[0].Buttons)
		}
	}
}

// TestNobodySatDown: a table that nobody sits down at closes after the time that every lobby has.
func TestNobodySatDown(t *testing.T) {
	for _, minutes := range []int{59, 61} {
		t.Run(strconv.Itoa(minutes), func(t *testing.T) {
			c := anonymous(t)
			c.do("Room: /zevaka")
			c.Wait(time.Duration(minutes) * time.Minute)
			if closed := strings.Contains(c.seen.String(), "The game never began"); closed != (minutes > 60) {
				t.Errorf("it is closed: %t\n%s", closed, c.seen.String())
			}
		})
	}
}
