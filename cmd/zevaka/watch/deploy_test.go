package watch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.yaml.in/yaml/v3"

	"zevaka/bot/chat"
	"zevaka/bot/upkeep"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/mem"
)

// deployed is a file that comes with the program, for those who run it.
func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// seenAll is a Watch that has seen some of everything, so that it has all metrics that there are.
func seenAll(t *testing.T) *Watch {
	t.Helper()
	w := New(Options{})
	if _, err := w.Store(mem.New()).Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "k"}}}); err == nil {
		t.Log("the store in memory took a first commit")
	}
	for _, p := range []chat.Platform{chat.Web, chat.Discord, chat.Telegram} {
		w.Adapter(p, func() chat.Pulse { return chat.Pulse{} })
		w.Answered(p, time.Second)
		for _, status := range []int{0, 200, 429} {
			_, done := w.Call(t.Context(), chat.Call{Platform: p, Method: "method"})
			done(status)
		}
		for kind := chat.Command; kind <= chat.Migrated; kind++ {
			_, done := w.Request(t.Context(), chat.Request{Kind: kind, In: chat.Place{Community: chat.Community{Platform: p}}})
			done(chat.Done)
		}
	}
	w.count(t.Context(), func(context.Context) (upkeep.Counts, error) {
		return upkeep.Counts{Games: map[string]int{"zevaka": 1}}, nil
	})
	m := w.newMembers()
	w.registry.MustRegister(m.all()...)
	m.see(etcd.Member{Host: "db1:2379"})
	return w
}

// TestMetricsAreNamedWell: Prometheus's own linter has nothing to say of any metric of the house, but that the sum of the ledger
// is called one: operators' alerts ask for it by that name.
func TestMetricsAreNamedWell(t *testing.T) {
	problems, err := testutil.GatherAndLint(seenAll(t).registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, namespace) && p.Metric != namespace+"ledger_sum" {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

// metric is a name that a query may ask for.
type metric struct {
	// family is the metric that it is of, as a histogram is a family of three.
	family string
	// labels are those it has, with the values that were seen; of none of them where that says nothing.
	labels map[string][]string
}

// metrics are all there are, by name.
func metrics(t *testing.T) map[string]metric {
	t.Helper()
	families, err := seenAll(t).registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]metric{"up": {"up", map[string][]string{"job": nil, "instance": nil}}}
	for _, f := range families {
		labels := map[string][]string{"job": nil, "instance": nil}
		for _, m := range f.GetMetric() {
			for _, label := range m.GetLabel() {
				labels[label.GetName()] = append(labels[label.GetName()], label.GetValue())
			}
			if m.GetHistogram() != nil {
				labels["le"] = nil
			}
		}
		names := []string{f.GetName()}
		if _, isHistogram := labels["le"]; isHistogram {
			names = []string{f.GetName() + "_bucket", f.GetName() + "_sum", f.GetName() + "_count"}
		}
		for _, name := range names {
			all[name] = metric{f.GetName(), labels}
		}
	}
	return all
}

// checkQuery wants a query of Prometheus to name metrics that there are, with labels, and values of labels, that they have. It
// returns their families. Whether the query is all that Prometheus wants of one, promtool says in .ci/run.
func checkQuery(t *testing.T, where, query string, all map[string]metric) (families []string) {
	t.Helper()
	parsed, err := metricsql.Parse(strings.ReplaceAll(query, "$__rate_interval", "5m"))
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	labels := map[string]bool{}
	metricsql.VisitAll(parsed, func(e metricsql.Expr) {
		selector, ok := e.(*metricsql.MetricExpr)
		if !ok {
			return
		}
		for _, filters := range selector.LabelFilterss {
			name := filters[0].Value
			known, ok := all[name]
			if !ok {
				t.Errorf("%s: there is no metric %s: %s", where, name, query)
				continue
			}
			families = append(families, known.family)
			for label := range known.labels {
				labels[label] = true
			}
			for _, filter := range filters[1:] {
				checkFilter(t, where+": "+name, filter, known)
			}
		}
	})
	metricsql.VisitAll(parsed, func(e metricsql.Expr) {
		if sum, ok := e.(*metricsql.AggrFuncExpr); ok {
			for _, label := range sum.Modifier.Args {
				if !labels[label] {
					t.Errorf("%s: nothing has a label %s: %s", where, label, query)
				}
			}
		}
	})
	return families
}

// checkFilter wants a metric to have a label, and values of it that are asked for.
func checkFilter(t *testing.T, where string, filter metricsql.LabelFilter, of metric) {
	t.Helper()
	values, ok := of.labels[filter.Label]
	if !ok {
		t.Errorf("%s has no label %s", where, filter.Label)
	}
	if values == nil || filter.IsNegative {
		return
	}
	for _, want := range strings.Split(filter.Value, "|") {
		if pattern := filter.IsRegexp && strings.ContainsAny(want, ".*$"); !pattern && !slices.Contains(values, want) {
			t.Errorf("%s never has %s %q", where, filter.Label, want)
		}
	}
}

// TestDashboard: the dashboard is one, and shows every metric of the house that there is.
func TestDashboard(t *testing.T) {
	all := metrics(t)
	var dashboard struct {
		Title  string
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr, RefID string }
		}
		Annotations struct{ List []struct{ Expr string } }
		Templating  struct{ List []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(deployed(t, "grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	shown, ids := map[string]bool{"zevaka_build_info": true, "zevaka_ledger_uneven_communities": true}, map[int]bool{}
	for i, p := range dashboard.Panels {
		if p.Title == "" || len(p.Targets) == 0 || ids[p.ID] || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %+v", p)
		}
		ids[p.ID] = true
		for _, q := range dashboard.Panels[:i] {
			a, b := p.GridPos, q.GridPos
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("%q lies on %q", p.Title, q.Title)
			}
		}
		for _, target := range p.Targets {
			for _, family := range checkQuery(t, p.Title, target.Expr, all) {
				shown[family] = true
			}
		}
	}
	for _, a := range dashboard.Annotations.List {
		checkQuery(t, "annotations", a.Expr, all)
	}
	for name, metric := range all {
		if strings.HasPrefix(name, namespace) && !shown[metric.family] {
			t.Errorf("nothing shows %s", name)
		}
	}
}

// TestAlerts: the rules are such, and what they ask for there is.
func TestAlerts(t *testing.T) {
	all := metrics(t)
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "alerts.yaml")), &rules); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if len(checkQuery(t, r.Alert, r.Expr, all)) == 0 || r.Alert == "" || seen[r.Alert] || r.Labels["severity"] == "" ||
				r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("rule %+v", r)
			}
			if _, err := time.ParseDuration(r.For); r.For != "" && err != nil {
				t.Errorf("%s: %v", r.Alert, err)
			}
			seen[r.Alert] = true
		}
	}
	if len(seen) < 10 {
		t.Errorf("there are %d rules", len(seen))
	}
	var scrape struct {
		RuleFiles     []string `yaml:"rule_files"`
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
			Static  []struct {
				Targets []string
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "prometheus.yaml")), &scrape); err != nil {
		t.Fatal(err)
	}
	if len(scrape.ScrapeConfigs) != 1 || scrape.ScrapeConfigs[0].JobName != "zevaka" || !slices.Equal(scrape.RuleFiles, []string{"alerts.yaml"}) {
		t.Errorf("it scrapes %+v", scrape)
	}
}
