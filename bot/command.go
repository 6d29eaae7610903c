package bot

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// maxCommand is how many bytes of a command are read.
const maxCommand = 1000

const (
	errCommand engine.Refusal = "no-command"
)

// verb is one of the bot's own commands.
type verb struct {
	name string
	// argument names what may follow the command; empty for nothing.
	argument string
	by       play.Role
	asks     play.Asking
	// afar says that it concerns nobody but the one who asks, who may do so outside the place, too, and when they aren't
	// in it any more.
	afar bool
	run  func(context.Context, chat.Request, string) (chat.Response, error)
}

// verbs are the commands beside those that open a game's table, in the order of /help.
func (b *Bot) verbs() []verb {
	return []verb{
		{"table", "", play.ByAnybody, play.Never, false, b.commandTable},
		{"cut", "text", play.ByCutter, play.Never, false, b.commandCut},
		{"leave", "", play.BySitter, play.IfLost, true, b.commandLeave},
		{"back", "", play.BySitter, play.Never, false, b.commandBack},
		{"patience", "patience", play.ByAnybody, play.Never, false, b.host.CommandPatience},
		{"day", "day", play.ByAnybody, play.Never, false, b.today.Command},
		{"giveup", "", play.ByPlayer, play.IfLost, true, b.commandGiveUp},
		{"m", "move", play.ByPlayer, play.IfLost, false, b.commandMove},
		{"bet", "amount", play.ByPlayer, play.Never, false, b.host.CommandBet},
		{"hand", "", play.ByPlayer, play.Never, true, b.commandHand},
		{"remove", "seat", play.ByHost, play.IfLost, false, b.commandRemove},
		{"stop", "", play.ByHost, play.IfLost, false, b.commandStop},
		{"balance", "person", play.ByAnybody, play.Never, true, b.accounts.CommandBalance},
		{"daily", "", play.ByAnybody, play.Never, false, b.accounts.CommandDaily},
		{"ledger", "", play.ByAnybody, play.Never, true, b.accounts.CommandLedger},
		{"give", "gift", play.ByAnybody, play.Always, false, b.accounts.CommandGive},
		{"grant", "gift", play.ByAdmin, play.Never, false, b.accounts.CommandGrant},
		{"gifts", "switch", play.ByAdmin, play.Never, false, b.accounts.CommandGifts},
		{"top", "", play.ByAnybody, play.Never, false, b.accounts.CommandTop},
		{"scores", "scores", play.ByAnybody, play.Never, false, b.accounts.CommandScores},
		{"history", "history", play.ByAnybody, play.Never, false, b.replays.CommandHistory},
		{"replay", "replay", play.ByAnybody, play.Never, false, b.replays.CommandReplay},
		{"season", "season", play.ByAdmin, play.Never, false, b.accounts.CommandSeason},
		{"settings", "settings", play.ByAnybody, play.Never, false, b.settings.Command},
		{"fair", "", play.ByAnybody, play.Never, true, b.commandFair},
		{"rules", "game", play.ByAnybody, play.Never, true, b.commandRules},
		{"lang", "lang", play.ByFirst, play.Never, false, b.accounts.CommandLang},
		{"privacy", "", play.ByAnybody, play.Never, true, b.accounts.CommandPrivacy},
		{"mydata", "", play.ByAnybody, play.Never, true, b.accounts.CommandMyData},
		{"forgetme", "", play.ByAnybody, play.Always, true, b.accounts.CommandForgetMe},
		{"help", "", play.ByAnybody, play.Never, true, b.commandHelp},
	}
}

// command does what a typed line asks.
func (b *Bot) command(ctx context.Context, r chat.Request) (chat.Response, error) {
	if len(r.Data) > maxCommand || !utf8.ValidString(r.Data) {
		return chat.Response{}, table.ErrCommandLong
	}
	if r.In.Private && !strings.HasPrefix(r.Data, "/") {
		return b.said(ctx, r)
	}
	name, arg, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(r.Data, "/")), " ")
	name, arg = strings.ToLower(name), strings.TrimSpace(arg)
	r.Bar(table.BarOutside(ctx, b.tables.Log, r, r.In.Community))
	for _, v := range b.verbs() {
		if b.tables.Names.IsCalled(v.name, name) || name == "start" && v.name == "help" {
			if r.Who.Anonymous && asOneself(v.name, arg) {
				return chat.Response{}, table.ErrAnonymous
			}
			if r.Barred() != nil && !v.afar {
				return chat.Response{}, r.Barred()
			}
			return v.run(ctx, r, arg)
		}
	}
	if rules := b.tables.Names.GameNamed(name); rules != nil {
		if r.Barred() != nil {
			return chat.Response{}, r.Barred()
		}
		o, err := play.ReadOpening(b.tables.Names, rules, arg)
		if err != nil {
			return chat.Response{}, err
		}
		return b.host.Open(ctx, r, o)
	}
	return chat.Response{}, words.Refuse(string(errCommand), words.Blanks{"what": chat.Shorten(name, 20)})
}

// said takes what somebody has typed in their private chat with the bot for a move at the table where they play there, or
// for a cut. Where there is no such table they get help.
func (b *Bot) said(ctx context.Context, r chat.Request) (chat.Response, error) {
	tables, err := b.tables.Look(ctx, r.In)
	switch {
	case err != nil:
		return chat.Response{}, err
	case slices.ContainsFunc(tables, b.host.InDeal(r.Who.ID, nil)):
		return b.commandMove(ctx, r, r.Data)
	case slices.ContainsFunc(tables, cutsAt(r.Who.ID)):
		return b.commandCut(ctx, r, r.Data)
	}
	return b.commandHelp(ctx, r, "")
}

func (b *Bot) commandTable(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!show", play.AnyTable)
}

func (b *Bot) commandStop(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!stop", play.AnyTable)
}

func (b *Bot) commandLeave(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!leave", play.Seated(r.Who.ID))
}

func (b *Bot) commandBack(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!back", play.Seated(r.Who.ID))
}

func (b *Bot) commandCut(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!cut "+arg, cutsAt(r.Who.ID))
}

// cutsAt picks the tables where the user may cut the pack.
func cutsAt(user int64) func(*table.Table) bool {
	return func(t *table.Table) bool { _, ok := table.MayCut(t, user); return ok }
}

// commandMove makes a typed move.
func (b *Bot) commandMove(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if arg == "" {
		return chat.Response{}, engine.ErrMoveText
	}
	return b.host.Choose(ctx, r, "!m "+arg, b.host.InDeal(r.Who.ID, nil))
}

func (b *Bot) commandGiveUp(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!giveup", b.host.InDeal(r.Who.ID, engine.Info.ForOne))
}

func (b *Bot) commandHand(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.host.Choose(ctx, r, "!hand", b.host.InDeal(r.Who.ID, play.WithHands))
}

func (b *Bot) commandRemove(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if _, err := account.NameOnly(arg); err != nil {
		return chat.Response{}, err
	}
	if arg != "" {
		return b.host.Choose(ctx, r, "!remove #"+arg, play.AnyTable)
	}
	return b.host.Choose(ctx, r, "!whom", play.AnyTable)
}
