package play

import (
	"zevaka/bot/purse"
	"zevaka/bot/till"
)

// till is the table's, within the transaction.
func (tx bank) till() till.Till {
	ledger := purse.Ledger{Tx: tx.Tx, Community: tx.table.Origin(), Now: tx.tables.Now().Unix()}
	return till.Till{Ledger: ledger, Table: tx.table, Rules: tx.rules}
}
