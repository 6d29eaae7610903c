package spectest

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestSums: the specifications are those that README.md names.
func TestSums(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d specifications: %v", len(entries), err)
	}
	for _, entry := range entries {
		text, err := open(strings.TrimSuffix(entry.Name(), ".gz"))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, text); err != nil {
			t.Fatal(err)
		}
		listed := false
		for line := range strings.Lines(string(readme)) {
			listed = listed || strings.HasPrefix(line, "| `"+entry.Name()+"` |") && strings.HasSuffix(line, fmt.Sprintf("| `%x` |\n", sum.Sum(nil)))
		}
		if !listed {
			t.Errorf("README.md doesn't list %s as it is, with SHA-256 %x", entry.Name(), sum.Sum(nil))
		}
	}
}
