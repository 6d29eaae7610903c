package discord

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// doorPath is where the page of the live table stands for Discord.
	doorPath = "/dc"
	// enterTime is how long it may take to find out who comes, and askTime whether they are still there.
	enterTime = 5 * time.Second
	askTime   = 2 * time.Second
	// maxEntering is of how many at a time it is found out who they are, and maxEnteringEach how many of them come from a household:
	// anybody can say that they come.
	maxEntering, maxEnteringEach = 256, 8
	// maxVain is how many a household or an instance may have in vain at once and in a minute, and maxVainEach a household in an instance.
	// maxStrays is how many all may have who name no instance that there is, maxStraysEach a household, and twice as many the households
	// of one network.
	maxVain, maxVainEach     = 64, 8
	maxStrays, maxStraysEach = 240, 16
	// maxOften is how often a person may come in a minute before it counts as in vain.
	maxOften = 16
	// maxLogin is how long a code may be.
	maxLogin = 256
	// ownFor is how long it counts whose own chat a channel is, and maxOwn of how many channels that is remembered.
	ownFor, maxOwn = time.Hour, 4096
)

// entrance is the door of Discord: people look at the live table in Discord itself, as an Activity.
type entrance struct {
	s         *sender
	instances *instances
	launches  *launches
	// vain are those who came in vain, entering those who come just now, by their households.
	vain *outbox.Shares
	// own are channels without a guild, and whose own chats they are.
	own      *outbox.Memory[string, owned]
	mu       sync.Mutex
	entering map[string]int
}

// owned is until when it counts whose own chat with the bot a channel is; 0: nobody's.
type owned struct {
	by    int64
	until time.Time
}

func newEntrance(s *sender, l *launches) *entrance {
	return &entrance{s: s, instances: newInstances(s.core), launches: l, vain: outbox.NewShares(), own: outbox.NewMemory[string, owned](maxOwn), entering: map[string]int{}}
}

// Door is the way to the live tables for those who open them in Discord as an Activity; nil without a client secret.
//
// Discord shows https://APPLICATION_ID.discordsays.com/?instance_id=…&frame_id=… in a frame, and its proxy fetches each path of that
// origin from the target of the longest mapping. The operator maps "/" to "HOST/dc", with nothing behind it: so the page is asked for
// as /dc/ or /dc, with those parameters, and what it names as "x.js" or as "/x.js" is asked for as /dc/x.js, WebSockets as well. The
// page must name all it needs below its own path, and the server serve all of it below /dc/, or it isn't found. The Host of these
// requests is the operator's, their Origin, where they have one, what Origins says, and their address that of Discord's proxy.
// Frames, Origins and Config are empty as long as Discord hasn't told which application this is, some seconds after the start:
// they are to be asked for with each request.
func (a *Adapter) Door() door.Door {
	if a.opts.ClientSecret == "" {
		return nil
	}
	return a.entrance
}

// Path is where the page stands.
func (e *entrance) Path() string { return doorPath }

// Frames are the origins of Discord's clients, and the page's own.
func (e *entrance) Frames() []string {
	return append([]string{"https://discord.com", "https://ptb.discord.com", "https://canary.discord.com"}, e.Origins()...)
}

// Origins are the one from which Discord shows the application's page; none as long as it isn't known.
func (e *entrance) Origins() []string {
	app := e.s.application()
	if app == "" {
		return nil
	}
	return []string{"https://" + app + ".discordsays.com"}
}

// Config is the client's ID as {"client_id": "…"}, with which the page asks Discord's client for a code; nil as long as it isn't known.
func (e *entrance) Config() any {
	app := e.s.application()
	if app == "" {
		return nil
	}
	return struct {
		ClientID string `json:"client_id"`
	}{app}
}

// Key follows from the client secret.
func (e *entrance) Key() [32]byte { return door.KeyOf(e.s.opts.ClientSecret, "discord visits") }

// Enter finds out who comes, of Discord: the code says who it is, the instance where. Of what the page says nothing else counts.
func (e *entrance) Enter(ctx context.Context, h door.Hello) (door.Visit, error) {
	switch {
	case h.Login == "" || len(h.Login) > maxLogin:
		return door.Visit{}, door.ErrLogin
	case !isInstance(h.Instance):
		return door.Visit{}, door.ErrPlace
	case e.s.application() == "":
		return door.Visit{}, door.ErrAway
	}
	ctx, leave, ok := e.begin(ctx, enterTime)
	if !ok {
		return door.Visit{}, door.ErrAway
	}
	defer leave()
	return e.enter(ctx, h)
}

