//go:build browser && unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
)

// doored is a zevaka with all its doors open: a process as the operator starts it, both platforms, and what stands between it and
// people's browsers.
type doored struct {
	*server
	t        *testing.T
	db       string
	settings []string
	front    *front
	telegram *telegramtest.Server
	discord  *discordtest.Server
}

func openDoors(t *testing.T, more ...string) *doored {
	t.Helper()
	x := &doored{
		t: t, db: filepath.Join(t.TempDir(), "doors.db"), front: newFront(t),
		telegram: telegramtest.New(telegramtest.Options{}),
		discord:  discordtest.New(t, discordtest.Options{Activities: true}),
	}
	api := httptest.NewServer(x.telegram)
	t.Cleanup(api.Close)
	x.settings = append([]string{
		"ZEVAKA_DB=" + x.db, "ZEVAKA_ROOM_OPEN=true", "ZEVAKA_ROOM_PROXY=127.0.0.1", "ZEVAKA_PUBLIC_URL=https://" + publicHost, "ZEVAKA_LOG_LEVEL=debug",
		"ZEVAKA_USER_RATE=0", "ZEVAKA_COMMUNITY_RATE=0", // Nobody in a test takes the time that people take.
		"TELEGRAM_TOKEN=" + telegramtest.Token, "TELEGRAM_API=" + api.URL,
		"DISCORD_TOKEN=" + discordtest.Token, "DISCORD_CLIENT_SECRET=" + discordtest.Secret, "DISCORD_API=" + x.discord.URL(),
	}, more...)
	x.begin()
	return x
}

// begin starts the program, and waits until Discord has told it who it is.
func (x *doored) begin() {
	x.t.Helper()
	x.server = start(x.t, x.settings...)
	x.front.leads(x.url)
	x.until("the door of Discord knows its application", func() bool {
		resp, err := http.Get(x.url + "dc/config")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return err == nil && strings.Contains(string(body), discordtest.App)
	})
}

// until waits until something is so.
func (x *doored) until(what string, ok func() bool) {
	x.t.Helper()
	for end := time.Now().Add(longest); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			said := x.log.String()
			x.t.Fatalf("it never came: %s\n%s", what, said[max(0, len(said)-3000):])
		}
	}
}

// door is where a door of the program is now.
func (x *doored) door(path string) string { return strings.TrimSuffix(x.url, "/") + path }

// activity shows the page as Discord's client does for somebody in an instance.
func (c *tab) activity(d *discordtest.Server, u discordtest.User, instance string) {
	c.t.Helper()
	c.origin = "https://" + activityHost
	c.navigate("https://" + discordHost + "/host")
	for range 4 { // Each time that the page asks it is given a new one.
		c.host(fmt.Sprintf("codes.push(%q)", d.Authorize(u)))
	}
	c.host(fmt.Sprintf("launch(%q)", c.origin+"/?"+url.Values{
		"instance_id": {instance}, "frame_id": {"f-" + u.ID}, "platform": {"desktop"}, "channel_id": {discordtest.Channel}, "guild_id": {discordtest.Guild},
	}.Encode()))
}

// What the page says to whom a door doesn't let in, in each language: the beginning of its sentence.
var shutOut = map[string][3]string{
	"door-login": {"Не удалось узнать, кто вы.", "Nie udało się ustalić, kim jesteś.", "We couldn’t tell who you are."},
	"door-old":   {"Это окно открыто слишком давно", "To okno otwarto zbyt dawno", "This window was opened too long ago"},
	"door-start": {"Эта ссылка не ведёт к столу этого бота.", "Ten link nie prowadzi do stołu tego bota.", "This link doesn’t lead to a table of this bot."},
	"door-place": {"Не удалось подтвердить, что вы состоите в этом чате.", "Nie udało się potwierdzić, że jesteś na tym czacie.", "We couldn’t confirm that you are in this chat."},
	"nobody":     {"Эта страница показывает живой стол внутри приложения", "Ta strona pokazuje stół na żywo w aplikacji", "This page shows the live table inside the chat’s own app."},
	"consent":    {"Discord не получил разрешения", "Discord nie dostał zgody", "Discord didn’t give its permission"},
}

