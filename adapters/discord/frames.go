package discord

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gorilla/websocket"
)

// frames is what a WebSocket's server sends, whole frame by whole frame, without those whose text the library would end the process by. It reads
// it in goroutines of its own, where nothing recovers.
type frames struct {
	// begun says that the answer to the request has passed, which stands before all frames.
	begun bool
	// refused says that the answer was another, which no frames follow.
	refused bool
	// raw is what has come and isn't whole, ready what may be read, text what the message has so far that comes in several frames.
	raw, ready, text []byte
	// parts says that some of that message has been passed.
	parts bool
	// left is told of each text that is left out, and why.
	left func(text []byte, why error)
}

const (
	lastOne, opcode, masked, length = 0x80, 0x0f, 0x80, 0x7f
	// longBy2 and longBy8 are lengths that say that the length follows, in so many bytes.
	longBy2, longBy8 = 126, 127
	// longestHead and longestFrame are how long the head of the answer and a frame may be at most.
	longestHead, longestFrame = 1 << 20, 64 << 20
)

// switches stands in the first statusLine bytes of the answer which frames follow.
const switches, statusLine = " 101 ", len("HTTP/1.1 101 ")

var (
	headEnds = []byte("\r\n\r\n")
	// errFrame ends a connection on which what comes is no WebSocket's, or can't be left out.
	errFrame = errors.New("a frame can't be read")
	// errReady ends a connection whose session begins with servers that aren't there.
	errReady = errors.New("the session begins with servers that aren't there: connect again")
)

// add takes what has come.
func (f *frames) add(some []byte) error {
	f.raw = append(f.raw, some...)
	if !f.begun {
		end := bytes.Index(f.raw, headEnds)
		switch {
		case end < 0 && len(f.raw) > longestHead:
			return errFrame
		case end < 0:
			return nil
		}
		f.begun, f.refused = true, !bytes.Contains(f.raw[:min(len(f.raw), statusLine)], []byte(switches))
		f.pass(end + len(headEnds))
	}
	if f.refused {
		f.pass(len(f.raw))
		return nil
	}
	for {
		head, size, whole := frameAt(f.raw)
		switch {
		case size > longestFrame, len(f.raw) > 1 && f.raw[1]&masked != 0:
			return errFrame
		case !whole:
			return nil
		}
		first, text := f.raw[0], f.raw[head:head+size]
		kind, last := int(first&opcode), first&lastOne != 0
		switch {
		case kind > websocket.BinaryMessage: // A close, a ping, a pong.
			f.pass(head + size)
			continue
		case kind == websocket.BinaryMessage && !last:
			return errFrame
		}
		f.text = append(f.text, text...)
		if !last {
			f.pass(head + size)
			f.parts = true
			continue
		}
		err := examine(f.text)
		if kind == websocket.BinaryMessage {
			err = errors.New("it is packed, and nobody has asked for that")
		}
		switch {
		case errors.Is(err, errAgain), errors.Is(err, errReady):
			return err
		case err != nil && f.parts:
			return fmt.Errorf("%w: %w", errFrame, err)
		case err != nil:
			f.left(f.text, err)
			f.raw = f.raw[head+size:]
		default:
			f.pass(head + size)
		}
		f.text, f.parts = nil, false
	}
}

// pass lets the library read the next n bytes.
func (f *frames) pass(n int) {
	f.ready = append(f.ready, f.raw[:n]...)
	f.raw = f.raw[n:]
}

// frameAt is how long the head of the first frame is, and what follows it; whole is false where some is still to come. A server's has no mask.
func frameAt(raw []byte) (head, size int, whole bool) {
	if len(raw) < 2 {
		return 0, 0, false
	}
	head, size = 2, int(raw[1]&length)
	switch {
	case size == longBy2 && len(raw) >= 4:
		head, size = 4, int(binary.BigEndian.Uint16(raw[2:]))
	case size == longBy8 && len(raw) >= 10:
		head, size = 10, int(min(binary.BigEndian.Uint64(raw[2:]), longestFrame+1))
	case size >= longBy2:
		return 0, 0, false
	}
	return head, size, len(raw) >= head+size
}

// examine refuses a text by which the library would end the process: whatever else can't be read in it the library leaves out itself, or gives the
// connection up. The error is errAgain where the gateway asks to connect again, and errReady where a session begins so that it can't be served.
func examine(text []byte) error {
	var said *struct {
		Op   int             `json:"op"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&said) // As the library does, which reads nothing behind the first value.
	switch {
	case said == nil && err == nil:
		return errors.New("it is nothing")
	case said == nil:
		return nil
	case said.Op == opReconnect:
		return errAgain
	case said.Op == opHello:
		var hello struct {
			Interval float64 `json:"heartbeat_interval"`
		}
		if json.Unmarshal(said.Data, &hello) == nil && (hello.Interval < shortestBeat || hello.Interval > longestBeat) || len(said.Data) == 0 {
			return fmt.Errorf("%v ms are no time between heartbeats", hello.Interval)
		}
	case said.Op == opDispatch:
		return examineEvent(said.Type, said.Data)
	}
	return nil
}

// shortestBeat and longestBeat are how many milliseconds may be between two heartbeats.
const shortestBeat, longestBeat = 1000, 3_600_000

// What a frame of the gateway is for.
const (
	opDispatch  = 0
	opReconnect = 7
	opHello     = 10
)

// server is what the library takes for granted of a server in an event.
type server struct {
	ID          string      `json:"id"`
	Channels    []*struct{} `json:"channels"`
	Members     []*struct{} `json:"members"`
	VoiceStates []*struct{} `json:"voice_states"`
}

// hole reports whether something isn't there.
func (s *server) hole() bool {
	return s == nil || slices.Contains(s.Channels, nil) || slices.Contains(s.Members, nil) || slices.Contains(s.VoiceStates, nil)
}

// examineEvent refuses an event in which something isn't there that the library takes for granted. What has a part of another type it reads as far as
// it can be, as the library does.
func examineEvent(name string, data []byte) error {
	switch name {
	case "READY":
		var ready struct {
			Guilds []*server `json:"guilds"`
		}
		if _ = json.Unmarshal(data, &ready); len(data) == 0 || slices.ContainsFunc(ready.Guilds, (*server).hole) {
			return errReady
		}
	case "GUILD_CREATE", "GUILD_UPDATE":
		var created server
		if _ = json.Unmarshal(data, &created); created.ID == "" || created.hole() {
			return fmt.Errorf("%s has a server without an ID, or with a hole", name)
		}
	case "VOICE_STATE_UPDATE":
		return errors.New("nobody has asked for it")
	}
	return nil
}
