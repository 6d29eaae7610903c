package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"zevaka/bot/upkeep"
)

// savedIn is a folder to which records go before their deals leave the database: a line for each, in a file for each
// month in which deals ended. A process that is killed may leave a line cut short, which is taken off before the next
// one is added: that record is still in the database, and comes again. So a record may stand there twice, and none is
// lost. Bots of a cluster may have one folder.
type savedIn string

// saver is what saves records there; nil if nobody wants them.
func (s savedIn) saver() func(context.Context, []upkeep.Saved) error {
	if s == "" {
		return nil
	}
	return s.save
}

// check makes the folder if it isn't there, and returns an error if no file can be made in it.
func (s savedIn) check() error {
	if s == "" {
		return nil
	}
	err := os.MkdirAll(string(s), 0o700)
	if err == nil {
		var trial *os.File
		if trial, err = os.CreateTemp(string(s), ".trial-"); err == nil {
			err = errors.Join(trial.Close(), os.Remove(trial.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("make the archive: %w", err)
	}
	return nil
}

// save adds records to their files, and returns nil when they are on the disk.
func (s savedIn) save(_ context.Context, records []upkeep.Saved) error {
	months := map[string][]byte{}
	for _, r := range records {
		name := r.Ended.UTC().Format("2006-01") + ".jsonl"
		months[name] = append(append(months[name], r.Line...), '\n')
	}
	for name, lines := range months {
		if err := appendLines(filepath.Join(string(s), name), lines); err != nil {
			return fmt.Errorf("add to the archive: %w", err)
		}
	}
	return syncFolder(string(s))
}

// appendLines adds whole lines to a file, which is made if it isn't there.
func appendLines(path string, lines []byte) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lockFile(f); err != nil {
		return fmt.Errorf("wait for others: %w", err)
	}
	end, err := wholeLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.WriteAt(lines, end)
	}
	if err != nil {
		return err
	}
	return f.Sync()
}

// wholeLines is where the last whole line of a file ends.
func wholeLines(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	part := make([]byte, 4096)
	for err == nil && end > 0 {
		first := max(0, end-int64(len(part)))
		var n int
		n, err = f.ReadAt(part[:end-first], first)
		if i := bytes.LastIndexByte(part[:n], '\n'); i >= 0 {
			return first + int64(i) + 1, err
		}
		end = first
	}
	return end, err
}

// syncFolder makes the names of new files in a folder durable.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
