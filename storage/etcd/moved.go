package etcd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
)

// ErrMoved says that a commit was about a community that lives in another store, or is on its way: nothing was written, and
// nothing of it will be. It comes together with storage.ErrUnavailable.
var ErrMoved = errors.New("etcd: the community lives elsewhere, or is on its way")

// shutKey is the key that is there as long as a community doesn't live in the store, though it did or will.
func (s *Store) shutKey(community string) string { return s.key("shut/" + community) }

// Shut has parts commit nothing more that is about these communities, until Admit: from then on such commits, also those that are
// under way, return ErrMoved. It does so for parts of stores that were opened as Movable.
func (h *Hold) Shut(ctx context.Context, communities ...string) error {
	return h.mark(ctx, func(key string) clientv3.Op { return clientv3.OpPut(key, "") }, communities)
}

// Admit undoes Shut.
func (h *Hold) Admit(ctx context.Context, communities ...string) error {
	return h.mark(ctx, func(key string) clientv3.Op { return clientv3.OpDelete(key) }, communities)
}

// mark does something to the keys of Shut, as long as the hold stands.
func (h *Hold) mark(ctx context.Context, do func(key string) clientv3.Op, communities []string) error {
	s := h.session.store
	ops := make([]clientv3.Op, len(communities))
	for i, c := range communities {
		ops[i] = do(s.shutKey(c))
	}
	err := s.call(ctx, func(ctx context.Context) error {
		answer, err := s.client.Txn(ctx).If(h.stands()).Then(ops...).Commit()
		switch {
		case err != nil:
			return notWritten(err)
		case !answer.Succeeded:
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, ErrFenced)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("etcd: shut or admit: %w", err)
	}
	return nil
}

// about are the communities that a transaction is about.
func (s *Store) about(t storage.Txn) (all []string) {
	note := func(key string) {
		if c, _ := s.community(key); c != "" && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, r := range t.Reads {
		note(r.Key)
	}
	for _, w := range t.Writes {
		note(w.Key)
	}
	return all
}
