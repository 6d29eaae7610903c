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

func TestVersionOfCheckout(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := printVersion(&b, &debug.BuildInfo{
		GoVersion: "go1.26.0", Main: debug.Module{Path: "zevaka", Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.time", Value: "2026-11-21T10:00:00Z"}, {Key: "vcs.modified", Value: "true"},
		},
	})
	want := "zevaka v1.2.3, commit c0ffee of 2026-11-21T10:00:00Z with changes, go1.26.0 " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	if err != nil || b.String() != want {
		t.Errorf("got %q, %v; want %q", b.String(), err, want)
	}
}
