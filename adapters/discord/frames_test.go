package discord

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// TestOddFrames: what the gateway sends that the library would end the process by is left out, and the log says so; whoever presses then is
// answered on the same connection.
func TestOddFrames(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `null x`, `{"op":0,"t":"GUILD_CREATE","d":null} {"op":11}`, `{"op":10,"d":{}}`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-1}}`, `{"op":10,"d":{"heartbeat_interval":9223372036855}}`, `{"op":10}`,
		`{"op":0,"t":"VOICE_STATE_UPDATE","d":null}`, `{"op":0,"t":"VOICE_STATE_UPDATE","d":{}}`,
		`{"op":0,"t":"GUILD_CREATE"}`, `{"op":0,"t":"GUILD_CREATE","d":null}`, `{"op":0,"t":"GUILD_CREATE","d":{}}`, `{"op":0,"t":"GUILD_CREATE","d":{"some":1}}`, `{"op":0,"t":"GUILD_CREATE","d":5}`,
		`{"op":0,"t":"GUILD_CREATE","d":{"id":"801","channels":[null]}}`, `{"op":0,"t":"GUILD_CREATE","d":{"id":"801","members":[null]}}`,
		`{"op":0,"t":"GUILD_UPDATE","d":null}`, `{"op":0,"t":"GUILD_UPDATE","d":{"id":"801","voice_states":[null]}}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			h, said := build(t, mem.New(), fake(t, discordtest.Options{})), testlog.Log{}
			h.log = slog.New(slog.NewTextHandler(&said, nil))
			h.start()
			h.server.Tell(text)
			h.server.Command(ann, discordtest.Channel, "balance", nil).Answer()
			if n := strings.Count(said.String(), "going on without it"); n != 1 || h.server.Sessions() != 1 {
				t.Errorf("after %s there are %d sessions, and the log says %d times: %s", text, h.server.Sessions(), n, said.String())
			}
		})
	}
}

// TestOddlyTyped: what has a part of another type than the library knows is read as far as it can be, and what is no event at all does no harm.
func TestOddlyTyped(t *testing.T) {
	for _, text := range []string{
		`{"op":0,"t":"READY","d":{"session_id":"x","user":{"id":"9","flags":"1"},"guilds":[{"id":"801"}]}}`, `{"op":0,"t":"READY","d":{"guilds":7}}`,
		`{"op":0,"t":"GUILD_CREATE","d":{"id":"801","afk_timeout":"300"}}`, `{"op":"0","t":"X"}`, `{"op":10,"d":{"heartbeat_interval":"41250"}}`,
		`[]`, `"x"`, `1`, `{`, ``, `{"op":0,"t":5}`,
	} {
		if err := examine([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`{"op":0,"t":"READY","d":{"guilds":[null]}}`, `{"op":0,"t":"READY"}`} {
		if err := examine([]byte(text)); !errors.Is(err, errReady) {
			t.Errorf("%s: %v", text, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		for _, text := range []string{`[]`, `"x"`, `1`, `{`, ``, `{"op":"0","t":"X"}`, `{"op":0,"t":"GUILD_CREATE","d":{"id":"801","afk_timeout":"300"}}`} {
			h.server.Tell(text)
		}
		h.server.Command(ann, discordtest.Channel, "balance", nil).Answer()
		if n := h.server.Sessions(); n != 1 {
			t.Errorf("there are %d sessions", n)
		}
	})
}

// TestFrames: frames of all lengths, in pieces of any length, come through as they are, without those that are left out.
func TestFrames(t *testing.T) {
	const answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
	long := `{"op":0,"t":"X","d":"` + strings.Repeat("x", 200) + `"}`
	longer := strings.ReplaceAll(long, "x", strings.Repeat("x", 400))
	for name, test := range map[string]struct {
		before         string
		texts          []string
		want, left     int // How many come through, and are left out.
		again, refused bool
	}{
		"all":       {before: answer, texts: []string{`{"op":11}`, long, longer}, want: 3},
		"left out":  {before: answer, texts: []string{`{"op":11}`, `null`, longer, `{"op":10,"d":{}}`, long}, want: 3, left: 2},
		"again":     {before: answer, texts: []string{`{"op":11}`, `{"d":null,"op": 7}`, long}, want: 1, again: true},
		"not asked": {before: answer, texts: []string{`{"op":0,"t":"X","d":{"op":7}}`, long}, want: 2},
		"refused":   {before: "HTTP/1.1 502 Bad Gateway\r\n\r\n<html>", texts: []string{`null`}, want: 1, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(50) {
				chance := rand.New(rand.NewPCG(seed, 1))
				left := 0
				f := frames{left: func([]byte, error) { left++ }}
				all, want := []byte(test.before), bytes.NewBufferString(test.before)
				n := 0
				for _, text := range test.texts {
					one := frame(text)
					all = append(all, one...)
					if examine([]byte(text)) == nil && n < test.want || test.refused {
						want.Write(one)
						n++
					}
				}
				var err error
				var got []byte
				for len(all) > 0 && err == nil {
					some := min(len(all), 1+chance.IntN([]int{1, 10, 5000}[chance.IntN(3)]))
					err = f.add(all[:some])
					got, f.ready, all = append(got, f.ready...), nil, all[some:]
				}
				if !bytes.Equal(got, want.Bytes()) || left != test.left || errors.Is(err, errAgain) != test.again || err != nil && !test.again {
					t.Fatalf("seed %d: %d are left out (%v), and it reads\n%.300q\nnot\n%.300q", seed, left, err, got, want.Bytes())
				}
			}
		})
	}
	for name, sent := range map[string]string{
		"too long":     answer + "\x81\x7f\x10\x00\x00\x00\x00\x00\x00\x00",
		"masked":       answer + "\x81\x84\x00\x00\x00\x00null",
		"nothing, odd": answer + "\x01\x00\x80\x04null",
		"odd in parts": answer + "\x01\x02nu\x80\x02ll",
		"packed":       answer + "\x02\x02xx",
		"endless head": strings.Repeat("x", longestHead+1),
	} {
		f := frames{}
		if err := f.add([]byte(sent)); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left := 0
	f := frames{left: func([]byte, error) { left++ }}
	if err := f.add([]byte(answer + "\x82\x09{\"op\":11}")); err != nil || left != 1 || string(f.ready) != answer {
		t.Errorf("packed: %d are left out, and it reads %q, %v", left, f.ready, err)
	}
}

// frame is a text as a server sends it.
func frame(text string) []byte {
	n := len(text)
	switch {
	case n < longBy2:
		return append([]byte{0x81, byte(n)}, text...)
	case n < 1<<16:
		return append(binary.BigEndian.AppendUint16([]byte{0x81, longBy2}, uint16(n)), text...)
	}
	return append(binary.BigEndian.AppendUint64([]byte{0x81, longBy8}, uint64(n)), text...)
}
