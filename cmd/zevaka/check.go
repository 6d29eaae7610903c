package main

import (
	"errors"
	"fmt"
	"os"

	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// check is the command that reads a whole database and says what is wrong with it: with its pages, with values that
// aren't as they were written, and with items that aren't what their keys say.
type check struct {
	database
	File string `arg:"" optional:"" help:"The database or a backup of it (default the one of --db)."`
}

// errWrong says how much is wrong; what it is was said before.
var errWrong = errors.New("is not in order")

// Run changes nothing. What is wrong goes to standard error, a line each, with the key that it concerns.
func (c *check) Run() error {
	file := c.File
	if file == "" {
		file = c.DB
	}
	wrong := 0
	r, err := bolt.Check(file, upkeep.Examine(games.All()), func(err error) {
		wrong++
		fmt.Fprintf(os.Stderr, "zevaka: %v\n", err)
	})
	switch {
	case errors.Is(err, bolt.ErrInUse):
		return fmt.Errorf("%w; while it serves check a backup", err)
	case err != nil:
		return err
	case wrong > 0:
		return fmt.Errorf("%s %w: %d wrong of %d items, format %d", file, errWrong, wrong, r.Items, r.Format)
	}
	under := ""
	if r.Old != r.Format {
		under = fmt.Sprintf(" (still being brought from format %d; the next start goes on)", r.Old)
	}
	fmt.Printf("%s: %d items, %s, format %d%s: all in order\n", file, r.Items, megabytes(r.Size), r.Format, under)
	return nil
}
