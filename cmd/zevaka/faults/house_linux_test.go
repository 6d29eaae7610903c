//go:build faults

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest"
)

// house is a zevaka that deals on both platforms, and everybody who plays there.
type house struct {
	*testing.T
	// db is the file of the database; empty if it is none. At is what tells other commands where it is.
	db       string
	at       []string
	settings []string
	discord  *discordtest.Server
	telegram *telegramtest.Server
	chance   *dice
	tables   []*seats
	process  *process
	// said is what processes said that are gone.
	said string

	hold func()
	// viewers look on at tables by the live table.
	viewers []*viewer
}

// open is a house with tables in chats and in the room, where nobody plays yet.
func open(t *testing.T) *house {
	t.Helper()
	h := furnish(t)
	h.db = filepath.Join(t.TempDir(), "zevaka.db")
	h.at = []string{"--db", h.db}
	host := storagetest.Address()
	h.settings = append(h.settings, "ZEVAKA_DB="+h.db, "ZEVAKA_LISTEN="+host)
	ears, err := newEars()
	if err != nil {
		t.Fatal(err)
	}
	var rooms []*room
	for i, game := range []string{"zevaka", "banchok"} {
		r := h.newRoom(host, int64(i+1), ears, names[:2+i])
		h.seat(game, 2+i, r)
		rooms = append(rooms, r)
	}
	h.start()
	for _, r := range rooms {
		r.come(h)
	}
	t.Cleanup(func() {
		if h.hold != nil {
			h.hold()
		}
		if h.process != nil {
			h.process.kill()
		}
	})
	return h
}

// furnish is a house with tables in seven chats that has no database yet.
func furnish(t *testing.T) *house {
	t.Helper()
	h := &house{T: t, chance: chanceOf(t)}
	h.discord = discordtest.New(t, discordtest.Options{})
	h.discord.SetFaults(twice)
	h.telegram = telegramtest.New(telegramtest.Options{})
	h.telegram.Twice(true)
	api := httptest.NewServer(h.telegram)
	t.Cleanup(api.Close)
	h.settings = []string{
		"ZEVAKA_LOG_LEVEL=warn", "ZEVAKA_USER_RATE=0", "ZEVAKA_COMMUNITY_RATE=0",
		"DISCORD_TOKEN=" + discordtest.Token, "DISCORD_API=" + h.discord.URL(),
		"TELEGRAM_TOKEN=" + telegramtest.Token, "TELEGRAM_API=" + api.URL,
	}
	h.sitDown()
	return h
}

// twice has Discord deliver everything twice.
var twice = discordtest.Faults{Duplicate: 1}

// names are those of the people in each chat.
var names = []string{"Аня", "Боря", "Вика"}

// sitDown has people come to a game each on either platform, and those at a bank on Discord to another bank there as well, for which
// they pay from the same purses.
func (h *house) sitDown() {
	ears, err := newEars()
	if err != nil {
		h.Fatal(err)
	}
	for i, game := range []string{"zevaka", "banchok", "patience"} {
		people := []int{2, 3, 1}[i]
		var here []discordtest.User
		there := &group{server: h.telegram, ears: ears}
		for n := range people {
			here = append(here, discordtest.User{
				ID: fmt.Sprint(1000 + 10*i + n), Name: fmt.Sprint("user", 10*i+n), Global: names[n], Locale: "ru",
			})
			there.people = append(there.people, h.telegram.NewUser(names[n], "ru"))
		}
		if people > 1 {
			there.chat = h.telegram.NewGroup(game, there.people[0])
		} else {
			there.people[0].Start("")
			there.chat = there.people[0].Private()
		}
		h.seat(game, people, there)
		for range 1 + i%2 {
			id := fmt.Sprint(discordtest.Channel[:15], "10", len(h.tables))
			h.discord.Place(id, discordtest.Guild, 0)
			h.seat(game, people, &channel{server: h.discord, id: id, people: here, ears: ears})
		}
	}
}

// seat has people play in a conversation.
func (h *house) seat(game string, people int, where conversation) {
	rest := 300 * time.Millisecond
	if people == 1 { // They never wait for others, and would make most of all moves.
		rest *= 3
	}
	h.tables = append(h.tables, &seats{
		conversation: where, game: game, people: people, chance: rand.New(rand.NewPCG(h.chance.Uint64(), 0)), rest: rest, last: map[string]*press{},
	})
}

