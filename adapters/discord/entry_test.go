package discord

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

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
