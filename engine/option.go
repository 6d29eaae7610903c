package engine

import "strconv"

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
