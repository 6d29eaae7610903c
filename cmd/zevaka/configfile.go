package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// maxConfig bounds a file of settings.
const maxConfig = 64 << 10

// configPath is the flag that names a file of settings: a line each, as listen = "off", named like the flags of serve. A
// flag and a variable of the environment count before it.
type configPath string

// BeforeResolve reads the file. What is wrong with it is said before anything is done.
func (configPath) BeforeResolve(call *kong.Context, flag *kong.Path) error {
	path, ok := call.FlagValue(flag.Flag).(configPath)
	if !ok || path == "" {
		return nil
	}
	file, err := readConfig(string(path), serveFlags(call.Model.Node))
	if err != nil {
		return configError{string(path), err}
	}
	call.AddResolver(file)
	return nil
}

// configError is what is wrong with a file of settings.
type configError struct {
	path string
	why  error
}

func (e configError) Error() string { return fmt.Sprintf("settings in %s: %v", e.path, e.why) }

// serveFlags are the flags of serve that can stand in a file: those that can stand in the environment.
func serveFlags(root *kong.Node) []*kong.Flag {
	var flags []*kong.Flag
	for _, command := range root.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if len(flag.Envs) > 0 {
				flags = append(flags, flag)
			}
		}
	}
	return flags
}

// configFile is a file of settings that was read: texts, by the names of flags.
type configFile struct {
	values map[string]string
	// flags are those that can stand in it.
	flags []*kong.Flag
}

// readConfig reads a file and checks all of it.
func readConfig(path string, flags []*kong.Flag) (*configFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, err
	}
	return parseConfig(string(text), flags)
}

// parseConfig reads settings, and says in one line what is wrong with them.
func parseConfig(text string, flags []*kong.Flag) (*configFile, error) {
	if len(text) > maxConfig {
		return nil, fmt.Errorf("it has more than %d bytes: it can't be meant", maxConfig)
	}
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, errors.New("it is a text in UTF-16: save it as UTF-8")
	}
	var found map[string]any
	if _, err := toml.Decode(text, &found); err != nil {
		// The library's words quote the file, where secrets may stand.
		var bad toml.ParseError
		switch {
		case !errors.As(err, &bad):
			return nil, errors.New("it can't be read")
		case strings.Contains(bad.Message, "already been defined"):
			return nil, fmt.Errorf("line %d: this is set for the second time", bad.Position.Line)
		}
		return nil, fmt.Errorf(`line %d: this can't be read; a line is like: listen = "off"`, bad.Position.Line)
	}
	file := &configFile{values: map[string]string{}, flags: flags}
	for name, value := range found {
		if err := file.set(name, value); err != nil {
			return nil, fmt.Errorf("%s%w", lineOf(text, name), err)
		}
	}
	return file, nil
}

// set takes one setting, if there is one of that name and the value is one of its kind.
func (f *configFile) set(name string, value any) error {
	flag := flagNamed(f.flags, name)
	if _, section := value.(map[string]any); section && flag == nil {
		return fmt.Errorf("settings stand in no sections: leave out [%.40s]", name)
	}
	if flag == nil {
		return fmt.Errorf("no setting is called %.40q (zevaka config lists all)", name)
	}
	var written string
	switch v := value.(type) {
	case string:
		written = v
	case bool:
		written = strconv.FormatBool(v)
	case int64:
		written = strconv.FormatInt(v, 10)
	case float64:
		written = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Errorf("%s: give a text, a number, true or false", name)
	}
	// Kong would say what is wrong with the value, and not where it stands.
	trial := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Parse(kong.Scan().PushTyped(written, kong.FlagValueToken), trial); err != nil {
		if isSecret(flag) {
			return fmt.Errorf("%s: its value can't be read", name)
		}
		return fmt.Errorf("%s: %.200s", name, oneLine(strings.TrimPrefix(err.Error(), "--"+name+": ")))
	}
	if allowed := strings.Split(flag.Enum, ","); flag.Enum != "" && !slices.Contains(allowed, written) {
		return fmt.Errorf("%s: give %s, not %.40q", name, strings.Join(allowed, " or "), written)
	}
	f.values[name] = written
	return nil
}

// Validate implements kong.Resolver: all was checked when the file was read.
func (f *configFile) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver: it is the value in the file, unless the environment has one.
func (f *configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, ok := f.values[flag.Name]
	known := flagNamed(f.flags, flag.Name)
	if !ok || !slices.Equal(known.Envs, flag.Envs) || fromEnvironment(flag) != "" {
		return nil, nil
	}
	return value, nil
}

// inFile reports whether the value of that flag stands in a file of settings.
func inFile(call *kong.Context, name string) bool {
	return slices.ContainsFunc(call.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == name && p.Resolved })
}

// fromEnvironment is the variable that a flag's value comes from, if it is not on the command line; empty for none. An empty
// variable is none: that is how one passes on what may be set. A secret's may name a file.
func fromEnvironment(flag *kong.Flag) string {
	for _, name := range flag.Envs {
		switch {
		case os.Getenv(name) != "":
			return name
		case isSecret(flag) && os.Getenv(name+fileMark) != "":
			return name + fileMark
		}
	}
	return ""
}

// unread are the variables of the environment that are called like settings, and are none. Kubernetes makes some for each service whose
// name begins with zevaka.
func unread(root *kong.Node) (names []string) {
	known := map[string]bool{}
	for _, leaf := range root.Leaves(false) {
		for _, flags := range leaf.AllFlags(false) {
			for _, flag := range flags {
				for _, name := range flag.Envs {
					known[name] = true
					known[name+fileMark] = known[name+fileMark] || isSecret(flag)
				}
			}
		}
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		ofService := strings.Contains(name, "_SERVICE_") || strings.Contains(name+"_", "_PORT_")
		if strings.HasPrefix(name, "ZEVAKA_") && !ofService && !known[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// unsetEmpty removes the empty variables of a flag from the environment, which kong takes for values.
func unsetEmpty(flag *kong.Flag) error {
	for _, name := range flag.Envs {
		if value, set := os.LookupEnv(name); set && value == "" {
			if err := os.Unsetenv(name); err != nil {
				return fmt.Errorf("leave %s out of the environment: %w", name, err)
			}
		}
	}
	return nil
}

// isSecret reports whether nobody should read a flag's value.
func isSecret(flag *kong.Flag) bool { return flag.Tag.Has("secret") }

func flagNamed(flags []*kong.Flag, name string) *kong.Flag {
	i := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return flags[i]
}

// lineOf is in which line a setting stands, as the beginning of a message; empty if that isn't seen at once.
func lineOf(text, name string) string {
	n := 0
	for line := range strings.Lines(text) {
		n++
		key, _, found := strings.Cut(line, "=")
		if found && strings.Trim(strings.TrimSpace(key), `"'`) == name {
			return fmt.Sprintf("line %d: ", n)
		}
	}
	return ""
}

// oneLine is a message on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
