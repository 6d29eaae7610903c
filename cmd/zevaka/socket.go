package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// dialPatience is how long to wait for somebody to answer at a socket.
const dialPatience = 5 * time.Second

// errListening is the error for a socket at which somebody listens already.
var errListening = errors.New("another process listens there: stop it")

// listenAt makes a socket that nobody else can reach, in the place of one that is left of a process that is gone.
func listenAt(socket string) (net.Listener, error) {
	conn, err := net.DialTimeout("unix", socket, dialPatience)
	switch {
	case err == nil:
		return nil, errors.Join(errListening, conn.Close())
	case errors.Is(err, syscall.EINVAL):
		return nil, errors.New("its path is too long: nobody could reach it")
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

// errNobody is the error for a socket at which nobody answers.
var errNobody = errors.New("nobody answers at the socket")

// errSilent is the error for one who serves and sends nothing, as a process does that was stopped.
var errSilent = errors.New("the zevaka that serves doesn't answer")

// wire is how the zevaka that serves a database is asked: the socket, and the file that is meant, as resolved has it; empty for one in a cluster.
// Who answers at a socket that was named may serve another.
type wire struct{ socket, of string }

// wire is how the zevaka that serves a place is asked.
func (d database) wire(at place) wire { return wire{d.socket(at), resolved(at.file)} }

// resolved is the path of a file from the root, without links, also where it isn't there any more; empty for none.
func resolved(file string) string {
	if file == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(folder, filepath.Base(file))
	}
	if whole, err := filepath.Abs(file); err == nil {
		file = whole
	}
	return file
}

// ofDatabase is the header of a request that says which file is meant.
const ofDatabase = "Zevaka-Database"

// ask copies to w what the zevaka that serves has at that path. It gives up when nothing came for as long as patience. One that serves another
// file is nobody.
func ask(ctx context.Context, to wire, path string, patience time.Duration, w io.Writer) error {
	return tell(ctx, to, path, nil, patience, w)
}

// tell is ask, and sends a body.
func tell(ctx context.Context, to wire, path string, body []byte, patience time.Duration, w io.Writer) error {
	conn, err := (&net.Dialer{Timeout: min(dialPatience, patience)}).DialContext(ctx, "unix", to.socket)
	if err != nil {
		return fmt.Errorf("%w: %w", errNobody, err)
	}
	defer conn.Close()
	return askOver(ctx, conn, to.of, path, body, patience, w)
}

// askOver is tell over a connection to the zevaka that serves; with no body it only asks.
func askOver(ctx context.Context, conn net.Conn, of, path string, body []byte, patience time.Duration, w io.Writer) (err error) {
	defer func() {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = fmt.Errorf("%w: nothing came for %s", errSilent, patience)
		}
	}()
	client := http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return listening{conn, patience}, nil },
		DisableKeepAlives: true,
	}}
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://zevaka"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set(ofDatabase, url.PathEscape(of))
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
		if answer.StatusCode == http.StatusMisdirectedRequest {
			return errors.Join(fmt.Errorf("%w: %s", errNobody, strings.TrimSpace(string(why))), err)
		}
		return errors.Join(fmt.Errorf("the zevaka that serves says: %s", strings.TrimSpace(string(why))), err)
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
