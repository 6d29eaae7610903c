package telegramtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Login is the initData that the person's client gives to a page of the bot's. They open the page now, by a link or a button with the
// payload start.
func (u *User) Login(start string) string {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	u.s.lastQuery++
	user, err := json.Marshal(u.body())
	if err != nil {
		panic(err) // It is made of strings and numbers.
	}
	fields := map[string]string{
		"query_id": "AAH" + strconv.FormatInt(u.s.lastQuery, 36), "user": string(user), "auth_date": strconv.FormatInt(time.Now().Unix(), 10),
		"chat_type": "sender", "chat_instance": strconv.FormatInt(-u.ID, 10), "signature": "of-another-key",
	}
	if start != "" {
		fields["start_param"] = start
	}
	return SignLogin(u.s.opts.Token, fields)
}

// SignLogin is a login with these fields as Telegram would sign it for the bot with the token.
func SignLogin(token string, fields map[string]string) string {
	all := url.Values{}
	var lines []string
	for name, value := range fields {
		all.Set(name, value)
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	sign := func(key []byte, text string) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	all.Set("hash", hex.EncodeToString(sign(sign([]byte("WebAppData"), token), strings.Join(lines, "\n"))))
	return escaped(all)
}

// Open is the address that the person's client shows in a frame when they press a button that opens a page. In a private chat the
// button has that address; a link has the app's, which @BotFather knows. The client adds the login to the address, as Telegram's
// client for browsers does.
func (u *User) Open(app string, b Button) string {
	address, start := b.App, ""
	if address == "" {
		start = b.Start()
		address = app + "?" + escaped(url.Values{"tgWebAppStartParam": {start}})
	}
	known := url.Values{
		"tgWebAppData": {u.Login(start)}, "tgWebAppVersion": {"9.1"}, "tgWebAppPlatform": {"web"},
		"tgWebAppThemeParams": {`{"bg_color":"#ffffff","text_color":"#000000","button_color":"#3390ec","button_text_color":"#ffffff"}`},
	}
	if start != "" {
		known.Set("tgWebAppStartParam", start)
	}
	return address + "#" + escaped(known)
}

// escaped is values encoded as Telegram's clients encode them, with %20 for a space.
func escaped(values url.Values) string { return strings.ReplaceAll(values.Encode(), "+", "%20") }

// Start is the payload that the button gives to the page that it opens; empty if there is none.
func (b Button) Start() string {
	address, name := b.URL, "startapp"
	if b.App != "" {
		address, name = b.App, "start"
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get(name)
}
