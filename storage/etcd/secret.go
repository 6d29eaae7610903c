package etcd

import (
	"context"
	"crypto/rand"
	"fmt"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Secret is one that all processes have which serve the store, made by the first that asks. It is no item: no copy has it.
func (s *Store) Secret(ctx context.Context) (secret [32]byte, err error) {
	key := s.key("secret")
	fresh := make([]byte, len(secret))
	rand.Read(fresh)
	var kept []byte
	err = s.call(ctx, func(ctx context.Context) error {
		answer, err := s.client.Txn(ctx).
			If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).
			Then(clientv3.OpPut(key, string(fresh)), clientv3.OpGet(key)).
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
	if err == nil && len(kept) != len(secret) {
		err = fmt.Errorf("it has %d bytes", len(kept))
	}
	if err != nil {
		return secret, fmt.Errorf("etcd: secret: %w", err)
	}
	copy(secret[:], kept)
	return secret, nil
}
