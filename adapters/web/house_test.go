//go:build browser

package web

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/patience"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// house is a room with its bot and what that stores, to be stopped and started again at the same address. Its clock stands still
// until a test moves it.
type house struct {
	t     *testing.T
	games []engine.Rules
	store storage.Store
	bot   *bot.Bot
	room  *Room
	// alone says that the room is for its own machine.
	alone bool
	// fast says that whoever talks is told to be slower.
	fast atomic.Bool
	// busy is held for reading while the bot is asked something.
	busy sync.RWMutex
	addr string
	url  string
	// admin is the address that has the admins' secret.
	admin string
	begun time.Time
	time  atomic.Int64
	seed  func() engine.Seed
	stop  context.CancelFunc
	done  chan error
}

// parlour is a house with all games, and a browser to go there.
func parlour(t *testing.T) (*house, *chromium) {
	t.Helper()
	c := startChromium(t)
	h := &house{t: t, games: allGames(), store: mem.New(), addr: "127.0.0.1:0", begun: time.Now(), seed: dealt(t)}
	h.start()
	t.Cleanup(func() { h.end() })
	return h, c
}

func (h *house) start() {
	h.t.Helper()
	running := func() time.Duration { return time.Duration(h.time.Load()) }
	var err error
	h.bot, err = bot.New(h.t.Context(), bot.Options{
		Store: h.store, Games: h.games, Running: running, Now: func() time.Time { return h.begun.Add(running()) }, Seed: h.seed,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan string, 1)
	h.room = New(h, Options{
		Listen: h.addr, Open: !h.alone, Log: quiet(), Commands: commands, Tables: tablesOf(h.bot), Ready: func(url string) { ready <- url },
	})
	h.stop, h.done = cancel, make(chan error, 1)
	go func() { h.done <- h.room.Run(ctx) }()
	select {
	case h.admin = <-ready:
		h.url, _, _ = strings.Cut(h.admin, adminMark)
	case err := <-h.done:
		h.t.Fatal(err)
	}
	h.addr = strings.TrimSuffix(strings.TrimPrefix(h.url, "http://"), "/")
	h.rings(time.Second)
}

func (h *house) end() {
	h.t.Helper()
	h.stop()
	if err := <-h.done; err != nil {
		h.t.Error(err)
	}
}

// rings has time go by in the house, and what was to happen by then.
func (h *house) rings(d time.Duration) {
	h.time.Add(int64(d))
	h.bot.Ring(h.t.Context(), h.room.Show)
}

// rests waits until all has been done that the bot was asked for.
func (h *house) rests() {
	h.busy.Lock()
	defer h.busy.Unlock()
}

// Handle is the bot's, but for somebody who is too fast, for a question that has a word for its answer, and for a file.
func (h *house) Handle(ctx context.Context, r chat.Request) chat.Response {
	h.busy.RLock()
	defer h.busy.RUnlock()
	switch {
	case r.Kind == chat.Talk && h.fast.Load():
		return chat.Response{TooFast: true}
	case r.Data == "/which":
		p := chat.Post{In: r.In, To: &r.Who, Message: text("Which one?")}
		p.Buttons = [][]chat.Button{{{Label: "Cut", Token: "cut", Ask: "How?"}, {Label: "No", Token: "no", Look: chat.Danger}}}
		return chat.Response{Posts: []chat.Post{p}}
	case r.Data == "/file":
		who := r.Who
		message := chat.Message{Text: []chat.Span{{Text: "Yours alone."}}, File: &chat.File{Name: "mine.json", Data: []byte(who.Name)}}
		return chat.Response{Posts: []chat.Post{{In: r.In, To: &who, Message: message}}}
	case r.Data == "cut":
		return chat.Response{Toast: "cut: " + r.Text, Posts: []chat.Post{{In: r.In, To: &r.Who, Edit: r.On, Message: text("Done.")}}}
	}
	return h.bot.Handle(ctx, r)
}

// sees is the table that a page shows, as its reader sees it.
func (h *house) sees(s *seat) live.Scene {
	h.t.Helper()
	id, ok := table.ParseID(value[string](s, shown))
	who, err := person(value[string](s, secret), note{Name: "x"})
	if err != nil || !ok {
		h.t.Fatal(id, err)
	}
	return glance(h.t, h.bot, chat.Request{Who: who, In: place(1)}, id)
}

// until waits until the table that a page shows is as it should be.
func (h *house) until(s *seat, what string, ok func(live.Scene) bool) live.Scene {
	h.t.Helper()
	id, _ := table.ParseID(value[string](s, shown))
	who, err := person(value[string](s, secret), note{Name: "x"})
	if err != nil {
		h.t.Fatal(err)
	}
	sc, err := follow(h.t, h.bot, chat.Request{Who: who, In: place(1)}, id, ok)
	if err != nil {
		h.t.Fatalf("%s: %v; %+v\n%s", what, err, sc, s.text("body"))
	}
	return sc
}

// follow looks at a table until it is as it should be.
func follow(t *testing.T, b *bot.Bot, r chat.Request, id table.ID, ok func(live.Scene) bool) (live.Scene, error) {
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	news := make(chan struct{}, 1)
	look, err := b.Live().Look(ctx, r, id, func() {
		select {
		case news <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return live.Scene{}, err
	}
	defer look.Close()
	for {
		s, err := look.Next(ctx)
		if err != nil || ok(s) {
			return s, err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return s, fmt.Errorf("it never came: %w", ctx.Err())
		}
	}
}

// commands is what the test room's command line offers.
func commands(lang string) []Completion {
	hint := func(ru, en, pl string) string { return map[string]string{"ru": ru, "en": en, "pl": pl}[lang] }
	all := []Completion{
		{Line: "/zevaka", Hint: hint("Зевака: не зевайте", "Zevaka: stay awake", "Zewaka: nie gap się"), Start: true},
		{Line: "/banchok", Hint: hint("Польский банчок: на фишки", "Polish banchok: for chips", "Banczok: na żetony"), Start: true},
		{Line: "/patience", Hint: hint("Пасьянс", "Patience", "Pasjans"), Start: true}, {Line: "/day", Hint: hint("Пасьянс дня", "Patience of the day", "Pasjans dnia")},
		{Line: "/history", Hint: hint("Сыгранные игры", "Games played", "Rozegrane gry")}, {Line: "/help", Hint: hint("Помощь", "Help", "Pomoc")}, {Line: "/zevaka fast"},
	}
	for _, rules := range patience.All() {
		name := rules.Info().Name
		all = append(all, Completion{Line: "/patience " + name, Hint: strings.ToUpper(name[:1]) + name[1:]})
	}
	lesson := func(line, about string) Completion { return Completion{Line: line, Hint: about, Whole: true} }
	return append(all,
		lesson("/zevaka learn", hint("Зевака за три минуты", "Zevaka in three minutes", "Zewaka w trzy minuty")),
		lesson("/banchok learn", hint("Банчок: как ставить", "Polish banchok: how to stake", "Banczok: jak stawiać")),
		lesson("/patience zaba learn", hint("Пасьянс за две минуты", "A patience in two minutes", "Pasjans w dwie minuty")),
		Completion{Line: "/patience zaba rows=1"}, Completion{Line: "/patience zaba rows=2"}, Completion{Line: "/patience zaba number="})
}

// screens are the sizes that the page is looked at in.
func screens() [][2]int64 {
	return [][2]int64{
		{320, 600}, {740, 360}, {desktopWidth, desktopHeight}, {1366, 625}, {768, 1024}, {360, 640}, {phoneWidth, phoneHeight}, {2560, 1440},
	}
}

const secret = `sessionStorage.getItem("zevaka.tab")`

// shown is the table that the page's address names.
const shown = `location.hash.match(/^#(?:table|replay)=([\w/-]+)/)?.[1] || ""`

// does presses what stands for an act of the table, as soon as it can be pressed: a button does nothing until what came of its last press
// is over.
func (s *seat) does(do string) {
	s.t.Helper()
	s.until(`(() => { const b = [...document.querySelectorAll(".act, .go")].find((b) => b.act?.do === ` + quote(do) + ` && !b.busy && b.getAttribute("aria-disabled") === "false" && b.checkVisibility()); b?.click(); return b; })()`)
}

// phase waits until the table has come so far.
func (s *seat) phase(name string) {
	s.t.Helper()
	s.until(`document.querySelector(".tbl")?.dataset.phase === ` + quote(name) + ` && document.querySelector("#felt").checkVisibility()`)
}

// start begins a game from the page.
func (s *seat) start(name string) {
	s.t.Helper()
	s.eval(`{ const b = document.querySelector("#begin"); b.checkVisibility() && b.click(); }`)
	s.until(`(() => { const b = [...document.querySelectorAll(".start")].find((b) => b.querySelector(":scope > b").innerText === ` + quote(name) + `); b?.click(); return b; })()`)
}

// everywhere looks at the page on every screen, in both colours by turns.
func (s *seat) everywhere(name string) {
	s.t.Helper()
	for i, size := range screens() {
		scheme := []string{"light", "dark"}[i%2]
		s.look(size[0], size[1], scheme)
		s.fits(fmt.Sprint(name, " at ", size))
		s.shot(fmt.Sprint(name, "-", size[0], "x", size[1], "-", scheme))
	}
	s.axe(name)
}

// banner has the page say that it is one's turn elsewhere, on every screen: that moves nothing at the table, and lies on nothing one plays with. All is
// measured within one script, so that nothing else can change the page meanwhile.
func (s *seat) banner() {
	s.t.Helper()
	for _, size := range screens() {
		s.look(size[0], size[1], "light")
		if odd := value[string](s, `(() => {
			const parts = [...document.querySelectorAll(".tbl .field, .tbl .act")].filter((e) => e.checkVisibility());
			const placed = () => parts.map((e) => { const { left, top, width, height } = e.getBoundingClientRect(); return [left, top, width, height].map(Math.round).join(); });
			const before = placed();
			for (const id of ["row", "elsewhere"]) document.querySelector("#" + id).hidden = false;
			document.querySelector("#elsewhere").textContent = "▶ Ваш ход за другим столом";
			const banner = document.querySelector("#elsewhere").getBoundingClientRect();
			const odd = placed().flatMap((at, i) => (at === before[i] ? [] : [parts[i].className + " goes from " + before[i] + " to " + at]));
			for (const e of parts) {
				const at = e.getBoundingClientRect();
				if (at.left < banner.right && at.right > banner.left && at.top < banner.bottom && at.bottom > banner.top) odd.push("it lies on " + e.className);
			}
			return odd.join("; ");
		})()`); odd != "" {
			s.t.Errorf("at %v, with a banner: %s", size, odd)
		}
		s.shot(fmt.Sprintf("banner-%dx%d", size[0], size[1]))
		s.eval(`document.querySelector("#row").hidden = document.querySelector("#elsewhere").hidden = true`)
	}
}

// speaks has the page speak a language.
func (s *seat) speaks(lang string) {
	s.t.Helper()
	s.until(`(() => { const b = document.querySelector("#tongues [value=" + ` + quote(lang) + ` + "]"); b?.click(); return b; })()`)
	s.until(`document.documentElement.lang === ` + quote(lang))
}
