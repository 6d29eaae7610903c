package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
)

// Seed is what decides every shuffle of a deal, together with the cut. It is secret until the deal is over.
type Seed [32]byte

// NumberedSeed is the seed of a game's deal number n, from 0: the same for everybody, and so no secret (RECORDS.md,
// "Numbered deals and the command line"). Such a deal is not cut.
func NumberedSeed(game string, n int64) Seed {
	return sha256.Sum256([]byte(game + ":" + strconv.FormatInt(n, 10)))
}

// MaxCut is how many bytes a cut may have.
const MaxCut = 64

// Commitment is SHA-256 of the seed in hex: shown before the deal, so that nobody can change the seed afterwards.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// MarshalText writes the seed as 64 hex digits.
func (s Seed) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText reads 64 hex digits.
func (s *Seed) UnmarshalText(text []byte) error {
	if len(text) != 2*len(s) {
		return fmt.Errorf("a seed has 64 hex digits, not %d characters", len(text))
	}
	_, err := hex.Decode(s[:], text)
	return err
}

// A Shuffler puts cards into the order in which they will be drawn: element 0 is the top of the pack.
type Shuffler interface {
	Shuffle([]Card)
}

// NewShuffler is the shuffler of one deal (RECORDS.md, "Cards, packs, shuffles"): its first call is shuffle 0, the
// deal; later calls are the reshuffles.
func NewShuffler(seed Seed, cut string) Shuffler { return keyed(seed, []byte(cut)) }

// NewSharedShuffler is NewShuffler for a pack that several have cut: the cuts are those of the seats in their order, each at
// most MaxCut bytes, "" of a seat that added nothing.
func NewSharedShuffler(seed Seed, cuts []string) Shuffler {
	message := []byte{sharedMark}
	for _, cut := range cuts {
		message = append(append(message, byte(min(len(cut), MaxCut))), cut[:min(len(cut), MaxCut)]...)
	}
	return keyed(seed, message)
}

// sharedMark begins what several have added: no text in UTF-8 has that byte, so no single cut means the same.
const sharedMark = 0xff

func keyed(seed Seed, message []byte) Shuffler {
	mac := hmac.New(sha256.New, seed[:])
	mac.Write(message)
	return &shuffler{key: mac.Sum(nil)}
}

// SharedCuts are the cuts of a deal's seats where several have cut, and nil where at most one has: then the pack is cut by
// that text alone, or by "". So what people have added can be meant in one way only.
func SharedCuts(cuts []string) (shared []string, single string) {
	n := 0
	for _, cut := range cuts {
		if cut != "" {
			n, single = n+1, cut
		}
	}
	if n > 1 {
		return cuts, ""
	}
	return nil, single
}

type shuffler struct {
	key []byte
	k   int
}

func (s *shuffler) Shuffle(cards []Card) {
	words := newWordStream(s.key, s.k)
	s.k++
	for i := len(cards) - 1; i > 0; i-- {
		j := words.below(uint32(i + 1))
		cards[i], cards[j] = cards[j], cards[i]
	}
}

// wordStream is the stream of 32-bit words of one shuffle.
type wordStream struct {
	mac   hash.Hash
	label []byte // "shuffle:K:", to be followed by the number of the block
	block int64
	sum   [sha256.Size]byte
	rest  []byte
}

func newWordStream(key []byte, k int) *wordStream {
	return &wordStream{mac: hmac.New(sha256.New, key), label: []byte("shuffle:" + strconv.Itoa(k) + ":")}
}

func (w *wordStream) next() uint32 {
	if len(w.rest) == 0 {
		w.mac.Reset()
		w.mac.Write(strconv.AppendInt(w.label, w.block, 10))
		w.rest = w.mac.Sum(w.sum[:0])
		w.block++
	}
	word := binary.BigEndian.Uint32(w.rest)
	w.rest = w.rest[4:]
	return word
}

// below is uniform on 0 … n-1: words at or above the largest multiple of n are thrown away.
func (w *wordStream) below(n uint32) uint32 {
	limit := (uint64(1) << 32) / uint64(n) * uint64(n)
	for {
		if word := w.next(); uint64(word) < limit {
			return word % n
		}
	}
}
