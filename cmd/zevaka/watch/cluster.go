package watch

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zevaka/storage/etcd"
)

const (
	// membersEvery is how far apart the members of a cluster are asked how they are.
	membersEvery = 15 * time.Second
	// fillShare is the part of its quota from which on a member's file is spoken of, as one in so many: there is time to
	// do something then.
	fillShare = 2
	// behindMost is how many entries a member may have to catch up with before it is spoken of.
	behindMost = 5000
)

// Members asks the members of a cluster how they are again and again until ctx ends, and tells the log when something has to be
// done, once each time.
func (w *Watch) Members(ctx context.Context, read func(context.Context) []etcd.Member) {
	m := w.newMembers()
	w.registry.MustRegister(m.all()...)
	for ctx.Err() == nil {
		full := false
		for _, one := range read(ctx) {
			if ctx.Err() == nil {
				m.see(one)
			}
			full = full || one.Full
		}
		w.full.Store(full)
		timer := time.NewTimer(membersEvery)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// members are what was last known of a cluster's members.
type members struct {
	watch                         *Watch
	up, size, used, quota, behind *prometheus.GaugeVec
	// said is what was said last of each, empty while all is well.
	said map[string]string
}

// newMembers knows nothing of any yet.
func (w *Watch) newMembers() *members {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: namespace + "store_member_" + name, Help: help}, []string{"host"})
	}
	return &members{
		watch: w, said: map[string]string{},
		up:     gauge("up", "Whether a member of the store's cluster answers."),
		size:   gauge("bytes", "How large the file of a member is."),
		used:   gauge("used_bytes", "How much of its file a member uses."),
		quota:  gauge("quota_bytes", "How large the file of a member may become."),
		behind: gauge("behind", "How many entries a member has to catch up with."),
	}
}

func (m *members) all() []prometheus.Collector {
	return []prometheus.Collector{m.up, m.size, m.used, m.quota, m.behind}
}

// see takes what a member says of itself.
func (m *members) see(one etcd.Member) {
	up := 0.0
	if one.Err == nil {
		up = 1
		m.size.WithLabelValues(one.Host).Set(float64(one.Size))
		m.used.WithLabelValues(one.Host).Set(float64(one.Used))
		m.quota.WithLabelValues(one.Host).Set(float64(one.Quota))
		m.behind.WithLabelValues(one.Host).Set(float64(one.Behind))
	}
	m.up.WithLabelValues(one.Host).Set(up)
	now := wrong(one)
	if now == m.said[one.Host] {
		return
	}
	m.said[one.Host] = now
	log := m.watch.log.With("member", one.Host)
	switch {
	case now == "":
		log.Info("a member of the store's cluster is well again")
	case one.Err != nil:
		log.Warn("a member of the store's cluster "+now, "error", one.Err)
	default:
		log.Warn("a member of the store's cluster "+now, "bytes", one.Size, "used", one.Used, "quota", one.Quota, "behind", one.Behind)
	}
}

// wrong says what has to be done about a member; nothing if it is well.
func wrong(one etcd.Member) string {
	switch {
	case one.Err != nil:
		return "doesn't answer: the others go on as long as they are more than half"
	case one.Full:
		return "has reached its quota, and none takes writes any more: make room as docs/cluster.md says"
	case one.Quota > 0 && one.Used > one.Quota/fillShare:
		return "uses more than half of its quota: keep games for a shorter time (--keep), or raise the quota"
	case one.Quota > 0 && one.Size > one.Quota/fillShare:
		return "has a file of more than half of its quota, most of it unused: etcdctl defrag it, one member after the other"
	case one.Behind > behindMost:
		return "lags behind the others: look at its disk and its network"
	}
	return ""
}
