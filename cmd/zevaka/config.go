package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// config is the command that shows the settings. It takes those of serve.
type config struct{ settings }

// Run prints every setting with where it comes from, as a file that --config reads. Secrets are not shown.
func (c *config) Run(call *kong.Context, std streams) error {
	return printConfig(std.out, call, call.Selected().Flags)
}

// printConfig writes the settings that have these flags.
func printConfig(w io.Writer, call *kong.Context, flags []*kong.Flag) error {
	var lines, notes []string
	width := 0
	for _, flag := range flags {
		if len(flag.Envs) == 0 || isGone(flag) {
			continue
		}
		value := call.FlagValue(flag)
		line, err := written(flag.Name, value)
		if err != nil {
			return err
		}
		from := origin(call, flag)
		switch {
		case isSecret(flag) && value != "":
			line, from = "# "+flag.Name+" is set and not shown", strings.TrimPrefix(from, "from ")
		case fmt.Sprint(value) == "":
			line, from = "# "+flag.Name+" is not set", flag.Envs[0]
		}
		width = max(width, len(line))
		lines, notes = append(lines, line), append(notes, from)
	}
	for i, line := range lines {
		if _, err := fmt.Fprintf(w, "%-*s  # %s\n", width, line, notes[i]); err != nil {
			return err
		}
	}
	return nil
}

// written is a setting as a file has it.
func written(name string, value any) (string, error) {
	line, err := toml.Marshal(map[string]any{name: value})
	if err != nil {
		return "", fmt.Errorf("write down %s: %w", name, err)
	}
	return strings.TrimSpace(string(line)), nil
}

// origin is where a flag's value comes from, in words.
func origin(call *kong.Context, flag *kong.Flag) string {
	i := slices.IndexFunc(call.Path, func(p *kong.Path) bool { return p.Flag == flag })
	variable := fromEnvironment(flag)
	switch {
	case i >= 0 && !call.Path[i].Resolved:
		return "from the command line"
	case variable != "":
		return "from " + variable
	case i >= 0:
		return fmt.Sprint("from ", call.FlagValue(flagNamed(call.Model.Flags, "config")))
	}
	return "by default"
}
