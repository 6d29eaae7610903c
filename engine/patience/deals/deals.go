// Package deals is a bank of numbered deals that are known to come out (RECORDS.md, "Numbered deals and the command line"): for
// each patience some thousands, with default options, in the order of their numbers. Each says how hard it is, and how its win
// is found again. The bank is made, and all of it checked, by `zevaka deals`.
package deals

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"zevaka/engine"
	"zevaka/engine/patience"
)

//go:embed bank
var bank embed.FS

// Level is how hard a deal is, by how often the computer player in a hurry, who sees no more than a player does, brings it out
// (Patience.Tries): 1,000 games by rule of thumb where the player sorts a stock into piles, but 16 with a little weighing in Tęcza,
// where that never wins; 8 or 12 with a short look ahead in the others. The lines are drawn for each patience where its deals
// fall into three parts as even as they can be: what is hard in one says nothing of another. They are never quite even, and each part is
// a sixth of the deals at least: in all but Żaba and «Полушарія» the hard ones are those that were never won, and of «Полушарія» nearly
// half were won each time, and are easy. Past the first thousand numbers (Thorough) the bank has those alone whose win was found with
// little effort.
type Level uint8

// The levels. The zero Level is any of them.
const (
	Easy Level = 1 + iota
	Medium
	Hard
)

// Levels are the names of the levels, from Easy on, and last that of any of them.
func Levels() []string { return []string{"easy", "medium", "hard", "any"} }

// Deal is a numbered deal that comes out.
type Deal struct {
	Number int64
	Level  Level
	// Attempt is the way in which patience.Win finds its win.
	Attempt int
	// Wins are how many of the Patience's Tries the computer player in a hurry won.
	Wins int
}

// Patience is what the bank has of one patience.
type Patience struct {
	// Game is its name.
	Game string
	// Searched is how many numbers, from 0, were looked at, and Thoroughly how many of them in every way that there is. Those that
	// aren't among the Deals may come out, too, but no way was found.
	Searched, Thoroughly int64
	// Tries are how often the computer player in a hurry was let at each deal.
	Tries int
	// Easy and Medium are at how many wins a deal is easy, and medium.
	Easy, Medium int
	// Deals are in the order of their numbers.
	Deals []Deal
}

