package purse

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// MaxNamed is how many people of one name Named returns.
const MaxNamed = 10

// keyName is where somebody's name lies, keyCalls where it stands that they are called so: by all of it, and by the first of several
// words.
func keyName(community string, user int64) string {
	return keyspace.Names + community + "/" + strconv.FormatInt(user, 36)
}
func keyCalls(community, name string, user int64) []string {
	number := strconv.FormatInt(user, 36)
	keys := []string{called(community, name) + number}
	if first, _, more := strings.Cut(name, " "); more {
		keys = append(keys, called(community, firstOf(first))+number)
	}
	return keys
}

// firstOf is what people are found by whose name goes on after these words. No name ends so.
func firstOf(words string) string { return words + " " }

// called begins the keys of all who are called so, whatever the case of the letters.
func called(community, name string) string {
	sum := sha256.Sum256([]byte(fold(name)))
	return fmt.Sprintf("%s%s/%x/", keyspace.CalledSo, community, sum[:8])
}

// fold is the same for names that strings.EqualFold finds equal.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}

// SeenName notes that the user is called so now; with an empty name it does nothing. It reads one key, and writes up to three
// where the name is new, or five for one of several words.
func SeenName(tx storage.Tx, community string, user int64, name string) error {
	_, err := MeetName(tx, community, user, name)
	return err
}

// MeetName is Seen, and reports whether nothing was known of the user before.
func MeetName(tx storage.Tx, community string, user int64, name string) (isNew bool, err error) {
	name = strings.ToValidUTF8(name, "�")
	was, err := nameOf(tx, community, user)
	if err != nil || name == "" || was == name {
		return false, err
	}
	if was != "" {
		dropCalls(tx, community, was, user)
	}
	tx.Put(keyName(community, user), []byte(name))
	for _, key := range keyCalls(community, name, user) {
		tx.Put(key, nil)
	}
	return was == "", nil
}

func dropCalls(tx storage.Tx, community, name string, user int64) {
	for _, key := range keyCalls(community, name, user) {
		tx.Delete(key)
	}
}

// AddName is Seen for a user of whom no name is known yet; it leaves another name as it is.
func AddName(tx storage.Tx, community string, user int64, name string) error {
	was, err := nameOf(tx, community, user)
	if err != nil || was != "" {
		return err
	}
	return SeenName(tx, community, user, name)
}

// ForgetNames takes the user off the roll.
func ForgetNames(tx storage.Tx, community string, user int64) error {
	was, err := nameOf(tx, community, user)
	if err != nil || was == "" {
		return err
	}
	tx.Delete(keyName(community, user))
	dropCalls(tx, community, was, user)
	return nil
}

// DropName takes an item of the roll away: a name with what it is found by, and what names are found by where nobody is called so.
func DropName(tx storage.Tx, item storage.Item) error {
	tx.Delete(item.Key)
	if community, user, err := parseName(item.Key); err == nil {
		dropCalls(tx, community, string(item.Value), user)
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(item.Key, keyspace.CalledSo), "/")
	user, err := strconv.ParseInt(parts[len(parts)-1], 36, 64)
	if err != nil {
		return nil
	}
	name, err := nameOf(tx, parts[0], user)
	if err == nil && name != "" && slices.Contains(keyCalls(parts[0], name, user), item.Key) {
		tx.Put(item.Key, []byte{})
	}
	return err
}

func nameOf(tx storage.Tx, community string, user int64) (string, error) {
	items, err := tx.Get(keyName(community, user))
	if err != nil {
		return "", fmt.Errorf("read what a person is called: %w", err)
	}
	return string(items[0].Value), nil
}

// Named are the users of the community who were called so when seen last, whatever the case of the letters, and where nobody was, those
// of whose name it is the first word: at most MaxNamed.
func Named(from storage.Reader, community, name string) ([]int64, error) {
	found, err := among(from, called(community, name), func(is string) bool { return strings.EqualFold(is, name) })
	if err != nil || len(found) > 0 {
		return found, err
	}
	return among(from, called(community, firstOf(name)), func(is string) bool {
		first, _, _ := strings.Cut(is, " ")
		return strings.EqualFold(first, name)
	})
}

// among are those of the users listed under a prefix whose name is like that.
func among(from storage.Reader, prefix string, like func(string) bool) ([]int64, error) {
	items, err := from.Scan(prefix, "", MaxNamed)
	if err != nil {
		return nil, fmt.Errorf("look for people by name: %w", err)
	}
	if len(items) == 0 {
		return nil, nil
	}
	community, _, _ := strings.Cut(strings.TrimPrefix(prefix, keyspace.CalledSo), "/")
	users, keys := make([]int64, len(items)), make([]string, len(items))
	for i, item := range items {
		if users[i], err = strconv.ParseInt(strings.TrimPrefix(item.Key, prefix), 36, 64); err != nil {
			return nil, errNameKey(item.Key)
		}
		keys[i] = keyName(community, users[i])
	}
	if items, err = from.Get(keys...); err != nil {
		return nil, fmt.Errorf("read what people are called: %w", err)
	}
	var found []int64
	for i, item := range items {
		if like(string(item.Value)) {
			found = append(found, users[i])
		}
	}
	return found, nil
}

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
			there, err := s.Get(ctx, keyCalls(community, string(item.Value), user)...)
			if err != nil {
				return fmt.Errorf("read the roll: %w", err)
			}
			for _, one := range there {
				if one.Rev == 0 {
					report(one.Key, "it is missing: somebody can't be found by name")
				}
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
			if name := string(there[0].Value); there[0].Rev == 0 || !slices.Contains(keyCalls(parts[0], name, user), item.Key) {
				report(item.Key, "nobody is called so")
			}
		}
	}
	return nil
}
