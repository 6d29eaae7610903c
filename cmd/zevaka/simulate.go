package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"zevaka/engine"
)

// simulate is the command that lets computer players play (RECORDS.md, "Numbered deals and the command line").
type simulate struct {
	Game   string            `arg:"" help:"The game, as zevaka."`
	Games  int               `default:"1" placeholder:"N" help:"How many games to play (default 1)."`
	Seed   string            `default:"1" placeholder:"TEXT" help:"Any text. It decides every deal and every player's chance (default 1)."`
	Seats  int               `placeholder:"K" help:"How many play (default 4, with a banker 5, or what the game allows)."`
	Option map[string]string `short:"o" mapsep:"none" placeholder:"KEY=VALUE" help:"An option of the game, as penalty=auto; may be given again."`
	Skill  string            `default:"0.8" help:"How well they look: from 0, overlooking every chance, to 1; or random, for any legal move (default 0.8)."`
	States string            `placeholder:"FILE" help:"Also write every position to this file, as replay --states does."`
}

// defaultSeats is how many play if nobody says it and the game allows it; a banker plays against as many.
const defaultSeats = 4

// Run prints the records to standard output, and to standard error how fast they came and how many patiences came out.
func (c *simulate) Run(std streams) error {
	m, err := c.match()
	if err != nil {
		return err
	}
	states := io.Discard
	if c.States != "" {
		file, err := os.Create(c.States)
		if err != nil {
			return fmt.Errorf("write the positions: %w", err)
		}
		defer file.Close()
		states, m.states = file, true
	}
	out := &printer{records: bufio.NewWriter(std.out), states: bufio.NewWriter(states), total: c.Games}
	if isTerminal(std.err) && !isTerminal(std.out) {
		out.progress = std.err
	}
	// Little lives longer than a game, so that collecting often is a fifth of the work.
	debug.SetGCPercent(400)
	started := time.Now()
	if err := ordered(count(c.Games), m.play, out.print); err != nil {
		return err
	}
	if err := out.flush(); err != nil {
		return err
	}
	seconds := time.Since(started).Seconds()
	fmt.Fprintf(std.err, "%d games, %d moves in %.1f s on %d cores: %.0f games a second, %.0f moves a second\n",
		out.games, out.moves, seconds, runtime.GOMAXPROCS(0), float64(out.games)/seconds, float64(out.moves)/seconds)
	if m.info.MaxSeats == 1 && out.games > 0 {
		n := float64(out.games)
		fmt.Fprintf(std.err, "%d of %d came out: %.1f %%; %.1f cards in place on average\n",
			out.solved, out.games, 100*float64(out.solved)/n, float64(out.score)/n)
	}
	return nil
}

// isTerminal reports whether somebody reads along.
func isTerminal(w io.Writer) bool {
	file, is := w.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}

// match is the games to play, as the flags say.
func (c *simulate) match() (*match, error) {
	rules, err := findGame(c.Game)
	if err != nil {
		return nil, err
	}
	info := rules.Info()
	m := &match{rules: rules, info: info, seed: c.Seed, seats: c.Seats}
	if m.seats == 0 {
		m.seats = min(max(defaultSeats, info.MinSeats), info.MaxSeats)
		if info.Banker {
			m.seats++
		}
	}
	if m.seats < info.MinSeats || m.seats > info.MaxSeats {
		return nil, fmt.Errorf("--seats: %s is for %d to %d, not %d", info.Name, info.MinSeats, info.MaxSeats, m.seats)
	}
	if c.Games < 0 {
		return nil, errors.New("--games: give 0 or more")
	}
	if m.options, err = completeOptions(info, c.Option); err != nil {
		return nil, err
	}
	if c.Skill == "random" {
		m.mover = anyMove
		return m, nil
	}
	skill, err := strconv.ParseFloat(c.Skill, 64)
	if err != nil || !(skill >= 0 && skill <= 1) {
		return nil, fmt.Errorf("--skill: give a number from 0 to 1, or random, not %q", c.Skill)
	}
	m.mover = attentive(skill)
	return m, nil
}

// count yields 0 … n-1.
func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// gameSeed is the seed of the i-th game of a simulation.
func gameSeed(seed string, i int) engine.Seed {
	return sha256.Sum256([]byte("simulate:" + seed + ":" + strconv.Itoa(i)))
}

// printer writes the games played, in order.
type printer struct {
	records, states *bufio.Writer
	// progress is the terminal that waits; nil if there is none.
	progress     io.Writer
	shown        time.Time
	total, games int
	moves        int
	// solved is how many patiences came out, score how many cards were in place in all.
	solved, score int
}

// progressEvery is how often the waiting terminal is told.
const progressEvery = 100 * time.Millisecond

func (p *printer) print(g game) error {
	if g.err != nil {
		return fmt.Errorf("game %d: %w", p.games, g.err)
	}
	if _, err := p.records.Write(append(g.record, '\n')); err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	if _, err := p.states.Write(g.states); err != nil {
		return fmt.Errorf("write the positions: %w", err)
	}
	p.games++
	p.moves += g.moves
	if g.patience != nil {
		p.score += g.patience.Score
		if g.patience.Solved {
			p.solved++
		}
	}
	if p.progress != nil && time.Since(p.shown) > progressEvery {
		p.shown = time.Now()
		const width = 30
		done := width * p.games / p.total
		fmt.Fprintf(p.progress, "\r[%-*s] %d of %d games ", width, strings.Repeat("#", done), p.games, p.total)
	}
	return nil
}

// flush writes what still waits and clears the line of progress.
func (p *printer) flush() error {
	if p.progress != nil && !p.shown.IsZero() {
		fmt.Fprint(p.progress, "\r\x1b[K")
	}
	if err := p.records.Flush(); err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	if err := p.states.Flush(); err != nil {
		return fmt.Errorf("write the positions: %w", err)
	}
	return nil
}
