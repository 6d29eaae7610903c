package play

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

func (tx *transaction) press(ctx context.Context, tok table.Token) (outcome, error) {
	if err := table.MayPressFrom(tx.table, tx.req); err != nil {
		return outcome{}, err
	}
	if seat, ok := tx.table.SeatOf(tx.req.Who.ID); ok && tx.req.Live && !tx.table.Chairs[seat].Left && errors.Is(tx.req.Barred(), table.ErrUnsure) {
		tx.req.Bar(nil) // The seat was taken in the place.
		tx.unsure = true
	}
	now := table.Tap{User: tx.req.Who.ID, Token: table.HashNumber(tx.req.Data), At: tx.now}
	if tx.atBank() && tok.Do[0] != '!' {
		now.Do = table.HashNumber(tok.Do)
	}
	if last := *tx.tapOf(now.User); bounces(last, now, !table.MeantTwice(tok.Do), tx.tables.Clock.Ours(last.At)) {
		return outcome{shown: true, done: &words.Phrase{Key: "done.twice"}, free: true}, nil
	}
	o, err := tx.do(ctx, tok)
	if err == nil && o.changed {
		tx.tapped(now)
		if tx.phase == table.Lobby {
			tx.table.Boarded = max(tx.table.Boarded, 1)
		}
	}
	return o, err
}

func (tx *transaction) do(ctx context.Context, tok table.Token) (outcome, error) {
	if action, ok := strings.CutPrefix(tok.Do, "!"); ok {
		name, arg, _ := strings.Cut(action, " ")
		return tx.act(ctx, tok.Epoch, name, arg)
	}
	if tx.req.Barred() != nil {
		return outcome{}, tx.req.Barred()
	}
	if phase := tx.table.Phase; phase == table.Lobby || phase == table.Cutting {
		return outcome{}, table.ShowTable(table.ErrStale)
	}
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	return tx.pressMove(ctx, state, seat, tok)
}

// pressMove makes the move of a button or of a command; a command has no epoch.
func (tx *transaction) pressMove(ctx context.Context, state engine.State, seat engine.Seat, tok table.Token) (outcome, error) {
	if err := tx.stillMeant(state, tok.Epoch); err != nil {
		return outcome{}, err
	}
	move, err := tx.rules.Parse(tok.Do)
	if err != nil {
		return outcome{}, err
	}
	return tx.family.play(ctx, state, seat, move)
}

// Action is something that a button of a table's own asks for. Its Run gets the epoch of the button, and the text behind the name.
type Action = table.Action[func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error)]

// simply is how an action runs to which neither the epoch nor the argument of the button matters.
func simply(run func(*transaction, context.Context) (outcome, error)) func(*transaction, context.Context, int, string) (outcome, error) {
	return func(tx *transaction, ctx context.Context, _ int, _ string) (outcome, error) { return run(tx, ctx) }
}

// Actions are all that the buttons of a table's own can ask for.
func Actions() []Action {
	all := []Action{
		table.NewAction("join", table.ByAnybody, table.Never, false, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return tx.joinAs(ctx, arg)
		}),
		table.NewAction("leave", table.BySitter, table.IfLost, true, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return tx.standUp(ctx, arg == "ask")
		}),
		table.NewAction("back", table.BySitter, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return tx.comeBack(ctx) })),
		table.NewAction("skip", table.ByPlayer, table.Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return tx.skip(ctx, epoch, arg)
		}),
		table.NewAction("stop", table.ByHost, table.IfLost, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return tx.stopTable(ctx) })),
		table.NewAction("whom", table.ByHost, table.Always, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.whom() }),
		table.NewAction("remove", table.ByHost, table.IfLost, false, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return tx.remove(ctx, arg)
		}),
		table.NewAction("say", table.BySitter, table.Never, false, func(tx *transaction, _ context.Context, _ int, arg string) (outcome, error) { return tx.speak(arg) }),
		table.NewAction("show", table.ByAnybody, table.Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.show() }),
		table.NewAction("rules", table.ByAnybody, table.Never, true, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.tellRules() }),
		table.NewAction("check", table.ByAnybody, table.Never, true, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.check() }),
		table.NewAction("m", table.ByPlayer, table.IfLost, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return tx.typed(ctx, epoch, arg)
		}),
		table.NewAction("undo", table.ByPlayer, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.takeBack(ctx, table.UndoMark, false)
		})),
		table.NewAction("redo", table.ByPlayer, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.takeBack(ctx, table.RedoMark, false)
		})),
		table.NewAction("restart", table.ByPlayer, table.IfLost, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.restart(ctx)
		})),
		table.NewAction("hint", table.ByPlayer, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return single{free{tx}}.hint(ctx) })),
		table.NewAction("home", table.ByPlayer, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.toFoundations(ctx)
		})),
		table.NewAction("pile", table.ByPlayer, table.Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return single{free{tx}}.carry(ctx, epoch, arg)
		}),
		table.NewAction("page", table.ByPlayer, table.Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return single{free{tx}}.choosePlaces(ctx, epoch, arg)
		}),
		table.NewAction("giveup", table.ByPlayer, table.IfLost, true, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return single{free{tx}}.giveUp(ctx) })),
		table.NewAction("hand", table.ByPlayer, table.Never, true, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return tx.hand(ctx) })),
		table.NewAction("pass", table.ByPlayer, table.Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return bank{free{tx}}.pass(ctx) })),
		table.NewAction("bet", table.ByPlayer, table.Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return bank{free{tx}}.bet(ctx, epoch, arg)
		}),
		table.NewAction("cut", table.ByCutter, table.Never, false, func(tx *transaction, _ context.Context, _ int, arg string) (outcome, error) {
			return tx.cut(arg, false)
		}),
		table.NewAction("no-cut", table.ByCutter, table.Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.cut("", true) }),
		table.NewAction("enough", table.BySitter, table.Never, true, simply(func(tx *transaction, _ context.Context) (outcome, error) { return tx.endLesson() })),
		table.NewAction("answer", table.ByAsked, table.Never, true, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return tx.answer(ctx, arg)
		}),
	}
	for _, name := range []string{"robot", "norobot", "deal"} {
		all = append(all, table.NewAction(name, table.ByHost, table.Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) {
			return tx.arrange(name)
		}))
	}
	for _, name := range []string{"panel", "details", "set", "opt", "limit", "fast", "rounds", "temper"} {
		all = append(all, table.NewAction(name, table.ByOwner, table.Never, false, func(tx *transaction, _ context.Context, _ int, arg string) (outcome, error) {
			return tx.toggle(name, arg)
		}))
	}
	return all
}

