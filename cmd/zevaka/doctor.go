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
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"zevaka/adapters"
	"zevaka/adapters/door"
	"zevaka/adapters/web"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/etcd"
)

// doctor is the command that looks whether all is there that serve needs. It takes the settings of serve, and changes nothing.
type doctor struct{ settings }

const (
	// doctorTime is how long all that is asked may take.
	doctorTime = 15 * time.Second
	// leastFree is how much room a disk should have, beside that for a second copy of the database.
	leastFree = 100 << 20
	// maxPage is how much is read of what stands at a public address.
	maxPage = 1 << 20
	// madeIn is when this program was made, about: no clock is before that.
	madeIn = 2026
)

// errToDo says how much is to be done, which was said before.
var errToDo = errors.New("to do")

// Run prints a line for each thing that was looked at: good, or what to do.
func (c *doctor) Run(call *kong.Context, std streams) error {
	ctx, cancel := context.WithTimeout(context.Background(), doctorTime)
	defer cancel()
	place, err := c.place()
	if err != nil {
		return err
	}
	served, status := c.asked(ctx, place)
	var asked sync.WaitGroup
	platforms := make([][]adapters.Finding, len(c.chats()))
	for i, p := range c.chats() {
		asked.Go(func() {
			if platforms[i] = []adapters.Finding{{Of: p.Name(), Is: "no token is set, so it is not served"}}; p.Wanted() {
				platforms[i] = p.Examine(ctx)
			}
		})
	}
	public := make([]adapters.Finding, len(c.doors()))
	for i, at := range c.doors() {
		asked.Go(func() { public[i] = publicFinding(ctx, http.DefaultClient, at, served) })
	}
	found := []adapters.Finding{{Of: "program", Is: strings.TrimPrefix(thisBuild().String(), "zevaka ")}}
	found = append(found, settingsFinding(call)...)
	for _, name := range unread(call.Model.Node) {
		found = append(found, adapters.Finding{Of: "settings", Is: "no setting has the variable " + name, Do: "zevaka config lists all"})
	}
	found = append(found, status...)
	if place.file != "" {
		found = append(found, c.fileFindings(place.file, served, inFile(call, "db") || inFile(call, "store"))...)
	} else {
		found = append(found, c.clusterFindings(ctx, place)...)
	}
	if !served {
		found = append(found, c.portFindings(ctx)...)
	}
	if c.Archive != "" {
		found = append(found, archiveFinding(string(c.Archive), place.file))
	}
	if time.Now().Year() < madeIn {
		found = append(found, adapters.Finding{Of: "clock", Is: "it is " + time.Now().Format(time.DateOnly), Do: "set this machine's clock"})
	}
	asked.Wait()
	found = append(found, public...)
	for _, some := range platforms {
		found = append(found, some...)
	}
	todo := 0
	for _, f := range found {
		line := fmt.Sprintf("good  %-9s %s", f.Of, oneLine(f.Is))
		if f.Do != "" {
			todo++
			line = fmt.Sprintf("DO    %-9s %s: %s", f.Of, oneLine(f.Is), f.Do)
		}
		if _, err := fmt.Fprintln(std.out, line); err != nil {
			return err
		}
	}
	if todo > 0 {
		return fmt.Errorf("%d %w", todo, errToDo)
	}
	return nil
}

// settingsFinding is how the file of settings is, which may have tokens in it.
func settingsFinding(call *kong.Context) []adapters.Finding {
	file, _ := call.FlagValue(flagNamed(call.Model.Flags, "config")).(configPath)
	if file == "" {
		return []adapters.Finding{{Of: "settings", Is: "from the command line and the environment; zevaka config prints them"}}
	}
	f := adapters.Finding{Of: "settings", Is: "read from " + string(file) + "; zevaka config prints them"}
	if info, err := os.Stat(string(file)); err == nil && othersMay(info, 0o077) {
		f.Is, f.Do = fmt.Sprintf("others may read %s (%v)", file, info.Mode()), "chmod 600 "+string(file)
	}
	return []adapters.Finding{f}
}

// othersMay reports whether others than its owner have one of these rights to a file.
func othersMay(info fs.FileInfo, rights fs.FileMode) bool {
	return runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&rights != 0
}

