package bot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"zevaka/engine"
)

const (
	errNotHost     engine.Refusal = "only-host"
	errSeated      engine.Refusal = "seated-already"
	errFull        engine.Refusal = "table-full"
	errTooFew      engine.Refusal = "too-few"
	errNotCutter   engine.Refusal = "only-cutter"
	errNoCut       engine.Refusal = "nothing-to-cut"
	errCutText     engine.Refusal = "cut-text"
	errNoComputer  engine.Refusal = "no-computer"
	errStarted     engine.Refusal = "deal-runs"
	errWish        engine.Refusal = "bad-button"
	errNoSeat      engine.Refusal = "no-seat"
	errNotPerson   engine.Refusal = "not-a-person"
	errRemoved     engine.Refusal = "you-were-removed"
	errNotAway     engine.Refusal = "not-away"
	errNothingHere engine.Refusal = "no-table-here"
)

// limits are the turn limits offered, in seconds; 0 is none.
func limits() []int { return []int{60, 120, 300, 3600, 86400, 0, 15, 30} }

const (
	defaultLimit = 60
	// lobbyLife is how long a lobby waits for anybody, cutTime how long the cutter has, in milliseconds.
	lobbyLife = 60 * 60 * 1000
	cutTime   = 60 * 1000
)

// wish does what a button of the table's own asks.
func (v *visit) wish(ctx context.Context, epoch int, name, arg string) error {
	t := v.table
	if (t.Phase == lobby || t.Phase == cutting) && epoch > 1 {
		return errWish
	}
	switch name {
	case "join":
		return v.join(ctx)
	case "leave":
		return v.leave(ctx)
	case "back":
		return v.comeBack(ctx)
	case "stop":
		if _, seated := t.seatOf(v.req.Who.ID); seated && t.Phase == playing && isSolo(v.rules.Info()) {
			return v.askGiveUp(ctx) // Or else whoever closed a patience in time would never lose one.
		}
		return v.askStop()
	case "stop-now":
		return v.stop()
	case "whom":
		return v.whom()
	case "remove":
		return v.remove(ctx, arg)
	case "show":
		return v.show()
	case "rules":
		return v.tellRules()
	case "m":
		return v.typed(ctx, epoch, arg)
	case "undo":
		return v.takeBack(ctx, undoMark)
	case "redo":
		return v.takeBack(ctx, redoMark)
	case "hint":
		return v.hint(ctx)
	case "home":
		return v.home(ctx)
	case "page":
		return v.turnPage(ctx)
	case "giveup":
		return v.askGiveUp(ctx)
	case "giveup-now":
		return v.giveUp(ctx, epoch)
	case "hand":
		return v.hand(ctx)
	case "pass":
		return v.pass(ctx)
	case "bet":
		return v.bet(ctx, epoch, arg)
	}
	switch {
	case name == "cut" && t.Phase == cutting:
		return v.cutBy(arg)
	case name == "no-cut" && t.Phase == cutting:
		return v.noCut()
	case name == "cut", name == "no-cut":
		v.shown = true
		return errNoCut
	}
	if t.Phase != lobby {
		v.shown = true
		return errStale
	}
	if !v.mayManage() {
		return errNotHost
	}
	return v.arrange(name, arg)
}

// arrange changes what the host may change before the deal.
func (v *visit) arrange(name, arg string) error {
	t := v.table
	switch name {
	case "robot":
		return v.addComputer()
	case "norobot":
		i := len(t.Chairs) - 1
		for i >= 0 && t.Chairs[i].User != 0 {
			i--
		}
		if i < 0 {
			return errNoComputer
		}
		t.Chairs = slices.Delete(slices.Clone(t.Chairs), i, i+1)
	case "panel":
		t.Panel = !t.Panel
	case "set":
		if err := v.toggleSet(arg); err != nil {
			return err
		}
	case "opt":
		if err := v.nextValue(arg); err != nil {
			return err
		}
	case "limit":
		i := slices.Index(limits(), t.Limit)
		t.Limit = limits()[(i+1)%len(limits())]
	case "fast":
		t.Fast = !t.Fast
	case "rounds":
		t.Rounds = t.Rounds%maxRounds + min(t.Rounds, 1)
	case "deal":
		return v.seatAll()
	default:
		return errWish
	}
	v.keepLobby()
	return nil
}

// keepLobby marks a lobby as changed, and begins its waiting time anew.
func (v *visit) keepLobby() {
	v.changed, v.shown = true, true
	v.table.Ends = v.now + lobbyLife
}

// mayManage reports whether the one who asks is the host or an admin of the place.
func (v *visit) mayManage() bool {
	return v.req.Who.Admin || v.table.Host != 0 && v.table.Host == v.req.Who.ID
}

