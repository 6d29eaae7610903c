package main

import (
	"fmt"
	"time"

	"zevaka/storage/bolt"
)

// restore is the command that puts a backup in the place of the database.
type restore struct {
	database
	File        string `arg:"" help:"The backup."`
	WithoutLast bool   `help:"Take FILE, which may be the database, as it was before its last commit: for one that is damaged since the machine stopped."`
}

// Run does so and says in one line where the file is that was there before.
func (c *restore) Run(std streams) error {
	file, err := c.path()
	if err != nil {
		return err
	}
	put := bolt.Restore
	if c.WithoutLast {
		put = bolt.RestoreWithoutLast
	}
	kept, r, err := put(file, c.File, time.Now())
	if err != nil {
		return err
	}
	was := "there was none before"
	if kept != "" {
		was = "the one before is " + kept
	}
	fmt.Fprintf(std.out, "%s: %d items, %s, format %d, from %s; %s\n", file, r.Items, megabytes(r.Size), r.Format, c.File, was)
	return asTheyAre(file, r)
}
