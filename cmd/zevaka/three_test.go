//go:build unix

package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/storage/storagetest"
)

// three is a zevaka that serves the room, Discord and Telegram, with a table at each.
type three struct {
	*server
	t        *testing.T
	ctx      context.Context
	settings []string
	// ops is where metrics are.
	ops      string
	discord  *discordtest.Server
	telegram *telegramtest.Server
	chat     *telegramtest.Chat
	ann, bob *telegramtest.User
	guests   [2]*guest
}

// The people on Discord.
func onDiscord() (ann, bob discordtest.User) {
	return discordtest.User{ID: "101", Name: "ann", Locale: "en"}, discordtest.User{ID: "102", Name: "bob", Locale: "en"}
}

func startThree(t *testing.T, more ...string) *three {
	t.Helper()
	x := &three{
		t: t, discord: discordtest.New(t, discordtest.Options{Locale: "en-US"}),
		telegram: telegramtest.New(telegramtest.Options{}), ops: storagetest.Address(),
	}
	api := httptest.NewServer(x.telegram)
	t.Cleanup(api.Close)
	var cancel context.CancelFunc
	x.ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	x.settings = append([]string{
		"ZEVAKA_DB=" + filepath.Join(t.TempDir(), "t.db"), "ZEVAKA_METRICS=" + x.ops, "ZEVAKA_LOG_LEVEL=debug",
		"TELEGRAM_TOKEN=" + telegramtest.Token, "TELEGRAM_API=" + api.URL,
		"DISCORD_TOKEN=" + discordtest.Token, "DISCORD_API=" + x.discord.URL(),
	}, more...)
	x.server = start(t, x.settings...)
	x.until("it is ready", func() bool { _, said := x.get("readyz"); return said == "ready\n" })
	x.ann, x.bob = x.telegram.NewUser("Ann", "en"), x.telegram.NewUser("Bob", "en")
	x.chat = x.telegram.NewGroup("Cards", x.ann)
	for i, name := range []string{"Ann", "Bob"} {
		x.guests[i] = &guest{t: t, name: name, secret: strings.Repeat(string(rune('a'+i)), 32)}
	}
	return x
}

// until waits until something is so.
func (x *three) until(what string, ok func() bool) {
	x.t.Helper()
	for end := time.Now().Add(40 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("it never came: %s\n%.20000s", what, x.log)
		}
	}
}

// get is what the operator's address answers.
func (x *three) get(path string) (int, string) {
	resp, err := http.Get("http://" + x.ops + "/" + path)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(body)
}

// tables has Ann open a table everywhere.
func (x *three) tables() {
	x.t.Helper()
	ann, _ := onDiscord()
	x.discord.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
	x.chat.Say(x.ann, "/zevaka")
	x.guests[0].send(x.url, "say", map[string]any{"text": "/zevaka"})
	x.until("tables stand everywhere", func() bool {
		_, ok := x.chat.Board()
		return ok && len(x.discord.Messages(discordtest.Channel, "")) > 0
	})
}

// joins has Bob press Join everywhere at once, and returns what is called with the answer of each.
func (x *three) joins() (discord *discordtest.Interaction, telegram string, web <-chan bool) {
	x.t.Helper()
	_, bob := onDiscord()
	board := x.discord.Messages(discordtest.Channel, "")[0]
	join, ok := board.Button("Join")
	if !ok {
		x.t.Fatalf("there is no button: %+v", board)
	}
	discord = x.discord.Press(bob, board.ID, join.CustomID)
	onTelegram, _ := x.chat.Board()
	i := slices.IndexFunc(onTelegram.Buttons, func(b telegramtest.Button) bool { return b.Text == "Join" })
	telegram = x.bob.Press(onTelegram, onTelegram.Buttons[i].Data)
	answered := make(chan bool, 1)
	picture := x.guests[1].look(x.url)
	go func() { answered <- x.guests[1].press(x.url, picture, "Join") }()
	return discord, telegram, answered
}

// TestCleanStop: told to stop while presses on three platforms are on their way, zevaka answers them all, and ends within
// five seconds; what they did is there at the next start.
func TestCleanStop(t *testing.T) {
	t.Parallel()
	x := startThree(t)
	x.tables()
	x.discord.SetFaults(discordtest.Faults{Slow: 1, Delay: time.Second, Only: "callback"})
	x.telegram.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
		if method == "answerCallbackQuery" {
			f.Delay = time.Second
		}
		return f
	})
	discord, telegram, web := x.joins()
	// All are handled, and two of the answers still on their way.
	x.until("the presses are handled", func() bool { return strings.Count(x.log.String(), "kind=press") == 3 })
	if _, answered := x.telegram.Answer(telegram); answered {
		t.Error("the answer was there before the end: this tests nothing")
	}
	x.end(t, syscall.SIGTERM)
	if a, ok := x.telegram.Answer(telegram); !ok || discord.Answer() == 0 || !<-web {
		t.Errorf("not all were answered: on Telegram %+v, %t, on Discord %d", a, ok, discord.Answer())
	}
	said := x.log.String()
	if strings.Contains(said, "level=ERROR") || strings.Contains(said, "level=WARN") || !strings.Contains(said, "msg=stopped") {
		t.Errorf("it says\n%s%s", linesWith(said, "level=ERROR"), linesWith(said, "level=WARN"))
	}
	x.discord.SetFaults(discordtest.Faults{})
	x.telegram.SetFault(nil)
	x.server = start(t, x.settings...)
	x.until("everybody sees Bob", func() bool {
		onTelegram, _ := x.chat.Board()
		onDiscord := x.discord.Messages(discordtest.Channel, "")[0]
		return strings.Contains(onTelegram.Text, "2. Bob") && strings.Contains(onDiscord.Content, "bob") &&
			strings.Contains(x.guests[0].look(x.url).board(), "Bob")
	})
	x.end(t, syscall.SIGTERM)
}

