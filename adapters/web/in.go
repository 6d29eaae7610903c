package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// What a browser may send.
const (
	maxBody  = 16 << 10
	maxName  = 64
	maxMarks = 2 // on one letter of a name
	maxLine  = 2000
	maxToken = 64
	maxID    = 64
	maxRef   = 64
	maxLang  = 16
)

// handleTime is the time the bot has for a request; it goes on when the browser that asked is gone.
const handleTime = 20 * time.Second

// tabHeader carries the tab's secret: a header and no cookie (one only remembers it: Room.remember), so that no foreign page
// can make a browser send it, and no address, so that it stands in no log and no history.
const tabHeader = "X-Zevaka-Tab"

// adminHeader carries the secret of the room's admins, in the same way.
const adminHeader = "X-Zevaka-Admin"

// note is what a page sends: the body of every POST, and the first message of a live connection.
type note struct {
	// Tab is the secret, in the first message of a live connection only; so is Admin, that of the admins, for one of them.
	Tab   string `json:"tab,omitempty"`
	Admin string `json:"admin,omitempty"`
	ID    string `json:"id,omitempty"`
	Name  string `json:"name"`
	Lang  string `json:"lang"`
	// Channel and the rest are what was done: a line typed, or a button pressed on a message, with what was typed for
	// it as Text if it asks.
	Channel int64    `json:"channel,omitempty"`
	Text    string   `json:"text,omitempty"`
	Token   string   `json:"token,omitempty"`
	On      chat.Ref `json:"on,omitempty"`
	// Table is the table that the one who typed the line looks at.
	Table string `json:"table,omitempty"`
	// Alone says of one of those lines that nobody typed it: it isn't shown to who asks either, nor is anything told to others.
	Alone bool `json:"alone,omitempty"`
}

// isReading reports whether others needn't know that somebody has asked for a line.
func isReading(line string) bool {
	return slices.Contains([]string{"/scores", "/top"}, line) || strings.HasPrefix(line, "/scores <@")
}

// tell has what the bot says be for one reader, in their language: what is the same for whoever asks, and all where it is asked alone.
// What replaces a message that others read stays theirs.
func (r *Room) tell(resp chat.Response, who chat.User, alone bool) chat.Response {
	for i := range resp.Posts {
		p := &resp.Posts[i]
		if p.To != nil || p.Table != "" || !alone && (p.Open != chat.Common || r.public(p.Edit)) {
			continue
		}
		if own, ok := p.Each[words.Primary(who.Lang)]; ok {
			p.Message = own
		}
		p.To, p.Each = &who, nil
	}
	return resp
}

// refusal is why the room doesn't pass something on. The page has the words for its code.
type refusal struct {
	status int
	code   string
}

func (r refusal) Error() string { return r.code }

// The refusals.
var (
	refusedHost    = refusal{http.StatusMisdirectedRequest, "host"}
	refusedOrigin  = refusal{http.StatusForbidden, "origin"}
	refusedJSON    = refusal{http.StatusBadRequest, "json"}
	refusedType    = refusal{http.StatusUnsupportedMediaType, "json"}
	refusedBig     = refusal{http.StatusRequestEntityTooLarge, "big"}
	refusedTab     = refusal{http.StatusUnauthorized, "tab"}
	refusedName    = refusal{http.StatusBadRequest, "name"}
	refusedID      = refusal{http.StatusBadRequest, "json"}
	refusedChannel = refusal{http.StatusNotFound, "channel"}
	refusedEmpty   = refusal{http.StatusBadRequest, "empty"}
	refusedLong    = refusal{http.StatusBadRequest, "long"}
	refusedToken   = refusal{http.StatusBadRequest, "token"}
	refusedFull    = refusal{http.StatusServiceUnavailable, "full"}
	refusedFast    = refusal{http.StatusTooManyRequests, "fast"}
	refusedClosed  = refusal{http.StatusServiceUnavailable, "closed"}
)

func refuse(w http.ResponseWriter, why refusal) {
	answer(w, why.status, struct {
		Error string `json:"error"`
	}{why.code})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // The reader may be gone.
}

// said is the answer to a line or a press: what the bot has to tell the one who did it.
type said struct {
	Toast string `json:"toast"`
	Alert bool   `json:"alert"`
	// Named is the token of the move that the toast names, Table the table that was opened or taken up by it; each may be
	// empty.
	Named string `json:"named,omitempty"`
	Table string `json:"table,omitempty"`
	// N is the number of the room's newest message: what was answered comes after it.
	N uint64 `json:"n,omitempty"`
	// Said are messages for nobody else.
	Said []messageView `json:"said,omitempty"`
}

