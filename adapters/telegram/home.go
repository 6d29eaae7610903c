package telegram

import (
	"time"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

var _ door.Homed = entrance{}

// Home is whoever has logged in: their own chat with the bot. What the link says doesn't count, since it can be another one with
// the same login.
func (e entrance) Home(h door.Hello) (home chat.Community, made time.Time, err error) {
	login, err := e.key.Read(h.Login, time.Now())
	if err != nil {
		return chat.Community{}, time.Time{}, err
	}
	return placeOf(login.User.ID).Community, login.At, nil
}
