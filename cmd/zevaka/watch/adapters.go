package watch

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"zevaka/bot/chat"
)

// adapters are those that are asked how they are, each time somebody wants to know.
type adapters struct {
	mu  sync.Mutex
	all []adapter
}

type adapter struct {
	platform chat.Platform
	pulse    func() chat.Pulse
}

// Adapter has the adapter of a platform looked after. Pulse may be called from anywhere, and doesn't wait. What is counted
// on the platform begins with 0, so that Prometheus sees the first one, too.
func (w *Watch) Adapter(p chat.Platform, pulse func() chat.Pulse) {
	name := p.Name()
	for kind := chat.Command; kind <= chat.Arrived; kind++ {
		for outcome := chat.Done; outcome <= chat.Broken; outcome++ {
			w.requests.WithLabelValues(name, kind.Name(), outcome.Name())
		}
	}
	for _, limit := range []chat.Limit{chat.UserLimit, chat.AddressLimit, chat.CommunityLimit} {
		w.limited.WithLabelValues(name, limit.Name())
	}
	for _, where := range []string{inRequest, inAdapter} {
		w.panics.WithLabelValues(name, where)
	}
	w.adapters.mu.Lock()
	defer w.adapters.mu.Unlock()
	w.adapters.all = append(w.adapters.all, adapter{p, pulse})
}

func (a *adapters) list() []adapter {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all
}

// pulseMetrics are the metrics of adapters, each with what it tells of a Pulse.
func pulseMetrics() []pulseMetric {
	return []pulseMetric{
		newPulseMetric("links", "How many connections to the platform there should be.", func(p chat.Pulse) int { return p.Links }),
		newPulseMetric("links_up", "How many connections to the platform stand.", func(p chat.Pulse) int { return p.Up }),
		newPulseMetric("waiting", "Requests that have come in and wait for their turn.", func(p chat.Pulse) int { return p.Waiting }),
		newPulseMetric("unshown", "Messages that wait to be shown.", func(p chat.Pulse) int { return p.Unshown }),
	}
}

type pulseMetric struct {
	desc *prometheus.Desc
	of   func(chat.Pulse) int
}

func newPulseMetric(name, help string, of func(chat.Pulse) int) pulseMetric {
	return pulseMetric{prometheus.NewDesc(namespace+name, help, []string{"platform"}, nil), of}
}

// Describe implements prometheus.Collector.
func (a *adapters) Describe(to chan<- *prometheus.Desc) {
	for _, m := range pulseMetrics() {
		to <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (a *adapters) Collect(to chan<- prometheus.Metric) {
	for _, one := range a.list() {
		pulse := one.pulse()
		for _, m := range pulseMetrics() {
			to <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, float64(m.of(pulse)), one.platform.Name())
		}
	}
}
