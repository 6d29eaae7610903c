package discord

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/storage/mem"
)

// session is a session with a banker in the channel, in which everybody presses whatever there is.
type session struct {
	*house
	people []discordtest.User
	chance *rand.Rand
	// hands is how many were asked for and told.
	hands int

	mu sync.Mutex
	// stakes are the requests that named an amount and were not refused; refused is how many were.
	stakes  map[string]bool
	refused int
}

// hear counts stakes.
func (s *session) hear(r chat.Request, response chat.Response) {
	if r.Kind != chat.Press {
		return
	}
	do := doing(r.Data)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !strings.HasPrefix(do, "stake ") && !strings.HasPrefix(do, "side ") && do != "!bet":
	case response.Alert:
		s.refused++
	case response.Toast != "": // A second press for the same does nothing, and says so by saying nothing.
		s.stakes[r.ID] = true
	}
}

// doing is what a token does.
func doing(customID string) string {
	token, _, _ := splitAsk(customID)
	return token[strings.LastIndexByte(token, '.')+1:]
}

// seat opens a session for five in the channel.
func (s *session) seat(dealer string) {
	s.t.Helper()
	s.people = []discordtest.User{
		ann, bob, {ID: "103", Name: "vika", Global: "Вика", Locale: "ru"}, {ID: "104", Name: "*_Гриша_*", Locale: "ru"},
		{ID: "105", Name: "dasha", Global: "Даша & <@101>", Locale: "ru"},
	}
	s.server.Command(ann, discordtest.Channel, "banchok", map[string]any{
		"set": "100", "side": "on", "limit": "none", "dealer": dealer,
	}).Answer()
	s.shown(1)
	for _, u := range s.people[1:] {
		s.press(u, "Сесть")
	}
	s.press(ann, "Сдавать")
}

// act has somebody do something.
func (s *session) act() {
	s.t.Helper()
	who := s.people[s.chance.IntN(len(s.people))]
	board := s.board(discordtest.Channel)
	var all []string
	for _, b := range board.Buttons() {
		do := doing(b.CustomID)
		if !strings.HasPrefix(do, "!") && do != "show" || slices.Contains([]string{"!hand", "!bet", "!pass", "!deal"}, do) || strings.HasPrefix(do, "!cut") {
			all = append(all, b.CustomID)
		}
	}
	if len(all) == 0 { // Its last picture may be owed, which the clock sees to.
		s.dealer.running.Add(int64(time.Minute))
		s.ring()
		time.Sleep(2 * time.Millisecond)
		return
	}
	id := all[s.chance.IntN(len(all))]
	i := s.server.Press(who, board.ID, id)
	switch {
	case i.Answer() == answerModal:
		amount := []string{"5", "17", "0", "-5", "12,50", "1000000000", "ва-банк"}[s.chance.IntN(7)]
		s.server.Submit(i, amount).Answer()
	case doing(id) == "!hand":
		s.hidden(i)
	}
}

// answerModal is the first answer that is a question.
const answerModal = 9

// hidden checks that a hand that somebody was told stands nowhere else.
func (s *session) hidden(i *discordtest.Interaction) {
	s.t.Helper()
	told, ok := i.Message()
	cards := regexp.MustCompile(`(10|[2-9ВДКТ])[♠♣♦♥]`).FindAllString(told.Content, -1)
	if !ok || len(cards) == 0 {
		return // There is no hand, or its showing met a fault.
	}
	if s.hands++; told.Private != i.Who.ID {
		s.t.Errorf("a hand is told as %+v", told)
	}
	hand := strings.Join(cards, "")
	for _, m := range s.server.Messages(discordtest.Channel, "") {
		if len(cards) > 1 && strings.Contains(strings.Join(strings.Fields(unmarked(m.Content)), ""), hand) {
			s.t.Errorf("everybody reads the hand %s in %q", hand, m.Content)
		}
	}
}

