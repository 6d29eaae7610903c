// Package etcd keeps a storage.Store in a cluster of etcd, for several processes at once on several machines, any of
// which may die.
//
// A commit is one transaction of etcd, on the condition that the keys read still have their ModRevision, and is durable
// on most of the members when it returns. A read asks most of the members, too, so that it sees every commit that was
// answered before it began. Revisions are those of etcd.
//
// Some errors leave open whether a commit was made, and one that was not made may be made later still: see
// storage.ErrUnknown.
package etcd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"zevaka/storage"
)

// errClosed is the error of a call to a store that was closed.
var errClosed = fmt.Errorf("%w: the store is closed", storage.ErrUnavailable)

// Store is a storage.Store in a cluster of etcd, below a prefix of its keys, or a part of one. The whole of a divided store
// scans all of it; a part scans itself, and gets and writes what it knows the key of wherever that lies.
type Store struct {
	client    *clientv3.Client
	hosts     []string
	prefix    string // that of all keys
	data      string // that of the items
	own       string // that of the items that belong to no community, behind data
	layout    Layout // nil for a store that isn't divided
	callTime  time.Duration
	hold      *Hold       // what commits rely on; nil for nothing
	noSpace   atomic.Bool // whether etcd said that there is no space, and hasn't made a commit since
	tolerance tolerance
	made      bool // whether there was no store before

	mu     sync.RWMutex // held for reading by each call, for writing to close
	closed bool
}

// Hosts are the members of the cluster as the store's address names them.
func (s *Store) Hosts() []string { return slices.Clone(s.hosts) }

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, keys ...string) (found []storage.Item, err error) {
	err = s.call(ctx, func(ctx context.Context) error {
		found, _, err = s.get(ctx, keys, 0)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("etcd: get: %w", err)
	}
	return found, nil
}

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, prefix, after string, limit int) (found []storage.Item, err error) {
	err = s.call(ctx, func(ctx context.Context) error {
		found, _, err = s.scan(ctx, s.placesOf(prefix), prefix, after, limit, 0)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("etcd: scan %q: %w", prefix, err)
	}
	return found, nil
}

// Commit implements storage.Store.
func (s *Store) Commit(ctx context.Context, t storage.Txn) (rev uint64, err error) {
	if err := t.Check(); err != nil {
		return 0, fmt.Errorf("etcd: commit: %w", err)
	}
	err = s.call(ctx, func(ctx context.Context) error {
		rev, err = s.commit(ctx, t)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("etcd: commit: %w", err)
	}
	return rev, nil
}

// Close implements storage.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.hold != nil {
		return nil
	}
	if err := s.client.Close(); err != nil {
		return fmt.Errorf("etcd: close: %w", err)
	}
	return nil
}

// call runs fn while the store is open, for as long as one call may take.
func (s *Store) call(ctx context.Context, fn func(context.Context) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed
	}
	// A member that knows no leader says so at once.
	ctx, cancel := context.WithTimeout(clientv3.WithRequireLeader(ctx), s.callTime)
	defer cancel()
	if err := s.reach(ctx); err != nil {
		return err
	}
	err := fn(ctx)
	if s.hold != nil {
		s.hold.session.mind(err)
	}
	return err
}

// surely is call for what may as well be done twice: where a connection broke off under it, it is done again, as long as a call
// may take.
func (s *Store) surely(ctx context.Context, fn func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.callTime)
	defer cancel()
	for {
		err := s.call(ctx, fn)
		if code(err) != codes.Unavailable || ctx.Err() != nil {
			return err
		}
		sleep(ctx, pause)
	}
}

// reach waits until a member can be spoken to. While none can, nothing is sent, so that nothing can be made later.
func (s *Store) reach(ctx context.Context) error {
	conn := s.client.ActiveConnection()
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
		state := conn.GetState()
		if state == connectivity.Ready {
			return nil
		}
		conn.Connect()
		if !conn.WaitForStateChange(ctx, state) {
			return fmt.Errorf("%w: no member of the cluster can be reached: %w", storage.ErrUnavailable, ctx.Err())
		}
	}
}

