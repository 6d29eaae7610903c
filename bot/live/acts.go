package live

import (
	"slices"
	"strings"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// acts are what the viewer may try: the buttons of the table's message, as far as they are for the viewer, and every move of
// a card.
func (k *sketch) acts() {
	t := k.t
	if k.info.ForOne() && t.Phase == table.Playing {
		k.cardMoves()
	}
	d := k.of.Drawing
	plain := *t
	plain.Plain, plain.Panel, plain.Page = true, false, 0
	d.Table, d.Call, d.Bare = &plain, nil, true
	k.offer(d.Message(k.view, k.epoch), "")
	if t.Phase == table.Lobby {
		for _, all := range []string{"panel", "details"} {
			k.offer(d.PanelPost(chat.Request{Who: k.of.Who, In: t.Place}, all).Message, "set")
		}
	}
	if k.info.Banker {
		k.bounds()
	}
	if k.Phase == "playing" && k.May {
		k.May = slices.ContainsFunc(k.Acts, func(a Act) bool {
			return !a.Later && slices.Contains([]string{"seat", "self", "amount", "play", "bet"}, a.Kind)
		})
	}
}

// offer adds what the buttons of a message ask for. Of a panel only the switches count.
func (k *sketch) offer(m chat.Message, only string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			token, err := table.ParseToken(b.Token)
			if err != nil || slices.ContainsFunc(k.Acts, func(a Act) bool { return a.Token == b.Token }) {
				continue
			}
			act := Act{Token: b.Token, Label: b.Label, Ask: b.Ask}
			if b.Look != chat.Quiet {
				act.Look = b.Look.Name()
			}
			var mine bool
			if action, own := strings.CutPrefix(token.Do, "!"); own {
				mine = k.action(&act, action)
			} else {
				mine = k.move(&act, token.Do)
			}
			if mine && (only == "" || act.Kind == only) {
				k.Acts = append(k.Acts, act)
			}
		}
	}
}

// plays reports whether the viewer has cards in the deal.
func (k *sketch) plays() bool {
	return k.seat != engine.Nobody && !k.t.Chairs[k.seat].Left && k.Phase == "playing"
}

// kinds are the kinds of the table's own actions; what isn't here is for a page that has no table of its own.
func kinds() map[string]string {
	return map[string]string{
		"join": "table", "leave": "table", "back": "table", "skip": "table", "stop": "table", "robot": "table", "norobot": "table",
		"deal": "table", "whom": "table", "cut": "cut", "no-cut": "cut", "again": "table", "replay": "table", "enough": "table",
		"set": "set", "opt": "set", "limit": "set", "fast": "set", "rounds": "set", "temper": "set",
		"undo": "solo", "redo": "solo", "restart": "solo", "same": "table", "hint": "solo", "home": "solo", "giveup": "solo",
		"rules": "ask", "check": "ask", "bet": "bet", "pass": "play", "patience": "table", "learn": "table", "begin": "table", "another": "table",
	}
}

// action makes an act of one of the table's own actions, and reports whether it is for the viewer.
func (k *sketch) action(act *Act, action string) bool {
	name, arg, _ := strings.Cut(action, " ")
	t := k.t
	act.Do, act.Kind = name, kinds()[name]
	if act.Kind == "" || !k.allowed(name) {
		return false
	}
	seated := k.seat != engine.Nobody || t.Waits(k.of.Who.ID)
	switch name {
	case "join":
		return !seated
	case "enough":
		return seated
	case "leave":
		return seated && (k.seat == engine.Nobody || !t.Chairs[k.seat].Left)
	case "back":
		return k.seat != engine.Nobody && k.Seats[k.seat].Back
	case "skip":
		return k.seat != engine.Nobody && table.MaySkip(t, k.seat) == nil && t.Skipper != k.of.Who.ID
	case "deal":
		act.Later = len(t.Chairs) < k.info.MinSeats
	case "set":
		set, known := board.FindSet(k.info, arg)
		act.On = known && board.Chosen(t.Options, set)
		act.About = k.aboutSet(set)
	case "opt":
		if key := "does." + k.info.Name + "." + arg; k.lang.Has(key) {
			act.About = k.lang.Say(key)
		}
	case "limit":
		act.About = k.lang.Say("does.limit")
	case "fast", "temper":
		act.About = k.lang.Say("setting." + name + ".help")
	case "rounds":
		act.About = k.lang.Say("setting.banks.help")
	case "pass":
		act.Later = !k.May
	case "bet":
		act.Later = !k.Yours && !k.May
	}
	return true
}

// aMove is how long a move takes where people play.
const aMove = 1500 * time.Millisecond

// aboutSet says what a set of rules means, and about how long such a game takes.
func (k *sketch) aboutSet(set engine.Set) string {
	about := ""
	if key := "set." + k.info.Name + "." + board.Slug(set) + ".about"; k.lang.Has(key) {
		about = k.lang.Say(key)
	}
	if n := int((time.Duration(set.Moves) * aMove).Round(time.Minute) / time.Minute); n > 0 {
		about += " " + words.Phrase{Key: "set.minutes", N: n, Blanks: words.Blanks{"n": n}}.Flat(k.lang)
	}
	return strings.TrimSpace(about)
}

