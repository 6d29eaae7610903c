package webapp

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"

	"zevaka/adapters/door"
)

const (
	// MaxStart is how many characters the payload of a link to a Mini App may have.
	MaxStart = 512
	// signBytes is how many bytes of the signature a payload has.
	signBytes = 16
	// startFormat begins what is signed. Another format has another number.
	startFormat = 1
)

// Start is the payload of a link to a table.
type Start struct {
	// Chat is the chat of the table, and Thread its topic; 0 where there is none.
	Chat, Thread int64
	// Table is the text form of the table's ID.
	Table string
}

// Sign is the signed payload, in letters, digits, "-" and "_"; empty if it would be too long.
func (s Start) Sign(key [32]byte) string {
	body := binary.AppendVarint(binary.AppendVarint([]byte{startFormat}, s.Chat), s.Thread)
	body = append(body, s.Table...)
	text := base64.RawURLEncoding.EncodeToString(append(sum(key[:], string(body))[:signBytes], body...))
	if len(text) > MaxStart {
		return ""
	}
	return text
}

// ReadStart reads what Sign has written with the key. The error is door.ErrStart for anything else: anybody can write a link.
func ReadStart(key [32]byte, text string) (Start, error) {
	if len(text) > MaxStart {
		return Start{}, door.ErrStart
	}
	all, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(all) < signBytes {
		return Start{}, door.ErrStart
	}
	body := all[signBytes:]
	if !hmac.Equal(all[:signBytes], sum(key[:], string(body))[:signBytes]) || len(body) == 0 || body[0] != startFormat {
		return Start{}, door.ErrStart
	}
	var s Start
	for _, n := range []*int64{&s.Chat, &s.Thread} {
		value, used := binary.Varint(body[1:])
		if used <= 0 {
			return Start{}, door.ErrStart
		}
		*n, body = value, body[used:]
	}
	s.Table = string(body[1:])
	return s, nil
}
