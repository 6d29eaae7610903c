package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	out := good(t, "", "version")
	if !strings.HasPrefix(out, "zevaka ") || !strings.Contains(out, runtime.Version()) || strings.Count(out, "\n") != 1 {
		t.Errorf("version says %q", out)
	}
}

// TestBuilds: what the Go tool knows of the checkout is said, and where the linker was told something else, that.
func TestBuilds(t *testing.T) {
	t.Parallel()
	checkout := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.time", Value: "2026-11-21T10:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}
	for _, test := range []struct {
		name              string
		module            string
		settings          []debug.BuildSetting
		version, revision string
		line, commit      string
	}{
		{"a checkout", "v1.2.3", checkout, "", "", "v1.2.3, commit c0ffee of 2026-11-21T10:00:00Z with changes", "c0ffee+"},
		{"no checkout", "", nil, "", "", "(devel)", "unknown"},
		{"an image", "(devel)", nil, "v1.2.3", "beef", "v1.2.3, commit beef", "beef"},
		{"an image without a version", "(devel)", nil, "", "beef", "(devel), commit beef", "beef"},
		{"told in a checkout", "v1.2.3", checkout, "v2.0.0", "beef", "v2.0.0, commit beef", "beef"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "zevaka", Version: test.module}, Settings: test.settings}
		b := buildOf(info, test.version, test.revision)
		want := "zevaka " + test.line + ", go1.26.0 " + runtime.GOOS + "/" + runtime.GOARCH
		if b.String() != want || b.commit() != test.commit {
			t.Errorf("%s: %q and %s; want %q and %s", test.name, b, b.commit(), want, test.commit)
		}
	}
}
