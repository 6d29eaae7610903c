//go:build browser

package web

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"

	"zevaka/adapters/browsertest"
	"zevaka/adapters/door"
	"zevaka/adapters/relay"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// client is a window with a page that plays a platform's client, and the table's page in a frame of it.
type client struct {
	*drawn
	bot   *bot.Bot
	door  *framed
	wires *wires
	// asked counts the WebSockets that were asked for; none stands while held is locked.
	asked atomic.Int64
	held  sync.Mutex
}

// wires are a listener's connections, to be cut.
type wires struct {
	net.Listener
	mu  sync.Mutex
	all []net.Conn
}

// Accept keeps what is accepted.
func (w *wires) Accept() (net.Conn, error) {
	conn, err := w.Listener.Accept()
	if err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all = append(w.all, conn)
	}
	return conn, err
}

// cut ends every connection.
func (w *wires) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, conn := range w.all {
		_ = conn.Close()
	}
	w.all = nil
}

// page is the frame's document, and its window.
const framePage = `const f = document.querySelector("iframe"), d = f?.contentDocument, w = f?.contentWindow;`

// in waits until an expression of the frame's document d is true.
func (c *client) in(expression string) {
	c.t.Helper()
	c.until(`(() => { ` + framePage + ` return d && (` + expression + `); })()`)
}

