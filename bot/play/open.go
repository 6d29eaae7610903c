package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// Open opens a table with the one who asks as its host. If they are anonymous nobody sits there yet.
func (b *Tables) Open(ctx context.Context, r chat.Request, o Opening) (_ chat.Response, err error) {
	id := table.ID{Community: r.In.Community, Name: o.Name}
	if o.Name == "" {
		id.Name = table.NameFor(r.ID)
	}
	own := ownTables(r)
	if err := b.locks.Acquire(ctx, r.Kind, own); err != nil {
		return chat.Response{}, err
	}
	defer func() { b.locks.Release(own, err) }()
	if r.From != "" {
		home := homeTables(r)
		if err := b.locks.Acquire(ctx, r.Kind, home); err != nil {
			return chat.Response{}, err
		}
		defer func() { b.locks.Release(home, err) }()
	}
	tables, err := b.Look(ctx, r.In)
	if err != nil {
		return chat.Response{}, err
	}
	closed, asked, err := b.makeRoom(ctx, r, tables, id.Name, o)
	if err != nil {
		return chat.Response{Posts: closed}, err
	}
	if asked != nil {
		return b.showAgain(ctx, r, asked.ID)
	}
	response, err := b.openAt(ctx, r, id, o, tables)
	if err == nil {
		b.homes.note(r, id.Name)
	}
	response.Posts = append(closed, response.Posts...)
	return response, err
}

// showAgain shows an open table to who has asked for it once more.
func (b *Tables) showAgain(ctx context.Context, r chat.Request, id table.ID) (chat.Response, error) {
	response, err := b.at(ctx, r, id, func(*transaction) (outcome, error) { return redrawn(), nil })
	response.Opened = id.String()
	return response, err
}

// openAt opens the table beside those of the place, or takes the one who asks to it if it is open.
func (b *Tables) openAt(ctx context.Context, r chat.Request, id table.ID, o Opening, beside []*table.Table) (_ chat.Response, err error) {
	if err := b.locks.Acquire(ctx, r.Kind, id); err != nil {
		return chat.Response{}, err
	}
	defer func() { b.locks.Release(id, err) }()
	var tx *transaction
	said := outcome{shown: true}
	rev, err := storage.UpdateRev(ctx, b.Store, func(stored storage.Tx) error {
		tx = &transaction{tables: b, Tx: stored, req: r, rules: o.Rules, stored: storage.Item{Key: table.KeyOpen(id)}, now: b.Clock.Now()}
		tx.family = b.families[o.Rules.Info().Name](tx)
		isNew, err := table.IsUnused(stored, id)
		if err != nil {
			return err
		}
		if err := tx.inChain(id, o.Link, isNew); err != nil {
			return err
		}
		if isNew {
			if err := tx.create(ctx, id, o, beside); err != nil {
				return err
			}
			if said.done = nil; tx.table.Rematch {
				said.done = table.Awaited(tx.table, "done.again")
			}
			if said.call = nil; len(tx.invited) > 0 {
				said.call = &words.Phrase{Key: "new-table"}
			}
			return nil
		}
		if err := tx.load(id); err != nil {
			return err
		}
		if tx.repeated = tx.table.Applied(table.Hash(r.ID)); tx.repeated {
			return nil
		}
		said, err = tx.sitDown(ctx, o)
		return err
	})
	if err == nil && len(tx.invited) > 0 {
		b.callers.note(r.In, caller{r.Who.ID, id, tx.recalls})
	}
	response, err := tx.conclude(ctx, said, rev, err)
	if errors.Is(err, storage.ErrUnknown) {
		b.Clock.Look(id)
	}
	response.Opened = id.String()
	return response, err
}

