package telegram

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// verdict is what it means that a call didn't get through.
type verdict uint8

const (
	// final: this call is refused, and nothing follows for any other. Whatever nobody knows is of this kind.
	final verdict = iota
	// passes: the same may get through later.
	passes
	// unchanged: the message shows already what it should.
	unchanged
	// stale: the message can't be changed any more, and another can take its place.
	stale
	// otherKind is stale where a picture can't become a text, or the other way round.
	otherKind
	// over: nobody waits for the answer to a press any more.
	over
	// pictureless: the bot may write here, but send no pictures, or no files.
	pictureless
	// unpainted: Telegram doesn't take this picture, or no picture for now.
	unpainted
	// barred: the bot is here, and may not write.
	barred
	// moved: the chat goes on under another number.
	moved
	// personGone: the person can't be written to in private, as long as they don't change that.
	personGone
	// topicGone: the topic is there no more, Telegram says. It also says so of old topics in large groups.
	topicGone
	// placeLost: the chat isn't found. A server that has lost its memory says so of every chat.
	placeLost
	// placeGone: the bot isn't in the chat any more, Telegram says.
	placeGone
)

// refusal is what Telegram says when it refuses something, in lower case, and what that means.
type refusal struct {
	text string
	verdict
}

// closedTopic is what Telegram says where the bot may write nothing in one topic alone.
const closedTopic = "topic_closed"

// refusals are all refusals that are known. The first one counts that is a part of what Telegram says.
func refusals() []refusal {
	return []refusal{
		{"query is too old", over}, {"query id is invalid", over}, {"query_id_invalid", over},
		{"too many requests", passes}, {"retry after", passes}, {"flood_wait", passes}, {"slowmode_wait", passes},
		{"internal server error", passes}, {"internal_server_error", passes}, {"timeout", passes}, {"timed out", passes}, {"bad gateway", passes},
		{"failed to resolve host", passes}, {"connection refused", passes},
		{"message is not modified", unchanged}, {"message_not_modified", unchanged},
		{"message to edit not found", stale}, {"message can't be edited", stale}, {"message_id_invalid", stale}, {"message_edit_time_expired", stale},
		{"message_author_required", stale}, {"message to be replied not found", stale}, {"replied message not found", stale},
		{"there is no text in the message", otherKind}, {"there is no media in the message", otherKind},
		{"rights to send photos", pictureless}, {"chat_send_photos_forbidden", pictureless}, {"chat_send_media_forbidden", pictureless},
		{"chat_send_docs_forbidden", pictureless}, {"chat_send_gifs_forbidden", pictureless},
		{"image_process_failed", unpainted}, {"photo_invalid", unpainted}, {"photo_ext_invalid", unpainted}, {"photo_save_file_invalid", unpainted},
		{"photo_content", unpainted}, {"photo_file_missing", unpainted}, {"media_invalid", unpainted}, {"media_empty", unpainted},
		{"not enough rights", barred}, {"have no rights", barred}, {"no write access", barred}, {"chat_write_forbidden", barred},
		{"chat_send_plain_forbidden", barred}, {"chat_guest_send_forbidden", barred}, {"chat_restricted", barred}, {closedTopic, barred},
		{"need administrator rights", barred}, {"chat_admin_required", barred}, {"user_banned_in_channel", barred}, {"user_restricted", barred},
		{"bot was blocked", personGone}, {"user_is_blocked", personGone}, {"user is deactivated", personGone}, {"input_user_deactivated", personGone},
		{"can't initiate conversation", personGone}, {"can't send messages to bots", personGone}, {"privacy_premium_required", personGone},
		{"thread not found", topicGone}, {"topic_deleted", topicGone}, {"topic_id_invalid", topicGone},
		{"bot was kicked", placeGone}, {"bot is not a member", placeGone}, {"group chat was deleted", placeGone},
		{"group chat was deactivated", placeGone}, {"group is deactivated", placeGone},
		{"chat not found", placeLost}, {"peer_id_invalid", placeLost}, {"chat_id_invalid", placeLost}, {"channel_invalid", placeLost},
		{"channel_private", placeLost}, {"chat_forbidden", placeLost}, {"upgraded to a supergroup", placeLost},
	}
}

