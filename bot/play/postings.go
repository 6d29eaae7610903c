package play

import (
	"zevaka/bot/purse"
)

// till is the table's, within the transaction.
func (tx bank) till() Till {
	ledger := purse.Ledger{Tx: tx.Tx, Community: tx.table.Origin(), Now: tx.tables.Now().Unix()}
	return Till{Ledger: ledger, Table: tx.table, Rules: tx.rules}
}
