package discord

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

const (
	maxItems  = 25
	maxItem   = 100
	maxPrompt = 150
)

// menuMark begins the custom id of a list. No token does.
const menuMark = "="

// menu is a list as Discord shows it, the n-th of its message; false if there is nothing in it that can be chosen. What
// its things mean stands in their values; its own id is another one when they are others, since a client goes on showing
// what was chosen as long as the id stays.
func menu(m chat.Menu, n int) (discordgo.SelectMenu, bool) {
	list := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, Placeholder: cut(m.Prompt, maxPrompt)}
	known := map[string]bool{}
	all := sha256.New()
	for _, item := range m.Items {
		value := customID(item)
		if value == "" || known[value] || len(list.Options) == maxItems {
			continue
		}
		known[value] = true
		fmt.Fprintln(all, value)
		list.Options = append(list.Options, discordgo.SelectMenuOption{Label: label(item.Label, maxItem), Value: value})
	}
	list.CustomID = fmt.Sprintf("%s%d %s", menuMark, n, base32.HexEncoding.EncodeToString(all.Sum(nil)[:10]))
	return list, len(list.Options) > 0
}

// picked is the custom id of the button that was pressed, or what was chosen from a list; empty for a choice of nothing,
// of several things, and from a list that is none of the bot's.
func picked(data discordgo.MessageComponentInteractionData) string {
	switch {
	case data.ComponentType == discordgo.ButtonComponent:
		return data.CustomID
	case !strings.HasPrefix(data.CustomID, menuMark) || len(data.Values) != 1:
		return ""
	}
	return data.Values[0]
}
