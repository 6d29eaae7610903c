//go:build browser

package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
)

// seated are people who play at one table of a house, each on a page.
type seated struct {
	*house
	people []*seat
	who    []chat.User
	table  table.ID
}

// sits opens a table by a line of the first one's, and has the others sit down there.
func (h *house) sits(line string, people ...*seat) *seated {
	h.t.Helper()
	g := &seated{house: h, people: people}
	people[0].say(line)
	people[0].phase("lobby")
	g.table, _ = table.ParseID(value[string](people[0], shown))
	for i, p := range people {
		who, err := person(value[string](p, secret), note{Name: "x"})
		if err != nil {
			h.t.Fatal(err)
		}
		g.who = append(g.who, who)
		if i == 0 {
			continue
		}
		p.eval(`document.querySelector("#home").click()`)
		p.until(`(() => { const b = document.querySelector(".tables .primary"); b?.click(); return b; })()`)
		p.phase("lobby")
		people[0].until(fmt.Sprintf(`document.querySelectorAll(".chair:not(.free)").length === %d`, i+1))
	}
	return g
}

// looks is the table as one of them sees it.
func (g *seated) looks(i int) live.Scene {
	g.t.Helper()
	return glance(g.t, g.bot, chat.Request{Who: g.who[i], In: place(1)}, g.table)
}

// plays has everybody play by a script of what they press, until they have made so many moves, or none can be made.
func (g *seated) plays(script string, most int, then func(mover int, before, after live.Scene)) (moves int) {
	g.t.Helper()
	g.people[0].until(`document.querySelector(".tbl").dataset.phase !== "lobby"`) // Who has pressed Deal doesn't press on as long as it is on its way.
	for rounds := 0; moves < most; rounds++ {
		g.rests()
		before := g.looks(0)
		i := slices.IndexFunc(g.who, func(who chat.User) bool {
			s := glance(g.t, g.bot, chat.Request{Who: who, In: place(1)}, g.table)
			return s.Yours && s.Phase != "ended"
		})
		switch {
		case before.Phase == "ended" && before.Next != "":
			g.goesOn(before.Next)
			continue
		case before.Phase == "ended":
			return moves
		case rounds > 5000:
			g.t.Fatalf("the game never ends: %+v", before)
		case i < 0:
			g.rings(3 * time.Second) // Those whom nobody plays make their moves.
			continue
		}
		g.people[i].until(script)
		after, err := follow(g.t, g.bot, chat.Request{Who: g.who[0], In: place(1)}, g.table, func(s live.Scene) bool { return s.Version > before.Version })
		if err != nil {
			g.t.Fatalf("%v\n%s", err, g.people[i].text("body"))
		}
		g.rests()
		moves++
		then(i, before, after)
		g.rings(10 * time.Second) // Who does the same again soon is taken to have slipped, and a card waits for those who may bet on it.
	}
	return moves
}

// goesOn has everybody go on to the next deal of a session, which is a table of its own.
func (g *seated) goesOn(next string) {
	g.t.Helper()
	g.table, _ = table.ParseID(next)
	for _, p := range g.people {
		p.until(`(() => { const tbl = document.querySelector(".tbl"); if (tbl.dataset.phase !== "ended") return true;
			[...document.querySelectorAll(".stage .act")].find((b) => b.act?.do === "next" && b.checkVisibility())?.click(); return false; })()`)
	}
}

// pressed is the part of a script that presses a button, unless it was pressed before with the same cards on the table: then what came of
// it isn't on the page yet.
const pressed = `const now = b?.act.token + ` + boardText + `; if (!b || b.busy || now === window.pressed) return false; window.pressed = now; b.click(); return true;`

