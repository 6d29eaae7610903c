package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// documented are the codes of Discord's documentation ("JSON Error Codes", commit 05813855 of discord/discord-api-docs), and two that only
// reports name: 20026, 50278.
const documented = `0 10001 10002 10003 10004 10005 10006 10007 10008 10009 10010 10011 10012 10013 10014 10015 10016 10020 10021 10026 10027
	10028 10029 10030 10031 10032 10033 10036 10038 10049 10050 10057 10059 10060 10061 10062 10063 10065 10066 10067 10068 10069 10070
	10071 10087 10097 20001 20002 20009 20012 20016 20018 20022 20024 20026 20028 20029 20031 20035 30001 30002 30003 30004 30005 30007
	30008 30010 30011 30013 30015 30016 30018 30019 30030 30031 30032 30033 30034 30035 30037 30038 30039 30040 30042 30045 30046 30047
	30048 30052 30056 30058 30060 30061 40001 40002 40003 40004 40005 40006 40007 40012 40018 40019 40032 40033 40041 40043 40058 40060
	40061 40062 40066 40067 40074 40094 40333 50001 50002 50003 50004 50005 50006 50007 50008 50009 50010 50011 50012 50013 50014 50015
	50016 50017 50019 50020 50021 50024 50025 50026 50027 50028 50033 50034 50035 50036 50039 50041 50045 50046 50054 50055 50057 50067
	50068 50070 50073 50074 50080 50081 50083 50084 50085 50086 50091 50095 50097 50101 50109 50110 50123 50124 50131 50132 50138 50144
	50145 50146 50151 50159 50160 50161 50162 50163 50173 50178 50192 50278 50600 60003 80004 90001 90002 110001 130000 150006 160002
	160004 160005 160006 160007 170001 170002 170003 170004 170005 170006 170007 180000 180002 200000 200001 220001 220002 220003 220004
	240000 350000 350001 400001 500000 520000 520001 520002 520003 520004 520006`

// TestVerdicts says of each code what it means: of those that stand nowhere here nothing but that the call was refused.
func TestVerdicts(t *testing.T) {
	want := map[int]verdict{}
	for v, codes := range map[verdict]string{
		passes:    "20016 20022 20028 20029 40003 40004 40006 40062 40333 110001 130000",
		stale:     "10008 30046 50005",
		over:      "10015 10062 40060 50027",
		fileless:  "40005 50045 50046 50110 50123 50138 50146 400001",
		unreached: "10013 50007 50033 50278",
		barred:    "50001 50009 50013",
		shut:      "50083 160005",
		lost:      "10003 10004",
	} {
		for _, code := range strings.Fields(codes) {
			n, _ := strconv.Atoi(code)
			want[n] = v
		}
	}
	for _, code := range strings.Fields(documented + " 99999 -1") {
		n, _ := strconv.Atoi(code)
		if got := verdictOn(fmt.Errorf("post: %w", &apiError{status: http.StatusBadRequest, code: n})); got != want[n] {
			t.Errorf("%d means %d, not %d", n, got, want[n])
		}
	}
	for _, c := range []struct {
		err  error
		want verdict
	}{
		{&apiError{status: 400}, final}, {&apiError{status: 401}, final}, {&apiError{status: 403}, final}, {&apiError{status: 404}, final},
		{&apiError{status: 408}, passes}, {&apiError{status: 413}, fileless}, {&apiError{status: 429}, passes}, {&apiError{status: 500}, passes},
		{&apiError{status: 502, foreign: true}, passes}, {&apiError{status: 403, foreign: true}, passes}, {&apiError{status: 404, foreign: true}, passes},
		{errOdd, passes}, {context.DeadlineExceeded, passes}, {errors.New("a connection was reset"), passes},
		{errGuest, barred}, {errElsewhere, final}, {errUndrawn, final},
	} {
		if got := verdictOn(c.err); got != c.want {
			t.Errorf("%v means %d, not %d", c.err, got, c.want)
		}
	}
}

