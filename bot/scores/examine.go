package scores

import (
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Examine returns an error if an item of the scores isn't what its key says. Whether it agrees with the tables only a
// Rebuilder knows.
func Examine(item storage.Item) error {
	prefix, rest, _ := strings.Cut(item.Key, "/")
	var err error
	switch prefix + "/" {
	case keyspace.Tallies:
		if _, err = parseKey(item.Key); err == nil {
			_, err = decode(item)
		}
	case keyspace.CarriedTallies:
		if _, err = parseKey(keyspace.Tallies + rest); err == nil {
			_, err = decodeCarried(item)
		}
	case keyspace.Boards:
		if _, _, ok := BoardAt(item.Key); !ok {
			return fmt.Errorf("no board has the key %q", item.Key)
		}
		_, err = decodeBoard(item)
	case keyspace.Seasons:
		if _, _, ok := BoardAt(item.Key); !ok {
			return fmt.Errorf("no season has the key %q", item.Key)
		}
		_, err = decodeSeason(item)
	case keyspace.Ways:
		if _, err = parseKey(keyspace.Tallies + rest); err == nil {
			_, err = decodeWay(item)
		}
	default:
		return fmt.Errorf("no scores have the key %q", item.Key)
	}
	return err
}
