package live

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// Sight is a table and who looks at it.
type Sight struct {
	// Drawing has the table, which may not change meanwhile, its rules, and the viewer's language.
	board.Drawing
	// Who looks, and what they have chosen for themselves.
	Who chat.User
	Own table.Choices
	// State is the position; nil where there is none, before the deal.
	State engine.State
	// Now is the running time.
	Now table.Running
	// Time is the time of day, in seconds since 1970, UTC.
	Time int64
	// Purse is what the viewer has; nil where that doesn't matter.
	Purse *int64
}

// sketch is a scene that is being drawn.
type sketch struct {
	Scene
	of    Sight
	t     *table.Table
	lang  *words.Lang
	info  engine.Info
	seat  engine.Seat
	view  engine.View
	epoch int
}

// Draw is what the viewer sees of the table. It has no Steps.
func (s Sight) Draw() Scene {
	k := &sketch{of: s, t: s.Table, lang: s.Lang, info: s.Rules.Info(), seat: engine.Nobody}
	if seat, ok := s.Table.SeatOf(s.Who.ID); ok {
		k.seat = seat
	}
	if s.State != nil {
		k.view, k.epoch = s.State.View(Eyes(s.Table, k.info, s.Who.ID)), s.Table.Epoch(s.State)
	}
	k.frame()
	k.seats()
	for i := range k.view.Piles {
		k.Piles = append(k.Piles, k.pile(k.view, i))
	}
	k.acts()
	k.speech()
	k.chips()
	k.result()
	return k.Scene
}

// Past is what was to be seen of a position of a game that has ended through the eyes of a seat, of everybody as engine.Nobody, or
// with all cards as engine.Referee. The Table is that of board.Drawing.Then. Nothing can be done there.
func (s Sight) Past(eyes engine.Seat) Scene {
	k := &sketch{of: s, t: s.Table, lang: s.Lang, info: s.Rules.Info(), seat: max(eyes, engine.Nobody)}
	k.view = s.State.View(eyes)
	k.frame()
	k.Last, k.Yours, k.May, k.Left, k.Limit = nil, false, false, 0, 0
	k.seats()
	for i := range k.view.Piles {
		k.Piles = append(k.Piles, k.pile(k.view, i))
	}
	k.chips()
	return k.Scene
}

// Eyes is whose eyes a user looks through at the table: their seat's as long as it is theirs, and where others play, too.
func Eyes(t *table.Table, info engine.Info, user int64) engine.Seat {
	seat, ok := t.SeatOf(user)
	if !ok || t.Chairs[seat].Left || info.ForOne() {
		return engine.Nobody
	}
	return seat
}

// frame is what the scene says of the table as a whole.
func (k *sketch) frame() {
	t := k.t
	k.Table, k.Version, k.Game = t.ID.String(), t.Level, t.Game
	k.Solo, k.Banked, k.Lesson = k.info.ForOne(), k.info.Banker, t.Lesson
	k.Practice, k.Most = t.Practice, k.info.MaxSeats
	title, rest, _ := strings.Cut(board.Title(k.info, t, k.lang), " · ")
	k.Title, k.Rules = title, rest
	if t.Day != 0 {
		k.Rules = strings.TrimSuffix(board.OfDay(t.Day, k.lang)+" · "+rest, " · ")
	}
	k.Phase, k.Lang = table.PhaseName(t.Phase), k.lang.Tag
	for _, letter := range "TJQKA" {
		rank := strings.IndexRune("TJQKA", letter) + 10
		if own := k.lang.Rank(rank); own != string(letter) {
			k.Ranks = strings.TrimPrefix(k.Ranks+" "+string(letter)+"="+own, " ")
		}
	}
	k.Four, k.Cloth = k.of.Own.Suits.Four(t.Four), t.Cloth
	k.Seat, k.Turn, k.Asleep = int(k.seat), -1, t.Asleep
	k.Last = k.of.Lines(t.Last, k.everybodys())
	if t.Next != "" {
		k.Next = table.ID{Community: t.ID.Community, Name: t.Next}.String()
	}
	switch {
	case t.Phase == table.Lobby:
		k.Checksum = board.Digits(t.Draw)
	case t.Phase != table.Ended || t.Dealt != 0:
		k.Checksum = board.Digits(t.Seed)
	}
	k.turn()
}

