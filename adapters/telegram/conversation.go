package telegram

import (
	"slices"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// maxChats is how many chats are remembered before those that nothing happened in are forgotten.
	maxChats = 4096
	idleChat = time.Hour
	// maxBoards is how many boards of a chat are remembered that are shown, maxUnseen how many there are at most with
	// those that wait to be sent, and maxNotes how many notes wait.
	maxBoards = 32
	maxUnseen = 512
	maxNotes  = 32
	// unreachableFor is how long nothing is sent to somebody who can't be written to.
	unreachableFor = 10 * time.Minute
	// warningLife is how long a message that notifies somebody is worth sending.
	warningLife = 20 * time.Second
)

// chats are the chats that something happens in.
type chats struct {
	mu   sync.Mutex
	byID map[int64]*conversation
	// left are those that were given up and to which something may still be under way.
	left []*conversation
}

func (cs *chats) init() { cs.byID = map[int64]*conversation{} }

// get is the chat with the ID.
func (cs *chats) get(s *sender, id int64) *conversation {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.byID[id]
	if c == nil {
		cs.tidy()
		c = &conversation{s: s, id: id, boards: map[string]*board{}, quit: make(chan struct{}),
			asking: make(chan struct{}, 1), budget: s.newBudget(id)}
		c.loop = outbox.Loop{L: &c.mu, Next: c.next, Begin: s.spawn, Quit: s.Closing}
		c.foreign = !s.share.Serves(community(id))
		cs.byID[id] = c
	}
	if c.foreign && s.share.Serves(community(id)) {
		c.foreign = false
		c.take()
	}
	c.touch()
	return c
}

func (cs *chats) all() []*conversation {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	var all []*conversation
	for _, c := range cs.byID {
		all = append(all, c)
	}
	return all
}

// tidy forgets the chats that nothing happens in, if there are many.
func (cs *chats) tidy() {
	if len(cs.byID) < maxChats {
		return
	}
	for id, c := range cs.byID {
		if c.idle() {
			delete(cs.byID, id)
		}
	}
}

// conversation is one chat: what it is still to be shown, and what is known of it. It is all in memory, and may be forgotten.
type conversation struct {
	s  *sender
	id int64

	// asking is held by whoever asks for the admins.
	asking chan struct{}
	admins admins

	mu     sync.Mutex
	boards map[string]*board
	notes  []*note
	// said are the answers that went out lately.
	said []saying
	// asked are the answers of the last minute that went before other notes, by whom they are for.
	asked map[int64][]time.Time
	// loop sends what waits, as fast as the chat's budget lets it.
	loop   outbox.Loop
	budget budget
	// Nothing is sent before pausedUntil. Failures counts how often in a row Telegram could not be reached.
	pausedUntil time.Time
	failures    int
	unreachable time.Time
	// wordsUntil is until when pictures are described, because the chat takes none.
	wordsUntil time.Time
	used       time.Time
	// left says that another process shows the chat now, what quit being closed tells those who wait. Direct is how much is being
	// sent beside the loop.
	left   bool
	quit   chan struct{}
	direct int
	// foreign says that another process showed the chat when this one first wrote to it. Chats' mu guards it.
	foreign bool
}

// board is a table's newest picture, and the message that shows the table.
type board struct {
	outbox.Board[drawn]
	// shown and pressable are of what the message shows.
	shown, pressable [digestBytes]byte
	// turn is whose turn it is in what the message shows.
	turn int64
	// former are messages that bore the table, and are deleted once a new one does.
	former []chat.Ref
	// photo says that the message is known to have a picture.
	photo bool
}

// note is a message that is no table's picture: a new one, or one in place of another. One with nothing drawn takes the
// other's buttons away.
type note struct {
	in    chat.Place
	edit  chat.Ref
	drawn drawn
	loud  bool
	// rings says that it notifies, as loud does, but is worth sending at any time; quiet that it does so without a sound.
	rings, quiet bool
	// prompt says that it answers somebody who has not asked for much lately.
	prompt bool
	// first says that no picture in its topic goes before it.
	first bool
	// saying, if not nil, is the answer that it is, the same for whoever asks; to, if not nil, the one who may press it.
	saying       *saying
	to           *chat.User
	replyTo      int64
	since, after time.Time
	tries        int
	receipt      string
	// request is what the note is sent for.
	request string
	// done, if not nil, is told once where the note stands; nowhere if it couldn't be sent. It has room for that.
	done chan<- chat.Ref
}

