package play

import (
	"maps"
	"slices"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/engine"
)

// toggleSet is the options with a named set chosen, or back at their defaults where it was chosen already; false if the
// game has no such set. A set without options of its own is all the defaults. The options given stay as they are.
func toggleSet(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
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

// nextValue is the options with one of them turned to its next value; false if there is no such option, or it has but one
// value. The options given stay as they are.
func nextValue(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
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

// SwitchOption turns one of the switches of a table's lobby; false if there is no such switch. The argument is the set or the
// option.
func SwitchOption(info engine.Info, t *table.Table, name, arg string) bool {
	options, ok := t.Options, true
	switch name {
	case "panel":
		t.Panel, t.Details = !t.Panel, false
	case "details":
		t.Details = !t.Details
	case "set":
		options, ok = toggleSet(info, t.Options, arg)
	case "opt":
		options, ok = nextValue(info, t.Options, arg)
	case "limit":
		i := slices.Index(Limits(), t.Limit)
		t.Limit = Limits()[(i+1)%len(Limits())]
	case "temper":
		t.Temper, ok = t.Temper.Next(), !info.ForOne()
	case "fast":
		t.Fast = !t.Fast
	case "rounds":
		t.Rounds = t.Rounds%MaxRounds + min(t.Rounds, 1)
	default:
		return false
	}
	if ok {
		t.Options = options
	}
	return ok
}
