package telegram

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// refused are refusals of Telegram's and what each means: from the source of its server, from its documentation, and from reports of
// others' bots. The last ones nobody has heard of.
func refused() map[string]verdict {
	return map[string]verdict{
		"429 Too Many Requests: retry after 5":           passes,
		"429 Flood control exceeded. Retry in 7 seconds": passes,
		"400 Too Many Requests: retry after 3":           passes,
		"400 Bad Request: SLOWMODE_WAIT_10":              passes,
		"400 Bad Request: FLOOD_WAIT_10":                 passes,
		"500 Internal Server Error":                      passes,
		"500 Internal Server Error: restart":             passes,
		"502 Bad Gateway":                                passes,
		"504 Gateway Timeout":                            passes,
		"400 Bad Request: Timeout":                       passes,
		"400 Bad Request: bad webhook: Failed to resolve host: Temporary failure in name resolution":                    passes,
		"400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same": unchanged,
		"400 Bad Request: MESSAGE_NOT_MODIFIED":                                unchanged,
		"400 Bad Request: message to edit not found":                           stale,
		"400 Bad Request: message can't be edited":                             stale,
		"400 Bad Request: MESSAGE_ID_INVALID":                                  stale,
		"400 Bad Request: there is no text in the message to edit":             otherKind,
		"400 Bad Request: there is no media in the message to edit":            otherKind,
		"400 Bad Request: not enough rights to send photos to the chat":        pictureless,
		"400 Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN":                          pictureless,
		"400 Bad Request: CHAT_SEND_DOCS_FORBIDDEN":                            pictureless,
		"400 Bad Request: CHAT_SEND_GIFS_FORBIDDEN":                            pictureless,
		"400 Bad Request: IMAGE_PROCESS_FAILED":                                unpainted,
		"400 Bad Request: PHOTO_INVALID_DIMENSIONS":                            unpainted,
		"400 Bad Request: PHOTO_EXT_INVALID":                                   unpainted,
		"400 Bad Request: PHOTO_SAVE_FILE_INVALID":                             unpainted,
		"400 Bad Request: MEDIA_INVALID":                                       unpainted,
		"400 Bad Request: not enough rights to send text messages to the chat": barred,
		"400 Bad Request: have no rights to send a message":                    barred,
		"400 Bad Request: need administrator rights in the channel chat":       barred,
		"400 Bad Request: CHAT_WRITE_FORBIDDEN":                                barred,
		"403 Forbidden: CHAT_WRITE_FORBIDDEN":                                  barred,
		"400 Bad Request: CHAT_SEND_PLAIN_FORBIDDEN":                           barred,
		"400 Bad Request: CHAT_GUEST_SEND_FORBIDDEN":                           barred,
		"400 Bad Request: CHAT_ADMIN_REQUIRED":                                 barred,
		"400 Bad Request: CHAT_RESTRICTED":                                     barred,
		"400 Bad Request: USER_BANNED_IN_CHANNEL":                              barred,
		"400 Bad Request: TOPIC_CLOSED":                                        barred,
		"403 Forbidden: bot was blocked by the user":                           personGone,
		"403 Forbidden: user is deactivated":                                   personGone,
		"403 Forbidden: bot can't initiate conversation with a user":           personGone,
		"400 Bad Request: bot can't initiate conversation with a user":         personGone,
		"403 Forbidden: bot can't send messages to bots":                       personGone,
		"400 Bad Request: message thread not found":                            topicGone,
		"400 Bad Request: TOPIC_DELETED":                                       topicGone,
		"400 Bad Request: TOPIC_ID_INVALID":                                    topicGone,
		"400 Bad Request: chat not found":                                      placeLost,
		"400 Bad Request: PEER_ID_INVALID":                                     placeLost,
		"400 Bad Request: CHAT_ID_INVALID":                                     placeLost,
		"400 Bad Request: CHANNEL_INVALID":                                     placeLost,
		"400 Bad Request: CHANNEL_PRIVATE":                                     placeLost,
		"400 Bad Request: group chat was upgraded to a supergroup chat":        placeLost,
		"403 Forbidden: bot was kicked from the group chat":                    placeGone,
		"403 Forbidden: bot was kicked from the supergroup chat":               placeGone,
		"403 Forbidden: bot is not a member of the group chat":                 placeGone,
		"403 Forbidden: bot is not a member of the supergroup chat":            placeGone,
		"403 Forbidden: the group chat was deleted":                            placeGone,
		"400 Bad Request: group chat was deactivated":                          placeGone,
		"400 Bad Request: can't parse entities: unsupported start tag at 0":    final,
		"400 Bad Request: message is too long":                                 final,
		"400 Bad Request: message text is empty":                               final,
		"400 Bad Request: BUTTON_DATA_INVALID":                                 final,
		"400 Bad Request: reply markup is too long":                            final,
		"401 Unauthorized":                                                     passes,
		"403 Forbidden":                                                        final,
		"404 Not Found":                                                        passes,
		"413 Request Entity Too Large":                                         final,
		"400 Bad Request: something that nobody has heard of":                  final,
		"418 I'm a teapot":                                                     final,
	}
}

