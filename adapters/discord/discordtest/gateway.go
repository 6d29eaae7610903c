package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// The gateway's opcodes.
const (
	opDispatch = iota
	opHeartbeat
	opIdentify
	_
	_
	_
	opResume
	opReconnect
	_
	opInvalid
	opHello
	opAck
)

// session is one of the bot's: it outlives its connection, unless that ended well.
type session struct {
	id    string
	shard [2]int
	seq   int
	// missed are the events since the bot was last known to be there, from the first that a resume may ask for.
	events []json.RawMessage
	conn   *conn
}

// conn is one connection. Frames leave it in order.
type conn struct {
	ws *websocket.Conn
	mu sync.Mutex
}

func (c *conn) send(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.raw(text)
}

func (c *conn) raw(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.TextMessage, text)
}

func (c *conn) bye(code int, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(time.Second))
	_ = c.ws.Close()
}

// hangUp cuts the connection of a session, if it has one.
func (s *session) hangUp() {
	if s.conn != nil {
		_ = s.conn.ws.Close()
		s.conn = nil
	}
}

type payload struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
	S  *int            `json:"s,omitempty"`
	T  string          `json:"t,omitempty"`
}

// serveGateway is one connection from hello to its end.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	ws.SetCloseHandler(func(int, string) error { return nil })
	c := &conn{ws: ws}
	s.busy.Add(1)
	defer s.busy.Done()
	defer ws.Close()
	if s.hushed() {
		_, _, _ = ws.ReadMessage()
		return
	}
	if c.send(map[string]any{"op": opHello, "d": map[string]any{"heartbeat_interval": s.opts.Heartbeat.Milliseconds()}}) != nil {
		return
	}
	var mine *session
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			s.lost(mine, c, err)
			// The library sleeps between its farewell and the end, and must not hear of the end before that.
			_, _ = io.Copy(io.Discard, ws.NetConn())
			return
		}
		var p payload
		if json.Unmarshal(text, &p) != nil {
			c.bye(4002, "decode error")
			return
		}
		switch p.Op {
		case opHeartbeat:
			s.mu.Lock()
			mute := s.mute
			s.mu.Unlock()
			if !mute {
				_ = c.send(payload{Op: opAck})
			}
		case opIdentify:
			if mine, err = s.identify(c, p.D); err != nil {
				return
			}
		case opResume:
			mine = s.resume(c, p.D, r.Host)
		}
	}
}

// lost notes that a connection ended. Some ways to end it end the session, too.
func (s *Server) lost(mine *session, c *conn, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change()
	if mine == nil || mine.conn != c {
		return
	}
	mine.conn = nil
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway) {
		delete(s.sessions, mine.id)
	}
}

// identify begins a session, unless it is asked for too early.
func (s *Server) identify(c *conn, d json.RawMessage) (*session, error) {
	var ask struct {
		Token   string  `json:"token"`
		Intents int     `json:"intents"`
		Shard   *[2]int `json:"shard"`
	}
	if err := json.Unmarshal(d, &ask); err != nil || strings.TrimPrefix(ask.Token, "Bot ") != Token {
		c.bye(4004, "Authentication failed.")
		return nil, fmt.Errorf("identify: %w", err)
	}
	if ask.Shard == nil {
		ask.Shard = &[2]int{0, 1}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change()
	s.identifies++
	s.intents = ask.Intents
	if s.turnAway(c) {
		return nil, nil
	}
	slot := ask.Shard[0] % s.opts.Concurrency
	if last, ok := s.identified[slot]; ok && time.Since(last) < s.opts.Identify {
		s.violation("shard %d identifies %v after another of its slot", ask.Shard[0], time.Since(last))
		return nil, c.send(map[string]any{"op": opInvalid, "d": false})
	}
	if left, _ := s.left(); left == 0 {
		s.violation("shard %d identifies though no identify is left", ask.Shard[0])
	}
	s.identified[slot] = time.Now()
	s.starts--
	one := &session{id: "session" + s.snowflake() + "@" + s.again, shard: *ask.Shard, conn: c}
	for id, old := range s.sessions {
		if old.shard == one.shard && old.conn == nil { // Those that stand go on beside it.
			delete(s.sessions, id)
		}
	}
	s.sessions[one.id] = one
	guilds, all := []any{}, s.guildsOf(one.shard)
	for _, g := range all {
		guilds = append(guilds, map[string]any{"id": g, "unavailable": true})
	}
	s.event(one, "READY", map[string]any{
		"v": 9, "user": map[string]any{"id": App, "username": "Zevaka", "bot": true}, "guilds": guilds,
		"session_id": one.id, "resume_gateway_url": "ws://" + s.again, "shard": one.shard,
		"application": map[string]any{"id": App, "flags": 0},
	})
	for _, g := range all {
		if !s.down[g] {
			s.event(one, "GUILD_CREATE", s.describeGuild(g, ""))
		}
	}
	return one, nil
}

func (s *Server) guildsOf(shard [2]int) []string {
	seen := map[string]bool{}
	var all []string
	for _, c := range s.channels {
		if c.guild != "" && !seen[c.guild] && !s.foreign[c.guild] && shardOf(c.guild, shard[1]) == shard[0] {
			seen[c.guild] = true
			all = append(all, c.guild)
		}
	}
	return all
}

func shardOf(guild string, count int) int {
	if guild == "" {
		return 0
	}
	return int(number(guild)>>22) % count
}

// resume goes on with a session, or says that there is none.
func (s *Server) resume(c *conn, d json.RawMessage, host string) *session {
	var ask struct {
		Session string `json:"session_id"`
		Seq     int    `json:"seq"`
	}
	_ = json.Unmarshal(d, &ask)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change()
	one := s.sessions[ask.Session]
	// A session that never was one here is of a bot whose own platform has ended, and its address been given away.
	if one != nil && host != s.again {
		s.violation("session %q (%d) is resumed at %s instead of %s", ask.Session, ask.Seq, host, s.again)
	}
	if s.turnAway(c) {
		return nil
	}
	if one == nil || ask.Seq > one.seq {
		_ = c.send(map[string]any{"op": opInvalid, "d": false})
		return nil
	}
	s.record.Calls["resume"]++
	one.conn = c
	for _, text := range one.events[len(one.events)-(one.seq-ask.Seq):] {
		_ = c.raw(text)
	}
	s.event(one, "RESUMED", map[string]any{})
	return one
}

// event sends an event on a session, or keeps it until that is resumed. The caller holds mu.
func (s *Server) event(one *session, name string, d any) {
	one.seq++
	text, err := json.Marshal(map[string]any{"op": opDispatch, "s": one.seq, "t": name, "d": d})
	if err != nil {
		panic(err)
	}
	if len(one.events) >= 64 {
		one.events = one.events[1:]
	}
	one.events = append(one.events, text)
	if one.conn != nil {
		_ = one.conn.raw(text)
	}
}

// dispatch sends an event to the shard of a guild, and reports whether there is one. Where the bot's sessions don't agree on how many
// shards there are, each that has the guild is sent it. The caller holds mu.
func (s *Server) dispatch(guild, name string, d any) (sent bool) {
	for _, one := range s.sessions {
		if shardOf(guild, one.shard[1]) == one.shard[0] {
			s.event(one, name, d)
			sent = true
		}
	}
	return sent
}

// Shards are those that are connected, each with how many there are.
func (s *Server) Shards() [][2]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all [][2]int
	for _, one := range s.sessions {
		if one.conn != nil {
			all = append(all, one.shard)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Or(a[1]-b[1], a[0]-b[0]) })
	return all
}

