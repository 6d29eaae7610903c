package web

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/purse"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// punter plays Польский банчок by what the page shows: whose turn it is stakes a quarter of the bank, the others bet
// along or pass, the banker opens, and the cutter cuts. It ends when the session does.
const punter = `
window.playing = (async () => {
  const me = %q;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const table = () => [...document.querySelectorAll("#felt .table")].at(-1);
  const buttons = () => [...(table()?.querySelectorAll(".buttons button") ?? [])];
  const find = (label) => buttons().find((b) => b.innerText.startsWith(label));
  const mine = () => [...(table()?.querySelectorAll(".seat") ?? [])].find((row) => row.innerText.includes(me));
  const wish = () => {
    const row = mine(), turn = row?.classList.contains("turn");
    if (table()?.innerText.includes(me + ", снимите")) return find("13");
    if (!row || find("Ещё раз")) return null;
    if (turn && find("Открыть") && !find("Банк ")) return find("Открыть");
    if (turn) return buttons().filter((b) => /^\d+ к\.$/.test(b.innerText)).at(1) ?? find("Банк ");
    if (find("Пас") && !row.innerText.includes("ставка")) return window.bets++ %% 2 ? find("Пас") : find("+");
    return null;
  };
  window.bets = 0;
  while (!find("Ещё раз")) {
    await pause(20);
    const b = wish();
    if (!b || b.getAttribute("aria-disabled") === "true") continue;
    const before = document.querySelector("#felt").innerText;
    b.click();
    for (let i = 0; i < 40 && before === document.querySelector("#felt").innerText; i++) await pause(10);
  }
})();
0`

// TestBankInTheBrowser plays a session of five with side bets to its end, and counts the chips.
func TestBankInTheBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a whole session takes a while")
	}
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db")}
	c.start()
	names := []string{"Аня", "Боря", "Вика", "Гоша", "Даша"}
	var people []*seat
	for _, name := range names {
		people = append(people, browser.join(c.url, name))
	}
	ann := people[0]
	ann.say("/banchok bank=100 side=on limit=10m")
	ann.reads("#felt .table", "банк 100")
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
	ann.reads("#felt", "Итог после 5 банков")
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
	totals, err := bot.NewArchive(store, games.All()).Audit(c.t.Context(), func(p purse.Problem) { c.t.Error(p) })
	if err != nil || totals.Purses == 0 || totals.Laid != 0 {
		c.t.Errorf("the audit: %+v, %v", totals, err)
	}
}
