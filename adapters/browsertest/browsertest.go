// Package browsertest has a real Chromium for tests, and pages that play the clients which show the live table in a frame.
package browsertest

import (
	"context"
	"embed"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// Browser is the first Chromium found in the path, which is the one without windows of its own where there is such: that takes half
// the time. It starts when the first window is wanted. The zero Browser is ready.
type Browser struct {
	// Flags are what it is started with beside what every one is; set them before the first window.
	Flags map[string]any

	once sync.Once
	ctx  context.Context
	err  error
	end  func()
}

// Window opens a window for a test, which knows nothing of the others; it closes when the test ends. Without a Chromium the test
// fails.
func (b *Browser) Window(t testing.TB, how ...chromedp.CreateBrowserContextOption) context.Context {
	t.Helper()
	path := find(t)
	b.once.Do(func() { b.err = b.launch(path) })
	if b.err != nil {
		t.Fatalf("start %s: %v", path, b.err)
	}
	ctx, done := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(how...))
	t.Cleanup(done)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a window: %v", err)
	}
	return ctx
}

// Close ends the browser, if it was started.
func (b *Browser) Close() {
	if b.end != nil {
		b.end()
	}
}

func (b *Browser) launch(path string) error {
	folder, err := os.MkdirTemp("", "zevaka-browser-")
	if err != nil {
		return err
	}
	opts := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(folder),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("accept-lang", "ru-RU,ru"),
	}
	for name, value := range b.Flags {
		opts = append(opts, chromedp.Flag(name, value))
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, closeAll := chromedp.NewContext(alloc)
	b.ctx = ctx
	b.end = func() {
		closeAll()
		stop()
		_ = os.RemoveAll(folder) // A browser that still ends may write into it.
	}
	return chromedp.Do(ctx)
}

func find(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium in the path; install it (Debian: apt-get install chromium-headless-shell)")
	return ""
}

//go:embed hosts
var hosts embed.FS

// Host is a page that plays a client: "telegram" plays Telegram's in the browser, "discord" Discord's. What they show and say
// their scripts tell: launch and show open the table's page in a frame, got is what that said.
func Host(client string) []byte {
	text, err := hosts.ReadFile("hosts/" + client + ".html")
	if err != nil {
		panic(err) // There are two.
	}
	return text
}
