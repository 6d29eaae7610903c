package discordtest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"zevaka/adapters/spectest"
)

// spec is Discord's own specification, against which the bodies of calls are checked. It is safe for use by many servers.
type spec struct {
	doc map[string]any

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
	// good are the hashes of calls whose bodies were found right: all tests register the same commands.
	good map[[sha256.Size]byte]bool
}

const specFile = "discord-openapi.json"

var loadSpec = spectest.Once(specFile, decode)

func decode(text io.Reader) (*spec, error) {
	doc, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		return nil, err
	}
	s := &spec{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}, good: map[[sha256.Size]byte]bool{}}
	s.doc, _ = doc.(map[string]any)
	return s, s.compiler.AddResource("mem:///"+specFile, doc)
}

// check finds what is wrong with the body of a call. The path is the specification's, with names in braces.
func (s *spec) check(method, path string, body []byte) []string {
	schema, err := s.schema(method, path)
	switch {
	case err != nil:
		return []string{err.Error()}
	case schema == nil && len(body) > 0:
		return []string{"a body where none belongs"}
	case schema == nil:
		return nil
	}
	call := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", method, path, body))
	if s.isGood(call) {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return []string{err.Error()}
	}
	if err := schema.Validate(value); err != nil {
		return []string{fmt.Sprintf("%.2000s in %.500s", err, body)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.good[call] = true
	return nil
}

func (s *spec) isGood(call [sha256.Size]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.good[call]
}

// schema is that of a call's body; nil if it has none.
func (s *spec) schema(method, path string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := method + " " + path
	if schema, ok := s.schemas[key]; ok {
		return schema, nil
	}
	var at any = s.doc
	pointer := ""
	for _, step := range []string{"paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema"} {
		object, _ := at.(map[string]any)
		next, ok := object[step]
		if !ok {
			if step == "requestBody" {
				s.schemas[key] = nil
				return nil, nil
			}
			return nil, fmt.Errorf("the specification has no %s", key)
		}
		at = next
		pointer += "/" + escapePointer(step)
	}
	schema, err := s.compiler.Compile("mem:///" + specFile + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("the specification of %s: %w", key, err)
	}
	s.schemas[key] = schema
	return schema, nil
}

// escapePointer is a step of a JSON pointer in the fragment of an address.
func escapePointer(step string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(step)
}
