package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/bot/upkeep"
	"zevaka/cmd/zevaka/share"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/etcd"
)

// database are the settings that all commands have which read or write the database.
//
// Which kind of store that is, only this file knows. What restore and compact do is done to a file, and goes to bolt.
type database struct {
	DB     string `name:"db" env:"ZEVAKA_DB" default:"zevaka.db" placeholder:"FILE" help:"The file in which tables are kept (default zevaka.db)."`
	Store  string `name:"store" env:"ZEVAKA_STORE" placeholder:"STORE" help:"Where tables are kept instead: bolt:FILE, or etcd://HOST:PORT,HOST:PORT/PREFIX (etcds:// for TLS)."`
	Socket string `name:"socket" env:"ZEVAKA_SOCKET" placeholder:"FILE" help:"The socket at which the zevaka that serves answers other commands of its user (default beside --db, none with a cluster); off for none."`

	access
}

// access is how to get into a cluster of etcd.
type access struct {
	StorePassword string `name:"store-password" env:"ZEVAKA_STORE_PASSWORD" secret:"" placeholder:"PASSWORD" help:"The password of the user whom --store names, as etcd://USER@HOST:PORT/PREFIX."`
	StoreCA       string `name:"store-ca" env:"ZEVAKA_STORE_CA" placeholder:"FILE" help:"The certificates of those who sign for etcd (default: whom this machine trusts)."`
	StoreCert     string `name:"store-cert" env:"ZEVAKA_STORE_CERT" placeholder:"FILE" help:"This program's own certificate for etcd, if it asks for one."`
	StoreKey      string `name:"store-key" env:"ZEVAKA_STORE_KEY" placeholder:"FILE" help:"The key of --store-cert."`
}

// commandWait is how long a command waits for a cluster that can't be reached.
const commandWait = 10 * time.Second

// A place is where a database is: a file, or a part of a cluster.
type place struct {
	// file is the file; empty if it is none.
	file    string
	cluster etcd.Address
}

