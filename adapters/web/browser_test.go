//go:build browser

package web

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"zevaka/adapters/browsertest"
	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// The browser tests drive a real Chromium (see browsertest). With -shots they leave pictures, to be looked at.

var (
	shots = flag.String("shots", "", "a folder for pictures of the pages that are tested")
	deals = flag.Uint64("deals", 1, "what the games on the pages that are tested are dealt by")
)

// chromium is a window for one test; its tabs are people.
type chromium struct {
	t   *testing.T
	ctx context.Context
}

func startChromium(t *testing.T) *chromium {
	t.Helper()
	return &chromium{t, shared.Window(t)}
}

// shared is the browser of all tests.
var shared = browsertest.Browser{Flags: map[string]any{"host-resolver-rules": "MAP cdn.discordapp.com ~NOTFOUND"}} // It asks nobody outside.

func TestMain(m *testing.M) {
	makePages()
	code := enginetest.Main(m)
	shared.Close()
	os.Exit(code)
}

// seat is one tab of the browser.
type seat struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	thrown []string
}

func (s *seat) complain(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.thrown = append(s.thrown, what)
}

func describe(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	return e.Text
}

// errors are what the page complained of.
func (s *seat) errors() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.thrown, "\n")
}

// The sizes of screens.
const (
	phoneWidth, phoneHeight     = 360, 740
	desktopWidth, desktopHeight = 1280, 800
)

// stranger has a tab be that of somebody new, who hasn't been in this browser before.
const stranger = `try {
	sessionStorage["zevaka.tab"] ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
} catch {}`

// open opens a tab for somebody new, as wide as a phone.
func (c *chromium) open(url string) *seat { return c.tab(url, stranger) }

// tab opens a tab, as wide as a phone, in which those scripts are run before the page's.
func (c *chromium) tab(url string, scripts ...string) *seat {
	c.t.Helper()
	ctx, done := chromedp.NewContext(c.ctx)
	c.t.Cleanup(done)
	if err := chromedp.Do(ctx); err != nil {
		c.t.Fatalf("open a tab: %v", err)
	}
	s := &seat{t: c.t, ctx: ctx}
	err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			s.complain(describe(e.ExceptionDetails))
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				s.complain("an error in the console")
			}
		}
	})
	if err != nil {
		c.t.Fatalf("listen to a tab: %v", err)
	}
	s.paint("light")
	for _, script := range append(scripts, browsertest.Clock) {
		s.script(script)
	}
	s.run(chromedp.EmulateViewport(phoneWidth, phoneHeight), chromedp.Navigate(url))
	return s
}

// script has a script be run before those of the pages to come.
func (s *seat) script(source string) {
	s.t.Helper()
	if _, err := chromedp.Call(s.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: source}); err != nil {
		s.t.Fatal(err)
	}
}

// join opens a tab and gives it a name.
func (c *chromium) join(url, name string) *seat {
	c.t.Helper()
	s := c.open(url)
	s.named(name)
	return s
}

// named gives somebody new a name.
func (s *seat) named(name string) {
	s.t.Helper()
	s.until(`document.querySelector("#none")?.innerText || document.querySelector(".tbl h2")?.innerText`)
	s.eval(`document.querySelector("#me").click()`)
	s.until(`document.querySelector("#who").open`)
	s.fill("#name", name)
	s.key("Enter")
	s.until(`!document.querySelector("#who").open && document.querySelector("#people").textContent.includes(` + quote(name) + `)`)
}

func quote(s string) string {
	return fmt.Sprintf("%q", s)
}

func (s *seat) run(steps ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, longest)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		s.t.Fatalf("%v\n%s", err, s.errors())
	}
}

// longest is how long a test waits for a page before it gives up.
const longest = 30 * time.Second

// posture is how the page stands: its clock, whether it is seen, and what moves.
const posture = `JSON.stringify({ clock: clock.now(), seen: document.visibilityState, moving: document.getAnimations().map((a) => [a.playState, a.currentTime]) })`

// until waits until a JavaScript expression is true.
func (s *seat) until(expression string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, longest)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("clock.until(() => ("+expression+"))", chromedp.EvalAwaitPromise))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !away(err) {
			s.shot("failed")
			s.t.Fatalf("waited in vain for %s (%v)\n%s\n%s\n%s", expression, err, s.text("body"), value[string](s, posture), s.errors())
		}
	}
}

// away says whether a page wasn't there any more to answer: another one is.
func away(err error) bool {
	return strings.Contains(err.Error(), "context") || strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "clock is not defined")
}

