package telegramtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"zevaka/adapters/spectest"
)

// spec is the Bot API's specification, as far as calls can be checked against it. It is safe for use by many servers.
type spec struct {
	Methods map[string]struct{ Fields []field } `json:"methods"`
	Types   map[string]struct {
		Fields   []field
		Subtypes []string
	} `json:"types"`
}

type field struct {
	Name     string
	Types    []string
	Required bool
}

var loadSpec = spectest.Once("telegram-api.json", func(text io.Reader) (*spec, error) {
	var s spec
	return &s, json.NewDecoder(text).Decode(&s)
})

// newer reports whether a parameter is one of Bot API 10.2 and 10.3, which the specification doesn't have yet.
func newer(method, param string) bool {
	switch method {
	case "sendMessage":
		return slices.Contains([]string{"ephemeral_message_parameters", "receiver_user_id", "callback_query_id"}, param)
	case "deleteEphemeralMessage", "editEphemeralMessageText":
		return slices.Contains([]string{"chat_id", "receiver_user_id", "ephemeral_message_id"}, param) ||
			method == "editEphemeralMessageText" && slices.Contains([]string{"text", "parse_mode", "link_preview_options", "reply_markup"}, param)
	}
	return false
}

// isWhisper reports whether the parameters of a reply name an ephemeral message, as they may since Bot API 10.2.
func isWhisper(reply string) bool {
	var names map[string]int64
	return json.Unmarshal([]byte(reply), &names) == nil && len(names) == 1 && names["ephemeral_message_id"] > 0
}

// check finds what is wrong with a call.
func check(method string, params map[string]string) []string {
	problems := prose(method, params)
	api := loadSpec()
	m, known := api.Methods[method]
	if !known && !newer(method, "ephemeral_message_id") {
		return append(problems, "no such method")
	}
	names := map[string]bool{}
	for _, f := range m.Fields {
		names[f.Name] = true
		value, given := params[f.Name]
		switch {
		case !given && f.Required:
			problems = append(problems, f.Name+" is missing")
		case given && f.Name == "reply_parameters" && isWhisper(value):
		case given && !slices.ContainsFunc(f.Types, func(t string) bool { return api.fitsText(t, value) }):
			problems = append(problems, fmt.Sprintf("%s is %.200q, and should be %s", f.Name, value, strings.Join(f.Types, " or ")))
		}
	}
	for name, value := range params {
		if strings.HasPrefix(value, attached) && strings.Contains(params["media"], `"attach://`+name+`"`) {
			continue
		}
		if !names[name] && !newer(method, name) {
			problems = append(problems, "there is no parameter "+name)
		}
	}
	return problems
}

// fitsText reports whether a parameter, as it was sent, is of the type.
func (sp *spec) fitsText(kind, text string) bool {
	switch kind {
	case "String":
		return true
	case "Integer":
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil
	case "Boolean", "True":
		return text == "true" || text == "false"
	case "Float":
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	}
	var v any
	return json.Unmarshal([]byte(text), &v) == nil && sp.fits(kind, v)
}

// fits reports whether a value of JSON is of the type.
func (sp *spec) fits(kind string, v any) bool {
	if inner, ok := strings.CutPrefix(kind, "Array of "); ok {
		list, isList := v.([]any)
		return isList && !slices.ContainsFunc(list, func(one any) bool { return !sp.fits(inner, one) })
	}
	switch kind {
	case "String":
		_, ok := v.(string)
		return ok
	case "Integer":
		n, ok := v.(float64)
		return ok && n == float64(int64(n))
	case "Float":
		_, ok := v.(float64)
		return ok
	case "Boolean", "True":
		_, ok := v.(bool)
		return ok
	}
	t := sp.Types[kind]
	if len(t.Subtypes) > 0 {
		return slices.ContainsFunc(t.Subtypes, func(sub string) bool { return sp.fits(sub, v) })
	}
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	known := 0
	for _, f := range t.Fields {
		value, given := object[f.Name]
		if given {
			known++
		}
		if given != f.Required && !given && f.Required ||
			given && !slices.ContainsFunc(f.Types, func(one string) bool { return sp.fits(one, value) }) {
			return false
		}
	}
	return known == len(object)
}