// player is a script that plays Зевака as an attentive person does, by what the page shows: they lay the card on the centre or on
// somebody's pile if it fits there, and else turn a card, or keep it.
const player = `(() => {
	const tbl = document.querySelector(".tbl.yours"), ranks = "6789TJQKA";
	if (!tbl) return false;
	const top = (el) => [...(el?.querySelectorAll(".card[data-card]") ?? [])].at(-1)?.dataset.card;
	const fits = (card, on) => card && on && ranks.indexOf(card[0]) === (ranks.indexOf(on[0]) + 1) % 9;
	const can = [...tbl.querySelectorAll(".act, .go")].filter((b) => b.act && b.getAttribute("aria-disabled") === "false" && b.checkVisibility());
	const by = (ok) => can.find((b) => ok(b.act, b));
	const turned = top(tbl.querySelector(".place.turned")), card = turned || top(tbl.querySelector(".mine .place.waste"));
	const centre = top(tbl.querySelector(".place.foundation"));
	const lay = card && ((centre ? centre[1] === card[1] && fits(card, centre) : card === "6S") && by((a) => a.do === "centre") ||
		by((a, b) => a.kind === "seat" && fits(card, top(b.closest(".seat")?.querySelector(".place.waste")))));
	const b = lay || by((a) => a.kind === "cut") || (turned ? by((a) => a.kind === "self") : by((a) => a.do === "flip")) || by((a) => a.look === "primary");
	` + pressed + `
})()`

// TestGame plays a whole game of three people and a computer, each in a language of their own, with a restart in its midst, and
// begins another.
func TestGame(t *testing.T) {
	h, c := parlour(t)
	people := []*seat{c.join(h.url, "Аня"), c.join(h.url, "Boris"), c.join(h.url, "Wiktoria")}
	people[1].speaks("en")
	people[2].speaks("pl")
	ann, bob := people[0], people[1]
	g := h.sits("/zevaka 21а end=first limit=none", people...)
	ann.does("robot")
	ann.until(`document.querySelectorAll(".chair:not(.free)").length === 4`)
	ann.everywhere("lobby")
	ann.does("deal")
	none := func(int, live.Scene, live.Scene) {}
	g.plays(player, 12, none)
	for i, lang := range []string{"ru", "en", "pl"} {
		people[i].until(`document.querySelector(".tbl").lang === ` + quote(lang))
	}
	ann.until(`document.querySelector(".log").childElementCount > 3 || (document.querySelector(".log").hidden && document.querySelector(".foot > .act[aria-expanded]").click())`)
	ann.everywhere("zevaka")
	ann.banner()
	g.interrupted()
	g.plays(player, 5000, none)
	for _, p := range people {
		p.phase("ended")
	}
	ann.until(`document.querySelectorAll(".placed").length === 4 && document.querySelector(".stage .gold").act.do === "again"`)
	ann.everywhere("zevaka-end")

	// Of two who want another game each keeps the end on the felt until they want so.
	bob.does("again")
	bob.phase("lobby")
	if ended := value[string](ann, `document.querySelector(".tbl").dataset.phase`); ended != "ended" {
		t.Errorf("another one's game takes the end from the felt: %s", ended)
	}
	ann.does("again")
	ann.phase("lobby")
	bob.until(`[...document.querySelectorAll(".chair:not(.free)")].some((e) => e.innerText.trim() === "Аня")`)

	// To close a table is asked for, and only its host can.
	vik := people[2]
	vik.eval(`document.querySelector("#home").click()`)
	vik.until(`document.querySelectorAll(".tables li").length === 1`)
	vik.everywhere("hall")
	if value[bool](ann, `[...document.querySelectorAll(".act")].some((b) => b.checkVisibility() && b.act?.do === "stop")`) {
		t.Error("who isn't the host can close the table")
	}
	bob.does("stop")
	bob.until(`document.querySelector(".question").open`)
	bob.eval(`document.querySelector(".question .act:not(.gold)").click()`)
	bob.until(`!document.querySelector(".question").open && document.querySelector(".tbl").dataset.phase === "lobby"`)
	bob.does("stop")
	bob.until(`document.querySelector(".question").open && (document.querySelector(".question .gold").click(), true)`)
	bob.press("Stop the game")
	vik.until(`document.querySelectorAll(".tables li").length === 0`)
	for _, p := range people {
		p.eval(`document.querySelector("#talk").hidden && document.querySelector("#talkopen").click()`)
		if told := value[[]string](p, `[...document.querySelectorAll("#log .bot:not(.private)")].map((m) => m.textContent)`); len(told) != 1 || strings.Contains(told[0], "SHA") {
			t.Errorf("beside who has won it is told %q", told)
		}
		p.calm()
	}
}

