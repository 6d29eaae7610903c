//go:build browser

package web

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"zevaka/adapters/browsertest"
	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// TestBankInTheBrowser plays a session of some people with side bets to its end, and counts the chips.
func TestBankInTheBrowser(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db")}
	c.start()
	names := []string{"Аня", "Боря", "Вика", "Гоша", "Даша"}[:enginetest.Bound(3, 5)]
	var people []*seat
	for _, name := range names {
		people = append(people, browser.join(c.url, name))
	}
	ann := people[0]
	bank := enginetest.Bound(20, 100)
	ann.say(fmt.Sprintf("/banchok bank=%d side=on limit=10m", bank))
	ann.phase("lobby")
	for i, p := range people[1:] {
		p.until(`(() => { const b = document.querySelector(".tables .primary"); b?.click(); return b; })()`)
		ann.until(fmt.Sprintf(`document.querySelectorAll(".chair:not(.free)").length === %d`, i+2))
	}
	ann.shot("bank-lobby")
	ann.does("deal")
	for _, p := range people {
		p.until(`document.querySelector(".tbl").dataset.phase !== "lobby"`)
	}
	ann.shot("bank-cut")
	for _, p := range people {
		p.until(`(() => { const b = [...document.querySelectorAll(".stage .act")].find((b) => b.act?.kind === "cut" && b.checkVisibility()); b?.click(); return document.querySelector(".tbl").dataset.phase === "playing"; })()`)
		if value[bool](p, `document.querySelector(".tbl").matches(".yours")`) {
			p.everywhere("bank-stake")
		}
	}
	for _, p := range people {
		p.eval(browsertest.Punter)
	}
	ann.until(`document.querySelector(".chip")?.innerText`)
	ann.everywhere("bank-table")
	for _, p := range people {
		p.untilIn(4*time.Minute, `document.querySelector(".tbl").dataset.phase === "ended" && document.querySelector(".stage .gold")?.act.do === "again"`)
	}
	ann.until(fmt.Sprintf(`document.querySelectorAll(".placed").length === %d`, len(people)))
	ann.everywhere("bank-end")
	for _, p := range people {
		p.calm()
	}
	c.end()
	c.audit()
}

// audit counts the chips in the database.
func (c *casino) audit() {
	c.t.Helper()
	store, err := bolt.Open(c.db, bolt.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	totals, err := upkeep.NewArchive(store, games.All()).Audit(c.t.Context(), func(p purse.Problem) { c.t.Error(p) })
	if err != nil || totals.Purses == 0 || totals.Laid != 0 {
		c.t.Errorf("the audit: %+v, %v", totals, err)
	}
}

// TestBankTellsTheOutcome: the card that was turned stays, and what it has brought, when the next hand has begun.
func TestBankTellsTheOutcome(t *testing.T) {
	t.Parallel() // It waits most of the time.
	w := theWays()["room"](t)
	for banker := true; banker; banker = w.sees(w.who).Bank.Backed < 0 || w.sees(w.who).Seats[w.sees(w.who).Seat].Banker {
		w.opens("/banchok bank=100 limit=none", "Boris", "Vera")
	}
	w.speaks("en")
	won := func() int64 {
		s := w.sees(w.who)
		return s.Seats[s.Seat].Net
	}
	before := won()
	w.soon("an end of Ann's hand", func() bool {
		if w.theirs() {
			w.moves(w.who, w.sees(w.who))
			w.waits(`document.querySelector(".tbl").dataset.phase === "playing"`)
		}
		return won() != before
	})
	w.soon("the next turn of hers", w.theirs)
	w.reads(".outcome", fmt.Sprintf(map[bool]string{true: "you won %d", false: "you lost %d"}[won() > before], max(won()-before, before-won())))
	w.until(`document.querySelector(".place.turned [data-card]")`)
	w.look(phoneWidth, 560, "light")
	w.shot("bank-outcome")
	if over := value[int](w.seat, `((all) => all.filter((e, i) => i && all[i - 1].right > e.left + 1).length)([...document.querySelectorAll(".middle small")].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect()))`); over > 0 {
		t.Errorf("%d captions lie over others", over)
	}
	w.calm()
}
