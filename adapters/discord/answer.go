package discord

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// state is how far an answer has come.
type state uint8

const (
	// open: nothing was sent.
	open state = iota
	// deferred: Discord was told that the answer comes later.
	deferred
	// done: the answer was sent. More can follow.
	done
	// dead: it is too late, or Discord doesn't know the interaction.
	dead
)

// tokenLife is how long an interaction's token is good, with something to spare.
const tokenLife = 14 * time.Minute

// Errors of an answer that can't be sent.
var (
	errLate     = errors.New("the interaction was over before its answer was there")
	errDeferred = errors.New("the answer was promised to one person and is for everybody")
)

// answer is what somebody waits for who pressed a button or gave a command: exactly one thing at first, in time; more
// can follow. Its methods may be called from anywhere.
type answer struct {
	core      *core
	id, token string
	app       string
	lang      string
	place     chat.Place
	who       int64
	// on is the message that was pressed, and age how old it was then; empty for a command.
	on  chat.Ref
	age time.Duration
	// private says that only the one who pressed sees that message.
	private bool
	// beside says that the message pressed stays as it is, whatever is told.
	beside bool
	// form, if not nil, is what the pressed button opens for whom it is worth while.
	form *modal
	// rights are what the bot may do in the place, inThread whether that is a thread.
	rights   int64
	inThread bool
	born     time.Time
	// life is the context of all calls for it.
	life context.Context

	mu    turn
	state state
	timer *time.Timer
	// hidden says that only the one who asked sees what was said to everybody.
	hidden bool
	// done is what a command has come to, in a line; empty if there is nothing to say.
	done string
	// own says that the interaction's original message is one that answered it, and not the one that was pressed.
	own bool
	// after is done once the answer was given, if not nil.
	after func()
	// over is closed when the one who waits was told something, or nothing can be told any more; nil if nobody asks.
	over chan struct{}
}

// writing is the right that the bot needs to write where it was asked.
func (ans *answer) writing() int64 {
	if ans.inThread {
		return discordgo.PermissionSendMessagesInThreads
	}
	return discordgo.PermissionSendMessages
}

// turn is a lock that is held while a call is made. Unlike those of sync it lets a test's clock go on while somebody waits for it.
type turn chan struct{}

func (t turn) Lock()   { t <- struct{}{} }
func (t turn) Unlock() { <-t }

// handOver reports whether nothing was told yet, and then leaves it to another process.
func (ans *answer) handOver() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state == open && ans.timer != nil {
		ans.timer.Stop()
		ans.timer = nil
	}
	return ans.state == open
}

// whenDone has something done when the answer was given; never, if it can't be.
func (ans *answer) whenDone(do func()) {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	ans.after = do
}

// deferInTime has Discord told in time that an answer comes later, unless it comes before. A form can't come later: it is opened.
func (ans *answer) deferInTime() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	later := ans.deferReply
	if ans.form != nil {
		later = ans.openForm
	}
	ans.timer = time.AfterFunc(time.Until(ans.born.Add(deferAfter)), func() { ans.core.Admit(later) })
}

// abandon forgets about the answer.
func (ans *answer) abandon() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	ans.finish(dead)
}

// finish ends the waiting in a state. The caller holds mu.
func (ans *answer) finish(s state) {
	if s == done && ans.state != done && ans.timer != nil {
		ans.core.watch.Answered(chat.Discord, time.Since(ans.born))
	}
	if ans.state == open && ans.over != nil {
		close(ans.over)
	}
	ans.state = s
	if ans.timer != nil {
		ans.timer.Stop()
	}
	if s == done && ans.after != nil {
		ans.core.Begin(ans.after)
		ans.after = nil
	}
}

// deferReply tells Discord that an answer comes later. What a command will say is at first for nobody else.
func (ans *answer) deferReply() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state != open {
		return
	}
	response := callback{Type: discordgo.InteractionResponseDeferredMessageUpdate}
	if ans.on == "" {
		response.Type = discordgo.InteractionResponseDeferredChannelMessageWithSource
		response.Data = &body{Flags: discordgo.MessageFlagsEphemeral}
	}
	if err := ans.call(response, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(deferred)
}

// failed notes that a first answer didn't get through. The caller holds mu.
func (ans *answer) failed(err error) {
	if v := verdictOn(err); v != over && v != passes {
		ans.core.log.Debug("an answer was refused", "request", chat.RequestOf(ans.life), "error", err)
		return // The interaction still waits for something else.
	}
	ans.finish(dead)
	if ans.core.Life.Err() == nil {
		what := "an answer was not delivered"
		if hasCode(err, codeAnswered) {
			what = "another program has answered with this bot's token: only one may, or those of one cluster; stop the other one"
		}
		ans.core.log.Warn(what, "request", chat.RequestOf(ans.life), "after", time.Since(ans.born), "error", err)
	}
}

