package bot

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"zevaka/engine"
)

// MaxToken is how many bytes a token may have: what Telegram carries.
const MaxToken = 64

// tokenFormat begins every token. Another one means another meaning of the rest.
const tokenFormat = "1"

// tableID names a table: the community whose it is, and its own short name there.
type tableID struct {
	Community Community
	Name      string
}

// String is the id's text form, as in keys and receipts.
func (id tableID) String() string { return id.Community.String() + "/" + id.Name }

// token is what a button says: the table, the epoch in which it was drawn, and what to do. It says nothing of who may
// press: that is asked of the table when it is pressed, since anybody can write a token.
type token struct {
	Table tableID
	Epoch int
	// Do is a move's text, or a wish of the table's own, which begins with "!".
	Do string
}

// String is at most MaxToken bytes for the names, epochs and moves of the house.
func (t token) String() string {
	return strings.Join([]string{
		tokenFormat, t.Table.Community.String(), t.Table.Name, strconv.FormatInt(int64(t.Epoch), 36), t.Do,
	}, ".")
}

// errToken refuses a token that the house didn't write.
const errToken engine.Refusal = "bad-button"

func parseToken(text string) (token, error) {
	if len(text) > MaxToken || !utf8.ValidString(text) {
		return token{}, errToken
	}
	parts := strings.SplitN(text, ".", 5)
	if len(parts) != 5 || parts[0] != tokenFormat {
		return token{}, errToken
	}
	community, err := parseCommunity(parts[1])
	if err != nil {
		return token{}, err
	}
	epoch, err := strconv.ParseUint(parts[3], 36, 31)
	if err != nil || !isTableName(parts[2]) || parts[4] == "" {
		return token{}, errToken
	}
	return token{Table: tableID{community, parts[2]}, Epoch: int(epoch), Do: parts[4]}, nil
}

func parseCommunity(text string) (Community, error) {
	if len(text) < 2 {
		return Community{}, errToken
	}
	id, err := strconv.ParseInt(text[1:], 36, 64)
	c := Community{Platform: Platform(text[0]), ID: id}
	known := c.Platform == Web || c.Platform == Discord || c.Platform == Telegram
	if err != nil || !known || c.String() != text {
		return Community{}, errToken
	}
	return c, nil
}

// isTableName reports whether the text can be a table's name: a few letters and digits of base 36.
func isTableName(text string) bool {
	if len(text) == 0 || len(text) > 13 {
		return false
	}
	for _, r := range []byte(text) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