// asked is what the zevaka says that serves with these settings, and whether there is one.
func (c *doctor) asked(ctx context.Context, at place) (served bool, found []adapters.Finding) {
	socket := c.socket(at)
	if socket == "" {
		return false, nil
	}
	var said strings.Builder
	err := ask(ctx, c.wire(at), "/status", dialPatience, &said)
	switch {
	case errors.Is(err, errNobody):
		if errors.Is(err, fs.ErrPermission) {
			return true, []adapters.Finding{{Of: "serving", Is: "this user may not ask whether a zevaka serves, at " + socket, Do: "ask as the user that runs it, or as root"}}
		}
		return false, []adapters.Finding{{Of: "serving", Is: "no zevaka serves this database now"}}
	case err != nil:
		return true, []adapters.Finding{{Of: "serving", Is: err.Error(), Do: "look at its log; if it is frozen, stop it and start it again"}}
	}
	for line := range strings.Lines(said.String()) {
		f := adapters.Finding{Of: "serving", Is: strings.TrimSpace(line)}
		if missing, is := strings.CutPrefix(f.Is, notReady); is {
			f.Is, f.Do = missing, "look at its log"
		}
		found = append(found, f)
	}
	return true, found
}

// fileFindings are how the file of the database is, and its disk. Fixed says that a file of settings names it.
func (c *doctor) fileFindings(file string, served, fixed bool) (found []adapters.Finding) {
	add := func(of, is, do string) { found = append(found, adapters.Finding{Of: of, Is: is, Do: do}) }
	folder, size := filepath.Dir(file), int64(0)
	if _, err := os.Stat(folder); err != nil {
		add("database", err.Error(), "make the folder, or see whether its disk is mounted")
		return found
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && fixed && !c.New:
		add("database", file+" isn't there, and the settings name it", "see whether its folder is the right one, and its disk is mounted; if it is to be made, start once with --new")
	case errors.Is(err, fs.ErrNotExist) && !mayWrite(folder):
		add("database", file+" isn't there, and this user can't make it", "let the user that runs zevaka write in "+folder+", or ask as that user")
	case errors.Is(err, fs.ErrNotExist):
		add("database", file+" isn't there: the first start makes it", "")
	case err != nil:
		add("database", err.Error(), "ask as the user that runs zevaka, or as root")
	default:
		size = info.Size()
		add(fileFinding(file, info, served))
		if othersMay(info, 0o077) {
			add("database", fmt.Sprintf("others may read %s (%v)", file, info.Mode()), "chmod 600 "+file)
		}
		if !served && info.Mode().IsRegular() && !mayWrite(file) {
			add("database", "this user can't write "+file, "let the user that runs zevaka write it: as root, chown USER "+file)
		}
	}
	if free, known := diskFree(folder); known {
		is, do := megabytes(free)+" are free where "+file+" is", ""
		if free < size+leastFree {
			do = fmt.Sprintf("make room: to update, to compact and to copy takes as much again as the database has (%s), and a full disk stops all play", megabytes(size))
		}
		add("disk", is, do)
	}
	return found
}

// fileFinding is how a file is that is there.
func fileFinding(file string, info fs.FileInfo, served bool) (of, is, do string) {
	if served {
		return "database", fmt.Sprintf("%s, %s", file, megabytes(info.Size())), ""
	}
	r, err := bolt.Peek(file)
	switch {
	case errors.Is(err, bolt.ErrInUse):
		return "database", err.Error(), "find that process: as by fuser " + file
	case info.Size() == 0:
		return "database", file + " is empty", "put a backup there by zevaka restore, or begin anew by --new"
	case err != nil:
		return "database", err.Error(), "do what it says; zevaka check tells more"
	case r.Format < storage.Format || r.Old < r.Format:
		return "database", fmt.Sprintf("%s, %s, format %d, which the next start brings to %d", file, megabytes(r.Size), r.Old, storage.Format),
			"make a backup first: there is no way back but that"
	}
	return "database", fmt.Sprintf("%s, %s, format %d", file, megabytes(r.Size), r.Format), ""
}

// archiveFinding is whether records can go to a folder, which a start makes if it isn't there, for who owns the file of the database.
func archiveFinding(folder, file string) adapters.Finding {
	f, at := adapters.Finding{Of: "archive", Is: folder}, folder
	info, err := os.Stat(at)
	for errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
		f.Is, at = folder+" isn't there: the first start makes it", filepath.Dir(at)
		info, err = os.Stat(at)
	}
	switch {
	case err != nil:
		f.Is, f.Do = err.Error(), "name another folder, or ask as the user that runs zevaka, or as root"
	case !info.IsDir():
		f.Is, f.Do = at+" is no folder", "name another one"
	case !mayWrite(at):
		f.Is, f.Do = "this user can't write in "+at, "let the user that runs zevaka write there, or ask as that user"
	case !ownerMayWrite(file, at):
		f.Is, f.Do = "who owns "+file+" can't write in "+at, "let the user that runs zevaka write there: as root, chown USER "+at
	}
	return f
}

