// Plant shows that the tests catch what they are for: it plants the faults of a list in the program, one after the other, and
// wants the test named with each to fail. Nothing in the checkout is changed, since the compiler is handed the changed file in the
// place of the other (go help build, -overlay).
//
//	go run ./.ci/plant             every fault of faults.txt
//	go run ./.ci/plant NAME…       those whose name contains one of the words
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A fault is one change of the program that a test has to notice.
type fault struct {
	name    string
	tier    string // Which part of the check runs the test: unit, race, browser, cluster, faults, fuzz.
	command []string
	from    string // Stands once in all files that aren't tests.
	to      string
}

func main() {
	list := flag.String("list", ".ci/plant/faults.txt", "the faults")
	flag.Parse()
	text, err := os.ReadFile(*list)
	must(err)
	faults, err := read(string(text))
	must(err)
	work, err := os.MkdirTemp("", "plant-*")
	must(err)
	defer os.RemoveAll(work)
	missed, sound := 0, map[string]string{}
	for i, f := range faults {
		if !chosen(f.name, flag.Args()) {
			continue
		}
		from, verdict := time.Now(), try(f, work, sound)
		if verdict != "caught" {
			missed++
		}
		fmt.Printf("%2d  %-8s %4.0fs  %s: %s\n", i+1, f.tier, time.Since(from).Seconds(), f.name, verdict)
	}
	if missed > 0 {
		fmt.Printf("%d not caught\n", missed)
		os.RemoveAll(work)
		os.Exit(1)
	}
}

// read takes the list apart. Paragraphs are faults: the name, tier and command in a line each, then lines of the program with a
// minus before them, and with a plus what stands there instead. Lines that begin with # say something to the reader.
func read(text string) ([]fault, error) {
	var faults []fault
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var heads, from, to []string
		for line := range strings.SplitSeq(strings.Trim(paragraph, "\n"), "\n") {
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '-':
				from = append(from, line[1:])
			case line[0] == '+':
				to = append(to, line[1:])
			default:
				heads = append(heads, line)
			}
		}
		if heads == nil && from == nil && to == nil {
			continue
		}
		if len(heads) != 3 || from == nil {
			return nil, fmt.Errorf("no name, tier, command and change: %q", paragraph)
		}
		faults = append(faults, fault{heads[0], heads[1], strings.Fields(heads[2]), strings.Join(from, "\n"), strings.Join(to, "\n")})
	}
	return faults, nil
}

func chosen(name string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// try is "caught" if f's command passes as the program stands and fails with the fault in it, or else says what happened.
// Sound remembers what came of commands without a fault.
func try(f fault, work string, sound map[string]string) string {
	file, content, err := place(f)
	if err != nil {
		return err.Error()
	}
	command := strings.Join(f.command, " ")
	if _, ran := sound[command]; !ran {
		output, err := run(f.command, "")
		switch {
		case err != nil:
			sound[command] = "fails without the fault: " + command + "\n" + output
		case strings.Contains(output, "[no tests to run]"):
			sound[command] = "tests nothing: " + command
		default:
			sound[command] = ""
		}
	}
	if sound[command] != "" {
		return sound[command]
	}
	changed := filepath.Join(work, filepath.Base(file))
	must(os.WriteFile(changed, content, 0o600))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	must(err)
	must(os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600))
	output, err := run(f.command, filepath.Join(work, "overlay.json"))
	switch {
	case err == nil:
		return "NOT CAUGHT by " + command
	case strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]"):
		return "doesn't compile:\n" + output
	case !strings.Contains(output, "--- FAIL: ") && !strings.Contains(output, "panic: ") && !strings.Contains(output, "DATA RACE"):
		return "no test failed, but the command:\n" + output
	}
	return "caught"
}

// place finds the one file in which the fault's text stands, and makes the file as it is with the fault.
func place(f fault) (file string, content []byte, err error) {
	found := 0
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && len(path) > 1 && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if !slices.Contains([]string{".go", ".js", ".html"}, filepath.Ext(path)) || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte(f.from)); n > 0 {
			found += n
			file, content = path, bytes.Replace(text, []byte(f.from), []byte(f.to), 1)
		}
		return err
	})
	if err == nil && found != 1 {
		err = fmt.Errorf("stands %d times in the program: %s", found, f.from)
	}
	if err != nil {
		return "", nil, err
	}
	file, err = filepath.Abs(file)
	return file, content, err
}

// run runs a command, with the files in its overlay in the place of others, and returns what it printed.
func run(command []string, overlay string) (string, error) {
	cmd := exec.Command(command[0], command[1:]...)
	if overlay != "" {
		cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	output, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		must(err)
	}
	return string(output), err
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
