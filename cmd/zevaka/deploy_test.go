package main

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.yaml.in/yaml/v3"

	"zevaka/bot/chat"
	"zevaka/cmd/zevaka/watch"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/mem"
)

// deployed is a file that comes with the program, for those who run it.
func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// metrics are all there are, by name, with the values of their labels.
func metrics(t *testing.T) map[string]map[string][]string {
	t.Helper()
	w := watch.New(watch.Options{})
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
	scraped := httptest.NewRecorder()
	synctest.Test(t, func(t *testing.T) {
		go w.Members(t.Context(), func(context.Context) []etcd.Member { return []etcd.Member{{Host: "db1:2379"}} })
		synctest.Wait() // They have said how they are.
		w.Handler().ServeHTTP(scraped, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	})
	all := map[string]map[string][]string{"up": {"job": nil, "instance": nil}}
	for _, line := range regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`).FindAllStringSubmatch(scraped.Body.String(), -1) {
		labels := all[line[1]]
		if labels == nil {
			labels = map[string][]string{"job": nil, "instance": nil}
			all[line[1]] = labels
		}
		for _, label := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(line[2], -1) {
			labels[label[1]] = append(labels[label[1]], label[2])
		}
	}
	return all
}

// checkQuery wants a query of Prometheus to name metrics that there are, with labels, and values of labels, that they have.
func checkQuery(t *testing.T, where, query string, all map[string]map[string][]string) (names []string) {
	t.Helper()
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(query, pair[:1]) != strings.Count(query, pair[1:]) {
			t.Errorf("%s: %s don't match: %s", where, pair, query)
		}
	}
	labels := map[string][]string{}
	for _, m := range regexp.MustCompile(`\b((?:zevaka|go|process)_\w+|up)\b(?:\{([^}]*)\})?`).FindAllStringSubmatch(query, -1) {
		known, ok := all[m[1]]
		if !ok {
			t.Errorf("%s: there is no metric %s: %s", where, m[1], query)
			continue
		}
		names = append(names, m[1])
		maps.Copy(labels, known)
		for _, match := range regexp.MustCompile(`(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"`).FindAllStringSubmatch(m[2], -1) {
			values, ok := known[match[1]]
			if !ok {
				t.Errorf("%s: %s has no label %s: %s", where, m[1], match[1], query)
			}
			for _, want := range strings.Split(match[3], "|") {
				exact := match[2] == "=" || match[2] == "=~" && !strings.ContainsAny(want, ".*$")
				if exact && values != nil && !slices.Contains(values, want) {
					t.Errorf("%s: %s never has %s %q: %s", where, m[1], match[1], want, query)
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`\bby \(([^)]*)\)`).FindAllStringSubmatch(query, -1) {
		for _, label := range strings.Split(m[1], ",") {
			if _, ok := labels[strings.TrimSpace(label)]; !ok {
				t.Errorf("%s: nothing has a label %s: %s", where, label, query)
			}
		}
	}
	return names
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
			for _, name := range checkQuery(t, p.Title, target.Expr, all) {
				shown[name] = true
			}
		}
	}
	for _, a := range dashboard.Annotations.List {
		checkQuery(t, "annotations", a.Expr, all)
	}
	for name := range all {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if strings.HasPrefix(name, "zevaka_") && !shown[name] && !shown[base+"_bucket"] && !shown[base+"_count"] && !shown[base+"_sum"] {
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

// understood wants zevaka to understand a call.
func understood(t *testing.T, where string, args []string) {
	t.Helper()
	parser, err := newParser()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Errorf("%s: zevaka %s: %v", where, strings.Join(args, " "), err)
	}
}

// variables are those of the environment that zevaka reads.
func variables(t *testing.T) []string {
	names := []string{"ZEVAKA_CONFIG"}
	for _, flag := range serveFlags(model(t)) {
		names = append(names, flag.Envs...)
	}
	return names
}

// TestUnit: the unit for systemd calls zevaka as it wants to be called, gives it the time that it needs to stop, and
// shuts it in.
func TestUnit(t *testing.T) {
	settings := map[string][]string{}
	section := ""
	for line := range strings.Lines(deployed(t, "zevaka.service")) {
		line = strings.TrimSpace(line)
		name, value, found := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "["):
			section = line
		case found && !strings.HasPrefix(line, "#"):
			settings[section+name] = append(settings[section+name], value)
		case line != "" && !strings.HasPrefix(line, "#"):
			t.Errorf("line %q", line)
		}
	}
	start := strings.Fields(settings["[Service]ExecStart"][0])
	if start[0] != "/usr/local/bin/zevaka" {
		t.Errorf("it starts %s", start[0])
	}
	understood(t, "unit", start[1:])
	for _, pair := range strings.Fields(settings["[Service]Environment"][0]) {
		if name, _, _ := strings.Cut(pair, "="); !slices.Contains(variables(t), name) {
			t.Errorf("zevaka doesn't read %s", name)
		}
	}
	for name, want := range map[string]string{
		"[Service]DynamicUser": "yes", "[Service]ProtectSystem": "strict", "[Service]NoNewPrivileges": "yes", "[Service]StateDirectory": "zevaka",
		"[Service]Restart": "on-failure", "[Service]MemoryMax": "512M", "[Service]CapabilityBoundingSet": "", "[Service]TimeoutStopSec": "10",
	} {
		if got := settings[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, err := readConfig(filepath.Join("..", "..", ".deploy", "zevaka.toml"), serveFlags(model(t))); err != nil {
		t.Errorf("zevaka.toml: %v", err)
	}
}

// TestImage: the image runs zevaka as nobody, calls it as it wants to be called, and sets what it reads; so does the file
// for compose.
func TestImage(t *testing.T) {
	docker := deployed(t, "Dockerfile")
	said := func(instruction string) string {
		all := regexp.MustCompile(`(?m)^`+instruction+` (.*)$`).FindAllStringSubmatch(docker, -1)
		if len(all) == 0 {
			t.Fatalf("there is no %s", instruction)
		}
		return all[len(all)-1][1]
	}
	words := func(list string) (parts []string) {
		if err := json.Unmarshal([]byte(list), &parts); err != nil {
			t.Errorf("%s: %v", list, err)
		}
		return parts
	}
	_, check, _ := strings.Cut(said("HEALTHCHECK"), "CMD ")
	entry := words(said("ENTRYPOINT"))
	if asked := words(check); !slices.Equal(asked[:1], entry) {
		t.Errorf("its health is asked of %q", asked)
	} else {
		t.Setenv("ZEVAKA_METRICS", "127.0.0.1:9464")
		understood(t, "health", asked[1:])
	}
	understood(t, "image", words(said("CMD")))
	if said("FROM") != "scratch" || said("USER") != "65532:65532" {
		t.Errorf("it is from %s, and runs as %s", said("FROM"), said("USER"))
	}
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))[1]
	if !regexp.MustCompile(`(?m)^FROM golang:` + version + `\.\d+-\w+@sha256:[0-9a-f]{64} AS build$`).MatchString(docker) {
		t.Errorf("it isn't built with Go %s", version)
	}
	for _, known := range []string{"VERSION", "REVISION"} {
		for _, said := range []string{"ARG VERSION=\"\" REVISION=\"\"\n", "=$" + known, `org.opencontainers.image.` + strings.ToLower(known) + `="$` + known + `"`} {
			if !strings.Contains(docker, said) {
				t.Errorf("it doesn't know its %s: no %s", known, said)
			}
		}
	}
	set := map[string]string{}
	for _, pair := range strings.Fields(said("ENV")) {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	var compose struct {
		Services map[string]struct {
			Image       string
			Build       struct{ Args map[string]string }
			Environment map[string]string
			Volumes     []string
			ReadOnly    bool   `yaml:"read_only"`
			Grace       string `yaml:"stop_grace_period"`
			User        string
			CapDrop     []string `yaml:"cap_drop"`
			SecurityOpt []string `yaml:"security_opt"`
			MemLimit    string   `yaml:"mem_limit"`
		}
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	one := compose.Services["zevaka"]
	grace, err := time.ParseDuration(one.Grace)
	if err != nil || grace <= 5*time.Second || !one.ReadOnly || one.User != said("USER") || !slices.Equal(one.CapDrop, []string{"ALL"}) ||
		!slices.Equal(one.SecurityOpt, []string{"no-new-privileges:true"}) || one.MemLimit == "" {
		t.Errorf("it runs as %+v", one)
	}
	if want := (map[string]string{"VERSION": "${VERSION:-}", "REVISION": "${REVISION:-}"}); !maps.Equal(one.Build.Args, want) {
		t.Errorf("it is built with %v", one.Build.Args)
	}
	for name, service := range compose.Services {
		if service.Image != "" && !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(service.Image) {
			t.Errorf("%s is no fixed image: %s", name, service.Image)
		}
	}
	if !slices.Contains(one.Volumes, "data:"+said("VOLUME")) || filepath.Dir(set["ZEVAKA_DB"]) != said("VOLUME") {
		t.Errorf("the database is %s, and kept is %s as %v", set["ZEVAKA_DB"], said("VOLUME"), one.Volumes)
	}
	maps.Copy(set, one.Environment)
	for name := range set {
		if !slices.Contains(variables(t), name) {
			t.Errorf("zevaka doesn't read %s", name)
		}
	}
}

// TestPages: OPERATING.md lists every setting of serve, and DESIGN.md every module that is required.
func TestPages(t *testing.T) {
	text, err := os.ReadFile("OPERATING.md")
	if err != nil {
		t.Fatal(err)
	}
	operating := string(text)
	for _, flag := range serveFlags(model(t)) {
		for _, name := range append([]string{"--" + flag.Name}, flag.Envs...) {
			hidden := flag.Hidden && strings.HasPrefix(name, "--")
			if !hidden && !strings.Contains(operating, "`"+name+"`") {
				t.Errorf("%s isn't there", name)
			}
		}
	}
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(filepath.Join("..", "..", ".github", "DESIGN.md")); err != nil {
		t.Fatal(err)
	}
	table := strings.ReplaceAll(string(text), "`…/", "`go.opentelemetry.io/")
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		if !strings.Contains(table, "`"+m[1]+"`") {
			t.Errorf("nothing is said of %s", m[1])
		}
	}
}
