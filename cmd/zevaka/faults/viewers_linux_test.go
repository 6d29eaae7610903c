//go:build faults

package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// viewer is somebody who looks at the table of a group on Telegram by its button, through any of some processes, whatever
// goes wrong between.
type viewer struct {
	*group
	who *telegramtest.User
	// doors are where the processes' pages stand, as 127.0.0.1:80; Next is the one to try.
	doors []string
	next  int
	// start is what the button says that they came by, seal what lets them in again, and at where they were told to go.
	start, seal, at string

	mu    sync.Mutex
	scene live.Scene
	// newest is the highest version seen of each table, came how often they were let in.
	newest map[string]uint64
	came   int
	wrong  []string
	// heard is why they aren't there now.
	heard string
}

// publicHost is where browsers find the pages, as far as the processes know.
const publicHost = "https://cards.example"

// watch looks until ctx ends.
func (v *viewer) watch(ctx context.Context) {
	for ctx.Err() == nil {
		v.look(ctx)
		wait(ctx, 100*time.Millisecond)
	}
}

// look looks at the table that the newest board leads to, until the connection or the table ends.
func (v *viewer) look(ctx context.Context) {
	start := v.leads()
	if start == "" {
		return
	}
	if start != v.start {
		v.start, v.seal, v.at = start, "", ""
	}
	to := url.URL{Scheme: "ws", Host: v.doors[v.next%len(v.doors)], Path: "/tg/live", RawQuery: url.Values{"at": {v.at}}.Encode()}
	v.next++
	conn, _, err := websocket.Dial(ctx, to.String(), nil)
	if err != nil {
		v.misses(err.Error())
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	first := map[string]any{"login": v.who.Login(start), "start": start, "seal": v.seal, "lang": "en"}
	v.seal = ""
	if !say(ctx, conn, first) {
		return
	}
	for v.start == v.leads() {
		_, b, err := conn.Read(ctx)
		if err != nil {
			v.misses(err.Error())
			return
		}
		if !v.hears(ctx, conn, b) {
			return
		}
	}
}

// hears takes what the process says, and reports whether there is more to come.
func (v *viewer) hears(ctx context.Context, conn *websocket.Conn, b []byte) bool {
	var e struct {
		Kind, Seal, Table, At string
		Scene                 *live.Scene
	}
	if json.Unmarshal(b, &e) != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case e.Kind == "visit":
		v.seal = e.Seal
		v.came++
		return say(ctx, conn, map[string]any{"channel": 1, "look": e.Table})
	case e.Kind == "elsewhere":
		v.at, v.seal = e.At, e.Seal
		return false
	case e.Scene != nil:
		v.sees(*e.Scene)
	default:
		v.heard = string(b)
	}
	return true
}

// misses notes why the viewer isn't there.
func (v *viewer) misses(why string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.heard += " " + why
}

// sees takes a picture of a table. The caller holds mu.
func (v *viewer) sees(s live.Scene) {
	if was := v.newest[s.Table]; s.Version < was {
		v.wrong = append(v.wrong, fmt.Sprintf("table %s was shown in version %d after %d", s.Table, s.Version, was))
	}
	v.newest[s.Table], v.scene = s.Version, s
}

// leads is what the button says that leads to the table; empty while no board has one.
func (v *viewer) leads() string {
	m, _ := v.chat.Board()
	i := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return b.Start() != "" })
	if i < 0 {
		return ""
	}
	return m.Buttons[i].Start()
}

func say(ctx context.Context, conn *websocket.Conn, what any) bool {
	b, err := json.Marshal(what)
	return err == nil && conn.Write(ctx, websocket.MessageText, b) == nil
}

// behind is what is wrong with what somebody sees, compared with the database; nil if nothing is.
func (v *viewer) behind(ctx context.Context, b *bot.Bot, place chat.Place) error {
	v.mu.Lock()
	now, heard := v.scene, v.heard
	v.mu.Unlock()
	if err := differs(ctx, b, chat.Request{Who: chat.User{ID: v.who.ID, Lang: "en"}, In: place}, now); err != nil {
		return fmt.Errorf("%s heard last %s: %w", v.who.Name(), heard, err)
	}
	return nil
}

// differs is what is wrong with what whoever makes that request sees of a table, compared with the database; nil if nothing is.
func differs(ctx context.Context, b *bot.Bot, r chat.Request, now live.Scene) error {
	id, ok := table.ParseID(now.Table)
	if !ok {
		return errors.New("no table is seen")
	}
	look, err := b.Live().Look(ctx, r, id, func() {})
	if err != nil {
		return fmt.Errorf("look at table %s: %w", id, err)
	}
	defer look.Close()
	is, err := look.Next(ctx)
	if err != nil {
		return fmt.Errorf("look at table %s: %w", id, err)
	}
	// That a last picture was shown is one more version, which nobody is told of.
	older := now.Version != is.Version && is.Phase != "ended"
	if older || now.Phase != is.Phase || now.Turn != is.Turn || !reflect.DeepEqual(now.Piles, is.Piles) {
		return fmt.Errorf("table %s is seen in version %d, %s, and it is %d, %s:\n%+v\n%+v",
			id, now.Version, now.Phase, is.Version, is.Phase, now.Piles, is.Piles)
	}
	return nil
}

// look has two people look at each table that several play at on Telegram, by any of the doors.
func (h *house) look(doors []string) {
	for _, s := range h.tables {
		g, ok := s.conversation.(*group)
		if !ok || s.people < 2 {
			continue
		}
		for i, name := range []string{"Гоша", "Дина"} {
			v := &viewer{group: g, who: h.telegram.NewUser(name, "ru"), doors: doors, next: i, newest: map[string]uint64{}}
			g.chat.Join(v.who)
			h.viewers = append(h.viewers, v)
		}
	}
	ctx, stop := context.WithCancel(h.Context())
	var all sync.WaitGroup
	for _, v := range h.viewers {
		all.Go(func() { v.watch(ctx) })
	}
	h.Cleanup(func() {
		stop()
		all.Wait()
	})
}

// views compares what the viewers see with the database, and returns the first thing that is wrong.
func (h *house) views() error {
	h.Helper()
	if len(h.viewers) == 0 {
		return nil
	}
	store, err := bolt.Open(h.copyAlive().file, bolt.Options{})
	if err != nil {
		h.Fatal(err)
	}
	defer store.Close()
	again, err := bot.New(h.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		h.Fatal(err)
	}
	for _, v := range h.viewers {
		id := v.chat.ID
		place := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: id}, Channel: id}
		if err := v.behind(h.Context(), again, place); err != nil {
			return err
		}
	}
	return nil
}

// watched wants that nobody was shown an older table after a newer one, and that all were let in.
func (h *house) watched() {
	h.Helper()
	for _, v := range h.viewers {
		v.mu.Lock()
		if v.came == 0 || len(v.wrong) > 0 {
			h.Errorf("%s was let in %d times: %q", v.who.Name(), v.came, v.wrong)
		}
		v.mu.Unlock()
	}
}
