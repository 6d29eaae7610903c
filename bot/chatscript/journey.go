package chatscript

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/engine/enginetest"
)

// Phones are the chats of a platform as people have them before their eyes: one group, and a private chat with the bot for
// each of them.
type Phones interface {
	// Look is what stands in the group, or in somebody's private chat, for them: the oldest first.
	Look(who chat.User, private bool) []Shown
	// Write has somebody write a line there, and Tap tap something that they see.
	Write(who chat.User, private bool, line string)
	Tap(who chat.User, on Shown, what Key)
	// Add has somebody add the bot to the group.
	Add(who chat.User)
	// Follow has somebody follow a link that they tapped: it says whether that led them to the private chat, and whether they
	// had to tap START there.
	Follow(who chat.User, link string) (private, start bool)
	// Fill has somebody write into the field that a tap has opened.
	Fill(who chat.User, text string)
	// Told are the lines that somebody was told since the last call, over the chat and soon gone, and the link that their phone
	// has opened by itself; empty where it has opened none.
	Told(who chat.User) (lines []string, link string)
	// Pass lets time go by, of which Now is how much has gone by: always 0 where time is real, and nobody counts it.
	Pass(d time.Duration)
	Now() time.Duration
	// Busy says that something that was done isn't answered.
	Busy() bool
	// Calls is how many calls the bot has made.
	Calls() int
}

// Shown is a message as it stands before somebody.
type Shown struct {
	// ID is its name, the same as long as it stands there, and no other message's in any chat.
	ID   string
	Text string
	// Picture is what stands above the text; empty where there is none.
	Picture string
	Keys    []Key
	// Alone says that only one person sees it in the group; Rings that it made a phone ring.
	Alone, Rings bool
	// Edits is how often it has changed.
	Edits int
}

// Key is something to tap: a button, or a thing in a list that has to be opened before. Data is its token, Link where it
// leads to.
type Key struct {
	Label, Data, Link string
	Listed            bool
}

const (
	// glance is how long people look before they tap; blink how often it is looked at what there is to see, and patience how
	// long they wait for something to tap.
	glance   = time.Second
	blink    = 100 * time.Millisecond
	patience = 2 * time.Minute
)

// Journey is a script played by people who tap what they see, each in the chat that they have open. What it costs them is
// counted. Its lines are those of chat scripts, and these:
//
//	> Аня: 7s 8s            anything is written as it stands
//	> Аня: fills in 37      the field that the last tap has opened
//	> Аня: [Взятка…]        a press of what begins so; whoever doesn't see it in the chat that they have open looks at the other
//	> Аня: adds the bot     to the group
//	> Аня: opens a chat with the bot
//	> Аня: goes back to the group
//	> quick Аня: /help      at the same moment as the line before, without waiting for anything
//	> yawn 20               whoever is to move flips a card and keeps it, in so many turns: no press is refused
//	> lay 40                the one who is alone at a table takes whatever move stands first on it, so many times
//	> from here             what is counted begins anew; time counts from when somebody does something
//	> at most 2 taps        a bound on what was counted so far: taps, START, chats, messages, edits, calls, or s; on what the
//	                        line before has shown: lines, hex; or on messages that are there: below, stay
//	> hoping for 2 taps     such a bound that doesn't hold, and is told
//
// A line takes as long as people need to see what they tap, and to look at it for a second.
type Journey struct {
	t      testing.TB
	phones Phones
	people map[string]chat.User
	// who are those of the script, in the order in which they first do something.
	who []string
	// private are those who have the chat with the bot open.
	private map[string]bool
	seen    map[string]Shown
	// owner is who sees a message that not everybody does.
	owner map[string]string
	events
	total, mark counts
	// marked says that something was done since the mark: time counts from then on.
	marked bool
	// untimed says that nobody counts the time.
	untimed bool
	// did is the last of many moves, on the message on which it was made.
	did, on string
	// refused says that what was done last was refused.
	refused func() bool
	text    strings.Builder
	// Transcript is what was done and seen, in full.
	Transcript strings.Builder
}

// NewJourney is a journey on a platform. Refused says whether what was done last was refused.
func NewJourney(t testing.TB, p Phones, refused func() bool) *Journey {
	j := &Journey{
		t: t, phones: p, people: map[string]chat.User{}, private: map[string]bool{}, seen: map[string]Shown{}, owner: map[string]string{},
		refused: refused, untimed: p.Now() == 0,
	}
	for _, u := range People() {
		j.people[u.Name] = u
	}
	j.of = map[string]*event{}
	return j
}

// Play plays a script, and returns it with what it costs.
func (j *Journey) Play(script string) string {
	j.t.Helper()
	steps := Steps(script)
	for _, s := range steps {
		name, _, ok := strings.Cut(strings.TrimPrefix(s.Line, "quick "), ": ")
		if _, known := j.people[name]; ok && known && !slices.Contains(j.who, name) {
			j.who = append(j.who, name)
		}
	}
	j.look()
	j.begin()
	j.mark = j.now()
	for _, s := range steps {
		if s.Comment != "" {
			j.say(s.Comment)
			continue
		}
		j.step(s.Line)
	}
	j.settle()
	j.flush()
	total := j.now()
	total.at = j.last
	j.say("= " + total.minus(j.mark).String())
	return strings.TrimSuffix(j.text.String(), "\n")
}

// say adds a line to the script and to the transcript.
func (j *Journey) say(line string) {
	j.text.WriteString(line + "\n")
	j.Transcript.WriteString(line + "\n")
}

