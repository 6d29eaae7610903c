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

// run does what is asked for by a command or a button of no table, by the request and the text behind the name.
type run = func(context.Context, chat.Request, string) (chat.Response, error)

// verb is one of the bot's own commands.
type verb struct {
	table.Action[run]
	// argument names what may follow the command; empty for nothing.
	argument string
}

// verbs are the commands beside those that open a game's table, in the order of /help.
func (b *Bot) verbs() []verb {
	return []verb{
		{table.NewAction("table", table.ByAnybody, table.Never, false, b.commandTable), ""},
		{table.NewAction("cut", table.ByCutter, table.Never, false, b.commandCut), "text"},
		{table.NewAction("leave", table.BySitter, table.IfLost, true, b.commandLeave), ""},
		{table.NewAction("back", table.BySitter, table.Never, false, b.commandBack), ""},
		{table.NewAction("patience", table.ByAnybody, table.Never, false, b.host.CommandPatience), "patience"},
		{table.NewAction("day", table.ByAnybody, table.Never, false, b.today.Command), "day"},
		{table.NewAction("giveup", table.ByPlayer, table.IfLost, true, b.commandGiveUp), ""},
		{table.NewAction("m", table.ByPlayer, table.IfLost, false, b.commandMove), "move"},
		{table.NewAction("bet", table.ByPlayer, table.Never, false, b.host.CommandBet), "amount"},
		{table.NewAction("hand", table.ByPlayer, table.Never, true, b.commandHand), ""},
		{table.NewAction("remove", table.ByHost, table.IfLost, false, b.commandRemove), "seat"},
		{table.NewAction("stop", table.ByHost, table.IfLost, false, b.commandStop), ""},
		{table.NewAction("balance", table.ByAnybody, table.Never, true, b.accounts.CommandBalance), "person"},
		{table.NewAction("daily", table.ByAnybody, table.Never, false, b.accounts.CommandDaily), ""},
		{table.NewAction("ledger", table.ByAnybody, table.Never, true, b.accounts.CommandLedger), ""},
		{table.NewAction("give", table.ByAnybody, table.Always, false, b.accounts.CommandGive), "gift"},
		{table.NewAction("grant", table.ByAdmin, table.Never, false, b.accounts.CommandGrant), "gift"},
		{table.NewAction("me", table.ByAnybody, table.Never, true, b.accounts.CommandMe), ""},
		{table.NewAction("top", table.ByAnybody, table.Never, false, b.accounts.CommandTop), ""},
		{table.NewAction("scores", table.ByAnybody, table.Never, false, b.accounts.CommandScores), "scores"},
		{table.NewAction("history", table.ByAnybody, table.Never, false, b.replays.CommandHistory), "history"},
		{table.NewAction("replay", table.ByAnybody, table.Never, false, b.replays.CommandReplay), "replay"},
		{table.NewAction("season", table.ByAdmin, table.Never, false, b.accounts.CommandSeason), "season"},
		{table.NewAction("settings", table.ByAnybody, table.Never, false, b.accounts.CommandSettings), "settings"},
		{table.NewAction("notify", table.ByAnybody, table.Never, false, b.accounts.CommandNotify), ""},
		{table.NewAction("fair", table.ByAnybody, table.Never, true, b.commandFair), ""},
		{table.NewAction("rules", table.ByAnybody, table.Never, true, b.commandRules), "game"},
		{table.NewAction("lang", table.ByFirst, table.Never, false, b.accounts.CommandLang), "lang"},
		{table.NewAction("privacy", table.ByAnybody, table.Never, true, b.accounts.CommandPrivacy), ""},
		{table.NewAction("mydata", table.ByAnybody, table.Never, true, b.accounts.CommandMyData), ""},
		{table.NewAction("forgetme", table.ByAnybody, table.Always, true, b.accounts.CommandForgetMe), ""},
		{table.NewAction("help", table.ByAnybody, table.Never, true, b.commandHelp), ""},
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
	name, arg, _ := strings.Cut(strings.Join(strings.Fields(strings.TrimPrefix(r.Data, "/")), " "), " ") // Some keyboards type other spaces.
	name = strings.ToLower(name)
	r.Bar(table.BarOutside(ctx, b.tables.Log, r, r.In.Community))
	for _, v := range b.verbs() {
		if b.tables.Names.IsCalled(v.Name, name) || name == "start" && v.Name == "help" {
			if r.Who.Anonymous && asOneself(v.Name, arg) {
				return chat.Response{}, table.ErrAnonymous
			}
			if err := v.Admit(r); err != nil {
				return chat.Response{}, err
			}
			return v.Run(ctx, r, arg)
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