// clusterFindings are how the database in a cluster is, and each of its members.
func (c *doctor) clusterFindings(ctx context.Context, at place) (found []adapters.Finding) {
	soon, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	store, err := c.openCluster(soon, at.cluster, etcd.Options{CallTime: commandWait})
	if err != nil {
		return []adapters.Finding{{Of: "database", Is: err.Error(), Do: "do what it says"}}
	}
	defer store.Close()
	found = append(found, adapters.Finding{Of: "database", Is: fmt.Sprintf("%s, format %d at the most", at, storage.Format)})
	for _, m := range store.Members(ctx) {
		f := adapters.Finding{Of: "member", Is: fmt.Sprintf("%s, %s of %s", m.Host, megabytes(m.Used), megabytes(m.Quota))}
		switch {
		case m.Err != nil:
			f.Is, f.Do = fmt.Sprintf("%s doesn't answer: %v", m.Host, m.Err), "start it again: the others can lose no other one"
		case m.Full:
			f.Do = "the cluster takes no writes: keep less, compact, defragment, and disarm the alarm"
		case m.Used > m.Quota/2 && m.Quota > 0:
			f.Do = "keep games for a shorter time, or raise --quota-backend-bytes"
		}
		found = append(found, f)
	}
	return found
}

// portFindings are whether one can listen where the settings say, as long as nobody serves.
func (c *doctor) portFindings(ctx context.Context) (found []adapters.Finding) {
	at := map[string]string{"--listen": c.Listen, "--metrics": c.Metrics}
	if p, err := c.place(); err == nil && p.file == "" {
		at["--peers-listen"] = c.PeersListen
	}
	for _, name := range []string{"--listen", "--metrics", "--peers-listen"} {
		address := at[name]
		if address == "" || address == off {
			continue
		}
		if err := c.reached(address); name == "--listen" && err != nil {
			found = append(found, adapters.Finding{Of: "address", Is: name + " " + address + " is reached by others", Do: err.Error()})
			continue
		}
		var lc net.ListenConfig
		ln, err := lc.Listen(ctx, "tcp", address)
		if err != nil {
			found = append(found, adapters.Finding{Of: "address", Is: name + ": " + err.Error(), Do: "stop what listens there, or give another address"})
			continue
		}
		_ = ln.Close()
		found = append(found, adapters.Finding{Of: "address", Is: name + " " + address + " is free"})
	}
	return found
}

// reached is the refusal of a room at an address that others reach, where nothing says that they may.
func (c *doctor) reached(address string) error {
	tokens := slices.ContainsFunc(c.chats(), adapters.Platform.Wanted)
	if c.RoomOpen || tokens && c.PublicURL != "" && len(c.RoomProxy) > 0 || web.LoopbackOnly(address) == nil {
		return nil
	}
	return web.ErrNotLoopback
}

// doors are the public addresses of the live tables.
func (c *doctor) doors() (all []string) {
	if c.PublicURL == "" {
		return nil
	}
	for _, p := range c.chats() {
		if !p.Wanted() {
			continue
		}
		if has, ok := p.Adapter(adapters.Program{Door: string(c.PublicURL), Log: slog.New(slog.DiscardHandler)}).(interface{ Door() door.Door }); ok && has.Door() != nil {
			all = append(all, string(c.PublicURL)+has.Door().Path())
		}
	}
	return all
}

// publicFinding is whether one finds the page of the live tables at a public address, as far as this machine reaches it.
func publicFinding(ctx context.Context, client *http.Client, at string, served bool) adapters.Finding {
	status, text, err := fetch(ctx, client, at)
	f := adapters.Finding{Of: "address", Is: at + " shows the tables"}
	switch {
	case err != nil:
		f.Is, f.Do = err.Error(), "see whether the name leads to your proxy, its port is open and its certificate good; if others get there and this machine doesn't, all is well"
	case status == http.StatusOK && web.IsDoor(text):
	case !served && status >= http.StatusInternalServerError:
		f.Is = at + " leads to a proxy, and no zevaka serves behind it now"
	default:
		f.Is, f.Do = fmt.Sprintf("%s answers %d, and not with the tables", at, status), "have the proxy pass everything on to --listen, and the name by which it was called"
	}
	return f
}

// fetch is what stands at an address.
func fetch(ctx context.Context, client *http.Client, at string) (status int, text []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	answer, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(io.LimitReader(answer.Body, maxPage))
	return answer.StatusCode, text, err
}
