// Package watch is what an operator sees of a bot that runs: metrics for Prometheus, whether it is ready, traces of
// requests, and logs without secrets in them.
//
// A Watch is the bot.Observer of everything in the process. What it tells names platforms, kinds of things and
// communities, and never what somebody holds, says or is called.
package watch

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"zevaka/bot/chat"
)

// Options are what a Watch is made of. All of them may be left out.
type Options struct {
	// Log takes, at level debug, every request and every call; nil is nobody.
	Log *slog.Logger
	// Version is which zevaka this is, Revision the commit that it was built from, and Go what it was built with.
	Version, Revision, Go string
	// Traces follow requests; nil follow none.
	Traces *Traces
}

// Watch watches one bot. It is safe for use by many goroutines.
type Watch struct {
	log      *slog.Logger
	traces   *Traces
	registry *prometheus.Registry
	adapters adapters
	probe    probe
	ending   atomic.Bool
	// full says that the store's cluster takes no more writes.
	full atomic.Bool

	requests *prometheus.CounterVec
	handled  *prometheus.HistogramVec
	answered *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	panics   *prometheus.CounterVec
	calls    *prometheus.CounterVec
	called   *prometheus.HistogramVec
	commits  *prometheus.HistogramVec
	pending  prometheus.Gauge
	counts   counts
}

// New is a Watch that has seen nothing yet.
func New(o Options) *Watch {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	// A press takes a millisecond or so, the way to a platform and back 50 to 500.
	fast := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}
	slow := []float64{.005, .01, .025, .05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10}
	w := &Watch{
		log: o.Log, traces: o.Traces, registry: prometheus.NewRegistry(),
		requests: counter("requests_total", "Requests that the bot has handled.", "platform", "kind", "outcome"),
		handled:  histogram("request_seconds", "How long the bot took for a request.", fast, "platform", "kind"),
		answered: histogram("answer_seconds", "How long it took from the arrival of a press, on Discord of a command, too, until its answer was delivered.", slow, "platform"),
		limited:  counter("turned_away_total", "Presses and commands that came too fast, by whose limit.", "platform", "limit"),
		panics:   counter("panics_total", "Panics that were caught: in a request, or in an adapter.", "platform", "where"),
		calls:    counter("api_calls_total", "Calls to a platform's API by their HTTP status, or none where no answer came.", "platform", "method", "status"),
		called:   histogram("api_call_seconds", "How long calls to a platform's API took, those left out that wait for news.", slow, "platform"),
		commits:  histogram("commit_seconds", "How long commits to the store took, by their outcome.", fast, "outcome"),
		pending:  prometheus.NewGauge(prometheus.GaugeOpts{Name: namespace + "commits_pending", Help: "Commits that wait for the store."}),
		counts:   newCounts(),
	}
	for _, outcome := range commitOutcomes() {
		w.commits.WithLabelValues(outcome)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: namespace + "build_info", Help: "Which zevaka this is.", ConstLabels: prometheus.Labels{
			"version": o.Version, "revision": o.Revision, "goversion": o.Go,
		},
	})
	build.Set(1)
	w.registry.MustRegister(w.requests, w.handled, w.answered, w.limited, w.panics, w.calls, w.called, w.commits, w.pending,
		build, &w.counts, &w.adapters,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return w
}

// namespace begins the names of all metrics.
const namespace = "zevaka_"

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels)
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: namespace + name, Help: help, Buckets: buckets}, labels)
}

// Request implements bot.Observer.
func (w *Watch) Request(ctx context.Context, r chat.Request) (context.Context, func(chat.Outcome)) {
	began := time.Now()
	platform, kind := r.In.Community.Platform.Name(), r.Kind.Name()
	ctx, end := w.traces.request(ctx, kind, r)
	return ctx, func(o chat.Outcome) {
		took := time.Since(began)
		outcome := o.Name()
		w.requests.WithLabelValues(platform, kind, outcome).Inc()
		w.handled.WithLabelValues(platform, kind).Observe(took.Seconds())
		if o == chat.Panicked {
			w.panics.WithLabelValues(platform, inRequest).Inc()
		}
		end(outcome)
		if !w.log.Enabled(ctx, slog.LevelDebug) {
			return
		}
		w.log.LogAttrs(ctx, slog.LevelDebug, "request handled", slog.String("request", r.ID), slog.String("platform", platform),
			slog.String("kind", kind), slog.Any("chat", r.In.Community), slog.String("outcome", outcome),
			slog.Duration("took", took))
	}
}

// Call implements bot.Observer.
func (w *Watch) Call(ctx context.Context, c chat.Call) (context.Context, func(status int)) {
	began := time.Now()
	platform := c.Platform.Name()
	ctx, end := w.traces.call(ctx, platform, c.Method)
	return ctx, func(status int) {
		took := time.Since(began)
		w.calls.WithLabelValues(platform, c.Method, statusName(status)).Inc()
		if !c.Waits {
			w.called.WithLabelValues(platform).Observe(took.Seconds())
		}
		end(status)
		if !w.log.Enabled(ctx, slog.LevelDebug) {
			return
		}
		w.log.LogAttrs(ctx, slog.LevelDebug, "platform called", slog.String("request", chat.RequestOf(ctx)),
			slog.String("platform", platform), slog.String("method", c.Method), slog.Int("status", status), slog.Duration("took", took))
	}
}

// Answered implements bot.Observer.
func (w *Watch) Answered(p chat.Platform, took time.Duration) {
	w.answered.WithLabelValues(p.Name()).Observe(took.Seconds())
}

// Limited implements bot.Observer.
func (w *Watch) Limited(p chat.Platform, by chat.Limit) {
	w.limited.WithLabelValues(p.Name(), by.Name()).Inc()
}

// Caught implements bot.Observer.
func (w *Watch) Caught(p chat.Platform) {
	w.panics.WithLabelValues(p.Name(), inAdapter).Inc()
}

// Where panics are caught.
const (
	inRequest = "request"
	inAdapter = "adapter"
)

// statusName is an HTTP status as a label; what is no status is "none".
func statusName(status int) string {
	if status < 100 || status > 599 {
		return "none"
	}
	return fmt.Sprint(status)
}
