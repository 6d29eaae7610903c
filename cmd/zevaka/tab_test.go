//go:build browser && unix

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "a folder for pictures of the pages that are tested")

// tab is somebody's browser, with a platform's client in it that shows the table's page in a frame; or the window of a client that
// shows that page alone.
type tab struct {
	t   *testing.T
	ctx context.Context
	// origin is the page's.
	origin string

	mu sync.Mutex
	// frame is where the page's scripts run now.
	frame string
	// hidden says that its person doesn't see it.
	hidden bool
	// wrong is what the page threw, and what it tried that its policy forbids.
	wrong []string
}

// longest is how long a page may take for anything.
const longest = time.Minute

func (f *front) open(lang string) *tab {
	f.t.Helper()
	c := &tab{t: f.t, ctx: browser.Window(f.t, func(p *target.CreateBrowserContextParams) { p.ProxyServer = f.proxy })}
	err := chromedp.Listen(c.ctx, func(e any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExecutionContextCreated:
			if e.Context.Origin == c.origin {
				c.frame = e.Context.UniqueID
			}
		case *runtime.EventExceptionThrown:
			c.wrong = append(c.wrong, e.ExceptionDetails.Text)
			if thrown := e.ExceptionDetails.Exception; thrown != nil {
				c.wrong = append(c.wrong, thrown.Description)
			}
		case *log.EventEntryAdded:
			if e.Entry.Source == "security" {
				c.wrong = append(c.wrong, e.Entry.Text)
			}
		}
	})
	if err != nil {
		f.t.Fatal(err)
	}
	c.run(chromedp.EmulateViewport(360, 740))
	c.inject(`Object.defineProperty(navigator, "languages", { get: () => ["` + lang + `"] })`)
	return c
}

// inject has a script run before those of each page.
func (c *tab) inject(script string) {
	c.t.Helper()
	if _, err := chromedp.Call(c.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		c.t.Fatalf("%v\n%s", err, c.complaints())
	}
}

// host does something in the client around the page.
func (c *tab) host(script string) {
	c.t.Helper()
	c.run(chromedp.Evaluate[chromedp.Void](script))
}

// in runs an expression on the page.
func in[T any](c *tab, expression string) (T, error) {
	c.mu.Lock()
	frame := c.frame
	c.mu.Unlock()
	if frame == "" {
		var none T
		return none, fmt.Errorf("there is no page of %s", c.origin)
	}
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) { p.UniqueContextID = frame }))
}

// until waits until an expression of the page's is true.
func (c *tab) until(expression string) {
	c.t.Helper()
	c.wait(expression, func() (bool, error) { return in[bool](c, "Boolean("+expression+")") })
}

func (c *tab) wait(what string, ok func() (bool, error)) {
	c.t.Helper()
	for end := time.Now().Add(longest); ; time.Sleep(20 * time.Millisecond) {
		is, err := ok()
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			text := c.text()
			c.shot("failed-" + strings.ReplaceAll(c.t.Name(), "/", "-"))
			c.t.Fatalf("waited in vain for %s (%v)\n%s\n%s", what, err, text, c.complaints())
		}
	}
}

// text is what stands on the page, and what it offers.
func (c *tab) text() string {
	text, err := in[string](c, `document.body.innerText + JSON.stringify([...document.querySelectorAll(".tbl button")].map((b) => b.act?.token))`)
	if err != nil {
		return err.Error()
	}
	return text
}

// complaints are what the page did wrong.
func (c *tab) complaints() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.wrong, "\n")
}

// shot leaves a picture of the tab in the folder that -shots names.
func (c *tab) shot(name string) {
	c.t.Helper()
	dir := *shots
	if dir == "" {
		return
	}
	png, err := chromedp.Run(c.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		c.t.Errorf("keep a picture: %v", err)
	}
}

// act presses the button of the table that does something now, by its verb and what it is done to.
func (c *tab) act(do string) {
	c.t.Helper()
	c.until(offered(do) + `.some((b) => (b.click(), true))`)
}

// offers waits until there is such a button.
func (c *tab) offers(do string) {
	c.t.Helper()
	c.until(offered(do) + `.length`)
}

// offered are the buttons of a table that do something now.
func offered(do string) string {
	verb, to, aimed := strings.Cut(do, " ")
	if !aimed {
		to = "0"
	}
	return fmt.Sprintf(`[...document.querySelectorAll(".tbl button")].filter((b) => b.act && b.act.do === %q && (!%t || (b.act.to || 0) === %s) && !b.act.later &&
		b.getAttribute("aria-disabled") !== "true" && b.getClientRects().length)`, verb, aimed, to)
}

// navigate opens a page.
func (c *tab) navigate(address string) {
	c.t.Helper()
	c.run(chromedp.Navigate(address))
}