// enter finds out who comes as cheaply as it can: a code is for one more call of Discord's, which allows few of them, so it costs nothing
// before the instance is known. Who comes in vain again and again, or too often, is refused without a call, and takes nothing from others.
func (e *entrance) enter(ctx context.Context, h door.Hello) (v door.Visit, err error) {
	strays := []outbox.Quota{
		{Of: "stray " + h.From, Most: maxStraysEach}, {Of: "strays of " + chat.Network(h.From), Most: 2 * maxStraysEach}, {Of: "strays", Most: maxStrays},
	}
	codes := []outbox.Quota{
		{Of: "in " + h.From + " " + h.Instance, Most: maxVainEach}, {Of: "from " + h.From, Most: maxVain}, {Of: "in " + h.Instance, Most: maxVain},
	}
	known := e.instances.isThere(h.Instance)
	if !known && !e.vain.Take(time.Now(), strays...) || !e.arrives(h.From) {
		return v, door.ErrAway
	}
	defer e.arrived(h.From)
	if !known {
		if err := e.instances.find(ctx, h.Instance); err != nil {
			return v, err
		}
		e.vain.Give(time.Now(), strays...)
	}
	if !e.vain.Take(time.Now(), codes...) {
		return v, door.ErrAway
	}
	if v, err = e.identify(ctx, h); err == nil && e.vain.Take(time.Now(), outbox.Quota{Of: "person " + strconv.FormatInt(v.Who.ID, 10), Most: maxOften}) {
		e.vain.Give(time.Now(), codes...)
	}
	return v, err
}

// arrives counts somebody among those who come just now, until arrived is called; false if they are too many.
func (e *entrance) arrives(from string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := 0
	for _, n := range e.entering {
		all += n
	}
	if all >= maxEntering || e.entering[from] >= maxEnteringEach {
		return false
	}
	e.entering[from]++
	return true
}

func (e *entrance) arrived(from string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.entering[from]--; e.entering[from] == 0 {
		delete(e.entering, from)
	}
}

// identify finds out who comes by a code, and whether Discord sees them in the instance.
func (e *entrance) identify(ctx context.Context, h door.Hello) (door.Visit, error) {
	who, err := e.whoIs(ctx, h.Login)
	if err != nil {
		return door.Visit{}, err
	}
	one, err := e.instances.with(ctx, h.Instance, who.ID, trustEntering)
	if err != nil {
		return door.Visit{}, err
	}
	v := door.Visit{Who: who, Instance: h.Instance}
	launched, pressed := e.launches.of(who.ID, number(one.Location.Channel))
	if pressed {
		v.Who.Name, v.Who.Lang, v.Table = launched.who.Name, launched.who.Lang, launched.table
	}
	if v.In, err = e.place(ctx, one, who.ID); err != nil {
		return door.Visit{}, err
	}
	v.In.Lang = launched.in.Lang
	return v, nil
}

