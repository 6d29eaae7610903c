package play

import (
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// outcome is what a request at a table comes to, which whoever serves the request returns: what is to be stored, and what
// there is to say. With a refusal nothing is stored, and of the outcome only the posts are sent.
type outcome struct {
	// changed says that the table must be saved, shown that its picture must be, anew that this goes to the bottom of the
	// channel.
	changed, shown, anew bool
	// pledged says that before the picture of a pack to be cut the seed is promised, in a message of its own.
	pledged bool
	// called is whom the picture calls, in a new message in place of the old one; nil nobody. The call stands above the
	// picture, unless it has one of its own. Quiet says that it makes no sound.
	called *chat.User
	call   *words.Phrase
	quiet  bool
	// lastShown says that the last picture of a table that ended was shown: it leaves the open tables.
	lastShown bool
	// named says that the one who asks is told which table it was.
	named bool
	// toast is for the one who pressed; alert says that it is a refusal.
	toast *words.Phrase
	alert bool
	// hint is the move that the toast names, as a token.
	hint string
	// done tells the one who pressed a button what came of it, where no event does.
	done *words.Phrase
	// posts come after the picture, and report after them if its place is to hear it.
	posts  []chat.Post
	report *chat.Post
	// next is the table that the session goes on at; nil if there is none.
	next *table.Table
}

// done is the outcome of what is told to the one who asked by that sentence, and shown to all.
func done(key string) outcome {
	o := redrawn()
	o.done = &words.Phrase{Key: key}
	return o
}

// redrawn is the outcome of most requests: the table was changed, and is shown.
func redrawn() outcome { return outcome{changed: true, shown: true} }
