package words

import (
	"maps"
	"slices"
)

// Keys are the names of all sentences, sorted.
func (l *Lang) Keys() []string { return slices.Sorted(maps.Keys(l.keys)) }
