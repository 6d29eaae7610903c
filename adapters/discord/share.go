package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// The kinds of parcels.
const (
	parcelInteraction = "INTERACTION_CREATE"
	// parcelCount asks how many shards there are.
	parcelCount = "SHARD_COUNT"
	// parcelSilent says which shards and servers bring nothing.
	parcelSilent = "SHARDS_SILENT"
)

// maxPassing is how many interactions may be on their way to other processes.
const maxPassing = 1000

// errNonsense is a parcel that no adapter packs.
var errNonsense = errors.New("discord: a parcel makes no sense")

// errDropped is that what somebody did could not be answered any more.
var errDropped = errors.New("discord: it was too late to answer, or too much waits")

// errCaught stands for a panic.
var errCaught = errors.New("discord: something broke")

// transit is an interaction on its way from the process to which it came to the one that answers it.
type transit struct {
	// Age is how old it was when it was sent, in milliseconds, Sent when that was by the clock of the sender, in milliseconds
	// since 1970.
	Age  int64 `json:"age_ms"`
	Sent int64 `json:"sent_ms"`
	// Guest says that the bot is no member of the server, as far as the sender knows.
	Guest bool `json:"guest,omitempty"`
	// Data is what Discord said.
	Data json.RawMessage `json:"data"`
}

// at is when it came to the first process. The way from there counts as far as the clocks of both agree.
func (p transit) at(now time.Time) time.Time {
	way := now.Sub(time.UnixMilli(p.Sent))
	if way < 0 || way > answerTime {
		way = 0
	}
	return now.Add(-way - time.Duration(min(max(p.Age, 0), tokenLife.Milliseconds()))*time.Millisecond)
}

// passBeside gives what somebody did to the process that serves the community.
func (a *Adapter) passBeside(d deed) {
	do := func() { a.pass(d) }
	if a.passing.Add(1) > maxPassing {
		do = func() { a.apologize(d, errDropped) }
	}
	if !a.Admit(func() { defer a.passing.Add(-1); do() }) {
		a.passing.Add(-1)
	}
}

// pass gives what somebody did to the process that serves the community, or tells them in time that nobody does.
func (a *Adapter) pass(d deed) {
	body, err := json.Marshal(transit{
		Age: time.Since(d.came.at).Milliseconds(), Sent: time.Now().UnixMilli(), Guest: d.r.In.Guest, Data: d.came.raw,
	})
	if err == nil {
		ctx, cancel := context.WithDeadline(d.ans.life, d.came.at.Add(passTime))
		defer cancel()
		_, err = a.share.Pass(ctx, d.home(), adapters.Parcel{Kind: parcelInteraction, Body: body})
	}
	if err != nil {
		a.apologize(d, err)
	}
}

// apologize tells somebody that what they did isn't done.
func (a *Adapter) apologize(d deed, err error) {
	key := sayBroken
	if errors.Is(err, adapters.ErrNobody) {
		key = sayUnsaved
	}
	a.log.Warn("what somebody did was not passed on", "request", d.r.ID, "to", d.home().String(), "error", err)
	d.ans.beside = true
	a.sender.sendPrivately(d.ans, []body{a.self().note(a.say(key, d.ans.lang))})
}

// Take does what came to another process, and returns when it is done, or, of an interaction, when whoever waits was told
// something. The error is adapters.ErrNobody where this process doesn't serve the community.
func (a *Adapter) Take(ctx context.Context, what adapters.Parcel) (answer []byte, err error) {
	leave, ok := a.Enter()
	if !ok {
		return nil, fmt.Errorf("take from another process: %w", adapters.ErrNobody)
	}
	defer leave()
	defer a.Recover()
	err = errCaught
	switch what.Kind {
	case parcelInteraction:
		return nil, a.takeInteraction(ctx, what.Body)
	case eventGuildCreate, eventGuildDelete, eventChannelDelete, eventThreadOpen:
		return nil, a.takeEvent(what.Kind, what.Body)
	case parcelCount:
		return a.takeCount(what.Body)
	case parcelSilent:
		return nil, a.takeSilent(what.Body)
	}
	return nil, errNonsense
}

// takeInteraction does what somebody did as if it had come to this process.
func (a *Adapter) takeInteraction(ctx context.Context, body []byte) error {
	var p transit
	var i discordgo.InteractionCreate
	if json.Unmarshal(body, &p) != nil || json.Unmarshal(p.Data, &i) != nil || i.Interaction == nil {
		return errNonsense
	}
	if _, own := a.guilds.own(number(i.GuildID)); i.GuildID != "" && !own {
		a.guilds.hear(number(i.GuildID), !p.Guest)
	}
	d, ok := a.read(arrival{Interaction: i.Interaction, raw: p.Data, at: p.at(time.Now()), passed: true})
	switch {
	case !ok:
		return errNonsense
	case !a.share.Serves(d.home()):
		return fmt.Errorf("take what somebody did: %w", adapters.ErrNobody)
	case !a.do(d):
		return nil // It is done already, or will be.
	}
	select {
	case <-d.ans.over:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !d.ans.alive() {
		return errDropped
	}
	return nil
}

// Leave gives up what waits to be shown in communities that are gone, waits for what is under way to them until ctx ends, and
// forgets where their tables stand.
func (a *Adapter) Leave(ctx context.Context, gone func(chat.Community) bool) {
	for again := true; again; { // What ends can have begun something.
		a.sender.leave(gone)
		again = a.errands.leave(ctx, gone)
	}
	a.guilds.leave(gone)
}

// leave forgets the boards of communities that are gone. Who waits for one is told that it came in.
func (s *sender) leave(gone func(chat.Community) bool) {
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	for _, b := range s.boards.tables.All() {
		if !gone(b.place.Community) {
			continue
		}
		b.Discard()
		b.left = true
		s.boards.tables.Drop(b.table)
		for _, ans := range b.waiting {
			s.answerBare(ans, b.Ref, nil)
		}
		b.waiting, b.outdated = nil, nil
	}
}

// takeCount says how many shards there are: as many as this process counts on, or, if it doesn't know of any yet, as many as the
// one that asks.
func (a *Adapter) takeCount(body []byte) ([]byte, error) {
	n, err := strconv.ParseInt(string(body), 10, 32)
	if err != nil || n < 1 {
		return nil, errNonsense
	}
	a.count.CompareAndSwap(0, n)
	return strconv.AppendInt(nil, a.count.Load(), 10), nil
}

// saySilent tells the other processes which of this one's shards and servers bring nothing, as long as any does so, until ctx ends.
func (a *Adapter) saySilent(ctx context.Context) {
	for outbox.Sleep(ctx, outbox.SayEvery) {
		all := a.guilds.silent(int(a.count.Load()))
		if len(all) == 0 {
			continue
		}
		if body, err := json.Marshal(all); err == nil {
			a.share.Tell(ctx, chat.Discord, adapters.Parcel{Kind: parcelSilent, Body: body})
		}
	}
}

// takeSilent notes what another process says of its shards and servers.
func (a *Adapter) takeSilent(body []byte) error {
	var all []silence
	if json.Unmarshal(body, &all) != nil || slices.ContainsFunc(all, func(one silence) bool { return one.Of.Count < 1 && one.Of.Guild == 0 }) {
		return errNonsense
	}
	a.guilds.hearsay(all)
	return nil
}
