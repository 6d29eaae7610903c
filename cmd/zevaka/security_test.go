package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityPage: the tests and scripts that the pages on security and privacy name are there, and the page on
// security names every fuzz test.
func TestSecurityPage(t *testing.T) {
	root := filepath.Join("..", "..")
	there := map[string]bool{}
	for name := range declaredTests(t) {
		there[name] = true
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".chat") {
			there[filepath.Base(path)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, page := range []string{filepath.Join(".github", "SECURITY.md"), filepath.Join("bot", "PRIVACY.md")} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile("`((Test|Fuzz|Benchmark)\\w+|(testdata/)?(\\w+\\.chat))`").FindAllStringSubmatch(string(text), -1)
		if len(names) < 5 {
			t.Errorf("%s names %d tests", page, len(names))
		}
		for _, name := range names {
			if !there[name[1]] && !there[name[4]] {
				t.Errorf("%s: there is no %s", page, name[1])
			}
		}
		said += string(text)
	}
	for name := range there {
		if strings.HasPrefix(name, "Fuzz") && !strings.Contains(said, "`"+name+"`") {
			t.Errorf("nothing is said of %s", name)
		}
	}
}
