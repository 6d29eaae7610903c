package telegram

import (
	"unicode/utf8"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
)

const (
	// livePath is where the page of the live tables stands behind Telegram's door.
	livePath = "/tg"
	// liveLabel is what the button of a board says that leads there.
	liveLabel = "▦"
)

// What the keys are for that follow from the token.
const (
	useVisits = "telegram visits"
	useTables = "telegram tables"
	useCalls  = "telegram calls"
)

// tableKey is what the links to tables are signed by.
func (o Options) tableKey() [32]byte { return door.KeyOf(o.Token, useTables) }

// webApp is a page that a button opens.
type webApp struct {
	URL string `json:"url"`
}

// withLive are a board's rows of buttons with the one that leads to its live table; without it where there is none. Telegram
// opens pages from buttons in private chats alone: elsewhere a link opens the app.
func (c *core) withLive(rows [][]inlineButton, p chat.Post) [][]inlineButton {
	me := c.me.Load()
	if c.opts.PublicURL == "" || p.Table == "" || p.Final || me == nil {
		return rows
	}
	start := webapp.Start{Chat: p.In.Channel, Thread: p.In.Thread, Table: p.Table}.Sign(c.tables)
	b := inlineButton{Text: liveLabel}
	switch {
	case start == "":
		return rows
	case p.In.Channel > 0:
		b.WebApp = &webApp{c.opts.PublicURL + livePath + "?start=" + start}
	case c.opts.App != "":
		b.URL = "https://t.me/" + me.Username + "/" + c.opts.App + "?startapp=" + start
	default:
		b.URL = "https://t.me/" + me.Username + "?startapp=" + start
	}
	return beside(rows, b)
}

// beside are the rows with one more button: at the end of the last row, if that leaves all its labels room.
func beside(rows [][]inlineButton, b inlineButton) [][]inlineButton {
	last := len(rows) - 1
	if last < 0 || len(rows[last]) >= maxRow {
		return append(rows, []inlineButton{b})
	}
	longest := 0
	for _, other := range rows[last] {
		longest = max(longest, utf8.RuneCountInString(other.Text))
	}
	if (len(rows[last])+1)*longest > rowLetters {
		return append(rows, []inlineButton{b})
	}
	rows[last] = append(rows[last], b)
	return rows
}