// sitDown takes the one who asks to a table that somebody else has opened meanwhile, and says who sits there. A bank for chips
// that goes by other rules than were asked for is only shown.
func (tx *transaction) sitDown(ctx context.Context, asked Opening) (outcome, error) {
	t := tx.table
	same := maps.Equal(t.Options, asked.Options) && t.Limit == asked.Limit && t.Rounds == max(asked.Rounds, 1)
	switch _, seated := t.SeatOf(tx.req.Who.ID); {
	case seated:
		return outcome{shown: true}, nil
	case t.Phase != table.Lobby:
		return outcome{shown: true, toast: &words.Phrase{Key: "plays-already", Blanks: words.Blanks{"who": t.HostName()}}}, nil
	case tx.family.traits().chips && !t.Practice && !same:
		return outcome{shown: true}, table.ShowTable(table.ErrStale)
	}
	o, err := tx.join(ctx)
	if err != nil {
		return outcome{shown: true}, table.ShowTable(err)
	}
	t.Remember(table.Hash(tx.req.ID))
	return tx.save(o)
}

// settleIn notes the first ID of a new table's community, and has it look as its place has chosen, a game for one as its player has.
func (tx *transaction) settleIn(first string, looks table.Looks) error {
	if first != tx.table.ID.Community.String() {
		tx.table.FormerCommunity = first
	}
	tx.table.Looks = looks
	if !tx.rules.Info().ForOne() || tx.req.In.Private {
		return nil
	}
	own, err := table.GetChoices(tx.Tx, first, tx.req.Who.ID)
	if err != nil {
		return err
	}
	tx.table.Four = own.Suits.Four(looks.Four)
	return nil
}

// callEvery is how often at most people are called in a place who want to be when a table opens there, but for once after a call in vain.
const callEvery = 10 * time.Minute

// callThem notes whom the table's first message calls: who wants that, and sits at no table of the place. Nobody is called to a table
// where nobody else can sit down, or that goes on with one at which they could.
func (tx *transaction) callThem(first string, o Opening, beside []*table.Table, record *table.PlaceRecord) error {
	info, in := o.Rules.Info(), tx.req.In
	most := in.Community.Platform.Calls()
	lately := record.Called != 0 && tx.now < record.Called.Add(callEvery)
	switch {
	case most == 0, in.Private, in.Guest, info.ForOne(), o.Lesson, o.Now, o.Link.First != "", o.Computers+1 >= info.MaxSeats:
		return nil
	case lately && !tx.tables.callers.inVain(tx.req, beside):
		return nil
	}
	line, err := table.GetWishes(tx.Tx, first)
	if err != nil {
		return err
	}
	tx.invited, line = table.NextCalled(line, in, most, func(user int64) bool {
		return user != tx.req.Who.ID && !slices.ContainsFunc(beside, func(t *table.Table) bool {
			seat, seated := t.SeatOf(user)
			sits := seated && !t.Asleep && !t.Chairs[seat].Left && !tx.lies(t)
			return t.Phase != table.Ended && (sits || t.Waits(user))
		})
	})
	if len(tx.invited) == 0 {
		return nil
	}
	record.Called, tx.recalls = tx.now, lately
	return table.PutWishes(tx.Tx, first, line)
}

// enlist puts a new table on its place's list, and returns the first ID of its community.
func (tx *transaction) enlist(id table.ID, o Opening, beside []*table.Table, record table.PlaceRecord) (first string, err error) {
	record.Tables, record.Newest = append(record.Tables, id.Name), tx.rules.Info().Name
	if first, err = table.Origin(tx.Tx, id.Community); err == nil {
		err = tx.callThem(first, o, beside, &record)
	}
	if err != nil {
		return "", err
	}
	return first, table.PutPlace(tx.Tx, tx.req.In, record)
}

