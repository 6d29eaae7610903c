package share

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/cmd/zevaka/cells"
	"zevaka/storage/etcd"
)

const (
	// maxHomes is how many communities it is remembered of where they live, some 200 bytes each.
	maxHomes = 1 << 19
	// findTime is how long it may take to look that up where somebody waits who can't say how long.
	findTime = time.Second
	// holdersTime is how long it is believed who holds which part of another cell, as long as that is right.
	holdersTime = 10 * time.Second
	// beginTime is how soon after a move was announced the directory says so.
	beginTime = 200 * time.Millisecond
	// holdersPath is where a process says who holds the parts of its cell.
	holdersPath = "/holders"
)

// abroad is what this process knows of the other cells.
type abroad struct {
	share   *Share
	cell    string
	dir     *cells.Directory
	session *etcd.Session
	self    *etcd.Hold
	homes   *outbox.Memory[chat.Community, cells.Home]

	mu sync.Mutex
	// held is what is held in the directory, changes counts how often something of that has to do with who lives where.
	held    map[string]string
	changes int
	// moves are those to or from this cell that have begun (true) or ended since Run looked last.
	moves []moving
	// holders are who holds the parts of the other cells.
	holders map[string]*holders
}

// moving is a community of which it is told that it moves, or doesn't any more.
type moving struct {
	first string
	begun bool
}

// holders are who holds the parts of a cell.
type holders struct {
	mu     sync.Mutex
	asked  time.Time
	good   bool
	byPart [etcd.Parts]string
}

// goAbroad takes part in what all cells share.
func (s *Share) goAbroad(ctx context.Context) (err error) {
	a := &abroad{
		share: s, cell: s.opts.Cell, dir: s.opts.Directory, homes: outbox.NewMemory[chat.Community, cells.Home](maxHomes),
		held: map[string]string{}, holders: map[string]*holders{},
	}
	name := s.peers.name + " " + a.cell
	if a.session, err = a.dir.Store().Join(ctx, name); err != nil {
		return err
	}
	if a.self, err = a.session.Take(ctx, process+s.peers.key); err != nil {
		return errors.Join(err, a.session.Leave(context.WithoutCancel(ctx)))
	}
	s.abroad = a
	return nil
}

// note notes what is held in the directory.
func (a *abroad) note(all bool, found []etcd.Held) {
	now := map[string]string{}
	for _, one := range found {
		now[one.Thing] = one.By
	}
	a.mu.Lock()
	if all {
		for what := range a.held {
			if _, there := now[what]; !there {
				now[what] = ""
			}
		}
		// What came between may have been a move that is over.
		a.forget(func(cells.Home) bool { return true })
	}
	for what, by := range now {
		a.noteOne(what, by)
	}
	a.mu.Unlock()
	a.share.note(false, nil) // Whoever waits looks again.
}

// noteOne notes who holds a thing now.
func (a *abroad) noteOne(what, by string) {
	before, known := a.held[what]
	first, from, to, isMove := cells.Moving(what, cmp.Or(by, before))
	if by == "" {
		delete(a.held, what)
	} else {
		a.held[what] = by
	}
	if !isMove || known && by == before {
		return
	}
	a.forget(func(home cells.Home) bool { return home.First == first })
	if a.cell == from || a.cell == to {
		a.moves = append(a.moves, moving{first, by != ""})
	}
}

// forget forgets where communities live.
func (a *abroad) forget(which func(cells.Home) bool) {
	a.changes++
	a.homes.DropValues(which)
}

