package linear

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

var (
	// ErrNot is the error for a history that can't have happened one call after the other.
	ErrNot = errors.New("linear: the history is not linearizable")
	// ErrUndecided is the error for a history that would take longer to check.
	ErrUndecided = errors.New("linear: not decided in time whether the history is linearizable")
)

// Check wants every call to have had its effect at one moment between its beginning and its end, with revisions that rise: what
// a read saw is what the commits made before it wrote, a commit was made if its conditions held, one that was refused or in
// conflict never was, and one of unknown outcome was made once at any later time, or never. Keys that no call uses together are
// checked apart, each set within so long. Values should tell who wrote them, or it takes longer. No call may be under way.
func (h *History) Check(within time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ops := range h.apart() {
		g := h.group(ops)
		history := g.history()
		switch porcupine.CheckOperationsTimeout(g.model(), history, within) {
		case porcupine.Illegal:
			return fmt.Errorf("%w:\n%s", ErrNot, g.why(history, within))
		case porcupine.Unknown:
			return fmt.Errorf("%w: %d calls on %s", ErrUndecided, len(history), strings.Join(g.keys, " "))
		}
	}
	return nil
}

// apart are the calls by sets of keys that no call uses together.
func (h *History) apart() [][]op {
	above := map[string]string{}
	var top func(string) string
	top = func(key string) string {
		if up, ok := above[key]; ok && up != key {
			above[key] = top(up)
			return above[key]
		}
		return key
	}
	for _, o := range h.ops {
		keys := o.keys()
		for _, k := range keys[1:] {
			above[top(k)] = top(keys[0])
		}
	}
	index := map[string]int{}
	var all [][]op
	for _, o := range h.ops {
		name := top(o.keys()[0])
		if _, ok := index[name]; !ok {
			index[name] = len(all)
			all = append(all, nil)
		}
		all[index[name]] = append(all[index[name]], o)
	}
	return all
}

func (o op) keys() (keys []string) {
	for _, s := range o.saw {
		keys = append(keys, s.key)
	}
	for _, w := range o.writes {
		keys = append(keys, w.key)
	}
	return keys
}

// group is a set of keys with the calls that use them.
type group struct {
	keys  []string
	at    map[string]int // where each key stands in keys
	first state
	revs  []uint64 // all that commits made which set a key, rising
	ops   []*step
}

// step is a call as the model takes it.
type step struct {
	op
	// may are the revisions that a commit of unknown outcome may have made, as far as anybody saw them.
	may []uint64
	// sure is the revision that the commit must have made; 0 if it isn't known.
	sure uint64
}

// state is what the keys of a group have after so many of its revisions were made.
type state struct {
	made  int
	last  uint64 // the newest revision
	cells []cell
}

// group prepares calls for the model. Of commits of unknown outcome it leaves out those that nobody saw the effect of: they were
// made after everything else, if at all.
func (h *History) group(ops []op) *group {
	g := &group{at: map[string]int{}}
	for _, o := range ops {
		for _, k := range o.keys() {
			if _, ok := g.at[k]; !ok {
				g.at[k] = len(g.keys)
				g.keys = append(g.keys, k)
			}
		}
	}
	g.first.cells = make([]cell, len(g.keys))
	for _, it := range h.Before {
		if i, ok := g.at[it.Key]; ok {
			g.first.cells[i] = cell{it.Rev, sum(it.Value)}
			g.first.last = max(g.first.last, it.Rev)
		}
	}
	effects, absent := g.riddles(ops)
	for _, o := range ops {
		s := &step{op: o}
		if o.open {
			for rev, saw := range effects {
				if o.explains(saw) {
					s.may = append(s.may, rev)
				}
			}
			if len(s.may) == 0 && !o.clears(absent) {
				continue
			}
		}
		g.ops = append(g.ops, s)
	}
	g.narrow()
	return g
}

