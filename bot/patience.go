package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	errNoPatience engine.Refusal = "no-patience"
	errDealNumber engine.Refusal = "deal-number"
	errNothing    engine.Refusal = "nothing-home"
	// errStuck refuses a move where there is none left.
	errStuck engine.Refusal = "no-moves-left"
)

// isSolo reports whether the game is for one.
func isSolo(info engine.Info) bool { return info.MaxSeats == 1 }

// commandPatience opens a table for one, or asks which game.
func (b *Bot) commandPatience(ctx context.Context, r Request, arg string) (Response, error) {
	if arg == "" {
		return b.whichPatience(r), nil
	}
	rules, rest := b.patienceNamed(arg)
	if rules == nil {
		name, _, _ := strings.Cut(arg, " ")
		return Response{}, refuse(string(errNoPatience), blanks{"what": shorten(name, 20)})
	}
	o, err := b.parseOpening(rules, rest)
	if err != nil {
		return Response{}, err
	}
	return b.open(ctx, r, o)
}

// patienceNamed is the game for one whose name the line begins with, and what follows it: as its command is called, or as
// it is shown, in its own language or in another. It is nil if there is none.
func (b *Bot) patienceNamed(line string) (found engine.Rules, rest string) {
	longest := 0
	for _, rules := range b.order {
		if !isSolo(rules.Info()) {
			continue
		}
		for _, name := range b.namesOf(rules.Info().Name) {
			head, tail := line, ""
			if len(line) > len(name) {
				head, tail = line[:len(name)], line[len(name):]
			}
			if len(name) > longest && strings.EqualFold(head, name) && (tail == "" || tail[0] == ' ') {
				found, rest, longest = rules, tail, len(name)
			}
		}
	}
	return found, rest
}

// namesOf are all names that people may know a game by.
func (b *Bot) namesOf(game string) []string {
	names := []string{game}
	for _, tag := range words.Tags() {
		lang := b.words.Lang(tag)
		own, inBrackets, _ := strings.Cut(lang.Say("game."+game), " (")
		names = append(names, lang.Say("name."+game), own, strings.Trim(inBrackets, "«»)"))
	}
	return names
}

// whichPatience offers all games for one, and says what they are and how each can be called.
func (b *Bot) whichPatience(r Request) Response {
	w := writer{lang: b.words.Lang(r.Who.Lang)}
	question := w.lang.Say("choose-patience")
	w.add(Strong, question)
	var answers []Button
	for _, rules := range b.order {
		if info := rules.Info(); isSolo(info) {
			name := w.lang.Say("game." + info.Name)
			w.text("\n/" + w.lang.Say("name."+info.Name) + " ")
			w.add(Strong, name)
			w.text(" – " + w.lang.Say("about."+info.Name))
			answers = append(answers, Button{Label: name, Token: placeToken(r, "!patience "+info.Name)})
		}
	}
	message := offer(question, answers)
	message.Text = w.spans
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}
}

// sitAlone begins a game for one: its player cuts, unless everybody can know the deal by its number.
func (v *visit) sitAlone(o opening) error {
	t := v.table
	t.Limit, t.Phase = 0, cutting
	if o.deal == nil {
		t.Seed, t.Ends = v.bot.seed(), v.now+cutTime
		return nil
	}
	t.Numbered, t.Seed = o.deal, engine.NumberedSeed(t.Game, *o.deal)
	return v.deal("")
}

// parseDeal reads the number of a deal (RECORDS.md, "Numbered deals and the command line").
func parseDeal(text string) (*int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return nil, refuse(string(errDealNumber), blanks{"what": shorten(text, 20)})
	}
	return &n, nil
}

// aloneLife is how long, in milliseconds, a game for one waits for its player. Somebody who was never to come back would
// otherwise keep one of the places that a channel has for tables.
const aloneLife = 7 * 24 * 3600 * 1000

// isOver reports whether nothing can be moved any more.
func isOver(state engine.State) bool {
	_, over := state.Result()
	return over
}

// isStuck reports whether a game for one is over because nothing can be moved any more: its player may still take moves
// back.
func (v *visit) isStuck(result engine.Result) bool {
	return result.Patience != nil && !result.Patience.Solved && !v.quits
}

// giveUp ends a game for one as it lies, if that is how it lay when its player was asked.
func (v *visit) giveUp(ctx context.Context, epoch int) error {
	state, seat, err := v.alone(ctx)
	if err != nil {
		return err
	}
	if epoch != v.table.playEpoch(state) {
		v.shown = true
		return errStale
	}
	v.quits = true
	if !isOver(state) {
		move, err := v.rules.Parse("quit")
		if err == nil {
			err = v.step(state, engine.Step{Seat: seat, Move: move})
		}
		if err != nil {
			return err
		}
	}
	return v.settle(state, seat)
}

