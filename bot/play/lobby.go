package play

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// lobbyLife is how long a lobby waits for anybody.
const lobbyLife = time.Hour

// arrange changes who sits in the lobby, or ends it by the deal.
func (tx *transaction) arrange(name string) (outcome, error) {
	switch {
	case tx.table.Phase != table.Lobby:
		return outcome{}, table.ShowTable(table.ErrStale)
	case name == "robot":
		return tx.addComputer()
	case name == "deal":
		return tx.dealNow()
	case !table.DropComputer(tx.table):
		return outcome{}, table.ErrNoComputer
	}
	return tx.counted("done.norobot"), nil
}

// toggle turns one of the lobby's switches, or shows them to the host alone.
func (tx *transaction) toggle(name, arg string) (outcome, error) {
	t, own := tx.table, tx.table.HasOwnPanel()
	panel := tx.drawing(tx.tables.Words.Lang(tx.req.Who.Lang))
	switch {
	case t.Phase != table.Lobby:
		return outcome{}, table.ShowTable(table.ErrStale)
	case own && name == "panel" && arg == "done":
		return outcome{posts: tx.tables.Closed(tx.req, panel.Lang.Say("done.panel-off"))}, nil
	case t.RulesStand(tx.family.traits().chips, tx.req.Who.ID):
		return outcome{}, table.ErrAgreed
	case own && (name == "panel" || name == "details"):
		return outcome{shown: true, posts: []chat.Post{panel.PanelPost(tx.req, name)}}, nil
	case !SwitchOption(tx.rules.Info(), t, name, arg):
		return outcome{}, table.ErrAction
	}
	o := tx.keepLobby()
	o.done = tx.drawing(tx.tables.reader(tx.req, t)).Switched(name, arg)
	if own {
		o.posts = []chat.Post{panel.PanelPost(tx.req, name)}
	}
	return o, nil
}

// keepLobby starts the waiting time of a lobby again, because it was changed.
func (tx *transaction) keepLobby() outcome {
	tx.table.Ends = tx.now.Add(lobbyLife)
	return redrawn()
}

// counted is the outcome of what changes how many sit at the table.
func (tx *transaction) counted(key string) outcome {
	o := tx.keepLobby()
	o.done = &words.Phrase{Key: key, Blanks: words.Blanks{"n": len(tx.table.Chairs), "most": tx.rules.Info().MaxSeats}}
	return o
}

// joinAs is join for whoever has seen the table by these rules; empty where the button names none. At a table that goes by others they
// are shown it.
func (tx *transaction) joinAs(ctx context.Context, rules string) (outcome, error) {
	if !tx.table.PlaysBy(rules) {
		return outcome{}, table.ShowTable(table.ErrStale)
	}
	o, err := tx.join(ctx)
	o.opened = tx.table.ID.String()
	return o, err
}

func (tx *transaction) join(ctx context.Context) (outcome, error) {
	t := tx.table
	if seat, ok := t.SeatOf(tx.req.Who.ID); ok {
		if t.Phase == table.Playing && (t.Chairs[seat].Computer() || t.Chairs[seat].Leaving == table.AfterHand) {
			return tx.comeBack(ctx)
		}
		return outcome{}, table.ErrSeated
	}
	if err := table.MaySitDown(t, tx.req.Who, tx.family.traits().late, tx.rules.Info().MaxSeats); err != nil {
		return outcome{}, err
	}
	if err := table.NotForgotten(tx.Tx, t.Origin(), tx.req.Who.ID); err != nil {
		return outcome{}, err
	}
	if err := tx.family.enter(); err != nil {
		return outcome{}, err
	}
	isNew, err := purse.MeetName(tx.Tx, t.Origin(), tx.req.Who.ID, tx.req.Who.Name)
	if err != nil {
		return outcome{}, err
	}
	tx.newcomer = isNew && !t.Lesson
	t.GiveUp(tx.req.Who.ID)
	sits := table.Chair{User: tx.req.Who.ID, Tap: table.Tap{At: tx.now}, Lang: tx.req.Who.Lang, Name: t.FreeName(tx.req.Who.Name, tx.tables.Words.Lang(t.Lang).Say("guest"))}
	if !tx.family.traits().alone {
		own, err := table.GetChoices(tx.Tx, t.Origin(), sits.User)
		if err != nil {
			return outcome{}, err
		}
		sits.AtOnce = own.AtOnce
	}
	if t.Phase != table.Lobby {
		return tx.waits(sits)
	}
	t.Chairs = append(slices.Clone(t.Chairs), sits)
	if t.Host == 0 {
		t.Host = tx.req.Who.ID
		if t.Lang == "" {
			t.Lang = tx.tables.Words.Lang(tx.req.Who.Lang).Tag
		}
	}
	if t.Rematch && len(t.Kept) > 0 {
		o := tx.keepLobby()
		o.done = table.Awaited(t, "done.join-again")
		return o, nil
	}
	key := "done.join"
	if tx.family.traits().chips {
		key = "done.join-bank"
	}
	o := tx.counted(key)
	o.done.Blanks["host"] = t.HostName()
	return tx.gathered(o)
}

