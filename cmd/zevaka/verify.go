package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// verify is the command by which anybody checks games (RECORDS.md, "A record").
type verify struct {
	File string `arg:"" optional:"" default:"-" help:"The record as the bot gives it, or several, one a line; - is standard input (default -)."`
}

var (
	// errNotAsRecorded says how many records break; where each does was printed.
	errNotAsRecorded = errors.New("not as it is recorded")
	// errNoRecord is the error for input without a record.
	errNoRecord = errors.New("there is no record")
)

// Run prints of each record the seed's commitment, to be compared with what was promised before the cut, each shuffle, and whether
// the moves and the outcome are as the rules have them, or where the first one is that isn't.
func (c *verify) Run(std streams) error {
	in := std.in
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return fmt.Errorf("read the record: %w", err)
		}
		defer file.Close()
		in = file
	}
	catalogue, err := words.Load()
	if err != nil {
		return err
	}
	check := checker{english: catalogue.Lang("en")}
	out := bufio.NewWriter(std.out)
	records, broken := 0, 0
	var unread error
	for l := range lines(in, &unread) {
		records++
		if err := check.verify(out, l); err != nil {
			broken++
			fmt.Fprintf(out, "BROKEN: %v\n", err)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	switch {
	case unread != nil:
		return fmt.Errorf("read the record: %w", unread)
	case records == 0:
		return errNoRecord
	case broken > 0:
		return fmt.Errorf("%w: %d of %d records", errNotAsRecorded, broken, records)
	}
	return nil
}

// verify prints what follows from a record. The error says where it breaks.
func (c checker) verify(out io.Writer, l line) error {
	record, err := engine.ParseRecord(l.text)
	if err != nil {
		return c.explain(err)
	}
	rules, err := findGame(record.Game)
	if err != nil {
		return err
	}
	proof, err := engine.Prove(rules, record)
	fmt.Fprintf(out, "%s, seats: %d\n", record.Game, record.Seats)
	fmt.Fprintf(out, "SHA-256 of the seed, as promised before the cut: %s\n", proof.Commitment)
	for seat, cut := range record.Cuts {
		fmt.Fprintf(out, "cut of seat %d: %q\n", seat, cut)
	}
	if record.Cuts == nil {
		fmt.Fprintf(out, "cut: %q\n", record.Cut)
	}
	for n, pack := range proof.Packs {
		cards := make([]string, len(pack))
		for i, card := range pack {
			cards[i] = card.String()
		}
		fmt.Fprintf(out, "shuffle %d, from the top: %s\n", n, strings.Join(cards, " "))
	}
	if err != nil {
		return c.explain(err)
	}
	fmt.Fprintf(out, "moves: %d, all by the rules\n", proof.Moves)
	if record.Outcome != nil {
		fmt.Fprintln(out, "outcome: as recorded")
	}
	return nil
}
