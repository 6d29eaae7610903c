package play_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// panelOf is the panel of switches in an answer, and who sees it: the board's picture or a post for one person.
func panelOf(t *testing.T, r chat.Response) (panel chat.Post, alone bool) {
	t.Helper()
	for _, p := range r.Posts {
		p = bottest.Drawn(p)
		if slices.ContainsFunc(slices.Concat(p.Buttons...), func(b chat.Button) bool { return strings.HasSuffix(b.Token, ".!limit") }) {
			if panel.Buttons != nil {
				t.Error("two messages have switches")
			}
			panel, alone = p, p.To != nil
		}
	}
	return panel, alone
}

// boardIn is the table's picture in an answer.
func boardIn(r chat.Response) chat.Post {
	for _, p := range r.Posts {
		if p.Table != "" {
			return bottest.Drawn(p)
		}
	}
	return chat.Post{}
}

// labels are what stands on the buttons of a message.
func labels(m chat.Message) string {
	var all []string
	for _, b := range slices.Concat(m.Buttons...) {
		all = append(all, b.Label)
	}
	return strings.Join(all, " | ")
}

// TestOwnPanel: on Discord the switches of a lobby stand in a message for the host alone, and what they choose in the board;
// elsewhere the board has them.
func TestOwnPanel(t *testing.T) {
	for _, platform := range []chat.Platform{chat.Discord, chat.Telegram, chat.Web} {
		s := bottest.NewSitting(t)
		s.In.Community.Platform = platform
		own := platform == chat.Discord
		opened := s.Say(1, "/zevaka")
		id, _ := table.ParseID(opened.Posts[0].Table)
		press := func(do string) chat.Response {
			return s.Do(1, chat.Press, table.Token{Table: id, Do: "!" + do}.String())
		}
		r := press("panel")
		panel, alone := panelOf(t, r)
		if panel.Buttons == nil || alone != own {
			t.Fatalf("%s: the panel is %+v", platform.Name(), panel)
		}
		if own && (panel.To.ID != 1 || panel.Open == chat.Common || panel.Edit != "" || labels(boardIn(r).Message) != labels(bottest.Drawn(opened.Posts[0]).Message)) {
			t.Errorf("for one is %+v, and for all %s", panel, labels(boardIn(r).Message))
		}
		for _, step := range []struct{ do, board, panel, view string }{
			{"set penalty", "Penalty", "Penalty", "Details ▸"},
			{"limit", "2 min", "⏱ 2 min", "Details ▸"},
			{"fast", "⚡", "⚡ Keep automatically: on", "Details ▸"},
			{"details", "Penalty", "Cards: 36", "◂ Ready-made rules"},
			{"opt pack", "52 cards", "Cards: 52", "◂ Ready-made rules"},
		} {
			r := press(step.do)
			panel, shown := bottest.Drawn(r.Posts[len(r.Posts)-1]), boardIn(r)
			if own && (panel.To == nil || panel.To.ID != 1) {
				t.Fatalf("%s: nobody is shown the switches", step.do)
			}
			if r.Alert || !strings.Contains(words.Flat(shown.Text), step.board) || !strings.Contains(labels(panel.Message), step.panel) || !strings.Contains(labels(panel.Message), step.view) {
				t.Errorf("%s, %s: the board says %q, and the switches are %s", platform.Name(), step.do, words.Flat(shown.Text), labels(panel.Message))
			}
			if own && strings.Contains(labels(shown.Message), step.view) {
				t.Errorf("%s: all see %s", step.do, labels(shown.Message))
			}
		}
		tb, _ := bottest.Shelf(s.Store).LookAt(t.Context(), id)
		if (tb.Panel || tb.Details) == own {
			t.Errorf("%s: the panel is stored as %v, %v", platform.Name(), tb.Panel, tb.Details)
		}
	}
}