// reads waits until the page is shut, with the sentence for that reason in its language and nothing else to be seen.
func (c *tab) reads(lang int, why string) {
	c.t.Helper()
	c.until(fmt.Sprintf(`!document.querySelector("#shut")?.hidden && document.querySelector("#why").innerText.startsWith(%q) && !document.querySelector(".tbl h2")?.textContent`, shutOut[why][lang]))
}

// TestDoors has people come to the live table of a bot as they do, by Telegram's client and by Discord's: a game is begun on the page, and
// goes on through a line that breaks. Whoever must not come in doesn't, and is told why.
func TestDoors(t *testing.T) {
	x := openDoors(t)
	x.byTelegram()
	x.upgraded()
	x.byDiscord()
	x.seals()
	if len(x.front.foreign) > 0 {
		t.Errorf("pages asked for %q", x.front.foreign)
	}
	x.end(t, syscall.SIGTERM)
	good(t, "", "check", "--db", x.db)
	for _, secret := range []string{telegramtest.Token, discordtest.Secret, "code-"} {
		if strings.Contains(x.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
	if r := x.telegram.Report(); len(r.Violations) > 0 || r.Unanswered > 0 {
		t.Errorf("Telegram: %+v", r)
	}
	if r := x.discord.Record(); len(r.Violations) > 0 || len(r.Unanswered) > 0 {
		t.Errorf("Discord: %+v", r)
	}
}

// link has somebody open a table in a chat, and returns the button that leads to it.
func (x *doored) link(c *telegramtest.Chat, u *telegramtest.User, line string) (b telegramtest.Button) {
	x.t.Helper()
	c.Say(u, line)
	x.until("a board", func() bool {
		m, _ := c.Board()
		i := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return b.Text == "▦" })
		if i >= 0 {
			b = m.Buttons[i]
		}
		return i >= 0
	})
	return b
}

