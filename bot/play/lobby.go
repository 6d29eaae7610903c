package play

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/opening"
	"zevaka/bot/refusal"
	"zevaka/bot/roll"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// lobbyLife is how long a lobby waits for anybody, cutTime how long the cutter has at most.
	lobbyLife = time.Hour
	cutTime   = 20 * time.Second
)

// mayArrange refuses to change the lobby where there is none any more, and to those who may not. Alone says that an admin
// mustn't either, only the host.
func (tx lobby) mayArrange(alone bool) error {
	switch t := tx.table; {
	case t.Phase != table.Lobby:
		return showing{refusal.Stale}
	case alone && t.Host != 0 && t.Host != tx.req.Who.ID:
		return words.Refuse(string(refusal.NotTheirs), words.Blanks{"who": t.HostName()})
	case !tx.mayManage():
		return refusal.NotHost
	}
	return nil
}

// arrange changes who sits in the lobby, or ends it by the deal.
func (tx lobby) arrange(name string) (outcome, error) {
	switch err := tx.mayArrange(false); {
	case err != nil:
		return outcome{}, err
	case name == "robot":
		return tx.addComputer()
	case name == "deal":
		return dealing(tx).seatAll()
	case !tx.table.DropComputer():
		return outcome{}, refusal.NoComputer
	}
	return tx.counted("done.norobot"), nil
}

// toggle turns one of the lobby's switches, or shows them to the host alone.
func (tx lobby) toggle(name, arg string) (outcome, error) {
	t, own := tx.table, tx.table.HasOwnPanel()
	panel := tx.drawing(tx.tables.Words.Lang(tx.req.Who.Lang))
	switch err := tx.mayArrange(own); {
	case err != nil:
		return outcome{}, err
	case own && name == "panel" && arg == "done":
		return outcome{posts: tx.tables.Closed(tx.req, panel.Lang.Say("done.panel-off"))}, nil
	case own && (name == "panel" || name == "details"):
		return outcome{shown: true, posts: []chat.Post{panel.PanelPost(tx.req, name)}}, nil
	case !opening.Switch(tx.rules.Info(), t, name, arg):
		return outcome{}, refusal.Action
	}
	o := tx.keepLobby()
	o.done = tx.drawing(tx.tables.reader(tx.req, t)).Switched(name, arg)
	if own {
		o.posts = []chat.Post{panel.PanelPost(tx.req, name)}
	}
	return o, nil
}

// keepLobby starts the waiting time of a lobby again, because it was changed.
func (tx lobby) keepLobby() outcome {
	tx.table.Ends = tx.now.Add(lobbyLife)
	return redrawn()
}

// counted is the outcome of what changes how many sit at the table.
func (tx lobby) counted(key string) outcome {
	o := tx.keepLobby()
	o.done = &words.Phrase{Key: key, Blanks: words.Blanks{"n": len(tx.table.Chairs), "most": tx.rules.Info().MaxSeats}}
	return o
}

