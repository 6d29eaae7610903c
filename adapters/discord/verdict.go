package discord

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The errors of the API that are met on purpose.
const (
	codeUnknownChannel     = 10003
	codeUnknownGuild       = 10004
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeUnknownWebhook     = 10015
	codeUnknownInteraction = 10062
	codeSlowmode           = 20016
	codeManyEdits          = 20022
	codeManyInChannel      = 20028
	codeManyInGuild        = 20029
	codeOldMessage         = 30046
	codeManyChats          = 40003
	codeNoSending          = 40004
	codeTooLarge           = 40005
	codeNoFeature          = 40006
	codeAnswered           = 40060
	codeManyCalls          = 40062
	codeBlocked            = 40333
	codeNoAccess           = 50001
	codeNotOurs            = 50005
	codeNoChat             = 50007
	codeUnverified         = 50009
	codeNoPermission       = 50013
	codeTokenExpired       = 50027
	codeNoRecipient        = 50033
	codeFileTooLarge       = 50045
	codeFileInvalid        = 50046
	codeArchived           = 50083
	codeNoFile             = 50110
	codeFileKind           = 50123
	codeFileResized        = 50138
	codeFileLost           = 50146
	codeStrangers          = 50278
	codeNotYet             = 110001
	codeOverloaded         = 130000
	codeLocked             = 160005
	codeNoUploads          = 400001
)

// Why a call isn't made.
var (
	// errElsewhere is a table that another process shows by now.
	errElsewhere = errors.New("another process may serve the community by now")
	// errUndrawn is a picture that can't be drawn.
	errUndrawn = errors.New("the picture can't be drawn")
	// errGuest is a place where the bot is no member, and nobody has asked anything lately that could be answered.
	errGuest = errors.New("the bot is a guest here, and nobody has asked it anything")
)

// apiError is an answer that isn't what was hoped for. It says nothing of the call's address, where tokens stand.
type apiError struct {
	status int
	code   int
	// kind is what refuses an OAuth2 call; empty for others.
	kind string
	text string
	// wait is what a 429 asks for, global whether it means all calls.
	wait   time.Duration
	global bool
	// foreign says that it isn't written as Discord writes: something else has answered.
	foreign bool
}

func (e *apiError) Error() string {
	return fmt.Sprintf("discord answers %d (%d): %s", e.status, e.code, e.text)
}

// hasCode reports whether the API refused with one of the codes.
func hasCode(err error, codes ...int) bool {
	var refused *apiError
	if !errors.As(err, &refused) {
		return false
	}
	for _, code := range codes {
		if refused.code == code {
			return true
		}
	}
	return false
}

// verdict is what it means that a call didn't get through.
type verdict uint8

const (
	// final: this call is refused, and nothing follows for any other. Whatever nobody knows is of this kind.
	final verdict = iota
	// passes: the same may get through later.
	passes
	// stale: the message can't be changed any more, and another can take its place.
	stale
	// over: the interaction can't be answered any more.
	over
	// fileless: without its file the same may get through.
	fileless
	// unreached: the person can't be written to in private.
	unreached
	// barred: the bot may not write in the place.
	barred
	// shut: the place is a thread that has been closed. Where it isn't locked a new message opens it.
	shut
	// lost: the place is there no more, Discord says. Sometimes it is wrong.
	lost
)

// verdictOn is what an error means that isn't nil. Nothing else decides that.
func verdictOn(err error) verdict {
	var refused *apiError
	switch {
	case errors.Is(err, errGuest):
		return barred
	case errors.Is(err, errElsewhere), errors.Is(err, errUndrawn):
		return final
	case !errors.As(err, &refused):
		return passes
	}
	switch refused.code {
	case codeUnknownChannel, codeUnknownGuild:
		return lost
	case codeArchived, codeLocked:
		return shut
	case codeNoAccess, codeNoPermission, codeUnverified:
		return barred
	case codeNoChat, codeUnknownUser, codeNoRecipient, codeStrangers:
		return unreached
	case codeTooLarge, codeFileTooLarge, codeFileInvalid, codeNoFile, codeFileKind, codeFileResized, codeFileLost, codeNoUploads:
		return fileless
	case codeUnknownMessage, codeNotOurs, codeOldMessage:
		return stale
	case codeUnknownInteraction, codeUnknownWebhook, codeAnswered, codeTokenExpired:
		return over
	case codeSlowmode, codeManyEdits, codeManyInChannel, codeManyInGuild, codeManyChats, codeNoSending, codeNoFeature, codeManyCalls,
		codeBlocked, codeNotYet, codeOverloaded:
		return passes
	}
	switch status := refused.status; {
	case status == http.StatusRequestEntityTooLarge:
		return fileless
	case refused.foreign, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		return passes
	}
	return final
}

// closed reports whether an error, which may be nil, is that nothing can be said in a place by its channel.
func closed(err error) bool { return err != nil && verdictOn(err) >= unreached }

// refusesFile reports whether an error, which may be nil, may be only for the file that came along.
func refusesFile(err error) bool {
	return err != nil && verdictOn(err) == fileless || hasCode(err, codeNoPermission)
}
