package discordtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// checkMessage finds what is wrong with a message that the specification doesn't express: what may not be in it at
// all, how its buttons stand, who may be notified.
func checkMessage(body []byte, isNew bool) []string {
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	var m map[string]json.RawMessage
	if err := json.Unmarshal(body, &m); err != nil {
		return []string{err.Error()}
	}
	for name := range m {
		switch name {
		case "content", "components", "attachments", "flags", "allowed_mentions", "nonce", "enforce_nonce":
		default:
			fail("nobody knows %q", name)
		}
	}
	var content string
	_ = json.Unmarshal(m["content"], &content)
	if n := len(utf16.Encode([]rune(content))); n > 2000 {
		fail("content of %d", n)
	}
	if isNew && strings.TrimSpace(content) == "" && len(m["components"]) < 5 {
		fail("an empty message")
	}
	const maxMentioned = 100
	var mentions struct {
		Parse *[]string `json:"parse"`
		Users []string  `json:"users"`
	}
	if json.Unmarshal(m["allowed_mentions"], &mentions) != nil || mentions.Parse == nil || len(*mentions.Parse) > 0 || len(mentions.Users) > maxMentioned {
		fail("allowed_mentions %s", m["allowed_mentions"])
	}
	return append(wrong, checkRows(m["components"])...)
}

// The types of components that are known.
const (
	typeRow    = 1
	typeButton = 2
	typeList   = 3
	// styleLink is a button's that leads somewhere.
	styleLink = 5
)

// component is a button or a list.
type component struct {
	Type        int      `json:"type"`
	CustomID    string   `json:"custom_id"`
	Label       string   `json:"label"`
	Style       int      `json:"style"`
	URL         string   `json:"url"`
	Placeholder string   `json:"placeholder"`
	MinValues   *int     `json:"min_values"`
	MaxValues   *int     `json:"max_values"`
	Options     []Option `json:"options"`
}

// checkRows finds what is wrong with rows of buttons and lists.
func checkRows(text json.RawMessage) []string {
	var wrong []string
	var rows []struct {
		Type       int         `json:"type"`
		Components []component `json:"components"`
	}
	if len(text) > 0 && json.Unmarshal(text, &rows) != nil {
		return []string{"components that are no rows"}
	}
	if len(rows) > 5 {
		wrong = append(wrong, fmt.Sprintf("%d rows", len(rows)))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.Type != typeRow || len(row.Components) == 0 || len(row.Components) > 5 {
			wrong = append(wrong, fmt.Sprintf("a row of type %d with %d things in it", row.Type, len(row.Components)))
		}
		for _, c := range row.Components {
			if fault := c.check(); fault != "" {
				wrong = append(wrong, fault)
			}
			if c.Type == typeList && len(row.Components) > 1 {
				wrong = append(wrong, "a list that isn't alone in its row")
			}
			if c.Type == typeButton && c.Style == styleLink {
				if !strings.HasPrefix(c.URL, "https://") || c.CustomID != "" {
					wrong = append(wrong, fmt.Sprintf("a link to %q with the id %q", c.URL, c.CustomID))
				}
				continue
			}
			if c.URL != "" {
				wrong = append(wrong, fmt.Sprintf("an address on what is no link: %q", c.URL))
			}
			if n := len([]rune(c.CustomID)); n < 1 || n > 100 || seen[c.CustomID] {
				wrong = append(wrong, fmt.Sprintf("the id %q, seen before: %v", c.CustomID, seen[c.CustomID]))
			}
			seen[c.CustomID] = true
		}
	}
	return wrong
}