// askGiveUp asks again before a game for one ends in which something was done.
func (v *visit) askGiveUp(ctx context.Context) error {
	state, _, err := v.alone(ctx)
	if err != nil {
		return err
	}
	epoch := v.table.playEpoch(state)
	if isOver(state) || v.table.Line == 0 {
		return v.giveUp(ctx, epoch)
	}
	v.ask("confirm-giveup", []Button{{
		Label: v.bot.words.Lang(v.req.Who.Lang).Say("button.giveup"), Look: Danger,
		Token: token{Table: v.table.id, Epoch: epoch, Do: "!giveup-now"}.String(),
	}})
	return nil
}

// alone is the deal in progress and the seat of the one who asks, in a game for one.
func (v *visit) alone(ctx context.Context) (engine.State, engine.Seat, error) {
	state, seat, err := v.seated(ctx)
	if err == nil && !isSolo(v.rules.Info()) {
		err = errNotAlone
	}
	return state, seat, err
}

// hintSkill is how hard the computer player thinks about a hint: even in Паганини no longer than some 50 ms, so that who
// asks for many of them keeps nobody waiting.
const hintSkill = 0.4

// hint tells what the computer would do.
func (v *visit) hint(ctx context.Context) error {
	state, seat, err := v.alone(ctx)
	if err != nil {
		return err
	}
	move := state.Auto(seat, hintSkill, v.chance(seat))
	if move == (engine.Move{}) {
		return errStuck
	}
	v.toast = v.sayMove("hint", state.View(engine.Nobody), move)
	if v.rules.Info().Verbs[move.Verb-1].Name == quitMove {
		v.toast = &phrase{key: "hint-quit"}
	}
	v.table.Hints++
	v.changed = true
	return nil
}

// home puts on the foundations, card after card, what goes there unasked. Each is one card more on a foundation, so it
// comes to an end.
func (v *visit) home(ctx context.Context) error {
	state, seat, err := v.alone(ctx)
	if err != nil {
		return err
	}
	if isOver(state) {
		return errStuck
	}
	before := v.steps
	for {
		move, ok := homeward(v.rules.Info(), state.View(engine.Nobody))
		if !ok {
			break
		}
		if err := v.step(state, engine.Step{Seat: seat, Move: move}); err != nil {
			return err
		}
	}
	if v.steps == before {
		return errNothing
	}
	v.back(seat)
	return v.settle(state, seat)
}

// foundation is the kind of pile that cards never leave, and sorted the kind on which its player, or a stock, lays any
// card.
const (
	foundation = "f"
	sorted     = "w"
)

// homeward is the first move that goes without saying: a card goes to a foundation, has no choice between foundations
// that differ, and takes no other card's move away, be it one onto this card or one to the same foundation. So whatever
// could be done before can be done afterwards, but for this card itself.
func homeward(info engine.Info, view engine.View) (engine.Move, bool) {
	for _, m := range view.Offers {
		if toFoundation(info, view, m) && isPlain(info, view, m) {
			return m, true
		}
	}
	return engine.Move{}, false
}

func toFoundation(info engine.Info, view engine.View, m engine.Move) bool {
	return info.Verbs[m.Verb-1].Aim == engine.AimPiles && view.Piles[m.To].Kind == foundation
}

func isPlain(info engine.Info, view engine.View, m engine.Move) bool {
	target := view.Piles[m.To]
	// How many foundations are alike for the card, and which other cards fit where it goes.
	places, rivals := 0, []engine.Card{}
	for _, other := range view.Offers {
		if info.Verbs[other.Verb-1].Aim != engine.AimPiles {
			continue
		}
		switch itself := other.From == m.From && other.N == m.N; {
		case other.To == m.From && m.N == 0 && view.Piles[m.From].Kind != sorted:
			return false
		case view.Piles[other.To].Kind != foundation:
		case itself && !asFar(view.Piles[other.To], target):
			return false
		case itself:
			places++
		case other.To == m.To:
			rivals = append(rivals, moved(view, other))
		}
	}
	if len(target.Cards) > 0 {
		return len(rivals) < places
	}
	// Eight foundations have room for every base. Of four there is one for each suit.
	eight := view.Piles[7].Kind == foundation
	return eight || !slices.Contains(rivals, moved(view, m))
}

// turnPage shows the next moves where they are too many for one list.
func (v *visit) turnPage(ctx context.Context) error {
	if _, _, err := v.alone(ctx); err != nil {
		return err
	}
	v.table.Page++
	v.changed, v.shown = true, true
	return nil
}
