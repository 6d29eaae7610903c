package replay

import (
	"context"
	"errors"
	"sync"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/table"
	"zevaka/engine"
)

const (
	// maxFilm is how many moves an animated picture shows at most, and maxFilmBytes how many bytes it may have.
	maxFilm, maxFilmBytes = 1000, chat.MaxFile
	// filmWidth is how wide it is, in pixels, and narrowWidth from narrowFrom moves on, so that it doesn't become too large.
	filmWidth, narrowWidth, narrowFrom = 560, 480, 450
	// filmSlice is how many moves are drawn before others may do something that takes long.
	filmSlice = 10
	// moveTime and endTime are how long a move and the end are to be seen, in hundredths of a second.
	moveTime, endTime = 70, 400
	// breathers is how often it waits a moment where there is no time to draw just now.
	breathers = 60
)

// errFilm refuses to make an animated picture of a game that is too long for one.
const errFilm engine.Refusal = "film-long"

// filmed are those for whom an animated picture is being made: one at a time for each, and one at a time in all.
type filmed struct {
	turn chan struct{}

	mu  sync.Mutex
	who map[filmgoer]bool
}

type filmgoer struct {
	on   chat.Platform
	user int64
}

// begin waits for the turn of who asks; ErrBusy where they wait for another already, or ctx ends before.
func (f *filmed) begin(ctx context.Context, r chat.Request) (end func(), err error) {
	who := filmgoer{r.In.Community.Platform, r.Who.ID}
	f.mu.Lock()
	waits := f.who[who]
	f.who[who] = true
	f.mu.Unlock()
	if waits {
		return nil, pace.ErrBusy
	}
	leave := func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.who, who)
	}
	select {
	case f.turn <- struct{}{}:
		return func() { <-f.turn; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, pace.ErrBusy
	}
}

// Beside reports whether what a table's button does takes long, and changes nothing: nobody else need wait for that.
func Beside(do string) bool { return table.Verb(do) == DoFilm }

// giveFilm gives the one who asks an animated picture of a game.
func (b *Replays) giveFilm(ctx context.Context, r chat.Request, t *table.Table) (chat.Response, error) {
	end, err := b.films.begin(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	defer end()
	g, err := b.read(ctx, t)
	if err != nil {
		return chat.Response{}, err
	}
	data, err := b.film(ctx, g, b.drawing(g, b.tables.Words.Lang(t.Lang)))
	if errors.Is(err, context.DeadlineExceeded) {
		err = pace.ErrBusy
	}
	if err != nil {
		return chat.Response{}, err
	}
	return b.give(r, "film", chat.File{Name: t.Game + "-" + t.ID.Name + ".gif", Data: data}), nil
}

// film is a game as an animated picture. It is drawn some moves at a time, within the budget of what takes long, and ends early
// with ctx.
func (b *Replays) film(ctx context.Context, g *game, d board.Drawing) ([]byte, error) {
	if d.Pictures == nil || len(g.moves) > maxFilm {
		return nil, errFilm
	}
	state, err := g.deal()
	if err != nil {
		return nil, err
	}
	f := d.Pictures.Film()
	width := filmWidth
	if len(g.moves) > narrowFrom {
		width = narrowWidth
	}
	var events []engine.Event
	frame := func(hundredths int) {
		d := d
		d.Table = d.Then(events)
		shot := d.FrameShot(state.View(engine.Nobody))
		shot.Board.Look.Width = width
		f.Add(&shot.Board, hundredths)
	}
	end, err := b.steadily(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { end() }()
	frame(2 * moveTime)
	err = g.run(state, len(g.moves), func(n int, _ engine.Step, made engine.Outcome) error {
		events = append(events, made.Events...)
		if n%filmSlice == 0 {
			end()
			end = func() {}
			again, err := b.steadily(ctx)
			if err != nil {
				return err
			}
			end = again
		}
		hundredths := moveTime
		if n == len(g.moves) {
			hundredths = endTime
		}
		if frame(hundredths); f.Size() > maxFilmBytes-1<<10 {
			return errFilm
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return f.GIF(), nil
}

// steadily waits for the turn to do what takes long, longer than who wants to do it once.
func (b *Replays) steadily(ctx context.Context) (end func(), err error) {
	for range breathers {
		if end, err = b.tables.Heavy.BeginLast(ctx); err == nil || !errors.Is(err, pace.ErrBusy) {
			return end, err
		}
		if err := pace.Sleep(ctx, pace.Ahead/4); err != nil {
			return nil, err
		}
	}
	return nil, err
}
