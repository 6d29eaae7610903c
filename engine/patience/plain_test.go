package patience

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// plain is every patience of the machine written a second time, straight from engine/RULES.md and engine/RECORDS.md: slow, by
// names of piles, and sharing nothing with the machine but cards and the shuffle.
type plain struct {
	game     string
	options  map[string]string
	piles    map[string][]engine.Card
	pass     int
	last     map[string]bool
	base     int
	quit     bool
	shuffler engine.Shuffler
}

// aceLow is the rank with the ace as one.
func aceLow(c engine.Card) int {
	if c.Rank() == engine.Ace {
		return 1
	}
	return c.Rank()
}

// above13 is how far b is above a, round from the king to the ace: 1 when it is the next.
func above13(a, b engine.Card) int { return (aceLow(b) - aceLow(a) + 13) % 13 }

func newPlain(game string, options map[string]string, shuffler engine.Shuffler) *plain {
	p := &plain{game: game, options: options, piles: map[string][]engine.Card{}, last: map[string]bool{}, shuffler: shuffler}
	pack := append(engine.Pack(2), engine.Pack(2)...)
	shuffler.Shuffle(pack)
	next := func(name string, n int) {
		p.piles[name] = append(p.piles[name], pack[:n]...)
		pack = pack[n:]
	}
	switch game {
	case "tecza":
		next("r1", 26)
		if options["bases"] == "1" {
			next("f1", 1)
		} else {
			seen := map[int]bool{}
			for k := 1; k <= 8; {
				if options["distinct"] == "on" && seen[pack[0].Rank()] {
					pack = append(pack[1:len(pack):len(pack)], pack[0])
					continue
				}
				seen[pack[0].Rank()] = true
				next(fmt.Sprint("f", k), 1)
				k++
			}
		}
	case "sklep":
		next("r1", 18)
		next("f1", 1)
	case "zaba":
		next("r1", 13)
		if options["rows"] == "2" {
			next("r2", 13)
		}
	case "gwiazda":
		next("r1", 20)
		next("f1", 1)
	case "polusharia":
		for i := range 40 {
			next(fmt.Sprint("t", i%10+1), 1)
		}
	case "grobnitsa":
		for k := 1; k <= 4; k++ {
			next(fmt.Sprint("a", k), 10)
		}
		for k := 1; k <= 4; k++ {
			next(fmt.Sprint("b", k), 1)
		}
	case "pauk":
		for i, text := range []string{"AS", "AC", "AD", "AH", "KS", "KC", "KD", "KH"} {
			at := slices.IndexFunc(pack, func(c engine.Card) bool { return c.String() == text })
			p.piles[fmt.Sprint("f", i+1)] = []engine.Card{pack[at]}
			pack = slices.Delete(pack, at, at+1)
		}
	}
	if len(p.piles["f1"]) > 0 {
		p.base = aceLow(p.piles["f1"][0])
	}
	slices.Reverse(pack)
	p.piles["stock"] = pack
	p.layWhole()
	return p
}

// layWhole lays out the spider's whole pack.
func (p *plain) layWhole() {
	for p.game == "pauk" && p.options["deal"] == "whole" && len(p.piles["stock"]) > 0 {
		p.draw()
	}
	clear(p.last)
}

// draw turns a card, or lays out a round.
func (p *plain) draw() {
	onto := []string{"turned"}
	if p.game == "grobnitsa" {
		onto = []string{"w1", "w2", "w3", "w4", "w5"}[:5-p.pass]
	}
	if p.game == "pauk" {
		onto = strings.Fields("t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12")
	}
	clear(p.last)
	for _, name := range onto {
		if stock := p.piles["stock"]; len(stock) > 0 {
			p.piles[name] = append(p.piles[name], stock[len(stock)-1])
			p.piles["stock"] = stock[:len(stock)-1]
			p.last[name] = true
		}
	}
}

// gathers are the piles of a redeal, in the order in which they are gathered, and how many passes there are.
func (p *plain) gathers() (names []string, passes int) {
	switch p.game {
	case "tecza":
		return []string{"w1", "w2", "w3"}, map[string]int{"1": 3, "8": 2}[p.options["bases"]]
	case "grobnitsa":
		names = []string{"w1", "w2", "w3", "w4", "w5"}
		if p.options["gather"] == "last-first" {
			slices.Reverse(names)
		}
		return names, 5
	case "pauk":
		return strings.Fields("t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12"), map[string]int{"2": 3, "1": 2, "0": 1}[p.options["redeals"]]
	}
	return nil, 1
}

