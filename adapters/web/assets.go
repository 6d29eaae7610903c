package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"zevaka/bot/picture"
	"zevaka/bot/words"
)

//go:embed page
var page embed.FS

// assetLife is for what lies under an address that has a hash of it.
const assetLife = "public, max-age=31536000, immutable"

// assetRoot is the folder of addresses under which a document names what it needs.
const assetRoot = "a/"

// bundle is what a page is made of: one script, one stylesheet, the pictures and the words of each language, all under a path that has a hash of them.
type bundle struct {
	// root is that path, below the document's: "a/1f2e…/".
	root   string
	assets map[string]*asset // by the name below root
	// index is the document that needs them.
	index *document
}

// document is served under an address of its own, and asked for again each time.
type document struct{ *asset }

// asset is something that is served, compressed and as it is.
type asset struct {
	kind       string
	plain, zip []byte
	hash       string
}

// roomBundle is the room's own page. It panics where the page's modules can't be joined.
var roomBundle = sync.OnceValue(func() *bundle {
	b, err := bundled(pageFiles(), "room.js", "index.html", []string{"words"}, "place.css", "style.css", "table.css", "signs.css")
	if err != nil {
		panic(err) // The page is in the program, and TestPageIsJoined has looked at it.
	}
	return b
})

// early is the script that stands in the documents. It panics where the page has none.
var early = sync.OnceValue(func() []byte {
	text, err := fs.ReadFile(pageFiles(), "early.js")
	if err == nil {
		text, err = minified(api.LoaderJS, text)
	}
	if err != nil {
		panic(err) // The page is in the program, and every test looks at it.
	}
	return text
})

// pageFiles is the folder of the page.
func pageFiles() fs.FS {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // The name is a constant, and good.
	}
	return files
}

// bundled makes a bundle of the module main, all that it imports, the stylesheets, the pictures, and of each language the words in
// these folders, for the document index.
func bundled(files fs.FS, main, index string, folders []string, sheets ...string) (*bundle, error) {
	content := map[string][]byte{}
	var err error
	if content["page.js"], err = joined(files, main); err != nil {
		return nil, err
	}
	if content["page.css"], err = styled(files, sheets...); err != nil {
		return nil, err
	}
	if content["plain.css"], err = plainly(content["page.css"]); err != nil {
		return nil, err
	}
	if err := bundleLater(files, content); err != nil {
		return nil, err
	}
	for _, name := range []string{"icon.svg", "icon.png", faces + ".woff2"} {
		if content[name], err = fs.ReadFile(files, name); err != nil {
			return nil, fmt.Errorf("read a picture of the page: %w", err)
		}
	}
	if err := bundleFaces(content); err != nil {
		return nil, err
	}
	for _, lang := range words.Tags() {
		if content[lang+".json"], err = wordsOf(files, lang, folders); err != nil {
			return nil, err
		}
	}
	b := &bundle{assets: map[string]*asset{}}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(content)) {
		a, err := newAsset(name, content[name])
		if err != nil {
			return nil, err
		}
		b.assets[name] = a
		_, _ = fmt.Fprintln(all, name, a.hash)
	}
	b.root = assetRoot + hex.EncodeToString(all.Sum(nil)[:10]) + "/"
	html, err := fs.ReadFile(files, index)
	if err != nil {
		return nil, fmt.Errorf("read a document of the page: %w", err)
	}
	html = bytes.Replace(html, []byte("></script>\n"), slices.Concat([]byte(">"), early(), []byte("</script>\n")), 1)
	a, err := newAsset(index, bytes.ReplaceAll(html, []byte(`="`+assetRoot), []byte(`="`+b.root)))
	b.index = &document{a}
	return b, err
}

// later begins the names of what a page loads only when somebody asks for it: what shows games again that have ended.
const later = "replay"

// samples is what the small pictures of the games show, which a page loads when it stands.
const samples = "samples.json"

// faces begins the names of what cards are drawn with, which is loaded once the page is there. Its typeface is a part of Old Standard,
// whose licence is beside it.
const faces = "cards"

