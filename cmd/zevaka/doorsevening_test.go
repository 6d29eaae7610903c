//go:build browser && unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"zevaka/adapters/browsertest"
	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/engine/enginetest"
)

// venue is where two people spend an evening: a chat on one of the platforms, and a page each for its live tables.
type venue struct {
	*doored
	name, lang string
	tabs       [2]*tab
	// types has one of them type a command.
	types func(who int, line string)
	// lays has one of them type a command that lays a patience, and follow where that leads.
	lays func(who int, line string)
	// reads are the messages that one of them sees, the newest first.
	reads func(who int) []posted
	// presses presses a button of a message.
	presses func(who int, m posted, token string)
	// shows has their page show the table to which a message leads.
	shows func(who int, m posted)
	at    int
}

// posted is a message in a chat.
type posted struct {
	id, text string
	// tokens are those of its buttons; leads says that one opens a table.
	tokens []string
	leads  bool
	file   []byte
	on     any
}

// TestEveningsThroughDoors plays through an evening on each platform, by what is pressed on the pages of the live tables and, where a
// page has nothing for it, in the chat: a first game, two games of Зевака by one press, a bank, the patience of the day told to the
// other, scores, the chart of a purse, a game watched again, and its shuffle checked by the record. With -shots it does so in
// each language, and leaves pictures. A short run leaves Telegram out.
func TestEveningsThroughDoors(t *testing.T) {
	t.Parallel()
	langs := []string{"ru", "en", "pl"}
	if *shots == "" {
		langs = langs[1:2]
	}
	doors := map[string]func(*doored, string) *venue{"dc": eveningOnDiscord, "tg": eveningOnTelegram}
	if enginetest.Brief() && *shots == "" {
		delete(doors, "tg") // It waits for a group's budget of messages for a minute.
	}
	for _, lang := range langs {
		for name, opens := range doors {
			t.Run(name+"-"+lang, func(t *testing.T) {
				t.Parallel()
				x := openDoors(t)
				v := opens(x, lang)
				v.name, v.lang = name, lang
				for _, c := range v.tabs {
					c.still()
				}
				v.learns()
				v.daily()
				v.watches(v.games())
				v.banks()
				v.reckons()
				for _, c := range v.tabs {
					if said := c.complaints(); said != "" {
						t.Errorf("a page did wrong: %s", said)
					}
				}
				x.end(t, syscall.SIGTERM)
				if r := x.telegram.Report(); len(r.Violations) > 0 || r.Unanswered > 0 {
					t.Errorf("Telegram: %+v", r)
				}
				if r := x.discord.Record(); len(r.Violations) > 0 || len(r.Unanswered) > 0 {
					t.Errorf("Discord: %+v", r)
				}
			})
		}
	}
}

// eveningOnTelegram is one in a group there.
func eveningOnTelegram(x *doored, lang string) *venue {
	x.t.Helper()
	users := [2]*telegramtest.User{x.telegram.NewUser("Ann", lang), x.telegram.NewUser("Bob", lang)}
	chat := x.telegram.NewForum("Cards", users[0])
	chat.Promote()
	v := &venue{doored: x}
	for i, u := range users {
		chat.Join(u)
		u.Private().Say(u, "/start")
		v.tabs[i] = x.front.open(lang)
		v.tabs[i].origin = "https://" + publicHost
		v.tabs[i].navigate("https://" + telegramHost + "/host")
	}
	v.types = func(who int, line string) { chat.Say(users[who], line) }
	v.lays = func(who int, line string) {
		v.types(who, line)
		link := func(b telegramtest.Button) bool { return strings.Contains(b.URL, "start=") }
		var m telegramtest.Message
		x.until("a link to the private chat", func() bool {
			m, _ = chat.Board()
			return slices.ContainsFunc(m.Buttons, link)
		})
		users[who].Start(telegramtest.Payload(m.Buttons[slices.IndexFunc(m.Buttons, link)].URL))
	}
	v.reads = func(who int) (all []posted) {
		u := users[who]
		for _, m := range slices.Concat(chat.Messages(), u.Private().Messages()) {
			if m.To != 0 && m.To != u.ID {
				continue
			}
			p := posted{id: fmt.Sprint(m.Chat, m.ID, m.Ephemeral), text: m.Text, file: slices.Concat(m.Document, m.Photo), on: m}
			for _, b := range m.Buttons {
				p.tokens = append(p.tokens, b.Data)
				p.leads = p.leads || b.Text == "▦"
			}
			all = append(all, p)
		}
		slices.Reverse(all)
		return all
	}
	v.presses = func(who int, m posted, token string) {
		id := users[who].Press(m.on.(telegramtest.Message), token)
		<-x.telegram.Answered(id)
		if a, _ := x.telegram.Answer(id); a.URL != "" {
			users[who].Start(telegramtest.Payload(a.URL))
		}
	}
	v.shows = func(who int, m posted) {
		buttons := m.on.(telegramtest.Message).Buttons
		b := buttons[slices.IndexFunc(buttons, func(b telegramtest.Button) bool { return b.Text == "▦" })]
		v.tabs[who].host(fmt.Sprintf("show(%q)", users[who].Open("https://"+publicHost+"/tg", b)))
	}
	return v
}

