//go:build unix

package web

import "syscall"

// openFiles is how many files this process may have open; 0 if nobody says.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) > 1<<31 {
		return 0
	}
	return uint64(limit.Cur)
}
