package discordtest

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"
)

// User is a person, or a bot.
type User struct {
	ID string
	// Name is the user name, Global what they are called everywhere, and Nick in the guild.
	Name, Global, Nick string
	Locale             string
	// Rights are the person's in the place.
	Rights int64
	Bot    bool
}

// The kinds of interactions.
const (
	kindCommand  = 2
	kindPress    = 3
	kindComplete = 4
	kindModal    = 5
)

// Interaction is something that a person did, and what came of it.
type Interaction struct {
	ID, Token string
	Kind      int
	Who       User
	Channel   string
	// On is the message that was pressed.
	On string
	// Answered is closed with the first answer, or when it is too late for one.
	Answered chan struct{}

	born  time.Time
	timer *time.Timer
	// answer is the type of the first answer; 0 is none. Late says that there was none in time.
	answer int
	late   bool
	// pending says that a promised message isn't there yet, private that it is for one person.
	pending, private bool
	original         string
	modal, choices   json.RawMessage
	// event is how it was delivered.
	event map[string]any
	// calls is how many calls were made on it; forgiven that a fault swallowed an answer.
	calls    int
	follows  int
	forgiven bool
	server   *Server
	// launched is the instance that was opened.
	launched string
}

// Answer is the type of the first answer once it is there; 0 if it didn't come in time.
func (i *Interaction) Answer() int {
	<-i.Answered
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.answer
}

// Message is the message that answered, or that was pressed if that was the answer; false if there is none.
func (i *Interaction) Message() (Message, bool) {
	<-i.Answered
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	m := i.server.messages[i.original]
	if m == nil {
		return Message{}, false
	}
	return *m, true
}

// Launched is the instance that the answer has opened; empty if it was another answer.
func (i *Interaction) Launched() string {
	<-i.Answered
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.launched
}

// Calls is how many calls the bot made on it.
func (i *Interaction) Calls() int {
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.calls
}

// Modal is the question that was asked, and Choices what was suggested, as JSON.
func (i *Interaction) Modal() json.RawMessage {
	<-i.Answered
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.modal
}

// Choices is what was suggested, as JSON.
func (i *Interaction) Choices() json.RawMessage {
	<-i.Answered
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.choices
}

// Command gives a command with options, each by its name.
func (s *Server) Command(u User, channel, name string, options map[string]any) *Interaction {
	return s.interact(u, channel, "", kindCommand, commandData(name, options, ""))
}

// EntryPoint opens the application where all applications are listed.
func (s *Server) EntryPoint(u User, channel string) *Interaction {
	data := commandData("launch", nil, "")
	data["type"] = typeEntry
	return s.interact(u, channel, "", kindCommand, data)
}

// Complete asks what could be typed for an option.
func (s *Server) Complete(u User, channel, name, focused, typed string) *Interaction {
	return s.interact(u, channel, "", kindComplete, commandData(name, map[string]any{focused: typed}, focused))
}

func commandData(name string, options map[string]any, focused string) map[string]any {
	list := []any{}
	for key, value := range options {
		kind := 3
		switch v := value.(type) {
		case int:
			kind = 4
		case bool:
			kind = 5
		case User:
			kind, value = 6, v.ID
		}
		one := map[string]any{"name": key, "type": kind, "value": value}
		if key == focused {
			one["focused"] = true
		}
		list = append(list, one)
	}
	return map[string]any{"id": "600000000000000001", "name": name, "type": 1, "options": list}
}

// Press presses a button, or sends what says that one was pressed.
func (s *Server) Press(u User, message, customID string) *Interaction {
	return s.interact(u, "", message, kindPress, map[string]any{"custom_id": customID, "component_type": typeButton})
}

// Choose chooses from a list, or sends what says that somebody did.
func (s *Server) Choose(u User, message, customID string, values ...string) *Interaction {
	return s.interact(u, "", message, kindPress, map[string]any{
		"custom_id": customID, "component_type": typeList, "values": values,
	})
}

