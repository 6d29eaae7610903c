package discord

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
	"zevaka/bot"
)

const (
	maxChoices     = 25
	maxOptions     = 25
	maxName        = 32
	maxDescription = 100
)

// The names of options in Discord's payloads, whatever the language.
const (
	// optionSet is a named set of rules.
	optionSet = "set"
	// optionWhat is the one argument of a command that is no game's.
	optionWhat = "what"
	// optionWho and optionAmount are a person and kopecks.
	optionWho    = "who"
	optionAmount = "amount"
	// optionNumber is the number of a deal.
	optionNumber = "number"
)

// command is a slash command, as Discord reads and lists it.
type command struct {
	// ID is Discord's name of the command, in what it lists.
	ID               string            `json:"id,omitempty"`
	Type             int               `json:"type"`
	Name             string            `json:"name"`
	NameLocal        map[string]string `json:"name_localizations,omitempty"`
	Description      string            `json:"description"`
	DescriptionLocal map[string]string `json:"description_localizations,omitempty"`
	Options          []option          `json:"options,omitempty"`
	IntegrationTypes []int             `json:"integration_types"`
	Contexts         []int             `json:"contexts"`
	// MemberPermissions are the rights of those in a server to whom the command is shown; nil: it is shown to all.
	MemberPermissions *permissions `json:"default_member_permissions,omitempty"`
	// Handler is who answers a command that opens the Activity; 0 for others.
	Handler int `json:"handler,omitempty"`
}

// permissions are rights, one a bit. Discord takes a number, and lists it as a text.
type permissions int64

// UnmarshalJSON reads either.
func (p *permissions) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	*p = permissions(n)
	return err
}

type option struct {
	Type             discordgo.ApplicationCommandOptionType `json:"type"`
	Name             string                                 `json:"name"`
	NameLocal        map[string]string                      `json:"name_localizations,omitempty"`
	Description      string                                 `json:"description"`
	DescriptionLocal map[string]string                      `json:"description_localizations,omitempty"`
	Choices          []choice                               `json:"choices,omitempty"`
	Required         bool                                   `json:"required,omitempty"`
	// Min and Max are the least and the largest number that can be typed; nil where there is no such bound.
	Min *int `json:"min_value,omitempty"`
	Max *int `json:"max_value,omitempty"`
}

type choice struct {
	Name      string            `json:"name"`
	NameLocal map[string]string `json:"name_localizations,omitempty"`
	Value     string            `json:"value"`
}

// registrar tells Discord which commands there are, and what can be said with them.
type registrar struct{ *core }

// register makes Discord list the bot's commands as they are, if it doesn't already: what it lists is asked for, and
// replaced only where it differs, since new commands are counted by the day.
func (r registrar) register(ctx context.Context, app string) {
	want := r.commands()
	address := discordgo.EndpointApplicationGlobalCommands(app)
	for pause := firstRetry; ; pause = min(2*pause, maxRetry) {
		err := r.overwrite(ctx, address, want)
		if err == nil || ctx.Err() != nil {
			return
		}
		r.log.Warn("the commands were not registered; trying again", "error", err, "pause", pause)
		if outbox.SleepUntil(ctx, time.Now().Add(pause)) != nil {
			return
		}
	}
}

func (r registrar) overwrite(ctx context.Context, address string, want []command) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	var listed, made []command
	err := r.rest.do(ctx, call{
		method: http.MethodGet, url: address + "?with_localizations=true", route: "list commands", reply: &listed,
	})
	if err != nil {
		return fmt.Errorf("list the commands: %w", err)
	}
	plain := want
	want = r.withEntry(plain, listed)
	if fingerprint(listed) == fingerprint(want) {
		r.know(plain, listed)
		r.log.Debug("the commands are as they should be")
		return nil
	}
	put := call{method: http.MethodPut, url: address, route: "register commands", body: want, reply: &made}
	if err = r.rest.do(ctx, put); len(want) > len(plain) && barsEntry(err, listed) {
		r.log.Warn("live tables can't be opened in Discord: Activities aren't enabled in the developer portal", "error", err)
		put.body = plain
		err = r.rest.do(ctx, put)
	}
	if err != nil {
		return fmt.Errorf("register the commands: %w", err)
	}
	r.know(plain, made)
	r.log.Info("registered the commands", "commands", len(want))
	return nil
}

