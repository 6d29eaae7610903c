package telegram

import (
	"slices"
	"sync"
	"time"

	"zevaka/bot"
)

const (
	// maxChats is how many chats are remembered before those that nothing happened in are forgotten.
	maxChats = 4096
	idleChat = time.Hour
	// maxBoards and maxNotes are how much of a chat is remembered, or waits to be sent.
	maxBoards = 32
	maxNotes  = 32
	// unreachableFor is how long nothing is sent to somebody who can't be written to.
	unreachableFor = 10 * time.Minute
	// warningLife is how long a message that notifies somebody is worth sending.
	warningLife = 20 * time.Second
)

// chats are the chats that something happens in.
type chats struct {
	mu   sync.Mutex
	byID map[int64]*chat
}

func (cs *chats) init() { cs.byID = map[int64]*chat{} }

// get is the chat with the ID.
func (cs *chats) get(a *Adapter, id int64) *chat {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.byID[id]
	if c == nil {
		cs.tidy()
		c = &chat{a: a, id: id, boards: map[string]*board{},
			asking: make(chan struct{}, 1), wake: make(chan struct{}, 1), pace: newPace(id < 0, a.born)}
		cs.byID[id] = c
	}
	c.touch()
	return c
}

func (cs *chats) all() []*chat {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	var all []*chat
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

// chat is one chat: what it is still to be shown, and what is known of it. It is all in memory, and may be forgotten.
type chat struct {
	a  *Adapter
	id int64

	// asking is held by whoever asks for the admins.
	asking chan struct{}
	admins admins

	mu     sync.Mutex
	boards map[string]*board
	notes  []*note
	pace   pace
	// Nothing is sent before closed. Fails counts the errors of the way there since something went well.
	closed      time.Time
	fails       int
	busy        bool
	wake        chan struct{}
	unreachable time.Time
	// words is until when pictures are described, because the chat takes none.
	words time.Time
	used  time.Time
}

// board is a table's newest picture, and the message that shows the table.
type board struct {
	post    bot.Post
	picture drawn
	ref     bot.Ref
	// shown and pressable are of what the message shows.
	shown, pressable [digestBytes]byte
	// turn is whose turn it is in what the message shows.
	turn int64
	// photo says that the message is known to have a picture.
	photo bool
	// dirty says that the newest picture isn't shown since then; nothing is sent before after.
	dirty        bool
	since, after time.Time
	tries        int
	// moves counts how often the picture was to go to another message.
	moves int
}

// note is a message that is no table's picture: a new one, or one in place of another. One with nothing drawn takes the
// other's buttons away.
type note struct {
	in           bot.Place
	edit         bot.Ref
	drawn        drawn
	loud         bool
	replyTo      int64
	since, after time.Time
	tries        int
	receipt      string
	// request is what the note is sent for.
	request string
	// done, if not nil, is told once where the note stands; nowhere if it couldn't be sent. It has room for that.
	done chan<- bot.Ref
}

func (c *chat) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used = time.Now()
}

func (c *chat) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.busy && len(c.notes) == 0 && time.Since(c.used) > idleChat
}

// post takes what everybody in the chat may read, and doesn't wait for it to be sent.
func (c *chat) post(p bot.Post) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.Table != "":
		c.picture(p)
	case p.Edit != "":
		c.replace(p)
	default:
		c.write(p, nil)
	}
	c.stir()
}

// picture takes a table's picture, if it isn't older than the one at hand.
func (c *chat) picture(p bot.Post) {
	b := c.boards[p.Table]
	if b == nil {
		c.dropBoard()
		b = &board{ref: p.Edit}
		c.boards[p.Table] = b
	}
	if p.Level >= b.post.Level {
		b.post, b.picture = p, c.a.draw(p)
	} else if b.ref != "" {
		return
	}
	if !b.dirty {
		b.since = time.Now()
	}
	b.dirty = true
}

