package discord

import (
	"strings"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// responseLaunch is the answer to an interaction that opens the Activity.
const responseLaunch discordgo.InteractionResponseType = 12

// launchMark is the label of the button that opens a table in the Activity, and begins its custom id, before the table's name. No
// token has it.
const launchMark = "▦"

// addLaunch gives a table's message the button that opens it in the Activity, where there is room for one more: behind the last
// button, or below it.
func (b *body) addLaunch(table string) {
	id := launchMark + table
	if b.Components == nil || len(*b.Components) == 0 || len(id) > maxCustom {
		return
	}
	button := discordgo.Button{Label: launchMark, Style: discordgo.SecondaryButton, CustomID: id}
	rows := *b.Components
	last := &rows[len(rows)-1]
	_, isList := last.Components[0].(discordgo.SelectMenu)
	switch {
	case !isList && len(last.Components) < maxInRow:
		last.Components = append(last.Components, button)
	case len(rows) < maxRows:
		rows = append(rows, discordgo.ActionsRow{Components: []discordgo.MessageComponent{button}})
	}
	b.Components = &rows
}

// launchTable is the table whose button has the custom id; false if it is another button.
func launchTable(customID string) (table string, ok bool) {
	return strings.CutPrefix(customID, launchMark)
}

// launch opens the Activity for somebody who wants to see a table, or any where its name is empty, and notes which; or says why
// that can't be.
func (a *Adapter) launch(ans *answer, who chat.User, table string) {
	if a.opts.ClientSecret != "" {
		if !strings.HasPrefix(table, ans.place.Community.String()+"/") {
			table = ""
		}
		a.launches.note(launch{who: who, in: ans.place, table: table})
		instance, err := ans.launch()
		a.entrance.instances.launch(instance)
		if err != nil {
			a.log.Info("discord doesn't open an activity", "request", chat.RequestOf(ans.life), "channel", ans.place.Channel, "error", err)
		}
	}
	if ans.waits() {
		ans.beside = true
		a.sender.sendPrivately(ans, []body{a.self().note(a.say(sayNoLaunch, ans.lang))})
	}
}

// launch opens the Activity for who asked, and is its instance, where Discord says that. If Discord refuses, the interaction waits for
// something else.
func (ans *answer) launch() (id string, err error) {
	var made struct {
		Resource struct {
			Instance message `json:"activity_instance"`
		} `json:"resource"`
	}
	ans.mu.Lock()
	defer ans.mu.Unlock()
	if err := ans.call(callback{Type: responseLaunch}, &made); err != nil {
		ans.failed(err)
		return "", err
	}
	ans.finish(done)
	return made.Resource.Instance.ID, nil
}

// waits reports whether nothing was answered yet, and something can be.
func (ans *answer) waits() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.state == open
}
