package upkeep

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Examine returns a function that returns an error if an item isn't what its key says, where tables are of these games.
// Each item is looked at alone: whether they agree with each other Archive.Audit and Archive.Scores tell.
func Examine(games []engine.Rules) func(storage.Item) error {
	a := NewArchive(nil, games)
	kinds := a.examiners()
	return func(item storage.Item) error {
		prefix, _, _ := strings.Cut(item.Key, "/")
		examine := kinds[prefix+"/"]
		if examine == nil {
			return errNoKey
		}
		return examine(item)
	}
}

// examiners are what looks at an item of each family.
func (a *Archive) examiners() map[string]func(storage.Item) error {
	ofTable := func(prefix string) func(storage.Item) error {
		return func(item storage.Item) error { return a.examineTable(item, prefix) }
	}
	return map[string]func(storage.Item) error{
		keyspace.OpenTables: ofTable(keyspace.OpenTables), keyspace.EndedTables: ofTable(keyspace.EndedTables),
		keyspace.Moves: examineChunk, keyspace.Chains: examineChain, keyspace.Places: examinePlace, keyspace.Process: examineProcess,
		keyspace.Leftovers: func(item storage.Item) error { _, err := decodeLeftover(item.Key, item.Value); return err },
		keyspace.OpenParts: examinePart, keyspace.EndedParts: examinePart,
		keyspace.Played: examinePlayed,
		keyspace.Names:  purse.ExamineName, keyspace.CalledSo: purse.ExamineName,
		keyspace.Offers:     ofCommunity(keyspace.Offers, func(value []byte) error { return json.Unmarshal(value, &[]table.Offered{}) }),
		keyspace.Decisions:  ofCommunity(keyspace.Decisions, func(value []byte) error { return json.Unmarshal(value, &table.Decisions{}) }),
		keyspace.Draws:      ofCommunity(keyspace.Draws, func(value []byte) error { return json.Unmarshal(value, &[]table.KeptDraw{}) }),
		keyspace.Wishes:     ofCommunity(keyspace.Wishes, func(value []byte) error { return json.Unmarshal(value, &[]table.Wish{}) }),
		keyspace.Origins:    ofCommunity(keyspace.Origins, func(value []byte) error { return examineCommunity(string(value)) }),
		keyspace.Questions:  examineQuestions,
		keyspace.Personal:   table.ExamineChoices,
		keyspace.Ratings:    func(storage.Item) error { return nil },
		keyspace.Forgetting: examineForgetting,
		keyspace.Accounts:   purse.Examine, keyspace.Postings: purse.Examine, keyspace.History: purse.Examine,
		keyspace.CarriedChips: purse.Examine, keyspace.Richest: purse.Examine,
		keyspace.Tallies: scores.Examine, keyspace.Boards: scores.Examine, keyspace.CarriedTallies: scores.Examine,
		keyspace.Ways: scores.Examine, keyspace.Seasons: scores.Examine,
		keyspace.DayTallies: day.Examine, keyspace.DayPeople: day.Examine, keyspace.DayUnsummed: day.Examine, keyspace.DayPosts: day.ExamineHour,
		keyspace.Numbers: play.ExamineNumber, keyspace.Tellings: play.ExamineTellings,
	}
}

// errNoKey is an item that nothing here has written.
var errNoKey = errors.New("nothing has this key")

func (a *Archive) examineTable(item storage.Item, prefix string) error {
	t, rules, err := a.decode(item, prefix)
	switch {
	case err != nil:
		return err
	case t.Phase < table.Lobby || t.Phase > table.Ended:
		return fmt.Errorf("%s: a table is in phase %d", item.Key, t.Phase)
	case len(t.Chairs) > rules.Info().MaxSeats:
		return fmt.Errorf("%s: %d sit at a table for %d", item.Key, len(t.Chairs), rules.Info().MaxSeats)
	}
	return nil
}

// examineChunk wants the key of a chunk to name a table, and all of its moves to end.
func examineChunk(item storage.Item) error {
	origin, number, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Moves), "/")
	name, number, _ := strings.Cut(number, "/")
	id, ok := table.ParseID(origin + "/" + name)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || table.ChunkKey(id.String(), n) != item.Key {
		return errNoKey
	}
	if !strings.HasSuffix(string(item.Value), ";") {
		return fmt.Errorf("%s: its last move is cut short", item.Key)
	}
	return nil
}

func examinePlace(item storage.Item) error {
	if _, ok := table.ParsePlace(item.Key); !ok {
		return errNoKey
	}
	return json.Unmarshal(item.Value, &table.PlaceRecord{})
}

// ofCommunity examines what lies under a community's own text form.
func ofCommunity(prefix string, value func([]byte) error) func(storage.Item) error {
	return func(item storage.Item) error {
		if err := examineCommunity(strings.TrimPrefix(item.Key, prefix)); err != nil {
			return err
		}
		return value(item.Value)
	}
}

func examineCommunity(text string) error {
	if _, err := chat.ParseCommunity(text); err != nil {
		return fmt.Errorf("no community is called %.40q", text)
	}
	return nil
}

func examineForgetting(item storage.Item) error {
	if _, _, err := account.ParseForgetting(item); err != nil {
		return err
	}
	return json.Unmarshal(item.Value, &account.Forgetting{})
}

func examineQuestions(item storage.Item) error {
	origin, reader, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Questions), "/")
	if n, err := strconv.ParseInt(reader, 36, 64); err != nil || table.KeyQuestion(origin, n) != item.Key {
		return errNoKey
	}
	if err := examineCommunity(origin); err != nil {
		return err
	}
	return json.Unmarshal(item.Value, &[]table.Question{})
}

// examinePart wants a part to be a person's at a table.
func examinePart(item storage.Item) error {
	parts := strings.SplitN(item.Key, "/", 4)
	if len(parts) != 4 || !table.IsName(parts[3]) && (item.Key[:2] != keyspace.EndedParts || !table.IsEndedAs(parts[3])) {
		return errNoKey
	}
	if _, err := strconv.ParseInt(parts[2], 36, 64); err != nil {
		return errNoKey
	}
	if len(item.Value) > 0 {
		return examineCommunity(string(item.Value))
	}
	return examineCommunity(parts[1])
}

// examinePlayed wants an item of the list of games to name a table.
func examinePlayed(item storage.Item) error {
	origin, as, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Played), "/")
	if !table.IsEndedAs(as) || table.IsName(as) {
		return errNoKey
	}
	if len(item.Value) > 0 {
		origin = string(item.Value)
	}
	return examineCommunity(origin)
}

func examineProcess(item storage.Item) error {
	switch item.Key {
	case keyspace.IndexState:
		return json.Unmarshal(item.Value, &table.IndexProgress{})
	case keyspace.RunningTime:
		return json.Unmarshal(item.Value, new(time.Duration))
	case keyspace.Blocked:
		return json.Unmarshal(item.Value, &[]string{})
	case keyspace.LastRest:
		return json.Unmarshal(item.Value, new(table.Running))
	}
	return errNoKey
}
