package telegramtest

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// caller makes calls to a server as a bot would.
type caller struct {
	t *testing.T
	s *Server
}

func newCaller(t *testing.T, o Options) *caller {
	t.Helper()
	return &caller{t, New(o)}
}

// call makes a call, and returns what was refused; empty if nothing was.
func (c *caller) call(method string, params ...string) string {
	c.t.Helper()
	form := url.Values{}
	for i := 0; i < len(params); i += 2 {
		form.Set(params[i], params[i+1])
	}
	req := httptest.NewRequest("POST", "/bot"+Token+"/"+method, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	c.s.ServeHTTP(w, req)
	var answer struct {
		OK          bool
		Description string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		c.t.Fatal(err)
	}
	if answer.OK {
		return ""
	}
	return answer.Description
}

func (c *caller) send(chat *Chat, text string, more ...string) string {
	return c.call("sendMessage", append([]string{"chat_id", strconv.FormatInt(chat.ID, 10), "text", text, "parse_mode", "HTML"}, more...)...)
}

func TestGroupBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, Options{})
		g := c.s.NewGroup("Cards")
		for i := range perMinute {
			if got := c.send(g, fmt.Sprint(i)); got != "" {
				t.Fatalf("message %d: %s", i, got)
			}
			time.Sleep(time.Second)
		}
		edit := []string{"chat_id", strconv.FormatInt(g.ID, 10), "message_id", "1", "parse_mode", "HTML", "text", "new"}
		if got := c.call("editMessageText", edit...); got != "Too Many Requests: retry after 41" {
			t.Errorf("one edit too many: %s", got)
		}
		time.Sleep(41 * time.Second)
		if got := c.call("editMessageText", edit...); got != "" {
			t.Errorf("after the time told: %s", got)
		}
		if got := c.call("editMessageText", edit...); !strings.Contains(got, "message is not modified") {
			t.Errorf("the same again: %s", got)
		}
		if r := c.s.Report(); r.Limited != 1 || len(r.Violations) > 0 || r.Busiest != 20 {
			t.Errorf("%+v", r)
		}
	})
}

func TestPresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, Options{})
		ann := c.s.NewUser("Аня", "")
		g := c.s.NewGroup("Cards")
		first, late := ann.Press(Message{Chat: g.ID, ID: 1}, "x"), ann.Press(Message{Chat: g.ID, ID: 1}, "x")
		if got := c.call("getUpdates", "timeout", "1"); got != "" {
			t.Fatal(got)
		}
		for i, want := range []string{"", "query is too old"} {
			if got := c.call("answerCallbackQuery", "callback_query_id", first); !strings.Contains(got, want) || want == "" && got != "" {
				t.Errorf("answer %d: %s", i, got)
			}
		}
		time.Sleep(queryLife + time.Second)
		if got := c.call("answerCallbackQuery", "callback_query_id", late); !strings.Contains(got, "query is too old") {
			t.Errorf("a late answer: %s", got)
		}
		if r := c.s.Report(); r.Doubled != 1 || r.Unanswered != 1 || c.s.Waiting() != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestOffsets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, Options{})
		ann := c.s.NewUser("Аня", "")
		for range 3 {
			ann.Private().Say(ann, "hello")
		}
		for _, step := range []struct{ offset, left int }{{0, 3}, {102, 2}, {102, 2}, {104, 0}} {
			c.call("getUpdates", "timeout", "0", "offset", strconv.Itoa(step.offset))
			if n := c.s.Waiting(); n != step.left {
				t.Errorf("after offset %d there wait %d", step.offset, n)
			}
		}
	})
}