// Recommend sets how many shards are recommended.
func (s *Server) Recommend(shards int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Shards = shards
}

// Starts sets how many sessions the bot may begin until the time is over.
func (s *Server) Starts(left int, reset time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts, s.startsReset = left, time.Now().Add(reset)
}

// left is how many sessions the bot may begin, and until when. The caller holds mu.
func (s *Server) left() (int, time.Duration) {
	now := time.Now()
	if !now.Before(s.startsReset) {
		s.starts, s.startsReset = maxStarts, now.Add(24*time.Hour)
	}
	return s.starts, s.startsReset.Sub(now)
}

// maxStarts is how many sessions a bot may begin in a day.
const maxStarts = 1000

// Connected is how many shards are connected.
func (s *Server) Connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, one := range s.sessions {
		if one.conn != nil {
			n++
		}
	}
	return n
}

// Sessions is how many sessions there are, connected or to be resumed.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

// Identifies is how often the bot identified, and with which intents last.
func (s *Server) Identifies() (times, intents int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identifies, s.intents
}

// each does something to every connection. In memory it waits until nothing moves: the library may stop time for ever if a connection is
// lost while it begins.
func (s *Server) each(do func(*session)) {
	if s.opts.Memory {
		synctest.Wait()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		if one.conn != nil {
			do(one)
		}
	}
}

// Reconnect asks every connection to come again (op 7).
func (s *Server) Reconnect() {
	s.each(func(one *session) { _ = one.conn.send(map[string]any{"op": opReconnect, "d": nil}) })
}

// TurnAway has the next n that identify or resume asked to connect again at once.
func (s *Server) TurnAway(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.distrusts = n, false
}

// Distrust has the next n that identify or resume be told that their token is none.
func (s *Server) Distrust(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.distrusts = n, n > 0
}

// Hush has the next n connections hear nothing.
func (s *Server) Hush(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hush = n
}

func (s *Server) hushed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hush == 0 {
		return false
	}
	s.hush--
	return true
}

// turnAway asks whoever just came to connect again, or tells them that their token is none, if that was ordered. The caller holds mu.
func (s *Server) turnAway(c *conn) bool {
	if s.away == 0 {
		return false
	}
	s.away--
	if s.distrusts {
		c.bye(4004, "Authentication failed.")
		return true
	}
	_ = c.send(map[string]any{"op": opReconnect, "d": nil})
	return true
}

// Invalidate ends every session (op 9).
func (s *Server) Invalidate() {
	s.each(func(one *session) {
		_ = one.conn.send(map[string]any{"op": opInvalid, "d": false})
		delete(s.sessions, one.id)
	})
}

// Cut cuts every connection without a word.
func (s *Server) Cut() { s.each((*session).hangUp) }

// Mute makes the gateway stop answering, or answer again.
func (s *Server) Mute(mute bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = mute
}

// Emit sends any event to the bot, as JSON.
func (s *Server) Emit(name, d string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(Guild, name, json.RawMessage(d))
}

// Tell sends any text on every connection.
func (s *Server) Tell(text string) {
	s.each(func(one *session) { _ = one.conn.raw([]byte(text)) })
}

func (s *Server) gatewayURL() string { return "ws://" + s.addr + "/gw" }
