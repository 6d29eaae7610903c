package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"

	"zevaka/adapters/outbox"
	"zevaka/bot/picture"
)

// Pictures go a way of their own: a message tells the picture's name, and the page asks for it as wide as its screen
// needs it. So no picture waits in anybody's queue, however slow the reader is.
const (
	// maxPainted is how many pictures are kept painted, each of some 100 kB at most.
	maxPainted = 64
	// maxWaiting is how many may wait for a picture to be painted, maxWaitingFrom how many of a household.
	maxWaiting, maxWaitingFrom = 16, 4
	// pictureLife is what browsers are told of a picture: under its name there will never be another one.
	pictureLife = "private, max-age=31536000, immutable"
)

// widths are how wide a picture can be had, in pixels: any other would have cards of its own to be drawn.
func widths() [3]int { return [...]int{800, 1200, 1600} }

// display is a picture as a message shows it.
type display struct {
	of   *picture.Picture
	view pictureView
}

// pictureView is what a page is told of a picture.
type pictureView struct {
	// Name stands for these very pixels as long as the room runs, and tells who doesn't know them nothing.
	Name string `json:"name"`
	Alt  string `json:"alt"`
	W    int    `json:"w"`
	H    int    `json:"h"`
	// Moves are measured in a picture of W by H pixels.
	Moves []gestureView `json:"moves,omitempty"`
}

// gestureView is one move to be made on a picture: from a box, if it is no mere press to another one. A box is its left
// and upper edge, its width and its height.
type gestureView struct {
	From  [4]int  `json:"from"`
	To    *[4]int `json:"to,omitempty"`
	Home  bool    `json:"home,omitempty"`
	Token string  `json:"token"`
}

// show makes a picture ready to be shown; nil if there is none.
func (g *gallery) show(p *picture.Picture) *display {
	if p == nil {
		return nil
	}
	v := pictureView{Alt: p.Alt}
	v.W, v.H = p.Size()
	for _, m := range p.Gestures() {
		made := gestureView{From: boxOf(m.From), Home: m.Home, Token: m.Token}
		if !m.To.Empty() {
			to := boxOf(m.To)
			made.To = &to
		}
		v.Moves = append(v.Moves, made)
	}
	v.Name = g.add(p, v.W)
	return &display{p, v}
}

func boxOf(r image.Rectangle) [4]int { return [...]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} }

// gallery paints pictures and keeps the last ones painted. One is painted at a time: whatever is asked for takes no
// more than one processor, and no picture is painted twice at once.
type gallery struct {
	key []byte // names pictures

	painting sync.Mutex
	waiting  *slots // those who wait for a painting

	painted *outbox.Memory[painting, []byte] // PNG files, which nobody may change
}

// painting is a picture in one width.
type painting struct {
	name  string
	width int
}

func newGallery() gallery {
	return gallery{
		key: []byte(rand.Text()), waiting: newSlots(maxWaiting), painted: outbox.NewMemory[painting, []byte](maxPainted),
	}
}

// add paints a picture that is width pixels wide and names it by what is to be seen on it.
func (g *gallery) add(p *picture.Picture, width int) string {
	png := g.paint(p)
	mac := hmac.New(sha256.New, g.key)
	mac.Write(png)
	name := hex.EncodeToString(mac.Sum(nil)[:16])
	g.painted.Add(painting{name, width}, slices.Clip(png))
	return name
}

// paint paints a picture when its turn comes, which ends also where that breaks.
func (g *gallery) paint(p *picture.Picture) []byte {
	g.painting.Lock()
	defer g.painting.Unlock()
	return p.PNG(nil)
}

// png is the picture of that name as a PNG file, which nobody may change; nil if too many wait for one already, in all
// or from that household.
func (g *gallery) png(name string, width int, p *picture.Picture, from netip.Prefix) []byte {
	this := painting{name, width}
	if png, ok := g.painted.Get(this); ok {
		return png
	}
	waits := g.waiting.acquire(from, maxWaitingFrom, nil)
	if waits == nil {
		return nil
	}
	defer waits.release()
	g.painting.Lock()
	defer g.painting.Unlock()
	if png, ok := g.painted.Get(this); ok {
		return png // Somebody else has waited for it, too.
	}
	png := slices.Clip(p.Wide(width).PNG(nil))
	g.painted.Add(this, png)
	return png
}

// servePicture sends a picture that stands in a message. Who was told its name may see it.
func (r *Room) servePicture(w http.ResponseWriter, req *http.Request) {
	width, err := strconv.Atoi(strings.TrimSuffix(req.PathValue("width"), ".png"))
	known := widths()
	p := r.standing(req.PathValue("name"))
	if err != nil || p == nil || !slices.Contains(known[:], width) {
		http.NotFound(w, req)
		return
	}
	png := r.gallery.png(p.view.Name, width, p.of, r.visitor(req))
	if png == nil {
		outbox.Sleep(req.Context(), restTime)
		refuse(w, refusedFast) // The page asks again.
		return
	}
	h := w.Header()
	h.Set("Cache-Control", pictureLife)
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(png)))
	_, _ = w.Write(png) // The reader may be gone.
}

// standing is the picture of that name, if a message shows it.
func (r *Room) standing(name string) *display {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if p := m.body.picture; p != nil && p.view.Name == name {
			return p
		}
	}
	return nil
}
