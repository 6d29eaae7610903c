package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/picture"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

const (
	// doCard is what the answer does that shows one's card to everybody.
	doCard = "!card"
	// showEvery is how long somebody who has shown their card in a community waits before they can show it there again.
	showEvery = 10 * time.Minute
	// maxShown is of how many people it is remembered when they did.
	maxShown = 1000
	// drawnGames is how many games have a line of their own on a picture, and lately over how many games a rating's change is told.
	drawnGames, lately = 6, 10
)

// errShownCard refuses to show a card that was shown a moment ago.
const errShownCard engine.Refusal = "card-shown"

// profile is what a card tells of somebody.
type profile struct {
	purse   purse.Purse
	tallies []scores.Tally
	days    day.Person
	// way is how the rating has come about in the game with the index rated, of those that are rated the one that was played most.
	way   []scores.Step
	rated int
	place table.PlaceRecord
}

// CommandMe shows somebody their own card, and nobody else, with a button that shows it to all who are there.
func (b *Accounts) CommandMe(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	a, err := b.profile(ctx, r.In, r.Who.ID)
	if err != nil {
		return chat.Response{}, err
	}
	lang := b.Words.Lang(r.Who.Lang)
	post := chat.Post{In: r.In, To: &r.Who}
	if !r.In.Private && r.Barred() == nil {
		button := chat.Button{Label: lang.Say("button.card-show"), Token: doCard}
		err = b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
			post, err = b.Tables.Questions.Ask(l.Tx, l.Community, r, table.Question{}, words.Phrase{Key: "card-title"}, []chat.Button{button})
			return err
		})
		if err != nil {
			return chat.Response{}, err
		}
	}
	buttons := post.Buttons
	post.Open, post.Message = chat.Secret, b.card(a, r.Who.Name, lang)
	post.Buttons = buttons
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// showCard shows somebody's card to all in the place where they asked for it, and says so on the one of their own, which
// loses its button.
func (b *Accounts) showCard(ctx context.Context, r chat.Request, in chat.Place) (chat.Response, error) {
	a, err := b.profile(ctx, in, r.Who.ID)
	if err != nil {
		b.shown.not(shower{r.In.Community, r.Who.ID})
		return chat.Response{}, err
	}
	there := r
	there.In = in
	lang := b.Words.Lang(a.place.Spoken(b.Words, there))
	post := b.Words.ForAll(in, lang, func(lang *words.Lang) chat.Message { return b.card(a, r.Who.Name, lang) })
	lang = b.Words.Lang(r.Who.Lang)
	if r.On == "" {
		return chat.Response{Toast: lang.Say("card-shown"), Posts: []chat.Post{post}}, nil
	}
	own := chat.Post{In: r.In, To: &r.Who, Edit: r.On, Message: b.card(a, r.Who.Name, lang)}
	own.Text = append(own.Text, chat.Span{Text: "\n" + lang.Say("card-shown"), Style: chat.Faint})
	return chat.Response{Posts: []chat.Post{post, own}}, nil
}

// profile reads what a card tells of somebody in a place. Whoever is being forgotten has none.
func (b *Accounts) profile(ctx context.Context, in chat.Place, user int64) (a profile, err error) {
	end, err := b.Budget.Begin(ctx, user)
	if err != nil {
		return a, err
	}
	defer end()
	err = b.Store.View(ctx, func(from storage.Reader) error {
		origin, err := table.Origin(from, in.Community)
		if err != nil {
			return err
		}
		if err := table.NotForgotten(from, origin, user); err != nil {
			return err
		}
		if a.purse, a.tallies, err = kept(from, b.Order, origin, user); err != nil {
			return err
		}
		a.rated = -1
		for i, rules := range b.Order {
			rating := a.tallies[i].Rating
			if slices.Contains(b.Charts.Rated(), rules.Info().Name) && rating.Games > 0 && (a.rated < 0 || rating.Games > a.tallies[a.rated].Rating.Games) {
				a.rated = i
			}
		}
		if a.rated >= 0 {
			k := scores.Key{Community: origin, Game: b.Order[a.rated].Info().Name, User: user}
			if a.way, err = scores.Way(from, k); err != nil {
				return err
			}
		}
		if a.days, err = day.PersonOf(from, origin, user); err != nil {
			return err
		}
		a.place, err = table.GetPlace(from, in)
		return err
	})
	if err != nil {
		return a, fmt.Errorf("read what a card tells: %w", err)
	}
	return a, nil
}

// card is the message with somebody's card in a language: a picture, or the same in words where the place has no pictures.
func (b *Accounts) card(a profile, name string, lang *words.Lang) chat.Message {
	drawn := picture.Card{Name: name, Title: lang.Say("card-title"), Look: picture.Look{Table: a.place.Cloth}}
	drawn.Figures = b.figures(a, lang)
	drawn.Games, drawn.Marks = b.lines(a, lang, len(b.Order)), a.marks(lang, b.Order, shownMarks)
	w := words.Writer{Lang: lang}
	w.Add(chat.Strong, name)
	if b.Charts.Painter == nil || a.place.Plain {
		tell(&w, drawn)
		return chat.Message{Text: w.Spans}
	}
	said := words.Writer{Lang: lang}
	said.Text(name)
	tell(&said, drawn)
	drawn.Games = b.lines(a, lang, drawnGames)
	alt := chat.Shorten(words.Flat(said.Spans), 1000)
	return chat.Message{Text: w.Spans, Picture: &picture.Picture{Alt: alt, Painter: b.Charts.Painter, Sheet: &drawn}}
}

