package enginetest

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
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

// AtOnce lets so many of a package's tests run at once, be there fewer processors, unless -parallel says how many: most of them
// wait most of the time. It comes before the flags are read.
func AtOnce(tests int) {
	if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
		panic(err) // Every test program has that flag.
	}
}
