package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// order is what the operator wants done with a bot that serves. All processes of a cluster are given it, and each does it where it
// serves.
type order struct {
	// Do is the name of the command.
	Do string
	// Chat is a community, Table a table of it, and Who a person, as the commands write them.
	Chat, Table, Who string `json:",omitempty"`
	// Word is what people are told.
	Word string `json:",omitempty"`
	// Force says that games are closed for it.
	Force bool `json:",omitempty"`
}

const (
	// maxOrder is how large an order may be, maxLines how many lines are told of what was asked for.
	maxOrder, maxLines = 4 << 10, 20_000
	// orderPatience is how long somebody waits for an order to be carried out, or for a part of the answer.
	orderPatience = 10 * time.Minute
)

// dealing is what carries orders out.
type dealing struct {
	// bots are those of this process that serve a community; all of them for the zero one. With an error they lack some.
	bots func(chat.Community) ([]*bot.Bot, error)
	// serves reports whether a community is served here.
	serves    func(chat.Community) bool
	platforms map[chat.Platform]adapters.Adapter
	// everywhere has other processes carry an order out, too, and adds what they say; nil where there are none.
	everywhere func(ctx context.Context, order []byte, here func() ([]byte, error)) ([]byte, error)
	tuned      *tuning
}

// quitter is an adapter that can leave a community.
type quitter interface {
	Quit(context.Context, chat.Community) error
}

// forgetter is an adapter that itself shows what people have said.
type forgetter interface {
	Forget(chat.User) int
}

// onOrder has an order carried out by this process and all others, and answers with what they say.
func (a *admin) onOrder(w http.ResponseWriter, req *http.Request) {
	deals := a.deals.Load()
	if deals == nil {
		http.Error(w, "it is still starting", http.StatusServiceUnavailable)
		return
	}
	text, err := io.ReadAll(io.LimitReader(req.Body, maxOrder))
	var o order
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(orderPatience)); err != nil {
		a.log.Warn("an order may be broken off", "error", err)
	}
	here := func() ([]byte, error) { return deals.obey(req.Context(), o) }
	var said []byte
	if deals.everywhere == nil {
		said, err = here()
	} else {
		said, err = deals.everywhere(req.Context(), text, here)
	}
	if o.Do == "block" || o.Do == "unblock" || o.Do == "blocked" { // Each bot has a list of its own, and all are the same.
		lines := slices.Sorted(strings.Lines(string(said)))
		said = []byte(strings.Join(slices.Compact(lines), ""))
	}
	a.logOrder("the operator's order", o, err)
	if err != nil {
		http.Error(w, string(said)+err.Error(), http.StatusConflict)
		return
	}
	_, _ = w.Write(said) // The reader may be gone.
}

// obey carries out an order of another process's operator.
func (a *admin) obey(ctx context.Context, text []byte) ([]byte, error) {
	deals := a.deals.Load()
	var o order
	if err := json.Unmarshal(text, &o); err != nil || deals == nil {
		return nil, errors.Join(err, adapters.ErrNobody)
	}
	said, err := deals.obey(ctx, o)
	a.logOrder("the operator's order to another process", o, err)
	return said, err
}

// logOrder notes an order, and why it couldn't be carried out. Who is forgotten stands in no log.
func (a *admin) logOrder(what string, o order, err error) {
	log := a.log.With("do", o.Do)
	if o.Chat != "" {
		log = log.With("chat", o.Chat)
	}
	if o.Table != "" {
		log = log.With("table", o.Table)
	}
	if o.Do == "block" || o.Do == "unblock" {
		log = log.With("who", o.Who)
	}
	if err != nil {
		log.Warn(what, "error", err)
		return
	}
	log.Info(what)
}

// obey carries an order out in this process, and says in lines what came of it; nothing where that is none of its business.
func (d *dealing) obey(ctx context.Context, o order) ([]byte, error) {
	var said bytes.Buffer
	var where community
	var who somebody
	if o.Chat != "" {
		if err := where.UnmarshalText([]byte(o.Chat)); err != nil {
			return nil, err
		}
	}
	if o.Who != "" {
		if err := who.UnmarshalText([]byte(o.Who)); err != nil {
			return nil, err
		}
	}
	if o.Do == "leave" {
		err := d.leave(ctx, where.Community, &said)
		return said.Bytes(), err
	}
	switch o.Do {
	case "pause":
		d.tuned.pause(&o.Word)
	case "resume":
		d.tuned.pause(nil)
	}
	bots, lacking := d.bots(where.Community)
	var damaged error
	for _, one := range bots {
		var err error
		switch o.Do {
		case "chats":
			err = listChats(ctx, one, &said)
		case "tables":
			err = listTables(ctx, one, where.Community, &said)
		case "close":
			var closed bool
			if closed, err = one.Close(ctx, table.ID{Community: where.Community, Name: o.Table}); closed {
				fmt.Fprintf(&said, "%s/%s: closed, and its chips are back\n", where, o.Table)
			}
		case "block", "unblock":
			var changed bool
			if changed, err = one.Block(ctx, who.on, who.user, o.Do == "block"); changed {
				fmt.Fprintf(&said, "%s: %sed\n", o.Who, o.Do)
			}
		case "blocked":
			for _, c := range one.Blocked() {
				fmt.Fprintln(&said, community{c})
			}
		case "pause":
			one.Pause(o.Word)
		case "resume":
			one.Resume()
		case "forget":
			if err = forgetAll(ctx, one, who, o.Force, &said); storage.IsDamaged(err) { // All else is done.
				damaged, err = errors.Join(damaged, err), nil
			}
		default:
			err = fmt.Errorf("this zevaka knows no order %.20q", o.Do)
		}
		if err != nil {
			return said.Bytes(), err
		}
	}
	if o.Do == "forget" {
		d.forget(who, &said)
	}
	return said.Bytes(), errors.Join(lacking, damaged)
}