// act does what a button of the table's own asks.
func (tx *transaction) act(ctx context.Context, epoch int, name, arg string) (outcome, error) {
	action := table.ActionNamed(Actions(), name)
	if action == nil {
		return outcome{}, table.ErrAction
	}
	if err := action.Admit(tx.req); err != nil {
		return outcome{}, err
	}
	if tx.unsure && action.Who == table.ByHost && action.Asks != table.Never && table.StopsOthers(tx.table, tx.req.Who.ID) {
		return outcome{}, table.ErrUnsure // Who may have been put out of the place ends nobody else's game there.
	}
	if early := tx.table.Phase == table.Lobby || tx.table.Phase == table.Cutting; early && epoch > 1 {
		return outcome{}, table.ErrAction
	}
	if err := action.Who.Admit(tx.table, tx.req.Who); err != nil {
		return outcome{}, err
	}
	return action.Run(tx, ctx, epoch, arg)
}

// speak lets who sits there say something to those who look at the table.
func (tx *transaction) speak(code string) (outcome, error) {
	t := tx.table
	seat, seated := t.SeatOf(tx.req.Who.ID)
	switch {
	case !tx.req.Live || tx.family.traits().alone || !slices.Contains(Signs(), code):
		return outcome{}, table.ErrAction
	case !seated:
		return outcome{}, table.ErrNotSeated
	case t.Chairs[seat].Left:
		return outcome{}, table.ErrLeft
	case !MayTalk(t, tx.tables.Now()):
		return outcome{}, table.ErrEnded
	}
	return outcome{said: &Sign{t.ID, seat, tx.req.Who.ID, t.Chairs[seat].Name, code, tx.req.ID}}, nil
}

// unread is the error of a text that makes no sense, which is Untyped for a button that was pressed without any.
func (tx *transaction) unread(err error) error {
	if tx.req.Kind == chat.Press && tx.req.Text == "" {
		return errors.Join(table.ErrUntyped, err)
	}
	return err
}

// answer does what was chosen by somebody who was asked something at the table.
func (tx *transaction) answer(ctx context.Context, arg string) (o outcome, err error) {
	q, do, err := tx.tables.Questions.Answer(tx.Tx, tx.table.Origin(), tx.req, tx.table.ID.Name, arg)
	if err == nil && q.Epoch != 0 {
		err = tx.refuseStale(ctx, q.Epoch)
	}
	if err == nil {
		tx.answered = &q
		o, err = tx.do(ctx, table.Token{Table: tx.table.ID, Epoch: q.Epoch, Do: do})
	}
	if err != nil {
		tx.answered = nil
		if q.Epoch != 0 {
			err = table.ShowTable(err)
		}
		return outcome{posts: tx.tables.Unanswered(tx.req, err)}, err
	}
	o.shown = o.shown || q.Epoch != 0
	return o, nil
}

// refuseStale returns ErrStale if the deal has ended, or is in another epoch than when the question was asked: the person would
// agree to something other than what they were asked.
func (tx *transaction) refuseStale(ctx context.Context, epoch int) error {
	if tx.table.Phase != table.Playing {
		return table.ErrStale
	}
	state, err := tx.position(ctx)
	if err == nil && tx.table.Epoch(state) != epoch {
		err = table.ErrStale
	}
	return err
}

// slip is how long the same move again by the same person is a slip of the thumb.
const slip = 1500 * time.Millisecond

// doubleTap is how long a second press of the same button by the same person is the first one again.
const doubleTap = 500 * time.Millisecond