// know has the commands be pressed from now on where they are named. Discord has listed them with their IDs.
func (r registrar) know(commands, listed []command) {
	ids := map[string]string{}
	for _, one := range listed {
		ids[one.Name] = one.ID
	}
	me := r.self()
	me.commands = map[string]string{}
	me.chat = "https://discord.com/users/" + r.application()
	for _, one := range commands {
		if number(ids[one.Name]) == 0 {
			continue
		}
		pressed := "</" + one.Name + ":" + ids[one.Name] + ">"
		me.commands[one.Name] = pressed
		for _, local := range one.NameLocal {
			me.commands[local] = pressed // Discord knows a command in a text by its first name alone.
		}
	}
	r.own.Store(&me)
}

// fingerprint is the same for the same commands, in whichever order they and their sets are listed.
func fingerprint(commands []command) [32]byte {
	all := slices.Clone(commands)
	slices.SortFunc(all, func(a, b command) int { return strings.Compare(a.Name, b.Name) })
	for i := range all {
		all[i].ID = ""
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
func (r registrar) commands() []command {
	var t tongues
	for _, l := range languages() {
		t = append(t, r.opts.Commands(l.tag))
	}
	var all []command
	names := newNames()
	for _, info := range t[0] {
		names.take(info.Name)
	}
	for i, info := range t[0] {
		c := command{
			Type: int(discordgo.ChatApplicationCommand), Name: info.Name, Description: describe(info.Help),
			IntegrationTypes: everyInstall(), Contexts: everyContext(),
		}
		c.NameLocal = names.local(info.Name, t.each(func(all []bot.CommandInfo) string { return all[i].Local }))
		c.DescriptionLocal = localized(t.each(func(all []bot.CommandInfo) string { return describe(all[i].Help) }))
		c.Options = r.options(t, i)
		if info.Admin {
			c.MemberPermissions = new(permissions(discordgo.PermissionManageGuild))
		}
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
func (r registrar) options(t tongues, i int) []option {
	info := t[0][i]
	if info.Game != nil {
		return r.gameOptions(t, i)
	}
	words := strings.Fields(info.Argument)
	names := newNames(optionWhat, optionWho, optionAmount, optionNumber)
	one := func(name string, kind discordgo.ApplicationCommandOptionType, key string, word int) option {
		labels := t.each(func(all []bot.CommandInfo) string {
			words := strings.Fields(all[i].Argument)
			return words[min(word, len(words)-1)]
		})
		helps := r.each(key)
		return option{
			Type: kind, Name: name, NameLocal: names.local(name, labels), Description: describe(helps[0]), DescriptionLocal: localized(helps),
		}
	}
	var all []option
	if len(words) > 0 && (!info.Person || len(info.Arguments) > 0) {
		what := one(optionWhat, discordgo.ApplicationCommandOptionString, "", 0)
		helps := t.each(func(all []bot.CommandInfo) string { return all[i].ArgumentHelp })
		what.Description, what.DescriptionLocal, what.Required = describe(helps[0]), localized(helps), info.Needed || info.Alone
		what.Choices = t.choices(func(all []bot.CommandInfo) []bot.Choice { return all[i].Arguments })
		all = append(all, what)
	}
	if info.Person {
		who := one(optionWho, discordgo.ApplicationCommandOptionUser, sayWho, min(len(all), 1))
		who.Required = info.Amount
		all = append(all, who)
	}
	if info.Amount {
		amount := one(optionAmount, discordgo.ApplicationCommandOptionInteger, sayAmount, len(words)-1)
		amount.Required = true
		all = append(all, amount)
	}
	for k := range info.Others {
		all = append(all, optionOf(names, t, func(all []bot.CommandInfo) bot.OptionInfo { return all[i].Others[k] }))
	}
	if info.Alone {
		all = append(all, r.aloneOptions(names, t)...)
	}
	return all
}

// aloneOptions are the settings of the games for one, which are the same for all of them.
func (r registrar) aloneOptions(names *names, t tongues) []option {
	i := slices.IndexFunc(t[0], func(info bot.CommandInfo) bool {
		return info.Game != nil && len(info.Game.Settings) > 0 && info.Game.Settings[0].Value == optionNumber
	})
	if i < 0 {
		return []option{{Type: discordgo.ApplicationCommandOptionInteger, Name: optionNumber, Description: optionNumber}}
	}
	var all []option
	for k := range t[0][i].Game.Settings {
		all = append(all, optionOf(names, t, func(all []bot.CommandInfo) bot.OptionInfo { return all[i].Game.Settings[k] }))
	}
	return all
}

// each is a sentence in each language; empty ones for an empty key.
func (r registrar) each(key string) []string {
	var all []string
	for _, l := range languages() {
		if key == "" {
			all = append(all, "")
		} else {
			all = append(all, r.say(key, l.tag))
		}
	}
	return all
}

// choices are what there is to choose from, named in each language.
func (t tongues) choices(of func([]bot.CommandInfo) []bot.Choice) []choice {
	var all []choice
	offered := of(t[0])
	for k, c := range offered[:min(len(offered), maxChoices)] {
		all = append(all, choice{
			Name: describe(c.Label), Value: c.Value,
			NameLocal: localized(t.each(func(all []bot.CommandInfo) string { return of(all)[k].Label })),
		})
	}
	return all
}

// gameOptions are what can be chosen when a game's table is opened.
func (r registrar) gameOptions(t tongues, i int) []option {
	switches := func(all []bot.CommandInfo) []bot.OptionInfo {
		return slices.Concat(all[i].Game.Options, all[i].Game.Settings)
	}
	names := newNames(optionSet)
	for _, o := range switches(t[0]) {
		names.take(o.Value)
	}
	var all []option
	if len(t[0][i].Game.Sets) > 0 {
		all = append(all, r.setOption(names, t, i))
	}
	for k := range switches(t[0])[:min(len(switches(t[0])), maxOptions-1)] {
		all = append(all, optionOf(names, t, func(all []bot.CommandInfo) bot.OptionInfo { return switches(all)[k] }))
	}
	return all
}

// optionOf is one switch of a game or a table: a number within its bounds, or one of its values.
func optionOf(names *names, t tongues, of func([]bot.CommandInfo) bot.OptionInfo) option {
	o := of(t[0])
	one := option{
		Type: discordgo.ApplicationCommandOptionString, Name: o.Value, Description: describe(o.Help),
		NameLocal:        names.local(o.Value, t.each(func(all []bot.CommandInfo) string { return of(all).Label })),
		DescriptionLocal: localized(t.each(func(all []bot.CommandInfo) string { return of(all).Help })),
	}
	if o.Max > 0 {
		one.Type, one.Min, one.Max = discordgo.ApplicationCommandOptionInteger, &o.Min, &o.Max
		return one
	}
	one.Choices = t.choices(func(all []bot.CommandInfo) []bot.Choice { return of(all).Values })
	return one
}

// setOption is for a game's named sets.
func (r registrar) setOption(names *names, t tongues, i int) option {
	helps := r.each(saySet)
	set := option{
		Type: discordgo.ApplicationCommandOptionString, Name: optionSet, Description: describe(helps[0]), DescriptionLocal: localized(helps),
		NameLocal: names.local(optionSet, t.each(func(all []bot.CommandInfo) string { return all[i].Argument })),
	}
	set.Choices = t.choices(func(all []bot.CommandInfo) []bot.Choice { return all[i].Game.Sets })
	return set
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
	var name []rune
	for _, letter := range strings.ToLower(strings.Join(strings.Fields(text), "-")) {
		if !strings.ContainsRune("-_'", letter) && !unicode.In(letter, unicode.L, unicode.N, unicode.Devanagari, unicode.Thai) {
			return ""
		}
		name = append(name, letter)
	}
	return string(name[:min(len(name), maxName)])
}

// commandLine is a command as somebody would type it: what it is about first, then for whom, then the rest.
func commandLine(data discordgo.ApplicationCommandInteractionData) string {
	words, who, rest, amount := []string{"/" + data.Name}, "", []string(nil), ""
	for _, o := range data.Options {
		value := strings.Join(strings.Fields(fmt.Sprint(o.Value)), " ")
		if n, ok := o.Value.(float64); ok {
			value = strconv.FormatFloat(n, 'f', -1, 64)
		}
		switch o.Name {
		case optionSet, optionWhat:
			words = append(words, value)
		case optionWho:
			who = "<@" + value + ">"
		case optionAmount:
			amount = value
		default:
			rest = append(rest, o.Name+"="+value)
		}
	}
	return strings.Join(strings.Fields(strings.Join(append(append(words, who), append(rest, amount)...), " ")), " ")
}
