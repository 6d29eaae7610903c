package web

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// casino is all of it: the database, the bot, its clock and the room, to be started and killed.
type casino struct {
	house
	db    string
	begun time.Time
	store *bolt.Store
	stop  context.CancelFunc
	rang  chan struct{}
}

// haste is how much faster than a real one the casino's clock runs.
const haste = 25

func (c *casino) start() {
	c.t.Helper()
	store, err := bolt.Open(c.db, bolt.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	running := func() time.Duration { return haste * time.Since(c.begun) }
	b, err := bot.New(c.t.Context(), bot.Options{Store: store, Games: games.All(), Running: running})
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	c.store, c.stop, c.rang = store, stop, make(chan struct{})
	c.house.start(b)
	go func() {
		defer close(c.rang)
		for ctx.Err() == nil {
			b.Ring(ctx, c.room.Show)
			time.Sleep(5 * time.Millisecond)
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
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
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
    return other ? other.name : mine.pending ? me : "Вскрыть";
  };
  while (window.hold || !find("Ещё раз")) {
    await pause(4);
    const all = rows(), mine = all.find((r) => r.turn && r.name.startsWith(me));
    const b = mine && !window.hold && find(wish(mine, all));
    if (!b) continue;
    const before = document.querySelector("#felt").innerText;
    b.click();
    while (b.isConnected && b.getAttribute("aria-disabled") === "true") await pause(2);
    for (let i = 0; i < 20 && before === document.querySelector("#felt").innerText; i++) await pause(5);
  }
})();
0`

func TestGamesInTheBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("whole games take a while")
	}
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db"), begun: time.Now()}
	c.start()
	t.Cleanup(func() { c.end() })
	names := []string{"Аня", "Боря", "Вика"}
	var people []*seat
	for _, name := range names {
		people = append(people, browser.join(c.url, name))
	}
	ann, bob, vika := people[0], people[1], people[2]
	for i, game := range []string{"/zevaka 21а limit=10m", "/zevaka 21б penalty limit=10m"} {
		ann.say(game)
		ann.reads("#felt .table", fmt.Sprint("21", string([]rune("аб")[i])))
		bob.press("Сесть")
		vika.press("Сесть")
		ann.reads("#felt .table", "3. ")
		ann.press("+ 🤖")
		ann.reads("#felt .table", "4. 🤖")
		ann.shots(fmt.Sprint("lobby", i+1))
		ann.press("⚙ Правила")
		ann.reads("#felt", "Готово")
		ann.shots(fmt.Sprint("rules", i+1))
		ann.press("Готово")
		ann.press("Сдавать")
		ann.reads("#felt", "снимите колоду")
		ann.shots(fmt.Sprint("cut", i+1))
		for _, p := range people {
			p.eval(`window.hold = true`)
			p.eval(`[...document.querySelectorAll("#table button")].find((b) => b.innerText === "13")?.click()`)
		}
		ann.reads("#felt", "Вскрыть")
		for k, p := range people {
			p.eval(fmt.Sprintf(player, names[k]))
			p.eval(`window.hold = false`)
		}
		time.Sleep(3 * time.Second)
		for _, p := range people {
			p.eval(`window.hold = true`)
		}
		time.Sleep(100 * time.Millisecond)
		ann.shots(fmt.Sprint("table", i+1))
		before := boardOf(bob)
		t.Logf("%s: stopped in mid-game at %v", game, time.Since(c.begun))
		c.end()
		ann.until(`document.querySelector("#lost").textContent`)
		c.start()
		for _, p := range people {
			p.until(`!document.querySelector("#lost").textContent && document.querySelector("#felt .table")`)
			if after := boardOf(p); after != before {
				t.Errorf("before the restart:\n%s\nafter:\n%s", before, after)
			}
			p.eval(`window.hold = false`)
		}
		for _, p := range people {
			p.untilIn(2*time.Minute, `[...document.querySelectorAll("#felt .buttons button")].some((b) => b.innerText === "Ещё раз")`)
		}
		t.Logf("%s: over at %v", game, time.Since(c.begun))
		ann.shots(fmt.Sprint("end", i+1))
		if !strings.Contains(ann.text("#felt"), "зевака") {
			t.Errorf("the end: %s", ann.text("#felt"))
		}
	}
	for _, p := range people {
		p.calm()
	}
}

// boardOf is what lies on the table, without what was told about it.
func boardOf(s *seat) string {
	s.t.Helper()
	return value[string](s, `[...document.querySelectorAll("#felt .ln")].map((l) => l.innerText).filter((l) => l.includes("\t")).join("\n")`)
}
