//go:build faults

package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// findings are what the checker found in all rounds of a fault.
type findings struct {
	// rounds is how often it happened; answered are the moves whose presses were answered; lost those of them that are not in the logs of their tables,
	// doubled those in the logs beyond what was pressed, or though the answer was that they don't count.
	rounds, answered, lost, doubled int
	// drift is what the sum of all accounts is off by, and how many things the audit complained of.
	drift int64
}

// move is who made what move at which table.
type move struct {
	table, do string
	user      int64
}

// snapshot is a copy of the database, and the moves that people had been told by then that they count.
type snapshot struct {
	file string
	told map[move]int
}

// copyDead copies the database of a process that is gone.
func (h *house) copyDead() snapshot {
	h.Helper()
	s := snapshot{filepath.Join(h.TempDir(), "copy.db"), h.told()}
	content, err := os.ReadFile(h.db)
	if err == nil {
		err = os.WriteFile(s.file, content, 0o600)
	}
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// copyAlive copies the database of the process that serves, by the operator's command.
func (h *house) copyAlive() snapshot {
	h.Helper()
	s := snapshot{filepath.Join(h.TempDir(), "copy.db"), h.told()}
	if said, code := run(h.T, append([]string{"backup", "--force", s.file}, h.at...)...); code != 0 {
		h.Fatalf("zevaka backup: exit %d, %s", code, said)
	}
	return s
}

// told counts the moves that people know to count.
func (h *house) told() map[move]int {
	told := map[move]int{}
	for _, s := range h.tables {
		for _, p := range s.all() {
			if p.outcome() == counted {
				told[move{p.table, p.do, p.user}]++
			}
		}
	}
	return told
}

// check compares a snapshot with what people pressed and were told.
func (h *house) check(s snapshot, f *findings) {
	h.Helper()
	store, err := bolt.Open(s.file, bolt.Options{})
	if err != nil {
		h.Fatal(err)
	}
	defer store.Close()
	archive := upkeep.NewArchive(store, games.All())
	made := map[move]int{}
	err = summaries(h.Context(), store, func(s summary) error {
		for _, m := range s.Moves {
			made[move{s.Table, m.Move, m.User}]++
		}
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
	h.compare(s.told, made, f)
	totals, err := archive.Audit(h.Context(), func(p purse.Problem) {
		f.drift++
		h.Errorf("the audit: %s", p)
	})
	if err != nil {
		h.Fatal(err)
	}
	if sum := totals.Chips + totals.Laid + totals.House; sum != 0 {
		f.drift += max(sum, -sum)
		h.Errorf("the sum of all accounts is %d: %+v", sum, totals)
	}
}

// compare wants each move to be made as often as people were told, at least, and at most as often as it was pressed and
// not refused.
func (h *house) compare(told, made map[move]int, f *findings) {
	h.Helper()
	pressed := map[move]int{}
	for _, s := range h.tables {
		for _, p := range s.all() {
			if p.outcome() != refused {
				pressed[move{p.table, p.do, p.user}]++
			}
		}
	}
	f.answered = 0
	for m, n := range told {
		f.answered += n
		if made[m] < n {
			f.lost += n - made[m]
			h.Errorf("%v was answered %d times, and was made %d times; people were told %q", m, n, made[m], h.heard(m))
		}
	}
	for m, n := range made {
		if m.do == "quit" || m.do == "leave" { // A wish of the player's, or of the table's.
			continue
		}
		if n > pressed[m] {
			f.doubled += n - pressed[m]
			h.Errorf("%v was made %d times, and may have been made %d times; of its presses people were told %v", m, n, pressed[m], h.refusals(m))
		}
	}
}

// heard are the different answers that said that a move counts.
func (h *house) heard(m move) (answers []string) {
	for _, s := range h.tables {
		for _, p := range s.all() {
			if told, _ := p.heard(); p.outcome() == counted && m == (move{p.table, p.do, p.user}) && !slices.Contains(answers, told) {
				answers = append(answers, told)
			}
		}
	}
	return answers
}

// refusals counts what people were told of presses of a move that don't count.
func (h *house) refusals(m move) map[string]int {
	told := map[string]int{}
	for _, s := range h.tables {
		for _, p := range s.all() {
			if m == (move{p.table, p.do, p.user}) && p.outcome() == refused {
				text, _ := p.heard()
				told[text]++
			}
		}
	}
	return told
}

// boards compares the boards on show with the tables stored, and returns what is wrong with the first that differs:
// a board that shows something else, or an ended table whose last picture was not shown.
func (h *house) boards() error {
	h.Helper()
	store, err := bolt.Open(h.copyAlive().file, bolt.Options{})
	if err != nil {
		h.Fatal(err)
	}
	defer store.Close()
	again, err := bot.New(h.Context(), bot.Options{Store: store, Games: games.All(), Pictures: true})
	if err != nil {
		h.Fatal(err)
	}
	var sheets []summary
	err = summaries(h.Context(), store, func(s summary) error {
		sheets = append(sheets, s)
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
	for _, s := range sheets {
		if s.Over && s.Open {
			return fmt.Errorf("table %s has ended, and its last picture was not shown", s.Table)
		}
		shows := h.shows
		if s.Place.Community.Platform == chat.Web {
			shows = h.seen
		}
		if err := shows(again, s); err != nil {
			return err
		}
	}
	return nil
}

// shows wants a table's board to be what the bot would draw now, perhaps below a call to who has to move, and with its picture put into words where
// that one didn't get through.
func (h *house) shows(b *bot.Bot, s summary) error {
	response := chattest.Drawn(b.Handle(h.Context(), chat.Request{
		ID: "look " + s.Table, Kind: chat.Timeout, Data: s.Table + " redraw", In: s.Place,
	}))
	i := slices.IndexFunc(response.Posts, func(p chat.Post) bool { return p.Table == s.Table })
	if i < 0 {
		return fmt.Errorf("table %s is not drawn: %+v", s.Table, response)
	}
	want := words.Flat(response.Posts[i].Text)
	described := want
	if sheet := response.Posts[i].Picture; sheet != nil && !sheet.Spare {
		described = sheet.Alt + "\n" + want
	}
	for _, c := range h.tables {
		text, tokens, ok := c.message(string(s.Board))
		switch {
		case !ok:
		case !reads(text, want) && !reads(text, described):
			return fmt.Errorf("table %s is\n%s\nand its board shows\n%s", s.Table, want, text)
		case !slices.Equal(tokens, tokensIn(response.Posts[i].Message)):
			return fmt.Errorf("the buttons of table %s are %v, and its board has %v", s.Table, tokensIn(response.Posts[i].Message), tokens)
		default:
			return nil
		}
	}
	return fmt.Errorf("table %s is shown nowhere: %q", s.Table, s.Board)
}

// seen wants a table of the room to stand in a message there, and the page of its first visitor to show it as it is, if it is the one that
// they look at.
func (h *house) seen(b *bot.Bot, s summary) error {
	stands := s.Over // What the room shows of it ends with the process.
	for _, c := range h.tables {
		r, ok := c.conversation.(*room)
		if !ok || r.channel != s.Place.Channel {
			continue
		}
		_, _, there := r.message(string(s.Board))
		stands = stands || there
		if scene, ok := r.shows(s.Table); ok {
			if err := differs(h.Context(), b, chat.Request{Who: chat.User{ID: r.user(0), Lang: "ru"}, In: s.Place}, scene); err != nil {
				return err
			}
		}
	}
	if !stands {
		return fmt.Errorf("table %s is shown nowhere: %q", s.Table, s.Board)
	}
	return nil
}

func reads(text, want string) bool { return letters(text) == letters(want) || belowCall(text, want) }

// belowCall reports whether a text is what is wanted below a line that calls somebody, perhaps without some of its lines: there has to be room
// for that one.
func belowCall(text, want string) bool {
	left := strings.Split(text, "\n")[1:]
	for i, line := range strings.Split(want, "\n") {
		switch {
		case len(left) > 0 && letters(left[0]) == letters(line):
			left = left[1:]
		case i == 0:
			return false
		}
	}
	return len(left) == 0
}

func tokensIn(m chat.Message) (tokens []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Ask == "" {
				tokens = append(tokens, b.Token)
			}
		}
	}
	for _, menu := range m.Choices {
		for _, item := range menu.Items {
			tokens = append(tokens, item.Token)
		}
	}
	return sorted(tokens)
}

// sorted are the tokens that press something at once, in order.
func sorted(tokens []string) []string {
	tokens = slices.DeleteFunc(tokens, func(text string) bool { _, ok := parse(text); return !ok })
	slices.Sort(tokens)
	return tokens
}

// letters are the text without what platforms set their own way.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("♠♣♦♥", r) {
			return r
		}
		return -1
	}, text)
}

// inOrder runs the operator's checks on the database of a process that is gone.
func (h *house) inOrder() {
	h.Helper()
	for _, command := range []string{"check", "audit", "export"} {
		if said, code := run(h.T, append([]string{command}, h.at...)...); code != 0 {
			h.Errorf("zevaka %s: exit %d, %s", command, code, said)
		}
	}
	if _, err := os.Stat(h.db + ".sock"); h.db != "" && !errors.Is(err, fs.ErrNotExist) {
		h.Errorf("the socket is left behind: %v", err)
	}
}
