package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
)

// SessionTime is how long a process that says nothing holds what it holds.
const SessionTime = 10 * time.Second

const (
	// keepEvery is how often a session is kept alive, and keepTime how long a member may take for that before another is
	// asked: there is time to ask some.
	keepEvery = SessionTime / 4
	keepTime  = time.Second
	// relistEvery is how often all that is held is read anew: members have been seen to lose changes (etcd's issues 18089, 19179).
	relistEvery = time.Minute
)

// ErrFenced says that what a commit relied on isn't held any more: nothing was written, and nothing of it will be. It comes
// together with storage.ErrUnavailable.
var ErrFenced = errors.New("etcd: not held any more")

// Session is the presence of one process in a store. As long as it lives the process can hold things that only one may hold
// at a time. It ends when its process doesn't reach the cluster for SessionTime, and then all that it held is free.
type Session struct {
	store *Store
	name  string
	lease clientv3.LeaseID
	until deadline
	held  context.Context
	end   context.CancelCauseFunc
	stop  context.CancelFunc
	kept  chan struct{} // closed when the lease isn't kept any more
}

// ErrLost is the cause with which the context of a session ends when the session has ended, as far as the process can tell.
var ErrLost = errors.New("etcd: the cluster couldn't be reached for so long that others may hold by now what this process held")

// ErrDenied is the cause instead when the cluster doesn't let the store's user read and write its keys any more.
var ErrDenied = errors.New("etcd: the cluster doesn't let the user read and write the keys of the store any more; give it its role back")

// Join begins a session, which must be left, under a name that no other process has, which others see at what it holds. As long
// as the cluster can't be reached it tries again, until ctx ends. It refuses with ErrOlder as long as a store of an earlier format is
// served by others.
func (s *Store) Join(ctx context.Context, name string) (*Session, error) {
	lease, until, err := s.grant(ctx)
	if err != nil {
		return nil, fmt.Errorf("etcd: join: %w", notRead(err))
	}
	if err := s.raise(ctx); err != nil {
		return nil, fmt.Errorf("etcd: join: %w", err)
	}
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	j := &Session{store: s, name: name, lease: lease, kept: make(chan struct{}), stop: stop}
	j.held, j.end = context.WithCancelCause(ctx)
	j.until.set(until)
	go j.keep(keeping)
	return j, nil
}

// grant gets a lease, and until when it is good at least.
func (s *Store) grant(ctx context.Context) (lease clientv3.LeaseID, until time.Time, err error) {
	for {
		begun := time.Now()
		var granted *clientv3.LeaseGrantResponse
		err := s.call(ctx, func(ctx context.Context) (err error) {
			granted, err = s.client.Grant(ctx, int64(SessionTime/time.Second))
			return err
		})
		if err == nil {
			return granted.ID, begun.Add(SessionTime), nil
		}
		if ctx.Err() != nil {
			return 0, time.Time{}, errors.Join(err, ctx.Err())
		}
		if !passes(err) {
			return 0, time.Time{}, err
		}
		sleep(ctx, retryEvery)
	}
}

// passes reports whether a call may go well when it is tried again.
func passes(err error) bool {
	return !errors.Is(err, errClosed) && (transient(err) || errors.Is(err, storage.ErrUnavailable))
}

// keep keeps the lease, and notes until when it is good, until it isn't.
func (j *Session) keep(ctx context.Context) {
	defer close(j.kept)
	defer j.end(ErrLost)
	for {
		sleep(ctx, keepEvery)
		if !j.renew(ctx) {
			return
		}
	}
}

// renew asks until a member renews the lease, each time another one. It reports false when the lease is gone, or may be.
func (j *Session) renew(ctx context.Context) bool {
	client := j.store.client
	for ctx.Err() == nil && client.Ctx().Err() == nil && j.Alive() {
		asked := time.Now()
		one, cancel := context.WithTimeout(clientv3.WithRequireLeader(ctx), min(keepTime, time.Until(j.until.get())))
		answer, err := client.KeepAliveOnce(one, j.lease)
		cancel()
		switch {
		case err == nil:
			j.until.set(asked.Add(time.Duration(answer.TTL) * time.Second))
			return true
		case errors.Is(err, rpctypes.ErrLeaseNotFound):
			return false
		}
		sleep(ctx, pause)
	}
	return false
}

