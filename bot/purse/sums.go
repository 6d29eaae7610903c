package purse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// page is how many items one Scan asks for.
const page = 500

// Sums are what the accounts of all communities hold.
type Sums struct {
	Communities int
	Purses      int
	// Chips are all chips in purses.
	Chips int64
	// Off is what the accounts of each community sum to, each counted without its sign and all added up: 0 is right.
	// Uneven is in how many communities they don't sum to zero.
	Off    int64
	Uneven int
	// Unreadable are accounts that can't be read; a community with one has no sum.
	Unreadable int
}

// Add adds what the accounts of other communities hold.
func (s *Sums) Add(other Sums) {
	s.Communities += other.Communities
	s.Purses += other.Purses
	s.Chips += other.Chips
	s.Off += other.Off
	s.Uneven += other.Uneven
	s.Unreadable += other.Unreadable
}

// Sum adds up all accounts as they are stored, while others post. What doesn't sum to zero is looked at again, as of one
// moment, before it counts. It reads no postings: whether the accounts are right by them only Audit knows. The error is
// one of the store, or of ctx.
func Sum(ctx context.Context, s storage.Store) (Sums, error) {
	c := &counting{ctx: ctx, store: s}
	err := c.all()
	if err == nil {
		err = c.finish()
	}
	if err != nil {
		return c.sums, fmt.Errorf("add up the purses: %w", err)
	}
	return c.sums, nil
}

// counting is a Sum under way.
type counting struct {
	ctx   context.Context
	store storage.Store
	sums  Sums
	// community is the one being added up, now what was found of it.
	community string
	now       tally
}

// tally is what some accounts hold, and how many of them can't be read.
type tally struct {
	sum, chips         int64
	purses, unreadable int
}

// all adds up every account, community after community.
func (c *counting) all() error {
	for after := ""; ; {
		items, err := c.store.Scan(c.ctx, keyspace.Accounts, after, page)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return err
		}
		for _, item := range items {
			if err := c.enter(item.Key); err != nil {
				return err
			}
			c.now.add(item)
		}
		switch {
		case err != nil:
			after = damaged.Key
			if err := c.enter(after); err != nil {
				return err
			}
			c.now.unreadable++
		case len(items) < page:
			return nil
		default:
			after = items[len(items)-1].Key
		}
	}
}

// enter goes on to the community of a key.
func (c *counting) enter(key string) error {
	community, _, _ := strings.Cut(strings.TrimPrefix(key, keyspace.Accounts), "/")
	if community == c.community {
		return nil
	}
	if err := c.finish(); err != nil {
		return err
	}
	c.community = community
	return nil
}

// finish counts the community that was added up.
func (c *counting) finish() error {
	if c.community == "" {
		return nil
	}
	if c.now.sum != 0 && c.now.unreadable == 0 {
		if err := c.again(); err != nil {
			return err
		}
	}
	c.sums.Communities++
	c.sums.Purses += c.now.purses
	c.sums.Chips += c.now.chips
	c.sums.Unreadable += c.now.unreadable
	if c.now.sum != 0 && c.now.unreadable == 0 {
		c.sums.Uneven++
		c.sums.Off += max(c.now.sum, -c.now.sum)
	}
	c.now = tally{}
	return nil
}

// again adds up a community once more, as of one moment.
func (c *counting) again() error {
	for most := 2 * page; ; most *= 2 {
		items, err := c.store.Scan(c.ctx, keyspace.Accounts+c.community+"/", "", most)
		if err != nil {
			return err
		}
		if len(items) == most {
			continue
		}
		c.now = tally{}
		for _, item := range items {
			c.now.add(item)
		}
		return nil
	}
}

// add adds what lies under one key.
func (t *tally) add(item storage.Item) {
	_, name, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Accounts), "/")
	if strings.HasPrefix(name, "t") {
		held, err := decodeHeld(item.Key, item.Value)
		if err != nil {
			t.unreadable++
		}
		for _, amount := range held {
			t.sum += amount
		}
		return
	}
	_, user := Account(name).User()
	p, err := decodePurse(item.Key, item.Value)
	if err != nil || !user && Account(name) != House {
		t.unreadable++
		return
	}
	t.sum += p.Balance
	if user {
		t.purses++
		t.chips += p.Balance
	}
}