// say takes a line: talk for the channel, or a command for the bot.
func (r *Room) say(w http.ResponseWriter, req *http.Request) {
	n, who, err := r.read(req)
	line := strings.TrimSpace(clean(n.Text))
	switch {
	case err != nil:
	case spoken(line) == "":
		err = refusedEmpty
	case utf8.RuneCountInString(line) > maxLine:
		err = refusedLong
	}
	if err != nil {
		r.fail(w, err)
		return
	}
	t := talk{id: requestID(who, n.ID), channel: n.Channel, who: who, from: r.visitor(req), line: spoken(line)}
	q := chat.Request{ID: t.id, Who: who, In: place(n.Channel), Kind: chat.Talk, Live: true}
	if t.command = strings.HasPrefix(line, "/"); t.command {
		q.Kind, q.Data, q.Table = chat.Command, line, n.Table
	} else if _, known := r.seen.Get(t.id); known {
		answer(w, http.StatusOK, said{})
		return
	} else if !r.maySay(t) {
		outbox.Sleep(req.Context(), restTime)
		r.fail(w, refusedFast)
		return
	}
	alone := n.Alone && isReading(line)
	r.ask(w, req, q, alone, func() {
		if !alone {
			r.talk(t)
		}
	})
}

// maySay counts what somebody says to all by what it weighs; false if that is too much.
func (r *Room) maySay(t talk) bool {
	for range 1 + len(t.line)/perWeight {
		if !t.who.Admin && !r.talks.Allow(t.from, time.Now()) {
			return false
		}
	}
	return true
}

// spoken is a line as everybody reads it: nothing in it turns around what stands beside it.
func spoken(line string) string {
	if rest, command := strings.CutPrefix(line, "/"); command {
		return "/" + chat.CleanText(rest)
	}
	return chat.CleanText(line)
}

// press takes a button's token. Whether the token is good is the bot's to say.
func (r *Room) press(w http.ResponseWriter, req *http.Request) {
	n, who, err := r.read(req)
	switch {
	case err != nil:
	case n.Token == "" || len(n.Token) > maxToken:
		err = refusedToken
	case utf8.RuneCountInString(n.Text) > maxLine:
		err = refusedLong
	}
	if err != nil {
		r.fail(w, err)
		return
	}
	on := r.pressable(n.On, n.Channel, who.ID)
	r.ask(w, req, chat.Request{
		ID: requestID(who, n.ID), Who: who, In: place(n.Channel), Kind: chat.Press, Data: n.Token, On: on,
		Text: strings.TrimSpace(clean(n.Text)), Live: true,
	}, false, func() {})
}

// dismiss takes a message away that only one person sees.
func (r *Room) dismiss(w http.ResponseWriter, req *http.Request) {
	n, who, err := r.read(req)
	if err != nil {
		r.fail(w, err)
		return
	}
	r.putAway(n.On, who.ID)
	answer(w, http.StatusOK, said{})
}

// peopleKept are those of a list who can be somebody, each once, the first of them.
func peopleKept(all []personKept) (some []personKept) {
	for _, p := range all {
		_, err := person(p.Secret, note{Name: p.Name})
		again := slices.ContainsFunc(some, func(o personKept) bool { return o.Secret == p.Secret })
		if p.Name = cutName(p.Name); err == nil && !again && len(some) < maxPeople {
			some = append(some, p)
		}
	}
	return some
}

// remember has a browser remember the people whom its page knows, by a cookie, too, and tells the page whom it remembers: what scripts keep
// Safari deletes after a week without a visit, but not a cookie that came with an answer. Nobody is anybody by the cookie: what
// the page asks for has the secret in a header as ever.
func (r *Room) remember(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	var sent struct {
		People []personKept `json:"people"`
	}
	b, err := io.ReadAll(http.MaxBytesReader(nil, req.Body, maxBody))
	switch {
	case req.Header.Get("Origin") == "" || req.Header.Get(tabHeader) == "": // No page of the room's has sent it; of others the guard lets none in.
		err = refusedOrigin
	case !isJSON(req):
		err = refusedType
	case err != nil:
		err = refusedBig
	case json.Unmarshal(b, &sent) != nil:
		err = refusedJSON
	}
	if err != nil {
		r.fail(w, err)
		return
	}
	sent.People = peopleKept(append(sent.People, peopleBefore(req)...))
	if len(sent.People) > 0 {
		keepPeople(w, req, sent.People)
	}
	answer(w, http.StatusOK, sent)
}

// ask puts a request to the bot, shows what was said and what the bot posts, and tells the one who asked the rest. Who
// asks too much waits for the answer. Alone says that nobody else is told what the bot says.
func (r *Room) ask(w http.ResponseWriter, req *http.Request, q chat.Request, alone bool, show func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), handleTime)
	defer cancel()
	resp := r.handle(ctx, req, q)
	if resp.TooFast {
		outbox.Sleep(req.Context(), restTime)
		refuse(w, refusedFast)
		return
	}
	show()
	if resp.Forgotten {
		r.Forget(q.Who)
		keepPeople(w, req, nil)
	}
	resp = r.tell(resp, q.Who, alone)
	own := r.show(ctx, resp, source{r.visitor(req), q.Who.ID})
	toast := resp.Toast
	if toast == "" {
		toast = resp.Done
	}
	answer(w, http.StatusOK, said{toast, resp.Alert, resp.Named, resp.Opened, r.newest(), own})
}

