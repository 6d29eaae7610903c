package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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

// forget is the command that forgets a person in all communities of a platform, whether somebody serves the database or not.
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

func (s somebody) String() string {
	return community{chat.Community{Platform: s.on, ID: s.user}}.String()
}

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
	at, err := c.place()
	if err != nil {
		return err
	}
	if c.socket(at) != "" {
		if err := c.order(order{Do: "forget", Who: c.Who.String(), Force: c.Force}, nothingKept, std); !errors.Is(err, errNobody) {
			return err
		}
	}
	return c.useAlone(func(store storage.Store) error { return c.forgetIn(ctx, store, std) })
}

// forgetIn forgets the person in a store, and says so.
func (c *forget) forgetIn(ctx context.Context, store storage.Store, std streams) error {
	dealer, err := bot.New(ctx, bot.Options{Store: store, Games: games.All()})
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	var said bytes.Buffer
	err = forgetAll(ctx, dealer, c.Who, c.Force, &said)
	if err == nil && said.Len() == 0 {
		said.WriteString(nothingKept + "\n")
	}
	_, failed := said.WriteTo(std.out)
	return errors.Join(err, failed)
}

// nothingKept is said where there was nothing to forget.
const nothingKept = "nothing is kept under that number that can be forgotten"

// forgetAll has a bot forget a person, and writes what it took out, a line for each community.
func forgetAll(ctx context.Context, b *bot.Bot, who somebody, force bool, to io.Writer) error {
	err := b.ForgetEverywhere(ctx, who.on, who.user, force, func(f account.Forgotten) { fmt.Fprintln(to, forgottenLine(f)) })
	if errors.Is(err, account.ErrStillPlays) {
		return fmt.Errorf("the person %w: let them end, or close them with --force", err)
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
	origin := f.Community
	if c, err := chat.ParseCommunity(origin); err == nil {
		origin = c.Full()
	}
	return origin + ": " + strings.Join(parts, ", ")
}
