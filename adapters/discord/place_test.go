package discord

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// TestOldBoard shows a table anew at the first press after 50 minutes, and takes the buttons off its old message.
func TestOldBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, known := range []bool{true, false} {
			h := enter(t, mem.New(), discordtest.Options{NoResponse: !known})
			h.table(map[string]any{"limit": "none"})
			h.press(ann, "Вскрыть")
			h.press(bob, "Вскрыть")
			old := h.board(discordtest.Channel)
			time.Sleep(51 * time.Minute)
			shown := len(h.dealer.asked.Of(chat.Shown))
			keep, his := old.Button("Боря ⤵ себе")
			who := bob
			if !his {
				keep, _ = old.Button("Аня ⤵ себе")
				who = ann
			}
			h.server.Press(who, old.ID, keep.CustomID).Answer()
			h.shown(shown + 1)
			h.server.Until("the old message has no buttons", func() bool {
				m, _ := h.server.Message(old.ID)
				return len(m.Rows) == 0
			})
			now := h.board(discordtest.Channel)
			if now.ID == old.ID || len(now.Rows) == 0 {
				t.Errorf("the table stands in %+v", now)
			}
			h.server.Forget()
			h.press(ann, "Вскрыть")
			h.press(bob, "Вскрыть")
			if calls := h.quietly().Calls; calls["callback"] != 2 || calls["edit"] > 0 {
				t.Errorf("afterwards two presses took %v", calls)
			}
		}
	})
}

// TestDeletedBoard deletes a table's message: while it is pressed, and while the clock draws it.
func TestDeletedBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.table(map[string]any{"set": "21b", "limit": "none"})
		shown, made := len(h.dealer.asked.Of(chat.Shown)), h.server.Record().Calls["post"]
		old := h.board(discordtest.Channel)
		h.dealer.slow.Store(int64(200 * time.Millisecond))
		flip, _ := old.Button("Вскрыть")
		first, second := h.server.Press(ann, old.ID, flip.CustomID), h.server.Press(bob, old.ID, flip.CustomID)
		h.server.DeleteMessage(old.ID)
		if a, b := first.Answer(), second.Answer(); a != 4 && b != 4 {
			t.Errorf("the presses are answered with %d and %d", a, b)
		}
		h.shown(shown + 1)
		now := h.board(discordtest.Channel)
		if posts := h.server.Record().Calls["post"] - made; now.ID == "" || now.ID == old.ID || posts != 0 {
			t.Errorf("the table stands in %+v, after %d posts", now, posts)
		}
		h.dealer.slow.Store(0)
		h.server.DeleteMessage(now.ID)
		h.server.Command(ann, discordtest.Channel, "leave", nil).Answer()
		h.shown(shown + 2)
		if last := h.board(discordtest.Channel); last.ID == "" || last.ID == now.ID {
			t.Errorf("the table stands in %+v", last)
		}
		h.quietly()
	})
}

// TestOldEdits changes a table's message that nobody presses after an hour: when no more changes are allowed it gets another.
func TestOldEdits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		shown := len(h.dealer.asked.Of(chat.Shown))
		old := h.board(discordtest.Channel)
		time.Sleep(61 * time.Minute)
		boss := ann
		boss.Rights = 1 << 3
		for n, lang := range []string{"pl", "ru", "pl", "en"} {
			h.server.Command(boss, discordtest.Channel, "lang", map[string]any{"what": lang}).Answer()
			h.server.Until("it is tried", func() bool { return h.server.Record().Calls["edit"] > n })
		}
		h.shown(shown + 1)
		now := h.board(discordtest.Channel)
		if before, _ := h.server.Message(old.ID); now.ID == old.ID || !strings.Contains(now.Content, "Zevaka") || before.Edits-old.Edits != 3 {
			t.Errorf("the table stands in %+v, and before in %+v", now, before)
		}
		h.quietly()
	})
}

// TestShownAnew asks for the table at the bottom of the channel.
func TestShownAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := playing(t)
		shown := len(h.dealer.asked.Of(chat.Shown))
		old := h.board(discordtest.Channel)
		i := h.server.Command(bob, discordtest.Channel, "table", nil)
		i.Answer()
		h.shown(shown + 1)
		h.server.Until("the old message has no buttons", func() bool {
			m, _ := h.server.Message(old.ID)
			return len(m.Rows) == 0
		})
		now, _ := i.Message()
		if now.Private != "" || now.Content != old.Content || len(now.Rows) == 0 {
			t.Errorf("the table stands in %+v", now)
		}
		back := h.server.Command(bob, discordtest.Channel, "leave", nil)
		back.Answer()
		if said, _ := back.Message(); said.Private != bob.ID || !strings.Contains(said.Content, now.ID) {
			t.Errorf("the way to the table: %+v", said)
		}
		h.quietly()
	})
}

