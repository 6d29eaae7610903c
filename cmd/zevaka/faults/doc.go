// Package faults is what the whole of zevaka is put through: the program itself, as a process, deals in the room, on a
// Discord and on a Telegram at once while people press, and things go wrong with it, its disk and the platforms; and three of it over
// one cluster of etcd. It has nothing but tests, and needs Linux.
//
//	go test -tags faults ./cmd/zevaka/faults -v -rounds 50 -clocks -timeout 3h
//
// has each fault happen fifty times, and prints tables of the faults and of what they did; -outage says how long Telegram is away. What
// happens to the members of a cluster, and between them and bots, is in cmd/zevaka/hands.
package faults
