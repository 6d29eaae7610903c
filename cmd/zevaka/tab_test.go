//go:build browser && unix

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"zevaka/adapters/browsertest"
)

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
	// left ends a wait for what was in the frame before, which never answers; nil at first.
	left func()
	// wrong is what the page threw, and what it tried that its policy forbids.
	wrong []string
}

// longest is how long a page may take for anything.
const longest = 30 * time.Second

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
				if c.left != nil {
					c.left()
				}
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
	c.inject(browsertest.Clock)
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
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()
	for {
		soon, enough := context.WithCancel(ctx)
		c.mu.Lock()
		frame := c.frame
		c.left = enough
		c.mu.Unlock()
		_, err := chromedp.Run(soon, chromedp.Evaluate[bool]("clock.until(() => ("+expression+"))", chromedp.EvalAwaitPromise,
			func(p *runtime.EvaluateParams) { p.UniqueContextID = frame }))
		late := soon.Err() != nil
		enough()
		switch {
		case err == nil:
			return
		case ctx.Err() != nil:
			c.t.Fatalf("waited in vain for %s (%v)\n%s\n%s", expression, err, c.text(), c.complaints())
		case !late && !frameGone(err):
			c.t.Fatalf("%s: %v\n%s", expression, err, c.complaints())
		}
	}
}

// frameGone says whether a page isn't there any more, or not yet, to answer.
func frameGone(err error) bool {
	return strings.Contains(err.Error(), "context") || strings.Contains(err.Error(), "uniqueContextId") || strings.Contains(err.Error(), "navigated")
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
