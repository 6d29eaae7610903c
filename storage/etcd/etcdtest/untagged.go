//go:build !cluster && !faults

package etcdtest

// tagged says that tests with a cluster are asked for.
const tagged = false
