package discord

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage/mem"
)

func TestOneCallPerPress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		h.table(map[string]any{"set": "21b", "limit": "none"})
		h.server.Forget()
		for range 10 {
			for _, u := range []discordtest.User{ann, bob, vika} {
				m := h.board(discordtest.Channel)
				for _, b := range m.Buttons() {
					i := h.server.Press(u, m.ID, b.CustomID)
					i.Answer()
					if i.Calls() != 1 {
						t.Errorf("%d calls for %q by %s", i.Calls(), b.Label, u.Name)
					}
				}
			}
		}
		r := h.quietly()
		delete(r.Calls, "original") // Lines that were said before are taken away.
		if r.Calls["callback"] != r.Interactions || len(r.Calls) != 1 {
			t.Errorf("%d presses took %v", r.Interactions, r.Calls)
		}
		if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "▶") {
			t.Errorf("the board: %s", m.Content)
		}
	})
}

func TestStrangersAndForgers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		flip, _ := m.Button("Вскрыть")
		for _, id := range []string{flip.CustomID, "x", "1.d1.x.0.flip", strings.Repeat("я", 100), "?", "??", "!", "1.w1.x.2.flip"} {
			i := h.server.Press(vika, m.ID, id)
			i.Answer()
			said, ok := i.Message()
			if !ok || said.Private != vika.ID || said.Content == "" {
				t.Errorf("%q is answered with %+v", id, said)
			}
		}
		if now := h.board(discordtest.Channel); now.Content != m.Content {
			t.Errorf("a stranger moved: %s", now.Content)
		}
		robot := discordtest.User{ID: ann.ID, Name: "ann", Bot: true}
		before := len(h.dealer.asked.Of(chat.Press))
		h.server.Press(robot, m.ID, flip.CustomID)
		for _, event := range []string{
			`{}`, `{"id":"1","type":3,"token":"t","channel_id":"700000000000000001","data":{"custom_id":"x","component_type":99}}`,
			`{"id":"2","type":3,"token":"t","member":null,"data":{}}`, `{"id":"3","type":77,"token":"t","data":5}`, `"nonsense"`,
			`{"id":"4","type":3,"token":"t","channel_id":"700000000000000001","member":{"user":{"id":"101"}},"message":{"id":"5",` +
				`"components":[{"type":99}]},"data":{"custom_id":"x","component_type":2}}`,
		} {
			h.server.Emit("INTERACTION_CREATE", event)
		}
		h.server.Emit("SOMETHING_NEW", `{"id":5}`)
		h.press(vika, "Вскрыть") // Events come in order: when this is answered, the others were read.
		if n := len(h.dealer.asked.Of(chat.Press)) - before; n != 1 {
			t.Errorf("%d presses came through", n)
		}
		h.quietly()
	})
}

// TestLongWorkBeside: who asks for what takes long keeps nobody else who presses on the same message waiting.
func TestLongWorkBeside(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		flip, _ := m.Button("Вскрыть")
		tok, err := table.ParseToken(flip.CustomID)
		if err != nil {
			t.Fatal(err)
		}
		h.dealer.slow.Store(int64(5 * time.Second))
		long := h.server.Press(ann, m.ID, table.Token{Table: tok.Table, Do: "!film x"}.String())
		time.Sleep(time.Second)
		h.dealer.slow.Store(0)
		if kind := h.press(vika, "Вскрыть").Answer(); kind == 6 {
			t.Error("meanwhile somebody else has to wait")
		}
		long.Answer()
		time.Sleep(5 * time.Second)
		h.quietly()
	})
}

// TestNameless has somebody sit down of whom Discord says no name.
func TestNameless(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.press(discordtest.User{ID: "105"}, "Сесть")
		name := h.words.Lang("ru").Say("guest")
		if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "· 2. "+name) {
			t.Errorf("without a name one is called %s", m.Content)
		}
		h.quietly()
	})
}