// tell tells in words what is on a card below the name.
func tell(w *words.Writer, drawn picture.Card) {
	for _, line := range drawn.Games {
		w.Text("\n" + line.Text)
		if line.End != "" {
			w.Text(" " + w.Lang.Say("dash") + " " + line.End)
		}
	}
	for _, f := range drawn.Figures {
		w.Text("\n" + f.Label + ": " + f.Value)
		if f.Note != "" {
			w.Text(", " + f.Note)
		}
	}
	for _, m := range drawn.Marks {
		w.Text("\n🏅 ")
		w.Add(chat.Strong, m.Name)
		w.Text(" " + w.Lang.Say("dash") + " " + m.Says)
	}
}

// lines tell how somebody's games went, those first that were played most; of more than most games the others in one line.
func (b *Accounts) lines(a profile, lang *words.Lang, most int) (all []picture.Line) {
	var played []int
	for i, t := range a.tallies {
		if t.Games > 0 {
			played = append(played, i)
		}
	}
	if len(played) == 0 {
		return []picture.Line{{Text: lang.Say("card-nothing")}}
	}
	slices.SortStableFunc(played, func(i, j int) int { return cmp.Compare(a.tallies[j].Games, a.tallies[i].Games) })
	if len(played) <= most {
		most = len(played)
	} else {
		most--
	}
	went := func(key string, wins, n int64) string {
		return words.Phrase{Key: key, Blanks: words.Blanks{"wins": int(wins), "n": int(n)}}.Flat(lang)
	}
	key := func(i int) string {
		if b.Order[i].Info().ForOne() {
			return "scores.came-out"
		}
		return "scores.won"
	}
	for _, i := range played[:most] {
		t := a.tallies[i]
		all = append(all, picture.Line{Text: lang.Say("game." + b.Order[i].Info().Name), End: went(key(i), t.Wins, t.Games)})
	}
	if len(played) > most {
		var wins, n int64
		same := "scores.came-out"
		for _, i := range played[most:] {
			wins, n = wins+a.tallies[i].Wins, n+a.tallies[i].Games
			if key(i) != same {
				same = "scores.won"
			}
		}
		left := len(played) - most
		rest := words.Phrase{Key: "card-rest", N: left, Blanks: words.Blanks{"n": left}}.Flat(lang)
		all = append(all, picture.Line{Text: rest, End: went(same, wins, n)})
	}
	return all
}

// figures are the numbers on somebody's card: those of which there is anything to tell.
func (b *Accounts) figures(a profile, lang *words.Lang) (all []picture.Figure) {
	if a.rated >= 0 {
		all = append(all, a.rating(lang))
	}
	if a.purse.Name != "" {
		all = append(all, picture.Figure{Label: lang.Say("card.purse"), Value: strconv.FormatInt(a.purse.Balance, 10)})
	}
	var bank int64
	for _, t := range a.tallies {
		bank = max(bank, t.Bank)
	}
	if bank > 0 {
		all = append(all, picture.Figure{Label: lang.Say("card.bank"), Value: board.Signed(bank)})
	}
	if a.days.Longest > 0 {
		f := picture.Figure{Label: lang.Say("card.days"), Value: strconv.Itoa(a.days.Longest), Note: lang.Say("card.days-best")}
		if streak := a.days.Streak(b.Today.Days.Today()); streak > 0 {
			f.Value, f.Note = strconv.Itoa(streak), words.Phrase{Key: "card.days-longest", Blanks: words.Blanks{"n": a.days.Longest}}.Flat(lang)
		}
		all = append(all, f)
	}
	return all
}

// rating is somebody's rating, with how it has changed lately. As long as it isn't shown to others, it is told when it will be.
func (a profile) rating(lang *words.Lang) picture.Figure {
	now := a.tallies[a.rated].Rating
	f := picture.Figure{Label: lang.Say("card.rating"), Value: strconv.Itoa(now.Points())}
	if n := scores.Settled - int(now.Games); n > 0 {
		f.Value, f.Note = lang.Say("dash"), words.Phrase{Key: "card.rating-soon", N: n, Blanks: words.Blanks{"n": n}}.Flat(lang)
		return f
	}
	if n := min(len(a.way)-1, lately); n > 0 {
		change := now.Points() - a.way[len(a.way)-1-n].Rating.Points()
		f.Note = words.Phrase{Key: "card.rating-change", N: n, Blanks: words.Blanks{
			"change": words.Text(board.Signed(int64(change))), "n": n,
		}}.Flat(lang)
	}
	return f
}

// shows are when people have shown their cards last, so that nobody fills a chat with theirs. They end with the process.
type shows struct {
	mu   sync.Mutex
	last map[shower]show
}

// shower is a person in a community.
type shower struct {
	community chat.Community
	user      int64
}

// show is a request by which a card was shown, and when that was.
type show struct {
	request string
	at      time.Time
}

// may notes that somebody shows their card, and refuses it if they have just done so by another request.
func (s *shows) may(who shower, request string, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, known := s.last[who]
	if known && last.request != request && now.Sub(last.at) < showEvery {
		return errShownCard
	}
	if s.last == nil || len(s.last) >= maxShown {
		s.last = map[shower]show{}
	}
	s.last[who] = show{request, now}
	return nil
}

// not notes that nothing came of it.
func (s *shows) not(who shower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.last, who)
}
