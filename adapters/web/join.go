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

// target is the language that the page is written in: nothing is rewritten for older browsers.
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
