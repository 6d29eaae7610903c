package etcd

import (
	"context"
	"crypto/rand"
	"fmt"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Secret is one that all processes have which serve the store, made by the first that asks. It is no item: no copy has it.
func (s *Store) Secret(ctx context.Context) (secret [32]byte, err error) {
	fresh := make([]byte, len(secret))
	rand.Read(fresh)
	kept, err := s.once(ctx, "secret", fresh)
	if err == nil && len(kept) != len(secret) {
		err = fmt.Errorf("it has %d bytes", len(kept))
	}
	if err != nil {
		return secret, fmt.Errorf("etcd: secret: %w", err)
	}
	copy(secret[:], kept)
	return secret, nil
}

// Label is what the store was called by the first who gave it a name; it keeps that. Empty if nobody has; then it gets this one,
// unless that is empty, too. It is no item: no copy has it.
func (s *Store) Label(ctx context.Context, name string) (string, error) {
	kept, err := s.once(ctx, "label", []byte(name))
	if err != nil {
		return "", fmt.Errorf("etcd: label: %w", err)
	}
	return string(kept), nil
}

// once is what is kept under a key of the store's own: what was put there first. Nothing is put if fresh is empty.
func (s *Store) once(ctx context.Context, name string, fresh []byte) (kept []byte, err error) {
	key := s.key(name)
	then := []clientv3.Op{clientv3.OpGet(key)}
	if len(fresh) > 0 {
		then = []clientv3.Op{clientv3.OpPut(key, string(fresh)), clientv3.OpGet(key)}
	}
	err = s.call(ctx, func(ctx context.Context) error {
		answer, err := s.client.Txn(ctx).
			If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).
			Then(then...).
			Else(clientv3.OpGet(key)).
			Commit()
		if err != nil {
			return notRead(err)
		}
		found := answer.Responses[len(answer.Responses)-1].GetResponseRange().Kvs
		if len(found) == 1 {
			kept = found[0].Value
		}
		return nil
	})
	return kept, err
}