// TestOperator: the operator's address tells of all three platforms, and zevaka healthy asks there.
func TestOperator(t *testing.T) {
	t.Parallel()
	x := startThree(t)
	x.tables()
	discord, telegram, web := x.joins()
	discord.Answer()
	<-x.telegram.Answered(telegram)
	<-web
	x.discord.SetFaults(discordtest.Faults{})
	ask := command(t, "healthy")
	ask.Env = append(ask.Env, "ZEVAKA_METRICS="+x.ops)
	if end := finish(t, ask, nil); end.code != 0 || end.out != "ready\n" {
		t.Errorf("zevaka healthy: exit %d, %q, %q", end.code, end.out, end.err)
	}
	if status, said := x.get("healthz"); status != http.StatusOK || said != "ok\n" {
		t.Errorf("healthz: %d, %q", status, said)
	}
	x.until("tables are counted", func() bool { _, text := x.get("metrics"); return strings.Contains(text, "\nzevaka_open_tables ") })
	_, text := x.get("metrics")
	for _, want := range []string{
		`zevaka_requests_total{kind="press",outcome="done",platform="web"} 1`,
		`zevaka_requests_total{kind="press",outcome="done",platform="discord"} 1`,
		`zevaka_requests_total{kind="press",outcome="done",platform="telegram"} 1`,
		`zevaka_requests_total{kind="command",outcome="done",platform="telegram"} 1`,
		`zevaka_answer_seconds_count{platform="web"} 1`,
		`zevaka_answer_seconds_count{platform="discord"} 2`,
		`zevaka_answer_seconds_count{platform="telegram"} 1`,
		`zevaka_api_calls_total{method="answer",platform="discord",status="204"} 1`,
		`zevaka_api_calls_total{method="answerCallbackQuery",platform="telegram",status="200"} 1`,
		`zevaka_links_up{platform="web"} 1`,
		`zevaka_links_up{platform="discord"} 1`,
		`zevaka_links_up{platform="telegram"} 1`,
		`zevaka_ledger_sum 0`,
	} {
		if !strings.Contains("\n"+text, "\n"+want+"\n") {
			name, _, _ := strings.Cut(want, "{")
			t.Errorf("no line %s; there are\n%s", want, linesWith(text, name))
		}
	}
	if done := regexp.MustCompile(`zevaka_commit_seconds_count\{outcome="done"\} (\d+)`).FindStringSubmatch(text); done == nil || done[1] < "6" && len(done[1]) == 1 {
		t.Errorf("commits: %q", done)
	}
	x.end(t, syscall.SIGTERM)
	ask = command(t, "healthy", "--metrics", x.ops)
	if end := finish(t, ask, nil); end.code != 1 || !strings.HasPrefix(end.err, "zevaka: not ready: ") || strings.Count(end.err, "\n") != 1 {
		t.Errorf("zevaka healthy after the end: exit %d, %q, %q", end.code, end.out, end.err)
	}
}

// TestTooFast: of somebody who presses without a pause only so much counts, and they are told so; the others go on.
func TestTooFast(t *testing.T) {
	t.Parallel()
	x := startThree(t, "ZEVAKA_USER_RATE=1")
	x.tables()
	_, bob := onDiscord()
	board := x.discord.Messages(discordtest.Channel, "")[0]
	for i := range 8 {
		pressed := x.discord.Press(bob, board.ID, "nothing")
		said, _ := pressed.Message()
		if i == 7 && !strings.HasPrefix(said.Content, "Not so fast") {
			t.Errorf("press %d is answered with %q", i+1, said.Content)
		}
	}
	discord, telegram, web := x.joins()
	<-x.telegram.Answered(telegram)
	if !<-web {
		t.Error("somebody on another platform was turned away")
	}
	x.until("it is counted", func() bool {
		_, text := x.get("metrics")
		return strings.Contains(text, `zevaka_turned_away_total{limit="user",platform="discord"}`)
	})
	discord.Answer()
	x.end(t, syscall.SIGTERM)
}
