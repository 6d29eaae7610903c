package engine_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
)

func text(cards []engine.Card) string {
	words := make([]string, len(cards))
	for i, c := range cards {
		words[i] = c.String()
	}
	return strings.Join(words, " ")
}

// TestShuffleVectors holds the shuffle to the vectors of RECORDS.md, Exactly 1.
func TestShuffleVectors(t *testing.T) {
	twoPacks := append(engine.Pack(2), engine.Pack(2)...)
	for _, test := range []struct {
		seed  engine.Seed
		cut   string
		pack  []engine.Card
		begin []string
	}{
		{
			pack:  engine.Pack(6),
			begin: []string{"9H 6D 7S TH JS AD 6C 7H", "9C JC 6C QH AC TC QC JH"},
		},
		{
			seed:  engine.Seed{31: 1},
			cut:   "17",
			pack:  twoPacks,
			begin: []string{"4H AS 9D 5S TS TC 6C JS"},
		},
	} {
		shuffler := engine.NewShuffler(test.seed, test.cut)
		for k, want := range test.begin {
			cards := slices.Clone(test.pack)
			shuffler.Shuffle(cards)
			if got := text(cards[:8]); got != want {
				t.Errorf("shuffle %d of %d cards, cut %q begins %s, not %s", k, len(cards), test.cut, got, want)
			}
		}
	}
}

// TestSharedVectors holds the shuffle of a pack that several have cut to the vectors of RECORDS.md, Exactly 41.
func TestSharedVectors(t *testing.T) {
	for _, test := range []struct {
		cuts  []string
		begin []string
	}{
		{[]string{"7", "", "кот"}, []string{"7H TS JH KH KS JD JS 7D", "TC 9H KC 8C 6H 8S 7S 9C"}},
		{[]string{"", "7", "кот"}, []string{"9H 8S 6C JD QC JH KC 7C"}},
		{[]string{"7кот", ""}, nil},
	} {
		shared, single := engine.SharedCuts(test.cuts)
		if test.begin == nil {
			if shared != nil || single != "7кот" {
				t.Errorf("%q are %q together, and %q alone", test.cuts, shared, single)
			}
			continue
		}
		shuffler := engine.NewSharedShuffler(engine.Seed{}, shared)
		for k, want := range test.begin {
			cards := engine.Pack(6)
			shuffler.Shuffle(cards)
			if got := text(cards[:8]); got != want {
				t.Errorf("shuffle %d by %q begins %s, not %s", k, shared, got, want)
			}
		}
	}
}

// TestCutsMeanOneThing: whatever people add and wherever they sit, no two ways to have cut a pack give the same key.
func TestCutsMeanOneThing(t *testing.T) {
	texts := []string{"", "7", "77", "\x01", "\x017", "7\x00", "\x00", "к"}
	seen := map[string]string{}
	for _, a := range texts {
		for _, b := range texts {
			for _, c := range texts {
				cuts := []string{a, b, c}
				shared, single := engine.SharedCuts(cuts)
				shuffler, meant := engine.NewShuffler(engine.Seed{1}, single), fmt.Sprintf("%q", single)
				if shared != nil {
					shuffler, meant = engine.NewSharedShuffler(engine.Seed{1}, shared), fmt.Sprintf("%q", shared)
				}
				pack := append(engine.Pack(2), engine.Pack(2)...)
				shuffler.Shuffle(pack)
				if before, found := seen[text(pack)]; found && before != meant {
					t.Errorf("%s and %s give the same order", before, meant)
				}
				seen[text(pack)] = meant
			}
		}
	}
}