// starts opens a page of browsertest's that plays a client. The path is the door's.
func starts(t *testing.T, path, host string) *client {
	t.Helper()
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All(), Seed: dealt(t)})
	if err != nil {
		t.Fatal(err)
	}
	d := &framed{porter: &porter{path: path, bot: b, used: map[string]bool{}}}
	r := New(b, Options{Log: quiet(), Tables: tablesOf(b), Doors: []door.Door{d}})
	srv := httptest.NewServer(r.Handler())
	target, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	// The host stands at the page's own origin, so that the test can look into the frame; Discord's proxy puts the door's path
	// before every other.
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(target)
		if path == "/dc" {
			p.Out.URL.Path = path + p.In.URL.Path
		}
	}}
	c := &client{bot: b, door: d}
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/host" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(browsertest.Host(host))
			return
		}
		if req.Header.Get("Upgrade") != "" {
			c.held.Lock()
			c.asked.Add(1)
			c.held.Unlock()
		}
		proxy.ServeHTTP(w, req)
	}))
	wires := &wires{Listener: front.Listener}
	front.Listener = wires
	front.Start()
	d.frames, d.origins = []string{front.URL}, []string{front.URL}
	t.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
		front.Close()
		srv.Close()
	})
	c.drawn, c.wires = &drawn{seat: startChromium(t).open(front.URL + "/host")}, wires
	err = chromedp.Listen(c.ctx, func(e any) {
		if said, ok := e.(*log.EventEntryAdded); ok && said.Entry.Source == "security" {
			c.complain(said.Entry.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(c.ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return c
}

// opens opens a table in the door's place, and returns its name.
func (c *client) opens(who, line string) string {
	c.t.Helper()
	r := c.bot.Handle(c.t.Context(), chat.Request{
		ID: who + line, Who: chat.User{ID: int64(len(who)), Name: who, Lang: "en"}, In: (&porter{}).in(), Kind: chat.Command, Data: line,
	})
	if r.Opened == "" {
		c.t.Fatalf("%s opens no table", line)
	}
	return r.Opened
}

// sees is the table as somebody sees it in the chat.
func (c *client) sees(name string) live.Scene {
	c.t.Helper()
	id, _ := table.ParseID(name)
	return glance(c.t, c.bot, chat.Request{Who: chat.User{ID: 3, Name: "ann"}, In: (&porter{}).in()}, id)
}

// looks waits until ann is taken to have the table before her eyes, or not to.
func (c *client) looks(name, what string, sees bool) {
	c.t.Helper()
	id, _ := table.ParseID(name)
	for end := time.Now().Add(time.Minute); c.bot.Live().Sees(id, 3) != sees; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("%s: ann sees the table: %v", what, !sees)
		}
	}
}

// drag drags a card that can be taken to where it can go.
func (c *client) dragCard() {
	c.t.Helper()
	c.in(`d.querySelector(".heap.can:not(.deal)")`)
	c.frames() // What has just been given other room is laid anew with the next one.
	in := func(expression string) string { return `(() => { ` + framePage + ` return ` + expression + `; })()` }
	x, y := c.middle(in(`[...d.querySelectorAll(".heap.can:not(.deal)")].map((h) => [...h.querySelectorAll(".card")].at(-1)).find(Boolean)`))
	c.pointer(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	c.pointer(input.DispatchMouseEventTypeMouseMoved, x+10, y+10, 1)
	c.in(`d.querySelector(".goal")`)
	toX, toY := c.middle(in(`[...d.querySelector(".goal").querySelectorAll(".card")].at(-1) || d.querySelector(".goal")`))
	c.pointer(input.DispatchMouseEventTypeMouseMoved, toX, toY, 1)
	c.pointer(input.DispatchMouseEventTypeMouseReleased, toX, toY, 0)
}

// safe fails the test if the page broke its policy or asked for something elsewhere.
func (c *client) safe() {
	c.t.Helper()
	c.calm()
	// Discord's pictures of people are nobody else's.
	foreign := value[[]string](c.seat, `(() => { `+framePage+` return [...w.performance.getEntriesByType("resource")].map((e) => e.name).filter((n) => ![location.host, "cdn.discordapp.com"].includes(new URL(n).host)); })()`)
	if len(foreign) > 0 {
		c.t.Errorf("the page asked for %q", foreign)
	}
	if broken := value[[]string](c.seat, `window.violations`); len(broken) > 0 {
		c.t.Errorf("the page broke its policy: %q", broken)
	}
}

// moves deals a patience into being by a press, and drags a card: the bot must have both.
func (c *client) moves(name string) {
	c.t.Helper()
	c.in(`d.querySelector(".tbl[data-phase=playing] .heap .card")`)
	c.dragCard()
	c.in(`/moves: [1-9]|ходов: [1-9]|ruch\S*: [1-9]/i.test(d.querySelector(".turning").innerText)`)
	if s := c.sees(name); s.Solitaire == nil || s.Solitaire.Moves == 0 {
		c.t.Errorf("the drag didn't reach the bot: %+v", s.Solitaire)
	}
	c.in(`[...d.querySelectorAll(".tbl .bar .act")].some((b) => b.act?.do === "undo" && b.getAttribute("aria-disabled") !== "true" && (b.click(), true))`)
	c.in(`/[a-z]+: 0/i.test(d.querySelector(".turning").innerText)`)
	if s := c.sees(name); s.Solitaire.Undos == 0 {
		c.t.Errorf("the press didn't reach the bot: %+v", s.Solitaire)
	}
}

// TestTelegramDoor has the page speak with a client of Telegram's: what it is told, what it asks, and what becomes of the login.
func TestTelegramDoor(t *testing.T) {
	c := starts(t, "/tg", "telegram")
	name := c.opens("ann", "/patience polusharia deal=1")
	c.eval(fmt.Sprintf(`launch({ tgWebAppData: "ann", tgWebAppStartParam: %q, tgWebAppVersion: "8.0", tgWebAppPlatform: "android", tgWebAppThemeParams: JSON.stringify(dark) })`, name))
	c.in(`d.querySelector(".tbl h2")?.textContent`)
	if at := value[string](c.seat, `(() => { `+framePage+` return w.location.href; })()`); strings.Contains(at, "ann") {
		t.Errorf("the login stays in the address: %s", at)
	}
	if kept := value[string](c.seat, `JSON.stringify({ ...sessionStorage, ...localStorage })`); strings.Contains(kept, "tgWebApp") {
		t.Errorf("the login is kept: %s", kept)
	}
	for _, what := range []string{"web_app_ready", "web_app_expand", "web_app_request_theme", "web_app_request_safe_area", "web_app_request_fullscreen"} {
		c.until(fmt.Sprintf(`got.some((m) => m.eventType === %q)`, what))
	}
	c.until(`got.some((m) => m.eventType === "web_app_setup_swipe_behavior" && m.eventData.allow_vertical_swipe === false)`)
	// What is around a table has the colour of its cloth, in the client's scheme.
	c.in(`d.documentElement.dataset.theme === "dark" && w.getComputedStyle(d.body).backgroundColor === "rgb(13, 48, 36)"`)
	for _, what := range []string{"header_color", "background_color", "bottom_bar_color"} {
		c.until(last("web_app_set_"+what, `color === "#0d3024"`))
	}
	c.until(last("web_app_setup_back_button", `is_visible === false`) + ` && ` + last("web_app_setup_closing_behavior", `need_confirmation === false`))
	c.eval(`tell("safe_area_changed", { top: 30, bottom: 12, left: 0, right: 0 }); tell("content_safe_area_changed", { top: 40, bottom: 0, left: 0, right: 0 })`)
	c.in(`w.getComputedStyle(d.body).paddingTop === "70px" && w.getComputedStyle(d.body).paddingBottom === "12px"`)
	c.in(`d.querySelector(".desk").getBoundingClientRect().bottom <= w.innerHeight - 12`)
	c.shot("door-telegram")
	// A window that is folded up says how high it is then, and on some phones nothing when it is unfolded.
	c.eval(`tell("viewport_changed", { height: 400, is_state_stable: true })`)
	c.in(`d.body.offsetHeight === 400`)
	c.eval(`for (const height of [62, 1]) tell("viewport_changed", { height, is_state_stable: true }); tell("safe_area_changed", { top: 5 })`)
	c.in(`w.getComputedStyle(d.body).paddingTop === "45px" && d.body.offsetHeight === 400`)
	c.eval(`tell("viewport_changed", { height: 5000, is_state_stable: true })`)
	c.in(`d.body.offsetHeight === w.innerHeight`)
	c.eval(`tell("safe_area_changed", { top: 0 }); tell("content_safe_area_changed", {})`)
	c.in(`w.getComputedStyle(d.body).paddingTop === "0px"`)
	c.moves(name)
	c.until(`got.some((m) => m.eventType === "web_app_trigger_haptic_feedback")`)

	// Colours that can't be read are not taken.
	c.eval(`tell("theme_changed", { theme_params: { bg_color: "#ffffff", text_color: "#eeeeee" } })`)
	c.in(`d.documentElement.dataset.theme === "light" && w.getComputedStyle(d.body).color !== "rgb(238, 238, 238)"`)

	// Who doesn't see the page, by its client or by its browser, isn't taken to look at the table: not by the next connection either.
	sees := func(what string, sees bool) { t.Helper(); c.looks(name, what, sees) }
	sees("at first", true)
	c.eval(`tell("visibility_changed", { is_visible: false })`)
	sees("minimised", false)
	c.eval(`tell("visibility_changed", { is_visible: true })`)
	sees("unfolded", true)
	turn := func(hidden bool) string {
		return fmt.Sprintf(`{ `+framePage+` Object.defineProperty(d, "hidden", { get: () => %v, configurable: true }); d.dispatchEvent(new Event("visibilitychange")); }`, hidden)
	}
	c.eval(turn(true))
	sees("in another tab", false)

	// What happens while the connection is cut is seen when the page comes back.
	c.wires.cut()
	moved := slices.IndexFunc(c.sees(name).Acts, func(a live.Act) bool { return a.Kind == "move" })
	c.bot.Handle(t.Context(), chat.Request{
		ID: "meanwhile", Who: chat.User{ID: 3, Name: "ann", Lang: "en"}, In: (&porter{}).in(), Kind: chat.Press, Data: c.sees(name).Acts[moved].Token,
	})
	c.in(`/moves: 1/i.test(d.querySelector(".turning").innerText) && d.querySelector("#lost").textContent === ""`)
	sees("still there", false)
	c.eval(turn(false))
	sees("here again", true)

	// The back button puts away what lies over the table.
	c.eval(`{ ` + framePage + ` d.querySelector(".foot > .act[aria-expanded]").click(); }`)
	c.until(`got.some((m) => m.eventType === "web_app_setup_back_button" && m.eventData.is_visible)`)
	c.eval(`tell("back_button_pressed")`)
	c.in(`d.querySelector(".log").hidden`)
	c.until(last("web_app_setup_back_button", `is_visible === false`))

	// A reload goes on with the seal; the same login again doesn't, for somebody else.
	c.eval(`{ ` + framePage + ` w.location.reload(); }`)
	c.in(`d.readyState === "complete" && d.querySelector(".tbl h2")?.textContent`)
	c.safe()
	c.eval(`sessionStorage.clear(); launch({ tgWebAppData: "ann", tgWebAppStartParam: "other" })`)
	c.in(`!d.querySelector("#shut")?.hidden && /Open the table again|заново|jeszcze raz/.test(d.querySelector("#why").innerText)`)
	c.axe("door-telegram-old")
	c.eval(`launch({})`)
	c.in(`!d.querySelector("#shut")?.hidden && d.querySelector("#why").innerText && d.querySelector("#retry").hidden`)
	if out := value[int](c.seat, `got.filter((m) => JSON.stringify(m.eventData).includes("ann")).length`); out > 0 {
		t.Errorf("the login was told to the client %d times", out)
	}
	c.safe()
	starts(t, "/tg", "telegram").sits()
	comesByAnyProcess(t)
}

// TestSlowWebSocket: a platform's page, which has no other way, waits for its WebSocket where that takes long to stand, as on a bad mobile network.
func TestSlowWebSocket(t *testing.T) {
	c := starts(t, "/tg", "telegram")
	name := c.opens("ann", "/patience polusharia deal=1")
	c.held.Lock()
	free := sync.OnceFunc(c.held.Unlock)
	t.Cleanup(free)
	c.eval(fmt.Sprintf(`launch({ tgWebAppData: "ann", tgWebAppStartParam: %q, tgWebAppVersion: "8.0", tgWebAppPlatform: "android" })`, name))
	c.in(`w.clock.now() > 20000`)
	free()
	c.in(`d.querySelector(".tbl h2")?.textContent`)
	if n := c.asked.Load(); n != 1 {
		t.Errorf("it asks for %d WebSockets", n)
	}
	c.safe()
}

// last says of the page's last call of the client by that name whether its data is so.
func last(name, so string) string {
	return fmt.Sprintf(`got.filter((m) => m.eventType === %q).at(-1)?.eventData.%s`, name, so)
}

// sits has somebody come without a seat, to a list, and sit down.
func (c *client) sits() {
	t := c.t
	c.eval(`launch({ tgWebAppData: "ann", tgWebAppVersion: "7.10" })`)
	c.in(`!d.querySelector("#hall")?.hidden && d.querySelector("#none").innerText`)
	c.axe("door-telegram-none")
	name := c.opens("boris", "/zevaka")
	c.in(`d.querySelector(".tbl")?.dataset.phase === "lobby" && d.querySelector("#bar").innerText === "You are watching"`)
	c.axe("door-telegram-watching")
	c.in(`d.querySelector("#sit").hidden && [...d.querySelectorAll(".tbl .act")].filter((b) => b.act?.do === "join").length === 1`)
	c.in(`[...d.querySelectorAll(".tbl .act")].some((b) => b.act?.do === "join" && (b.click(), true))`)
	c.in(`d.querySelector("#bar").innerText === "" && d.querySelector("#sit").hidden`)
	if s := c.sees(name); len(s.Seats) != 2 || s.Seat < 0 && !s.Seats[1].You {
		t.Errorf("ann doesn't sit: %+v", s.Seats)
	}
	c.in(`[...d.querySelectorAll(".tbl .act")].some((b) => b.innerText === "Rules" && (b.click(), true))`)
	c.in(`d.querySelector("#told").open && d.querySelector("#toldtext").innerText.length > 100`)
	c.axe("door-telegram-rules")
	c.eval(`tell("back_button_pressed")`)
	c.in(`!d.querySelector("#told").open`)

	// Once others would wait, the client asks before it closes the page.
	c.until(last("web_app_setup_closing_behavior", `need_confirmation === false`))
	id, _ := table.ParseID(name)
	host := chat.Request{ID: "deals", Who: chat.User{ID: 5, Name: "boris", Lang: "en"}, In: (&porter{}).in(), Kind: chat.Press}
	acts := glance(t, c.bot, host, id).Acts
	host.Data = acts[slices.IndexFunc(acts, func(a live.Act) bool { return a.Kind == "table" && a.Look == "primary" })].Token
	c.bot.Handle(t.Context(), host)
	c.until(last("web_app_setup_closing_behavior", `need_confirmation === true`))

	// Back leads from a table to the list, where there are others.
	c.until(last("web_app_setup_back_button", `is_visible === false`))
	c.opens("violet", "/patience tecza")
	c.until(last("web_app_setup_back_button", `is_visible === true`))
	c.eval(`tell("back_button_pressed")`)
	c.in(`d.querySelectorAll("#tables li").length === 2`)
	c.until(last("web_app_setup_back_button", `is_visible === false`))
	c.eval(`tell("theme_changed", { theme_params: dark })`)
	c.until(last("web_app_set_header_color", `color === dark.bg_color`) + ` && ` + last("web_app_setup_closing_behavior", `need_confirmation === false`))
	c.axe("door-telegram-list")
	c.eval(`{ ` + framePage + ` const l = d.querySelector("#langs"); l.value = "pl"; l.dispatchEvent(new Event("change")); }`)
	c.in(`d.querySelector("#halltitle").innerText === "Stoły tutaj"`)
	c.eval(`{ ` + framePage + ` d.querySelector("#tables button").click(); }`)
	c.in(`d.querySelector(".tbl").lang === "pl"`)
	c.safe()
}

// TestDiscordDoor has the page speak with Discord's client.
func TestDiscordDoor(t *testing.T) {
	c := starts(t, "/dc", "discord")
	name := c.opens("ann", "/patience polusharia deal=1")
	c.eval(`window.code = "ann"; launch("/?frame_id=f1&instance_id=i1&platform=desktop")`)
	c.until(`got.some(([kind, m]) => kind === 0 && m.v === 1 && m.encoding === "json" && m.client_id === "77" && m.frame_id === "f1")`)
	c.until(`got.some(([kind, m]) => m.cmd === "AUTHORIZE" && m.args.prompt === "none" && m.args.response_type === "code" && m.args.scope.join() === "identify" && m.args.client_id === "77")`)
	c.in(`d.querySelector(".tbl h2")?.textContent`)
	c.shot("door-discord")
	c.moves(name)

	// Discord tells who looks: their pictures lie over the signs at the seats, and where one doesn't come the sign stays.
	theirs := c.opens("boris", "/zevaka computers=2 now")
	c.in(`!d.querySelector("#around").hidden && (d.querySelector("#around").click(), true)`)
	c.in(`[...d.querySelectorAll("#tables button")].some((b) => b.innerText.includes("boris") && (b.click(), true))`)
	c.in(`d.querySelector(".tbl:not(.solo) .who")`)
	c.until(`got.some(([, m]) => m.cmd === "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS")`)
	c.eval(`{ ` + framePage + ` w.seen = []; new w.MutationObserver((all) => w.seen.push(...all.flatMap((m) => [...m.addedNodes]).map((n) => n.src))).observe(d.querySelector(".tbl"), { childList: true, subtree: true }); }`)
	c.eval(`say([1, { cmd: "DISPATCH", evt: "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", data: { participants: [{ id: "5", global_name: "boris", username: "b", avatar: "a_1f" }, { id: "6", username: "ann", avatar: "../x" }] } }])`)
	c.in(`w.seen.includes("https://cdn.discordapp.com/avatars/5/a_1f.png?size=64") && !d.querySelector(".face img") && d.body.innerText.includes("boris")`)

	// In a small window stands the table, and whose turn it is.
	c.eval(`say([1, { cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: { layout_mode: 1 } }])`)
	c.in(`d.body.classList.contains("tiny") && d.querySelector(".turning").checkVisibility() && ![...d.querySelectorAll("button, select")].some((b) => b.checkVisibility() && !b.closest(".who, .heap"))`)
	c.looks(theirs, "in a small window", false)
	c.shot("door-discord-tiny")
	c.eval(`say([1, { cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: { layout_mode: 0 } }])`)
	c.looks(theirs, "in a large one", true)
	c.eval(`say([2, { code: 1000, message: "bye" }])`)
	c.in(`!d.querySelector("#shut").hidden && d.querySelector("#why").innerText.includes("Discord")`)
	c.safe()

	// Who is asked and says no is told what to do, and may be asked again.
	c.eval(`sessionStorage.clear(); got.length = 0; window.code = ""; launch("/?frame_id=f2&instance_id=i1&platform=mobile")`)
	c.in(`d.querySelector("#why")?.innerText.includes("Discord") && !d.querySelector("#retry").hidden`)
	c.until(`got.filter(([, m]) => m.cmd === "AUTHORIZE").length === 2 && !("prompt" in got.filter(([, m]) => m.cmd === "AUTHORIZE")[1][1].args)`)
	c.shot("door-discord-refused")
	c.eval(`{ window.code = "vera"; ` + framePage + ` d.querySelector("#retry").click(); }`)
	c.in(`d.querySelector("#shut").hidden && !d.querySelector("#langs").hidden`)
	c.eval(`sessionStorage.clear(); launch("/")`)
	c.in(`!d.querySelector("#shut")?.hidden && d.querySelector("#why").innerText`)
	c.safe()
}

// comesByAnyProcess has a browser reach a process that serves nothing of what it wants: the page goes where it is sent, comes
// back by itself when the community moves, and takes more and more time where it is sent on and on.
func comesByAnyProcess(t *testing.T) {
	town := settle(t, 3, func(h http.Handler) *site { return outside(t, h) })
	town.put(group(), 2)
	town.put(tg(1), 1)
	name := town.deals(1, 2)
	first := &town.procs[0].came
	launch := url.Values{"tgWebAppData": {login(1, time.Now())}, "tgWebAppStartParam": {name}, "tgWebAppVersion": {"8.0"}}
	c := startChromium(t)
	s := c.open(town.procs[0].srv.URL + "/tg#" + launch.Encode())
	s.until(`document.querySelector(".tbl h2")?.textContent`)
	if n := first.Load(); n != 2 {
		t.Errorf("the page has connected %d times", n)
	}
	if n := len(town.procs[1].door.used); n != 1 {
		t.Errorf("%d logins were used up where the person is", n)
	}
	s.reload() // It knows the way.
	s.until(`document.querySelector(".tbl h2")?.textContent`)
	if n := first.Load(); n != 3 {
		t.Errorf("after a reload the page has connected %d times", n)
	}
	id, _ := table.ParseID(name)
	for to := range town.procs {
		town.move(group(), to)
		for _, who := range []int64{1, 2} {
			r := chat.Request{ID: fmt.Sprint("move ", to, who), Who: chat.User{ID: who, Name: "P", Lang: "en"}, In: chat.Place{Community: group(), Channel: group().ID}}
			if sc := glance(t, town.procs[to].bot(group()), r, id); sc.Yours {
				i := slices.IndexFunc(sc.Acts, func(a live.Act) bool { return (a.Do == "flip" || a.Do == "keep") && !a.Later })
				r.Kind, r.Data = chat.Press, sc.Acts[i].Token
				town.procs[to].Handle(t.Context(), r)
			}
			yours := glance(t, town.procs[to].bot(group()), chat.Request{Who: chat.User{ID: 1}, In: r.In}, id).Yours
			s.until(fmt.Sprintf(`document.querySelector("#lost").textContent === "" && document.querySelector(".tbl").matches(".yours") === %v`, yours))
		}
	}
	s.calm()

	f := &fickle{}
	r := New(nil, Options{Log: quiet(), Elsewhere: f, Doors: []door.Door{&usher{used: map[string]bool{}}}})
	var came atomic.Int64
	public := r.Handler()
	srv := outside(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/tg/live" {
			came.Add(1)
		}
		public.ServeHTTP(w, req)
	}))
	t.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
	})
	launch = url.Values{"tgWebAppData": {login(1, time.Now())}, "tgWebAppStartParam": {group().String()}}
	lost := c.open(srv.URL + "/tg#" + launch.Encode())
	// Three at once, the others after waits that grow from 250 ms, 30 of 100 shorter at least.
	lost.until(`clock.now() >= 1500`)
	if n := came.Load(); n < 3 || n > 9 {
		t.Errorf("%d connections within 1.5 s", n)
	}
	lost.until(`document.querySelector("#lost").textContent`)
}

// fickle serves the group at each second look.
type fickle struct {
	relay.Nowhere
	looks atomic.Int64
}

func (f *fickle) Serves(c chat.Community) bool { return c != group() || f.looks.Add(1)%2 == 0 }
