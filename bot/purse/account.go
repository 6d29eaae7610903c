package purse

import (
	"strconv"
	"strings"
)

// Account names one account of a community: the purse of a user, what lies at a table for somebody, or the house.
// Its text form is what postings store.
type Account string

// House is the account that grants the first purse and the daily chips. It alone may go below zero.
const House Account = "house"

// User is the purse of a user; the ID is not 0.
func User(id int64) Account { return Account("u" + strconv.FormatInt(id, 36)) }

// At is what lies at the table of that name for its owner: a user, or the house. What is lost to somebody else at the
// same table goes from the one's account at the table to the other's. The accounts of one table lie under one key,
// which is there while anything lies at the table.
func At(table string, owner Account) Account { return Account("t" + table + "/" + string(owner)) }

// User is whose purse the account is; false for any other account.
func (a Account) User() (id int64, ok bool) {
	text, ok := strings.CutPrefix(string(a), "u")
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(text, 36, 64)
	if err != nil || id == 0 || User(id) != a {
		return 0, false
	}
	return id, true
}

// Table is at which table the account lies and for whom; false for any other account.
func (a Account) Table() (table string, owner Account, ok bool) {
	name, rest, ok := strings.Cut(string(a), "/")
	table, isTable := strings.CutPrefix(name, "t")
	owner = Account(rest)
	if _, user := owner.User(); !ok || !isTable || !isTableName(table) || !user && owner != House {
		return "", "", false
	}
	return table, owner, true
}

// valid reports whether the text names an account.
func (a Account) valid() bool {
	_, user := a.User()
	_, _, table := a.Table()
	return a == House || user || table
}

// maxTableName is how many letters and digits a table's name may have.
const maxTableName = 32

func isTableName(text string) bool {
	if len(text) == 0 || len(text) > maxTableName {
		return false
	}
	for _, r := range []byte(text) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