// alive reports whether something can still be said this way.
func (ans *answer) alive() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.state != dead
}

// isHidden reports whether only the one who asked sees what was said to everybody.
func (ans *answer) isHidden() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.hidden
}

// isDeferred reports whether Discord was told that the answer comes later.
func (ans *answer) isDeferred() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.state == deferred
}

// call makes the one first answer. The caller holds mu.
func (ans *answer) call(response callback, reply any) error {
	ctx, cancel := context.WithDeadline(ans.life, ans.born.Add(answerTime))
	defer cancel()
	if ctx.Err() != nil {
		return errLate
	}
	address := discordgo.EndpointInteractionResponse(ans.id, ans.token)
	if reply != nil {
		address += "?with_response=true"
	}
	return ans.core.rest.do(ctx, call{
		method: http.MethodPost, url: address, route: "answer", major: ans.token, free: true, body: response,
		enclosure: response.enclosure(), reply: reply,
	})
}

// update makes the pressed message something else.
func (ans *answer) update(b body) error {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	switch ans.state {
	case open:
		err := ans.call(callback{Type: discordgo.InteractionResponseUpdateMessage, Data: &b}, nil)
		if err != nil {
			ans.failed(err)
			return err
		}
		ans.finish(done)
		return nil
	case deferred:
		err := ans.core.rest.editOriginal(ans.life, ans.app, ans.token, b)
		if err == nil {
			ans.finish(done)
		}
		return err
	}
	return errLate
}

// send puts up a new message, for the one person if its flags say so, and returns its ID if that is asked for.
func (ans *answer) send(b body, wantID bool) (id string, err error) {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	private := b.Flags&discordgo.MessageFlagsEphemeral != 0
	switch {
	case ans.state == open:
		return ans.first(b, wantID)
	case ans.state == dead:
		return "", errLate
	case ans.state == deferred && ans.on == "" && !private:
		return "", errDeferred
	case ans.state == deferred && ans.on == "":
		b.Flags = 0 // It was said at the beginning.
		err = ans.core.rest.editOriginal(ans.life, ans.app, ans.token, b)
		ans.own = err == nil
		ans.finish(done)
		return "", err
	}
	b.channel = strconv.FormatInt(ans.place.Channel, 10)
	id, err = ans.core.rest.follow(ans.life, ans.app, ans.token, b)
	ans.finish(done)
	return id, err
}

// first sends a new message as the first answer. The caller holds mu.
func (ans *answer) first(b body, wantID bool) (string, error) {
	var made struct {
		Interaction struct {
			Message string `json:"response_message_id"`
		} `json:"interaction"`
		Resource struct {
			Message struct {
				ID    string                 `json:"id"`
				Flags discordgo.MessageFlags `json:"flags"`
			} `json:"message"`
		} `json:"resource"`
	}
	var reply any
	if wantID {
		reply = &made
	}
	response := callback{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &b}
	err := ans.call(response, reply)
	if err != nil {
		ans.failed(err)
	}
	ans.own = err == nil || ans.state == dead // The message may stand though Discord's answer was lost.
	if err != nil {
		return "", err
	}
	ans.hidden = (made.Resource.Message.Flags&^b.Flags)&discordgo.MessageFlagsEphemeral != 0
	ans.finish(done)
	id := made.Resource.Message.ID
	if id == "" {
		id = made.Interaction.Message
	}
	if wantID && id == "" { // The answer to an earlier try was lost.
		return ans.core.rest.originalID(ans.life, ans.app, ans.token)
	}
	return id, nil
}

// acknowledge answers that there is nothing to say, if nothing was said.
func (ans *answer) acknowledge() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state == deferred && ans.on != "" { // Discord was told so.
		ans.finish(done)
	}
	if ans.state != open {
		return
	}
	if err := ans.call(callback{Type: discordgo.InteractionResponseDeferredMessageUpdate}, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(done)
}

// deleteDeferred takes back the promise of an answer to one person.
func (ans *answer) deleteDeferred() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state != deferred || ans.on != "" {
		return
	}
	ans.finish(done)
	if err := ans.core.rest.deleteOriginal(ans.life, ans.app, ans.token); err != nil {
		ans.core.log.Debug("a promise was not taken back", "request", chat.RequestOf(ans.life), "error", err)
	}
}

// openForm puts the form's question to the one who pressed, if nothing was told yet. What they type comes as an event of its own.
func (ans *answer) openForm() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state != open {
		return
	}
	if err := ans.call(callback{Type: discordgo.InteractionResponseModal, Data: ans.form}, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(done)
}
