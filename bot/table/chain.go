package table

import "zevaka/bot/keyspace"

// KeyChain is where the name of the newest table lies of the chain that begins with the table.
func KeyChain(first ID) string { return keyspace.Chains + first.String() }
