package discord

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// invitation is where anybody adds the bot to a server.
const invitation = "https://discord.com/oauth2/authorize?client_id=" + discordtest.App +
	"&integration_type=0&scope=bot+applications.commands&permissions=274877942784"

// elsewhere is an address of another program, to which Discord sends interactions.
const elsewhere = "https://tutorial.example/interactions"

// TestProfile: a bot that starts says in its profile what it is, asks for what it needs where it is added, and leaves alone
// what stands so already and what its owner has decided.
func TestProfile(t *testing.T) {
	t.Parallel()
	small := discordtest.Install{Scopes: []string{"applications.commands"}, Permissions: "0"}
	whole := discordtest.Install{Scopes: []string{"bot", "applications.commands"}, Permissions: "274877942784"}
	for _, one := range []struct {
		name    string
		options discordtest.Options
		// edits is how often the profile is changed, rights what is asked for in a server then, invite the address to be added at.
		edits          int
		rights, invite string
	}{
		{"new", discordtest.Options{}, 2, "274877942784", invitation},
		{"documented", discordtest.Options{PlainProfile: true, Unchecked: true}, 2, "274877942784", invitation},
		{"asking for enough", discordtest.Options{Profile: discordtest.Profile{
			Installs: map[string]discordtest.Install{"0": whole}}}, 1, "274877942784", invitation},
		{"asking for more", discordtest.Options{Profile: discordtest.Profile{
			Installs: map[string]discordtest.Install{"0": {Scopes: whole.Scopes, Permissions: "8"}}}}, 2, "274877942784", invitation},
		{"private", discordtest.Options{Profile: discordtest.Profile{Private: true}}, 1, "0", ""},
		{"for users", discordtest.Options{Profile: discordtest.Profile{Installs: map[string]discordtest.Install{"1": small}}}, 1, "", ""},
		{"called elsewhere", discordtest.Options{Profile: discordtest.Profile{Endpoint: elsewhere}}, 2, "274877942784", invitation},
		{"added elsewhere", discordtest.Options{Profile: discordtest.Profile{CustomInstall: "https://zevaka.example"}}, 1, "0", invitation},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, one.options))
				for range 2 {
					log := &testlog.Log{}
					h.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
					h.run()
					h.connected()
					h.server.Until("the bot is introduced", func() bool { return strings.Contains(log.String(), "the bot is introduced") })
					if told := strings.Contains(log.String(), elsewhere); told != (one.options.Profile.Endpoint != "") {
						t.Errorf("the owner is told that Discord sends presses elsewhere: %v", told)
					}
					if h.self().invite != one.invite {
						t.Errorf("it is added at %q", h.self().invite)
					}
					h.end()
				}
				p := h.server.Profile()
				if lines := strings.Split(p.Description, "\n"); len(lines) != 3 || !strings.Contains(p.Description, "Карты прямо в чате") {
					t.Errorf("the description is %q", p.Description)
				}
				if p.Edits != one.edits || p.Installs["0"].Permissions != one.rights {
					t.Errorf("after %d edits it is %+v", p.Edits, p)
				}
				if user, ok := p.Installs["1"]; ok && user.Permissions != "0" {
					t.Errorf("with a user it asks for %+v", user)
				}
				h.quietly()
			})
		})
	}
}

// TestAddMe: who talks to the bot alone finds the way to have it on a server.
func TestAddMe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		const private = "700000000000000009"
		h.server.Place(private, "", 1)
		for channel, want := range map[string]string{private: invitation, discordtest.Channel: ""} {
			i := h.server.Command(ann, channel, "help", nil)
			i.Answer()
			said, _ := i.Message()
			if b, ok := said.Button("➕ Добавить меня на сервер"); b.URL != want || ok != (want != "") {
				t.Errorf("in %s stands %+v", channel, said.Buttons())
			}
		}
		h.quietly()
	})
}

// TestLearnsAlone: who opens a table alone with the bot is offered the lesson, for them and beside the table. Pressed in a server it lays
// no table there: its learner alone is told where, with the way there.
func TestLearnsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		const private = "700000000000000009"
		h.server.Place(private, "", 1)
		h.server.Command(ann, private, "zevaka", nil).Answer()
		h.server.Until("the table and the offer", func() bool { return len(h.server.Messages(private, ann.ID)) == 2 })
		all := h.server.Messages(private, ann.ID)
		var learn discordtest.Message
		for _, m := range all {
			if strings.HasPrefix(m.Content, "Впервые здесь?") {
				learn = m
			}
		}
		button := learn.Buttons()[0]
		h.server.Press(ann, learn.ID, button.CustomID).Answer()
		h.server.Until("the lesson", func() bool {
			return slices.ContainsFunc(h.server.Messages(private, ann.ID), func(m discordtest.Message) bool { return strings.Contains(m.Content, "🎓 Ваши карты") })
		})
		i := h.server.Command(ann, discordtest.Channel, "zevaka", nil)
		i.Answer()
		board, _ := i.Message()
		lesson, _ := board.Button("🎓 Урок")
		i = h.server.Press(ann, board.ID, lesson.CustomID)
		i.Answer()
		told, _ := i.Message()
		there, ok := told.Button("Чат со мной")
		if there.URL != "https://discord.com/users/"+discordtest.App || !ok || !strings.HasPrefix(told.Content, "Урок лучше пройти в личке") {
			t.Errorf("it is told %+v", told)
		}
		if n := len(h.server.Messages(discordtest.Channel, "")); n != 1 {
			t.Errorf("all see %d messages", n)
		}
		here, _ := told.Button("Пройти здесь")
		h.server.Press(ann, told.ID, here.CustomID).Answer()
		h.server.Until("the lesson", func() bool { return len(h.server.Messages(discordtest.Channel, "")) == 2 })
		h.quietly()
	})
}

// TestLedToTheTable: who can't be forgotten because of a table in another channel reads alone where it stands.
func TestLedToTheTable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		const elsewhere = "700000000000000008"
		h.server.Place(elsewhere, discordtest.Guild, 0)
		i := h.server.Command(ann, elsewhere, "zevaka", nil)
		i.Answer()
		board, _ := i.Message()
		h.settle()
		h.server.Command(ann, discordtest.Channel, "forgetme", nil).Answer()
		h.settle()
		link := "https://discord.com/channels/" + discordtest.Guild + "/" + elsewhere + "/" + board.ID
		reads := func(m discordtest.Message) bool { return strings.Contains(m.Content, link) }
		if !slices.ContainsFunc(h.server.Messages(discordtest.Channel, ann.ID), reads) || len(h.server.Messages(discordtest.Channel, "")) > 0 {
			t.Errorf("they read %+v", h.server.Messages(discordtest.Channel, ann.ID))
		}
		h.quietly()
	})
}
