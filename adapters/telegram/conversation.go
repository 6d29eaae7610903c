package telegram

import (
	"slices"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

const (
	// maxChats is how many chats are remembered. Where there are more, those are forgotten in which nothing has happened for
	// idleChat. With each new one tidyLook of them are looked at.
	maxChats = 4096
	idleChat = time.Hour
	tidyLook = 8
	// maxBoards is how many boards of a chat are remembered. While some of them wait to be sent there may be maxUnseen. MaxNotes
	// is how many notes of a chat may wait, and maxLasting how many of those besides that last, each a message that is as full as can be.
	maxBoards  = 32
	maxUnseen  = 512
	maxNotes   = 32
	maxLasting = 256
	// unreachableFor is how long nothing is sent to somebody who can't be written to.
	unreachableFor = 10 * time.Minute
	// crowdedFor is how long people aren't told again that too many ask.
	crowdedFor = time.Minute
	// warningLife is how long a message that notifies somebody is worth sending, callLife how long one in private: then they are called aloud.
	warningLife, callLife = 20 * time.Second, time.Minute
)

// chats are the chats that the adapter knows.
type chats struct {
	mu   sync.Mutex
	byID map[int64]*conversation
	// left are the chats that other processes serve now, as long as a message of this process may be on its way to them.
	left []*conversation
}

func (cs *chats) init() { cs.byID = map[int64]*conversation{} }

// get is the chat with the ID. One that isn't known begins to be.
func (cs *chats) get(s *sender, id int64) *conversation {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.byID[id]
	if c == nil {
		cs.tidy()
		c = &conversation{s: s, id: id, boards: map[string]*board{}, hushed: map[spot]hush{}, lost: map[int64]time.Time{}, quit: make(chan struct{}),
			asksAdmins: make(chan struct{}, 1), budget: s.newBudget(id), had: map[sharer]time.Time{}}
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

// known is the chat with the ID; nil if nothing is known of it.
func (cs *chats) known(id int64) *conversation {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.byID[id]
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

// tidy forgets idle chats, if there are many chats. Each time it looks at a few, which chance picks.
func (cs *chats) tidy() {
	looked := 0
	for id, c := range cs.byID {
		if looked++; len(cs.byID) < maxChats || looked > tidyLook {
			return
		}
		if c.idle() {
			delete(cs.byID, id)
		}
	}
}

// conversation is one chat: what waits to be sent to it, and what is known of it. All of it is in memory, and may be lost.
type conversation struct {
	s  *sender
	id int64

	// asksAdmins guards admins. It is a channel, because it is held during a call to Telegram.
	asksAdmins chan struct{}
	admins     admins

	mu     sync.Mutex
	boards map[string]*board
	notes  []*note
	// owed is what all have still to hear when the bot is back that was removed.
	owed []*note
	// recentAnswers are the common answers of the last sameFor.
	recentAnswers []commonAnswer
	// loop sends what waits, as fast as the budget allows. Had is when people had their last share of it.
	// Held is how many hold back what is sent, because they are queuing what goes together.
	loop   outbox.Loop
	held   int
	budget budget
	had    map[sharer]time.Time
	// pausedUntil is when Telegram lets something be sent again.
	pausedUntil time.Time
	// unreachable is until when nothing is sent to somebody, because of how they have refused it.
	unreachable time.Time
	because     verdict
	// doubt is what was done where Telegram says that the chat is gone, or that the bot may not write there.
	doubt doubt
	// hushed is where the bot may not write.
	hushed map[spot]hush
	// barred is until when no table has a new message, as one was refused in words that nobody knows.
	barred hush
	// lost are the topics of which Telegram says that they aren't there, and since when.
	lost map[int64]time.Time
	// crowded is when people were told last that too many ask.
	crowded time.Time
	// closed says that tables were closed here because the bot was removed.
	closed bool
	// stoodAt is when the bot's own membership changed last, as Telegram counts. Only what handles the chat's updates, one after the other, uses it.
	stoodAt int64
	// flat says that the group's topics were turned off: what belongs to one is sent to the whole group.
	flat bool
	// wordsUntil is until when words take the place of pictures, because none can be sent, failed how often in a row that was so because they failed.
	wordsUntil time.Time
	failed     int
	used       time.Time
	// left says that another process serves the chat now. Quit is closed then. Direct is how many messages are being deleted beside
	// the loop.
	left   bool
	quit   chan struct{}
	direct int
	// foreign says that another process served the chat when this one last looked. The mu of chats guards it.
	foreign bool
}

// board is a table's newest picture, and the message that shows the table.
type board struct {
	outbox.Board[rendering]
	// shown and pressable are the digest and the digest of the buttons of what the message shows.
	shown, pressable [digestBytes]byte
	// former is the message that bore the table before; empty if there is none, or it is dealt with. Once another one bears the table
	// farewell takes its place, or it is deleted if that is nil. Until then it may be Ref again.
	former   chat.Ref
	farewell *note
	// failing is since when changes of the table's message have failed; zero: they haven't, or it leaves that one however they go.
	failing time.Time
	// root is the root of the thread of replies in which the table stands; 0 for none. Rooted says that this is known.
	root   int64
	rooted bool
	// photo says that the message has a picture.
	photo bool
	// who are those whose turn it is, or has been; of a lobby the person who has changed it last. Begun says that it is none,
	// shared that people wait for each other there, or have done so, several that the turn has passed to somebody else, as to a computer.
	// Moved is when the table was opened, or last changed while it didn't sleep. Waiting is since when a picture waited that was dropped for a new message.
	who                    []int64
	begun, shared, several bool
	moved, waiting         time.Time
	// asked is whose share what waits is, rather than that of all who play: of whoever has asked for the table in a new message, or changed what isn't
	// theirs to do by turn, while its message shows the turn; 0 for nobody.
	asked int64
	// ends is when the turn that the picture shows runs out; zero: it has no limit.
	ends time.Time
}

// note is a message that is no table's picture. It is a new one, or takes the place of the one in edit. Where nothing is drawn it
// takes away that one's buttons.
type note struct {
	in      chat.Place
	edit    chat.Ref
	content rendering
	// loud says that it notifies somebody. Quiet says that phones make no sound. Lasting says that it waits for as long as it must.
	loud, quiet, lasting bool
	// minor says that it only tidies up, or says where an answer stands: it goes behind answers.
	minor bool
	// who is the person whom it is for, or who has caused it; 0 is nobody.
	who int64
	// alone, if not nil, sends it so that only that person sees it, and reports whether that went well. It is tried once.
	alone func() bool
	// till is when it is given up; zero: never.
	till time.Time
	// common, if not nil, is the common answer that it is. To, if not nil, is the only one who may press its buttons.
	common       *commonAnswer
	to           *chat.User
	replyTo      int64
	since, after time.Time
	tries        int
	receipt      string
	// request is what the note is sent for.
	request string
	// elsewhere, if not nil, brings its file to whom it is for where the chat allows no files.
	elsewhere func()
	// done, if not nil, gets the message in which the note stands, or "" if it couldn't be sent. It has room for that.
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
	return !c.loop.Running() && len(c.notes) == 0 && len(c.owed) == 0 && time.Since(c.used) > idleChat
}

// post queues a post that everybody in the chat may read. By is the person who has caused it; 0 is nobody.
func (c *conversation) post(p chat.Post, by int64) {
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
		c.picture(p, by)
	case p.Delete:
		c.outdate(p)
	case p.Edit != "":
		c.replace(p, by)
	default:
		for _, n := range c.notesOf(p, by) {
			if by == 0 && !n.loud {
				n.after = c.s.throttle.spare()
			}
			c.add(n)
		}
	}
	c.loop.Kick()
}

// picture queues a table's picture, unless it is older than the newest one.
func (c *conversation) picture(p chat.Post, by int64) {
	if c.left {
		return
	}
	b := c.boards[p.Table]
	if b == nil {
		c.dropBoard()
		b = &board{}
		c.vacate(p.Edit)
		b.Ref = p.Edit
		if p.Level <= 1 {
			b.shown = digest("") // It is new: the message shows something else.
		}
		b.root = c.rootOf(p)
		c.boards[p.Table] = b
	}
	if asked, ok := c.under(p.Request); ok && (p.Edit == "" || p.Edit == asked.on) {
		b.root, b.rooted = asked.root, true
	}
	if b.Ref == "" && b.Unshown() && b.Post.Turn == 0 && p.Mention == nil && !p.Final {
		p.Mention, p.Quiet = b.Post.Mention, b.Post.Quiet // Those whom the first picture calls haven't seen it yet.
	}
	b.ends = time.Time{}
	if p.Left > 0 {
		b.ends = time.Now().Add(p.Left)
	}
	waits, anew, changed := b.Unshown() || !b.waiting.IsZero(), b.former != "" && b.Ref == "" && p.Edit == "", p.Level != b.Post.Level
	// A table that lies as it was left doesn't move by being shown anew: in another language, or where the group has another ID.
	isNew, lies := b.Post.Table == "", (p.Left == 0 || p.Left > lately) && (p.Turn != 0 || p.Shared)
	sleeps := by == 0 && isNew && lies || by != 0 && b.begun && b.Post.Turn == 0 && p.Turn == 0 && p.Left == 0
	sleeps = sleeps || by != 0 && b.begun && lies && p.Turn != 0 && p.Turn == b.Post.Turn && (anew || by != p.Turn) // Somebody has it shown.
	if changed && !sleeps {
		b.moved = time.Now()
	}
	b.several = b.several || b.Post.Table != "" && p.Turn != b.Post.Turn && b.Ref != ""
	b.shared = b.shared || p.Shared
	switch {
	case p.Turn != 0 && !b.begun:
		b.who, b.begun = []int64{p.Turn}, true
	case p.Turn != 0 && p.Turn != b.Post.Turn: // Who has had no turn since this one had theirs doesn't play any more.
		b.who = append(slices.Clone(b.who[slices.Index(b.who, p.Turn)+1:]), p.Turn)
	case !b.begun && by != 0:
		b.who = []int64{by}
	}
	b.Offer(p, func(chat.Post) rendering { return rendering{later: true} }, time.Now())
	outside := b.shared || b.begun && !slices.Contains(b.who, by) // Whoever has it shown may be somebody else than waits for it.
	switch _, shown := b.Late(); {
	case shown < 0, p.Mention != nil, changed && (waits || !anew) && (by == 0 || p.Turn == 0 || by == p.Turn):
		b.asked = 0
	case outside && by != 0 && !waits && (anew || p.Turn != 0 && by != p.Turn):
		b.asked = by
	}
	if !b.waiting.IsZero() {
		b.Since, b.waiting = b.waiting, time.Time{}
	}
}

// draw draws the board's newest picture. It reports false, and gives the picture up, if that can't be drawn. The caller holds mu.
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

// others are the messages of the chat's tables, by the tables' names; nil if one of them is the message on.
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

// removeDoubleButtons takes the buttons off a message that was pressed, if the table of the button stands in another message. That happens where
// Telegram's answer to the first one was lost, so that it was sent again. The press counts all the same. Nothing is to be done
// where another text or table is about to take the message's place.
func (c *conversation) removeDoubleButtons(from incoming, others map[string]chat.Ref, posts []chat.Post) {
	if chat, _, ok := parseRef(from.On); !ok || chat != c.id {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	token, err := table.ParseToken(from.Data)
	own := token.Table.String()
	twice := err == nil && others[own] != "" && slices.ContainsFunc(posts, func(p chat.Post) bool { return p.Table == own })
	taken := slices.ContainsFunc(posts, func(p chat.Post) bool { return p.Edit == from.On })
	if twice && !taken {
		c.takeButtons(from)
	}
}

// removeOldButtons takes the buttons off a question that was pressed after it had been answered. It still has them where the program
// was stopped before the answer could take its place.
func (c *conversation) removeOldButtons(from incoming) {
	if chat, _, ok := parseRef(from.On); !ok || chat != c.id {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.takeButtons(from)
}

// takeButtons takes the buttons off a message that was pressed, unless a note is about to take its place, or a table has. The caller holds mu.
func (c *conversation) takeButtons(from incoming) {
	if slices.ContainsFunc(c.notes, func(n *note) bool { return n.edit == from.On }) {
		return
	}
	for _, b := range c.boards {
		if b.Ref == from.On {
			return
		}
	}
	c.add(&note{in: from.In, edit: from.On, minor: true, who: from.Who.ID, request: from.ID})
	c.loop.Kick()
}

// dropBoard makes room for one more board. It forgets the oldest that is over, and shown; else, where there are maxUnseen, the oldest that is
// shown, or at last one that waits: its table would stay hidden until something happens there. There are that many after a start, when all
// tables of a chat with many topics are shown at once.
func (c *conversation) dropBoard() {
	worth := func(b *board) int {
		switch {
		case b.Unshown():
			return 2
		case !b.Post.Final:
			return 1
		}
		return 0
	}
	for len(c.boards) >= maxBoards {
		oldest := ""
		for name, b := range c.boards {
			old := c.boards[oldest]
			if old == nil || worth(b) < worth(old) || worth(b) == worth(old) && b.Since.Before(old.Since) {
				oldest = name
			}
		}
		if worth(c.boards[oldest]) > 0 && len(c.boards) < maxUnseen {
			return
		}
		delete(c.boards, oldest)
	}
}

// replace queues a message that takes the place of another.
func (c *conversation) replace(p chat.Post, by int64) {
	n := &note{in: p.In, edit: p.Edit, content: c.s.draw(p), minor: true, who: by, receipt: p.Receipt, request: p.Request}
	if !c.leaves(p.Edit, n) {
		c.add(n)
	}
}

// outdate deletes a message.
func (c *conversation) outdate(p chat.Post) {
	if !c.leaves(p.Edit, nil) {
		c.s.spawnOnce(func() { c.remove(p.Edit, p.Request) })
	}
}

// leaves reports whether a message is a table's newest, which the table then gives up. Once another one bears the table the farewell takes
// its place, or it is deleted if that is nil: somebody is called then, so that the table gives up the new message, too, that is on its way already.
func (c *conversation) leaves(ref chat.Ref, farewell *note) bool {
	for _, b := range c.boards {
		switch {
		case b.Ref == ref:
			b.leave()
			b.former = ref
		case b.former == ref && farewell == nil:
			b.Leave()
		}
		if b.former == ref {
			b.farewell, b.failing = farewell, time.Time{}
			return true
		}
	}
	return false
}

// leave has the table give up its message. A picture that waits to go there is dropped: the bot sends one for a new message.
func (b *board) leave() {
	b.Leave()
	if b.Unshown() {
		b.waiting = b.Since
	}
	b.Discard()
	b.shown = [digestBytes]byte{}
}

// notesOf are the parts of a new message that a person has caused, each a note: there are several if it is too long for one message. The
// last one has the buttons.
func (c *conversation) notesOf(p chat.Post, by int64) (all []*note) {
	parts := pages(p.Text, maxText)
	if p.Picture != nil || p.File != nil {
		parts = parts[:1] // A caption fits.
	}
	for i, part := range parts {
		one := chat.Post{In: p.In, Mention: p.Mention, Message: chat.Message{Text: part}}
		asked, _ := c.under(p.Request)
		n := &note{in: p.In, loud: len(p.Mention) > 0, quiet: p.Quiet, who: by, request: p.Request, replyTo: asked.reply, lasting: p.Open == chat.Aloud}
		if n.loud && by == 0 {
			n.till = time.Now().Add(warningLife)
		}
		if i == len(parts)-1 {
			one.Picture, one.File, one.Choices, one.Buttons, one.About = p.Picture, p.File, p.Choices, p.Buttons, p.About
			n.receipt = p.Receipt
		}
		if n.unasked() {
			n.till = time.Now().Add(standing)
		}
		n.content = c.s.draw(one)
		all = append(all, n)
	}
	return all
}

// add puts a note at the end of the queue, or where one waits that changes the same message in that one's place. If the queue is full
// the oldest is given up.
func (c *conversation) add(n *note) {
	if c.left {
		n.finish("")
		return
	}
	n.since = time.Now()
	if i := slices.IndexFunc(c.notes, func(o *note) bool { return o.edit == n.edit }); i >= 0 && n.edit != "" {
		n.since = c.notes[i].since
		c.notes[i].finish(n.edit)
		c.notes[i] = n
		return
	}
	if c.joins(n) {
		return
	}
	c.notes = append(c.notes, n)
	if i, ok := c.surplus(); ok {
		c.notes[i].finish("")
		c.notes = slices.Delete(slices.Clone(c.notes), i, i+1)
	}
}

// vacate gives up what was to take the place of a message, or its buttons: a table stands there now. The caller holds mu.
func (c *conversation) vacate(at chat.Ref) {
	c.notes = slices.DeleteFunc(slices.Clone(c.notes), func(n *note) bool {
		given := at != "" && n.edit == at
		if given {
			n.finish(at)
		}
		return given
	})
}

// surplus is the note that is given up where there are too many: the oldest of the person who has most, what only tidies up first, and last a
// mere text; false if there aren't too many. What lasts is counted apart, and of it the oldest is given up. The caller holds mu.
func (c *conversation) surplus() (which int, ok bool) {
	of, all := map[int64]int{}, 0
	for _, n := range c.notes {
		if !n.lasting {
			of[n.who]++
			all++
		}
	}
	lasts := func(n *note) bool { return n.lasting }
	if len(c.notes)-all > maxLasting {
		return slices.IndexFunc(c.notes, lasts), true
	}
	if all <= maxNotes {
		return 0, false
	}
	worth := func(n *note) int {
		switch {
		case n.minor:
			return 0
		case n.mere():
			return 2
		}
		return 1
	}
	which = slices.IndexFunc(c.notes, func(n *note) bool { return !n.lasting })
	for i, n := range c.notes {
		if had := c.notes[which]; !n.lasting && (of[n.who] > of[had.who] || n.who == had.who && worth(n) < worth(had)) {
			which = i
		}
	}
	return which, true
}

// joins has a person's note go along with the last one of theirs that waits, if both are mere text and fit into one message, and reports
// whether it does: what lasts does so whatever it replies to. So whoever has much said says it in few messages, and little of it is given up.
// The caller holds mu.
func (c *conversation) joins(n *note) bool {
	if !n.mere() {
		return false
	}
	for _, o := range slices.Backward(c.notes) {
		if !o.mere() || o.who != n.who || o.in.Thread != n.in.Thread || o.tries > 0 && !o.lasting {
			continue
		}
		html := o.content.html + "\n" + n.content.html
		if chat.Units(html) > maxText { // It has markup besides, so it fits if this does.
			return false
		}
		o.content.html, o.content.digest = html, digest(html+"\x00")
		o.lasting = o.lasting || n.lasting
		return true
	}
	return false
}

// mere reports whether a note is a person's, and nothing but a new text of which nobody waits to hear.
func (n *note) mere() bool {
	d := n.content
	bare := d.html != "" && d.keyboard == "" && d.picture == nil && d.file == nil
	apart := n.loud || n.minor || n.alone != nil || n.common != nil || n.to != nil || n.done != nil || !n.till.IsZero()
	return n.who != 0 && bare && !apart && n.edit == "" && (n.replyTo == 0 || n.lasting) && n.receipt == ""
}

// send queues a note.
func (c *conversation) send(n *note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(n)
	c.loop.Kick()
}

// offer queues a note to somebody if their share allows that, and reports whether it does. What is said already isn't said again. Where
// too many ask all are told so, once in a while.
func (c *conversation) offer(n *note, to chat.User) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	same := func(o *note) bool {
		return n.minor && o.minor && o.edit == "" && o.in == n.in && o.content.digest == n.content.digest
	}
	if n.common != nil && c.answeredLately(*n.common) || slices.ContainsFunc(c.notes, same) {
		return true
	}
	n.who = to.ID
	ok := c.room(n.who, false)
	if _, all := c.asking(to.ID); !ok && all >= maxAnswers && time.Since(c.crowded) > crowdedFor {
		c.crowded = time.Now()
		said := []chat.Span{{Text: c.s.opts.Words.Lang(to.Lang).Say("telegram.crowded")}}
		n = &note{in: n.in, content: c.s.draw(chat.Post{Message: chat.Message{Text: said}}), replyTo: n.replyTo, request: n.request}
	} else if !ok {
		return false
	}
	c.add(n)
	c.loop.Kick()
	return ok
}

func (n *note) finish(ref chat.Ref) {
	if n.done != nil {
		n.done <- ref
		n.done = nil
	}
}

// begin counts a message that is deleted without waiting in the queue, until end is called. It reports false, and there is no end, if
// another process serves the chat now.
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

// take notes that this process serves the chat from now on. What another process has written there isn't known.
func (c *conversation) take() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.budget.since(c.s.newBudget(c.id))
}

// wake sends what waits.
func (c *conversation) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loop.Kick()
}

// clear gives up everything that waits, and forgets where tables stand.
func (c *conversation) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.notes {
		n.finish("")
	}
	c.notes = nil
	clear(c.boards)
}

// going takes out of what waits, and of what is owed, what goes on where the chat does.
func (c *conversation) going() (all []*note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all, c.owed = c.owed, nil
	c.notes = slices.DeleteFunc(slices.Clone(c.notes), func(n *note) bool {
		if n.goesOn() {
			all = append(all, n)
		}
		return n.goesOn()
	})
	return all
}

// goesOn reports whether the note is of use where a group goes on under another number: it is new, and for all.
func (n *note) goesOn() bool {
	return n.edit == "" && n.alone == nil && n.common == nil && n.done == nil
}

// goOn queues what was to be said in a group where it goes on.
func (s *sender) goOn(to int64, notes ...*note) {
	c := s.chats.get(s, to)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range notes {
		n.in, n.replyTo, n.tries, n.after = n.in.MigratedTo(community(to)), 0, 0, time.Time{}
		c.add(n)
	}
	c.loop.Kick()
}

// leave gives up everything that waits for a topic, but what all have to hear.
func (c *conversation) leave(p chat.Place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool {
		gone := n.in.Thread == p.Thread && !n.lasting
		if gone {
			n.finish("")
		}
		return gone
	})
	for name, b := range c.boards {
		if b.Post.In.Thread == p.Thread {
			delete(c.boards, name)
		}
	}
}

