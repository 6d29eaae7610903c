package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// What whoever runs the bot does with it while people play.

const (
	// maxBlocked is how many people may be blocked.
	maxBlocked = 1000
	// errBlocked and errPaused refuse what people ask.
	errBlocked engine.Refusal = "blocked"
	errPaused  engine.Refusal = "paused"
)

// ErrManyBlocked is the error for one who is one too many to be blocked.
var ErrManyBlocked = fmt.Errorf("%d are blocked, which is the most", maxBlocked)

// people are accounts of platforms; the ID of each is the account's number.
type people map[chat.Community]bool

// control is what whoever runs the bot has told it. It is safe for use by many goroutines.
type control struct {
	// blocked may not play. Whoever changes that has blocking full meanwhile.
	blocked  atomic.Pointer[people]
	blocking chan struct{}
	// word is what people are told as long as nobody may play; nil while they may.
	word atomic.Pointer[string]
}

// readBlocked are those who are blocked in a store.
func readBlocked(from storage.Getter) (people, error) {
	items, err := from.Get(keyspace.Blocked)
	if err != nil || items[0].Rev == 0 {
		return people{}, err
	}
	return ParseBlocked(items[0].Value)
}

// ParseBlocked reads the value of keyspace.Blocked.
func ParseBlocked(value []byte) (map[chat.Community]bool, error) {
	var texts []string
	if err := json.Unmarshal(value, &texts); err != nil {
		return nil, fmt.Errorf("read who is blocked: %w", err)
	}
	all := people{}
	for _, text := range texts {
		who, err := chat.ParseCommunity(text)
		if err != nil {
			return nil, fmt.Errorf("read who is blocked: %w", err)
		}
		all[who] = true
	}
	return all, nil
}

// putBlocked writes who is blocked.
func putBlocked(tx storage.Tx, all people) error {
	if len(all) == 0 {
		tx.Delete(keyspace.Blocked)
		return nil
	}
	texts := []string{}
	for who := range all {
		texts = append(texts, who.String())
	}
	slices.Sort(texts)
	return storage.PutJSON(tx, keyspace.Blocked, texts)
}

// CarryBlocked has all be blocked in a store who are in others, by their values of keyspace.Blocked.
func CarryBlocked(ctx context.Context, to storage.Store, saved []storage.Item) error {
	all := people{}
	for _, item := range saved {
		some, err := ParseBlocked(item.Value)
		if err != nil {
			return err
		}
		maps.Copy(all, some)
	}
	return storage.Update(ctx, to, func(tx storage.Tx) error { return putBlocked(tx, all) })
}

// open reads who is blocked.
func (c *control) open(ctx context.Context, s storage.Store, log *slog.Logger) error {
	c.blocking = make(chan struct{}, 1)
	all, err := storage.Read(ctx, s, func(from storage.Reader) (people, error) { return readBlocked(from) })
	if storage.IsDamaged(err) {
		log.Error("who is blocked can't be read: block them again", "error", err)
		all, err = people{}, nil
	}
	c.blocked.Store(&all)
	return err
}

// admits refuses what somebody asks who may not play, or while nobody may. Whoever is blocked may still see what is kept about them, have it
// forgotten, and get up for that.
func (c *control) admits(r chat.Request, rights, leaves bool) error {
	if !r.Kind.ByPerson() || rights {
		return nil
	}
	if all := c.blocked.Load(); !leaves && all != nil && (*all)[chat.Community{Platform: r.In.Community.Platform, ID: r.Who.ID}] {
		return errBlocked
	}
	switch word := c.word.Load(); {
	case word == nil:
		return nil
	case *word == "":
		return errPaused
	default:
		return words.Refuse("paused-word", words.Blanks{"word": *word})
	}
}

// asksRights reports whether somebody asks what is kept about them, or to be forgotten.
func (b *Bot) asksRights(r chat.Request) bool {
	return b.asks(r, false, []string{"privacy", "mydata", "forgetme"}, []string{"!answer", "!mydata", "!file"})
}

// asksToLeave reports whether somebody ends their own part in a game, or answers what they were asked at a table.
func (b *Bot) asksToLeave(r chat.Request) bool {
	return b.asks(r, true, []string{"leave", "giveup"}, []string{"!answer", "!leave", "!giveup", "!enough"})
}

