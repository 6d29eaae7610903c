package main

import (
	"context"
	"errors"
	"fmt"

	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
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
func (c *check) Run(std streams) error {
	p, err := c.place()
	if c.File != "" {
		p, err = place{file: c.File}, nil
	}
	if err != nil {
		return err
	}
	wrong := 0
	found := func(err error) {
		wrong++
		fmt.Fprintf(std.err, "zevaka: %v\n", err)
	}
	if p.file == "" {
		n, err := c.examine(found)
		switch {
		case err != nil:
			return err
		case wrong > 0:
			return fmt.Errorf("%s %w: %d wrong of %d items", p, errWrong, wrong, n)
		}
		fmt.Fprintf(std.out, "%s: %d items: all in order\n", p, n)
		return nil
	}
	r, err := bolt.Check(p.file, upkeep.Examine(games.All()), found)
	if errors.Is(err, bolt.ErrInUse) {
		err = c.withCopy(p, func(file string) (err error) {
			r, err = bolt.Check(file, upkeep.Examine(games.All()), found)
			return err
		})
	}
	switch {
	case err != nil:
		return err
	case wrong > 0:
		return fmt.Errorf("%s %w: %d wrong of %d items, format %d", p, errWrong, wrong, r.Items, r.Format)
	}
	under := ""
	if r.Old != r.Format {
		under = fmt.Sprintf(" (still being brought from format %d; the next start goes on)", r.Old)
	}
	fmt.Fprintf(std.out, "%s: %d items, %s, format %d%s: all in order\n", p, r.Items, megabytes(r.Size), r.Format, under)
	return nil
}

// examine looks at every item of a store that is no file, and returns how many there are.
func (c *check) examine(found func(error)) (items int, err error) {
	one := upkeep.Examine(games.All())
	err = c.use(func(store storage.Store) error {
		for page, err := range storage.Pages(context.Background(), store, "") {
			if err != nil {
				return err
			}
			items += len(page)
			for _, it := range page {
				if err := one(it); err != nil {
					found(fmt.Errorf("%q: %w", it.Key, err))
				}
			}
		}
		return nil
	})
	return items, err
}