// home is where a community lives; one that lives nowhere gets a home if settle is set.
func (a *abroad) home(ctx context.Context, c chat.Community, settle bool) (cells.Home, error) {
	if home, ok := a.homes.Get(c); ok {
		return home, nil
	}
	a.mu.Lock()
	changes := a.changes
	a.mu.Unlock()
	var home cells.Home
	var err error
	if settle {
		home, err = a.dir.Settle(ctx, c.String(), "")
	} else {
		home, err = a.dir.Find(ctx, c.String())
	}
	if err != nil {
		return home, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	// While it moves it is looked up each time.
	if _, moves := a.held[cells.MoveThing+home.First]; !moves && !home.Moving && a.changes == changes {
		a.homes.Set(c, home)
	}
	return home, nil
}

// livesHere reports whether a community lives in this cell; it may have to ask.
func (s *Share) livesHere(c chat.Community) bool {
	if s.abroad == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(s.Context(), findTime)
	defer cancel()
	home, err := s.abroad.home(ctx, c, false)
	return err == nil && !home.Moving && home.Cell == s.abroad.cell
}

// server is the process that holds a community in the cell where that lives, empty if nobody does, and what is closed when that
// may have changed. A community that lives nowhere gets a home.
func (s *Share) server(ctx context.Context, to chat.Community) (by string, changed <-chan struct{}, err error) {
	by, changed = s.holder(thing(partOf(to)))
	if s.abroad == nil {
		return by, changed, nil
	}
	home, err := s.abroad.home(ctx, to, true)
	switch {
	case err != nil || home.Moving:
		return "", changed, err
	case home.Cell != s.abroad.cell:
		by = s.abroad.holder(ctx, home.Cell, partOf(to))
	}
	return by, changed, nil
}

// wrong notes that a process that was taken for the one which serves a community doesn't.
func (s *Share) wrong(to chat.Community) {
	a := s.abroad
	if a == nil {
		return
	}
	home, ok := a.homes.Get(to)
	if !ok || home.Cell == a.cell {
		return
	}
	a.homes.Drop(to)
	h := a.holdersOf(home.Cell)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.good = false
}

func (a *abroad) holdersOf(cell string) *holders {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.holders[cell]
	if h == nil {
		h = &holders{}
		a.holders[cell] = h
	}
	return h
}

// holder is the process that holds a part of another cell; empty if that isn't known. What isn't known is asked, but not too often.
func (a *abroad) holder(ctx context.Context, cell string, part int) string {
	h := a.holdersOf(cell)
	h.mu.Lock()
	defer h.mu.Unlock()
	since := time.Since(h.asked)
	if h.good && h.byPart[part] != "" && since < holdersTime || since < againAfter {
		return h.byPart[part]
	}
	h.good, h.asked, h.byPart = false, time.Now(), [etcd.Parts]string{}
	all := a.members(cell)
	if len(all) == 0 {
		return ""
	}
	status, text, err := a.share.peers.post(ctx, all[rand.IntN(len(all))], holdersPath, nil, nil)
	if err == nil && status == http.StatusOK {
		h.good = json.Unmarshal(text, &h.byPart) == nil
	}
	return h.byPart[part]
}

// members are the names of the processes of a cell.
func (a *abroad) members(cell string) (all []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for what, by := range a.held {
		if fields := strings.Fields(by); strings.HasPrefix(what, process) && len(fields) == 3 && fields[2] == cell {
			all = append(all, by)
		}
	}
	return all
}

// isMember reports whether a process of that key takes part in any cell.
func (a *abroad) isMember(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held[process+key] != ""
}

// portion is how much of what all cells share this one has, by its processes.
func (a *abroad) portion() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	all, mine := 0, 0
	for what, by := range a.held {
		if !strings.HasPrefix(what, process) {
			continue
		}
		all++
		if strings.HasSuffix(by, " "+a.cell) {
			mine++
		}
	}
	if mine == 0 {
		return 1 / float64(all+1)
	}
	return float64(mine) / float64(all)
}

// onHolders says who holds the parts of this cell.
func (s *Share) onHolders(w http.ResponseWriter, _ *http.Request) {
	var all [etcd.Parts]string
	for n := range all {
		all[n], _ = s.holder(thing(n))
	}
	_ = json.NewEncoder(w).Encode(all) // The other process may be gone.
}

// heed does what follows from moves that have begun or ended: who begins is left, and what has ended lets the parts begin anew.
func (s *Share) heed(ctx context.Context) error {
	a := s.abroad
	if a == nil {
		return nil
	}
	a.mu.Lock()
	moves := a.moves
	a.moves = nil
	a.mu.Unlock()
	var all error
	for _, m := range moves {
		for end := time.Now().Add(beginTime); m.begun && time.Now().Before(end) && ctx.Err() == nil; {
			if home, err := a.dir.Find(ctx, m.first); err == nil && home.Moving {
				break
			}
			time.Sleep(beginTime / 10)
		}
		family, err := a.dir.Family(ctx, m.first)
		if err != nil {
			all = errors.Join(all, err)
			family = []string{m.first}
		}
		for _, one := range family { // One of its IDs may be remembered as a community of its own, which it was.
			if c, err := chat.ParseCommunity(one); err == nil {
				a.homes.Drop(c)
			}
		}
		for n := range s.parts {
			p := s.parts[n].Load()
			switch {
			case p == nil || !slices.ContainsFunc(family, func(c string) bool { return etcd.PartOf(c) == n }):
			case m.begun:
				p.finish()
			default:
				p.stale.Store(true)
			}
		}
		if m.begun {
			for _, one := range s.adapters() {
				one.Leave(ctx, func(c chat.Community) bool { return slices.Contains(family, c.String()) })
			}
		}
	}
	return all
}

// opensThere reports whether a table can be opened from here in another community, too: it lives in this cell, or nowhere yet, and
// then here.
func (s *Share) opensThere(ctx context.Context, c chat.Community) bool {
	if s.abroad == nil {
		return true
	}
	home, err := s.abroad.dir.Settle(ctx, c.String(), s.abroad.cell)
	return err == nil && home.Cell == s.abroad.cell && !home.Moving
}

// rename has a community live on under another ID where it lives.
func (s *Share) rename(ctx context.Context, old chat.Community, now string) error {
	a := s.abroad
	if a == nil {
		return nil
	}
	if err := a.dir.Rename(ctx, old.String(), now); err != nil {
		return err
	}
	if c, err := chat.ParseCommunity(now); err == nil {
		a.homes.Drop(c)
	}
	return nil
}
