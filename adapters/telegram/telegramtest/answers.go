package telegramtest

import (
	"net/url"
	"time"
)

// query is a press.
type query struct {
	id         string
	user, chat int64
	at         time.Time
	body       map[string]any
	// delivered says that the bot got it, answered that the bot answered it, unheard that the bot didn't hear that its answer came.
	delivered, answered, unheard bool
	answer                       Answer
	// done is closed when there is an answer.
	done chan struct{}
}

// Answer is the bot's answer to a press, as the one who pressed sees it.
type Answer struct {
	Text, URL string
	Alert     bool
	// After is how long it took.
	After time.Duration
}

func (s *Server) answerQuery(p map[string]string, lost bool) (any, *apiError) {
	q := s.queries[p["callback_query_id"]]
	if q == nil || time.Since(q.at) > queryLife {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if q.answered {
		if !q.unheard {
			s.doubled++
		}
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if s.opts.Unchecked {
		delete(s.queries, q.id)
	}
	close(q.done)
	q.answered, q.unheard = true, lost
	q.answer = Answer{Text: p["text"], URL: p["url"], Alert: p["show_alert"] == "true", After: time.Since(q.at)}
	return true, nil
}

// Answer is the answer to a press; false if there is none yet.
func (s *Server) Answer(id string) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queries[id]
	if q == nil {
		return Answer{}, s.opts.Unchecked
	}
	return q.answer, q.answered
}

// Answered is closed when a press is answered.
func (s *Server) Answered(id string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.queries[id]; q != nil {
		return q.done
	}
	done := make(chan struct{})
	close(done)
	return done
}

// Payload is the payload of a link to the bot; empty if the address isn't one.
func Payload(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != "t.me" || u.Path != "/"+Username {
		return ""
	}
	return u.Query().Get("start")
}
