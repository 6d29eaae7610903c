package main

import (
	"io/fs"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// heedMemory tells the runtime how much memory this process may have, if a control group says so, as those of a container and of a unit for systemd do:
// it then collects garbage harder before it would be killed. GOMEMLIMIT counts before.
func heedMemory() {
	if limit := memoryLimit(os.DirFS("/")); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 10 * 9) // The rest is for what isn't the runtime's.
	}
}

// memoryLimit is the least that the control groups (version 2) allow that this process is in; 0 where nothing is said.
func memoryLimit(root fs.FS) int64 {
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	_, group, found := strings.Cut("\n"+string(groups), "\n0::/")
	if !found {
		return 0
	}
	group, _, _ = strings.Cut(group, "\n")
	least := int64(0)
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		text, _ := fs.ReadFile(root, path.Join("sys/fs/cgroup", at, "memory.max"))
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
		if at == "/" {
			return least
		}
	}
}