// takes reports whether a pile takes a card that lies at the top of another, or may leave it.
func (p *plain) takes(to, from string, c engine.Card) bool {
	if to == "turned" {
		return false
	}
	pile := p.piles[to]
	var top engine.Card
	if len(pile) > 0 {
		top = pile[len(pile)-1]
	}
	source := from[:1]
	if from == "turned" || from == "centre" {
		source = from
	}
	switch p.game + " " + to[:1] {
	case "tecza f", "sklep f", "zaba f", "gwiazda f":
		base := p.base
		if p.game == "zaba" {
			base = 1
		}
		if top == 0 {
			return aceLow(c) == base && p.firstEmpty(to)
		}
		return len(pile) < 13 && above13(top, c) == 1 && (p.options["suit"] != "strict" || top.Suit() == c.Suit())
	case "tecza r", "gwiazda r":
		return top != 0 && source != "r" && above13(c, top) == 1
	case "tecza w", "sklep w", "zaba w", "gwiazda w", "polusharia w":
		return source == "turned"
	case "polusharia f":
		if top == 0 {
			return aceLow(c) == 1 && p.firstEmpty(to)
		}
		return c.Suit() == top.Suit() && aceLow(c) == aceLow(top)+1
	case "polusharia t":
		if top == 0 {
			return p.options["space"] == "any" || source != "t"
		}
		return c.Suit() == top.Suit() && aceLow(c) == aceLow(top)-1
	case "grobnitsa f":
		if top == 0 {
			for _, other := range []string{"f1", "f2", "f3", "f4"} {
				if len(p.piles[other]) > 0 && p.piles[other][0].Suit() == c.Suit() {
					return false
				}
			}
			return aceLow(c) == 13 && p.firstEmpty(to)
		}
		return len(pile) < 26 && c.Suit() == top.Suit() && above13(c, top) == 1
	case "grobnitsa c":
		if top == 0 {
			return aceLow(c) == 1
		}
		return c.Suit() == top.Suit() && aceLow(c) == aceLow(top)+1
	case "grobnitsa b":
		return top == 0 || aceLow(top) != 1 && c.Suit() == top.Suit() && aceLow(c) == aceLow(top)+1
	case "pauk f", "pauk t":
		return p.spiderTakes(to, from, c, top)
	}
	return false
}

func (p *plain) spiderTakes(to, from string, c, top engine.Card) bool {
	if len(p.piles["stock"]) > 0 && (to[0] != 'f' || !p.last[from]) {
		return false
	}
	if to[0] == 't' {
		difference := aceLow(c) - aceLow(top)
		return top != 0 && (difference == 1 || difference == -1) && (p.options["build"] == "any" || c.Suit() == top.Suit())
	}
	ace := to <= "f4"
	if c.Suit() != top.Suit() || ace && aceLow(c) != aceLow(top)+1 || !ace && aceLow(c) != aceLow(top)-1 {
		return false
	}
	if p.pass > 0 || p.options["restrict"] == "none" {
		return true
	}
	beside := map[string]string{
		"t3": "f1", "t4": "f2", "t5": "f3", "t6": "f4", "t12": "f5", "t11": "f6", "t10": "f7", "t9": "f8",
	}[from]
	switch {
	case beside == "":
		return true
	case p.options["restrict"] == "adjacent":
		return to == beside
	}
	return ace == (beside <= "f4")
}

// firstEmpty reports that every foundation before an empty one has begun.
func (p *plain) firstEmpty(to string) bool {
	for k := '1'; k < rune(to[1]); k++ {
		if len(p.piles["f"+string(k)]) == 0 {
			return false
		}
	}
	return true
}

// legal lists the legal moves.
func (p *plain) legal(names []string) []string {
	if p.over(names) {
		return nil
	}
	return append(p.moves(names), "quit")
}

func (p *plain) over(names []string) bool {
	home := 0
	for name, pile := range p.piles {
		if name[0] == 'f' {
			home += len(pile)
		}
	}
	return p.quit || home == 104 || len(p.moves(names)) == 0
}

func (p *plain) moves(names []string) []string {
	var list []string
	if len(p.piles["turned"]) == 0 {
		gathers, passes := p.gathers()
		any := false
		for _, name := range gathers {
			any = any || len(p.piles[name]) > 0
		}
		if len(p.piles["stock"]) > 0 {
			list = append(list, "draw")
		} else if any && p.pass+1 < passes {
			list = append(list, "redeal")
		}
	}
	for _, from := range names {
		if from[0] == 'f' || from == "stock" {
			continue
		}
		for at, c := range p.piles[from] {
			place := fmt.Sprint("@", at)
			if at == len(p.piles[from])-1 {
				place = ""
			} else if p.game != "zaba" || p.options["rows"] != "1" || from != "r1" || aceLow(c) != 1 {
				continue
			}
			for _, to := range names {
				if to != from && p.takes(to, from, c) {
					list = append(list, "put "+from+place+" "+to)
				}
			}
		}
	}
	return list
}