// refusing is a fault of the calls that write, so often; 0 is always.
func refusing(said string, times int) func(string, map[string]string) telegramtest.Fault {
	status, text, _ := strings.Cut(said, " ")
	fault := telegramtest.Fault{Status: int(status[0]-'0')*100 + int(status[1]-'0')*10 + int(status[2]-'0'), Text: text}
	n := 0
	return func(method string, _ map[string]string) telegramtest.Fault {
		if method != "sendMessage" && method != "editMessageText" {
			return telegramtest.Fault{}
		}
		if n++; times > 0 && n > times {
			return telegramtest.Fault{}
		}
		return fault
	}
}

// TestRefusals goes through all that Telegram may say, once and for hours, to a group and to a person. None ends a table, as long as
// nothing else says that the place is gone. What passes is tried again by itself, as is what says that a place isn't there, or that a
// message shows already what it never was sent. In any case the next press is shown.
func TestRefusals(t *testing.T) {
	for said, want := range refused() {
		if status, text, _ := strings.Cut(said, " "); want != passes {
			if got := verdictOn(&apiError{code: int(status[0]-'0') * 100, text: text}); got != want {
				t.Errorf("%s means %d, not %d", said, got, want)
			}
		}
		for _, alone := range []bool{false, true} {
			d := newDealer()
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				x.start(Options{})
				ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
				if alone {
					c = ann.Private()
				}
				c.Say(ann, "/zevaka")
				board := x.board(c, "level 1")
				rest(time.Minute)
				x.server.SetFault(refusing(said, 1))
				x.send(ann, board, "turn")
				rest(62 * time.Second)
				now, _ := c.Board()
				again := want == final || want == passes || want == unchanged || want == stale || want == otherKind || want == pictureless || want == unpainted || want == barred || !alone && want >= personGone
				if shown := strings.Contains(now.Text, "level 2"); shown != again {
					t.Errorf("%s, alone %t: a minute after one refusal the board is %q", said, alone, now.Text)
				}
				x.server.SetFault(refusing(said, 0))
				x.send(ann, board, "turn")
				tried := len(x.server.Calls("sendMessage")) + len(x.server.Calls("editMessageText"))
				rest(map[bool]time.Duration{true: time.Minute, false: 80 * time.Minute}[want == passes])
				if n := len(x.server.Calls("sendMessage")) + len(x.server.Calls("editMessageText")) - tried; n > 200 {
					t.Errorf("%s, alone %t: tried %d times, refused all the time", said, alone, n)
				}
				x.server.SetFault(nil)
				x.send(ann, now, "turn")
				x.board(c, "level 4")
				if n := len(d.heard.Of(chat.Gone)); n != 0 {
					t.Errorf("%s, alone %t: the bot was told %d times that the chat is gone", said, alone, n)
				}
				warned := strings.Count(x.log.String(), "Telegram says that a chat isn't there")
				if most := map[bool]int{true: 1}[want >= personGone && !alone]; warned != most {
					t.Errorf("%s, alone %t: the operator was told %d times", said, alone, warned)
				}
			})
		}
	}
}

// TestWaitsInAnyShape: what passes is tried again at its time, however the answer is written that says so.
func TestWaitsInAnyShape(t *testing.T) {
	page := "<html><head><title>429 Too Many Requests</title></head><body>nginx</body></html>"
	for _, test := range []struct {
		name        string
		fault       telegramtest.Fault
		least, most time.Duration
	}{
		{"as documented", telegramtest.Fault{Status: 429, RetryAfter: 5}, 5 * time.Second, 7 * time.Second},
		{"the number in the text", telegramtest.Fault{Status: 429, Text: "Too Many Requests: retry after 5"}, 5 * time.Second, 7 * time.Second},
		{"another status", telegramtest.Fault{Status: 400, Text: "Bad Request: Too Many Requests: retry after 5"}, 5 * time.Second, 7 * time.Second},
		{"as others write", telegramtest.Fault{Status: 429, Text: "Flood control exceeded. Retry in 5 seconds"}, 5 * time.Second, 7 * time.Second},
		{"no number", telegramtest.Fault{Status: 429, Text: "Too Many Requests"}, time.Second, 3 * time.Second},
		{"a number that is none", telegramtest.Fault{Status: 429, Text: "Too Many Requests: retry after -5"}, time.Second, 3 * time.Second},
		{"a page", telegramtest.Fault{Status: 429, Body: page}, time.Second, 3 * time.Second},
		{"a page with a header", telegramtest.Fault{Status: 429, Body: page, RetryAfter: 5}, 5 * time.Second, 7 * time.Second},
		{"the number in the header", telegramtest.Fault{Status: 429, Body: `{"ok":false,"error_code":429,"description":"Too Many Requests"}`, RetryAfter: 5}, 5 * time.Second, 7 * time.Second},
		{"an error as a page", telegramtest.Fault{Status: 502, Body: page}, time.Second, 3 * time.Second},
		{"another's refusal", telegramtest.Fault{Status: 403, Body: page}, time.Second, 3 * time.Second},
		{"another's refusal in JSON", telegramtest.Fault{Status: 403, Body: `{"message":"Forbidden"}`}, time.Second, 3 * time.Second},
		{"another's success in JSON", telegramtest.Fault{Status: 200, Body: `{"status":"ok"}`}, time.Second, 3 * time.Second},
		{"half of it", telegramtest.Fault{Status: 429, Body: `{"ok":false,"error_code":429,"descr`}, time.Second, 3 * time.Second},
		{"nothing", telegramtest.Fault{Status: 500, Body: "\n"}, time.Second, 3 * time.Second},
		{"half a success", telegramtest.Fault{Status: 200, Body: `{"ok":true,"resu`}, time.Second, 3 * time.Second},
		{"a page for a success", telegramtest.Fault{Status: 200, Body: page}, time.Second, 3 * time.Second},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c, board := x.table()
			rest(time.Minute)
			tried := map[string]bool{}
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if tried[method] || method != "editMessageText" && method != "answerCallbackQuery" {
					return telegramtest.Fault{}
				}
				tried[method] = true
				return test.fault
			})
			pressed := time.Now()
			x.send(ann, board, "turn")
			x.board(c, "level 2")
			if took := time.Since(pressed); took < test.least || took > test.most {
				t.Errorf("%s: the board came after %v", test.name, took)
			}
		})
	}
}