// quiet is a bot that says nothing, and notes what it is told.
type quiet struct{ chatscript.Asked }

func (q *quiet) Handle(_ context.Context, r chat.Request) chat.Response {
	q.Add(r)
	return chat.Response{}
}

// TestMistakenRefusals refuses one call of each kind once, with each code and with answers of other shapes: no table is lost, and within
// a minute or so the board is the newest.
func TestMistakenRefusals(t *testing.T) {
	t.Parallel()
	type refusal struct {
		status, code int
		text         string
	}
	var all []refusal
	for _, code := range strings.Fields(documented) {
		n, _ := strconv.Atoi(code)
		status := map[int]int{1: http.StatusNotFound, 2: http.StatusTooManyRequests, 5: http.StatusForbidden}[n/10_000]
		all = append(all, refusal{status: max(status, http.StatusBadRequest), code: n})
	}
	for _, text := range []string{"<html>", "{}", "[]", "null", `{"code":`, `{"code":"10003"}`, `{"id":"1"}`, `"x"`, "\x00", `{"message":"x","code":10003.5}`} {
		for _, status := range []int{200, 400, 401, 403, 404, 413, 429, 500, 502} {
			all = append(all, refusal{status: status, text: text})
		}
	}
	for _, kind := range []string{"edit", "post"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				heard := &quiet{}
				h.serve(heard, h.lone().Commands)
				h.connected()
				for n, one := range all {
					h.server.SetFaults(discordtest.Faults{Only: kind, Refused: 1, Most: 1, Status: one.status, Code: one.code, Text: one.text})
					text := fmt.Sprintf("picture %d", n)
					p := chat.Post{In: here, Table: "d1/a", Level: uint64(n + 1), Receipt: "x", Message: chat.Message{Text: []chat.Span{{Text: text}}}}
					if kind == "post" {
						p.Table = fmt.Sprintf("d1/a%d", n)
					}
					h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
					time.Sleep(70 * time.Second)
					synctest.Wait()
					messages := h.server.Messages(discordtest.Channel, "")
					if len(messages) == 0 || messages[len(messages)-1].Content != text {
						t.Errorf("after %+v the newest picture isn't there", one)
					}
				}
				if gone := heard.Of(chat.Gone); len(gone) > 0 {
					t.Errorf("%d places are gone: %+v", len(gone), gone[0].In)
				}
				h.server.SetFaults(discordtest.Faults{})
				h.end()
			})
		})
	}
}

// TestRefusedLong refuses a channel for long though it is there, and then gives it back: the operator reads it once, and the board comes.
func TestRefusedLong(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ status, code int }{{404, 10003}, {404, 10004}, {403, 50001}, {403, 50013}, {403, 99999}, {502, 0}} {
		t.Run(fmt.Sprint(one.code), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				log := &testlog.Log{}
				h.log = slog.New(slog.NewTextHandler(log, nil))
				h.start()
				h.table(map[string]any{"limit": "none"})
				time.Sleep(16 * time.Minute) // Nobody's press is a way any more.
				h.server.SetFaults(discordtest.Faults{Only: "edit post", Refused: 1, Status: one.status, Code: one.code})
				boss := ann
				boss.Rights = 1 << 3
				h.server.Command(boss, discordtest.Channel, "lang", map[string]any{"what": "pl"}).Answer()
				time.Sleep(5 * time.Hour)
				if n := strings.Count(log.String(), "WARN"); n != 1 || h.open() != 1 {
					t.Errorf("%d tables are open, and it is said %d times:\n%s", h.open(), n, log.String())
				}
				h.server.SetFaults(discordtest.Faults{})
				time.Sleep(time.Hour)
				if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "Zewaka") {
					t.Errorf("the board is still %s", m.Content)
				}
				h.quietly()
			})
		})
	}
}

