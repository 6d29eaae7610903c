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
	declared := regexp.MustCompile(`(?m)^func ((Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, ".chat") {
			there[filepath.Base(path)] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, f := range declared.FindAllSubmatch(source, -1) {
			there[string(f[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages := ""
	for _, page := range []string{"SECURITY.md", filepath.Join("bot", "PRIVACY.md")} {
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
		pages += string(text)
	}
	for name := range there {
		if strings.HasPrefix(name, "Fuzz") && !strings.Contains(pages, "`"+name+"`") {
			t.Errorf("nothing is said of %s", name)
		}
	}
}