func TestViolations(t *testing.T) {
	c := newCaller(t, Options{})
	g := c.s.NewGroup("Cards")
	chat := strconv.FormatInt(g.ID, 10)
	html := []string{"chat_id", chat, "parse_mode", "HTML"}
	keyboard := func(button string) []string {
		return append(html, "text", "x", "reply_markup", `{"inline_keyboard":[[`+button+`]]}`)
	}
	for _, bad := range []struct {
		method string
		params []string
		want   string
	}{
		{"sendMessages", nil, "no such method"},
		{"sendMessage", html, "text is missing"},
		{"sendMessage", append(html, "text", "x", "message_thread_id", "two"), "message_thread_id is"},
		{"sendMessage", append(html, "text", "x", "disable_web_page_preview", "true"), "no parameter disable_web_page_preview"},
		{"sendMessage", append(html, "text", "<b>x"), "can't find end tag"},
		{"sendMessage", append(html, "text", "a & b"), "unescaped ampersand"},
		{"sendMessage", append(html, "text", strings.Repeat("x", 4097)), "4097 characters"},
		{"sendMessage", keyboard(`{"text":"x"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"","callback_data":"x"}`), "button is called"},
		{"sendMessage", keyboard(`{"text":"x","copy_text":{"text":""}}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","copy_text":{"text":"y"},"callback_data":"x"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","copy_text":{"text":"` + strings.Repeat("a", 257) + `"}}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","callback_data":"` + strings.Repeat("я", 33) + `"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","callback":"x"}`), "reply_markup is"},
		{"sendMessage", keyboard(`{"text":"x","url":"https://t.me/b","web_app":{"url":"https://x.org"}}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","web_app":{"address":"https://x.org"}}`), "reply_markup is"},
		{"sendMessage", keyboard(`{"text":"x","url":"https://t.me/b/app?startapp=a.b"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","url":"https://t.me/b?startapp=` + strings.Repeat("a", 513) + `"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","url":"http://t.me/b?startapp=a"}`), "button map"},
		{"sendMessage", keyboard(`{"text":"x","url":"https://t.me/b?startapp=a&startapp=b"}`), "button map"},
		{"setChatMenuButton", []string{"menu_button", `{"type":"web_app","text":"x","web_app":{"url":"http://x.org"}}`}, "the menu button is"},
		{"setChatMenuButton", []string{"menu_button", `{"type":"web_app","text":"x"}`}, "menu_button is"},
		{"answerCallbackQuery", []string{"callback_query_id", "1", "text", strings.Repeat("я", 201)}, "201 characters"},
		{"answerCallbackQuery", []string{"callback_query_id", "1", "url", "https://example.org"}, "opens"},
		{"setMyCommands", []string{"commands", `[{"command":"Зевака","description":"x"}]`}, "is called"},
		{"setWebhook", []string{"url", "https://x", "secret_token", "a b"}, "secret"},
	} {
		before := len(c.s.Report().Violations)
		c.call(bad.method, bad.params...)
		if found := strings.Join(c.s.Report().Violations[before:], "\n"); !strings.Contains(found, bad.want) {
			t.Errorf("%s %.200q: found %q", bad.method, bad.params, found)
		}
	}
}

// TestButtons refuses the buttons that Telegram refuses: pages open from buttons in private chats alone, and from https.
func TestButtons(t *testing.T) {
	c := newCaller(t, Options{})
	ann := c.s.NewUser("Аня", "")
	ann.Start("")
	group, alone := c.s.NewGroup("Cards"), ann.Private()
	for _, test := range []struct {
		chat         *Chat
		button, want string
	}{
		{alone, `"web_app":{"url":"https://cards.example.org/tg?start=a"}`, ""},
		{group, `"web_app":{"url":"https://cards.example.org/tg?start=a"}`, "BUTTON_TYPE_INVALID"},
		{alone, `"web_app":{"url":"http://cards.example.org/tg"}`, "Only HTTPS links are allowed"},
		{group, `"url":"https://t.me/bot/app?startapp=a_b-C1"`, ""},
		{group, `"url":"https://t.me/bot?startapp=a_b-C1"`, ""},
		{group, `"url":"javascript:alert(1)"`, "BUTTON_URL_INVALID"},
		{group, `"url":"t.me/bot"`, "BUTTON_URL_INVALID"},
	} {
		got := c.send(test.chat, "x", "reply_markup", `{"inline_keyboard":[[{"text":"x",`+test.button+`}]]}`)
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: %s", test.button, got)
		}
	}
	all := alone.Messages()
	if b := all[0].Buttons[0]; b.App != "https://cards.example.org/tg?start=a" || b.Start() != "a" {
		t.Errorf("the button is %+v", b)
	}
	all = group.Messages()
	if b := all[0].Buttons[0]; b.Start() != "a_b-C1" {
		t.Errorf("the button is %+v", b)
	}
}
