package engine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// page is what may be cited of a page: the text below each heading, by its number or else its words. It ends at the next
// heading that is no deeper.
type page map[string]string

func readPage(t *testing.T, path string) page {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type heading struct {
		name  string
		depth int
	}
	p, above := page{}, []heading(nil)
	numbered := regexp.MustCompile(`^(\d+(?:\.\d+)?)\.? `)
	for line := range strings.Lines(string(text)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			h := heading{strings.TrimSpace(title), len(line) - len(title)}
			if n := numbered.FindStringSubmatch(h.name); n != nil {
				h.name = n[1]
			}
			if _, twice := p[h.name]; twice {
				t.Errorf("%s has two headings %q", path, h.name)
			}
			for len(above) > 0 && above[len(above)-1].depth >= h.depth {
				above = above[:len(above)-1]
			}
			above = append(above, h)
		}
		for _, h := range above {
			p[h.name] += line
		}
	}
	return p
}

// has reports whether a section has an item: a number of its list, a paragraph that begins with a bold "title", or a
// name such as V_B or M1.
func (p page) has(section, item string) bool {
	switch text := p[section]; {
	case item[0] == '"':
		return strings.Contains(text, "\n**"+strings.Trim(item, `"`))
	case item[0] >= '0' && item[0] <= '9':
		return strings.Contains(text, "\n"+item+". ")
	default:
		return regexp.MustCompile(`\b` + item + `\b`).MatchString(text)
	}
}

// The forms of citations that the top of engine/RULES.md tells, after the name of the page.
var (
	bySection = regexp.MustCompile(`^(?:, sections?)? (\d+(?:\.\d+)?(?:(?: to | and )\d+(?:\.\d+)?)*)`)
	byItem    = regexp.MustCompile(`^, ("[^"]+"|V_[A-Z]+|[A-Z]\d+|\d+)(?: to (\d+))?`)
	byExactly = regexp.MustCompile(`^, Exactly (\d+(?:(?: to | and )\d+)*)`)
	byHeading = regexp.MustCompile(`^, "([^"]+)"`)
)

var errVague = errors.New("it doesn't say what is meant there")

// rules follows a citation of the rules.
func (p page) rules(rest string) error {
	m := bySection.FindStringSubmatch(rest)
	if m == nil {
		return errVague
	}
	section := ""
	for _, section = range numbers(m[1]) {
		if p[section] == "" {
			return fmt.Errorf("there is no section %s", section)
		}
	}
	if m = byItem.FindStringSubmatch(rest[len(m[0]):]); m == nil {
		return nil
	}
	for _, item := range m[1:] {
		if item != "" && !p.has(section, item) {
			return fmt.Errorf("section %s has no %s", section, item)
		}
	}
	return nil
}

// records follows a citation of the formats.
func (p page) records(rest string) error {
	if m := byHeading.FindStringSubmatch(rest); m != nil {
		if p[m[1]] == "" {
			return fmt.Errorf("there is no heading %q", m[1])
		}
		return nil
	}
	m := byExactly.FindStringSubmatch(rest)
	if m == nil {
		return errVague
	}
	for _, n := range numbers(m[1]) {
		if !p.has("Exactly", n) {
			return fmt.Errorf("there is no Exactly %s", n)
		}
	}
	return nil
}

// numbers reads a list such as "1, 3 to 5 and 8.2". What lies within a range of whole numbers is in it.
func numbers(list string) []string {
	var all []string
	for part := range strings.SplitSeq(list, " and ") {
		first, last, _ := strings.Cut(part, " to ")
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		all = append(all, first)
		for n := a + 1; errA == nil && errB == nil && n <= b; n++ {
			all = append(all, strconv.Itoa(n))
		}
	}
	return all
}

// follower follows the citations of both pages.
type follower struct{ rules, records page }

var (
	cited = regexp.MustCompile(`(RULES|RECORDS)\.md`)
	// folds are the breaks of lines, also within a comment.
	folds = regexp.MustCompile(`\s*\n\s*(?:// ?)?`)
)

