// Package spectest finds the platforms' own specifications, against which tests check every call.
package spectest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Once returns what gives tests the specification in a file of the folder that the environment's ZEVAKA_SPECS names, decoded
// once for all of them. It is nil, as the test's log says, if ZEVAKA_SPECS names none; a file that can't be read fails the test.
func Once[Spec any](file string, decode func(io.Reader) (*Spec, error)) func(testing.TB) *Spec {
	load := sync.OnceValues(func() (*Spec, error) {
		f, err := os.Open(filepath.Join(os.Getenv("ZEVAKA_SPECS"), file))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		spec, err := decode(f)
		if err != nil {
			return nil, fmt.Errorf("decode %s: %w", f.Name(), err)
		}
		return spec, nil
	})
	return func(tb testing.TB) *Spec {
		tb.Helper()
		if os.Getenv("ZEVAKA_SPECS") == "" {
			tb.Logf("ZEVAKA_SPECS is not set: calls are NOT checked against %s", file)
			return nil
		}
		spec, err := load()
		if err != nil {
			tb.Fatal(err)
		}
		return spec
	}
}