// value is what a JavaScript expression is.
func value[T any](s *seat, expression string) T {
	s.t.Helper()
	v, err := chromedp.Run(s.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		s.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// eval does something on the page.
func (s *seat) eval(script string) {
	s.t.Helper()
	s.run(chromedp.Evaluate[chromedp.Void](script))
}

func (s *seat) text(selector string) string {
	s.t.Helper()
	return value[string](s, `document.querySelector(`+quote(selector)+`)?.innerText ?? ""`)
}

// reads waits until a text stands somewhere.
func (s *seat) reads(selector, text string) {
	s.t.Helper()
	s.until(`[...document.querySelectorAll(` + quote(selector) + `)].some((e) => e.innerText.includes(` + quote(text) + `))`)
}

func (s *seat) click(selector string) {
	s.t.Helper()
	s.run(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// press clicks the button of the page with this label, as soon as it can be pressed.
func (s *seat) press(label string) {
	s.t.Helper()
	s.until(`(() => { const b = [...document.querySelectorAll("button")].find((b) => b.checkVisibility() && b.getAttribute("aria-disabled") !== "true" && [b.innerText.trim(), b.ariaLabel].includes(` + quote(label) + `));
		b?.click(); return b; })()`)
}

func (s *seat) fill(selector, text string) {
	s.t.Helper()
	s.eval(`{const e = document.querySelector(` + quote(selector) + `); e.focus(); e.select()}`)
	if _, err := chromedp.Call(s.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		s.t.Fatalf("type %q: %v", text, err)
	}
}

// say types a line and sends it.
func (s *seat) say(line string) {
	s.t.Helper()
	s.eval(`document.querySelector("#talk").hidden && document.querySelector("#talkopen").click()`)
	s.fill("#text", line)
	s.key("Enter")
}

// key presses a key of the keyboard, as a person does: what the page makes of the key alone, and what it types.
func (s *seat) key(name string) {
	s.t.Helper()
	codes := map[string]int64{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
	p := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: name, Text: name}
	if code, ok := codes[name]; ok {
		p.Code, p.WindowsVirtualKeyCode, p.Text = name, code, ""
	}
	if name == "Enter" {
		p.Text = "\r"
	}
	for _, p.Type = range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		if _, err := chromedp.Call(s.ctx, input.DispatchKeyEvent, p); err != nil {
			s.t.Fatalf("press the key %q: %v", name, err)
		}
		p.Text = ""
	}
}

// reload loads the page again, and waits until it is another one.
func (s *seat) reload() {
	s.t.Helper()
	s.run(chromedp.Reload())
	s.until(`document.readyState === "complete"`)
}

// look sets the size of the screen and the system's colours.
func (s *seat) look(width, height int64, scheme string) {
	s.t.Helper()
	s.run(chromedp.EmulateViewport(width, height))
	s.until(fmt.Sprintf("innerWidth === %d && innerHeight === %d", width, height))
	s.paint(scheme)
	s.frames()
}

// frames waits until what has changed is laid out.
func (s *seat) frames() {
	s.t.Helper()
	s.run(chromedp.Evaluate[chromedp.Void](`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise))
}

// paint sets the system's colours, of a system in which nothing moves.
func (s *seat) paint(scheme string) {
	s.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}
	if _, err := chromedp.Call(s.ctx, emulation.SetEmulatedMedia, media); err != nil {
		s.t.Fatalf("set the colours: %v", err)
	}
}

// fits fails the test if anything is wider than the screen.
func (s *seat) fits(what string) {
	s.t.Helper()
	for _, box := range []string{"html", "#hall", ".tbl", "#log"} {
		if over := value[int](s, `(e => e ? e.scrollWidth - e.clientWidth : 0)(document.querySelector("`+box+`"))`); over > 0 {
			s.shot("too-wide")
			s.t.Errorf("%s: %s is %d pixels too wide", what, box, over)
		}
	}
}

// shot leaves a picture of the page, if pictures are wanted.
func (s *seat) shot(name string) {
	s.t.Helper()
	dir := *shots
	if dir == "" {
		return
	}
	s.frames()
	png, err := chromedp.Run(s.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		s.t.Errorf("keep a picture: %v", err)
	}
}

// calm fails the test if the page has thrown anything.
func (s *seat) calm() {
	s.t.Helper()
	if thrown := s.errors(); thrown != "" {
		s.t.Errorf("the page threw: %s", thrown)
	}
}

// outside serves on this machine's network until the test ends: for a browser.
func outside(t *testing.T, h http.Handler) *site {
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return &site{Client: srv.Client(), URL: srv.URL}
}

// dealt makes the secret seeds of a test's games, one after the other; a test that fails says how to deal them again.
func dealt(t *testing.T) func() engine.Seed {
	var n atomic.Uint64
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("dealt by -deals %d", *deals)
		}
	})
	return func() (seed engine.Seed) {
		binary.BigEndian.PutUint64(seed[:], *deals)
		binary.BigEndian.PutUint64(seed[8:], n.Add(1))
		return seed
	}
}
