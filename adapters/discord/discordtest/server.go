// Package discordtest is a Discord in one process, for tests: the gateway, interactions with their deadlines and
// tokens, channels with messages that everybody or one person sees, rate limits, and faults to order. It believes
// nothing: what a bot sends is checked against Discord's own specification and against the limits that this doesn't
// express, and everything is written down.
package discordtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing/synctest"
	"time"
)

// TB is what a test lends to a Server.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// Who and what there is from the start.
const (
	// Token is the bot's.
	Token = "token.of.the.bot"
	// App is the application, and its user.
	App = "900000000000000001"
	// Guild is a server where the bot is, Channel a channel in it.
	Guild   = "800000000000000001"
	Channel = "700000000000000001"
)

// epoch is when Discord's snowflakes begin.
const epoch = 1420070400000

// Options change what a Server is like. The zero Options are a Discord with little patience lost on tests.
type Options struct {
	// Unchecked leaves out all checks of bodies, for benchmarks.
	Unchecked bool
	// Forget leaves out the record of what was sent, for benchmarks.
	Forget bool
	// Deadline is the time for a first answer; 3 s by default.
	Deadline time.Duration
	// Heartbeat is the gateway's interval; 41,250 ms by default.
	Heartbeat time.Duration
	// Shards is how many are recommended, Concurrency how many may identify at a time; 1 by default.
	Shards, Concurrency int
	// Identify is how far apart two identifies must be; no time by default.
	Identify time.Duration
	// Window is the time in which Burst messages may be posted or edited in a channel; no limit by default.
	Window time.Duration
	Burst  int
	// Locale is the guilds' language; "ru" by default, and not told if it is "none".
	Locale string
	// Profile is what the application says of itself at first; the zero Profile is that of a new one, which anybody may add.
	Profile Profile
	// PlainProfile says that a description is taken as a text alone, as the documentation has it.
	PlainProfile bool
	// Activities says that they are enabled in the developer portal.
	Activities bool
	// NoResponse says that with_response is not known.
	NoResponse bool
	// Memory has the server reached by its Dial alone, over connections in memory. It works in a bubble, whose clock New puts into years
	// that Discord's IDs know.
	Memory bool
}

// Server is the fake. Its methods may be called from anywhere.
type Server struct {
	tb   TB
	opts Options
	http *http.Server
	// addr is where calls are made and sessions begin, again where sessions are resumed.
	addr, again string
	// memory are the two, where there is no network.
	memory []*pipes
	// done is closed when the server ends; busy counts what it has begun.
	done chan struct{}
	busy sync.WaitGroup

	mu           sync.Mutex
	last         int64 // the last snowflake
	commands     []byte
	named        map[string]string // the IDs of commands by their names
	overwrites   int
	profile      Profile
	channels     map[string]*channel
	foreign      map[string]bool // guilds where the bot is no member
	installed    map[string]bool // those of them that have installed its commands
	down         map[string]bool // guilds that are unavailable
	messages     map[string]*Message
	interactions map[string]*Interaction
	sessions     map[string]*session
	identified   map[int]time.Time
	identifies   int
	starts       int       // how many sessions the bot may begin
	startsReset  time.Time // until when
	intents      int
	mute         bool
	away         int  // how many are turned away
	distrusts    bool // by the word that their token is none
	hush         int  // how many connections hear nothing
	buckets      map[string]*bucket
	faults       Faults
	chance       *chance
	met          map[string]int
	grants       map[string]*grant
	bearers      map[string]User // by the tokens that codes were exchanged for
	activities   map[string]*activity
	paused       time.Time // until when there is a global limit
	heard        time.Time // from when on the bot knows
	record       Record
	secrets      map[string]bool // what was said to one person
	spoken       map[string]bool // what was said to everybody
	changed      chan struct{}
}