// eveningOnDiscord is one in a channel there.
func eveningOnDiscord(x *doored, lang string) *venue {
	x.t.Helper()
	locale := map[string]string{"en": "en-US", "pl": "pl", "ru": "ru"}[lang]
	users := [2]discordtest.User{{ID: "101", Name: "ann", Global: "Ann", Locale: locale}, {ID: "102", Name: "bob", Global: "Bob", Locale: locale}}
	v := &venue{doored: x, tabs: [2]*tab{x.front.open(lang), x.front.open(lang)}}
	v.types = func(who int, line string) {
		words := strings.Fields(strings.TrimPrefix(line, "/"))
		options := map[string]any{}
		for _, word := range words[1:] {
			name, value, named := strings.Cut(word, "=")
			if !named {
				name, value = "what", word
				if words[0] == "zevaka" || words[0] == "banchok" {
					name = "set"
				}
			}
			options[name] = value
		}
		if x.discord.Command(users[who], discordtest.Channel, words[0], options).Answer() == 0 {
			x.t.Errorf("%s isn't answered", line)
		}
	}
	v.lays = v.types
	v.reads = func(who int) (all []posted) {
		for _, m := range x.discord.Messages(discordtest.Channel, users[who].ID) {
			p := posted{id: m.ID, text: m.Content, file: m.Picture, on: m}
			for _, b := range m.Buttons() {
				p.tokens = append(p.tokens, b.CustomID)
				p.leads = p.leads || b.Label == "▦"
			}
			all = append(all, p)
		}
		slices.Reverse(all)
		return all
	}
	v.presses = func(who int, m posted, token string) { x.discord.Press(users[who], m.id, token).Answer() }
	v.shows = func(who int, m posted) {
		b, _ := m.on.(discordtest.Message).Button("▦")
		_, _ = in[bool](v.tabs[who], `(sessionStorage.clear(), true)`) // A launch has a frame of its own, to which the visit before is unknown.
		v.tabs[who].activity(x.discord, users[who], x.discord.Press(users[who], m.id, b.CustomID).Launched())
	}
	return v
}

// still has nothing move on the tab's pages.
func (c *tab) still() {
	c.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}
	if _, err := chromedp.Call(c.ctx, emulation.SetEmulatedMedia, media); err != nil {
		c.t.Fatal(err)
	}
}

// message waits for the newest message of those that somebody sees which is as it should be.
func (v *venue) message(who int, what string, fit func(posted) bool) (m posted) {
	v.t.Helper()
	v.until(what, func() bool {
		all := v.reads(who)
		i := slices.IndexFunc(all, fit)
		if i >= 0 {
			m = all[i]
		}
		return i >= 0
	})
	return m
}

// chooses presses the newest button in the chat whose token says this.
func (v *venue) chooses(who int, does string) {
	v.t.Helper()
	token := func(m posted) int {
		return slices.IndexFunc(m.tokens, func(token string) bool { return strings.Contains(token, does) })
	}
	m := v.message(who, "a button that does "+does, func(m posted) bool { return token(m) >= 0 })
	v.presses(who, m, m.tokens[token(m)])
}

// fresh is a message that comes of something done, as it should be.
func (v *venue) fresh(who int, what string, does func(), fit func(posted) bool) posted {
	v.t.Helper()
	before := map[string]bool{}
	state := func(m posted) string { return fmt.Sprint(m.id, len(m.file), m.text) }
	for _, m := range v.reads(who) {
		before[state(m)] = true
	}
	does()
	return v.message(who, what, func(m posted) bool { return !before[state(m)] && fit(m) })
}

