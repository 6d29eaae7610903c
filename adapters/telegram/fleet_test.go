package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// Who serves a community that goes from one process to another: nobody, before the one has left it and after.
const leaving, nobody = -2, -1

// fleet are several adapters that share one Telegram, as those of the processes of a cluster do.
type fleet struct {
	*house
	dealer  *dealer
	members []*member

	mu sync.Mutex
	// owners are the members that serve communities; of those that aren't here it follows from the ID.
	owners map[chat.Community]int
	// given is when a member began to serve a community; the others they serve since begun.
	given map[chat.Community]time.Time
	begun time.Time
	// poller holds what one member has at a time; nil if none does.
	poller *grip
	// cut says that nothing can be passed, blind that nobody knows who holds what.
	cut, blind bool
	// answers are those to requests, by their IDs, as a bot has them in its store.
	answers map[string]chat.Response
	// handled is by which members a request was handled, by its ID: more than once if it came again.
	handled map[string][]int
	strays  []chat.Request
	// boards are the levels that were sent to each chat, in order.
	boards map[int64][]int
	// chance says how long a request takes, less than slow.
	chance *rand.Rand
	slow   time.Duration
}

// member is one process of a fleet.
type member struct {
	f       *fleet
	n       int
	run     *run
	portion float64
	// busy is how many requests are under way.
	busy int
	// sending is how many tables' messages are on their way, by the chat.
	sending map[int64]int
}

// newFleet starts so many adapters.
func newFleet(x *house, d *dealer, o Options, size int) *fleet {
	f := &fleet{
		house: x, dealer: d, owners: map[chat.Community]int{}, given: map[chat.Community]time.Time{}, begun: time.Now(), answers: map[string]chat.Response{}, handled: map[string][]int{},
		boards: map[int64][]int{}, chance: rand.New(rand.NewPCG(uint64(size), 7)),
	}
	for n := range size {
		m := &member{f: f, n: n, portion: 1, sending: map[int64]int{}}
		f.members = append(f.members, m)
	}
	for _, m := range f.members {
		m.start(o)
	}
	return f
}

// start begins the member's adapter.
func (m *member) start(o Options) {
	x := m.f.house
	x.handler, o.Share = m, m
	x.wrap = func(next http.RoundTripper) http.RoundTripper { return m.watching(next) }
	started := x.start(o)
	x.run = nil
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	m.run = started
}

// stop ends it.
func (m *member) stop() {
	m.f.run = m.run
	m.f.house.end()
}

// end stops all members.
func (f *fleet) end() {
	for _, m := range f.members {
		m.stop()
	}
}

// owner is who serves a community. The caller holds mu.
func (f *fleet) owner(c chat.Community) int {
	if n, ok := f.owners[c]; ok {
		return n
	}
	return int(max(c.ID, -c.ID) % int64(len(f.members)))
}

func (f *fleet) ownerOf(c chat.Community) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owner(c)
}

// give lets a member serve a community at once, as at the start.
func (f *fleet) give(c int64, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owners[community(c)], f.given[community(c)] = n, time.Now()
}

// move lets another member serve a community, as the program does: what is under way ends, the adapter leaves, and after a while
// the next one shows the table that there is. Between is done while nobody serves it.
func (f *fleet) move(c int64, to int, between func()) {
	f.t.Helper()
	f.moveFrom(f.members[f.ownerOf(community(c))], c, to, between)
}

func (f *fleet) moveFrom(from *member, c int64, to int, between func()) {
	f.t.Helper()
	f.give(c, leaving)
	for from.isBusy() {
		time.Sleep(10 * time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	from.run.Leave(ctx, func(gone chat.Community) bool { return gone == community(c) })
	f.mu.Lock()
	if n := from.sending[c]; n > 0 {
		f.t.Errorf("when chat %d was left %d messages were on their way", c, n)
	}
	f.owners[community(c)] = nobody
	f.mu.Unlock()
	between()
	f.give(c, to)
	f.dealer.mu.Lock()
	in := placeOf(c)
	p, some := f.dealer.picture(in, "redrawn"), f.dealer.levels[in] > 0
	f.dealer.mu.Unlock()
	if some {
		f.members[to].run.Show(ctx, chat.Response{Posts: []chat.Post{p}})
	}
}

// grip is a Hold.
type grip struct {
	f      *fleet
	by     int
	ctx    context.Context
	cancel context.CancelFunc
}

func (g *grip) Context() context.Context { return g.ctx }

func (g *grip) Release(context.Context) error {
	g.f.mu.Lock()
	defer g.f.mu.Unlock()
	if g.f.poller == g {
		g.f.poller = nil
	}
	return nil
}

// kill lets the hold of whoever polls end.
func (f *fleet) kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.poller != nil {
		f.poller.cancel()
		f.poller = nil
	}
}

// polling is who polls; nobody if none does.
func (f *fleet) polling() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.poller == nil {
		return nobody
	}
	return f.poller.by
}

