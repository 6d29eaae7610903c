package etcdtest

import (
	"context"
	"errors"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// Fill has a cluster say that there is no space, until Drain.
func (c *Cluster) Fill() {
	c.t.Helper()
	client := c.Client()
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	status, err := client.Status(ctx, c.Members[0].Clear)
	if err == nil {
		_, err = etcdserverpb.NewMaintenanceClient(client.ActiveConnection()).Alarm(ctx, &etcdserverpb.AlarmRequest{
			Action: etcdserverpb.AlarmRequest_ACTIVATE, MemberID: status.Header.MemberId, Alarm: etcdserverpb.AlarmType_NOSPACE,
		})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// Drain takes back that there is no space.
func (c *Cluster) Drain() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	if _, err := c.Client().AlarmDisarm(ctx, &clientv3.AlarmMember{}); err != nil {
		c.t.Error(err)
	}
}

// Tidy has a cluster let go of all that is old, and write its files anew.
func (c *Cluster) Tidy() {
	c.t.Helper()
	client := c.Client()
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	now, err := client.Get(ctx, "now")
	if err == nil {
		_, err = client.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical())
	}
	if errors.Is(err, rpctypes.ErrCompacted) { // Nothing was written since the last time.
		err = nil
	}
	for _, m := range c.Members {
		if err == nil {
			_, err = client.Defragment(ctx, m.Clear)
		}
	}
	if err != nil {
		c.t.Error(err)
	}
}