// begin counts a visitor's request among what the adapter does: its context ends after some time, or with the adapter.
func (e *entrance) begin(ctx context.Context, most time.Duration) (context.Context, func(), bool) {
	leave, ok := e.s.Enter()
	if !ok {
		return ctx, nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	stop := context.AfterFunc(e.s.Life, cancel)
	return ctx, func() { stop(); cancel(); leave() }, true
}

// whoIs is the person whom Discord gave a code, which is good once. What the code gives access to is forgotten at once.
func (e *entrance) whoIs(ctx context.Context, code string) (chat.User, error) {
	token, err := e.s.rest.exchange(ctx, e.s.application(), e.s.opts.ClientSecret, code)
	var refused *apiError
	switch {
	case err == nil:
	case errors.As(err, &refused) && refused.kind == kindClient:
		e.s.log.Error("discord doesn't accept the client secret: look it up again on the OAuth2 page of the developer portal (DISCORD_CLIENT_SECRET)")
		return chat.User{}, door.ErrAway
	case errors.As(err, &refused) && refused.status == http.StatusBadRequest:
		return chat.User{}, door.ErrLogin
	default:
		e.s.log.Warn("who comes through the door could not be found out", "error", err)
		return chat.User{}, door.ErrAway
	}
	found, err := e.s.rest.me(ctx, token, e.s.nextID())
	switch {
	case errors.As(err, &refused) && refused.status == http.StatusUnauthorized:
		return chat.User{}, door.ErrLogin
	case err != nil:
		e.s.log.Warn("who comes through the door could not be found out", "error", err)
		return chat.User{}, door.ErrAway
	case number(found.ID) == 0 || found.Bot || found.System:
		return chat.User{}, door.ErrLogin
	}
	who := chat.User{ID: number(found.ID), Name: found.GlobalName, Lang: found.Locale}
	if who.Name == "" {
		who.Name = found.Username
	}
	return who, nil
}

// place is where an instance is, for one of the people in it.
func (e *entrance) place(ctx context.Context, one instance, who int64) (chat.Place, error) {
	p := chat.Place{Channel: number(one.Location.Channel)}
	p.Community = chat.Community{Platform: chat.Discord, ID: number(one.Location.Guild)}
	if one.Location.Kind == inGuild {
		p.Guest = e.s.asGuest(ctx, p.Community.ID)
		return p, nil
	}
	own, err := e.isOwn(ctx, one.Location.Channel, who)
	if own {
		p.Community.ID, p.Private = who, true
	} else {
		p.Community.ID, p.Guest = p.Channel, true
	}
	return p, err
}

// isOwn reports whether a channel without a guild is somebody's own chat with the bot, and no group's.
func (e *entrance) isOwn(ctx context.Context, channel string, who int64) (bool, error) {
	if launched, ok := e.launches.of(who, number(channel)); ok {
		return launched.in.Private, nil
	}
	one, _ := e.own.Get(channel)
	if time.Now().Before(one.until) {
		return one.by == who, nil
	}
	with, err := e.s.rest.recipients(ctx, channel)
	switch {
	case hasCode(err, codeUnknownChannel, codeNoAccess):
		one = owned{0, time.Now().Add(longBar)}
	case err != nil:
		e.s.log.Warn("which chat somebody comes from could not be found out", "error", err)
		return false, door.ErrAway
	case len(with) == 1:
		one = owned{number(with[0]), time.Now().Add(ownFor)}
	default:
		one = owned{0, time.Now().Add(ownFor)}
	}
	e.own.Set(channel, one)
	return one.by == who, nil
}

// Stay refuses a visitor whom Discord doesn't see there any more.
func (e *entrance) Stay(ctx context.Context, v door.Visit) error {
	ctx, leave, ok := e.begin(ctx, askTime)
	if !ok {
		return nil
	}
	defer leave()
	if _, err := e.present(ctx, v); errors.Is(err, door.ErrPlace) {
		return door.ErrPlace
	}
	return nil
}

// present is the instance in which a visitor still is, in the place of their visit.
func (e *entrance) present(ctx context.Context, v door.Visit) (instance, error) {
	one, err := e.instances.with(ctx, v.Instance, v.Who.ID, trustVisitor)
	if err == nil && number(one.Location.Channel) != v.In.Channel {
		err = door.ErrPlace
	}
	return one, err
}

// Ask has the bot do what a visitor does, if Discord still sees them where they were, as in the chat: what all may see is shown
// there. Nobody is an admin behind this door: Discord doesn't say it of them there.
func (e *entrance) Ask(ctx context.Context, v door.Visit, r chat.Request) chat.Response {
	if r.Kind != chat.Press && r.Kind != chat.Command {
		return chat.Response{}
	}
	ctx, leave, ok := e.begin(ctx, askTime)
	if !ok {
		return e.refuse(v, door.ErrAway)
	}
	defer leave()
	one, err := e.present(ctx, v)
	if err != nil {
		return e.refuse(v, err)
	}
	who := chat.User{ID: v.Who.ID, Name: v.Who.Name, Lang: v.Who.Lang}
	in := v.In
	if member, known := e.s.guilds.member(in.Community.ID); one.Location.Kind == inGuild && (known || e.s.alone) {
		in.Guest = known && !member
	}
	defer e.s.errands.begin(in.Community).end()
	id := strings.Join([]string{"discord-door", strconv.FormatInt(who.ID, 10), r.ID}, "/")
	resp := e.s.ask(chat.Request{ID: id, Who: who, In: in, Kind: r.Kind, Data: r.Data, Text: r.Text, Live: true})
	var own, others []chat.Post
	for _, p := range resp.Posts {
		switch {
		case isAnswer(p):
			p.To = &who
			own = append(own, p)
		case p.To == nil || p.Direct:
			others = append(others, p)
		case p.To.ID == who.ID:
			own = append(own, p)
		}
	}
	e.s.deliver(delivery{posts: others, id: id, by: who.ID})
	resp.Posts = own
	return resp
}

// isAnswer reports whether a post is for everybody only since whoever asked would be answered before them: it is nothing to those
// who haven't asked.
func isAnswer(p chat.Post) bool {
	alone := p.Table == "" && p.Edit == "" && p.Receipt == "" && p.Draw == nil && !p.Delete
	return p.To == nil && alone && (p.In.Private || p.Open == chat.Common)
}

// refuse tells a visitor why nothing was done.
func (e *entrance) refuse(v door.Visit, err error) chat.Response {
	key := sayLeft
	if errors.Is(err, door.ErrAway) {
		key = sayAway
	}
	return chat.Response{Toast: e.s.say(key, v.Who.Lang), Alert: true}
}