// riddles are the revisions that no commit is known to have made, with what was seen of each, and the keys that were seen
// absent. It notes all revisions of the group.
func (g *group) riddles(ops []op) (effects map[uint64][]seen, absent map[string]bool) {
	effects, absent = map[uint64][]seen{}, map[string]bool{}
	known := map[uint64]bool{}
	for _, c := range g.first.cells {
		known[c.rev] = true
	}
	for _, o := range ops {
		if !o.open && o.puts() {
			g.revs = append(g.revs, o.rev)
			known[o.rev] = true
		}
	}
	for _, o := range ops {
		for _, s := range o.saw {
			switch {
			case o.open:
			case s.rev == 0:
				absent[s.key] = true
			case !known[s.rev]:
				effects[s.rev] = append(effects[s.rev], s)
			}
		}
	}
	for rev := range effects {
		g.revs = append(g.revs, rev)
	}
	slices.Sort(g.revs)
	return effects, absent
}

// explains reports whether all that was seen of a revision may have been written by the commit.
func (o op) explains(saw []seen) bool {
	for _, s := range saw {
		wrote := slices.ContainsFunc(o.writes, func(w write) bool {
			return w.key == s.key && !w.deletes && (w.sum == s.sum || !s.valued)
		})
		if !wrote {
			return false
		}
	}
	return true
}

// clears reports whether the commit deletes one of the keys.
func (o op) clears(keys map[string]bool) bool {
	return slices.ContainsFunc(o.writes, func(w write) bool { return w.deletes && keys[w.key] })
}

// narrow moves the beginnings and ends of calls towards each other as far as the order of revisions lets them: a commit was not
// made before the one of the revision before it began, nor a read after something newer was answered. It only leaves out orders
// that can't be, so that there are few to try. A call that would end before it begins stays as it is.
func (g *group) narrow() {
	makers := g.makers()
	began, ends := int64(0), int64(never)
	for _, s := range makers {
		began = max(began, s.call)
		s.between(began, s.end)
	}
	for _, s := range slices.Backward(makers) {
		ends = min(ends, s.end)
		s.between(s.call, ends)
	}
	by, cleared := map[string][]*step{}, map[string]bool{}
	for _, s := range makers {
		for _, w := range s.writes {
			by[w.key] = append(by[w.key], s)
		}
	}
	for _, s := range g.ops {
		for _, w := range s.writes {
			cleared[w.key] = cleared[w.key] || w.deletes
		}
	}
	for _, s := range g.ops {
		for _, saw := range s.saw {
			if len(s.writes) == 0 && !cleared[saw.key] {
				s.amid(by[saw.key], saw.rev)
			}
		}
	}
}

// makers are the commits that surely made revisions, in order of these.
func (g *group) makers() (all []*step) {
	of := map[uint64][]*step{}
	for _, s := range g.ops {
		if !s.open && s.puts() {
			of[s.rev] = append(of[s.rev], s)
		}
		for _, rev := range s.may {
			of[rev] = append(of[rev], s)
		}
	}
	for _, rev := range g.revs {
		if one := of[rev]; len(one) == 1 && len(one[0].may) <= 1 {
			one[0].sure = rev
			all = append(all, one[0])
		}
	}
	return all
}

// amid puts a read of a revision between the commits to its key, in their order.
func (s *step) amid(makers []*step, rev uint64) {
	i, _ := slices.BinarySearchFunc(makers, rev+1, func(m *step, rev uint64) int { return cmp.Compare(m.sure, rev) })
	if i > 0 {
		s.between(max(s.call, makers[i-1].call), s.end)
	}
	if i < len(makers) {
		s.between(s.call, min(s.end, makers[i].end))
	}
}

func (s *step) between(call, end int64) {
	if call <= end {
		s.call, s.end = call, end
	}
}

// history is the steps for the checker.
func (g *group) history() []porcupine.Operation {
	all := make([]porcupine.Operation, len(g.ops))
	for i, s := range g.ops {
		all[i] = porcupine.Operation{Input: s, Call: s.call, Return: s.end}
	}
	return all
}

