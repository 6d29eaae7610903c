package web

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

var errPage = errors.New("the page can't be put together")

// joined makes one short script of the module main and all that it imports.
func joined(files fs.FS, main string) ([]byte, error) {
	from := api.Plugin{Name: "page", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: "."}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), a.Path), Namespace: "page"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: "page"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := fs.ReadFile(files, a.Path)
			script := string(text)
			return api.OnLoadResult{Contents: &script}, err
		})
	}}
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{main}, Bundle: true, Format: api.FormatESModule, Target: target, Plugins: []api.Plugin{from},
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
	})
	if err := refused(main, made.Errors, made.Warnings); err != nil {
		return nil, err
	}
	return made.OutputFiles[0].Contents, nil
}

// styled is these stylesheets, one behind the other, made short.
func styled(files fs.FS, sheets ...string) ([]byte, error) {
	var all []byte
	for _, name := range sheets {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errPage, err)
		}
		all = append(all, b...)
	}
	return minified(api.LoaderCSS, all)
}

// plainly is a stylesheet for browsers of before 2024, in light colours and without rules within rules.
func plainly(sheet []byte) ([]byte, error) {
	made := api.Transform(light(string(sheet)), api.TransformOptions{
		Loader: api.LoaderCSS, Engines: []api.Engine{{Name: api.EngineSafari, Version: "15"}, {Name: api.EngineChrome, Version: "100"}, {Name: api.EngineFirefox, Version: "100"}},
		MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetUTF8,
	})
	return made.Code, refused("a stylesheet", made.Errors, made.Warnings)
}

// light is a stylesheet with the first, the light one, of each pair of colours.
func light(sheet string) string {
	const pair = "light-dark("
	for {
		at := strings.Index(sheet, pair)
		if at < 0 {
			return sheet
		}
		rest, open, comma := sheet[at+len(pair):], 1, -1
		end := strings.IndexFunc(rest, func(r rune) bool {
			switch r {
			case '(':
				open++
			case ')':
				open--
			}
			return open == 0
		})
		if end < 0 {
			return sheet
		}
		for i, r := range rest[:end] {
			switch {
			case r == '(':
				open++
			case r == ')':
				open--
			case r == ',' && open == 0 && comma < 0:
				comma = i
			}
		}
		if comma < 0 {
			return sheet
		}
		sheet = sheet[:at] + rest[:comma] + rest[end+1:]
	}
}

// target is the language that the page is written in: nothing is rewritten for older browsers but its colours (plainly).
const target = api.ESNext

// minified says the same in fewer bytes.
func minified(kind api.Loader, text []byte) ([]byte, error) {
	made := api.Transform(string(text), api.TransformOptions{
		Loader: kind, Target: target, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone,
	})
	return made.Code, refused("a file", made.Errors, made.Warnings)
}

// refused is the first of what esbuild finds wrong with a file; nil if there is nothing.
func refused(name string, all ...[]api.Message) error {
	messages := slices.Concat(all...)
	if len(messages) == 0 {
		return nil
	}
	m := messages[0]
	if m.Location != nil {
		name = fmt.Sprintf("%s:%d", strings.TrimPrefix(m.Location.File, "page:"), m.Location.Line)
	}
	return fmt.Errorf("%w: %s: %s", errPage, name, m.Text)
}
