package engine_test

import (
	"crypto/sha256"
	"flag"
	"math"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"zevaka/engine"
)

// crooked is how often a crooked shuffle is asked for: it is noticed soon.
const crooked = 20_000

// unlikely is how seldom a fair shuffle may look as crooked, or as even, as one does. There are four questions.
const unlikely = 1e-7

// size is how many cards are shuffled.
const size = 52

// order is the pack as numbers from 0, the uppermost first: what the shuffle makes of 0, 1, 2 and so on.
type order [size]uint8

// dealer makes the first two shuffles of the n-th deal.
type dealer func(n int) (first, second order)

// house shuffles as the house does: every deal has a seed and a cut of its own, every other one a pack that two have cut.
func house() dealer {
	fresh := engine.Pack(2)
	var at [256]uint8
	for i, c := range fresh {
		at[c] = uint8(i)
	}
	shuffled := func(s engine.Shuffler) (o order) {
		pack := [size]engine.Card(fresh)
		s.Shuffle(pack[:])
		for i, c := range pack {
			o[i] = at[c]
		}
		return o
	}
	return func(n int) (first, second order) {
		seed, cut := engine.Seed(sha256.Sum256([]byte("chance:"+strconv.Itoa(n)))), strconv.Itoa(n)
		s := engine.NewShuffler(seed, cut)
		if n%2 > 0 {
			s = engine.NewSharedShuffler(seed, []string{cut, "", "7"})
		}
		return shuffled(s), shuffled(s)
	}
}

// tally is what many deals look like.
type tally struct {
	deals int
	// at counts each card in each place, by place; tops the uppermost cards of both shuffles of a deal, by the first.
	at, tops [size][size]int
	// falls counts the deals by how many cards are followed by a smaller one.
	falls [size]int
	// product is the sum over all deals of the products of neighbours, the last and the first card being such, too.
	product float64
}

func (t *tally) add(first, second order) {
	t.deals++
	falls, product := 0, 0
	for i, c := range first {
		t.at[i][c]++
		next := first[(i+1)%size]
		if i+1 < size && next < c {
			falls++
		}
		product += (int(c) + 1) * (int(next) + 1)
	}
	t.falls[falls]++
	t.product += float64(product)
	t.tops[first[0]][second[0]]++
}

func (t *tally) join(other *tally) {
	t.deals += other.deals
	t.product += other.product
	for i := range size {
		t.falls[i] += other.falls[i]
		for k := range size {
			t.at[i][k] += other.at[i][k]
			t.tops[i][k] += other.tops[i][k]
		}
	}
}

// look has a dealer deal so often, on all processors.
func look(deal dealer, deals int) *tally {
	parts := make([]tally, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			for n := i; n < deals; n += len(parts) {
				parts[i].add(deal(n))
			}
		})
	}
	wait.Wait()
	for i := range parts[1:] {
		parts[0].join(&parts[i+1])
	}
	return &parts[0]
}

// chances are, for each question, how often a fair shuffle looks at least as uneven as this one.
func (t *tally) chances() map[string]float64 {
	n := float64(t.deals)
	return map[string]float64{
		// Each deal has each card once and in one place, so the table of counts has (size-1)² degrees of freedom, and every
		// deviation is larger by size/(size-1) than where all were free.
		"cards by place":          chiTail(uneven(t.at, n/size)*(size-1)/size, (size-1)*(size-1)),
		"runs":                    t.runs(),
		"neighbours":              t.neighbours(),
		"one shuffle by the next": chiTail(uneven(t.tops, n/(size*size)), size*size-1),
	}
}

// uneven is the chi-square of a table whose fields should all be the same.
func uneven(table [size][size]int, expected float64) (sum float64) {
	for _, row := range table {
		for _, n := range row {
			d := float64(n) - expected
			sum += d * d / expected
		}
	}
	return sum
}

// runs compares how many falls the deals have with Euler's numbers.
func (t *tally) runs() float64 {
	share := make([]float64, size) // share[k] of all orders have k falls.
	share[0] = 1
	for n := 2; n <= size; n++ {
		for k := n - 1; k >= 0; k-- {
			next := float64(k+1) * share[k]
			if k > 0 {
				next += float64(n-k) * share[k-1]
			}
			share[k] = next / float64(n)
		}
	}
	sum, fields, seen, expected := 0.0, 0, 0.0, 0.0
	const few = 10
	rest := float64(t.deals)
	for k := range size {
		seen += float64(t.falls[k])
		expected += share[k] * float64(t.deals)
		if rest -= share[k] * float64(t.deals); (expected < few || rest < few) && k < size-1 {
			continue
		}
		sum += (seen - expected) * (seen - expected) / expected
		fields++
		seen, expected = 0, 0
	}
	return chiTail(sum, fields-1)
}

