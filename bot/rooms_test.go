package bot_test

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
	"testing"
)

// What the module may grow to. Tests and what is made for them don't count.
const (
	packageLines   = 4000 // in a package under bot
	botCircle      = 12   // files of a package under bot that all need each other
	adaptersCircle = 16   // the same under adapters
	typeMethods    = 50
	structFields   = 30 // an embedded struct counts as one
	functionLines  = 70
)

// floors is the order of the module's folders: a package imports only what stands before it, or on its own floor.
var floors = []string{"engine", "storage", "bot", "adapters", "cmd"}

// rooms is the order of the packages under bot: each imports only what stands before it.
var rooms = []string{
	"keyspace", "picture", "chat", "words", "roll", "rating", "scores", "purse", "heavywork", "ratelimit", "refusal", "temper", "table", "personal", "company", "lesson", "results", "chart", "question",
	"board", "index", "clock", "bankstate", "opening", "till", "shelf", "permit", "day", "play", "host", "today", "scene", "live", "account", "settings", "replay", "upkeep", ".",
}

// open is what doesn't keep the limits yet, by the words of the finding without its figure.
var open = map[string]bool{}

// TestRooms measures every package of the module and prints the largest of each kind.
func TestRooms(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, p := range h.packages {
		h.imports(p)
		if !p.tests {
			h.lengths(p)
			h.sizes(p)
			h.circle(p)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(h.most)) {
		t.Logf("most %s: %d, %s", what, h.most[what].n, h.most[what].where)
	}
	for finding := range open {
		if !h.found[finding] {
			t.Errorf("no longer so, take it from the list: %s", finding)
		}
	}
}

// house is the module as the compiler sees it.
type house struct {
	t        *testing.T
	set      *token.FileSet
	packages []*room
	most     map[string]figure
	found    map[string]bool
}

// figure is the largest of its kind and where it is.
type figure struct {
	n     int
	where string
}

// room is one package: path below the module, such as bot/play.
type room struct {
	path    string
	files   []*ast.File
	imports []string
	// tests says that only tests use the package.
	tests bool
	info  *types.Info
	pkg   *types.Package
}

// listed is what `go list -json` says about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
	Module                  *struct {
		Main bool
		Path string
	}
}

func newHouse(t *testing.T) *house {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,GoFiles,Imports,Module", "./...")
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, set: token.NewFileSet(), most: map[string]figure{}, found: map[string]bool{}}
	exports, own := map[string]string{}, []listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if l.Module != nil && l.Module.Main {
			own = append(own, l)
		}
	}
	imp := importer.ForCompiler(h.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range own {
		h.packages = append(h.packages, h.load(l, imp))
	}
	return h
}

// load parses a package and finds out what each of its names means.
func (h *house) load(l listed, imp types.Importer) *room {
	h.t.Helper()
	r := &room{
		path:  strings.TrimPrefix(l.ImportPath, l.Module.Path+"/"),
		tests: forTests(l),
		info:  &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}},
	}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(h.set, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			h.t.Fatal(err)
		}
		r.files = append(r.files, f)
	}
	for _, path := range l.Imports {
		if own, ok := strings.CutPrefix(path, l.Module.Path+"/"); ok {
			r.imports = append(r.imports, own)
		}
	}
	conf := types.Config{Importer: imp}
	pkg, err := conf.Check(l.ImportPath, h.set, r.files, r.info)
	if err != nil {
		h.t.Fatal(err)
	}
	r.pkg = pkg
	return r
}

// measure notes a figure, and fails when it is over its limit and not listed as open.
func (h *house) measure(what, where string, n, limit int) {
	h.t.Helper()
	if n > h.most[what].n {
		h.most[what] = figure{n, where}
	}
	finding := what + ": " + where
	if limit == 0 || n <= limit {
		return
	}
	h.found[finding] = true
	if !open[finding] {
		h.t.Errorf("%s: %d, at most %d", finding, n, limit)
	}
}