// model is a store of the group's keys.
func (g *group) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return g.first },
		Step: func(before, input, _ any) (bool, any) { return g.step(before.(state), input.(*step)) },
		Equal: func(a, b any) bool {
			x, y := a.(state), b.(state)
			return x.made == y.made && x.last == y.last && slices.Equal(x.cells, y.cells)
		},
	}
}

// step reports whether a call can have been made next, and what the keys have after it. A commit of unknown outcome that was not
// made stands at the end, or, if nobody saw anything of it, where its conditions don't hold: were all of these left to the end, each of
// their orders would be tried whenever something before had gone wrong.
func (g *group) step(before state, s *step) (bool, state) {
	over, next := before.made == len(g.revs), uint64(never)
	if !over {
		next = g.revs[before.made]
	}
	holds := g.holds(before, s)
	switch {
	case len(s.writes) == 0:
		return holds, before
	case s.open && len(s.may) > 0 && !slices.Contains(s.may, next):
		return over, before
	case s.open && len(s.may) == 0 && !holds:
		return true, before
	case !holds:
		return false, before
	case s.open && len(s.may) == 0:
		return true, g.after(before, s, before.last, 0)
	case s.open:
		return true, g.after(before, s, next, 1)
	case !s.puts():
		// Deleting what isn't there makes no revision in some stores.
		return before.last <= s.rev && s.rev < next, g.after(before, s, s.rev, 0)
	}
	return s.rev == next && before.last < next, g.after(before, s, next, 1)
}

// holds reports whether the keys have what a call saw.
func (g *group) holds(now state, s *step) bool {
	for _, saw := range s.saw {
		has := now.cells[g.at[saw.key]]
		if has.rev != saw.rev || saw.valued && has.sum != saw.sum {
			return false
		}
	}
	return true
}

// unseen is the revision of what nobody saw.
const unseen = never

// after is the state after a commit that makes so many of the group's revisions.
func (g *group) after(before state, s *step, rev uint64, made int) state {
	cells := slices.Clone(before.cells)
	for _, w := range s.writes {
		c := cell{rev, w.sum}
		if made == 0 {
			c.rev = unseen
		}
		if w.deletes {
			c = cell{}
		}
		cells[g.at[w.key]] = c
	}
	return state{before.made + made, rev, cells}
}

// maxSteps is how many calls before and after a wrong one are told.
const maxSteps = 12

// why tells of the calls around the first one that found no place, in the order that was tried.
func (g *group) why(history []porcupine.Operation, within time.Duration) string {
	_, info := porcupine.CheckOperationsVerbose(g.model(), history, within)
	var longest []porcupine.Operation
	for _, one := range info.PartialLinearizationsOperations()[0] {
		if len(one) > len(longest) {
			longest = one
		}
	}
	placed := map[any]bool{}
	for _, o := range longest {
		placed[o.Input] = true
	}
	var text strings.Builder
	for _, o := range longest[max(0, len(longest)-maxSteps):] {
		fmt.Fprintln(&text, "      ", o.Input)
	}
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return cmp.Compare(a.Return, b.Return) })
	n := 0
	for _, o := range history {
		if !placed[o.Input] && n < maxSteps {
			fmt.Fprintln(&text, "  no:", o.Input)
			n++
		}
	}
	return text.String()
}

// String is for people who look for what went wrong.
func (s *step) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d to ", s.call)
	if s.end == never {
		text.WriteString("no end:")
	} else {
		fmt.Fprintf(&text, "%d:", s.end)
	}
	for _, saw := range s.saw {
		fmt.Fprintf(&text, " %s@%d", saw.key, saw.rev)
		if saw.valued {
			fmt.Fprintf(&text, "=%04x", saw.sum&0xffff)
		}
	}
	for _, w := range s.writes {
		if w.deletes {
			fmt.Fprintf(&text, " delete %s", w.key)
			continue
		}
		fmt.Fprintf(&text, " put %s=%04x", w.key, w.sum&0xffff)
	}
	switch {
	case s.open:
		fmt.Fprintf(&text, ", unknown, seen at %v", s.may)
	case len(s.writes) > 0:
		fmt.Fprintf(&text, ", made @%d", s.rev)
	}
	return text.String()
}
