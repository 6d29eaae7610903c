package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// around are the tables of one place at which somebody looks.
type around struct {
	mu     sync.Mutex
	looks  map[*Around]struct{}
	tables map[string]*table.Table // by name; those that told something, or were there at first
	// over are the names of those that ended last: whoever looks around then may have read that they are open.
	over []string
}

// maxOver is how many of those are remembered.
const maxOver = 32

// spot is a place as a key: what differs from request to request is left out.
func spot(p chat.Place) chat.Place {
	return chat.Place{Community: p.Community, Channel: p.Channel, Thread: p.Thread}
}

// Brief is a table among those of a place, as a list has it for a viewer, in their language.
type Brief struct {
	Table string `json:"table"`
	Game  string `json:"game"`
	Solo  bool   `json:"solo,omitempty"`
	Title string `json:"title"`
	// Phase is that of a scene.
	Phase string `json:"phase"`
	// Names are those who sit there. Yours says that the viewer is one of them, or waits to be; Kept that a seat is kept for
	// them; Room that there is room for one more.
	Names []string `json:"names"`
	Yours bool     `json:"yours,omitempty"`
	Kept  bool     `json:"kept,omitempty"`
	Room  bool     `json:"room,omitempty"`
	// Asleep says that nobody has played there for long, Own that nobody but one person has a part in it, nor can have.
	Asleep bool `json:"asleep,omitempty"`
	Own    bool `json:"own,omitempty"`
	// Moves are how many stand in a game of the viewer's own when the list is drawn; 0 in one of others'.
	Moves int `json:"moves,omitempty"`
	// Closed says that the table doesn't let look on who doesn't belong there, and that the viewer isn't one of them.
	Closed bool `json:"-"`
}

// Around is somebody who looks at the tables of a place. Its methods may be called by one goroutine at a time; Close by any,
// and again.
type Around struct {
	all  *Tables
	at   chat.Place
	in   *around
	who  chat.User
	told func()
}

// Around begins to look at the open tables of the place for the one who asks. Told is as in Look; it is called when the list
// changes, not with every move. Whoever looks must Close.
func (l *Tables) Around(ctx context.Context, r chat.Request, told func()) (*Around, error) {
	k := &Around{all: l, at: spot(r.In), who: r.Who, told: told}
	l.mu.Lock()
	a := l.places[k.at]
	if a == nil {
		a = &around{looks: map[*Around]struct{}{}, tables: map[string]*table.Table{}}
		l.places[k.at] = a
	}
	k.in = a
	a.mu.Lock()
	a.looks[k] = struct{}{}
	a.mu.Unlock()
	l.mu.Unlock()
	open, err := l.Tables.Look(ctx, r.In)
	if err != nil {
		k.Close()
		return nil, fmt.Errorf("look around: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range open {
		if a.tables[t.ID.Name] == nil && !slices.Contains(a.over, t.ID.Name) {
			a.tables[t.ID.Name] = t
		}
	}
	return k, nil
}

// tell takes what a table of the place is now, and tells those who look if the list is another one by it.
func (a *around) tell(t *table.Table) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.tables[t.ID.Name]
	if a.tables[t.ID.Name] = t; t.Phase == table.Ended {
		delete(a.tables, t.ID.Name)
		a.over = append(a.over, t.ID.Name)
		a.over = a.over[max(0, len(a.over)-maxOver):]
	}
	if before != nil && listed(before) == listed(t) {
		return
	}
	for k := range a.looks {
		k.told()
	}
}

// listed is all of a table that a list has of it.
func listed(t *table.Table) string {
	text := fmt.Sprint(t.Phase, t.Asleep, t.Options)
	for _, c := range slices.Concat(t.Chairs, t.Waiting, t.Kept) {
		text += fmt.Sprintf(" %d %q %v", c.User, c.Name, c.Left)
	}
	return text
}

