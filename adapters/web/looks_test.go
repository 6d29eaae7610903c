//go:build browser

package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/patience"
)

// way is one of the three ways to the live table, as Ann goes it: the room's own page, or the one in the frame of a platform's client.
type way struct {
	*seat
	name string
	// framed says that the page is in a frame.
	framed bool
	bot    *bot.Bot
	in     chat.Place
	who    chat.User
	// others sit at the table with Ann, and play elsewhere.
	others []chat.User
	table  table.ID
	asked  int
	// made is the move made last.
	made string
	// show has the page show the table.
	show func(name string)
}

// theWays open a page at each.
func theWays() map[string]func(*testing.T) *way {
	behind := func(path, client, launch string) func(*testing.T) *way {
		return func(t *testing.T) *way {
			c := starts(t, path, client)
			w := &way{seat: c.seat, name: client, framed: true, bot: c.bot, in: c.door.in(), who: chat.User{ID: 3, Name: "Ann", Lang: "ru"}}
			c.door.mu.Lock()
			c.door.guest = w.who
			c.door.mu.Unlock()
			w.show = func(name string) { w.eval(`sessionStorage.clear(); window.code = "ann"; ` + fmt.Sprintf(launch, name)) }
			return w
		}
	}
	return map[string]func(*testing.T) *way{
		"room": func(t *testing.T) *way {
			h, c := parlour(t)
			w := &way{seat: c.join(h.url, "Ann"), name: "room", bot: h.bot, in: place(1)}
			who, err := person(value[string](w.seat, secret), note{Name: "Ann"})
			if err != nil {
				t.Fatal(err)
			}
			w.who = who
			w.show = func(name string) { w.eval(fmt.Sprintf(`location.hash = "#table=%s"`, name)) }
			return w
		},
		"telegram": behind("/tg", "telegram", `launch({ tgWebAppData: "ann", tgWebAppStartParam: %q, tgWebAppVersion: "8.0", tgWebAppPlatform: "web" })`),
		"discord":  behind("/dc", "discord", `launch("/?frame_id=f1&platform=desktop&instance_id=" + %q)`),
	}
}

// page is an expression about the page's document, wherever that is.
func (w *way) page(expression string) string {
	if !w.framed {
		return expression
	}
	return `(() => { const f = document.querySelector("iframe"); return f?.contentDocument && ((document, window) => (` + expression + `))(f.contentDocument, f.contentWindow); })()`
}

func (w *way) waits(expression string) {
	w.t.Helper()
	w.until(w.page(expression))
}

// asks has somebody ask the bot for something, as from elsewhere.
func (w *way) asks(who chat.User, kind chat.Kind, data string) chat.Response {
	w.t.Helper()
	w.asked++
	return w.bot.Handle(w.t.Context(), chat.Request{ID: fmt.Sprint("ask", w.asked), Who: who, In: w.in, Kind: kind, Data: data})
}

// sees is the table as somebody sees it.
func (w *way) sees(who chat.User) live.Scene {
	w.t.Helper()
	return glance(w.t, w.bot, chat.Request{Who: who, In: w.in}, w.table)
}

// acts has somebody do the first of what is offered that is fit.
func (w *way) acts(who chat.User, fit func(live.Act) bool) bool {
	w.t.Helper()
	acts := w.sees(who).Acts
	i := slices.IndexFunc(acts, func(a live.Act) bool { return !a.Later && fit(a) })
	if i >= 0 {
		w.asks(who, chat.Press, acts[i].Token)
	}
	return i >= 0
}

// opens opens a table and has the page show it. Where others play it is dealt, and it is Ann's turn.
func (w *way) opens(line string, others ...string) {
	w.t.Helper()
	w.others = nil
	for i, name := range others {
		w.others = append(w.others, chat.User{ID: int64(5000 + i), Name: name, Lang: "en"})
	}
	if !w.deals(line, w.who, w.others...) { // Ann has the bank, and no hand: once more, at another's table.
		w.deals(line, w.others[0], append(w.others[1:], w.who)...)
	}
	w.show(w.table.String())
	w.waits(`document.querySelector(".tbl")?.dataset.phase === "playing" && document.querySelector("#felt").checkVisibility()`)
}

