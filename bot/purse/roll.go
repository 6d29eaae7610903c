package purse

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Most is how many people of one name Named returns.
const MaxNamed = 10

// keyName is where somebody's name lies, keyCall where it stands that they are called so.
func keyName(community string, user int64) string {
	return keyspace.Names + community + "/" + strconv.FormatInt(user, 36)
}
func keyCall(community, name string, user int64) string {
	return called(community, name) + strconv.FormatInt(user, 36)
}

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
// where the name is new.
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
		tx.Delete(keyCall(community, was, user))
	}
	tx.Put(keyName(community, user), []byte(name))
	tx.Put(keyCall(community, name, user), nil)
	return was == "", nil
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
	tx.Delete(keyCall(community, was, user))
	return nil
}

func nameOf(tx storage.Tx, community string, user int64) (string, error) {
	items, err := tx.Get(keyName(community, user))
	if err != nil {
		return "", fmt.Errorf("read what a person is called: %w", err)
	}
	return string(items[0].Value), nil
}

// Named are the users of the community who were called so when seen last, whatever the case of the letters: at most Most.
func Named(from storage.Reader, community, name string) ([]int64, error) {
	prefix := called(community, name)
	items, err := from.Scan(prefix, "", MaxNamed)
	if err != nil {
		return nil, fmt.Errorf("look for people by name: %w", err)
	}
	if len(items) == 0 {
		return nil, nil
	}
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
		if strings.EqualFold(string(item.Value), name) {
			found = append(found, users[i])
		}
	}
	return found, nil
}