// boardText is what lies on the table.
const boardText = `[...document.querySelectorAll("#felt .heap")].map((h) => [...h.querySelectorAll(".card")].map((c) => c.dataset.card || "-").join(" ") + h.querySelector(".count").textContent).join("/")`

// interrupted ends the house in mid-game and begins it again: each board is as it was left, also to who comes back from a table list.
func (g *seated) interrupted() {
	g.t.Helper()
	var boards []string
	for i, p := range g.people {
		n := len(g.looks(i).Piles)
		p.until(fmt.Sprintf(`document.querySelectorAll("#felt .heap").length === %d && document.querySelector("#lost").textContent === ""`, n))
		p.frames()
		boards = append(boards, value[string](p, boardText))
	}
	g.end()
	g.people[0].until(`document.querySelector("#lost").textContent`)
	g.start()
	for i, p := range g.people {
		p.until(`!document.querySelector("#lost").textContent`)
		p.until(boardText + " === " + quote(boards[i]))
	}
}

// punter is a script that plays Польский банчок by what the page shows: whose turn it is stakes, or opens.
const punter = `(() => {
	const tbl = document.querySelector(".tbl");
	const can = [...tbl.querySelectorAll(".act, .go")].filter((b) => b.act && b.getAttribute("aria-disabled") === "false" && b.checkVisibility());
	const by = (ok) => can.find((b) => ok(b.act));
	const amounts = can.filter((b) => b.act.kind === "amount" && b.act.amount);
	const b = tbl.matches(".yours") &&
		(by((a) => a.kind === "cut") || amounts.at(1) || amounts[0] || by((a) => a.look === "primary") || by((a) => a.kind === "play"));
	` + pressed + `
})()`

// better is a script by which somebody bets on the hand of another, if they can.
const better = `(() => {
	const b = !document.querySelector(".tbl.yours") && [...document.querySelectorAll(".tbl .bets .act, .tbl .bets .go")].find((b) => b.act?.amount && b.getAttribute("aria-disabled") === "false" && b.checkVisibility());
	if (b) b.click();
	window.bet = b;
	return Boolean(b);
})()`

// TestBank plays a session of three people with side bets to its end, and counts the chips.
func TestBank(t *testing.T) {
	h, c := parlour(t)
	people := []*seat{c.join(h.url, "Аня"), c.join(h.url, "Боря"), c.join(h.url, "Вика")}
	ann := people[0]
	g := h.sits("/banchok bank=20 side=on limit=none", people...)
	ann.does("deal")
	bets, told := 0, 0
	g.plays(punter, 5000, func(mover int, before, after live.Scene) {
		for i, p := range people {
			if i != mover && bets < 5 && value[bool](p, better) {
				p.until(`!window.bet.busy`) // What it changes has come to the table.
				bets++
			}
		}
		if own := before.Seats[before.Seat]; before.Phase != "playing" || own.Banker || own.Stake == 0 {
			return
		}
		if won := after.Seats[after.Seat].Net - before.Seats[before.Seat].Net; won != 0 && after.Phase == "playing" && told < 2 {
			ann.until(fmt.Sprintf(`document.querySelector(".outcome")?.innerText.includes(%q)`, fmt.Sprint(max(won, -won))))
			told++
			ann.everywhere("bank")
			ann.banner()
		}
	})
	for _, p := range people {
		p.until(`document.querySelector(".tbl").dataset.phase === "ended" && document.querySelector(".stage .gold")?.act.do === "again"`)
	}
	ann.until(`document.querySelectorAll(".placed").length === 3`)
	ann.everywhere("bank-end")
	if bets == 0 || told == 0 {
		t.Errorf("%d bets were made on the hands of others, %d outcomes were told", bets, told)
	}
	for _, p := range people {
		p.calm()
	}
	totals, err := upkeep.NewArchive(h.store, games.All()).Audit(t.Context(), func(p purse.Problem) { t.Error(p) })
	if err != nil || totals.Purses == 0 || totals.Laid != 0 {
		t.Errorf("the audit: %+v, %v", totals, err)
	}
}