// TestPanelIsTheHosts: where the host has a panel of their own nobody else presses what stands there, not even an admin, and
// each is told whose it is. The host's part passes on with the panel.
func TestPanelIsTheHosts(t *testing.T) {
	s := bottest.NewSitting(t)
	s.In.Community.Platform = chat.Discord
	id, _ := table.ParseID(s.Say(1, "/zevaka").Posts[0].Table)
	press := func(who chat.User, do string) chat.Response {
		s.N++
		return bottest.Seen(t.Context(), s.Bot, chat.Request{
			ID: "panel " + do + who.Name + who.Lang, Kind: chat.Press, Who: who, Data: table.Token{Table: id, Do: "!" + do}.String(), In: s.In, On: "7",
		})
	}
	host, guest, admin := chat.User{ID: 1, Name: "User1", Lang: "en"}, chat.User{ID: 2, Name: "User2", Lang: "en"}, chat.User{ID: 3, Name: "User3", Lang: "en", Admin: true}
	press(guest, "join")
	before, _ := bottest.Shelf(s.Store).LookAt(t.Context(), id)
	for _, do := range []string{"panel", "panel done", "details", "set penalty", "opt pack", "limit", "fast", "rounds"} {
		for _, who := range []chat.User{guest, admin, {ID: 4, Name: "User4", Lang: "ru"}, {ID: 5, Name: "User5", Lang: "pl"}} {
			r := press(who, do)
			if !r.Alert || !strings.Contains(r.Toast, "User1") || len(r.Posts) > 0 {
				t.Errorf("%s by %s is answered %q, %+v", do, who.Name, r.Toast, r.Posts)
			}
		}
	}
	if after, _ := bottest.Shelf(s.Store).LookAt(t.Context(), id); after.Level != before.Level {
		t.Error("somebody has changed the table")
	}
	if r := press(host, "panel done"); len(r.Posts) != 1 || r.Posts[0].Edit != "7" || r.Posts[0].Buttons != nil {
		t.Errorf("closed, the panel is %+v", r)
	}
	press(host, "leave")
	if r := press(host, "limit"); !r.Alert || !strings.Contains(r.Toast, "User2") {
		t.Errorf("who was the host is answered %q", r.Toast)
	}
	if panel, alone := panelOf(t, press(chat.User{ID: 2, Name: "User2", Lang: "pl"}, "panel")); !alone || panel.To.ID != 2 {
		t.Errorf("the next host sees %+v", panel)
	}
	press(guest, "robot")
	press(guest, "deal")
	if r := press(guest, "fast"); !r.Alert || !r.Behind {
		t.Errorf("after the deal a switch is answered %+v", r)
	}
}

// TestPanelOfBefore: a lobby whose board had the switches has none any more where the host has a panel of their own.
func TestPanelOfBefore(t *testing.T) {
	s := bottest.NewSitting(t)
	id, _ := table.ParseID(s.Say(1, "/banchok").Posts[0].Table)
	s.Do(1, chat.Press, table.Token{Table: id, Do: "!panel"}.String())
	tb, _ := bottest.Shelf(s.Store).LookAt(t.Context(), id)
	if !tb.Panel {
		t.Fatal("the panel isn't open")
	}
	for platform, open := range map[chat.Platform]bool{chat.Telegram: true, chat.Discord: false} {
		tb.Place.Community.Platform = platform
		d := board.Drawing{Table: tb, Rules: s.Games[tb.Game], Lang: bottest.Must(words.Load()).Lang("en")}
		m, _ := d.Later(engine.View{}, 0, slog.New(slog.DiscardHandler))()
		if strings.Contains(labels(m), "Done") != open || strings.Contains(labels(m), "Options") == open {
			t.Errorf("%s: the board has %s", platform.Name(), labels(m))
		}
	}
}

