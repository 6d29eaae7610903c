//go:build faults

package hands

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"zevaka/bot/chat"
)

// never is the end of something that may still have an effect.
const never = math.MaxInt64

// span is when something was asked, and when the answer came, in nanoseconds since the history began.
type span struct{ call, end int64 }

// press is one request at a table.
type press struct {
	span
	id, table, do string
	user          int64
	epoch         int
	verdict       verdict
	// level and sum are what the answer showed of the table, where the request was delivered once and counted. Most is the lowest
	// level that any answer showed.
	level, sum, most uint64
	// may says that it need not change the table to count.
	may bool
}

// look is what an answer showed of a table.
type look struct {
	span
	table      string
	level, sum uint64
}

// reading is what somebody was told that a purse holds.
type reading struct {
	span
	community string
	user      int64
	chips     int64
}

// history is what people did and saw. It is safe for use by many goroutines.
type history struct {
	zero time.Time
	// unsaved is how often somebody was told that nothing can be saved.
	unsaved atomic.Int64

	mu       sync.Mutex
	presses  []*press
	looks    []look
	readings []reading
	// torn are requests that were answered in two ways, mute those that nobody answered for as long as people have patience.
	torn, mute []string
	// retried are how many deliveries there were beyond one for each request, quiet how many presses were answered by the table alone.
	retried, quiet int
}

func (h *history) now() int64 { return int64(time.Since(h.zero)) }

// patience is how long people deliver a request again and again, tryTime how long they wait each time.
const (
	patience = 3 * time.Minute
	tryTime  = 4 * time.Second
)

// ask delivers a request, several times at once if told to, until it is answered each time, and writes down what came of it: p
// is filled in.
func (h *history) ask(ctx context.Context, d door, r request, p *press, times int) (answers []answer) {
	p.id, p.call, p.end, p.most = r.ID, h.now(), never, never
	var mu sync.Mutex
	var all sync.WaitGroup
	deliveries := 0
	var mute []string
	for range times {
		all.Go(func() {
			one, tries, err := h.insist(ctx, d, r)
			mu.Lock()
			defer mu.Unlock()
			deliveries += tries
			if one != nil {
				answers = append(answers, *one)
			} else {
				mute = append(mute, fmt.Sprintf("%s, %q by %d in %v, wasn't answered in %d tries; last: %v", r.ID, r.Data, r.Who.ID, r.In, tries, err))
			}
		})
	}
	all.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.retried += deliveries - 1
	h.mute = append(h.mute, mute...)
	for _, a := range answers {
		if p.verdict != unknown && p.verdict != a.Verdict {
			h.torn = append(h.torn, fmt.Sprintf("%s, %q by %d at %s, was answered in two ways: %+v", r.ID, p.do, p.user, p.table, answers))
		}
		p.verdict = a.Verdict
		for _, s := range a.Sights {
			if s.Table != p.table {
				continue
			}
			p.most = min(p.most, s.Level)
			if deliveries == 1 && a.Verdict == counted {
				p.level, p.sum = s.Level, s.Sum
			}
		}
	}
	quiet := len(answers) > 0 && !slices.ContainsFunc(answers, func(a answer) bool { return a.Verdict != counted || a.Toast != "" })
	if quiet && p.do != "" && p.do[0] != '!' {
		p.verdict, p.level = either, 0
		h.quiet++
	}
	if p.verdict != unknown {
		p.end = h.now()
	}
	if p.table != "" {
		h.presses = append(h.presses, p)
	}
	return answers
}

