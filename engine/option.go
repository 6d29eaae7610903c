package engine

import (
	"slices"
	"strconv"
)

// Complete returns the options with those left out at their default. It returns ErrOption if there is one that the
// game doesn't have, or a value that the option can't take. The map given is not changed.
func (i Info) Complete(options map[string]string) (map[string]string, error) {
	full := make(map[string]string, len(i.Options))
	known := 0
	for _, option := range i.Options {
		value, ok := options[option.Name]
		switch {
		case !ok:
			value = option.Values[0]
		case !option.takes(value):
			return nil, ErrOption
		default:
			known++
		}
		full[option.Name] = value
	}
	if known != len(options) {
		return nil, ErrOption
	}
	return full, nil
}

// Accept returns the options of a deal in full, as Complete does. It returns ErrSeats if so many can't play the game.
func (i Info) Accept(setup Setup) (map[string]string, error) {
	if setup.Seats < i.MinSeats || setup.Seats > i.MaxSeats {
		return nil, ErrSeats
	}
	return i.Complete(setup.Options)
}

// Choose returns the options of a deal in full: as somebody has named them, else as they usually are in that place, which may be nil, and
// else at their default. What is usual gives way where a named option would change nothing beside it. It returns ErrOption as Complete
// does, and a *Vain where a named option changes nothing all the same. The maps given are not changed.
func (i Info) Choose(named, usual map[string]string) (map[string]string, error) {
	full, err := i.Complete(named)
	if err != nil {
		return nil, err
	}
	for _, o := range i.Options {
		if _, ok := named[o.Name]; !ok && o.takes(usual[o.Name]) {
			full[o.Name] = usual[o.Name]
		}
	}
	for _, o := range i.Options {
		value, ok := named[o.Name]
		if !ok || !i.IsVain(full, o.Name, value) {
			continue
		}
		if _, ok := named[o.Needs.Option]; ok || i.usual(o.Needs.Option) != o.Needs.Is {
			return nil, &Vain{o.Name, value, o.Needs}
		}
		full[o.Needs.Option] = o.Needs.Is
	}
	for _, o := range i.Options {
		if i.IsVain(full, o.Name, full[o.Name]) {
			full[o.Name] = o.Values[0]
		}
	}
	return full, nil
}

// IsVain reports whether it would change nothing that the option of that name has this value, in a deal with these options.
func (i Info) IsVain(options map[string]string, name, value string) bool {
	for _, o := range i.Options {
		if o.Name == name {
			need := o.Needs
			return need.Option != "" && (need.Only == "" || need.Only == value) && options[need.Option] != need.Is
		}
	}
	return false
}

// NextValue is the value that follows the one an option has, round from the last to the first, without those that would change nothing
// beside the others; false if there is no such option, or no other value.
func (i Info) NextValue(options map[string]string, name string) (string, bool) {
	for _, o := range i.Options {
		if o.Name != name {
			continue
		}
		at := slices.Index(o.Values, options[name])
		for n := range o.Values {
			next := o.Values[(at+1+n)%len(o.Values)]
			if next != options[name] && !i.IsVain(options, name, next) {
				return next, true
			}
		}
	}
	return "", false
}

// usual is the default of the option of that name.
func (i Info) usual(name string) string {
	for _, o := range i.Options {
		if o.Name == name {
			return o.Values[0]
		}
	}
	return ""
}

// takes reports whether the option can have the value. Numbers are written one way only, without signs or zeros in front.
func (o Option) takes(value string) bool {
	for _, v := range o.Values {
		if v == value {
			return true
		}
	}
	if o.Max == 0 {
		return false
	}
	n, err := strconv.Atoi(value)
	return err == nil && n >= o.Min && n <= o.Max && strconv.Itoa(n) == value
}

// ForOne reports whether the game is for one player.
func (i Info) ForOne() bool { return i.MaxSeats == 1 }
