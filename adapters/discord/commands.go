package discord

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

const (
	maxChoices     = 25
	maxOptions     = 25
	maxName        = 32
	maxDescription = 100
)

// The options that take more than one of the values they list: their names in Discord's payloads, whatever the language.
const (
	optionSet = "set"
	// optionWhat is the one argument of a command that is no game's.
	optionWhat = "what"
	// optionWho and optionAmount are a person and kopecks.
	optionWho    = "who"
	optionAmount = "amount"
)

// command is a slash command, as Discord reads and lists it.
type command struct {
	Type              int               `json:"type"`
	Name              string            `json:"name"`
	NameLocal         map[string]string `json:"name_localizations,omitempty"`
	Description       string            `json:"description"`
	DescriptionLocal  map[string]string `json:"description_localizations,omitempty"`
	Options           []option          `json:"options,omitempty"`
	IntegrationTypes  []int             `json:"integration_types"`
	Contexts          []int             `json:"contexts"`
	MemberPermissions *string           `json:"default_member_permissions,omitempty"`
}

type option struct {
	Type             discordgo.ApplicationCommandOptionType `json:"type"`
	Name             string                                 `json:"name"`
	NameLocal        map[string]string                      `json:"name_localizations,omitempty"`
	Description      string                                 `json:"description"`
	DescriptionLocal map[string]string                      `json:"description_localizations,omitempty"`
	Choices          []choice                               `json:"choices,omitempty"`
	Required         bool                                   `json:"required,omitempty"`
	Autocomplete     bool                                   `json:"autocomplete,omitempty"`
}

type choice struct {
	Name      string            `json:"name"`
	NameLocal map[string]string `json:"name_localizations,omitempty"`
	Value     string            `json:"value"`
}

// suggestions are words offered for what is being typed.
type suggestions struct {
	Choices []choice `json:"choices"`
}

// register makes Discord list the bot's commands as they are, if it doesn't already: what it lists is asked for, and
// replaced only where it differs, since new commands are counted by the day.
func (a *Adapter) register(ctx context.Context, app string) {
	want := a.commands()
	address := discordgo.EndpointApplicationGlobalCommands(app)
	for pause := a.pace.retry; ; pause = min(2*pause, maxRetry) {
		err := a.overwrite(ctx, address, want)
		if err == nil || ctx.Err() != nil {
			return
		}
		a.log.Warn("the commands were not registered; trying again", "error", err, "pause", pause)
		if sleepUntil(ctx, time.Now().Add(pause)) != nil {
			return
		}
	}
}

func (a *Adapter) overwrite(ctx context.Context, address string, want []command) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	var listed []command
	err := a.rest.do(ctx, call{
		method: http.MethodGet, url: address + "?with_localizations=true", route: "list commands", reply: &listed,
	})
	if err != nil {
		return fmt.Errorf("list the commands: %w", err)
	}
	if fingerprint(listed) == fingerprint(want) {
		a.log.Debug("the commands are as they should be")
		return nil
	}
	err = a.rest.do(ctx, call{method: http.MethodPut, url: address, route: "register commands", body: want})
	if err != nil {
		return fmt.Errorf("register the commands: %w", err)
	}
	a.log.Info("registered the commands", "commands", len(want))
	return nil
}

// fingerprint is the same for the same commands, in whichever order they and their sets are listed.
func fingerprint(commands []command) [32]byte {
	all := slices.Clone(commands)
	slices.SortFunc(all, func(a, b command) int { return strings.Compare(a.Name, b.Name) })
	for i := range all {
		all[i].Contexts = slices.Sorted(slices.Values(all[i].Contexts))
		all[i].IntegrationTypes = slices.Sorted(slices.Values(all[i].IntegrationTypes))
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // Strings and numbers can always be written.
	}
	return sha256.Sum256(text)
}

// tongues are the bot's commands in each language, in the order of languages.
type tongues [][]bot.CommandInfo

