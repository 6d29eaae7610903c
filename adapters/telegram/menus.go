package telegram

import (
	"context"
	"slices"
	"strings"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	maxCommands    = 100
	maxName        = 32
	maxDescription = 256
)

// languages are those that menus are written in; the empty one is for everybody else.
func languages() []string { return []string{"", "ru", "pl"} }

// scopes are who sees a menu. A narrower one of an earlier bot would hide the default, so all are set.
func scopes() []string {
	return []string{"default", "all_private_chats", "all_group_chats", "all_chat_administrators"}
}

// menuEntry is a command as Telegram's menus show it.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus puts the bot's commands into Telegram's menus, where they don't stand so already.
func (a *Adapter) menus(ctx context.Context) {
	for _, lang := range languages() {
		entries := a.menu(lang)
		for _, scope := range scopes() {
			err := a.setMenu(ctx, scope, lang, entries)
			for try := 1; err != nil && passing(err) && try < maxTries && ctx.Err() == nil; try++ {
				sleep(ctx, max(firstPause<<try, refusedAs(err).retry))
				err = a.setMenu(ctx, scope, lang, entries)
			}
			if err != nil && ctx.Err() == nil {
				a.log.Warn("a menu of commands could not be set", "scope", scope, "lang", lang, "err", err)
			}
		}
	}
}

func (a *Adapter) setMenu(ctx context.Context, scope, lang string, entries []menuEntry) error {
	params := tgbotapi.Params{"scope": encode(map[string]string{"type": scope})}
	params.AddNonEmpty("language_code", lang)
	var old []menuEntry
	if err := a.api.call(ctx, "getMyCommands", params, &old); err != nil {
		return err
	}
	if slices.Equal(old, entries) {
		return nil
	}
	params["commands"] = encode(entries)
	return a.api.call(ctx, "setMyCommands", params, nil)
}

// menu are the commands in one language that Telegram can list.
func (a *Adapter) menu(lang string) []menuEntry {
	entries := []menuEntry{}
	for _, c := range a.opts.Commands(lang) {
		odd := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
		if c.Name == "" || len(c.Name) > maxName || strings.ContainsFunc(c.Name, odd) || len(entries) == maxCommands {
			continue
		}
		help := cut(strings.TrimSpace(c.Help), maxDescription)
		if help == "" {
			help = c.Usage
		}
		entries = append(entries, menuEntry{c.Name, help})
	}
	return entries
}