func TestStalePress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		h.table(map[string]any{"set": "21b", "limit": "none"})
		old := h.board(discordtest.Channel)
		for old.Buttons()[0].CustomID == h.board(discordtest.Channel).Buttons()[0].CustomID {
			for _, u := range []discordtest.User{ann, bob} {
				for _, b := range h.board(discordtest.Channel).Buttons() {
					h.server.Press(u, old.ID, b.CustomID).Answer()
				}
			}
		}
		h.server.Forget()
		i := h.server.Press(ann, old.ID, old.Buttons()[0].CustomID)
		i.Answer()
		if said, _ := i.Message(); said.Private != ann.ID || i.Calls() != 1 {
			t.Errorf("a stale press is answered with %+v in %d calls", said, i.Calls())
		}
		calls := h.quietly().Calls
		delete(calls, "original") // Lines that were said before are taken away.
		if len(calls) != 1 {
			t.Errorf("a stale press took %v", calls)
		}
	})
}

// TestPastBoards: a stale press on a message that isn't the table's board, or shows less than is known, leads to the board. A
// message that stands there after all though it was given up, as the newest one, would else keep buttons that lead nowhere.
func TestPastBoards(t *testing.T) {
	t.Parallel()
	fails := discordtest.Faults{Refused: 1, Status: http.StatusInternalServerError, Only: "edit"}
	for name, test := range map[string]struct {
		before, then     discordtest.Faults
		elsewhere, stays bool
		slow             time.Duration
	}{
		"another message":           {before: fails, elsewhere: true},
		"another message, and late": {before: fails, elsewhere: true, slow: 2 * time.Second},
		"another that can't be changed": {
			before: fails, elsewhere: true, slow: 2 * time.Second, stays: true,
			then: discordtest.Faults{Refused: 1, Status: http.StatusNotFound, Code: codeUnknownMessage, Only: "original"},
		},
		"what was shut": {before: discordtest.Faults{Refused: 1, Status: http.StatusBadRequest, Code: codeArchived}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, old := playing(t)
				now := old
				h.server.SetFaults(test.before)
				if test.elsewhere {
					h.server.Command(bob, discordtest.Channel, "table", nil).Answer()
					time.Sleep(10 * time.Minute) // It is given up that the old message shall lose its buttons.
					now = h.board(discordtest.Channel)
				}
				stale := old.Buttons()[0].CustomID
				moves := func() int { return len(h.dealer.asked.Of(chat.Press)) }
				for _, do := range []string{"Вскрыть", "себе"} { // After it another is to move, or the same, and it is another epoch.
					for _, u := range []discordtest.User{ann, bob} {
						for _, b := range now.Buttons() {
							if strings.Contains(b.Label, do) {
								h.server.Press(u, now.ID, b.CustomID)
								time.Sleep(10 * time.Second)
							}
						}
					}
				}
				h.server.SetFaults(test.then)
				h.dealer.slow.Store(int64(test.slow))
				before, _ := h.server.Message(now.ID)
				pressed := moves()
				h.server.Press(ann, old.ID, stale)
				time.Sleep(10 * time.Second)
				if moves() != pressed+1 {
					t.Fatalf("%d presses came, not 1", moves()-pressed)
				}
				var said []string
				for _, m := range h.server.Messages(discordtest.Channel, ann.ID) {
					if m.Private == ann.ID {
						said = append(said, m.Content)
					}
				}
				after, _ := h.server.Message(old.ID)
				last := ""
				if len(said) > 0 {
					last = said[len(said)-1]
				}
				if !strings.Contains(last, "Это не засчитано") || strings.Contains(last, now.ID) != test.elsewhere {
					t.Errorf("it is said: %q", said)
				}
				if test.elsewhere && (len(after.Rows) == 0) == test.stays {
					t.Errorf("what was pressed has the buttons %v", after.Rows)
				}
				if !test.elsewhere && (after.Content == before.Content || len(after.Rows) == 0) {
					t.Errorf("the board still shows %q", after.Content)
				}
			})
		})
	}
}

