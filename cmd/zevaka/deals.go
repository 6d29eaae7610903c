package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"zevaka/engine"
	"zevaka/engine/patience/deals"

	"zevaka/engine/patience"
)

// bank are the commands for the numbered deals that are known to come out.
type bank struct {
	Make  makeBank  `cmd:"" help:"Look for numbered deals that come out, and write them to the files that the program is built with."`
	Check checkBank `cmd:"" help:"Find the win of each deal of the bank again, and play it through the rules."`
}

// makeBank is the command that looks for deals.
type makeBank struct {
	Games    []string `arg:"" optional:"" name:"game" help:"The patiences, as tecza (default all)."`
	Deals    int      `default:"3650" placeholder:"N" help:"How many deals of each to find (default 3650: one for each day of ten years)."`
	Thorough int64    `default:"1000" placeholder:"N" help:"How many numbers to look at thoroughly, at most 1000 (default 1000)."`
	Dir      string   `default:"engine/patience/deals/bank" placeholder:"FOLDER" help:"Where the files lie. What is there already is gone on with."`
}

// saveEvery is how often the bank's file is written while it grows.
const saveEvery = 10 * time.Second

// Run looks until there are as many deals as asked for, and then thoroughly among the first numbers. It may be stopped, and goes on
// from there another time.
func (c *makeBank) Run(std streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	games, err := patiencesNamed(c.Games)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.Dir); err != nil {
		return fmt.Errorf("look for the folder of the bank: %w", err)
	}
	for _, rules := range games {
		g := growing{rules: rules, path: filepath.Join(c.Dir, rules.Info().Name+".bin"), saved: time.Now(), said: std.err}
		if err := g.load(); err != nil {
			return err
		}
		if err := errors.Join(g.widen(ctx, c.Deals), g.deepen(ctx, min(deals.Thorough, c.Thorough)), g.save()); err != nil {
			return err
		}
	}
	return nil
}

// growing is a patience's bank that grows.
type growing struct {
	deals.Patience
	rules engine.Rules
	path  string
	saved time.Time
	// said is where it says how far it is.
	said io.Writer
}

// load reads what there is.
func (g *growing) load() error {
	name := g.rules.Info().Name
	g.Patience = deals.Patience{Game: name, Tries: patience.Tries(g.rules)}
	data, err := os.ReadFile(g.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read the bank: %w", err)
	}
	if g.Patience, err = deals.Decode(name, data); err != nil {
		return fmt.Errorf("read the bank: %s: %w", g.path, err)
	}
	return nil
}

// save writes it, with the lines between the levels drawn anew.
func (g *growing) save() error {
	g.saved = time.Now()
	g.Patience = g.Rated()
	fmt.Fprintf(g.said, "%s: %d of %d\n", g.Game, len(g.Deals), g.Searched)
	return replaceFile(g.path, g.Encode())
}

// sought is what came of the search for a win.
type sought struct {
	deals.Deal
	comes bool
}