// insist delivers a request until it is answered, or nobody has patience any more; then the answer is nil, and the error says what came
// last.
func (h *history) insist(ctx context.Context, d door, r request) (_ *answer, tries int, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		tries++
		at := span{call: h.now()}
		try, cancel := context.WithTimeout(ctx, tryTime)
		var a answer
		a, err = d.deliver(try, r)
		cancel()
		at.end = h.now()
		if a.Unsaved {
			h.unsaved.Add(1)
		}
		if err == nil && a.Verdict != unknown {
			h.saw(at, a)
			return &a, tries, nil
		}
		if err == nil {
			err = fmt.Errorf("hands: answered %q", a.Toast)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, tries, err
}

// saw writes down what an answer shows.
func (h *history) saw(at span, a answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range a.Sights {
		h.looks = append(h.looks, look{at, s.Table, s.Level, s.Sum})
	}
}

// clockwork writes down what the clock of a bot does at tables, which may change them.
type clockwork struct {
	chat.Unobserved
	history *history
}

// Request implements chat.Observer.
func (c clockwork) Request(ctx context.Context, r chat.Request) (context.Context, func(chat.Outcome)) {
	name, _, _ := strings.Cut(r.Data, " ")
	if r.Kind != chat.Timeout {
		return ctx, func(chat.Outcome) {}
	}
	p := &press{id: r.ID, table: name, do: "!clock", may: true, most: never, span: span{c.history.now(), never}}
	c.history.mu.Lock()
	defer c.history.mu.Unlock()
	c.history.presses = append(c.history.presses, p)
	return ctx, func(o chat.Outcome) {
		c.history.mu.Lock()
		defer c.history.mu.Unlock()
		if o == chat.Done || o == chat.Refused {
			p.end = c.history.now()
		}
	}
}

// step is a press or a look for the model of a table.
type step struct {
	span
	writes, may      bool
	level, sum, most uint64
}

// tableState is how far a table has come, 0 before it was opened, and what it looks like, 0 where nobody knows.
type tableState struct{ level, sum uint64 }

// next are the states after a step; none if it can't come next.
func (s step) next(now tableState) (after []tableState) {
	if s.writes {
		switch {
		case s.level == 0 && now.level < s.most:
			after = append(after, tableState{now.level + 1, 0})
		case s.level != 0 && s.level == now.level+1:
			after = append(after, tableState{s.level, s.sum})
		}
		if !s.may {
			return after
		}
	}
	switch alike := now.sum == 0 || s.sum == 0 || now.sum == s.sum; {
	case s.level == 0:
		after = append(after, now)
	case now.level == 0, now.level == s.level && alike:
		after = append(after, tableState{s.level, cmp.Or(s.sum, now.sum)})
	}
	return after
}

// tableModel is a table whose level rises by one with each press that counts, and that looks the same to all as long as it stays.
func tableModel() porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{tableState{}} },
		Step: func(now, input, _ any) (after []any) {
			for _, s := range input.(step).next(now.(tableState)) {
				after = append(after, s)
			}
			return after
		},
	}
	return model.ToModel()
}

// change is a posting in a purse, or what was read of it.
type change struct {
	span
	// n is which posting it is, from 1; 0 for a reading.
	n     int
	chips int64
}

// purseModel is a purse whose postings came in their order; balances are what it held after each, and at first.
func purseModel(balances []int64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return 0 },
		Step: func(now, input, _ any) (bool, any) {
			n, c := now.(int), input.(change)
			if c.n == 0 {
				return balances[n] == c.chips, n
			}
			return c.n == n+1 && balances[n]+c.chips == balances[c.n], c.n
		},
	}
}

// checkTime is how long it may take to check one history.
const checkTime = time.Minute

// linearizable wants steps to have happened one after the other.
func linearizable[S any](model porcupine.Model, steps []S, at func(S) span) error {
	operations := make([]porcupine.Operation, len(steps))
	for i, s := range steps {
		operations[i] = porcupine.Operation{Input: s, Call: at(s).call, Return: at(s).end}
	}
	switch porcupine.CheckOperationsTimeout(model, operations, checkTime) {
	case porcupine.Illegal:
		_, info := porcupine.CheckOperationsVerbose(model, operations, checkTime)
		longest := 0
		for _, part := range info.PartialLinearizationsOperations() {
			for _, one := range part {
				longest = max(longest, len(one))
			}
		}
		slices.SortFunc(steps, func(a, b S) int { return cmp.Compare(at(a).call, at(b).call) })
		return fmt.Errorf("only %d of %d steps could be put in order; about there: %+v", longest, len(steps),
			steps[max(0, longest-4):min(len(steps), longest+6)])
	case porcupine.Unknown:
		return fmt.Errorf("not decided in time for %d steps", len(steps))
	}
	return nil
}