func (x *doored) byTelegram() {
	x.t.Helper()
	people := []*telegramtest.User{x.telegram.NewUser("Аня", "ru"), x.telegram.NewUser("Ola", "pl"), x.telegram.NewUser("Tom", "en")}
	ann, eve := people[0], x.telegram.NewUser("Ева", "ru")
	chat, foreign := x.telegram.NewForum("Игры", people...), x.telegram.NewForum("Другие", eve)
	for _, c := range []*telegramtest.Chat{chat, foreign} {
		c.Promote()
	}
	link, other := x.link(chat, ann, "/zevaka 21a computers=1 limit=none now"), x.link(foreign, eve, "/zevaka limit=none")
	c := x.front.open("ru")
	c.origin = "https://" + publicHost
	c.navigate("https://" + telegramHost + "/host")
	c.host(fmt.Sprintf("show(%q)", ann.Open("https://"+publicHost+"/tg", link)))
	x.breaks(c)

	signed := func(u *telegramtest.User, token string, ago time.Duration) string {
		fields, err := url.ParseQuery(u.Login(link.Start()))
		if err != nil {
			x.t.Fatal(err)
		}
		return telegramtest.SignLogin(token, map[string]string{
			"user": fields.Get("user"), "auth_date": fmt.Sprint(time.Now().Add(ago).Unix()), "start_param": link.Start(),
		})
	}
	login := func(change func(url.Values)) string {
		fields, err := url.ParseQuery(ann.Login(link.Start()))
		if err != nil {
			x.t.Fatal(err)
		}
		change(fields)
		return strings.ReplaceAll(fields.Encode(), "+", "%20")
	}
	altered := "A" + link.Start()[1:]
	if altered == link.Start() {
		altered = "B" + altered[1:]
	}
	used := ann.Login(link.Start())
	for _, test := range []struct{ what, login, start, why string }{
		{"good", used, link.Start(), ""},
		{"replayed", used, link.Start(), "door-old"},
		{"a forged hash", login(func(f url.Values) { f.Set("hash", strings.Repeat("ab", 32)) }), link.Start(), "door-login"},
		{"no hash", login(func(f url.Values) { f.Del("hash") }), link.Start(), "door-login"},
		{"an altered field", login(func(f url.Values) {
			f.Set("user", strings.Replace(f.Get("user"), fmt.Sprint(ann.ID), fmt.Sprint(eve.ID), 1))
		}), link.Start(), "door-login"},
		{"a field too many", ann.Login(link.Start()) + "&can_send_after=1", link.Start(), "door-login"},
		{"aged", signed(ann, telegramtest.Token, -webapp.OldAfter-time.Minute), link.Start(), "door-old"},
		{"from the future", signed(ann, telegramtest.Token, time.Hour), link.Start(), "door-old"},
		{"of a foreign bot", signed(ann, "4243:AAanother-token_of-nobody", 0), link.Start(), "door-login"},
		{"the table of a group that they aren't in", ann.Login(other.Start()), other.Start(), "door-place"},
		{"an altered link", ann.Login(altered), altered, "door-start"},
	} {
		if why := x.enters("/tg", map[string]string{"login": test.login, "start": test.start}); why != test.why {
			x.t.Errorf("%s: the connection ends with %q, want %q", test.what, why, test.why)
		}
	}
	// address is what Telegram's client shows, with a login of the test's own making.
	address := func(login, start string) string {
		known := url.Values{"tgWebAppData": {login}, "tgWebAppStartParam": {start}, "tgWebAppVersion": {"9.1"}, "tgWebAppPlatform": {"web"}}
		return "https://" + publicHost + "/tg#" + strings.ReplaceAll(known.Encode(), "+", "%20")
	}
	for lang, test := range []struct{ address, why string }{
		{address(used, link.Start()), "door-old"}, {address(people[1].Login(other.Start()), other.Start()), "door-place"}, {"https://" + publicHost + "/tg", "nobody"},
	} {
		c := x.front.open([]string{"ru", "pl", "en"}[lang])
		c.origin = "https://" + publicHost
		c.navigate("https://" + telegramHost + "/host")
		c.host(fmt.Sprintf("show(%q)", test.address))
		c.reads(lang, test.why)
	}
}

// upgraded has a group become a supergroup while somebody plays on the page: they play on.
func (x *doored) upgraded() {
	x.t.Helper()
	ann := x.telegram.NewUser("Аня", "ru")
	group := x.telegram.NewGroup("Вечер", ann)
	link := x.link(group, ann, "/zevaka 21a computers=1 limit=none")
	c := x.front.open("ru")
	c.origin = "https://" + publicHost
	c.navigate("https://" + telegramHost + "/host")
	c.host(fmt.Sprintf("show(%q)", ann.Open("https://"+publicHost+"/tg", link)))
	c.until(offered("deal") + `.some((b) => (window.dealt = b.act.token, true))`)
	group.Upgrade(true)
	c.until(offered("deal") + `.some((b) => b.act.token !== window.dealt && (b.click(), true))`)
	c.until(`["playing", "cutting"].includes(document.querySelector(".tbl")?.dataset.phase)`)
	if wrong := c.complaints(); wrong != "" {
		x.t.Errorf("the page did wrong: %s", wrong)
	}
}

