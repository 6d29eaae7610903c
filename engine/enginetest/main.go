package enginetest

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Main runs a package's tests with little collecting of garbage, as they make much and keep little of it, and returns what
// the process is to exit with. Benchmarks, and whoever sets GOGC, get what they ask for.
func Main(m *testing.M) int {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}
