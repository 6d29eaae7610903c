package telegram

import (
	"unicode/utf8"

	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
)

const (
	// livePath is the path of the live tables' page behind Telegram's door.
	livePath = "/tg"
	// liveLabel is the label of the button on a board that leads there.
	liveLabel = "▦"
)

// webApp is a page that a button opens.
type webApp struct {
	URL string `json:"url"`
}

// withLive is a board's rows of buttons with the button that leads to its live table, if there is one. Telegram lets a button open a
// page only in private chats; elsewhere a link opens the bot's app.
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

// beside is the rows with one more button. It goes at the end of the last row if all labels there still have room.
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
