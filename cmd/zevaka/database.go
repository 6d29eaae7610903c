package main

import (
	"fmt"
	"path/filepath"
)

// database is the setting that all commands have which read or write the database.
type database struct {
	DB string `name:"db" env:"ZEVAKA_DB" default:"zevaka.db" placeholder:"FILE" help:"Where tables are kept (default zevaka.db)."`
}

// socket is where the zevaka that serves the database answers the operator's other commands. Of a link it is beside the
// file that the link leads to, so that all names of a file lead to one socket.
func (d database) socket() string {
	file, err := filepath.EvalSymlinks(d.DB)
	if err != nil {
		file = d.DB
	}
	return file + ".sock"
}

// megabytes is the size of a file for people.
func megabytes(size int64) string { return fmt.Sprintf("%.2f MB", float64(size)/1e6) }
