package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestManual: the manual page has every command with its flags, each with its variable, and the secrets' variables.
func TestManual(t *testing.T) {
	t.Parallel()
	page := good(t, "", "man")
	plain := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "").Replace(page)
	for _, command := range model(t).Leaves(true) {
		if !strings.Contains(plain, "\n.SS zevaka "+command.Summary()+"\n") {
			t.Errorf("%s isn't there", command.Name)
		}
		for _, flag := range command.Flags {
			shown := "\n.B --" + flag.Name
			if isSecret(flag) {
				shown = "\n.B " + flag.Envs[0]
			}
			if (!flag.Hidden || isSecret(flag)) && !strings.Contains(plain, shown) {
				t.Errorf("%s of %s isn't there", flag.Name, command.Name)
			}
			if len(flag.Envs) > 0 && !flag.Hidden && !strings.Contains(plain, flag.Envs[0]) {
				t.Errorf("%s isn't there", flag.Envs[0])
			}
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.Contains(".TH .SH .SS .TP .B .PP", strings.Fields(line)[0]) {
			t.Errorf("man would take this for an order: %s", line)
		}
	}
}

// TestCompletion: bash completes commands, and the flags of the one that stands there, of serve where none does; the other shells are told all of
// them. No secret is among them.
func TestCompletion(t *testing.T) {
	t.Parallel()
	script := good(t, "", "completion", "bash")
	for line, want := range map[string]string{
		"zevaka ver":                             "version verify",
		"zevaka --li":                            "--listen",
		"zevaka serve --met":                     "--metrics",
		"zevaka healthy --":                      "--help --version --config --metrics",
		"zevaka --db backup --force backup --fo": "--force",
		"zevaka backup ver":                      "",
		"zevaka --discord-t":                     "",
		"zevaka --store-pass":                    "",
	} {
		words := strings.Split(line, " ")
		bash := exec.Command("bash", append([]string{"-c", script + `
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_zevaka
echo "${COMPREPLY[*]}"`, "bash"}, words...)...)
		out, err := bash.CombinedOutput()
		got := strings.Fields(string(out))
		if err != nil || !sameWords(got, strings.Fields(want)) {
			t.Errorf("%s: %q, %v; want %q", line, out, err, want)
		}
	}
	for shell, mark := range map[string]string{"zsh": "'--%s:", "fish": " -l %s "} {
		script := good(t, "", "completion", shell)
		for _, command := range model(t).Leaves(true) {
			for _, flag := range command.Flags {
				if strings.Contains(script, fmt.Sprintf(mark, flag.Name)) == (flag.Hidden || isSecret(flag)) {
					t.Errorf("%s: wrong about %s", shell, flag.Name)
				}
			}
		}
	}
}

// sameWords says whether these are the same words, in any order.
func sameWords(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