// prose finds what breaks the limits that the specification gives only in prose, and the bot's own.
func prose(method string, p map[string]string) []string {
	var problems []string
	wrong := func(cond bool, format string, args ...any) {
		if cond {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	switch method {
	case "getUpdates":
		wrong(number(p["limit"]) < 1 || number(p["limit"]) > 100, "%q updates at once", p["limit"])
	case "answerCallbackQuery":
		wrong(length(p["text"]) > 200, "an answer of %d characters", length(p["text"]))
		wrong(p["url"] != "" && Payload(p["url"]) == "", "an answer opens %q", p["url"])
	case "sendMessage", "editMessageText", "editEphemeralMessageText":
		text, err := plain(p["text"])
		wrong(err != nil, "%v in %.200q", err, p["text"])
		wrong(length(text) > 4096 || strings.TrimSpace(text) == "", "a text of %d characters", length(text))
		wrong(p["parse_mode"] != "HTML", "parse_mode is %q", p["parse_mode"])
		problems = append(problems, keyboardProblems(p["reply_markup"])...)
	case "sendPhoto":
		problems = append(problems, captionProblems(p["caption"], p["parse_mode"])...)
		problems = append(problems, photoProblems(p["photo"])...)
		problems = append(problems, keyboardProblems(p["reply_markup"])...)
	case "sendDocument":
		problems = append(problems, captionProblems(p["caption"], p["parse_mode"])...)
		problems = append(problems, keyboardProblems(p["reply_markup"])...)
		wrong(!json.Valid([]byte(strings.TrimPrefix(p["document"], attached))), "a document that is no JSON")
	case "sendAnimation":
		problems = append(problems, captionProblems(p["caption"], p["parse_mode"])...)
		problems = append(problems, keyboardProblems(p["reply_markup"])...)
		wrong(!strings.HasPrefix(strings.TrimPrefix(p["animation"], attached), "GIF89a"), "an animation that is no GIF")
	case "editMessageMedia":
		photo, caption, mode := media(p)
		problems = append(problems, captionProblems(caption, mode)...)
		problems = append(problems, photoProblems(photo)...)
		problems = append(problems, keyboardProblems(p["reply_markup"])...)
	case "setMyCommands":
		var commands []struct{ Command, Description string }
		wrong(json.Unmarshal([]byte(p["commands"]), &commands) != nil || len(commands) > 100, "%d commands", len(commands))
		for _, c := range commands {
			odd := strings.Trim(c.Command, "abcdefghijklmnopqrstuvwxyz0123456789_") != ""
			wrong(odd || c.Command == "" || len(c.Command) > 32, "a command is called %q", c.Command)
			wrong(length(c.Description) < 1 || length(c.Description) > 256, "command %s has %d characters", c.Command, length(c.Description))
		}
	case "setChatMenuButton":
		var b struct {
			Type, Text string
			App        struct{ URL string } `json:"web_app"`
		}
		good := json.Unmarshal([]byte(p["menu_button"]), &b) == nil && b.Type == "web_app" && b.Text != "" && length(b.Text) <= 64 && strings.HasPrefix(b.App.URL, "https://")
		wrong(!good, "the menu button is %.200q", p["menu_button"])
	case "setMyDescription":
		wrong(length(p["description"]) > 512, "a description of %d characters", length(p["description"]))
	case "setMyShortDescription":
		wrong(length(p["short_description"]) > 120, "a short description of %d characters", length(p["short_description"]))
	case "setWebhook":
		odd := strings.ContainsFunc(p["secret_token"], func(r rune) bool {
			return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		wrong(odd || p["secret_token"] == "" || len(p["secret_token"]) > 256, "the webhook has no good secret")
	}
	return problems
}

func keyboardProblems(text string) []string {
	var k struct {
		Rows [][]map[string]any `json:"inline_keyboard"`
	}
	if text == "" || json.Unmarshal([]byte(text), &k) != nil {
		return nil
	}
	var problems []string
	total := 0
	for _, row := range k.Rows {
		total += len(row)
		if len(row) == 0 || len(row) > 5 {
			problems = append(problems, fmt.Sprintf("%d buttons in a row", len(row)))
		}
		for _, b := range row {
			data, hasData := b["callback_data"].(string)
			address, hasURL := b["url"].(string)
			_, hasApp := b["web_app"]
			copies, hasCopy := b["copy_text"].(map[string]any)
			copied, _ := copies["text"].(string)
			label, _ := b["text"].(string)
			kinds := slices.DeleteFunc([]bool{hasData, hasURL, hasApp, hasCopy}, func(has bool) bool { return !has })
			if len(kinds) != 1 || hasData && (len(data) < 1 || len(data) > 64) || hasURL && !isStart(address) || hasCopy && (copied == "" || length(copied) > 256) {
				problems = append(problems, fmt.Sprintf("button %v", b))
			}
			if strings.TrimSpace(label) == "" || length(label) > 64 {
				problems = append(problems, fmt.Sprintf("button is called %q", label))
			}
		}
	}
	if total > 100 {
		problems = append(problems, fmt.Sprintf("%d buttons", total))
	}
	return problems
}

// isStart reports whether the payload in an address that opens an app is valid: letters, digits, "-" and "_". An address that opens none
// has no payload.
func isStart(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	start, opens := u.Query()["startapp"]
	odd := func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	return !opens || u.Scheme == "https" && u.Host == "t.me" && len(start) == 1 && len(start[0]) <= 512 && !strings.ContainsFunc(start[0], odd)
}

func length(text string) int { return len(utf16.Encode([]rune(text))) }

// plain is a text without its HTML. The error says which HTML Telegram doesn't understand.
func plain(text string) (string, error) {
	var b strings.Builder
	var open []string
	for text != "" {
		switch text[0] {
		case '<':
			end := strings.IndexByte(text, '>')
			if end < 0 {
				return "", fmt.Errorf("unclosed start tag")
			}
			tag := text[1:end]
			text = text[end+1:]
			if name, closing := strings.CutPrefix(tag, "/"); closing {
				if len(open) == 0 || open[len(open)-1] != name {
					return "", fmt.Errorf("unexpected end tag %q", name)
				}
				open = open[:len(open)-1]
				continue
			}
			name, attributes, _ := strings.Cut(tag, " ")
			if !slices.Contains([]string{"b", "i", "code", "a"}, name) || (name == "a") != strings.HasPrefix(attributes, `href="`) {
				return "", fmt.Errorf("unsupported start tag %q", tag)
			}
			open = append(open, name)
		case '&':
			end := strings.IndexByte(text, ';')
			entities := map[string]string{"&lt": "<", "&gt": ">", "&amp": "&", "&quot": `"`, "&#39": "'", "&#34": `"`}
			if end < 0 || entities[text[:end]] == "" {
				return "", fmt.Errorf("unescaped ampersand")
			}
			b.WriteString(entities[text[:end]])
			text = text[end+1:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("can't find end tag of %q", open[len(open)-1])
	}
	return b.String(), nil
}