// tapOf is where the table keeps the user's last press. Where chips are at stake everybody at the table has their own: a
// thumb bounces all the same when somebody else presses in between.
func (tx *transaction) tapOf(user int64) *table.Tap {
	t := tx.table
	if seat, ok := t.SeatOf(user); ok && tx.atBank() {
		t.Chairs = slices.Clone(t.Chairs)
		return &t.Chairs[seat].Tap
	}
	return &t.Tap
}

// tapped notes a press, and of who sits there that they have seen the deal.
func (tx *transaction) tapped(now table.Tap) {
	t := tx.table
	*tx.tapOf(now.User) = now
	if seat, ok := t.SeatOf(now.User); ok && tx.phase != table.Lobby && t.Chairs[seat].Tap.User == 0 {
		t.Chairs = slices.Clone(t.Chairs)
		t.Chairs[seat].Tap = now
	}
}

// bounces reports whether now is this press again: the same button a moment later if that can't be meant, or where chips
// are at stake the same move, which a new button may offer under the same thumb. Ours says that the press was in this run: of one before
// it isn't known how long ago it was, and no picture came between two bounces of a thumb and a start.
func bounces(last, now table.Tap, once, ours bool) bool {
	since := last.At.Until(now.At)
	again := once && last.Token == now.Token && since >= 0 && since < doubleTap
	slipped := ours && now.Do != 0 && last.Do == now.Do && since >= 0 && since < slip
	return last.User == now.User && (again || slipped)
}

// clearTap forgets what the one who must move now did before, if it was somebody else who had to: what they do now they
// mean.
func (tx *transaction) clearTap(must engine.Seat, before int) {
	if before == int(must) {
		return
	}
	tx.table.Chairs = slices.Clone(tx.table.Chairs)
	tx.table.Chairs[must].Tap.Do = 0
}

// ask asks the one who made the request something about the table, which nobody else can answer. Epoch is that of the table's
// buttons if the answer means nothing in another one; otherwise it is 0.
func (tx *transaction) ask(asked words.Phrase, epoch int, answers ...chat.Button) (outcome, error) {
	r := tx.req
	r.In.Community = tx.table.ID.Community // Somebody reads alone what was asked for in a group.
	post, err := tx.tables.Questions.Ask(tx.Tx, tx.table.Origin(), r, table.Question{Table: tx.table.ID.Name, Epoch: epoch}, asked, answers)
	post.In = tx.req.In
	return outcome{posts: []chat.Post{post}}, err
}

// Unanswered tells why an answer was refused. It tells nothing of a second answer: the message says already what became of
// the question. What an admin may answer stays for one.
func (b *Tables) Unanswered(r chat.Request, err error) []chat.Post {
	refused, ok := b.Refused(r, err)
	if !ok || errors.Is(err, table.ErrAnswered) || errors.Is(err, table.ErrNotAdmin) {
		return nil
	}
	return b.Closed(r, refused.Toast)
}

// Closed replaces a question by what became of it, in the message that asked it. The buttons go.
func (b *Tables) Closed(r chat.Request, says string) []chat.Post {
	if r.On == "" {
		return nil
	}
	return []chat.Post{{In: r.In, To: &r.Who, Edit: r.On, Message: chat.Message{Text: []chat.Span{{Text: says}}}}}
}

// Refused is the answer to the one who asked if the error is a Refusal; false if it is another error.
func (b *Tables) Refused(r chat.Request, err error) (chat.Response, bool) {
	var own words.Refusal
	var plain engine.Refusal
	var short purse.Short
	var early purse.TooEarly
	var unwon purse.Unwon
	p := words.Phrase{}
	switch {
	case errors.As(err, &short) && short.User == r.Who.ID:
		p = words.Phrase{Key: short.Error(), Blanks: words.Blanks{"n": int(short.Has)}}
	case errors.As(err, &unwon):
		p = words.Phrase{Key: unwon.Error(), Blanks: words.Blanks{"n": int(unwon.Has)}}
	case errors.As(err, &early):
		left := max(early.Next-b.Now().Unix(), 60)
		p = words.Phrase{Key: early.Error(), Blanks: words.Blanks{"hours": int(left / 3600), "minutes": int(left % 3600 / 60)}}
	case errors.As(err, &own):
		p = own.Phrase
	case errors.As(err, &plain):
		p.Key = string(plain)
		if plain == table.ErrNotAdmin && r.Kind == chat.Press && r.In.Community.Platform == chat.Telegram {
			p.Key += "-seen"
		}
	default:
		return chat.Response{}, false
	}
	p.Key = "no." + p.Key
	lang := b.Words.Lang(r.Who.Lang)
	var at refused
	if errors.As(err, &at) {
		lang = lang.At(b.Words.Lang(at.lang))
	}
	return chat.Response{
		Toast: chat.Shorten(p.Flat(lang), chat.MaxToast), Alert: true, Behind: plain == table.ErrStale, Over: plain == table.ErrAnswered,
		Untyped: errors.Is(err, table.ErrUntyped),
	}, true
}