// start starts the process, and waits until both platforms have it.
func (h *house) start() {
	h.Helper()
	before, _ := h.discord.Identifies()
	polls := h.telegram.Report().Counts["getUpdates"]
	h.process = launch(h.T, h.settings...)
	h.until("the bot is connected", func() bool {
		now, _ := h.discord.Identifies()
		return now > before && h.discord.Connected() > 0 && h.telegram.Report().Counts["getUpdates"] > polls
	})
}

// kill kills the process.
func (h *house) kill() {
	h.Helper()
	h.process.kill()
	h.left()
	h.discord.Forgive()
}

// ends waits for the process, which ends by itself because it can't go on.
func (h *house) ends() {
	h.Helper()
	h.process.fails()
	h.left()
	h.discord.Forgive()
}

// stop stops the process.
func (h *house) stop() {
	h.Helper()
	h.process.stop()
	h.left()
}

func (h *house) left() { h.said, h.process = h.said+h.process.log.String(), nil }

// quiet wants that nothing broke the rules of the platforms, and that no process said what it must not.
func (h *house) quiet() {
	h.Helper()
	for _, wrong := range append(h.discord.Record().Violations, h.telegram.Report().Violations...) {
		h.Errorf("against the rules: %s", wrong)
	}
	_, secret, _ := strings.Cut(telegramtest.Token, ":")
	for _, never := range []string{discordtest.Token, secret, "panic"} {
		if strings.Contains(h.said, never) {
			h.Errorf("the log has %q", never)
		}
	}
}

// limit is how long anything is waited for, on however slow a machine.
const limit = 2 * time.Minute

// until waits until something is so.
func (h *house) until(what string, ok func() bool) {
	h.Helper()
	for began := time.Now(); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > limit {
			h.Fatalf("waited in vain: %s\n%s", what, h.story())
		}
	}
}

// story is what happened lately at each table, and what the processes said, for who looks into a failure. Nobody plays any more
// then.
func (h *house) story() string {
	if h.hold != nil {
		h.hold()
	}
	var told strings.Builder
	for i, s := range h.tables {
		fmt.Fprintf(&told, "table %d (%s) offers %v, %v is next\n", i, s.game, s.board(), s.at)
		all := s.all()
		for _, p := range all[max(0, len(all)-6):] {
			text, ok := p.heard()
			fmt.Fprintf(&told, "\t%s %s by %d: %q %t\n", p.table, p.do, p.user, text, ok)
		}
		for _, text := range s.lately() {
			fmt.Fprintf(&told, "\t%s\n", text)
		}
	}
	fmt.Fprintf(&told, "what is stored:\n%s\n", h.stored())
	said := h.said
	if h.process != nil {
		said += h.process.log.String()
		fmt.Fprintf(&told, "%v\n", h.boards())
	}
	return told.String() + said[max(0, len(said)-4000):]
}

// stored are the tables that wait for something, as they are stored, or why that isn't known.
func (h *house) stored() string {
	file := filepath.Join(h.TempDir(), "copy.db")
	if said, code := run(h.T, append([]string{"backup", "--force", file}, h.at...)...); code != 0 {
		return said
	}
	store, err := bolt.Open(file, bolt.Options{})
	if err != nil {
		return err.Error()
	}
	defer store.Close()
	var told strings.Builder
	err = summaries(h.Context(), store, func(s summary) error {
		if s.Open {
			fmt.Fprintf(&told, "\t%s, level %d, at %q, ended: %t, %d moves\n", s.Table, s.Level, s.Board, s.Over, len(s.Moves))
		}
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return told.String()
}

// play has everybody play until hold is called.
func (h *house) play() {
	ctx, stop := context.WithCancel(h.Context())
	var all sync.WaitGroup
	for _, s := range h.tables {
		all.Go(func() { s.play(ctx) })
	}
	h.hold = func() {
		stop()
		all.Wait()
		h.hold = nil
		h.telegram.Twice(false)
		h.telegram.Twice(true)
	}
}

// everybody waits until at every table so many more moves count.
func (h *house) everybody(moves int) {
	h.Helper()
	began := make([]int, len(h.tables))
	for i, s := range h.tables {
		began[i] = s.counted()
	}
	for i, s := range h.tables {
		h.until(fmt.Sprintf("%d moves at table %d (%s)", moves, i, s.game), func() bool { return s.counted() >= began[i]+moves })
	}
}

// again has everything lately pressed delivered once more.
func (h *house) again() {
	for _, s := range h.tables {
		s.again()
	}
}