// handle asks the bot. Meanwhile the connection of who asks doesn't make room for others.
func (r *Room) handle(ctx context.Context, req *http.Request, q chat.Request) chat.Response {
	conn := slotOf(req.Context())
	conn.pin(true)
	defer conn.pin(false)
	if !q.Who.Admin {
		q.From = r.visitor(req).String()
	}
	return r.Bot.Handle(ctx, q)
}

func (r *Room) fail(w http.ResponseWriter, err error) {
	var why refusal
	if !errors.As(err, &why) {
		r.opts.Log.Error("a request to the room failed", "error", err)
		why = refusal{http.StatusInternalServerError, "broken"}
	}
	refuse(w, why)
}

// read takes a POST apart. What it returns without an error is of bounded size, from somebody with a name, and about
// a channel of this room.
func (r *Room) read(req *http.Request) (note, chat.User, error) {
	if !isJSON(req) {
		return note{}, chat.User{}, refusedType
	}
	b, err := io.ReadAll(http.MaxBytesReader(nil, req.Body, maxBody))
	if err != nil {
		return note{}, chat.User{}, refusedBig
	}
	n, err := parseNote(b)
	if err != nil {
		return note{}, chat.User{}, err
	}
	who, err := person(req.Header.Get(tabHeader), n)
	switch {
	case err != nil:
		return note{}, chat.User{}, err
	case !validID(n.ID):
		return note{}, chat.User{}, refusedID
	case n.Channel < 1 || n.Channel > channels:
		return note{}, chat.User{}, refusedChannel
	}
	who.Admin = r.isAdmin(req.Header.Get(adminHeader))
	return n, who, nil
}

// parseNote reads one JSON object and nothing after it.
func parseNote(b []byte) (note, error) {
	var n note
	if err := json.Unmarshal(b, &n); err != nil {
		return note{}, refusedJSON
	}
	if len(n.On) > maxRef {
		n.On = ""
	}
	return n, nil
}

// person is who a tab's secret stands for. The id is a hash of the secret: the same after a restart, though nothing
// is stored, and of no use to anybody who sees it.
func person(secret string, n note) (chat.User, error) {
	if b, err := hex.DecodeString(secret); err != nil || len(b) != 16 {
		return chat.User{}, refusedTab
	}
	sum := sha256.Sum256([]byte("zevaka room tab " + strings.ToLower(secret)))
	id := int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
	name := cutName(n.Name)
	if name == "" {
		return chat.User{}, refusedName
	}
	return chat.User{ID: max(id, 1), Name: name, Lang: cutLang(n.Lang)}, nil
}

// cutName is a name of at most maxName runes on one line, without the signs that turn the line around, and without
// towers of marks; or empty if there is nothing in it to see.
func cutName(s string) string {
	marks, begun := 0, false
	flat := strings.Map(func(c rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, c):
			return -1
		case !unicode.In(c, unicode.Mn, unicode.Me):
			marks, begun = 0, begun || !unicode.IsSpace(c)
		case marks == maxMarks || !begun:
			return -1
		default:
			marks++
		}
		return c
	}, clean(s))
	s = strings.Join(strings.Fields(flat), " ")
	if i := runeIndex(s, maxName); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	seen := func(c rune) bool { return unicode.In(c, unicode.L, unicode.N, unicode.P, unicode.S) }
	if !strings.ContainsFunc(chat.CleanName(s), seen) {
		return ""
	}
	return s
}

// cutLang is a language tag, or empty if it doesn't look like one.
func cutLang(s string) string {
	odd := func(c rune) bool {
		return c != '-' && (c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c))
	}
	if len(s) > maxLang || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}

// clean is s with a space for whatever moves the line about instead of standing in it, and without what changes how other
// things look. What joins letters stays: some are written with it, and pictures of people are put together by it.
func clean(s string) string {
	const joiner, nonJoiner = '\u200d', '\u200c'
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) && c != joiner && c != nonJoiner {
			return -1
		}
		if unicode.In(c, unicode.Cc, unicode.Co, unicode.Zl, unicode.Zp) || c == utf8.RuneError {
			return ' '
		}
		return c
	}, s)
}

// runeIndex is where rune n of s begins; -1 if s has no more than n.
func runeIndex(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// validID says whether a page may call its request so.
func validID(id string) bool {
	odd := func(c rune) bool {
		return c != '-' && (c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c))
	}
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, odd)
}

// requestID is the bot's id of a page's request: the page's, behind the name of who sent it, so that nobody can use up
// another's.
func requestID(who chat.User, id string) string {
	return "web/" + publicID(who.ID) + "/" + id
}

// publicID is a user's id as pages know it.
func publicID(id int64) string {
	return strconv.FormatInt(id, 36)
}

func place(channel int64) chat.Place {
	return chat.Place{Community: community(), Channel: channel}
}

func community() chat.Community {
	return chat.Community{Platform: chat.Web, ID: 1}
}
