package etcd

import (
	"context"
	"sync"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
)

// Member is how a member of the cluster is.
type Member struct {
	// Host is where it is reached, as host:port.
	Host string
	// Err is why it doesn't answer; nil if it does. The rest is then unknown, and 0.
	Err error
	// Size is the bytes of its file, Used how many of them are in use, Quota how large the file may become: beyond that the
	// cluster takes no more writes.
	Size, Used, Quota int64
	// Behind is how many entries of the cluster's log it has yet to make, compared with the others.
	Behind uint64
	// Full says that the cluster takes no more writes since a file has reached its quota.
	Full bool
}

// memberTime is how long a member may take to say how it is.
const memberTime = 2 * time.Second

// Members asks all members how they are, at once.
func (s *Store) Members(ctx context.Context) []Member {
	s.mu.RLock()
	defer s.mu.RUnlock()
	hosts := s.hosts
	if s.closed {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, memberTime)
	defer cancel()
	all, applied := make([]Member, len(hosts)), make([]uint64, len(hosts))
	var asked sync.WaitGroup
	for i, host := range hosts {
		asked.Go(func() {
			found, err := s.client.Status(ctx, s.client.Endpoints()[i])
			all[i] = Member{Host: host, Err: err}
			if err == nil {
				applied[i] = found.RaftAppliedIndex
				all[i].Size, all[i].Used, all[i].Quota = found.DbSize, found.DbSizeInUse, found.DbSizeQuota
			}
		})
	}
	asked.Wait()
	newest := uint64(0)
	for _, index := range applied {
		newest = max(newest, index)
	}
	full := s.full(ctx)
	for i := range all {
		if all[i].Err == nil {
			all[i].Behind, all[i].Full = newest-applied[i], full
		}
	}
	return all
}

// full reports whether the cluster takes no more writes.
func (s *Store) full(ctx context.Context) bool {
	alarms, err := s.client.AlarmList(ctx)
	if err != nil {
		return false
	}
	for _, a := range alarms.Alarms {
		if a.Alarm == etcdserverpb.AlarmType_NOSPACE {
			return true
		}
	}
	return false
}