// speech is how the viewer speaks to the others, if there are any.
func (k *sketch) speech() {
	seated := k.seat != engine.Nobody && !k.t.Chairs[k.seat].Left
	if seated && k.t.Persons() > 1 && !k.info.ForOne() && play.MayTalk(k.t, time.Unix(k.of.Time, 0)) {
		k.Says = table.Token{Table: k.t.ID, Do: "!say "}.String()
	}
}

// Who names a person for pages, where the platform's pages know people by it; else, and for who is no person, it is empty: what number
// somebody has on a platform is nobody's business.
func Who(at chat.Community, user int64) string {
	if at.Platform != chat.Web || user == 0 {
		return ""
	}
	return strconv.FormatInt(user, 36)
}

// everybodys is the view of Nobody, in which events name piles; nil where there is none.
func (k *sketch) everybodys() *engine.View {
	if k.of.State == nil || !k.info.ForOne() {
		return nil
	}
	return &k.view
}

// turn is whose turn it is, and what there is to do.
func (k *sketch) turn() {
	t := k.t
	switch {
	case t.Phase == table.Cutting:
		if !t.Chairs[t.Cutter].HasCut() {
			k.Turn = t.Cutter
		}
		if added := board.Added(t); added != nil {
			k.Note = added.Flat(k.lang)
		}
	case t.Phase == table.Ended:
		k.About = k.of.Taught()
	case t.Phase == table.Playing && len(k.view.Turn) > 0:
		k.Turn = int(k.view.Turn[0])
		k.Task, k.About = k.of.Task(k.view)
		if k.view.Note != "" {
			k.Note = board.Note(t, k.view).Flat(k.lang)
		}
	}
	seated := k.seat != engine.Nobody && !t.Chairs[k.seat].Left
	k.Yours = seated && k.Turn == int(k.seat) && t.Phase != table.Ended
	k.May = seated && !k.Yours && t.Phase == table.Playing && (slices.Contains(k.view.Turn, k.seat) || k.tries())
	if _, may := table.MayCut(t, k.of.Who.ID); may && !k.Yours {
		k.May = true
	}
	hurry := t.Phase == table.Cutting || t.Phase == table.Playing && (t.Limit > 0 || t.Hurry) && !t.Asleep
	if hurry && t.Ends != 0 && !k.info.ForOne() {
		k.Left = max(1, k.of.Now.Until(t.Ends).Milliseconds())
		k.Limit = max(k.Left, t.TurnTime().Milliseconds())
	}
	if t.Practice && !t.Lesson && k.Note == "" {
		k.Note = k.lang.Say("practice.about")
	}
	if t.Closing != nil {
		k.Note = board.Closes(t).Flat(k.lang)
	}
}

// seats are those at the table.
func (k *sketch) seats() {
	t := k.t
	k.Seats = []Seat{}
	for i, c := range t.Chairs {
		seat := Seat{
			Name: c.Name, Who: Who(t.ID.Community, c.User), You: c.User != 0 && c.User == k.of.Who.ID, Computer: c.User == 0, Away: c.User != 0 && c.Computer(),
			Host: c.User != 0 && c.User == t.Host && !k.info.ForOne(), Out: c.Out,
		}
		if sign := c.Temper.Sign(); sign != "" && t.Phase == table.Lobby {
			seat.Name += " " + sign
		}
		seat.Back = seat.You && (c.Computer() || c.Leaving == table.AfterHand) && !c.Removed
		seat.Banker = k.info.Banker && i == 0 && t.Phase > table.Lobby
		switch c.Leaving {
		case table.AfterHand:
			seat.Goes = k.lang.Say("seat.goes-hand")
		case table.AfterBank:
			seat.Goes = k.lang.Say("seat.goes-bank")
		}
		if chips := k.view.Chips; chips != nil {
			seat.Net, seat.Stake, seat.On = chips.Seats[i], chips.Stakes[i], int(k.view.Backed)
		}
		k.Seats = append(k.Seats, seat)
	}
	for _, c := range t.Kept {
		k.Kept = append(k.Kept, c.Name)
	}
	for _, c := range t.Waiting {
		k.Waiting = append(k.Waiting, c.Name)
	}
}

// roles are the names of engine.PileRole.
var roles = [...]string{
	engine.PileStock: "stock", engine.PileTurned: "turned", engine.PileWaste: "waste", engine.PileFoundation: "foundation",
	engine.PileTableau: "tableau", engine.PileReserve: "reserve", engine.PileCell: "cell", engine.PileHand: "hand",
	engine.PileCapture: "capture",
}

