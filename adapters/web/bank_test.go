package web

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// punter plays Польский банчок by what the page shows: whose turn it is stakes a quarter of the bank, the others bet
// along or pass, the banker opens, and the cutter cuts. It ends when the session does.
const punter = `
window.playing = (async () => {
  const me = %q;
  const change = () => new Promise((done) => {
    const seen = new MutationObserver(() => { seen.disconnect(); done(); });
    seen.observe(document.querySelector("#felt"), { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(() => { seen.disconnect(); done(); }, 100);
  });
  const table = () => [...document.querySelectorAll("#felt .table")].at(-1);
  const buttons = () => [...(table()?.querySelectorAll(".buttons button") ?? [])];
  const find = (label) => buttons().find((b) => b.innerText.startsWith(label));
  const mine = () => [...(table()?.querySelectorAll(".seat") ?? [])].find((row) => row.innerText.includes(me));
  const wish = () => {
    const row = mine(), turn = row?.classList.contains("turn");
    if (table()?.innerText.includes(me + ", снимите")) return find("13");
    if (!row || find("Ещё раз")) return null;
    if (turn && find("Открыть") && !find("Всё: ")) return find("Открыть");
    if (turn) return buttons().filter((b) => /^\d+ к\.$/.test(b.innerText)).at(1) ?? find("Всё: ");
    if (find("Не примазываюсь") && !row.innerText.includes("ставка")) return window.bets++ %% 2 ? find("Не примазываюсь") : find("+");
    return null;
  };
  window.bets = 0;
  while (!find("Ещё раз")) {
    await change();
    const b = wish();
    if (!b || b.getAttribute("aria-disabled") === "true") continue;
    b.click();
  }
})();
0`

// TestBankInTheBrowser plays a session of some people with side bets to its end, and counts the chips.
func TestBankInTheBrowser(t *testing.T) {
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
	ann.reads("#felt .table", fmt.Sprint(bank, " · с примазкой"))
	for i, p := range people[1:] {
		p.press("Сесть")
		ann.reads("#felt .table", fmt.Sprint(i+2, ". "))
	}
	ann.shots("bank-lobby")
	ann.press("Сдавать")
	ann.reads("#felt", "снимите колоду")
	ann.shots("bank-cut")
	for i, p := range people {
		p.eval(fmt.Sprintf(punter, names[i]))
	}
	ann.reads("#felt", "ставит")
	ann.shots("bank-table")
	for _, p := range people {
		p.untilIn(4*time.Minute, `[...document.querySelectorAll("#felt .buttons button")].some((b) => b.innerText === "Ещё раз")`)
	}
	ann.reads("#felt", fmt.Sprintf("Итог после %d банков", len(people)))
	ann.shots("bank-end")
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