// TestHeldBeside refuses all that is shown in a channel for a while, and then takes it: as soon as another table's picture is taken, or somebody does
// something there, what was refused is tried again, too.
func TestHeldBeside(t *testing.T) {
	t.Parallel()
	for _, code := range []int{codeUnknownChannel, codeNoAccess, 99_999} {
		for _, lasts := range []time.Duration{30 * time.Second, 4 * time.Minute, 12 * time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				show := func(table string, level int) string {
					text := fmt.Sprint(table, " level ", level)
					h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: here, Table: table, Level: uint64(level), Message: chat.Message{Text: []chat.Span{{Text: text}}}}}})
					time.Sleep(20 * time.Second)
					return text
				}
				show("1/a", 1)
				show("1/b", 1)
				h.server.SetFaults(discordtest.Faults{Refused: 1, Status: http.StatusForbidden, Code: code, Only: "edit post"})
				held := show("1/a", 2)
				time.Sleep(lasts)
				h.server.SetFaults(discordtest.Faults{})
				from := time.Now()
				for n := 2; h.saidToAll(held) == 0 && time.Since(from) < time.Hour; n++ {
					show("1/b", n)
				}
				if late := time.Since(from); late > time.Minute+lasts/4 {
					t.Errorf("code %d for %v: what was refused comes after %v", code, lasts, late)
				}
			})
		}
	}
}

// TestSecondWitness refuses a channel that is there, and whatever else asks for it, for some time: only after an hour, and only by an answer
// that just this channel isn't there, is it believed to be gone.
func TestSecondWitness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, code int
		text         string
		lasts        time.Duration
		open         int
	}{
		{404, 10003, "", 50 * time.Minute, 1}, {404, 10003, "", 2 * time.Hour, 0}, {404, 10004, "", 24 * time.Hour, 1}, {403, 50001, "", 24 * time.Hour, 1},
		{404, 0, "", 24 * time.Hour, 1}, {404, 0, "<html>10003", 24 * time.Hour, 1}, {404, 0, `{"code":10003`, 24 * time.Hour, 1},
		{500, 0, "", 24 * time.Hour, 1}, {200, 0, "{}", 24 * time.Hour, 1}, {404, 99999, "", 24 * time.Hour, 1},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := enter(t, mem.New(), discordtest.Options{Heartbeat: 100 * time.Second})
				h.table(map[string]any{"limit": "none"})
				time.Sleep(16 * time.Minute) // Nobody's press is a way any more.
				h.server.SetFaults(discordtest.Faults{Only: "edit post channel", Refused: 1, Status: c.status, Code: c.code, Text: c.text})
				boss := ann
				boss.Rights = 1 << 3
				h.server.Command(boss, discordtest.Channel, "lang", map[string]any{"what": "pl"}).Answer()
				time.Sleep(c.lasts)
				h.server.SetFaults(discordtest.Faults{})
				time.Sleep(time.Hour)
				if n := h.open(); n != c.open {
					t.Errorf("%d tables are open, not %d", n, c.open)
				}
				if m := h.board(discordtest.Channel); c.open > 0 && !strings.Contains(m.Content, "Zewaka") {
					t.Errorf("the board is still %s", m.Content)
				}
				h.quietly()
			})
		})
	}
}