// pile is a pile as the scene has it.
func (k *sketch) pile(view engine.View, i int) Pile {
	p, down := view.Piles[i], 0
	for down < len(p.Cards) && p.Cards[down] == 0 {
		down++
	}
	return Pile{
		Name: p.Name, Kind: p.Kind, Role: roles[p.Role], Seat: int(p.Seat), Row: int(p.Row), Column: int(p.Column),
		Down: down, Cards: cards(p.Cards[down:]), Next: cards(p.Next), Called: board.PileName(k.lang, k.info, view, i),
	}
}

// cards are cards as the scene writes them.
func cards(all []engine.Card) string {
	var text strings.Builder
	for i, c := range all {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(c.String())
	}
	return text.String()
}

// chips is what the scene says of the bank.
func (k *sketch) chips() {
	if chips := k.view.Chips; chips != nil {
		k.Bank = &Bank{
			Chips: chips.Bank, Goal: chips.Goal, Backed: int(k.view.Backed), Round: k.view.Round, Brief: k.view.Brief,
		}
		if k.view.Cover != 0 {
			k.Bank.Covers = k.view.Cover.String()
		}
	}
	k.Purse = k.of.Purse
	if t := k.t; k.info.ForOne() && t.Dealt != 0 {
		k.Solitaire = &Solitaire{Spent: max(0, cmp.Or(t.Ended, k.of.Time)-t.Dealt), Ended: t.Ended != 0, Moves: t.Line, Undos: t.Undos, Hints: t.Hints, Deal: t.Numbered}
		if k.of.State != nil && t.Phase == table.Playing {
			_, k.Solitaire.Stuck = k.of.State.Result()
			k.Solitaire.Finishes = k.view.Finishes
		}
	}
}

// result is how it ended.
func (k *sketch) result() {
	t := k.t
	if t.Phase != table.Ended {
		return
	}
	r := &Result{}
	k.Result = r
	if t.Why != "" {
		r.Why = board.Why(t).Flat(k.lang)
	}
	switch {
	case t.Chips != nil:
		var people []table.Player
		for i, c := range t.Chairs {
			people = append(people, table.Player{User: c.User, Nick: c.Nick, Name: c.Name, Net: t.Chips.Seats[i]})
		}
		r.Places = k.nets(people)
		if t.Next == "" && t.Session != nil && t.Session.Deal > 1 {
			r.Session = k.nets(t.Session.People)
		}
	case t.Result != nil && t.Result.Patience != nil:
		p := *t.Result.Patience
		r.Said, r.Solved, r.Score = board.Outcome(k.lang, p), p.Solved, p.Score
	case t.Result != nil:
		r.Places = k.places(*t.Result)
	}
}

// nets are people by what they have won, the one who won most first.
func (k *sketch) nets(people []table.Player) []Place {
	people = slices.Clone(people)
	slices.SortStableFunc(people, func(a, b table.Player) int { return cmp.Compare(b.Net, a.Net) })
	var all []Place
	for i, p := range people {
		place := Place{Seat: -1, Name: p.Name, Place: i + 1, Net: p.Net}
		if i > 0 && people[i-1].Net == p.Net {
			place.Place = all[i-1].Place
		}
		if seat := slices.IndexFunc(k.t.Chairs, p.Sits); seat >= 0 {
			place.Seat = seat
		}
		all = append(all, place)
	}
	return all
}

// places are the seats from the winner to the last. Where all tie nobody is called anything.
func (k *sketch) places(result engine.Result) []Place {
	var all []Place
	title := ""
	if key := "last." + k.info.Name; k.lang.Has(key) {
		title = k.lang.Say(key)
	}
	for i, seat := range result.Places {
		place := Place{Seat: int(seat), Name: k.t.Name(seat), Place: i + 1}
		if i > 0 && tied(result, result.Places[i-1], seat) {
			place.Place = all[i-1].Place
		}
		all = append(all, place)
	}
	if n := len(all); n > 0 && all[n-1].Place > 1 {
		for i := range all {
			if all[i].Place == all[n-1].Place {
				all[i].Title = title
			}
		}
	}
	return all
}

// tied reports whether two seats share a place.
func tied(result engine.Result, a, b engine.Seat) bool {
	return slices.ContainsFunc(result.Ties, func(tie []engine.Seat) bool { return slices.Contains(tie, a) && slices.Contains(tie, b) })
}
