package bot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"zevaka/engine"
	"zevaka/storage"
)

// maxTables is how many tables may be open in one place, where everybody may lay a patience. A command that finds them
// all offers one list of them, of MaxItems; and a community that gets another ID takes them along in one transaction
// (Moved).
const maxTables = 24

// errManyTables refuses one more table in a place.
const errManyTables engine.Refusal = "too-many-tables"

// placeRecord is what is stored of a place: its language, and which tables are open there, the oldest first.
type placeRecord struct {
	Lang   string   `json:"lang,omitempty"`
	Tables []string `json:"tables,omitempty"`
	looks
}

func keyPlace(p Place) string {
	return fmt.Sprintf("%s%d/%d", placePrefix(p.Community), p.Channel, p.Thread)
}

// parsePlace is the place of which something is stored under the key; false if that is no place's.
func parsePlace(key string) (Place, bool) {
	community, channel, _ := strings.Cut(strings.TrimPrefix(key, "p/"), "/")
	c, err := parseCommunity(community)
	p := Place{Community: c}
	if err == nil {
		_, err = fmt.Sscanf(channel, "%d/%d", &p.Channel, &p.Thread)
	}
	return p, err == nil && keyPlace(p) == key
}

// getPlace reads what is stored of the place; of a place never seen nothing is.
func getPlace(tx storage.Tx, p Place) (placeRecord, error) {
	var record placeRecord
	items, err := tx.Get(keyPlace(p))
	if err != nil {
		return record, fmt.Errorf("read place %s: %w", keyPlace(p), err)
	}
	if items[0].Rev == 0 {
		return record, nil
	}
	if err := json.Unmarshal(items[0].Value, &record); err != nil {
		return record, fmt.Errorf("decode place %s: %w", keyPlace(p), err)
	}
	return record, nil
}

func putPlace(tx storage.Tx, p Place, record placeRecord) error {
	value, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("encode place %s: %w", keyPlace(p), err)
	}
	tx.Put(keyPlace(p), value)
	return nil
}

// unlist takes a table off its place's list.
func unlist(tx storage.Tx, t *table) error {
	record, err := getPlace(tx, t.Place)
	if err != nil {
		return err
	}
	record.Tables = slices.DeleteFunc(record.Tables, func(name string) bool { return name == t.id.Name })
	return putPlace(tx, t.Place, record)
}