// waits has somebody sit down with the next bank, and tells them what they lack for it.
func (tx *transaction) waits(sits table.Chair) (outcome, error) {
	t := tx.table
	t.Waiting = append(slices.Clone(t.Waiting), sits)
	o := outcome{changed: true, shown: true, toast: &words.Phrase{Key: "waiting"}}
	if t.Session == nil {
		return o, nil
	}
	needs, has, short, err := bank{free{tx}}.till().Lacks(sits)
	switch {
	case err != nil:
		return outcome{}, err
	case short:
		o.toast = &words.Phrase{Key: "waiting.short", Blanks: words.Blanks{"least": int(needs), "n": int(has)}}
	case t.Session.Of(sits).Owes:
		o.toast.Key = "waiting.owes"
	}
	return o, nil
}

// gathered begins the deal by itself where all have come, or said that they won't, who were asked to another game. It leaves
// the lobby and what comes of the request as they are where that isn't so, or where there can be no deal: the host is told why
// when he deals.
func (tx *transaction) gathered(o outcome) (outcome, error) {
	t := tx.table
	if !t.Rematch || len(t.Kept) > 0 {
		return o, nil
	}
	dealt, err := tx.seatAll()
	if t.Phase == table.Lobby && errors.As(err, new(engine.Refusal)) {
		t.Rematch = false
		return o, nil
	}
	return dealt, err
}

func (tx *transaction) addComputer() (outcome, error) {
	t := tx.table
	if !tx.family.traits().computers {
		return outcome{}, table.ErrNoRobots
	}
	if err := table.HasRoom(t, 0, tx.rules.Info().MaxSeats); err != nil {
		return outcome{}, err
	}
	c, o := table.SitComputer(t, tx.tables.Words.Lang(t.Lang)), tx.counted("done.robot")
	o.done.Blanks["who"], o.done.Blanks["how"] = c.Name, words.Phrase{Key: c.Temper.Key()}
	return o, nil
}

// cut adds what the one who asks has chosen to the cut, nothing if plain, and deals if nobody is waited for any more.
func (tx *transaction) cut(typed string, plain bool) (outcome, error) {
	t := tx.table
	seat, err := table.CutterSeat(t, tx.req.Who)
	if err != nil {
		return outcome{}, err
	}
	text, good := table.CutText(cmp.Or(typed, tx.req.Text))
	if !plain && !good {
		return outcome{}, tx.unread(table.ErrCutText)
	}
	if plain {
		text = ""
	}
	table.AddCut(t, seat, text)
	if table.CutEnds(t, tx.now, tx.tables.AddTime) {
		return tx.deal(true)
	}
	o := done("done.cut")
	if int(seat) == t.Cutter {
		o.done.Key = "done.cut-last"
	} else if plain {
		o.done.Key = "done.cut-plain"
	}
	o.done.Blanks = words.Blanks{"cut": words.Exact(text), "who": t.Chairs[t.Cutter].Name}
	return o, nil
}
