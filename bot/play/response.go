package play

import (
	"cmp"
	"context"
	"strconv"
	"time"
	"unicode/utf8"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// response puts together what there is to say after the transaction: the table's picture first, then what belongs beside it.
func (tx *transaction) response(ctx context.Context, o outcome) (chat.Response, error) {
	r := chat.Response{Alert: o.alert, Named: o.hint, Opened: o.opened}
	reader := tx.tables.reader(tx.req, tx.table)
	switch {
	case o.toast != nil:
		r.Toast = chat.Shorten(o.toast.Flat(reader), chat.MaxToast)
	case o.named && len(tx.events) > 0:
		r.Toast = tx.summary(reader, board.Label(tx.rules.Info(), tx.table, reader)+": ")
	case o.done != nil:
		r.Done = chat.Shorten(o.done.Flat(reader), chat.MaxToast)
	case tx.req.Kind.ByPerson() && tx.phase != tx.table.Phase && tx.table.Phase == table.Ended && tx.table.Why != "":
		r.Done = chat.Shorten(board.Stopped(tx.table, tx.phase).Flat(reader), chat.MaxToast)
	case len(tx.events) > 0:
		r.Done = tx.summary(reader, "")
	}
	if tx.req.Kind == chat.Press && r.Toast == "" && !o.free {
		r.Toast, r.Done = r.Done, ""
	}
	if o.shown {
		draw, each, err := tx.picture(ctx, o.call)
		if err != nil {
			return r, err
		}
		t := tx.table
		post := chat.Post{
			In: t.Place, Edit: t.Board, Table: t.ID.String(), Level: t.Level, Receipt: t.Receipt(),
			Final: t.Phase == table.Ended, Won: t.Phase == table.Ended && t.Result != nil && t.Persons() > 1, Draw: draw, Each: each,
		}
		if t.Place.Community.Platform == chat.Web {
			post.People = t.Players()
		}
		post.Turn, post.Left = tx.turn()
		post.Shared = t.Persons() > 1 && (t.Phase == table.Cutting || t.Phase == table.Playing)
		if tx.phase == 0 {
			post.Mention = append(t.KeptFor(), tx.guests()...) // It is a new table: what is delivered again calls nobody again.
		} else if who := cmp.Or(o.called, o.still); who != nil {
			post.Mention, post.Quiet = []chat.User{*who}, o.quiet
		}
		if (o.anew || o.called != nil) && t.Board != "" {
			post.Edit = ""
			old := chat.Post{In: t.Place, Edit: t.Board, Delete: true}
			if o.called == nil {
				old = chat.Post{In: t.Place, Edit: t.Board, Draw: board.TextOf(draw)}
			}
			r.Posts = append(r.Posts, old)
		}
		r.Posts = append(r.Posts, post)
	}
	r.Posts = append(r.Posts, o.posts...)
	if tx.req.Live {
		names := table.NamesIn(tx.table, reader)
		r.Toast, r.Done = names.Replace(r.Toast), names.Replace(r.Done)
	}
	tx.welcome(&r, reader)
	if tx.answered != nil {
		if r.Toast == "" {
			r.Toast = reader.Say("answered")
		}
		closed := tx.tables.Closed(tx.req, r.Toast)
		for i := range closed {
			if tx.answered.Public {
				closed[i].To = nil
			}
		}
		r.Posts = append(r.Posts, closed...)
	}
	return r, nil
}

// guests are those whom the table's first message calls, none by a name that is another's at the table.
func (tx *transaction) guests() (all []chat.User) {
	for _, u := range tx.invited {
		u.Name = tx.table.FreeName(u.Name, tx.tables.Words.Lang(tx.table.Lang).Say("guest"))
		all = append(all, u)
	}
	return all
}

// turn is the user who has to do something now, 0 for the table itself, and how long there is for it, or before that.
func (tx *transaction) turn() (user int64, left time.Duration) {
	t := tx.table
	switch {
	case t.Phase == table.Cutting:
		if user = t.Chairs[t.Cutter].User; table.CutterWaits(t) {
			return 0, 0
		}
	case t.Phase == table.Playing && tx.state != nil && !t.Asleep && len(tx.state.Turn()) > 0:
		c := t.Chairs[tx.state.Turn()[0]]
		if c.Computer() || tx.family.traits().chips && t.Chance != 0 {
			if t.Window != 0 {
				left = max(tx.now.Until(t.Window), time.Millisecond)
			}
			return 0, left // The table itself moves.
		}
		user = c.User
	default:
		return 0, 0
	}
	if t.Ends != 0 && (t.Phase == table.Cutting || t.Limit > 0 || t.Hurry) {
		left = max(tx.now.Until(t.Ends), time.Millisecond)
	}
	return user, left
}

// summary is what the request made happen, in one line behind the label, and whose turn it is by that.
func (tx *transaction) summary(lang *words.Lang, label string) string {
	var view *engine.View
	if tx.state != nil && tx.rules.Info().ForOne() {
		now := tx.state.View(engine.Nobody)
		view = &now
	}
	news, next := label+tx.drawing(lang).News(tx.events, view), tx.passedTo()
	if next != "" {
		next = " " + words.Phrase{Key: "turn-next", Blanks: words.Blanks{"who": next}}.Flat(lang)
	}
	return chat.Shorten(news, chat.MaxToast-utf8.RuneCountInString(next)) + next
}

// passedTo is the name of who must move now, if it was another's turn before, and isn't that of the one who asks; empty where others may
// still bet, or the table itself moves.
func (tx *transaction) passedTo() string {
	t := tx.table
	same := tx.phase == table.Playing && tx.mover == t.Mover
	if !tx.req.Kind.ByPerson() || tx.family.traits().alone || t.Phase != table.Playing || t.Asleep || same || t.Window != 0 {
		return ""
	}
	c := t.Chairs[t.Mover]
	if user, _ := tx.turn(); !c.Computer() && (user == 0 || user == tx.req.Who.ID) {
		return ""
	}
	return c.Name
}

// picture draws the table's picture in the language of its place, as it is now, whenever that is called, below a call if there
// is one; and a last one in each language. What is drawn changes no more: whoever changes a table replaces what it refers to.
func (tx *transaction) picture(ctx context.Context, call *words.Phrase) (draw func() (chat.Message, bool), each map[string]chat.Message, err error) {
	d := tx.placeDrawing()
	now := *tx.table
	d.Table, d.Call = &now, call
	view, epoch := engine.View{}, 0
	if d.NeedsView() {
		switch state, err := tx.position(ctx); {
		case err == nil:
			view, epoch = state.View(engine.Nobody), tx.table.Epoch(state)
			d.Tip = board.LessonTip(d.Lang, tx.rules, tx.table, state, false, false)
		case now.Phase == table.Ended:
			d.Pictures = nil // How it has ended is told without its cards, too.
		default:
			return nil, nil, err
		}
	}
	draw = d.Later(view, epoch, tx.tables.Log)
	if now.Phase == table.Ended {
		each = tx.tables.Words.Each(now.Place, func(lang *words.Lang) chat.Message {
			read := d
			read.Lang, read.Table = lang, table.ReadIn(&now, lang)
			m, _ := read.Later(view, epoch, tx.tables.Log)()
			return m
		})
	}
	return draw, each, nil
}

// placeDrawing draws the table in the language of its place.
func (tx *transaction) placeDrawing() board.Drawing {
	return tx.drawing(tx.tables.Words.Lang(tx.table.Lang))
}

// drawing draws the table in a language.
func (tx *transaction) drawing(lang *words.Lang) board.Drawing {
	return board.Drawing{Table: tx.table, Rules: tx.rules, Lang: lang, Pictures: tx.tables.Painter}
}

// outcome is what a request at a table comes to, which whoever serves the request returns: what is to be stored, and what
// there is to say. With a refusal nothing is stored, and of the outcome only the posts are sent.
type outcome struct {
	// changed says that the table has to be stored again.
	changed bool
	// shown says that its message has to be drawn again, anew that this becomes a new message, at the bottom of the channel.
	shown, anew bool
	// called is who gets a notification; nil if nobody does. The table's message is sent anew for it, and call, if it isn't nil, is
	// the sentence that stands in it. Quiet says that the notification makes no sound.
	called *chat.User
	// still is who was called by a message that doesn't stand yet: the picture that takes the place of that calls them.
	still *chat.User
	call  *words.Phrase
	quiet bool
	// lastShown says that the last picture of a table that ended was shown: it leaves the open tables.
	lastShown bool
	// named says that the one who asks is told which table it was.
	named bool
	// toast is for the one who pressed; alert says that it is a refusal, or should not be overlooked.
	toast *words.Phrase
	alert bool
	// hint is the move that the toast names, as a token.
	hint string
	// done tells the one who pressed a button what came of it, where no event does.
	done *words.Phrase
	// free says that done is told only where that costs nothing.
	free bool
	// opened is the text form of the table's ID where the one who asked is taken to it.
	opened string
	// posts come after the picture, and report after them if its place is to hear it.
	posts  []chat.Post
	report *chat.Post
	// next is the table that the session goes on at; nil if there is none.
	next *table.Table
	// follows says that whoever asks may not have been shown that table when it began.
	follows bool
	// said is what is said to those who look at the table; nil is nothing. Nothing else comes with it.
	said *Sign
}

// done is the outcome of what is told to the one who asked by that sentence, and shown to all.
func done(key string) outcome {
	o := redrawn()
	o.done = &words.Phrase{Key: key}
	return o
}

// redrawn is the outcome of most requests: the table was changed, and is shown.
func redrawn() outcome { return outcome{changed: true, shown: true} }

// warn tells the one whose turn it is how much time there is, or that the others wait. Who attends may look away yet; who has missed two
// turns is told nothing more: they were called to the second at the latest, and may not have been to the first.
func (tx *transaction) warn() (outcome, error) {
	t := tx.table
	ripe := tx.ripen()
	o, err := outcome{changed: true}, error(nil)
	switch who := t.Chairs[t.Mover]; {
	case who.Missed > 1:
		t.Warn, t.Told = 0, true
	case tx.attends(who):
		t.Warn = tx.lookAgain()
	default:
		t.Warn, t.Told = 0, true
		o, err = tx.call(tx, who, tx.turnCall())
	}
	o.shown = o.shown || ripe
	return o, err
}

// attends reports whether somebody has the table before their eyes, as far as their page can be believed: some browsers never say that
// nobody sees it. It isn't believed of who has just missed a turn, or lets one wait for longer than longestLook.
func (tx *transaction) attends(who table.Chair) bool {
	t := tx.table
	lasts := time.Duration(0)
	switch {
	case t.Phase != table.Playing:
	case t.Unhurried() && t.Skip == 0:
		lasts = table.Overdue
	case t.Unhurried():
		lasts = table.Overdue - tx.now.Until(t.Skip)
	case t.Ends != 0:
		lasts = tx.turnLasts() - tx.now.Until(t.Ends)
	}
	return who.Missed == 0 && lasts <= longestLook && tx.tables.looks(t, who)
}

// longestLook is for how long a page is believed that somebody thinks about their turn.
const longestLook = 10 * time.Minute

// lookAgain is when to see whether somebody still has the table before their eyes; never where a call would come too late by then.
func (tx *transaction) lookAgain() table.Running {
	left := tx.now.Until(tx.table.Ends)
	if tx.table.Unhurried() {
		left = table.Overdue
	}
	wait := max(soonAgain, min(left/20, time.Minute))
	if left < wait+soonAgain {
		return 0
	}
	return tx.now.Add(wait)
}

// soonAgain is how soon at most it is seen again, and how much time a call leaves at least.
const soonAgain = 10 * time.Second

// ripen has the others be offered to end the turn, if half of its time is over and any of them may, which it reports.
func (tx *transaction) ripen() bool {
	t := tx.table
	if t.Skip == 0 || t.Skip > tx.now {
		return false
	}
	t.Skip, t.Skippable = 0, true
	return t.MaySkip() > 0
}

// turnCall is the sentence that calls the one whose turn it is.
func (tx *transaction) turnCall() *words.Phrase {
	t := tx.table
	call := board.Call(t.Chairs[t.Mover].Name, tx.now.Until(t.Ends), t.Unhurried(), t.Chips != nil && t.Mover > 0 && t.Chips.Stakes[t.Mover] == 0)
	return &call
}

// call tells somebody that the table waits for them, in the way that they have chosen: by a sentence in its message if there is one. Who
// attends is told nothing.
func (tx *transaction) call(from storage.Getter, who table.Chair, call *words.Phrase) (outcome, error) {
	t := tx.table
	own, err := table.GetChoices(from, t.Origin(), who.User)
	switch {
	case err != nil:
		return outcome{}, err
	case own.Notice == table.NotAtAll, tx.attends(who):
		return outcome{changed: true}, nil
	case own.Notice == table.InPrivate && !t.Place.Private && t.Place.Community.Platform.HasDirect():
		return outcome{changed: true, posts: []chat.Post{tx.inPrivate(who, own)}}, nil
	}
	return tx.callAloud(who, call, own.Quiet), nil
}

// stillCalls has a picture call whoever is called by one that no message shows yet: this one takes its place. Who asks for it, or has left, isn't
// called.
func (tx *transaction) stillCalls(ctx context.Context, o *outcome) error {
	if !o.shown || o.called != nil || !tx.uncalled() {
		return nil
	}
	who := tx.table.Chairs[tx.table.Mover]
	if who.Computer() || who.User == tx.req.Who.ID {
		return nil
	}
	call, err := storage.Read(ctx, tx.tables.Store, func(from storage.Reader) (outcome, error) { return tx.call(from, who, tx.turnCall()) })
	if call.called != nil {
		o.still, o.call, o.quiet = call.called, call.call, call.quiet
	}
	return err
}

// uncalled reports whether no message shows yet the call of the one whose turn it is.
func (tx *transaction) uncalled() bool {
	t := tx.table
	return t.Phase == table.Playing && t.Told && t.Former != "" && t.Former == t.Board
}

// callAloud calls somebody by name, quietly or so that it is heard. A guest can't take the old picture away, and says it in words.
func (tx *transaction) callAloud(who table.Chair, call *words.Phrase, quiet bool) outcome {
	t := tx.table
	if t.Place.Guest {
		said := chat.Message{Text: tx.tables.Words.Lang(t.Lang).Spans(*call)}
		return outcome{changed: true, posts: []chat.Post{{In: t.Place, Mention: []chat.User{*who.Person()}, Quiet: quiet, Message: said}}}
	}
	return outcome{changed: true, shown: true, called: who.Person(), call: call, quiet: quiet}
}

// NoticeReceipt is the Receipt of a post that tells somebody in private about a table, or about none, which is table.NoTable.
func NoticeReceipt(id table.ID, user int64) string {
	return id.String() + " " + strconv.FormatInt(user, 36)
}

// inPrivate tells somebody in their private chat that it is their turn.
func (tx *transaction) inPrivate(who table.Chair, own table.Choices) chat.Post {
	t, to := tx.table, *who.Person()
	to.Lang = cmp.Or(own.Lang, who.Lang, t.Lang)
	return chat.Post{
		In: t.Place, To: &to, Direct: true, About: t.Board, Receipt: NoticeReceipt(t.ID, who.User), Quiet: own.Quiet,
		Message: chat.Message{Text: tx.tables.Words.Lang(to.Lang).Spans(board.Turn(t.Game))},
	}
}

// report makes ready to tell the place where a game for one was asked for how it ended. Of a patience of the day its player says
// whether the place is to hear of it.
func (tx *transaction) report() (*chat.Post, error) {
	t := tx.table
	if t.ReportTo == nil || t.Day != 0 || t.Lesson || t.Result == nil || t.Result.Patience == nil {
		return nil, nil
	}
	record, err := table.GetPlace(tx.Tx, *t.ReportTo)
	if err != nil {
		return nil, err
	}
	there := tx.req
	there.In = *t.ReportTo
	lang := tx.tables.Words.Lang(record.Spoken(tx.tables.Words, there))
	return &chat.Post{In: *t.ReportTo, Message: chat.Message{Text: tx.drawing(lang).Finish()}}, nil
}

// reported are the posts that tell a place how a game ended that was asked for there, or a player how others did with it. A place
// is told nothing of somebody who isn't there any more.
func (tx *transaction) reported(ctx context.Context, report *chat.Post) []chat.Post {
	if tx.counts {
		posts, err := tx.tables.Days.Ended(ctx, tx.tables.Store, tx.tables.Log, tx.req, tx.table)
		if err != nil { // What was asked is done.
			tx.tables.Log.Error("how a patience of the day went is not told", "table", tx.table.ID, "error", err)
		}
		return posts
	}
	if report == nil || table.BarOutside(ctx, tx.tables.Log, tx.req, report.In.Community) != nil {
		return nil
	}
	return []chat.Post{*report}
}

// end closes the table: why names the reason of a stop, result is that of a deal played to its end.
func (tx *transaction) end(why string, result *engine.Result) outcome {
	t := tx.table
	t.Phase, t.Why, t.Result = table.Ended, why, result
	t.Ended = tx.tables.Now().Unix()
	// The picture that follows bears the level that save gives.
	t.EndedAt = t.Level + 1
	t.Kept, t.Asleep, t.Warn, t.Chance, t.Skip = nil, false, 0, 0, 0
	t.Ends = tx.now.Add(lastPicture)
	return redrawn()
}

// lastPicture is how long a table's last picture waits to be shown before it is drawn again.
const lastPicture = time.Minute

// closeBooks settles what the end of a deal means for chips, for its session and for the scores. It returns the table
// that the session goes on at, and what there is to tell elsewhere.
func (tx *transaction) closeBooks() (next *table.Table, report *chat.Post, err error) {
	if next, err = tx.family.close(); err != nil {
		return nil, nil, err
	}
	if report, err = tx.report(); err != nil {
		return nil, nil, err
	}
	if tx.counts, err = tx.tables.Days.Count(tx.Tx, tx.table); err != nil {
		return nil, nil, err
	}
	return next, report, RecordResults(tx.Tx, tx.table, tx.rules.Info())
}
