// Package chatscript plays chat scripts in tests: what a few people do in one place, line by line, and what everybody
// sees of it. The same script is the same game on every platform: the bot believes that it is in one room, and a
// Platform brings what people do to it and what it says to them. Beside that it has what else the tests of all platforms
// ask.
//
// Lines beginning with ">" are what people do, the rest is what everybody sees:
//
//	> Аня: /zevaka 21б        a command
//	> Боря: [Сесть]           a press of a button on the newest picture that has it
//	> Боря: [Вскрыть]^1       a press of a button as it stood before it meant what it means now
//	> Боря: "1w1.x.0.flip"    a press of a token that somebody wrote
//	> quick Боря: [Сесть]     the same within the same moment as the line before
//	> twice Боря: [Сесть]     the same press delivered twice
//	> both Аня: [A] | Боря: [B]   two presses at once
//	> wait 60s                running time passes
//	> restart                 the process dies and starts again
//	> play 5                  whoever must move does so attentively, five times; "play" alone goes on to the end
package chatscript

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// Step is a line of a script with what everybody sees of it, as it stands there; or a comment.
type Step struct {
	Comment string
	Line    string
	Seen    string
}

// Each runs a test for every script in a folder, with its file and what stands in it.
func Each(t *testing.T, folder string, test func(t *testing.T, file, text string)) {
	t.Helper()
	each(t, folder, regexp.MustCompile(""), test)
}

// On runs a test for those scripts in a folder that show something of a platform, and say so: a comment at their head begins
// "# On" and names it before a colon.
func On(t *testing.T, folder, platform string, test func(t *testing.T, text string)) {
	t.Helper()
	named := regexp.MustCompile(`(?m)^# On [^:]*\b` + platform + `\b`)
	each(t, folder, named, func(t *testing.T, _, text string) { test(t, text) })
}

// each runs a test for the scripts in a folder that match.
func each(t *testing.T, folder string, named *regexp.Regexp, test func(t *testing.T, file, text string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.chat"))
	if err != nil {
		t.Fatal(err)
	}
	none := true
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if named.Match(text) {
			none = false
			t.Run(strings.TrimSuffix(filepath.Base(file), ".chat"), func(t *testing.T) { test(t, file, string(text)) })
		}
	}
	if none {
		t.Fatalf("no chat script in %s matches %q", folder, named)
	}
}

// Steps are what stands in a script.
func Steps(text string) []Step {
	var all []Step
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if does, ok := strings.CutPrefix(line, "> "); ok {
			all = append(all, Step{Line: does})
		} else if strings.HasPrefix(line, "#") {
			all = append(all, Step{Comment: line})
		} else if len(all) > 0 {
			all[len(all)-1].Seen += line + "\n"
		}
	}
	return all
}

// moves reads how many moves are to be played; where no number stands, more than any game has.
func moves(t testing.TB, text string) int {
	t.Helper()
	if text == "" {
		return 5000
	}
	return enginetest.Number(t, text)
}

func duration(t testing.TB, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Block is a message as a script shows it.
type Block struct {
	// Number is the script's name for it, Reader who alone sees it, Mention who is notified, with commas between; empty is nobody.
	Number, Reader, Mention string
	Lines, Labels           []string
}

// Note is what one person is told and nobody else.
type Note struct {
	Who, Text string
	Refusal   bool
}

// Gone ends the head of a message that is taken away.
const Gone = " is taken away"

// Read tells what a script says is seen: messages, and what somebody is told.
func Read(seen string) (blocks []Block, notes []Note) {
	for line := range strings.Lines(seen) {
		line = strings.TrimRight(line, "\n")
		text, within := strings.CutPrefix(line, "    | ")
		who, told, isNote := strings.Cut(strings.TrimSpace(line), " only: ")
		head, begins := strings.CutPrefix(line, "  #")
		switch n := len(blocks) - 1; {
		case within && n >= 0:
			blocks[n].Lines = append(blocks[n].Lines, strings.TrimSpace(text))
		case strings.HasPrefix(line, "    [") && n >= 0:
			blocks[n].Labels = append(blocks[n].Labels, strings.Split(strings.Trim(strings.TrimSpace(line), "[]"), "] [")...)
		case begins && strings.HasSuffix(head, Gone):
			number := strings.TrimSuffix(head, Gone)
			blocks = slices.DeleteFunc(blocks, func(b Block) bool { return b.Number == number })
		case begins:
			blocks = append(blocks, readHead(head))
		case isNote:
			told, refusal := strings.CutPrefix(told, "!")
			notes = append(notes, Note{who, told, refusal})
		}
	}
	for i, b := range blocks {
		for len(b.Lines) > 0 && b.Lines[len(b.Lines)-1] == "" {
			b.Lines = b.Lines[:len(b.Lines)-1]
		}
		blocks[i] = b
	}
	return blocks, notes
}

// Called are those whom a post notifies, as a script names them.
func Called(p chat.Post) string {
	var names []string
	for _, u := range p.Mention {
		names = append(names, u.Name)
	}
	return strings.Join(names, ", ")
}

// readHead reads the first line of a message: "3 everybody (to Аня)", or "3 Аня only".
func readHead(head string) Block {
	number, who, _ := strings.Cut(head, " ")
	b := Block{Number: number, Reader: strings.TrimSuffix(who, " only")}
	if who, to, _ := strings.Cut(who, " (to "); who == "everybody" {
		b.Reader, b.Mention = "", strings.TrimSuffix(to, ")")
	}
	return b
}

// People are those of the scripts, in the order of their IDs from 1.
func People() []chat.User {
	all := []chat.User{
		{Name: "Аня", Lang: "ru"}, {Name: "Боря", Lang: "ru"}, {Name: "Вика", Lang: "ru"},
		{Name: "Ola", Lang: "pl"}, {Name: "Piotr", Lang: "pl"}, {Name: "Kasia", Lang: "pl"},
		{Name: "Ann", Lang: "en"}, {Name: "Bob", Lang: "en"}, {Name: "Stranger", Lang: "en"}, {Name: "Admin", Lang: "en", Admin: true},
	}
	for i := range all {
		all[i].ID = int64(i + 1)
	}
	return all
}

// players are the names of those who make moves by themselves: the stranger and the admin do only what a script says.
func players() []string {
	var names []string
	for _, u := range People()[:8] {
		names = append(names, u.Name)
	}
	return names
}

// Asked are the requests that a Handler was asked. The zero Asked is empty; it is safe for use by many goroutines.
type Asked struct {
	mu  sync.Mutex
	all []chat.Request
}

// Add notes a request.
func (a *Asked) Add(r chat.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, r)
}

