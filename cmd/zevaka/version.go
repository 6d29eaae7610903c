package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Where the program is built without a checkout around it, as in an image, the linker is told which one it is: by
// -X main.linkedVersion=v1.2.3 -X main.linkedRevision=COMMIT. Nothing else sets these.
var linkedVersion, linkedRevision string

// version is the command that says which zevaka this is.
type version struct{}

// Run prints one line.
func (version) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, thisBuild())
	return err
}

// build is which zevaka a program is.
type build struct {
	// version is that of the module, or (devel).
	version string
	// revision is the commit that it was built from, and at its time; empty where nobody knows. Modified says that the
	// checkout had changes of its own.
	revision, at string
	modified     bool
	// golang is the version of Go.
	golang string
}

// thisBuild is which zevaka this is.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return buildOf(info, linkedVersion, linkedRevision)
}

// buildOf reads what the Go tool put into the program when it was built in a checkout. What the linker was told, if
// anything, counts before it.
func buildOf(info *debug.BuildInfo, version, revision string) build {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	b := build{
		version: info.Main.Version, golang: info.GoVersion,
		revision: settings["vcs.revision"], at: settings["vcs.time"], modified: settings["vcs.modified"] == "true",
	}
	if revision != "" {
		b.revision, b.at, b.modified = revision, "", false
	}
	if version != "" {
		b.version = version
	}
	if b.version == "" {
		b.version = "(devel)"
	}
	return b
}

// String is a line that says all of it.
func (b build) String() string {
	line := "zevaka " + b.version
	if b.revision != "" {
		line += ", commit " + b.revision
		if b.at != "" {
			line += " of " + b.at
		}
		if b.modified {
			line += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s %s/%s", line, b.golang, runtime.GOOS, runtime.GOARCH)
}

// commit is the revision in one word: with a plus if there were changes, unknown where nobody knows.
func (b build) commit() string {
	switch {
	case b.revision == "":
		return "unknown"
	case b.modified:
		return b.revision + "+"
	}
	return b.revision
}
