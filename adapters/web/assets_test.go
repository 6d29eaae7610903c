package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"zevaka/bot/play"
	"zevaka/bot/words"
)

// maxPage is what a page may weigh, compressed, with all that it loads for somebody who keeps to one language.
const maxPage = 52_800

// maxLater is what it may weigh more with the small pictures of the games, and when somebody watches a game again.
const maxLater = 6_000

// maxFaces is what cards are drawn with, after that.
const maxFaces = 30_000

// TestPicturesOfTexts: the page knows every little picture of the bot's texts, and takes no other out of what somebody is called.
func TestPicturesOfTexts(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("page/parts.js")
	if err != nil {
		t.Fatal(err)
	}
	taken := regexp.MustCompile(`pictures = /\[(.+)\]`).FindSubmatch(script)
	plain := regexp.MustCompile(`plainly = \{(.+)\}`).FindSubmatch(script)
	if taken == nil || plain == nil {
		t.Fatal("the page has no list of pictures")
	}
	known, used := string(taken[1])+string(plain[1])+"🤖", ""
	err = fs.WalkDir(os.DirFS("../../bot"), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".json") || strings.Contains(name, "testdata/") {
			return err
		}
		b, err := os.ReadFile(path.Join("../../bot", name))
		for _, c := range string(b) {
			if picture := c >= 0x1f000 && c <= 0x1faff || strings.ContainsRune("⏱⚡⧉", c); picture && !strings.ContainsRune(used, c) {
				used += string(c)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range used {
		if !strings.ContainsRune(known, c) {
			t.Errorf("the page leaves %c (%U) in what it shows", c, c)
		}
	}
	for _, c := range string(taken[1]) {
		if !strings.ContainsRune(used, c) {
			t.Errorf("the page takes %c (%U) out of names", c, c)
		}
	}
}

func TestPageWeighs(t *testing.T) {
	b := roomBundle()
	b.weigh(t, b.index)
}

// weigh fails the test where a page weighs too much in any language.
func (b *bundle) weigh(t *testing.T, index *document) {
	t.Helper()
	all, most, extra, cards := 0, 0, 0, 0
	count := func(name string, a *asset) int {
		weight := len(a.plain)
		if a.zip != nil {
			weight = len(a.zip)
		}
		t.Logf("%6d of %6d bytes: %s", weight, len(a.plain), name)
		return weight
	}
	all += count(b.root, index.asset)
	for name, a := range b.assets {
		if weight := count(name, a); name == samples || strings.HasPrefix(name, later) && !strings.HasSuffix(name, ".json") {
			extra += weight
		} else if name == "plain.css" {
			// It is for old browsers alone.
		} else if strings.HasPrefix(name, faces+".") {
			cards += weight
		} else if strings.HasSuffix(name, ".json") {
			most = max(most, weight)
		} else {
			all += weight
		}
	}
	if t.Logf("%6d bytes with the words of one language", all+most); all+most > maxPage {
		t.Errorf("%d bytes, at most %d", all+most, maxPage)
	}
	if cards > maxFaces {
		t.Errorf("%d bytes for cards, at most %d", cards, maxFaces)
	}
	if extra > maxLater {
		t.Errorf("%d bytes more later, at most %d", extra, maxLater)
	}
}

// TestPageIsJoined looks at every module, also at one that no page needs yet.
func TestPageIsJoined(t *testing.T) {
	files := pageFiles()
	var mains []string
	err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".js") {
			mains = append(mains, name)
		}
		return err
	})
	if err != nil || len(mains) < 10 {
		t.Fatal(mains, err)
	}
	for _, main := range mains {
		if _, err := joined(files, main); err != nil {
			t.Error(err)
		}
	}
}

func TestPageSpeaksTheBotsLanguages(t *testing.T) {
	script, err := fs.ReadFile(pageFiles(), "words.js")
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	languages := regexp.MustCompile(`(?m)^export const languages = (.*)$`).Find(script)
	for _, found := range regexp.MustCompile(`(\w+): "`).FindAllSubmatch(languages, -1) {
		tags = append(tags, string(found[1]))
	}
	if want := words.Tags(); !slices.Equal(tags, want) {
		t.Errorf("words.js knows %q, the bot %q", tags, want)
	}
	all := []string{"words", "doorwords"}
	want := keys(t, tags[0], all)
	var signs []string
	for _, code := range play.Signs() {
		signs = append(signs, "signs."+code)
	}
	slices.Sort(signs)
	if got := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return !strings.HasPrefix(name, "signs.") }); !slices.Equal(got, signs) {
		t.Errorf("the page says %q at a table, the bot lets %q be said", got, signs)
	}
	for _, tag := range tags[1:] {
		if got := keys(t, tag, all); !slices.Equal(got, want) {
			t.Errorf("words in %s: %q\nin %s: %q", tag, got, tags[0], want)
		}
		if got, want := keys(t, tag, []string{"replaywords"}), keys(t, tags[0], []string{"replaywords"}); !slices.Equal(got, want) {
			t.Errorf("words of games that are watched again in %s: %q\nin %s: %q", tag, got, tags[0], want)
		}
	}
}