// forget has the platform itself show no more of a person whom its bots have forgotten.
func (d *dealing) forget(who somebody, said io.Writer) {
	if one, ok := d.platforms[who.on].(forgetter); ok {
		if n := one.Forget(chat.User{ID: who.user}); n > 0 {
			fmt.Fprintf(said, "the room: %d messages taken away\n", n)
		}
	}
}

// leave has the bot leave a community, whose tables end.
func (d *dealing) leave(ctx context.Context, c chat.Community, said io.Writer) error {
	if !d.serves(c) {
		return nil
	}
	one, ok := d.platforms[c.Platform].(quitter)
	if !ok {
		return errors.New("that platform isn't served, or can't be left")
	}
	if err := one.Quit(ctx, c); err != nil {
		return err
	}
	gone := chat.Request{ID: fmt.Sprint("left ", c, " ", time.Now().UnixNano()), Kind: chat.Gone, In: chat.Place{Community: c}}
	bots, err := d.bots(c)
	for _, b := range bots {
		b.Handle(ctx, gone)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(said, "%s: left, and its tables are closed\n", community{c})
	return nil
}

func listChats(ctx context.Context, b *bot.Bot, to io.Writer) error {
	all, err := b.Chats(ctx)
	if err != nil {
		return err
	}
	order := func(a, b chat.Community) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a.String(), b.String()))
	}
	for i, c := range slices.SortedFunc(maps.Keys(all), order) {
		if i == maxLines {
			fmt.Fprintf(to, "and %d more\n", len(all)-maxLines)
			break
		}
		fmt.Fprintf(to, "%s  open tables: %d\n", community{c}, all[c])
	}
	return nil
}

// listTables lists the open tables of a community, or of all where none is named.
func listTables(ctx context.Context, b *bot.Bot, of chat.Community, to io.Writer) error {
	some := []chat.Community{of}
	if of.Platform == 0 {
		all, err := b.Chats(ctx)
		if err != nil {
			return err
		}
		some = slices.SortedFunc(maps.Keys(all), func(a, b chat.Community) int { return cmp.Compare(a.String(), b.String()) })
	}
	lines := 0
	for _, c := range some {
		tables, err := b.OpenIn(ctx, c)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if lines++; lines > maxLines {
				fmt.Fprintln(to, "and more: name a chat")
				return nil
			}
			fmt.Fprintf(to, "%s/%s  %s, %s: %s\n", community{c}, t.ID.Name, t.Game, phaseOf(t), sitting(t, c.Platform))
		}
	}
	return nil
}

// phaseOf is how far a table is, in a word or two.
func phaseOf(t *table.Table) string {
	switch {
	case t.Asleep:
		return "asleep"
	case t.Phase == table.Lobby:
		return "people sit down"
	case t.Phase == table.Cutting:
		return "the pack is cut"
	}
	return fmt.Sprint(t.Moves, " moves")
}

// sitting is who sits at a table, each with the number by which the commands know them.
func sitting(t *table.Table, on chat.Platform) string {
	var all []string
	for _, c := range t.Chairs {
		if c.User == 0 {
			all = append(all, "a computer")
			continue
		}
		all = append(all, fmt.Sprintf("%q %s", c.Name, community{chat.Community{Platform: on, ID: c.User}}))
	}
	return strings.Join(all, ", ")
}

// community is a chat or a server as the commands write it: platform:number. A person is written in the same way.
type community struct{ chat.Community }

func (c community) String() string { return c.Full() }

var errCommunity = errors.New("give a platform and a number, as zevaka admin chats prints them: telegram:-1001234567 or discord:123456")

// UnmarshalText reads a platform and a number, with a colon between.
func (c *community) UnmarshalText(text []byte) error {
	var s somebody
	if err := s.UnmarshalText(text); err != nil {
		return errCommunity
	}
	c.Community = chat.Community{Platform: s.on, ID: s.user}
	return nil
}

