package telegram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
)

// session is a session with a banker in a group, in which everybody presses whatever there is.
type session struct {
	*casino
	chat   *telegramtest.Chat
	people []*telegramtest.User
	chance *rand.Rand
	// stakes are the requests that named an amount and were not refused; refused is how many were.
	stakes  map[string]bool
	refused int
	hands   int
	// shows says that people show each other their cards.
	shows bool
}

// hear counts stakes.
func (s *session) hear(r chat.Request, response chat.Response) {
	words := strings.SplitN(r.Data, ".", 5)
	do := words[len(words)-1]
	if !strings.HasPrefix(do, "stake ") && !strings.HasPrefix(do, "side ") && !strings.HasPrefix(r.Data, "/bet ") {
		return
	}
	switch {
	case response.Alert:
		s.refused++
	// A second press for the same does nothing, and says so by saying nothing; a command is told nothing either.
	case response.Toast != "" || strings.HasPrefix(r.Data, "/bet "):
		s.stakes[r.ID] = true
	}
}

// pressable is the newest message that has something to press. Below it may stand a link to what is for one of them only.
func (s *session) pressable() (telegramtest.Message, bool) {
	for _, m := range slices.Backward(s.chat.Messages()) {
		if m.To == 0 && slices.ContainsFunc(m.Buttons, func(b telegramtest.Button) bool { return b.Data != "" }) {
			return m, true
		}
	}
	return telegramtest.Message{}, false
}

// act has somebody do something, and perhaps wait for the answer.
func (s *session) act(wait bool) {
	s.t.Helper()
	who := s.people[s.chance.IntN(len(s.people))]
	board, ok := s.pressable()
	if !ok {
		return
	}
	me := s.run.me.Load()
	if me != nil && s.chance.IntN(12) == 0 { // After a crash the adapter must first learn who it is.
		amount := []string{"5", "17", "0", "-5", "12,50", "1000000000"}[s.chance.IntN(6)]
		line := map[string]any{"from": map[string]any{"id": who.ID, "first_name": who.Name(), "language_code": "ru"}, "text": "/bet " + amount}
		if s.chance.IntN(2) == 0 {
			line["text"] = amount
			line["reply_to_message"] = map[string]any{
				"message_id": board.ID, "chat": map[string]any{"id": s.chat.ID, "type": "group"},
				"from": map[string]any{"id": me.ID, "is_bot": true, "first_name": "Зевака"},
			}
		}
		s.chat.Write(line, 0)
		return
	}
	var all []string
	for _, b := range board.Buttons {
		do := b.Data[strings.LastIndexByte(b.Data, '.')+1:]
		if !strings.HasPrefix(do, "!") && (s.shows || do != "show") || slices.Contains([]string{"!hand", "!pass", "!deal"}, do) || strings.HasPrefix(do, "!cut") || strings.HasPrefix(do, "!answer") {
			all = append(all, b.Data)
		}
	}
	if len(all) == 0 {
		return
	}
	data := all[s.chance.IntN(len(all))]
	if !wait {
		who.Press(board, data)
		return
	}
	a := s.send(who, board, data)
	if strings.HasSuffix(data, "!hand") && !s.shows && strings.ContainsAny(a.Text, "♠♣♦♥") {
		s.hands++
		s.hidden(a)
	}
}

// hidden checks that a hand that somebody was told stands nowhere else.
func (s *session) hidden(a telegramtest.Answer) {
	s.t.Helper()
	hand := strings.Join(strings.Fields(a.Text), "")
	if !a.Alert || len([]rune(a.Text)) > maxToast || strings.Count(hand, "") < 6 {
		s.t.Errorf("a hand is told as %+v", a)
	}
	for _, m := range s.chat.Messages() {
		if strings.Contains(strings.Join(strings.Fields(m.Text), ""), hand) && m.To == 0 {
			s.t.Errorf("everybody reads the hand %s in %q", a.Text, m.Text)
		}
	}
}

// audit checks the books, and that every stake that counted is in the records once.
func (s *session) audit() {
	s.t.Helper()
	if chatscript.AuditBank(s.t, s.store, len(s.people), len(s.stakes)); !s.shows && s.hands == 0 {
		s.t.Error("nobody was shown a hand")
	}
	s.t.Logf("%d refused, %d hands shown", s.refused, s.hands)
}

// TestBankSession plays sessions of five with side bets: calls go wrong, the program dies and comes back.
func TestBankSession(t *testing.T) {
	for seed := range uint64(2 * *rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := &session{casino: &casino{dir: t.TempDir()}, chance: rand.New(rand.NewPCG(seed, 1)), stakes: map[string]bool{}}
			s.heard, s.shows = s.hear, seed%4 == 1
			bubble(t, nil, telegramtest.Options{Old: seed%2 == 1}, func(t *testing.T, x *house) {
				s.house = x
				s.open()
				for _, name := range []string{"Аня", "Боря", "Вика", "Гриша <b>", "Даша & Co"} {
					s.people = append(s.people, x.server.NewUser(name, "ru"))
				}
				s.chat = x.server.NewGroup("Банк", s.people[0])
				s.chat.Say(s.people[0], "/banchok 100 side=on limit=none dealer="+[]string{"player", "bot"}[seed%2])
				board := s.board(s.chat, "1. Аня")
				for _, u := range s.people[1:] {
					rest(2 * time.Second)
					x.press(u, board, "Сесть")
				}
				board = s.board(s.chat, "5. Даша")
				x.press(s.people[0], board, "Сдавать")
				x.server.SetFault(faults(seed))
				n := 0
				for ; n < 5000 && len(s.tables("o/")) > 0; n++ {
					s.act(true)
					rest(time.Duration(1600+s.chance.IntN(3000)) * time.Millisecond)
					if n == 30 || n == 90 || n == 200 {
						s.act(false)
						s.crash()
					}
				}
				x.server.SetFault(nil)
				if n == 5000 {
					board, _ := s.pressable()
					t.Fatalf("it doesn't end: %s %+v", board.Text, board.Buttons)
				}
				rest(time.Minute)
				s.audit()
				t.Logf("%d times somebody did something: %v", n, x.server.Report().Counts)
				s.close()
			})
		})
	}
}
