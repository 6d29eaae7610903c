//go:build faults

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot/live"
)

// room is a channel of the room in the browser with the people in it, each of whom has a tab. They see what the first one's page is sent
// over its live connection, which it opens again whenever it has ended: it looks at the newest table.
type room struct {
	host    string
	channel int64
	tabs    []tab
	ears    *ears

	mu       sync.Mutex
	messages []roomMessage
	scene    live.Scene
	asked    int
	// question has what the newest press was answered with, for nobody else.
	question []string
}

// tab is somebody in the room, as a page knows them.
type tab struct {
	secret, name string
	id           int64
}

// roomMessage is a message as the room sends it.
type roomMessage struct {
	Ref, Table string
	Channel    int64
	Buttons    [][]struct{ Token, Ask string }
}

// newRoom has people come to a channel of the room at that host. It says who they are as soon as the room is there.
func (h *house) newRoom(host string, channel int64, ears *ears, names []string) *room {
	r := &room{host: host, channel: channel, ears: ears}
	for i, name := range names {
		r.tabs = append(r.tabs, tab{secret: fmt.Sprintf("%030x%02x", channel, i), name: name})
	}
	ctx, stop := context.WithCancel(h.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		for ; ctx.Err() == nil; wait(ctx, 50*time.Millisecond) {
			r.watch(ctx)
		}
	})
	h.Cleanup(func() {
		stop()
		watching.Wait()
	})
	return r
}

// come has everybody learn who they are.
func (r *room) come(h *house) {
	for i := range r.tabs {
		h.until("the room is there", func() bool {
			ctx, cancel := context.WithTimeout(h.Context(), patience)
			defer cancel()
			conn, first, err := r.enter(ctx, r.tabs[i])
			if err != nil {
				return false
			}
			_ = conn.CloseNow()
			r.tabs[i].id, err = strconv.ParseInt(first.You, 36, 64)
			return err == nil
		})
	}
}

// roomEvent is what is sent over a live connection.
type roomEvent struct {
	Kind, You, Ref string
	Message        roomMessage
	Messages       []roomMessage
	Scene          live.Scene
}

// enter opens a live connection, and returns the first that is sent over it.
func (r *room) enter(ctx context.Context, t tab) (*websocket.Conn, roomEvent, error) {
	var first roomEvent
	conn, _, err := websocket.Dial(ctx, "ws://"+r.host+"/live", nil)
	if err != nil {
		return nil, first, err
	}
	conn.SetReadLimit(1 << 20)
	hello, err := json.Marshal(map[string]string{"tab": t.secret, "name": t.name, "lang": "ru"})
	if err == nil {
		err = conn.Write(ctx, websocket.MessageText, hello)
	}
	if err == nil {
		first, err = next(ctx, conn)
	}
	if err != nil {
		_ = conn.CloseNow()
	}
	return conn, first, err
}

func next(ctx context.Context, conn *websocket.Conn) (e roomEvent, err error) {
	_, b, err := conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	return e, err
}

// watch takes what is sent until the connection ends.
func (r *room) watch(ctx context.Context) {
	conn, e, err := r.enter(ctx, r.tabs[0])
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	looked := ""
	for ; err == nil; e, err = next(ctx, conn) {
		r.take(e)
		if at := r.newest().Table; at != looked {
			looked = at
			say(ctx, conn, map[string]any{"look": at})
		}
	}
}

func (r *room) take(e roomEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case "room":
		r.messages = e.Messages
	case "put":
		if i := slices.IndexFunc(r.messages, func(m roomMessage) bool { return m.Ref == e.Message.Ref }); i >= 0 {
			r.messages[i] = e.Message
		} else {
			r.messages = append(r.messages, e.Message)
		}
	case "scene":
		r.scene = e.Scene
	case "drop":
		r.messages = slices.DeleteFunc(r.messages, func(m roomMessage) bool { return m.Ref == e.Ref })
	}
}

func (r *room) user(who int) int64 { return r.tabs[who].id }

func (r *room) open(game string) {
	line := map[string]string{"zevaka": "/zevaka limit=none", "banchok": "/banchok 500 limit=none"}[game]
	go func() { _, _ = r.post(0, "say", r.id(), map[string]any{"text": line}) }() // If it is lost they open another.
}

// id is one for something that was not done before.
func (r *room) id() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	return fmt.Sprint("faults", r.channel, "-", r.asked)
}

// post sends something that somebody did, and returns what they are told; false if they aren't.
func (r *room) post(who int, path, id string, what map[string]any) (told string, ok bool) {
	what["id"], what["name"], what["lang"], what["channel"] = id, r.tabs[who].name, "ru", r.channel
	body, err := json.Marshal(what)
	if err != nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.host+"/"+path, bytes.NewReader(body))
	if err != nil {
		return "", false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Zevaka-Tab", r.tabs[who].secret)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false
	}
	defer resp.Body.Close()
	var answer struct {
		Toast string
		Said  []roomMessage
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&answer) != nil {
		return "", false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.question = nil
	for _, m := range answer.Said {
		for _, token := range m.tokens() {
			if t, ok := parse(token); ok && strings.HasPrefix(t.do, answerTo) {
				r.question = append(r.question, token)
			}
		}
	}
	return answer.Toast, answer.Toast != "" // That nothing is told is so of a press that was answered before, too.
}

func (m roomMessage) tokens() (all []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Token != "" && b.Ask == "" {
				all = append(all, b.Token)
			}
		}
	}
	return all
}

// newest is the newest message that shows where a table stands.
func (r *room) newest() (m roomMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range slices.Backward(r.messages) {
		if m.Channel == r.channel && m.Table != "" {
			return m
		}
	}
	return m
}

func (r *room) board() (tokens []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, act := range r.scene.Acts {
		tokens = append(tokens, act.Token)
	}
	return append(tokens, r.question...)
}

// shows is what the first one's page shows of a table; false if it looks at another.
func (r *room) shows(table string) (scene live.Scene, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scene, r.scene.Table == table
}

func (r *room) press(who int, token string) *press {
	on, id, answered := r.newest().Ref, r.id(), make(chan struct{})
	var mu sync.Mutex
	var told string
	var heard bool
	send := func() {
		now, ok := r.post(who, "press", id, map[string]any{"token": token, "on": on})
		mu.Lock()
		defer mu.Unlock()
		if !heard {
			told, heard = now, ok
		}
	}
	go func() {
		defer close(answered)
		send()
	}()
	return &press{answered: answered, ears: r.ears, again: func() { go send() }, heard: func() (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		return told, heard
	}}
}

// message implements conversation: what a room's message says of a table is only that it is there.
func (r *room) message(ref string) (text string, tokens []string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return "", nil, slices.ContainsFunc(r.messages, func(m roomMessage) bool { return m.Ref == ref && m.Channel == r.channel })
}

func (r *room) lately() (told []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages[max(0, len(r.messages)-newest):] {
		told = append(told, fmt.Sprintf("%s: table %s", m.Ref, m.Table))
	}
	return told
}
