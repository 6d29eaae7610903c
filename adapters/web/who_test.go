//go:build browser

package web

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"zevaka/engine/enginetest"
)

const secret = `sessionStorage.getItem("zevaka.tab")`

// TestRoomRemembers: who closes the tab comes back to their seat; another one in the same browser is somebody else.
func TestRoomRemembers(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.start("Зевака")
	ann.phase("lobby")
	hers := value[string](ann, secret)
	ann.reload()
	ann.phase("lobby")
	if value[string](ann, secret) != hers {
		t.Error("a reload makes Аня somebody else")
	}

	// While her tab stands nobody else is offered to be her.
	other := c.join(h.url, "Боря")
	if value[string](other, secret) == hers {
		t.Error("two tabs are one person")
	}
	if strings.Contains(value[string](other, `document.documentElement.outerHTML + location.href`), hers) {
		t.Error("Аня's secret is on Боря's page")
	}
	another := c.open(h.url + "#new")
	another.until(`document.querySelector("#none")?.innerText === "" || document.querySelector(".tables li")`)
	if value[bool](another, `Boolean(document.querySelector("#goon button"))`) || !value[bool](another, `location.hash === ""`) {
		t.Error("somebody new is offered to be who is here")
	}

	closed(t, ann)
	back := c.open(h.url)
	back.press("Продолжить как Аня")
	back.phase("lobby")
	back.until(`document.querySelector("#myname").textContent === "Аня" && document.querySelector(".chair").innerText.includes("(вы)")`)
	if value[string](back, secret) != hers {
		t.Error("whoever goes on as Аня is somebody else")
	}

	// A copy of a tab is somebody new.
	copied := c.open("http://" + h.addr + "/healthz")
	copied.eval(`sessionStorage.setItem("zevaka.tab", ` + quote(hers) + `); sessionStorage.setItem("zevaka.name", "Аня"); location.href = "/"`)
	copied.until(`document.querySelector("#myname") && ` + secret + ` !== ` + quote(hers) + ` && document.querySelector("#myname").textContent === ""`)
	back.say("это я")
	back.reads("#log", "это я")
	for _, s := range []*seat{back, other, another} {
		s.calm()
	}
}

// closed closes a tab.
func closed(t *testing.T, s *seat) {
	t.Helper()
	if err := chromedp.Cancel(s.ctx); err != nil {
		t.Fatal(err)
	}
}

// TestManyTabs: a browser allows six connections to one host, and must not run out of them.
func TestManyTabs(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	var tabs []*seat
	for _, name := range []string{"Аня", "Боря", "Вика", "Гриша", "Даша", "Егор", "Жанна", "Зоя"}[:enginetest.Bound(7, 8)] {
		tabs = append(tabs, c.join(h.url, name))
	}
	for _, tab := range tabs {
		tab.say("здесь")
	}
	tabs[0].until(`document.querySelectorAll("#log .said").length === ` + strconv.Itoa(len(tabs)))
}

// TestRoomInvites: with the link one comes to the table; a room that is alone says so.
func TestRoomInvites(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1), "Аня")
	ann.start("Зевака")
	ann.phase("lobby")
	ann.eval(`document.querySelector("#call").click()`)
	ann.until(`document.querySelector("#qr").naturalWidth > 0 && document.querySelector("#link").value.includes("#table=")`)
	ann.shot("invite")
	ann.fits("invitation")
	bob := c.open(value[string](ann, `document.querySelector("#link").value`))
	bob.phase("lobby")
	bob.reads("#bar", "Вы смотрите")
	bob.shot("watching-lobby")
	bob.does("join")
	bob.until(`document.querySelector("#who").open`)
	bob.press("Боря")
	bob.key("Enter")
	ann.until(`document.querySelectorAll(".chair:not(.free)").length === 2`)
	bob.until(`document.querySelector("#bar").innerText === ""`)
	ann.press("Закрыть")

	alone := &house{t: t}
	alone.start(&dealer{})
	t.Cleanup(func() { alone.end() })
	eve := c.open(alone.url)
	eve.until(`document.querySelector("#about").innerText`)
	eve.eval(`document.querySelector("#invite").click()`)
	eve.reads("#invitetext", "--room-open")
	if value[bool](eve, `document.querySelector("#invitation").checkVisibility()`) {
		t.Error("a room that is alone invites")
	}
	for _, s := range []*seat{ann, bob, eve} {
		s.calm()
	}
}