func TestModal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.press(bob, "Сесть")
		h.press(ann, "Сдавать")
		if i := h.press(vika, "✎ Своё"); i.Answer() != 4 {
			t.Errorf("who doesn't play is asked for a cut: %d %s", i.Answer(), i.Modal())
		}
		for _, u := range []discordtest.User{ann, bob} {
			if strings.Contains(h.board(discordtest.Channel).Content, "▶") {
				break
			}
			asked := h.press(u, "✎ Своё")
			if asked.Answer() != 9 || !strings.Contains(string(asked.Modal()), "Число от 1 до 999") {
				t.Fatalf("the question: %d %s", asked.Answer(), asked.Modal())
			}
			h.server.Submit(asked, "семь *раз* отмерь").Answer()
		}
		found := false
		for _, m := range h.server.Messages(discordtest.Channel, "") {
			found = found || strings.Contains(m.Content, "`семь *раз* отмерь`")
		}
		if !found || !strings.Contains(h.board(discordtest.Channel).Content, "▶") {
			t.Errorf("the cut: %+v", h.server.Messages(discordtest.Channel, ""))
		}
		h.quietly()
	})
}

// TestSlowForm opens a form in time though nobody knows yet whether it is of any use.
func TestSlowForm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.press(bob, "Сесть")
		h.press(ann, "Сдавать")
		h.dealer.slow.Store(int64(2 * time.Second))
		i := h.press(ann, "✎ Своё")
		if i.Answer() != answerModal {
			t.Fatalf("a slow press is answered with %d", i.Answer())
		}
		h.server.Submit(i, "семь").Answer()
		h.quietly()
	})
}

func TestSlowStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.table(map[string]any{"set": "21b", "limit": "none"})
		h.dealer.slow.Store(int64(2 * time.Second))
		m := h.board(discordtest.Channel)
		for _, i := range []*discordtest.Interaction{h.press(ann, "Вскрыть"), h.press(bob, "Вскрыть"), h.press(vika, "Вскрыть")} {
			if i.Answer() != 6 {
				t.Errorf("a slow press is answered with %d", i.Answer())
			}
		}
		h.server.Until("the board and the refusal follow", func() bool {
			now, _ := h.server.Message(m.ID)
			return now.Content != m.Content && len(h.server.Messages(discordtest.Channel, vika.ID)) == 2
		})
		help := h.server.Command(ann, discordtest.Channel, "help", nil)
		table := h.server.Command(bob, discordtest.Channel, "zevaka", nil)
		if help.Answer() != 5 || table.Answer() != 5 {
			t.Errorf("slow commands are answered with %d and %d", help.Answer(), table.Answer())
		}
		h.server.Until("the help and the table follow", func() bool {
			said, ok := help.Message()
			return ok && said.Private == ann.ID && strings.Contains(said.Content, "Выберите игру") &&
				len(h.server.Messages(discordtest.Channel, "")) == 2
		})
		h.quietly()
	})
}

// TestLostAnswers loses half of what Discord says to answers: nothing is said twice, and nothing goes another way.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		h.server.Forget()
		h.server.SetFaults(discordtest.Faults{Only: "callback", Swallow: 0.5, Most: maxTries - 2, Seed: 2})
		for _, u := range []discordtest.User{vika, ann, bob, vika, ann, bob, vika, vika} {
			h.press(u, "Вскрыть")
		}
		said := func() (n int) {
			for _, m := range h.server.Messages(discordtest.Channel, vika.ID) {
				if m.Private == vika.ID {
					n++
				}
			}
			return n
		}
		h.server.Until("older lines are taken away", func() bool { return said() == 1 })
		h.end()
		if r := h.quietly(); said() != 1 || len(r.Calls) != 2 || r.Calls["callback"] < 10 || r.Calls["original"] > 6 {
			t.Errorf("a stranger sees %d lines, calls: %v", said(), r.Calls)
		}
	})
}