// mind ends the session where an error says that its user may not do what it has to.
func (j *Session) mind(err error) {
	if errors.Is(err, rpctypes.ErrPermissionDenied) {
		j.end(fmt.Errorf("%w: they begin with %s", ErrDenied, j.store.prefix))
	}
}

// Context is that of Join. It ends with ErrLost or ErrDenied for its cause when the session has ended.
func (j *Session) Context() context.Context { return j.held }

// Alive reports whether the session can't have ended yet.
func (j *Session) Alive() bool {
	select {
	case <-j.kept:
		return false
	default:
		return time.Now().Before(j.until.get())
	}
}

// Leave ends the session, and with it all that it holds, at once.
func (j *Session) Leave(ctx context.Context) error {
	j.stop()
	<-j.kept
	err := j.store.surely(ctx, func(ctx context.Context) error {
		_, err := j.store.client.Revoke(ctx, j.lease)
		if errors.Is(err, rpctypes.ErrLeaseNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("etcd: leave: %w", notRead(err))
	}
	return nil
}

// heldKey is the key of a thing that can be held.
func (s *Store) heldKey(thing string) string { return s.key("held/" + thing) }

// Hold is a thing that a session holds.
type Hold struct {
	session *Session
	key     string
	fence   int64
}

// Take takes a thing that nobody holds, or that the session holds already. It returns nil if somebody else does.
func (j *Session) Take(ctx context.Context, thing string) (*Hold, error) {
	key := j.store.heldKey(thing)
	var hold *Hold
	err := j.store.call(ctx, func(ctx context.Context) error {
		answer, err := j.store.client.Txn(ctx).
			If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).
			Then(clientv3.OpPut(key, j.name, clientv3.WithLease(j.lease))).
			Else(clientv3.OpGet(key)).
			Commit()
		if err != nil {
			return err
		}
		if answer.Succeeded {
			hold = &Hold{session: j, key: key, fence: answer.Header.Revision}
			return nil
		}
		// The answer to an earlier try may have been lost.
		for _, kv := range answer.Responses[0].GetResponseRange().Kvs {
			if clientv3.LeaseID(kv.Lease) == j.lease {
				hold = &Hold{session: j, key: key, fence: kv.CreateRevision}
			}
		}
		return nil
	})
	if err != nil {
		j.mind(err)
		return nil, fmt.Errorf("etcd: take %s: %w", thing, notRead(err))
	}
	return hold, nil
}

// Release lets go of a thing. Whoever used it must have ended.
func (h *Hold) Release(ctx context.Context) error {
	s := h.session.store
	err := s.surely(ctx, func(ctx context.Context) error {
		_, err := s.client.Txn(ctx).
			If(clientv3.Compare(clientv3.CreateRevision(h.key), "=", h.fence)).
			Then(clientv3.OpDelete(h.key)).
			Commit()
		return err
	})
	if err != nil {
		return fmt.Errorf("etcd: release: %w", notRead(err))
	}
	return nil
}

// Drop lets go of a thing if the session holds it, whether it knows of that or not. Nobody may use it. What is taken later stays, even
// if a member carries this out after that.
func (j *Session) Drop(ctx context.Context, thing string) error {
	key := j.store.heldKey(thing)
	err := j.store.surely(ctx, func(ctx context.Context) error {
		found, err := j.store.client.Get(ctx, key)
		if err != nil {
			return err
		}
		for _, kv := range found.Kvs {
			if clientv3.LeaseID(kv.Lease) == j.lease {
				_, err = j.store.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(key), "=", kv.CreateRevision)).Then(clientv3.OpDelete(key)).Commit()
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("etcd: drop %s: %w", thing, notRead(err))
	}
	return nil
}

// Part is a part of the store for whoever holds the thing. Its commits are made only while the hold stands; otherwise they
// return ErrFenced. What belongs to no community is the part's own; when the part is used for the first time, it is what the
// whole store has. It must be closed before the whole.
func (h *Hold) Part(ctx context.Context, n int) (*Store, error) {
	s := h.session.store
	part := &Store{
		client: s.client, hosts: s.hosts, prefix: s.prefix, data: s.data, own: partPrefix(n), layout: s.layout,
		callTime: s.callTime, hold: h,
	}
	if err := s.call(ctx, func(ctx context.Context) error { return part.begin(ctx, n) }); err != nil {
		return nil, fmt.Errorf("etcd: part %d: %w", n, err)
	}
	return part, nil
}

// Whole is the whole store for whoever holds the thing, as Part is a part of it.
func (h *Hold) Whole() *Store {
	s := h.session.store
	return &Store{
		client: s.client, hosts: s.hosts, prefix: s.prefix, data: s.data, own: s.own, layout: s.layout,
		callTime: s.callTime, hold: h,
	}
}

// begin gives a part that is used for the first time what belongs to no community.
func (s *Store) begin(ctx context.Context, n int) error {
	begun, from := s.key("begun/"+partPrefix(n)), s.data+common
	answer, err := s.client.Txn(ctx).Then(clientv3.OpGet(begun), clientv3.OpGet(from, clientv3.WithPrefix(), clientv3.WithLimit(maxCommon))).Commit()
	if err != nil {
		return notRead(err)
	}
	if len(answer.Responses[0].GetResponseRange().Kvs) > 0 {
		return nil
	}
	ops := []clientv3.Op{clientv3.OpPut(begun, "")}
	for _, kv := range answer.Responses[1].GetResponseRange().Kvs {
		ops = append(ops, clientv3.OpPut(s.data+s.own+item(from, kv).Key, string(kv.Value)))
	}
	_, err = s.client.Txn(ctx).If(s.hold.stands(), clientv3.Compare(clientv3.CreateRevision(begun), "=", 0)).Then(ops...).Commit()
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// maxCommon bounds how much a part is given.
const maxCommon = 100

// stands is the condition that nobody else has taken the thing.
func (h *Hold) stands() clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(h.key), "=", h.fence)
}

// is reports whether what was found under the key is this hold.
func (h *Hold) is(found []*mvccpb.KeyValue) bool {
	return len(found) > 0 && found[0].CreateRevision == h.fence
}

// Alive reports whether the hold can't have ended yet.
func (h *Hold) Alive() bool { return h.session.Alive() }

// deadline is a time that one goroutine moves and others read.
type deadline struct {
	mu sync.Mutex
	at time.Time
}

func (d *deadline) set(at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = at
}

func (d *deadline) get() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at
}