// deals has somebody open a table and deal there, and says whether Ann has cards that she sees.
func (w *way) deals(line string, host chat.User, guests ...chat.User) (seen bool) {
	w.t.Helper()
	r := w.asks(host, chat.Command, line)
	id, ok := table.ParseID(r.Opened)
	if !ok {
		w.t.Fatalf("%s opens %q: %+v", line, r.Opened, r)
	}
	w.table = id
	do := func(name string) func(live.Act) bool { return func(a live.Act) bool { return a.Do == name } }
	for _, who := range guests {
		w.acts(who, do("join"))
	}
	if len(guests) > 0 {
		w.acts(host, do("deal"))
		w.soon("the deal", func() bool {
			for _, who := range append(guests, host) {
				w.acts(who, func(a live.Act) bool { return a.Kind == "cut" })
			}
			return w.sees(w.who).Phase == "playing"
		})
		w.soon("Ann's turn, with a card of hers", func() bool {
			if !w.theirs() {
				return false
			}
			s := w.sees(w.who)
			if s.Seats[s.Seat].Banker {
				return true
			}
			if slices.ContainsFunc(s.Piles, func(p live.Pile) bool { return p.Seat == s.Seat && p.Role != "turned" && p.Cards != "" }) {
				return true
			}
			w.moves(w.who, s)
			return false
		})
	}
	s := w.sees(w.who)
	return s.Solo || !s.Seats[s.Seat].Banker
}

// soon waits until something is so that must not take many moves.
func (w *way) soon(what string, ok func() bool) {
	w.t.Helper()
	for range 200 {
		if ok() {
			return
		}
	}
	w.t.Fatalf("it never came: %s; %+v", what, w.sees(w.who))
}

// theirs has somebody else make the move that they must make; if nobody else must, it says that it's Ann's turn, or over.
func (w *way) theirs() (done bool) {
	w.t.Helper()
	for _, who := range w.others {
		s := w.sees(who)
		if s.Phase == "playing" && s.Yours {
			w.moves(who, s)
			return false
		}
	}
	return true
}

// moves has somebody make a move.
func (w *way) moves(who chat.User, s live.Scene) {
	w.t.Helper()
	a := w.choice(s)
	if r := w.asks(who, chat.Press, a.Token); r.Alert {
		w.t.Fatalf("%s: %s: %s", who.Name, a.Token, r.Toast)
	}
}

// choice is the best move that isn't the one made last, which would be taken for a slip of the thumb.
func (w *way) choice(s live.Scene) live.Act {
	made := func(a live.Act) string { return fmt.Sprint(s.Seat, a.Do, a.To, a.Amount) }
	s.Acts = slices.DeleteFunc(slices.Clone(s.Acts), func(a live.Act) bool { return made(a) == w.made })
	best := attentive(s)
	w.made = made(best)
	return best
}

// attentive is what somebody does who notices everything, and stakes little.
func attentive(s live.Scene) live.Act {
	top := func(fit func(live.Pile) bool) string {
		for _, p := range s.Piles {
			if cards := strings.Fields(p.Cards); len(cards) > 0 && fit(p) {
				return cards[len(cards)-1]
			}
		}
		return ""
	}
	waste := func(seat int) string {
		return top(func(p live.Pile) bool { return p.Role == "waste" && p.Seat == seat })
	}
	turned := top(func(p live.Pile) bool { return p.Role == "turned" })
	card := cmp.Or(turned, waste(s.Seat))
	const ranks = "6789TJQKA"
	best := func(a live.Act) int {
		switch {
		case a.Later || a.Kind == "table" || a.Kind == "ask" || a.Kind == "bet":
			return 0
		case a.Do == "centre" && slices.ContainsFunc(s.Piles, func(p live.Pile) bool {
			return p.Role == "foundation" && slices.Contains(strings.Fields(p.Next), card)
		}):
			return 9
		case a.Kind == "seat":
			on := waste(a.To)
			if card != "" && on != "" && (strings.IndexByte(ranks, on[0])+1)%len(ranks) == strings.IndexByte(ranks, card[0]) {
				return 8
			}
			return 0
		case a.Kind == "amount" && a.Amount > 0:
			return 7
		case a.Kind == "self" && turned != "":
			return 6
		case a.Look == "primary":
			return 5
		case a.Do == "centre":
			return 0
		}
		return 1
	}
	acts := slices.Clone(s.Acts)
	slices.SortStableFunc(acts, func(a, b live.Act) int { return cmp.Or(best(b)-best(a), int(a.Amount-b.Amount)) })
	return acts[0]
}

