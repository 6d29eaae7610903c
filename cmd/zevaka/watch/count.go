package watch

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zevaka/bot/upkeep"
)

const (
	// countEvery is how far apart two counts are at least; after one that took long it is countShare times as long.
	countEvery = time.Minute
	countShare = 100
)

// counts are what the last count found.
type counts struct {
	games                                                                   *prometheus.GaugeVec
	tables, live, chats, people, chips, purses, off, uneven, unreadable, at prometheus.Gauge
}

func newCounts() counts {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: namespace + name, Help: help})
	}
	return counts{
		games: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: namespace + "open_games", Help: "Open tables by their game, at the last count."},
			[]string{"game"}),
		tables:     gauge("open_tables", "Tables that are listed as open, at the last count."),
		live:       gauge("live_tables", "Tables that somebody looks at in a browser, at the last count."),
		chats:      gauge("chats", "Chats, servers and rooms in which somebody has used the bot, at the last count."),
		people:     gauge("people", "People whom the bot knows, somebody in two chats twice, at the last count."),
		chips:      gauge("purse_chips", "Play chips in all purses, at the last count."),
		purses:     gauge("purses", "Purses, at the last count."),
		off:        gauge("ledger_sum", "What the accounts of each community sum to at the last count, without signs and all added up: 0, or something is wrong."),
		uneven:     gauge("ledger_uneven_communities", "Communities whose accounts didn't sum to zero at the last count."),
		unreadable: gauge("ledger_unreadable_accounts", "Accounts that couldn't be read at the last count."),
		at:         gauge("counted_timestamp_seconds", "When tables and chips were counted last, in seconds since 1970; 0 is never."),
	}
}

func (c *counts) all() []prometheus.Collector {
	return []prometheus.Collector{c.games, c.tables, c.live, c.chats, c.people, c.chips, c.purses, c.off, c.uneven, c.unreadable, c.at}
}

// Describe implements prometheus.Collector.
func (c *counts) Describe(to chan<- *prometheus.Desc) {
	for _, g := range c.all() {
		g.Describe(to)
	}
}

// Collect implements prometheus.Collector.
func (c *counts) Collect(to chan<- prometheus.Metric) {
	for _, g := range c.all() {
		g.Collect(to)
	}
}

// Count counts tables and chips again and again until ctx ends: every minute, and less often where that takes more than a
// hundredth of the time.
func (w *Watch) Count(ctx context.Context, read func(context.Context) (upkeep.Counts, error)) {
	for ctx.Err() == nil {
		began := time.Now()
		w.count(ctx, read)
		timer := time.NewTimer(max(countEvery, countShare*time.Since(began)))
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// count counts once. Where that can't be done the figures stay, with the time that they are of.
func (w *Watch) count(ctx context.Context, read func(context.Context) (upkeep.Counts, error)) {
	c, err := read(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.log.Warn("tables and chips could not be counted", "error", err)
		}
		return
	}
	if c.Chips.Off != 0 {
		w.log.Error("the ledger doesn't sum to zero: stop the bot, keep a copy of the database and run zevaka audit on it",
			"communities", c.Chips.Uneven, "off", c.Chips.Off)
	}
	w.counts.games.Reset()
	for game, n := range c.Games {
		w.counts.games.WithLabelValues(game).Set(float64(n))
	}
	w.counts.tables.Set(float64(c.Open))
	w.counts.live.Set(float64(c.Live))
	w.counts.chats.Set(float64(c.Chats))
	w.counts.people.Set(float64(c.People))
	w.counts.chips.Set(float64(c.Chips.Chips))
	w.counts.purses.Set(float64(c.Chips.Purses))
	w.counts.off.Set(float64(c.Chips.Off))
	w.counts.uneven.Set(float64(c.Chips.Uneven))
	w.counts.unreadable.Set(float64(c.Chips.Unreadable))
	w.counts.at.SetToCurrentTime()
}
