package web

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// parlour is a room where patiences are laid, with pictures, and a browser to go there.
func parlour(t *testing.T) (*house, *chromium) {
	t.Helper()
	return roomOf(t, allGames())
}

// roomOf is a room for the games, with pictures, and a browser to go there.
func roomOf(t *testing.T, games []engine.Rules) (*house, *chromium) {
	t.Helper()
	c := startChromium(t)
	store := stores.Open(t, filepath.Join(t.TempDir(), "zevaka.db"), bolt.Options{})
	b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games, Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t}
	h.start(b)
	t.Cleanup(func() {
		h.end()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, c
}

// allGames are the games of the house and every patience, once.
func allGames() []engine.Rules {
	all := games.All()
	for _, rules := range patience.All() {
		if _, known := games.ByName(rules.Info().Name); !known {
			all = append(all, rules)
		}
	}
	return all
}

// solitaire is a patience as somebody lays it on the page, and beside it the same game in the test: what is on the page
// must always be what lies here.
type solitaire struct {
	*seat
	house *house
	rules engine.Rules
	state engine.State
	undos int
}

// lay opens a numbered deal on the page.
func (h *house) lay(s *seat, rules engine.Rules, number int) *solitaire {
	h.t.Helper()
	g := &solitaire{seat: s, house: h, rules: rules, state: numbered(h.t, rules, number)}
	s.say("/patience " + rules.Info().Name + " deal=" + strconv.Itoa(number))
	g.agree()
	return g
}

func numbered(t *testing.T, rules engine.Rules, number int) engine.State {
	t.Helper()
	info := rules.Info()
	options, err := info.Complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	setup := engine.Setup{Seats: 1, Options: options}
	state, err := rules.Deal(setup, engine.NewShuffler(engine.NumberedSeed(info.Name, int64(number)), ""))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// pictured is the newest message of a room that shows a picture, and what the picture is; nil if there is none.
func pictured(r *Room) (newest *message, view pictureView) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if m.body.picture != nil && (newest == nil || m.n > newest.n) {
			newest, view = m, m.body.picture.view
		}
	}
	return newest, view
}

// does is what a token does.
func does(token string) string {
	parts := strings.SplitN(token, ".", 5)
	return parts[len(parts)-1]
}

// agree waits until the room has come as far as the game here and offers on its picture the very moves that are legal,
// and the page shows it.
func (g *solitaire) agree() {
	g.t.Helper()
	legal := map[string]bool{}
	for _, m := range g.state.Moves(0, nil) {
		quits := g.rules.Info().Verbs[m.Verb-1].Role == engine.VerbQuits
		if text := g.rules.Text(m); !quits && (text != "redeal" || g.rules != engine.Rules(patience.Paganini{})) {
			legal[text] = true
		}
	}
	epoch := strconv.FormatInt(int64(2+g.state.Epoch()+2*g.undos), 36)
	var view pictureView
	wait(g.t, func() bool {
		var m *message
		m, view = pictured(g.house.room)
		differs := func(m gestureView) bool { return !legal[does(m.Token)] || strings.Split(m.Token, ".")[3] != epoch }
		return m != nil && len(view.Moves) == len(legal) && !slices.ContainsFunc(view.Moves, differs)
	})
	g.until(`document.querySelector("#felt .picture img")?.src.includes(` + quote(view.Name) + `) && !document.querySelector(".ghost")`)
	sources := map[[4]int]bool{}
	for _, m := range view.Moves {
		sources[m.From] = true
	}
	g.until(`document.querySelectorAll("#felt .source").length === ` + strconv.Itoa(len(sources)))
}

// gesture is how a move is made on the picture.
func (g *solitaire) gesture(m engine.Move) gestureView {
	g.t.Helper()
	_, view := pictured(g.house.room)
	i := slices.IndexFunc(view.Moves, func(v gestureView) bool { return does(v.Token) == g.rules.Text(m) })
	if i < 0 {
		g.t.Fatalf("%s is not on the picture", g.rules.Text(m))
	}
	return view.Moves[i]
}

// made follows a move here, and waits for the page.
func (g *solitaire) made(m engine.Move) {
	g.t.Helper()
	if _, err := g.state.Apply(engine.Step{Seat: 0, Move: m}); err != nil {
		g.t.Fatal(err)
	}
	if _, over := g.state.Result(); !over {
		g.agree()
	}
}

// point is the middle of a box on the screen.
func (g *solitaire) point(box [4]int) (x, y float64) {
	g.t.Helper()
	_, view := pictured(g.house.room)
	at := value[[]float64](g.seat, `(r => [r.left, r.top, r.width])(document.querySelector("#felt .picture").getBoundingClientRect())`)
	scale := at[2] / float64(view.W)
	return at[0] + scale*(float64(box[0])+float64(box[2])/2), at[1] + scale*(float64(box[1])+float64(box[3])/2)
}

// mouse does something with the mouse: with its button down where it is held.
func (s *seat) mouse(kind input.DispatchMouseEventType, x, y float64, held bool) {
	s.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		p.Button, p.ClickCount = input.MouseButtonLeft, 1
	}
	if held {
		p.Buttons = 1
	}
	if _, err := chromedp.Call(s.ctx, input.DispatchMouseEvent, p); err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
}

func (g *solitaire) clickBox(box [4]int) {
	g.t.Helper()
	x, y := g.point(box)
	g.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, false)
	g.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
	g.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, false)
}

// drag takes what lies in a box somewhere else with the mouse, and looks before it is let go.
func (g *solitaire) drag(from, to [4]int, look func()) {
	g.t.Helper()
	x, y := g.point(from)
	toX, toY := g.point(to)
	g.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, false)
	g.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
	for _, part := range []float64{0.1, 0.6, 1} {
		g.mouse(input.DispatchMouseEventTypeMouseMoved, x+part*(toX-x), y+part*(toY-y), true)
	}
	if look != nil {
		look()
	}
	g.mouse(input.DispatchMouseEventTypeMouseReleased, toX, toY, false)
}

// finger does something with a finger: nowhere is the finger lifted.
func (s *seat) finger(kind input.DispatchTouchEventType, at ...float64) {
	s.t.Helper()
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	if len(at) == 2 {
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: at[0], Y: at[1]})
	}
	if _, err := chromedp.Call(s.ctx, input.DispatchTouchEvent, p); err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
}

func (g *solitaire) touchBox(box [4]int) {
	g.t.Helper()
	x, y := g.point(box)
	g.finger(input.DispatchTouchEventTypeTouchStart, x, y)
	g.finger(input.DispatchTouchEventTypeTouchEnd)
}

// tablet is a screen between a phone's and a desk's.
const tabletWidth, tabletHeight = 768, 1024