// TestSwitchesTell: whoever presses a switch of a lobby is told what it stands at, as its button is called from then on; of a
// set of rules, whether it counts.
func TestSwitchesTell(t *testing.T) {
	for _, game := range []string{"zevaka", "banchok"} {
		s := bottest.NewSitting(t)
		switched := 0
		var newest []chat.Button
		board := bottest.Drawn(s.Say(1, "/"+game).Posts[0])
		for _, open := range []string{"panel", "details"} {
			for _, b := range slices.Concat(board.Buttons...) {
				if strings.HasSuffix(b.Token, ".!"+open) {
					board = bottest.Drawn(s.Do(1, chat.Press, b.Token).Posts[0])
				}
			}
			for _, b := range slices.Concat(board.Buttons...) {
				do, _, _ := strings.Cut(b.Token[strings.Index(b.Token, "!")+1:], " ")
				if !slices.Contains([]string{"set", "opt", "limit", "fast", "rounds"}, do) {
					continue
				}
				here := func(now chat.Button) bool { return now.Token == b.Token }
				if switched > 0 && !slices.ContainsFunc(newest, here) {
					continue // It would change nothing beside what was switched before.
				}
				switched++
				s.Running += time.Minute
				r := s.Do(1, chat.Press, b.Token)
				now := slices.Concat(bottest.Drawn(r.Posts[0]).Buttons...)
				newest = now
				i := slices.IndexFunc(now, here)
				says := now[i].Label + "."
				if do == "set" {
					says = strings.TrimPrefix(now[i].Label, "✓ ") + ": " + map[bool]string{false: "off.", true: "on."}[now[i].Look == chat.Primary]
				}
				if r.Alert || r.Toast != says {
					t.Errorf("%s: %q is answered %q, and is now %q", game, b.Label, r.Toast, now[i].Label)
				}
			}
		}
		if switched < 5 {
			t.Errorf("%s has only %d switches", game, switched)
		}
	}
}

// TestAgreedBankStands: a host turns the bank up, has each hold it more often, or lets turns last for ever, once somebody has sat down for less, and deals
// at once. At a bank for chips all that stands as soon as another one sits there, or is asked to another game; alone, and for the table's own chips, it is the
// host's.
func TestAgreedBankStands(t *testing.T) {
	for name, lobby := range map[string]struct {
		line   string
		come   func(*bottest.Hall, table.ID) table.ID
		stands bool
	}{
		"alone": {"bank=20", func(_ *bottest.Hall, id table.ID) table.ID { return id }, false},
		"with another": {"bank=20", func(h *bottest.Hall, id table.ID) table.ID {
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			return id
		}, true},
		"with another for practice": {"bank=20 practice", func(h *bottest.Hall, id table.ID) table.ID {
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			return id
		}, false},
		"after another has left": {"bank=20", func(h *bottest.Hall, id table.ID) table.ID {
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!leave"}.String())
			return id
		}, false},
		"again": {"bank=20", func(h *bottest.Hall, id table.ID) table.ID {
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			h.Cut(1)
			last := h.Finish(1)
			h.StopAll()
			h.Must(1, 1, chat.Press, table.Token{Table: last.ID, Do: "!again"}.String())
			return h.Table(1).ID
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, "/banchok "+lobby.line)
			id := lobby.come(h, h.Table(1).ID)
			before := h.Look(id)
			for _, do := range []string{"opt bank", "opt side", "rounds", "limit"} {
				r := h.Ask(1, 1, chat.Press, table.Token{Table: id, Do: "!" + do}.String())
				if h.Is(r, table.ErrAgreed) != lobby.stands {
					t.Errorf("%s is answered %q", do, r.Toast)
				}
			}
			now := h.Look(id)
			if same := now.Options["bank"] == before.Options["bank"] && now.Rounds == before.Rounds && now.Limit == before.Limit; same != lobby.stands {
				t.Errorf("the bank was %v, %+v, and is %v, %+v", before.Options, before.Agreed, now.Options, now.Agreed)
			}
			h.Ask(1, 1, chat.Press, table.Token{Table: id, Do: "!panel"}.String())
			switches := labels(boardIn(h.Must(1, 1, chat.Command, "/table")).Message)
			if strings.Contains(switches, "Bank") == lobby.stands {
				t.Errorf("the switches are %s", switches)
			}
		})
	}
}

// TestHostsBankStands: an admin who turns up the bank of a host who is alone yet could sit down there and deal at once.
func TestHostsBankStands(t *testing.T) {
	for line, stands := range map[string]bool{"bank=20": true, "bank=20 practice": false} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/banchok "+line)
		id := h.Table(1).ID
		for _, do := range []string{"opt bank", "rounds", "limit"} {
			r := h.Ask(1, bottest.Warden, chat.Press, table.Token{Table: id, Do: "!" + do}.String())
			if h.Is(r, table.ErrAgreed) != stands {
				t.Errorf("%s: by an admin %s is answered %q", line, do, r.Toast)
			}
		}
	}
}