// order has the zevaka that serves carry out an order, and prints what it says, or, where it says nothing, that.
func (d database) order(o order, nothing string, std streams) error {
	err := d.insist(o, nothing, std)
	if errors.Is(err, errNothingDone(nothing)) {
		_, err = fmt.Fprintln(std.out, nothing)
	}
	return err
}

// errNothingDone says why an order had nothing to do.
type errNothingDone string

func (e errNothingDone) Error() string { return string(e) }

// insist is order with an error where there was nothing to do.
func (d database) insist(o order, nothing string, std streams) error {
	p, err := d.place()
	if err != nil {
		return err
	}
	socket := d.socket(p)
	if socket == "" {
		return errors.New("with a cluster name the socket of a zevaka that serves it: --socket (ZEVAKA_SOCKET), the same as that one has")
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	if err := tell(context.Background(), d.wire(p), "/order", text, orderPatience, &said); err != nil {
		return err
	}
	if said.Len() == 0 {
		return errNothingDone(nothing)
	}
	_, err = said.WriteTo(std.out)
	return err
}

// adminOf are the commands for a bot that serves.
type adminOf struct {
	Address adminAddress `cmd:"" default:"withargs" help:"Print the room's address with the secret of its admins (the default)."`
	Chats   adminChats   `cmd:"" help:"List the chats and servers that have used the bot, with how many tables are open in each."`
	Tables  adminTables  `cmd:"" help:"List the open tables, with who sits there."`
	Close   adminClose   `cmd:"" help:"Close a table; the chips go back."`
	Leave   adminLeave   `cmd:"" help:"Have the bot leave a chat or a server."`
	Block   adminBlock   `cmd:"" help:"Let a person play no more, in no chat."`
	Unblock adminUnblock `cmd:"" help:"Let a person play again."`
	Blocked adminBlocked `cmd:"" help:"List who is blocked."`
	Pause   adminPause   `cmd:"" help:"Let nobody play until resume, or until the next start; no time runs."`
	Resume  adminResume  `cmd:"" help:"Let people play on."`
}

type (
	adminChats  struct{ database }
	adminTables struct {
		database
		Chat string `arg:"" optional:"" placeholder:"PLATFORM:NUMBER" help:"Where, as admin chats prints it (default everywhere)."`
	}
	adminClose struct {
		database
		Table string `arg:"" placeholder:"PLATFORM:NUMBER/NAME" help:"The table, as admin tables prints it."`
	}
	adminLeave struct {
		database
		Chat community `arg:"" placeholder:"PLATFORM:NUMBER" help:"Which, as admin chats prints it."`
	}
	adminBlock struct {
		database
		Who somebody `arg:"" placeholder:"PLATFORM:NUMBER" help:"Whom, as telegram:123456; admin tables prints the numbers."`
	}
	adminUnblock struct{ adminBlock }
	adminBlocked struct{ database }
	adminPause   struct {
		database
		Word contact `arg:"" optional:"" placeholder:"WORD" help:"What people are told when they press, a line of at most 200 letters."`
	}
	adminResume struct{ database }
)

// Run prints a line for each.
func (c *adminChats) Run(std streams) error {
	return c.order(order{Do: "chats"}, "nobody has used the bot yet", std)
}

// Run prints a line for each.
func (c *adminTables) Run(std streams) error {
	return c.order(order{Do: "tables", Chat: c.Chat}, "no table is open there", std)
}

// Run says what came of it.
func (c *adminClose) Run(std streams) error {
	where, name, ok := strings.Cut(c.Table, "/")
	if !ok || !table.IsName(name) {
		return errors.New("give a table as zevaka admin tables prints it: telegram:-1001234567/NAME")
	}
	return c.insist(order{Do: "close", Chat: where, Table: name}, "there is no such table, or it has ended", std)
}

// Run says what came of it.
func (c *adminLeave) Run(std streams) error {
	return c.insist(order{Do: "leave", Chat: c.Chat.String()}, "nobody serves that now: try again", std)
}

// Run says what came of it.
func (c *adminBlock) Run(std streams) error {
	return c.order(order{Do: "block", Who: c.Who.String()}, "blocked already", std)
}

// Run says what came of it.
func (c *adminUnblock) Run(std streams) error {
	return c.order(order{Do: "unblock", Who: c.Who.String()}, "not blocked", std)
}

// Run prints a line for each.
func (c *adminBlocked) Run(std streams) error {
	return c.order(order{Do: "blocked"}, "nobody is blocked", std)
}

// Run says what came of it.
func (c *adminPause) Run(std streams) error {
	return c.order(order{Do: "pause", Word: string(c.Word)}, "paused, until zevaka admin resume or the next start", std)
}

// Run says what came of it.
func (c *adminResume) Run(std streams) error {
	return c.order(order{Do: "resume"}, "people play on", std)
}
