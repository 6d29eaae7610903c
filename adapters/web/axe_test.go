//go:build browser

package web

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axed is what axe finds on a page. While it looks, cards have nothing in them: it would look at those drawings for seconds, which nobody
// hears, and whether they can be read is for TestTable.
const axed = `(async () => {
	const cards = [...document.querySelectorAll(".card[aria-hidden=true]")].map((card) => [card, [...card.childNodes]]);
	for (const [card] of cards) card.replaceChildren();
	for (const more of document.querySelectorAll("details")) more.open = true;
	const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
	const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
	for (const [card, drawing] of cards) card.replaceChildren(...drawing);
	return violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + " " + n.html.slice(0, 200) + "; " + n.failureSummary));
})()`

// axe fails the test if axe finds anything on the page, or on the one in a frame of it: in light and dark, on a desk and on a phone.
func (s *seat) axe(what string) {
	s.t.Helper()
	source, err := os.ReadFile("testdata/node_modules/axe-core/axe.min.js")
	if err != nil {
		s.t.Fatalf("%v; install it: npm ci --prefix adapters/web/testdata", err)
	}
	apart := s.apart()
	s.run(chromedp.Evaluate[chromedp.Void](string(source), apart))
	for i, scheme := range []string{"light", "dark", "dark", "light"} {
		size := [][2]int64{{desktopWidth, desktopHeight}, {phoneWidth, phoneHeight}}[i/2]
		s.look(size[0], size[1], scheme)
		found, err := chromedp.Run(s.ctx, chromedp.Evaluate[[]string](axed, apart, chromedp.EvalAwaitPromise))
		if err != nil {
			s.t.Fatal(err)
		}
		if len(found) > 0 {
			s.shot("axe")
			s.t.Errorf("%s at %v, %s: %s", what, size, scheme, strings.Join(found, "\n"))
		}
	}
}

// apart has scripts run beside those of the page, or of the one in a frame of it: they share the document, and neither variables nor clocks.
func (s *seat) apart() chromedp.EvaluateOption {
	s.t.Helper()
	all, err := chromedp.Call(s.ctx, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		s.t.Fatal(err)
	}
	tree := all.FrameTree
	if len(tree.ChildFrames) > 0 {
		tree = tree.ChildFrames[0]
	}
	world, err := chromedp.Call(s.ctx, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: tree.Frame.ID})
	if err != nil {
		s.t.Fatal(err)
	}
	return func(p *runtime.EvaluateParams) { p.ContextID = world.ExecutionContextID }
}

// TestDialogs has axe look at all that may lie over a table.
func TestDialogs(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1), "Аня")
	open := `document.querySelector("dialog[open]")`
	closes := func(what string) {
		t.Helper()
		ann.until(open)
		ann.axe(what)
		ann.eval(`for (const box of document.querySelectorAll("dialog[open]")) box.close("")`)
		ann.until(`!` + open)
	}
	ann.say("/patience tecza deal=7")
	ann.reads(".tbl h2", "Радуга")
	ann.deals()
	ann.does("giveup")
	ann.until(open + `&& (document.querySelector("#told .danger").click(), true)`)
	ann.phase("ended")
	ann.say("/zevaka")
	ann.phase("lobby")
	at := value[string](ann, `location.hash`)
	ann.reload() // The pictures of Home are not there.
	ann.phase("lobby")
	for _, over := range []string{"games", "settings", "invite", "day", "history", "me", "scores", "stats", "ledger"} {
		ann.eval(`location.hash = ` + quote(at+"&"+over))
		closes(over)
	}
	ann.does("rules")
	closes("rules")
	ann.does("stop")
	closes("closing a table")
	ann.say("/file")
	ann.say("/help")
	closes("help")
	ann.say("/which")
	ann.until(open)
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open`)
	closes("a question")
	ann.eval(`document.querySelector("#talk").hidden && document.querySelector("#talkopen").click()`)
	ann.fill("#text", "/")
	ann.until(`!document.querySelector("#options").hidden`)
	ann.axe("the talk")
	ann.calm()

	bob := c.open(h.url)
	bob.until(`document.querySelector(".tables li")`)
	bob.say("Кто здесь?")
	bob.until(`document.querySelector("#who").open`)
	bob.axe("who one is")
}