// plainShuffle is the shuffle written a second time from RECORDS.md, "Cards, packs, shuffles", by big numbers and without
// state.
func plainShuffle(seed [32]byte, cut string, k int, cards []engine.Card) {
	mac := func(key []byte, message string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(message))
		return h.Sum(nil)
	}
	key := mac(seed[:], cut)
	used := 0
	uniform := func(n int64) int64 {
		for {
			block := mac(key, fmt.Sprintf("shuffle:%d:%d", k, used/8))
			word := new(big.Int).SetBytes(block[used%8*4 : used%8*4+4])
			used++
			quotient, rest := new(big.Int).DivMod(word, big.NewInt(n), new(big.Int))
			whole := new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), 32), big.NewInt(n))
			if quotient.Cmp(whole) < 0 {
				return rest.Int64()
			}
		}
	}
	for i := int64(len(cards) - 1); i >= 1; i-- {
		j := uniform(i + 1)
		cards[i], cards[j] = cards[j], cards[i]
	}
}

func TestShuffleAgainstPlainOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		var seed engine.Seed
		for i := range seed {
			seed[i] = byte(r.Uint32())
		}
		cut := strings.Repeat("ж", r.IntN(33))
		shuffler := engine.NewShuffler(seed, cut)
		for k := range 3 {
			got := append(engine.Pack(2), engine.Pack(2)...)[:1+r.IntN(104)]
			want := slices.Clone(got)
			shuffler.Shuffle(got)
			plainShuffle(seed, cut, k, want)
			if !slices.Equal(got, want) {
				t.Fatalf("shuffle %d, seed %x, cut %q:\n%s\nnot\n%s", k, seed, cut, text(got), text(want))
			}
		}
	}
}

func TestSharedShuffleAgainstPlainOne(t *testing.T) {
	for _, cuts := range [][]string{{"1", "2"}, {"", "сорок", "\"два\"", ""}, {strings.Repeat("x", engine.MaxCut), "", "y"}} {
		message := "\xff"
		for _, cut := range cuts {
			message += string([]byte{byte(len(cut))}) + cut
		}
		got, want := engine.Pack(2), engine.Pack(2)
		engine.NewSharedShuffler(engine.Seed{5}, cuts).Shuffle(got)
		plainShuffle(engine.Seed{5}, message, 0, want)
		if !slices.Equal(got, want) {
			t.Errorf("cut by %q:\n%s\nnot\n%s", cuts, text(got), text(want))
		}
	}
}

func TestNumberedSeed(t *testing.T) {
	for _, test := range []struct {
		game string
		n    int64
		want string
	}{
		{"tecza", 12345, "dc4b1421e3e367bbab819a013fe900f3af4c31f4d961904c646dd3247bbabe18"},
		{"pauk", 1<<63 - 1, "5a6538f4d179e2b0788bcc598b5bac4b7c319a8b7ae07115b0978be9852525b8"},
	} {
		text, err := engine.NumberedSeed(test.game, test.n).MarshalText()
		if err != nil || string(text) != test.want {
			t.Errorf("the seed of %s:%d is %s, %v", test.game, test.n, text, err)
		}
	}
}

func TestSeedText(t *testing.T) {
	seed := engine.Seed{1, 0xab}
	text, err := seed.MarshalText()
	if err != nil || string(text) != "01ab"+strings.Repeat("0", 60) {
		t.Errorf("a seed is written %s, %v", text, err)
	}
	var back engine.Seed
	if err := back.UnmarshalText(text); err != nil || back != seed {
		t.Errorf("%s is read as %x, %v", text, back, err)
	}
	for _, bad := range []string{"", "01", strings.Repeat("0", 63), strings.Repeat("0", 65), strings.Repeat("g", 64)} {
		if err := back.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read as a seed", bad)
		}
	}
	if got := new(engine.Seed).Commitment(); got != "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925" {
		t.Errorf("the commitment of 64 zeros is %s", got)
	}
}

func TestCards(t *testing.T) {
	for _, low := range []int{2, 6} {
		pack := engine.Pack(low)
		if len(pack) != 4*(15-low) || !slices.IsSorted([]int{pack[0].Rank(), pack[1].Rank()}) {
			t.Errorf("a pack from %d is %s", low, text(pack))
		}
	}
	if got := text(engine.Pack(6)[8:11]); got != "AS 6C 7C" {
		t.Errorf("after the king of spades comes %s", got)
	}
	if engine.Card(0).String() != "--" || engine.Card(255).String() != "--" {
		t.Error("what is no card is not written as a back")
	}
}
