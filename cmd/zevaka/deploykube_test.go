package main

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"zevaka/storage/etcd"
)

// object is one of those that Kubernetes is told of.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Replicas int
		Template struct {
			Spec struct {
				Token    *bool `yaml:"automountServiceAccountToken"`
				Security struct {
					NonRoot bool `yaml:"runAsNonRoot"`
					User    int  `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []container
			}
		}
	}
}

// container is a program in one of them.
type container struct {
	Image     string
	Env       []struct{ Name, Value string }
	Resources struct{ Limits struct{ Memory string } }
	Security  struct {
		Escalation *bool                   `yaml:"allowPrivilegeEscalation"`
		ReadOnly   bool                    `yaml:"readOnlyRootFilesystem"`
		Capability struct{ Drop []string } `yaml:"capabilities"`
	} `yaml:"securityContext"`
}

// objects are those of a file that run something, by name, with what their containers' environment has.
func objects(t *testing.T, file string) (found map[string]object, set map[string]map[string]string) {
	t.Helper()
	text := strings.ReplaceAll(deployed(t, file), "# - {", "- {") // What is left out must fit as well.
	found, set = map[string]object{}, map[string]map[string]string{}
	all := yaml.NewDecoder(strings.NewReader(text))
	for {
		var o object
		if err := all.Decode(&o); errors.Is(err, io.EOF) {
			return found, set
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range o.Spec.Template.Spec.Containers {
			found[o.Metadata.Name], set[o.Metadata.Name] = o, map[string]string{}
			for _, variable := range c.Env {
				set[o.Metadata.Name][variable.Name] = variable.Value
			}
		}
	}
}

// TestKubernetes: what Kubernetes is told has a bot alone, and three over three members, shut in as they are by compose; nothing is set that zevaka doesn't
// read, and the members are started as compose starts them.
func TestKubernetes(t *testing.T) {
	for file, replicas := range map[string]map[string]int{"kubernetes.yaml": {"zevaka": 1}, "kubernetes-cluster.yaml": {"zevaka": 3, "etcd": 3}} {
		found, set := objects(t, file)
		if len(found) != len(replicas) {
			t.Errorf("%s runs %v", file, set)
		}
		for name, many := range replicas {
			o := found[name]
			one, c := o.Spec.Template.Spec, o.Spec.Template.Spec.Containers[0]
			if o.Spec.Replicas != many || one.Token == nil || *one.Token || !one.Security.NonRoot || one.Security.User != 65532 ||
				c.Resources.Limits.Memory == "" || c.Security.Escalation == nil || *c.Security.Escalation || !c.Security.ReadOnly ||
				!slices.Equal(c.Security.Capability.Drop, []string{"ALL"}) {
				t.Errorf("%s: %s runs as %+v", file, name, o.Spec)
			}
			for variable := range set[name] {
				if name == "zevaka" && !slices.Contains(variables(t), variable) {
					t.Errorf("%s: zevaka doesn't read %s", file, variable)
				}
			}
		}
		if file == "kubernetes-cluster.yaml" {
			checkMembers(t, found["etcd"].Spec.Template.Spec.Containers[0].Image, set["etcd"], set["zevaka"]["ZEVAKA_STORE"])
		}
	}
}

// checkMembers wants the members to be started as the page says, from the image of the file for compose, and the bots to know them all.
func checkMembers(t *testing.T, image string, set map[string]string, store string) {
	t.Helper()
	for name, value := range etcdFlags(t) {
		if set[name] != value {
			t.Errorf("%s is %q, want %q", name, set[name], value)
		}
	}
	if !strings.Contains(deployed(t, "cluster.yaml"), "image: "+image+"\n") {
		t.Errorf("compose has no %s", image)
	}
	at, err := etcd.ParseAddress(store)
	if err != nil || len(at.Hosts) != 3 {
		t.Errorf("the bots' store is %s: %v", store, err)
	}
	for _, host := range at.Hosts {
		name, _, _ := strings.Cut(host, ".")
		if !strings.Contains(set["ETCD_INITIAL_CLUSTER"], name+"=http://"+strings.TrimSuffix(host, ":2379")+":2380") {
			t.Errorf("no member is at %s", host)
		}
	}
}

// TestProxyFile: compose has a proxy ask for the live tables: the bot believes that one alone, and isn't opened. Each has an address of its own: who
// starts first without one may be given the other's.
func TestProxyFile(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Image       string
			Environment map[string]string
			Ports       []string
			Networks    map[string]struct {
				Address string `yaml:"ipv4_address"`
			}
		}
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "compose.proxy.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	bot, proxy := compose.Services["zevaka"], compose.Services["caddy"]
	if !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(proxy.Image) || bot.Environment["ZEVAKA_ROOM_PROXY"] != proxy.Networks["front"].Address || len(proxy.Networks) != 1 || len(bot.Ports) > 0 {
		t.Errorf("%+v asks %+v", proxy, bot)
	}
	given := map[string]bool{}
	for name, service := range compose.Services {
		at := service.Networks["front"].Address
		if at == "" || given[at] {
			t.Errorf("%s has %q in front", name, at)
		}
		given[at] = true
	}
	for name, value := range bot.Environment {
		if !slices.Contains(variables(t), name) || name == "ZEVAKA_ROOM_OPEN" {
			t.Errorf("it has %s=%s", name, value)
		}
	}
	for line := range strings.Lines(deployed(t, "env.example")) {
		name, _, ok := strings.Cut(strings.TrimPrefix(line, "#"), "=")
		if known := append(variables(t), "DOMAIN"); ok && !slices.Contains(known, name) && !strings.HasPrefix(line, "# ") {
			t.Errorf("nobody reads %s", name)
		}
	}
}
