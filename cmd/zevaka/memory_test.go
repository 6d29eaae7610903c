package main

import (
	"testing"
	"testing/fstest"
)

// TestMemoryLimit: the least limit of the groups that a process is in counts, as they are seen in a container and outside.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"a container":           {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 536870912},
		"a unit":                {map[string]string{"proc/self/cgroup": "0::/system.slice/zevaka.service\n", "sys/fs/cgroup/system.slice/zevaka.service/memory.max": "1000\n"}, 1000},
		"a smaller slice":       {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1000", "sys/fs/cgroup/a/memory.max": "900"}, 900},
		"no limit":              {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		"nothing is said":       {map[string]string{}, 0},
		"the first version":     {map[string]string{"proc/self/cgroup": "5:memory:/docker/x\n", "sys/fs/cgroup/memory.max": "1000"}, 0},
		"both versions":         {map[string]string{"proc/self/cgroup": "1:name=systemd:/x\n0::/y\n", "sys/fs/cgroup/y/memory.max": "1000"}, 1000},
		"outside of the folder": {map[string]string{"proc/self/cgroup": "0::/../..\n", "sys/fs/cgroup/memory.max": "1000"}, 1000},
	} {
		root := fstest.MapFS{}
		for file, text := range test.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryLimit(root); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
