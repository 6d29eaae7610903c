//go:build faults

package faults

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest"
)

// TestKilledOverAWebhook kills the process while two people press "Again" under the same ended table, and starts it. What
// was confirmed to Telegram is stored; what is stored is shown, before anything is delivered again; and what is delivered
// then brings both to one table.
func TestKilledOverAWebhook(t *testing.T) {
	t.Parallel()
	p := openParlour(t)
	for range *rounds {
		p.round()
	}
	p.process.stop()
	for _, wrong := range p.api.Report().Violations {
		t.Errorf("against the rules: %s", wrong)
	}
}

// parlour is a zevaka that Telegram calls, and two people who go from one chat to the next.
type parlour struct {
	*testing.T
	db, listen string
	settings   []string
	api        *telegramtest.Server
	process    *process
	ann, bob   *telegramtest.User
	chance     *dice
	// calling says that Telegram delivers what waits.
	calling atomic.Bool
}

func openParlour(t *testing.T) *parlour {
	t.Helper()
	api := telegramtest.New(telegramtest.Options{})
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	p := &parlour{T: t, chance: chanceOf(t), db: filepath.Join(t.TempDir(), "zevaka.db"), listen: storagetest.Address(), api: api}
	p.ann, p.bob = api.NewUser("Ann", "en"), api.NewUser("Bob", "en")
	p.settings = []string{
		"ZEVAKA_DB=" + p.db, "ZEVAKA_LISTEN=off", "ZEVAKA_LOG_LEVEL=warn",
		"TELEGRAM_TOKEN=" + telegramtest.Token, "TELEGRAM_API=" + server.URL,
		"ZEVAKA_TELEGRAM_WEBHOOK=https://cards.example.org/telegram", "ZEVAKA_TELEGRAM_WEBHOOK_LISTEN=" + p.listen,
	}
	p.start()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.deliver(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if p.process.cmd.ProcessState == nil {
			p.process.kill()
		}
	})
	return p
}

// start starts the process, and waits until it has said where it wants to be called.
func (p *parlour) start() {
	p.Helper()
	_, before := p.api.Hook()
	p.process = launch(p.T, p.settings...)
	p.until("the webhook is set", func() bool { _, secret := p.api.Hook(); return secret != before })
}

// deliver calls the process with what waits, again and again until ctx ends.
func (p *parlour) deliver(ctx context.Context) {
	client := &http.Client{Transport: telegramtest.Proxy{To: p.listen}, Timeout: 10 * time.Second}
	for ; ctx.Err() == nil; wait(ctx, 2*time.Millisecond) {
		if p.calling.Load() {
			_, _ = p.api.CallHook(ctx, client, false) // Nobody may be there: it is tried again.
		}
	}
}

func (p *parlour) until(what string, ok func() bool) {
	p.Helper()
	for began := time.Now(); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > limit {
			p.Fatalf("waited in vain: %s\n%s", what, p.process.log)
		}
	}
}

// round has a table end in a new chat, both people ask for another, and the process die.
func (p *parlour) round() {
	p.Helper()
	chat := p.api.NewGroup("cards", p.ann)
	p.calling.Store(true)
	chat.Say(p.ann, "/zevaka limit=none")
	for _, do := range []string{"!robot", "!deal"} {
		p.until(do, func() bool { return len(button(chat, do)) > 0 })
		board, _ := chat.Board()
		p.ann.Press(board, button(chat, do))
	}
	p.until("a move", func() bool { // Nothing stays of a table without one.
		time.Sleep(200 * time.Millisecond)
		board, _ := chat.Board()
		id := p.ann.Press(board, button(chat, "flip"))
		p.until("an answer", func() bool { _, ok := p.api.Answer(id); return ok })
		told, _ := p.api.Answer(id)
		return strings.HasPrefix(told.Text, "Ann flips")
	})
	chat.Say(p.ann, "/leave") // With nobody left the game is over.
	p.until("the end of the table", func() bool { return len(button(chat, "!again")) > 0 })
	p.until("silence", func() bool { return p.api.Waiting() == 0 })
	ended, _ := chat.Board()

	again := button(chat, "!again")
	pressed := map[int64]string{p.ann.ID: p.ann.Press(ended, again), p.bob.ID: p.bob.Press(ended, again)}
	p.until("a press that arrives", func() bool { return p.api.Waiting() < len(pressed) })
	time.Sleep(time.Duration(p.chance.Int64N(int64(5 * time.Millisecond))))
	p.process.kill()
	p.calling.Store(false)

	tables := p.open(chat)
	for user, press := range pressed {
		_, told := p.api.Answer(press)
		if told && !slices.ContainsFunc(tables, func(s summary) bool { return slices.Contains(s.People, user) }) {
			p.Errorf("%d was told that the press counts, and sits nowhere: %+v", user, tables)
		}
	}
	p.start()
	for _, s := range tables {
		p.until("table "+s.Table+" is shown", func() bool { return shows(chat, s.Table, len(s.People)) })
	}
	p.calling.Store(true)
	p.until("what was pressed is delivered", func() bool { return p.api.Waiting() == 0 })
	tables = p.openNow(chat)
	if len(tables) != 1 || len(tables[0].People) != len(pressed) {
		p.Fatalf("after all presses the tables are %+v", tables)
	}
	p.until("both sit on the board", func() bool { return shows(chat, tables[0].Table, len(pressed)) })
}

// open are the tables of the chat at which something is still played, in the file of a process that is gone.
func (p *parlour) open(chat *telegramtest.Chat) []summary {
	p.Helper()
	content, err := os.ReadFile(p.db)
	if err != nil {
		p.Fatal(err)
	}
	file := filepath.Join(p.TempDir(), "copy.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		p.Fatal(err)
	}
	return p.openIn(file, chat)
}

// openNow are those of the process that serves.
func (p *parlour) openNow(chat *telegramtest.Chat) []summary {
	p.Helper()
	file := filepath.Join(p.TempDir(), "copy.db")
	if said, code := run(p.T, "backup", "--db", p.db, "--force", file); code != 0 {
		p.Fatalf("zevaka backup: exit %d, %s", code, said)
	}
	return p.openIn(file, chat)
}

func (p *parlour) openIn(file string, chat *telegramtest.Chat) (tables []summary) {
	p.Helper()
	store, err := bolt.Open(file, bolt.Options{})
	if err != nil {
		p.Fatal(err)
	}
	defer store.Close()
	err = summaries(p.Context(), store, func(s summary) error {
		if s.Place.Channel == chat.ID && !s.Over {
			tables = append(tables, s)
		}
		return nil
	})
	if err != nil {
		p.Fatal(err)
	}
	return tables
}

// button is the first token on the newest board with which something is done; empty if there is none.
func button(chat *telegramtest.Chat, do string) string {
	m, _ := chat.Board()
	for _, data := range dataOf(m) {
		if t, ok := parse(data); ok && t.do == do {
			return data
		}
	}
	return ""
}

// shows reports whether the newest board is the table's, with so many people.
func shows(chat *telegramtest.Chat, table string, people int) bool {
	m, _ := chat.Board()
	t, ok := parse(button(chat, "!join"))
	sit := 0
	for _, name := range []string{"Ann", "Bob"} {
		if strings.Contains(m.Text, ". "+name) {
			sit++
		}
	}
	return ok && t.table() == table && sit == people
}
