//go:build faults

package faults

import (
	"fmt"

	"zevaka/adapters/telegram/telegramtest"
)

// group is a chat on Telegram with the people in it.
type group struct {
	server *telegramtest.Server
	chat   *telegramtest.Chat
	people []*telegramtest.User
	ears   *ears
}

func (g *group) user(who int) int64 { return g.people[who].ID }

func (g *group) open(game string) {
	line := map[string]string{"zevaka": "/zevaka limit=none", "banchok": "/banchok 500 limit=none", "patience": "/patience tecza deal=7"}[game]
	g.chat.Say(g.people[0], line)
}

func (g *group) board() []string {
	m, _ := g.chat.Board()
	return dataOf(m)
}

func dataOf(m telegramtest.Message) (tokens []string) {
	for _, b := range m.Buttons {
		tokens = append(tokens, b.Data)
	}
	return tokens
}

func (g *group) press(who int, token string) *press {
	m, _ := g.chat.Board()
	id := g.people[who].Press(m, token)
	return &press{answered: g.server.Answered(id), ears: g.ears, heard: func() (string, bool) {
		a, ok := g.server.Answer(id)
		return a.Text, ok && a.Text != "" // That there is nothing to tell is said of a press that was answered before, too.
	}, again: func() { g.people[who].Again(id) }}
}

func (g *group) message(ref string) (text string, tokens []string, ok bool) {
	for _, m := range g.chat.Messages() {
		if fmt.Sprint(g.chat.ID, "/", m.ID) == ref {
			return m.Text, sorted(dataOf(m)), true
		}
	}
	return "", nil, false
}

func (g *group) lately() (told []string) {
	all := g.chat.Messages()
	for _, m := range all[max(0, len(all)-newest):] {
		told = append(told, fmt.Sprintf("%d, edited %d times, deleted %t, to %d: %.100q %v", m.ID, m.Edits, m.Deleted, m.To, m.Text, dataOf(m)))
	}
	return told
}