// speaks has the page speak a language.
func (w *way) speaks(lang string) {
	w.t.Helper()
	if w.framed {
		w.waits(fmt.Sprintf(`((l) => l && !l.hidden && (l.value === %[1]q || ((l.value = %[1]q), l.dispatchEvent(new Event("change")), true)))(document.querySelector("#langs"))`, lang))
	} else {
		w.seat.speaks(lang)
	}
	w.waits(fmt.Sprintf(`document.querySelector(".tbl").lang === %[1]q && document.documentElement.lang === %[1]q && document.querySelector("#lost").textContent === ""`, lang))
}

// amiss is what is wrong with a page that shows a table, in words.
const amiss = `(() => {
	const at = (e) => e.getBoundingClientRect();
	const seen = (e) => e.checkVisibility() && at(e).width > 0;
	const all = (what) => [...document.querySelectorAll(what)].filter(seen);
	const meet = (p, e) => at(p).left < at(e).right - 2 && at(e).left < at(p).right - 2 && at(p).top < at(e).bottom - 2 && at(e).top < at(p).bottom - 2;
	const name = (e) => (e.id || e.className || e.tagName) + " " + (e.innerText || e.ariaLabel || "").slice(0, 30);
	const tbl = document.querySelector(".tbl"), field = at(document.querySelector(".field")), desk = at(document.querySelector(".desk"));
	const solo = tbl.matches(".solo"), flat = tbl.matches(".flat");
	const cards = all(solo ? ".field .card" : ".mine .card");
	return [
		tbl.getBoundingClientRect().bottom < window.innerHeight - 1 ? "the table ends above the edge" : "",
		...[document.documentElement, tbl].filter((e) => e.scrollWidth > e.clientWidth).map((e) => name(e) + " is wider than the screen"),
		...cards.filter((e) => at(e).left < -1 || at(e).right > window.innerWidth + 1 || at(e).top < field.top - 1 || (!flat && at(e).bottom > desk.top + 1)).map((e) => e.dataset.card + " isn't to be seen"),
		cards.length || tbl.dataset.phase !== "playing" ? "" : "no cards",
		...(() => {
			const felt = document.querySelector(".field").getBoundingClientRect();
			const lies = all(".field :is(.heap, .card, .seat, .place)").map(at);
			const side = (low, high) => Math.min(felt[high], Math.max(...lies.map((r) => r[high]))) - Math.max(felt[low], Math.min(...lies.map((r) => r[low])));
			const covered = (100 * side("left", "right") * side("top", "bottom")) / (felt.width * felt.height);
			// There some room is left: below packets that have yet to grow, and beside a bank whose cards are as high as they can be.
			const odd = solo ? window.innerHeight < 700 || window.innerWidth === 768 : window.innerWidth > 2000;
			return covered < (odd ? 55 : 70) ? ["the felt is covered to " + covered + " %"] : [];
		})(),
		...(solo && window.innerWidth >= 360 ? cards.filter((e) => at(e).width < (window.innerHeight < 700 ? 39.9 : 44)).slice(0, 1).map((e) => "cards are " + at(e).width + " wide") : []),
		...all("button:not(.heap)").filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map((e) => name(e) + " is cut off"),
		...all(".others > .seat").filter((e) => all(".middle .place").some((p) => meet(p, e))).map((e) => name(e) + " lies on the centre"),
		...all(".turning > :not(:empty)").filter((e) => all("#langs, #sound, .top > *").some((p) => meet(p, e))).map((e) => name(e) + " lies on something"),
		...(solo ? all(".heap") : []).flatMap((e) => [...e.querySelectorAll(".card")]).filter((e) => e.nextElementSibling?.matches(".card") && e.parentNode.querySelectorAll(".card").length > 2).filter((e) => {
			const here = at(e), over = at(e.nextElementSibling);
			return Math.max(Math.abs(over.left - here.left), Math.abs(over.top - here.top)) < 0.3 * here.width;
		}).map((e) => e.dataset.card + " can't be read"),
		...all(".who b, .place > small").filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => name(e) + " is cut off"),
		...all(".foot .act").filter((e) => at(e).right > window.innerWidth).map((e) => name(e) + " isn't to be seen"),
		...all(".tale").filter((e) => window.innerHeight > 400 && e.scrollHeight > e.clientHeight + 1).map((e) => name(e) + " is cut off"),
		...all("h1, h2, h3, .turning b, .turning span, .tale, button, .stage p").map((e) => (e.innerText || "").trim()).filter((s) => /^\p{Ll}/u.test(s)).map((s) => s + " begins small"),
	].filter(Boolean);
})()`

