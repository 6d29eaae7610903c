//go:build faults

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// chat is a place on one of the platforms, with people in it.
type conversation interface {
	// user is the platform's ID of one of the people.
	user(who int) int64
	// open has the first of the people open a table for a game, without limits of time.
	open(game string)
	// board is what may be pressed on the newest table on show.
	board() []string
	// press has one of the people press something there.
	press(who int, token string) *press
	// message is a message as it stands; false if there is none of that name here.
	message(ref string) (text string, tokens []string, ok bool)
	// lately are the newest messages there, as far as anybody sees them.
	lately() []string
}

// newest is how many messages are looked at for who looks into a failure.
const newest = 5

// token is what a button says (bot/token.go).
type token struct {
	community, name string
	epoch           int64
	do              string
}

func parse(text string) (t token, ok bool) {
	parts := strings.SplitN(text, ".", 5)
	if len(parts) != 5 || parts[0] != "1" || parts[2] == "0" { // That is no table.
		return t, false
	}
	epoch, err := strconv.ParseInt(parts[3], 36, 64)
	return token{parts[1], parts[2], epoch, parts[4]}, err == nil
}

// String is the token as a button bears it.
func (t token) String() string {
	return strings.Join([]string{"1", t.community, t.name, strconv.FormatInt(t.epoch, 36), t.do}, ".")
}

func (t token) table() string { return t.community + "/" + t.name }

// seats are the people of one chat, at a table that they play at and open again when it has ended.
type seats struct {
	conversation
	game   string
	people int
	chance *rand.Rand
	// rest is how long they think between two presses.
	rest time.Duration

	mu      sync.Mutex
	presses []*press
	// last is the last press of each button by each of the people.
	last map[string]*press
	// made is how many of them that were moves counted when they were answered, slowest the longest that somebody waited for
	// an answer.
	made    int
	slowest time.Duration

	// at is the table, in the newest epoch known; turn counts what was tried, and vain what was refused in a row.
	at         token
	turn, vain int
	// idle is how often a game for one had nothing to press.
	idle   int
	opened time.Time
	// script is what is to be done before anything else.
	script []wish
	// before is called before each press and after when it counts, by who presses; nil where nobody wants to know.
	before func()
	after  func(*press)
}

// patience is how long people wait for an answer before they press something else.
const patience = 4 * time.Second

// play presses until ctx ends.
func (s *seats) play(ctx context.Context) {
	for ctx.Err() == nil {
		who, do, ok := s.next()
		if !ok {
			wait(ctx, 50*time.Millisecond)
			continue
		}
		if s.people > 1 && s.chance.IntN(4) == 0 { // Somebody else is just as quick.
			s.send((who+1)%s.people, do)
		}
		if s.before != nil {
			s.before()
		}
		p := s.send(who, do)
		if p == nil {
			wait(ctx, 20*time.Millisecond)
			continue
		}
		select {
		case <-p.answered:
		case <-time.After(patience):
		case <-ctx.Done():
			return
		}
		s.waited(time.Since(p.at))
		s.learn(do, p.outcome())
		if s.after != nil && p.outcome() == counted {
			s.after(p)
		}
		wait(ctx, time.Duration(s.chance.Int64N(int64(s.rest))))
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// hesitation is how long nobody presses the same button again unless they were refused: a second press right after the
// first is the same one, also where both have waited until zevaka had time for them.
const hesitation = 7 * time.Second

// send makes a press, and writes down those that are moves. It is nil if the person hesitates to do that again.
func (s *seats) send(who int, do token) *press {
	s.mu.Lock()
	defer s.mu.Unlock()
	button := fmt.Sprint(who, " ", do)
	if last := s.last[button]; last != nil && last.outcome() != refused && time.Since(last.at) < hesitation {
		return nil
	}
	p := s.press(who, do.String())
	p.table, p.do, p.user, p.at = do.table(), do.do, s.user(who), time.Now()
	s.last[button] = p
	if !strings.HasPrefix(do.do, "!") {
		s.presses = append(s.presses, p)
	}
	return p
}

// again has what was pressed lately delivered once more, to a process that is not the one which it was for.
func (s *seats) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	const lately = 8
	for _, p := range s.presses[max(0, len(s.presses)-lately):] {
		p.retold.Store(true)
		p.again()
	}
	clear(s.last)
}

// counted is how many moves were made in answered presses, as far as people waited for the answers.
func (s *seats) counted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// waited notes how long somebody has waited for an answer, or in vain.
func (s *seats) waited(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowest = max(s.slowest, d)
}

// all are all presses that were moves.
func (s *seats) all() []*press {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.presses)
}

