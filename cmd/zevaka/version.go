package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

// version is the command that says which zevaka this is.
type version struct{}

// Run prints one line.
func (version) Run() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return printVersion(os.Stdout, info)
}

// printVersion writes what the Go tool put into the program when it was built: the version of the module and, if it
// was built in a checkout, the commit.
func printVersion(w io.Writer, info *debug.BuildInfo) error {
	line := "zevaka " + number(info)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		line += ", commit " + commit
		if at := settings["vcs.time"]; at != "" {
			line += " of " + at
		}
		if settings["vcs.modified"] == "true" {
			line += " with changes"
		}
	}
	_, err := fmt.Fprintf(w, "%s, %s %s/%s\n", line, info.GoVersion, runtime.GOOS, runtime.GOARCH)
	return err
}

// number is the version of the module.
func number(info *debug.BuildInfo) string {
	if info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// buildVersion is the version of this program.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return number(info)
}