func (j *Journey) step(line string) {
	j.t.Helper()
	if j.bounds(line) {
		return
	}
	rest, quick := strings.CutPrefix(line, "quick ")
	name, what, acts := strings.Cut(rest, ": ")
	who, known := j.people[name]
	var on Shown
	var key Key
	press := strings.HasPrefix(what, "[")
	if acts && known && !quick {
		if press {
			on, key = j.find(who, strings.Trim(what, "[]"))
		}
		j.pass(glance)
	}
	if press && quick {
		on, key = j.find(who, strings.Trim(what, "[]"))
	}
	if !quick {
		j.flush()
		j.begin()
	}
	if acts && !j.marked {
		j.mark.at, j.marked = j.phones.Now(), true
	}
	j.say("> " + line)
	switch {
	case acts && known && press:
		j.tap(who, on, key)
	case acts && known && what == "goes back to the group":
		j.total.taps++
		j.total.chats++
		j.private[name] = false
		return
	case acts && known:
		j.act(who, what)
	default:
		j.happens(line)
	}
	if quick {
		return
	}
	j.answered()
	if j.untimed {
		j.settle()
	}
	if acts && !j.untimed {
		// Whoever does something waits until they see what became of it.
		j.await(patience/4, func() bool { return len(j.order) > 0 })
	}
}

// act has somebody do what is no press.
func (j *Journey) act(who chat.User, what string) {
	text, fills := strings.CutPrefix(what, "fills in ")
	switch {
	case fills:
		j.total.taps++
		j.phones.Fill(who, text)
	case what == "adds the bot":
		j.phones.Add(who)
	case what == "opens a chat with the bot":
		j.total.taps++
		j.total.starts++
		j.total.chats++
		j.private[who.Name] = true
		j.phones.Write(who, true, "/start")
	default:
		j.phones.Write(who, j.private[who.Name], what)
	}
}

// happens does what a line says that names nobody.
func (j *Journey) happens(line string) {
	j.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "from here":
		j.mark, j.marked = j.now(), false
	case word == "wait":
		j.pass(duration(j.t, rest))
	case word == "play":
		j.play(moves(j.t, rest))
	case word == "yawn":
		j.yawn(enginetest.Number(j.t, rest))
	case word == "lay":
		j.lay(enginetest.Number(j.t, rest))
	default:
		j.t.Fatalf("nobody can do %q", line)
	}
}

// begin forgets what was seen: something is done.
func (j *Journey) begin() {
	j.done, j.shown = j.phones.Now(), nil
}

// tap taps something, and follows where it leads.
func (j *Journey) tap(who chat.User, on Shown, key Key) {
	j.total.taps++
	if key.Listed {
		j.total.taps++
	}
	if key.Link == "" {
		j.phones.Tap(who, on, key)
		return
	}
	j.follow(who, key.Link)
}

// follow lets somebody go where a link leads.
func (j *Journey) follow(who chat.User, link string) {
	private, start := j.phones.Follow(who, link)
	if start {
		j.total.taps++
		j.total.starts++
	}
	if private != j.private[who.Name] {
		j.private[who.Name] = private
		j.total.chats++
	}
}

// find is what somebody sees under a label, newest first, in the chat that they have open or else in the other one, as soon
// as it is there.
func (j *Journey) find(who chat.User, label string) (Shown, Key) {
	j.t.Helper()
	begin, more := strings.CutSuffix(label, "…")
	fits := func(k Key) bool { return k.Label == label || more && strings.HasPrefix(k.Label, begin) }
	var on Shown
	var key Key
	seen := j.await(patience, func() bool {
		for _, private := range []bool{j.private[who.Name], !j.private[who.Name]} {
			for _, m := range slices.Backward(j.phones.Look(who, private)) {
				i := slices.IndexFunc(m.Keys, fits)
				if i < 0 {
					continue
				}
				if private != j.private[who.Name] {
					j.private[who.Name] = private
					j.total.taps++
					j.total.chats++
				}
				on, key = m, m.Keys[i]
				return true
			}
		}
		return false
	})
	if !seen {
		j.flush()
		j.t.Fatalf("%s sees no %q after\n%s", who.Name, label, j.Transcript.String())
	}
	return on, key
}

// await lets time go by until something is so, but no longer than the limit. It reports whether it is so.
func (j *Journey) await(limit time.Duration, so func() bool) bool {
	for waited := time.Duration(0); !so(); waited += blink {
		if waited >= limit {
			return false
		}
		j.pass(blink)
	}
	return true
}

// pass lets time go by, in which people see what comes.
func (j *Journey) pass(d time.Duration) {
	if j.untimed {
		j.phones.Pass(d)
		j.look()
		return
	}
	for ; d > 0; d -= blink {
		j.phones.Pass(min(d, blink))
		j.look()
	}
}

// answered waits until what was done is answered.
func (j *Journey) answered() {
	j.t.Helper()
	j.look()
	if !j.await(patience, func() bool { return !j.phones.Busy() }) {
		j.t.Fatalf("no answer after\n%s", j.Transcript.String())
	}
	j.look()
}

// settle waits until nothing more comes, but what time brings.
func (j *Journey) settle() {
	if j.untimed {
		j.pass(0)
	} else {
		j.pass(10 * time.Second)
	}
}

// Costs has a journey checked against what it cost when its script was written: it is what stands in its file, unless that
// is to be rewritten.
func (j *Journey) Costs(file, script string, rewrite bool) {
	j.t.Helper()
	got := j.Play(script) + "\n"
	switch {
	case rewrite:
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			j.t.Fatal(err)
		}
	case got != script:
		j.t.Errorf("the journey costs something else (rewrite with -update and read it):\n%s\nwant\n%s", got, script)
	}
	if testing.Verbose() {
		j.t.Log("\n" + j.Transcript.String())
	}
}
