package play

import (
	"crypto/sha256"
	"maps"
	"math/rand/v2"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// levelNamed is the level that people call so, zero for any; false if it is none. Levels are typed behind "deal=" as deals.Levels has
// them, or in any language as tables call them (level.easy and so on).
func levelNamed(names *words.Names, typed string) (deals.Level, bool) {
	typed = strings.ToLower(typed)
	for i, word := range deals.Levels() {
		if typed == word || typed != "" && (names.IsLabel("level."+word, typed) || strings.Contains(alsoCalled()[i], " "+typed+" ")) {
			return []deals.Level{deals.Easy, deals.Medium, deals.Hard, 0}[i], true
		}
	}
	return 0, false
}

// alsoCalled is what else people may type for each of deals.Levels.
func alsoCalled() []string {
	return []string{
		" легкий легко лёгкая легкая простой простая latwy łatwe latwe łatwo latwo ",
		" средняя средне sredni średnie srednie średnio srednio ",
		" трудная трудно сложный сложная сложно тяжёлый тяжелый trudne trudno ",
		" любая dowolne obojętnie obojetnie ",
	}
}

// readLevel takes how hard the deal is to be from the front of the rest, as deal=hard or hard alone, and reports whether it was
// there. Alone, "any" says nothing of deals: it is what options may be.
func (o *Opening) readLevel(names *words.Names, info engine.Info, word string) bool {
	if !info.ForOne() {
		return false
	}
	name, value, with := strings.Cut(strings.ToLower(word), "=")
	if !with {
		level, ok := levelNamed(names, name)
		if !ok || level == 0 {
			return false
		}
		o.known(level)
		return true
	}
	if name != "deal" && name != "level" && !names.IsLabel("setting.level", name) && !names.IsLabel("setting.number", name) {
		return false
	}
	level, ok := levelNamed(names, value)
	if ok {
		o.known(level)
	}
	return ok
}

// known asks for a deal that is known to come out.
func (o *Opening) known(level deals.Level) { o.Known, o.Level, o.Deal = true, level, nil }

// Dealt is the opening with the number of a deal, where one that is known to come out was asked for: chance chooses it, and the same
// one when the same request comes again. It refuses where none is known: such deals are known by the usual rules only.
func (o Opening) Dealt(request string) (Opening, error) {
	if !o.Known {
		return o, nil
	}
	o.Known = false
	info := o.Rules.Info()
	usual, err := info.Complete(nil)
	if err != nil {
		return o, err
	}
	if !maps.Equal(usual, o.Options) {
		return o, words.Refuse(string(errLevelRules), words.Blanks{"game": words.Text(info.Name)})
	}
	chance := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("known deal " + request))))
	deal, ok := deals.Pick(info.Name, o.Level, chance)
	if !ok {
		return o, words.Refuse(string(errNoKnown), words.Blanks{"game": words.Text(info.Name)})
	}
	o.Deal = &deal.Number
	return o, nil
}

// errLevelRules refuses a deal that is known to come out where the rules are not the usual ones.
const errLevelRules engine.Refusal = "level-rules"

// errNoKnown refuses one of a game, or of a level, of which none is known.
const errNoKnown engine.Refusal = "no-known-deal"
