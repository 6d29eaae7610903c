package table

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

const (
	// maxKept is how many of the newest questions to one person in a community are remembered.
	maxKept = 8
	// lifetime is how long a question can be answered.
	lifetime = time.Hour
)

const (
	// ErrOver refuses an answer to what the one who presses was not asked, or not lately.
	ErrOver engine.Refusal = "question-over"
	// ErrAnswered refuses a second answer.
	ErrAnswered engine.Refusal = "answered-already"
)

// Question is what somebody was asked before something is done that costs something or can't be taken back. It is stored,
// for that person alone: anybody can write a token and have somebody else press it, so the button of an answer says no
// more than which of the stored answers it is.
type Question struct {
	// Sign is random. By is a hash of the request that brought the question up: delivered twice it asks the same one.
	Sign string `json:"sign"`
	By   uint64 `json:"by"`
	// In is where it was asked.
	In chat.Place `json:"in"`
	// Table is the name of the table that it is about; empty if it is about none.
	Table string `json:"table,omitempty"`
	// Epoch is that of the table's buttons when it was asked, if the answer means nothing in another; otherwise 0.
	Epoch int `json:"epoch,omitempty"`
	// Answers are what can be chosen: what each does, as tokens say it.
	Answers []string `json:"answers"`
	// At is when it was asked, in seconds since 1970, UTC.
	At int64 `json:"at"`
	// Public says that everybody in the place sees it, because nobody knows who asked for it.
	Public bool `json:"aloud,omitempty"`
	// Done is a hash of the request that answered it; 0 as long as none has.
	Done uint64 `json:"done,omitempty"`
}

// KeyQuestion is where the questions to somebody lie, in a community with that origin.
func KeyQuestion(origin string, user int64) string {
	return keyspace.Questions + origin + "/" + strconv.FormatInt(user, 36)
}

// anyAdmin has the questions to somebody who speaks for the place itself: nobody knows who will press, so any admin may.
const anyAdmin = 0

// askedOf is whose questions those to the user are.
func askedOf(u chat.User) int64 {
	if u.Anonymous {
		return anyAdmin
	}
	return u.ID
}

// Asker asks questions, and knows what somebody has answered.
type Asker struct {
	words *words.Catalogue
	now   func() time.Time

	mu sync.Mutex
	// outside are the questions to people who asked from outside, by their KeyQuestion: nothing of theirs is stored. They end with the
	// process, and whoever answers then is told to begin again.
	outside map[string][]Question
}

// maxOutside is of how many people outside the questions are remembered.
const maxOutside = 1000

// NewAsker is an Asker who speaks from the catalogue; now is the time of day.
func NewAsker(catalogue *words.Catalogue, now func() time.Time) *Asker {
	return &Asker{words: catalogue, now: now, outside: map[string][]Question{}}
}

// read are the questions to somebody that lie in the store and can still be answered, or were lately; the oldest first.
func (b *Asker) read(tx storage.Tx, key string) ([]Question, error) {
	all, err := storage.GetJSON[[]Question](tx, key)
	if err != nil {
		return nil, fmt.Errorf("read what somebody was asked: %w", err)
	}
	return b.lately(all), nil
}

func (b *Asker) lately(all []Question) []Question {
	since := b.now().Add(-lifetime).Unix()
	return slices.DeleteFunc(all, func(q Question) bool { return q.At <= since })
}

// add puts a question to the others to one person, unless the same request has brought it up before.
func add(all []Question, q Question) (_ []Question, asked Question, isNew bool) {
	if i := slices.IndexFunc(all, func(old Question) bool { return old.By == q.By }); i >= 0 {
		return all, all[i], false
	}
	all = append(all, q)
	return all[max(0, len(all)-maxKept):], q, true
}

// keep has a question remembered: in the store, or in memory if whoever is asked is outside. It returns the question as it is remembered.
func (b *Asker) keep(tx storage.Tx, key string, outside bool, q Question) (Question, error) {
	if outside {
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.outside) >= maxOutside {
			clear(b.outside)
		}
		b.outside[key], q, _ = add(b.lately(b.outside[key]), q)
		return q, nil
	}
	all, err := b.read(tx, key)
	if err != nil {
		return q, err
	}
	all, q, isNew := add(all, q)
	if isNew {
		err = storage.PutJSON(tx, key, all)
	}
	return q, err
}

