package deals

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine/patience"
)

// TestSample finds the win of some deals of each patience again, and plays it through the rules; `zevaka deals check` does so for
// all of them.
func TestSample(t *testing.T) {
	t.Parallel()
	for _, rules := range patience.All() {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deals := Bank(name)
			if len(deals) == 0 {
				t.Fatal("there is no bank")
			}
			const some = 4
			for i := range some {
				if d := deals[i*(len(deals)-1)/(some-1)]; !Comes(rules, d) {
					t.Errorf("deal %d does not come out", d.Number)
				}
			}
			d := deals[len(deals)/2]
			if wins := patience.Hasty(rules, d.Number, Of(name).Tries); wins != d.Wins {
				t.Errorf("deal %d was won %d times in a hurry, and now %d", d.Number, d.Wins, wins)
			}
			d.Attempt = patience.Attempts(rules)
			if Comes(rules, d) {
				t.Errorf("deal %d comes out in a way that there isn't", d.Number)
			}
		})
	}
}

// TestBank: the files say what the bank promises.
func TestBank(t *testing.T) {
	t.Parallel()
	for _, rules := range patience.All() {
		p := Of(rules.Info().Name)
		last := int64(-1)
		var levels [Hard + 1]int
		for _, d := range p.Deals {
			if d.Number <= last || d.Number >= p.Searched || d.Attempt >= patience.Attempts(rules) || d.Wins > p.Tries {
				t.Fatalf("%s: %+v behind %d, with %d numbers searched", p.Game, d, last, p.Searched)
			}
			last = d.Number
			levels[d.Level]++
		}
		if least := min(levels[Easy], levels[Medium], levels[Hard]); levels[0] != 0 || 6*least < len(p.Deals) {
			t.Errorf("%s: levels %v", p.Game, levels)
		}
		if tenYears := 3650; len(p.Deals) < tenYears || p.Thoroughly != Thorough {
			t.Errorf("%s: %d deals, %d numbers searched thoroughly", p.Game, len(p.Deals), p.Thoroughly)
		}
		if p.Medium < 1 || p.Easy <= p.Medium {
			t.Errorf("%s: easy at %d wins, medium at %d", p.Game, p.Easy, p.Medium)
		}
		t.Log(p.Game, len(p.Deals), p)
	}
	if got := Games(); len(got) != len(patience.All()) {
		t.Errorf("there are banks of %v", got)
	}
	if Bank("whist") != nil || Bank("../bank/zaba") != nil || Bank("") != nil || Rules("whist") != nil {
		t.Error("a game without a bank has one")
	}
}

// TestOfDay: each deal has its day, in an order that isn't the bank's, and the next round has another.
func TestOfDay(t *testing.T) {
	t.Parallel()
	const game = "zaba"
	all := Bank(game)
	n := int64(len(all))
	round := func(from int64) (numbers []int64) {
		for day := from; day < from+min(n, 100); day++ {
			d, ok := OfDay(game, day)
			again, _ := OfDay(game, day)
			if !ok || d != again {
				t.Fatalf("day %d: %+v, %+v", day, d, again)
			}
			numbers = append(numbers, d.Number)
		}
		return numbers
	}
	rounds := [][]int64{round(0), round(n), round(-n)}
	for i, numbers := range rounds {
		if slices.IsSorted(numbers) {
			t.Errorf("round %d stands in the bank's order", i)
		}
		if slices.Equal(numbers, rounds[(i+1)%len(rounds)]) {
			t.Errorf("round %d is like the next", i)
		}
		slices.Sort(numbers)
		if len(slices.Compact(numbers)) != int(min(n, 100)) {
			t.Errorf("round %d has a deal twice", i)
		}
	}
	if _, ok := OfDay("whist", 0); ok {
		t.Error("whist has a deal of the day")
	}
	featured := map[string]bool{}
	for day := int64(-4); day < 4; day++ {
		featured[Featured(day)] = true
	}
	if len(featured) != len(patience.All()) {
		t.Errorf("eight days feature %v", featured)
	}
}

// TestOdds: what the pages of rules say is no less than what the computer player does.
func TestOdds(t *testing.T) {
	t.Parallel()
	for _, game := range Games() {
		computer, least, ok := Odds(game)
		if !ok || computer == 0 || least < computer || least > 100 {
			t.Errorf("%s comes out for the computer in %d of 100 deals, and can in %d", game, computer, least)
		}
	}
	if _, _, ok := Odds("whist"); ok {
		t.Error("whist comes out")
	}
}

// TestPick: a level gives deals of that level only, and no level any of them.
func TestPick(t *testing.T) {
	t.Parallel()
	met := map[Level]bool{}
	for seed := range uint64(40) {
		for _, level := range []Level{0, Easy, Medium, Hard} {
			d, ok := Pick("zaba", level, rand.New(rand.NewPCG(seed, 0)))
			again, _ := Pick("zaba", level, rand.New(rand.NewPCG(seed, 0)))
			if !ok || d != again || level != 0 && d.Level != level || !slices.Contains(Bank("zaba"), d) {
				t.Fatalf("level %d gives %+v, then %+v", level, d, again)
			}
			if level == 0 {
				met[d.Level] = true
			}
		}
		if _, ok := Pick("whist", 0, rand.New(rand.NewPCG(seed, 0))); ok {
			t.Fatal("whist has a deal")
		}
	}
	if len(met) != 3 {
		t.Errorf("of any level come %v", met)
	}
}

// FuzzDecode: whatever a file holds, it is refused, or a bank that is written as it was read.
func FuzzDecode(f *testing.F) {
	data, err := bank.ReadFile("bank/zaba.bin")
	if err != nil {
		f.Fatal(err)
	}
	for _, size := range []int{0, 1, 5, 6, 7, 8, 9, min(60, len(data))} {
		f.Add(data[:size])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode("zaba", data)
		if err != nil {
			if len(p.Deals) > 0 {
				t.Fatalf("%d deals, and %v", len(p.Deals), err)
			}
			return
		}
		again, err := Decode("zaba", p.Encode())
		if err != nil || !slices.Equal(again.Deals, p.Deals) || !bytes.Equal(again.Encode(), p.Encode()) {
			t.Fatalf("%+v is read as %+v, %v", p, again, err)
		}
	})
}