// channel is a place for messages.
type channel struct {
	id, guild string
	// of is the user whose chat with the bot it is, where that is known.
	of string
	// voice says that people talk there: nothing of it can be seen without the right to join.
	voice bool
	// rights are the bot's.
	rights int64
	// context is the kind of place: 0 a server, 1 the chat with the bot, 2 a group.
	context int
	// hidden says that members may not use external apps there.
	hidden bool
	// thread says that it is one, parent is whose, archived says that it was closed, and locked that only those who manage threads may open it.
	thread           bool
	parent           string
	archived, locked bool

	nonces map[string]string
}

// AllRights are the bot's where nobody took them away.
const AllRights = 1<<10 | 1<<11 | attachFiles | 1<<38

// New is a Discord with one guild and one channel. It ends with the test.
func New(tb TB, o Options) *Server {
	tb.Helper()
	if o.Deadline == 0 {
		o.Deadline = 3 * time.Second
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 41250 * time.Millisecond
	}
	if o.Locale == "" {
		o.Locale = "ru"
	}
	if o.Memory {
		time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	}
	o.Shards, o.Concurrency = max(1, o.Shards), max(1, o.Concurrency)
	s := &Server{
		tb: tb, opts: o, done: make(chan struct{}), channels: map[string]*channel{}, foreign: map[string]bool{}, installed: map[string]bool{}, down: map[string]bool{}, messages: map[string]*Message{}, named: map[string]string{}, profile: o.Profile,
		interactions: map[string]*Interaction{}, sessions: map[string]*session{}, identified: map[int]time.Time{},
		buckets: map[string]*bucket{}, secrets: map[string]bool{}, spoken: map[string]bool{}, changed: make(chan struct{}),
		record: Record{Calls: map[string]int{}}, grants: map[string]*grant{}, bearers: map[string]User{}, activities: map[string]*activity{},
	}
	if o.Activities {
		entry := s.entryPoint()
		s.commands, _ = json.Marshal([]any{entry})
		s.named["launch"] = fmt.Sprint(entry["id"])
	}
	if s.profile.Installs == nil {
		s.profile.Installs = map[string]Install{"0": {Scopes: []string{"applications.commands"}, Permissions: "0"}, "1": {Scopes: []string{"applications.commands"}, Permissions: "0"}}
	}
	s.channels[Channel] = &channel{id: Channel, guild: Guild, rights: AllRights, nonces: map[string]string{}}
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	first, second := s.listen("127.0.0.1:1"), s.listen("127.0.0.1:2")
	s.addr, s.again = first.Addr().String(), second.Addr().String()
	for _, ln := range []net.Listener{first, second} { // Whoever calls finds both addresses.
		s.busy.Go(func() { _ = s.http.Serve(ln) })
	}
	tb.Cleanup(s.close)
	return s
}

// listen opens one more address. The name is the one that it has in memory.
func (s *Server) listen(name string) net.Listener {
	if s.opts.Memory {
		p := newPipes(name)
		s.memory = append(s.memory, p)
		return p
	}
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		s.tb.Fatalf("listen: %v", err)
	}
	return ln
}

// Dial connects to a server in memory.
func (s *Server) Dial(ctx context.Context, _, addr string) (net.Conn, error) {
	for _, p := range s.memory {
		if p.name == addr {
			return p.dial(ctx)
		}
	}
	return nil, errNobodyListens
}

// URL is what to set DISCORD_API to.
func (s *Server) URL() string { return "http://" + s.addr }

func (s *Server) close() {
	close(s.done)
	s.mu.Lock()
	for _, one := range s.sessions {
		one.hangUp()
	}
	for _, i := range s.interactions {
		i.timer.Stop()
	}
	s.mu.Unlock()
	_ = s.http.Close()
	s.busy.Wait()
	if s.opts.Memory {
		time.Sleep(2 * time.Second) // The bot's library sleeps for a second after each connection.
	}
}

// snowflake is a new ID. The caller holds mu.
func (s *Server) snowflake() string {
	s.last = max(s.last+1, (time.Now().UnixMilli()-epoch)<<22)
	return strconv.FormatInt(s.last, 10)
}

