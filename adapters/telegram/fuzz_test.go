package telegram

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// FuzzUpdate reads anything as an update: what is made of it fits into a request, and says who it was.
func FuzzUpdate(f *testing.F) {
	for _, seed := range []string{
		`{"update_id":1,"message":{"message_id":1,"date":4102444800,"chat":{"id":-5,"type":"group"},"from":{"id":5,"first_name":"Аня"},"text":"/zevaka@test 21b"}}`,
		`{"update_id":1,"message":{"message_id":1,"chat":{"id":5,"type":"private"},"from":{"id":5,"first_name":"\u202e"},"text":"/start a-1"}}`,
		`{"update_id":1,"message":{"message_id":1,"chat":{"id":-5,"type":"supergroup","title":"x"},"sender_chat":{"id":-5},
			"from":{"id":1087968824},"text":"/stop","message_thread_id":7,"is_topic_message":true}}`,
		`{"update_id":2,"callback_query":{"id":"q","from":{"id":5,"first_name":"A"},"data":"1.t-5.a.0.flip",
			"message":{"message_id":3,"date":4102444800,"chat":{"id":-5,"type":"group"}}}}`,
		`{"update_id":2,"callback_query":{"id":"q","from":{"id":5},"data":"x","message":{"message_id":3,"date":0,"chat":{"id":-5,"type":"supergroup"}}}}`,
		`{"update_id":3,"my_chat_member":{"chat":{"id":-5,"type":"group"},"new_chat_member":{"status":"kicked"}}}`,
		`{"update_id":4,"message":{"message_id":1,"chat":{"id":-5},"migrate_to_chat_id":-100}}`,
		`{"update_id":5,"message":{"from":{"id":5},"text":"/give x 5","entities":[{"type":"text_mention","offset":6,"length":99,"user":{"id":7}},
			{"type":"mention","offset":-1,"length":-1}]}}`,
		`{"update_id":"x"}`, `{"update_id":6,"message":7}`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		u, err := decodeUpdate(raw)
		if err != nil {
			return
		}
		synctest.Test(t, func(t *testing.T) { // Who the admins are is waited for in vain.
			a := New(newDealer(), Options{Token: "1:x", Log: slog.New(slog.DiscardHandler)})
			a.me.Store(&user{Username: "test"})
			a.Cut() // Nobody is to be asked who the admins are.
			if q := u.CallbackQuery; q != nil {
				if from, ok := a.press(q); ok {
					wantRequest(t, from, chat.Press)
					wantHome(t, u, from)
				}
			}
			if m := u.Message; m != nil {
				if from, ok := a.command(m); ok {
					wantRequest(t, from, chat.Command)
					if _, kept := keeperOf(strings.TrimPrefix(m.Text, privateStart)); !kept && u.CallbackQuery == nil {
						wantHome(t, u, from)
					}
				}
			}
		})
	})
}

// wantHome wants an update to go where what is made of it is served.
func wantHome(t *testing.T, u update, from incoming) {
	t.Helper()
	if home := table.Home(from.Request); u.home() != home {
		t.Errorf("it goes to %s, and is about %s", u.home(), home)
	}
}

// wantRequest wants a request that can be handed to the bot.
func wantRequest(t *testing.T, from incoming, kind chat.Kind) {
	t.Helper()
	r := from.Request
	if r.Kind != kind || r.ID == "" || r.In.Community.Platform != chat.Telegram || r.Who.Bot {
		t.Errorf("%+v", r)
	}
	switch {
	case kind == chat.Press && r.Data != "" && len(r.Data) <= maxPayload:
	case kind == chat.Command && strings.HasPrefix(r.Data, "/"):
	case kind == chat.Command && from.private && r.Data != "" && len(r.Data) <= maxLine: // A move in plain words.
	default:
		t.Errorf("the data %q", r.Data)
	}
	if r.Who.Admin && !r.Who.Anonymous {
		t.Errorf("somebody is an admin whom nobody called one: %+v", r)
	}
}
