package opening

import (
	"maps"
	"slices"

	"zevaka/bot/board"
	"zevaka/engine"
)

// ToggleSet is the options with a named set chosen, or back at their defaults where it was chosen already; false if the
// game has no such set. A set without options of its own is all the defaults. The options given stay as they are.
func ToggleSet(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
	set, ok := board.FindSet(info, name)
	if !ok {
		return nil, false
	}
	changed := maps.Clone(options)
	for _, o := range info.Options {
		value, named := set.Options[o.Name]
		switch {
		case len(set.Options) == 0 || named && board.Chosen(options, set):
			changed[o.Name] = o.Values[0]
		case named:
			changed[o.Name] = value
		}
	}
	return changed, true
}

// NextValue is the options with one of them turned to its next value; false if there is no such option, or it has but one
// value. The options given stay as they are.
func NextValue(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
	for _, o := range info.Options {
		if o.Name == name && len(o.Values) > 1 {
			i := slices.Index(o.Values, options[name])
			changed := maps.Clone(options)
			changed[name] = o.Values[(i+1)%len(o.Values)]
			return changed, true
		}
	}
	return nil, false
}