// create makes a new table, with the one who asks at it.
func (tx *transaction) create(ctx context.Context, id table.ID, o Opening, beside []*table.Table) error {
	record, err := table.GetPlace(tx.Tx, tx.req.In)
	if err != nil {
		return err
	}
	switch {
	case len(record.Tables) >= table.MaxTables:
		return table.ErrManyTables
	case slices.Contains(record.Vanished, id.Name):
		return table.ErrGone // It was delivered again.
	}
	if err := table.MayOpen(record, tx.req); err != nil {
		return err
	}
	first, err := tx.enlist(id, o, beside, record)
	if err == nil {
		o, err = o.Filled(record, tx.req.In)
	}
	if err != nil {
		return err
	}
	info := tx.rules.Info()
	tx.table = &table.Table{
		ID: id, Format: table.Format, Phase: table.Lobby, Options: o.Options,
		Agreed: table.Agreed{
			Place: tx.req.In, Lang: o.Spoken(record, tx.tables.Words, tx.req), Game: info.Name, Rev: info.Rev, Limit: o.Limit, Fast: o.Fast, Temper: o.Temper, Practice: o.Practice, Lesson: o.Lesson, Part: o.Part,
		},
		Cards: table.Cards{Draw: tx.tables.Seed()},
		End:   table.End{Opened: tx.tables.Now().Unix()},
	}
	tx.table.ReportTo, tx.table.Board, tx.table.Chain, tx.table.Offer = o.ReportTo, o.Board, o.Link.First, o.Offer
	if err := tx.settleIn(first, record.Looks); err != nil {
		return err
	}
	if tx.req.Who.Anonymous && (info.ForOne() || o.Now) {
		return table.ErrAnonymous
	}
	if tx.req.Who.Anonymous {
		tx.keepLobby() // Whoever sits down first is its host.
	} else if _, err := tx.join(ctx); err != nil {
		return err
	}
	if err := tx.family.opened(o); err != nil {
		return err
	}
	tx.table.Keep(o.Kept, tx.now)
	table.SitComputersAgain(tx.table, o.Company, tx.tables.Words.Lang(tx.table.Lang))
	for range o.Computers - len(o.Company) {
		if _, err := tx.addComputer(); err != nil {
			return err
		}
	}
	if o.Now {
		if err := tx.dealAtOnce(); err != nil {
			return err
		}
	}
	tx.table.Remember(table.Hash(tx.req.ID))
	_, err = tx.save(redrawn())
	return err
}

// dealAtOnce ends the lobby and deals: nobody else is there from whom the pack would have to be cut.
func (tx *transaction) dealAtOnce() error {
	if _, err := tx.seatAll(); err != nil {
		return err
	}
	_, err := tx.deal(false)
	return err
}

// makeRoom makes room for another table of this name beside those of the place, as Room says, and where that is full: it returns the last picture of the table
// that it closes. Asked is the table that is to be shown instead of another one; nil if there is none.
func (b *Tables) makeRoom(ctx context.Context, r chat.Request, tables []*table.Table, name string, o Opening) (closed []chat.Post, asked *table.Table, err error) {
	for _, t := range tables {
		switch {
		case t.ID.Name == name:
			return nil, nil, nil
		case t.Applied(table.Hash(r.ID)), o.Offer != "" && t.Offer == o.Offer: // It was delivered again, or its link followed.
			return nil, t, nil
		}
	}
	closes, asked, ok := o.Room(tables, hostOf(r.Who))
	switch {
	case !ok:
		own := slices.DeleteFunc(slices.Clone(tables), func(t *table.Table) bool {
			return t.Host != hostOf(r.Who) && !t.At(hostOf(r.Who))
		})
		return b.Whereabouts(r, own), nil, b.fullOf(r, own)
	case asked != nil:
		return nil, asked, nil
	case closes != nil:
		closed, err = b.close(ctx, r, closes.ID, "stop-replaced", func(t *table.Table) bool { return t.IsFree() })
		return closed, nil, err
	}
	from, refusal := b.homes.opened(r, tables), errHome
	switch {
	case len(from) >= maxHome:
	case len(tables) < table.MaxTables:
		return nil, nil, nil
	default:
		from, refusal = tables, table.ErrManyTables
	}
	if closes = b.leftLongest(from); closes == nil {
		return nil, nil, refusal
	}
	closed, err = b.close(ctx, r, closes.ID, "stop-left", func(t *table.Table) bool { return b.leftFor(t) > 0 })
	return closed, nil, err
}

