package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"zevaka/adapters/web"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

const (
	// adminPatience is how long the reader of an answer may take for a part of it.
	adminPatience = 30 * time.Second
	// dialPatience is how long to wait for somebody to answer at a socket.
	dialPatience = 5 * time.Second
)

// admin answers the operator's other commands while the bot serves, over a socket beside the database that only the
// user who runs the bot can reach: HTTP, one path for each thing to ask. A backup is GET /backup; its answer is the
// database as of one moment, and is broken off when it can't be had to its end.
type admin struct {
	// store writes a copy of itself as of one moment.
	store io.WriterTo
	// room is the room; nil without one.
	room func() *web.Room
	log  *slog.Logger
	// copying is held while a backup is made, one at a time, and in the end.
	copying sync.Mutex
}

// errListening is the error for a socket at which somebody listens already.
var errListening = errors.New("another process listens there: stop it")

// openAdmin begins to answer at the socket until stop is called, which breaks off what is under way and waits for it.
// Where no socket can be had the bot does without, and says so. A store that isn't a file needs none.
func openAdmin(socket string, kept storage.Store, room func() *web.Room, log *slog.Logger) (stop func(), err error) {
	store, ok := kept.(io.WriterTo)
	if !ok {
		return func() {}, nil
	}
	listener, err := listenAt(socket)
	if errors.Is(err, errListening) {
		return nil, fmt.Errorf("listen at %s: %w", socket, err)
	}
	if err != nil {
		log.Warn("there is no socket for zevaka backup: stop the bot to make one", "socket", socket, "error", err)
		return func() {}, nil
	}
	a := &admin{store: store, room: room, log: log}
	server := &http.Server{
		Handler:           a.handler(),
		ReadHeaderTimeout: dialPatience,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return func() {
		if err := errors.Join(os.Remove(socket), server.Close()); err != nil {
			log.Warn("the socket for other commands is left behind", "socket", socket, "error", err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			log.Warn("the socket for other commands was not served", "error", err)
		}
		a.copying.Lock()
	}, nil
}

// listenAt makes a socket that nobody else can reach, in the place of one that is left of a process that is gone.
func listenAt(socket string) (net.Listener, error) {
	if conn, err := net.DialTimeout("unix", socket, dialPatience); err == nil {
		return nil, errors.Join(errListening, conn.Close())
	}
	if info, err := os.Lstat(socket); err == nil && info.Mode().Type() != fs.ModeSocket {
		return nil, errors.New("there is a file of that name that is no socket")
	}
	// Until its mode is set it is in a folder that nobody else can look into.
	folder, err := os.MkdirTemp(filepath.Dir(socket), ".zevaka-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	hidden := filepath.Join(folder, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: hidden, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false)
	err = os.Chmod(hidden, 0o600)
	if err == nil {
		err = os.Rename(hidden, socket)
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

func (a *admin) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", a.backup)
	mux.HandleFunc("GET /admin", a.address(false))
	mux.HandleFunc("GET /admin/renew", a.address(true))
	return mux
}

// address tells the address that makes whoever opens it the room's admin, with a new secret if renew is true.
func (a *admin) address(renew bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		at := ""
		if room := a.room(); room != nil {
			at = room.AdminAddress(renew)
		}
		if at == "" {
			http.Error(w, "there is no room", http.StatusNotFound)
			return
		}
		if renew {
			a.log.Info("the room's admins have a new secret")
		}
		_, _ = fmt.Fprintln(w, at) // The reader may be gone.
	}
}

// adminOf is the command that prints the address of the room's admins.
type adminOf struct {
	database
	Renew bool `help:"Make a new secret: whoever has the old one is no admin any more. In a cluster: delete the key secret there, and start all bots."`
}

// Run asks the zevaka that serves the file. In a cluster the secret is that of all rooms: what is printed goes behind the address of any.
func (c *adminOf) Run(std streams) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	if p.file != "" {
		path := "/admin"
		if c.Renew {
			path += "/renew"
		}
		return ask(context.Background(), socketOf(p.file), path, dialPatience, std.out)
	}
	if c.Renew {
		return fmt.Errorf("in a cluster: stop all bots, etcdctl del /%s/secret, and start them", p.cluster.Prefix)
	}
	return c.use(func(store storage.Store) error {
		key, err := store.(*etcd.Store).Secret(context.Background())
		if err == nil {
			fmt.Fprintln(std.out, web.AdminPart(key))
		}
		return err
	})
}

// backup sends the database. As long as that takes no page that becomes free can be used again, so the file grows by
// what is written meanwhile; a reader who stops reading is left after a while.
func (a *admin) backup(w http.ResponseWriter, _ *http.Request) {
	if !a.copying.TryLock() {
		http.Error(w, "another backup is being made: wait for its end", http.StatusConflict)
		return
	}
	defer a.copying.Unlock()
	begun := time.Now()
	size, err := a.store.WriteTo(patient{w, http.NewResponseController(w)})
	if err != nil {
		a.log.Warn("a backup was broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	a.log.Info("a backup was sent", "bytes", size, "took", time.Since(begun).Round(time.Millisecond))
}

// patient writes as long as each part is read in time.
type patient struct {
	io.Writer
	control *http.ResponseController
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.control.SetWriteDeadline(time.Now().Add(adminPatience)); err != nil {
		return 0, err
	}
	return p.Writer.Write(b)
}

// errNobody is the error for a socket at which nobody answers.
var errNobody = errors.New("nobody answers at the socket")

// errSilent is the error for one who serves and sends nothing, as a process does that was stopped.
var errSilent = errors.New("the zevaka that serves doesn't answer")

// ask copies to w what the zevaka that serves has at that path. It gives up when nothing came for as long as patience.
func ask(ctx context.Context, socket, path string, patience time.Duration, w io.Writer) error {
	conn, err := (&net.Dialer{Timeout: min(dialPatience, patience)}).DialContext(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("%w: %w", errNobody, err)
	}
	defer conn.Close()
	return askOver(ctx, conn, path, patience, w)
}

// askOver is ask over a connection to the zevaka that serves.
func askOver(ctx context.Context, conn net.Conn, path string, patience time.Duration, w io.Writer) (err error) {
	defer func() {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = fmt.Errorf("%w: nothing came for %s", errSilent, patience)
		}
	}()
	client := http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return listening{conn, patience}, nil },
		DisableKeepAlives: true,
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://zevaka"+path, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
		return errors.Join(fmt.Errorf("the zevaka that serves says: %s", why), err)
	}
	_, err = io.Copy(w, answer.Body)
	return err
}

// listening is a connection on which something has to come as long as one reads.
type listening struct {
	net.Conn
	patience time.Duration
}

func (l listening) Read(b []byte) (int, error) {
	if err := l.SetReadDeadline(time.Now().Add(l.patience)); err != nil {
		return 0, err
	}
	return l.Conn.Read(b)
}

func (l listening) Write(b []byte) (int, error) {
	if err := l.SetWriteDeadline(time.Now().Add(l.patience)); err != nil {
		return 0, err
	}
	return l.Conn.Write(b)
}
