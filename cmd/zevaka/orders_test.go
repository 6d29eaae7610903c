//go:build unix

package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestOrders: the operator looks after a bot that serves: sees its chats, tables and people, closes, blocks, pauses, leaves and forgets.
// Each order is logged, and whom it forgets stands in no log.
func TestOrders(t *testing.T) {
	x := startThree(t)
	db := strings.TrimPrefix(x.settings[0], "ZEVAKA_DB=")
	admin := func(call string) string {
		t.Helper()
		args := strings.Fields(call)
		return good(t, "", append(args, "--db", db)...)
	}
	says := func(call, want string) string {
		t.Helper()
		said := admin(call)
		if !strings.Contains(said, want) {
			t.Errorf("zevaka %s says %q; want %q", call, said, want)
		}
		return said
	}
	says("admin chats", "nobody has used the bot yet")
	x.chat.Say(x.ann, "/daily")
	x.tables()
	group := community{chat.Community{Platform: chat.Telegram, ID: x.chat.ID}}.String()
	for _, want := range []string{"web:1  open tables: 1\n", group + "  open tables: 1\n"} {
		says("admin chats", want)
	}
	listed := says("admin tables "+group, `zevaka, people sit down: "Ann" telegram:`)
	if all := says("admin tables", "web:1/"); !strings.Contains(all, listed) {
		t.Errorf("all tables are %s, and not %s", all, listed)
	}
	who := regexp.MustCompile(`"Ann" (telegram:\d+)`).FindStringSubmatch(listed)[1]
	id, _, _ := strings.Cut(listed, " ")

	says("admin pause Back_at_noon", "paused")
	if x.guests[1].send(x.url, "say", map[string]any{"text": "/zevaka"}) {
		t.Error("a table is opened in a pause")
	}
	says("admin resume", "people play on")

	says("admin block "+who, who+": blocked")
	says("admin block "+who, "blocked already")
	says("admin blocked", who+"\n")
	says("admin unblock "+who, who+": unblocked")
	says("admin blocked", "nobody is blocked")

	end := zevaka(t, "", "forget", "--db", db, who)
	if end.code != exitFailed || !strings.Contains(end.err, "has a part in games that aren't over") || !strings.Contains(end.err, "--force") {
		t.Errorf("while a game goes on: exit %d, %s", end.code, end.err)
	}
	says("admin close "+id, "closed")
	x.until("the group is shown that its table is closed", func() bool {
		return slices.ContainsFunc(x.chat.Messages(), func(m telegramtest.Message) bool { return strings.Contains(m.Text, "closed the table") })
	})
	if end := zevaka(t, "", "admin", "close", id, "--db", db); end.code != exitFailed || end.out != "" || !strings.Contains(end.err, "no such table, or it has ended") {
		t.Errorf("a table is closed again: exit %d, %s%s", end.code, end.out, end.err)
	}
	says("forget "+who, "the name of the purse")
	says("forget "+who, "nothing is kept")
	inRoom := regexp.MustCompile(`"Ann" (web:\d+)`).FindStringSubmatch(admin("admin tables web:1"))[1]
	x.guests[0].send(x.url, "say", map[string]any{"text": "hello"})
	says("forget --force "+inRoom, "the room: 1 messages taken away\n")
	says("forget "+inRoom, "nothing is kept")

	says("admin leave "+group, "left")
	x.until("the bot has left", func() bool { return len(x.telegram.Calls("leaveChat")) == 1 })
	if end := zevaka(t, "", "admin", "leave", "--db", db, "web:1"); end.code != exitFailed || !strings.Contains(end.err, "can't be left") {
		t.Errorf("the room is left: exit %d, %s", end.code, end.err)
	}
	for _, call := range []string{"admin close x", "admin leave irc:1", "admin block Ann", "admin tables Ann"} {
		if end := zevaka(t, "", append(strings.Fields(call), "--db", db)...); end.code == 0 || strings.Count(end.err, "\n") != 1 {
			t.Errorf("zevaka %s: exit %d, %s", call, end.code, end.err)
		}
	}
	x.end(t, syscall.SIGTERM)
	said := x.log.String()
	for _, do := range []string{"chats", "tables", "pause", "resume", "block", "unblock", "close", "leave", "forget"} {
		if !strings.Contains(said, "do="+do) {
			t.Errorf("the log says nothing of %s", do)
		}
	}
	for line := range strings.Lines(said) {
		if strings.Contains(line, "do=forget") && strings.Contains(line, strings.TrimPrefix(who, "telegram:")) {
			t.Errorf("the log says who was forgotten: %s", line)
		}
	}
	if end := zevaka(t, "", "admin", "chats", "--db", filepath.Join(t.TempDir(), "z.db")); end.code != exitFailed || !strings.Contains(end.err, "nobody answers") {
		t.Errorf("where nobody serves: exit %d, %s", end.code, end.err)
	}
}

// TestPauseOfBotsToCome: a part that comes to a process in a pause is served in that pause.
func TestPauseOfBotsToCome(t *testing.T) {
	t.Parallel()
	var tuned tuning
	deals := dealing{bots: func(chat.Community) ([]*bot.Bot, error) { return nil, nil }, tuned: &tuned}
	for _, do := range []string{"resume", "pause", "resume"} {
		if _, err := deals.obey(t.Context(), order{Do: do, Word: "Back at noon"}); err != nil {
			t.Fatal(err)
		}
		one, err := tuned.open(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		r := chat.Request{ID: "1", In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -1}, Channel: -1}, Kind: chat.Command, Data: "/zevaka"}
		r.Who = chat.User{ID: 7, Name: "Ann", Lang: "en"}
		if said := one.Handle(t.Context(), r); strings.Contains(said.Toast, "Back at noon") != (do == "pause") {
			t.Errorf("after %s somebody who opens a table is told %q", do, said.Toast)
		}
	}
}