// close ends a table to make room, if it may still be closed, for who may open another.
func (b *Tables) close(ctx context.Context, r chat.Request, id table.ID, why string, may func(*table.Table) bool) ([]chat.Post, error) {
	record, err := storage.Read(ctx, b.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
	if err == nil {
		err = table.MayOpen(record, r)
	}
	if err != nil {
		return nil, err
	}
	response, err := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
		if !may(tx.table) {
			return outcome{}, table.ErrManyTables // Somebody has just come.
		}
		return tx.family.cutShort(ctx, why)
	})
	return response.Posts, err
}

const (
	// leftAlone is after how long without a press a table makes room where one person sits, at a patience, a lesson or with computer
	// players, or waits for others, and leftLooked where they have made moves and look at it; leftTogether is the same for all others, if
	// nobody looks at them, after the time for a turn where a deal counts, and leftBank where chips are at stake.
	leftAlone, leftLooked, leftTogether, leftBank = 2 * time.Minute, 15 * time.Minute, 10 * time.Minute, 24 * time.Hour
)

// leftLongest is which of a place's tables makes room for another: the one that has been left for longest, and one that somebody looks at
// only if there is no other; nil if all are played at.
func (b *Tables) leftLongest(tables []*table.Table) (left *table.Table) {
	for _, t := range tables {
		switch {
		case b.leftFor(t) == 0:
		case left == nil, b.watched(left) && !b.watched(t), b.watched(left) == b.watched(t) && b.leftFor(t) > b.leftFor(left):
			left = t
		}
	}
	return left
}

// leftFor is for how long nobody has done anything at a table that may make room for another; 0 if it may not. In a lobby it is for how long
// those have sat there who do: who switches this and that on and off waits for nobody less.
func (b *Tables) leftFor(t *table.Table) time.Duration {
	left := b.Now().Sub(time.Unix(max(t.Opened, t.Dealt), 0))
	if left < 0 { // The clock was ahead; presses go by another.
		left = math.MaxInt64
	}
	presses := taps(t)
	if t.Phase != table.Lobby {
		presses = append(presses, t.Tap)
	}
	for _, tap := range presses {
		if tap.At != 0 {
			left = min(left, tap.At.Until(b.Clock.Now()))
		}
	}
	alone, together := t.Persons() <= 1 && !t.Contested(), leftTogether
	switch {
	case t.Contested() && t.Limit == 0:
		together += 2 * table.Overdue
	case t.Contested(): // Each may have let a turn go, and one runs.
		together += time.Duration(len(t.Chairs)*t.Limit) * time.Second
	}
	if t.Phase == table.Ended || left < leftAlone || alone && t.Moves > 0 && left < leftLooked && b.watched(t) || !alone && (left < together || b.watched(t)) || t.Wagered() && left < leftBank {
		return 0
	}
	return left
}

// taps are the presses that chairs keep; the first of each is that its person sat down.
func taps(t *table.Table) (all []table.Tap) {
	for _, c := range t.Chairs {
		all = append(all, c.Tap)
	}
	return all
}

// watched reports whether somebody who sits at the table has it before their eyes.
func (b *Tables) watched(t *table.Table) bool {
	return slices.ContainsFunc(t.Chairs, func(c table.Chair) bool { return b.looks(t, c) })
}

// fullOf refuses one more table to a host of so many, and says which those are.
func (b *Tables) fullOf(r chat.Request, tables []*table.Table) error {
	var all []string
	for _, t := range tables {
		all = append(all, chat.Shorten(board.Known(t, b.Words.Lang(r.Who.Lang)), 50))
	}
	return words.Refuse(string(table.ErrOwnTables), words.Blanks{"what": words.Text(strings.Join(all, "; "))})
}

