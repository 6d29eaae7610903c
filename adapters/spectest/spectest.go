// Package spectest has the platforms' own specifications, against which tests check every call. README.md says where they come from.
package spectest

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"sync"
)

// files are the specifications, compressed.
//
//go:embed *.json.gz
var files embed.FS

// Once returns a function that gives everybody the same decoded specification. It panics if the file, named without its .gz, isn't
// here or can't be decoded.
func Once[Spec any](file string, decode func(io.Reader) (*Spec, error)) func() *Spec {
	return sync.OnceValue(func() *Spec {
		text, err := open(file)
		if err != nil {
			panic(err)
		}
		spec, err := decode(text)
		if err != nil {
			panic(fmt.Errorf("decode %s: %w", file, err))
		}
		return spec
	})
}

// open is the text of a specification.
func open(file string) (io.Reader, error) {
	packed, err := files.Open(file + ".gz")
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(packed)
}