func (x *doored) byDiscord() {
	x.t.Helper()
	ann := discordtest.User{ID: "101", Name: "ann", Global: "Ann", Locale: "en-US"}
	eve := discordtest.User{ID: "105", Name: "eve", Locale: "en-US"}
	x.discord.Command(ann, discordtest.Channel, "zevaka", map[string]any{"set": "21a", "limit": "none"}).Answer()
	here := x.discord.Launch(discordtest.Channel, ann)
	c := x.front.open("en")
	c.activity(x.discord, ann, here)
	c.act("robot")
	c.act("deal")
	x.breaks(c)

	x.discord.Place("711", discordtest.Guild, 0)
	odd := x.discord.Launch("711", ann)
	x.discord.Distort(odd, map[string]any{"application_id": "900000000000000999"})
	used := x.discord.Authorize(ann)
	calls := x.discord.Record().Calls
	for _, test := range []struct{ what, instance, code, why string }{
		{"good", here, used, ""},
		{"a code used twice", here, used, "door-login"},
		{"a code for another application", here, x.discord.AuthorizeElsewhere(ann), "door-login"},
		{"a code of nobody's", here, "code-1", "door-login"},
		{"an instance of a foreign application", odd, x.discord.Authorize(ann), "door-place"},
		{"an instance that isn't", "i-1-gc-2-3", x.discord.Authorize(ann), "door-place"},
		{"an instance in which she isn't", here, x.discord.Authorize(eve), "door-place"},
	} {
		if why := x.enters("/dc", map[string]string{"login": test.code, "instance": test.instance}); why != test.why {
			x.t.Errorf("%s: the connection ends with %q, want %q", test.what, why, test.why)
		}
	}
	for lang, test := range []struct{ instance, code, why string }{{here, used, "door-login"}, {here, "", "consent"}, {"", x.discord.Authorize(ann), "nobody"}} {
		c := x.front.open([]string{"ru", "pl", "en"}[lang])
		c.origin = "https://" + activityHost
		c.navigate("https://" + discordHost + "/host")
		c.host(fmt.Sprintf("code = %q; launch(%q)", test.code, c.origin+"/?frame_id=f&platform=desktop&instance_id="+test.instance))
		c.reads(lang, test.why)
	}
	now := x.discord.Record().Calls
	if now["post"] != calls["post"] || now["edit"] != calls["edit"] {
		x.t.Errorf("the chat was told something: %v, %v", calls, now)
	}
}

// breaks begins a game against a computer on a page, and presses while the line is broken in each way: what got through counts once, however
// often it was sent, and of what didn't the one who pressed is told.
func (x *doored) breaks(c *tab) {
	x.t.Helper()
	const turned = `document.querySelector(".tbl .place.turned [data-card]")`
	const yours = `document.querySelector(".tbl.yours")?.dataset.phase === "playing"`
	c.until(`((t) => t?.dataset.phase === "playing" || ([...(t?.querySelectorAll("button") ?? [])].find((b) => b.act?.do === "no-cut" && b.getAttribute("aria-disabled") !== "true")?.click(), false))(document.querySelector(".tbl"))`)
	flips := func() { // to a position in which she flips
		x.t.Helper()
		c.until(yours + ` && (!` + turned + ` ? ` + offered("flip") + `.length : (` + offered("keep") + `.some((b) => b.act.token !== window.kept && (window.kept = b.act.token, b.click(), true)), false))`)
	}

	// The answer is lost on its way, twice.
	flips()
	x.front.mu.Lock()
	x.front.deaf = 2
	x.front.mu.Unlock()
	c.act("flip")
	c.until(turned + ` && !document.querySelector("#alerts").innerText`)
	x.until("all are sent", func() bool { x.front.mu.Lock(); defer x.front.mu.Unlock(); return x.front.deaf == 0 })
	c.offers("keep")

	// The line is cut, and stands again soon: nothing is lost, and nothing doubled.
	x.front.goes(false)
	c.until(`document.querySelector("#lost").textContent`)
	c.until(`(window.kept = ` + offered("keep") + `[0].act.token, ` + offered("keep") + `[0].click(), true)`)
	x.front.goes(true)
	c.until(`document.querySelector("#lost").textContent === "" && !` + turned + ` && !document.querySelector("#alerts").innerText`)

	// The line is away for so long that the page gives the press up, and says so.
	flips()
	x.front.goes(false)
	c.act("flip")
	c.until(`document.querySelector("#alerts").innerText`)
	x.front.goes(true)
	c.until(`document.querySelector("#lost").textContent === "" && !document.querySelector("#alerts").innerText && !` + turned)
	c.act("flip")
	c.until(turned)

	// The bot goes on from a backup, of which the page has seen more.
	saved := filepath.Join(x.t.TempDir(), "saved.db")
	good(x.t, "", "backup", "--db", x.db, saved)
	c.offers("keep")
	c.act("keep")
	c.until("!" + turned)
	x.end(x.t, syscall.SIGTERM)
	good(x.t, "", "restore", "--db", x.db, saved)
	x.begin()
	c.until(`document.querySelector("#lost").textContent === "" && ` + turned)
	if wrong := c.complaints(); wrong != "" {
		x.t.Errorf("the page did wrong: %s", wrong)
	}
}