// List is the open tables of the place, the oldest first.
func (k *Around) List() []Brief {
	k.in.mu.Lock()
	defer k.in.mu.Unlock()
	var open []*table.Table
	for _, t := range k.in.tables {
		open = append(open, t)
	}
	slices.SortFunc(open, func(a, b *table.Table) int {
		return cmp.Or(cmp.Compare(a.Opened, b.Opened), cmp.Compare(len(a.ID.Name), len(b.ID.Name)), cmp.Compare(a.ID.Name, b.ID.Name))
	})
	briefs := []Brief{}
	for _, t := range open {
		if rules := k.all.Games[t.Game]; rules != nil {
			briefs = append(briefs, k.brief(t))
		}
	}
	return briefs
}

// Speak changes the viewer's language, and their name.
func (k *Around) Speak(who chat.User) { k.who = who }

func (k *Around) brief(t *table.Table) Brief {
	info := k.all.Games[t.Game].Info()
	lang := k.all.Words.Lang(k.who.Lang)
	b := Brief{
		Table: t.ID.String(), Game: t.Game, Solo: info.ForOne(), Title: board.Title(info, t, lang), Names: []string{},
		Phase: table.PhaseName(t.Phase), Asleep: t.Asleep,
	}
	for _, c := range table.ReadIn(t, lang).Chairs {
		b.Names = append(b.Names, c.Name)
		b.Yours = b.Yours || c.User == k.who.ID && !c.Left
	}
	b.Yours = b.Yours || t.Waits(k.who.ID)
	b.Closed = t.Closed && !b.Yours
	b.Kept = slices.ContainsFunc(t.Kept, func(c table.Chair) bool { return c.User == k.who.ID })
	b.Own = info.ForOne() || t.Lesson || t.Practice || t.Phase != table.Lobby && t.Persons() < 2
	if b.Yours {
		b.Moves = max(t.Moves, t.Line)
		if info.ForOne() {
			b.Moves = t.Line
		}
	}
	late := t.Phase == table.Lobby || info.Banker
	b.Room = late && t.Closing == nil && len(t.Chairs)+len(t.Waiting) < info.MaxSeats
	return b
}

// Own is what somebody has going beside the tables of the place that they look at.
type Own struct {
	// Elsewhere are their tables in other places of the community, the oldest first.
	Elsewhere []Brief `json:"elsewhere,omitempty"`
	// Streak is how many days in a row, up to today, they have solved a patience of the day.
	Streak int `json:"streak,omitempty"`
	// Day is what today's patience is called.
	Day string `json:"day"`
}

// Own is the viewer's own now.
func (k *Around) Own(ctx context.Context) (own Own, err error) {
	l, at := k.all, k.at.Community
	var origin string
	person, err := storage.Read(ctx, l.Store, func(from storage.Reader) (p day.Person, err error) {
		if origin, err = table.Origin(from, at); err == nil {
			p, err = day.PersonOf(from, origin, k.who.ID)
		}
		return p, err
	})
	if err != nil {
		return own, err
	}
	today := l.Tables.Days.Today()
	own.Streak, own.Day = person.Streak(today), l.Words.Lang(k.who.Lang).Say("game."+l.Tables.Days.Featured(today))
	l.Tables.Index.PartsIn(ctx, keyspace.OpenParts, origin, k.who.ID, "", func(tables []table.Stored, failed error) bool {
		err = failed
		for _, t := range tables {
			if t.ID.Community != at || spot(t.Place) == k.at || t.Phase == table.Ended || l.Games[t.Game] == nil {
				continue
			}
			if b := k.brief(t.Table); b.Yours {
				own.Elsewhere = append(own.Elsewhere, b)
			}
		}
		return false // Nobody has a page full of open tables.
	})
	return own, err
}

// Close ends looking.
func (k *Around) Close() {
	l := k.all
	l.mu.Lock()
	defer l.mu.Unlock()
	k.in.mu.Lock()
	defer k.in.mu.Unlock()
	delete(k.in.looks, k)
	if len(k.in.looks) == 0 && l.places[k.at] == k.in {
		delete(l.places, k.at)
	}
}
