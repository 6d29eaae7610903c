package web

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A module of the page imports by `import { a, b } from "./x.js";`, each in one line, and exports what it declares by a word
// before it. What it has at its top has a name that no other module has there.
var (
	importLine = regexp.MustCompile(`^import \{ (\w+(?:, \w+)*) \} from "(\.\.?/[\w./-]+\.js)";$`)
	// declaration is something at the top of a module; 1 is the export, 2 what it is, 3 its name.
	declaration = regexp.MustCompile(`^(export )?(async function|function|class|const|let) (\w+)\b`)
	// foreign is what a module must not have: several names in one declaration, imports while it runs, its own address, and,
	// where a line is none of the above, any other imports, exports and declarations at the top.
	several = regexp.MustCompile(`^(?:export )?(?:const|let) \w+,`)
	dynamic = regexp.MustCompile(`\bimport\s*\(|\bimport\.meta\b`)
	foreign = regexp.MustCompile(`^(?:import|export|var|const|let|async function|function|class)\b`)
	comment = regexp.MustCompile(`^\s*//`)
	// named and parted are declarations of a name, and of the parts of something. What makes the script short has the latter come
	// first of declarations that follow each other, though its value may need what comes before it.
	named  = regexp.MustCompile(`^\s*(?:const|let) \w+ = .*;$`)
	parted = regexp.MustCompile(`^\s*(?:const|let) [[{]`)
)

var errModule = errors.New("the page's modules can't be joined")

// module is one file of the page.
type module struct {
	name    string
	imports []imported
	exports map[string]string // what each export is: "class"
	names   []string          // at its top
	text    strings.Builder   // without imports, exports and comments
}

// imported is one import.
type imported struct {
	from  string
	names []string
}

// joiner puts modules behind one another.
type joiner struct {
	files   fs.FS
	modules map[string]*module
	order   []*module
	owners  map[string]string // of names at the top
}

// joined makes one module of main and all that it needs. What is imported stands before who imports it; only functions and
// classes may be needed in a circle.
func joined(files fs.FS, main string) ([]byte, error) {
	j := joiner{files: files, modules: map[string]*module{}, owners: map[string]string{}}
	if _, err := j.add(main); err != nil {
		return nil, err
	}
	for _, m := range j.order {
		if err := j.check(m); err != nil {
			return nil, err
		}
	}
	var all []byte
	for _, m := range j.order {
		all = append(all, m.text.String()...)
	}
	return all, nil
}

// add reads a module, and before it those that it imports.
func (j *joiner) add(name string) (*module, error) {
	if m := j.modules[name]; m != nil {
		return m, nil
	}
	b, err := fs.ReadFile(j.files, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errModule, err)
	}
	m, err := parseModule(name, string(b))
	if err != nil {
		return nil, err
	}
	j.modules[name] = m
	for _, top := range m.names {
		if other := j.owners[top]; other != "" {
			return nil, fmt.Errorf("%w: both %s and %s have %s at the top", errModule, other, name, top)
		}
		j.owners[top] = name
	}
	for _, i := range m.imports {
		if _, err := j.add(i.from); err != nil {
			return nil, err
		}
	}
	j.order = append(j.order, m)
	return m, nil
}

// check finds for every import of a module what it imports.
func (j *joiner) check(m *module) error {
	for _, i := range m.imports {
		from := j.modules[i.from]
		later := slices.Index(j.order, from) > slices.Index(j.order, m)
		for _, name := range i.names {
			kind := from.exports[name]
			switch {
			case kind == "":
				return fmt.Errorf("%w: %s imports %s, which %s doesn't export", errModule, m.name, name, i.from)
			case later && (kind == "const" || kind == "let"):
				return fmt.Errorf("%w: %s needs %s of %s, which needs it in turn", errModule, m.name, name, i.from)
			}
		}
	}
	return nil
}

// parseModule takes a module apart.
func parseModule(name, text string) (*module, error) {
	m := &module{name: name, exports: map[string]string{}}
	before := ""
	for n, line := range strings.Split(text, "\n") {
		if comment.MatchString(line) || line == "" {
			continue
		}
		if found := importLine.FindStringSubmatch(line); found != nil {
			m.imports = append(m.imports, imported{path.Join(path.Dir(name), found[2]), strings.Split(found[1], ", ")})
			continue
		}
		found := declaration.FindStringSubmatch(line)
		// In a text over several lines what looks like a comment could be none.
		open := strings.Count(line, "`")%2 != 0
		early := parted.MatchString(line) && named.MatchString(before)
		before = line
		if open || early || several.MatchString(line) || dynamic.MatchString(line) || found == nil && foreign.MatchString(line) {
			return nil, fmt.Errorf("%w: %s:%d: %s", errModule, name, n+1, line)
		}
		if found != nil {
			m.names = append(m.names, found[3])
			if found[1] != "" {
				m.exports[found[3]] = found[2]
			}
			line = strings.TrimPrefix(line, "export ")
		}
		m.text.WriteString(line)
		m.text.WriteByte('\n')
	}
	return m, nil
}
