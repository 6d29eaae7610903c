package table

import (
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"zevaka/bot/chat"
)

// MaxToken is how many bytes a token may have: what Telegram carries.
const MaxToken = 64

// tokenFormat begins every token. Another one means another meaning of the rest.
const tokenFormat = "1"

// ID names a table: the community whose it is, and its own short name there.
type ID struct {
	Community chat.Community
	Name      string
}

// String is the id's text form, as in keys and receipts.
func (id ID) String() string { return string(id.append(make([]byte, 0, longID))) }

// LogValue implements slog.LogValuer: a log has the id as the operator's commands write it, telegram:-1001234567/NAME.
func (id ID) LogValue() slog.Value { return slog.StringValue(id.Community.Full() + "/" + id.Name) }

// longID is as long as a receipt or a key mostly is.
const longID = 48

// append appends the id's text form. Every press makes some.
func (id ID) append(text []byte) []byte {
	text = strconv.AppendInt(utf8.AppendRune(text, rune(id.Community.Platform)), id.Community.ID, 36)
	return append(append(text, '/'), id.Name...)
}

// Token is what a button says: the table, the epoch in which it was drawn, and what to do. It doesn't say who may press it:
// anybody can write a token, so the table decides that when it is pressed.
type Token struct {
	Table ID
	Epoch int
	// Do is a move's text, or an action of the table's own, which begins with "!".
	Do string
}

// String is at most MaxToken bytes for the names, epochs and moves of the house.
func (t Token) String() string {
	return strings.Join([]string{
		tokenFormat, t.Table.Community.String(), t.Table.Name, strconv.FormatInt(int64(t.Epoch), 36), t.Do,
	}, ".")
}

// ParseToken reads what Token.String writes. The error is chat.ErrToken for anything else: anybody can write a token.
func ParseToken(text string) (Token, error) {
	if len(text) > MaxToken || !utf8.ValidString(text) {
		return Token{}, chat.ErrToken
	}
	format, rest, _ := strings.Cut(text, ".")
	of, rest, _ := strings.Cut(rest, ".")
	name, rest, _ := strings.Cut(rest, ".")
	number, do, _ := strings.Cut(rest, ".")
	if format != tokenFormat || do == "" {
		return Token{}, chat.ErrToken
	}
	community, err := chat.ParseCommunity(of)
	if err != nil {
		return Token{}, err
	}
	epoch, err := strconv.ParseUint(number, 36, 31)
	if err != nil || !IsName(name) {
		return Token{}, chat.ErrToken
	}
	return Token{Table: ID{community, name}, Epoch: int(epoch), Do: do}, nil
}

// IsName reports whether the text can be a table's name: a few letters and digits of base 36.
func IsName(text string) bool {
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

// ParseID reads what ID.String writes; false for anything else.
func ParseID(text string) (ID, bool) {
	community, name, _ := strings.Cut(text, "/")
	c, err := chat.ParseCommunity(community)
	return ID{c, name}, err == nil && IsName(name)
}

// NameFor is the name of the table that a request opens. A request delivered twice opens one table.
func NameFor(request string) string {
	h := Hash("table " + request)
	n := uint64(0)
	for _, b := range h[:6] {
		n = n<<8 | uint64(b)
	}
	return strconv.FormatUint(n, 36)
}

// NoTable is the name of no table, in the tokens of buttons that belong to none.
const NoTable = "0"

// PlaceToken is the token of a button that belongs to no table.
func PlaceToken(r chat.Request, do string) string {
	return Token{Table: ID{Community: r.In.Community, Name: NoTable}, Do: do}.String()
}

// Home is the community that a request is about: where it was made, or, of a press made elsewhere or in private, that of the table
// in the token.
func Home(r chat.Request) chat.Community {
	if r.Kind == chat.Press && (r.FromOutside || r.In.Private) {
		if tok, err := ParseToken(r.Data); err == nil {
			return tok.Table.Community
		}
	}
	return r.In.Community
}

// Verb is what a button asks for, without what it asks it of: anybody may add to a token what its button doesn't have.
func Verb(do string) string {
	verb, _, _ := strings.Cut(do, " ")
	return verb
}

// MeantTwice reports whether a button may be pressed twice in a row on purpose: those that count up or switch.
func MeantTwice(do string) bool {
	return slices.Contains([]string{"!rounds", "!robot", "!norobot", "!panel", "!details", "!set", "!opt", "!limit", "!fast"}, Verb(do))
}