// parsePlace reads FILE, bolt:FILE, or the address of a part of a cluster.
func parsePlace(text string) (place, error) {
	if etcd.IsAddress(text) {
		a, err := etcd.ParseAddress(text)
		return place{cluster: a}, err
	}
	file, is := strings.CutPrefix(text, "bolt:")
	kind, rest, other := strings.Cut(text, ":")
	isScheme := len(kind) > 1 && strings.Trim(strings.ToLower(kind), "abcdefghijklmnopqrstuvwxyz") == "" // One letter is a drive of Windows.
	behind := strings.TrimLeft(rest, "0123456789")
	isHost := !strings.ContainsAny(kind, `/\`) && (behind == "" || behind != rest && strings.ContainsAny(behind[:1], "/,; ")) || strings.Contains(rest, "@")
	if file == "" || other && !is && (isScheme || isHost) || strings.Contains(file, "://") {
		at := text[strings.LastIndex(text, "@")+1:] // No password.
		return place{}, fmt.Errorf("%q is no place for a database: give bolt:FILE or etcd://HOST:PORT/PREFIX", at)
	}
	return place{file: file}, nil
}

func (p place) String() string {
	if p.file != "" {
		return p.file
	}
	return p.cluster.String()
}

// place is where the settings say that the database is.
func (d database) place() (place, error) {
	if d.Store == "" {
		return place{file: d.DB}, nil
	}
	p, err := parsePlace(d.Store)
	if err != nil {
		return place{}, fmt.Errorf("--store: %w", err)
	}
	return p, nil
}

// path is the file of the database, for a command that works on files.
func (d database) path() (string, error) {
	p, err := d.place()
	if err == nil && p.file == "" {
		err = errors.New("this is done to a file, and the database is in etcd: its own tools do it there")
	}
	return p.file, err
}

// open opens the database, a file or, by the options, a store in a cluster. It makes a file where there is none, and waits for
// a cluster until ctx ends. The store must be closed.
func (d database) open(ctx context.Context, o etcd.Options) (storage.Store, error) {
	p, err := d.place()
	if err != nil {
		return nil, err
	}
	if p.file == "" {
		return d.openCluster(ctx, p.cluster, o)
	}
	store, err := bolt.Open(p.file, bolt.Options{Log: o.Log})
	if err != nil {
		return nil, err
	}
	return store, nil
}

// begin opens the database to serve it, and reports whether it was made just now. A file that should be there and isn't, or has lost
// what was in it, is not begun anew without --new.
func (c *serve) begin(ctx context.Context, p place, log *slog.Logger) (store storage.Store, made bool, err error) {
	if p.file != "" {
		if made, err = bolt.IsNew(p.file); err != nil {
			return nil, false, fmt.Errorf("open the database %s: %w", p.file, err)
		}
		_, absent := os.Stat(p.file)
		switch {
		case !made || c.New:
		case absent == nil:
			return nil, false, fmt.Errorf("%s is empty: put a backup there by zevaka restore, or begin anew by --new (ZEVAKA_NEW)", p.file)
		case c.fixed:
			return nil, false, fmt.Errorf("the settings name the database %s, and it isn't there: see whether its folder is the right one, and its disk is mounted; to begin anew there, start once with --new (ZEVAKA_NEW)", p)
		}
	}
	if store, err = c.open(ctx, etcd.Options{New: c.New, Log: log}); err != nil {
		return nil, false, err
	}
	if cluster, ok := store.(*etcd.Store); ok {
		made = cluster.Made()
	}
	return store, made, nil
}

// tellStore says which program serves which database, and what is in it.
func tellStore(ctx context.Context, store storage.Store, p place, made bool, b build, log *slog.Logger) {
	at := p.String()
	if file, err := filepath.Abs(p.file); p.file != "" && err == nil {
		at = file
	}
	log = log.With("version", b.version, "commit", b.commit(), "database", at)
	there, err := upkeep.Count(ctx, store)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		log.Warn("the database is open, and what is in it could not be counted", "error", err)
		return
	}
	was := "found"
	if made {
		was = "made"
	}
	log.Info("the database is open", "it_was", was, "open_tables", there.Open, "chats", there.Chats, "people", there.People, "chips", there.Chips.Chips)
	if !made && there.Open+there.Chats+there.Chips.Purses == 0 {
		log.Warn("the database was there and is empty: if people have played, this is not theirs")
	}
}

// openCluster opens a part of a cluster.
func (a access) openCluster(ctx context.Context, at etcd.Address, o etcd.Options) (*etcd.Store, error) {
	secure, err := a.tls()
	if err != nil {
		return nil, err
	}
	o.Password, o.TLS, o.Layout = a.StorePassword, secure, keyspace.Community
	return etcd.Open(ctx, at, o)
}

// tls is how to speak to a cluster; nil if nothing was said of that. Each connection has the certificate that stands in the files
// then.
func (a access) tls() (*tls.Config, error) {
	if a.StoreCA == "" && a.StoreCert == "" && a.StoreKey == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if a.StoreCA != "" {
		text, err := os.ReadFile(a.StoreCA)
		if err != nil {
			return nil, fmt.Errorf("--store-ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--store-ca: there is no certificate in %s", a.StoreCA)
		}
	}
	if a.StoreCert != "" || a.StoreKey != "" {
		own, err := tls.LoadX509KeyPair(a.StoreCert, a.StoreKey)
		if err != nil {
			return nil, fmt.Errorf("--store-cert and --store-key: %w", err)
		}
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if renewed, err := tls.LoadX509KeyPair(a.StoreCert, a.StoreKey); err == nil {
				return &renewed, nil
			}
			return &own, nil // What is there is being replaced.
		}
	}
	return c, nil
}

// errInUse is the error for a database that another process has open.
var errInUse = bolt.ErrInUse

// use opens a database that is there already, calls fn and closes it.
func (d database) use(fn func(storage.Store) error) (err error) {
	p, err := d.place()
	if err != nil {
		return err
	}
	if p.file != "" {
		isNew, err := bolt.IsNew(p.file)
		switch {
		case err != nil:
			return fmt.Errorf("read the database: %w", err)
		case isNew:
			return fmt.Errorf("read the database %s: there is nothing in it, or no such file", p.file)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), commandWait)
	defer cancel()
	store, err := d.open(ctx, etcd.Options{CallTime: commandWait}) // Nobody who plays waits for it.
	if err != nil {
		return err
	}
	defer closing(store, &err)
	return fn(store)
}

// useAlone opens a database that is there already and that nobody serves meanwhile, calls fn and closes it.
func (d database) useAlone(fn func(storage.Store) error) error {
	return d.use(func(store storage.Store) error {
		cluster, ok := store.(*etcd.Store)
		if !ok {
			return fn(store)
		}
		err := share.Alone(context.Background(), cluster, fmt.Sprint("process ", os.Getpid()), fn)
		if errors.Is(err, share.ErrServed) {
			return fmt.Errorf("%w: stop it first; one that was killed is counted for some ten seconds more", err)
		}
		return err
	})
}

// closing closes a store, and adds to err what goes wrong.
func closing(store io.Closer, err *error) {
	if failed := store.Close(); failed != nil {
		*err = errors.Join(*err, fmt.Errorf("close the database: %w", failed))
	}
}

// socket is where the zevaka that serves a place answers the operator's other commands; empty for nowhere. Unless it is named it is
// beside the file. Of a link it is beside the file that the link leads to, so that all names of a file lead to one socket.
func (d database) socket(at place) string {
	switch {
	case d.Socket == off:
		return ""
	case d.Socket != "":
		return d.Socket
	case at.file == "":
		return ""
	}
	file, err := filepath.EvalSymlinks(at.file)
	if err != nil {
		file = at.file
	}
	return file + ".sock"
}

// megabytes is the size of a file for people.
func megabytes(size int64) string { return fmt.Sprintf("%.2f MB", float64(size)/1e6) }
