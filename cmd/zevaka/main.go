// Command zevaka is a chat bot that deals card games to a group. Without arguments it serves; its other commands make
// and check records of games.
package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/alecthomas/kong"
)

// The exit codes beside 0.
const (
	exitFailed = 1
	exitUsage  = 2
)

// commands are what can be called, one file each.
type commands struct {
	Serve    serve    `cmd:"" default:"withargs" help:"Open the room in the browser and deal there (the default)."`
	Simulate simulate `cmd:"" help:"Let computer players play, and print a record of each game."`
	Replay   replay   `cmd:"" help:"Check records, and print every position of each."`
	Version  version  `cmd:"" help:"Say which zevaka this is."`
}

func main() { os.Exit(run(os.Args[1:])) }

// run parses the arguments, calls the command and says in one line what went wrong. It returns the exit code.
func run(args []string) int {
	parser, err := kong.New(&commands{}, kong.Name("zevaka"),
		kong.Description("A chat bot that deals card games to a group. zevaka serve --help lists the settings."))
	if err != nil {
		return fail(exitFailed, err)
	}
	call, err := parser.Parse(args)
	if err != nil {
		return fail(exitUsage, fmt.Errorf("%w (zevaka --help lists what there is)", err))
	}
	if err := call.Run(); err != nil {
		return fail(exitFailed, err)
	}
	return 0
}

// fail says why, unless nobody reads on: then the reader has what he wanted.
func fail(code int, why error) int {
	if errors.Is(why, syscall.EPIPE) {
		return exitFailed
	}
	fmt.Fprintf(os.Stderr, "zevaka: %v\n", why)
	return code
}