// follow returns how many citations a text has, and what is wrong with them. Named by its path, or linked, a page is meant
// as a whole.
func (f follower) follow(text string) (n int, wrong []string) {
	for _, at := range cited.FindAllStringSubmatchIndex(text, -1) {
		n++
		before, name, after := text[:at[0]], text[at[2]:at[3]], text[at[1]:]
		if strings.HasSuffix(before, "/") || strings.HasSuffix(before, "](") {
			continue
		}
		follow := f.rules.rules
		if name == "RECORDS" {
			follow = f.records.records
		}
		if err := follow(folds.ReplaceAllString(after[:min(len(after), 200)], " ")); err != nil {
			line, _, _ := strings.Cut(after, "\n")
			wrong = append(wrong, fmt.Sprintf("line %d, %s.md%.30s: %v", 1+strings.Count(before, "\n"), name, line, err))
		}
	}
	return n, wrong
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	t.Fatalf("no go.mod above this folder: %v", err)
	return ""
}

// sources calls each with the path and the text of every Go file and every page of the module.
func sources(t *testing.T, root string, each func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			each(path, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCitations: whatever the sources and the pages cite of RULES and RECORDS is there.
func TestCitations(t *testing.T) {
	f := follower{readPage(t, "RULES"+".md"), readPage(t, "RECORDS"+".md")}
	all := 0
	root := moduleRoot(t)
	sources(t, root, func(path, text string) {
		if filepath.Base(path) == "citations_test.go" {
			return // It cites wrongly on purpose.
		}
		n, wrong := f.follow(text)
		all += n
		for _, w := range wrong {
			t.Errorf("%s, %s", strings.TrimPrefix(path, root+string(filepath.Separator)), w)
		}
	})
	if all < 100 {
		t.Errorf("only %d citations were followed", all)
	}
}

// TestWrongCitations: a citation that leads nowhere, or that doesn't say where, is found out.
func TestWrongCitations(t *testing.T) {
	f := follower{readPage(t, "RULES"+".md"), readPage(t, "RECORDS"+".md")}
	for text, want := range map[string]string{
		"RULES.md 6.2": "",
		"(RULES.md, sections 2 to 5 and 7 to 10).":  "",
		"// as RULES.md\n\t// 1.2, \"Termination\"": "",
		"RULES.md 1.3, V_B; RULES.md 6.2, 4 to 6":   "",
		"RECORDS.md, Exactly\n// 24 to 26":          "",
		"RECORDS.md, \"Verbs and piles\"":           "",
		"as engine/RULES.md tells":                  "",
		"[the rules](RULES.md)":                     "",
		"see RULES.md":                              "doesn't say",
		"the options of RECORDS.md are":             "doesn't say",
		"RULES.md 6.9":                              "no section 6.9",
		"RULES.md, sections 2 to 12":                "no section 12",
		"RULES.md 1.2, \"Beginning\"":               "has no \"Beginning\"",
		"RULES.md 6.2, 4 to 9":                      "has no 9",
		"RULES.md 1.3, V_X":                         "has no V_X",
		"RECORDS.md, Exactly 12 and 99":             "no Exactly 99",
		"RECORDS.md, \"Verbs\"":                     "no heading \"Verbs\"",
	} {
		_, wrong := f.follow(text)
		if got := strings.Join(wrong, "; "); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestLinks: whatever a page links to in this repository is there, headings too.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`(?:\]\(|src=")([^)\s"]+)`)
	sources(t, moduleRoot(t), func(path, text string) {
		if filepath.Ext(path) != ".md" {
			return
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which isn't there", path, m[1])
			} else if anchor != "" && !anchors(t, target)[anchor] {
				t.Errorf("%s links to %s, and there is no such heading", path, m[1])
			}
		}
	})
}

// anchors are the names by which the headings of a page can be linked to.
func anchors(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all[strings.ReplaceAll(name, " ", "-")] = true
	}
	return all
}
