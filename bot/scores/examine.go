package scores

import (
	"fmt"
	"strings"

	"zevaka/storage"
)

// Examine returns an error if an item of the scores isn't what its key says. Whether it agrees with the tables only a
// Rebuilder knows.
func Examine(item storage.Item) error {
	prefix, rest, _ := strings.Cut(item.Key, "/")
	var err error
	switch prefix + "/" {
	case keyPrefix:
		if _, err = parseKey(item.Key); err == nil {
			_, err = decode(item)
		}
	case carriedPrefix:
		if _, err = parseKey(keyPrefix + rest); err == nil {
			_, err = decodeCarried(item)
		}
	case boardPrefix:
		if _, _, ok := BoardAt(item.Key); !ok {
			return fmt.Errorf("no board has the key %q", item.Key)
		}
		_, err = decodeBoard(item)
	default:
		return fmt.Errorf("no scores have the key %q", item.Key)
	}
	return err
}
