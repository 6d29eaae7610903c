package web

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// casino is all of it: the database, the bot, its clock and the room, to be stopped and started again.
type casino struct {
	house
	db    string
	store *bolt.Store
	stop  context.CancelFunc
	rang  chan struct{}
	// time is the bot's running time. It stands still while frozen.
	time   atomic.Int64
	frozen atomic.Bool
}

// haste is how much faster than a real one the casino's clock runs.
const haste = 25

func (c *casino) start() {
	c.t.Helper()
	store, err := bolt.Open(c.db, bolt.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	running := func() time.Duration { return time.Duration(c.time.Load()) }
	b, err := bot.New(c.t.Context(), bot.Options{Store: store, Games: games.All(), Running: running})
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	c.store, c.stop, c.rang = store, stop, make(chan struct{})
	c.house.start(b)
	go func() {
		defer close(c.rang)
		c.time.Add(int64(time.Second)) // Time for every open table to be drawn, and none for a move.
		for ctx.Err() == nil {
			b.Ring(ctx, c.room.Show)
			time.Sleep(5 * time.Millisecond)
			if !c.frozen.Load() {
				c.time.Add(int64(haste * 5 * time.Millisecond))
			}
		}
	}()
}

func (c *casino) end() {
	c.t.Helper()
	c.stop()
	<-c.rang
	c.house.end()
	if err := c.store.Close(); err != nil {
		c.t.Error(err)
	}
}

// player plays as an attentive person does, by what the page shows: whenever it is their turn, they lay the card on the
// centre or on somebody's pile if it fits there, and else turn a card, or keep it. It ends when the game does.
const player = `
window.playing = (async () => {
  const me = %q, ranks = "6 7 8 9 10 В Д К Т".split(" ");
  const change = () => new Promise((done) => {
    const seen = new MutationObserver(() => { seen.disconnect(); done(); });
    seen.observe(document.querySelector("#felt"), { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(() => { seen.disconnect(); done(); }, 100);
  });
  const find = (label) => [...document.querySelectorAll("#felt .table > .buttons button")].find((b) => b.innerText === label);
  const rows = () => [...document.querySelectorAll("#felt .seat")].map((row) => ({
    name: row.children[1].innerText, turn: row.classList.contains("turn"), pending: row.innerText.includes("вскрыта"),
    cards: [...row.querySelectorAll(".card")].map((c) => c.innerText.replace("\uFE0E", "")),
  }));
  const rank = (card) => ranks.indexOf(card.slice(0, -1));
  const fits = (card, top) => card && top && rank(card) === (rank(top) + 1) %% ranks.length;
  const next = () => document.querySelector("#felt .text").innerText.replaceAll("\uFE0E", "").match(/дальше (\S+)/)?.[1];
  const wish = (mine, all) => {
    const card = mine.cards.at(-1);
    if (find("Мой ход")) return "Мой ход";
    if (card && [card, card.slice(0, -1)].includes(next())) return "В центр";
    const other = all.find((o) => o !== mine && fits(card, o.cards[0]));
    return other ? "→ " + other.name : mine.pending ? me + " ⤵ себе" : "Вскрыть";
  };
  while (window.hold || !find("Ещё раз")) {
    await change();
    const all = rows(), mine = all.find((r) => r.turn && r.name.startsWith(me));
    const b = mine && !window.hold && find(wish(mine, all));
    if (!b) continue;
    if (b.getAttribute("aria-disabled") !== "true") b.click();
  }
})();
0`

func TestGamesInTheBrowser(t *testing.T) {
	t.Parallel() // It waits most of the time.
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db")}
	c.start()
	t.Cleanup(func() { c.end() })
	var people []*seat
	for _, name := range []string{"Аня", "Боря", "Вика"} {
		people = append(people, browser.join(c.url, name))
	}
	for _, game := range []struct{ name, line, title string }{
		{"21a", "/zevaka 21а end=first limit=10m", "Зевака · "},
		{"21b", "/zevaka 21б penalty limit=10m", "Колода на столе (21б) · Со штрафом"},
	}[:enginetest.Bound(1, 2)] {
		ann := people[0]
		ann.say(game.line)
		ann.reads("#felt .table", game.title)
		deal(people, game.name)
		hold(people, false)
		time.Sleep(time.Second)
		hold(people, true)
		ann.shots("table-" + game.name)
		c.interrupt(people)
		hold(people, false)
		for _, p := range people {
			p.untilIn(2*time.Minute, `[...document.querySelectorAll("#felt .buttons button")].some((b) => b.innerText === "Ещё раз")`)
		}
		ann.shots("end-" + game.name)
		if !strings.Contains(ann.text("#felt"), "зевака") {
			t.Errorf("the end: %s", ann.text("#felt"))
		}
	}
	for _, p := range people {
		p.calm()
	}
}

// deal takes a lobby to the first move: everybody sits down, and a computer player too. All hold still then.
func deal(people []*seat, name string) {
	ann, bob, vika := people[0], people[1], people[2]
	bob.press("Сесть")
	vika.press("Сесть")
	ann.reads("#felt .table", "3. ")
	ann.press("+ 🤖")
	ann.reads("#felt .table", "4. 🤖")
	ann.shots("lobby-" + name)
	ann.press("⚙ Настройки")
	ann.reads("#felt", "Готово")
	ann.shots("rules-" + name)
	ann.press("Готово")
	ann.press("Сдавать")
	ann.reads("#felt", "снимите колоду")
	ann.shots("cut-" + name)
	hold(people, true)
	for i, p := range people {
		p.eval(`[...document.querySelectorAll("#table button")].find((b) => b.innerText === "13")?.click()`)
		p.eval(fmt.Sprintf(player, []string{"Аня", "Боря", "Вика"}[i]))
	}
	ann.reads("#felt", "Вскрыть")
}

// hold has everybody stop, or go on.
func hold(people []*seat, still bool) {
	for _, p := range people {
		p.eval(fmt.Sprint("window.hold = ", still))
		p.until(`![...document.querySelectorAll("button")].some((b) => window.hold && b.getAttribute("aria-disabled") === "true")`)
	}
}

// interrupt stops everything in mid-game and starts it again: the board must be as it was left.
func (c *casino) interrupt(people []*seat) {
	c.t.Helper()
	c.frozen.Store(true)
	defer c.frozen.Store(false)
	time.Sleep(100 * time.Millisecond) // What happened last is still on its way to the pages.
	before := boardOf(people[0])
	c.end()
	people[0].until(`document.querySelector("#lost").textContent`)
	c.start()
	for _, p := range people {
		p.until(`!document.querySelector("#lost").textContent && document.querySelector("#felt .table")`)
		if after := boardOf(p); after != before {
			c.t.Errorf("before the restart:\n%s\nafter:\n%s", before, after)
		}
	}
}

// boardOf is what lies on the table, without what was told about it.
func boardOf(s *seat) string {
	s.t.Helper()
	return value[string](s, `[...document.querySelectorAll("#felt .ln")].map((l) => l.innerText).filter((l) => l.includes("\t")).join("\n")`)
}