// A member is its adapter's Share.

func (m *member) Serves(c chat.Community) bool { return m.f.ownerOf(c) == m.n }

func (m *member) Since(c chat.Community) time.Time {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	given, was := m.f.given[c]
	switch {
	case m.f.owner(c) != m.n:
		return time.Time{}
	case was:
		return given
	}
	return m.f.begun
}

func (m *member) Portion() float64 {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	return m.portion
}

func (m *member) Take(_ context.Context, thing string) (adapters.Hold, error) {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	if m.f.blind {
		return nil, errors.New("nobody knows")
	}
	if m.f.poller != nil || thing != "telegram/poll" {
		return nil, nil
	}
	g := &grip{f: m.f, by: m.n}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	m.f.poller = g
	return g, nil
}

func (m *member) Pass(ctx context.Context, to chat.Community, what adapters.Parcel) ([]byte, error) {
	for ctx.Err() == nil {
		m.f.mu.Lock()
		cut, n := m.f.cut, m.f.owner(to)
		var there *run
		if n >= 0 {
			there = m.f.members[n].run
		}
		m.f.mu.Unlock()
		if cut {
			return nil, errors.New("nothing can be passed")
		}
		if there != nil {
			answer, err := there.Take(ctx, what)
			if !errors.Is(err, adapters.ErrNobody) {
				return answer, err
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, adapters.ErrNobody
}

func (m *member) Tell(ctx context.Context, _ chat.Platform, what adapters.Parcel) {
	for _, other := range m.f.members {
		m.f.mu.Lock()
		cut, there := m.f.cut, other.run
		m.f.mu.Unlock()
		if other != m && !cut && there != nil {
			if _, err := there.Take(ctx, what); err != nil {
				m.f.t.Error(err)
			}
		}
	}
}

// Handle is the bot of the member: what it has done once it does not do again, whoever did it.
func (m *member) Handle(ctx context.Context, r chat.Request) chat.Response {
	if !m.enter(r) {
		return chat.Response{Toast: "press again"}
	}
	defer m.leave()
	m.f.mu.Lock()
	d := time.Duration(m.f.chance.Int64N(int64(m.f.slow) + 1))
	m.f.mu.Unlock()
	time.Sleep(d)
	m.f.mu.Lock()
	m.f.handled[r.ID] = append(m.f.handled[r.ID], m.n)
	answer, known := m.f.answers[r.ID]
	m.f.mu.Unlock()
	if known {
		return answer
	}
	answer = m.f.dealer.Handle(ctx, r)
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	m.f.answers[r.ID] = answer
	return answer
}

// enter counts a request among those under way; false if its community isn't served here.
func (m *member) enter(r chat.Request) bool {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	if m.f.owner(table.Home(r)) != m.n {
		m.f.strays = append(m.f.strays, r)
		return false
	}
	m.busy++
	return true
}

func (m *member) leave() {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	m.busy--
}

func (m *member) isBusy() bool {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	return m.busy > 0
}

// tripper is a way to Telegram.
type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(req *http.Request) (*http.Response, error) { return t(req) }

// watching notes which tables a member sends where.
func (m *member) watching(next http.RoundTripper) http.RoundTripper {
	levelOf := regexp.MustCompile(`level (\d+)`)
	return tripper(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(body))
		form := formOf(req.Header.Get("Content-Type"), body)
		text := form.Get("text") + form.Get("caption")
		level := levelOf.FindStringSubmatch(text)
		id, err := strconv.ParseInt(form.Get("chat_id"), 10, 64)
		if err != nil || len(level) == 0 {
			return next.RoundTrip(req)
		}
		m.count(id, 1, level[1])
		defer m.count(id, -1, "")
		return next.RoundTrip(req)
	})
}

// count notes that a table's message is on its way, or isn't any more.
func (m *member) count(c int64, more int, level string) {
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	m.sending[c] += more
	if level == "" {
		return
	}
	if n := m.f.owner(community(c)); n != m.n && n != leaving {
		m.f.t.Errorf("member %d shows a table in chat %d, which member %d serves", m.n, c, n)
	}
	n, err := strconv.Atoi(level)
	if err != nil {
		m.f.t.Error(err)
	}
	if last := m.f.boards[c]; len(last) > 0 && last[len(last)-1] > n {
		m.f.t.Errorf("chat %d is shown level %d after level %d", c, n, last[len(last)-1])
	}
	m.f.boards[c] = append(m.f.boards[c], n)
}

func formOf(kind string, body []byte) url.Values {
	name, params, err := mime.ParseMediaType(kind)
	if err == nil && name == "multipart/form-data" {
		if form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(1 << 20); err == nil {
			return form.Value
		}
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return url.Values{}
	}
	return form
}

// once checks that every request of people was handled, as often as there were any, by who served its community, and in order.
func (f *fleet) once(presses, commands int) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if p, c := len(f.dealer.heard.Of(chat.Press)), len(f.dealer.heard.Of(chat.Command)); p != presses || c != commands {
		f.t.Errorf("%d presses and %d commands were handled, of %d and %d", p, c, presses, commands)
	}
	for id, by := range f.handled {
		if len(by) > 1 {
			f.t.Logf("%s came to members %v", id, by)
		}
	}
	last := map[int64]int{}
	for _, r := range f.dealer.heard.All() {
		number, numbered := strings.CutPrefix(r.Data, "/say ")
		if n, err := strconv.Atoi(number); numbered && err == nil {
			if n != last[r.In.Channel]+1 {
				f.t.Errorf("in chat %d command %d was handled after %d", r.In.Channel, n, last[r.In.Channel])
			}
			last[r.In.Channel] = n
		}
	}
}

