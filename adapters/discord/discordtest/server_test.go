package discordtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"zevaka/adapters/discord/discordtest"
)

// bot is the smallest bot there is: it identifies, and the test makes its calls.
type bot struct {
	t      *testing.T
	server *discordtest.Server
	client *http.Client
}

func connect(t *testing.T, o discordtest.Options) *bot {
	t.Helper()
	o.Memory = true
	s := discordtest.New(t, o)
	b := &bot{t, s, &http.Client{Transport: &http.Transport{DialContext: s.Dial}}}
	ws, _, err := (&websocket.Dialer{NetDialContext: s.Dial}).DialContext(t.Context(), strings.Replace(s.URL(), "http", "ws", 1)+"/gw", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	identify := fmt.Sprintf(`{"op":2,"d":{"token":"Bot %s","intents":1,"properties":{}}}`, discordtest.Token)
	if err := ws.WriteMessage(websocket.TextMessage, []byte(identify)); err != nil {
		t.Fatal(err)
	}
	s.Until("it is connected", func() bool { return s.Connected() == 1 })
	return b
}

// call makes a call and returns its status and answer.
func (b *bot) call(method, path, body string) (int, string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, b.server.URL()+"/api/v9"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+discordtest.Token)
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	resp, err := b.client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

var somebody = discordtest.User{ID: "101", Name: "somebody", Locale: "ru"}

const nobodyNotified = `"allowed_mentions":{"parse":[]}`

// TestBodies sends what Discord takes, and what it doesn't.
func TestBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		button := func(id, label string) string {
			return fmt.Sprintf(`{"type":2,"style":1,"label":%q,"custom_id":%q}`, label, id)
		}
		rows := func(rows ...string) string {
			return `"components":[` + strings.Join(rows, ",") + `],"content":"x",` + nobodyNotified
		}
		row := func(buttons ...string) string { return `{"type":1,"components":[` + strings.Join(buttons, ",") + `]}` }
		one := row(button("a", "A"))
		list := func(more string, options ...string) string {
			return fmt.Sprintf(`{"type":3,"custom_id":"l","options":[%s]%s}`, strings.Join(options, ","), more)
		}
		option := func(value, label string) string { return fmt.Sprintf(`{"value":%q,"label":%q}`, value, label) }
		many := slices.Collect(func(yield func(string) bool) {
			for n := range 26 {
				if !yield(option(strconv.Itoa(n), "x")) {
					return
				}
			}
		})
		for _, body := range []struct {
			text string
			bad  bool
		}{
			{text: rows(one)},
			{text: `"content":"x"`, bad: true},
			{text: `"content":"x","allowed_mentions":{"parse":["everyone"]}`, bad: true},
			{text: `"content":"",` + nobodyNotified, bad: true},
			{text: `"content":"` + strings.Repeat("x", 2001) + `",` + nobodyNotified, bad: true},
			{text: `"content":"x","contents":"x",` + nobodyNotified, bad: true},
			{text: rows(row(button("a", "A"), button("a", "B"))), bad: true},
			{text: rows(one, row(button("a", "A"))), bad: true},
			{text: rows(row()), bad: true},
			{text: rows(row(button("a", " "))), bad: true},
			{text: rows(row(button("a", strings.Repeat("x", 81)))), bad: true},
			{text: rows(row(button(strings.Repeat("x", 101), "A"))), bad: true},
			{text: rows(row(button("1", "1"), button("2", "2"), button("3", "3"), button("4", "4"), button("5", "5"), button("6", "6"))), bad: true},
			{text: rows(row(button("1", "1")), row(button("2", "2")), row(button("3", "3")), row(button("4", "4")), row(button("5", "5")), row(button("6", "6"))), bad: true},
			{text: rows(row(list("", many[:25]...)), one)},
			{text: rows(row(list("", many...))), bad: true},
			{text: rows(row(list(""))), bad: true},
			{text: rows(row(list("", many[0], many[0]))), bad: true},
			{text: rows(row(list("", option("", "x")))), bad: true},
			{text: rows(row(list("", option("x", "")))), bad: true},
			{text: rows(row(list("", option(strings.Repeat("x", 101), "x")))), bad: true},
			{text: rows(row(list("", option("x", strings.Repeat("x", 101))))), bad: true},
			{text: rows(row(list(`,"placeholder":"`+strings.Repeat("x", 151)+`"`, many[0]))), bad: true},
			{text: rows(row(list(`,"max_values":2`, many[0]))), bad: true},
			{text: rows(row(list("", many[0]), button("a", "A"))), bad: true},
			{text: rows(row(list("", many[0])), row(list("", many[0]))), bad: true},
			{text: rows(row(`{"type":5,"custom_id":"u"}`)), bad: true},
			{text: rows(row(`{"type":2,"style":5,"label":"A","url":"https://discord.com/x"}`))},
			{text: rows(row(`{"type":2,"style":5,"label":"A","url":"ftp://x"}`)), bad: true},
			{text: rows(row(`{"type":2,"style":5,"label":"A","url":"https://x.y","custom_id":"a"}`)), bad: true},
			{text: rows(row(`{"type":2,"style":1,"label":"A","url":"https://x.y","custom_id":"a"}`)), bad: true},
			{text: `"content":5,` + nobodyNotified, bad: true},
			{text: `"content":"x","flags":"64",` + nobodyNotified, bad: true},
		} {
			b := connect(t, discordtest.Options{})
			i := b.server.Press(somebody, "", "x")
			status, answer := b.call("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", `{"type":4,"data":{`+body.text+`}}`)
			wrong := b.server.Record().Violations
			if body.bad != (len(wrong) > 0) || body.bad != (status == http.StatusBadRequest) {
				t.Errorf("%.200s is answered %d %.300s, wrong is %.500v", body.text, status, answer, wrong)
			}
		}
	})
}