// audit checks the books, and that every stake that counted is in the records once.
func (s *session) audit() {
	s.t.Helper()
	if chatscript.AuditBank(s.t, s.store, len(s.people), len(s.stakes)); s.hands == 0 {
		s.t.Error("nobody was told a hand")
	}
	s.t.Logf("%d refused, %d hands told", s.refused, s.hands)
}

// newSession is a house where a session can begin.
func newSession(t *testing.T, h *house, seed uint64) *session {
	s := &session{house: h, chance: rand.New(rand.NewPCG(seed, 1)), stakes: map[string]bool{}}
	h.seeds, h.dealer.heard = true, s.hear
	h.start()
	return s
}

// TestBankSession plays sessions of five with side bets to the end: calls go wrong, the program dies and comes back.
func TestBankSession(t *testing.T) {
	for seed, dealer := range []string{"player", "bot"} {
		t.Run(dealer, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSession(t, build(t, disk(t), fake(t, discordtest.Options{})), uint64(seed))
				s.seat(dealer)
				s.server.SetFaults(storms(uint64(seed)))
				n := 0
				for ; s.open() > 0; n++ {
					if n > 6000 {
						t.Fatalf("no end: %s", s.board(discordtest.Channel).Content)
					}
					s.act()
					if dealer == "bot" {
						s.ring()
					}
					if n == 30 || n == 90 || n == 200 {
						s.kill()
						s.start()
					}
				}
				s.server.SetFaults(discordtest.Faults{})
				s.end()
				s.audit()
				t.Logf("%d times somebody did something: %v", n, s.quietly().Calls)
			})
		})
	}
}

// TestAmounts types amounts: what is none is refused in words and moves nothing, what is one counts.
func TestAmounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, build(t, mem.New(), fake(t, discordtest.Options{})), 1)
		s.seat("bot")
		var asked *discordtest.Interaction
		for n := 0; asked == nil; n++ {
			if n > 300 {
				t.Fatalf("nobody may stake: %s", s.board(discordtest.Channel).Content)
			}
			if asked = s.asks(); asked == nil {
				s.act()
			}
		}
		before := s.board(discordtest.Channel)
		if strings.Contains(before.Content, "75") {
			t.Fatalf("there are 75 already: %s", before.Content)
		}
		for _, one := range []struct {
			amount, said string
			counts       bool
		}{
			{"0", "Нужно целое число фишек", false}, {"-5", "Нужно целое число фишек", false}, {"1000000000", "столько нет", false},
			{"ва-банк", "Нужно целое число фишек", false}, {"12,50", "Нужно целое число фишек", false}, {"75", "ставит 75.", true},
		} {
			i := s.server.Submit(asked, one.amount)
			i.Answer()
			m, _ := i.Message()
			board := s.board(discordtest.Channel)
			if !strings.Contains(unmarked(m.Content), one.said) || (m.Private == asked.Who.ID) == one.counts {
				t.Errorf("%s is answered to %q with %q", one.amount, m.Private, m.Content)
			}
			if (board.Content != before.Content) != one.counts || board.ID != before.ID {
				t.Errorf("after %s the board is %s", one.amount, board.Content)
			}
		}
		s.quietly()
	})
}

// asks is the question for an amount, put to whoever may stake now; nil where nobody may.
func (s *session) asks() *discordtest.Interaction {
	s.t.Helper()
	board := s.board(discordtest.Channel)
	custom := ""
	stakes := false
	for _, b := range board.Buttons() {
		stakes = stakes || strings.HasPrefix(doing(b.CustomID), "stake ")
		if doing(b.CustomID) == "!bet" {
			custom = b.CustomID
		}
	}
	for _, u := range s.people {
		if !stakes || custom == "" {
			return nil
		}
		i := s.server.Press(u, board.ID, custom)
		if i.Answer() == answerModal {
			return i
		}
		if m, _ := i.Message(); m.Private != u.ID || !strings.Contains(m.Content, "ставить") {
			s.t.Fatalf("who may not stake is told %q", m.Content)
		}
	}
	return nil
}