// apply makes a legal move.
func (p *plain) apply(text string) {
	words := strings.Fields(text)
	switch words[0] {
	case "draw":
		p.draw()
	case "redeal":
		names, _ := p.gathers()
		var list []engine.Card
		for _, name := range names {
			list = append(list, p.piles[name]...)
			p.piles[name] = nil
		}
		if p.game == "tecza" {
			p.shuffler.Shuffle(list)
		}
		slices.Reverse(list)
		p.piles["stock"] = list
		p.pass++
		p.layWhole()
	case "quit":
		p.quit = true
	case "put":
		from, place, named := strings.Cut(words[1], "@")
		at := len(p.piles[from]) - 1
		if named {
			at, _ = strconv.Atoi(place)
		}
		p.piles[words[2]] = append(p.piles[words[2]], p.piles[from][at])
		p.piles[from] = slices.Delete(slices.Clone(p.piles[from]), at, at+1)
		p.last[from] = false
		if wall := "a" + from[1:]; p.game == "grobnitsa" && from[0] == 'b' && len(p.piles[from]) == 0 && len(p.piles[wall]) > 0 {
			n := len(p.piles[wall]) - 1
			p.piles[from] = []engine.Card{p.piles[wall][n]}
			p.piles[wall] = p.piles[wall][:n]
		}
	}
}

var plainDeals = flag.Int64("plain.deals", 2, "how many deals of each form TestPlain plays")

// TestPlain plays every form of every patience of the machine beside its second writing: the cards lie the same and the
// same moves are legal after each move.
func TestPlain(t *testing.T) {
	for _, rules := range []Rules{Tecza, Sklep, Zaba, Gwiazda, Polusharia, Grobnitsa, Pauk} {
		for _, options := range combinations(rules) {
			for deal := range *plainDeals {
				t.Run(fmt.Sprint(rules.Info().Name, " ", options, " ", deal), func(t *testing.T) { besidePlain(t, rules, options, deal) })
			}
		}
	}
}

// combinations are all choices of options, as enginetest.Options reads them.
func combinations(rules engine.Rules) []string {
	list := []string{""}
	for _, option := range rules.Info().Options {
		var longer []string
		for _, text := range list {
			for _, value := range option.Values {
				longer = append(longer, text+" "+option.Name+"="+value)
			}
		}
		list = longer
	}
	return list
}

func besidePlain(t *testing.T, rules Rules, text string, deal int64) {
	options := enginetest.Options(t, rules, text)
	seed := engine.NumberedSeed(rules.Info().Name, deal)
	st := dealt(t, rules, text, engine.NewShuffler(seed, ""))
	p := newPlain(rules.Info().Name, options, engine.NewShuffler(seed, ""))
	r := rand.New(rand.NewPCG(uint64(deal), 1))
	var names []string
	for _, pile := range st.View(0).Piles {
		names = append(names, pile.Name)
	}
	for n := 0; ; n++ {
		for _, pile := range st.View(engine.Referee).Piles {
			if want := p.piles[pile.Name]; !slices.Equal(pile.Cards, want) {
				t.Fatalf("after %d moves %s is %s, not %s", n, pile.Name, enginetest.Cards(pile.Cards), enginetest.Cards(want))
			}
		}
		got := strings.Split(enginetest.MoveTexts(rules, st.Moves(0, nil)), ", ")
		want := p.legal(names)
		sort.Strings(got)
		sort.Strings(want)
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Fatalf("after %d moves the legal ones are\n%v, not\n%v", n, got, want)
		}
		if len(want) == 0 {
			return
		}
		text := want[r.IntN(len(want))]
		if deal%2 == 0 {
			text = eager(r, want)
		}
		if n >= 600 {
			text = "quit"
		}
		move, err := rules.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Apply(engine.Step{Move: move}); err != nil {
			t.Fatalf("move %d, %s: %v", n+1, text, err)
		}
		p.apply(text)
	}
}

// eager prefers foundations, and gives up last.
func eager(r *rand.Rand, legal []string) string {
	r.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	for _, text := range legal {
		if i := strings.LastIndex(text, " f"); i > 0 {
			return text
		}
	}
	for _, text := range legal {
		if text != "quit" {
			return text
		}
	}
	return "quit"
}