// verdictOn is what an error means that isn't nil. Nothing else decides that.
func verdictOn(err error) verdict {
	var refused *apiError
	switch {
	case errors.Is(err, errUnread):
		return final // What was asked may have been done, so the same again would do it twice.
	case !errors.As(err, &refused), refused.foreign, refused.retry > 0, refused.code == http.StatusTooManyRequests,
		refused.code >= http.StatusInternalServerError, refused.badToken():
		return passes // Whether the token is good is found out where updates are asked for.
	case refused.migrate != 0:
		return moved
	}
	said := strings.ToLower(refused.text)
	for _, known := range refusals() {
		if strings.Contains(said, known.text) {
			return known.verdict
		}
	}
	return final
}

// barsFiles reports whether an error says that something may not be written where it was to stand. Of a file that says nothing about all
// else: whether a chat allows documents, and animations, are rights of their own.
func barsFiles(err error) bool {
	if err == nil {
		return false
	}
	v := verdictOn(err)
	return v == barred || v == pictureless
}

// errUnread is an answer that says that something was done, and not what.
var errUnread = errors.New("the answer is of another kind")

// apiError is a refusal by the Bot API.
type apiError struct {
	method string
	code   int
	text   string
	// retry is how long to wait before the next try, 0 where nothing says that. Migrate is the chat's other number; 0: it has none.
	retry   time.Duration
	migrate int64
	// foreign says that it isn't written as Telegram writes: something else has answered.
	foreign bool
}

// Error says what was refused and why.
func (e *apiError) Error() string { return fmt.Sprintf("call %s: %s (%d)", e.method, e.text, e.code) }

// missing: the message to delete is there no more.
func (e *apiError) missing() bool {
	return strings.Contains(strings.ToLower(e.text), "message to delete not found")
}

// badToken: 401 is a wrong token, 404 one that can't be any.
func (e *apiError) badToken() bool {
	return !e.foreign && (e.code == http.StatusUnauthorized || e.code == http.StatusNotFound)
}

// refusedAs is the Bot API's refusal in err; a zero one if err is of another kind.
func refusedAs(err error) *apiError {
	var refused *apiError
	if errors.As(err, &refused) {
		return refused
	}
	return &apiError{}
}

// wait is how long what everybody depends on waits before it is tried again: its pause, or as Telegram says, but never long.
func (e *apiError) wait(pause time.Duration) time.Duration {
	return max(pause, min(e.retry, strangersWait))
}

// longestWait is how long Telegram's wish to wait is heeded at most, and strangersWait how long that of something in between. No longer waits what
// everybody depends on.
const longestWait, strangersWait = 24 * time.Hour, time.Minute

// waitPattern finds how long to wait in what Telegram says.
var waitPattern = regexp.MustCompile(`(?i)(?:retry after|retry in|wait of|flood_wait_|slowmode_wait_)\s*(\d{1,9})`)

// waitOf is how long to wait by what Telegram says: by the number beside the text, or else by the one in it; 0 if there is none.
func waitOf(seconds int, said string) time.Duration {
	if found := waitPattern.FindStringSubmatch(said); seconds <= 0 && found != nil {
		seconds, _ = strconv.Atoi(found[1]) // They are digits.
	}
	return min(time.Duration(min(max(seconds, 0), int(longestWait/time.Second)))*time.Second, longestWait)
}

// refusal is the answer of a call as an error, where the library has found one in it.
func (c *client) refusal(method string, way *carrier, err error) error {
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &refused):
		known := &apiError{
			method: method, code: cmp.Or(refused.Code, way.status), text: c.redact(refused.Message),
			retry: cmp.Or(waitOf(refused.RetryAfter, refused.Message), waitOf(way.retryAfter, "")), migrate: refused.MigrateToChatID,
			foreign: refused.Message == "",
		}
		if known.foreign {
			known.retry = min(known.retry, strangersWait)
		}
		return known
	case way.status >= http.StatusBadRequest:
		return &apiError{
			method: method, code: way.status, text: http.StatusText(way.status), retry: min(waitOf(way.retryAfter, ""), strangersWait), foreign: true,
		}
	}
	return fmt.Errorf("call %s: %w", method, c.clean(err))
}