// next is what to press now, and who does.
func (s *seats) next() (who int, do token, ok bool) {
	board := map[string]bool{}
	var moves []token
	var asked token
	for _, text := range s.board() {
		t, ok := parse(text)
		if !ok {
			continue
		}
		board[t.do] = true
		if !strings.HasPrefix(t.do, answerTo) {
			s.see(t)
		}
		switch {
		case strings.HasPrefix(t.do, answerTo): // Whoever is asked means it.
			asked = t
		case !strings.HasPrefix(t.do, "!") && t.epoch >= s.at.epoch:
			moves = append(moves, t)
		}
	}
	s.turn++
	switch {
	case len(s.script) > 0:
		first := s.script[0]
		s.script = s.script[1:]
		do = s.at
		do.epoch, do.do = first.epoch, first.do
		return first.who, do, true
	case asked.do != "":
		return 0, asked, true
	case board["!again"] || len(board) == 0:
		s.reopen()
		return 0, token{}, false
	case s.at.epoch < dealt:
		s.begin()
		return 0, token{}, false
	case s.game == "patience":
		do, ok = s.lay(moves)
		return 0, do, ok
	}
	who, do = s.move()
	return who, do, true
}

// answerTo begins what the button of a question does.
const answerTo = "!answer "

// dealt is the epoch of the first turn; the cut has that before, the lobby 0.
const dealt = 2

// wish is what somebody shall do.
type wish struct {
	who   int
	epoch int64
	do    string
}

// begin has everybody sit down, and the cards dealt. Where everything goes well nobody has to wait for what is shown.
func (s *seats) begin() {
	for who := 1; who < s.people; who++ {
		s.script = append(s.script, wish{who, 0, "!join"})
	}
	s.script = append(s.script, wish{0, 0, "!deal"})
	for who := range s.people {
		s.script = append(s.script, wish{who, dealt - 1, "!cut 13"})
	}
	s.at.epoch = dealt
}

// see notes the table that is on show. Where it is behind what is known, it counts only if nothing else helps.
func (s *seats) see(t token) {
	if t.table() != s.at.table() || t.epoch > s.at.epoch || s.vain > 4*s.people {
		s.at, s.vain = t, 0
	}
}

// reopen opens a table, and gives it some time to appear: in a group on Telegram, which takes so many messages a minute, and has just
// had that many, some more.
func (s *seats) reopen() {
	wait := patience
	if _, ok := s.conversation.(*group); ok {
		wait = 5 * patience
	}
	if time.Since(s.opened) > wait {
		s.opened = time.Now()
		s.open(s.game)
	}
}

// lay makes any move of a game for one, or gives the game up, as it must be when there is none left.
func (s *seats) lay(moves []token) (do token, ok bool) {
	const hopeless = 60
	if s.idle++; len(moves) > 0 {
		s.idle = 0
	}
	if len(moves) == 0 && s.idle < hopeless {
		return token{}, false // What is on show is behind.
	}
	if s.idle == hopeless || s.chance.IntN(40) == 0 {
		do, s.idle = s.at, 0
		do.do = "!giveup"
		return do, true
	}
	return moves[s.chance.IntN(len(moves))], true
}

// move is a move that is legal for somebody: in Зевака to flip and then to keep, at a bank to stake and then to open.
func (s *seats) move() (who int, do token) {
	do = s.at
	step := s.turn
	who = step / 2 % s.people
	if s.game == "zevaka" {
		do.do = []string{"flip", "keep"}[step%2]
		return who, do
	}
	who = step % s.people
	do.do = fmt.Sprint("stake ", 5+step%95) // The same sum at once again would be a slip of the thumb.
	if step%4 == 0 {
		do.do = "open"
	}
	return who, do
}

// learn makes the best of an answer.
func (s *seats) learn(do token, o outcome) {
	if o != counted {
		s.vain++
		return
	}
	s.vain = 0
	if strings.HasPrefix(do.do, "!") {
		return
	}
	s.mu.Lock()
	s.made++
	s.mu.Unlock()
	if do.do == "keep" || do.do == "open" || s.game == "patience" {
		s.at.epoch = do.epoch + 1
	}
}