// TestOneRemark: of what is said to somebody alone the newest line stands there, and nothing of others is taken away.
func TestOneRemark(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		help := h.server.Command(vika, discordtest.Channel, "help", nil)
		help.Answer()
		h.server.Forget()
		for range 14 {
			h.press(vika, "Вскрыть")
		}
		lines := func(who string) (n int) {
			for _, m := range h.server.Messages(discordtest.Channel, who) {
				if m.Private == who {
					n++
				}
			}
			return n
		}
		h.server.Until("one line is left, and the help", func() bool { return lines(vika.ID) == 2 })
		if _, ok := help.Message(); !ok {
			t.Error("the help is taken away")
		}
		if calls := h.quietly().Calls; calls["callback"] != 14 || calls["original"] != 13 || len(calls) != 2 {
			t.Errorf("calls: %v", calls)
		}
		if now := h.board(discordtest.Channel); now.Content != m.Content {
			t.Errorf("the board: %s", now.Content)
		}
	})
}

// TestRemarksOutOfTurn: two remarks of one person's are noted in the other order than they were asked for. That of the later press stays.
func TestRemarksOutOfTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		h.press(vika, "Вскрыть")
		said := func() string {
			for _, m := range h.server.Messages(discordtest.Channel, vika.ID) {
				if m.Private == vika.ID {
					return m.ID
				}
			}
			return ""
		}
		h.quietly()
		before := said()
		asked := h.dealer.asked.Of(chat.Press)
		at := asked[len(asked)-1].In
		late := &answer{core: h.core, id: "1", token: "earlier", app: "1", who: number(vika.ID), place: at, born: time.Now(), life: t.Context(), mu: make(turn, 1), own: true}
		h.sender.replaceRemark(late, false)
		if before == "" || said() != before {
			t.Errorf("the line %q is taken away by one of before", before)
		}
		h.quietly()
	})
}

// TestPanic has the bot break at one press: the others go on.
func TestPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.table(map[string]any{"limit": "none"})
		h.dealer.broken.Store(true)
		m := h.board(discordtest.Channel)
		b, _ := m.Button("Вскрыть")
		i := h.server.Press(vika, m.ID, b.CustomID)
		h.server.Until("it broke", func() bool { return !h.dealer.broken.Load() })
		if h.press(vika, "Вскрыть").Answer() != 4 || i.Answer() != 6 {
			t.Errorf("what broke is answered with %d", i.Answer())
		}
		h.quietly()
	})
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		i := h.press(ann, "Вскрыть")
		before := len(h.dealer.asked.Of(chat.Press))
		h.server.Again(i)
		h.press(vika, "Вскрыть")
		if n := len(h.dealer.asked.Of(chat.Press)) - before; n != 1 {
			t.Errorf("%d presses came through", n)
		}
		h.quietly()
	})
}

// TestAnsweredBySomebodyElse: a press comes once more that another process has answered, one that was killed before it
// could show what it had stored. The new one can't answer it, and doesn't take that for having shown the table.
func TestAnsweredBySomebodyElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, disk(t), fake(t, discordtest.Options{}))
		h.start()
		h.table(map[string]any{"limit": "none"})
		var answered *discordtest.Interaction
		var mover discordtest.User
		for _, u := range []discordtest.User{ann, bob} {
			if i := h.press(u, "Вскрыть"); i.Answer() == 7 {
				answered, mover = i, u
			}
		}
		before := h.board(discordtest.Channel)
		keep, ok := before.Button(mover.Global + mover.Nick + " ⤵ себе")
		if !ok || answered == nil {
			t.Fatalf("nobody has flipped a card: %s", before.Content)
		}
		faults := h.server.Record().Faults
		h.server.SetFaults(discordtest.Faults{Broken: 1})
		h.server.Press(mover, before.ID, keep.CustomID)
		h.server.Until("the move is made, and its answer lost", func() bool { return h.server.Record().Faults > faults })
		h.kill()
		h.server.SetFaults(discordtest.Faults{})
		if now := h.board(discordtest.Channel); now.Content != before.Content {
			t.Fatalf("the move was shown: %s", now.Content)
		}
		h.start()
		asked := len(h.dealer.asked.All())
		h.server.Again(answered)
		h.server.Until("the press comes again", func() bool { return len(h.dealer.asked.All()) > asked })
		h.ring()
		h.server.Until("the board shows the move", func() bool {
			return strings.Contains(h.board(discordtest.Channel).Content, "оставляет")
		})
	})
}