// Games are the patiences that have a bank, in the order in which they are offered.
func Games() []string {
	var names []string
	for _, rules := range patience.All() {
		if name := rules.Info().Name; len(Bank(name)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// Of is what the bank has of a patience; nothing but the name where there is none of that name.
func Of(game string) Patience {
	data, err := bank.ReadFile("bank/" + game + ".bin")
	if err != nil {
		return Patience{Game: game}
	}
	p, err := Decode(game, data)
	if err != nil {
		return Patience{Game: game}
	}
	return p
}

// Bank are a patience's deals in the order of their numbers; nil where there are none.
func Bank(game string) []Deal { return Of(game).Deals }

// OfDay is a patience's deal of a day, the same everywhere; days count from 1970-01-01 UTC. In one round through the bank each
// deal has its day, in an order that nobody would guess and that differs from round to round. False: the patience has no bank.
func OfDay(game string, day int64) (Deal, bool) {
	deals := Bank(game)
	if len(deals) == 0 {
		return Deal{}, false
	}
	n := int64(len(deals))
	round, at := day/n, day%n
	if at < 0 {
		round, at = round-1, at+n
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	r := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("deals of days:" + game + ":" + strconv.FormatInt(round, 10)))))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return deals[order[at]], true
}

// Featured is the patience that is put first on a day: each in turn.
func Featured(day int64) string {
	games := patience.All()
	n := int64(len(games))
	return games[(day%n+n)%n].Info().Name
}

// Pick is a deal of a level by chance, of any where the level is zero. False: the patience has none.
func Pick(game string, level Level, r *rand.Rand) (Deal, bool) {
	deals := Bank(game)
	if level != 0 {
		deals = slices.DeleteFunc(deals, func(d Deal) bool { return d.Level != level })
	}
	if len(deals) == 0 {
		return Deal{}, false
	}
	return deals[r.IntN(len(deals))], true
}

// LevelOf is how hard a numbered deal is, by the usual rules; 0 for one that isn't in the bank.
func LevelOf(game string, number int64) Level {
	deals := Bank(game)
	i, ok := slices.BinarySearchFunc(deals, number, func(d Deal, n int64) int { return cmp.Compare(d.Number, n) })
	if !ok {
		return 0
	}
	return deals[i].Level
}

// Rules are those of a patience; nil if there is none of that name.
func Rules(game string) engine.Rules {
	for _, rules := range patience.All() {
		if rules.Info().Name == game {
			return rules
		}
	}
	return nil
}

// format is the first byte of a bank's file.
const format = 1

// Decode reads what Encode has written.
func Decode(game string, data []byte) (Patience, error) {
	p := Patience{Game: game}
	r := reader{data: data}
	if r.byte() != format {
		return p, errFormat
	}
	p.Tries, p.Medium, p.Easy = int(r.number()), int(r.number()), int(r.number())
	p.Searched, p.Thoroughly = r.number(), r.number()
	next := int64(0)
	for len(r.data) > 0 {
		number := next + r.number()
		d := Deal{Number: number, Attempt: r.byte(), Wins: int(r.number())}
		d.Level = p.level(d.Wins)
		p.Deals = append(p.Deals, d)
		next = number + 1
	}
	if r.short || next > p.Searched || p.Thoroughly > p.Searched {
		return Patience{Game: game}, errFormat
	}
	return p, nil
}

// level is how hard a deal is that was won so often.
func (p Patience) level(wins int) Level {
	switch {
	case wins >= p.Easy:
		return Easy
	case wins >= p.Medium:
		return Medium
	}
	return Hard
}

// errFormat says that a file is no bank.
const errFormat engine.Refusal = "no-bank"

// Encode writes a bank as its file: a byte for the format; the tries, at how many wins a deal is medium and easy, how many numbers
// were searched, and how many thoroughly; then for each deal how many numbers lie between it and the one before, a byte for its attempt, and its wins.
// All but the two bytes are unsigned varints.
func (p Patience) Encode() []byte {
	data := []byte{format}
	for _, n := range []int64{int64(p.Tries), int64(p.Medium), int64(p.Easy), p.Searched, p.Thoroughly} {
		data = binary.AppendUvarint(data, uint64(n))
	}
	next := int64(0)
	for _, d := range p.Deals {
		data = binary.AppendUvarint(data, uint64(d.Number-next))
		data = append(data, byte(d.Attempt))
		data = binary.AppendUvarint(data, uint64(d.Wins))
		next = d.Number + 1
	}
	return data
}

// Rated is the bank with the lines between the levels drawn anew, so that each has a third of the deals or as near to it as can be.
func (p Patience) Rated() Patience {
	wins := make([]int, len(p.Deals))
	for i, d := range p.Deals {
		wins[i] = d.Wins
	}
	slices.Sort(wins)
	p.Medium, p.Easy = line(wins, len(wins)/3, 1), line(wins, 2*len(wins)/3, 2)
	p.Easy = max(p.Easy, p.Medium+1)
	p.Deals = slices.Clone(p.Deals)
	for i, d := range p.Deals {
		p.Deals[i].Level = p.level(d.Wins)
	}
	return p
}

// line is the number of wins, at least least, from which on there are so many below as near as can be.
func line(sorted []int, below, least int) int {
	best, off := least, len(sorted)+1
	for _, wins := range append([]int{least}, sorted...) {
		at, _ := slices.BinarySearch(sorted, wins)
		if d := max(at-below, below-at); wins >= least && d < off {
			best, off = wins, d
		}
	}
	return best
}

// reader reads a file of a bank.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) byte() int {
	if len(r.data) == 0 {
		r.short = true
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return int(b)
}

func (r *reader) number() int64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > 1<<40 {
		r.short, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int64(n)
}

// Out is how many of the first numbers, at most Thorough of them, are known to come out.
func (p Patience) Out() (out, of int) {
	last := min(Thorough, p.Searched)
	out, _ = slices.BinarySearchFunc(p.Deals, last, func(d Deal, number int64) int { return cmp.Compare(d.Number, number) })
	return out, int(last)
}

// Odds are how many of a hundred deals of a patience come out for the computer player, who sees no more than a player does, and how
// many at least can come out: as many, or those of which a win is known. False: the patience has no bank.
func Odds(game string) (computer, least int, ok bool) {
	p := Of(game)
	out, of := p.Out()
	if of == 0 {
		return 0, 0, false
	}
	computer = (byComputer(game) + 5) / 10
	return computer, max(computer, 100*out/of), true
}

// byComputer is how many of a thousand deals of a patience come out for the computer player, as `zevaka simulate` tells of a thousand
// games (zevaka simulate tecza --games 1000).
func byComputer(game string) int {
	return map[string]int{
		"tecza": 85, "sklep": 175, "zaba": 487, "gwiazda": 47, "polusharia": 99, "grobnitsa": 150, "paganini": 38, "pauk": 597,
	}[game]
}

// String says how many of the numbers searched come out at least, and how the levels are spread.
func (p Patience) String() string {
	var levels [Hard + 1]int
	for _, d := range p.Deals {
		levels[d.Level]++
	}
	out, of := p.Out()
	return fmt.Sprintf("at least %d of the first %d numbers; won %d times of %d or more: %d easy, %d or more: %d medium, else: %d hard",
		out, of, p.Easy, p.Tries, levels[Easy], p.Medium, levels[Medium], levels[Hard])
}
