// Command zevaka is a chat bot that deals card games to a group. Without arguments it serves; its other commands make
// and check records of games, and look after the database.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // Whom to trust where the machine says nothing, as in an image with nothing else in it.
)

// The exit codes beside 0.
const (
	exitFailed = 1
	exitUsage  = 2
)

// commands are what can be called, one file each.
type commands struct {
	ShowVersion kong.VersionFlag `name:"version" help:"Say which zevaka this is."`

	File configPath `name:"config" env:"ZEVAKA_CONFIG" placeholder:"FILE" help:"A file of settings, a line each, as: listen = \"off\"."`

	Serve    serve    `cmd:"" default:"withargs" help:"Open the room in the browser and deal there (the default)."`
	Config   config   `cmd:"" help:"Print the settings that are in force, and where each comes from."`
	Healthy  healthy  `cmd:"" help:"Ask the zevaka that serves whether it is ready to deal."`
	Doctor   doctor   `cmd:"" help:"Look whether all is there that serve needs, and say of each thing that it is good, or what to do."`
	Simulate simulate `cmd:"" help:"Let computer players play, and print a record of each game."`
	Replay   replay   `cmd:"" help:"Check records, and print every position of each."`
	Verify   verify   `cmd:"" help:"Work out again what a record's seed and cut made of it: the pack, and the game."`
	Deals    bank     `cmd:"" help:"Make and check the bank of numbered deals that are known to come out."`
	Audit    audit    `cmd:"" help:"Check every chip in the database or a backup."`
	Export   export   `cmd:"" help:"Print the records of all games that have ended."`
	Rebuild  rebuild  `cmd:"" name:"rebuild-scores" help:"Work the scores out again from the tables, and say what differs."`
	Admin    adminOf  `cmd:"" help:"Look after a bot that serves: its chats, tables and people."`
	Backup   backup   `cmd:"" help:"Copy the database, also while the bot serves."`
	Copy     copying  `cmd:"" help:"Move a database that nobody serves from a file to a cluster, or back."`
	Restore  restore  `cmd:"" help:"Put a backup in the place of the database."`
	Compact  compact  `cmd:"" help:"Make the file of the database smaller."`
	Check    check    `cmd:"" help:"Say what is wrong with the database or a backup."`
	Forget   forget   `cmd:"" help:"Take a person's name and scores out of all communities of a platform."`
	Version  version  `cmd:"" help:"Say which zevaka this is."`

	Completion completion `cmd:"" help:"Print what has a shell complete commands and flags."`
	Man        manual     `cmd:"" help:"Print the manual page: zevaka man | man -l -"`
}

func main() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) }

// streams are what a command reads from, what it prints to, and where it says what is wrong.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// newParser is what reads arguments, the environment and files of settings.
func newParser() (*kong.Kong, error) {
	c := &commands{}
	c.Serve.Platforms, c.Config.Platforms, c.Doctor.Platforms = plugged(), plugged(), plugged()
	parser, err := kong.New(c, kong.Name("zevaka"), kong.Resolvers(secretFiles{}), kong.Vars{"version": thisBuild().String()},
		kong.Description("A chat bot that deals card games to a group. zevaka serve --help lists the settings."))
	if err != nil {
		return nil, err
	}
	return parser, kong.Visit(parser.Model, func(at kong.Visitable, next kong.Next) error {
		if flag, ok := at.(*kong.Flag); ok {
			return next(unsetEmpty(flag))
		}
		return next(nil)
	})
}

// run parses the arguments, calls the command and says in one line what went wrong. It returns the exit code.
func run(args []string, std streams) int {
	parser, err := newParser()
	if err != nil {
		return std.fail(exitFailed, err)
	}
	call, err := parser.Parse(args)
	var wrong configError
	switch {
	case errors.As(err, &wrong):
		return std.fail(exitUsage, wrong)
	case err != nil:
		return std.fail(exitUsage, fmt.Errorf("%w (zevaka --help lists what there is)", err))
	}
	if flag := shown(call); flag != nil {
		return std.fail(exitUsage, fmt.Errorf("--%[1]s: everybody on this machine could read it there; set %[2]s in the environment, or %[1]s in a file of settings",
			flag.Name, flag.Envs[0]))
	}
	if err := call.Run(std); err != nil {
		return std.fail(exitFailed, err)
	}
	return 0
}

// shown is a secret that stands on the command line; nil if none does.
func shown(call *kong.Context) *kong.Flag {
	for _, step := range call.Path {
		if step.Flag != nil && !step.Resolved && isSecret(step.Flag) {
			return step.Flag
		}
	}
	return nil
}

// fail says why, unless nobody reads on: then the reader has what he wanted.
func (s streams) fail(code int, why error) int {
	if errors.Is(why, syscall.EPIPE) {
		return exitFailed
	}
	said := newAside(s.err)
	fmt.Fprintf(said, "zevaka: %v\n", why)
	said.end()
	return code
}