func (v *visit) join(ctx context.Context) error {
	t := v.table
	if v.req.Who.Nameless {
		return errNameless
	}
	if seat, ok := t.seatOf(v.req.Who.ID); ok {
		if t.Phase == playing && t.Chairs[seat].computer() {
			return v.comeBack(ctx)
		}
		return errSeated
	}
	info := v.rules.Info()
	switch {
	case t.Phase == ended:
		v.shown = true
		return errEnded
	case t.Phase != lobby && !info.Banker:
		v.shown = true
		return errStarted
	case t.waits(v.req.Who.ID):
		return errSeated
	case len(t.Chairs)+len(t.Waiting) >= info.MaxSeats:
		return errFull
	}
	if err := t.admits(v.req.Who.ID); err != nil {
		return err
	}
	if err := v.known(); err != nil {
		return err
	}
	if info.Banker {
		if _, err := v.ledger().Open(v.req.Who.ID, v.req.Who.Name); err != nil {
			return fmt.Errorf("open a purse: %w", err)
		}
	}
	sits := chair{User: v.req.Who.ID, Lang: v.req.Who.Lang, Name: v.freeName(v.req.Who.Name)}
	if t.Phase != lobby {
		t.Waiting = append(slices.Clone(t.Waiting), sits)
		v.toast = &phrase{key: "waiting"}
		v.changed, v.shown = true, true
		return nil
	}
	t.Chairs = append(slices.Clone(t.Chairs), sits)
	if t.Host == 0 {
		t.Host = v.req.Who.ID
		if t.Lang == "" {
			t.Lang = v.bot.words.Lang(v.req.Who.Lang).Tag
		}
	}
	v.keepLobby()
	return nil
}

func (v *visit) addComputer() error {
	t := v.table
	if v.rules.Info().Banker {
		return errNoRobots
	}
	if len(t.Chairs) >= v.rules.Info().MaxSeats {
		return errFull
	}
	for n := 1; ; n++ {
		name := "🤖 " + strconv.Itoa(n)
		if !slices.ContainsFunc(t.Chairs, func(c chair) bool { return c.Name == name }) {
			t.Chairs = append(slices.Clone(t.Chairs), chair{Name: name})
			v.keepLobby()
			return nil
		}
	}
}

// freeName is the name as it is shown at the table: nobody there has the same.
func (v *visit) freeName(name string) string {
	if name == "" {
		name = v.bot.words.Lang(v.table.Lang).Say("nameless")
	}
	free := name
	for n := 2; slices.ContainsFunc(slices.Concat(v.table.Chairs, v.table.Waiting), func(c chair) bool { return c.Name == free }); n++ {
		free = name + " " + strconv.Itoa(n)
	}
	return free
}

// toggleSet chooses a named set of options, or goes back to their defaults where it is chosen already. A set without
// options of its own is all the defaults.
func (v *visit) toggleSet(name string) error {
	info, t := v.rules.Info(), v.table
	set, ok := findSet(info, name)
	if !ok {
		return errWish
	}
	options := maps.Clone(t.Options)
	for _, o := range info.Options {
		value, named := set.Options[o.Name]
		switch {
		case len(set.Options) == 0 || named && chosen(t.Options, set):
			options[o.Name] = o.Values[0]
		case named:
			options[o.Name] = value
		}
	}
	t.Options = options
	return nil
}

// chosen reports whether the options hold all that the set asks for.
func chosen(options map[string]string, set engine.Set) bool {
	for name, value := range set.Options {
		if options[name] != value {
			return false
		}
	}
	return true
}

func findSet(info engine.Info, name string) (engine.Set, bool) {
	for _, set := range info.Sets {
		if slices.ContainsFunc(set.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return set, true
		}
	}
	return engine.Set{}, false
}

// nextValue turns an option to its next value.
func (v *visit) nextValue(name string) error {
	for _, o := range v.rules.Info().Options {
		if o.Name == name && len(o.Values) > 1 {
			i := slices.Index(o.Values, v.table.Options[name])
			v.table.Options = maps.Clone(v.table.Options)
			v.table.Options[name] = o.Values[(i+1)%len(o.Values)]
			return nil
		}
	}
	return errWish
}

// cutBy lets the one who asks cut, if it is theirs to do.
func (v *visit) cutBy(text string) error {
	if err := v.mayCut(); err != nil {
		return err
	}
	if text == "" {
		text = v.req.Text
	}
	bad := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
	if text == "" || len(text) > engine.MaxCut || !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
		return errCutText
	}
	return v.deal(text)
}

// noCut deals without a cut, if it is the cutter who wants that.
func (v *visit) noCut() error {
	if err := v.mayCut(); err != nil {
		return err
	}
	return v.deal("")
}

func (v *visit) mayCut() error {
	seat, ok := v.table.seatOf(v.req.Who.ID)
	if !ok || int(seat) != v.table.Cutter {
		return refuse(string(errNotCutter), blanks{"who": v.table.Chairs[v.table.Cutter].Name})
	}
	return nil
}
