package discord

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// state is how far an answer has come.
type state uint8

const (
	// open: nothing was sent.
	open state = iota
	// held: Discord was told that the answer comes later.
	held
	// done: the answer was sent. More can follow.
	done
	// dead: it is too late, or Discord doesn't know the interaction.
	dead
)

// tokenLife is how long an interaction's token is good, with something to spare.
const tokenLife = 14 * time.Minute

// original is the webhook's name of the message that answered, or of the one that was pressed.
const original = "@original"

// Errors of an answer that can't be sent.
var (
	errLate = errors.New("the interaction was over before its answer was there")
	errHeld = errors.New("the answer was promised to one person and is for everybody")
)

// answer is what somebody waits for who pressed a button or gave a command: exactly one thing at first, in time; more
// can follow. Its methods may be called from anywhere.
type answer struct {
	adapter   *Adapter
	id, token string
	app       string
	lang      string
	place     bot.Place
	who       int64
	// on is the message that was pressed, and age how old it was then; empty for a command.
	on  bot.Ref
	age time.Duration
	// private says that only the one who pressed sees that message.
	private bool
	// rights are what the bot may do in the place.
	rights int64
	born   time.Time
	// life is the context of all calls for it.
	life context.Context

	mu    sync.Mutex
	state state
	timer *time.Timer
	// hidden says that only the one who asked sees what was said to everybody.
	hidden bool
	// then is done once the answer was given, if not nil.
	then func()
}

func (a *Adapter) newAnswer(i *discordgo.Interaction, who bot.User) *answer {
	ans := &answer{
		adapter: a, id: i.ID, token: i.Token, app: i.AppID, lang: string(i.Locale), place: a.placeOf(i, who), who: who.ID,
		rights: i.AppPermissions, born: time.Now(), life: a.during(requestID(i)),
	}
	if ans.app == "" {
		if app := a.app.Load(); app != nil {
			ans.app = *app
		}
	}
	if i.Message != nil && number(i.Message.ID) != 0 {
		ans.on = newRef(i.ChannelID, i.Message.ID)
		ans.private = i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
		// Both times are Discord's own.
		ans.age = madeAt(i.ID).Sub(madeAt(i.Message.ID))
	}
	return ans
}

// madeAt is when Discord made a snowflake.
func madeAt(snowflake string) time.Time {
	at, err := discordgo.SnowflakeTimestamp(snowflake)
	if err != nil {
		return time.Time{}
	}
	return at
}

// afterwards has something done when the answer was given; never, if it can't be.
func (ans *answer) afterwards(do func()) {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	ans.then = do
}

// expect has Discord told in time that an answer comes later, unless it comes before.
func (ans *answer) expect() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	ans.timer = time.AfterFunc(ans.adapter.pace.deferral, func() { ans.adapter.admit(ans.hold) })
}

// giveUp forgets about the answer.
func (ans *answer) giveUp() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	ans.finish(dead)
}

// finish ends the waiting in a state. The caller holds mu.
func (ans *answer) finish(s state) {
	if s == done && ans.state != done && ans.timer != nil {
		ans.adapter.watch.Answered(bot.Discord, time.Since(ans.born))
	}
	ans.state = s
	if ans.timer != nil {
		ans.timer.Stop()
	}
	if s == done && ans.then != nil {
		ans.adapter.begin(ans.then)
		ans.then = nil
	}
}

// hold tells Discord that an answer comes later. What a command will say is at first for nobody else.
func (ans *answer) hold() {
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
	ans.finish(held)
}

// failed notes that a first answer didn't get through. The caller holds mu.
func (ans *answer) failed(err error) {
	if hasCode(err, codeUnknownMessage, codeNoAccess, codeNoPermission) {
		return // The interaction still waits for something else.
	}
	ans.finish(dead)
	if ans.adapter.life.Err() == nil {
		ans.adapter.log.Warn("an answer was not delivered", "request", bot.RequestOf(ans.life), "after", time.Since(ans.born), "error", err)
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

// isHeld reports whether Discord was told that the answer comes later.
func (ans *answer) isHeld() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.state == held
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
	return ans.adapter.rest.do(ctx, call{
		method: http.MethodPost, url: address, route: "answer", major: ans.token, free: true, body: response,
		picture: response.picture(), reply: reply,
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
	case held:
		err := ans.adapter.rest.editOriginal(ans.life, ans.app, ans.token, b)
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
	case ans.state == held && ans.on == "" && !private:
		return "", errHeld
	case ans.state == held && ans.on == "":
		b.Flags = 0 // It was said at the beginning.
		err = ans.adapter.rest.editOriginal(ans.life, ans.app, ans.token, b)
		ans.finish(done)
		return "", err
	}
	id, err = ans.adapter.rest.follow(ans.life, ans.app, ans.token, b)
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
	if err := ans.call(response, reply); err != nil {
		ans.failed(err)
		return "", err
	}
	ans.hidden = (made.Resource.Message.Flags&^b.Flags)&discordgo.MessageFlagsEphemeral != 0
	ans.finish(done)
	id := made.Resource.Message.ID
	if id == "" {
		id = made.Interaction.Message
	}
	if wantID && id == "" { // The answer to an earlier try was lost.
		return ans.adapter.rest.originalID(ans.life, ans.app, ans.token)
	}
	return id, nil
}

// quiet answers that there is nothing to say, if nothing was said.
func (ans *answer) quiet() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state != open {
		return
	}
	if err := ans.call(callback{Type: discordgo.InteractionResponseDeferredMessageUpdate}, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(done)
}

// retract takes back the promise of an answer to one person.
func (ans *answer) retract() {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if ans.state != held || ans.on != "" {
		return
	}
	ans.finish(done)
	if err := ans.adapter.rest.deleteOriginal(ans.life, ans.app, ans.token); err != nil {
		ans.adapter.log.Debug("a promise was not taken back", "request", bot.RequestOf(ans.life), "error", err)
	}
}

// ask has a question put to the one who pressed. The answer comes as an event of its own.
func (ans *answer) ask(token, question, title string) {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	m := newModal(token, question, title)
	if err := ans.call(callback{Type: discordgo.InteractionResponseModal, Data: m}, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(done)
}

// suggest offers words for what is being typed.
func (ans *answer) suggest(choices []choice) {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	response := callback{Type: discordgo.InteractionApplicationCommandAutocompleteResult, Data: suggestions{choices}}
	if err := ans.call(response, nil); err != nil {
		ans.failed(err)
		return
	}
	ans.finish(done)
}
