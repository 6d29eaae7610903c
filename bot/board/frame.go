package board

import (
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/engine"
)

// Then is the table, which has ended, as it was when these were the events so far, as far as a position of it is to be drawn
// again: who was out, and what happened last. Who has left or was away since sits there.
func (d Drawing) Then(events []engine.Event) *table.Table {
	const last = 3
	info, then := d.Rules.Info(), *d.Table
	then.Phase, then.Why, then.Result, then.Next = table.Playing, "", nil, ""
	then.Asleep, then.Closing, then.Waiting, then.Kept, then.Page = false, nil, nil, nil, 0
	then.Chairs = slices.Clone(then.Chairs)
	for i := range then.Chairs {
		c := &then.Chairs[i]
		c.Out, c.Away, c.Left, c.Goes = false, false, false, table.Stays
	}
	for _, e := range events {
		if info.EventRole(e.What) == engine.EventGoesOut {
			then.Chairs[e.Seat].Out = true
		}
	}
	then.Last = slices.Clone(Newest(info, events, last))
	return &then
}

// Frame is a position of a deal that has ended: the picture of it, or where there is none its piles in words, with what happened
// last. The Table of the Drawing is that of Then. It has no buttons.
func (d Drawing) Frame(view engine.View) chat.Message {
	p := d.painter()
	view.Offers = nil
	if p.info.ForOne() {
		if d.Pictured() {
			p.shot = p.picture(view, 0)
		} else {
			p.layout(view)
		}
		p.news(view)
		return chat.Message{Text: closed(p.Spans), Picture: p.shot}
	}
	several := progress{p, view}
	if d.Pictured() {
		p.shot = several.several()
	} else {
		several.position()
		p.Text("\n")
		for _, line := range several.happenedLast(max(2, several.room())) {
			p.append(line)
			p.Text("\n")
		}
	}
	return chat.Message{Text: closed(p.Spans), Picture: p.shot}
}

// FrameShot is the picture of such a position, whatever the place wants; nil where the Drawing has no Pictures.
func (d Drawing) FrameShot(view engine.View) *picture.Picture {
	view.Offers = nil
	switch p := d.painter(); {
	case d.Pictures == nil:
		return nil
	case p.info.ForOne():
		return p.picture(view, 0)
	default:
		return progress{p, view}.several()
	}
}
