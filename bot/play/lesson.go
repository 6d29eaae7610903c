package play

import (
	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// enough ends a lesson when its learner wants that. Nobody is asked again: nothing is lost.
func (tx seats) enough() (outcome, error) {
	t := tx.table
	switch _, seated := t.SeatOf(tx.req.Who.ID); {
	case !t.Lesson:
		return outcome{}, table.ErrAction
	case t.Phase == table.Ended:
		return outcome{}, table.ShowTable(table.ErrEnded)
	case !seated:
		return outcome{}, table.ErrNotSeated
	}
	return tx.end(board.Enough, nil), nil
}

// patiently has a lesson wait for its learner, but not for ever.
func (tx *transaction) patiently() {
	if tx.table.Lesson {
		tx.table.Ends = tx.now.Add(board.LessonLife)
	}
}

// welcome offers a lesson to who has just sat down for the first time: in what they are told anyway, and in a message before the table
// where they are alone with the bot and others will come to sit there, so that nobody is disturbed. A message for one reader would
// take the only answer that there is where the bot is a guest.
func (tx *transaction) welcome(r *chat.Response, reader *words.Lang) {
	if !tx.newcomer {
		return
	}
	info := tx.rules.Info()
	post, any := board.OfferLesson(reader, tx.req, info)
	switch alone := tx.req.In.Private && !tx.req.In.Guest && !tx.req.Live; {
	case !any:
	case alone && !info.ForOne() && !tx.req.In.Community.Platform.HasEphemerals():
		r.Posts = append([]chat.Post{post}, r.Posts...)
	case r.Toast != "" && tx.table.Phase == table.Lobby:
		r.Toast = chat.Shorten(r.Toast+" "+words.Phrase{Key: "lesson.first-short"}.Flat(reader), chat.MaxToast)
	}
}
