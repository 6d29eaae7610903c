package etcd

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

func TestMembers(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Args: []string{"--quota-backend-bytes", "50000000"}})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	c.Members[1].Kill()
	for i, m := range s.Members(t.Context()) {
		if m.Host != c.Members[i].Host || (m.Err != nil) != (i == 1) || m.Full {
			t.Errorf("%d: %+v", i, m)
		}
		if i != 1 && (m.Size == 0 || m.Used == 0 || m.Quota != 50000000) {
			t.Errorf("%d: %+v", i, m)
		}
	}
}

// TestFull fills a cluster to its quota: commits are refused then, as ones that nothing was written of, but for the one by which
// the cluster noticed, of which it can't be told; reads go on. When room was made as the operators' page says, commits are made
// again.
func TestFull(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1, Args: []string{"--quota-backend-bytes", "16000000"}})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	value := bytes.Repeat([]byte("v"), storage.MaxValue)
	put := func(key string, value []byte) error {
		_, err := s.Commit(t.Context(), storage.Txn{
			Reads: []storage.Item{{Key: key}}, Writes: []storage.Write{{Key: key, Value: value}},
		})
		return err
	}
	refused := 0
	for last := 0; refused < 5; last++ {
		key := fmt.Sprint(last)
		err := put(key, value)
		items, failed := s.Get(t.Context(), "0", key)
		if failed != nil || items[0].Rev == 0 || last == 1000 {
			t.Fatalf("after %d items: %.80v, %v", last, items, failed)
		}
		written := items[1].Rev != 0
		switch {
		case err == nil && written && refused == 0:
		case errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrUnknown) && !written:
			refused++
		case errors.Is(err, storage.ErrUnknown) && written && refused == 0:
		default:
			t.Errorf("%s, of which is written %v, after %d refused: %v", key, written, refused, err)
			refused++
		}
	}
	if m := s.Members(t.Context())[0]; !m.Full {
		t.Errorf("%+v", m)
	}
	raw := c.Client()
	found, err := raw.Delete(t.Context(), s.data, clientv3.WithPrefix())
	if err == nil {
		_, err = raw.Compact(t.Context(), found.Header.Revision, clientv3.WithCompactPhysical())
	}
	if err == nil {
		_, err = raw.Defragment(t.Context(), c.Members[0].Host)
	}
	if err == nil {
		_, err = raw.AlarmDisarm(t.Context(), &clientv3.AlarmMember{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := put("again", value); err != nil {
		t.Error(err)
	}
	if m := s.Members(t.Context())[0]; m.Full || m.Size > 8000000 {
		t.Errorf("%+v", m)
	}
}
