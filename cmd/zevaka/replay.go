package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// replay is the command that checks records (RECORDS.md, "Numbered deals and the command line").
type replay struct {
	File   string `arg:"" optional:"" default:"-" help:"The records, one a line; - is standard input (default -)."`
	States bool   `help:"Print every position of each record, one a line."`
}

// errBroken says how many records broke a rule; which ones was said before.
var errBroken = errors.New("broken records")

// Run checks the records. It prints to standard error which of them break a rule, at which move, and which rule, and with
// --states to standard output every position.
func (c *replay) Run(std streams) error {
	in := std.in
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return fmt.Errorf("read the records: %w", err)
		}
		defer file.Close()
		in = file
	}
	catalogue, err := words.Load()
	if err != nil {
		return err
	}
	check := checker{english: catalogue.Lang("en"), states: c.States}
	out := bufio.NewWriter(std.out)
	var records, moves, broken int
	var unread error
	err = ordered(lines(in, &unread), check.record, func(v verdict) error {
		records++
		moves += v.moves
		if v.err != nil {
			broken++
			fmt.Fprintf(std.err, "zevaka: line %d: %v\n", v.line, v.err)
		}
		_, err := out.Write(v.states)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	switch {
	case err != nil:
		return fmt.Errorf("write the positions: %w", err)
	case unread != nil:
		return fmt.Errorf("read the records: %w", unread)
	case broken > 0:
		return fmt.Errorf("%w: %d of %d", errBroken, broken, records)
	}
	fmt.Fprintf(std.err, "%d records, %d moves: all in order\n", records, moves)
	return nil
}

// line is a line of the input and its number, from 1.
type line struct {
	number int
	text   []byte
}

// lines yields the lines that are not blank, without the mark with which some programs begin a file. What an editor has spread over lines is one,
// from that which is a brace to that which begins with its other half. Of a line longer than a record may be it yields one byte more than that.
// What ends the reading before the end of the input stands in unread when the last line has been yielded.
func lines(r io.Reader, unread *error) iter.Seq[line] {
	return func(yield func(line) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var now line
		isSpread := false
		for number := 1; ; number++ {
			text, err := readLine(in, engine.MaxRecord+1)
			if number == 1 {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			if isSpread {
				now.text = append(append(now.text, '\n'), text...)
				now.text = now.text[:min(len(now.text), engine.MaxRecord+1)]
			} else {
				now = line{number, text}
				isSpread = string(bytes.TrimSpace(text)) == "{"
			}
			if isSpread && err == nil && !bytes.HasPrefix(text, []byte("}")) {
				continue
			}
			if len(bytes.TrimSpace(now.text)) > 0 && !yield(now) {
				return
			}
			isSpread = false
			if err == nil {
				continue
			}
			if err != io.EOF {
				*unread = err
			}
			return
		}
	}
}

// readLine reads a line to its end and returns at most its first limit bytes, without the line break.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part[:min(len(part), limit+1-len(text))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			text = bytes.TrimRight(text, "\r\n")
			return text[:min(len(text), limit)], err
		}
	}
}

// checker replays records.
type checker struct {
	english *words.Lang
	// states says that the positions are wanted.
	states bool
}

// verdict is what became of a record: its positions up to where it broke a rule.
type verdict struct {
	line, moves int
	states      []byte
	err         error
}

func (c checker) record(l line) verdict {
	v := verdict{line: l.number}
	record, err := engine.ParseRecord(l.text)
	if err != nil {
		v.err = c.explain(err)
		return v
	}
	rules, err := findGame(record.Game)
	if err != nil {
		v.err = err
		return v
	}
	v.err = c.explain(engine.Replay(rules, record, func(n int, step string, st engine.State) error {
		v.moves = n
		if c.states {
			v.states = append(engine.AppendState(v.states, n, step, st), '\n')
		}
		return nil
	}))
	return v
}

// explain puts the sentence that players read in the place of a Refusal's name.
func (c checker) explain(err error) error {
	var refusal engine.Refusal
	if !errors.As(err, &refusal) || !c.english.Has("no."+string(refusal)) {
		return err
	}
	before, _ := strings.CutSuffix(err.Error(), string(refusal))
	return errors.New(before + c.english.Say("no."+string(refusal)))
}