// change tells whoever waits that something is different. The caller holds mu.
func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Until waits until something is so; ok is called with nothing locked. It fails the test after long enough a time for
// a slow machine. In memory it waits first until nothing moves, and then lets time pass.
func (s *Server) Until(what string, ok func() bool) {
	s.tb.Helper()
	if s.opts.Memory {
		s.settled(what, ok)
		return
	}
	limit := time.After(time.Minute)
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-time.After(20 * time.Millisecond): // What is waited for may lie outside.
		case <-limit:
			s.tb.Fatalf("waited in vain: %s", what)
			return
		}
	}
}

// settled lets a bubble's time pass until something is so when nothing moves.
func (s *Server) settled(what string, ok func() bool) {
	s.tb.Helper()
	const step = 20 * time.Millisecond
	for range 10 * time.Minute / step {
		if synctest.Wait(); ok() {
			return
		}
		time.Sleep(step)
	}
	s.tb.Fatalf("waited in vain: %s", what)
}

// Place adds a channel: in a guild, or, with none, the chat with the bot (context 1) or a group (2).
func (s *Server) Place(id, guild string, context int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id] = &channel{id: id, guild: guild, rights: AllRights, context: context, nonces: map[string]string{}}
}

// Voice makes a channel one in which people talk, too.
func (s *Server) Voice(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id].voice = true
}

// Allow sets the bot's rights in a channel.
func (s *Server) Allow(id string, rights int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id].rights = rights
}

// DeleteChannel deletes a channel with its messages, and tells the bot: of a thread if it is one. The threads of the channel vanish with it,
// and of them the bot isn't told.
func (s *Server) DeleteChannel(id string, thread bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	maps.DeleteFunc(s.channels, func(other string, c *channel) bool { return other == id || c.parent == id })
	maps.DeleteFunc(s.messages, func(_ string, m *Message) bool { return s.channels[m.Channel] == nil })
	event := "CHANNEL_DELETE"
	kind := 0
	if thread {
		event, kind = "THREAD_DELETE", 11
	}
	s.dispatch(c.guild, event, map[string]any{"id": id, "guild_id": c.guild, "type": kind})
}

// RemoveBot takes the bot out of a guild, and tells it. People who installed it for themselves still have it there.
func (s *Server) RemoveBot(guild string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.foreign[guild] = true
	s.dispatch(guild, "GUILD_DELETE", map[string]any{"id": guild})
}

// Mistake tells the bot that it was taken out of a guild where it is.
func (s *Server) Mistake(guild string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(guild, "GUILD_DELETE", map[string]any{"id": guild})
}

// Half takes the bot out of a guild that keeps its commands.
func (s *Server) Half(guild string) {
	s.RemoveBot(guild)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.installed[guild] = true
}

// Invite brings the bot into a guild, and tells it which of its channels tells of those who come; empty: none does.
func (s *Server) Invite(guild, news string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.foreign, guild)
	s.dispatch(guild, "GUILD_CREATE", s.describeGuild(guild, news))
}

// Outage makes a guild unavailable, or available again, and tells the bot.
func (s *Server) Outage(guild string, begins bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down[guild] = begins
	if begins {
		s.dispatch(guild, "GUILD_DELETE", map[string]any{"id": guild, "unavailable": true})
		return
	}
	s.dispatch(guild, "GUILD_CREATE", s.describeGuild(guild, ""))
}

