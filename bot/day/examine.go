package day

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Examine returns an error if an item of the package isn't what its key says.
func Examine(item storage.Item) error {
	wrong := fmt.Errorf("nothing of the patience of a day has the key %.80q", item.Key)
	if len(item.Key) < len(keyspace.DayTallies) {
		return wrong
	}
	prefix := item.Key[:len(keyspace.DayTallies)]
	origin, rest, _ := strings.Cut(item.Key[len(prefix):], "/")
	if _, err := chat.ParseCommunity(origin); err != nil && (origin != everywhere || prefix != keyspace.DayTallies) {
		return wrong
	}
	switch prefix {
	case keyspace.DayTallies:
		if _, game, ok := parseTally(item.Key, origin); !ok || game == "" || strings.Contains(game, "/") {
			return wrong
		}
		return json.Unmarshal(item.Value, &stored{})
	case keyspace.DayPeople:
		if user, err := strconv.ParseInt(rest, 36, 64); err != nil || keyPerson(origin, user) != item.Key {
			return wrong
		}
		return json.Unmarshal(item.Value, &Person{})
	case keyspace.DayUnsummed:
		if len(item.Value) > 0 || keyUnsummed(origin) != item.Key {
			return wrong
		}
		return nil
	}
	return wrong
}