func (c *conversation) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used = time.Now()
}

func (c *conversation) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.loop.Running() && len(c.notes) == 0 && time.Since(c.used) > idleChat
}

// post takes what everybody in the chat may read, and doesn't wait for it to be sent.
func (c *conversation) post(p chat.Post) {
	if p.Table == "" {
		var ok bool
		if p, ok = p.Drawn(); !ok {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.Table != "":
		c.picture(p)
	case p.Delete:
		c.outdate(p)
	case p.Edit != "":
		c.replace(p)
	default:
		c.write(p, nil)
	}
	c.loop.Kick()
}

// picture takes a table's picture, if it isn't older than the one at hand.
func (c *conversation) picture(p chat.Post) {
	if c.left {
		return
	}
	b := c.boards[p.Table]
	if b == nil {
		c.dropBoard()
		b = &board{}
		b.Ref = p.Edit
		c.boards[p.Table] = b
	}
	if b.Ref == "" && b.Unshown() && b.Post.Turn == 0 && p.Mention == nil && !p.Final {
		p.Mention, p.Quiet = b.Post.Mention, b.Post.Quiet // Nobody has been called to the new table yet.
	}
	b.Offer(p, func(chat.Post) drawn { return drawn{later: true} }, time.Now())
}

// draw draws the board's newest picture, when it may be sent; one that can't be drawn is given up. The caller holds mu.
func (c *conversation) draw(b *board) bool {
	if !b.Drawn.later {
		return true
	}
	p, ok := b.Post.Drawn()
	if !ok {
		b.Discard()
		return false
	}
	b.Post, b.Drawn = p, c.s.draw(p)
	return true
}

// others are where the chat's tables stand, by their names, when a message is pressed; nil if that bears one of them.
func (c *conversation) others(on chat.Ref) map[string]chat.Ref {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]chat.Ref{}
	for name, b := range c.boards {
		if b.Ref == on {
			return nil
		}
		all[name] = b.Ref
	}
	return all
}

// removeDoubleButtons takes the buttons off a message that was pressed, if the table that it showed stood elsewhere by then: the
// answer to sending it was lost, so it was sent again. What the press asked has been done all the same. A message that is to
// say what became of the press loses them anyway.
func (c *conversation) removeDoubleButtons(from incoming, others map[string]chat.Ref, posts []chat.Post) {
	if chat, _, ok := parseRef(from.On); !ok || chat != c.id {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	twice := slices.ContainsFunc(posts, func(p chat.Post) bool { return others[p.Table] != "" })
	closes := slices.ContainsFunc(posts, func(p chat.Post) bool { return p.Table == "" && p.Edit == from.On })
	if twice && !closes {
		c.takeButtons(from)
	}
}

// removeOldButtons takes the buttons off a question that was pressed though it had been answered: what was to stand in its place
// didn't come, as where the bot was stopped before.
func (c *conversation) removeOldButtons(from incoming) {
	if chat, _, ok := parseRef(from.On); !ok || chat != c.id {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.takeButtons(from)
}

// takeButtons takes the buttons off a message that was pressed, unless something else is to stand there soon. The caller holds
// mu.
func (c *conversation) takeButtons(from incoming) {
	if slices.ContainsFunc(c.notes, func(n *note) bool { return n.edit == from.On }) {
		return
	}
	c.add(&note{in: from.In, edit: from.On, request: from.ID})
	c.loop.Kick()
}

// dropBoard makes room for one more board: the oldest go of those that are shown. One that waits to be sent goes only
// where there are maxUnseen, since nobody might see its table until something happens there: after a start a chat with
// many topics has all its tables to be shown at once.
func (c *conversation) dropBoard() {
	for len(c.boards) >= maxBoards {
		oldest := ""
		for name, b := range c.boards {
			old := c.boards[oldest]
			if old == nil || !b.Unshown() && old.Unshown() || b.Unshown() == old.Unshown() && b.Since.Before(old.Since) {
				oldest = name
			}
		}
		if c.boards[oldest].Unshown() && len(c.boards) < maxUnseen {
			return
		}
		delete(c.boards, oldest)
	}
}

// replace takes a message that stands in for another, which shows no table any more.
func (c *conversation) replace(p chat.Post) {
	for _, b := range c.boards {
		if b.Ref == p.Edit {
			b.leave()
		}
	}
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n.edit == p.Edit })
	c.add(&note{in: p.In, edit: p.Edit, drawn: c.s.draw(p), receipt: p.Receipt, request: p.Request})
}

