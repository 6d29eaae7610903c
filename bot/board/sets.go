package board

import (
	"slices"
	"strings"

	"zevaka/engine"
)

// Chosen reports whether the options hold all that the set asks for.
func Chosen(options map[string]string, set engine.Set) bool {
	for name, value := range set.Options {
		if options[name] != value {
			return false
		}
	}
	return true
}

// FindSet is the game's set that is called so, in whatever letters; false if there is none.
func FindSet(info engine.Info, name string) (engine.Set, bool) {
	for _, set := range info.Sets {
		if slices.ContainsFunc(set.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return set, true
		}
	}
	return engine.Set{}, false
}