// describeGuild is what the bot is told of a guild that is available, of which that channel tells of those who come. The caller holds mu.
func (s *Server) describeGuild(guild, news string) map[string]any {
	channels := []any{}
	for _, id := range slices.Sorted(maps.Keys(s.channels)) {
		if c := s.channels[id]; c.guild == guild && !c.thread {
			channels = append(channels, map[string]any{
				"id": id, "type": 0, "position": len(channels), "permission_overwrites": []any{map[string]any{
					"id": App, "type": 1, "allow": strconv.FormatInt(c.rights, 10), "deny": strconv.FormatInt(AllRights&^c.rights, 10),
				}},
			})
		}
	}
	return map[string]any{
		"id": guild, "name": "guild", "channels": channels, "system_channel_id": news, "preferred_locale": "pl",
		"members":   []any{map[string]any{"user": map[string]any{"id": App, "username": "Zevaka", "bot": true}, "roles": []any{}}},
		"roles":     []any{map[string]any{"id": guild, "name": "@everyone", "permissions": strconv.FormatInt(AllRights, 10)}},
		"joined_at": time.Now().UTC().Format(time.RFC3339),
	}
}

// guest reports whether the bot is no member of the place. The caller holds mu.
func (s *Server) guest(c *channel) bool { return c.context == 2 || s.foreign[c.guild] }

// Thread adds a thread to a channel.
func (s *Server) Thread(id, parent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id] = &channel{
		id: id, guild: s.channels[parent].guild, rights: AllRights, thread: true, parent: parent, nonces: map[string]string{},
	}
}

// json is what Discord says of a channel.
func (c *channel) json() map[string]any {
	d := map[string]any{"id": c.id, "type": [...]int{0, 1, 3}[c.context]}
	if c.guild != "" {
		d["guild_id"] = c.guild
	}
	switch {
	case c.thread:
		d["type"], d["parent_id"] = 11, c.parent
	case c.voice:
		d["type"] = 2
	}
	return d
}

// Archive closes a thread, perhaps for good. Open opens it again. The bot is told of both.
func (s *Server) Archive(id string, locked bool) { s.turn(id, true, locked) }

// Open opens a thread that was closed.
func (s *Server) Open(id string) { s.turn(id, false, false) }

func (s *Server) turn(id string, archived, locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	c.archived, c.locked = archived, locked
	s.tellThread(c)
}

// tellThread tells the bot how a thread is. The caller holds mu.
func (s *Server) tellThread(c *channel) {
	s.dispatch(c.guild, "THREAD_UPDATE", map[string]any{
		"id": c.id, "guild_id": c.guild, "type": 11, "thread_metadata": map[string]any{"archived": c.archived, "locked": c.locked},
	})
}

// Hide takes the right from the members of a channel to use external apps: what a guest answers only they see.
func (s *Server) Hide(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id].hidden = true
}

// DeleteMessage deletes a message, as anybody with the right could. The bot isn't told.
func (s *Server) DeleteMessage(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.messages, id)
}

// Record is what happened.
type Record struct {
	// Violations are bodies that Discord would not have taken, or that do what a good bot doesn't.
	Violations []string
	// Unanswered are the interactions that got no answer in time, Twice those that got two.
	Unanswered, Twice []string
	// Calls counts calls by what they are for: "callback", "post", "edit", "original", "follow", and so on; "limited" are those that were
	// too many, and "forbidden" those that the bot has no right to.
	Calls map[string]int
	// Interactions is how many were delivered.
	Interactions int
	// Faults is how many calls met one.
	Faults int
	// Notified are the users that were mentioned with notice.
	Notified []string
}

// Record is a copy of what happened so far.
func (s *Server) Record() Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.record
	r.Calls = map[string]int{}
	for name, n := range s.record.Calls {
		r.Calls[name] = n
	}
	for text, secret := range s.secrets {
		if secret && s.spoken[text] {
			r.Violations = append(r.Violations, fmt.Sprintf("private text in a public message: %.80q", text))
		}
	}
	return r
}

// Forget begins the record anew.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = Record{Calls: map[string]int{}}
}

// violation writes down what must not be. The caller holds mu.
func (s *Server) violation(format string, args ...any) {
	if len(s.record.Violations) < 100 {
		s.record.Violations = append(s.record.Violations, fmt.Sprintf(format, args...))
	}
}

// Commands are the commands that are registered, as JSON, and how often they were.
func (s *Server) Commands() (list []byte, overwrites int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands, s.overwrites
}