// TestArchived closes the thread where people play: what nobody presses for waits until it is opened, by a person, or by the next press
// where that may be; what comes of a press a moment ago, as what a computer does, opens it.
func TestArchived(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"a person", "a press", "a press before", "nobody"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				log := &testlog.Log{}
				h.log = slog.New(slog.NewTextHandler(log, nil))
				h.start()
				const thread = "720"
				h.server.Thread(thread, discordtest.Channel)
				h.server.Command(ann, thread, "zevaka", map[string]any{"limit": "none"}).Answer()
				h.shown(1)
				old := h.board(thread)
				if by != "a press before" {
					time.Sleep(justNow)
				}
				h.server.Archive(thread, by == "nobody")
				boss := ann
				boss.Rights = 1 << 3
				h.server.Command(boss, thread, "lang", map[string]any{"what": "pl"}).Answer()
				h.settle()
				if now, _ := h.server.Message(old.ID); by != "a press before" && now.Content != old.Content {
					t.Fatalf("the closed thread was written to: %s", now.Content)
				}
				switch by {
				case "a person":
					h.server.Open(thread)
				case "a press before":
				default:
					join, _ := old.Button("Сесть")
					h.server.Press(bob, old.ID, join.CustomID)
				}
				h.settle()
				now := h.board(thread)
				fresh := strings.Contains(now.Content, "Zewaka")
				if fresh != (by != "nobody") || (now.ID != old.ID) != strings.HasPrefix(by, "a press") {
					t.Errorf("the table stands in %s as %s, and before in %s", now.ID, now.Content, old.ID)
				}
				if before, _ := h.server.Message(old.ID); strings.HasPrefix(by, "a press") && len(before.Rows) > 0 {
					t.Errorf("the old board is still there: %+v", before)
				}
				if by == "nobody" {
					h.server.Forgive()
				}
				if text := log.String(); strings.Count(text, "WARN") > 1 || h.open() != 1 {
					t.Errorf("%d tables are open, and it is said:\n%s", h.open(), text)
				}
				h.quietly()
			})
		})
	}
}

// TestRightsOfPlaces tells who opens a table where the bot may write in another kind of place alone.
func TestRightsOfPlaces(t *testing.T) {
	t.Parallel()
	const view, inChannels, joins, inThreads = 1 << 10, 1 << 11, 1 << 20, 1 << 38
	for _, c := range []struct {
		kind   string
		rights int64
		told   bool
	}{
		{"text", view | inChannels, false}, {"text", view | inThreads, true}, {"thread", view | inThreads, false}, {"thread", view | inChannels, true},
		{"thread", inThreads, true}, {"text", 8, false},
		{"voice", view | inChannels | joins, false}, {"voice", view | inChannels, true}, {"voice", 8, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := arrive(t)
			channel := discordtest.Channel
			switch c.kind {
			case "thread":
				channel = "720"
				h.server.Thread(channel, discordtest.Channel)
			case "voice":
				h.server.Voice(channel)
			}
			h.server.Allow(channel, c.rights)
			h.server.Command(ann, channel, "zevaka", nil).Answer()
			h.settle()
			said := false
			for _, m := range h.server.Messages(channel, ann.ID) {
				said = said || m.Private != "" && m.Content == *h.self().note(h.say(sayRights, "ru")).Content
			}
			if said != c.told {
				t.Errorf("%+v: the right is asked for: %v", c, said)
			}
		})
	}
}

// TestMissedInPrivate: where a private chat can't be written to just now, the person is called where they play, and told in private
// again the next time.
func TestMissedInPrivate(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		status, code int
		want         chat.Kind
	}{
		{403, 50007, chat.Unreached}, {404, 10013, chat.Unreached}, {400, 50033, chat.Unreached}, {403, 50278, chat.Unreached},
		{403, 40003, chat.Missed}, {400, 20026, chat.Missed}, {404, 10003, chat.Missed}, {403, 50001, chat.Missed}, {500, 0, chat.Missed},
		{400, 99999, chat.Missed}, {429, 0, chat.Missed},
	} {
		for _, kind := range []string{"chat", "post"} {
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				heard := &quiet{}
				h.serve(heard, h.lone().Commands)
				h.connected()
				h.server.Chat("900", ann)
				faults := discordtest.Faults{Only: kind, Refused: 1, Status: one.status, Code: one.code}
				if one.status == http.StatusTooManyRequests {
					faults = discordtest.Faults{Only: kind, Route: 1, Retry: time.Hour}
				}
				h.server.SetFaults(faults)
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: here, To: &chat.User{ID: 101}, Direct: true, Receipt: "r"}}})
				time.Sleep(time.Minute)
				if got := heard.All(); len(got) != 1 || got[0].Kind != one.want || got[0].Data != "r" {
					t.Errorf("%s refused by %+v: the bot hears %+v", kind, one, got)
				}
				h.server.SetFaults(discordtest.Faults{})
				h.end()
			})
		}
	}
}