// topic is the topic that what belongs to a place is sent to; 0 for none.
func (c *conversation) topic(in chat.Place) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flat {
		return 0
	}
	return in.Thread
}

// under is where in the chat a request was made; false if it wasn't made there by somebody, or that isn't remembered.
func (c *conversation) under(request string) (under, bool) {
	at, ok := c.s.threaded.Get(request)
	return at, ok && at.chat == c.id
}

// rootOf is the root of the thread where the table stands that a new one follows; 0 for none. The caller holds mu.
func (c *conversation) rootOf(p chat.Post) int64 {
	for _, b := range c.boards {
		if p.Edit == "" && p.Request != "" && b.Post.Request == p.Request && b.Post.In.Thread == p.In.Thread && b.root != 0 {
			return b.root
		}
	}
	return 0
}

// rootAt is the root of the thread in which the table of a message stands; false if that isn't known.
func (c *conversation) rootAt(on chat.Ref) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.boards {
		if b.Ref == on && b.rooted {
			return b.root, true
		}
	}
	return 0, false
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

// refresh forgets what the bot was not allowed to do, so that it is tried again.
func (c *conversation) refresh() {
	c.asksAdmins <- struct{}{}
	c.admins.at, c.admins.askedAt = time.Time{}, time.Time{}
	<-c.asksAdmins
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable, c.wordsUntil = time.Time{}, time.Time{}
	clear(c.hushed)
	c.barred = hush{}
	clear(c.lost)
	for _, b := range c.boards {
		b.Retry()
	}
	for _, n := range c.notes {
		n.after = time.Time{}
	}
	c.loop.Kick()
}

// unreached notes that the chat can't be written to at all, and why.
func (c *conversation) unreached(because verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreachable, c.because = time.Now().Add(unreachableFor), because
}

// reachable reports whether the chat can be written to, and if not whether that is the person's own doing: a chat isn't found by a server
// that has lost its memory, either.
func (c *conversation) reachable() (can, shut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	can = !time.Now().Before(c.unreachable)
	return can, !can && c.because == personGone
}
