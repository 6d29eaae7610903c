// Package hands is what a cluster of bots is put through, hand after hand: three members of etcd as processes, three shares of the
// database that serve it together, and chats in which people play Банчок and Зевака while both are killed, frozen, cut off and
// restarted. Afterwards all that people were told is compared with what is stored: each move that counts is in the log of its table
// once, the books agree, and what was seen of each table and of each purse could have happened one thing after the other. It has
// nothing but tests.
//
//	ZEVAKA_CLUSTER=required go test ./cmd/zevaka/hands -run TestHands -v -hands 100000 -timeout 60m
//
// plays so many hands while everything goes wrong by turns, and prints what came of it.
package hands