// Ask remembers a question to the one who made the request, and returns the message that asks it. The Tokens of the answers
// are what they do, as tokens say it: an action, with its "!", or a move.
func (b *Asker) Ask(tx storage.Tx, origin string, r chat.Request, q Question, asked words.Phrase, answers []chat.Button) (chat.Post, error) {
	q.In, q.By, q.Public = r.In, HashNumber(r.ID), r.Who.Anonymous
	q.Sign, q.At = rand.Text()[:13], b.now().Unix()
	for _, a := range answers {
		q.Answers = append(q.Answers, a.Token)
	}
	q, err := b.keep(tx, KeyQuestion(origin, askedOf(r.Who)), r.Barred() != nil, q)
	if err != nil {
		return chat.Post{}, err
	}
	id := ID{Community: r.In.Community, Name: NoTable}
	if q.Table != "" {
		id.Name = q.Table
	}
	buttons := slices.Clone(answers)
	for i := range buttons {
		buttons[i].Token = Token{Table: id, Do: fmt.Sprintf("!answer %s %d", q.Sign, i)}.String()
	}
	w := words.Writer{Lang: b.words.Lang(r.Who.Lang)}
	w.Phrase(chat.Plain, asked)
	message := chat.Offer(words.Flat(w.Spans), buttons)
	message.Text = w.Spans
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}, nil
}

// Answer takes the question whose answer was pressed, and what that answer does. The same request finds it again; for any
// other one it is over.
func (b *Asker) Answer(tx storage.Tx, origin string, r chat.Request, table, arg string) (q Question, do string, err error) {
	sign, number, _ := strings.Cut(arg, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return q, "", chat.ErrToken
	}
	q, err = b.markAnswered(tx, KeyQuestion(origin, r.Who.ID), sign, r.ID)
	if errors.Is(err, ErrOver) {
		q, err = b.answerAloud(tx, KeyQuestion(origin, anyAdmin), sign, r)
	}
	if err == nil && (q.Table != table || n < 0 || n >= len(q.Answers)) {
		err = ErrOver
	}
	if err != nil {
		return q, "", err
	}
	return q, q.Answers[n], nil
}

// answerAloud is Answer for the questions that any admin may answer.
func (b *Asker) answerAloud(tx storage.Tx, key, sign string, r chat.Request) (Question, error) {
	if r.Who.Admin {
		return b.markAnswered(tx, key, sign, r.ID)
	}
	all, err := b.read(tx, key)
	switch {
	case err != nil:
		return Question{}, err
	case slices.ContainsFunc(all, func(q Question) bool { return q.Sign == sign }):
		return Question{}, ErrNotAdmin
	}
	return Question{}, ErrOver
}

// Repeats takes the question that a command asks again which somebody types who speaks for the place: whether to do this at a table. No button
// knows that they are an admin if the platform doesn't tell, so that is their answer. It is nil if there is none.
func (b *Asker) Repeats(tx storage.Tx, origin string, r chat.Request, table, do string) (*Question, error) {
	if r.Kind != chat.Command || !r.Who.Anonymous || !r.Who.Admin {
		return nil, nil
	}
	key := KeyQuestion(origin, anyAdmin)
	all, err := b.read(tx, key)
	if err != nil {
		return nil, err
	}
	now := HashNumber(r.ID)
	i := slices.IndexFunc(all, func(q Question) bool {
		return q.By != now && (q.Done == 0 || q.Done == now) && q.Table == table && q.In.Same(r.In) && slices.Contains(q.Answers, do)
	})
	if i < 0 {
		return nil, nil
	}
	q, err := b.markAnswered(tx, key, all[i].Sign, r.ID)
	return &q, err
}

// markAnswered marks a question as answered by a request. One that is only remembered can be answered again: who is outside can do nothing
// with it that counts twice.
func (b *Asker) markAnswered(tx storage.Tx, key, sign, request string) (Question, error) {
	signed := func(q Question) bool { return q.Sign == sign }
	b.mu.Lock()
	outside := b.lately(slices.Clone(b.outside[key]))
	b.mu.Unlock()
	if i := slices.IndexFunc(outside, signed); i >= 0 {
		return outside[i], nil
	}
	all, err := b.read(tx, key)
	if err != nil {
		return Question{}, err
	}
	i := slices.IndexFunc(all, signed)
	switch {
	case i < 0:
		return Question{}, ErrOver
	case all[i].Done != 0 && all[i].Done != HashNumber(request):
		return Question{}, ErrAnswered
	}
	all[i].Done = HashNumber(request)
	return all[i], storage.PutJSON(tx, key, all)
}
