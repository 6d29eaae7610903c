package discord

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// answerLaunch is the first answer that opens the Activity.
const answerLaunch = 12

// TestLaunch opens the Activity by the button of a table and by the command that Discord lists; whoever comes from there comes to
// that table, under the name that they have in the server.
func TestLaunch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		h.press(bob, "Сесть")
		lobby := h.board(discordtest.Channel)
		if row := lobby.Rows[len(lobby.Rows)-1]; row[len(row)-1].Label != launchMark {
			t.Fatalf("the buttons of a lobby are %v", labelsOf(lobby))
		}
		i := h.press(bob, launchMark)
		if i.Answer() != answerLaunch || i.Calls() != 1 {
			t.Errorf("▦ is answered with %d, in %d calls", i.Answer(), i.Calls())
		}
		v, err := h.Door().Enter(t.Context(), h.comes(bob, i.Launched()))
		b, _ := lobby.Button(launchMark)
		want := chat.Place{Community: here.Community, Channel: here.Channel, Lang: "ru"}
		if err != nil || v.Table == "" || launchMark+v.Table != b.CustomID || v.Who != (chat.User{ID: 102, Name: "Боря", Lang: "ru"}) || v.In != want {
			t.Errorf("who comes by ▦ is %+v, %v", v, err)
		}
		joins := h.visit(vika, discordtest.Channel)
		if joins.Table != "" || joins.Who.Name != "vika" || joins.In != want || joins.Instance != v.Instance {
			t.Errorf("who joins is %+v", joins)
		}
		h.server.Chat("704", ann)
		i = h.server.EntryPoint(ann, "704")
		if i.Answer() != answerLaunch {
			t.Errorf("the command is answered with %d", i.Answer())
		}
		if v := h.visit(ann, "704"); v.Table != "" || !v.In.Private || v.In.Community.ID != 101 {
			t.Errorf("who comes by the command is %+v", v)
		}
		if len(h.dealer.asked.Of(chat.Press)) != 1 {
			t.Errorf("the bot was asked %+v", h.dealer.asked.Of(chat.Press))
		}
		h.quietly()
	})
}

// TestForgedLaunch leads nobody to a table of another place.
func TestForgedLaunch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		m := h.board(discordtest.Channel)
		for _, table := range []string{"", "d1/abcd", "x", strings.Repeat("я", 90), "../.."} {
			i := h.server.Press(vika, m.ID, launchMark+table)
			if i.Answer() != answerLaunch {
				t.Errorf("%q is answered with %d", table, i.Answer())
			}
			if v := h.visit(vika, discordtest.Channel); v.Table != "" {
				t.Errorf("%q leads to %q", table, v.Table)
			}
		}
		h.quietly()
	})
}

// TestNoLaunch says to the one who asked, in their language, that the table can't be opened so; the board stays as it is.
func TestNoLaunch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, secret := range []string{discordtest.Secret, ""} {
			h := build(t, mem.New(), fake(t, discordtest.Options{}))
			h.secret = secret
			h.start()
			h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
			h.shown(1)
			before := h.board(discordtest.Channel)
			if _, ok := before.Button(launchMark); ok != (secret != "") {
				t.Errorf("with the secret %q the buttons are %v", secret, labelsOf(before))
			}
			for _, i := range []*discordtest.Interaction{
				h.server.Press(vika, before.ID, launchMark+"x"), h.server.EntryPoint(vika, discordtest.Channel),
			} {
				i.Answer()
				said, _ := i.Message()
				if said.Private != vika.ID || said.Content != *h.self().note(h.words.Lang("pl").Say(sayNoLaunch)).Content {
					t.Errorf("it is answered with %+v", said)
				}
			}
			if now := h.board(discordtest.Channel); now.Content != before.Content || now.Edits != before.Edits {
				t.Errorf("the board becomes %+v", now)
			}
			h.quietly()
		}
	})
}

