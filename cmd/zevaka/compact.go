package main

import (
	"fmt"

	"zevaka/storage/bolt"
)

// compact is the command that gives back the room that deleted items took.
type compact struct {
	database
}

// Run does so and says in one line how large the file was and is.
func (c *compact) Run(std streams) error {
	file, err := c.path()
	if err != nil {
		return err
	}
	before, after, err := bolt.Compact(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s: %d items, %s before, %s now\n", file, after.Items, megabytes(before.Size), megabytes(after.Size))
	return asTheyAre(file, after)
}
