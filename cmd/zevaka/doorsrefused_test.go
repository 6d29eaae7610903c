//go:build browser && unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
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
	"zevaka/engine/enginetest"
)

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

// TestRefusedByTelegramsDoor shows the page, as Telegram's client does, to whom the door must not let in.
func TestRefusedByTelegramsDoor(t *testing.T) {
	t.Parallel()
	x := openDoors(t)
	people := []*telegramtest.User{x.telegram.NewUser("Аня", "ru"), x.telegram.NewUser("Ola", "pl"), x.telegram.NewUser("Tom", "en")}
	ann, eve := people[0], x.telegram.NewUser("Ева", "ru")
	chat, foreign := x.telegram.NewForum("Игры", people...), x.telegram.NewForum("Другие", eve)
	for _, c := range []*telegramtest.Chat{chat, foreign} {
		c.Promote()
	}
	table := func(c *telegramtest.Chat, u *telegramtest.User) telegramtest.Button {
		c.Say(u, "/zevaka limit=none")
		var b telegramtest.Button
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
	link, other := table(chat, ann), table(foreign, eve)
	// address is what Telegram's client shows, with a login of the test's own making.
	address := func(login, start string) string {
		known := url.Values{"tgWebAppData": {login}, "tgWebAppStartParam": {start}, "tgWebAppVersion": {"9.1"}, "tgWebAppPlatform": {"web"}}
		return "https://" + publicHost + "/tg#" + strings.ReplaceAll(known.Encode(), "+", "%20")
	}
	login := func(u *telegramtest.User, start string, change func(url.Values)) string {
		fields, err := url.ParseQuery(u.Login(start))
		if err != nil {
			t.Fatal(err)
		}
		change(fields)
		return strings.ReplaceAll(fields.Encode(), "+", "%20")
	}
	signed := func(u *telegramtest.User, token string, ago time.Duration) string {
		fields, err := url.ParseQuery(u.Login(link.Start()))
		if err != nil {
			t.Fatal(err)
		}
		return telegramtest.SignLogin(token, map[string]string{
			"user": fields.Get("user"), "auth_date": fmt.Sprint(time.Now().Add(ago).Unix()), "start_param": link.Start(),
		})
	}
	altered := "A" + link.Start()[1:]
	if altered == link.Start() {
		altered = "B" + altered[1:]
	}
	before := x.state(chat.ID)
	for i, test := range []struct {
		what    string
		address func(who *telegramtest.User) string
		why     string
	}{
		{"a forged hash", func(u *telegramtest.User) string {
			return address(login(u, link.Start(), func(f url.Values) { f.Set("hash", strings.Repeat("ab", 32)) }), link.Start())
		}, "door-login"},
		{"no hash", func(u *telegramtest.User) string {
			return address(login(u, link.Start(), func(f url.Values) { f.Del("hash") }), link.Start())
		}, "door-login"},
		{"an altered field", func(u *telegramtest.User) string {
			return address(login(u, link.Start(), func(f url.Values) {
				f.Set("user", strings.Replace(f.Get("user"), fmt.Sprint(u.ID), fmt.Sprint(eve.ID), 1))
			}), link.Start())
		}, "door-login"},
		{"a field too many", func(u *telegramtest.User) string {
			return address(u.Login(link.Start())+"&can_send_after=1", link.Start())
		}, "door-login"},
		{"aged", func(u *telegramtest.User) string {
			return address(signed(u, telegramtest.Token, -webapp.OldAfter-time.Minute), link.Start())
		}, "door-old"},
		{"from the future", func(u *telegramtest.User) string {
			return address(signed(u, telegramtest.Token, time.Hour), link.Start())
		}, "door-old"},
		{"replayed", func(u *telegramtest.User) string {
			used := u.Login(link.Start())
			first := newWatcher(t, x.door("/tg"), door.Hello{Login: used, Start: link.Start()})
			x.until("she is let in", func() bool { return first.sees().Phase == "lobby" })
			return address(used, link.Start())
		}, "door-old"},
		{"of a foreign bot", func(u *telegramtest.User) string {
			return address(signed(u, "4243:AAanother-token_of-nobody", 0), link.Start())
		}, "door-login"},
		{"the table of a group that they aren't in", func(u *telegramtest.User) string {
			return address(u.Login(other.Start()), other.Start())
		}, "door-place"},
		{"an altered link", func(u *telegramtest.User) string { return address(u.Login(altered), altered) }, "door-start"},
		{"no login", func(*telegramtest.User) string { return "https://" + publicHost + "/tg" }, "nobody"},
	} {
		lang := i % 3
		if i%enginetest.Bound(4, 1) != 0 {
			continue
		}
		c := x.front.open([]string{"ru", "pl", "en"}[lang])
		c.origin = "https://" + publicHost
		c.navigate("https://" + telegramHost + "/host")
		c.host(fmt.Sprintf("show(%q)", test.address(people[lang])))
		t.Log(test.what)
		c.reads(lang, test.why)
		if wrong := c.complaints(); wrong != "" {
			t.Errorf("%s: the page did wrong: %s", test.what, wrong)
		}
	}
	if after := x.state(chat.ID); after != before {
		t.Errorf("the table was %s and is %s", before, after)
	}
	x.unchanged()
}

// state is what a chat on Telegram shows of its table.
func (x *doored) state(in int64) string {
	all := ""
	for _, call := range x.telegram.Calls("sendMessage") {
		all += fmt.Sprint(call.Params["chat_id"] == fmt.Sprint(in), call.Params["text"], "\n")
	}
	return all
}

// unchanged ends the program, and looks whether its database has nothing wrong in it, and its log no secret.
func (x *doored) unchanged() {
	x.t.Helper()
	x.end(x.t, syscall.SIGTERM)
	good(x.t, "", "check", "--db", x.db)
	for _, secret := range []string{telegramtest.Token, discordtest.Secret, "code-"} {
		if strings.Contains(x.log.String(), secret) {
			x.t.Errorf("the log has %q", secret)
		}
	}
}

// TestRefusedByDiscordsDoor shows the page, as Discord's client does, to whom the door must not let in.
func TestRefusedByDiscordsDoor(t *testing.T) {
	t.Parallel()
	x := openDoors(t)
	ann := discordtest.User{ID: "101", Name: "ann", Locale: "en-US"}
	eve := discordtest.User{ID: "105", Name: "eve", Locale: "en-US"}
	x.discord.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
	here := x.discord.Launch(discordtest.Channel, ann)
	place := func(id string, all ...discordtest.User) string {
		x.discord.Place(id, discordtest.Guild, 0)
		return x.discord.Launch(id, all...)
	}
	odd := place("711", ann)
	x.discord.Distort(odd, map[string]any{"application_id": "900000000000000999"})
	spent := x.discord.Authorize(ann)
	watcher := newWatcher(t, x.door("/dc"), door.Hello{Login: spent, Instance: here})
	x.until("Ann is let in", func() bool { return watcher.sees().Phase == "lobby" })
	calls := x.discord.Record().Calls
	for i, test := range []struct{ what, instance, code, why string }{
		{"a code used twice", here, spent, "door-login"},
		{"a code for another application", here, x.discord.AuthorizeElsewhere(ann), "door-login"},
		{"a code of nobody's", here, "code-1", "door-login"},
		{"an instance of a foreign application", odd, x.discord.Authorize(ann), "door-place"},
		{"an instance that isn't", "i-1-gc-2-3", x.discord.Authorize(ann), "door-place"},
		{"an instance in which she isn't", here, x.discord.Authorize(eve), "door-place"},
		{"no permission", here, "", "consent"},
		{"no instance", "", x.discord.Authorize(ann), "nobody"},
	} {
		lang := i % 3
		if i%enginetest.Bound(4, 1) != 0 {
			continue
		}
		c := x.front.open([]string{"ru", "pl", "en"}[lang])
		c.origin = "https://" + activityHost
		c.navigate("https://" + discordHost + "/host")
		c.host(fmt.Sprintf("code = %q; launch(%q)", test.code, c.origin+"/?frame_id=f&platform=desktop&instance_id="+test.instance))
		t.Log(test.what)
		c.reads(lang, test.why)
		if wrong := c.complaints(); wrong != "" {
			t.Errorf("%s: the page did wrong: %s", test.what, wrong)
		}
	}
	now := x.discord.Record().Calls
	if now["post"] != calls["post"] || now["edit"] != calls["edit"] {
		t.Errorf("the chat was told something: %v, %v", calls, now)
	}
	x.unchanged()
}

// TestSealsAtTheWrongDoor tries the seal of a visit that was altered, and that of the one door at the other, for a look and for a move.
func TestSealsAtTheWrongDoor(t *testing.T) {
	t.Parallel()
	x := openDoors(t)
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
		if why := x.shows(test.door, test.seal); why != test.why {
			t.Errorf("%s: the connection ends with %q, want %q", test.what, why, test.why)
		}
		body, err := json.Marshal(map[string]any{"id": fmt.Sprint("s", i), "text": "/zevaka", "lang": "ru"})
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, x.door(test.door)()+"/say", bytes.NewReader(body))
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
	x.unchanged()
}

// shows has somebody come to a door with a seal; it returns why they aren't let in, or nothing.
func (x *doored) shows(path, seal string) string {
	x.t.Helper()
	conn, _, err := websocket.Dial(x.t.Context(), "ws"+strings.TrimPrefix(x.door(path)(), "http")+"/live", nil)
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	hello, _ := json.Marshal(map[string]string{"seal": seal})
	if err := conn.Write(x.t.Context(), websocket.MessageText, hello); err != nil {
		x.t.Fatal(err)
	}
	_, _, err = conn.Read(x.t.Context())
	var closed websocket.CloseError
	if err != nil && !errors.As(err, &closed) {
		x.t.Fatal(err)
	}
	return closed.Reason
}
