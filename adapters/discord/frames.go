package discord

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"
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
	// left is told of each text that is left out, and why.
	left func(text []byte, why error)
}

const (
	lastOne, opcode, length = 0x80, 0x0f, 0x7f
	// longBy2 and longBy8 are lengths that say that the length follows, in so many bytes.
	longBy2, longBy8 = 126, 127
	// longestHead and longestFrame are how long the head of the answer and a frame may be at most.
	longestHead, longestFrame = 1 << 20, 64 << 20
)

// switches is how the answer begins which frames follow.
const switches = "HTTP/1.1 101"

var (
	headEnds = []byte("\r\n\r\n")
	// errFrame ends a connection on which what comes is no WebSocket's, or can't be left out.
	errFrame = errors.New("a frame can't be read")
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
		f.begun, f.refused = true, !bytes.HasPrefix(f.raw, []byte(switches))
		f.pass(end + len(headEnds))
	}
	if f.refused {
		f.pass(len(f.raw))
		return nil
	}
	for {
		head, size, whole := frameAt(f.raw)
		switch {
		case size > longestFrame:
			return errFrame
		case !whole:
			return nil
		}
		first, text := f.raw[0], f.raw[head:head+size]
		if first&opcode > websocket.BinaryMessage { // A close, a ping, a pong.
			f.pass(head + size)
			continue
		}
		f.text = append(f.text, text...)
		if first&lastOne == 0 {
			f.pass(head + size)
			continue
		}
		err := examine(f.text)
		switch alone := len(f.text) == size; {
		case errors.Is(err, errAgain):
			return err
		case err != nil && !alone:
			return fmt.Errorf("%w: %w", errFrame, err)
		case err != nil:
			f.left(f.text, err)
			f.raw = f.raw[head+size:]
		default:
			f.pass(head + size)
		}
		f.text = nil
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

// examine refuses a text that the library can't read without ending the process. It is errAgain where the gateway asks to connect again.
func examine(text []byte) error {
	var said *struct {
		Op   int             `json:"op"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return fmt.Errorf("read a frame: %w", err)
	}
	switch {
	case said == nil:
		return errors.New("it is nothing")
	case said.Op == opReconnect:
		return errAgain
	case said.Op == opHello:
		var hello struct {
			Interval float64 `json:"heartbeat_interval"`
		}
		if err := json.Unmarshal(said.Data, &hello); err != nil || hello.Interval < shortestBeat {
			return fmt.Errorf("it has no time between heartbeats (%w)", err)
		}
	case said.Op == opDispatch:
		return examineEvent(said.Type, said.Data)
	}
	return nil
}

// shortestBeat is how many milliseconds may be between two heartbeats at least.
const shortestBeat = 1000

// What a frame of the gateway is for.
const (
	opDispatch  = 0
	opReconnect = 7
	opHello     = 10
)

// examineEvent refuses an event in which something isn't there that the library takes for granted.
func examineEvent(name string, data []byte) error {
	var event any
	switch name {
	case "READY":
		event = &discordgo.Ready{}
	case "GUILD_CREATE", "GUILD_UPDATE":
		event = &discordgo.GuildCreate{}
	case "VOICE_STATE_UPDATE":
		event = &discordgo.VoiceStateUpdate{}
	default:
		return nil
	}
	if err := json.Unmarshal(data, event); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	guilds := []*discordgo.Guild{}
	switch e := event.(type) {
	case *discordgo.Ready:
		guilds = e.Guilds
	case *discordgo.GuildCreate:
		guilds = append(guilds, e.Guild)
	case *discordgo.VoiceStateUpdate:
		if e.VoiceState == nil {
			return fmt.Errorf("%s says nothing", name)
		}
	}
	for _, g := range guilds {
		if g == nil || hasNil(g.Channels) || hasNil(g.Members) || hasNil(g.VoiceStates) {
			return fmt.Errorf("%s has a server of which something is missing", name)
		}
	}
	return nil
}

func hasNil[T any](all []*T) bool { return slices.Contains(all, nil) }
