package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// declaredTests are the folders of the tests, fuzz tests and benchmarks of the module, by name.
func declaredTests(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	root := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, file)
		for _, f := range declared.FindAllSubmatch(source, -1) {
			all[string(f[1])] = append(all[string(f[1])], path.Dir(file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// operators are the pages for whoever runs the bot.
func operators(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(all) < 5 {
		t.Fatal(all, err)
	}
	return all
}

// pages are the pages that tell people to run something.
func pages(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	return append(operators(t), filepath.Join(root, "README.md"), filepath.Join(root, ".github", "SECURITY.md"), filepath.Join(root, ".github", "DESIGN.md"))
}

// TestOperatorsPages: whoever runs the bot finds each page from the README, and reads none for long.
func TestOperatorsPages(t *testing.T) {
	readme := filepath.Join("..", "..", "README.md")
	for page, most := range map[string]int{readme: 120} {
		if n := strings.Count(string(contents(t, page)), "\n"); n > most {
			t.Errorf("%s has %d lines, at most %d", page, n, most)
		}
	}
	for _, page := range operators(t) {
		if n := strings.Count(string(contents(t, page)), "\n"); n > 150 {
			t.Errorf("%s has %d lines", page, n)
		}
		if !strings.Contains(string(contents(t, readme)), "(docs/"+filepath.Base(page)) {
			t.Errorf("the README doesn't lead to %s", page)
		}
	}
}

// TestCallsOfPages: what a page has somebody type, zevaka understands.
func TestCallsOfPages(t *testing.T) {
	calls := 0
	for _, page := range pages(t) {
		for _, args := range callsOf(t, page) {
			calls++
			understood(t, page, typed(args))
		}
	}
	if calls < 20 {
		t.Errorf("the pages have %d calls", calls)
	}
}

// callsOf are the calls of zevaka on a page, each as its arguments: they stand in lines of a block or between backquotes, perhaps behind
// variables, sudo and the like, and end before a pipe.
func callsOf(t *testing.T, page string) (all [][]string) {
	t.Helper()
	call := regexp.MustCompile("(?m)(?:^|`|[ |])(?:\\./|/usr/local/bin/|go run \\./cmd/)?zevaka((?: [^ `|\n]+)*)")
	for _, code := range regexp.MustCompile("(?ms)^ *```$.*?^ *```$|`[^`\n]+`").FindAllString(string(contents(t, page)), -1) {
		for _, m := range call.FindAllStringSubmatch(code, -1) {
			args := strings.Fields(m[1])
			if len(args) > 0 && slices.ContainsFunc(model(t).Children, func(c *kong.Node) bool { return c.Name == args[0] }) {
				all = append(all, args)
			}
		}
	}
	return all
}

// typed are arguments as somebody types them in the checkout who reads what stands for something else: three dots are left out.
func typed(args []string) []string {
	var all []string
	for _, arg := range args {
		if arg = strings.NewReplacer("…", "x", "$(date", "1", "/etc/zevaka", "../../.deploy", "CHAT", "telegram:-1", "PERSON", "telegram:1").Replace(arg); arg != "x" && !strings.HasPrefix(arg, "+") {
			all = append(all, arg)
		}
	}
	return all
}

// TestCommandsOfPages: the tests that a page names are there, and where it has somebody run tests, there are such in that
// package.
func TestCommandsOfPages(t *testing.T) {
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)\\w+)`")
	command := regexp.MustCompile("go test [^`\n]*")
	chosen := regexp.MustCompile(`-(run|bench|fuzz) '?([^ ']+)`)
	folder := regexp.MustCompile(` \./([\w/.]+)`)
	all, commands := declaredTests(t), 0
	for _, page := range pages(t) {
		text := contents(t, page)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if all[m[1]] == nil {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		for _, line := range command.FindAllString(string(text), -1) {
			commands++
			where := folder.FindStringSubmatch(line)
			if where == nil {
				t.Errorf("%s: %q names no package", page, line)
				continue
			}
			for _, m := range chosen.FindAllStringSubmatch(line, -1) {
				pattern := regexp.MustCompile(m[2])
				found := m[2] == "^$" // None is meant.
				for name, folders := range all {
					found = found || pattern.MatchString(name) && slices.Contains(folders, strings.TrimSuffix(where[1], "/"))
				}
				if !found {
					t.Errorf("%s: %q runs nothing", page, line)
				}
			}
		}
	}
	if commands < 5 {
		t.Errorf("the pages have %d such commands", commands)
	}
}

// TestFuzzingTable: the page on security names fuzz tests with the packages that have them: `a`, `b` `FuzzX`, `FuzzY`.
func TestFuzzingTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n## Fuzzing\n")
	if !ok {
		t.Fatal("the page has no such table")
	}
	all, told := declaredTests(t), map[string][]string{}
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		var packages []string
		after := false // The last word was a target.
		for _, m := range regexp.MustCompile("`([\\w/]+)`").FindAllStringSubmatch(line, -1) {
			word := m[1]
			if !strings.HasPrefix(word, "Fuzz") {
				if after {
					packages = nil
				}
				packages, after = append(packages, word), false
				continue
			}
			told[word], after = append(told[word], packages...), true
		}
	}
	for name, folders := range all {
		if !strings.HasPrefix(name, "Fuzz") {
			continue
		}
		slices.Sort(folders)
		if slices.Sort(told[name]); !slices.Equal(folders, told[name]) {
			t.Errorf("%s is in %v, and the page says %v", name, folders, told[name])
		}
	}
}
