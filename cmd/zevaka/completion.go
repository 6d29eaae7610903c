package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completion is the command that prints what has a shell complete commands and flags.
type completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish. For bash: source <(zevaka completion bash)"`
}

// Run prints the script.
func (c *completion) Run(call *kong.Context, std streams) error {
	script := map[string]func([]stop) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	_, err := io.WriteString(std.out, script(stops(call.Model.Node, "")))
	return err
}

// stop is a place on a command line where something can follow.
type stop struct {
	// path are the commands before it, each with a space before it.
	path string
	// commands can follow, and flags.
	commands []*kong.Node
	flags    []*kong.Flag
}

// stops are those behind a command, itself the first.
func stops(command *kong.Node, path string) []stop {
	here := stop{path: path}
	for _, group := range command.AllFlags(true) {
		here.flags = append(here.flags, slices.DeleteFunc(group, isSecret)...)
	}
	all := []stop{here}
	for _, child := range command.Children {
		if child.Hidden {
			continue
		}
		all[0].commands = append(all[0].commands, child)
		all = append(all, stops(child, path+" "+child.Name)...)
		if child == command.DefaultCmd {
			all[0].flags = all[len(all)-1].flags
		}
	}
	return all
}

// known are the paths of stops in single quotes, as shells have alternatives.
func known(all []stop) string {
	var paths []string
	for _, s := range all[1:] {
		paths = append(paths, quoted(s.path))
	}
	return strings.Join(paths, "|")
}

// quoted is a text as each of the shells takes it in single quotes.
func quoted(text string) string {
	return "'" + strings.NewReplacer("'", "’", `\`, "/", "\n", " ").Replace(text) + "'"
}

// bashScript completes files where nothing else fits.
func bashScript(all []stop) string {
	var script strings.Builder
	fmt.Fprintf(&script, `_zevaka() {
  local at= word= words=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      %s) at+=" $word" ;;
    esac
  done
  case $at in
`, known(all))
	for _, s := range all {
		var words []string
		for _, command := range s.commands {
			words = append(words, command.Name)
		}
		for _, flag := range s.flags {
			words = append(words, "--"+flag.Name)
		}
		fmt.Fprintf(&script, "    %s) words=%s ;;\n", quoted(s.path), quoted(strings.Join(words, " ")))
	}
	script.WriteString(`  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _zevaka zevaka
`)
	return script.String()
}

// zshScript is a file _zevaka in a folder of fpath.
func zshScript(all []stop) string {
	var script strings.Builder
	fmt.Fprintf(&script, `#compdef zevaka
_zevaka() {
  local at= word=
  local -a follow
  for word in ${words[2,CURRENT-1]}; do
    case "$at $word" in
      %s) at+=" $word" ;;
    esac
  done
  case $at in
`, known(all))
	for _, s := range all {
		fmt.Fprintf(&script, "    %s) follow=(\n", quoted(s.path))
		for _, command := range s.commands {
			fmt.Fprintf(&script, "      %s\n", quoted(command.Name+":"+command.Help))
		}
		for _, flag := range s.flags {
			fmt.Fprintf(&script, "      %s\n", quoted("--"+flag.Name+":"+flag.Help))
		}
		script.WriteString("    ) ;;\n")
	}
	script.WriteString("  esac\n  _describe zevaka follow\n  _files\n}\n_zevaka \"$@\"\n")
	return script.String()
}

// fishScript is a file zevaka.fish in fish's folder of completions.
func fishScript(all []stop) string {
	var script strings.Builder
	for _, s := range all {
		var seen, next []string
		for _, word := range strings.Fields(s.path) {
			seen = append(seen, "__fish_seen_subcommand_from "+word)
		}
		for _, command := range s.commands {
			next = append(next, command.Name)
		}
		here := strings.Join(seen, "; and ")
		if len(next) > 0 {
			here = strings.Join(append(seen, "not __fish_seen_subcommand_from "+strings.Join(next, " ")), "; and ")
		}
		for _, command := range s.commands {
			fmt.Fprintf(&script, "complete -c zevaka -n %s -a %s -d %s\n", quoted(here), command.Name, quoted(command.Help))
		}
		for _, flag := range s.flags {
			takes := ""
			if !flag.IsBool() {
				takes = " -r"
			}
			fmt.Fprintf(&script, "complete -c zevaka -n %s -l %s%s -d %s\n", quoted(here), flag.Name, takes, quoted(flag.Help))
		}
	}
	return script.String()
}