// TestRoomForLaunch never puts more buttons on a message than it holds.
func TestRoomForLaunch(t *testing.T) {
	t.Parallel()
	button := discordgo.Button{Label: "x", CustomID: "x"}
	row := func(n int) discordgo.ActionsRow {
		return discordgo.ActionsRow{Components: slices.Repeat([]discordgo.MessageComponent{button}, n)}
	}
	list := discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.SelectMenu{CustomID: "="}}}
	for _, c := range []struct {
		what  string
		rows  []discordgo.ActionsRow
		table string
		want  []int
	}{
		{"no buttons", nil, "t", nil},
		{"one row", []discordgo.ActionsRow{row(4)}, "t", []int{5}},
		{"a full row", []discordgo.ActionsRow{row(5)}, "t", []int{5, 1}},
		{"a list", []discordgo.ActionsRow{list}, "t", []int{1, 1}},
		{"a short last row", []discordgo.ActionsRow{row(5), row(5), row(5), row(5), row(1)}, "t", []int{5, 5, 5, 5, 2}},
		{"no room", []discordgo.ActionsRow{row(1), row(5), row(5), row(5), row(5)}, "t", []int{1, 5, 5, 5, 5}},
		{"a list at the end, and no room", []discordgo.ActionsRow{row(1), row(1), row(1), row(1), list}, "t", []int{1, 1, 1, 1, 1}},
		{"a name that is too long", []discordgo.ActionsRow{row(1)}, strings.Repeat("x", 100), []int{1}},
	} {
		b := body{Components: &c.rows}
		b.addLaunch(c.table)
		var got []int
		for _, r := range *b.Components {
			got = append(got, len(r.Components))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// entries are the registered commands that open the Activity, and how many other ones there are.
func (h *house) entries() (all []command, others int) {
	h.t.Helper()
	list, _ := h.server.Commands()
	if err := json.Unmarshal(list, &all); err != nil {
		h.t.Fatal(err)
	}
	n := len(all)
	all = slices.DeleteFunc(all, func(c command) bool { return !isEntry(c) })
	return all, n - len(all)
}

// TestEntryPoint registers the command that opens the Activity, keeps the one that there is, and does without one where there
// can be none. Nothing is registered a second time.
func TestEntryPoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			what, secret string
			enabled      bool
			entries      int
			handler      int
		}{
			{"no secret, and no Activities", "", false, 0, 0},
			{"no secret, but Activities", "", true, 1, 2},
			{"a secret, and Activities", discordtest.Secret, true, 1, handledHere},
			{"a secret, but no Activities", discordtest.Secret, false, 0, 0},
		} {
			h := build(t, mem.New(), fake(t, discordtest.Options{Activities: c.enabled}))
			log := &testlog.Log{}
			h.secret, h.log = c.secret, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			h.start()
			all, others := h.entries()
			if want := len(h.dealer.bot.Commands("en")); len(all) != c.entries || others != want {
				t.Fatalf("%s: %d entry points, and %d of %d commands", c.what, len(all), others, want)
			}
			if c.entries > 0 && (all[0].Name != entryName || all[0].Handler != c.handler) {
				t.Errorf("%s: it is %+v", c.what, all[0])
			}
			if c.handler == handledHere && (all[0].NameLocal["ru"] != "открыть-стол" || all[0].DescriptionLocal["pl"] == "") {
				t.Errorf("%s: it is %+v", c.what, all[0])
			}
			if told := strings.Contains(log.String(), "Activities aren't enabled"); told != (c.secret != "" && !c.enabled) {
				t.Errorf("%s: the log says %s", c.what, log)
			}
			h.end()
			if c.enabled || c.secret == "" {
				h.start()
				h.server.Until("the commands were looked at", func() bool { return strings.Contains(log.String(), "as they should be") })
				if _, times := h.server.Commands(); times != 1 {
					t.Errorf("%s: registered %d times", c.what, times)
				}
			}
			h.quietly()
		}
	})
}

// TestEntryPointKeepsItsName has the command go on under the name that the operator gave it, with the secret and without.
func TestEntryPointKeepsItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		named := command{ID: "5", Type: typeEntry, Name: "Cards", NameLocal: map[string]string{"pl": "Karty"}, Handler: 2}
		plain := []command{{Type: 1, Name: "zevaka", NameLocal: map[string]string{"ru": "открыть-стол"}}}
		for _, secret := range []string{"", "x"} {
			h := build(t, mem.New(), fake(t, discordtest.Options{}))
			r := registrar{newCore(nil, Options{ClientSecret: secret, Words: h.words, Log: h.log})}
			got := r.withEntry(plain, []command{named})
			if len(got) != 2 || got[1].ID != "5" || got[1].Name != "Cards" || got[1].NameLocal["pl"] != "Karty" || (got[1].Handler == handledHere) != (secret != "") {
				t.Errorf("with the secret %q: %+v", secret, got)
			}
			if secret == "" {
				continue
			}
			if fresh := r.withEntry(plain, nil); len(fresh) != 2 || fresh[1].NameLocal["ru"] != "" || fresh[1].NameLocal["pl"] == "" || len(plain) != 1 {
				t.Errorf("beside a command of the same name: %+v", fresh)
			}
		}
	})
}
