//go:build browser

package web

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdpnetwork "github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"zevaka/bot"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

var firstLoads = flag.Int("first-loads", 20, "how often BenchmarkFirstTable loads the page")

// The line and the processor that BenchmarkFirstTable has: Fast 3G as browsers' own tools call it, and a quarter of this one.
const (
	lineLatency = 562.5
	lineDown    = 1.6 * 1024 * 1024 / 8 * 0.9
	lineUp      = 750 * 1024 / 8 * 0.9
	slowness    = 4
)

// watchTable has a page note when cards can first be moved, and how long each frame takes at whose beginning and end some fly.
const watchTable = `(() => {
	window.frames60 = [];
	let last = 0, flew = false;
	const look = (now) => {
		if (!window.playable && document.querySelector(".heap.can .card, .heap.deal")) window.playable = performance.now();
		const flies = (document.getAnimations?.() || []).some((a) => a.playState === "running" && a.constructor === Animation);
		if (flew && flies) window.frames60.push(now - last);
		last = now;
		flew = flies;
		requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`

// BenchmarkFirstTable opens a patience in a browser that has nothing of the page yet, over a slow line and with a slow processor:
// how long it takes until something is painted, and until cards can be moved. Then it takes cards from the stock, with the slow
// processor still, and tells how long frames take while they fly.
func BenchmarkFirstTable(b *testing.B) {
	store := stores.Open(b, filepath.Join(b.TempDir(), "first.db"), bolt.Options{})
	dealer, err := bot.New(b.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		b.Fatal(err)
	}
	r := New(dealer, Options{Log: slog.New(slog.DiscardHandler), Tables: tablesOf(dealer)})
	srv := httptest.NewServer(r.Handler())
	b.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
		srv.Close()
	})
	ann := sit(b, &site{Client: srv.Client(), URL: srv.URL}, "Ann")
	table := ann.say("/patience polusharia").Table
	if table == "" {
		b.Fatal("no table was opened")
	}
	ctx := shared.Window(b)
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	do := func(steps ...chromedp.Action[chromedp.Void]) {
		b.Helper()
		must(chromedp.Do(ctx, steps...))
	}
	do(chromedp.EmulateViewport(phoneWidth, phoneHeight), chromedp.Navigate(srv.URL+"/healthz"))
	do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`sessionStorage.setItem("zevaka.tab", %q); sessionStorage.setItem("zevaka.name", "Ann")`, ann.secret)))
	_, err = chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: watchTable})
	must(err)
	_, err = chromedp.Call(ctx, cdpnetwork.SetCacheDisabled, cdpnetwork.SetCacheDisabledParams{CacheDisabled: true})
	must(err)
	for range b.N {
		var painted, playable []float64
		throttle(b, ctx, cdpnetwork.Conditions{Latency: lineLatency, DownloadThroughput: lineDown, UploadThroughput: lineUp}, slowness)
		for range *firstLoads {
			do(chromedp.Navigate("about:blank"), chromedp.Navigate(srv.URL+"/#table="+table))
			playable = append(playable, number(b, ctx, `window.playable || 0`))
			painted = append(painted, number(b, ctx, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime || 0`))
		}
		throttle(b, ctx, cdpnetwork.Conditions{DownloadThroughput: -1, UploadThroughput: -1}, slowness)
		for n := range 20 {
			do(chromedp.Evaluate[chromedp.Void](`window.moves = document.querySelector(".tbl").textContent.match(/\d+/)?.[0]; document.querySelector(".bar .gold, .bar .act")?.click()`))
			time.Sleep(700 * time.Millisecond)
			if n%2 == 1 {
				do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".bar .act")].find((e) => e.textContent.includes("↶"))?.click()`))
				time.Sleep(700 * time.Millisecond)
			}
		}
		frames, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`window.frames60`))
		must(err)
		for name, all := range map[string][]float64{"painted-ms": painted, "playable-ms": playable, "frame-ms": frames} {
			slices.Sort(all)
			if len(all) == 0 {
				b.Fatalf("no %s", name)
			}
			b.ReportMetric(all[len(all)/2], "p50-"+name)
			b.ReportMetric(all[(len(all)*95-1)/100], "p95-"+name)
			b.ReportMetric(all[(len(all)*99-1)/100], "p99-"+name)
		}
		b.ReportMetric(float64(len(frames)), "frames")
	}
}

// throttle sets how fast the line and the processor of a page are.
func throttle(b *testing.B, ctx context.Context, line cdpnetwork.Conditions, slower float64) {
	b.Helper()
	_, err := chromedp.Call(ctx, cdpnetwork.EmulateNetworkConditionsByRule, cdpnetwork.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*cdpnetwork.Conditions{&line}})
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
	}
	if err != nil {
		b.Fatal(err)
	}
}

// number waits until an expression is a number that isn't 0.
func number(b *testing.B, ctx context.Context, expression string) float64 {
	b.Helper()
	for end := time.Now().Add(longest); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		n, err := chromedp.Run(ctx, chromedp.Evaluate[float64](expression))
		if err == nil && n > 0 {
			return n
		}
	}
	b.Fatalf("%s stays 0", expression)
	return 0
}