// outdate takes a message away: once its table has another one, if it bears a table.
func (c *conversation) outdate(p chat.Post) {
	for _, b := range c.boards {
		if b.Ref == p.Edit {
			b.leave()
			b.former = append(b.former, p.Edit)
			return
		}
	}
	c.s.spawn(func() { c.remove(p.Edit, p.Request) })
}

// leave lets the board's message be something else. What waits for it is given up: the picture for a new one follows.
func (b *board) leave() {
	b.Leave()
	b.Discard()
	b.shown = [digestBytes]byte{}
}

// write takes a new message, in as many parts as it needs, the buttons under the last.
func (c *conversation) write(p chat.Post, done chan<- chat.Ref) {
	for _, n := range c.notesOf(p, done) {
		c.add(n)
	}
}

// notesOf are the parts of a new message, each a note.
func (c *conversation) notesOf(p chat.Post, done chan<- chat.Ref) (all []*note) {
	parts := pages(p.Text, maxText)
	if p.Picture != nil || p.File != nil {
		parts = parts[:1] // What stands under a picture or a file fits there.
	}
	for i, part := range parts {
		one := chat.Post{In: p.In, Mention: p.Mention, Message: chat.Message{Text: part}}
		n := &note{in: p.In, loud: len(p.Mention) > 0, quiet: p.Quiet, first: p.First, request: p.Request}
		if i == len(parts)-1 {
			one.Picture, one.File, one.Choices, one.Buttons = p.Picture, p.File, p.Choices, p.Buttons
			n.done, n.receipt = done, p.Receipt
		}
		n.drawn = c.s.draw(one)
		all = append(all, n)
	}
	return all
}

// add puts a note at the end of the queue; if that is full the oldest is given up.
func (c *conversation) add(n *note) {
	if c.left {
		n.finish("")
		return
	}
	n.since = time.Now()
	if len(c.notes) >= maxNotes {
		c.notes[0].finish("")
		c.notes = c.notes[1:]
	}
	c.notes = append(c.notes, n)
}

// send takes a note as it is.
func (c *conversation) send(n *note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(n)
	c.loop.Kick()
}

func (n *note) finish(ref chat.Ref) {
	if n.done != nil {
		n.done <- ref
		n.done = nil
	}
}

// begin counts something that is sent without waiting in a queue, until end is called; false, and no end, if that may not be any
// more.
func (c *conversation) begin() (end func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left {
		return nil, false
	}
	c.direct++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.direct--
	}, true
}

// take notes that this process shows the chat from now on: what another may have written until now isn't known.
func (c *conversation) take() {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.s.newBudget(c.id)
	taken.full, taken.last = later(taken.full, c.budget.full), c.budget.last
	c.budget = taken
}

// wake sends what waits.
func (c *conversation) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loop.Kick()
}

// clear gives up all that waits, and forgets where tables stand.
func (c *conversation) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.notes {
		n.finish("")
	}
	c.notes = nil
	clear(c.boards)
}

// leave forgets what waits for a topic.
func (c *conversation) leave(p chat.Place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool {
		if n.in.Thread == p.Thread {
			n.finish("")
		}
		return n.in.Thread == p.Thread
	})
	for name, b := range c.boards {
		if b.Post.In.Thread == p.Thread {
			delete(c.boards, name)
		}
	}
}

// threadOf is the topic of a table's message; 0 if it isn't known.
func (c *conversation) threadOf(ref chat.Ref) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.boards {
		if b.Ref == ref {
			return b.Post.In.Thread
		}
	}
	return 0
}

// refresh forgets that something was not allowed.
func (c *conversation) refresh() {
	c.asking <- struct{}{}
	c.admins.at, c.admins.asked = time.Time{}, time.Time{}
	<-c.asking
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable, c.wordsUntil = time.Time{}, time.Time{}
	for _, b := range c.boards {
		b.Retry()
	}
	for _, n := range c.notes {
		n.after = time.Time{}
	}
	c.loop.Kick()
}

// reach notes whether the chat can be written to at all.
func (c *conversation) reach(can bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable = time.Time{}
	if !can {
		c.unreachable = time.Now().Add(unreachableFor)
	}
}

func (c *conversation) reachable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !time.Now().Before(c.unreachable)
}

// allow takes a place in the budget for a message to one person, if there is one.
func (c *conversation) allow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.pausedUntil) || c.budget.short(now, keepDebt) > 0 {
		return false
	}
	c.budget.use(now)
	return true
}