// commands are all of the bot's commands for servers, chats with the bot and groups. A table needs nothing of the bot
// but answers to presses, so every command works for those who installed the bot for themselves, too.
func (a *Adapter) commands() []command {
	var t tongues
	for _, l := range languages() {
		t = append(t, a.opts.Commands(l.tag))
	}
	var all []command
	names := newNames()
	for _, info := range t[0] {
		names.take(info.Name)
	}
	for i, info := range t[0] {
		c := command{
			Type: int(discordgo.ChatApplicationCommand), Name: info.Name, Description: describe(info.Help),
			IntegrationTypes: []int{int(discordgo.ApplicationIntegrationGuildInstall), int(discordgo.ApplicationIntegrationUserInstall)},
			Contexts: []int{
				int(discordgo.InteractionContextGuild), int(discordgo.InteractionContextBotDM), int(discordgo.InteractionContextPrivateChannel),
			},
		}
		c.NameLocal = names.local(info.Name, t.each(func(all []bot.CommandInfo) string { return all[i].Local }))
		c.DescriptionLocal = localized(t.each(func(all []bot.CommandInfo) string { return describe(all[i].Help) }))
		c.Options = a.options(t, i)
		all = append(all, c)
	}
	return all
}

// each is what f says of the commands in each language.
func (t tongues) each(f func([]bot.CommandInfo) string) []string {
	var all []string
	for _, commands := range t {
		all = append(all, f(commands))
	}
	return all
}

// options are what can be said with the i-th command.
func (a *Adapter) options(t tongues, i int) []option {
	info := t[0][i]
	switch {
	case info.Game != nil:
		return a.gameOptions(t, i)
	case info.Argument == "":
		return nil
	case info.Person:
		return personOptions(t, i)
	}
	labels := t.each(func(all []bot.CommandInfo) string { return all[i].Argument })
	what := option{
		Type: discordgo.ApplicationCommandOptionString, Name: optionWhat, NameLocal: newNames().local(optionWhat, labels),
		Description: describe(info.Argument), DescriptionLocal: localized(labels),
	}
	for _, word := range info.Arguments[:min(len(info.Arguments), maxChoices)] {
		what.Choices = append(what.Choices, choice{Name: word, Value: word, NameLocal: t.called(word)})
	}
	return []option{what}
}

// personOptions are a person, and kopecks where the command takes some.
func personOptions(t tongues, i int) []option {
	names := newNames(optionWho, optionAmount)
	info := t[0][i]
	one := func(name string, kind discordgo.ApplicationCommandOptionType, word func([]string) string) option {
		labels := t.each(func(all []bot.CommandInfo) string { return word(strings.Fields(all[i].Argument)) })
		return option{
			Type: kind, Name: name, NameLocal: names.local(name, labels), Description: describe(labels[0]),
			DescriptionLocal: localized(labels), Required: info.Amount,
		}
	}
	all := []option{one(optionWho, discordgo.ApplicationCommandOptionUser, func(words []string) string { return words[0] })}
	if info.Amount {
		last := func(words []string) string { return words[len(words)-1] }
		all = append(all, one(optionAmount, discordgo.ApplicationCommandOptionInteger, last))
	}
	return all
}

// called is what a word is called in each language if it is a command's name; nil for another one.
func (t tongues) called(word string) map[string]string {
	i := slices.IndexFunc(t[0], func(info bot.CommandInfo) bool { return info.Name == word })
	if i < 0 {
		return nil
	}
	return localized(t.each(func(all []bot.CommandInfo) string { return all[i].Local }))
}

// gameOptions are what can be chosen when a game's table is opened.
func (a *Adapter) gameOptions(t tongues, i int) []option {
	switches := func(all []bot.CommandInfo) []bot.OptionInfo {
		return slices.Concat(all[i].Game.Options, all[i].Game.Settings)
	}
	names := newNames(optionSet)
	for _, o := range switches(t[0]) {
		names.take(o.Value)
	}
	all := []option{a.setOption(names, t.each(func(all []bot.CommandInfo) string { return all[i].Argument }))}
	for k, o := range switches(t[0])[:min(len(switches(t[0])), maxOptions-1)] {
		one := option{
			Type: discordgo.ApplicationCommandOptionString, Name: o.Value, Description: describe(o.Help),
			NameLocal:        names.local(o.Value, t.each(func(all []bot.CommandInfo) string { return switches(all)[k].Label })),
			DescriptionLocal: localized(t.each(func(all []bot.CommandInfo) string { return switches(all)[k].Help })),
		}
		for v, value := range o.Values[:min(len(o.Values), maxChoices)] {
			one.Choices = append(one.Choices, choice{
				Name: describe(value.Label), Value: value.Value,
				NameLocal: localized(t.each(func(all []bot.CommandInfo) string { return switches(all)[k].Values[v].Label })),
			})
		}
		all = append(all, one)
	}
	return all
}

