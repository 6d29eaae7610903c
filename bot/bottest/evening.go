package bottest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// Street is a hall with tables of all kinds, in channels 1 to 5: in a lobby, cut, played by two, at a bank, a patience.
func Street(t *testing.T) *Hall { return StreetIn(t, mem.New()) }

// StreetIn is a street in a store.
func StreetIn(t testing.TB, s storage.Store) *Hall {
	h := &Hall{T: t, Store: s}
	h.Restart()
	join := func(channel int64) {
		h.Must(channel, 2, chat.Press, table.Token{Table: h.Table(channel).ID, Do: "!join"}.String())
	}
	h.Must(1, 1, chat.Command, "/zevaka")
	h.Must(2, 1, chat.Command, "/zevaka limit=none")
	h.Must(3, 1, chat.Command, "/zevaka limit=none")
	for channel := int64(2); channel <= 3; channel++ {
		join(channel)
		h.Must(channel, 1, chat.Press, table.Token{Table: h.Table(channel).ID, Do: "!deal"}.String())
	}
	h.Cut(3)
	h.Sit(4, "100 side limit=none", 1, 2)
	h.Must(5, 1, chat.Command, "/tecza deal=7")
	return h
}

// Brink is a street on which everything that can't be taken back can be done: P1 is the host of a game in channel 3 and
// plays a patience in channel 5, and the punter of the bank in channel 4 has a stake on the table.
func Brink(t *testing.T) *Hall {
	h := Street(t)
	for _, user := range []int64{1, 2, 5} {
		h.Must(6, user, chat.Command, "/balance")
	}
	h.Move(4, h.Turn(4), "stake 20")
	moves := h.State(h.Table(5)).Moves(0, nil)
	h.Move(5, 1, h.Games["tecza"].Text(moves[0]))
	return h
}

// Punter is who has a stake on the table in channel 4.
func (h *Hall) Punter() int64 { return h.Table(4).Chairs[1].User }

// Name is what somebody is called in the purse.
func (h *Hall) Name(user int64) string {
	h.T.Helper()
	return h.PurseOf(user).Name
}

// Dealt is a game of Зевака, with that limit, that was dealt in channel 1 to P1 and P2.
func (h *Hall) Dealt(limit string) table.ID {
	h.T.Helper()
	h.Must(1, 1, chat.Command, "/zevaka limit="+limit)
	id := h.Table(1).ID
	h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.Cut(1)
	return id
}

