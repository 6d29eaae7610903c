//go:build browser

package web

import (
	"strings"
	"testing"

	"zevaka/bot/chat"
)

// TestAdminInTheBrowser: who opens the printed address is the admin, also after a reload; the address bar has the secret
// no longer, and a tab that comes without it, or is a copy, is nobody in particular.
func TestAdminInTheBrowser(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	secret := strings.TrimPrefix(h.admin, h.url+adminMark)
	ann, bob := c.join(h.admin, "Аня"), c.join(h.url, "Боря")
	ann.until(`document.body.classList.contains("admin")`)
	if at := value[string](ann, `location.href + document.referrer`); strings.Contains(at, secret) || !strings.HasPrefix(at, h.url) {
		t.Errorf("the address is %s", at)
	}
	if value[bool](bob, `document.body.classList.contains("admin")`) {
		t.Error("Боря's page shows an admin's star")
	}
	ann.shots("admin")
	ann.click("#me")
	ann.reads("#adminhint", "администратор")
	ann.shots("admin-settings")
	ann.press("Закрыть")
	if value[bool](bob, `document.querySelector("#adminhint").checkVisibility()`) {
		t.Error("Боря is told that he is an admin")
	}
	ann.reload()
	ann.until(`document.body.classList.contains("admin")`)
	ann.say("/stop")
	bob.say("/stop")
	wait(t, func() bool { return len(d.heard.Of(chat.Command)) == 2 })
	for _, r := range d.heard.Of(chat.Command) {
		if r.Who.Admin != (r.Who.Name == "Аня") {
			t.Errorf("%s, admin %v", r.Who.Name, r.Who.Admin)
		}
	}
	bob.eval(`location.hash = ` + quote(adminMark+secret))
	bob.until(`document.body.classList.contains("admin") && !location.href.includes("admin")`)
	h.end()
	h.start(d)
	ann.until(`!document.body.classList.contains("admin")`)
	ann.reads("#alerts", "больше не администратор")
	for _, s := range []*seat{ann, bob} {
		s.calm()
	}
}
