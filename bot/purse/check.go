package purse

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

func errNameKey(key string) error { return fmt.Errorf("%s: nobody on the roll has this key", key) }

// HoldsName reports whether something of the roll lies under the key.
func HoldsName(key string) bool {
	return strings.HasPrefix(key, keyspace.Names) || strings.HasPrefix(key, keyspace.CalledSo)
}

// ExamineName returns an error if an item of the roll isn't what its key says.
func ExamineName(item storage.Item) error {
	switch {
	case strings.HasPrefix(item.Key, keyspace.Names):
		community, user, err := parseName(item.Key)
		if err == nil && (keyName(community, user) != item.Key || len(item.Value) == 0) {
			err = errNameKey(item.Key)
		}
		return err
	case strings.HasPrefix(item.Key, keyspace.CalledSo):
		parts := strings.Split(strings.TrimPrefix(item.Key, keyspace.CalledSo), "/")
		if len(parts) != 3 || len(parts[1]) != 16 {
			return errNameKey(item.Key)
		}
		if _, err := strconv.ParseInt(parts[2], 36, 64); err != nil {
			return errNameKey(item.Key)
		}
		return nil
	}
	return errNameKey(item.Key)
}

func parseName(key string) (community string, user int64, err error) {
	community, number, _ := strings.Cut(strings.TrimPrefix(key, keyspace.Names), "/")
	if user, err = strconv.ParseInt(number, 36, 64); err != nil || community == "" {
		return "", 0, errNameKey(key)
	}
	return community, user, nil
}

// RepairNames makes an item of the roll anew of which nothing can be read. What a person is called stands in one of the two: a
// name that is lost is learnt when they are seen next.
func RepairNames(ctx context.Context, s storage.Store, key string) error {
	return storage.Update(ctx, s, func(tx storage.Tx) error {
		if strings.HasPrefix(key, keyspace.CalledSo) {
			tx.Put(key, []byte{})
		} else {
			tx.Delete(key)
		}
		return nil
	})
}

// AuditNames reports each name that isn't on the list of those who are called so, and each of these lists with somebody who is
// called otherwise. The error is one of the store.
func AuditNames(ctx context.Context, s storage.Store, report func(key, what string)) error {
	for items, err := range storage.Pages(ctx, s, keyspace.Names) {
		if err != nil {
			return fmt.Errorf("read the roll: %w", err)
		}
		for _, item := range items {
			community, user, err := parseName(item.Key)
			if err != nil {
				report(item.Key, err.Error())
				continue
			}
			there, err := s.Get(ctx, keyCall(community, string(item.Value), user))
			if err != nil {
				return fmt.Errorf("read the roll: %w", err)
			}
			if there[0].Rev == 0 {
				report(there[0].Key, "it is missing: somebody can't be found by name")
			}
		}
	}
	for items, err := range storage.Pages(ctx, s, keyspace.CalledSo) {
		if err != nil {
			return fmt.Errorf("read the roll: %w", err)
		}
		for _, item := range items {
			parts := strings.Split(strings.TrimPrefix(item.Key, keyspace.CalledSo), "/")
			user, err := strconv.ParseInt(parts[len(parts)-1], 36, 64)
			if err != nil || len(parts) != 3 {
				report(item.Key, errNameKey(item.Key).Error())
				continue
			}
			there, err := s.Get(ctx, keyName(parts[0], user))
			if err != nil {
				return fmt.Errorf("read the roll: %w", err)
			}
			if name := string(there[0].Value); there[0].Rev == 0 || keyCall(parts[0], name, user) != item.Key {
				report(item.Key, "nobody is called so")
			}
		}
	}
	return nil
}