// refused is how many requests of people came to who doesn't serve them.
func (f *fleet) refused() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.strays {
		if r.Kind.ByPerson() {
			n++
		}
	}
	return n
}

// inFleet runs a test with so many adapters in a bubble.
func inFleet(t *testing.T, o telegramtest.Options, d *dealer, opts Options, size int, test func(*testing.T, *fleet)) {
	t.Helper()
	bubble(t, d, o, func(t *testing.T, x *house) {
		f := newFleet(x, d, opts, size)
		defer f.end()
		test(t, f)
	})
}

// talkers are people who speak and press, each in a group of their own.
type talkers struct {
	f      *fleet
	who    *telegramtest.User
	groups []*telegramtest.Chat
	said   map[int64]int
	// commands and presses are how many there were.
	commands, presses int
	chance            *rand.Rand
}

// newTalkers opens so many groups, with a table in each.
func newTalkers(f *fleet, groups int) *talkers {
	k := &talkers{f: f, who: f.server.NewUser("Аня", ""), said: map[int64]int{}, chance: rand.New(rand.NewPCG(1, 1))}
	for i := range groups {
		c := f.server.NewGroup(fmt.Sprint("Cards ", i))
		k.groups = append(k.groups, c)
		k.say(c)
	}
	for _, c := range k.groups {
		f.board(c, "level 1")
	}
	return k
}

// say says something in a group.
func (k *talkers) say(c *telegramtest.Chat) {
	k.said[c.ID]++
	k.commands++
	c.Say(k.who, fmt.Sprint("/say ", k.said[c.ID]))
}

// act says or presses something somewhere.
func (k *talkers) act() {
	c := k.groups[k.chance.IntN(len(k.groups))]
	if board, ok := c.Board(); ok && k.chance.IntN(3) > 0 {
		board.Chat = c.ID
		k.presses++
		k.who.Press(board, []string{"flip", "turn"}[k.chance.IntN(2)])
		return
	}
	k.say(c)
}

// settle waits until all was heard.
func (k *talkers) settle() {
	k.f.t.Helper()
	k.f.until("all to be confirmed", func() bool { return k.f.server.Waiting() == 0 })
	rest(time.Minute)
	k.f.once(k.presses, k.commands)
}

// last checks that each group sees its table as it is.
func (k *talkers) last() {
	k.f.t.Helper()
	for _, c := range k.groups {
		k.f.dealer.mu.Lock()
		level := k.f.dealer.levels[placeOf(c.ID)]
		k.f.dealer.mu.Unlock()
		k.f.board(c, fmt.Sprint("level ", level, " "))
	}
}

// byWhom is how many requests each member handled.
func (f *fleet) byWhom() map[int]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[int]int{}
	for by := range maps.Values(f.handled) {
		all[slices.Max(by)]++
	}
	return all
}