// bundleFaces adds the outlines of the cards, and the ornament on their backs as a picture.
func bundleFaces(content map[string][]byte) (err error) {
	var all map[string]json.RawMessage
	var of struct{ Back struct{ Once, Twice string } }
	for _, into := range []any{&all, &of} {
		if err := json.Unmarshal(picture.Drawings, into); err != nil {
			return fmt.Errorf("read how cards are drawn: %w", err)
		}
	}
	content[faces+".svg"] = fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" preserveAspectRatio="none" fill="#fff" fill-opacity=".6">`+
		`<path d="%s"/><path id="a" d="%s"/><use href="#a" transform="rotate(180 50 70)"/></svg>`, of.Back.Once, of.Back.Twice)
	delete(all, "back")
	delete(all, "about")
	content[faces+".json"], err = json.Marshal(all)
	return err
}

// bundleLater adds what is loaded later.
func bundleLater(files fs.FS, content map[string][]byte) (err error) {
	if content[later+".js"], err = joined(files, later+".js"); err != nil {
		return err
	}
	if content[samples], err = fs.ReadFile(files, samples); err != nil {
		return fmt.Errorf("read what small pictures show: %w", err)
	}
	if content[later+".css"], err = styled(files, later+".css"); err != nil {
		return err
	}
	for _, lang := range words.Tags() {
		if content[later+"-"+lang+".json"], err = wordsOf(files, lang, []string{later + "words"}); err != nil {
			return err
		}
	}
	return nil
}

// wordsOf are the words of a language in these folders, of which a later one has the last word.
func wordsOf(files fs.FS, lang string, folders []string) ([]byte, error) {
	all := map[string]json.RawMessage{}
	for _, folder := range folders {
		text, err := fs.ReadFile(files, folder+"/"+lang+".json")
		if err != nil {
			return nil, fmt.Errorf("read the page's words: %w", err)
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("read the page's words in %s/%s: %w", folder, lang, err)
		}
	}
	return json.Marshal(all)
}

// kinds are what the page's files are, by their endings.
func kinds() map[string]string {
	return map[string]string{
		".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".woff2": "font/woff2",
	}
}

// newAsset compresses content, once. What compression makes no smaller is served as it is.
func newAsset(name string, content []byte) (*asset, error) {
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress %s: %w", name, err)
	}
	if _, err := w.Write(content); err != nil {
		return nil, fmt.Errorf("compress %s: %w", name, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress %s: %w", name, err)
	}
	sum := sha256.Sum256(content)
	a := &asset{kind: kinds()[path.Ext(name)], plain: content, hash: hex.EncodeToString(sum[:10])}
	if zipped.Len() < len(content) {
		a.zip = zipped.Bytes()
	}
	return a, nil
}

// ServeHTTP serves what the bundle holds, for good, and nothing else.
func (b *bundle) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	a := b.assets[strings.TrimPrefix(req.URL.Path, "/"+b.root)]
	if a == nil {
		http.NotFound(w, req)
		return
	}
	a.serve(w, req, assetLife)
}

// documentLife has whoever keeps a document ask whether it is still the same one, and no proxy put anything into it.
const documentLife = "no-cache, no-transform"

// ServeHTTP serves the document: who has it is told so.
func (d *document) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	d.serve(w, req, documentLife)
}

// serve sends an asset as the reader takes it, or says that the reader has it.
func (a *asset) serve(w http.ResponseWriter, req *http.Request, life string) {
	h, content, tag := w.Header(), a.plain, a.hash
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", life)
	h.Add("Vary", "Accept-Encoding")
	if a.zip != nil && takesGzip(req) {
		content, tag = a.zip, a.hash+"-gzip"
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(content)))
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(content))
}

// takesGzip says whether whoever asks reads gzip.
func takesGzip(req *http.Request) bool {
	for one := range strings.SplitSeq(strings.Join(req.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(one, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "gzip" && coding != "x-gzip" {
			continue
		}
		_, q, given := strings.Cut(weight, "=")
		share, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !given || err == nil && share > 0
	}
	return false
}
