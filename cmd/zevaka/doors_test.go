//go:build browser && unix

package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/live"
	"zevaka/bot/table"
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
	// said is the log of those that have ended.
	said string
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

// again ends the program, by a signal, and starts it with the same file.
func (x *doored) again(with syscall.Signal) {
	x.t.Helper()
	if with == syscall.SIGKILL {
		if err := x.cmd.Process.Kill(); err != nil {
			x.t.Fatal(err)
		}
		_ = x.cmd.Wait() // It says that it was killed.
		x.discord.Forgive()
	} else {
		x.end(x.t, with)
	}
	x.said += x.log.String()
	x.begin()
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
func (x *doored) door(path string) func() string {
	return func() string {
		x.front.mu.Lock()
		defer x.front.mu.Unlock()
		return strings.TrimSuffix(x.front.to.String(), "/") + path
	}
}

// sitter is somebody who plays, in a chat or at the live table.
type sitter struct {
	name string
	// chat presses a button of the chat's board, and answers with what was said; nil for who plays at the live table.
	chat func(token string) string
	// tab is the window of the live table; nil for who plays in the chat.
	tab *tab
}

// group are four people of a chat on one of the platforms, two of whom play at the live table, and a fifth who looks on there.
type group struct {
	*doored
	all     []*sitter
	watcher *watcher
	// board is the newest message with buttons: what it says, and their
	// tokens by their labels.
	board func() (string, map[string]string)
	// fault has the platform refuse what it can; nil has it do what it should.
	fault func(bool)
	// turns counts them, from the lobby on, as the buttons do; last is whose turn it was.
	turns, last int
	// shown is how many moves in the chat were on its board when they were made.
	shown int
	// played are the moves that were made, as records have them; at is when the last one was.
	played []string
	at     time.Time
}

// telegramGroup is one on Telegram. Its second window is that of a client that shows no frame.
func telegramGroup(x *doored) *group {
	x.t.Helper()
	var users []*telegramtest.User
	for i, name := range []string{"Аня", "Боря", "Вика", "Гоша", "Дина"} {
		users = append(users, x.telegram.NewUser(name, []string{"ru", "en", "ru", "pl", "en"}[i]))
	}
	chat := x.telegram.NewForum("Игры", users[0])
	chat.Promote()
	for _, u := range users {
		chat.Join(u)
	}
	chat.Say(users[0], "/zevaka 21a end=first limit=none")
	g := &group{doored: x, board: func() (string, map[string]string) {
		m, _ := chat.Board()
		tokens := map[string]string{}
		for _, b := range m.Buttons {
			tokens[b.Text] = b.Data
		}
		return m.Text, tokens
	}, fault: func(on bool) {
		if !on {
			x.telegram.SetFault(nil)
			return
		}
		calls := 0
		x.telegram.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if strings.HasPrefix(method, "edit") || strings.HasPrefix(method, "send") || method == "getChatMember" {
				calls++
				f.Status, f.RetryAfter = []int{429, 500}[calls%2], 1
			}
			return f
		})
	}}
	x.until("a board in Telegram that leads to its table", func() bool { _, tokens := g.board(); _, ok := tokens["▦"]; return ok })
	board, _ := chat.Board()
	link := board.Buttons[slices.IndexFunc(board.Buttons, func(b telegramtest.Button) bool { return b.Text == "▦" })]
	for i, u := range users[:4] {
		one := &sitter{name: u.Name()}
		switch i {
		case 0, 1:
			one.chat = func(token string) string {
				m, _ := chat.Board()
				id := u.Press(m, token)
				select {
				case <-x.telegram.Answered(id):
				case <-time.After(longest):
					x.t.Errorf("%s isn't answered", u.Name())
				}
				a, _ := x.telegram.Answer(id)
				return a.Text
			}
		case 2:
			one.tab = x.front.open("ru")
			one.tab.origin = "https://" + publicHost
			one.tab.navigate("https://" + telegramHost + "/host")
			one.tab.host(fmt.Sprintf("show(%q)", u.Open("https://"+publicHost+"/tg", link)))
		case 3:
			one.tab = x.front.open("pl")
			one.tab.origin = "https://" + publicHost
			one.tab.inject(`window.got = []; window.TelegramWebviewProxy = { postEvent: (eventType, data) => got.push({ eventType, eventData: JSON.parse(data) }) }`)
			one.tab.navigate(strings.Replace(u.Open("https://"+publicHost+"/tg", link), "tgWebAppPlatform=web", "tgWebAppPlatform=android", 1))
		}
		g.all = append(g.all, one)
	}
	g.watcher = newWatcher(x.t, x.door("/tg"), door.Hello{Login: users[4].Login(link.Start()), Start: link.Start()})
	return g
}

