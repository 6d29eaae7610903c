package telegram

import (
	"context"
	"slices"
	"strings"

	"zevaka/adapters/outbox"
	"zevaka/bot/words"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	maxCommands    = 100
	maxName        = 32
	maxDescription = 256
	maxShort       = 120
	maxLong        = 512
)

// languages are the languages of the menus. The empty one is for everybody else, in the bot's first language.
func languages() []string { return append([]string{""}, words.Tags()[1:]...) }

// scopes are the groups of people who see a menu. All are set, because a menu that an earlier bot has set for one of them would hide
// the default one.
func scopes() []string {
	return []string{"default", "all_private_chats", "all_group_chats", "all_chat_administrators"}
}

// menuEntry is a command as Telegram's menus show it.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus are the lists of commands that Telegram shows.
type menus struct{ *core }

// set sets the bot's commands in Telegram's menus and the texts of its profile, where they have changed.
func (m menus) set(ctx context.Context) {
	for _, lang := range languages() {
		entries := m.menu(lang)
		for _, scope := range scopes() {
			m.try(ctx, lang, "menu of "+scope, func() error { return m.setMenu(ctx, scope, lang, entries) })
		}
		if m.opts.Words == nil {
			continue
		}
		words := m.opts.Words.Lang(lang)
		m.try(ctx, lang, "short description", func() error {
			return m.describe(ctx, "MyShortDescription", "short_description", lang, cut(words.Say("profile.short"), maxShort))
		})
		m.try(ctx, lang, "description", func() error {
			return m.describe(ctx, "MyDescription", "description", lang, cut(words.Say("profile.long"), maxLong))
		})
	}
}

// try sets something. It tries again where the failure may pass.
func (m menus) try(ctx context.Context, lang, what string, set func() error) {
	err := set()
	for try := 1; err != nil && verdictOn(err) == passes && try < maxTries && ctx.Err() == nil; try++ {
		outbox.Sleep(ctx, max(firstPause<<try, refusedAs(err).retry))
		err = set()
	}
	if err != nil && ctx.Err() == nil {
		m.log.Warn("what Telegram shows of the bot could not be set", "what", what, "lang", lang, "error", err)
	}
}

// describe sets one of the texts of the bot's profile.
func (m menus) describe(ctx context.Context, method, field, lang, text string) error {
	params := tgbotapi.Params{}
	params.AddNonEmpty("language_code", lang)
	var old map[string]string
	if err := m.api.call(ctx, "get"+method, params, &old); err != nil || old[field] == text {
		return err
	}
	params[field] = text
	return m.api.call(ctx, "set"+method, params, nil)
}

func (m menus) setMenu(ctx context.Context, scope, lang string, entries []menuEntry) error {
	params := tgbotapi.Params{"scope": encode(map[string]string{"type": scope})}
	params.AddNonEmpty("language_code", lang)
	var old []menuEntry
	if err := m.api.call(ctx, "getMyCommands", params, &old); err != nil {
		return err
	}
	if slices.Equal(old, entries) {
		return nil
	}
	params["commands"] = encode(entries)
	return m.api.call(ctx, "setMyCommands", params, nil)
}

// menuButton is the button beside the input line of a private chat.
type menuButton struct {
	Type   string `json:"type"`
	Text   string `json:"text,omitempty"`
	WebApp webApp `json:"web_app,omitzero"`
}

// setButton has the menu button of private chats lead to the live tables.
func (m menus) setButton(ctx context.Context) {
	want := menuButton{"web_app", m.opts.Words.Lang("").Say("telegram.menu"), webApp{m.opts.PublicURL + livePath}}
	m.try(ctx, "", "menu button", func() error {
		var old menuButton
		if err := m.api.call(ctx, "getChatMenuButton", nil, &old); err != nil || old == want {
			return err
		}
		return m.api.call(ctx, "setChatMenuButton", tgbotapi.Params{"menu_button": encode(want)}, nil)
	})
}

// menu are the commands in one language that Telegram can list.
func (m menus) menu(lang string) []menuEntry {
	entries := []menuEntry{}
	for _, c := range m.opts.Commands(lang) {
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