// TestWays answers a command by the way to the table where its doing is seen. The first channel of an old server has the
// server's ID, as a group's has the group's.
func TestWays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place(discordtest.Guild, discordtest.Guild, 0)
		h.server.Place("704", "", 2)
		for channel, guild := range map[string]string{
			discordtest.Channel: discordtest.Guild, discordtest.Guild: discordtest.Guild, "704": "@me",
		} {
			shown := len(h.dealer.asked.Of(chat.Shown))
			h.server.Command(ann, channel, "zevaka", nil).Answer()
			h.shown(shown + 1)
			m := h.board(channel)
			join, _ := m.Button("Сесть")
			h.server.Press(bob, m.ID, join.CustomID).Answer()
			i := h.server.Command(bob, channel, "leave", nil)
			i.Answer()
			if said, _ := i.Message(); said.Private != bob.ID || !strings.HasSuffix(said.Content, " уходит. За столом\\: 1 из 6. → https://discord.com/channels/"+guild+"/"+channel+"/"+m.ID) {
				t.Errorf("the way to the table: %+v", said)
			}
		}
		h.quietly()
	})
}

// TestManagers: who manages a channel or its messages may have that right there alone, and has no say in what concerns the whole server.
func TestManagers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		for _, one := range []struct {
			rights        int64
			admin, ofPart bool
		}{
			{discordgo.PermissionSendMessages | discordgo.PermissionManageThreads, false, false},
			{discordgo.PermissionManageMessages, true, true},
			{discordgo.PermissionManageChannels, true, true},
			{discordgo.PermissionManageChannels | discordgo.PermissionManageGuild, true, false},
			{discordgo.PermissionAdministrator, true, false},
		} {
			boss := ann
			boss.Rights = one.rights
			h.server.Command(boss, discordtest.Channel, "help", nil).Answer()
			asked := h.dealer.asked.Of(chat.Command)
			if who := asked[len(asked)-1].Who; who.Admin != one.admin || who.OfPart != one.ofPart {
				t.Errorf("who has the rights %b is %+v", one.rights, who)
			}
		}
		h.quietly()
	})
}

// TestPlaces tells apart servers, threads, chats with the bot, and groups.
func TestPlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place("702", discordtest.Guild, 0)
		h.server.Place("703", "", 1)
		h.server.Place("704", "", 2)
		for _, channel := range []string{discordtest.Channel, "702", "703", "704"} {
			h.server.Command(ann, channel, "help", nil).Answer()
		}
		guild := number(discordtest.Guild)
		want := []chat.Place{
			{Community: chat.Community{Platform: chat.Discord, ID: guild}, Channel: number(discordtest.Channel), Lang: "ru"},
			{Community: chat.Community{Platform: chat.Discord, ID: guild}, Channel: 702, Lang: "ru"},
			{Community: chat.Community{Platform: chat.Discord, ID: 101}, Channel: 703, Private: true},
			{Community: chat.Community{Platform: chat.Discord, ID: 704}, Channel: 704, Guest: true},
		}
		asked := h.dealer.asked.Of(chat.Command)
		for i, r := range asked {
			if r.In != want[i] {
				t.Errorf("place %d: %+v", i, r.In)
			}
			if r.Who.Name != "Аня" || r.Who.Lang != "ru" || r.Who.Admin || r.Who.ID != 101 {
				t.Errorf("who: %+v", r.Who)
			}
		}
		h.server.Command(vika, discordtest.Channel, "help", nil).Answer()
		asked = h.dealer.asked.Of(chat.Command)
		if who := asked[4].Who; who.Name != "vika" || who.Lang != "pl" {
			t.Errorf("who has but a user name is %+v", who)
		}
		h.quietly()
	})
}

// TestGroup plays where the bot is not: everything goes by the answers to presses.
func TestGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Place("704", "", 2)
		h.server.Command(ann, "704", "zevaka", map[string]any{"limit": "none"}).Answer()
		h.shown(1)
		m := h.board("704")
		join, _ := m.Button("Join")
		if join.CustomID == "" {
			join, _ = m.Button("Сесть")
		}
		h.server.Press(bob, m.ID, join.CustomID).Answer()
		if m = h.board("704"); !strings.Contains(m.Content, "bob") {
			t.Errorf("the lobby: %s", m.Content)
		}
		// What doesn't answer a press goes by the token of the last one.
		h.server.Command(bob, "704", "leave", nil).Answer()
		h.server.Until("the lobby is without Bob", func() bool { return !strings.Contains(h.board("704").Content, "bob") })
		h.server.Press(bob, m.ID, join.CustomID).Answer()
		for _, row := range []int{2, 0} { // The deal, and the first of the cuts, by whoever may.
			m = h.board("704")
			h.server.Press(ann, m.ID, m.Rows[row][0].CustomID).Answer()
			h.server.Press(bob, m.ID, m.Rows[row][0].CustomID).Answer()
		}
		h.server.Until("the cards are dealt", func() bool { return h.board("704").ID == m.ID && !strings.Contains(h.board("704").Content, "🔒") })
		h.quietly()
	})
}

// TestRights takes the bot's rights away: whoever opens a table is told, and the log once.
func TestRights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Allow(discordtest.Channel, 1<<10)
		h.table(map[string]any{"limit": "none"})
		h.server.Until("both are told", func() bool {
			told := 0
			for _, u := range []discordtest.User{ann, bob} {
				for _, m := range h.server.Messages(discordtest.Channel, u.ID) {
					if m.Private == u.ID && strings.Contains(m.Content, "Отправлять сообщения") {
						told++
					}
				}
			}
			return told > 0
		})
		h.quietly()
	})
}
