package discordtest

import "encoding/json"

// The types of first answers.
const (
	answerMessage  = 4
	answerLater    = 5
	answerNothing  = 6
	answerUpdate   = 7
	answerComplete = 8
	answerModal    = 9
	answerLaunch   = 12
)

// callback takes the first answer to an interaction: one, in time, of a kind that fits.
func (s *Server) callback(r request) reply {
	i := s.interactions[r.PathValue("interaction_id")]
	if i == nil || i.Token != r.PathValue("interaction_token") {
		return unknownInteraction
	}
	i.calls++
	var body struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(r.body, &body) != nil {
		return invalidBody
	}
	switch {
	case i.answer != 0:
		if s.record.Faults == 0 {
			s.record.Twice = append(s.record.Twice, i.ID)
		}
		return acknowledged
	case i.late:
		return unknownInteraction
	case !fits(i, body.Type):
		s.violation("an interaction of type %d is answered with type %d", i.Kind, body.Type)
		return invalidBody
	}
	if no := s.accept(i, body.Type, r.with(body.Data)); no != nil {
		return *no
	}
	i.answer = body.Type
	defer s.settle(i)
	if s.opts.NoResponse || r.URL.Query().Get("with_response") != "true" {
		return done()
	}
	resource := map[string]any{"type": body.Type}
	about := map[string]any{"id": i.ID, "type": i.Kind}
	if i.launched != "" {
		resource["activity_instance"] = map[string]any{"id": i.launched}
	}
	if m := s.messages[i.original]; m != nil {
		resource["message"], about["response_message_id"] = m.json(), m.ID
	}
	return ok(map[string]any{"interaction": about, "resource": resource})
}

// fits reports whether an interaction can be answered so.
func fits(i *Interaction, answer int) bool {
	switch answer {
	case answerMessage, answerLater:
		return i.Kind != kindComplete
	case answerNothing, answerUpdate:
		return i.Kind == kindPress || i.Kind == kindModal && i.On != ""
	case answerComplete:
		return i.Kind == kindComplete
	case answerModal:
		return i.Kind == kindPress || i.Kind == kindCommand
	case answerLaunch:
		return i.Kind == kindPress || i.Kind == kindCommand || i.Kind == kindModal
	}
	return false
}

// accept does what an answer says; a reply is a refusal. The caller holds mu.
func (s *Server) accept(i *Interaction, answer int, r request) *reply {
	var f form
	if answer == answerLaunch {
		if !s.opts.Activities {
			return &noAccess
		}
		i.launched = s.launch(i.Channel, i.Who)
		return nil
	}
	if answer == answerMessage || answer == answerUpdate {
		var valid bool
		if f, valid = s.formOf(r.body, r.files, answer == answerMessage); !valid {
			return &invalidBody
		}
		if s.barsFiles(i.Channel, f) {
			return &noPermission
		}
	} else if len(r.body) > 0 {
		_ = json.Unmarshal(r.body, &f) // Only the flags.
	}
	i.private = f.Flags&ephemeral != 0
	switch answer {
	case answerMessage:
		reader := ""
		if c := s.channels[i.Channel]; i.private || c != nil && c.hidden && s.guest(c) {
			reader = i.Who.ID
		}
		i.original = s.create(i.Channel, f, reader).ID
	case answerLater:
		i.pending = true
	case answerNothing:
		i.original = i.On
	case answerUpdate:
		m := s.messages[i.On]
		if m == nil {
			return &unknownMessage
		}
		if c := s.channels[i.Channel]; c != nil && c.archived {
			return &archived
		}
		s.put(m, f)
		m.Edits++
		i.original = i.On
	case answerComplete:
		i.choices = r.body
	case answerModal:
		i.modal = r.body
	}
	return nil
}
