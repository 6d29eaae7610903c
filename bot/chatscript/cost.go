package chatscript

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// phoneLine is how many characters a line of a phone has.
const phoneLine = 35

// counts are what a journey costs.
type counts struct {
	taps, starts, chats, messages, edits, calls int
	at                                          time.Duration
}

// events are what was seen since something was done.
type events struct {
	done  time.Duration
	last  time.Duration
	order []string
	of    map[string]*event
	// shown is what has been told of it.
	shown []Shown
}

// event is a message that came, changed or went, or a line that somebody was told.
type event struct {
	who, what string
	m         Shown
	at        time.Duration
}

// look notes what everybody sees that they didn't before.
func (j *Journey) look() {
	now := j.phones.Now()
	there := map[string]bool{}
	for _, name := range j.who {
		who := j.people[name]
		told, link := j.phones.Told(who)
		if link != "" {
			j.follow(who, link)
		}
		for _, text := range told {
			j.note(fmt.Sprint("told ", name, len(j.order)), &event{who: name, what: "is told", m: Shown{Text: text}, at: now})
		}
		for _, private := range []bool{false, true} {
			for _, m := range j.phones.Look(who, private) {
				if there[m.ID] {
					continue
				}
				there[m.ID] = true
				reader := "all"
				if m.Alone || private {
					reader = name
				}
				if private {
					reader += " in private"
				}
				before, known := j.seen[m.ID]
				j.seen[m.ID], j.owner[m.ID] = m, reader
				switch {
				case !known:
					j.total.messages++
					j.total.edits += m.Edits
					j.note(m.ID, &event{who: reader, what: "new", m: m, at: now})
				case before.Edits != m.Edits:
					j.total.edits += m.Edits - before.Edits
					j.note(m.ID, &event{who: reader, what: "changed", m: m, at: now})
				}
			}
		}
	}
	for id, m := range j.seen {
		if !there[id] {
			delete(j.seen, id)
			j.note(id, &event{who: j.owner[id], what: "gone", m: Shown{ID: m.ID}, at: now})
		}
	}
}

func (j *Journey) note(id string, e *event) {
	before, known := j.of[id]
	if !known {
		j.order = append(j.order, id)
	} else if before.what == "new" && e.what == "changed" {
		e.what = "new, then changed"
	} else if e.what == "changed" {
		e.what = before.what
	}
	j.of[id] = e
	j.last = e.at
}

// flush tells what was seen since the line before.
func (j *Journey) flush() {
	// Of those that come at once the order is that of their names.
	slices.SortStableFunc(j.order, func(a, b string) int {
		x, y := j.of[a], j.of[b]
		if a, b := seconds(x.at-j.done), seconds(y.at-j.done); a != b {
			return int(a - b)
		}
		return strings.Compare(x.who+x.what, y.who+y.what)
	})
	for _, id := range j.order {
		e := j.of[id]
		line := "  " + e.who + ": " + e.what
		if e.what == "is told" {
			line = "  " + e.who + " is told"
		}
		line += e.m.size()
		if e.m.Rings && strings.HasPrefix(e.what, "new") {
			line += ", rings"
		}
		if e.at > 0 {
			line += fmt.Sprintf(", %.0f s", seconds(e.at-j.done))
		}
		j.say(line)
		j.Transcript.WriteString(e.m.full())
		j.shown = append(j.shown, e.m)
	}
	j.order, j.of = nil, map[string]*event{}
}

// now is what was counted so far.
func (j *Journey) now() counts {
	c := j.total
	c.at, c.calls = j.phones.Now(), j.phones.Calls()
	return c
}

func (c counts) minus(o counts) counts {
	return counts{
		c.taps - o.taps, c.starts - o.starts, c.chats - o.chats, c.messages - o.messages, c.edits - o.edits, c.calls - o.calls, c.at - o.at,
	}
}

// String is what was counted in words; time that isn't counted is left out.
func (c counts) String() string {
	text := fmt.Sprintf("taps %d, START %d, chats changed %d, messages %d, edits %d, calls %d", c.taps, c.starts, c.chats, c.messages, c.edits, c.calls)
	if c.at > 0 {
		text += fmt.Sprintf(", %.0f s", seconds(c.at))
	}
	return text
}

// seconds are whole seconds: what goes to two chats at once goes to either first.
func seconds(d time.Duration) float64 { return d.Round(time.Second).Seconds() }

