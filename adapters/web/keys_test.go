//go:build browser

package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/storage/mem"
)

// unhanded does all that the table which is shown offers as somebody does who has no pointer: by what Tab and the arrows come to, has a
// name, and can be pressed. It lists what can't be done so.
const unhanded = `(() => {
	const { field, heaps, piles, mover, scene } = table;
	const named = (e) => e.checkVisibility() && !e.closest("[aria-hidden=true], [inert]") && (e.ariaLabel || e.innerText.trim());
	const pressed = (token) => { const all = window.pressed.splice(0); return all.length === 1 && all[0] === token; };
	for (const more of document.querySelectorAll("details")) more.open = true;
	window.pressed = [];

	const come = new Set(heaps.map((h) => h.el).filter((e) => e.tabIndex === 0));
	if (scene.solo && come.size !== 1) return ["Tab comes to " + come.size + " piles"];
	for (const from of come) for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
		const alt = new KeyboardEvent("keydown", { key, altKey: true, bubbles: true, cancelable: true });
		if (!from.dispatchEvent(alt)) return ["Alt with " + key + " is taken from the browser"];
		from.focus();
		from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
		come.add(document.activeElement);
	}
	const lost = scene.solo ? piles.filter((_, i) => !come.has(heaps[i].el)).map((p) => "the arrows don't come to " + p.name) : [];

	const buttons = [...document.querySelectorAll(".act, .go")].filter((b) => named(b) && b.tabIndex === 0 && b.ariaDisabled !== "true");
	return [...lost, ...table.offers.filter((a) => !a.later).map((a) => {
		const { from = 0, to = 0, kind, token } = a;
		if (kind === "bet") {
			const [input, go] = document.querySelectorAll(".bets input, .bets label .act");
			go.click();
			return input.labels.length && named(go) && pressed(token + Math.min(Math.max(input.value, a.least), a.most)) ? "" : "the stake";
		}
		if (kind === "move" || kind === "deal") {
			const [source, goal] = [heaps[kind === "deal" ? piles.findIndex((p) => p.role === "stock") : from], heaps[to]];
			for (let n = 0; kind === "move" && n < 30 && !mover.picked?.acts.some((a) => a.token === token); n++) source.el.click();
			(kind === "deal" ? source : goal).el.click();
			mover.fallBack();
			return named(source.el) && named(goal.el) && pressed(token) ? "" : kind + " " + token;
		}
		const b = buttons.find((b) => b.act?.token === token);
		if (!b) return "no button for " + kind + " " + token;
		b.busy = null;
		b.click();
		if (!a.ask && a.look !== "danger") return pressed(token) ? "" : kind + " " + token;
		const asked = document.querySelector(".question");
		const asks = asked.open && asked.contains(document.activeElement);
		asked.close("");
		return asks ? "" : "nothing is asked for " + token;
	}).filter(Boolean)];
})()`

// handless fails the test where something that is offered needs a pointer.
func (d *drawn) handless(what string, scene any) {
	d.t.Helper()
	text, err := json.Marshal(scene)
	if err != nil {
		d.t.Fatal(err)
	}
	d.eval(fmt.Sprintf(`show({ ...%s, table: %q })`, text, what))
	if wrong := value[[]string](d.seat, unhanded); len(wrong) > 0 {
		d.t.Errorf("%s: %s; of %s", what, strings.Join(wrong, "\n"), text)
	}
}

// TestHandless: whoever has a keyboard alone, or a screen reader, can do whatever any game offers at any time.
func TestHandless(t *testing.T) {
	d := drawTable(t, false)
	for _, name := range d.names() {
		for n, scene := range d.scenes[name] {
			d.handless(fmt.Sprint(name, n), scene)
		}
	}
	begun, running := time.Now(), time.Duration(0)
	b, err := bot.New(t.Context(), bot.Options{
		Store: mem.New(), Games: allGames(), Seed: dealt(t), Running: func() time.Duration { return running }, Now: func() time.Time { return begun.Add(running) },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*deals, 0))
	w := &way{seat: d.seat, bot: b, in: place(1), who: chat.User{ID: 3, Name: "Ann", Lang: "en"}}
	w.show = func(name string) { d.handless(name, w.sees(w.who)) }
	for _, game := range gamesToSee() {
		w.who.ID++ // Nobody may have many tables.
		w.opens(game.line, game.others...)
		for n := range 8 {
			w.soon("Ann's turn", w.theirs)
			s := w.sees(w.who)
			d.handless(fmt.Sprint(game.name, " after ", n, " moves"), s)
			running += 10 * time.Second // Who does the same again at once has slipped.
			if s.Phase != "playing" {
				break
			}
			if !s.Solo {
				w.moves(w.who, s)
				continue
			}
			moves := slices.DeleteFunc(s.Acts, func(a live.Act) bool { return a.Later || a.Kind != "move" && a.Kind != "deal" })
			if len(moves) > 0 {
				w.asks(w.who, chat.Press, moves[r.IntN(len(moves))].Token)
			}
		}
	}
	d.calm()
}
