//go:build linux || darwin

package main

import (
	"os"
	"syscall"
)

// diskFree is how many bytes this user may still write where a folder is; false if that isn't known.
func diskFree(folder string) (int64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true //nolint:gosec // No disk has more.
}

// mayWrite reports whether this user may write a file, or in a folder.
func mayWrite(path string) bool {
	const write = 2
	return syscall.Access(path, write) == nil
}

// ownerMayWrite reports whether who owns a file may write in a folder. It may where that isn't known.
func ownerMayWrite(file, folder string) bool {
	var of, in syscall.Stat_t
	if syscall.Stat(file, &of) != nil || syscall.Stat(folder, &in) != nil {
		return true
	}
	switch of.Uid {
	case 0:
		return true
	case uint32(os.Geteuid()): //nolint:gosec // It is one.
		return mayWrite(folder)
	case in.Uid:
		return in.Mode&0o200 != 0
	}
	return in.Mode&0o002 != 0 || of.Gid == in.Gid && in.Mode&0o020 != 0
}

// lockFile waits until no other process has a file locked, and locks it until it is closed.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