// widen looks at further numbers, until there are so many deals.
func (g *growing) widen(ctx context.Context, enough int) error {
	from, tries := g.Searched, g.Tries
	numbers := func(yield func(int64) bool) {
		for n := from; ctx.Err() == nil && yield(n); n++ {
		}
	}
	look := func(n int64) sought {
		deal, comes := deals.Seek(g.rules, n, tries, false)
		return sought{deal, comes}
	}
	err := ordered(numbers, look, func(s sought) error {
		if len(g.Deals) >= enough {
			return errEnough
		}
		g.Searched++
		if s.comes {
			g.Deals = append(g.Deals, s.Deal)
		}
		return g.saveNow()
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return errors.Join(err, ctx.Err())
}

// errEnough ends a search.
var errEnough = errors.New("enough")

// deepen looks thoroughly at the first numbers for which no win is known.
func (g *growing) deepen(ctx context.Context, below int64) error {
	known := map[int64]bool{}
	for _, d := range g.Deals {
		known[d.Number] = true
	}
	from, below, tries := g.Thoroughly, min(below, g.Searched), g.Tries
	numbers := func(yield func(int64) bool) {
		for n := from; n < below && ctx.Err() == nil && yield(n); n++ {
		}
	}
	look := func(n int64) sought {
		if known[n] {
			return sought{}
		}
		deal, comes := deals.Seek(g.rules, n, tries, true)
		return sought{deal, comes}
	}
	err := ordered(numbers, look, func(s sought) error {
		g.Thoroughly++
		if s.comes {
			at, _ := slices.BinarySearchFunc(g.Deals, s.Number, func(d deals.Deal, n int64) int { return cmp.Compare(d.Number, n) })
			g.Deals = slices.Insert(g.Deals, at, s.Deal)
		}
		return g.saveNow()
	})
	return errors.Join(err, ctx.Err())
}

// saveNow writes the bank if it is time to.
func (g *growing) saveNow() error {
	if time.Since(g.saved) < saveEvery {
		return nil
	}
	return g.save()
}

// replaceFile puts a file in the place of another, whole or not at all.
func replaceFile(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return fmt.Errorf("write the bank: %w", err)
	}
	return os.Rename(path+".new", path)
}

// checkBank is the command that finds all wins again.
type checkBank struct {
	Games  []string `arg:"" optional:"" name:"game" help:"The patiences, as tecza (default all)."`
	Sample int      `placeholder:"N" help:"Check only so many of each, spread over all."`
}

// Run says of each patience how many deals came out, how many of its numbers do at least, and how its levels are spread; it fails
// if one deal doesn't come out.
func (c *checkBank) Run(std streams) error {
	games, err := patiencesNamed(c.Games)
	if err != nil {
		return err
	}
	started, all, bad := time.Now(), 0, 0
	for _, rules := range games {
		p := deals.Of(rules.Info().Name)
		sample := spread(p.Deals, c.Sample)
		if len(sample) == 0 {
			return fmt.Errorf("the bank has no deal of %s", p.Game)
		}
		from := time.Now()
		came := 0
		type answer struct {
			deals.Deal
			comes bool
		}
		comes := func(d deals.Deal) answer { return answer{d, deals.Comes(rules, d)} }
		if err := ordered(slices.Values(sample), comes, func(a answer) error {
			if a.comes {
				came++
			} else {
				fmt.Fprintf(std.out, "%s: deal %d does not come out\n", p.Game, a.Number)
			}
			return nil
		}); err != nil {
			return err
		}
		all, bad = all+len(sample), bad+len(sample)-came
		fmt.Fprintf(std.out, "%-11s%5d of %d come out, in %.1f s; %s\n", p.Game, came, len(sample), time.Since(from).Seconds(), p)
	}
	fmt.Fprintf(std.out, "%d of %d deals come out, in %.1f s on %d cores\n", all-bad, all, time.Since(started).Seconds(), runtime.GOMAXPROCS(0))
	if bad > 0 {
		return fmt.Errorf("%d deals of the bank do not come out", bad)
	}
	return nil
}

// spread are n of some deals, from the first to the last; all of them where n is 0 or they are fewer.
func spread(all []deals.Deal, n int) []deals.Deal {
	if n <= 0 || n >= len(all) {
		return all
	}
	some := make([]deals.Deal, n)
	for i := range some {
		some[i] = all[i*(len(all)-1)/max(1, n-1)]
	}
	return some
}

// patiencesNamed are the rules of the patiences of these names, or of all if none is named.
func patiencesNamed(names []string) ([]engine.Rules, error) {
	if len(names) == 0 {
		return patience.All(), nil
	}
	var games []engine.Rules
	for _, name := range names {
		rules := deals.Rules(strings.ToLower(name))
		if rules == nil {
			return nil, fmt.Errorf("there is no patience %q", name)
		}
		games = append(games, rules)
	}
	return games, nil
}
