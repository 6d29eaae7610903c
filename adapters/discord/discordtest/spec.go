package discordtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Spec is Discord's own specification, of which the bodies of calls are checked. It is safe for use by many servers.
type Spec struct {
	doc map[string]any

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// specFile is the specification in the folder that ZEVAKA_SPECS names.
const specFile = "discord-openapi.json"

// LoadSpec reads the specification from the folder that the environment's ZEVAKA_SPECS names; nil if it names none.
func LoadSpec() (*Spec, error) {
	folder := os.Getenv("ZEVAKA_SPECS")
	if folder == "" {
		return nil, nil
	}
	file, err := os.Open(filepath.Join(folder, specFile))
	if err != nil {
		return nil, fmt.Errorf("read discord's specification: %w", err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, fmt.Errorf("decode discord's specification: %w", err)
	}
	s := &Spec{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	s.doc, _ = doc.(map[string]any)
	if err := s.compiler.AddResource("mem:///"+specFile, doc); err != nil {
		return nil, fmt.Errorf("take discord's specification: %w", err)
	}
	return s, nil
}

// check finds what is wrong with the body of a call. The path is the specification's, with names in braces.
func (s *Spec) check(method, path string, body []byte) []string {
	if s == nil {
		return nil
	}
	schema, err := s.schema(method, path)
	switch {
	case err != nil:
		return []string{err.Error()}
	case schema == nil && len(body) > 0:
		return []string{"a body where none belongs"}
	case schema == nil:
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return []string{err.Error()}
	}
	if err := schema.Validate(value); err != nil {
		return []string{fmt.Sprintf("%.2000s in %.500s", err, body)}
	}
	return nil
}

// schema is that of a call's body; nil if it has none.
func (s *Spec) schema(method, path string) (*jsonschema.Schema, error) {
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
