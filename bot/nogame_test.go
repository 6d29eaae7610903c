package bot_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
)

// TestKnowsNoGame: what stands between the players and the engine knows no game, nor a verb, an event or a pile of one, by
// its name: no text in the sources is one, but for those that mean something else. Words are looked up in the catalogues
// by names that are put together.
func TestKnowsNoGame(t *testing.T) {
	named, allowed, met := namesOfGames(t), map[string]bool{}, map[string]bool{}
	for _, keys := range coincidences() {
		for _, key := range keys {
			allowed[key] = true
		}
	}
	for _, root := range []string{".", "../adapters"} {
		for _, text := range textsIn(t, root) {
			anywhere := strings.TrimSpace(text.text)
			key := text.declared + " " + anywhere
			what := meaning(named, text.text)
			if what != "" && !allowed[key] && !allowed[anywhere] {
				t.Errorf("%s: %q is %s (a coincidence would be %q)", text.at, text.text, what, key)
			}
			met[key], met[anywhere] = met[key] || what != "", met[anywhere] || what != ""
		}
	}
	for key := range allowed {
		if !met[key] {
			t.Errorf("%q is called a coincidence, and stands nowhere", key)
		}
	}
}

// coincidences are texts that are some game's name for something and mean something else here: by what they mean, the
// declarations in which they stand, each with the text; or a text alone, which may stand anywhere.
func coincidences() map[string][]string {
	return map[string][]string{
		"what people ask of a table, by a command or by a button": {
			"Bot.verbs leave", "Bot.verbs hand", "Bot.asksToLeave leave", "asOneself leave", "asOneself hand",
			"Actions leave", "Actions show", "Actions home", "Actions hand",
			"painter.lobby leave", "painter.moves home", "painter.handButton hand",
			"kinds leave", "kinds home", "sketch.action leave",
		},
		"what a pile is for":                                 {"roles stock", "roles turned", "roles hand"},
		"when a table was opened, in its record":             {"line.end opened"},
		"what a request is called":                           {"Kind.Name missed", "Kind.Name shown"},
		"how many points a chart has":                        {"Charts.rating shown"},
		"a sentence of the catalogues":                       {"transaction.hand hand", "Accounts.give given"},
		"what a hash is made of":                             {"Table.Drawers draw"},
		"what people sit at, in logs and in names":           {"table"},
		"hours, as Poles write them":                         {"parseLimit g"},
		"what a posting is for":                              {"KindOpen open", "KindStake stake", "KindSide side"},
		"whose account it is: a table's":                     {"At t", "Account.Table t", "audit.accounts t", "examineAccount t", "tally.add t"},
		"an event of the page's stream: put a message there": {"message.event put"},
		"what people say":                                    {"Signs yawn"},
		"why the room refuses":                               {"refusedClosed closed"},
		"a blank in a sentence":                              {"aboutDays solved", "Went solved", "Went drawn"},
	}
}

// skipped are the folders and files below bot and adapters whose texts are not looked at, with the reason.
func skipped(path string, entry fs.DirEntry) bool {
	switch {
	case entry.IsDir():
		// What only tests use may know games, as scripts of chats do.
		return entry.Name() == "testdata" || entry.Name() == "chatscript" || strings.HasSuffix(entry.Name(), "test")
	case filepath.ToSlash(path) == "picture/games.go":
		// Tables drawn by hand, each for one game: a game without one is drawn by the roles of its piles.
		return true
	}
	return !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")
}

// meaning is what a text names: every word of it is some game's name for something. It is empty where one isn't.
func meaning(named map[string]string, text string) string {
	if what := named[text]; what != "" {
		return what
	}
	what := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		if what = named[word]; what == "" {
			break
		}
	}
	return what
}

// namesOfGames are the names of all games of the house and of their verbs, events and piles, with what they name.
func namesOfGames(t *testing.T) map[string]string {
	t.Helper()
	named := map[string]string{}
	for _, variant := range enginetest.Variants(games.All()) {
		info := variant.Rules.Info()
		named[info.Name] = "a game"
		for _, verb := range info.Verbs {
			named[verb.Name] = "a verb of " + info.Name
		}
		for _, event := range info.Events {
			named[event.Name] = "an event of " + info.Name
		}
		for _, pile := range variant.Deal(t, 0).View(engine.Nobody).Piles {
			named[pile.Kind] = "a kind of piles of " + info.Name
			named[pile.Name] = "a pile of " + info.Name
		}
	}
	return named
}

// sourceText is a text in a source: where it stands, and the declaration around it, as "step" or "transaction.step".
type sourceText struct{ at, declared, text string }

// textsIn are the texts in the sources below a folder.
func textsIn(t *testing.T, root string) []sourceText {
	t.Helper()
	var texts []sourceText
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case skipped(path, entry) && entry.IsDir():
			return filepath.SkipDir
		case skipped(path, entry) || entry.IsDir():
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			ast.Inspect(declaration, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					texts = append(texts, sourceText{files.Position(literal.Pos()).String(), nameOf(declaration, literal.Pos()), text})
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// nameOf is what a declaration declares around a position: a function, with the type whose method it is, or a constant, a
// variable or a type.
func nameOf(declaration ast.Decl, at token.Pos) string {
	if function, ok := declaration.(*ast.FuncDecl); ok {
		if function.Recv == nil {
			return function.Name.Name
		}
		receiver := function.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if name, ok := receiver.(*ast.Ident); ok {
			return name.Name + "." + function.Name.Name
		}
		return function.Name.Name
	}
	for _, spec := range declaration.(*ast.GenDecl).Specs {
		if at < spec.Pos() || at > spec.End() {
			continue
		}
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			return spec.Names[0].Name
		case *ast.TypeSpec:
			return spec.Name.Name
		}
	}
	return ""
}
