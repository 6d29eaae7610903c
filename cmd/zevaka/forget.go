package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"zevaka/bot"
	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage"
)

// forget is the command that forgets a person in all communities of a platform, while nobody serves the database.
type forget struct {
	database
	Who   somebody `arg:"" placeholder:"PLATFORM:NUMBER" help:"Whom, as telegram:123456: the platform, or web for the room, and the account's number."`
	Force bool     `help:"Close the games that the person has a part in; the chips go back."`
}

// somebody is a person of a platform.
type somebody struct {
	on   chat.Platform
	user int64
}

var errSomebody = errors.New("give a platform and a number, as telegram:123456 or discord:123456")

// UnmarshalText reads a platform and an account's number, with a colon between.
func (s *somebody) UnmarshalText(text []byte) (err error) {
	on, number, _ := strings.Cut(string(text), ":")
	if on == "web" {
		s.on = chat.Web
	}
	for _, p := range platforms() {
		if p.Name() == on {
			s.on = p.Letter()
		}
	}
	s.user, err = strconv.ParseInt(number, 10, 64)
	if err != nil || s.on == 0 || s.user == 0 || strconv.FormatInt(s.user, 10) != number {
		return errSomebody
	}
	return nil
}

// Run says in a line for each community what was taken out there.
func (c *forget) Run(std streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.useAlone(func(store storage.Store) error { return c.forgetIn(ctx, store, std) })
}

// forgetIn forgets the person in a store, and says so.
func (c *forget) forgetIn(ctx context.Context, store storage.Store, std streams) error {
	dealer, err := bot.New(ctx, bot.Options{Store: store, Games: games.All()})
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	some := false
	err = dealer.ForgetEverywhere(ctx, c.Who.on, c.Who.user, c.Force, func(f account.Forgotten) {
		some = true
		fmt.Fprintln(std.out, forgottenLine(f))
	})
	switch {
	case errors.Is(err, account.ErrStillPlays):
		return fmt.Errorf("the person %w: let them end, or close them with --force", err)
	case err == nil && !some:
		fmt.Fprintln(std.out, "nothing is kept under that number that can be forgotten")
	}
	return err
}

// forgottenLine says what was taken out of a community.
func forgottenLine(f account.Forgotten) string {
	var parts []string
	count := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprint(n, " ", what))
		}
	}
	count(f.Stopped, "tables closed")
	count(f.Tables, "tables without the name")
	count(f.Scores, "games without scores")
	count(f.Offers, "offers")
	if f.Days {
		parts = append(parts, "the patiences of a day")
	}
	if f.Purse {
		parts = append(parts, "the name of the purse")
	}
	if f.Settings {
		parts = append(parts, "the settings of the private chat")
	}
	return f.Community + ": " + strings.Join(parts, ", ")
}
