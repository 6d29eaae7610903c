//go:build faults

package hands

import (
	"context"
	"hash/fnv"
	"io"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// request is a chat.Request as it goes from one process to another.
type request struct {
	ID   string
	Who  chat.User
	In   chat.Place
	Kind chat.Kind
	Data string
	On   chat.Ref
}

// verdict is what an answer says of a request.
type verdict uint8

const (
	// unknown: no answer, or one that says only that something broke.
	unknown verdict = iota
	counted
	refused
	// either: the table is shown, and nothing is said. So are presses answered that were counted before, since a process delivers
	// again what another didn't answer, and those that were taken for a slip of the thumb.
	either
)

// sight is a table as an answer shows it.
type sight struct {
	Table string
	Level uint64
	// Sum stands for all that is to be seen.
	Sum     uint64
	Tokens  []string
	Turn    int64
	Receipt string
}

// answer is what people get to see of a chat.Response.
type answer struct {
	Verdict verdict
	// Unsaved says that people are told that nothing can be saved.
	Unsaved bool
	Toast   string
	Sights  []sight
}

// door is where requests are delivered. The error says that nothing came back.
type door interface {
	deliver(ctx context.Context, r request) (answer, error)
}

// asked has a handler answer.
func asked(ctx context.Context, h chat.Handler, lang *words.Lang, r request) answer {
	response := h.Handle(ctx, chat.Request{ID: r.ID, Who: r.Who, In: r.In, Kind: r.Kind, Data: r.Data, On: r.On})
	a := answer{Verdict: counted, Toast: response.Toast}
	switch {
	case response.Toast == lang.Say("broken") || response.Toast == lang.Say("broken-storage"):
		a.Verdict, a.Unsaved = unknown, response.Toast == lang.Say("broken-storage")
	case response.Alert:
		a.Verdict = refused
	}
	for _, p := range response.Posts {
		if p.Table == "" || p.Level == 0 || p.To != nil || p.Delete {
			continue
		}
		drawn, ok := p.Drawn()
		if !ok {
			continue
		}
		s := sight{Table: p.Table, Level: p.Level, Turn: p.Turn, Sum: sum(drawn.Message)}
		for _, row := range drawn.Buttons {
			for _, b := range row {
				s.Tokens = append(s.Tokens, b.Token)
			}
		}
		if p.Edit == "" || p.Final {
			s.Receipt = p.Receipt
		}
		a.Sights = append(a.Sights, s)
	}
	return a
}

// sum stands for a message; it is never 0.
func sum(m chat.Message) uint64 {
	all := fnv.New64a()
	_, _ = io.WriteString(all, words.Flat(m.Text))
	for _, row := range m.Buttons {
		for _, b := range row {
			_, _ = io.WriteString(all, b.Token)
		}
	}
	return all.Sum64() | 1
}
