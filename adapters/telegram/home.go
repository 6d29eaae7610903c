package telegram

import (
	"time"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

var _ door.Homed = entrance{}

// Home is the private chat of whoever has logged in. The link doesn't count, because the same login can come with another one.
func (e entrance) Home(h door.Hello) (home chat.Community, made time.Time, err error) {
	login, err := e.key.Read(h.Login, time.Now())
	if err != nil {
		return chat.Community{}, time.Time{}, err
	}
	return placeOf(login.User.ID).Community, login.At, nil
}
