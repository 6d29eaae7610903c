// Package games lists the games of the house. One more game is one more line of All.
package games

import (
	"zevaka/engine"
	"zevaka/engine/banchok"
	"zevaka/engine/patience"
	"zevaka/engine/zevaka"
)

// All are the rules of every game, in the order in which they are offered.
func All() []engine.Rules {
	return append([]engine.Rules{
		zevaka.Rules{},
		banchok.Rules{},
	}, patience.All()...)
}

// ByName finds a game by its name in records and commands, and reports whether there is one.
func ByName(name string) (engine.Rules, bool) {
	for _, rules := range All() {
		if rules.Info().Name == name {
			return rules, true
		}
	}
	return nil, false
}
