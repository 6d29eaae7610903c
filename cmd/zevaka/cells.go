package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"zevaka/bot/chat"
	"zevaka/cmd/zevaka/cells"
	"zevaka/storage/etcd"
)

// directory is where it stands which community lives in which cell.
type directory struct {
	Directory string `name:"directory" env:"ZEVAKA_DIRECTORY" placeholder:"ADDRESS" help:"Where it stands which of several clusters, the cells, a community lives in: etcd://HOST:PORT,HOST:PORT/PREFIX."`
}

// reach opens the directory, which must be closed.
func (d directory) reach(ctx context.Context, a access, o etcd.Options) (_ *cells.Directory, err error) {
	if d.Directory == "" {
		return nil, errors.New("--directory: say where the directory of the cells is, as etcd://HOST:PORT/PREFIX")
	}
	secure, err := a.tls()
	if err != nil {
		return nil, err
	}
	o.Password, o.TLS = a.StorePassword, secure
	open := func(ctx context.Context, address string, fresh bool) (*etcd.Store, error) {
		at, err := etcd.ParseAddress(address)
		if err != nil {
			return nil, err
		}
		own := o
		own.New, own.Seldom = fresh, true
		soon, cancel := context.WithTimeout(ctx, commandWait)
		defer cancel()
		return etcd.Open(soon, at, own)
	}
	at, err := etcd.ParseAddress(d.Directory)
	if err != nil {
		return nil, fmt.Errorf("--directory: %w", err)
	}
	head, err := etcd.Open(ctx, at, o) // It waits as long as it takes.
	if err != nil {
		return nil, fmt.Errorf("--directory: %w", err)
	}
	found, err := cells.New(ctx, head, open)
	if err != nil {
		return nil, errors.Join(err, head.Close())
	}
	return found, nil
}

// with calls fn with the directory until the program is told to end.
func (d directory) with(a access, fn func(context.Context, *cells.Directory) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	soon, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	found, err := d.reach(soon, a, etcd.Options{})
	if err != nil {
		return err
	}
	defer closing(found, &err)
	return fn(ctx, found)
}

// member makes the store a cell of the directory; nil if the settings name none. The directory must be closed.
func (c *serve) member(ctx context.Context, cluster *etcd.Store, log *slog.Logger) (*cells.Directory, error) {
	if c.Cell == "" {
		is, err := cluster.Label(ctx, "")
		if err == nil && is != "" {
			err = fmt.Errorf("--store: this is %s: give --directory and --cell", is)
		}
		return nil, err
	}
	found, err := c.reach(ctx, c.access, etcd.Options{New: c.New, Log: log})
	if err != nil {
		return nil, err
	}
	if err := found.Enter(ctx, cluster, c.Cell, c.Store); err != nil {
		return nil, errors.Join(err, found.Close())
	}
	return found, nil
}

// listCells is the command that lists the cells.
type listCells struct {
	access
	directory
	Close string `placeholder:"CELL" help:"Have a cell take no new communities, but for those that are moved there."`
	Open  string `placeholder:"CELL" help:"Have it take new ones again."`
}

// Run prints a line for each cell.
func (c *listCells) Run() error {
	return c.with(c.access, func(ctx context.Context, d *cells.Directory) error {
		for _, one := range []struct {
			name   string
			closed bool
		}{{c.Close, true}, {c.Open, false}} {
			if one.name == "" {
				continue
			}
			if err := d.SetClosed(ctx, one.name, one.closed); err != nil {
				return err
			}
		}
		all, err := d.Cells(ctx)
		for _, one := range all {
			state := "takes new ones"
			switch {
			case one.Founding:
				state = "not all that it has is written down yet: start zevaka there"
			case one.Closed:
				state = "closed to new ones"
			}
			fmt.Printf("%s: %d communities, %s, %s\n", one.Name, one.Communities, state, one.Store)
		}
		return err
	})
}

// listDirectories is the command that lists the clusters among which the directory is divided, and changes which they are.
type listDirectories struct {
	access
	directory
	Add    string `xor:"do" placeholder:"ADDRESS" help:"Begin another one there, and give it its share: etcd://HOST:PORT,HOST:PORT/PREFIX. One that is there already gets that address."`
	Remove string `xor:"do" placeholder:"ADDRESS" help:"Give what that one has to the others; first: the one that --directory names."`
	Spread bool   `xor:"do" help:"Only end what was begun."`
}

// first is how Remove calls the directory that --directory names.
const first = "first"

// Run prints a line for each directory.
func (c *listDirectories) Run() error {
	return c.with(c.access, func(ctx context.Context, d *cells.Directory) error {
		var err error
		switch {
		case c.Remove == first:
			err = cells.Spreader{Directory: d}.Remove(ctx, "")
		case c.Remove != "":
			err = cells.Spreader{Directory: d}.Remove(ctx, c.Remove)
		case c.Add != "" || c.Spread:
			err = cells.Spreader{Directory: d}.Add(ctx, c.Add)
		}
		if err != nil {
			return fmt.Errorf("%w; what was begun is ended by --spread", err)
		}
		all, err := d.Parts(ctx)
		for _, one := range all {
			state := ""
			if one.Closed {
				state = ", to have nothing"
			}
			fmt.Printf("%s: %d of %d slots, %d communities%s\n", cmp.Or(one.Address, first), one.Slots, cells.Slots, one.Communities, state)
		}
		return err
	})
}

// move is the command that has a community live in another cell.
type move struct {
	access
	directory
	Community someCommunity `arg:"" placeholder:"PLATFORM:NUMBER" help:"Which, as telegram:-1001234567890 or discord:123456: the platform, or web for the room, and the number of the chat or server."`
	Cell      string        `arg:"" help:"The name of the cell where it is to live."`
}

// someCommunity is a community of a platform.
type someCommunity struct{ chat.Community }

var errCommunity = errors.New("give a platform and the number of a chat or server, as telegram:-1001234567890")

// UnmarshalText reads a platform and a number, with a colon between.
func (s *someCommunity) UnmarshalText(text []byte) (err error) {
	on, number, _ := strings.Cut(string(text), ":")
	if on == "web" {
		s.Platform = chat.Web
	}
	for _, p := range platforms() {
		if p.Name() == on {
			s.Platform = p.Letter()
		}
	}
	s.ID, err = strconv.ParseInt(number, 10, 64)
	if err != nil || s.Platform == 0 || strconv.FormatInt(s.ID, 10) != number {
		return errCommunity
	}
	return nil
}

// Run moves it and says how much it was, and for how long nobody could play.
func (c *move) Run() error {
	return c.with(c.access, func(ctx context.Context, d *cells.Directory) error {
		open := func(ctx context.Context, cell cells.Cell) (*etcd.Store, error) {
			at, err := etcd.ParseAddress(cell.Store)
			if err != nil {
				return nil, err
			}
			soon, cancel := context.WithTimeout(ctx, commandWait)
			defer cancel()
			return c.openCluster(soon, at, etcd.Options{})
		}
		moved, err := cells.Mover{Directory: d, Open: open}.Move(ctx, c.Community.String(), c.Cell)
		if errors.Is(err, cells.ErrNowhere) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w; what was begun is ended by the same command", err)
		}
		fmt.Printf("lives in %s: %d items from %s, compared; nobody could play for %v\n", moved.To, moved.Items, moved.From, moved.Away.Round(time.Millisecond))
		return nil
	})
}
