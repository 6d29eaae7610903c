// Package hands is what a cluster of bots is put through, hand after hand: three members of etcd as processes, three shares of the
// database that serve it together, and chats in which people play Банчок and Зевака while members and bots are killed, frozen, cut off,
// filled and restarted. Afterwards all that people were told is compared with what is stored: each move that counts is in the log of its
// table once, the books agree, and what was seen of each table and of each purse could have happened one thing after the other. Beside
// them bare clients of the store make requests, of which the same is wanted after each fault. It has nothing but tests.
//
//	go test -tags faults ./cmd/zevaka/hands -v -hands 100000 -timeout 3h
//
// plays so many hands, or more, while each fault happens again and again, and prints what came of it; -rounds says how often each
// happens at least. What happens to whole processes, and to their disks and platforms, is in cmd/zevaka/faults.
package hands