// TestAnotherHall: whoever looks at a table of another hall is in that hall, by whatever way they came: they are heard there, what they type is for
// that table, they are taken on to its next bank, and see that it is their turn elsewhere. A table that is gone takes nobody anywhere.
func TestAnotherHall(t *testing.T) {
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	bob.press("У окна")
	bob.say("/zevaka")
	bob.phase("lobby")
	gone := value[string](bob, shown)
	bob.does("stop")
	bob.until(`document.querySelector(".question").open && (document.querySelector(".question .gold").click(), true)`)
	bob.press("Закрыть стол")
	bob.until(`document.querySelector("#hall").checkVisibility()`)
	bob.say("/banchok bank=20 min=20 limit=none")
	bob.phase("lobby")
	bank := value[string](bob, shown)
	in := func(hall, table string) {
		t.Helper()
		ann.until(`(` + shown + `) === ` + quote(table) + ` && document.querySelector("#hall").checkVisibility() === ` + fmt.Sprint(table == "") +
			` && document.querySelector("#channels [aria-pressed=true]").textContent.startsWith(` + quote(hall) + `)`)
	}
	ann.say("/zevaka 21b computers=2 now limit=none")
	ann.until(shown)
	hers := value[string](ann, shown)
	for !h.sees(ann).Yours {
		h.rings(3 * time.Second)
	}
	ann.eval(`location.hash = "#table=` + gone + `"`)
	in("Зал", "")

	// What she has begun to say is said there.
	ann.click("#talkopen")
	ann.fill("#text", "это я")
	ann.eval(`location.hash = "#table=` + bank + `"`)
	in("У окна", bank)
	for _, s := range []*seat{ann, bob} {
		s.eval(`document.querySelector("#talkopen").click(); document.querySelector("#text").focus()`)
	}
	ann.key("Enter")
	bob.reads("#log .said", "это я")
	bob.say("вижу")
	ann.reads("#log .said", "вижу")
	ann.shot("another-hall")
	sit := func(n int) {
		t.Helper()
		bob.until(fmt.Sprintf(`document.querySelectorAll(".chair:not(.free)").length === %d`, n))
	}
	ann.does("join")
	sit(2)
	ann.say("/leave")
	sit(1)
	ann.does("join")
	sit(2)
	bob.does("deal")
	next := h.banks(bank, bob, ann)
	in("У окна", next)

	// Back at her own table she is in its hall; and where the page comes anew by the address alone it shows what is said beside the table.
	ann.press("▶ Ваш ход за другим столом")
	in("Зал", hers)
	ann.eval(`history.back()`)
	in("У окна", next)
	ann.eval(`sessionStorage.removeItem("zevaka.channel")`)
	ann.look(desktopWidth, desktopHeight, "light")
	ann.reload()
	in("У окна", next)
	if beside := ann.text("#log"); !strings.Contains(beside, "вижу") { // At once: a connection that comes later shows it, too.
		t.Errorf("beside the table it says %q", beside)
	}
	ann.calm()
	bob.calm()
}

// banks has people play a bank to its end, and answers with the next one.
func (h *house) banks(bank string, people ...*seat) (next string) {
	h.t.Helper()
	g := &seated{house: h, people: people}
	g.table, _ = table.ParseID(bank)
	for _, p := range people {
		who, err := person(value[string](p, secret), note{Name: "x"})
		if err != nil {
			h.t.Fatal(err)
		}
		g.who = append(g.who, who)
	}
	for next == "" {
		g.plays(punter, 1, func(_ int, _, after live.Scene) { next = after.Next })
	}
	return next
}