// Held is who holds things, by the name of each, and when that changes.
type Held struct {
	// Thing is held by the session of the name By, or by nobody if that is empty.
	Thing, By string
}

// Held is what is held, and by whom.
func (s *Store) Held(ctx context.Context) (held []Held, err error) {
	err = s.call(ctx, func(ctx context.Context) error {
		held, _, err = s.held(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("etcd: held: %w", err)
	}
	return held, nil
}

// held is Held, and the revision that it is of.
func (s *Store) held(ctx context.Context) (held []Held, rev int64, err error) {
	prefix := s.heldKey("")
	found, err := s.client.Get(ctx, prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, 0, notRead(err)
	}
	for _, kv := range found.Kvs {
		held = append(held, Held{strings.TrimPrefix(string(kv.Key), prefix), string(kv.Value)})
	}
	return held, found.Header.Revision, nil
}

// Follow tells changed what is held by whom, all of it first and then what changes, until ctx ends. When etcd has let go of what
// came between, and once a minute, it begins anew with all. All is true for a whole list.
func (s *Store) Follow(ctx context.Context, changed func(all bool, held []Held)) error {
	prefix := s.heldKey("")
	for {
		var held []Held
		var rev int64
		err := s.call(ctx, func(ctx context.Context) (err error) {
			held, rev, err = s.held(ctx)
			return err
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if !errors.Is(err, storage.ErrUnavailable) {
				return fmt.Errorf("etcd: follow: %w", err)
			}
			sleep(ctx, retryEvery)
			continue
		}
		changed(true, held)
		s.follow(ctx, prefix, rev+1, changed)
	}
}

// follow tells changed of changes from a revision on, until ctx ends or etcd can't go on.
func (s *Store) follow(ctx context.Context, prefix string, from int64, changed func(bool, []Held)) {
	watching, cancel := context.WithTimeout(clientv3.WithRequireLeader(ctx), relistEvery)
	defer cancel()
	for part := range s.client.Watch(watching, prefix, clientv3.WithPrefix(), clientv3.WithRev(from)) {
		if part.Err() != nil {
			return
		}
		var held []Held
		for _, e := range part.Events {
			one := Held{Thing: strings.TrimPrefix(string(e.Kv.Key), prefix)}
			if e.Type == clientv3.EventTypePut {
				one.By = string(e.Kv.Value)
			}
			held = append(held, one)
		}
		changed(false, held)
	}
}

// sleep waits, but not beyond the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
