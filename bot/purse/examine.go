package purse

import (
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Examine returns an error if an item of the ledger isn't what its key says. Whether items agree with each other only
// Audit knows.
func Examine(item storage.Item) error {
	parts := strings.SplitN(item.Key, "/", 3)
	if len(parts) < 3 || parts[1] == "" {
		return errKey(item.Key)
	}
	account := Account(parts[2])
	var err error
	switch parts[0] + "/" {
	case keyspace.Accounts:
		return examineAccount(item, account)
	case keyspace.Postings:
		_, err = decodePosting(item.Key, item.Value)
	case keyspace.History:
		return examineLine(item, parts[1])
	case keyspace.CarriedChips:
		if !account.valid() {
			return errKey(item.Key)
		}
		_, err = decodeCarried(item.Key, item.Value)
	case keyspace.Richest:
		if keyRich(parts[1]) != item.Key {
			return errKey(item.Key)
		}
		_, err = decodeRich(item)
	default:
		return errKey(item.Key)
	}
	return err
}

func errKey(key string) error { return fmt.Errorf("%s: nothing of the ledger has this key", key) }

func examineAccount(item storage.Item, account Account) (err error) {
	_, isUser := account.User()
	table, isTable := strings.CutPrefix(string(account), "t")
	switch {
	case isUser || account == House:
		_, err = decodePurse(item.Key, item.Value)
	case isTable && isTableName(table):
		_, err = decodeHeld(item.Key, item.Value)
	default:
		return errKey(item.Key)
	}
	return err
}

func examineLine(item storage.Item, community string) error {
	line, err := decodeLine(item.Key, item.Value)
	if err != nil {
		return err
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.History+community+"/"), "/")
	account := Account(text)
	if _, ok := account.User(); !ok || keyLine(community, account, line.N) != item.Key {
		return errKey(item.Key)
	}
	if line.ID == "" || len(line.ID) > maxID {
		return fmt.Errorf("%s: no posting has the ID %.40q", item.Key, line.ID)
	}
	return nil
}
