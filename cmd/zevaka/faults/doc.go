// Package faults is what the whole of zevaka is put through: the program itself, as a process, deals on a Discord and on
// a Telegram at once while people press, and things go wrong. It has nothing but tests.
//
//	go test ./cmd/zevaka/faults -v
//
// prints a table of the faults and of what they did, and
//
//	ZEVAKA_CLUSTER=required ZEVAKA_LONG=1 go test ./cmd/zevaka/faults -run TestClusterFaults -rounds 1 -v -timeout 30m
//
// one of what three processes over three members of etcd go through together. -rounds N has each of them happen N times, -kills N has the process
// killed N times, and -outage says how long Telegram is away; then -timeout must say how long all may take.
package faults
