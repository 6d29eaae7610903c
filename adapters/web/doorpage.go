package web

import (
	"bytes"
	"html"
	"net/http"
	"strings"
	"sync"

	"zevaka/adapters/door"
)

// doorPage is the page behind a door.
type doorPage struct {
	door.Door
	*bundle
	// base is what the page puts before the addresses it asks for.
	base string
	// pictures are whose pictures of people the page may show.
	pictures []string

	mu sync.Mutex
	// hosts are the origins that the document was made for the last time.
	hosts string
	made  *document
}

// tgBundle and dcBundle are the pages behind the doors of Telegram and of Discord.
var tgBundle, dcBundle = doorBundle("tg.js"), doorBundle("dc.js")

// doorBundle is a page behind a door, made once. It panics where the page's modules can't be joined.
func doorBundle(script string) func() *bundle {
	return sync.OnceValue(func() *bundle {
		b, err := bundled(pageFiles(), script, "door.html", []string{"words", "doorwords"}, "place.css", "table.css", "signs.css", "door.css")
		if err != nil {
			panic(err) // The page is in the program, and TestPageIsJoined has looked at it.
		}
		return b
	})
}

// IsDoor reports whether a document is that of a page behind a door.
func IsDoor(document []byte) bool { return bytes.Contains(document, []byte(`<script data-live="`)) }

// newDoorPage is the page behind d.
func newDoorPage(d door.Door) *doorPage {
	if d.Path() == "/dc" {
		return &doorPage{Door: d, bundle: dcBundle(), pictures: []string{"https://cdn.discordapp.com"}} // Discord's proxy shows it at the root of another origin.
	}
	return &doorPage{Door: d, bundle: tgBundle(), base: d.Path() + "/"}
}

// ServeHTTP serves the document. It names the origins that may show it, which the door may not know at first.
func (p *doorPage) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	d, err := p.document()
	if err != nil {
		http.Error(w, "The page can't be made.", http.StatusInternalServerError)
		return
	}
	d.ServeHTTP(w, req)
}

func (p *doorPage) document() (*document, error) {
	hosts := strings.Join(p.Frames(), " ")
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made != nil && p.hosts == hosts {
		return p.made, nil
	}
	text := bytes.ReplaceAll(p.index.plain, []byte(`="`+p.root), []byte(`="`+p.base+p.root))
	text = bytes.Replace(text, []byte(`data-hosts=""`), []byte(`data-hosts="`+html.EscapeString(hosts)+`"`), 1)
	text = bytes.Replace(text, []byte(`data-live="`), []byte(`data-live="`+p.base), 1)
	text = bytes.Replace(text, []byte(`data-base=""`), []byte(`data-base="`+html.EscapeString(p.base)+`"`), 1)
	a, err := newAsset("door.html", text)
	if err != nil {
		return nil, err
	}
	p.made, p.hosts = &document{a}, hosts
	return p.made, nil
}
