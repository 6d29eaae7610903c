package telegram

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// maxWaiting is how many private posts may wait for their readers, maxDirect how many sent ones are remembered.
	maxWaiting, maxDirect = 1000, 2000
	// maxFiles is how many of those that wait may have files.
	maxFiles    = 16
	waitingTime = 30 * time.Minute
)

// privatePosts are posts for one person: those that wait until the person opens their private chat with the bot, and the messages of
// those that were sent there.
type privatePosts struct {
	mu      sync.Mutex
	waiting map[string]keptPost
	direct  *outbox.Memory[chat.Ref, chat.Place]
	// probed says that the server was asked whether it knows ephemeral messages, shows that it does.
	probed, shows bool
}

// keptPost is a post that waits, and until when.
type keptPost struct {
	post chat.Post
	till time.Time
}

func (p *privatePosts) init() {
	p.waiting, p.direct = map[string]keptPost{}, outbox.NewMemory[chat.Ref, chat.Place](maxDirect)
}

func (p *privatePosts) ephemeral() (known, probed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shows, p.probed
}

func (p *privatePosts) setEphemeral(known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.probed, p.shows = true, known
}

// remember notes the place that a message in a private chat is about.
func (p *privatePosts) remember(ref chat.Ref, in chat.Place) {
	if ref != "" {
		p.direct.Set(ref, in)
	}
}

// about is the place that a message in a private chat is about; false if none is known.
func (p *privatePosts) about(ref chat.Ref) (chat.Place, bool) { return p.direct.Get(ref) }

// keepForLink keeps a post for its reader, and returns the address of the chat with the bot by which they get it.
func (s *sender) keepForLink(p chat.Post) string {
	payload := s.keptPayload(p)
	s.posts.mu.Lock()
	defer s.posts.mu.Unlock()
	s.posts.makeRoom(p)
	s.posts.waiting[payload] = keptPost{p, time.Now().Add(waitingTime)}
	return s.startLink(payload)
}

// makeRoom makes room for one more post that waits. What has waited for too long goes, and of what is too much the oldest of the reader who
// has most. The caller holds mu.
func (p *privatePosts) makeRoom(post chat.Post) {
	now := time.Now()
	maps.DeleteFunc(p.waiting, func(_ string, w keptPost) bool { return now.After(w.till) })
	if post.File != nil {
		p.leave(maxFiles-1, post.To.ID, func(w keptPost) bool { return w.post.File != nil })
	}
	p.leave(maxWaiting-1, post.To.ID, func(keptPost) bool { return true })
}

// leave leaves so many at most of the posts that are like that, where the reader is about to get one more.
func (p *privatePosts) leave(most int, reader int64, like func(keptPost) bool) {
	of, n := map[int64]int{reader: 1}, 0
	for _, w := range p.waiting {
		if like(w) {
			of[w.post.To.ID]++
			n++
		}
	}
	for ; n > most; n-- {
		which := ""
		for key, w := range p.waiting {
			had, some := p.waiting[which]
			if like(w) && (!some || of[w.post.To.ID] > of[had.post.To.ID] || of[w.post.To.ID] == of[had.post.To.ID] && w.till.Before(had.till)) {
				which = key
			}
		}
		of[p.waiting[which].post.To.ID]--
		delete(p.waiting, which)
	}
}

// sendKept sends the post that waits under a link's payload to the one who followed the link, or says that it is gone. It reports
// false if the payload is of another kind.
func (s *sender) sendKept(from incoming, payload string) bool {
	if !strings.HasPrefix(payload, keptMark) {
		return false
	}
	who := from.Who
	s.posts.mu.Lock()
	w, ok := s.posts.waiting[payload]
	ok = ok && w.post.To.ID == who.ID && time.Now().Before(w.till)
	if ok {
		delete(s.posts.waiting, payload)
	}
	s.posts.mu.Unlock()
	if !ok {
		said := chat.Message{Text: []chat.Span{{Text: s.opts.Words.Lang(who.Lang).Say("telegram.used")}}}
		s.chats.get(s, who.ID).say(from, chat.Post{In: placeOf(who.ID), Open: chat.Common, Message: said})
		return true
	}
	return s.spawn(func() {
		ctx, cancel := context.WithTimeout(s.during(w.post.Request), answerTime)
		defer cancel()
		s.sendPrivate(ctx, w.post, false)
	})
}

// direct sends a post to its reader's private chat, with a link to the message that it is about, and waits for what becomes of it. The bot is told
// if it doesn't arrive, and whether the next one can: who has never opened that chat, or has blocked the bot, can't be written to.
func (s *sender) direct(p chat.Post) {
	ctx := s.during(p.Request)
	sent := p
	sent.Receipt = "" // It is used below, where the reader can't be reached.
	if s.sendPrivate(ctx, sent, true) {
		return
	}
	r := chat.Request{ID: s.nextID(), In: p.In, Kind: chat.Missed, Data: p.Receipt}
	if _, shut := s.chats.get(s, p.To.ID).reachable(); shut {
		r.Kind = chat.Unreached
	}
	s.showFor(p.In.Community, s.bot.Handle(context.WithoutCancel(ctx), r))
}