// imports checks that a package needs only what stands before it.
func (h *house) imports(r *room) {
	h.t.Helper()
	for _, other := range r.imports {
		from, to := floor(r.path), floor(other)
		if from < to {
			h.t.Errorf("%s imports %s: the order is %s", r.path, other, strings.Join(floors, ", "))
		}
		if floors[from] != "bot" || floors[to] != "bot" || r.tests {
			continue
		}
		if from, to := slices.Index(rooms, under(r.path)), slices.Index(rooms, under(other)); from <= to || to < 0 {
			h.t.Errorf("%s imports %s: the order is %s", r.path, other, strings.Join(rooms, ", "))
		}
	}
}

func floor(path string) int {
	top, _, _ := strings.Cut(path, "/")
	return slices.Index(floors, top)
}

// under is a package's path below bot, "." for bot itself.
func under(path string) string {
	rel, _ := filepath.Rel("bot", path)
	return filepath.ToSlash(rel)
}

// forTests says whether a package is a double, a suite or a script that only tests use: it lies in a folder that is named
// so, or imports testing.
func forTests(l listed) bool {
	return slices.Contains(l.Imports, "testing") || slices.ContainsFunc(strings.Split(l.ImportPath, "/"), func(part string) bool {
		base, ok := strings.CutSuffix(part, "test")
		return ok && base != ""
	})
}

// lengths looks at every function.
func (h *house) lengths(r *room) {
	h.t.Helper()
	for _, f := range r.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			n := h.set.Position(fn.End()).Line - h.set.Position(fn.Pos()).Line + 1
			h.measure("lines of a function", fmt.Sprintf("%s/%s %s", r.path, h.file(f), fn.Name.Name), n, functionLines)
		}
	}
}

// sizes counts a package's lines, its types' methods and its structs' fields.
func (h *house) sizes(r *room) {
	h.t.Helper()
	lines := 0
	for _, f := range r.files {
		lines += h.set.File(f.Pos()).LineCount() - 1
	}
	if strings.HasPrefix(r.path, "bot") {
		h.measure("lines of a package under bot", r.path, lines, packageLines)
	}
	for _, obj := range r.info.Defs {
		name, ok := obj.(*types.TypeName)
		if !ok || name.IsAlias() {
			continue
		}
		if named, ok := name.Type().(*types.Named); ok {
			h.measure("methods of a type", r.path+"."+name.Name(), named.NumMethods(), typeMethods)
		}
		if s, ok := name.Type().Underlying().(*types.Struct); ok {
			h.measure("fields of a struct", r.path+"."+name.Name(), s.NumFields(), structFields)
		}
	}
}

func (h *house) file(f *ast.File) string { return filepath.Base(h.set.Position(f.Pos()).Filename) }

// circle finds the largest set of a package's files that all need each other.
func (h *house) circle(r *room) {
	h.t.Helper()
	arrows := map[string]map[string]bool{}
	for _, f := range r.files {
		from := h.file(f)
		arrows[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if obj := r.info.Uses[id]; ok && obj != nil && obj.Pkg() == r.pkg {
				if to := filepath.Base(h.set.Position(obj.Pos()).Filename); to != from {
					arrows[from][to] = true
				}
			}
			return true
		})
	}
	what, limit := "files in a circle", 0
	switch floors[floor(r.path)] {
	case "bot":
		what, limit = "files in a circle under bot", botCircle
	case "adapters":
		what, limit = "files in a circle under adapters", adaptersCircle
	}
	files := largest(arrows)
	h.measure(what, r.path, len(files), limit)
	if len(files) > 1 {
		h.t.Logf("%s: %d of %d files in a circle: %s", r.path, len(files), len(r.files), strings.Join(files, " "))
	}
}

// largest is the largest set of nodes that all reach each other, sorted.
func largest(arrows map[string]map[string]bool) []string {
	reach := map[string]map[string]bool{}
	for from := range arrows {
		seen, todo := map[string]bool{}, []string{from}
		for len(todo) > 0 {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for to := range arrows[next] {
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
		reach[from] = seen
	}
	var most []string
	for _, a := range slices.Sorted(maps.Keys(arrows)) {
		circle := []string{a}
		for b := range arrows {
			if a != b && reach[a][b] && reach[b][a] {
				circle = append(circle, b)
			}
		}
		if len(circle) > len(most) {
			slices.Sort(circle)
			most = circle
		}
	}
	return most
}