// TestLongWaits: one wish to wait for a day silences neither the bot nor a group for so long, and that of something in between is heeded for a minute.
func TestLongWaits(t *testing.T) {
	const day = 24 * 60 * 60
	said := telegramtest.Fault{Status: http.StatusTooManyRequests, RetryAfter: day}
	page := telegramtest.Fault{Status: http.StatusServiceUnavailable, Body: "<html>maintenance</html>", RetryAfter: day}
	for _, test := range []struct {
		method string
		fault  telegramtest.Fault
		most   time.Duration
	}{
		{"getUpdates", said, strangersWait}, {"getUpdates", page, strangersWait},
		{"editMessageText", said, longSlow}, {"editMessageText", page, strangersWait},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c, board := x.table()
			rest(time.Minute)
			var refused atomic.Bool
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method != test.method || refused.Swap(true) {
					return telegramtest.Fault{}
				}
				return test.fault
			})
			if test.method == "getUpdates" {
				x.until("a poll is refused", refused.Load)
			}
			pressed := time.Now()
			ann.Press(board, "turn")
			for now, _ := c.Board(); now.Text == board.Text && time.Since(pressed) <= 2*test.most; now, _ = c.Board() {
				rest(time.Second)
			}
			if took := time.Since(pressed); !refused.Load() || took > test.most+2*time.Second {
				t.Errorf("%s, %d: the board came after %v", test.method, test.fault.Status, took)
			}
		})
	}
}

// TestAnswersOfAnotherKind: a success that isn't about the message that was sent isn't taken for it, and isn't asked for again and again: a table is shown
// once more a minute later, as its message may not stand.
func TestAnswersOfAnotherKind(t *testing.T) {
	for _, body := range []string{`{"ok":true,"result":true}`, `{"ok":true,"result":{}}`, `{"ok":true,"result":{"message_id":7,"chat":{"id":-77,"type":"group"}}}`, `{"ok":true}`} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c := x.group()
			odd := 0
			x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
				if method != "sendMessage" || !strings.Contains(p["text"], "level") {
					return telegramtest.Fault{}
				}
				odd++
				return telegramtest.Fault{Status: http.StatusOK, Body: body}
			})
			c.Say(ann, "/zevaka")
			rest(time.Hour)
			if odd != 6 {
				t.Errorf("%s: it is sent %d times", body, odd)
			}
			x.server.SetFault(nil)
			rest(4 * time.Minute)
			if _, ok := c.Board(); !ok {
				t.Errorf("%s: it stands nowhere", body)
			}
			c.Say(ann, "/zevaka")
			x.board(c, "level 2")
		})
	}
}

// TestMovedByMistake: a group doesn't go on where the bot isn't, whatever a refusal says.
func TestMovedByMistake(t *testing.T) {
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint(private), func(t *testing.T) { movedByMistake(t, private) })
	}
}

func movedByMistake(t *testing.T, private bool) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		ann.Private().Say(ann, "/start")
		to := int64(-1000000000077)
		if private {
			to = ann.ID
		}
		rest(time.Minute)
		wrong := true
		x.server.SetFault(func(method string, _ map[string]string) (fault telegramtest.Fault) {
			if wrong && method == "editMessageText" {
				wrong = false
				fault = telegramtest.Fault{Status: 400, Body: `{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded to a supergroup chat","parameters":{"migrate_to_chat_id":` + fmt.Sprint(to) + `}}`}
			}
			return fault
		})
		x.send(ann, board, "turn")
		rest(90 * time.Second)
		if b := x.board(c); len(d.heard.Of(chat.Migrated))+len(d.heard.Of(chat.Gone)) > 0 || !strings.Contains(b.Text, "level 2") {
			t.Errorf("the board is %q, and the bot was told of %+v", b.Text, d.heard.Of(chat.Migrated))
		}
	})
}