// asWanted looks at the page in a language.
func (w *way) asWanted(what, lang string) {
	w.t.Helper()
	s := w.sees(w.who)
	wrong := value[[]string](w.seat, w.page(amiss))
	if s.Seats[s.Seat].Banker { // Who has the bank has no hand.
		wrong = slices.DeleteFunc(wrong, func(what string) bool { return what == "no cards" })
	}
	if len(wrong) > 0 {
		w.t.Errorf("%s: %s", what, strings.Join(wrong, "; "))
	}
	me := w.who
	me.Lang = lang
	acts, err := json.Marshal(w.sees(me).Acts)
	if err != nil {
		w.t.Fatal(err)
	}
	gold := fmt.Sprintf(`((acts) => [...document.querySelectorAll(".bar.main .gold")].filter((b) => b.checkVisibility() && b.act.kind !== "self" && acts.find((a) => a.token === b.act.token)?.label !== b.innerText).map((b) => b.innerText))(%s)`, acts)
	if wrong := value[[]string](w.seat, w.page(gold)); len(wrong) > 0 {
		w.t.Errorf("%s: the golden button is %q", what, wrong)
	}
	cyrillic := value[bool](w.seat, w.page(`/[а-яё]/i.test([...document.querySelectorAll("#felt .turning, #felt .desk, #felt .field, #top, #row")].map((e) => e.innerText).join())`))
	if cyrillic != (lang == "ru") {
		w.t.Errorf("%s speaks another language: %s", what, value[string](w.seat, w.page(`document.querySelector("#felt").innerText`)))
	}
}

// TestLooks looks at each game by each way to it, in all sizes, languages and colours.
func TestLooks(t *testing.T) {
	ways := theWays()
	for i, name := range []string{"room", "telegram", "discord"} {
		w := ways[name](t)
		for j, game := range gamesToSee() {
			if name != "room" && j%4 != i {
				continue // The room's pages have each; those in a frame draw them alike.
			}
			w.opens(game.line, game.others...)
			for n, lang := range []string{"ru", "pl", "en"} {
				w.speaks(lang)
				for m, size := range screens() {
					if (m+n+j)%3 != 0 {
						continue // Each size in one language.
					}
					scheme := []string{"light", "dark"}[(m+n)%2]
					w.look(size[0], size[1], scheme)
					where := fmt.Sprintf("look-%s-%s-%s-%dx%d-%s", game.name, name, lang, size[0], size[1], scheme)
					w.asWanted(where, lang)
					w.shot(where)
				}
			}
			w.axe(game.name + " by " + name)
		}
		w.calm()
	}
	w := ways["room"](t)
	w.opens("/patience zaba deal=7")
	w.opens("/zevaka 21b limit=none", "Bob")
	w.waits(`document.querySelectorAll("#felt .others .card").length > 0 && [...document.querySelectorAll("#felt .field .card")].every((c) => c.getBoundingClientRect().width > 20)`)
	w.waits(`[...document.querySelectorAll("#felt .field .card[data-card]")].every((c) => c.querySelector(".full"))`)
}

// seenGame is a game to look at.
type seenGame struct {
	name, line string
	others     []string
}

func gamesToSee() []seenGame {
	all := []seenGame{
		{"zevaka", "/zevaka 21б end=first limit=none", []string{"Boris", "Vera"}},
		{"banchok", "/banchok bank=100 limit=none", []string{"Boris", "Vera"}},
	}
	for _, rules := range patience.All() {
		name := rules.Info().Name
		all = append(all, seenGame{name, "/patience " + name + " deal=7", nil})
	}
	return all
}

