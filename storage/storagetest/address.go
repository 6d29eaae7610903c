package storagetest

import (
	"fmt"
	"os"
	"sync/atomic"
)

// given is how many addresses Address has given away.
var given atomic.Uint32

// Address is an address of this machine at which nobody listens, nor will anybody whom it wasn't given to: it can be told to a process
// before that begins, and be used again after that has ended. No two processes of tests get the same host, and its ports are none of
// those that the system gives away by itself.
func Address() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d:%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff, 20000+given.Add(1)%10000)
}