func (tx lobby) join(ctx context.Context) (outcome, error) {
	t := tx.table
	if tx.req.Who.Anonymous {
		return outcome{}, refusal.Anonymous
	}
	if seat, ok := t.SeatOf(tx.req.Who.ID); ok {
		if t.Phase == table.Playing && (t.Chairs[seat].Computer() || t.Chairs[seat].Goes == table.AfterHand) {
			return seats(tx).comeBack(ctx)
		}
		return outcome{}, refusal.Seated
	}
	switch {
	case t.Phase == table.Ended:
		return outcome{}, showing{refusal.Ended}
	case t.Phase != table.Lobby && !tx.family.traits().late:
		return outcome{}, showing{refusal.Started}
	case t.Waits(tx.req.Who.ID):
		return outcome{}, refusal.Seated
	case t.Closing != nil:
		return outcome{}, refusal.Closes
	}
	if err := tx.room(tx.req.Who.ID); err != nil {
		return outcome{}, err
	}
	if err := admits(t, tx.req.Who.ID); err != nil {
		return outcome{}, err
	}
	if err := tx.known(); err != nil {
		return outcome{}, err
	}
	if err := tx.family.enter(); err != nil {
		return outcome{}, err
	}
	if err := roll.Seen(tx.Tx, t.Origin(), tx.req.Who.ID, tx.req.Who.Name); err != nil {
		return outcome{}, err
	}
	t.GiveUp(tx.req.Who.ID)
	sits := table.Chair{User: tx.req.Who.ID, Lang: tx.req.Who.Lang, Name: t.FreeName(tx.req.Who.Name, tx.tables.Words.Lang(t.Lang).Say("guest"))}
	if t.Phase != table.Lobby {
		t.Waiting = append(slices.Clone(t.Waiting), sits)
		return outcome{changed: true, shown: true, toast: &words.Phrase{Key: "waiting"}}, nil
	}
	t.Chairs = append(slices.Clone(t.Chairs), sits)
	if t.Host == 0 {
		t.Host = tx.req.Who.ID
		if t.Lang == "" {
			t.Lang = tx.tables.Words.Lang(tx.req.Who.Lang).Tag
		}
	}
	// Whoever reads another language is told how to choose, as long as the place has none.
	record, err := table.GetPlace(tx.Tx, t.Place)
	if err == nil && record.Lang == "" && record.Found == "" && tx.tables.Words.Lang(tx.req.Who.Lang).Tag != t.Lang {
		return tx.counted("done.join-lang"), nil
	}
	return tx.counted("done.join"), err
}

// room refuses one more seat to the user, or to a computer player, where none is left.
func (tx lobby) room(user int64) error {
	t, most := tx.table, tx.rules.Info().MaxSeats
	switch {
	case len(t.Chairs)+len(t.Waiting) >= most:
		return refusal.Full
	case t.Taken(user) >= most:
		return refusal.Kept
	}
	return nil
}

func (tx lobby) addComputer() (outcome, error) {
	t := tx.table
	if !tx.family.traits().computers {
		return outcome{}, refusal.NoRobots
	}
	if err := tx.room(0); err != nil {
		return outcome{}, err
	}
	t.AddComputer()
	return tx.counted("done.robot"), nil
}

// cutBy lets the one who asks cut, if it is theirs to do.
func (tx dealing) cutBy(text string) (outcome, error) {
	if err := tx.mayCut(); err != nil {
		return outcome{}, err
	}
	if text == "" {
		text = tx.req.Text
	}
	text = strings.Join(strings.Fields(text), " ")
	// Whoever checks the deal must be able to type what they read.
	if text == "" || len(text) > engine.MaxCut || chat.Bare(text) != text || strings.Contains(text, "`") {
		return outcome{}, refusal.CutText
	}
	return tx.deal(text)
}

// noCut deals without a cut, if the cutter asks for it.
func (tx dealing) noCut() (outcome, error) {
	if err := tx.mayCut(); err != nil {
		return outcome{}, err
	}
	return tx.deal("")
}

func (tx dealing) mayCut() error {
	if tx.table.Phase != table.Cutting {
		return showing{refusal.NoCut}
	}
	seat, ok := tx.table.SeatOf(tx.req.Who.ID)
	if !ok || int(seat) != tx.table.Cutter {
		return words.Refuse(string(refusal.NotCutter), words.Blanks{"who": tx.table.Chairs[tx.table.Cutter].Name})
	}
	return nil
}

// known refuses whoever is being forgotten.
func (tx lobby) known() error {
	items, err := tx.Get(table.KeyForgetting(tx.table.Origin(), tx.req.Who.ID))
	switch {
	case err != nil:
		return fmt.Errorf("look whether a person is being forgotten: %w", err)
	case items[0].Rev != 0:
		return refusal.Forgetting
	}
	return nil
}
