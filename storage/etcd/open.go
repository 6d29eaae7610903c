package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"zevaka/storage"
)

const (
	// formatKey says what the store is: formatName and the number of its format. firstFormat was before others knew that number.
	formatKey   = "format"
	formatName  = "zevaka "
	firstFormat = 1
	// labelKey is there where an older zevaka had several clusters serve one bot: this one is called so among them.
	labelKey = "label"
	// filling stands there until a store is filled.
	filling = "being filled"
	// callTime is how long one call may take, if nothing else was said: who presses a button gets an answer in three
	// seconds, whatever happens.
	callTime = 2500 * time.Millisecond
	// pause is how long to wait before another member is asked, and slowReads how many may be slow to answer a read before one
	// is given all the time that is left.
	pause     = 20 * time.Millisecond
	slowReads = 2
	// openTime bounds one try to open a store, and retryEvery is how long Open waits before the next.
	openTime   = 5 * time.Second
	retryEvery = 2 * time.Second
	// dialTime bounds how long Open looks for the reason why the hosts can't be reached.
	dialTime = 2 * time.Second
	// maxSend is the largest message to etcd: a transaction of storage.MaxKeys values of storage.MaxValue bytes, and some.
	maxSend = 8 << 20
	// keepAlive is how long a connection may be silent before the member is asked whether it lives, and the answer may
	// take as long as keepAliveTimeout. More often than this gRPC doesn't ask.
	keepAlive        = 10 * time.Second
	keepAliveTimeout = 2 * time.Second
)

var (
	// ErrEmpty is the error for a place where no store is, if none may be made.
	ErrEmpty = errors.New("there is nothing under this prefix")
	// ErrForeign is the error for a place that something else keeps its keys in, or a newer zevaka.
	ErrForeign = errors.New("the keys under this prefix are not of this zevaka")
	// ErrCell is the error for a place that was one of several which served a bot together: the others have something that belongs
	// to it.
	ErrCell = errors.New("this was one of several clusters of a bot, which zevaka can't serve together any more")
	// ErrOlder is the error for a store of an earlier format that others serve, who know no later one.
	ErrOlder = errors.New("it is served by an earlier zevaka, which doesn't know the format of this one")
	// ErrClusters is the error for hosts that are not of one cluster.
	ErrClusters = errors.New("the hosts belong to different clusters")
)

// Options say how to open a store. The zero Options are right for a bot that ran before.
type Options struct {
	// New allows to make a store where there is none. Without it a cluster that has lost its data is not mistaken for a
	// new one.
	New bool
	// CallTime is how long one call may take, 2.5 seconds if it is 0.
	CallTime time.Duration
	// Password is that of the address's user.
	Password string
	// TLS is how to speak to the members when the address says so: by the machine's own authorities and without a
	// certificate of one's own if nil.
	TLS *tls.Config
	// Filling opens a place where no store is, to be filled, or one whose filling was broken off: until Filled was called nobody else
	// can open it.
	Filling bool
	// Layout divides the store into parts; nil for a store of one.
	Layout Layout
	// Log is told while the cluster can't be reached; nobody is if nil.
	Log *slog.Logger
}

// Open opens the store at an address. As long as most of the members can't be reached it tries again, until ctx ends. Its
// other errors say in words what is wrong and what to do; ErrEmpty, ErrForeign, ErrCell and ErrClusters are among them. A store
// of an earlier format can be read; Join brings it to today's. The store must be closed.
func Open(ctx context.Context, a Address, o Options) (*Store, error) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	for {
		s, err := try(ctx, a, o)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrUnknown) {
			return nil, fmt.Errorf("etcd: open %s: %w", a, err)
		}
		log.Warn("etcd can't be reached, trying again", "address", a.String(), "error", err)
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("etcd: open %s: %w", a, errors.Join(err, ctx.Err()))
		case <-time.After(retryEvery):
		}
	}
}

