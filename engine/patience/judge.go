package patience

import "zevaka/engine"

// judge returns the move as it goes into the log, or why it isn't legal.
func (st *state) judge(step engine.Step) (engine.Move, error) {
	m := step.Move
	if err := st.end.check(step); err != nil {
		return m, err
	}
	switch m.Verb {
	case Draw:
		return m, st.judgeDraw()
	case Redeal:
		return m, st.judgeRedeal()
	case Put:
		return st.judgePut(m)
	}
	return m, nil
}

func (t *table) judgeDraw() error {
	switch {
	case t.waiting():
		return ErrTurnedWaits
	case t.n[t.plan.stock] == 0:
		return ErrStockEmpty
	}
	return nil
}

func (t *table) judgeRedeal() error {
	switch {
	case int(t.pass)+1 >= len(t.plan.passes):
		return ErrNoPasses
	case t.waiting():
		return ErrTurnedWaits
	case t.n[t.plan.stock] > 0:
		return ErrStockLeft
	case t.gatherable() == 0:
		return ErrNothingToGather
	}
	return nil
}

// judgePut judges a put, and writes one that names the place of an uppermost card without it (RECORDS.md, Exactly 11).
func (t *table) judgePut(m engine.Move) (engine.Move, error) {
	from, to := int(m.From), int(m.To)
	if from < 0 || from >= t.plan.piles || to < 0 || to >= t.plan.piles {
		return m, ErrNoPile
	}
	if err := t.judgePiles(from, to); err != nil {
		return m, err
	}
	switch at, n := t.place(m), int(t.n[from]); {
	case at < 0 || at >= n:
		return m, ErrNoCard
	case at == n-1:
		m.N = 0
		return m, t.judgeFit(t.top[from].card(), from, to)
	case t.plan.group[from].deep == 0 || !t.plan.group[from].deep.has(t.cardAt(from, at)):
		return m, ErrCovered
	default:
		return m, t.judgeFit(t.cardAt(from, at), from, to)
	}
}

// judgePiles judges whether cards go from the one pile to the other at all.
func (t *table) judgePiles(from, to int) error {
	source, target := t.plan.group[from], t.plan.group[to]
	switch {
	case from == to:
		return ErrSamePile
	case source.kind == foundation:
		return ErrFromFoundation
	case source.kind == stock:
		return ErrFromStock
	case target.takes == "":
		return ErrTakesNothing
	case !target.takesFrom(source.kind):
		return ErrNotFromThere
	}
	return nil
}

// judgeFit judges whether the card fits.
func (t *table) judgeFit(card engine.Card, from, to int) error {
	g := t.plan.group[to]
	switch {
	case t.wants[to].has(card):
		if t.plan.bars != nil {
			return t.plan.bars(t, from, to)
		}
		return nil
	case t.n[to] > 0 && g.full > 0 && int(t.n[to]) >= g.full:
		return ErrFull
	case t.n[to] > 0:
		return g.builds.refuses(t.top[to].card())
	case to > 0 && to < t.plan.foundations && t.n[to-1] == 0:
		return ErrFoundationOrder
	}
	return g.starts.refuses(card)
}