// seals tries the seal of a visit that was altered, and that of the one door at the other, for a look and for a command.
func (x *doored) seals() {
	x.t.Helper()
	t := x.t
	visit := door.Visit{
		Who: chat.User{ID: 1001, Name: "Аня", Lang: "ru"}, In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 1001}, Channel: 1001, Private: true},
	}
	seal := func(secret, use string, until time.Duration) string {
		text, err := door.Seal(door.KeyOf(secret, use), visit, time.Now().Add(until))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	ofTelegram, ofDiscord := seal(telegramtest.Token, "telegram visits", time.Hour), seal(discordtest.Secret, "discord visits", time.Hour)
	for i, test := range []struct{ what, door, seal, why string }{
		{"as written", "/tg", ofTelegram, ""},
		{"altered", "/tg", "A" + ofTelegram, "door-login"},
		{"with no signature", "/tg", ofTelegram[:strings.IndexByte(ofTelegram, '.')], "door-login"},
		{"of before", "/tg", seal(telegramtest.Token, "telegram visits", -time.Second), "door-old"},
		{"of another bot", "/tg", seal("4243:AAanother-token", "telegram visits", time.Hour), "door-login"},
		{"a table's, for a visit", "/tg", seal(telegramtest.Token, "telegram tables", time.Hour), "door-login"},
		{"Discord's at Telegram's door", "/tg", ofDiscord, "door-login"},
		{"Telegram's at Discord's door", "/dc", ofTelegram, "door-login"},
	} {
		if why := x.enters(test.door, map[string]string{"seal": test.seal}); why != test.why {
			t.Errorf("%s: the connection ends with %q, want %q", test.what, why, test.why)
		}
		body, err := json.Marshal(map[string]any{"id": fmt.Sprint("s", i), "text": "/zevaka", "lang": "ru"})
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, x.door(test.door)+"/say", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Zevaka-Visit", test.seal)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Error, Table string }
		err = json.NewDecoder(resp.Body).Decode(&said)
		_ = resp.Body.Close()
		if err != nil || said.Error != test.why || (said.Table != "") != (test.why == "") {
			t.Errorf("%s: a command is answered with %+v, %v", test.what, said, err)
		}
	}
}

// enters has somebody come to a door; it returns why they aren't let in, or nothing.
func (x *doored) enters(path string, hello map[string]string) string {
	x.t.Helper()
	conn, _, err := websocket.Dial(x.t.Context(), "ws"+strings.TrimPrefix(x.door(path), "http")+"/live", nil)
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	text, _ := json.Marshal(hello)
	if err := conn.Write(x.t.Context(), websocket.MessageText, text); err != nil {
		x.t.Fatal(err)
	}
	_, _, err = conn.Read(x.t.Context())
	var closed websocket.CloseError
	if err != nil && !errors.As(err, &closed) {
		x.t.Fatal(err)
	}
	return closed.Reason
}
