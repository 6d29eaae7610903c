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
func (c *compact) Run() error {
	before, after, err := bolt.Compact(c.DB)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d items, %s before, %s now\n", c.DB, after.Items, megabytes(before.Size), megabytes(after.Size))
	return nil
}