// get reads keys as of one revision, the newest if that is 0, and returns it.
func (s *Store) get(ctx context.Context, keys []string, rev int64) ([]storage.Item, int64, error) {
	if err := storage.CheckKeys(keys); err != nil {
		return nil, 0, err
	}
	items := make([]storage.Item, len(keys))
	if len(keys) == 0 {
		return items, rev, nil
	}
	ops := make([]clientv3.Op, len(keys))
	for i, k := range keys {
		ops[i] = clientv3.OpGet(s.place(k)+k, clientv3.WithRev(rev))
	}
	answer, err := s.read(ctx, transaction{ops: ops})
	if err != nil {
		return nil, 0, notRead(err)
	}
	for i, k := range keys {
		items[i].Key = k
		for _, kv := range answer.Responses[i].GetResponseRange().Kvs {
			items[i] = item(s.place(k), kv)
		}
	}
	return items, answer.Header.Revision, nil
}

// item is an item as etcd has it, behind what stands before its key.
func item(place string, kv *mvccpb.KeyValue) storage.Item {
	value := kv.Value
	if value == nil {
		value = []byte{}
	}
	return storage.Item{Key: strings.TrimPrefix(string(kv.Key), place), Value: value, Rev: uint64(kv.ModRevision)}
}

// transaction is one of etcd: if the conditions hold the ops are made, and the others otherwise.
type transaction struct {
	conditions []clientv3.Cmp
	ops, other []clientv3.Op
}

// send has a member make a transaction.
func (s *Store) send(ctx context.Context, t transaction) (*clientv3.TxnResponse, error) {
	return s.client.Txn(ctx).If(t.conditions...).Then(t.ops...).Else(t.other...).Commit()
}

// read makes a transaction that changes nothing. Where a member can't answer now, or doesn't soon, it asks another.
func (s *Store) read(ctx context.Context, t transaction) (*clientv3.TxnResponse, error) {
	for slow := 0; ; {
		one, cancel := ctx, context.CancelFunc(func() {})
		if slow < slowReads {
			one, cancel = context.WithTimeout(ctx, s.callTime/(2*slowReads))
		}
		answer, err := s.send(one, t)
		late := one.Err() != nil
		cancel()
		if err == nil || ctx.Err() != nil || !late && code(err) != codes.Unavailable {
			return answer, err
		}
		if late {
			slow++
			continue
		}
		sleep(ctx, pause)
	}
}

// commit makes a transaction that is within the limits.
func (s *Store) commit(ctx context.Context, t storage.Txn) (rev uint64, err error) {
	to := s.transaction(t)
	if len(t.Writes) == 0 {
		return 0, s.judge(ctx, to)
	}
	if s.noSpace.Load() {
		// What etcd refuses for want of space it doesn't compare with anything.
		if err := s.judge(ctx, to); err != nil {
			return 0, err
		}
	}
	answer, err := s.write(ctx, to)
	switch {
	case errors.Is(err, rpctypes.ErrNoSpace):
		s.noSpace.Store(true)
		return 0, s.whenFull(ctx, t, err)
	case err != nil:
		return 0, notWritten(err)
	case !answer.Succeeded:
		return 0, s.refused(answer)
	}
	s.noSpace.Store(false)
	return uint64(answer.Header.Revision), nil
}

// write makes a transaction, for as long as its answer is worth waiting for. A member that knows no leader hasn't made it and
// never will, so then another is asked.
func (s *Store) write(ctx context.Context, t transaction) (*clientv3.TxnResponse, error) {
	led, cancel := context.WithTimeout(ctx, s.callTime*4/5)
	defer cancel()
	for {
		begun := time.Now()
		one, cancel := context.WithTimeout(ctx, s.tolerance.now(begun, s.callTime))
		answer, err := s.send(one, t)
		late := one.Err() != nil
		cancel()
		switch {
		case err == nil:
			s.tolerance.answered(time.Since(begun))
		case late:
			s.tolerance.lost(time.Now())
		}
		if !errors.Is(err, rpctypes.ErrNoLeader) {
			return answer, err
		}
		if sleep(led, pause); led.Err() != nil {
			return nil, err
		}
	}
}

