package play

import (
	"maps"
	"slices"

	"zevaka/bot/table"
)

// MaxOwn is how many tables one person may have open in a place: those of which they are the host.
const MaxOwn = 3

// Room is what makes room in a place for a table that its host asks for, where these are open there, the oldest first. Where the
// host has as many as they may, it is their oldest table at which nobody else sits and nothing has begun, which is to be closed. But
// where they ask once more for one that no message shows yet, as who hears nothing for long does, same is that one, and nothing is
// to be closed for it: a chat that takes few messages must not be filled with tables that nobody has seen. False: there is no
// room, and none can be made.
func (o Opening) Room(tables []*table.Table, host int64) (closes, same *table.Table, ok bool) {
	own := slices.DeleteFunc(slices.Clone(tables), func(t *table.Table) bool { return t.Host != host })
	if len(own) < MaxOwn {
		return nil, nil, true
	}
	for _, t := range own {
		switch {
		case !t.IsFree():
		case o.unseen(t):
			return nil, t, true
		case closes == nil:
			closes = t
		}
	}
	return closes, nil, closes != nil
}

// unseen reports whether a table that nobody else has come to is the one asked for, as it would be opened now, and no message
// shows it yet.
func (o Opening) unseen(t *table.Table) bool {
	plain := !o.Now && o.Practice == t.Practice && o.Computers == 0 && len(o.Kept) == 0 && o.Deal == nil && o.Board == "" && o.Link == Link{} && o.Lang == ""
	ruled := !o.Ruled || maps.Equal(o.Options, t.Options)
	paced := !o.Paced || o.Limit == t.Limit && o.Fast == t.Fast
	lobby := t.Phase == table.Lobby && t.Board == "" && len(t.Chairs) <= 1
	return lobby && plain && ruled && paced && t.Game == o.Rules.Info().Name
}
