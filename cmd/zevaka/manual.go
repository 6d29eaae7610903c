package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// manual is the command that prints the manual page, which says what --help says.
type manual struct{}

// Run prints it in the language of man.
func (manual) Run(call *kong.Context, std streams) error {
	app := call.Model.Node
	var page strings.Builder
	what, _, _ := strings.Cut(app.Help, ".")
	fmt.Fprintf(&page, ".TH ZEVAKA 1 \"\" \"zevaka %s\"\n.SH NAME\nzevaka \\- %s\n", roff(thisBuild().version), roff(what))
	page.WriteString(".SH SYNOPSIS\n.B zevaka\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]\n.SH FLAGS\nThose of every command.\n")
	writeFlags(&page, app.Flags)
	page.WriteString(".SH COMMANDS\n")
	for _, command := range app.Leaves(true) {
		fmt.Fprintf(&page, ".SS zevaka %s\n%s\n", roff(command.Summary()), roff(command.Help))
		for _, argument := range command.Positional {
			fmt.Fprintf(&page, ".TP\n.B %s\n%s\n", roff(argument.Summary()), roff(argument.Help))
		}
		if command.Name == "config" || command.Name == "doctor" {
			page.WriteString(".PP\nIts flags are those of serve.\n")
			continue
		}
		writeFlags(&page, command.Flags)
	}
	page.WriteString(".SH ENVIRONMENT\nEach flag's variable stands beside it. Secrets stand on no command line:\n")
	for _, flag := range serveFlags(app) {
		if isSecret(flag) {
			fmt.Fprintf(&page, ".TP\n.B %[1]s\\fR, or \\fB%[1]s%[2]s\\fR for a file that has it\n%[3]s\n", roff(flag.Envs[0]), fileMark, roff(flag.Help))
		}
	}
	page.WriteString(".SH EXIT STATUS\n0 if all is well, 1 if not, 2 if a command or a setting can't be meant so.\n")
	_, err := std.out.Write([]byte(page.String()))
	return err
}

// writeFlags lists flags.
func writeFlags(page *strings.Builder, flags []*kong.Flag) {
	for _, flag := range flags {
		if flag.Hidden || isSecret(flag) {
			continue
		}
		fmt.Fprintf(page, ".TP\n.B %s\n%s", roff(strings.ReplaceAll(flag.Summary(), "[=", "=")), roff(flag.Help))
		if len(flag.Envs) > 0 {
			fmt.Fprintf(page, " (\\fB%s\\fR)", roff(flag.Envs[0]))
		}
		page.WriteString("\n")
	}
}

// roff is a text as it stands in a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(oneLine(text))
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
