package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"zevaka/storage"
	"zevaka/storage/bolt"
)

// database is the setting that all commands have which read or write the database.
//
// Which kind of store that is, only open says. What backup, restore, compact and check do is done to a file, and goes to
// bolt; all other commands go through the store.
type database struct {
	DB string `name:"db" env:"ZEVAKA_DB" default:"zevaka.db" placeholder:"FILE" help:"Where tables are kept (default zevaka.db)."`
}

// open opens the database, or makes it. It must be closed.
func (d database) open(log *slog.Logger) (storage.Store, error) {
	store, err := bolt.Open(d.DB, bolt.Options{Log: log})
	if err != nil {
		return nil, err
	}
	return store, nil
}

// errInUse is the error for a database that another process has open.
var errInUse = bolt.ErrInUse

// use opens a database that is there already, calls fn and closes it.
func (d database) use(fn func(storage.Store) error) (err error) {
	if _, err := os.Stat(d.DB); err != nil {
		return fmt.Errorf("read the database: %w", err)
	}
	store, err := d.open(nil)
	if err != nil {
		return err
	}
	defer closing(store, &err)
	return fn(store)
}

// closing closes a store, and adds to err what goes wrong.
func closing(store storage.Store, err *error) {
	if failed := store.Close(); failed != nil {
		*err = errors.Join(*err, fmt.Errorf("close the database: %w", failed))
	}
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