// insets sets how far the screen's corners and its camera reach into the page.
func (s *seat) insets(right, bottom, left int64) {
	s.t.Helper()
	own := emulation.SetSafeAreaInsetsOverrideParams{Insets: &emulation.SafeAreaInsets{Right: &right, Bottom: &bottom, Left: &left}}
	if _, err := chromedp.Call(s.ctx, emulation.SetSafeAreaInsetsOverride, own); err != nil {
		s.t.Fatal(err)
	}
	s.frames()
}

// TestNotch: on a phone that lies, with its camera on the left or on the right, nothing of the room is below that.
func TestNotch(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Anna")
	sees := func(what string, width, height int64, shown string) {
		t.Helper()
		for _, left := range []int64{59, 0} {
			right := 59 - left
			ann.look(width, height, "light")
			ann.insets(right, 21, left)
			ann.eval(shown)
			ann.frames()
			below := value[string](ann, fmt.Sprintf(`[...document.querySelectorAll("button, input, .card, .who, h2, #log li")].filter((e) => {
				const at = e.getBoundingClientRect();
				return e.checkVisibility() && at.width > 1 && (at.left < %d || at.right > innerWidth - %d);
			}).map((e) => (e.innerText || e.id || e.getAttribute("class")).slice(0, 30)).join("; ")`, left, right))
			if below != "" {
				t.Errorf("%s, %d wide, with the camera at %d: %s", what, width, left, below)
			}
			ann.shot(fmt.Sprintf("notch-%s-%d-%d", what, width, left))
		}
	}
	sees("hall", 852, 340, ``)
	for _, id := range []string{"me", "invite"} {
		ann.click("#" + id)
		ann.until(`document.querySelector("dialog[open]")`)
		sees(id, 852, 340, ``)
		ann.eval(`document.querySelector("dialog[open]").close("")`)
	}
	for _, line := range []string{"/zevaka 21b computers=2 now", "/patience tecza deal=7", "/patience paganini deal=7"} {
		before := value[string](ann, `location.hash`)
		ann.say(line)
		ann.until(`location.hash !== ` + quote(before) + ` && document.querySelector(".tbl[data-phase=playing] .card")`)
		for _, size := range [][2]int64{{852, 340}, {932, 400}} {
			sees(strings.Fields(line)[1], size[0], size[1], `document.querySelector("#talk").hidden || document.querySelector("#talkclose").click()`)
			sees("talk", size[0], size[1], `document.querySelector("#talk").hidden && document.querySelector("#talkopen").click()`)
		}
	}
	ann.click("#begin")
	sees("newgame", 852, 340, ``)
	ann.calm()
}

// TestLargeLetters: where the system makes all letters larger, the words on top of the room don't lie on each other.
func TestLargeLetters(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Anna")
	for _, where := range []string{"hall", "table"} {
		if where == "table" {
			ann.say("/patience tecza deal=7")
			ann.until(`document.querySelector(".tbl[data-phase=playing] .card")`)
		}
		for _, width := range []int64{320, 360, 390} {
			for _, times := range []float64{1, 1.3, 2} {
				ann.look(width, 640, "light")
				ann.eval(fmt.Sprintf(`{ const all = document.querySelectorAll("#top .plain"); for (const e of all) e.style.fontSize = "";
					for (const e of all) e.style.fontSize = parseFloat(getComputedStyle(e).fontSize) * %v + "px"; }`, times))
				ann.frames()
				if odd := value[string](ann, `[...document.querySelectorAll("#top button")].filter((e) => e.checkVisibility()).flatMap((e, i, all) => {
					const parts = [e, ...e.children].filter((p) => p.checkVisibility() && !p.matches(".unseen, #news, #star"));
					const next = all[i + 1]?.getBoundingClientRect().left ?? innerWidth;
					return parts.some((p) => p.getBoundingClientRect().right > next + 1) ? [e.innerText] : [];
				}).join("; ")`); odd != "" {
					t.Errorf("%s, %v times as large, %d wide: %s", where, times, width, odd)
				}
				ann.shot(fmt.Sprintf("letters-%s-%d-%v", where, width, times))
			}
		}
	}
}