// TestManyWaitForThePicture: of those who ask while a picture is on its way a bounded number is kept, and all are answered.
func TestManyWaitForThePicture(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		m := h.board(discordtest.Channel)
		waiting := func() []int {
			h.sender.boards.mu.Lock()
			defer h.sender.boards.mu.Unlock()
			var all []int
			for _, b := range h.sender.boards.tables.All() {
				all = append(all, len(b.waiting))
			}
			return all
		}
		var name string
		for _, b := range h.sender.boards.tables.All() {
			name = b.table
		}
		painted, paint := make(chan struct{}), make(chan struct{})
		in := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel)}
		h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: name, Edit: newRef(m.Channel, m.ID), Draw: func() (chat.Message, bool) {
			close(painted)
			<-paint
			return chat.Message{}, false
		}}}})
		<-painted
		var all []*discordtest.Interaction
		for n := range 2 * maxAnswers {
			who := discordtest.User{ID: fmt.Sprint(1000 + n), Name: "guest", Locale: "ru"}
			all = append(all, h.server.Command(who, discordtest.Channel, "table", nil))
		}
		for _, i := range all {
			i.Answer()
		}
		if most := slices.Max(waiting()); most != maxAnswers {
			t.Errorf("%d answers wait", most)
		}
		close(paint)
		h.server.Until("nobody waits", func() bool { return slices.Max(waiting()) == 0 })
	})
}

// TestNothingMute: in 200 channels where people play, each press of each button and each command is answered within a second by something to
// see: the board, a form, or a message.
func TestNothingMute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		places := []string{discordtest.Channel}
		for n := range 199 {
			places = append(places, strconv.Itoa(700000000000001000+n))
			h.server.Place(places[n+1], discordtest.Guild, 0)
		}
		seen := func(i *discordtest.Interaction, what string) {
			begun := time.Now()
			if kind := i.Answer(); kind != 4 && kind != 7 && kind != answerModal || time.Since(begun) > time.Second {
				t.Errorf("%s by %s is answered with %d after %v", what, i.Who.Name, kind, time.Since(begun))
			}
		}
		press := func(place string, u discordtest.User, label string) {
			m := h.board(place)
			if b, ok := m.Button(label); ok { // Who cuts first may be the one who deals.
				seen(h.server.Press(u, m.ID, b.CustomID), label)
			}
		}
		var playing sync.WaitGroup
		for n, place := range places {
			playing.Go(func() {
				time.Sleep(time.Duration(n) * 30 * time.Millisecond)
				seen(h.server.Command(ann, place, "zevaka", map[string]any{"set": "21b", "limit": "none"}), "/zevaka")
				for _, step := range []struct {
					who   discordtest.User
					label string
				}{{bob, "Сесть"}, {ann, "Сдавать"}, {ann, "7"}, {bob, "7"}} {
					time.Sleep(3 * time.Second)
					press(place, step.who, step.label)
				}
				if m := h.board(place); !strings.Contains(m.Content, "▶") {
					t.Errorf("nothing was dealt: %s", m.Content)
				}
				for _, u := range []discordtest.User{ann, vika} {
					m := h.board(place)
					for _, b := range m.Buttons() {
						time.Sleep(time.Second)
						seen(h.server.Press(u, m.ID, b.CustomID), b.Label)
					}
				}
			})
		}
		for n, c := range h.dealer.bot.Commands("en") {
			playing.Go(func() {
				time.Sleep(20 * time.Second)
				seen(h.server.Command(vika, places[n], c.Name, nil), "/"+c.Name)
			})
		}
		playing.Wait()
		h.quietly()
	})
}
