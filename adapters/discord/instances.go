package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/outbox"
)

const (
	// silentFor is how long Discord isn't asked again after it hasn't answered, and lookTime the time for an answer.
	silentFor = 5 * time.Second
	lookTime  = 2 * time.Second
	// maxInstances is how many are remembered.
	maxInstances = 4096
)

// trust is how long what Discord has said is believed: that somebody is in an instance, that they aren't, and where it doesn't
// answer, that they are.
type trust struct{ present, absent, silent time.Duration }

// What is believed of who comes: it may be the first that is heard of them. And of who is there already.
var (
	trustEntering = trust{present: 5 * time.Second}
	trustVisitor  = trust{present: time.Minute, absent: time.Second, silent: 5 * time.Minute}
)

// The kinds of places where an instance can be.
const (
	inGuild   = "gc"
	inPrivate = "pc"
)

// instance is an Activity that runs somewhere, as Discord describes it.
type instance struct {
	App      string `json:"application_id"`
	ID       string `json:"instance_id"`
	Location struct {
		Kind    string `json:"kind"`
		Channel string `json:"channel_id"`
		Guild   string `json:"guild_id"`
	} `json:"location"`
	// Users are those who are connected to it now.
	Users []string `json:"users"`
}

// instancePattern is what an instance's ID looks like: it becomes part of an address.
var instancePattern = regexp.MustCompile(`^i-[0-9A-Za-z_-]{1,126}$`)

// isInstance reports whether a text can be the ID of an instance.
func isInstance(id string) bool { return instancePattern.MatchString(id) }

// sensible reports whether an answer is about the instance that was asked for, in a place where there can be tables.
func (i instance) sensible(app, id string) bool {
	if i.App != app || i.ID != id || number(i.Location.Channel) == 0 {
		return false
	}
	return i.Location.Kind == inGuild && number(i.Location.Guild) != 0 || i.Location.Kind == inPrivate && i.Location.Guild == ""
}

// sight is what was seen of an instance.
type sight struct {
	instance
	at time.Time
	// silent is when Discord didn't answer last, launched when the bot has launched it.
	silent, launched time.Time
}

func (s sight) has(user int64) bool { return slices.Contains(s.Users, strconv.FormatInt(user, 10)) }

// instances are the Activities that run, as far as anybody came from there.
type instances struct {
	*core
	known *outbox.Memory[string, sight]

	mu    sync.Mutex
	looks map[string]*look
}

// look is a question to Discord that is under way.
type look struct {
	done chan struct{}
	seen sight
	err  error
}

func newInstances(c *core) *instances {
	return &instances{core: c, known: outbox.NewMemory[string, sight](maxInstances), looks: map[string]*look{}}
}

// with is the instance in which the user is, as Discord says or has said not too long ago. The error is door.ErrPlace or
// door.ErrAway.
func (is *instances) with(ctx context.Context, id string, user int64, t trust) (instance, error) {
	before, known := is.known.Get(id)
	age := time.Since(before.at)
	switch {
	case known && before.has(user) && age < t.present:
		return before.instance, nil
	case known && !before.has(user) && age < t.absent:
		return instance{}, door.ErrPlace
	}
	err := errSilent
	if time.Since(before.silent) >= silentFor {
		var seen sight
		if seen, err = is.ask(ctx, id); err == nil {
			before, age = seen, 0
		}
	}
	switch {
	case err != nil && (!before.has(user) || age >= t.silent):
		return instance{}, door.ErrAway
	case !before.has(user):
		return instance{}, door.ErrPlace
	}
	return before.instance, nil
}

// isThere reports whether an instance was seen or launched lately, whoever is in it.
func (is *instances) isThere(id string) bool {
	before, _ := is.known.Get(id)
	return before.ID == id && time.Since(before.at) < trustVisitor.present || time.Since(before.launched) < launchFor
}

// launch notes an instance that the bot has launched.
func (is *instances) launch(id string) {
	if isInstance(id) {
		seen, _ := is.known.Get(id)
		seen.launched = time.Now()
		is.known.Set(id, seen)
	}
}

// find asks whether an instance is there. That it isn't is believed for a while. The error is door.ErrPlace or door.ErrAway.
func (is *instances) find(ctx context.Context, id string) error {
	seen, _ := is.known.Get(id)
	believed := trustEntering.present
	if seen.ID == id {
		believed = trustVisitor.present
	}
	if time.Since(seen.at) >= believed && time.Since(seen.silent) >= silentFor {
		var err error
		if seen, err = is.ask(ctx, id); err != nil {
			return door.ErrAway
		}
	}
	switch {
	case seen.at.IsZero():
		return door.ErrAway
	case seen.ID != id:
		return door.ErrPlace
	}
	return nil
}

// errSilent is that Discord was asked just now, and didn't answer.
var errSilent = errors.New("discord didn't answer just now")

// ask has one look for all who want to know.
func (is *instances) ask(ctx context.Context, id string) (sight, error) {
	is.mu.Lock()
	one := is.looks[id]
	if one == nil {
		one = &look{done: make(chan struct{}), err: errSilent}
		if !is.Admit(func() { is.look(id, one) }) {
			is.mu.Unlock()
			return sight{}, errSilent
		}
		is.looks[id] = one
	}
	is.mu.Unlock()
	select {
	case <-one.done:
		return one.seen, one.err
	case <-ctx.Done():
		return sight{}, ctx.Err()
	}
}

// look asks Discord, and remembers what it says.
func (is *instances) look(id string, one *look) {
	defer func() {
		is.mu.Lock()
		defer is.mu.Unlock()
		delete(is.looks, id)
		close(one.done)
	}()
	ctx, cancel := context.WithTimeout(is.Life, lookTime)
	defer cancel()
	found, err := is.rest.instance(ctx, is.application(), id)
	before, _ := is.known.Get(id)
	var refused *apiError
	switch {
	case errors.As(err, &refused) && refused.status == http.StatusNotFound:
		found = instance{}
	case err != nil:
		before.silent = time.Now()
		is.known.Set(id, before)
		one.err = fmt.Errorf("look at an activity: %w", err)
		is.log.Warn("discord doesn't say who is in an activity", "error", err)
		return
	case !found.sensible(is.application(), id):
		is.log.Warn("discord tells of another activity than was asked for", "kind", fmt.Sprintf("%.20q", found.Location.Kind))
		found = instance{}
	}
	one.seen, one.err = sight{instance: found, at: time.Now(), launched: before.launched}, nil
	is.known.Set(id, one.seen)
}
