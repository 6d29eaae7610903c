package play_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestBankChance lets six people, one of them an admin, press any button they have ever seen and type what has to do with
// chips, while hosts remove people, tables are stopped, the group gets other IDs, the time of day jumps and the bot starts
// anew. No request leaves a purse with less than nothing; what was refused, or pressed at a table that has ended, has moved
// no chip; and whenever somebody looks, the books are right.
func TestBankChance(t *testing.T) {
	late := 0
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := &bankChance{Hall: bottest.NewHall(t), chance: rand.New(rand.NewPCG(seed, 5))}
			for range 200 {
				c.step()
			}
			c.StopAll()
			t.Logf("%d requests, %d of them refused, %d at ended tables, %d tables", c.made, c.refused, c.late, c.Audit().Tables)
			if c.made-c.refused < 40 {
				t.Error("hardly anything was accepted")
			}
			late += c.late
		})
	}
	if late == 0 {
		t.Error("nobody pressed a button of a table that had ended")
	}
}

// people are those of a bankChance; the last is an admin.
var people = [...]int64{1, 2, 3, 4, 5, 99}

// bankChance is a hall where people do what chance says.
type bankChance struct {
	*bottest.Hall
	chance *rand.Rand
	// buttons are the tokens of all buttons seen so far.
	buttons             []string
	made, refused, late int
	ids                 int64
}

// step lets one thing happen, and looks at the chips before and after.
func (c *bankChance) step() {
	c.T.Helper()
	switch c.chance.IntN(40) {
	case 0:
		c.Restart()
	case 1:
		c.Wall += time.Duration(c.chance.IntN(60)-30) * time.Hour
	case 2, 3, 4, 5:
		c.Pass(time.Duration(c.chance.IntN(15_000)) * time.Millisecond)
	case 6:
		if c.chance.IntN(3) == 0 {
			c.ids++
			to := chat.Community{Platform: chat.Telegram, ID: -1000 - c.ids}
			c.Moved(c.Place(1).Community, to)
			c.At = to
		}
	default:
		c.request()
	}
	if c.chance.IntN(5) == 0 {
		c.Audit()
	}
}

// request makes one person ask for something: half the time for what the table needs to go on.
func (c *bankChance) request() {
	c.T.Helper()
	user, channel := people[c.chance.IntN(len(people))], c.chance.Int64N(2)+1
	kind, data := chat.Command, c.line()
	switch {
	case c.chance.IntN(2) == 0:
		user, kind, data = c.needed(channel, user)
	case len(c.buttons) > 0 && c.chance.IntN(3) > 0:
		kind, data = chat.Press, c.buttons[max(0, len(c.buttons)-1-c.chance.IntN(40))]
		if c.chance.IntN(5) == 0 {
			data = c.buttons[c.chance.IntN(len(c.buttons))]
		}
	}
	late := c.isLate(kind, data)
	before := c.chips()
	r := c.Ask(channel, user, kind, data)
	c.made++
	if r.Alert {
		c.refused++
	}
	if late {
		c.late++
	}
	after := c.chips()
	for purse, chips := range after {
		if chips < 0 {
			c.T.Fatalf("P%d: %q leaves %d in the purse of P%d", user, data, chips, purse)
		}
	}
	if (r.Alert || late) && !maps.Equal(before, after) {
		c.T.Fatalf("P%d: %q is answered %q and moves chips: before %v, after %v", user, data, r.Toast, before, after)
	}
	for _, p := range r.Posts {
		c.see(p)
	}
	for _, p := range c.Said {
		c.see(p)
	}
	c.Said = nil
}

// needed is what the channel's newest table needs to go on, and of whom; any is somebody.
func (c *bankChance) needed(channel, any int64) (user int64, kind chat.Kind, data string) {
	c.T.Helper()
	tables, err := bottest.Shelf(c.Store).Look(c.T.Context(), c.Place(channel))
	if err != nil {
		c.T.Fatal(err)
	}
	if len(tables) == 0 {
		return any, chat.Command, c.opening()
	}
	t := tables[len(tables)-1]
	switch {
	case t.Phase == table.Lobby && len(t.Chairs) < 3:
		return any, chat.Press, table.Token{Table: t.ID, Do: "!join"}.String()
	case t.Phase == table.Lobby:
		return t.Host, chat.Press, table.Token{Table: t.ID, Do: "!deal"}.String()
	case t.Phase == table.Cutting:
		return t.Chairs[t.Cutter].User, chat.Press, table.Token{Table: t.ID, Epoch: 1, Do: "!cut 7"}.String()
	}
	state := c.State(t)
	seat := state.Turn()[c.chance.IntN(len(state.Turn()))]
	moves := state.Moves(seat, nil)
	do := c.Games[t.Game].Text(moves[c.chance.IntN(len(moves))])
	return t.Chairs[seat].User, chat.Press, table.Token{Table: t.ID, Epoch: t.Epoch(state), Do: do}.String()
}

// opening is a command that opens a table.
func (c *bankChance) opening() string {
	options := []string{"20 limit=15s", "100 side banks=2 limit=30s", "50 dealer=bot limit=15s", "1500 side limit=none"}
	return "/banchok " + options[c.chance.IntN(len(options))]
}

// line is a command that has to do with chips.
func (c *bankChance) line() string {
	lines := []string{
		c.opening(), "/bet 5", "/bet 20", "/bet 1000", "/bet 99999999999999", "/m side 20", "/m open", "/m leave", "/m allow off", "/m stake 0", "/m side 999999999",
		"/leave", "/back", "/daily", "/cut 5", "/remove 1", "/remove 2", "/stop", "/give P1 900", "/give P2 2900", "/give P3 1",
		"/grant P4 50", "/grant P4 9223372036854775807", "/hand", "/table", "/balance",
	}
	return lines[c.chance.IntN(len(lines))]
}

// isLate reports whether it is the button of a table that has ended, but for one that opens the next.
func (c *bankChance) isLate(kind chat.Kind, data string) bool {
	tok, err := table.ParseToken(data)
	if kind != chat.Press || err != nil || tok.Table.Name == table.NoTable || tok.Do == "!again" {
		return false
	}
	t, err := bottest.Shelf(c.Store).LookAt(c.T.Context(), tok.Table)
	return err == nil && t.Phase == table.Ended
}

// see remembers the buttons of a message and says where it stands.
func (c *bankChance) see(p chat.Post) {
	for _, row := range p.Buttons {
		for _, b := range row {
			if !strings.Contains(b.Token, "!answer") || c.chance.IntN(4) == 0 {
				c.buttons = append(c.buttons, b.Token)
			}
		}
	}
	if p.Receipt != "" && c.chance.IntN(4) > 0 {
		c.Asked++
		shown := chat.Request{ID: fmt.Sprint("shown ", c.Asked), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: chat.Ref(fmt.Sprint("m", c.Asked))}
		bottest.Seen(context.Background(), c.Bot, shown)
	}
}

// chips is what everybody's purse holds.
func (c *bankChance) chips() map[int64]int64 {
	all := map[int64]int64{}
	for _, user := range people {
		all[user] = c.Purse(user)
	}
	return all
}