// PlayOne opens a patience with a press or a command, makes a move and gives up, and returns the table.
func (h *Hall) PlayOne(channel, user int64, kind chat.Kind, data string) table.ID {
	h.T.Helper()
	h.Must(channel, user, kind, data)
	id := h.Table(channel).ID
	if t := h.Look(id); t.Phase == table.Cutting {
		h.Must(channel, user, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
	}
	h.Must(channel, user, chat.Press, h.Button(channel, "draw"))
	t := h.Look(id)
	h.Sure(channel, user, chat.Press, table.Token{Table: id, Epoch: t.Epoch(h.State(t)), Do: "!giveup"}.String())
	h.ShowLast(id)
	return id
}

// PlayAt does what comes next at a table.
func (h *Hall) PlayAt(channel int64, one *table.Table) {
	h.T.Helper()
	press := func(user int64, epoch int, do string) {
		h.Surely(channel, user, chat.Press, table.Token{Table: one.ID, Epoch: epoch, Do: do}.String())
	}
	switch one.Phase {
	case table.Lobby:
		press(one.Host, 0, "!deal")
		return
	case table.Cutting:
		press(one.Chairs[one.Cutter].User, 1, "!cut 7")
		return
	case table.Ended:
		return
	}
	state := h.State(one)
	if _, over := state.Result(); over {
		press(one.Host, one.Epoch(state), "!giveup")
		return
	}
	if one.Asleep {
		press(one.Host, one.Epoch(state), "!back")
		return
	}
	seat := state.Turn()[0]
	if one.Chairs[seat].Computer() || one.Window > h.ClockNow() {
		h.Pass(2 * time.Second)
		return
	}
	move := state.Auto(seat, 0.8, rand.New(rand.NewPCG(one.Level, 1)))
	press(one.Chairs[seat].User, one.Epoch(state), h.Games[one.Game].Text(move))
}

// PlayZevaka plays a game in a channel to its end. Nobody overlooks anything.
func (h *Hall) PlayZevaka(channel int64, one int64, others ...int64) table.ID {
	h.T.Helper()
	h.Must(channel, one, chat.Command, "/zevaka limit=none")
	id := h.Table(channel).ID
	for _, other := range others {
		h.Must(channel, other, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	}
	h.Must(channel, one, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.Cut(channel)
	chance := rand.New(rand.NewPCG(uint64(channel), 1))
	for range 2000 {
		t := h.Look(id)
		if t.Phase == table.Ended {
			return id
		}
		state := h.State(t)
		seat := state.Turn()[0]
		do := h.Games[t.Game].Text(state.Auto(seat, 1, chance))
		h.Must(channel, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.T.Fatal("the game doesn't end")
	return id
}

// GiveUpPatience begins a patience and gives it up.
func (h *Hall) GiveUpPatience(channel, user int64) {
	h.T.Helper()
	h.Must(channel, user, chat.Command, "/tecza")
	h.Must(channel, user, chat.Command, "/m draw")
	t := h.Table(channel)
	h.Sure(channel, user, chat.Press, table.Token{Table: t.ID, Epoch: t.Epoch(h.State(t)), Do: "!giveup"}.String())
}

// StopAll stops all tables in channels 1 and 2: when hands are settled no chip may lie there any more.
func (h *Hall) StopAll() {
	h.T.Helper()
	for channel := range int64(2) {
		tables, err := Shelf(h.Store).Look(h.T.Context(), h.Place(channel+1))
		if err != nil {
			h.T.Fatal(err)
		}
		for _, t := range tables {
			h.Sure(channel+1, Warden, chat.Press, table.Token{Table: t.ID, Do: "!stop"}.String())
		}
	}
	h.Pass(65 * time.Second)
	h.Running += OneDay // An early card waits as long for its stake where turns have no limit.
	h.Pass(time.Second)
	if all := h.Audit(); all.Laid != 0 {
		h.T.Errorf("%d lie at tables that have ended", all.Laid)
	}
}

// Moved gives the community another ID, which every platform says twice.
func (h *Hall) Moved(from, to chat.Community) {
	h.T.Helper()
	for range 2 {
		h.Asked++
		r := Seen(h.T.Context(), h.Bot, chat.Request{
			ID: fmt.Sprint("moved ", h.Asked), In: chat.Place{Community: from, Channel: 1}, Kind: chat.Migrated, Data: to.String(),
		})
		if r.Alert {
			h.T.Fatal(r.Toast)
		}
	}
}

// ShowLast says that a table's last picture was shown.
func (h *Hall) ShowLast(id table.ID) {
	h.T.Helper()
	Seen(h.T.Context(), h.Bot, chat.Request{
		ID: "shown " + id.String(), Kind: chat.Shown, In: h.Place(1), Data: fmt.Sprint(id, " ", h.Look(id).Level), On: "m",
	})
}

// LookedAt says of every table in the channels that its picture was shown, so that those that ended are closed.
func (h *Hall) LookedAt() {
	h.T.Helper()
	items, err := h.Store.Scan(h.T.Context(), keyspace.OpenTables, "", 1000)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, item := range items {
		id, _ := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables))
		t := h.Look(id)
		h.Asked++
		Seen(h.T.Context(), h.Bot, chat.Request{ID: fmt.Sprint("shown ", h.Asked), In: t.Place, Kind: chat.Shown, Data: t.Receipt(), On: "m"})
	}
}

// Season plays some of everything: banks with days between them, games of Зевака, patiences, gifts, lobbies that nobody
// came to, and a bank that is broken off.
func (h *Hall) Season() {
	h.T.Helper()
	for round := range 2 {
		h.Sit(1, "100 min=20 limit=45s", 1, 2, 3)
		for h.Finish(1).Next != "" {
			h.Running += OneDay
			h.Cut(1)
		}
		h.Must(1, 4, chat.Command, "/daily")
		r := h.Must(1, 4, chat.Command, "/give P1 50")
		h.Must(1, 4, chat.Press, r.Posts[0].Buttons[0][0].Token)
		h.PlayZevaka(2, 1, int64(2+round))
		h.GiveUpPatience(3, 2)
		h.Running += OneDay
		if round == 0 {
			h.LookedAt() // The others end without anybody seeing it.
		}
	}
	h.Sit(4, "100 limit=45s", 2, 4)
	h.Move(4, h.Turn(4), "stake 5")
	h.Sure(4, 99, chat.Press, table.Token{Table: h.Table(4).ID, Do: "!stop"}.String())
	h.Must(5, 3, chat.Command, "/zevaka")
	h.Pass(2 * time.Hour)
}

// Crowd stores tables that ended, at each of which user 1 has sat, and people with purses, tallies and names.
func Crowd(t testing.TB, s storage.Store, at chat.Community, tables, people int) {
	t.Helper()
	origin := at.String()
	for first := 0; first < max(tables, people); first += 8 {
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			for i := first; i < min(first+8, max(tables, people)); i++ {
				if i < people {
					if err := comer(tx, origin, i); err != nil {
						return err
					}
				}
				if i >= tables {
					continue
				}
				id := table.ID{Community: at, Name: table.NameFor(fmt.Sprint("crowd ", i))}
				one := &table.Table{
					ID: id, Format: table.Format, Phase: table.Ended,
					Agreed: table.Agreed{Place: chat.Place{Community: at, Channel: 1}, Game: "tecza", Rev: 1},
					Chairs: []table.Chair{{User: 1, Name: "P1"}}, LogState: table.LogState{Moves: 1}, Tail: []byte("draw;"),
					End: table.End{Opened: 1, Dealt: 1, Ended: 2},
				}
				value, err := one.Encode()
				if err != nil {
					return err
				}
				tx.Put(table.KeyEnded(id), value)
				table.ListEnded(tx, one)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// comer stores somebody who has won something, and has a tally and a name.
func comer(tx storage.Tx, origin string, i int) error {
	user, name := int64(100+i), fmt.Sprint("N ", i)
	l := purse.Ledger{Tx: tx, Community: origin}
	if _, err := l.Open(user, name); err != nil {
		return err
	}
	won := []purse.Leg{{Account: purse.User(user), Amount: 1}, {Account: purse.House, Amount: -1}}
	if _, err := l.Post(fmt.Sprint("crowd/", i), purse.Cause{Kind: purse.KindWin}, won...); err != nil {
		return err
	}
	if err := purse.SeenName(tx, origin, user, name); err != nil {
		return err
	}
	f := scores.Finish{Won: i%2 == 0, Place: 1}
	_, err := scores.Record(tx, scores.Key{Community: origin, Game: "zevaka", User: user}, name, f)
	return err
}

// Asides is a group on Telegram in which patiences are laid in private chats, and its people.
type Asides struct {
	*Hall
	Group chat.Place
	// Left are those who aren't in the group.
	Left map[int64]bool
}

// NewAsides are people in a group where patiences are laid in private.
func NewAsides(t *testing.T) *Asides {
	a := &Asides{Hall: NewHall(t), Group: PlaceOf(1), Left: map[int64]bool{}}
	a.Group.Crowded = true
	return a
}

// Private is somebody's private chat.
func (a *Asides) Private(user int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user, Private: true}
}

// Does makes a request in a place.
func (a *Asides) Does(user int64, in chat.Place, kind chat.Kind, data string) chat.Response {
	a.Running += 2 * time.Second
	a.Asked++
	r := chat.Request{ID: fmt.Sprint("aside ", a.Asked), Kind: kind, Who: User(user), Data: data, In: in}
	r.Member = func(context.Context, chat.Community) (bool, error) { return !a.Left[user], nil }
	return chattest.Drawn(a.Bot.Handle(a.T.Context(), r))
}