// check finds what is wrong with a component; empty if nothing is.
func (c component) check() string {
	between := func(text string, least, most int) bool {
		n := len(utf16.Encode([]rune(text)))
		return n >= least && n <= most && (least == 0 || strings.TrimSpace(text) != "")
	}
	switch {
	case c.Type == typeButton:
		if !between(c.Label, 1, 80) {
			return fmt.Sprintf("a button with the label %q", c.Label)
		}
		return ""
	case c.Type != typeList:
		return fmt.Sprintf("a component of type %d", c.Type)
	case len(c.Options) < 1 || len(c.Options) > 25 || !between(c.Placeholder, 0, 150):
		return fmt.Sprintf("a list of %d things with the prompt %q", len(c.Options), c.Placeholder)
	case c.MinValues != nil && *c.MinValues != 1 || c.MaxValues != nil && *c.MaxValues != 1:
		return "a list from which not exactly one thing is to be chosen"
	}
	seen := map[string]bool{}
	for _, o := range c.Options {
		if !between(o.Label, 1, 100) || !between(o.Value, 1, 100) || seen[o.Value] {
			return fmt.Sprintf("a thing in a list with the label %q and the value %q, seen before: %v", o.Label, o.Value, seen[o.Value])
		}
		seen[o.Value] = true
	}
	return ""
}

// listed is the part of a command that is checked.
type listed struct {
	Type        int               `json:"type"`
	Name        string            `json:"name"`
	NameLocal   map[string]string `json:"name_localizations"`
	Description string            `json:"description"`
	Local       map[string]string `json:"description_localizations"`
	Options     []listed          `json:"options"`
	Choices     []struct {
		Name      string            `json:"name"`
		NameLocal map[string]string `json:"name_localizations"`
		Value     any               `json:"value"`
	} `json:"choices"`
	Autocomplete bool `json:"autocomplete"`
}

// checkCommands finds what is wrong with commands that the specification doesn't express.
func checkCommands(body []byte) []string {
	var all []listed
	if err := json.Unmarshal(body, &all); err != nil {
		return []string{err.Error()}
	}
	wrong := checkNames(all)
	if len(all) > 100 {
		wrong = append(wrong, "more than 100 commands")
	}
	for _, c := range all {
		wrong = append(wrong, checkNames(c.Options)...)
		if n := c.size(); n > 8000 {
			wrong = append(wrong, fmt.Sprintf("command %s has %d letters", c.Name, n))
		}
		for _, o := range c.Options {
			if o.Autocomplete && len(o.Choices) > 0 {
				wrong = append(wrong, fmt.Sprintf("option %s has choices and completion", o.Name))
			}
		}
	}
	return wrong
}

// checkNames finds names that aren't names, and two that are the same to somebody.
func checkNames(all []listed) []string {
	var wrong []string
	seen := map[string]bool{}
	for _, c := range all {
		names := map[string]string{"": c.Name}
		for locale, local := range c.NameLocal {
			names[locale] = local
		}
		for locale, text := range names {
			if !isName(text) || strings.ToLower(text) != text {
				wrong = append(wrong, fmt.Sprintf("the name %q", text))
			}
			if seen[locale+" "+text] {
				wrong = append(wrong, fmt.Sprintf("two names %q in %q", text, locale))
			}
			seen[locale+" "+text] = true
		}
		if n := len([]rune(c.Description)); n < 1 && c.Type != typeEntry || n > 100 {
			wrong = append(wrong, fmt.Sprintf("%s: a description of %d", c.Name, n))
		}
	}
	for _, c := range all {
		for _, local := range c.NameLocal {
			if local != c.Name && seen[" "+local] {
				wrong = append(wrong, fmt.Sprintf("the name %q of %s is another's", local, c.Name))
			}
		}
	}
	return wrong
}

// isName reports whether a text is what Discord takes as a name: ^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$.
func isName(text string) bool {
	n := 0
	for _, r := range text {
		if !strings.ContainsRune("-_'", r) && !unicode.In(r, unicode.L, unicode.N, unicode.Devanagari, unicode.Thai) {
			return false
		}
		n++
	}
	return n >= 1 && n <= 32
}

// size is how many letters a command has in all that Discord counts, in the longest language each.
func (c listed) size() int {
	longest := func(text string, local map[string]string) int {
		n := len([]rune(text))
		for _, other := range local {
			n = max(n, len([]rune(other)))
		}
		return n
	}
	n := longest(c.Name, c.NameLocal) + longest(c.Description, c.Local)
	for _, o := range c.Options {
		n += o.size()
	}
	for _, choice := range c.Choices {
		n += longest(choice.Name, choice.NameLocal) + len([]rune(fmt.Sprint(choice.Value)))
	}
	return n
}