// keys are the names of all that a page says in a language.
func keys(t *testing.T, lang string, folders []string) []string {
	t.Helper()
	text, err := wordsOf(pageFiles(), lang, folders)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var names []string
	var walk func(string, map[string]any)
	walk = func(in string, at map[string]any) {
		for name, what := range at {
			names = append(names, in+name)
			if more, ok := what.(map[string]any); ok {
				walk(in+name+".", more)
			}
		}
	}
	walk("", all)
	slices.Sort(names)
	return names
}

func TestEveryFileOfTheDocumentIsServed(t *testing.T) {
	b := roomBundle()
	named := regexp.MustCompile(`="(a/[^"]+)"`).FindAllStringSubmatch(string(b.index.plain), -1)
	for _, one := range named {
		if one[1] != b.root && b.assets[strings.TrimPrefix(one[1], b.root)] == nil {
			t.Errorf("no %s", one[1])
		}
	}
	if len(named) != 6 {
		t.Errorf("the document names %d files", len(named))
	}
}

// TestOwnColours: each page has colours for the dark, and asks the extension Dark Reader not to make others, and Chrome on Android not to
// darken those that somebody has chosen for the light: black suits can't be told from the card there.
func TestOwnColours(t *testing.T) {
	for name, b := range map[string]*bundle{"the room": roomBundle(), "the door": tgBundle()} {
		for _, tag := range []string{`<meta name="color-scheme" content="light dark">`, `<meta name="darkreader-lock">`} {
			if !strings.Contains(string(b.index.plain), tag) {
				t.Errorf("%s: no %s", name, tag)
			}
		}
		if light := "color-scheme:only light"; !strings.Contains(string(b.assets["page.css"].plain), light) {
			t.Errorf("%s: no %s", name, light)
		}
	}
}

// TestJoin: what can't be joined is refused, and no part of it is left out.
func TestJoin(t *testing.T) {
	for name, test := range map[string]struct {
		modules map[string]string
		want    string // empty for a refusal
	}{
		"modules in folders":        {map[string]string{"m.js": `import { a } from "./t/a.js"; a(1);`, "t/a.js": `import { b } from "../b.js"; export const a = b;`, "b.js": `export const b = alert;`}, "var o=alert;var r=o;r(1);\n"},
		"a module that isn't there": {modules: map[string]string{"m.js": `import { a } from "./a.js"; a();`}},
		"nothing of that name":      {modules: map[string]string{"m.js": `import { a } from "./a.js"; a();`, "a.js": "const a = 1;"}},
		"a foreign module":          {modules: map[string]string{"m.js": `import { a } from "https://example.com/a.js"; a();`}},
		"no script":                 {modules: map[string]string{"m.js": "const = 1;"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for file, text := range test.modules {
				files[file] = &fstest.MapFile{Data: []byte(text)}
			}
			got, err := joined(files, "m.js")
			if refused := test.want == ""; refused != errors.Is(err, errPage) || string(got) != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// fetch asks for an address with headers in pairs, and reads what came as it came.
func fetch(t *testing.T, srv *site, path string, pairs ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range slices.Chunk(pairs, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := srv.Transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, b
}

func TestAssetsAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		root := "/" + roomBundle().root
		for path, life := range map[string]string{
			"/": documentLife, root + "page.js": assetLife, root + "page.css": assetLife, root + "icon.svg": assetLife, root + "ru.json": assetLife,
		} {
			plain, text := fetch(t, srv, path)
			if plain.StatusCode != http.StatusOK || plain.Header.Get("Cache-Control") != life || plain.Header.Get("Content-Encoding") != "" ||
				plain.Header.Get("Content-Security-Policy") != contentPolicy("'none'") || plain.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: %s %v", path, plain.Status, plain.Header)
			}
			zipped, packed := fetch(t, srv, path, "Accept-Encoding", "br, gzip;q=0.8")
			if zipped.Header.Get("Content-Encoding") == "gzip" {
				r, err := gzip.NewReader(bytes.NewReader(packed))
				if err != nil {
					t.Fatal(err)
				}
				if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, text) {
					t.Errorf("%s: unpacked it is something else: %v", path, err)
				}
				if zipped.Header.Get("ETag") == plain.Header.Get("ETag") || zipped.ContentLength != int64(len(packed)) {
					t.Errorf("%s: compressed %v", path, zipped.Header)
				}
			} else if len(text) > 500 {
				t.Errorf("%s is not compressed", path)
			}
			for _, had := range []*http.Response{plain, zipped} {
				tag, coding := had.Header.Get("ETag"), had.Header.Get("Content-Encoding")
				if strings.HasPrefix(tag, "W/") || len(tag) < 10 {
					t.Errorf("%s: tag %s", path, tag)
				}
				again, rest := fetch(t, srv, path, "If-None-Match", tag, "Accept-Encoding", coding)
				if again.StatusCode != http.StatusNotModified || len(rest) > 0 || again.Header.Get("Content-Security-Policy") != contentPolicy("'none'") {
					t.Errorf("%s again: %s %v", path, again.Status, again.Header)
				}
			}
		}
		if resp, _ := fetch(t, srv, "/a/00112233445566778899/page.js"); resp.StatusCode != http.StatusNotFound ||
			resp.Header.Get("Cache-Control") == assetLife || resp.Header.Get("Content-Security-Policy") != contentPolicy("'none'") {
			t.Errorf("another hash: %s %v", resp.Status, resp.Header)
		}
	})
}

