//go:build faults

package faults

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"zevaka/bot/words"
)

// outcome is what became of a press, as the person who made it sees it.
type outcome uint8

const (
	// unknown: no answer yet, or none that says whether it counts.
	unknown outcome = iota
	counted
	refused
)

// press is one press of a button of a table, and how to hear what became of it.
type press struct {
	table, do string
	user      int64
	at        time.Time
	// answered is closed when there is an answer, or no hope of one.
	answered <-chan struct{}
	// heard tells what the person was told of their press; false if nothing that says what became of it.
	heard func() (told string, ok bool)
	ears  *ears
	// again has the press delivered once more; retold says that it was: then it may count though one of the two was refused.
	again  func()
	retold atomic.Bool
}

// outcome is what the person knows by now.
func (p *press) outcome() outcome {
	select {
	case <-p.answered:
	default:
		return unknown
	}
	told, ok := p.heard()
	if !ok {
		return unknown
	}
	o := p.ears.understand(told)
	if o == refused && p.retold.Load() {
		return unknown
	}
	return o
}

// ears understand what the bot says to one person.
type ears struct {
	refusals *regexp.Regexp
	// undecided are questions, and what tells where a message is to be read that may be one.
	undecided []string
}

// newEars understand Russian.
func newEars() (*ears, error) {
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	lang := catalogue.Lang("ru")
	file, err := os.ReadFile("../../../bot/words/ru.json")
	if err != nil {
		return nil, err
	}
	var sentences map[string]any
	if err := json.Unmarshal(file, &sentences); err != nil {
		return nil, err
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(sentences)) {
		if !strings.HasPrefix(key, "no.") && !slices.Contains([]string{"broken-storage", "telegram.wait", "telegram.not-yours"}, key) {
			continue
		}
		for _, n := range []int{1, 2, 5} { // One of each plural form.
			all = append(all, pattern(lang.Count(key, n)))
		}
	}
	refusals, err := regexp.Compile("^(" + strings.Join(all, "|") + ")$")
	undecided := []string{
		lang.Say("done.plain"), lang.Say("done.twice"), lang.Say("telegram.coming"), lang.Say("telegram.sent"), lang.Say("telegram.same"), lang.Say("final.banchok.open"), lang.Say("final.banchok.show"),
	}
	return &ears{refusals, undecided}, err
}

// pattern is what matches a sentence, whatever stands in its blanks.
func pattern(sentence words.Sentence) string {
	var all strings.Builder
	for _, part := range sentence {
		if part.Blank != "" {
			all.WriteString(".*")
		} else {
			all.WriteString(regexp.QuoteMeta(part.Text))
		}
	}
	return all.String()
}

// understand tells what is said of a press: that it doesn't count, or what it did. That something broke says neither, nor does
// a question, or that a message comes, which may be one.
func (e *ears) understand(told string) outcome {
	switch {
	case e.refusals.MatchString(told):
		return refused
	case strings.HasPrefix(told, "Что-то сломалось"), slices.Contains(e.undecided, told):
		return unknown
	}
	return counted
}
