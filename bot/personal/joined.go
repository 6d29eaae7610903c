package personal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// MaxJoined is in how many communities the ratings of a person count together: the newest in which they have chosen so.
const MaxJoined = 20

// keyJoined is where the list lies of the communities in which a person of that platform has chosen so.
func keyJoined(platform string, user int64) string {
	return keyspace.Joined + keyspace.Everywhere + "/" + platform + "/" + strconv.FormatInt(user, 36)
}

// platformOf is that of an origin, as it stands there.
func platformOf(origin string) string { return origin[:min(len(origin), 1)] }

// listed is the list under a key; one that can't be read begins anew.
func listed(from storage.Getter, key string) (all []string, err error) {
	items, err := from.Get(key)
	if err != nil {
		return nil, fmt.Errorf("read where ratings of a person count together: %w", err)
	}
	if items[0].Rev != 0 && json.Unmarshal(items[0].Value, &all) != nil {
		return nil, nil
	}
	return all, nil
}

// list has a community stand in the person's list, in place of the oldest where there is no room, or not stand there.
func list(tx storage.Tx, origin string, user int64, joined bool) error {
	key := keyJoined(platformOf(origin), user)
	all, err := listed(tx, key)
	if err != nil {
		return err
	}
	if slices.Contains(all, origin) == joined {
		return nil
	}
	all = slices.DeleteFunc(all, func(other string) bool { return other == origin })
	if joined {
		all = append(all, origin)
	}
	if len(all) == 0 {
		tx.Delete(key)
		return nil
	}
	return storage.PutJSON(tx, key, all[max(0, len(all)-MaxJoined):])
}

// Unlist takes a community that has left a database off the lists of those who have chosen so there; what they have chosen must be
// there still.
func Unlist(ctx context.Context, s storage.Store, origin string) error {
	return listAll(ctx, s, origin, false)
}

// ForgetLists takes away where the ratings of a person count together, in all communities of a platform at once.
func ForgetLists(tx storage.Tx, on chat.Platform, user int64) {
	tx.Delete(keyJoined(string(rune(on)), user))
}

// JoinedIn are the communities, by origin and in order, in which the ratings of a person count together that they have in the one given;
// none if they haven't chosen so there. It reads two pages at most. Where it can't be read what they have chosen, that is nothing.
func JoinedIn(from storage.Getter, origin string, user int64) ([]string, error) {
	all, err := listed(from, keyJoined(platformOf(origin), user))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	keys := make([]string, len(all))
	for i, other := range all {
		keys[i] = Key(other, user)
	}
	items, err := from.Get(keys...)
	if err != nil {
		return nil, fmt.Errorf("read where ratings of a person count together: %w", err)
	}
	var found []string
	for i, item := range items {
		var c Choices
		if json.Unmarshal(item.Value, &c) == nil && c.Joined { // A community that has moved to another database is listed here still.
			found = append(found, all[i])
		}
	}
	if !slices.Contains(found, origin) {
		return nil, nil
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// List goes through what people have chosen in a community, or in all of a store if that is empty, and adds it to their lists, where
// there is room: it may have come from another store.
func List(ctx context.Context, s storage.Store, origin string) error {
	return listAll(ctx, s, origin, true)
}

// listAll has the communities of those who have chosen so stand in their lists, or not stand there.
func listAll(ctx context.Context, s storage.Store, origin string, joined bool) error {
	within := keyspace.Personal
	if origin != "" {
		within += origin + "/"
	}
	var failed error
	for items, err := range storage.Pages(ctx, s, within) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("look through what people have chosen: %w", err)
		}
		for _, item := range items {
			var c Choices
			origin, user, err := parseKey(item.Key)
			if err != nil || json.Unmarshal(item.Value, &c) != nil || !c.Joined {
				continue // What can't be read, who asks for it is told.
			}
			err = storage.Update(ctx, s, func(tx storage.Tx) error {
				now, err := Get(tx, origin, user)
				if err != nil || !now.Joined {
					return err
				}
				all, err := listed(tx, keyJoined(platformOf(origin), user))
				if err != nil || joined && len(all) == MaxJoined {
					return err
				}
				return list(tx, origin, user, joined)
			})
			if storage.IsDamaged(err) {
				failed = errors.Join(failed, err)
			} else if err != nil {
				return fmt.Errorf("list where ratings of a person count together: %w", err)
			}
		}
	}
	return failed
}

// parseKey is whose choices lie under a key, and of which community.
func parseKey(key string) (origin string, user int64, err error) {
	origin, number, _ := strings.Cut(strings.TrimPrefix(key, keyspace.Personal), "/")
	if user, err = strconv.ParseInt(number, 36, 64); err != nil || Key(origin, user) != key {
		return "", 0, fmt.Errorf("nobody has chosen anything under %q", key)
	}
	return origin, user, nil
}

// Examine says what is wrong with what a person has chosen.
func Examine(item storage.Item) error {
	origin, _, err := parseKey(item.Key)
	if err != nil {
		return err
	}
	if _, err := chat.ParseCommunity(origin); err != nil {
		return err
	}
	return json.Unmarshal(item.Value, &Choices{})
}

// ExamineJoined says what is wrong with a person's list of communities.
func ExamineJoined(item storage.Item) error {
	platform, number, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Joined+keyspace.Everywhere+"/"), "/")
	user, err := strconv.ParseInt(number, 36, 64)
	if err != nil || keyJoined(platform, user) != item.Key {
		return fmt.Errorf("nobody has ratings under %q", item.Key)
	}
	var all []string
	if err := json.Unmarshal(item.Value, &all); err != nil {
		return err
	}
	for _, origin := range all {
		if _, err := chat.ParseCommunity(origin); err != nil || platformOf(origin) != platform {
			return fmt.Errorf("%s lists %q", item.Key, origin)
		}
	}
	return nil
}