// maySit refuses a seat at one more table of a place to who has and sits at as many others there as anybody may.
func (b *Tables) maySit(ctx context.Context, r chat.Request, at table.ID) error {
	tables, err := b.Look(ctx, r.In)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(tables), func(t *table.Table) bool {
		return t.ID == at || t.Host != r.Who.ID && !t.At(r.Who.ID)
	})
	if len(own) < MaxOwn+maxSeated {
		return nil
	}
	return b.fullOf(r, own)
}

// tellApart numbers the buttons that have the same label.
func tellApart(buttons []chat.Button) {
	seen := map[string]int{}
	for i, b := range buttons {
		if seen[b.Label]++; seen[b.Label] > 1 {
			buttons[i].Label = chat.Shorten(b.Label, 75) + " (" + strconv.Itoa(seen[b.Label]) + ")"
		}
	}
}

// maxShown is how many tables somebody is led to who has more than they can have.
const maxShown = 5

// Whereabouts leads somebody to their tables: those in the place come to its end by a press, and to each elsewhere there is a link, which
// nobody else reads.
func (b *Tables) Whereabouts(r chat.Request, tables []*table.Table) (posts []chat.Post) {
	lang := b.Words.Lang(r.Who.Lang)
	var here []chat.Button
	for _, t := range tables[:min(len(tables), maxShown)] {
		label := board.Known(t, lang)
		switch {
		case t.Place.Same(r.In):
			here = append(here, chat.Button{Label: chat.Shorten(label, 80), Token: table.Token{Table: t.ID, Do: "!show"}.String()})
		case t.Board != "":
			posts = append(posts, chat.Post{In: r.In, To: &r.Who, About: t.Board, Message: chat.Message{Text: []chat.Span{{Text: label}}}})
		}
	}
	if len(here) > 0 {
		tellApart(here)
		posts = append(posts, chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Offer(lang.Say("playing-tables"), here)})
	}
	return posts
}

// hostOf is who is the host of a table that somebody opens.
func hostOf(u chat.User) int64 {
	if u.Anonymous {
		return 0
	}
	return u.ID
}

// ownTables is a lock for those who open tables in a place. They do so one after the other, so that each counts what the
// one before has opened. No table has this name.
func ownTables(r chat.Request) table.ID {
	return table.ID{Community: r.In.Community, Name: fmt.Sprintf("own %d %d %d", r.In.Channel, r.In.Thread, hostOf(r.Who))}
}

// homeTables is the same for those who come from one home.
func homeTables(r chat.Request) table.ID {
	return table.ID{Community: r.In.Community, Name: fmt.Sprintf("home %d %d", r.In.Channel, r.In.Thread)}
}

// Tables that follow each other by "Again" are a chain, called after its first table. The name of its newest table is
// stored under a key of its own: whoever presses the button of an old table gets to the newest without reading those
// between.

// ErrOvertaken says that somebody else has added a table to the chain meanwhile.
var ErrOvertaken = errors.New("another table follows already")

// inChain makes a new table the newest of its chain. The error is ErrOvertaken if another table has become the newest
// meanwhile, or the newest, which was open, has vanished.
func (tx *transaction) inChain(id table.ID, link Link, isNew bool) error {
	if link.First == "" {
		return nil
	}
	key := table.KeyChain(table.ID{Community: id.Community, Name: link.First})
	items, err := tx.Get(key)
	if err != nil {
		return fmt.Errorf("look for the newest table of a chain: %w", err)
	}
	if string(items[0].Value) != link.Newest || isNew && id.Name == link.Newest {
		return ErrOvertaken
	}
	if isNew {
		tx.Put(key, []byte(id.Name))
	}
	return nil
}