// opens has one of them open a table by a command, and look at it.
func (v *venue) opens(who int, types func(int, string), line string) {
	v.t.Helper()
	v.shows(who, v.fresh(who, "the table of "+line, func() { types(who, line) }, func(m posted) bool { return m.leads }))
}

// station looks at a page, and leaves pictures in both colours.
func (v *venue) station(who int, name string) {
	v.t.Helper()
	v.at++
	c := v.tabs[who]
	c.run(chromedp.EmulateViewport(390, 844))
	c.until(`innerWidth === 390 && document.querySelector("#lost").textContent === ""`)
	open, err := in[bool](c, `Boolean(document.querySelector("dialog[open]"))`)
	if hidden, failed := in[[]string](c, unseen); err != nil || failed != nil || len(hidden) > 0 && !open {
		v.t.Errorf("%s: not all is to be seen: %q, %v, %v", name, hidden, err, failed)
	}
	c.shot(fmt.Sprintf("%s-%s-%02d-%s", v.name, v.lang, v.at, name))
}

// phase waits until somebody's page has come so far.
func (v *venue) phase(who int, name string) {
	v.t.Helper()
	v.tabs[who].until(fmt.Sprintf(`document.querySelector(".tbl")?.dataset.phase === %q`, name))
}

// taps presses what a selector finds on somebody's page, as soon as it can be.
func (v *venue) taps(who int, selector string) {
	v.t.Helper()
	v.tabs[who].until(fmt.Sprintf(`(() => { const b = [...document.querySelectorAll(%q)].find((b) => b.checkVisibility() && b.getAttribute("aria-disabled") !== "true"); b?.click(); return b; })()`, selector))
}

// learns looks into the first lesson, and goes on from there to a table for others.
func (v *venue) learns() {
	v.t.Helper()
	v.opens(0, v.types, "/zevaka learn")
	v.phase(0, "playing")
	v.tabs[0].until(`document.querySelector(".tip:not([hidden])")`)
	v.station(0, "lesson")
	v.tabs[0].act("flip")
	v.tabs[0].act("enough")
	v.phase(0, "ended")
	v.station(0, "lesson-end")
}

// together has both sit down at a table that one opens, and deal.
func (v *venue) together(line, name string) {
	v.t.Helper()
	v.opens(0, v.types, line)
	v.phase(0, "lobby")
	v.shows(1, v.message(1, "the table", func(m posted) bool { return m.leads }))
	v.phase(1, "lobby")
	v.station(1, name+"-lobby")
	v.tabs[1].act("join")
	v.tabs[0].until(`document.querySelectorAll(".chair:not(.free)").length === 2`)
	v.tabs[0].act("deal")
	v.cut()
}

// cut has both cut the pack, and returns what was promised before.
func (v *venue) cut() (promised string) {
	v.t.Helper()
	v.phase(0, "cutting")
	v.tabs[0].act("check")
	promised = v.digits()
	for who := range v.tabs {
		v.phase(who, "cutting")
		v.taps(who, ".stage .bar .act:nth-child(2)")
	}
	for who := range v.tabs {
		v.phase(who, "playing")
	}
	return promised
}

// digits are the first 64 hex digits that the first of them is told; they put away what told them.
func (v *venue) digits() string {
	v.t.Helper()
	v.tabs[0].until(`document.querySelector("#told").open && /[0-9a-f]{64}/.test(document.querySelector("#toldtext").innerText)`)
	digits, err := in[string](v.tabs[0], `document.querySelector("#toldtext").innerText.match(/[0-9a-f]{64}/)[0]`)
	if err != nil {
		v.t.Fatal(err)
	}
	v.taps(0, "#toldgo")
	v.tabs[0].until(`!document.querySelector("#told").open`)
	return digits
}

// play has both play to the end of a game or a session by a script of browsertest's.
func (v *venue) play(script string) {
	v.t.Helper()
	for who := range v.tabs {
		v.phase(who, "playing")
		if _, err := in[int](v.tabs[who], "window.hold = false; window.anySuit = true; "+script); err != nil {
			v.t.Fatal(err)
		}
	}
	for _, c := range v.tabs {
		c.until(`document.querySelector(".tbl").dataset.phase === "ended" && document.querySelector(".stage .gold")?.act.do === "again" && document.querySelectorAll(".placed").length === 2`)
	}
}

