package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"zevaka/storage"
	"zevaka/storage/bolt"
)

// backup is the command that copies the database, whether somebody serves it or not.
type backup struct {
	database
	File    string        `arg:"" help:"The file to make."`
	Force   bool          `help:"Replace such a file if there is one."`
	Timeout time.Duration `default:"30s" placeholder:"TIME" help:"Give up when the zevaka that serves sends nothing for so long (default 30s)."`
}

// Validate refuses what can't be waited for. Kong calls it.
func (c *backup) Validate() error {
	if c.Timeout <= 0 {
		return errors.New("--timeout: give a time, as 30s")
	}
	return nil
}

// Run makes the file and says in one line what it has.
func (c *backup) Run(std streams) error {
	if c.File == "-" {
		return errors.New("a backup is checked before it has its name: give the name of a file")
	}
	ctx, stop := interrupted()
	defer stop()
	p, err := c.place()
	if err != nil {
		return err
	}
	copied := func(w io.Writer) error { return c.copy(ctx, p, c.Timeout, w) }
	if p.file == "" {
		copied = func(w io.Writer) error {
			return c.use(func(store storage.Store) error { return writeFile(ctx, store, c.File, w) })
		}
	} else if bolt.SameFile(c.File, p.file) || bolt.SameFile(c.File+bolt.BackupDamaged, p.file) {
		return fmt.Errorf("%s is the database itself: give another name", c.File)
	}
	r, err := bolt.Backup(c.File, c.Force, time.Now, copied)
	switch {
	case errors.Is(err, bolt.ErrExists):
		return fmt.Errorf("%w, or replace it with --force", err)
	case err != nil:
		return err
	}
	if len(r.Damaged) > 0 {
		return asTheyAre(c.File+bolt.BackupDamaged, r)
	}
	fmt.Fprintf(std.out, "%s: %d items, %s, format %d: all in order\n", c.File, r.Items, megabytes(r.Size), r.Format)
	return nil
}

// asTheyAre is an error that names the damaged values which a file that was made has like the one it was made of; nil if there are none.
func asTheyAre(file string, r bolt.Report) error {
	if len(r.Damaged) == 0 {
		return nil
	}
	return fmt.Errorf("%s is made with %d of %d values damaged, as they were: %q", file, len(r.Damaged), r.Items, r.Damaged)
}

// copy has the zevaka that serves a file send it, or reads it itself when nobody does.
func (d database) copy(ctx context.Context, at place, patience time.Duration, w io.Writer) error {
	asked := ask(ctx, d.wire(at), "/backup", patience, w)
	if !errors.Is(asked, errNobody) {
		return asked
	}
	err := bolt.Copy(at.file, until{ctx, w})
	if errors.Is(err, errInUse) {
		return fmt.Errorf("%w (%w)", err, asked)
	}
	return err
}

// useCopy is use for a command that only reads: of a file it reads a copy as of now, which stands beside it meanwhile, as whoever opens a file may
// write into it. Where no copy can be had, as on a full disk, it reads the file if nobody serves it.
func (d database) useCopy(fn func(storage.Store) error) error {
	at, err := d.place()
	if err != nil {
		return err
	}
	if at.file == "" {
		return d.use(fn)
	}
	err = d.withCopy(at, func(file string) error {
		return database{DB: file}.use(func(store storage.Store) error {
			_ = os.Remove(file) // Nobody does once the process is ended by a pipe that breaks. Windows doesn't, and breaks none so.
			return fn(store)
		})
	})
	if none := (noCopy{}); errors.As(err, &none) {
		if failed := d.use(fn); !errors.Is(failed, errInUse) {
			return failed
		}
		return fmt.Errorf("%w, and gives no copy: %w", errInUse, none.error)
	}
	return err
}

// noCopy is why there is no copy of a file.
type noCopy struct{ error }

func (n noCopy) Unwrap() error { return n.error }

// withCopy calls fn with a copy of a file, and removes it, also when the command is interrupted. What fn does then ends with the process. The
// copy stands where temporary files do if it can't stand beside the file.
func (d database) withCopy(at place, fn func(file string) error) error {
	ctx, stop := interrupted()
	defer stop()
	to, err := partOf(at.file)
	if err != nil {
		to, err = partOf(filepath.Join(os.TempDir(), filepath.Base(at.file)))
	}
	if err != nil {
		return noCopy{err}
	}
	defer os.Remove(to.Name())
	err = d.copy(ctx, at, adminPatience, to)
	switch err = errors.Join(err, to.Close()); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return noCopy{err}
	}
	done := make(chan error, 1)
	go func() { done <- fn(to.Name()) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// interrupted is a context that ends when the command is interrupted or its terminal is closed. A second time the system ends it.
func interrupted() (context.Context, context.CancelFunc) {
	by := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		by = append(by, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), by...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// partOf makes an empty file beside another one, by a name that only a process which was killed leaves behind.
func partOf(file string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part")
	if err != nil {
		return nil, fmt.Errorf("make a file beside %s: %w", file, err)
	}
	return f, nil
}

// writeFile writes a file of bolt that has all that a store has at one moment. It is made beside the file that is wanted.
func writeFile(ctx context.Context, from storage.Store, wanted string, w io.Writer) error {
	part, err := partOf(wanted)
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	if err := part.Close(); err != nil {
		return err
	}
	if _, err := copyTo(ctx, part.Name(), from); err != nil {
		return err
	}
	return bolt.Copy(part.Name(), until{ctx, w})
}

// copyTo makes a file of what a store has at one moment, and returns how many items that are. Where the store lets go of that moment
// meanwhile, the file is made anew of a later one.
func copyTo(ctx context.Context, file string, from storage.Store) (items int, err error) {
	items, err = storage.Read(ctx, from, func(r storage.Reader) (items int, err error) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		err = inFileOf(file, func(to storage.Store) (err error) {
			items, err = storage.Copy(ctx, to, r, storage.Copying{})
			return err
		})
		return items, err
	})
	if err != nil {
		return 0, err
	}
	return items, inFileOf(file, func(to storage.Store) error { return carry(ctx, to, from) })
}

// inFileOf opens a file that isn't anybody's database yet, calls fn and closes it.
func inFileOf(file string, fn func(storage.Store) error) (err error) {
	to, err := bolt.Open(file, bolt.Options{NoSync: true})
	if err != nil {
		return err
	}
	defer closing(to, &err)
	return fn(to)
}

// until writes until its context ends.
type until struct {
	ctx context.Context
	w   io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(b)
}