// try opens the store once.
func try(ctx context.Context, a Address, o Options) (*Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	client, err := connect(ctx, a, o)
	if err != nil {
		return nil, err
	}
	s := &Store{client: client, hosts: a.Hosts, prefix: "/" + a.Prefix + "/", callTime: o.CallTime}
	s.data, s.own, s.layout = s.key("data/"), common, o.Layout
	if s.callTime == 0 {
		s.callTime = callTime
	}
	err = s.call(ctx, func(ctx context.Context) error { return s.check(ctx, o) })
	if err != nil {
		if errors.Is(err, storage.ErrUnavailable) {
			err = errors.Join(err, why(ctx, a, o))
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect makes the client. With a user it has to reach the cluster for that.
func connect(ctx context.Context, a Address, o Options) (*clientv3.Client, error) {
	protocol := "http://"
	if a.TLS {
		protocol = "https://"
	}
	hosts := make([]string, len(a.Hosts))
	for i, h := range a.Hosts {
		hosts[i] = protocol + h
	}
	client, err := clientv3.New(clientv3.Config{
		Endpoints:            hosts,
		DialTimeout:          openTime,
		DialKeepAliveTime:    keepAlive,
		DialKeepAliveTimeout: keepAliveTimeout,
		PermitWithoutStream:  true,
		MaxCallSendMsgSize:   maxSend,
		Username:             a.User,
		Password:             o.Password,
		TLS:                  secure(a, o),
		Logger:               zap.NewNop(),
		DialOptions:          []grpc.DialOption{grpc.WithNoProxy()}, // Those of the environment are for the platforms.
	})
	if err != nil {
		if ctx.Err() == nil && !transient(err) {
			return nil, fmt.Errorf("let the user in, or give another one: %w", err)
		}
		return nil, fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return client, nil
}

// secure is how to speak to the members; nil for in the clear.
func secure(a Address, o Options) *tls.Config {
	switch {
	case !a.TLS:
		return nil
	case o.TLS != nil:
		return o.TLS
	}
	return &tls.Config{MinVersion: tls.VersionTLS12}
}

// check checks that the store is there and ours, or makes it.
func (s *Store) check(ctx context.Context, o Options) error {
	if err := s.oneCluster(ctx); err != nil {
		return err
	}
	key, label, all := s.key(formatKey), s.key(labelKey), s.key("")
	answer, err := s.client.Txn(ctx).Then(
		clientv3.OpGet(key),
		clientv3.OpGet(all, clientv3.WithPrefix(), clientv3.WithLimit(1), clientv3.WithKeysOnly()),
		clientv3.OpGet(label),
	).Commit()
	if err != nil {
		if transient(err) {
			return notRead(err)
		}
		if errors.Is(err, rpctypes.ErrUserEmpty) {
			return fmt.Errorf("give a user and a password: %w", err)
		}
		return fmt.Errorf("let the user read and write the keys that begin with %s: %w", all, err)
	}
	found, labels := answer.Responses[0].GetResponseRange().Kvs, answer.Responses[2].GetResponseRange().Kvs
	switch {
	case o.Filling && len(found) > 0 && string(found[0].Value) == filling:
		return nil
	case o.Filling && answer.Responses[1].GetResponseRange().Count > 0:
		return fmt.Errorf("%w: give another prefix", storage.ErrNotEmpty)
	case len(labels) > 0:
		return fmt.Errorf("%w: its name is %q; have all communities move into one of them with the last zevaka that can, 6431d3a, unless there was only one, then delete its key %s and serve it alone",
			ErrCell, labels[0].Value, label)
	case len(found) > 0 && isEarlier(found[0].Value) || len(found) > 0 && string(found[0].Value) == format():
		return nil
	case len(found) > 0 && string(found[0].Value) == filling:
		return fmt.Errorf("%w: a copy to there was begun and hasn't ended: call it again, which goes on where it stopped, or delete the keys that begin with %s", ErrForeign, all)
	case len(found) > 0:
		return fmt.Errorf("%w: their format is %q, and this one knows %q; run the zevaka that wrote them", ErrForeign, found[0].Value, format())
	case answer.Responses[1].GetResponseRange().Count > 0:
		return fmt.Errorf("%w: give another prefix", ErrForeign)
	case !o.New && !o.Filling:
		return fmt.Errorf("%w: look whether the address is right and the cluster has its data; to begin anew there, run zevaka serve once with --new", ErrEmpty)
	}
	first := format()
	if o.Filling {
		first = filling
	}
	made, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).Then(clientv3.OpPut(key, first)).Commit()
	if err != nil {
		return notWritten(err)
	}
	if !made.Succeeded {
		return fmt.Errorf("%w: another process made it just now", storage.ErrUnavailable)
	}
	s.made = true
	return nil
}

// format is what formatKey says of a store that this program leaves.
func format() string { return formatName + strconv.Itoa(storage.Format) }

// isEarlier reports whether a store is of a format before this program's.
func isEarlier(said []byte) bool {
	number, ours := strings.CutPrefix(string(said), formatName)
	n, err := strconv.Atoi(number)
	return ours && err == nil && n >= firstFormat && n < storage.Format
}

// raise brings a store to the format of this program, before anything is written in it. Nobody may serve it meanwhile who doesn't
// know that format.
func (s *Store) raise(ctx context.Context) error {
	key, held := s.key(formatKey), s.heldKey("")
	return s.call(ctx, func(ctx context.Context) error {
		found, err := s.client.Get(ctx, key)
		if err != nil {
			return err
		}
		if len(found.Kvs) == 0 || !isEarlier(found.Kvs[0].Value) {
			return nil
		}
		made, err := s.client.Txn(ctx).If(
			clientv3.Compare(clientv3.ModRevision(key), "=", found.Kvs[0].ModRevision),
			clientv3.Compare(clientv3.CreateRevision(held), "=", 0).WithPrefix(),
		).Then(clientv3.OpPut(key, format())).Commit()
		if err == nil && !made.Succeeded {
			return fmt.Errorf("%w: stop all that serve it, then start again", ErrOlder)
		}
		return err
	})
}

// Made reports whether there was no store before it was opened.
func (s *Store) Made() bool { return s.made }

// key is a key of the store's own.
func (s *Store) key(name string) string { return s.prefix + name }

// Filled says that a store which was opened to be filled has all that it should, so that it can be opened from now on.
func (s *Store) Filled(ctx context.Context) error {
	err := s.call(ctx, func(ctx context.Context) error {
		key := s.key(formatKey)
		made, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.Value(key), "=", filling)).Then(clientv3.OpPut(key, format())).Commit()
		if err == nil && !made.Succeeded {
			return ErrForeign
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("etcd: end of a copy: %w", err)
	}
	return nil
}

// oneCluster refuses hosts of different clusters. A host that doesn't answer may be one that is down.
func (s *Store) oneCluster(ctx context.Context) error {
	var cluster uint64
	var of string
	for _, host := range s.client.Endpoints() {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		found, err := s.client.Status(ctx, host)
		cancel()
		switch {
		case err != nil:
		case of == "":
			cluster, of = found.Header.ClusterId, host
		case found.Header.ClusterId != cluster:
			return fmt.Errorf("%w: %s and %s", ErrClusters, of, host)
		}
	}
	return nil
}

// why says of each host that can't be connected to why it can't; if all can, what may keep them from answering.
func why(ctx context.Context, a Address, o Options) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTime)
	defer cancel()
	dial := (&net.Dialer{}).DialContext
	if a.TLS {
		dial = (&tls.Dialer{Config: secure(a, o)}).DialContext
	}
	wants := "TLS (" + schemeTLS + ")"
	if a.TLS {
		wants = "a certificate of this program's own, which is good"
	}
	var all []error
	var reached []string
	for _, host := range a.Hosts {
		conn, err := dial(ctx, "tcp", host)
		if err != nil {
			all = append(all, fmt.Errorf("%s: %w", host, err))
			continue
		}
		all = append(all, conn.Close())
		reached = append(reached, host)
	}
	if len(reached) == len(a.Hosts) {
		all = append(all, fmt.Errorf("somebody answers at %s: see whether more than half of the members run, and whether it wants %s", strings.Join(reached, " and "), wants))
	}
	return errors.Join(all...)
}

// transient reports whether an error of etcd may be gone with the next try.
func transient(err error) bool {
	switch code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Internal, codes.ResourceExhausted:
		return true
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// code is the kind of an error of etcd.
func code(err error) codes.Code {
	var known rpctypes.EtcdError
	if errors.As(err, &known) {
		return known.Code()
	}
	return status.Code(err)
}