// Submit answers the question that a press was answered with.
func (s *Server) Submit(asked *Interaction, text string) *Interaction {
	var m struct {
		CustomID   string `json:"custom_id"`
		Components []struct {
			Components []struct {
				CustomID string `json:"custom_id"`
			} `json:"components"`
		} `json:"components"`
	}
	if err := json.Unmarshal(asked.Modal(), &m); err != nil || len(m.Components) == 0 {
		s.tb.Fatalf("no question was asked: %s", asked.Modal())
	}
	field := map[string]any{"type": 4, "custom_id": m.Components[0].Components[0].CustomID, "value": text}
	return s.interact(asked.Who, asked.Channel, asked.On, kindModal, map[string]any{
		"custom_id": m.CustomID, "components": []any{map[string]any{"type": 1, "components": []any{field}}},
	})
}

// interact has the bot told what somebody did. Where it isn't connected and can't resume, nobody is told.
func (s *Server) interact(u User, channelID, message string, kind int, data any) *Interaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.messages[message]
	if m != nil {
		channelID = m.Channel
	} else if channelID == "" {
		channelID = Channel
	}
	i := &Interaction{
		ID: s.snowflake(), Kind: kind, Who: u, Channel: channelID, On: message, Answered: make(chan struct{}), server: s,
		born: time.Now(),
	}
	i.Token = "interaction-token-" + i.ID
	d := map[string]any{
		"id": i.ID, "application_id": App, "type": kind, "token": i.Token, "version": 1, "channel_id": channelID,
		"locale": u.Locale, "data": data, "entitlements": []any{},
	}
	s.describe(d, i, m)
	i.event = d
	s.interactions[i.ID] = i
	i.timer = time.AfterFunc(s.opts.Deadline, func() { s.expire(i) })
	c := s.channels[channelID]
	times := 1
	if s.chance.hits(s.faults.Duplicate) {
		times = 2
	}
	for range times {
		if c == nil || !s.dispatch(c.guild, "INTERACTION_CREATE", d) {
			i.timer.Stop()
			i.late = true
			close(i.Answered)
			return i
		}
	}
	s.record.Interactions++
	return i
}

// guestRights are the bot's where it is a guest: to attach files, and to embed links.
const guestRights = attachFiles | 1<<14

// describe adds who, where and on what to an interaction.
func (s *Server) describe(d map[string]any, i *Interaction, m *Message) {
	u := map[string]any{"id": i.Who.ID, "username": i.Who.Name, "discriminator": "0", "avatar": nil}
	if i.Who.Global != "" {
		u["global_name"] = i.Who.Global
	}
	if i.Who.Bot {
		u["bot"] = true
	}
	if m != nil {
		d["message"] = m.json()
	}
	c := s.channels[i.Channel]
	if c == nil {
		d["user"] = u
		return
	}
	d["context"] = c.context
	d["channel"] = c.json()
	d["app_permissions"] = strconv.FormatInt(c.rights, 10)
	d["authorizing_integration_owners"] = map[string]any{"0": cmp.Or(c.guild, "0")}
	if s.guest(c) {
		d["app_permissions"] = strconv.FormatInt(guestRights, 10)
		if !s.installed[c.guild] {
			d["authorizing_integration_owners"] = map[string]any{"1": i.Who.ID}
		}
	}
	if c.guild == "" {
		d["user"] = u
		return
	}
	member := map[string]any{"user": u, "roles": []any{}, "permissions": strconv.FormatInt(i.Who.Rights, 10)}
	if i.Who.Nick != "" {
		member["nick"] = i.Who.Nick
	}
	d["member"], d["guild_id"] = member, c.guild
	if s.opts.Locale != "none" {
		d["guild_locale"] = s.opts.Locale
	}
}

// expire ends the time for a first answer.
func (s *Server) expire(i *Interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.answer != 0 || i.late {
		return
	}
	i.late = true
	if !i.forgiven && !i.Who.Bot {
		s.record.Unanswered = append(s.record.Unanswered, i.ID)
	}
	s.settle(i)
}

// settle tells whoever waits for the answer. The caller holds mu.
func (s *Server) settle(i *Interaction) {
	i.timer.Stop()
	close(i.Answered)
	s.change()
	if s.opts.Forget {
		delete(s.interactions, i.ID)
	}
}

// Again delivers an interaction once more.
func (s *Server) Again(i *Interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.channels[i.Channel]; c != nil {
		s.dispatch(c.guild, "INTERACTION_CREATE", i.event)
	}
}

// Forgive takes back that the interactions so far weren't answered: the bot was killed.
func (s *Server) Forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record.Unanswered = nil
	for _, i := range s.interactions {
		i.forgiven = true
	}
}