// neighbours compares the sum of the products of neighbours with what Wald and Wolfowitz say of it: its mean and variance
// are known exactly, and of many deals the sum is normal.
func (t *tally) neighbours() float64 {
	var s [5]float64
	for x := 1.0; x <= size; x++ {
		for p := range s {
			s[p] += math.Pow(x, float64(p))
		}
	}
	const n = size
	mean := (s[1]*s[1] - s[2]) / (n - 1)
	variance := (s[2]*s[2]-s[4])/(n-1) - mean*mean +
		(math.Pow(s[1], 4)-4*s[1]*s[1]*s[2]+4*s[1]*s[3]+s[2]*s[2]-2*s[4])/((n-1)*(n-2))
	z := (t.product - float64(t.deals)*mean) / math.Sqrt(float64(t.deals)*variance)
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

// chiTail is how often a chi-square of so many degrees of freedom is at least x: the upper incomplete gamma function.
func chiTail(x float64, freedom int) float64 {
	a, x := float64(freedom)/2, x/2
	log, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - log)
	if x < a+1 { // By its series, and else by its continued fraction.
		sum, term := 1/a, 1/a
		for n := a + 1; term > sum*1e-17; n++ {
			term *= x / n
			sum += term
		}
		return 1 - front*sum
	}
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	fraction := d
	for i := 1.0; i < 1e6; i++ {
		an := -i * (i - a)
		b += 2
		if d = an*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + an/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		fraction *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return front * fraction
}

// TestChiTail holds the tail to values from tables.
func TestChiTail(t *testing.T) {
	for _, test := range []struct {
		x       float64
		freedom int
		want    float64
	}{
		{3.841459, 1, 0.05}, {6.634897, 1, 0.01}, {18.307038, 10, 0.05}, {2.705544, 1, 0.1}, {124.342113, 100, 0.05},
		{77.929465, 100, 0.95}, {149.449253, 100, 0.001}, {10.827566, 1, 0.001},
	} {
		if got := chiTail(test.x, test.freedom); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("of %d degrees of freedom %g or more is reached with %g, not %g", test.freedom, test.x, got, test.want)
		}
	}
}

var shuffles = flag.Int("shuffles", 20_000, "how many deals TestShuffleIsFair looks at")

// TestShuffleIsFair looks at many deals: how often each card lies in each place, how long the
// runs are, whether neighbours in the pack go together, and whether one shuffle of a deal says something of the next.
func TestShuffleIsFair(t *testing.T) {
	t.Parallel()
	for question, p := range look(house(), *shuffles).chances() {
		t.Logf("%s: %.4f", question, p)
		if p < unlikely || p > 1-unlikely {
			t.Errorf("%s: a fair shuffle looks so with a chance of %g", question, p)
		}
	}
}

// draws are the numbers below n that a crooked shuffle draws.
type draws func(n uint32) uint32

// drawn is a fair source of numbers for the n-th deal.
func drawn(n int) draws {
	seed := sha256.Sum256([]byte("crooked:" + strconv.Itoa(n)))
	used := 0
	return func(below uint32) uint32 {
		if used == 0 {
			seed = sha256.Sum256(seed[:])
		}
		word := uint32(seed[used])<<24 | uint32(seed[used+1])<<16 | uint32(seed[used+2])<<8 | uint32(seed[used+3])
		used = (used + 4) % len(seed)
		return uint32(uint64(word) * uint64(below) >> 32)
	}
}

// twice shuffles twice in one way.
func twice(shuffle func(order, draws) order) dealer {
	var pack order
	for i := range pack {
		pack[i] = uint8(i)
	}
	return func(n int) (first, second order) {
		draw := drawn(n)
		return shuffle(pack, draw), shuffle(pack, draw)
	}
}

// TestCrookedShufflesAreNoticed: each of the questions is put to shuffles that are wrong as shuffles are, and the answers give
// away which; a good one, made by other means, passes.
func TestCrookedShufflesAreNoticed(t *testing.T) {
	t.Parallel()
	fisherYates := func(last int, pick func(i uint32, draw draws) uint32) func(order, draws) order {
		return func(o order, draw draws) order {
			for i := size - 1; i > last; i-- {
				j := pick(uint32(i), draw)
				o[i], o[j] = o[j], o[i]
			}
			return o
		}
	}
	right := func(i uint32, draw draws) uint32 { return draw(i + 1) }
	fair := house()
	place, runs, neighbours, next := "cards by place", "runs", "neighbours", "one shuffle by the next"
	for name, test := range map[string]struct {
		deal  dealer
		gives []string
	}{
		"a good one":           {twice(fisherYates(0, right)), nil},
		"the rest of a byte":   {twice(fisherYates(0, func(i uint32, draw draws) uint32 { return draw(256) % (i + 1) })), []string{place}},
		"never in its place":   {twice(fisherYates(0, func(i uint32, draw draws) uint32 { return draw(i) })), []string{place}},
		"any place for each":   {twice(fisherYates(-1, func(_ uint32, draw draws) uint32 { return draw(size) })), []string{place}},
		"stops one card early": {twice(fisherYates(1, right)), []string{place}},
		"only cut": {twice(func(o order, draw draws) order {
			var cut order
			by := draw(size)
			for i := range cut {
				cut[i] = o[(uint32(i)+by)%size]
			}
			return cut
		}), []string{runs, neighbours}},
		"pairs stay together": {twice(func(o order, draw draws) order {
			for i := size - 2; i > 0; i -= 2 {
				j := 2 * draw(uint32(i)/2+1)
				o[i], o[i+1], o[j], o[j+1] = o[j], o[j+1], o[i], o[i+1]
			}
			return o
		}), []string{place, runs, neighbours}},
		"the same again": {func(n int) (first, second order) {
			first, _ = fair(n)
			return first, first
		}, []string{next}},
	} {
		found := look(test.deal, crooked).chances()
		for _, question := range test.gives {
			if found[question] > unlikely {
				t.Errorf("%s: %s: nothing is noticed, %g", name, question, found[question])
			}
			delete(found, question)
		}
		for question, p := range found {
			if len(test.gives) == 0 && (p < unlikely || p > 1-unlikely) {
				t.Errorf("%s: %s: %g", name, question, p)
			}
		}
	}
}
