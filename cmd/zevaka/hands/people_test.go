//go:build faults

package hands

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/bot/chat"
)

// seats is how many people sit at each table.
const seats = 3

// play is what all people share.
type play struct {
	*history
	door door
	// wanted is how many hands are to be played; hands how many were.
	wanted, hands, requests atomic.Int64
	// counted is how many moves were answered.
	counted atomic.Int64
}

// place is a table at which the people of a chat play; they open another when it has ended.
type place struct {
	*play
	in   chat.Place
	game string
	// admin is somebody who may grant chips.
	chance *rand.Rand

	// name is the table that is played at, empty for none; seen is its newest picture.
	name string
	seen sight
	// tried are the buttons that were pressed, and by whom.
	tried map[string]bool
	// idle counts what led to nothing new in a row.
	idle int
}

// newPlace is the nth place of a community, where a game is played.
func (p *play) newPlace(community, n int64, game string) *place {
	c := chat.Community{Platform: chat.Discord, ID: community}
	return &place{
		play: p, in: chat.Place{Community: c, Channel: n}, game: game, tried: map[string]bool{},
		chance: rand.New(rand.NewPCG(*seed, uint64(community<<8+n))),
	}
}

// chats are so many communities with two banks and one table of Зевака in each fourth of them.
func (p *play) chats(n int64) (all []*place) {
	for c := range n {
		all = append(all, p.newPlace(1000+c, 1, "banchok"), p.newPlace(1000+c, 2, "banchok"))
		if c%4 == 0 {
			all = append(all, p.newPlace(1000+c, 3, "zevaka"))
		}
	}
	return all
}

// person is one of those in the place.
func person(who int64) chat.User {
	return chat.User{ID: who, Name: fmt.Sprint("Player ", who), Lang: "en", Admin: who == seats}
}

// request is a new one.
func (s *place) request(who int64, kind chat.Kind, data string) request {
	return request{ID: fmt.Sprint("hands ", s.requests.Add(1)), Who: person(who), In: s.in, Kind: kind, Data: data}
}

