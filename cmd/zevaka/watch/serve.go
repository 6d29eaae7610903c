package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"zevaka/adapters/web"
	"zevaka/bot/chat"
	"zevaka/storage"
)

// How long things may take here.
const (
	headerTime  = 5 * time.Second
	idleTime    = 2 * time.Minute
	gatherTime  = 10 * time.Second
	probeTime   = 3 * time.Second
	stopTime    = time.Second
	maxScrapes  = 4
	maxHeaders  = 16 << 10
	probedEvery = time.Second
)

// Handler serves /metrics, /healthz, which answers as long as the process lives, and /readyz, which says in lines what
// keeps the bot from dealing, or "ready": with status 503 where nobody is to be sent to it. A platform that it doesn't reach is no reason for
// that: the room and the other platform's people are dealt to all the same.
func (w *Watch) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(w.registry, promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(w.log.Handler(), slog.LevelWarn),
		ErrorHandling:       promhttp.ContinueOnError,
		MaxRequestsInFlight: maxScrapes, Timeout: gatherTime,
	}))
	mux.HandleFunc("GET /healthz", func(to http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(to, "ok") // The reader may be gone.
	})
	mux.HandleFunc("GET /readyz", func(to http.ResponseWriter, req *http.Request) {
		unfit, apart := w.unfit(req.Context()), w.apart()
		if len(unfit) > 0 {
			to.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = fmt.Fprintln(to, cmp.Or(strings.Join(append(unfit, apart...), "\n"), "ready"))
	})
	return mux
}

// End says that the bot isn't ready any more, since it has been told to stop.
func (w *Watch) End() { w.ending.Store(true) }

// Missing says in a line each what keeps the bot from dealing; nothing if it is ready: a store that takes no writes, a
// platform to which a connection doesn't stand.
func (w *Watch) Missing(ctx context.Context) []string { return append(w.unfit(ctx), w.apart()...) }

// unfit says what keeps the bot from dealing to anybody.
func (w *Watch) unfit(ctx context.Context) (missing []string) {
	if w.ending.Load() {
		missing = append(missing, "it has been told to stop")
	}
	if err := w.probe.ask(ctx); err != nil {
		missing = append(missing, "nothing can be saved: "+err.Error())
	} else if w.full.Load() { // Where nothing is to be written, as the probe has it, etcd minds no quota.
		missing = append(missing, "nothing can be saved: the store's cluster has reached its quota")
	}
	return append(missing, w.down(func(p chat.Platform) bool { return p == chat.Web })...)
}

// apart says which platforms aren't reached.
func (w *Watch) apart() []string {
	return w.down(func(p chat.Platform) bool { return p != chat.Web })
}

// down says of which of these not all connections stand.
func (w *Watch) down(these func(chat.Platform) bool) (missing []string) {
	for _, one := range w.adapters.list() {
		if p := one.pulse(); these(one.platform) && (p.Up < p.Links || p.Links == 0) {
			missing = append(missing, fmt.Sprintf("%s: %d of %d connections stand", one.platform.Name(), p.Up, p.Links))
		}
	}
	return missing
}

// Serve serves Handler at the address until ctx ends, and then returns nil.
func (w *Watch) Serve(ctx context.Context, address string) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen for metrics (another address: --metrics): %w", err)
	}
	srv := &http.Server{
		Handler: web.Here(w.Handler()), ReadHeaderTimeout: headerTime, ReadTimeout: headerTime, WriteTimeout: gatherTime + headerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeaders, ErrorLog: slog.NewLogLogger(w.log.Handler(), slog.LevelDebug),
	}
	w.log.Info("metrics are served", "address", ln.Addr().String())
	served := make(chan error, 1)
	bounded := web.MachinesPort().Bound(srv, ln)
	go func() { served <- srv.Serve(bounded) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve metrics: %w", err)
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close() // Whoever is still reading is cut off: the time to stop is over.
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

// probe finds out whether the store takes writes, once a second at most, however many ask.
type probe struct {
	mu    sync.Mutex
	store storage.Store
	at    time.Time
	err   error
}

// errNoStore is the answer before there is a store.
var errNoStore = errors.New("the database isn't open yet")

func (p *probe) use(s storage.Store) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store, p.at = s, time.Time{}
}

// ask returns why the store takes no writes; nil if it does. It commits the deletion of a key that nobody has, which goes
// to the disk as any other commit and leaves nothing there.
func (p *probe) ask(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.store == nil {
		return errNoStore
	}
	if time.Since(p.at) < probedEvery {
		return p.err
	}
	// Who asked may be gone; the next one wants to know as well.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTime)
	defer cancel()
	for { // A store may say conflict without need, but not for ever.
		_, p.err = p.store.Commit(ctx, storage.Txn{Writes: []storage.Write{{Key: "c/probe"}}})
		if !errors.Is(p.err, storage.ErrConflict) || ctx.Err() != nil {
			break
		}
	}
	p.at = time.Now()
	return p.err
}
