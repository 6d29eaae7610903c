package etcd

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	tests := []struct {
		text string
		want Address
		bad  string // what the error says
	}{
		{"etcd://db1:2379,db2:2380/zevaka", Address{Hosts: []string{"db1:2379", "db2:2380"}, Prefix: "zevaka"}, ""},
		{"etcd://db1/club/cards/", Address{Hosts: []string{"db1:2379"}, Prefix: "club/cards"}, ""},
		{"etcd://[::1]:4000,[::2]/z", Address{Hosts: []string{"[::1]:4000", "[::2]:2379"}, Prefix: "z"}, ""},
		{"etcds://bot@db1:1/z", Address{Hosts: []string{"db1:1"}, User: "bot", TLS: true, Prefix: "z"}, ""},
		{"bolt:zevaka.db", Address{}, "begins with etcd:// or etcds://"},
		{"etcd://db1:2379", Address{}, "prefix"},
		{"etcd://db1:2379/", Address{}, "prefix"},
		{"etcd://db1:2379/a b", Address{}, "prefix"},
		{"etcd://db1:2379/" + strings.Repeat("z", 65), Address{}, "prefix"},
		{"etcd:///z", Address{}, "names its hosts"},
		{"etcd://db1,,db2/z", Address{}, "names its hosts"},
		{"etcd://db1:/z", Address{}, "HOST:PORT"},
		{"etcd://:2379/z", Address{}, "HOST:PORT"},
		{"etcd://bot:secret@db1/z", Address{}, "without a password"},
		{"etcd://@db1/z", Address{}, "name of a user"},
	}
	for _, c := range tests {
		a, err := ParseAddress(c.text)
		switch {
		case c.bad == "" && (err != nil || !reflect.DeepEqual(a, c.want)):
			t.Errorf("%s is %+v, %v; want %+v", c.text, a, err, c.want)
		case c.bad != "" && (err == nil || !strings.Contains(err.Error(), c.bad) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v, want words of %q", c.text, err, c.bad)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("etcds://bot@db1:2379,[::1]/zevaka")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		again, err := ParseAddress(a.String())
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Errorf("%q is %+v, and as %s it is %+v, %v", text, a, a, again, err)
		}
	})
}
