// Command shape looks at how the module is built: at the length of its functions, at files that all need each other, and, under bot, at
// packages and types that hold too little to be one. It prints what is too long, too tangled or too thin, and fails if there is any.
//
//	go run .ci/shape/main.go
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	functionLines  = 70
	botCircle      = 12  // files of a package under bot that all need each other
	adaptersCircle = 16  // the same under adapters
	thinLines      = 200 // of a package under bot that only one other uses
)

// pkg is one package of the module; what is made for tests is left out.
type pkg struct {
	path    string // below the module, as bot/play
	imports []string
	files   []*ast.File
	types   *types.Package
	info    *types.Info
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
	Module                  *struct {
		Main bool
		Path string
	}
}

// module is all packages, and what was found.
type module struct {
	set      *token.FileSet
	packages []*pkg
	found    []string
}

func main() {
	m, err := load()
	if err != nil {
		fmt.Fprintln(os.Stderr, "shape:", err)
		os.Exit(2)
	}
	for _, p := range m.packages {
		m.functions(p)
		m.circle(p)
		if strings.HasPrefix(p.path, "bot/") {
			m.thin(p)
			m.empty(p)
		}
	}
	slices.Sort(m.found)
	for _, one := range m.found {
		fmt.Println(one)
	}
	if len(m.found) > 0 {
		os.Exit(1)
	}
}

// load parses every package and finds out what each of its names means.
func load() (*module, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports,Module", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	m, exports, own := &module{set: token.NewFileSet()}, map[string]string{}, []listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read the list of packages: %w", err)
		}
		exports[l.ImportPath] = l.Export
		if l.Module != nil && l.Module.Main && !forTests(l) {
			own = append(own, l)
		}
	}
	imp := importer.ForCompiler(m.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range own {
		p, err := m.load(l, imp)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, p)
	}
	return m, nil
}

// forTests says whether a package is a double or a suite that only tests use: it lies in a folder that is named so, or imports testing.
func forTests(l listed) bool {
	return slices.Contains(l.Imports, "testing") || slices.ContainsFunc(strings.Split(l.ImportPath, "/"), func(part string) bool {
		base, ok := strings.CutSuffix(part, "test")
		return ok && base != ""
	})
}

func (m *module) load(l listed, imp types.Importer) (*pkg, error) {
	p := &pkg{
		path: strings.TrimPrefix(l.ImportPath, l.Module.Path+"/"),
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}},
	}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(m.set, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	for _, path := range l.Imports {
		if own, ok := strings.CutPrefix(path, l.Module.Path+"/"); ok {
			p.imports = append(p.imports, own)
		}
	}
	var err error
	p.types, err = (&types.Config{Importer: imp}).Check(l.ImportPath, m.set, p.files, p.info)
	return p, err
}

func (m *module) find(format string, about ...any) {
	m.found = append(m.found, fmt.Sprintf(format, about...))
}

func (m *module) file(at token.Pos) string { return filepath.Base(m.set.Position(at).Filename) }

func (m *module) functions(p *pkg) {
	for _, f := range p.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if n := m.set.Position(fn.End()).Line - m.set.Position(fn.Pos()).Line + 1; n > functionLines {
				m.find("%s/%s: %s has %d lines, at most %d", p.path, m.file(f.Pos()), fn.Name.Name, n, functionLines)
			}
		}
	}
}

// circle finds the largest set of a package's files that all need each other.
func (m *module) circle(p *pkg) {
	most := map[string]int{"bot": botCircle, "adapters": adaptersCircle}[strings.SplitN(p.path, "/", 2)[0]]
	if most == 0 {
		return
	}
	needs := map[string]map[string]bool{}
	for _, f := range p.files {
		from := m.file(f.Pos())
		needs[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if obj := p.info.Uses[id]; ok && obj != nil && obj.Pkg() == p.types {
				if to := m.file(obj.Pos()); to != from {
					needs[from][to] = true
				}
			}
			return true
		})
	}
	if files := largestCircle(needs); len(files) > most {
		m.find("%s: %d files all need each other, at most %d: %s", p.path, len(files), most, strings.Join(files, " "))
	}
}

// largestCircle is the largest set of nodes that all reach each other, sorted.
func largestCircle(needs map[string]map[string]bool) (largest []string) {
	reach := map[string]map[string]bool{}
	for from := range needs {
		seen, todo := map[string]bool{}, []string{from}
		for len(todo) > 0 {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for to := range needs[next] {
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
		reach[from] = seen
	}
	for _, a := range slices.Sorted(maps.Keys(needs)) {
		circle := []string{a}
		for b := range needs {
			if a != b && reach[a][b] && reach[b][a] {
				circle = append(circle, b)
			}
		}
		if len(circle) > len(largest) {
			slices.Sort(circle)
			largest = circle
		}
	}
	return largest
}

// thin looks for a package with few lines that only one other uses: it belongs to that one.
func (m *module) thin(p *pkg) {
	lines := 0
	for _, f := range p.files {
		lines += m.set.File(f.Pos()).LineCount() - 1
	}
	var users []string
	for _, other := range m.packages {
		if slices.Contains(other.imports, p.path) {
			users = append(users, other.path)
		}
	}
	if len(users) == 1 && lines < thinLines {
		m.find("%s: only %s uses its %d lines", p.path, users[0], lines)
	}
}

// empty looks for structs that have methods but no field of their own: their methods belong to what they embed, or are functions. Those
// that stand for an interface may be so.
func (m *module) empty(p *pkg) {
	for _, name := range p.types.Scope().Names() {
		obj, ok := p.types.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		s, isStruct := obj.Type().Underlying().(*types.Struct)
		if !ok || !isStruct || named.NumMethods() == 0 || m.stands(p, named) {
			continue
		}
		own := 0
		for i := range s.NumFields() {
			if !s.Field(i).Embedded() {
				own++
			}
		}
		if own == 0 {
			m.find("%s: %s has %d methods and no field of its own", p.path, name, named.NumMethods())
		}
	}
}

// stands says whether a type implements an interface that its package, or one that it imports, declares.
func (m *module) stands(p *pkg, t *types.Named) bool {
	scopes := []*types.Scope{types.Universe, p.types.Scope()}
	for _, in := range p.types.Imports() {
		scopes = append(scopes, in.Scope())
	}
	for _, scope := range scopes {
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			face, ok := obj.Type().Underlying().(*types.Interface)
			if ok && face.NumMethods() > 0 && (types.Implements(t, face) || types.Implements(types.NewPointer(t), face)) {
				return true
			}
		}
	}
	return false
}
