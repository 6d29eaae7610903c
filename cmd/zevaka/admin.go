package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/adapters/web"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

// adminPatience is how long the reader of an answer may take for a part of it.
const adminPatience = 30 * time.Second

// admin answers the operator's other commands while the bot serves, over a socket that only the user who runs the bot can reach: HTTP,
// one path for each thing to ask. A backup is GET /backup; its answer is the database as of one moment, and is broken off when it can't
// be had to its end.
type admin struct {
	// store writes a copy of itself as of one moment; nil for one that isn't a file, and file is its path as resolved has it.
	store io.WriterTo
	file  string
	// room is the room; nil without one.
	room atomic.Pointer[web.Room]
	// missing says in a line each what keeps the bot from dealing.
	missing func(context.Context) []string
	// deals is what carries orders out; nil until it does.
	deals atomic.Pointer[dealing]
	log   *slog.Logger
	// copying is held while a backup is made, one at a time, and in the end.
	copying sync.Mutex
}

// open begins to answer at the socket until stop is called, which breaks off what is under way and waits for it. Where no socket can be
// had the bot does without, and says so.
func (a *admin) open(socket string) (stop func(), err error) {
	if socket == "" {
		return func() {}, nil
	}
	listener, err := listenAt(socket)
	if errors.Is(err, errListening) {
		return nil, fmt.Errorf("listen at %s: %w", socket, err)
	}
	if err != nil {
		a.log.Warn("there is no socket for other commands (another one: --socket): stop the bot for a backup", "socket", socket, "error", err)
		return func() {}, nil
	}
	server := &http.Server{
		Handler:           a.handler(),
		ReadHeaderTimeout: dialPatience,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return func() {
		if err := errors.Join(os.Remove(socket), server.Close()); err != nil {
			a.log.Warn("the socket for other commands is left behind", "socket", socket, "error", err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			a.log.Warn("the socket for other commands was not served", "error", err)
		}
		a.copying.Lock()
	}, nil
}

func (a *admin) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", a.status)
	mux.HandleFunc("POST /order", a.onOrder)
	mux.HandleFunc("GET /backup", a.backup)
	mux.HandleFunc("GET /admin", a.address(false))
	mux.HandleFunc("GET /admin/renew", a.address(true))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if of, err := url.PathUnescape(req.Header.Get(ofDatabase)); err != nil || a.isAnother(of) {
			http.Error(w, "the zevaka that answers there serves "+a.file, http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, req)
	})
}

// isAnother reports whether a file is there, and another than is served. By the path that is served the database is meant, also where it was
// deleted or replaced since: who asks may want to save it.
func (a *admin) isAnother(of string) bool {
	if of == "" || of == a.file {
		return false
	}
	asked, err := os.Stat(of)
	if err != nil {
		return false // It may have that path where it is asked for, as outside of a container.
	}
	own, err := os.Stat(a.file)
	return err != nil || !os.SameFile(asked, own)
}

// notReady begins a line of the status that says what keeps the bot from dealing.
const notReady = "not ready: "

// status says which zevaka serves, and whether it is ready.
func (a *admin) status(w http.ResponseWriter, req *http.Request) {
	said := "process " + fmt.Sprint(os.Getpid()) + ", " + thisBuild().String()
	missing := a.missing(req.Context())
	for _, one := range missing {
		said += "\n" + notReady + one
	}
	if len(missing) == 0 {
		said += "\nready"
	}
	_, _ = fmt.Fprintln(w, said) // The reader may be gone.
}

// address tells the address that makes whoever opens it the room's admin, with a new secret if renew is true.
func (a *admin) address(renew bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		at := ""
		if room := a.room.Load(); room != nil {
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

// adminAddress is the command that prints the address of the room's admins.
type adminAddress struct {
	database
	Renew bool `help:"Make a new secret: whoever has the old one is no admin any more. In a cluster: delete the key secret there, and start all bots."`
}

// Run asks the zevaka that serves the file. In a cluster the secret is that of all rooms: what is printed goes behind the address of any.
func (c *adminAddress) Run(std streams) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	if p.file != "" {
		path := "/admin"
		if c.Renew {
			path += "/renew"
		}
		return ask(context.Background(), c.wire(p), path, dialPatience, std.out)
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
	if a.store == nil {
		http.Error(w, "the database is in etcd: give --store", http.StatusNotFound)
		return
	}
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
