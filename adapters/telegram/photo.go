package telegram

import (
	"context"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	// wordsFor is how long words take the place of pictures in a chat that allows none; wordsOnce, where Telegram doesn't take one.
	wordsFor, wordsOnce = time.Hour, time.Minute
	// fileName is the name of a picture's file.
	fileName = "table.png"
)

// paint paints a message's picture, if it has one. Where no pictures can be sent it puts the picture into words.
func (c *conversation) paint(d rendering) rendering {
	if d.picture == nil {
		return d
	}
	c.mu.Lock()
	words := time.Now().Before(c.wordsUntil)
	c.mu.Unlock()
	switch {
	case words && d.picture.Spare:
	case words:
		d.html = escape(d.picture.Alt) + "\n" + d.html
	default:
		d.png = d.picture.PNG(nil)
	}
	d.digest = digest(d.html + "\x00" + d.keyboard + "\x00" + string(d.png))
	return d
}

// describe has words take the place of pictures for a while.
func (c *conversation) describe(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wordsUntil = time.Now().Add(d)
}

// plain reports whether words are to take the place of a picture that has failed so often before and has met an error, which may be nil, and has them
// do so: where it is refused in words that nobody knows, or doesn't get through while Telegram answers something else, then for longer each time.
func (c *conversation) plain(err error, tries int) bool {
	if unheard(err) {
		c.describe(wordsOnce)
		return true
	}
	if !lost(err) {
		return false
	}
	c.mu.Lock()
	early := c.failed == 0 && tries+1 < maxPainted
	c.mu.Unlock()
	if early {
		return false
	}
	if _, ok := c.s.answers(c.s.Life); !ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == 0 {
		c.s.log.Warn("pictures don't get through; the bot describes them for a while", "chat", community(c.id))
	}
	c.wordsUntil = time.Now().Add(min(wordsOnce<<min(c.failed, 8), wordsFor))
	c.failed++
	return true
}

// captioned is the parameters for sending a picture or a file.
func (d rendering) captioned(chat int64) tgbotapi.Params {
	p := tgbotapi.Params{
		"chat_id":    strconv.FormatInt(chat, 10),
		"caption":    d.html,
		"parse_mode": tgbotapi.ModeHTML,
	}
	p.AddNonEmpty("reply_markup", d.keyboard)
	return p
}

// photo is the picture as a part of a call.
func (d rendering) photo(name string) tgbotapi.RequestFile {
	return tgbotapi.RequestFile{Name: name, Data: tgbotapi.FileBytes{Name: fileName, Bytes: d.png}}
}

// document is the file as a part of a call.
func (d rendering) document() tgbotapi.RequestFile {
	name := "document"
	if d.file.Moves() {
		name = "animation"
	}
	return tgbotapi.RequestFile{Name: name, Data: tgbotapi.FileBytes{Name: d.file.Name, Bytes: d.file.Data}}
}

// change edits a message of the chat: into a text, or into a picture. Where nothing is drawn it only takes the buttons away.
func (s *sender) change(ctx context.Context, chat, message int64, d rendering) error {
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10)}
	switch {
	case d.png != nil:
		const part = "picture"
		params["message_id"] = strconv.FormatInt(message, 10)
		params["media"] = encode(map[string]string{
			"type": "photo", "media": "attach://" + part, "caption": d.html, "parse_mode": tgbotapi.ModeHTML,
		})
		params.AddNonEmpty("reply_markup", d.keyboard)
		return s.api.upload(ctx, "editMessageMedia", params, d.photo(part), nil)
	case d.html == "":
		params["message_id"] = strconv.FormatInt(message, 10)
		return s.api.call(ctx, "editMessageReplyMarkup", params, nil)
	}
	params = d.text(chat)
	params["message_id"] = strconv.FormatInt(message, 10)
	return s.api.call(ctx, "editMessageText", params, nil)
}