// All are the requests so far, Of those of a kind.
func (a *Asked) All() []chat.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// Of are the requests of a kind so far.
func (a *Asked) Of(kind chat.Kind) []chat.Request {
	return slices.DeleteFunc(a.All(), func(r chat.Request) bool { return r.Kind != kind })
}

// AuditBank checks the books after a session with a banker among so many people: they come to nothing, and every one of
// the stakes that counted is in the records once.
func AuditBank(t testing.TB, store storage.Store, people, stakes int) {
	t.Helper()
	archive := upkeep.NewArchive(store, games.All())
	totals, err := archive.Audit(t.Context(), func(p purse.Problem) { t.Errorf("%s: %s", p.Key, p.What) })
	if err != nil || totals.Chips+totals.Laid+totals.House != 0 || totals.Laid != 0 || totals.Purses != people {
		t.Errorf("the books come to %+v, %v", totals, err)
	}
	deals, moves := 0, 0
	err = archive.Export(t.Context(), func(r engine.Record) error {
		deals++
		for _, text := range r.Moves {
			if strings.Contains(text, "stake ") || strings.Contains(text, "side ") {
				moves++
			}
		}
		return nil
	})
	if err != nil || deals < people || moves != stakes {
		t.Errorf("%d stakes in %d deals, and %d were answered: %v", moves, deals, stakes, err)
	}
	t.Logf("%d deals, %d stakes, the books: %+v", deals, moves, totals)
}

// Month has people of these names play six games of Зевака in a place in the month that is over, which the first of them wins, and is
// what there is to tell of it. It waits for minutes, so it is for a bubble of synctest.
func Month(t testing.TB, in chat.Place, lang string, names ...string) (posts []chat.Post) {
	t.Helper()
	store := mem.New()
	now := time.Now().UTC()
	ended := time.Date(now.Year(), now.Month()-1, 15, 0, 0, 0, 0, time.UTC).Unix()
	for i := range 6 {
		one := &table.Table{
			ID: table.ID{Community: in.Community, Name: fmt.Sprint("t", i)}, Format: table.Format, Phase: table.Ended,
			Agreed: table.Agreed{Place: in, Lang: lang, Game: "zevaka"},
			End:    table.End{Opened: ended, Dealt: ended, Ended: ended + int64(i), Result: &engine.Result{Places: []engine.Seat{0, 1}}},
		}
		for n, name := range names {
			one.Chairs = append(one.Chairs, table.Chair{User: int64(n + 1), Name: chat.CleanName(name)})
		}
		record := func(tx storage.Tx) error { return play.RecordResults(tx, one, games.All()[0].Info()) }
		if err := storage.Update(t.Context(), store, record); err != nil {
			t.Fatal(err)
		}
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	house := table.NewHouse(store, games.All(), catalogue, slog.New(slog.DiscardHandler), time.Now)
	play.TellSeasons(ctx, house, func(_ context.Context, r chat.Response) { posts = append(posts, r.Posts...) })
	return posts
}
