package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// How long an update waits for the bot.
const (
	queryLife  = 150 * time.Second
	updateLife = 24 * time.Hour
	maxPoll    = 50 * time.Second
	maxBatch   = 100
)

// queue is the updates that aren't confirmed.
type queue struct {
	waiting []pending
	next    int64
	polls   int
	hook    hook
	// twice says that each update comes twice, and again are those that are still to come for the second time.
	twice bool
	again []pending
}

// pending is an update that waits.
type pending struct {
	id    int64
	body  map[string]any
	at    time.Time
	query *query
}

// hook is the webhook; there is none if url is empty. FailedAt is when it could not be called last, failedFor why; zero and empty for never.
type hook struct {
	url, secret string
	failedAt    time.Time
	failedFor   string
}

// push adds an update. The server is locked.
func (s *Server) push(kind string, what any, q *query) {
	u := pending{at: time.Now(), query: q, body: map[string]any{kind: what}}
	s.line(u)
	if s.queue.twice {
		s.repeat()
		s.queue.again = append(s.queue.again, u)
	}
	s.touch()
}

// line puts an update into the queue, with the next ID.
func (s *Server) line(u pending) {
	s.queue.next++
	u.id, u.body = s.queue.next, maps.Clone(u.body)
	u.body["update_id"] = u.id
	s.queue.waiting = append(s.queue.waiting, u)
}

// repeat delivers updates for the second time.
func (s *Server) repeat() {
	for _, u := range s.queue.again {
		s.line(u)
	}
	s.queue.again = nil
}

// Twice has each update from now on come twice, with an ID of its own each time. The second time it comes after the next update.
func (s *Server) Twice(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repeat()
	s.queue.twice = on
	s.touch()
}

// Jump makes the next update's ID another one, as happens after a quiet week.
func (s *Server) Jump(to int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.next = to
}

// Push delivers an update as it is, but for its ID.
func (s *Server) Push(kind string, what any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(kind, what, nil)
}

// Waiting is how many updates are not confirmed.
func (s *Server) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	return len(s.queue.waiting)
}

// expire drops what nobody fetched for too long.
func (s *Server) expire() {
	kept := s.queue.waiting[:0]
	for _, u := range s.queue.waiting {
		life := updateLife
		if u.query != nil {
			life = queryLife
		}
		if time.Since(u.at) < life {
			kept = append(kept, u)
		}
	}
	s.queue.waiting = kept
}

// getUpdates waits for updates. Those before the offset are confirmed, and removed.
func (s *Server) getUpdates(req *http.Request, p map[string]string) (any, *apiError) {
	offset, limit, wait := number(p["offset"]), number(p["limit"]), time.Duration(number(p["timeout"]))*time.Second
	if limit < 1 || limit > maxBatch {
		limit = maxBatch
	}
	timer := time.NewTimer(min(wait, maxPoll))
	defer timer.Stop()
	s.mu.Lock()
	s.queue.polls++
	mine := s.queue.polls
	s.touch()
	for over := wait == 0; ; {
		if s.queue.hook.url != "" {
			s.mu.Unlock()
			return nil, &apiError{code: http.StatusConflict, text: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
		}
		if s.queue.polls != mine {
			s.mu.Unlock()
			return nil, &apiError{code: http.StatusConflict, text: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
		}
		if req.Context().Err() != nil {
			s.mu.Unlock()
			return nil, bad("gone")
		}
		if batch := s.batch(offset, int(limit)); len(batch) > 0 || over {
			s.mu.Unlock()
			return batch, nil
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-timer.C:
			over = true
		case <-req.Context().Done():
			return nil, bad("gone")
		}
		s.mu.Lock()
	}
}

// batch confirms the updates before the offset, and returns those that wait.
func (s *Server) batch(offset int64, limit int) []map[string]any {
	s.expire()
	kept := s.queue.waiting[:0]
	for _, u := range s.queue.waiting {
		if offset == 0 || u.id >= offset {
			kept = append(kept, u)
		}
	}
	s.queue.waiting = kept
	batch := []map[string]any{}
	for _, u := range kept {
		if len(batch) == limit {
			break
		}
		if u.query != nil {
			u.query.delivered = true
		}
		batch = append(batch, u.body)
	}
	return batch
}

func (s *Server) webhook(p map[string]string) (any, *apiError) {
	s.queue.hook = hook{url: p["url"], secret: p["secret_token"]}
	return true, nil
}

// SetHook sets the bot's webhook, as another program would.
func (s *Server) SetHook(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.hook = hook{url: url}
	s.touch()
}

// Hook is the address and the secret that the bot asked to be called with.
func (s *Server) Hook() (url, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.hook.url, s.queue.hook.secret
}

// CallHook pushes the oldest waiting update to the webhook, and makes the call that stands in the response, as Telegram does. It reports
// false if no update waited. An update that isn't answered with 200 goes on waiting, and so does one whose answer is lost.
func (s *Server) CallHook(ctx context.Context, client *http.Client, lost bool) (bool, error) {
	s.mu.Lock()
	s.expire()
	if len(s.queue.waiting) == 0 {
		s.mu.Unlock()
		return false, nil
	}
	u, h := s.queue.waiting[0], s.queue.hook
	if u.query != nil {
		u.query.delivered = true
	}
	s.mu.Unlock()
	body, err := json.Marshal(u.body)
	if err != nil {
		return true, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return true, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Telegram-Bot-Api-Secret-Token", h.secret)
	resp, err := client.Do(req)
	if err != nil {
		s.hookFails(err.Error())
		return true, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		s.hookFails("Wrong response from the webhook: " + resp.Status)
		return true, err
	}
	if lost {
		s.hookFails("Read timeout expired")
		return true, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.confirm(u.id)
	s.takeReply(reply)
	return true, nil
}

func (s *Server) hookFails(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.hook.failedAt, s.queue.hook.failedFor = time.Now(), why
}

func (s *Server) confirm(id int64) {
	for i, u := range s.queue.waiting {
		if u.id == id {
			s.queue.waiting = append(s.queue.waiting[:i], s.queue.waiting[i+1:]...)
			return
		}
	}
}

// takeReply makes the call that stands in the response to an update. The bot gets no answer to it.
func (s *Server) takeReply(reply []byte) {
	if len(bytes.TrimSpace(reply)) == 0 {
		return
	}
	params, err := jsonParams(reply)
	if err != nil {
		s.violate("an update was answered with %.80q", reply)
		return
	}
	method := params["method"]
	delete(params, "method")
	s.counts[method]++
	for _, problem := range check(method, params) {
		s.violate("%s in an answer: %s", method, problem)
	}
	_, refused := s.do(method, params, false)
	if refused != nil {
		s.violate("%s in an answer: %s", method, refused.text)
	}
	s.touch()
}

// Wait waits until the condition holds, or ctx ends. The condition may use the server.
func (s *Server) Wait(ctx context.Context, condition func() bool) bool {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if condition() {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return condition()
		}
	}
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