// bounds judges a line that says what the journey may cost. It reports false for any other line.
func (j *Journey) bounds(line string) bool {
	j.t.Helper()
	bound, must := strings.CutPrefix(line, "at most ")
	hope, hoped := strings.CutPrefix(line, "hoping for ")
	switch {
	case must:
		j.flush()
		j.say("> " + line)
		if text, ok := j.holds(bound); !ok {
			j.t.Errorf("%s: it is %s", line, text)
		}
	case hoped:
		j.flush()
		text, ok := j.holds(hope)
		j.say(fmt.Sprintf("> %s\n  it is %s", line, text))
		if j.t.Logf("%s: it is %s", line, text); ok {
			j.t.Logf("%s holds and can be asked for", line)
		}
	}
	return must || hoped
}

// holds says what a bound bounds, and whether it holds.
func (j *Journey) holds(bound string) (string, bool) {
	j.t.Helper()
	text, what, _ := strings.Cut(bound, " ")
	most, err := strconv.ParseFloat(text, 64)
	if err != nil {
		j.t.Fatal(err)
	}
	c := j.now().minus(j.mark)
	is := -1.0
	counted := map[string]int{
		"taps": c.taps, "START": c.starts, "chats": c.chats, "messages": c.messages, "edits": c.edits, "calls": c.calls, "below": j.below(), "stay": j.stay(),
	}
	switch n, plain := counted[what]; {
	case plain:
		is = float64(n)
	case what == "s":
		is = (j.last - j.mark.at).Seconds()
	case what == "lines":
		for _, m := range j.shown {
			is = max(is, float64(Lines(m.Text)))
		}
	case what == "hex":
		for _, m := range j.shown {
			is = max(is, hex(m.Text))
		}
	default:
		j.t.Fatalf("nobody counts %q", what)
	}
	text = strconv.FormatFloat(is, 'f', -1, 64)
	if what == "s" || what == "hex" {
		text = strconv.FormatFloat(is, 'f', 1, 64)
	}
	return text, is >= 0 && is <= most
}

// Lines is how many lines of a phone a text takes.
func Lines(text string) int {
	n := 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		n += max(1, (len([]rune(strings.TrimRight(line, " \n")))+phoneLine-1)/phoneLine)
	}
	return n
}

// digest is what nobody reads: the digits of a seed or of a checksum, in full, or the first of them.
var digest = regexp.MustCompile(`\b[0-9a-f]{4}(?: [0-9a-f]{4}){3}\b|\b[0-9a-f]{16,}\b`)

// hex is how many lines of a phone are hex.
func hex(text string) float64 {
	return float64(len(strings.Join(digest.FindAllString(text, -1), ""))) / phoneLine
}

// size is how large a message is.
func (m Shown) size() string {
	if m.Text == "" {
		return ""
	}
	text := fmt.Sprintf(", lines %d", Lines(m.Text))
	if n := hex(m.Text); n > 0 {
		text += fmt.Sprintf(", hex %.1f", n)
	}
	if m.Picture != "" {
		text += ", a picture"
	}
	listed, links := 0, 0
	for _, k := range m.Keys {
		if k.Listed {
			listed++
		} else if k.Link != "" {
			links++
		}
	}
	for _, one := range []struct {
		name string
		n    int
	}{{"buttons", len(m.Keys) - listed - links}, {"links", links}, {"listed", listed}} {
		if one.n > 0 {
			text += fmt.Sprintf(", %s %d", one.name, one.n)
		}
	}
	return text
}

// full is a message as it is read.
func (m Shown) full() string {
	var b strings.Builder
	if m.Picture != "" {
		b.WriteString("    | (a picture)\n")
	}
	for line := range strings.Lines(m.Text) {
		b.WriteString("    | " + strings.TrimRight(line, "\n") + "\n")
	}
	if len(m.Keys) > 0 {
		b.WriteString("    ")
		for _, k := range m.Keys {
			switch {
			case k.Listed:
				fmt.Fprintf(&b, "<%s> ", k.Label)
			case k.Link != "":
				fmt.Fprintf(&b, "[%s ↗] ", k.Label)
			default:
				fmt.Fprintf(&b, "[%s] ", k.Label)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// stay is how many messages stand before everybody.
func (j *Journey) stay() (n int) {
	for _, m := range j.phones.Look(j.people[j.who[0]], false) {
		if !m.Alone {
			n++
		}
	}
	return n
}

// below is how many messages stand below the newest one for all that has buttons.
func (j *Journey) below() int {
	n := 0
	for _, m := range slices.Backward(j.phones.Look(j.people[j.who[0]], false)) {
		if len(m.Keys) > 0 && !m.Alone {
			break
		}
		n++
	}
	return n
}