// TestOneAnswer answers twice, too late, to nobody, and with the wrong kind.
func TestOneAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connect(t, discordtest.Options{})
		said := `{"type":4,"data":{"content":"x",` + nobodyNotified + `}}`
		i := b.server.Press(somebody, "", "x")
		path := "/interactions/" + i.ID + "/" + i.Token + "/callback"
		for n, one := range []struct {
			path, body string
			want       string
		}{
			{path, `{"type":8,"data":{"choices":[]}}`, "50035"},
			{"/webhooks/" + discordtest.App + "/" + i.Token, `{"content":"x",` + nobodyNotified + `}`, "10015"},
			{path, said, ""},
			{path, said, "40060"},
			{"/interactions/" + i.ID + "/other/callback", said, "10062"},
			{"/webhooks/" + discordtest.App + "/" + i.Token, `{"content":"x",` + nobodyNotified + `}`, `"id"`},
		} {
			if _, answer := b.call("POST", one.path, one.body); !strings.Contains(answer, one.want) || one.want == "" && answer != "" {
				t.Errorf("answer %d: %s", n, answer)
			}
		}
		time.Sleep(16 * time.Minute)
		if _, answer := b.call("POST", "/webhooks/"+discordtest.App+"/"+i.Token, `{"content":"x",`+nobodyNotified+`}`); !strings.Contains(answer, "50027") {
			t.Errorf("after 16 minutes: %s", answer)
		}
		late := b.server.Press(somebody, "", "x")
		late.Answer()
		if _, answer := b.call("POST", "/interactions/"+late.ID+"/"+late.Token+"/callback", said); !strings.Contains(answer, "10062") {
			t.Errorf("too late: %s", answer)
		}
		r := b.server.Record()
		if len(r.Unanswered) != 1 || len(r.Twice) != 1 {
			t.Errorf("the record: %+v", r)
		}
	})
}

// TestPrivateText says the same to one and to all.
func TestPrivateText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connect(t, discordtest.Options{})
		secret := "семь червей, дама пик и туз бубен"
		i := b.server.Press(somebody, "", "x")
		b.call("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", `{"type":4,"data":{"flags":64,"content":"`+secret+`",`+nobodyNotified+`}}`)
		if wrong := b.server.Record().Violations; len(wrong) > 0 {
			t.Errorf("violations: %v", wrong)
		}
		post := `{"content":"` + secret + `","nonce":"1","enforce_nonce":true,` + nobodyNotified + `}`
		_, first := b.call("POST", "/channels/"+discordtest.Channel+"/messages", post)
		_, second := b.call("POST", "/channels/"+discordtest.Channel+"/messages", post)
		if first != second || !strings.Contains(first, `"id"`) {
			t.Errorf("one nonce makes %s and %s", first, second)
		}
		if wrong := b.server.Record().Violations; len(wrong) != 1 {
			t.Errorf("violations: %v", wrong)
		}
	})
}

// TestCommandsNamed says commands by their IDs: one that is there, under an old ID, which stays, and others.
func TestCommandsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connect(t, discordtest.Options{})
		register := `[{"name":"a","description":"x"},{"name":"b","description":"x"}]`
		_, listed := b.call("PUT", "/applications/"+discordtest.App+"/commands", register)
		var commands []struct{ ID, Name string }
		if err := json.Unmarshal([]byte(listed), &commands); err != nil || len(commands) != 2 {
			t.Fatalf("%s: %v", listed, err)
		}
		b.call("PUT", "/applications/"+discordtest.App+"/commands", register)
		for n, said := range []struct {
			content string
			wrong   int
		}{
			{"</a:" + commands[0].ID + ">", 0}, {"a < b, /a", 0}, {"</a:" + commands[1].ID + ">", 1}, {"</a:>", 1}, {"</c:5>", 1},
		} {
			before := len(b.server.Record().Violations)
			b.call("POST", "/channels/"+discordtest.Channel+"/messages", fmt.Sprintf(`{"content":%q,"nonce":"%d","enforce_nonce":true,%s}`, said.content, n, nobodyNotified))
			if wrong := b.server.Record().Violations; len(wrong)-before != said.wrong {
				t.Errorf("%q: %v", said.content, wrong[before:])
			}
		}
	})
}

// TestCommandsChecked registers what can't be a command.
func TestCommandsChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for body, good := range map[string]bool{
			`[{"name":"good","description":"x","name_localizations":{"ru":"хорошо"}}]`:                        true,
			`[{"name":"Good","description":"x"}]`:                                                             false,
			`[{"name":"two words","description":"x"}]`:                                                        false,
			`[{"name":"a","description":""}]`:                                                                 false,
			`[{"name":"a","description":"x"},{"name":"a","description":"x"}]`:                                 false,
			`[{"name":"a","description":"x","name_localizations":{"ru":"b"}},{"name":"b","description":"x"}]`: false,
			`[{"name":"a","description":"x","options":[{"type":3,"name":"o!","description":"x"}]}]`:           false,
			`[{"name":"a","description":"x","options":[{"type":3,"name":"o","description":"x","autocomplete":true,` + `"choices":[{"name":"x","value":"x"}]}]}]`: false,
		} {
			b := connect(t, discordtest.Options{})
			status, _ := b.call("PUT", "/applications/"+discordtest.App+"/commands", body)
			if (status == http.StatusOK) != good || (len(b.server.Record().Violations) == 0) != good {
				t.Errorf("%s is answered %d", body, status)
			}
		}
	})
}