// asks reports whether somebody gives one of these commands, or presses one of these buttons, at a table or at none.
func (b *Bot) asks(r chat.Request, atTable bool, commands, buttons []string) bool {
	if r.Kind == chat.Command {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.Data, "/"), " ")
		return slices.ContainsFunc(commands, func(one string) bool { return b.tables.Names.IsCalled(one, strings.ToLower(name)) })
	}
	tok, err := table.ParseToken(r.Data)
	return err == nil && r.Kind == chat.Press && (tok.Table.Name != table.NoTable) == atTable && slices.Contains(buttons, table.Verb(tok.Do))
}

// Block has a person not play any more, or play again, wherever on the platform, and reports whether that is news. Their seats stay as they
// are: the table goes on without them as without anybody who sleeps.
func (b *Bot) Block(ctx context.Context, on chat.Platform, user int64, block bool) (changed bool, err error) {
	who := chat.Community{Platform: on, ID: user}
	select {
	case b.control.blocking <- struct{}{}:
		defer func() { <-b.control.blocking }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	var all people
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		if all, err = readBlocked(tx); err != nil && !storage.IsDamaged(err) {
			return err
		} else if err != nil {
			all = people{}
		}
		if changed = all[who] != block; !changed {
			return nil
		}
		if block && len(all) >= maxBlocked {
			return ErrManyBlocked
		}
		if all[who] = true; !block {
			delete(all, who)
		}
		return putBlocked(tx, all)
	})
	if err == nil {
		b.control.blocked.Store(&all)
	}
	return changed, err
}

// Blocked are those who may not play, in no order: the number of an account is the ID.
func (b *Bot) Blocked() []chat.Community { return slices.Collect(maps.Keys(*b.control.blocked.Load())) }

// Pause has nobody play until Resume, or the next start: all who ask are told the word, or, if that is empty, that there is a pause. No
// turn limit runs meanwhile, and no computer player moves.
func (b *Bot) Pause(word string) {
	b.clock.Stop()
	b.control.word.Store(&word)
}

// Resume has people play on, and reports whether there was a pause.
func (b *Bot) Resume() bool {
	b.clock.Start()
	return b.control.word.Swap(nil) != nil
}

// Chats are the communities in which somebody has used the bot, with how many tables are open in each.
func (b *Bot) Chats(ctx context.Context) (map[chat.Community]int, error) {
	return upkeep.Communities(ctx, b.store)
}

// OpenIn are the open tables of a community; those that can't be read are left out.
func (b *Bot) OpenIn(ctx context.Context, c chat.Community) (all []*table.Table, err error) {
	ids, err := b.tables.OpenIn(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		items, err := b.store.Get(ctx, table.KeyOpen(id))
		switch {
		case storage.IsDamaged(err):
			continue
		case err != nil:
			return nil, err
		case items[0].Rev == 0:
			continue
		}
		if t, err := table.Decode(id, items[0].Value); err == nil && t.Phase != table.Ended {
			all = append(all, t)
		}
	}
	return all, nil
}

// Close ends a table as its host could, which people are shown within seconds; false if there is no such table, or it has ended. One that
// can't be read is gone then.
func (b *Bot) Close(ctx context.Context, id table.ID) (closed bool, err error) {
	err = b.mending(ctx, func() (err error) {
		closed, err = b.tables.CloseTable(ctx, id)
		return err
	})
	var damaged storage.Damaged
	switch {
	case errors.Is(err, table.ErrGone):
		return false, nil
	case errors.Is(err, table.ErrUnreadable),
		errors.As(err, &damaged) && (damaged.Key == table.KeyOpen(id) || damaged.Key == table.KeyEnded(id) || strings.HasPrefix(damaged.Key, keyspace.Moves)):
		err = b.keeper.Drop(ctx, id)
		return err == nil, err
	}
	return closed, err
}

// mending does something, and again once what is damaged was made anew.
func (b *Bot) mending(ctx context.Context, do func() error) error {
	err := do()
	for n := 0; n < upkeep.MaxRepairs && err != nil && b.keeper.Repaired(ctx, err); n++ {
		err = do()
	}
	return err
}