// setOption is for a game's named sets, of which several can be chosen.
func (a *Adapter) setOption(names *names, labels []string) option {
	var helps []string
	for _, l := range languages() {
		helps = append(helps, a.say(saySet, l.tag))
	}
	return option{
		Type: discordgo.ApplicationCommandOptionString, Name: optionSet, NameLocal: names.local(optionSet, labels),
		Description: describe(helps[0]), DescriptionLocal: localized(helps), Autocomplete: true,
	}
}

// localized says a text in each of the languages, as Discord names them.
func localized(texts []string) map[string]string {
	all := map[string]string{}
	for i, l := range languages() {
		for _, locale := range l.locales {
			all[locale] = describe(texts[i])
		}
	}
	return all
}

// describe is a text that may stand as a description: of 1 to 100 letters.
func describe(text string) string {
	if strings.TrimSpace(text) == "" {
		return "…"
	}
	return cut(text, maxDescription)
}

// names are those given so far in one list of commands or options: in each language no two may be the same.
type names struct {
	taken map[string]bool
}

func newNames(taken ...string) *names {
	n := &names{taken: map[string]bool{}}
	for _, name := range taken {
		n.take(name)
	}
	return n
}

func (n *names) take(name string) { n.taken[name] = true }

// local is the name in each language, made of what it is called there; a language where that can't be a name, or is one
// already, is left out.
func (n *names) local(name string, called []string) map[string]string {
	all := map[string]string{}
	for i, l := range languages() {
		local := slugOf(called[i])
		if local == "" || local != name && n.taken[local] {
			continue
		}
		for _, locale := range l.locales {
			if key := locale + " " + local; !n.taken[key] {
				n.take(key)
				all[locale] = local
			}
		}
	}
	return all
}

// slugOf is a text as a name of a command or an option; empty if nothing of it can be one.
func slugOf(text string) string {
	keep := regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]$`)
	var name []rune
	for _, r := range strings.ToLower(strings.Join(strings.Fields(text), "-")) {
		if !keep.MatchString(string(r)) {
			return ""
		}
		name = append(name, r)
	}
	return string(name[:min(len(name), maxName)])
}

// commandLine is a command as somebody would type it.
func commandLine(data discordgo.ApplicationCommandInteractionData) string {
	words := []string{"/" + data.Name}
	amount := ""
	for _, o := range data.Options {
		value := strings.Join(strings.Fields(fmt.Sprint(o.Value)), " ")
		switch o.Name {
		case optionSet, optionWhat:
			words = append(words, value)
		case optionWho:
			words = append(words, "<@"+value+">")
		case optionAmount:
			if n, ok := o.Value.(float64); ok {
				amount = strconv.FormatFloat(n, 'f', -1, 64)
			}
		default:
			words = append(words, o.Name+"="+value)
		}
	}
	return strings.TrimSpace(strings.Join(append(words, amount), " "))
}

// suggestions are the sets whose names begin with the word that is being typed, each after the words before it.
func (a *Adapter) suggestions(data discordgo.ApplicationCommandInteractionData, lang string) []choice {
	found := []choice{}
	for _, o := range data.Options {
		typed, ok := o.Value.(string)
		if !o.Focused || !ok {
			continue
		}
		cutAt := strings.LastIndexByte(typed, ' ') + 1
		before, word := typed[:cutAt], strings.ToLower(typed[cutAt:])
		for _, info := range a.opts.Commands(lang) {
			if info.Name != data.Name || info.Game == nil {
				continue
			}
			for _, set := range info.Game.Sets {
				fits := strings.HasPrefix(strings.ToLower(set.Label), word) || strings.HasPrefix(set.Value, word)
				if fits && !slices.Contains(strings.Fields(before), set.Value) && len(found) < maxChoices {
					found = append(found, choice{Name: cut(before+set.Label, maxDescription), Value: cut(before+set.Value, maxDescription)})
				}
			}
		}
	}
	return found
}