// games plays two games of Зевака, and returns what was promised before the cut of the second.
func (v *venue) games() (promised string) {
	v.t.Helper()
	v.together("/zevaka 21b end=first fast=on limit=none", "zevaka")
	v.station(0, "zevaka")
	v.play(browsertest.Player)
	v.station(0, "zevaka-end")
	v.tabs[0].act("again")
	v.phase(0, "lobby")
	v.station(0, "again-host")
	v.station(1, "again-called")
	v.tabs[1].act("again")
	// Who had more than a minute of the game before is dealt to at once.
	v.tabs[0].until(`((t) => t.dataset.phase === "cutting" || ([...t.querySelectorAll(".act")].find((b) => b.act?.do === "deal" && b.getAttribute("aria-disabled") === "false")?.click(), false))(document.querySelector(".tbl"))`)
	promised = v.cut()
	v.play(browsertest.Player)
	return promised
}

// watches has the first of them watch the last game again, and proves its record.
func (v *venue) watches(promised string) {
	v.t.Helper()
	c := v.tabs[0]
	at := func(n string) {
		v.t.Helper()
		c.until(fmt.Sprintf(`((s) => s?.max > 0 && s.value === (%q || s.max))(document.querySelector(".replay input"))`, n))
	}
	c.act("replay")
	at("0")
	v.station(0, "replay")
	v.taps(0, ".replay .bar .act:nth-child(4)")
	at("1")
	v.taps(0, ".replay .bar .act:nth-child(3)")
	c.until(`Number(document.querySelector(".replay input").value) > 1`)
	v.taps(0, ".replay .bar .act:nth-child(5)")
	at("")
	v.taps(0, ".replay summary")
	v.taps(0, ".replay .log li:nth-child(3) button")
	at("3")
	v.station(0, "replay-moves")
	v.taps(0, ".replay .away")
	v.phase(0, "ended")
	game, err := in[string](c, `[...document.querySelectorAll(".tbl .act")].find((b) => b.act?.do === "check").act.token.replace("!check", "")`)
	if err != nil {
		v.t.Fatal(err)
	}
	v.chooses(0, game+"!replay")
	v.chooses(0, game+"!record")
	m := v.message(0, "a record", func(m posted) bool { return strings.HasPrefix(string(m.file), "{") })
	end := finish(v.t, command(v.t, "verify"), strings.NewReader(string(m.file)))
	if end.code != 0 || !strings.Contains(end.out, promised) {
		v.t.Errorf("promised was %s; of the record it is said %s%s", promised, end.out, end.err)
	}
}

// banks plays a session of Польский банчок, in which each holds the bank.
func (v *venue) banks() {
	v.t.Helper()
	v.together("/banchok bank=20 min=20 banks=1 limit=none", "bank")
	for who := range v.tabs {
		v.phase(who, "playing")
		v.station(who, "bank")
	}
	v.play(browsertest.Punter)
	v.station(0, "bank-end")
}

// daily has the first of them lay the patience of the day, give it up, and tell the other.
func (v *venue) daily() {
	v.t.Helper()
	v.opens(0, v.lays, "/day zaba")
	v.phase(0, "playing")
	v.tabs[0].act("draw")
	v.station(0, "day")
	v.tabs[0].act("giveup")
	v.tabs[0].until(`document.querySelector("#told").open`)
	v.taps(0, "#toldrows .danger")
	v.phase(0, "ended")
	v.tabs[0].until(`document.querySelector("#told").open && !document.querySelector("#told .danger")`)
	v.station(0, "day-told")
	v.taps(0, "#toldrows button")
	v.message(1, "a word of the day's patience", func(m posted) bool { return strings.Contains(m.text, "Ann") && strings.Contains(m.text, "❌") })
}

// reckons reads what is left of the evening.
func (v *venue) reckons() {
	v.t.Helper()
	v.fresh(1, "the scores of both", func() { v.types(1, "/scores") }, func(m posted) bool {
		return strings.Contains(m.text, "Ann") && strings.Contains(m.text, "Bob") && strings.Count(m.text, "\n") > 4
	})
	v.types(1, "/ledger")
	v.fresh(1, "a chart", func() { v.chooses(1, ".!chart chips") }, func(m posted) bool { return strings.HasPrefix(string(m.file), "\x89PNG") })
}