// discordGroup is one on Discord.
func discordGroup(x *doored) *group {
	x.t.Helper()
	var users []discordtest.User
	for i, name := range []string{"Ann", "Bob", "Vic", "Guy", "Dan"} {
		users = append(users, discordtest.User{ID: fmt.Sprint(101 + i), Name: strings.ToLower(name), Global: name, Locale: []string{"en-US", "pl", "en-US", "ru", "en-US"}[i]})
	}
	opened := x.discord.Command(users[0], discordtest.Channel, "zevaka", map[string]any{"set": "21a", "end": "first", "limit": "none"})
	if opened.Answer() == 0 {
		x.t.Fatalf("no table is opened on Discord\n%s", x.log)
	}
	board := func() discordtest.Message {
		all := x.discord.Messages(discordtest.Channel, "")
		for _, m := range slices.Backward(all) {
			if len(m.Buttons()) > 0 || len(m.Menus) > 0 {
				return m
			}
		}
		return discordtest.Message{}
	}
	g := &group{doored: x, board: func() (string, map[string]string) {
		m := board()
		tokens := map[string]string{}
		for _, b := range m.Buttons() {
			tokens[b.Label] = b.CustomID
		}
		return m.Content, tokens
	}, fault: func(on bool) {
		f := discordtest.Faults{}
		if on {
			f = discordtest.Faults{Route: 0.5, Broken: 0.3, Retry: 400 * time.Millisecond, Only: "edit", Seed: 7}
		}
		x.discord.SetFaults(f)
	}}
	x.until("a board on Discord that leads to its table", func() bool { _, tokens := g.board(); _, ok := tokens["▦"]; return ok })
	for i, u := range users[:4] {
		one := &sitter{name: u.Global}
		if i < 2 {
			one.chat = func(token string) string {
				pressed := x.discord.Press(u, board().ID, token)
				if pressed.Answer() == 0 {
					x.t.Errorf("%s isn't answered", u.Name)
				}
				m, _ := pressed.Message()
				if m.Private == "" {
					return ""
				}
				return m.Content
			}
		} else {
			_, tokens := g.board()
			instance := x.discord.Press(u, board().ID, tokens["▦"]).Launched()
			one.tab = x.front.open([]string{"en", "ru"}[i-2])
			one.tab.activity(x.discord, u, instance)
		}
		g.all = append(g.all, one)
	}
	g.watcher = newWatcher(x.t, x.door("/dc"), door.Hello{Login: x.discord.Authorize(users[4]), Instance: x.discord.Launch(discordtest.Channel, users[4])})
	return g
}

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

// token is what the button says that does something now. The chat's board has it, too, as soon as the platform lets it be drawn.
func (g *group) token(s live.Scene, do string) string {
	g.t.Helper()
	switch {
	case s.Phase == "lobby":
		g.turns = 0
	case s.Phase == "cutting":
		g.turns = 1
	case g.turns < 2:
		g.turns, g.last = 2, s.Turn
	case s.Turn != g.last:
		g.turns, g.last = g.turns+1, s.Turn
	}
	id, ok := table.ParseID(s.Table)
	if !ok {
		g.t.Fatalf("the table is called %q", s.Table)
	}
	text := table.Token{Table: id, Epoch: g.turns, Do: do}.String()
	if _, tokens := g.board(); slices.Contains(slices.Collect(maps.Values(tokens)), text) {
		g.shown++
	}
	return text
}

// slip is how long somebody waits before they make the same move again: sooner it is taken for a slip of the thumb.
const slip = 2 * time.Second

// impatience is after how long somebody presses again on a page that hasn't changed: it may have been cut off.
const impatience = 12 * time.Second

// moves has whoever must move do something, and waits until it is seen.
func (g *group) moves(s live.Scene, do string) {
	g.t.Helper()
	who, text := g.mover(s), g.token(s, do)
	said := ""
	made := fmt.Sprint(s.Turn, " ", do)
	if len(g.played) > 0 && g.played[len(g.played)-1] == made {
		time.Sleep(slip - time.Since(g.at))
	}
	if who.tab != nil {
		who.tab.act(do)
	} else {
		said = who.chat(text)
	}
	pressed := time.Now()
	g.watcher.until(func() string {
		if who.tab == nil {
			return fmt.Sprintf("%s: %s; the answer was %q", who.name, do, said)
		}
		return fmt.Sprintf("%s: %s; the page says %s", who.name, do, who.tab.text())
	}, func(now live.Scene) bool {
		if who.tab != nil && !moved(s, now) && time.Since(pressed) > impatience {
			pressed = time.Now()
			again, err := in[bool](who.tab, offered(do)+`.some((b) => (b.click(), true))`)
			g.t.Logf("%s presses %s again: %v, %v", who.name, do, again, err)
		}
		return moved(s, now)
	})
	g.played, g.at = append(g.played, made), time.Now()
}

// moved reports whether somebody has moved since. The version alone doesn't tell: a board that is sent anew raises it, too.
func moved(before, now live.Scene) bool {
	return now.Phase != before.Phase || now.Turn != before.Turn || !reflect.DeepEqual(now.Piles, before.Piles)
}
