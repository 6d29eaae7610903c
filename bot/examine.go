package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// Examine returns a function that returns an error if an item isn't what its key says, where tables are of these games.
// Each item is looked at alone: whether they agree with each other Archive.Audit and Archive.Scores tell.
func Examine(games []engine.Rules) func(storage.Item) error {
	a := NewArchive(nil, games)
	table := func(prefix string) func(storage.Item) error {
		return func(item storage.Item) error { return a.examineTable(item, prefix) }
	}
	kinds := map[string]func(storage.Item) error{
		openPrefix: table(openPrefix), endedPrefix: table(endedPrefix), chunkPrefix: examineChunk,
		leavingPrefix:    func(item storage.Item) error { _, err := decodeLeaving(item.Key, item.Value); return err },
		"p/":             examinePlace,
		offersPrefix:     ofCommunity(offersPrefix, func(value []byte) error { return json.Unmarshal(value, &[]offered{}) }),
		"g/":             ofCommunity("g/", func(value []byte) error { return json.Unmarshal(value, &rulesOf{}) }),
		homePrefix:       ofCommunity(homePrefix, func(value []byte) error { return examineCommunity(string(value)) }),
		forgettingPrefix: examineForgetting, "c/": examineClock,
		"a/": purse.Examine, "e/": purse.Examine, "h/": purse.Examine, "k/": purse.Examine, "t/": purse.Examine,
		"s/": scores.Examine, "b/": scores.Examine, "r/": scores.Examine,
	}
	return func(item storage.Item) error {
		prefix, _, _ := strings.Cut(item.Key, "/")
		examine := kinds[prefix+"/"]
		if examine == nil {
			return errNoKey
		}
		return examine(item)
	}
}

// errNoKey is an item that nothing here has written.
var errNoKey = errors.New("nothing has this key")

func (a *Archive) examineTable(item storage.Item, prefix string) error {
	t, rules, err := a.decode(item, prefix)
	switch {
	case err != nil:
		return err
	case t.Phase < lobby || t.Phase > ended:
		return fmt.Errorf("%s: a table is in phase %d", item.Key, t.Phase)
	case len(t.Chairs) > rules.Info().MaxSeats:
		return fmt.Errorf("%s: %d sit at a table for %d", item.Key, len(t.Chairs), rules.Info().MaxSeats)
	}
	return nil
}

// examineChunk wants the key of a chunk to name a table, and all of its moves to end.
func examineChunk(item storage.Item) error {
	home, number, _ := strings.Cut(strings.TrimPrefix(item.Key, chunkPrefix), "/")
	name, number, _ := strings.Cut(number, "/")
	id, ok := parseTableID(home + "/" + name)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || chunkKey(id.String(), n) != item.Key {
		return errNoKey
	}
	if !strings.HasSuffix(string(item.Value), ";") {
		return fmt.Errorf("%s: its last move is cut short", item.Key)
	}
	return nil
}

func examinePlace(item storage.Item) error {
	if _, ok := parsePlace(item.Key); !ok {
		return errNoKey
	}
	return json.Unmarshal(item.Value, &placeRecord{})
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
	if _, err := parseCommunity(text); err != nil {
		return fmt.Errorf("no community is called %.40q", text)
	}
	return nil
}

func examineForgetting(item storage.Item) error {
	if _, _, err := parseForgetting(item); err != nil {
		return err
	}
	return json.Unmarshal(item.Value, &forgetting{})
}

func examineClock(item storage.Item) error {
	if item.Key != keyRunning {
		return errNoKey
	}
	var running time.Duration
	return json.Unmarshal(item.Value, &running)
}