// transaction is a transaction as etcd has it.
func (s *Store) transaction(t storage.Txn) (to transaction) {
	for _, r := range t.Reads {
		to.conditions = append(to.conditions, clientv3.Compare(clientv3.ModRevision(s.place(r.Key)+r.Key), "=", int64(r.Rev)))
	}
	for _, w := range t.Writes {
		op := clientv3.OpDelete(s.place(w.Key) + w.Key)
		if w.Value != nil {
			op = clientv3.OpPut(s.place(w.Key)+w.Key, string(w.Value))
		}
		to.ops = append(to.ops, op)
	}
	if s.hold != nil {
		to.conditions = append(to.conditions, s.hold.stands())
		to.other = append(to.other, clientv3.OpGet(s.hold.key, clientv3.WithKeysOnly()))
	}
	return to
}

// judge returns nil if the conditions of a transaction hold, and why it can't be made otherwise.
func (s *Store) judge(ctx context.Context, t transaction) error {
	// Without any, a member would compare with what it knows itself, which may be old.
	t.ops = []clientv3.Op{clientv3.OpGet(s.data, clientv3.WithCountOnly())}
	answer, err := s.read(ctx, t)
	switch {
	case err != nil:
		return notRead(err)
	case !answer.Succeeded:
		return s.refused(answer)
	}
	return nil
}

// refused is why a transaction was not made whose conditions didn't hold.
func (s *Store) refused(answer *clientv3.TxnResponse) error {
	if s.hold != nil && !s.hold.is(answer.Responses[0].GetResponseRange().Kvs) {
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, ErrFenced)
	}
	return storage.ErrConflict
}

// whenFull is the error of a commit of which etcd says that there is no space for it. It says so of one that it didn't make and
// never will, but also of the one by which it noticed, and that one it made. Where a key that was to be written is still as it
// was read, nothing was.
func (s *Store) whenFull(ctx context.Context, t storage.Txn, err error) error {
	written := map[string]bool{}
	for _, w := range t.Writes {
		written[w.Key] = w.Value != nil
	}
	for _, r := range t.Reads {
		if !written[r.Key] {
			continue
		}
		if items, _, failed := s.get(ctx, []string{r.Key}, 0); failed == nil && items[0].Rev == r.Rev {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
		break
	}
	return fmt.Errorf("%w: %w", storage.ErrUnknown, err)
}

// notRead is the error of a call that changes nothing.
func notRead(err error) error {
	if errors.Is(err, rpctypes.ErrRequestTooLarge) || errors.Is(err, rpctypes.ErrTooManyOps) {
		return fmt.Errorf("%w: %w", storage.ErrTooLarge, err)
	}
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
}

// notWritten is the error of a commit: what etcd says that it will never make is one thing, all else another.
func notWritten(err error) error {
	refused := []error{
		rpctypes.ErrTooManyRequests, rpctypes.ErrPermissionDenied, rpctypes.ErrInvalidAuthToken,
		rpctypes.ErrAuthOldRevision, rpctypes.ErrUserEmpty, rpctypes.ErrNoLeader,
	}
	for _, r := range refused {
		if errors.Is(err, r) {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
	}
	tooLarge := errors.Is(err, rpctypes.ErrRequestTooLarge) || errors.Is(err, rpctypes.ErrTooManyOps)
	if tooLarge || status.Code(err) == codes.ResourceExhausted && strings.Contains(err.Error(), "larger than max") {
		return fmt.Errorf("%w: %w", storage.ErrTooLarge, err)
	}
	return fmt.Errorf("%w: %w", storage.ErrUnknown, err)
}
