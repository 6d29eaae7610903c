package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
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
		if isSecret(flag) {
			names = append(names, flag.Envs[0]+fileMark)
		}
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
		"[Service]Restart": "on-failure", "[Service]MemoryMax": "512M", "[Service]CapabilityBoundingSet": "",
		"[Service]RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX AF_NETLINK", // The last tells which addresses the machine has.
		"[Service]TimeoutStopSec":          "10",
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
	released(t, docker, words)
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

// released wants the image of a release to be as the Dockerfile has it.
func released(t *testing.T, docker string, words func(list string) []string) {
	t.Helper()
	var image struct {
		User        string
		Env         []string
		Entrypoint  []string
		Cmd         []string
		Volumes     map[string]struct{}
		StopSignal  string
		Healthcheck struct {
			Test                           []string
			Interval, Timeout, StartPeriod time.Duration
			Retries                        int
		}
	}
	decoder := json.NewDecoder(strings.NewReader(deployed(t, "image.json")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&image); err != nil {
		t.Fatal(err)
	}
	health := image.Healthcheck
	for _, line := range []string{
		"USER " + image.User, "ENV " + strings.Join(image.Env, " "), "STOPSIGNAL " + image.StopSignal,
		"VOLUME " + strings.Join(slices.Collect(maps.Keys(image.Volumes)), " "),
		fmt.Sprintf("HEALTHCHECK --interval=%v --timeout=%v --start-period=%v --retries=%d ", health.Interval, health.Timeout, health.StartPeriod, health.Retries),
	} {
		if !strings.Contains(docker, "\n"+line) {
			t.Errorf("the Dockerfile has no %s", line)
		}
	}
	for name, list := range map[string][]string{"ENTRYPOINT": image.Entrypoint, "CMD": image.Cmd, `HEALTHCHECK .* CMD`: health.Test[1:]} {
		said := regexp.MustCompile(`(?m)^` + name + ` (\[.*\])$`).FindStringSubmatch(docker)
		if said == nil || !slices.Equal(words(said[1]), list) {
			t.Errorf("%s is %q, and in a release %q", name, said, list)
		}
	}
}

// TestPages: a page lists every setting of serve, and DESIGN.md every module that is required.
func TestPages(t *testing.T) {
	settings := string(contents(t, filepath.Join("..", "..", "docs", "settings.md")))
	for _, flag := range serveFlags(model(t)) {
		for _, name := range append([]string{"--" + flag.Name}, flag.Envs...) {
			hidden := flag.Hidden && strings.HasPrefix(name, "--")
			if !hidden && !strings.Contains(settings, "`"+name+"`") {
				t.Errorf("%s isn't there", name)
			}
		}
	}
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	table := strings.ReplaceAll(string(contents(t, filepath.Join("..", "..", ".github", "DESIGN.md"))), "`…/", "`go.opentelemetry.io/")
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		if !strings.Contains(table, "`"+m[1]+"`") {
			t.Errorf("nothing is said of %s", m[1])
		}
	}
}
