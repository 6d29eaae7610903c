//go:build cluster

package etcd

import (
	"errors"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestForgotten: a View runs again where etcd let go of what it was reading, at once; when that goes on its error says what to set.
func TestForgotten(t *testing.T) {
	c := etcdtest.Shared(t)
	client := c.Client()
	s := opened(t, at(c), patient)
	for _, test := range []struct{ times, runs int }{{1, 2}, {maxReruns, maxReruns + 1}, {maxReruns + 1, maxReruns + 1}} {
		runs := 0
		err := s.View(t.Context(), func(r storage.Reader) error {
			_, err := r.Scan("", "", 1)
			if err != nil {
				return err
			}
			if runs++; runs <= test.times {
				put, err := client.Put(t.Context(), "elsewhere", "x")
				if err != nil {
					return err
				}
				if _, err := client.Compact(t.Context(), put.Header.Revision); err != nil {
					return err
				}
			}
			if _, err = r.Scan("", "", 1); errors.Is(err, storage.ErrUnavailable) {
				t.Errorf("what isn't there any more is said to come back: %v", err)
			}
			return err
		})
		if runs != test.runs || (err == nil) != (test.times <= maxReruns) {
			t.Errorf("compacted %d times: %d runs, %v", test.times, runs, err)
		}
		if err != nil && (!errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "--auto-compaction-retention")) {
			t.Errorf("compacted each time: %v", err)
		}
	}
}
