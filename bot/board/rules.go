package board

import (
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// RulesPost is a game's rules in short for the one who asks, and a button for those who want all of them.
func RulesPost(catalogue *words.Catalogue, r chat.Request, rules engine.Rules) (chat.Post, error) {
	lang, name := catalogue.Lang(r.Who.Lang), rules.Info().Name
	if !lang.Has("short." + name) {
		return AllRulesPost(catalogue, r, rules)
	}
	all := chat.Button{Label: lang.Say("button.all-rules"), Token: table.PlaceToken(r, "!rules "+name+" all")}
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{
		Text: []chat.Span{{Text: lang.Say("short." + name)}}, Buttons: [][]chat.Button{{all}},
	}}, nil
}

// AllRulesPost is a game's page of rules, which nobody but the one who asks is to scroll past.
func AllRulesPost(catalogue *words.Catalogue, r chat.Request, rules engine.Rules) (chat.Post, error) {
	text, ok := catalogue.Lang(r.Who.Lang).Rules(rules.Info().Name)
	if !ok {
		return chat.Post{}, words.Refuse(string(ErrNoRules), words.Blanks{"what": rules.Info().Name})
	}
	if rules.Info().ForOne() {
		text += OddsLine(catalogue.Lang(r.Who.Lang), rules.Info().Name) + "\n" + catalogue.Lang(r.Who.Lang).Say("rules-moves")
	}
	return chat.Post{In: r.In, To: &r.Who, Message: chat.Message{Text: []chat.Span{{Text: text}}}}, nil
}

// OddsLine says on a line of its own how often a game for one comes out; empty where nobody has measured it.
func OddsLine(lang *words.Lang, game string) string {
	computer, least, ok := deals.Odds(game)
	if !ok {
		return ""
	}
	return "\n" + words.Phrase{Key: "comes-out", Blanks: words.Blanks{"computer": computer, "least": least}}.Flat(lang) + "\n"
}

// ErrNoRules refuses the rules of a game that nobody knows.
const ErrNoRules engine.Refusal = "no-rules"
