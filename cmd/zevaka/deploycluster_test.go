package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"zevaka/storage/etcd"
)

// etcdFlags are what the page on several machines has each member of a cluster be started with, as variables of its environment.
func etcdFlags(t *testing.T) map[string]string {
	t.Helper()
	_, said, _ := strings.Cut(string(contents(t, filepath.Join("..", "..", "docs", "cluster.md"))), "it starts etcd with `")
	said, _, ok := strings.Cut(said, "`")
	if !ok {
		t.Fatal("the page doesn't say how a member is started")
	}
	flags := map[string]string{}
	for _, flag := range strings.Fields(said) {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		flags["ETCD_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = value
	}
	if len(flags) != 4 {
		t.Errorf("the page starts a member with %v", flags)
	}
	return flags
}

// service is a service of a file for compose.
type service struct {
	Image       string
	Build       struct{ Dockerfile string }
	Restart     string
	Environment map[string]string
	Volumes     []string
	Depends     []string `yaml:"depends_on"`
	ReadOnly    bool     `yaml:"read_only"`
	Grace       string   `yaml:"stop_grace_period"`
	User        string
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	MemLimit    string   `yaml:"mem_limit"`
}

// TestClusterFile: the file for compose has three members, which know each other and are started as the page says, each with a
// volume of its own, and three bots, which know all members and nothing that zevaka doesn't read.
func TestClusterFile(t *testing.T) {
	var all struct {
		Services map[string]service
		Volumes  map[string]any
	}
	text := deployed(t, "cluster.yaml")
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	var hosts, members, bots []string
	for _, name := range slices.Sorted(maps.Keys(all.Services)) {
		one := all.Services[name]
		if one.Image != "" {
			members, hosts = append(members, name), append(hosts, name+":2379")
			checkMember(t, name, one)
			if _, ok := all.Volumes[name]; !ok {
				t.Errorf("%s keeps its data in no volume", name)
			}
		} else {
			bots = append(bots, name)
		}
		if !slices.Equal(one.CapDrop, []string{"ALL"}) || !slices.Equal(one.SecurityOpt, []string{"no-new-privileges:true"}) || one.MemLimit == "" ||
			one.Restart != "unless-stopped" {
			t.Errorf("%s runs as %+v", name, one)
		}
	}
	if len(members) != 3 || len(bots) != 3 {
		t.Fatalf("the members are %v, the bots %v", members, bots)
	}
	for _, name := range bots {
		checkBot(t, name, all.Services[name], hosts, members)
		if metrics := "http://" + bots[0] + ":9464/readyz"; !strings.Contains(text, metrics) {
			t.Errorf("nothing tells a balancer of %s", metrics)
		}
	}
}

// checkMember checks a member of the cluster of a file for compose.
func checkMember(t *testing.T, name string, one service) {
	t.Helper()
	var peers []string
	for i := 1; i <= 3; i++ {
		peers = append(peers, fmt.Sprintf("etcd%d=http://etcd%d:2380", i, i))
	}
	want := etcdFlags(t)
	maps.Copy(want, map[string]string{
		"ETCD_NAME": name, "ETCD_DATA_DIR": "/data", "ETCD_INITIAL_CLUSTER": strings.Join(peers, ","), "ETCD_INITIAL_CLUSTER_TOKEN": "zevaka",
		"ETCD_LISTEN_CLIENT_URLS": "http://0.0.0.0:2379", "ETCD_LISTEN_PEER_URLS": "http://0.0.0.0:2380",
		"ETCD_ADVERTISE_CLIENT_URLS": "http://" + name + ":2379", "ETCD_INITIAL_ADVERTISE_PEER_URLS": "http://" + name + ":2380",
	})
	if !maps.Equal(one.Environment, want) {
		t.Errorf("%s is started with %v, want %v", name, one.Environment, want)
	}
	if !slices.Equal(one.Volumes, []string{name + ":/data"}) {
		t.Errorf("%s keeps its data in %v", name, one.Volumes)
	}
	if version := regexp.MustCompile(`:v(\d+\.\d+)\.\d+`).FindStringSubmatch(one.Image); version == nil || version[1] < "3.6" || !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(one.Image) {
		t.Errorf("%s is of %s, and 3.6 or newer is wanted, by its digest", name, one.Image)
	}
}

// checkBot checks a bot of a file for compose: it knows the hosts of all members, and waits for their services.
func checkBot(t *testing.T, name string, one service, hosts, members []string) {
	t.Helper()
	for setting := range one.Environment {
		if !slices.Contains(variables(t), setting) {
			t.Errorf("%s: zevaka doesn't read %s", name, setting)
		}
	}
	at, err := etcd.ParseAddress(one.Environment["ZEVAKA_STORE"])
	if err != nil || !slices.Equal(at.Hosts, hosts) || at.Prefix != "zevaka" {
		t.Errorf("%s: the store is %q, %v", name, one.Environment["ZEVAKA_STORE"], err)
	}
	if one.Environment["ZEVAKA_NEW"] != "${ZEVAKA_NEW:-false}" || one.Environment["ZEVAKA_METRICS"] != "0.0.0.0:9464" {
		t.Errorf("%s is started with %v", name, one.Environment)
	}
	grace, err := time.ParseDuration(one.Grace)
	if err != nil || grace <= 10*time.Second || !one.ReadOnly || one.User == "" || one.Build.Dockerfile != ".deploy/Dockerfile" || !slices.Equal(one.Depends, members) {
		t.Errorf("%s runs as %+v, %v", name, one, err)
	}
}

// TestMemberUnit: the unit of a member starts it as the page says, and again however often it ends.
func TestMemberUnit(t *testing.T) {
	unit := deployed(t, "etcd.service")
	set := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^Environment=(.*)$`).FindAllStringSubmatch(unit, -1) {
		for _, pair := range strings.Fields(line[1]) {
			name, value, _ := strings.Cut(pair, "=")
			set[name] = value
		}
	}
	for name, value := range etcdFlags(t) {
		if set[name] != value {
			t.Errorf("%s is %q, want %q", name, set[name], value)
		}
	}
	for _, want := range []string{"StartLimitIntervalSec=0", "Type=notify", "Restart=always", "DynamicUser=yes", "NoNewPrivileges=yes", "EnvironmentFile=/etc/zevaka/etcd.env"} {
		if !strings.Contains(unit, "\n"+want+"\n") {
			t.Errorf("there is no %s", want)
		}
	}
	_, shut, _ := strings.Cut(deployed(t, "zevaka.service"), "\nNoNewPrivileges")
	shut, _, _ = strings.Cut(shut, "\n\n")
	for line := range strings.SplitSeq("NoNewPrivileges"+shut, "\n") {
		if !strings.Contains(unit, "\n"+line+"\n") {
			t.Errorf("the bot is shut in by %s, and this isn't", line)
		}
	}
	store := regexp.MustCompile(`store = "(.*)"`).FindStringSubmatch(unit)
	if store == nil {
		t.Fatal("it doesn't say what stands in zevaka.toml")
	}
	if at, err := etcd.ParseAddress(store[1]); err != nil || len(at.Hosts) != 3 {
		t.Errorf("the store is %s: %v", store[1], err)
	}
}