// strip takes the buttons off a message that was pressed, if the table that it showed has another one: the answer to
// sending it was lost, so it was sent again. What the press asked has been done all the same.
func (c *chat) strip(from asked, posts []bot.Post) {
	if chat, _, ok := parseRef(from.On); !ok || chat != c.id {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	twice := slices.ContainsFunc(posts, func(p bot.Post) bool {
		b := c.boards[p.Table]
		return b != nil && b.ref != "" && b.ref != from.On
	})
	for _, b := range c.boards {
		twice = twice && b.ref != from.On // An ended table's, from which one goes on to the next.
	}
	if !twice || slices.ContainsFunc(c.notes, func(n *note) bool { return n.edit == from.On }) {
		return
	}
	c.add(&note{in: from.In, edit: from.On, request: from.ID})
	c.stir()
}

// dropBoard makes room for one more board: the oldest that is shown goes, or, where none is, the oldest of all. What is
// lost with it the bot will want shown again: an open table's next picture, or an ended one's last.
func (c *chat) dropBoard() {
	if len(c.boards) < maxBoards {
		return
	}
	oldest := ""
	for name, b := range c.boards {
		old := c.boards[oldest]
		if old == nil || !b.dirty && old.dirty || b.dirty == old.dirty && b.since.Before(old.since) {
			oldest = name
		}
	}
	delete(c.boards, oldest)
}

// replace takes a message that stands in for another, which shows no table any more.
func (c *chat) replace(p bot.Post) {
	for _, b := range c.boards {
		if b.ref == p.Edit {
			b.ref, b.shown = "", [digestBytes]byte{}
			b.moves++
		}
	}
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n.edit == p.Edit })
	c.add(&note{in: p.In, edit: p.Edit, drawn: c.a.draw(p), receipt: p.Receipt, request: p.Request})
}

// write takes a new message, in as many parts as it needs, the buttons under the last.
func (c *chat) write(p bot.Post, done chan<- bot.Ref) {
	parts := pages(p.Text, maxText)
	if p.Picture != nil {
		parts = parts[:1] // What stands under a picture fits there.
	}
	for i, part := range parts {
		one := bot.Post{In: p.In, Mention: p.Mention, Message: bot.Message{Text: part}}
		n := &note{in: p.In, loud: p.Mention != nil, request: p.Request}
		if i == len(parts)-1 {
			one.Picture, one.Choices, one.Buttons = p.Picture, p.Choices, p.Buttons
			n.done, n.receipt = done, p.Receipt
		}
		n.drawn = c.a.draw(one)
		c.add(n)
	}
}

// add puts a note at the end of the queue; if that is full the oldest is given up.
func (c *chat) add(n *note) {
	n.since = time.Now()
	if len(c.notes) >= maxNotes {
		c.notes[0].finish("")
		c.notes = c.notes[1:]
	}
	c.notes = append(c.notes, n)
}

// send takes a note as it is.
func (c *chat) send(n *note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(n)
	c.stir()
}

func (n *note) finish(ref bot.Ref) {
	if n.done != nil {
		n.done <- ref
		n.done = nil
	}
}

// kick sends what waits.
func (c *chat) kick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stir()
}

// stir wakes the one that sends, or begins to send. The chat is locked.
func (c *chat) stir() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
	if !c.busy && c.waiting() {
		c.busy = c.a.spawn(c.work)
	}
}

func (c *chat) waiting() bool {
	for _, b := range c.boards {
		if b.dirty {
			return true
		}
	}
	return len(c.notes) > 0
}

// clear gives up all that waits, and forgets where tables stand.
func (c *chat) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.notes {
		n.finish("")
	}
	c.notes = nil
	clear(c.boards)
}

// leave forgets what waits for a topic.
func (c *chat) leave(p bot.Place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool {
		if n.in.Thread == p.Thread {
			n.finish("")
		}
		return n.in.Thread == p.Thread
	})
	for name, b := range c.boards {
		if b.post.In.Thread == p.Thread {
			delete(c.boards, name)
		}
	}
}

// threadOf is the topic of a table's message; 0 if it isn't known.
func (c *chat) threadOf(ref bot.Ref) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.boards {
		if b.ref == ref {
			return b.post.In.Thread
		}
	}
	return 0
}

// refresh forgets that something was not allowed.
func (c *chat) refresh() {
	c.asking <- struct{}{}
	c.admins.at, c.admins.asked = time.Time{}, time.Time{}
	<-c.asking
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable, c.words = time.Time{}, time.Time{}
	for _, b := range c.boards {
		b.after, b.tries = time.Time{}, 0
	}
	for _, n := range c.notes {
		n.after = time.Time{}
	}
	c.stir()
}

// reach notes whether the chat can be written to at all.
func (c *chat) reach(can bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable = time.Time{}
	if !can {
		c.unreachable = time.Now().Add(unreachableFor)
	}
}

func (c *chat) reachable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !time.Now().Before(c.unreachable)
}

// allow takes a place in the budget for a message to one person, if there is one.
func (c *chat) allow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.closed) || c.pace.short(now, keepDebt) > 0 {
		return false
	}
	c.pace.use(now)
	return true
}
