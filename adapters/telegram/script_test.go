package telegram

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
)

// script is a chat script of the bot's, played in a group.
type script struct {
	*house
	*chatscript.Stage
	chat *telegramtest.Chat
	// users are the people of the script here, known the same people as the script knows them.
	users map[int64]*telegramtest.User
	known map[int64]chat.User
	// presses are those of the line that is done.
	presses []string
}

// TestScripts plays those of the bot's chat scripts that name Telegram: everybody sees and is told what the script says.
func TestScripts(t *testing.T) {
	chatscript.On(t, "../../bot/testdata", "Telegram", func(t *testing.T, text string) {
		bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
			s := newScript(x)
			for _, step := range chatscript.Steps(text) {
				if step.Line == "" {
					continue
				}
				s.presses = nil
				s.Stage.Do(step.Line)
				if s.seen(step.Seen); t.Failed() {
					t.Fatal("after ", step.Line)
				}
			}
		})
	})
}

func newScript(x *house) *script {
	s := &script{house: x, users: map[int64]*telegramtest.User{}, known: map[int64]chat.User{}}
	for _, p := range chatscript.People() {
		u := x.server.NewUser(p.Name, p.Lang)
		s.users[p.ID], s.known[u.ID] = u, p
	}
	s.chat = x.server.NewGroup("Room")
	s.chat.Promote() // It can say something to one person in the group.
	s.Stage = chatscript.New(x.t, s)
	return s
}

// The fake Telegram is the platform of its scripts.

func (s *script) Place() chat.Place { return placeOf(s.chat.ID) }

func (s *script) Begin(stage *chatscript.Stage) {
	s.handler = stage
	s.start(Options{})
}

func (s *script) End()                                      { s.end() }
func (s *script) Show(ctx context.Context, r chat.Response) { s.run.Show(ctx, r) }
func (s *script) There(u chat.User) chat.User               { return s.known[u.ID] }

func (s *script) Here(u chat.User) chat.User {
	return chat.User{ID: s.users[u.ID].ID, Name: u.Name, Lang: u.Lang}
}

func (s *script) Settle() { rest(5 * time.Second) }

func (s *script) Do(acts ...chatscript.Act) {
	s.T.Helper()
	board, _ := s.chat.Board()
	board.Chat = s.chat.ID
	for _, a := range acts {
		who := s.users[s.known[a.Who.ID].ID]
		if a.Line != "" {
			s.chat.Say(who, a.Line)
			continue
		}
		s.presses = append(s.presses, who.Press(s.bearing(board, a), a.Token))
	}
	rest(0)
}

// bearing is the newest message that bears what is pressed and that the one who presses can see; the board, if nothing does any more.
func (s *script) bearing(board telegramtest.Message, a chatscript.Act) telegramtest.Message {
	who := s.users[s.known[a.Who.ID].ID]
	for _, m := range slices.Backward(s.chat.Messages()) {
		if m.To != 0 && m.To != who.ID {
			continue
		}
		if slices.ContainsFunc(m.Buttons, func(b telegramtest.Button) bool { return b.Data == a.Token }) {
			m.Chat = s.chat.ID
			return m
		}
	}
	return board
}

// seen checks that people see what the script says.
func (s *script) seen(text string) {
	s.T.Helper()
	rest(time.Minute)
	told, shown := map[string]bool{}, map[string]bool{}
	for _, id := range s.presses {
		a, _ := s.server.Answer(id)
		told[a.Text] = true
	}
	all := s.chat.Messages()
	for _, u := range s.users {
		all = append(all, u.Private().Messages()...)
	}
	for _, m := range all {
		told[m.Text], shown[trimmed(m.Text)] = true, true
		for _, p := range s.known { // What is said aloud where there is nothing to reply to begins with whom it is for.
			if text, ok := strings.CutPrefix(m.Text, p.Name+" "); ok {
				told[text] = true
			}
		}
		for i := range m.Text { // What fits into one message for one person goes as one.
			if before, after := m.Text[:i], m.Text[i:]; m.To != 0 && strings.HasPrefix(after, "\n\n") {
				told[before], told[after[2:]] = true, true
			}
		}
	}
	blocks, notes := chatscript.Read(text)
	last := map[string]string{}
	for _, b := range blocks {
		last[b.Number] = strings.Join(b.Lines, "\n")
	}
	for number, text := range last {
		if !shown[text] && !told[text] {
			s.T.Errorf("nobody sees #%s:\n%s\nbut %q", number, text, slices.Collect(maps.Keys(shown)))
		}
	}
	for _, n := range notes {
		if !told[n.Text] {
			s.T.Errorf("nobody is told %q, but %q", n.Text, slices.Collect(maps.Keys(told)))
		}
	}
}

// trimmed is a text without the spaces round its lines.
func trimmed(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