func TestTakesGzip(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "deflate, gzip;q=1.0, br": true, "gzip;q=0": false, "gzip; q=0.000": false, "br": false,
		"gzipped": false, "identity;q=1, gzip;q=0.5": true, "gzip;q=x": false,
	} {
		if got := takesGzip(&http.Request{Header: http.Header{"Accept-Encoding": {accept}}}); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
}

// framed is a door whose page may be shown by the test's own hosts.
type framed struct {
	*porter
	frames, origins []string
}

func (f *framed) Frames() []string  { return f.frames }
func (f *framed) Origins() []string { return f.origins }
func (f *framed) Config() any       { return map[string]string{"client_id": "77"} }

func TestDoorPagesWeigh(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/tg", "/dc"} {
		p := newDoorPage(&framed{porter: &porter{path: path}})
		doc, err := p.document()
		if err != nil {
			t.Fatal(err)
		}
		p.weigh(t, doc)
		if text := string(doc.plain); strings.Contains(text, `"a/`) != (path == "/dc") || path == "/tg" && !strings.Contains(text, `"/tg/a/`) {
			t.Errorf("%s: the document names %s", path, text)
		}
	}
}

func TestDoorPageIsServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := gate(t)
		page := newDoorPage(&porter{path: "/one"})
		for path, status := range map[string]int{
			"/one": http.StatusOK, "/one/": http.StatusOK, "/one/" + page.root + "page.js": http.StatusOK, "/one/" + page.root + "page.css": http.StatusOK,
			"/one/a/00112233445566778899/page.js": http.StatusNotFound, "/one/index.html": http.StatusNotFound,
		} {
			resp, text := fetch(t, srv, path)
			if resp.StatusCode != status {
				t.Errorf("%s: %s", path, resp.Status)
			}
			if policy := resp.Header.Get("Content-Security-Policy"); status == http.StatusOK && !strings.Contains(policy, "frame-ancestors https://client.example;") {
				t.Errorf("%s: the policy is %q", path, policy)
			}
			if path == "/one" && !strings.Contains(string(text), `data-hosts="https://client.example"`) {
				t.Errorf("the document doesn't say who may show it: %s", text)
			}
		}
	})
}

// TestPagesTrustNoClock: a visitor's clock may be wrong, and jump. So no page asks what time it is; performance.now counts on from what
// the bot has said.
func TestPagesTrustNoClock(t *testing.T) {
	files := pageFiles()
	paths, err := fs.Glob(files, "*.js")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		if text, err := fs.ReadFile(files, path); err != nil || regexp.MustCompile(`\bDate\b`).Match(text) {
			t.Errorf("%s asks for the time of day; %v", path, err)
		}
	}
}

// TestPlainSheet: a browser that knows neither pairs of colours nor rules within rules is told all in its own words.
func TestPlainSheet(t *testing.T) {
	plain, err := plainly([]byte(`a{color:light-dark(hsl(var(--hue) 60% 26%),#fff);&.b{border:1px solid light-dark(light-dark(#123456,red),#000)}}`))
	if want := "a{color:hsl(var(--hue) 60% 26%)}a.b{border:1px solid #123456}"; err != nil || strings.TrimSpace(string(plain)) != want {
		t.Errorf("%s, %v; wanted %s", plain, err, want)
	}
	for name, b := range map[string]*bundle{"the room": roomBundle(), "the door": tgBundle()} {
		sheet := string(b.assets["plain.css"].plain)
		if strings.Contains(sheet, "light-dark(") || strings.Contains(sheet, "&") || len(sheet) < len(b.assets["page.css"].plain)/2 {
			t.Errorf("%s: %d bytes, of which an old browser doesn't understand some", name, len(sheet))
		}
	}
}