// TestSitsDownForWhatIsShown: whoever presses to sit down at a bank for chips, be it where one that waits is offered, doesn't by other rules than were to be
// read there: its host, who is alone yet, may have turned it up since, and could deal at once.
func TestSitsDownForWhatIsShown(t *testing.T) {
	for _, do := range []string{"opt bank", "opt side", "rounds", "limit", "panel"} {
		h := bottest.NewHall(t)
		board := h.Must(1, 1, chat.Command, "/banchok 20 min=5")
		id := h.Table(1).ID
		offer := h.Must(1, 2, chat.Command, "/banchok").Posts[0].Message
		if said := words.Flat(offer.Text); !strings.HasSuffix(said, "Polish Bank · bank 20") {
			t.Errorf("one is offered %q", said)
		}
		shown := []string{bottest.Labelled(t, boardIn(board).Message, "Join"), bottest.Labelled(t, offer, "Join it")}
		h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!" + do}.String())
		for i, join := range shown {
			r := h.Ask(1, int64(2+i), chat.Press, join)
			if h.Is(r, table.ErrStale) == (do == "panel") || boardIn(r).Table != id.String() {
				t.Errorf("after %s who presses %s is answered %q", do, join, r.Toast)
			}
		}
	}
}

// TestWaitsForWhatIsShown: so does who presses the old picture once it was dealt there, and would play in the next bank.
func TestWaitsForWhatIsShown(t *testing.T) {
	for _, turned := range []bool{false, true} {
		h := bottest.NewHall(t)
		join := bottest.Labelled(t, boardIn(h.Must(1, 1, chat.Command, "/banchok 20 min=5")).Message, "Join")
		if turned {
			h.Press(1, h.Table(1), "opt bank")
		}
		h.Press(2, h.Table(1), "join")
		h.Press(1, h.Table(1), "deal")
		r := h.Ask(1, 3, chat.Press, join)
		if waits := h.Table(1).Waits(3); h.Is(r, table.ErrStale) != turned || waits == turned {
			t.Errorf("where the bank is turned up: %v, who presses to sit down at 20 is answered %q, and waits: %v", turned, r.Toast, waits)
		}
	}
}

// TestRulesAreNamedApart: a host finds no bank and no time for a turn that are named on the button as those are that it becomes by one press.
func TestRulesAreNamedApart(t *testing.T) {
	h := bottest.NewHall(t)
	join := bottest.Labelled(t, boardIn(h.Must(1, 1, chat.Command, "/banchok 32 min=5 limit=9279s")).Message, "Join")
	h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!opt bank"}.String())
	if r := h.Ask(1, 2, chat.Press, join); !h.Is(r, table.ErrStale) {
		t.Errorf("who presses to sit down at a bank of 32 that is one of %s is answered %q", h.Table(1).Options["bank"], r.Toast)
	}
}

// TestAgainAtOtherRules: whoever asks for another game at the end of one sits down at no bank for chips by other rules than it had: its host has
// turned it up since, and could deal at once. They are shown it, and may sit down there.
func TestAgainAtOtherRules(t *testing.T) {
	for _, do := range []string{"", "opt bank", "rounds", "limit"} {
		h := bottest.NewHall(t)
		h.Sit(1, "20 min=20", 1, 2)
		last := h.Finish(1)
		h.StopAll()
		again := table.Token{Table: last.ID, Do: play.DoAgain}.String()
		h.Pass(time.Hour)
		h.Must(1, 1, chat.Press, again)
		h.Pass(table.KeepSeats + time.Second)
		next := h.Table(1).ID
		press := func(user int64, do string) {
			h.Must(1, user, chat.Press, table.Token{Table: next, Do: "!" + do}.String())
		}
		if do != "" {
			press(1, do)
		}
		r := h.Ask(1, 2, chat.Press, again)
		now := h.Look(next)
		if _, sits := now.SeatOf(2); sits != (do == "") || h.Is(r, table.ErrStale) == sits || boardIn(r).Table != next.String() {
			t.Errorf("after %q P2 sits at the next table: %t; they are answered %q", do, sits, r.Toast)
		}
		if do != "" {
			press(2, "join")
		}
	}
}
