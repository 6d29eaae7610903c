package chatscript

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fewMoves is how many moves are told each.
const fewMoves = 10

// play has whoever is to move try what they can press, attentively, so many times or to the end. Where it goes on in another message
// then, what came of the end is not told: of an old message and a new one either may be the first to come.
func (j *Journey) play(n int) {
	j.t.Helper()
	for range n {
		if !j.move() {
			if j.board().ID != j.on {
				j.skim()
			}
			break
		}
		if n > fewMoves {
			j.skim()
		} else {
			j.say(j.did)
			j.flush()
			j.begin()
		}
	}
}

// yawn has whoever is to move flip a card and keep it, in so many turns.
func (j *Journey) yawn(turns int) {
	j.t.Helper()
	for n := range 2 * turns {
		what := []string{"flip", "keep"}[n%2]
		var board Shown
		var keys []Key
		i := -1
		j.await(patience, func() bool {
			board = j.board()
			keys = attentive(board.Keys)
			i = slices.IndexFunc(keys, func(k Key) bool { return strings.HasSuffix(k.Data, "."+what) })
			return i >= 0
		})
		who := movers(board.Text, j.who)
		if i < 0 || len(who) != 1 {
			j.t.Fatalf("nobody can %s after\n%s", what, j.Transcript.String())
		}
		j.pass(glance)
		j.tap(j.people[who[0]], board, keys[i])
		j.answered()
		if j.refused() {
			j.t.Fatalf("%s may not %s after\n%s", who[0], what, j.Transcript.String())
		}
		j.changed(board)
		j.skim()
	}
}

// lay has the one who is named first take whatever move stands first on the newest table, so many times.
func (j *Journey) lay(n int) {
	j.t.Helper()
	name := j.who[0]
	for range n {
		board := Shown{}
		for _, m := range slices.Backward(j.phones.Look(j.people[name], j.private[name])) {
			if len(m.Keys) > 0 {
				board = m
				break
			}
		}
		i := slices.IndexFunc(board.Keys, func(k Key) bool {
			parts := strings.SplitN(k.Data, ".", 5)
			return len(parts) == 5 && !strings.HasPrefix(parts[4], "!")
		})
		if i < 0 {
			return
		}
		j.pass(glance)
		j.tap(j.people[name], board, board.Keys[i])
		j.answered()
		j.await(patience/4, func() bool { return j.of[board.ID] != nil })
		j.skim()
	}
}

// skim forgets what was seen: of a move among many, and of one that was refused.
func (j *Journey) skim() {
	j.order, j.of = nil, map[string]*event{}
}

// move has one who is to move press what fits, as soon as the table shows it. It reports false when there is nothing to press.
func (j *Journey) move() bool {
	j.t.Helper()
	for waited := time.Duration(0); waited < patience; waited += glance {
		board := j.board()
		keys := attentive(board.Keys)
		if len(keys) == 0 {
			j.settle()
			if keys = attentive(j.board().Keys); len(keys) == 0 {
				return false
			}
			continue
		}
		for _, name := range movers(board.Text, j.who) {
			for _, k := range keys {
				j.pass(glance)
				if k.Listed {
					j.total.taps++
				}
				j.total.taps++
				j.phones.Tap(j.people[name], board, k)
				j.answered()
				if !j.refused() {
					j.changed(board)
					j.on = board.ID
					j.did = fmt.Sprintf("  %s taps [%s]", name, k.Label)
					return true
				}
				j.skim()
			}
		}
		j.pass(glance)
	}
	j.t.Fatalf("nobody can move after\n%s", j.Transcript.String())
	return false
}

// changed waits until a message says something else, or another one is in its place.
func (j *Journey) changed(m Shown) {
	j.await(patience/4, func() bool {
		now := j.board()
		return now.ID != m.ID || now.Edits != m.Edits
	})
}

// board is the newest message for all on which there is something to press.
func (j *Journey) board() Shown {
	for _, m := range slices.Backward(j.phones.Look(j.people[j.who[0]], false)) {
		if len(m.Keys) > 0 && !m.Alone {
			return m
		}
	}
	return Shown{}
}

// movers are those of the people whose turn it is, or, where a table doesn't say, all who sit there.
func movers(text string, people []string) []string {
	_, line, marked := strings.Cut(text, "▶ ")
	line, _, _ = strings.Cut(line, "\n")
	if !marked {
		line = text
	}
	return slices.DeleteFunc(slices.Clone(people), func(name string) bool { return !strings.Contains(line, name) })
}

// attentive are the keys that make a move, in the order in which somebody tries them who overlooks nothing.
func attentive(keys []Key) []Key {
	var all []Key
	for _, what := range attentively {
		for _, k := range keys {
			if parts := strings.SplitN(k.Data, ".", 5); len(parts) == 5 && strings.HasPrefix(parts[4], what) {
				all = append(all, k)
			}
		}
	}
	return all
}