// run plays until there were enough hands, or playing ends: what was begun then is brought to its end.
func (s *place) run(playing, ctx context.Context) {
	for playing.Err() == nil && s.hands.Load() < s.wanted.Load() {
		before := s.seen
		s.turn(ctx)
		s.idle++
		if before.Table != s.seen.Table || before.Level < s.seen.Level {
			s.idle = 0
		}
		if s.idle > 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

const (
	// lost is after how many vain turns people ask for the table again, and hopeless after how many they open another.
	lost     = 4
	hopeless = 20
)

// turn makes what the table needs next happen.
func (s *place) turn(ctx context.Context) {
	if s.name == "" || s.idle > hopeless {
		s.open(ctx)
		return
	}
	var joins, deals, cuts, moves []string
	for _, text := range s.seen.Tokens {
		_, do := parse(text)
		switch {
		case strings.HasPrefix(do, "!join"):
			joins = append(joins, text)
		case do == "!deal":
			deals = append(deals, text)
		case strings.HasPrefix(do, "!cut "):
			cuts = append(cuts, text)
		case do == "flip", do == "keep", do == "open", strings.HasPrefix(do, "stake "):
			moves = append(moves, text)
		}
	}
	switch {
	case s.idle > lost && s.idle%lost == 0:
		s.glance(ctx)
	case len(deals) > 0 && len(joins) > 0:
		for who := int64(2); who <= seats; who++ {
			s.press(ctx, who, joins[0])
		}
		s.grant(ctx)
		s.press(ctx, 1, deals[0])
	case len(cuts) > 0:
		s.press(ctx, s.seen.Turn, cuts[0])
	case len(moves) > 0 && s.seen.Turn != 0:
		s.move(ctx, moves)
	default:
		s.name = ""
	}
}

// open opens a table. Where so many are open that there can't be another, people go on at one of those that they gave up, with new
// chips: they may have given it up for want of them.
func (s *place) open(ctx context.Context) {
	line := "/zevaka limit=none"
	if s.game == "banchok" {
		line = "/banchok 1000 limit=none"
	}
	clear(s.tried)
	s.name, s.seen, s.idle = "", sight{}, 0
	s.follow(ctx, s.ask(ctx, s.door, s.request(1, chat.Command, line), &press{}, 1))
	if s.name == "" {
		s.grant(ctx)
		s.follow(ctx, s.ask(ctx, s.door, s.request(1, chat.Command, "/table"), &press{}, 1))
	}
}

// grant has an admin give everybody chips, where they play for some: few shall be out of them.
func (s *place) grant(ctx context.Context) {
	for who := int64(1); who <= seats && s.game == "banchok"; who++ {
		s.ask(ctx, s.door, s.request(seats, chat.Command, fmt.Sprintf("/grant Player %d 5000", who)), &press{}, 1)
	}
}

// move has the one whose turn it is make a move, while others do what they like.
func (s *place) move(ctx context.Context, moves []string) {
	stakes := slices.DeleteFunc(slices.Clone(moves), func(text string) bool {
		_, do := parse(text)
		return !strings.HasPrefix(do, "stake ")
	})
	if len(stakes) > 1 && s.chance.IntN(8) > 0 {
		stakes = stakes[:2] // A bank shall last.
	}
	if len(stakes) > 0 {
		moves = stakes
	}
	text, turn := moves[s.chance.IntN(len(moves))], s.seen.Turn
	if len(stakes) > 0 && s.chance.IntN(4) > 0 { // The same sum at once again would be a slip of the thumb.
		text = fmt.Sprint(text[:strings.LastIndex(text, " ")+1], 5+s.requests.Load()%50)
	}
	what := s.chance.IntN(30)
	var beside sync.WaitGroup
	switch {
	case what < 3: // Somebody else is just as quick.
		rival, old := s.request(turn%seats+1, chat.Press, text), s.pressOf(turn%seats+1, text)
		beside.Go(func() { s.ask(ctx, s.door, rival, old, 1) })
	case what < 7:
		who := s.chance.Int64N(seats) + 1
		beside.Go(func() { s.count(ctx, who) })
	}
	times := 1
	if s.chance.IntN(10) == 0 { // The platform delivers it twice.
		times = 2
	}
	s.try(ctx, turn, text, times)
	beside.Wait()
	if what == 29 {
		s.glance(ctx)
	}
}

// press presses a button that wasn't pressed by that person.
func (s *place) press(ctx context.Context, who int64, text string) { s.try(ctx, who, text, 1) }

func (s *place) try(ctx context.Context, who int64, text string, times int) {
	button := fmt.Sprint(who, " ", text)
	if who == 0 || s.tried[button] {
		return
	}
	s.tried[button] = true
	p := s.pressOf(who, text)
	s.follow(ctx, s.ask(ctx, s.door, s.request(who, chat.Press, text), p, times))
	if p.verdict == either { // If it was a slip, they mean it now.
		delete(s.tried, button)
	}
	if p.verdict == counted && p.do[0] != '!' {
		s.counted.Add(1)
	}
	if p.verdict == counted && p.do == "open" {
		s.hands.Add(1)
	}
}

// pressOf is the press of a button, yet to be made.
func (s *place) pressOf(who int64, text string) *press {
	epoch, do := parse(text)
	return &press{table: tableOf(text), user: who, epoch: epoch, do: do}
}

// glance has somebody ask for the table.
func (s *place) glance(ctx context.Context) {
	p := &press{table: s.name, user: 1, do: "!table", may: true}
	s.follow(ctx, s.ask(ctx, s.door, s.request(1, chat.Command, "/table"), p, 1))
}

// count has somebody ask what is in their purse.
func (s *place) count(ctx context.Context, who int64) {
	r := s.request(who, chat.Command, "/balance")
	at := span{call: s.now()}
	// One that was asked again was answered by the newest purse.
	for _, a := range s.ask(ctx, s.door, r, &press{}, 1) {
		at.end = s.now()
		if chips, ok := number(a.Toast); ok && a.Verdict == counted {
			s.mu.Lock()
			s.readings = append(s.readings, reading{at, s.in.Community.String(), who, chips})
			s.mu.Unlock()
		}
	}
}

// number is the number in a text.
func number(text string) (n int64, ok bool) {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// follow looks at what answers show, and says where that stands now.
func (s *place) follow(ctx context.Context, answers []answer) {
	receipts := map[string]string{}
	for _, a := range answers {
		for _, one := range a.Sights {
			if one.Receipt != "" {
				receipts[one.Receipt] = one.Table
			}
			switch {
			case one.Table == s.seen.Table && one.Level <= s.seen.Level:
			case one.Table != s.seen.Table && s.playable(s.seen) && !s.playable(one):
			default:
				s.name, s.seen = one.Table, one
			}
		}
	}
	for _, receipt := range slices.Sorted(maps.Keys(receipts)) {
		r := s.request(0, chat.Shown, receipt)
		r.Who, r.On = chat.User{}, chat.Ref("message of "+receipt)
		s.ask(ctx, s.door, r, &press{table: receipts[receipt], do: "!shown", may: true}, 1)
	}
}

// playable reports whether something can be pressed on a picture that brings its game on.
func (*place) playable(one sight) bool {
	return slices.ContainsFunc(one.Tokens, func(text string) bool {
		_, do := parse(text)
		return do != "!again" && do != "!check"
	})
}

// parse is the epoch of a button's token, and what it does; see bot/table.Token.
func parse(text string) (epoch int, do string) {
	parts := strings.SplitN(text, ".", 5)
	if len(parts) != 5 {
		return 0, ""
	}
	n, err := strconv.ParseInt(parts[3], 36, 64)
	if err != nil {
		return 0, ""
	}
	return int(n), parts[4]
}

// tableOf is the table of a button's token.
func tableOf(text string) string {
	parts := strings.SplitN(text, ".", 5)
	return parts[1] + "/" + parts[2]
}
