package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
)

// reloaded are the settings that SIGHUP changes in a zevaka that serves.
func reloaded() []string {
	return []string{"log-level", "user-rate", "address-rate", "community-rate", "contact", "keep"}
}

// tuning is what of a zevaka that serves can be changed while it does. It is safe for use by many goroutines.
type tuning struct {
	level slog.LevelVar

	mu sync.Mutex
	// now are the settings in force.
	now settings
	// gate and bots are what they count for; nil before it deals.
	gate *pace.Gate
	bots func(chat.Community) ([]*bot.Bot, error)
	// word is what people are told in a pause; nil while there is none.
	word *string
}

// begin has settings be in force.
func (t *tuning) begin(s settings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = s
	t.level.Set(s.LogLevel.Level)
	if t.gate != nil {
		t.gate.SetRates(s.rates())
	}
	if t.bots != nil {
		bots, _ := t.bots(chat.Community{}) // One that is being made is made by these.
		for _, one := range bots {
			one.Tune(time.Duration(s.Keep), string(s.Contact))
		}
	}
}

// deals says what deals by the settings.
func (t *tuning) deals(bots func(chat.Community) ([]*bot.Bot, error)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bots = bots
}

// guard says what guards it.
func (t *tuning) guard(gate *pace.Gate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gate = gate
}

// kept are the two settings of a bot that is made now.
func (t *tuning) kept() (keep time.Duration, contact string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.now.Keep), string(t.now.Contact)
}

// pause has bots that are made from now on begin in a pause, in which people are told the word, or, with nil, not any more.
func (t *tuning) pause(word *string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.word = word
}

// open makes a bot that heeds what was told to those before it.
func (t *tuning) open(ctx context.Context, o bot.Options) (*bot.Bot, error) {
	o.Keep, o.Contact = t.kept()
	one, err := bot.New(ctx, o)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil && t.word != nil {
		one.Pause(*t.word)
	}
	return one, err
}

// reload reads the settings again, as they were read at the start, and has those count that can. It says which, and which others have
// changed that count only at the next start; where something is wrong with them all stay as they are. It returns what was read last.
func (t *tuning) reload(was *kong.Context, log *slog.Logger) *kong.Context {
	next, err := readAgain(was.Args)
	if err != nil {
		log.Error("the settings can't be read, and stay as they were", "error", err)
		return was
	}
	var changed, later []string
	for _, flag := range was.Selected().Flags {
		now := flagNamed(next.Selected().Flags, flag.Name)
		if len(flag.Envs) == 0 || now == nil || fmt.Sprint(flag.Target.Interface()) == fmt.Sprint(now.Target.Interface()) {
			continue
		}
		if slices.Contains(reloaded(), flag.Name) {
			changed = append(changed, flag.Name)
		} else {
			later = append(later, flag.Name)
		}
	}
	read := next.Selected().Target.Addr().Interface().(*serve).settings
	before := t.level.Level()
	t.begin(read)
	t.level.Set(min(before, read.LogLevel.Level)) // Else one of the two would keep the next line away.
	log.Info("the settings were read again", "changed", changed)
	t.level.Set(read.LogLevel.Level)
	if len(later) > 0 {
		log.Warn("some settings count only at the next start", "settings", later)
	}
	return next
}

// readAgain is what the settings of serve are now.
func readAgain(args []string) (*kong.Context, error) {
	parser, err := newParser()
	if err != nil {
		return nil, err
	}
	return parser.Parse(args)
}