// allowed reports whether the viewer is one of those who may ask for an action.
func (k *sketch) allowed(name string) bool {
	t := k.t
	isHost := t.Host != 0 && t.Host == k.of.Who.ID
	if "!"+name == play.DoAgain || slices.Contains([]string{"same", "patience", "replay", "learn", "begin", "another"}, name) {
		return true
	}
	for _, a := range play.Actions() {
		if a.Name != name {
			continue
		}
		switch a.Who {
		case table.ByAnybody, table.BySitter:
			return true
		case table.ByPlayer:
			return k.plays()
		case table.ByCutter:
			_, may := table.MayCut(t, k.of.Who.ID)
			return may
		case table.ByHost:
			return isHost || k.of.Who.Admin
		case table.ByOwner:
			return isHost || k.of.Who.Admin && (!t.HasOwnPanel() || t.Host == 0)
		}
	}
	return false
}

// move makes an act of a move of the game, and reports whether it is for the viewer.
func (k *sketch) move(act *Act, text string) bool {
	if !k.plays() || k.of.State == nil {
		return false
	}
	move, err := k.of.Rules.Parse(text)
	if err != nil {
		return false
	}
	verb := k.info.Verbs[move.Verb-1]
	act.Do, act.Kind = verb.Name, "play"
	switch {
	case verb.Role == engine.VerbQuits, verb.Role == engine.VerbLeaves:
		return false // The table's own ask first.
	case verb.Role == engine.VerbDeals:
		act.Kind = "deal"
	case verb.Aim == engine.AimSeat:
		act.Kind, act.To = "seat", int(move.To)
	case verb.Aim == engine.AimSelf:
		act.Kind = "self"
	case verb.Aim == engine.AimAmount:
		act.Kind, act.Amount = "amount", int64(move.N)
	case verb.Aim == engine.AimPiles:
		return false // Those are made from the cards.
	}
	tried := slices.ContainsFunc(k.view.Tries, func(s engine.Step) bool { return s.Move == move })
	switch {
	case k.tries():
		return tried
	case tried && k.seat == k.view.Turn[0]:
		return false
	case !slices.Contains(k.view.Turn, k.seat):
		act.Later = true
		return act.Kind == "play" || act.Kind == "amount"
	}
	return !k.anothers(move.Verb)
}

// tries reports whether the viewer may try something of which nobody is told whether they can do it.
func (k *sketch) tries() bool {
	return slices.ContainsFunc(k.view.Tries, func(s engine.Step) bool { return s.Seat == k.seat })
}

// anothers reports whether a verb is for somebody else who may move now, and not for the viewer. Whether the viewer's own
// moves are legal it doesn't tell.
func (k *sketch) anothers(verb engine.Verb) bool {
	legal := func(s engine.Seat) bool {
		return slices.ContainsFunc(k.of.State.Moves(s, nil), func(m engine.Move) bool { return m.Verb == verb })
	}
	if k.seat == k.view.Turn[0] {
		return !legal(k.seat) && slices.ContainsFunc(k.view.Turn[1:], legal)
	}
	return !legal(k.seat)
}

// cardMoves are all moves of cards in a game for one.
func (k *sketch) cardMoves() {
	if !k.plays() || k.of.State == nil {
		return
	}
	home, ok := board.FoundationMove(k.info, k.view)
	for _, m := range k.view.Offers {
		if k.info.Verbs[m.Verb-1].Aim != engine.AimPiles {
			continue
		}
		act := Act{
			Token: k.token(k.of.Rules.Text(m)), Label: board.MoveLabel(k.lang, k.info, k.view, m),
			Kind: "move", Do: k.info.Verbs[m.Verb-1].Name, From: int(m.From), To: int(m.To), Home: ok && m == home,
		}
		act.At = len(k.view.Piles[m.From].Cards) - 1
		if m.N > 0 {
			act.At = int(m.N) - 1
		}
		k.Acts = append(k.Acts, act)
		if board.WholePile(k.info, k.view, m) > 0 {
			act.At, act.Home = 0, false
			act.Token = k.token("!pile " + k.view.Piles[m.From].Name + " " + k.view.Piles[m.To].Name)
			act.Label = board.PileLabel(k.lang, k.info, k.view, m)
			k.Acts = append(k.Acts, act)
		}
	}
}

// token is that of a button in the epoch of the position.
func (k *sketch) token(do string) string {
	return table.Token{Table: k.t.ID, Epoch: k.epoch, Do: do}.String()
}

// bounds says how much the viewer may bet.
func (k *sketch) bounds() {
	for i := range k.Acts {
		bet := &k.Acts[i]
		if bet.Kind != "bet" || !k.plays() || k.of.State == nil || bet.Later {
			continue
		}
		bet.Token += " "
		for _, m := range k.of.State.Moves(k.seat, nil) {
			if n := int64(m.N); k.info.Verbs[m.Verb-1].Aim == engine.AimAmount {
				if bet.Least == 0 || n < bet.Least {
					bet.Least = n
				}
				bet.Most = max(bet.Most, n)
			}
		}
		if n := board.LessonBet(k.of.Rules, k.t, k.of.State); k.Yours && n >= bet.Least && n <= bet.Most {
			bet.Amount = n
		}
	}
}
